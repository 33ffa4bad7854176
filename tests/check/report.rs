//! The output of `check` for people and for programs, and the files with the exact bytes of failures.

use super::{C_BOT, SHELL_BOT, reports};
use crate::support::{PROGRAM, Ran, Scratch, own_the_state_files, trial};
use libtest_mimic::Trial;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(several_bots_and_a_folder_end_with_a_table, ["cc", "awk"]),
        trial!(a_bot_is_reported_before_the_next_is_checked),
        trial!(json_is_one_object_a_bot),
        trial!(junit_has_failures_and_no_errors),
        trial!(colours_come_only_where_they_are_wanted),
        trial!(the_exact_bytes_are_kept, ["awk"]),
        trial!(the_commands_show_it_again, ["awk", "diff"]),
        trial!(the_commands_run_the_source_as_it_is_by_then, ["cc", "diff"]),
        trial!(a_report_needs_no_place_for_files),
        trial!(a_file_that_the_bot_cannot_see_is_named, ["python3"]),
        trial!(a_cache_that_cannot_be_written_is_no_fault_of_the_bot, ["cc"]),
        trial!(hints_are_in_the_language_of_the_bot_or_in_none, ["cc", "python3"]),
    ]
}

/// Correct and broken bots: `idle` never moves, `loud` writes more after its arena.
fn fists() -> Scratch {
    let scratch = Scratch::new();
    scratch.file("fists/jab.c", C_BOT);
    scratch.executable("fists/cross", SHELL_BOT);
    scratch.executable("fists/idle", "#!/bin/sh\nexec cat\n");
    scratch.file("fists/README.md", "Not a bot.\n");
    scratch.executable("loud", format!("{SHELL_BOT}printf 'done %s\\n' \"$mark\"\n"));
    scratch
}

/// The checks that tell these bots apart, so that trials are short.
const FEW: [&str; 2] = ["--run", "BX-OUT,BX-MOV"];

fn several_bots_and_a_folder_end_with_a_table() {
    let ran = Ran::from_command(fists().cornerman([&["check", "fists", "loud", "@greedy"], &FEW[..]].concat()));
    assert_eq!((ran.code, ran.messages().as_str()), (Some(1), ""));
    let table: Vec<&str> = ran.stdout.lines().skip_while(|line| !line.starts_with(" bot ")).collect();
    let words: Vec<Vec<&str>> = table.iter().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(words[0], ["bot", "verdict", "game", "output", "moves", "state", "time", "running", "odd"]);
    let ok = |bot| vec![bot, "ok", "-", "ok", "ok", "-", "-", "-", "-"];
    assert_eq!(words[1], ok("cross"));
    assert_eq!(words[2], ["idle", "FAIL", "-", "ok", "1", "fail", "-", "-", "-", "-"]);
    assert_eq!(words[3], ok("jab"));
    assert_eq!(words[4], ["loud", "FAIL", "-", "1", "fail", "-", "-", "-", "-", "-"]);
    assert_eq!(words[5], ok("@greedy"));
    assert_eq!(words[7], ["BX-OUT-TRAIL", "1", "loud"]);
    assert_eq!(words[8], ["BX-MOV-SOME", "1", "idle"]);
    assert_eq!(table[9..], ["3 of 5 bots pass all musts"]);
}

fn a_bot_is_reported_before_the_next_is_checked() {
    let scratch = fists();
    scratch.script("slow", "sleep 1; move");
    for (form, first) in [("text", "FAIL  idle: "), ("json", "{\"schema\":1,\"bot\":\"idle\"")] {
        let mut command = Command::new(PROGRAM);
        command.args(["check", "fists/idle", "slow", "--format", form]).args(FEW).current_dir(scratch.path());
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the command can be started");
        let mut line = String::new();
        let told = BufReader::new(child.stdout.take().expect("it is piped")).read_line(&mut line);
        let at_work = child.try_wait().expect("it was started").is_none();
        // Its output is closed now, but the command goes on; the test does not wait for its end.
        child.kill().expect("it was started");
        child.wait().expect("it was started");
        assert!(told.is_ok() && line.starts_with(first), "{line}");
        assert!(at_work, "the bot after it takes long");
    }
}

fn json_is_one_object_a_bot() {
    let (code, reports) = reports(&fists(), &[&["loud", "@greedy"], &FEW[..]].concat());
    assert_eq!(code, Some(1));
    let told: Vec<_> = reports.iter().map(|bot| (&bot["schema"], &bot["bot"], &bot["passes"])).collect();
    let one = 1.into();
    assert_eq!(told, [(&one, &"loud".into(), &false.into()), (&one, &"@greedy".into(), &true.into())]);
    let trail =
        reports[0]["checks"].as_array().unwrap().iter().find(|check| check["id"] == "BX-OUT-TRAIL").unwrap();
    let finding = &trail["findings"][0];
    assert!(finding["output"].as_str().unwrap().ends_with("\\ndone K\\n"), "{finding}");
    assert_eq!((&finding["args"][0], &finding["ended"]), (&"K".into(), &"status 0".into()));
}

