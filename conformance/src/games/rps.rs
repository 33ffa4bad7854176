//! The suite of rock-paper-scissors.
//!
//! The check begins with one game in plain conditions. A bot that can play it is tested further, in dialogues for one
//! check each: with other opponents, lengths, seeds and environments. The texts of the checks are in
//! `catalog/rps.toml`.

mod play;

use super::Suite;
use crate::attribution::Observations;
use crate::budget::Round;
use crate::catalog::{Catalogue, Id, LINES};
use crate::finding::{Cause, Evidence, Finding};
use crate::jobs::{Job, JobResult, Run};
use crate::protocol::cannot_set_up;
use crate::protocol::lines::conditions::{plain_job, special, whole};
use crate::protocol::lines::game::{GameDialogue, LineGame, LinePlan, LineRules, Silence, Watch};
use crate::protocol::lines::suite::AFTER_NAME;
use crate::protocol::lines::{self, Dialogue, Played, Talk, Transcript};
use crate::runner::{BotRunner, SharedState};
use cornerman::game::{InProgress, LiveGame, Seat, Setup};
use cornerman::games::rps::{Hand, MAX_SEED, Rps as Rules};
use cornerman_harness::kit::AnyKit;
use cornerman_harness::sandbox::SandboxError;
use cornerman_harness::text::{count, escaped};
use play::{FirstGame, Opponent, PATTERN_LENGTH, When};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

/// The seed that bots are sent where it does not matter. It is that of the example in the rules.
const SEED: u16 = 31241;

/// A seed that is less than the number of rounds.
const SMALL_SEED: u16 = 7;

/// The rounds of a game where their number does not matter.
const ROUNDS: usize = 20;

/// The rounds of the games of RP-ROUNDS.
const LENGTHS: [usize; 4] = [1, 2, 1000, 10_000];

/// A game of more rounds than this comes after those against other opponents, because it takes longer than all of them
/// together.
const LONG: usize = 1000;

/// The rounds against most opponents of RP-ALLIN.
const AGAINST_EACH: usize = 300;

/// The rounds against random hands drawn with another seed. There are more of them, so that faults that show only
/// after some hundred wins, ties or losses appear.
const AGAINST_RANDOM: usize = 2000;

/// The opponents of RP-ALLIN that a bot meets if there is little time, for a few rounds each.
const SHORT_OPPONENTS: [&str; 3] = ["always paper", "always scissors", "random"];

static RULES: LazyLock<LineRules> = LazyLock::new(|| LineRules {
    checks: catalogue(),
    turn: "round",
    answer: "hand",
    numbers_all: false,
    greets: true,
    ignores_text: false,
});

/// A game to be played.
#[derive(Clone, Copy, Debug)]
struct GamePlan {
    /// The bot's seed, which is the first line sent.
    seed: u16,
    /// The number of rounds, which is the second line sent.
    rounds: usize,
    opponent: Opponent,
}

/// A game against an opponent that always shows rock. Other opponents are tested by RP-ALLIN.
const PLAIN: GamePlan = GamePlan { seed: SEED, rounds: ROUNDS, opponent: Opponent::Always(Hand::Rock) };

impl GamePlan {
    fn lines(self) -> LinePlan {
        let GamePlan { seed, rounds, opponent } = self;
        LinePlan {
            rules: *RULES,
            about: format!("{} with the seed {seed} against {}", count(rounds, "round"), opponent.in_words()),
            args: Vec::new(),
            seat: Seat(0),
            turns: Some(rounds),
            early: AFTER_NAME,
            form: None,
            game: Arc::new(self),
        }
    }
}

impl LineGame for GamePlan {
    fn open(&self) -> Talk<(Box<dyn LiveGame>, Box<dyn lines::game::Opponent>)> {
        let rules = Rules { rounds: self.rounds as u32, seeds: Some([self.seed; 2]) };
        let setup = Setup { seats: 2, ..Setup::default() };
        let game = InProgress::new(rules, &setup).map_err(cannot_set_up)?;
        Ok((Box::new(game), Box::new(self.opponent)))
    }

