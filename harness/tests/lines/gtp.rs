//! Engines that speak GTP: small ones with one behaviour each, and real ones if they are installed.

use super::{MakeBot, PASSES, Played, altered, play, play_in, script, small_go};
use cornerman::game::End;
use cornerman_harness::bot::Bot;
use cornerman_harness::games::go::{self, GTP};
use cornerman_harness::sandbox::{Conditions, Level};
use cornerman_harness::text::with_sources;
use libtest_mimic::{Completion, Failed, Trial};
use std::path::Path;
use std::time::Duration;

pub fn trials() -> Vec<Trial> {
    let mut trials: Vec<Trial> = CASES
        .iter()
        .map(|&(name, black, points, said)| Trial::test(format!("gtp/{name}"), move || check(black, points, said)))
        .collect();
    trials.push(Trial::test("gtp/commands_are_words_as_in_a_shell", commands_are_words_as_in_a_shell));
    trials.push(Trial::test("gtp/an_engine_out_of_time_is_warned_and_plays_on", an_engine_out_of_time_plays_on));
    for (name, command) in ENGINES {
        for level in Level::ALL {
            let check = move || plays_itself(command, level);
            trials.push(Trial::ignorable_test(format!("gtp/{name}_plays_itself/{level}"), check));
        }
    }
    trials
}

/// Responds to everything with success, and passes.
const ENGINE: &str = "while read c a b; do [ $c = genmove ] && echo '= pass' || echo =; echo; done";

