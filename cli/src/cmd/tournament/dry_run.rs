//! `tournament --dry-run`: prints what would be played and about how long it would take, without a record.

use crate::cmd::tournament::TournamentArgs;
use crate::contest::{PreparedContest, ProgressLine, Stop, to_resume};
use crate::show::{self, DIM, NAME};
use crate::{CliError, Exit};
use cornerman::contest::{Contest, ContestError, Field, OutcomeModel, Participants, Simulation, Stage};
use cornerman::format::{EntrantId, Pairing, Plan, Results};
use cornerman::formats::{Format, Repetition};
use cornerman::rng::Rng;
use cornerman_harness::contest_file::ContestFile;
use cornerman_harness::judge::judged;
use cornerman_harness::kit::SeedUse;
use cornerman_harness::run::Progress;
use cornerman_harness::sandbox::Level;
use std::collections::BTreeSet;
use std::io::Write;
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

/// How many times the contest is simulated with random results.
const SIMULATIONS: u64 = 12;

/// A contest with more games than this is simulated only once.
const MANY_GAMES: u32 = 20_000;

/// A contest with more games than this is not simulated.
const MOST_GAMES: usize = 2_000_000;

/// Trial games are played for at least this long, and until every entrant has played one, but not begun after
/// [`LONGEST_TRIAL`]. Running games are then played to their end.
const TRIAL: Duration = Duration::from_secs(2);

/// After this time no trial game begins.
const LONGEST_TRIAL: Duration = Duration::from_secs(10);

/// Prints the plan of the contest and the estimated time.
pub(super) fn run(args: &TournamentArgs, prepared: &PreparedContest) -> Result<Exit, CliError> {
    let isolation = args.isolation.conditions()?.isolation()?;
    let out = &mut show::stdout();
    let file = &prepared.file;
    let contest = &prepared.contest;
    let name = show::paint(NAME, show::plain(&file.spec.name));
    let entrants = show::count(prepared.entries.competing, "entrant");
    let rules = show::plain(format!("{} ({})", file.ruleset.id, file.ruleset.title));
    writeln!(out, "{}", show::folded(&format!("{name}: {entrants}, rules {rules}"), 2))?;
    let demanded =
        args.isolation.isolation.map_or(String::new(), |level| format!("; at least {level} is required"));
    if isolation.level < Level::Namespaced || !demanded.is_empty() {
        writeln!(out, "  isolation {}{demanded}", isolation.level)?;
    }
    for line in prepared.entries.list() {
        write!(out, "{}", show::folded_lines(&format!("  {line}\n")))?;
    }
    if let Some(took) = prepared.entries.checks {
        let checks = show::count(file.entrants.len() + file.excluded.len(), "check");
        let line =
            format!("{checks} took {}; the contest makes none again whose verdict is kept", show::duration(took));
        writeln!(out, "{}", show::folded(&format!("  {line}"), 4))?;
    }
    let Plan::Play(open) = contest.plan(&Results::new())? else {
        return Ok(Exit::Fine);
    };
    let simulated = simulated(contest);
    for (at, stage) in file.spec.stages.iter().enumerate() {
        let games = match &simulated {
            None => "too many games to simulate".to_string(),
            Some((_, Some(refused))) if refused.stage.map(usize::from) == Some(at) => {
                format!("cannot be played with simulated results: {}", refused.why)
            }
            Some((stages, _)) => words(&stages[at], contest, at),
        };
        let name = show::plain(&stage.name);
        let format = stage.format.name();
        writeln!(out, "{}", show::folded(&format!("  stage {}: {name} ({format}), {games}", at + 1), 4))?;
        for line in notices(&stage.format, file) {
            writeln!(out, "{}", show::folded(&format!("    {line}"), 4))?;
        }
    }
    if let Some((stages, None)) = &simulated {
        let of_ties = |at: usize| matches!(file.spec.stages[at].who, Participants::TiedForFirst { .. });
        let counted = stages.iter().enumerate().filter(|(at, _)| !of_ties(*at));
        let (least, most) = counted.fold((0, 0), |all, (_, own)| (all.0 + own.start(), all.1 + own.end()));
        let without = if (0..stages.len()).any(of_ties) { ", without those of tied entrants" } else { "" };
        writeln!(out, "  in all {}{without}", range(&(least..=most)))?;
        let time = estimate(args, prepared, &open, least, most)?;
        writeln!(out, "{}", show::folded(&format!("  {time}"), 4))?;
    }
    for game in open.iter().take(5) {
        let names: Vec<String> =
            game.seats.iter().map(|id| show::plain(&prepared.entries.names[id.index()])).collect();
        let line = format!("  {} on board {}: {}", game.id, game.board + 1, names.join(" against "));
        writeln!(out, "{}", show::folded(&line, 4))?;
    }
    if open.len() > 5 {
        let more = format!("  … and {} more that can begin at once", open.len() - 5);
        writeln!(out, "{}", show::paint(DIM, more))?;
    }
    Ok(Exit::Fine)
}

