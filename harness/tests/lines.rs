//! Games of bots with line protocols: rock-paper-scissors, Go and engines, complete and cut short in various ways
//! (R3–R7, G3–G9).

mod gtp;

use crate::shell;
use cornerman::game::{End, Seat, Setup};
use cornerman_harness::bot::Bot;
use cornerman_harness::games::{go, rps};
use cornerman_harness::kit::{AnyKit, SourceFile};
use cornerman_harness::player::clock::GameClock;
use cornerman_harness::player::seating::{self, Seated};
use cornerman_harness::player::{Conduct, Fault};
use cornerman_harness::referee::{self, Event};
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::sandbox::{Conditions, Level};
use libtest_mimic::{Failed, Trial};
use std::fs;
use std::path::Path;
use std::time::Duration;

pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for &(name, scripts, points, said) in RPS {
        trials.push(Trial::test(format!("lines::rps/{name}"), move || check_rps(scripts, points, said)));
    }
    for &(name, scripts, points, said) in GO {
        trials.push(Trial::test(format!("lines::go/{name}"), move || check_go(scripts, points, said)));
    }
    let python = Path::new("/usr/bin/python3").exists();
    let observed = Trial::test("lines::tasks_and_files_are_observed", tasks_and_files_are_observed);
    trials.push(observed.with_ignored_flag(!python));
    trials
        .push(Trial::test("lines::ending_a_bot_takes_no_time_of_another", ending_a_bot_takes_no_time_of_another));
    trials.extend(gtp::trials());
    trials
}

/// Plays rock in every round.
const ROCK: &str = "echo Rock; read s; read n; while :; do echo 0; read x || exit 0; done";
const PAPER: &str = "echo Paper; read s; read n; while :; do echo 1; read x || exit 0; done";

/// A name, the scripts and points by seat, and a part of the last fault's message.
type Case = (&'static str, [&'static str; 2], [i64; 2], &'static str);

const RPS: &[Case] = &[
    ("a_game_is_played_to_its_end", [ROCK, PAPER], [-5, 5], ""),
    ("no_name_in_time_loses_all_rounds", ["sleep 9", ROCK], [-5, 5], "no answer within 2.0 s (R6)"),
    ("no_answer_in_time", ["echo A; sleep 9", ROCK], [-5, 5], "no answer within 1.0 s (R6)"),
    (
        "an_answer_that_is_held_back",
        ["echo A; cat >/dev/null; echo 0", ROCK],
        [-5, 5],
        "waits for input and has written nothing: does it flush its output? (R6)",
    ),
    (
        "an_unfinished_answer",
        [ROCK, "echo B; printf 0; cat >/dev/null"],
        [5, -5],
        "waits for input, and its last line, `0`, has no line feed (R6)",
    ),
    (
        "a_name_that_is_held_back",
        ["cat >/dev/null; echo A", ROCK],
        [-5, 5],
        "waits for input and has written nothing: does it flush its output? (R6)",
    ),
    ("a_word_is_not_an_answer", ["echo A; echo rock; cat", ROCK], [-5, 5], "(R6)"),
    (
        "an_early_end",
        [ROCK, "echo B; read s; echo 0; exit 3"],
        [5, -5],
        "ended with exit status 3 while its answer was due (R6)",
    ),
    (
        "an_answer_without_a_line_feed",
        [ROCK, "echo B; printf 0"],
        [5, -5],
        "its last line, `0`, has no line feed (R6)",
    ),
    ("a_crash", [ROCK, "echo B; kill -SEGV $$"], [5, -5], "ended by signal 11"),
    (
        "a_closed_output",
        [ROCK, "echo B; exec >&-; sleep 9"],
        [5, -5],
        "closed its output while its answer was due (R6)",
    ),
    ("a_flood", [ROCK, "echo B; tr '\\0' x </dev/zero"], [5, -5], "wrote too much"),
    ("both_at_once_is_a_draw", ["echo A; exit 1", "echo B; exit 1"], [0, 0], "exit status 1"),
];