/// The elements of `xml`, in order. Checks that they are properly nested.
#[track_caller]
fn elements(xml: &str) -> Vec<String> {
    let mut open = Vec::new();
    let mut all = Vec::new();
    let body = xml.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").expect("the head of XML");
    for tag in body.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').expect("the end of a tag");
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop().as_deref(), Some(name), "{xml}"),
            None => {
                let name = tag.split([' ', '/']).next().unwrap_or_default().to_string();
                all.push(name.clone());
                if !tag.ends_with('/') {
                    open.push(name);
                }
            }
        }
    }
    assert!(open.is_empty(), "{open:?} in {xml}");
    all
}

fn junit_has_failures_and_no_errors() {
    let scratch = fists();
    scratch.executable("crash", "#!/bin/sh\nkill -SEGV $$\n");
    let args = ["check", "--format", "junit", "loud", "crash", "@greedy", "--run", "BX-OUT,BX-MOV,BX-RUN-SIGNAL"];
    let ran = Ran::from_command(scratch.cornerman(args));
    assert_eq!((ran.code, ran.messages().as_str()), (Some(1), ""));
    let elements = elements(&ran.stdout);
    let count = |name: &str| elements.iter().filter(|element| *element == name).count();
    assert_eq!((count("testsuites"), count("testsuite"), count("failure"), count("error")), (1, 3, 2, 0));
    assert!(ran.stdout.contains("errors=\"0\"") && !ran.stdout.contains("errors=\"1\""), "{}", ran.stdout);
    let failure = ran.stdout.split("<failure ").nth(1).expect("a failure");
    assert!(failure.contains("message=\"") && failure.contains("done"), "{failure}");
}

fn colours_come_only_where_they_are_wanted() {
    let scratch = fists();
    let text = |variables: &[(&str, &str)]| {
        let mut command = scratch.cornerman([&["check", "fists/idle", "@greedy"], &FEW[..]].concat());
        command.envs(variables.iter().copied());
        Ran::from_command(command).stdout
    };
    let plain = text(&[]);
    assert!(plain.starts_with("FAIL  idle: ") && !plain.contains('\x1b'), "{plain}");
    assert!(!text(&[("NO_COLOR", "1")]).contains('\x1b'));
    assert!(text(&[("CLICOLOR_FORCE", "1")]).contains("\x1b[31mFAIL"));
}

fn the_exact_bytes_are_kept() {
    let scratch = fists();
    scratch.executable("odd", format!("{SHELL_BOT}printf '\\377\\000'; echo oh no >&2\n"));
    for (options, folder) in [(&["--files", "kept/here"][..], "kept/here"), (&[], ".cornerman/check")] {
        let ran =
            Ran::from_command(scratch.cornerman([&["check", "odd", "--run", "BX-OUT-TRAIL"], options].concat()));
        let shown = format!("files         {folder}/odd/BX-OUT-TRAIL: in.arena, out.arena, stderr.txt\n");
        assert!(ran.code == Some(1) && ran.stdout.contains(&shown), "{}", ran.stdout);
        let kept = scratch.path().join(folder).join("odd/BX-OUT-TRAIL");
        let file = |name: &str| fs::read(kept.join(name)).expect(name);
        let given = file("in.arena");
        let written = file("out.arena");
        assert_eq!((given.len(), written.len()), (528, 530));
        assert_eq!(given.iter().zip(&written).filter(|(was, is)| was != is).count(), 1, "one spot was marked");
        assert_eq!(written[528..], *b"\xff\0");
        assert_eq!(file("stderr.txt"), b"oh no\n");
    }
}

/// The two commands of a report that reproduce a failure: with the check, and with the bot alone.
fn again(report: &str) -> (String, String) {
    let after = report.split("reproduce     ").nth(1).expect("how to reproduce it");
    let mut lines = after.lines().map(|line| line.trim().to_string());
    let bot = |line: String| line.strip_prefix("unconfined    ").map(str::to_string);
    (lines.next().expect("the check"), lines.next().and_then(bot).expect("the bot"))
}