    fn is_answer(&self, line: &[u8]) -> Option<bool> {
        Some(Hand::read(line).is_ok())
    }

    fn silence(&self, _: &GameDialogue, silence: Silence) -> (Id, &'static str) {
        (if silence == Silence::Ended { id::ROUNDS } else { id::TIME }, "")
    }

    fn end(&self, game: &mut GameDialogue) -> Played {
        game.farewell()
    }
}

fn game(check: Id, case: &str, plan: GamePlan) -> Dialogue {
    // Another opponent or length can cause a line too many after the last hand; other conditions hardly do.
    let watch = if [id::ROUNDS, id::ALLIN].contains(&check) { Watch::End } else { Watch::AfterEnd };
    Dialogue { watch, ..whole(Some(check), case, plan.lines()) }
}

/// The dialogues for one check each.
fn dialogues(seed: u64) -> Vec<Dialogue> {
    let length = |rounds: usize| {
        let round = if rounds > ROUNDS { Round::Later } else { Round::First };
        Dialogue { round, ..game(id::ROUNDS, &format!("{rounds} rounds"), GamePlan { rounds, ..PLAIN }) }
    };
    let (long, short) = LENGTHS.into_iter().partition::<Vec<usize>, _>(|&rounds| rounds > LONG);
    let mut dialogues: Vec<Dialogue> = short.into_iter().map(length).collect();
    for (name, opponent) in opponents(seed) {
        let rounds = match opponent {
            Opponent::AllPatterns => 3_usize.pow(PATTERN_LENGTH) * PATTERN_LENGTH as usize,
            Opponent::Random(other) if other != seed => AGAINST_RANDOM,
            _ => AGAINST_EACH,
        };
        let dialogue = game(id::ALLIN, name, GamePlan { rounds, opponent, ..PLAIN });
        dialogues.push(Dialogue { round: Round::Later, ..dialogue });
        if SHORT_OPPONENTS.contains(&name) {
            let dialogue = game(id::ALLIN, &format!("{name}, short"), GamePlan { opponent, ..PLAIN });
            dialogues.push(Dialogue { round: Round::Short, ..dialogue });
        }
    }
    for seed in [SMALL_SEED, 0, MAX_SEED] {
        dialogues.push(game(id::SEEDS, &format!("seed {seed}"), GamePlan { seed, ..PLAIN }));
    }
    let crlf = LinePlan { form: Some(with_crlf), ..PLAIN.lines() };
    dialogues.push(whole(Some(id::CRLF), "CR LF", crlf));
    let ends = [("end after its name", 0), ("end in a game", 3), ("end after a game", ROUNDS)];
    dialogues.extend(special(ends, |_| PLAIN.lines()));
    dialogues.extend(long.into_iter().map(length));
    dialogues
}

/// Lines with CR LF at their ends.
fn with_crlf(lines: &[u8]) -> Vec<u8> {
    let lines = lines.split_inclusive(|&byte| byte == b'\n');
    lines.flat_map(|line| [line.strip_suffix(b"\n").unwrap_or(line), b"\r\n"].concat()).collect()
}

fn opponents(seed: u64) -> [(&'static str, Opponent); 11] {
    [
        ("always paper", Opponent::Always(Hand::Paper)),
        ("always scissors", Opponent::Always(Hand::Scissors)),
        ("always rock", Opponent::Always(Hand::Rock)),
        ("rotating", Opponent::Cycle(1)),
        ("rotating back", Opponent::Cycle(2)),
        ("random", Opponent::Random(seed)),
        ("random, another seed", Opponent::Random(!seed)),
        ("every pattern", Opponent::AllPatterns),
        ("its own last hand", Opponent::FollowsBot(0)),
        ("what beats its last hand", Opponent::FollowsBot(1)),
        ("what its last hand beats", Opponent::FollowsBot(2)),
    ]
}

/// The ids of the checks of rock-paper-scissors that code names.
mod id {
    use crate::catalog::ids;

    ids! {
        NAME = "RP-NAME";
        TIME = "RP-TIME";
        ROUNDS = "RP-ROUNDS";
        ALLIN = "RP-ALLIN";
        SEEDS = "RP-SEEDS";
        FRESH = "RP-FRESH";
        CHUNK = "RP-CHUNK";
        ENV = "RP-ENV";
        CRLF = "RP-CRLF";
        DETERMINISM = "RP-DETERMINISM";
        IGNORES = "RP-IGNORES";
        THREADS = "RP-THREADS";
    }
}

/// The checks of the suite.
pub fn catalogue() -> &'static Catalogue {
    static CATALOGUE: LazyLock<Catalogue> =
        LazyLock::new(|| Catalogue::read("rps", include_str!("../../catalog/rps.toml"), LINES));
    &CATALOGUE
}

