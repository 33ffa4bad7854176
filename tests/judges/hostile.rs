//! Judges that answer with anything but an answer: no bot is to blame, the failure has the id of the check that finds it, and
//! nothing hangs.

use super::{RULESET, ran};
use crate::support::{Scratch, trial};
use libtest_mimic::Trial;

/// What the judge does when it is asked for the first move, in Python, and the ids of the failures that it can be.
const HOSTILE: &[(&str, &str, &[&str])] = &[
    ("more_than_1_mib", r#"put('{"state":1,"turn":[0],"view":"' + "x" * (1 << 20) + '"}\n')"#, &["JD-SIZE"]),
    ("a_line_without_end", r#"while True: put("x" * 65536)"#, &["JD-SIZE"]),
    ("a_view_of_1_mib", r#"put('{"state":1,"turn":[0],"view":"' + "x" * 1000000 + '"}\n')"#, &["JD-SIZE"]),
    ("a_state_of_1_mib", r#"put('{"turn":[0],"view":"1","state":"' + "x" * 1000000 + '"}\n')"#, &["JD-SIZE"]),
    ("nothing", "time.sleep(99)", &["JD-TIME"]),
    ("an_empty_line", r#"put("\n")"#, &["JD-JSON"]),
    ("the_end", "sys.exit(0)", &["JD-EXIT"]),
    ("a_line_cut_short", r#"put('{"state":1'); sys.exit(0)"#, &["JD-EXIT"]),
    ("nan", r#"put('{"state":1,"turn":[0],"view":"1","value":[NaN,1]}\n')"#, &["JD-JSON"]),
    ("a_huge_number", r#"put('{"points":[1' + "0" * 400 + ',0]}\n')"#, &["JD-FIELD"]),
    ("a_number_beyond_floats", r#"put('{"state":1,"turn":[0],"view":"1","value":[1e999,1]}\n')"#, &["JD-FIELD"]),
    (
        "a_state_nested_a_million_deep",
        r#"put('{"turn":[0],"view":"1","state":' + "[" * 500000 + "]" * 500000 + '}\n')"#,
        &["JD-SIZE", "JD-JSON"],
    ),
    (
        "nesting_that_is_never_closed",
        r#"put('{"turn":[0],"view":"1","state":' + "[" * 1000000 + '\n')"#,
        &["JD-JSON"],
    ),
    (
        "another_field_nested",
        r#"put('{"points":' + "[" * 400000 + "]" * 400000 + '}\n')"#,
        &["JD-JSON", "JD-FIELD"],
    ),
    ("a_field_twice", r#"put('{"state":1,"state":2,"turn":[0],"view":"1"}\n')"#, &["JD-FIELD"]),
    ("bytes_that_are_no_text", r#"os.write(1, b'{"view":"\xff\xfe"}\n')"#, &["JD-JSON"]),
    ("half_a_surrogate", r#"put('{"state":1,"turn":[0],"view":"\\ud800"}\n')"#, &["JD-JSON", "JD-FIELD"]),
    ("two_lines", r#"put('{"points":[1,0]}\n{"points":[0,1]}\n')"#, &["JD-JSON"]),
    ("a_list", r#"put('[{"points":[1,0]}]\n')"#, &["JD-JSON"]),
    ("a_million_lines", r#"put('{}\n' * 1000000)"#, &["JD-FIELD", "JD-JSON"]),
    ("its_own_death", "os.kill(os.getpid(), 9)", &["JD-EXIT"]),
    ("all_memory", "hold = bytearray(3 << 30)\nput(str(len(hold)))", &["JD-EXIT"]),
    ("a_million_errors", "sys.stderr.write('e' * 100 + '\\n' * 1000000); sys.exit(1)", &["JD-EXIT"]),
    (
        "seats_without_end",
        r#"put('{"state":1,"view":"1","turn":[' + ",".join(["0"] * 100000) + ']}\n')"#,
        &["JD-TURN"],
    ),
];

/// Answers that are odd only in form: they are right, and count.
const ODD: &[(&str, &str)] = &[
    ("in_many_pieces", r#"for c in '{"points":[1,0],"view":"' + "x" * 5000 + '"}\n': os.write(1, c.encode())"#),
    ("in_a_million_pieces", "for _ in range(10**6): os.write(1, b' ')\nput('{\"points\":[1,0]}\\n')"),
    ("white_space", r#"put('   {  "points" :\t[ 1 , 0 ]  ,"view":"x"}   \r\n')"#),
    ("escapes", r#"put('{"\\u0070oints":[1,0],"view":"\\u0041\\u0000\\ud83d\\ude00"}\n')"#),
];

pub fn trials() -> Vec<Trial> {
    let hostile = HOSTILE.iter().map(|&(name, does, ids)| (name, does, ids));
    let odd = ODD.iter().map(|&(name, does)| (name, does, &[][..]));
    hostile
        .chain(odd)
        .map(|(name, does, ids)| {
            trial(&format!("judges::hostile::{name}"), &["python3"], move || check(does, ids))
        })
        .collect()
}

const JUDGE: &str = r#"
import json, os, sys, time
def put(text): sys.stdout.write(text); sys.stdout.flush()
for line in sys.stdin:
    ask = json.loads(line)["ask"]
    if ask == "hello": put('{"judge":1,"game":"pick"}\n')
    elif ask == "start": put('{"state":0,"turn":[0],"view":"0"}\n')
    else:
        DOES
"#;

/// Checks that a game with a judge that `does` this fails with one of `ids`, or if there are none, that seat 0 wins it.
#[track_caller]
fn check(does: &str, ids: &[&str]) {
    let scratch = Scratch::new();
    scratch.file("judge.py", JUDGE.replace("DOES", &does.replace('\n', "\n        ")));
    // An answer in many pieces is right, however long the machine takes to write them.
    let answer_ms = if ids.is_empty() { "answer_ms = 60000" } else { "answer_ms = 900" };
    scratch.file("pick.toml", RULESET.replace("answer_ms = 900", answer_ms));
    scratch.file("bot.py", "input()\nprint(1, flush=True)\nimport sys\nsys.stdin.read()\n");
    let play = ["play", "bot.py", "bot.py", "--rules", "pick.toml"];
    if ids.is_empty() {
        assert!(ran(&scratch, &play, 0).0.contains(" wins with 1 point"));
        return;
    }
    let (out, error) = ran(&scratch, &play, 3);
    assert!(ids.iter().any(|id| error.contains(&format!("({id})"))), "{ids:?}: {error}");
    assert!(error.contains("No bot is to blame") && error.len() < 10_000 && !out.contains("wins"), "{out}{error}");
}
