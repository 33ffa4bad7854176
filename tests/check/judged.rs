//! A selected check passes only if an answer was judged; otherwise the report names the check that prevented it.

use super::{SHELL_BOT, ids, reports, shell_bot_after};
use crate::support::{Ran, Scratch, trial};
use libtest_mimic::Trial;

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(no_answer_passes_nothing, ["awk"]),
        trial!(a_case_without_an_answer_is_no_pass, ["awk"]),
        trial!(a_check_that_nothing_can_judge_fails),
        trial!(a_slow_bot_is_judged_by_short_games),
        trial!(the_report_says_which_game_was_assumed, ["awk"]),
        trial!(a_game_that_nothing_shows_is_asked_for),
        trial!(a_verdict_serves_every_command),
        trial!(a_failed_should_takes_one_line, ["awk"]),
    ]
}

/// Checks that no bot passes with these options, and that `cause` is among what fails.
#[track_caller]
fn check_fails(scratch: &Scratch, args: &[&str], cause: &str) {
    let (code, reports) = reports(scratch, args);
    assert_eq!((code, &reports[0]["passes"]), (Some(1), &false.into()), "{args:?}");
    assert_eq!(ids(&reports[0], "fail"), [cause], "{args:?}");
    assert_eq!(ids(&reports[0], "pass"), [""; 0], "{args:?}");
}

fn no_answer_passes_nothing() {
    let scratch = Scratch::new();
    scratch.executable("silent", "#!/bin/sh\nexec cat > /dev/null\n");
    scratch.executable("crash", "#!/bin/sh\nkill -SEGV $$\n");
    scratch.executable("late", format!("{SHELL_BOT}kill -SEGV $$\n"));
    for selection in [
        &["--run", "BX-MOV"][..],
        &["--run", "BX-RUN-EXEC"],
        &["--run", "BX-ODD-NUL"],
        &["--run", "BX-STATE-ONLY"],
        &["--run", "BX-TIME"],
        &["--run", "BX-MOV", "--fast"],
        &["--run", "BX-SELF", "--budget", "0"],
        &["--game", "boxing", "--skip", "BX-OUT,BX-RUN-OPEN", "--budget", "0", "--strict"],
    ] {
        check_fails(&scratch, &[&["silent"], selection].concat(), "BX-OUT-LEN");
    }
    for selection in
        [&["--run", "BX-ODD-NUL"][..], &["--run", "BX-MOV", "--fast"], &["--run", "BX-SELF", "--budget", "0"]]
    {
        check_fails(&scratch, &[&["crash"], selection].concat(), "BX-RUN-SIGNAL");
    }
    check_fails(&scratch, &["late", "--run", "BX-OUT-EOL"], "BX-RUN-SIGNAL");
    for (game, selection, cause) in [
        ("rps", "RP-CHUNK", "RP-NAME"),
        ("rps", "RP-DETERMINISM", "RP-NAME"),
        ("go", "GO-KO", "GO-TURN"),
        ("go", "GO-CPU", "GO-TURN"),
    ] {
        check_fails(&scratch, &["silent", "--game", game, "--run", selection], cause);
    }
    for bot in ["silent", "crash", "late"] {
        let args = ["check", "--format", "junit", bot, "--run", "BX-OUT-EOL"];
        let junit = Ran::from_command(scratch.cornerman(args));
        assert!(junit.code == Some(1) && junit.stdout.contains("<failure "), "{bot}: {}", junit.stdout);
    }
}

fn a_case_without_an_answer_is_no_pass() {
    let scratch = Scratch::new();
    let bot = |name: &str, crash_if: &str| {
        scratch.executable(name, shell_bot_after(&format!("if {crash_if}; then kill -SEGV $$; fi")));
    };
    bot("full", "[ \"${arena#*-}\" = \"$arena\" ]");
    bot("percent", "[ \"$1\" = % ]");
    check_fails(&scratch, &["full", "--run", "BX-MOV-PASS"], "BX-RUN-SIGNAL");
    let check = |bot: &str, id: &str| {
        let (code, reports) = reports(&scratch, &[bot, "--run", id]);
        assert_eq!((code, ids(&reports[0], "fail")), (Some(1), vec!["BX-RUN-SIGNAL"]), "{bot} {id}");
        assert_eq!(ids(&reports[0], "pass"), [id], "{bot}: other cases were judged");
    };
    check("full", "BX-OUT-EOL");
    check("percent", "BX-MOV-MARK");
}

