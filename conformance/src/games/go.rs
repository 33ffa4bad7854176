//! The suite of Go: which games a bot is played against, and what comes of them.
//!
//! Two games in plain conditions come first, one as each colour. Only a bot that can play them is asked on: what it
//! makes of `time` and of other boards, and then, knowing that, whole games for the rules and the dialogues that are
//! for one check each. What a check says is in `catalog/go.toml`.

mod belief;
mod foe;
mod id;
mod play;
mod scenes;
mod script;
mod unclear;

use super::{Asked, Suite};
use crate::budget::{Remainder, Round};
use crate::catalog::Severity;
use crate::finding::{BotReport, Reason};
use crate::lines::{Fault, Held, Ids, Seen, Shared, Table, Trouble, results, troubles};
use crate::suite::{Progress, SuiteError};
use crate::words::duration;
use belief::Played;
use cornerman::games::go::Colour;
use cornerman_harness::bot::Bot;
use cornerman_harness::player::clock::GameClock;
use cornerman_harness::ruleset::Rules;
use cornerman_harness::sandbox::{Ended, Limits, SandboxError};
use scenes::Staged;
use std::time::Duration;

/// The suite, as all games know it.
pub struct Go;

const IDS: Ids = Ids {
    start: id::TURN,
    signal: id::SIGNAL,
    orphan: id::ORPHAN,
    stderr: None,
    time: id::CLOCK,
    fresh: id::FRESH,
};

/// How many moves of a bot's own a long game has.
const MOVES: u32 = 250;

/// A bot whose moves take longer than this is asked to hurry in long games: whatever it thinks, the rules are the
/// same.
const SLOW: Duration = Duration::from_millis(50);

impl Suite for Go {
    fn game(&self) -> &'static str {
        "go"
    }

    fn check(
        &self,
        bot: &Bot,
        asked: &Asked,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<BotReport, SuiteError> {
        let clock = clock(asked);
        // A bot may think as long as it likes until it is sent `time`, which it is after this much silence.
        let limits = Limits { soft: clock.budget, hard: clock.minimum, ..bot.limits.clone() };
        let bot = &Bot { limits, ..bot.clone() };
        let mut report = BotReport::unchecked(self.game(), bot, asked.options.seed);
        let shared = Shared::new(bot, IDS, asked.options).with_clock(clock);
        let mut table = match Table::open(&shared) {
            Ok(table) => table,
            Err(refused @ (SandboxError::LevelRefused { .. } | SandboxError::NotReady)) => {
                return Err(refused.into());
            }
            Err(failed) => {
                report.kit_failure = Some(failed.to_string());
                return Ok(report);
            }
        };
        report.isolation = Some(table.isolation());
        let mut look = Look {
            asked,
            progress,
            done: 0,
            seen: Seen::default(),
            played: Vec::new(),
            remarks: Vec::new(),
            remainder: Remainder::default(),
        };
        let looked = look.at(&mut table);
        report.timing = shared.timing();
        report.left_out = shared.budget.left_out(&look.remainder, report.timing.runs);
        match looked {
            Ok(()) => {
                look.leave_out(report.left_out.map(|left_out| left_out.why));
                report.results = results(self.catalogue(), &look.seen, asked.selected);
            }
            Err(failed) => report.kit_failure = Some(failed.to_string()),
        }
        report.remarks.extend(look.remarks);
        report.remarks.extend(shared.chatter());
        Ok(report)
    }
}

/// The clock by which a bot is judged: the ruleset's, unless somebody asked for another time for each move.
fn clock(asked: &Asked) -> GameClock {
    let Rules::Go(_, clock) = asked.ruleset.rules else { unreachable!("the ruleset is of the suite's game") };
    GameClock { minimum: asked.options.limits.move_time.unwrap_or(clock.minimum), ..clock }
}

