//! `check` of broken bots: each fault fails the checks that are about it, with a message that helps to fix it. No bot
//! makes the command hang, or sends control characters to the terminal.

use super::{PYTHON_BOT, ids, reports};
use crate::support::{Ran, Scratch, trial};
use libtest_mimic::Trial;

/// A fault of the Python bot: the line that is replaced and by what, the checks that fail, and words that the report
/// must have for an author to fix it.
struct Fault {
    name: &'static str,
    line: &'static str,
    becomes: &'static str,
    fails: &'static [&'static str],
    told: &'static [&'static str],
}

const FAULTS: [Fault; 5] = [
    Fault {
        name: "counts_rows_from_the_bottom_when_it_marks",
        line: "    rows[at][col : col + size] = mark * size\n",
        becomes: "    rows[TALL - 1 - at][col : col + size] = mark * size\n",
        fails: &["BX-MOV-VACANT", "BX-MOV-SOME"],
        told: &[
            "row 16, column 31 was not vacant: it was blocked (`o`), and it is now `A`",
            "row 16  ------------------------------oo   --------------------AAAAAAAAAAAo",
            "the same square counted from the bottom is vacant",
            "rows are counted from the bottom in one of them",
        ],
    },
    Fault {
        name: "strips_vacant_spots_at_the_ends_of_rows",
        line: "\"\".join(row) + \"\\n\"",
        becomes: "\"\".join(row).rstrip(\"-\") + \"\\n\"",
        fails: &["BX-OUT-ROWS"],
        told: &[
            "16 rows of 16 spots instead of 16 of 32",
            "line  1   17 bytes  `KKKKKKKKKKKKKKKK\\n`",
            "strip() or rstrip(), which remove more than the line feed",
        ],
    },
    Fault {
        name: "writes_the_rows_in_sorted_order",
        line: "for row in rows).encode",
        becomes: "for row in sorted(rows)).encode",
        fails: &["BX-MOV-VACANT"],
        told: &[
            "row 3, column 6 was not vacant: it was blocked (`o`), and it is now `-`",
            "rows are written in a different order than they were read",
        ],
    },
    Fault {
        name: "halves_the_size_until_it_is_nothing",
        line: "for at in range(row, row + size):\n",
        becomes: "size //= 2\nfor at in range(row, row + size):\n",
        fails: &["BX-MOV-SOME"],
        told: &[
            "nothing was marked though 256 spots are vacant, the first at row 1, column 1",
            "Can the size become 0, perhaps by a division?",
        ],
    },
    Fault {
        name: "plays_for_ever_the_square_it_found_first",
        line: "row, col, size = (len(text) == 528 and largest()) or (0, 0, 0)\n",
        becomes: "try:\n    row, col, size = map(int, open(f\"/tmp/arena.{mark}\").read().split())\nexcept OSError:\n    \
                  row, col, size = (len(text) == 528 and largest()) or (0, 0, 0)\n    \
                  print(row, col, size, file=open(f\"/tmp/arena.{mark[0]}\", \"w\"))\n",
        fails: &["BX-CHAIN", "BX-MOV-MARK", "BX-STATE-CORRUPT"],
        told: &[
            "nothing was marked though 255 spots are vacant",
            "Delete the file and play on: if that helps, the bot trusts something in it",
            "in.arena, out.arena, state.in",
            "BX-STATE-CORRUPT should",
        ],
    },
];

pub fn trials() -> Vec<Trial> {
    let fault = |fault: &'static Fault| {
        trial(&format!("check::broken::with::{}", fault.name), &["python3"], move || check_fault(fault))
    };
    let mut trials: Vec<Trial> = FAULTS.iter().map(fault).collect();
    trials.extend([
        trial!(a_bot_that_hangs_is_soon_given_up),
        trial!(a_bot_that_draws_on_the_terminal_is_escaped),
        trial!(a_name_gives_no_orders, ["awk"]),
    ]);
    trials
}

