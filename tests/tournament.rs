//! `tournament`: contests have the same results however they are run.

mod admitted;
mod amended;
mod annulled;
mod audit;
mod authors;
mod decisions;
mod entries;
mod export;
mod hanging;
mod late;
mod lost;
mod record;
mod refused;
mod replaced;
mod replayed;
mod rps;
pub mod season;
mod standings;
mod stopping;

use crate::support::{PROGRAM, Ran, Scratch, cache, checkout, small_arena, trial};
use cornerman::game::Outcome;
use cornerman_harness::record::Record;
use libtest_mimic::Trial;
use std::process::{Command, Stdio};

pub fn trials() -> Vec<Trial> {
    let mut trials = vec![
        trial!(the_mini_contest_runs_through),
        trial!(a_dry_run_plays_nothing_and_makes_no_file),
        trial!(a_dry_run_counts_the_games_of_all_stages, ["cc", "python3", "rustc"]),
        trial!(a_dry_run_names_the_stage_that_cannot_be_played),
        trial!(any_number_of_workers_plays_the_same),
    ];
    trials.extend(admitted::trials());
    trials.extend(amended::trials());
    trials.extend(annulled::trials());
    trials.extend(audit::trials());
    trials.extend(authors::trials());
    trials.extend(decisions::trials());
    trials.extend(entries::trials());
    trials.extend(export::trials());
    trials.extend(hanging::trials());
    trials.extend(late::trials());
    trials.extend(lost::trials());
    trials.extend(record::trials());
    trials.extend(refused::trials());
    trials.extend(replaced::trials());
    trials.extend(replayed::trials());
    trials.extend(rps::trials());
    trials.extend(season::trials());
    trials.extend(standings::trials());
    trials.extend(stopping::trials());
    trials
}

/// The reference bots of [`contest`].
const FIVE: [&str; 5] = ["@first-fit", "@random", "@mirror", "@greedy", "@parity"];

/// How many games this number of entrants play all-play-all on the two boards of [`contest`], each in both orders.
fn games_of(entrants: usize) -> usize {
    entrants * (entrants - 1) / 2 * 2 * 2
}

/// Writes `c.toml`: all play all on two boards on which games are short.
fn contest(scratch: &Scratch, entrants: &[&str]) {
    scratch.file("small.arena", small_arena(6));
    scratch.file("larger.arena", small_arena(40));
    scratch.file("c.toml", contest_text(7, entrants));
}

fn contest_text(seed: u64, entrants: &[&str]) -> String {
    format!(
        "name = \"Short\"\nseed = {seed}\nboards = [\"small.arena\", \"larger.arena\"]\nentrants = {entrants:?}\n\n\
         [[stages]]\nkind = \"all-play-all\"\nboards = [1, 2]\n"
    )
}

/// `tournament` with these arguments, separated by blanks, in the trial's folder.
fn tournament(scratch: &Scratch, args: &str) -> Ran {
    Ran::from_command(scratch.cornerman(["tournament"].into_iter().chain(args.split_whitespace())))
}