/// A bot of rock-paper-scissors that does not end with its input.
const STAYS: &str = "#!/bin/sh\necho stays\nread seed\nread rounds\nat=0\nwhile [ $at -lt $rounds ]; do\n  \
                     echo $((at % 3)); read other || break; at=$((at + 1))\ndone\nwhile :; do sleep 1; done\n";

/// A bot of Go that passes, and does not end with its input, so that it never shows whether it leaves processes behind.
const PASSES: &str = "#!/bin/sh\n[ \"$1\" = black ] && echo pass\nwhile read move; do [ \"$move\" = time ] || echo pass; done\n\
                      while :; do sleep 1; done\n";

fn a_check_that_nothing_can_judge_fails() {
    let scratch = Scratch::new();
    scratch.executable("stays", PASSES);
    let go = |selected| ["stays", "--game", "go", "--run", selected];
    let (code, reports) = reports(&scratch, &go("GO-ORPHAN"));
    assert_eq!((code, ids(&reports[0], "blocked")), (Some(1), vec!["GO-ORPHAN"]), "{:#}", reports[0]);
    let check = |selected| Ran::from_command(scratch.cornerman([&["check"], &go(selected)[..]].concat()));
    let ran = check("GO-ORPHAN");
    assert!(ran.stdout.starts_with("FAIL  stays: 1 of 2 checks could not be judged"), "{}", ran.stdout);
    assert!(ran.stdout.contains("not judged because GO-EOF failed: GO-ORPHAN"), "{}", ran.stdout);
    let ran = check("GO-ORPHAN,GO-LF");
    assert_eq!(ran.code, Some(0), "another check was judged: {}", ran.stdout);
}

fn a_slow_bot_is_judged_by_short_games() {
    let scratch = Scratch::new();
    // A whole game in plain conditions would take longer than the budget.
    let body = "[ \"$1\" = black ] && sleep 1 && echo pass\n\
                while read move; do [ \"$move\" = time ] || { sleep 1; echo pass; }; done\n";
    scratch.executable("slow", format!("#!/bin/sh\n{body}"));
    let ran = Ran::from_command(scratch.cornerman(["check", "slow", "--game", "go", "--budget", "15s"]));
    // `sleep` is another process.
    let wanted = "warn  slow: fails no must that was judged, fails 1 should, ";
    assert!(ran.code == Some(0) && ran.stdout.starts_with(wanted), "{}", ran.stdout);
    assert!(ran.stdout.contains("not judged because the budget ran out: "), "{}", ran.stdout);
}

fn the_report_says_which_game_was_assumed() {
    let scratch = Scratch::new();
    scratch.executable("jab", SHELL_BOT);
    scratch.executable("words", STAYS.replace("echo $((at % 3))", "echo rock"));
    // Endless hands and output that is held back are still recognized as those of this game.
    scratch.executable("spins", STAYS.replace("while :; do sleep 1; done", "while :; do echo 1; done"));
    scratch.executable("holds", "#!/bin/sh\ncat >/dev/null\necho holds; echo 0; echo 1; echo 2\n");
    scratch.executable("passes", "#!/bin/sh\ncat >/dev/null\n[ \"$1\" = black ] && echo pass\n");
    scratch.executable("words of one", "#!/bin/sh\n# rock\nexit 0\n");
    let check = |args: &[&str], words: Option<&str>| {
        let ran = Ran::from_command(scratch.cornerman([&["check"], args].concat()));
        let line: Vec<&str> = ran.stdout.split_whitespace().collect();
        let said = line.join(" ");
        match words {
            Some(words) => {
                assert!(said.contains(&format!("note taken for {words}; `--game` chooses another")), "{said}");
            }
            None => assert!(!said.contains("taken for"), "{said}"),
        }
        let ran = Ran::from_command(scratch.cornerman([&["check", "--format", "junit"], args].concat()));
        assert_eq!(ran.stdout.contains("taken for"), words.is_some(), "{}", ran.stdout);
    };
    let few = ["--run", "BX-OUT-LEN,RP-NAME"];
    let with = |bot: &'static str| [&[bot][..], &few].concat();
    check(&with("jab"), Some("The Boxing Match, because it answers with an arena"));
    check(&with("words"), Some("Rock-paper-scissors, because it sends a name and then a hand"));
    check(&with("spins"), Some("Rock-paper-scissors, because it sends a name and then a hand"));
    check(&with("holds"), Some("Rock-paper-scissors, because it sends a name and then a hand"));
    check(
        &["passes", "--run", "BX-OUT-LEN,GO-TURN"],
        Some("Go, because it opens with a vertex when started as `black`"),
    );
    check(&with("words of one"), Some("Rock-paper-scissors, because its sources use words of this game"));
    check(
        &["jab", "--run", "BX-OUT-LEN"],
        Some("The Boxing Match, because the selected checks are those of this game"),
    );
    check(&["jab", "--run", "BX-OUT-LEN", "--game", "boxing"], None);
}