/// Checks exactly which checks the Python bot with `fault` fails, and what the report says.
#[track_caller]
fn check_fault(fault: &Fault) {
    let scratch = Scratch::new();
    assert_eq!(PYTHON_BOT.matches(fault.line).count(), 1, "{}", fault.line);
    scratch.file("hook.py", PYTHON_BOT.replacen(fault.line, fault.becomes, 1));
    let (code, reports) = reports(&scratch, &["hook.py"]);
    assert_eq!((code, ids(&reports[0], "fail")), (Some(1), fault.fails.to_vec()));
    let ran = Ran::from_command(scratch.cornerman(["check", "hook.py"]));
    let text = flowing(&ran.stdout);
    assert!(text.starts_with("FAIL hook: "), "{}", ran.stdout);
    for words in fault.told {
        assert!(text.contains(&flowing(words)), "{words}\n{}", ran.stdout);
    }
}

/// `text` without line breaks.
fn flowing(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn a_bot_that_hangs_is_soon_given_up() {
    let scratch = Scratch::new();
    scratch.executable("hang", "#!/bin/sh\nexec sleep 1000\n");
    let (code, reports) = reports(&scratch, &["hang", "--game", "boxing"]);
    assert_eq!((code, ids(&reports[0], "fail")), (Some(1), vec!["BX-TIME-HARD"]));
    assert!(reports[0]["runs"].as_u64() < Some(20), "{}", reports[0]["runs"]);
    assert!(reports[0]["remarks"].to_string().contains("so the check ended early"), "{}", reports[0]["remarks"]);
}

/// The output of `check` in each format, with colours where the format has them.
fn all_forms(scratch: &Scratch, bot: &str) -> Vec<String> {
    let forms = [&["--format", "text"][..], &["--format", "json"], &["--format", "junit"]];
    let form = |form: &&[&str]| {
        let args = [&["check", bot, "--run", "BX-OUT,BX-MOV"], *form].concat();
        let mut command = scratch.cornerman(args);
        command.env("CLICOLOR_FORCE", "1");
        let ran = Ran::from_command(command);
        ran.stdout + &ran.stderr
    };
    forms.iter().map(form).collect()
}

/// Checks that `text` has no control characters except line feeds and colours.
#[track_caller]
fn check_harmless(text: &str) {
    let mut codes = text.split('\x1b');
    let first = codes.next().unwrap_or_default().to_string();
    let rest = codes.map(|part| {
        let (code, rest) = part.split_once('m').unwrap_or((part, ""));
        let colour = code.strip_prefix('[').is_some_and(|code| code.chars().all(|c| c.is_ascii_digit()));
        assert!(colour, "{code:?} in {text}");
        rest
    });
    let plain = first + &rest.collect::<String>();
    let bad = plain.chars().find(|c| c.is_control() && *c != '\n');
    assert_eq!(bad, None, "{text}");
}

fn a_bot_that_draws_on_the_terminal_is_escaped() {
    let scratch = Scratch::new();
    scratch.executable(
        "draws",
        "#!/bin/sh\nprintf '\\033[2J\\033]0;mine\\007\\233\\n'\nprintf '\\033[H\\r\\033]0;mine\\007\\n' >&2\n",
    );
    for text in all_forms(&scratch, "./draws") {
        assert!(text.contains("\\x1b[2J") || text.contains("\\\\x1b[2J"), "{text}");
        check_harmless(&text);
    }
}

fn a_name_gives_no_orders() {
    let scratch = Scratch::new();
    // The name in a `bot.toml` must be printable; the folder's name may be anything, and is escaped.
    let folder = "\u{1b}]0;mine\u{7}\u{1b}[2J";
    let name = "<b>&\\\"'FAIL";
    scratch.file(&format!("{folder}/bot.toml"), format!("name = \"{name}\"\nrun = [\"./jab.sh\"]\n"));
    scratch.script(&format!("{folder}/jab.sh"), "cat");
    let forms = all_forms(&scratch, folder);
    for text in &forms {
        check_harmless(text);
    }
    let [human, json, junit] = forms.as_slice() else { unreachable!("there are three forms") };
    assert!(human.contains("<b>&\"'FAIL"), "{human}");
    assert!(json.contains(name), "{json}");
    assert!(junit.contains("&lt;b&gt;&amp;&quot;") && !junit.contains("<b>"), "{junit}");
    let mut play = scratch.cornerman(["play", folder, "@greedy", "--match", "--marks", &crate::support::marks(2)]);
    play.env("CLICOLOR_FORCE", "1");
    let ran = Ran::from_command(play);
    assert!(ran.code == Some(0) && ran.stdout.contains("<b>&\"'FAIL"), "{}", ran.stdout);
    check_harmless(&ran.stdout);
}