/// The suite of rock-paper-scissors.
pub struct Rps;

impl Suite for Rps {
    fn catalogue(&self) -> &'static Catalogue {
        catalogue()
    }

    fn kit(&self) -> &'static dyn AnyKit {
        &cornerman_harness::games::rps::KIT
    }

    fn specimens(&self) -> &'static str {
        include_str!("../../specimens/rps.toml")
    }

    fn depends_on_rules(&self) -> bool {
        false
    }

    fn phase_jobs(&self, shared: &SharedState, seen: &Observations, phase: usize) -> Option<Vec<Job>> {
        match phase {
            0 => Some(vec![plain()]),
            1 => {
                let plain = seen.plain.first().cloned().map(Arc::new);
                Some(jobs(shared, plain.as_ref()))
            }
            _ => None,
        }
    }

    fn is_answer(&self, text: &[u8]) -> bool {
        text.split(|&byte| byte == b'\n').any(|line| Hand::read(line).is_ok())
    }

    fn words(&self) -> &'static [&'static str] {
        &["rock", "scissors"]
    }

    /// Recognizes a bot that writes a line unprompted, a second one after it was sent a seed and the number of
    /// rounds, and a third one after an opponent's hand (R3–R5). Wrong tokens are accepted, and so is output that the
    /// bot holds back until its input ends.
    fn recognize(&self, runner: &mut BotRunner) -> Result<Option<&'static str>, SandboxError> {
        let plays = runner.finds_out(Vec::new(), |bot| {
            if bot.next_line()?.is_none() {
                bot.send(b"1\n2\n0\n0\n")?;
                return Ok(bot.held_back()?.get(1).is_some_and(|line| Hand::read(line).is_ok()));
            }
            bot.send(b"1\n2\n")?;
            let Some(line) = bot.next_line()? else { return Ok(false) };
            if Hand::read(&line).is_ok() {
                return Ok(true);
            }
            bot.send(b"0\n")?;
            Ok(bot.next_line()?.is_some())
        })?;
        Ok(plays.then_some("it sends a name and then a hand"))
    }
}

/// How often the game in plain conditions is played again, to find a bot whose name or hands change once in a while.
const STARTS: usize = 24;

/// The checks that [`starts`] are for.
const OF_STARTS: [Id; 2] = [id::NAME, id::DETERMINISM];

/// The checks whose dialogues are the game in plain conditions, perhaps in other surroundings: the hands must be the
/// same.
const SAME_GAME: [Id; 6] = [id::CHUNK, id::ENV, id::FRESH, id::THREADS, OF_STARTS[0], OF_STARTS[1]];

/// The game in plain conditions, [`STARTS`] times, for the first of [`OF_STARTS`] that is `wanted`.
fn starts(wanted: impl Fn(&str) -> bool) -> Vec<Dialogue> {
    let Some(check) = OF_STARTS.into_iter().find(|id| wanted(id)) else { return Vec::new() };
    let start = |number| {
        let dialogue = whole(Some(check), format!("start {number}"), PLAIN.lines());
        Dialogue { round: Round::Later, grace: Duration::ZERO, ..dialogue }
    };
    (1..=STARTS).map(start).collect()
}