fn the_commands_show_it_again() {
    let scratch = fists();
    scratch.executable("it's odd", format!("{SHELL_BOT}printf 'done'\n"));
    scratch.executable(
        "notes",
        format!("{SHELL_BOT}[ -e \"/tmp/arena.$mark\" ] && echo \"$mark remembers\"\n: > \"/tmp/arena.$mark\"\n"),
    );
    let check = |bot: &str, id: &str, shows: &str| {
        let ran = Ran::from_command(scratch.cornerman(["check", bot, "--run", id, "--seed", "12"]));
        assert_eq!(ran.code, Some(1), "{}", ran.stdout);
        let (alone, raw) = again(&ran.stdout);
        let line = alone.strip_prefix("cargo xtask ").expect("the command");
        let rerun = Ran::from_command(shell(&scratch, &format!("{PROGRAM} {line}")));
        assert_eq!((rerun.code, again(&rerun.stdout)), (Some(1), (alone, raw.clone())), "{}", rerun.stdout);
        assert!(rerun.stdout.contains(&format!("\n{id}  must")), "{}", rerun.stdout);
        let state_files = own_the_state_files();
        let diff = Ran::from_command(shell(&scratch, &raw));
        drop(state_files);
        assert!(diff.stdout.contains(shows), "{raw}\n{}{}", diff.stdout, diff.stderr);
        assert_eq!(diff.messages(), "", "{raw}");
    };
    check("it's odd", "BX-OUT-TRAIL", "> done");
    check("loud", "BX-OUT-TRAIL", "> done K");
    check("notes", "BX-CHAIN", "> A remembers");
}

fn the_commands_run_the_source_as_it_is_by_then() {
    let scratch = Scratch::new();
    let ending = "return fwrite(arena, 1, got, stdout) != got;";
    scratch.file("slip.c", C_BOT.replace(ending, "fwrite(arena, 1, got, stdout); puts(\"done\"); return 0;"));
    let ran = Ran::from_command(scratch.cornerman(["check", "slip.c", "--run", "BX-OUT-TRAIL"]));
    let (_, raw) = again(&ran.stdout);
    let raw = raw.replace("cargo xtask", PROGRAM);
    let output = || Ran::from_command(shell(&scratch, &raw)).stdout;
    assert!(output().contains("> done"), "{raw}: {}", output());
    scratch.file("slip.c", C_BOT);
    let mended = output();
    assert!(mended.contains('>') && !mended.contains("> done"), "{raw}: {mended}");
}

fn hints_are_in_the_language_of_the_bot_or_in_none() {
    let scratch = Scratch::new();
    scratch.file("slip.c", C_BOT.replace("return fwrite", "puts(\"\"); return fwrite"));
    scratch.file("slip.py", "import sys\nprint()\nprint(sys.stdin.read(), end='')\n");
    let hint = |bot: &str| {
        let ran = Ran::from_command(scratch.cornerman(["check", bot, "--run", "BX-OUT-LEAD", "--game", "boxing"]));
        let after = ran.stdout.split("  hint ").nth(1).unwrap_or_default();
        let hint: Vec<&str> = after.split("  reproduce ").next().unwrap_or_default().split_whitespace().collect();
        hint.join(" ")
    };
    let in_c = hint("slip.c");
    let in_python = hint("slip.py");
    assert!(in_c.contains("fprintf(stderr, ...)") && !in_c.contains("print(..., file="), "{in_c}");
    assert!(in_python.contains("print(..., file=sys.stderr)") && !in_python.contains("fprintf"), "{in_python}");
}

fn shell(scratch: &Scratch, line: &str) -> assert_cmd::Command {
    let mut shell = assert_cmd::Command::from_std(Command::new("sh"));
    shell.args(["-c", line]).current_dir(scratch.path());
    shell
}

fn a_report_needs_no_place_for_files() {
    let ran =
        Ran::from_command(fists().cornerman(["check", "loud", "--run", "BX-OUT-TRAIL", "--files", "/proc/none"]));
    assert!(ran.code == Some(1) && ran.stdout.contains("\nBX-OUT-TRAIL  must"), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("its files are not kept: /proc/none/loud/BX-OUT-TRAIL: "), "{}", ran.stdout);
}

fn a_file_that_the_bot_cannot_see_is_named() {
    let scratch = Scratch::new();
    scratch.file("bot.py", "import helper\n");
    scratch.file("helper.py", "print('name', flush=True)\n");
    let check = |options: &[&str]| {
        let ran = Ran::from_command(scratch.cornerman([&["check", "bot.py", "--game", "rps"], options].concat()));
        assert_eq!(ran.code, Some(1), "{}", ran.stdout);
        ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let hint = "`helper.py` lies beside bot.py, but a bot that is one file can read only files handed in with it";
    let unseen = check(&[]);
    assert!(unseen.contains(hint), "{unseen}");
    assert!(unseen.contains("it stopped at its start: ModuleNotFoundError: No module named 'helper'"), "{unseen}");
    let seen = check(&["--with", "helper.py"]);
    assert!(!seen.contains(hint) && !seen.contains("ModuleNotFoundError"), "{seen}");
}

fn a_cache_that_cannot_be_written_is_no_fault_of_the_bot() {
    let scratch = Scratch::new();
    scratch.file("slip.c", C_BOT);
    let mut check = scratch.cornerman(["check", "slip.c"]);
    check.env("XDG_CACHE_HOME", "/proc/none");
    let ran = Ran::from_command(check);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{}", ran.stderr);
    assert!(ran.stderr.contains("cannot use /proc/none/cornerman, where builds are kept"), "{}", ran.stderr);
}