/// A check under way.
struct Look<'a> {
    asked: &'a Asked<'a>,
    progress: &'a mut dyn FnMut(Progress),
    done: usize,
    seen: Seen,
    /// All games in plain conditions.
    played: Vec<Played>,
    remarks: Vec<String>,
    /// The checks of the dialogues that were left out.
    remainder: Remainder<Option<&'static str>>,
}

/// What a dialogue brought.
struct Found {
    troubles: Vec<Trouble>,
    check: Option<&'static str>,
    played: Played,
    /// Processor time for a move, if it was looked for.
    cpu: Option<Duration>,
}

impl Look<'_> {
    fn at(&mut self, table: &mut Table) -> Result<(), SandboxError> {
        let bot = &table.shared.bot.name;
        let seed = self.asked.options.seed;
        // What there is to do depends on what the first dialogues show; how much it is is known before.
        let expected = self.rest(seed, true, true, false, false);
        let jobs = 2 + self.first(false).len() + expected.len();
        let moves =
            expected.iter().filter(|staged| staged.scene.round != Round::Short).map(|staged| staged.scene.moves);
        let moves = moves.sum();
        (self.progress)(Progress::Started { bot, jobs });
        self.plainly(table, moves)?;
        self.advance(bot, 2, jobs);
        if self.seen.halted.is_some() {
            return Ok(());
        }
        let short = !table.shared.budget.fits_on_all(moves);
        let first = self.first(short);
        self.spread(table, first, jobs)?;
        let failed = |id: &str| self.seen.troubles.iter().any(|trouble| trouble.seen_by == Some(id));
        let (small, in_time) = (!failed(id::SIZE), !failed(id::CLOCK));
        let slowest = table.shared.timing().slowest.map_or(Duration::ZERO, |(_, took)| took);
        let rest = self.rest(seed, small, in_time, in_time && slowest > SLOW, short);
        self.spread(table, rest, jobs)?;
        self.advance(bot, jobs.saturating_sub(self.done), jobs);
        self.blame();
        Ok(())
    }

    /// The dialogues that depend on the first ones.
    fn rest<'s>(&self, seed: u64, small: bool, in_time: bool, hurried: bool, short: bool) -> Vec<Staged<'s>> {
        let rules = if self.wants_rules() { scenes::rules(seed, small, hurried) } else { Vec::new() };
        let special =
            scenes::special(seed, small, in_time, hurried, short).into_iter().chain([scenes::waits(short)]);
        let selected = special.filter(|staged| staged.scene.check.is_some_and(|check| self.wants(check)));
        rules.into_iter().chain(selected).collect()
    }

    /// The dialogues that the others depend on.
    fn first<'s>(&self, short: bool) -> Vec<Staged<'s>> {
        let rules = self.wants_rules();
        let wanted = |check: &str| rules || self.wants(check);
        let scenes = scenes::timed(short).into_iter().chain(scenes::sizes());
        scenes.filter(|staged| staged.scene.check.is_some_and(wanted)).collect()
    }

    fn wants(&self, check: &str) -> bool {
        self.asked.selected.contains(check)
    }

    fn wants_rules(&self) -> bool {
        id::RULES.iter().chain(&[id::LONG, id::END]).any(|check| self.wants(check))
    }

    fn advance(&mut self, bot: &str, by: usize, jobs: usize) {
        self.done += by;
        (self.progress)(Progress::Advanced { bot, done: self.done, jobs });
    }

    /// Plays the games in plain conditions, until one shows that the bot cannot play. The argument is the number of
    /// moves planned after them.
    fn plainly(&mut self, table: &mut Table, moves: u32) -> Result<(), SandboxError> {
        for bot in Colour::BOTH {
            let staged = scenes::plain(bot, !table.shared.budget.fits_on_all(moves));
            let held = table.hold(&staged.scene)?;
            let said =
                held.evidence.transcript.as_ref().is_some_and(|transcript| transcript.lines().next().is_some());
            let silent = !said && held.faults.iter().any(|fault| [id::TURN, id::CLOCK].contains(&fault.id));
            let (staged, mut held) = match silent.then(|| kept_back(table)).transpose()?.flatten() {
                Some(kept_back) => kept_back,
                None => (staged, held),
            };
            self.seen.troubles.extend(Trouble::of(None, &staged.scene, &held));
            let grave = |trouble: &&Trouble| {
                let finding = &trouble.finding;
                let harmless = id::ILLEGAL.iter().chain(&[id::ORPHAN, id::EOF, id::QUIET]);
                finding.severity == Severity::Must && harmless.into_iter().all(|id| finding.symptom != *id)
            };
            self.seen.halted = self.seen.troubles.iter().find(grave).map(|trouble| trouble.finding.symptom);
            if self.seen.halted.is_some() {
                return Ok(());
            }
            self.played.push(played(&staged, &held));
            if held.evidence.report.ended == Ended::Stopped {
                // Who does not end by itself cannot be seen to leave something behind.
                let waited = duration(staged.scene.grace / 2);
                let what = format!("it was still running {waited} after its game, when its input had ended");
                held.faults = vec![Fault::of(id::EOF, what)];
                self.seen.troubles.extend(Trouble::of(None, &staged.scene, &held));
                self.seen.blocked.insert(id::ORPHAN, id::EOF);
            }
        }
        self.seen.judged.extend(id::PLAIN.into_iter().chain([id::ORPHAN]));
        for trouble in &self.seen.troubles {
            table.shared.budget.note_trouble(trouble.check(), trouble.finding.severity);
        }
        Ok(())
    }

    /// Holds dialogues on all processors, and takes what they bring in their order.
    fn spread<'s>(&mut self, table: &Table, scenes: Vec<Staged<'s>>, jobs: usize) -> Result<(), SandboxError> {
        let shared = table.shared;
        let mut all: Vec<(usize, Result<Found, SandboxError>)> = Vec::new();
        let task = |(place, staged): (usize, Staged<'s>)| {
            let task = staged.scene.task();
            task.with((place, staged))
        };
        let remainder = shared.budget.spend(
            scenes.into_iter().enumerate().map(task).collect(),
            || Table::open(shared).map_err(|failed| (usize::MAX, Err(failed))),
            |table, (place, staged)| (place, hold(table, &staged)),
            &mut |(place, found): (usize, Result<Found, SandboxError>)| {
                self.advance(&shared.bot.name, 1, jobs);
                for trouble in found.iter().flat_map(|found| &found.troubles) {
                    shared.budget.note_trouble(trouble.check(), trouble.finding.severity);
                }
                all.push((place, found));
            },
        );
        self.remainder.add(remainder.map(|(_, staged)| staged.scene.check));
        // Whoever was done first, the report is the same.
        all.sort_by_key(|(place, _)| *place);
        for (_, found) in all {
            let found = found?;
            self.seen.troubles.extend(found.troubles);
            self.seen.judged.extend(found.check);
            if found.check.is_none() || shows_rules(found.check) {
                self.seen.judged.extend(id::RULES);
                self.played.push(found.played);
            }
            self.remarks.extend(found.cpu.map(|cpu| {
                format!(
                    "it used {} of processor time a move, so {} in a game of {MOVES} of its moves",
                    duration(cpu),
                    duration(cpu * MOVES)
                )
            }));
        }
        Ok(())
    }

    /// Notes the checks of what was left out.
    fn leave_out(&mut self, why: Option<Reason>) {
        let checks = self.remainder.left.iter().flat_map(|task| match &task.job {
            Some(check) => std::slice::from_ref(check),
            None => &id::RULES,
        });
        self.seen.leave_out(checks.copied(), why);
    }

    /// Lays illegal moves to the mistake behind them, if one explains all games.
    fn blame(&mut self) {
        let illegal = |trouble: &&mut Trouble| id::ILLEGAL.contains(&trouble.finding.symptom);
        let mut found = self.seen.troubles.iter_mut().filter(illegal).peekable();
        if found.peek().is_none() {
            return;
        }
        if let Some(belief) = belief::of(&self.played) {
            for trouble in found {
                trouble.finding.symptom = belief.id();
                trouble.finding.what.push_str(&format!("; {}", belief.in_words()));
            }
        }
    }
}

