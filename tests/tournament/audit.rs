//! `audit`: a bot that plays differently against a friend is found, and honest ones are not (B13b).

use super::{games, tournament};
use crate::support::{Ran, Scratch, small_arena, trial};
use crate::unpacked;
use libtest_mimic::Trial;
use serde_json::{Value, json};

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(a_bot_that_spares_its_friend_is_found, ["awk"]),
        trial!(honest_bots_pass, ["awk"]),
        trial!(a_game_that_contradicts_the_rules_is_named, ["awk"]),
    ]
}

/// Fills the first vacant spot of the first row in the order of `$1`, which numbers them from 1.
const FILL: &str = r#"fill() { awk -v mark="$mark" -v order="$1" '
    { row[NR] = $0 }
    END {
        n = split(order, spot, " ")
        for (i = 1; i <= n; i++) if (substr(row[1], spot[i], 1) == "-") {
            row[1] = substr(row[1], 1, spot[i] - 1) mark substr(row[1], spot[i] + 1)
            break
        }
        for (i = 1; i <= NR; i++) print row[i]
    }'; }
"#;

/// The contest `c.toml` of these entrants on six spots. Every pair plays the same games in both stages. After two moves of the friend or the stranger, the arena is the same.
fn contest(entrants: &[&str]) -> Scratch {
    let scratch = Scratch::new();
    let bot = |name: &str, body: &str| scratch.script(name, &format!("{FILL}{body}"));
    bot("friend", "fill '1 3 4 5 6 2'");
    bot("stranger", "fill '3 1 4 5 6 2'");
    bot("honest", "fill '2 4 5 6 1 3'");
    // It recognizes its friend by the first move, and remembers that.
    bot(
        "ally",
        r#"arena=$(cat)
        case "$arena" in [!-]-----*) touch "/tmp/arena.$mark" ;; esac
        if [ -e "/tmp/arena.$mark" ]; then order='2 6 5 4 1 3'; else order='2 4 5 6 1 3'; fi
        printf '%s\n' "$arena" | fill "$order""#,
    );
    scratch.file("small.arena", small_arena(6));
    let stage = "[[stages]]\nkind = \"all-play-all\"\nboards = [1]\n";
    let head = format!("name = \"C\"\nboards = [\"small.arena\"]\nentrants = {entrants:?}\n");
    scratch.file("c.toml", [&head, stage, stage].concat());
    tournament(&scratch, "c.toml --no-check").fine();
    scratch
}

fn audit(scratch: &Scratch, more: &[&str]) -> Ran {
    Ran::from_command(scratch.cornerman([&["audit", "c.db"], more].concat()))
}

/// The name of the first game in which `first` meets `second`.
fn game_of(scratch: &Scratch, first: usize, second: usize) -> String {
    let games = games(scratch, "c.db").into_iter();
    games.filter(|(_, seats, ..)| *seats == [first, second]).map(|(id, ..)| id).min().expect("they meet")
}

fn a_bot_that_spares_its_friend_is_found() {
    let scratch = contest(&["./friend", "./honest", "./stranger", "./ally"]);
    let ran = audit(&scratch, &["--format", "json"]);
    assert_eq!((ran.code, ran.messages().as_str()), (Some(1), ""), "{}", ran.stdout);
    let found: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!((&found["schema"], &found["contest"], &found["games"]), (&json!(1), &json!("C"), &json!(24)));
    let verdicts: Vec<&Value> = found["entrants"].as_array().unwrap().iter().map(|one| &one["verdict"]).collect();
    assert_eq!(verdicts, ["same", "same", "same", "by-opponent"]);
    let ally = &found["entrants"][3];
    let answer = |opponent: u16, name: &str, column: u8| {
        json!({
            "game": game_of(&scratch, opponent.into(), 3),
            "move": 4,
            "seat": 2,
            "opponents": [{ "entrant": opponent + 1, "name": name }],
            "answer": format!("1x1 at row 1, column {column}"),
        })
    };
    let answers = [answer(0, "friend", 6), answer(2, "stranger", 4)];
    assert_eq!(ally["differences"], json!([{ "same_before": false, "answers": answers }]));
    assert!(ally["repeated"].as_u64() > Some(0), "{ally}");
    let ran = audit(&scratch, &[]);
    assert_eq!((ran.code, ran.messages().as_str()), (Some(1), ""), "{}", ran.stdout);
    for said in [
        "C\n\n4 bots in 24 games\n".to_string(),
        "\nally answers the same view differently by opponent, and always in the same way to the same".to_string(),
        format!(" {}     4  friend    1x1 at row 1, column 6\n", game_of(&scratch, 0, 3)),
        format!(" {}     4  stranger  1x1 at row 1, column 4  something else\n", game_of(&scratch, 2, 3)),
    ] {
        assert!(ran.stdout.contains(&said), "{said:?} is not in {}", ran.stdout);
    }
    assert!(!ran.stdout.contains("honest"), "{}", ran.stdout);
}

fn honest_bots_pass() {
    let shown = audit(&contest(&["./friend", "./honest", "./stranger"]), &[]).fine();
    assert!(shown.starts_with("C\n\n3 bots in 12 games\n"), "{shown}");
    assert!(shown.ends_with("\n no bot answered the same view differently\n"), "{shown}");
}

fn a_game_that_contradicts_the_rules_is_named() {
    let scratch = contest(&["./friend", "./honest"]);
    let db = rusqlite::Connection::open(scratch.path().join("c.db")).expect("a record");
    let change = "UPDATE moves SET notation = '1x1 at row 9, column 9' WHERE game = 1 AND number = 1";
    unpacked::change(&db, change).expect("it can be changed");
    drop(db);
    let ran = audit(&scratch, &[]);
    let said = "cannot be replayed by boxing-1994: move 1: row 9, column 9 is not vacant (B2)\n";
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
    assert!(ran.stderr.starts_with("error: game s1/r1/m1/g") && ran.stderr.ends_with(said), "{}", ran.stderr);
}