fn a_game_that_nothing_shows_is_asked_for() {
    let scratch = Scratch::new();
    scratch.executable("entries/silent", "#!/bin/sh\nexit 0\n");
    scratch.executable("entries/stays", STAYS);
    let ran = Ran::from_command(scratch.cornerman(["check", "entries/silent"]));
    assert_eq!(ran.code, Some(2), "{}", ran.stdout);
    assert!(ran.stderr.contains("which game silent plays is not clear") && ran.stderr.contains("`--game`"));
    // If it failed, the message says how.
    scratch.executable("dies", "#!/bin/sh\necho 'no \\033[31mbook' >&2\nexit 3\n");
    let ran = Ran::from_command(scratch.cornerman(["check", "dies"]));
    let how =
        "tried out as a bot of The Boxing Match, it exited with status 3; the end of its standard error:\n  no ";
    assert!(ran.code == Some(2) && ran.stderr.contains(how) && !ran.stderr.contains('\u{1b}'), "{}", ran.stderr);
    // In a folder with other bots, it gets a verdict.
    let (code, reports) = reports(&scratch, &["entries", "--run", "RP-NAME,GO-TURN"]);
    let passes: Vec<_> = reports.iter().map(|report| &report["passes"]).collect();
    assert_eq!((code, passes), (Some(1), vec![&false.into(), &true.into()]), "{reports:#?}");
}

fn a_verdict_serves_every_command() {
    let scratch = Scratch::new();
    let leaves = STAYS.replace("while :; do sleep 1; done", "exit 0");
    scratch.executable("one/leaves", &leaves);
    scratch.executable("another/leaves", &leaves);
    scratch.file(
        "cup.toml",
        "name = \"Cup\"\nruleset = \"rps-polyglot\"\nentrants = [\"one/leaves\", \"@rock\"]\n\n[[stages]]\nkind = \"all-play-all\"\nboards = [1]\n",
    );
    let is_cached = |args: &[&str]| {
        let ran = Ran::from_command(scratch.cornerman([&["check"], args].concat()));
        assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
        ran.stdout.contains("cached verdict")
    };
    // `check` takes over the tournament's verdict, whatever its own budget is.
    let ran = Ran::from_command(scratch.cornerman(["tournament", "cup.toml"]));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(is_cached(&["one/leaves"]) && is_cached(&["one/leaves", "--budget", "90"]));
    assert!(!is_cached(&["one/leaves", "--seed", "7"]) && !is_cached(&["another/leaves"]));
}

fn a_failed_should_takes_one_line() {
    let scratch = Scratch::new();
    scratch.executable("status", format!("{SHELL_BOT}exit 3\n"));
    let text = |options: &[&str]| {
        Ran::from_command(scratch.cornerman([&["check", "status", "--budget", "0"], options].concat()))
    };
    let ran = text(&[]);
    let line = "\nBX-RUN-EXIT  should  the exit status was 3 (open and ";
    assert!(
        ran.code == Some(0) && ran.stdout.contains(line) && !ran.stdout.contains("  rule  "),
        "{}",
        ran.stdout
    );
    for whole in [&["--verbose"][..], &["--run", "BX-RUN-EXIT"]] {
        let ran = text(whole);
        assert!(ran.code == Some(0) && ran.stdout.contains("\n  rule  "), "{}", ran.stdout);
    }
    let ran = text(&["--strict"]);
    assert!(ran.code == Some(1) && ran.stdout.starts_with("FAIL (strict) status: "), "{}", ran.stdout);
    assert!(ran.stdout.contains("\nBX-RUN-EXIT  should (strict)  B5  "), "{}", ran.stdout);
}
