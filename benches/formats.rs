//! Measures how long the plans and standings of large tournaments take. Prints one line per figure, in milliseconds,
//! the median of several runs; on systems that report it, the last line is the peak memory of the program.
//!
//! `cargo bench --bench formats` prints all figures, and `cargo bench --bench formats -- knockout` those with
//! `knockout` in their name; `--profile dev` measures the profile of `cargo xtask`. A tournament asks for a new plan
//! when few games wait and results have come in, and no games are recorded meanwhile.

use cornerman::contest::{Contest, Field, Participants, Stage};
use cornerman::format::{EntrantId, Pairing, Plan, Results, Schedule, StageInput};
use cornerman::formats::scoring::ScoringKind;
use cornerman::formats::{BoardNumber, Bounded, Format, all_play_all, knockout, permutations};
use cornerman::game::{End, Outcome};
use cornerman::journal::Journal;
use std::hint::black_box;
use std::time::{Duration, Instant};

const RUNS: usize = 9;
const ENTRANTS: u16 = 300;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let figure = |name: &str, work: &mut dyn FnMut()| {
        if wanted.is_empty() || wanted.iter().any(|part| name.contains(part.as_str())) {
            println!("{name:<44} {:>9.3} ms", milliseconds(work));
        }
    };
    let ids: Vec<EntrantId> = (0..ENTRANTS).map(EntrantId).collect();

    let field = Field::new(ENTRANTS, 0);
    let start = StageInput { stage: 0, entrants: &ids, field: &field, seed: 0, journal: &Journal::new() };

    let boxing = all_play_all::AllPlayAll::new(&start, &Default::default()).expect("300 entrants");
    let half = played(&boxing, 2);
    let all = played(&boxing, 1);
    println!("all-play-all of {ENTRANTS} entrants: {} games", all.len());
    format("all-play-all/none-played", &boxing, &Results::new(), &figure);
    format("all-play-all/half-played", &boxing, &half, &figure);
    format("all-play-all/all-played", &boxing, &all, &figure);
    let boards = Some(vec![BoardNumber(0), BoardNumber(1), BoardNumber(2)]);
    let scoring = Some(ScoringKind::Bonus);
    let settings = all_play_all::AllPlayAllSettings { boards, scoring, ..Default::default() };
    let playoff = all_play_all::AllPlayAll::new(&start, &settings).expect("300 entrants");
    format("all-play-all/head-to-head", &playoff, &all, &figure);

    let stages = vec![
        Stage { format: Format::AllPlayAll(Default::default()), who: Participants::All },
        Stage { format: Format::Permutations(Default::default()), who: Participants::TiedForFirst { stage: 0 } },
    ];
    let contest = Contest::new(field.clone(), stages, 1).expect("300 entrants");
    for (name, done) in [("half", &half), ("all", &all)] {
        figure(&format!("contest/{name}-played/plan"), &mut || {
            black_box(contest.plan(done)).ok();
        });
        figure(&format!("contest/{name}-played/standings"), &mut || {
            black_box(contest.standings(done));
        });
    }

    let knockout = knockout::Knockout::new(&start, &Default::default()).expect("300 entrants");
    format("knockout/half-played", &knockout, &played(&knockout, 2), &figure);
    let settings =
        permutations::PermutationsSettings { max_entrants: Some(Bounded::new(8)), ..Default::default() };
    let permutations = permutations::Permutations::new(&StageInput { entrants: &ids[..8], ..start }, &settings)
        .expect("8 entrants");
    format("permutations-of-8/half-played", &permutations, &played(&permutations, 2), &figure);
    memory();
}

/// Measures the plan and the standings of `format` after the games in `done`.
fn format(name: &str, format: &dyn Schedule, done: &Results, figure: &impl Fn(&str, &mut dyn FnMut())) {
    figure(&format!("{name}/plan"), &mut || {
        black_box(format.plan(done));
    });
    figure(&format!("{name}/standings"), &mut || {
        black_box(format.standings(done));
    });
}

/// The results after one in `every` games of the first plan; after all games of the tournament if `every` is 1.
fn played(format: &dyn Schedule, every: usize) -> Results {
    let mut done = Results::new();
    while let Plan::Play(games) = format.plan(&done) {
        for game in games.iter().step_by(every) {
            done.insert(game.id, outcome(game));
        }
        if every > 1 {
            break;
        }
    }
    done
}

/// The entrant with the higher number wins by the difference.
fn outcome(game: &Pairing) -> Outcome {
    let points: Vec<i64> = game.seats.iter().map(|seat| i64::from(seat.0)).collect();
    let place = |own: &i64| 1 + points.iter().filter(|points| *points > own).count() as u8;
    let territory = vec![0; points.len()];
    Outcome { places: points.iter().map(place).collect(), points: points.clone(), territory, end: End::Played }
}

/// The median time of one call of `work`.
fn milliseconds(work: &mut dyn FnMut()) -> f64 {
    let mut runs: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed()
        })
        .collect();
    runs.sort();
    runs[RUNS / 2].as_secs_f64() * 1e3
}

/// Prints the peak memory of this program, on systems that report it.
fn memory() {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    if let Some(peak) = status.lines().find(|line| line.starts_with("VmHWM")) {
        println!("{peak}");
    }
}