/// Whether a dialogue with special conditions is a whole game as any: what is illegal in it is so by itself.
fn shows_rules(check: Option<&'static str>) -> bool {
    [Some(id::LONG), Some(id::END)].contains(&check)
}

/// Holds the dialogue in which lines come out that were kept back, if it shows any.
fn kept_back<'s>(table: &mut Table) -> Result<Option<(Staged<'s>, Held)>, SandboxError> {
    let staged = scenes::kept_back();
    let held = table.hold(&staged.scene)?;
    let shown = held.faults.iter().any(|fault| fault.id == id::FLUSH);
    Ok(shown.then_some((staged, held)))
}

/// Holds a dialogue.
fn hold(table: &mut Table, staged: &Staged) -> Result<Found, SandboxError> {
    let (mut troubles, held) = troubles(table, &staged.scene)?;
    if shows_rules(staged.scene.check) {
        let illegal = |trouble: &&mut Trouble| id::ILLEGAL.contains(&trouble.finding.symptom);
        troubles.iter_mut().filter(illegal).for_each(|trouble| trouble.seen_by = None);
    }
    let played = played(staged, &held);
    let moves = script::own_moves(&played.moves, staged.game.bot).max(1);
    let cpu = (staged.scene.check == Some(id::CPU)).then(|| held.evidence.report.cpu.total() / moves);
    let budget = table.shared.clock.map_or(Duration::MAX, |clock| clock.budget);
    // In a game of a few moves the start of the program would count for too much.
    let enough = staged.game.plies > scenes::PLIES && troubles.is_empty();
    let fault = cpu.and_then(|cpu| too_slow(cpu, budget)).filter(|_| enough);
    if let Some(fault) = fault {
        troubles = Trouble::of(staged.scene.check, &staged.scene, &Held { faults: vec![fault], ..held });
    }
    Ok(Found { troubles, check: staged.scene.check, played, cpu })
}

