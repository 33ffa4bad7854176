//! What would be played and about how long it would take, without a record.

use super::Preparation;
use super::stop::Stop;
use super::watch::Line;
use crate::cli;
use crate::exit::{Exit, Failure};
use crate::show::{self, DIM, NAME};
use cornerman::contest::{Contest, Course, Field, Journal, Stage, Who};
use cornerman::format::{EntrantId, Pairing, Plan, Results};
use cornerman::formats::Format;
use cornerman::lots::Lots;
use cornerman_harness::sandbox::Isolation;
use cornerman_harness::tournament::{self, Progress, Running};
use std::collections::BTreeSet;
use std::io::Write;
use std::ops::RangeInclusive;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How often the contest is imagined, ties aside.
const COURSES: u64 = 12;

/// More games than this are imagined once only.
const MANY_GAMES: u32 = 20_000;

/// The most games that are imagined of a contest.
const MOST_GAMES: usize = 2_000_000;

/// How long games are played to try, once everyone has had one; those in play then are played to their end.
const TRIAL: Duration = Duration::from_secs(2);

/// How long games are played to try at most.
const LONGEST_TRIAL: Duration = Duration::from_secs(10);

/// Tells it.
pub fn run(args: &cli::Tournament, ready: &Preparation, isolation: &Isolation) -> Result<Exit, Failure> {
    let out = &mut anstream::stdout();
    let (file, contest) = (&ready.file, &ready.contest);
    for line in ready.entries.absent() {
        writeln!(out, "{}", show::plain_lines(&line))?;
    }
    writeln!(
        out,
        "{}: {} entrants, rules {}",
        show::paint(NAME, show::plain(&file.name)),
        ready.entries.competing,
        show::plain(&file.ruleset.id)
    )?;
    let demanded =
        args.isolation.isolation.map_or(String::new(), |level| format!("; at least {level} is demanded"));
    writeln!(out, "  isolation {}{demanded}", isolation.level)?;
    let Plan::Play(open) = contest.plan(&Results::new(), &Journal::new()).map_err(Failure::usage)? else {
        return Ok(Exit::Fine);
    };
    let stages = imagined(contest);
    for (at, stage) in file.stages.iter().enumerate() {
        let games = stages
            .as_ref()
            .map_or_else(|| "too many games to imagine".to_string(), |s| words(&s[at], contest, at));
        writeln!(
            out,
            "  stage {}: {} ({}), {games}",
            at + 1,
            show::plain(&stage.name),
            stage.played.format.name()
        )?;
    }
    if let Some(stages) = &stages {
        let of_ties = |at: usize| matches!(file.stages[at].played.who, Who::TiedForFirst { .. });
        let counted = stages.iter().enumerate().filter(|(at, _)| !of_ties(*at));
        let (least, most) = counted.fold((0, 0), |all, (_, own)| (all.0 + own.start(), all.1 + own.end()));
        let without = if (0..stages.len()).any(of_ties) { ", those of ties aside" } else { "" };
        writeln!(out, "  in all {}{without}", range(&(least..=most)))?;
        writeln!(out, "  {}", estimate(args, ready, &open, least, most)?)?;
    }
    for game in open.iter().take(5) {
        let names: Vec<String> =
            game.seats.iter().map(|id| show::plain(&ready.entries.names[id.index()])).collect();
        writeln!(out, "  {} on board {}: {}", game.id, game.board + 1, names.join(" against "))?;
    }
    if open.len() > 5 {
        let more = format!("  … and {} more that can begin at once", open.len() - 5);
        writeln!(out, "{}", show::paint(DIM, more))?;
    }
    Ok(Exit::Fine)
}

/// The fewest and the most games of each stage in some invented courses of the contest; `None` if they are too many.
fn imagined(contest: &Contest) -> Option<Vec<RangeInclusive<u32>>> {
    let first = contest.games_if(Course::Chance(0), MOST_GAMES)?;
    let courses = if first.iter().sum::<u32>() > MANY_GAMES { 0 } else { COURSES };
    let others = (1..courses).map(Course::Chance).chain((courses > 0).then_some(Course::Ties));
    let mut stages: Vec<_> = first.into_iter().map(|games| games..=games).collect();
    for games in others.filter_map(|course| contest.games_if(course, MOST_GAMES)) {
        for (stage, games) in stages.iter_mut().zip(games) {
            *stage = *stage.start().min(&games)..=*stage.end().max(&games);
        }
    }
    Some(stages)
}

/// How many games a stage has, and whether that is known or imagined.
fn words(games: &RangeInclusive<u32>, contest: &Contest, at: usize) -> String {
    let stage = &contest.stages()[at];
    match stage.who {
        Who::TiedForFirst { .. } => {
            let known = [(2, "two"), (3, "three"), (4, "four")];
            let known =
                known.iter().filter_map(|(tied, name)| Some((games_of(contest, &stage.format, *tied)?, name)));
            let known: Vec<String> = known.map(|(games, name)| format!("{games} for {name}")).collect();
            let words = "played only by those who share first place".to_string();
            match known.split_first() {
                None => words,
                Some((first, others)) => {
                    let first = first.replacen(' ', " games ", 1);
                    format!("{words}: {} …", [&[first], others].concat().join(", "))
                }
            }
        }
        _ if stage.format.is_open_ended() => format!("{}, as its results have it", range(games)),
        _ => range(games),
    }
}