fn check_rps(scripts: [&'static str; 2], points: [i64; 2], said: &str) -> Result<(), Failed> {
    let mut ruleset = altered(&rps::KIT, "rps-published", "rounds = 50 ", "rounds = 5 ");
    ruleset.limits.start = Duration::from_secs(2);
    let played = play(&ruleset, scripts.map(script))?;
    assert_eq!(played.points, points);
    assert!(played.said(said), "{:?}", played.faults);
    Ok(())
}

/// Passes, as black or white.
const PASSES: &str = "[ $1 = black ] && echo pass; while read x; do [ $x = time ] || echo pass; done";
/// Uses processor time before its first move, and reports when it receives that its time is used up.
const BURNS: &str = "i=0; while [ $i -lt 1600000 ]; do i=$((i+1)); done; echo pass; \
    while read x; do [ $x = time ] && echo told >&2; echo pass; done";

const GO: &[Case] = &[
    ("two_passes_end_it", [PASSES, PASSES], [0, 0], ""),
    (
        "lines_that_are_not_moves_are_ignored",
        ["echo hello; echo I5; echo A20; echo c3; while read x; do echo pass; done", PASSES],
        [25, 0],
        "",
    ),
    (
        "an_illegal_move_forfeits",
        ["echo c3; while read x; do echo C3; done", "while read x; do echo d3; done"],
        [1, 1],
        "C3",
    ),
    (
        "the_colour_is_the_first_argument",
        ["[ $1 = black ] && echo pass", "[ $1 = white ] && read x && echo pass; cat"],
        [0, 0],
        "",
    ),
    ("garbage_without_end", ["yes $(printf %0200d 0)", PASSES], [0, 0], "wrote too much"),
    ("an_early_end", [PASSES, "exit 4"], [0, 0], "ended with exit status 4 while its answer was due (G9)"),
    (
        "a_bot_that_waits_for_more_than_a_move",
        [PASSES, "cat >/dev/null; echo pass"],
        [0, 0],
        "waits for input and has written nothing: does it flush its output? (G3)",
    ),
    (
        "a_bot_that_waits_after_lines_that_are_not_moves",
        [PASSES, "echo thinking; echo I5; cat >/dev/null"],
        [0, 0],
        "waits for input and has written no valid move: 2 lines ignored, the last `I5` (G3)",
    ),
    ("a_sleeper_runs_out_of_time", [PASSES, "sleep 60"], [0, 0], "no answer within 1.0 s (G3)"),
    (
        "a_bot_out_of_time_is_warned_and_plays_on",
        [BURNS, "while read x; do echo d3; read y; echo pass; done"],
        [0, 25],
        "",
    ),
];

fn check_go(scripts: [&'static str; 2], points: [i64; 2], said: &str) -> Result<(), Failed> {
    // A sleeping bot must run out of time soon. A busy one must not, however slow the machine is.
    let minimum = Duration::from_secs(if scripts.contains(&BURNS) { 60 } else { 1 });
    let played = play(&small_go(minimum)?, scripts.map(script))?;
    assert_eq!(played.points, points);
    assert!(played.said(said), "{:?}", played.faults);
    if scripts.contains(&BURNS) {
        assert!(played.conduct[0].errors_tail.contains("told"), "{:?}", played.conduct);
    }
    Ok(())
}

/// A built-in ruleset with `from` in its text replaced by `to`.
fn altered(kit: &'static dyn AnyKit, id: &str, from: &str, to: &str) -> Ruleset {
    let text = kit.built_in(id).expect("a built-in ruleset").text;
    assert!(text.contains(from), "{from}");
    kit.read(SourceFile { path: Path::new("altered.toml"), text: &text.replace(from, to) }).expect("a ruleset")
}

/// Go on a board of five lines, with little time.
fn small_go(minimum: Duration) -> Result<Ruleset, Failed> {
    let mut ruleset = altered(&go::KIT, "go-9x9", "size = 9 ", "size = 5 ");
    ruleset.clock = Some(GameClock { budget: Duration::from_millis(300), minimum, guard: 2 });
    Ok(ruleset)
}

/// Makes a bot in a folder.
type MakeBot = Box<dyn FnOnce(&Path) -> Result<Bot, Failed>>;

/// Makes a bot of this shell script.
fn script(script: &'static str) -> MakeBot {
    Box::new(move |folder| shell::bot(folder, "bot", script))
}

/// A bot with a thread, a child process that it waits for, and a file (R8).
const CURIOUS: &str = "exec python3 -uc '
import subprocess, threading, time
print(\"Curious\")
open(\"/tmp/notes\", \"w\")
subprocess.run([\"true\"])
threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
input(); input()
while True:
    print(0)
    input()'";

fn tasks_and_files_are_observed() -> Result<(), Failed> {
    let ruleset = rps::KIT.built_in("rps-published").expect("a built-in ruleset");
    let played = play(&ruleset, [script(CURIOUS), script(ROCK)])?;
    let [curious, rock] = &played.conduct[..] else { return Err("two seats were due".into()) };
    assert_eq!((curious.called.as_deref(), rock.called.as_deref()), (Some("Curious"), Some("Rock")));
    // The child has ended before the thread begins.
    assert_eq!((curious.tasks, rock.tasks), (2, 1));
    let seen = curious.isolation.as_ref().is_some_and(|isolation| isolation.level == Level::Namespaced);
    let counted = seen && std::fs::exists("/proc/sys/kernel/ns_last_pid")?;
    assert_eq!((curious.tasks_made, rock.tasks_made), if counted { (Some(3), Some(1)) } else { (None, None) });
    // Where others share `/tmp`, nobody can tell whose files are left.
    assert_eq!((curious.files, rock.files), (u32::from(seen), 0));
    Ok(())
}

/// A bot that has closed its output, and does not end, is ended by force after half a second. Meanwhile the other one's
/// answer is there already, or comes.
fn ending_a_bot_takes_no_time_of_another() -> Result<(), Failed> {
    const CLOSES: &str = "echo Closes; read s; read n; exec >&- <&- 2>&-; exec sleep 9";
    const THINKS: &str = "echo Thinks; read s; read n; while :; do sleep 0.05; echo 0; read x || exit 0; done";
    let ruleset = altered(&rps::KIT, "rps-published", "rounds = 50 ", "rounds = 5 ");
    for other in [ROCK, THINKS] {
        for scripts in [[CLOSES, other], [other, CLOSES]] {
            let played = play(&ruleset, scripts.map(script))?;
            assert!(played.said("closed its output while its answer was due (R6)"), "{:?}", played.faults);
            assert!(played.slowest < Duration::from_millis(250), "{scripts:?}: {:?}", played.slowest);
        }
    }
    Ok(())
}

struct Played {
    end: End,
    points: Vec<i64>,
    faults: Vec<Fault>,
    conduct: Vec<Conduct>,
    /// The longest time of a legal move, without that in which the bot waited for a processor.
    slowest: Duration,
}

impl Played {
    /// Whether the message of the last fault contains `words`; for empty ones, whether there was no fault.
    fn said(&self, words: &str) -> bool {
        match self.faults.last() {
            Some(fault) => !words.is_empty() && fault.to_string().contains(words),
            None => words.is_empty(),
        }
    }
}

fn play(ruleset: &Ruleset, bots: [MakeBot; 2]) -> Result<Played, Failed> {
    play_in(ruleset, bots, Conditions::default())
}

fn play_in(ruleset: &Ruleset, bots: [MakeBot; 2], conditions: Conditions) -> Result<Played, Failed> {
    let folder = tempfile::Builder::new().prefix("lines-").tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let mut players = Vec::new();
    for (seat, make) in (0u8..).map(Seat).zip(bots) {
        let own = folder.path().join(format!("seat{}", seat.0));
        fs::create_dir(&own)?;
        let mut bot = make(&own)?;
        bot.limits = ruleset.limits.clone();
        players.push(seating::seat(&bot, ruleset, seat, bot.sandbox(conditions)?)?);
    }
    let setup = Setup { seats: 2, marks: ruleset.marks.clone(), seed: 7, ..Setup::default() };
    let mut game = ruleset.open(&setup).expect("the default setup");
    let mut seated = Seated::new(players, &setup.marks)?;
    let mut faults = Vec::new();
    let mut conduct = Vec::new();
    let mut slowest = Duration::ZERO;
    let outcome = referee::play_unseen(&mut *game, &setup, &mut seated.players, &mut |event| match event {
        Event::Faulted { fault, .. } => faults.push(fault),
        Event::Moved { spent, .. } => slowest = slowest.max(spent.own_wall()),
        Event::GameEnded { conduct: all, .. } => conduct = all,
        _ => {}
    })?;
    assert_eq!(outcome.end == End::Played, faults.is_empty());
    Ok(Played { end: outcome.end, points: outcome.points, faults, conduct, slowest })
}