/// The jobs for the selected checks. `plain` is the game in plain conditions.
fn jobs(shared: &SharedState, plain: Option<&Arc<Evidence>>) -> Vec<Job> {
    let wanted = |id: &str| shared.selected.contains(id);
    let seed = shared.options.seed;
    let dialogues = dialogues(seed).into_iter().chain(starts(wanted));
    let dialogues = dialogues.filter(|dialogue| dialogue.check.is_some_and(wanted));
    let (watched, usual): (Vec<Dialogue>, Vec<Dialogue>) = dialogues.partition(|dialogue| dialogue.request.watch);
    let dialogue_job = |dialogue: Dialogue| dialogue_job(dialogue, plain.cloned());
    let mut compared = Vec::new();
    let mut again = Vec::new();
    let mut jobs = Vec::new();
    for (round, rounds) in [(Round::Later, play::ROUNDS), (Round::Short, play::FEW_ROUNDS)] {
        let first = Arc::new(FirstGame::new(seed, rounds));
        let games = |check, games: usize, run| {
            let moves = (games * rounds) as u32;
            Job { moves, ..Job::new(&[check], games as u32, run) }.in_round(round)
        };
        // Played early, so that there is less to wait until the clock shows another second.
        if round == Round::Later && wanted(id::DETERMINISM) && shared.budget.fits_on_all(rounds as u32) {
            let first = first.clone();
            jobs.push(Job::new(&[], 1, move |runner| {
                let mut found = JobResult::default();
                first.played(runner, &mut found)?;
                Ok(found)
            }));
        }
        let compared_with = first.clone();
        let run: Run = Box::new(move |runner| play::ignores(runner, &compared_with));
        compared.push(games(id::IGNORES, play::GAMES, run));
        // A short budget has no time to wait. With a budget of 0, time does not matter.
        let waits = round == Round::Later || shared.options.budget == Some(Duration::ZERO);
        let when = if waits { When::NextSecond(shared.options.slots.clone()) } else { When::AtOnce };
        let run: Run = Box::new(move |runner| play::again(runner, &first, &when));
        again.push(games(id::DETERMINISM, 1, run));
    }
    let wanted_job = |job: &Job| job.checks.iter().any(|check| wanted(check));
    jobs.extend(usual.into_iter().map(dialogue_job));
    jobs.extend(compared.into_iter().filter(wanted_job));
    jobs.extend(watched.into_iter().map(dialogue_job));
    jobs.extend(again.into_iter().filter(wanted_job));
    jobs
}

fn dialogue_job(dialogue: Dialogue, plain: Option<Arc<Evidence>>) -> Job {
    dialogue.job(move |runner, dialogue| {
        let (mut findings, result) = runner.findings(dialogue)?;
        for finding in &mut findings {
            of_any_game(finding, dialogue);
            explain_rounds_by_seed(finding);
        }
        let is_same_game = dialogue.check.is_some_and(|check| SAME_GAME.contains(&check));
        let varied = match &plain {
            Some(plain) if is_same_game && result.is_whole() => other_hands(runner, plain, &result.evidence)?,
            _ => None,
        };
        let blocked = varied.iter().map(|_| (id::IGNORES, id::DETERMINISM)).collect();
        findings.extend(varied);
        let renamed = plain.and_then(|plain| renamed(&plain, &result.evidence));
        findings.extend(renamed.map(|cause| Finding::new(None, cause, result.evidence)));
        Ok(JobResult { findings, blocked, ..JobResult::default() })
    })
}

/// The finding that the bot showed other hands in the game of `evidence` than in the same game in `plain` conditions.
/// If plain conditions show that too when the game is played again, it is found in that game.
fn other_hands(
    runner: &mut BotRunner,
    plain: &Evidence,
    evidence: &Evidence,
) -> Result<Option<Finding>, SandboxError> {
    let Some(cause) = varies(plain, evidence, "in plain conditions") else { return Ok(None) };
    let again = whole(Some(id::DETERMINISM), "plain, again", PLAIN.lines());
    let again = runner.run_dialogue(&again)?.evidence;
    Ok(Some(match varies(plain, &again, "in another process") {
        Some(in_plain_conditions) => Finding::new(Some(id::DETERMINISM), in_plain_conditions, again),
        None => Finding::new(Some(id::DETERMINISM), cause, evidence.clone()),
    }))
}