/// The fault of a bot whose moves take so much processor time that a long game goes beyond its `budget` (G3).
fn too_slow(cpu: Duration, budget: Duration) -> Option<Fault> {
    (cpu * MOVES > budget).then(|| {
        let what = "of processor time a move: the time of a game is used up before a long one is over";
        Fault::of(id::CPU, format!("{} {what}", duration(cpu)))
    })
}

/// The game in a dialogue.
fn played(staged: &Staged, held: &Held) -> Played {
    let transcript = held.evidence.transcript.as_ref();
    let moves = transcript.map_or(Vec::new(), |transcript| belief::moves(transcript, staged.game.size));
    Played { size: staged.game.size, bot: staged.game.bot, moves }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::Options;
    use cornerman_harness::ruleset::Ruleset;
    use std::collections::BTreeSet;

    #[test]
    fn an_hour_is_for_250_moves() {
        let too_slow = |millis| too_slow(Duration::from_millis(millis), Duration::from_secs(3600));
        assert_eq!(too_slow(14_400), None);
        assert_eq!(too_slow(14_500).map(|fault| fault.id), Some(id::CPU));
    }

    #[test]
    fn the_clock_is_the_rulesets_unless_another_time_was_asked_for() {
        let ruleset = Ruleset::usual("go");
        let mut options = Options::default();
        let minimum =
            |options: &Options| clock(&Asked { options, selected: &BTreeSet::new(), ruleset: &ruleset }).minimum;
        assert_eq!(minimum(&options), Duration::from_secs(15));
        options.limits.move_time = Some(Duration::from_millis(700));
        assert_eq!(minimum(&options), Duration::from_millis(700));
    }
}