/// How many games a stage of this `format` has if this many of the contest's entrants come into it; `None` if it cannot
/// be played by them.
fn games_of(contest: &Contest, format: &Format, entrants: u16) -> Option<u32> {
    let field = Field { entrants, groups: Vec::new(), ..contest.field().clone() };
    let stage = Stage { format: format.clone(), who: Who::All };
    let alone = Contest::new(field, vec![stage], 0).ok()?;
    alone.games_if(Course::Chance(0), MOST_GAMES)?.first().copied().filter(|games| *games > 0)
}

fn range(games: &RangeInclusive<u32>) -> String {
    match games.start() == games.end() {
        true => show::count(*games.start(), "game"),
        false => format!("about {} to {} games", games.start(), games.end()),
    }
}

/// The most that games can take whose clocks are too long for any to be played to try (G3).
fn by_the_clock(ready: &Preparation, most: u32) -> Option<String> {
    /// So short a clock lets a game be tried.
    const SHORT: Duration = Duration::from_secs(30);
    let clock = ready.file.ruleset.clock?;
    let workers = ready.workers.max(1) as u32;
    let at_most = clock.budget * 2 * most / workers;
    let words = format!(
        "at most some {} with {workers} workers, if every side uses up its clock of {}; how fast the bots are only \
         games can tell",
        rough(at_most),
        rough(clock.budget)
    );
    (clock.budget > SHORT).then_some(words)
}

/// How long it will take, from a few of the games played now.
fn estimate(
    args: &cli::Tournament,
    ready: &Preparation,
    open: &[Pairing],
    least: u32,
    most: u32,
) -> Result<String, Failure> {
    if let Some(words) = by_the_clock(ready, most) {
        return Ok(words);
    }
    let (sample, due) = sample(open);
    let mut workers = ready.workers(args)?;
    let stop = Stop::on_signals(Line::new())?;
    let plan = |done: &Results| Plan::of(sample.iter().filter(|game| done.get(game.id).is_none()).cloned());
    let setup = |pairing: &Pairing| ready.setup(pairing);
    let running = Running { plan: &plan, setup: &setup, workers: ready.workers, stop: stop.asked() };
    let (began, mut played, mut lost) = (Instant::now(), 0, None);
    let Ok(_) = tournament::run(&mut workers, running, &mut Results::new(), &mut |progress, _| {
        played += u32::from(matches!(progress, Progress::Played(_)));
        if let Progress::Lost { id, why, .. } = progress {
            lost = Some(format!("game {id} was not played: {why}"));
        }
        let time = began.elapsed();
        if time > LONGEST_TRIAL || (time > TRIAL && played >= due) {
            stop.asked().store(true, Ordering::Relaxed);
        }
        Ok::<(), std::convert::Infallible>(())
    });
    let all = began.elapsed();
    if played == 0 {
        let why = lost.map_or(String::new(), |lost| format!(": {}", show::plain(&lost)));
        return Ok(format!("how long that takes is not known: no game was played to try{why}"));
    }
    let of = |games: u32| rough(all.mul_f64(f64::from(games) / f64::from(played)));
    let (short, long) = (of(least), of(most));
    let takes = if short == long { short } else { format!("{short} to {long}") };
    let workers = show::count(ready.workers as i64, "worker");
    let tried = show::count(played, "game");
    Ok(format!("about {takes} with {workers}, if all go as {tried} played now to try, in {}", show::time(all)))
}

/// The games that can begin at once, first those in which everyone sits who has one, and how many these are; the
/// others by lot.
fn sample(open: &[Pairing]) -> (Vec<Pairing>, u32) {
    let mut seen: BTreeSet<EntrantId> = BTreeSet::new();
    let (mut sample, mut others): (Vec<Pairing>, Vec<Pairing>) =
        open.iter().cloned().partition(|game| game.seats.iter().filter(|id| seen.insert(**id)).count() > 0);
    let due = sample.len() as u32;
    Lots::new(0).shuffle(&mut others);
    sample.extend(others);
    (sample, due)
}

/// A time as an estimate has it: `40 s`, `3 min`, `2 h 10 min`.
fn rough(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        s if s < 1.0 => "a second".to_string(),
        s if s < 10.0 => format!("{s:.0} s"),
        s if s < 100.0 => format!("{:.0} s", (s / 5.0).round() * 5.0),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.0} h {:.0} min", (s / 3600.0).floor(), (s % 3600.0 / 600.0).floor() * 10.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cornerman::format::PairingId;

    #[test]
    fn estimates_are_told_no_finer_than_they_are() {
        for (seconds, wanted) in
            [(0.2, "a second"), (7.4, "7 s"), (43.0, "45 s"), (400.0, "7 min"), (9000.0, "2 h 30 min")]
        {
            assert_eq!(rough(Duration::from_secs_f64(seconds)), wanted);
        }
    }

    #[test]
    fn everyone_is_tried_first() {
        let id = |table| PairingId { stage: 0, round: 0, table, game: 0 };
        let game = |(table, seats): (u32, [u16; 2])| Pairing {
            id: id(table),
            seats: seats.map(EntrantId).to_vec(),
            board: 0,
        };
        let open: Vec<Pairing> = (0..).zip([[0, 1], [1, 0], [0, 2], [2, 0], [1, 2]]).map(game).collect();
        let (sample, due) = sample(&open);
        assert_eq!((&sample[..2], due, sample.len()), (&[open[0].clone(), open[2].clone()][..], 2, 5));
    }
}