/// A name, black's script, the points by seat against white, which passes, and a part of the last fault's message.
type Case = (&'static str, &'static str, [i64; 2], &'static str);

const CASES: &[Case] = &[
    ("two_passes_end_it", ENGINE, [0, 0], ""),
    (
        "a_move_follows_the_responses_to_earlier_commands",
        "n=0; while read c a b; do case $c in genmove) n=$((n+1)); [ $n = 1 ] && echo '= C3' || echo '= pass';; \
         *) echo =;; esac; echo; done",
        [25, 0],
        "",
    ),
    (
        "carriage_returns_comments_and_garbage_are_ignored",
        "echo hello; n=0; while read c a b; do case $c in genmove) n=$((n+1)); echo 'I think'; \
         [ $n = 1 ] && printf '= c3 # centre\\r\\n\\r\\n' || printf '= PASS\\r\\n\\r\\n';; \
         *) printf '# well\\n=\\r\\n\\r\\n';; esac; done",
        [25, 0],
        "",
    ),
    (
        "an_illegal_move_forfeits",
        "while read c a b; do [ $c = genmove ] && echo '= C3' || echo =; done",
        [25, 0],
        "C3",
    ),
    (
        "an_answer_that_is_not_a_move_forfeits",
        "while read c a b; do [ $c = genmove ] && echo '= I5' || echo =; done",
        [0, 0],
        "`I5`",
    ),
    (
        "resigning_loses",
        "while read c a b; do [ $c = genmove ] && echo '= resign' || echo =; done",
        [0, 0],
        "gave up",
    ),
    (
        "a_refused_command_is_reported_with_the_engines_reason",
        "while read c a b; do [ $c = boardsize ] && echo '? too small for me' || echo =; echo; done",
        [0, 0],
        "refused `boardsize 5`: too small for me (G9)",
    ),
    (
        "time_commands_may_be_unknown",
        "while read c a b; do case $c in genmove) echo '= pass';; time*) echo '? unknown command';; *) echo =;; esac; \
         echo; done",
        [0, 0],
        "",
    ),
    ("an_early_end", "read x; exit 4", [0, 0], "ended with exit status 4 while its answer was due (G9)"),
    ("a_crash", "kill -SEGV $$", [0, 0], "ended by signal 11"),
    ("garbage_without_end", "yes $(printf %0200d 0)", [0, 0], "wrote too much"),
    ("a_silent_engine_runs_out_of_time", "sleep 60", [0, 0], "no answer within 1.0 s (G3)"),
];

/// Makes an engine of this shell script.
fn engine(source: &'static str) -> MakeBot {
    Box::new(move |folder| {
        let bot = script(source)(folder)?;
        Ok(Bot { engine_protocol: Some("gtp".to_string()), ..bot })
    })
}

fn check(black: &'static str, points: [i64; 2], said: &str) -> Result<(), Failed> {
    let played = play(&small_go(Duration::from_secs(1))?, [engine(black), script(PASSES)])?;
    assert_eq!(played.points, points);
    assert!(played.said(said), "{:?}", played.faults);
    // As white the engine receives its opponent's moves, and none of its own.
    let played = play(&small_go(Duration::from_secs(1))?, [script(PASSES), engine(ENGINE)])?;
    assert!(played.said(""), "{:?}", played.faults);
    Ok(())
}

/// Uses up processor time before its first move.
const BURNS: &str = "while read c a b; do case $c in genmove) \
     i=0; while [ $i -lt 1600000 ]; do i=$((i+1)); done; echo '= C3';; time_left) echo told $a $b >&2; echo =;; \
     *) echo =;; esac; echo; done";

fn an_engine_out_of_time_plays_on() -> Result<(), Failed> {
    // The second move is the same, and illegal. By then the engine must have received its remaining time.
    let played = play(&small_go(Duration::from_secs(60))?, [engine(BURNS), script(PASSES)])?;
    assert!(played.said("C3"), "{:?}", played.faults);
    assert!(played.conduct[0].errors_tail.contains("told b 60 1"), "{:?}", played.conduct);
    Ok(())
}

fn commands_are_words_as_in_a_shell() -> Result<(), Failed> {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let book = folder.path().join("my book");
    std::fs::write(&book, "")?;
    let bot = Bot::engine(GTP, "sh -c 'cat  x' \"my book\"", folder.path())?;
    let argv: Vec<_> = bot.program.argv[1..].iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let book = std::fs::canonicalize(book)?;
    assert_eq!(argv, ["-c", "cat  x", &book.to_string_lossy()]);
    assert!(bot.program.parts.contains(&book));
    assert_eq!(
        (bot.name.as_str(), bot.engine_protocol.as_deref(), bot.game.as_deref()),
        ("sh", Some("gtp"), Some("go"))
    );
    let refused = |command: &str| with_sources(&Bot::engine(GTP, command, folder.path()).unwrap_err());
    assert_eq!(refused("sh 'x"), "gtp:sh 'x: a quotation mark is not closed, such as `gtp:gnugo --mode gtp`");
    assert_eq!(refused("  "), "gtp:  : no command, such as `gtp:gnugo --mode gtp`");
    assert!(refused("./no-engine x").starts_with("no such bot: "));
    assert!(refused("no-engine-here").contains("`no-engine-here` is not on this machine"));
    Ok(())
}

/// Real engines, with options that make them fast and deterministic.
const ENGINES: [(&str, &str); 1] = [(
    "gnugo",
    "gnugo --mode gtp --level 0 --seed 1 --chinese-rules --capture-all-dead --positional-superko --never-resign",
)];

fn plays_itself(command: &'static str, level: Level) -> Result<Completion, Failed> {
    if let Err(missing) = Bot::engine(GTP, command, Path::new("")) {
        return Ok(Completion::ignored_with(missing.to_string()));
    }
    let make = || -> MakeBot { Box::new(move |folder| Ok(Bot::engine(GTP, command, folder)?)) };
    let ruleset = altered(&go::KIT, "go-9x9", "size = 9 ", "size = 5 ");
    let conditions = Conditions { at_most: Some(level), at_least: Some(level), ..Conditions::default() };
    let Played { end, points, faults, conduct, .. } = match play_in(&ruleset, [make(), make()], conditions) {
        Err(refused) if refused.message().is_some_and(|words| words.contains("is not available")) => {
            return Ok(Completion::ignored_with(refused.message().unwrap_or_default().to_string()));
        }
        played => played?,
    };
    assert_eq!((end, faults.as_slice()), (End::Played, [].as_slice()), "{conduct:?}");
    assert!(points.iter().sum::<i64>() > 12, "most of the board must belong to someone: {points:?}");
    Ok(Completion::Completed)
}