/// The same command as a process that can be sent signals.
fn unattended(scratch: &Scratch, args: &str) -> Command {
    let mut command = Command::new(PROGRAM);
    command.arg("tournament").args(args.split_whitespace());
    command.current_dir(scratch.path()).env("XDG_CACHE_HOME", cache());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A game of a record: its id, its seats, its end, and the notations of its moves.
type Game = (String, Vec<usize>, Outcome, Vec<String>);

/// All games of the record `db`.
#[track_caller]
fn games(scratch: &Scratch, db: &str) -> Vec<Game> {
    let record = Record::open(&scratch.path().join(db)).expect("a record");
    let whole = |id| record.game(id).expect("it can be read").expect("it is in the list");
    let heads = record.games().expect("the games can be read").into_iter();
    let games = heads.map(|head| {
        let moves = whole(head.pairing.id).moves;
        let pairing = head.pairing;
        let seats = pairing.seats.iter().map(|entrant| entrant.index()).collect();
        (pairing.id.to_string(), seats, head.outcome, moves.into_iter().map(|made| made.notation).collect())
    });
    games.collect()
}

/// The part of the final output that depends only on results. The times of moves and the number of threads differ from
/// run to run.
fn decided(printed: &str) -> &str {
    let sections = ["\nConduct\n", "\nIsolation\n", "\nTimes\n"].map(|heading| printed.find(heading));
    let end = sections.into_iter().flatten().min().expect("it ends with times");
    &printed[..end]
}

/// The number of games in the record; 0 if there is no record yet.
fn played(scratch: &Scratch, db: &str) -> u64 {
    Record::open(&scratch.path().join(db)).and_then(|record| record.games_played()).unwrap_or(0)
}

fn the_mini_contest_runs_through() {
    let scratch = Scratch::new();
    let file = checkout("contests/mini.toml");
    let ran =
        Ran::from_command(scratch.cornerman(["tournament".as_ref(), file.as_os_str(), "--no-check".as_ref()]));
    let standings = ran.fine();
    for name in FIVE {
        assert!(standings.contains(name), "{name} is not in\n{standings}");
    }
    let games = games(&scratch, "mini.db");
    assert_eq!(games.len(), 20, "five bots in both orders");
    assert!(games.iter().all(|(.., moves)| !moves.is_empty()), "moves are in the record");
    let files: Vec<_> = scratch.listing().into_iter().map(|(path, _)| path.display().to_string()).collect();
    assert_eq!(files, ["mini.db", "mini.heads"], "the record is one file, and nothing but its log is left");
    assert!(tournament(&scratch, &format!("{} --no-check", file.display())).stdout == standings);
}

fn a_dry_run_plays_nothing_and_makes_no_file() {
    let scratch = Scratch::new();
    contest(&scratch, &FIVE);
    let before = scratch.listing();
    let shown = tournament(&scratch, "c.toml --no-check --dry-run --workers 1").fine();
    for said in ["in all 40 games", " on board 1: ", " played now in "] {
        assert!(shown.contains(said), "{said:?} is not in {shown}");
    }
    assert_eq!(scratch.listing(), before);
    // An existing record is not renamed either.
    tournament(&scratch, "c.toml --no-check").fine();
    let before = scratch.listing();
    tournament(&scratch, "c.toml --no-check --dry-run --force-new --workers 1").fine();
    assert_eq!(scratch.listing(), before);
}

fn a_dry_run_counts_the_games_of_all_stages() {
    for (name, wanted) in [
        (
            "potm-1994",
            &["all-play-all), 168 games", "played only by entrants who share first place", "in all 168 games,"][..],
        ),
        (
            "potm-finals",
            &["(seeding), 42 games", "(brackets), about ", "(all-play-all), about ", "in all about "][..],
        ),
        (
            "samurai",
            &["East (swiss), 6 games", "West (swiss), 3 games", "Final (swiss), 4 games", "in all 13 games"][..],
        ),
    ] {
        let scratch = Scratch::new();
        let file = checkout(&format!("contests/{name}.toml"));
        let shown = tournament(&scratch, &format!("{} --no-check --dry-run --workers 1", file.display())).fine();
        for said in wanted {
            assert!(shown.contains(said), "{said:?} is not in {shown}");
        }
    }
}

fn a_dry_run_names_the_stage_that_cannot_be_played() {
    let scratch = Scratch::new();
    let first = "[[stages]]\nkind = \"all-play-all\"\nboards = [1]\n";
    let second = "[[stages]]\nkind = \"permutations\"\ntop = 3\nmax_entrants = 2\n";
    let entrants = "entrants = [\"@greedy\", \"@parity\", \"@random\"]";
    scratch.file("c.toml", format!("name = \"x\"\n{entrants}\n{first}{second}"));
    let shown = tournament(&scratch, "c.toml --no-check --dry-run").fine();
    let why = "cannot be played with simulated results: every order of 3 entrants is 6 games, but at most 2";
    for said in ["(all-play-all), 6 games\n", &format!("(permutations), {why}")] {
        assert!(shown.contains(said), "{said:?} is not in {shown}");
    }
}

fn any_number_of_workers_plays_the_same() {
    let scratch = Scratch::new();
    contest(&scratch, &FIVE);
    let one = tournament(&scratch, "c.toml --no-check --workers 1 --db one.db").fine();
    let three = tournament(&scratch, "c.toml --no-check --workers 3 --oversubscribe --db three.db");
    assert_eq!((three.code, decided(&three.stdout)), (Some(0), decided(&one)), "{}", three.stderr);
    let games_of_one = games(&scratch, "one.db");
    assert_eq!(games_of_one.len(), games_of(5));
    assert_eq!(games_of_one, games(&scratch, "three.db"));
}