/// What an organizer should know of a stage of `file` before it is played.
pub(super) fn notices(format: &Format, file: &ContestFile) -> Vec<String> {
    let mut notices: Vec<String> = repeated(format, file).into_iter().collect();
    if judged(&file.ruleset).is_none() {
        return notices;
    }
    match format {
        Format::Swiss(_) => notices.push(
            "games are decided by the `territory` that the judge answers at their end: without it, lots decide"
                .into(),
        ),
        Format::Knockout(_) | Format::Brackets(_) if !draws(file) => notices.push(
            "a tie is played again from the same beginning: it ends otherwise only if bots draw lots".into(),
        ),
        _ => {}
    }
    notices
}

/// Whether a game uses its seed, for its board or for draws.
fn draws(file: &ContestFile) -> bool {
    file.ruleset.kit().facts().seed_use != SeedUse::Unused
}

/// That games of a stage are played more than once from the same beginning, if they are.
fn repeated(format: &Format, file: &ContestFile) -> Option<String> {
    if file.ruleset.rules.stage_defaults().repetition != Repetition::BeginsAlike {
        return None;
    }
    let boards = match format {
        // Its games begin alike on all boards that the organizer has not written.
        Format::AllPlayAll(settings) if !draws(file) => settings.boards.as_ref().map_or(1, |boards| {
            boards.iter().filter(|board| board.0 as usize >= file.boards.len()).count().max(1)
        }),
        _ => 1,
    };
    let times = format.games_per_order() as usize * boards;
    (times > 1).then(|| {
        format!("each game is played {times} times from the same beginning: it differs only if bots draw lots")
    })
}

/// The fewest and the most games of each stage in the simulations of the contest, and why a stage cannot be played in
/// the first simulation, if one cannot; `None` if that simulation has too many games.
fn simulated(contest: &Contest) -> Option<(Vec<RangeInclusive<u32>>, Option<ContestError>)> {
    let Simulation { games: first, refused } = contest.simulate(OutcomeModel::Chance(0), MOST_GAMES)?;
    let simulations = if first.iter().sum::<u32>() > MANY_GAMES { 0 } else { SIMULATIONS };
    let others = (1..simulations).map(OutcomeModel::Chance).chain((simulations > 0).then_some(OutcomeModel::Ties));
    let mut stages: Vec<_> = first.into_iter().map(|games| games..=games).collect();
    let others = others.filter_map(|model| contest.simulate(model, MOST_GAMES));
    for other in others.filter(|other| other.refused.is_none()) {
        for (stage, games) in stages.iter_mut().zip(other.games) {
            *stage = *stage.start().min(&games)..=*stage.end().max(&games);
        }
    }
    Some((stages, refused))
}

/// How many games the stage with the index `at` has, and what the number depends on.
fn words(games: &RangeInclusive<u32>, contest: &Contest, at: usize) -> String {
    let stage = &contest.stages()[at];
    match stage.who {
        Participants::TiedForFirst { .. } => {
            let known = [(2, "two"), (3, "three"), (4, "four")];
            let known =
                known.iter().filter_map(|(tied, name)| Some((games_of(contest, &stage.format, *tied)?, name)));
            let known: Vec<String> = known.map(|(games, name)| format!("{games} for {name}")).collect();
            let words = "played only by entrants who share first place".to_string();
            match known.split_first() {
                None => words,
                Some((first, others)) => {
                    let first = first.replacen(' ', " games ", 1);
                    format!("{words}: {} …", [&[first], others].concat().join(", "))
                }
            }
        }
        _ if stage.format.is_open_ended() => format!("{}, depending on its results", range(games)),
        _ => range(games),
    }
}