/// A bot that leaves early fails the check of the game's length or of its opponent. Whatever else goes wrong in such a
/// game, such as a wrong token in a late round, could go wrong in any game: it fails the check of its cause.
fn of_any_game(finding: &mut Finding, dialogue: &Dialogue) {
    let Some(check) = dialogue.check else { return };
    let conditions = &mut finding.conditions;
    if OF_STARTS.contains(&check) {
        conditions.seen_by = None;
    } else if [id::ROUNDS, id::ALLIN].contains(&check)
        && conditions.seen_by == Some(check)
        && finding.cause.check != id::ROUNDS
    {
        (conditions.seen_by, conditions.interrupted) = (None, Some(check));
    }
}

/// Says so in `finding` if the bot left after as many rounds as its seed says: it takes the first line, the seed, for
/// the second, the number of rounds.
fn explain_rounds_by_seed(finding: &mut Finding) {
    let is_of_seeds = finding.conditions.seen_by == Some(id::SEEDS) && finding.cause.check == id::ROUNDS;
    if is_of_seeds && hands(&finding.evidence).len() == usize::from(SMALL_SEED) {
        finding.cause.what = format!("it plays as many rounds as its seed says: {}", finding.cause.what);
    }
}

/// The name that the bot gave itself in the dialogue of `evidence`.
fn name(evidence: &Evidence) -> Option<Vec<u8>> {
    let line = evidence.transcript.as_ref()?.lines().next()?;
    Some(line.trim_ascii().to_vec())
}

/// What is wrong with a bot whose name was another one in the game `then` than in the game `before`.
fn renamed(before: &Evidence, then: &Evidence) -> Option<Cause> {
    let (before, then) = (name(before)?, name(then)?);
    let what = format!("it calls itself `{}` in one game and `{}` in another", escaped(&before), escaped(&then));
    (before != then).then(|| Cause::new(id::NAME, what))
}

/// What is wrong with a bot that showed some hands in the game `before`, and then other hands in the same game. `how`
/// says in words where it showed those before.
fn varies(before: &Evidence, then: &Evidence, how: &str) -> Option<Cause> {
    let [before, then] = [before, then].map(hands);
    let at = before.iter().zip(&then).position(|(before, then)| before != then)?;
    let what = format!("round {}: {}, but {} in the same game {how}", at + 1, then[at], before[at]);
    Some(Cause::new(id::DETERMINISM, what))
}

/// The hands that the bot showed in a dialogue.
fn hands(evidence: &Evidence) -> Vec<Hand> {
    let lines = evidence.transcript.iter().flat_map(Transcript::lines);
    lines.skip(1).filter_map(|line| Hand::read(line).ok()).collect()
}

/// The game in plain conditions. If the bot leaves it early, a game against another opponent shows whether the
/// opponent is the reason.
fn plain() -> Job {
    let job = plain_job(PLAIN.lines(), Vec::new());
    let run: Run = Box::new(|runner| {
        // A bot need not end by itself (R7), so one that was stopped has passed the check of leftover processes,
        // which would otherwise be blocked.
        let mut found = JobResult { blocked: Vec::new(), ..(job.run)(runner)? };
        if found.halted != Some(id::ROUNDS) {
            return Ok(found);
        }
        let paper = GamePlan { opponent: Opponent::Always(Hand::Paper), ..PLAIN };
        let paper = whole(None, "plain, another opponent", paper.lines());
        if runner.run_dialogue(&paper)?.is_whole() {
            found.halted = Some(id::ALLIN);
            for finding in found.findings.iter_mut().filter(|finding| finding.cause.check == id::ROUNDS) {
                finding.cause.check = id::ALLIN;
                finding.cause.what = format!("it leaves when the opponent shows 0: {}", finding.cause.what);
            }
        }
        Ok(found)
    });
    Job { run, ..job }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_check_has_a_dialogue() {
        let special = dialogues(1).into_iter().filter_map(|dialogue| dialogue.check);
        let seen: BTreeSet<&str> = special.chain([id::DETERMINISM, id::IGNORES]).chain(plain().checks).collect();
        let all = catalogue().checks.iter().map(|check| check.id.as_str()).collect();
        assert_eq!(seen, all);
    }
}