/// How many games a stage of this `format` has with this number of the contest's entrants; `None` if they cannot play
/// it.
fn games_of(contest: &Contest, format: &Format, entrants: u16) -> Option<u32> {
    let field = Field { entrants, groups: Vec::new(), ..contest.field().clone() };
    let stage = Stage { format: format.clone(), who: Participants::All };
    let alone = Contest::new(field, vec![stage], 0).ok()?;
    alone.simulate(OutcomeModel::Chance(0), MOST_GAMES)?.games.first().copied().filter(|games| *games > 0)
}

fn range(games: &RangeInclusive<u32>) -> String {
    if games.start() == games.end() {
        show::count(*games.start(), "game")
    } else {
        format!("about {} to {} games", games.start(), games.end())
    }
}

/// The longest time that `most` games can take by their clocks (G3), in words; `None` if there are no clocks, or they
/// are short enough for trial games.
fn by_the_clock(prepared: &PreparedContest, most: u32) -> Option<String> {
    /// With a clock of at most this, trial games are played.
    const SHORT: Duration = Duration::from_secs(30);
    let clock = prepared.file.ruleset.clock?;
    let workers = prepared.workers.max(1) as u32;
    let at_most = clock.budget * 2 * most / workers;
    let words = format!(
        "at most about {} with {workers} workers, if every side uses up its clock of {}; only games show how fast \
         the bots are",
        show::rounded_duration(at_most),
        show::rounded_duration(clock.budget)
    );
    (clock.budget > SHORT).then_some(words)
}

/// The estimated time of the contest, in words, from a few trial games that are played now.
fn estimate(
    args: &TournamentArgs,
    prepared: &PreparedContest,
    open: &[Pairing],
    least: u32,
    most: u32,
) -> Result<String, CliError> {
    if let Some(words) = by_the_clock(prepared, most) {
        return Ok(words);
    }
    let (sample, due) = sample(open);
    let stop = Stop::on_signals(ProgressLine::new(), to_resume())?;
    let until = stop.until();
    let mut workers = prepared.workers(args.isolation, until)?;
    let mut planner =
        |done: &Results| Plan::from_games(sample.iter().filter(|game| done.get(game.id).is_none()).cloned());
    let began = Instant::now();
    let mut played = 0;
    let mut lost = None;
    let mut count = |progress: &Progress, _: &Results| {
        match progress {
            Progress::Played(games) => played += games.len() as u32,
            Progress::Lost { id, why, .. } => lost = Some(format!("game {id} was not played: {why}")),
            _ => {}
        }
        let time = began.elapsed();
        if time > LONGEST_TRIAL || (time > TRIAL && played >= due) {
            until.stop();
        }
        Ok(())
    };
    prepared.play(&mut planner, &mut workers, until, &mut [&mut count], &mut Results::new())?;
    let all = began.elapsed();
    if played == 0 {
        let why = lost.map_or(String::new(), |lost| format!(": {}", show::plain(&lost)));
        return Ok(format!("the time is unknown, because no trial game could be played{why}"));
    }
    let of = |games: u32| show::rounded_duration(all.mul_f64(f64::from(games) / f64::from(played)));
    let short = of(least);
    let long = of(most);
    let takes = if short == long { short } else { format!("{short} to {long}") };
    let workers = show::count(prepared.workers, "worker");
    let trials = show::count(played, "trial game");
    Ok(format!("about {takes} with {workers}, judging by {trials} played now in {}", show::duration(all)))
}

/// The games that can begin at once, in the order of trial games, and how many of them it takes until every entrant has
/// played one. Those come first; the others are in random order.
fn sample(open: &[Pairing]) -> (Vec<Pairing>, u32) {
    let mut seen: BTreeSet<EntrantId> = BTreeSet::new();
    let (mut sample, mut others): (Vec<Pairing>, Vec<Pairing>) =
        open.iter().cloned().partition(|game| game.seats.iter().filter(|id| seen.insert(**id)).count() > 0);
    let due = sample.len() as u32;
    Rng::new(0).shuffle(&mut others);
    sample.extend(others);
    (sample, due)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cornerman::format::GameId;

    #[test]
    fn the_first_games_have_every_entrant() {
        let id = |table| GameId { stage: 0, round: 0, table, game: 0, attempt: 0 };
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
