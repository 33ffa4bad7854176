//! The suite of Go.
//!
//! The check begins with two games in plain conditions, one per colour. A bot that can play them is tested further:
//! first with `time` and with other board sizes, and then, depending on the results, with whole games for the rules
//! and with dialogues for one check each. The texts of the checks are in `catalog/go.toml`.

mod attribute;
mod dialogues;
mod misconception;
mod opponent;
mod play;
mod wrong_board;

use super::Suite;
use crate::attribution::Observations;
use crate::budget::Round;
use crate::catalog::{Catalogue, Id, LINES};
use crate::finding::{Cause, Evidence, Finding, PictureLine};
use crate::jobs::{Job, JobResult};
use crate::protocol::lines::Dialogue;
use crate::protocol::lines::conditions::in_plain_conditions;
use crate::protocol::lines::game::LineRules;
use crate::runner::{BotRunner, SharedState};
use attribute::is_silent;
use cornerman::game::Spot;
use cornerman::games::go::{self, Colour, Move};
use cornerman_harness::kit::AnyKit;
use cornerman_harness::sandbox::SandboxError;
use cornerman_harness::text::duration;
use dialogues::BotTraits;
use misconception::{PlayedGame, turns};
use std::sync::LazyLock;
use std::time::Duration;

/// The ids of the checks of Go that code names.
mod id {
    use crate::catalog::ids;

    ids! {
        TURN = "GO-TURN";
        COORD = "GO-COORD";
        LF = "GO-LF";
        ONE = "GO-ONE";
        FLUSH = "GO-FLUSH";
        PASS = "GO-PASS";
        OCCUPIED = "GO-OCCUPIED";
        SUICIDE = "GO-SUICIDE";
        KO = "GO-KO";
        CAPTURE = "GO-CAPTURE";
        END = "GO-END";
        CLOCK = "GO-CLOCK";
        LONG = "GO-LONG";
        CHUNK = "GO-CHUNK";
        SIGNAL = "GO-SIGNAL";
        ORPHAN = "GO-ORPHAN";
        SIZE = "GO-SIZE";
        QUIET = "GO-QUIET";
        CASE = "GO-CASE";
        GARBAGE = "GO-GARBAGE";
        EOF = "GO-EOF";
        CPU = "GO-CPU";
    }

    /// The checks that the games in plain conditions decide, besides GO-ORPHAN.
    pub(super) const PLAIN: [&str; 7] = [TURN, COORD, LF, ONE, FLUSH, SIGNAL, QUIET];

    /// The checks that whole games decide.
    pub(super) const RULES: [&str; 6] = [PASS, OCCUPIED, SUICIDE, KO, CAPTURE, COORD];

    /// The checks of illegal moves. A bot that fails them can still be tested further.
    pub(super) const ILLEGAL: [&str; 3] = [OCCUPIED, SUICIDE, KO];
}

/// The checks of the suite.
pub fn catalogue() -> &'static Catalogue {
    static CATALOGUE: LazyLock<Catalogue> =
        LazyLock::new(|| Catalogue::read("go", include_str!("../../catalog/go.toml"), LINES));
    &CATALOGUE
}

/// How Go uses the protocol.
static RULES: LazyLock<LineRules> = LazyLock::new(|| LineRules {
    checks: catalogue(),
    turn: "move",
    answer: "move",
    numbers_all: true,
    greets: false,
    ignores_text: true,
});

/// The suite of Go.
pub struct Go;

/// The number of moves of a bot in a long game.
const MOVES: u32 = 250;

/// If a bot stops playing in a game that takes longer than this in all, other whole games are left out.
const LONG_SILENCE: Duration = Duration::from_secs(10);

/// A bot whose slowest move takes longer than this is sent `time` at the start of long games: they test the rules, not
/// the strength of its moves.
const SLOW: Duration = Duration::from_millis(50);

impl Suite for Go {
    fn catalogue(&self) -> &'static Catalogue {
        catalogue()
    }

    fn kit(&self) -> &'static dyn AnyKit {
        &cornerman_harness::games::go::KIT
    }

    fn specimens(&self) -> &'static str {
        include_str!("../../specimens/go.toml")
    }

    fn depends_on_rules(&self) -> bool {
        false
    }

    fn phase_jobs(&self, shared: &SharedState, seen: &Observations, phase: usize) -> Option<Vec<Job>> {
        let selected = |check: Id| shared.selected.contains(check);
        let for_rules = id::RULES.into_iter().chain([id::LONG, id::END]).any(selected);
        let rest = |bot: BotTraits| {
            let all = dialogues::rest(shared.options.seed, bot);
            all.filter(move |dialogue| dialogue.check.map_or(for_rules, selected))
        };
        // Later dialogues depend on the results of earlier ones, but their number of moves can be estimated already.
        let expected = rest(BotTraits::default()).filter(|dialogue| dialogue.round != Round::Short);
        let moves = expected.map(|dialogue| dialogue.moves).sum();
        let short = !shared.budget.fits_on_all(moves);
        match phase {
            0 => Some(Colour::BOTH.map(|bot| plain_job(bot, moves)).into()),
            1 => {
                // Games for the rules depend on the results of all these.
                let is_wanted = |dialogue: &Dialogue| for_rules || dialogue.check.is_some_and(selected);
                Some(dialogues::first(short).filter(is_wanted).map(dialogue_job).collect())
            }
            2 => {
                let failed = |id: Id| seen.findings.iter().any(|finding| finding.conditions.seen_by == Some(id));
                let slowest = shared.known().timing.slowest.clone().map_or(Duration::ZERO, |(_, took)| took);
                let bot = BotTraits {
                    small_boards: !failed(id::SIZE),
                    handles_time: !failed(id::CLOCK),
                    slow: slowest > SLOW,
                    short,
                };
                Some(rest(bot).map(dialogue_job).collect())
            }
            _ => None,
        }
    }

    fn attribute(&self, seen: &mut Observations) {
        attribute::attribute(seen);
    }

    /// The referee's board with the last point that was played in brackets: before the move if it is illegal, else
    /// after it. Of a large board, only rows near that point.
    fn picture(&self, finding: &Finding, _: usize) -> Vec<PictureLine> {
        const AROUND: usize = 4;
        let game = played(&finding.evidence);
        if !id::RULES.contains(&finding.cause.check) && !id::ILLEGAL.contains(&finding.cause.check) {
            return Vec::new();
        }
        let Some(last) = turns(&game).last() else { return Vec::new() };
        let spot = if let Move::Place(spot) = last.m { Some(spot) } else { None };
        let diagram = last.after.unwrap_or(last.position).diagram(spot);
        let lines: Vec<String> = diagram.lines().map(str::to_string).collect();
        // The letters are above and below the rows.
        let first = 1;
        let last = lines.len() - 2;
        let row = spot.filter(|_| game.size > 9).map(|spot| first + usize::from(spot.row));
        let is_near =
            |at: usize| row.is_none_or(|row| !(first..=last).contains(&at) || row.abs_diff(at) <= AROUND);
        (0..).zip(lines).filter(|(at, _)| is_near(*at)).map(|(_, line)| PictureLine::plain(line)).collect()
    }

    fn is_answer(&self, text: &[u8]) -> bool {
        text.split(|&byte| byte == b'\n').any(|line| go::is_move(line, go::Go::default().size))
    }

    fn words(&self) -> &'static [&'static str] {
        &["goban", "komi", "liberties", "liberty", "vertex"]
    }

    /// Recognizes a bot whose first line is a move when it is started as `black` (G4, G5).
    fn recognize(&self, runner: &mut BotRunner) -> Result<Option<&'static str>, SandboxError> {
        let size = go::Go::default().size;
        let plays = runner.finds_out(vec!["black".into()], |bot| {
            let first = match bot.next_line()? {
                Some(line) => Some(line),
                None => bot.held_back()?.into_iter().next(),
            };
            Ok(first.is_some_and(|line| go::is_move(&line, size)))
        })?;
        Ok(plays.then_some("it opens with a vertex when started as `black`"))
    }
}

/// The job of the game in plain conditions in which the bot plays the colour `bot`. It is short if the budget does
/// not suffice for the number of `moves` planned after it.
fn plain_job(bot: Colour, moves: u32) -> Job {
    // Both games together judge these checks, so only the second one lists them.
    let judged: Vec<Id> =
        if bot == Colour::BOTH[1] { [&id::PLAIN[..], &[id::ORPHAN]].concat() } else { Vec::new() };
    Job::new(&judged, 1, move |runner| {
        let slowest = runner.shared.known().timing.slowest.clone().map_or(Duration::ZERO, |(_, took)| took);
        let short = !runner.shared.budget.fits_on_all(moves);
        let dialogue = dialogues::plain(bot, short, slowest, moves);
        let result = runner.run_dialogue(&dialogue)?;
        let harmless = [&id::ILLEGAL[..], &[id::EOF, id::QUIET]].concat();
        let mut found = in_plain_conditions(catalogue(), &dialogue, result, &harmless);
        if let Some(finding) = found.findings.iter_mut().find(|finding| is_silent(finding))
            && let Some(reason) = does_not_know(runner, &played(&finding.evidence))?
        {
            finding.cause.check = id::COORD;
            finding.cause.what.push_str(&format!("; {reason}"));
            found.halted = Some(id::COORD);
        }
        Ok(found)
    })
}

/// Tests whether the bot stopped in `game` because it does not know the opponent's last point. If the bot does not
/// answer that point as black's first move either, but answers another one, returns this in words.
fn does_not_know(runner: &mut BotRunner, game: &PlayedGame) -> Result<Option<String>, SandboxError> {
    let Some(&Move::Place(spot)) = game.moves.last() else { return Ok(None) };
    let mut answers = |spot| {
        let result = runner.run_dialogue(&dialogues::first_move(Move::Place(spot)))?;
        Ok::<bool, SandboxError>(result.is_whole())
    };
    let centre = Spot { row: game.size / 2 + 1, col: game.size / 2 - 1 };
    let stops = spot != centre && !answers(spot)? && answers(centre)?;
    Ok(stops.then(|| {
        let at = go::vertex(spot, game.size);
        let other = go::vertex(centre, game.size);
        format!("it does not answer {at} as the first move of a game either, but {other}")
    }))
}

/// Whether the dialogues of `check` are whole games whose special conditions do not matter for other checks: what goes
/// wrong in them counts as if it were seen in plain conditions.
fn shows_rules(check: Option<&'static str>) -> bool {
    [Some(id::LONG), Some(id::END)].contains(&check)
}

/// The job of a dialogue after the games in plain conditions.
fn dialogue_job(dialogue: Dialogue) -> Job {
    let check = dialogue.check;
    let checks = check.map_or(id::RULES.to_vec(), |check| vec![check]);
    let job_checks = checks.clone();
    let job = dialogue.job(move |runner, dialogue| {
        let is_whole = check.is_none() || shows_rules(check);
        // A bot that was silent for long in a game would be so in this one too, which would show nothing new.
        if let Some(known) =
            attribute::SILENT.into_iter().find(|id| is_whole && runner.shared.known().confirmed.contains(id))
        {
            let blocked =
                job_checks.into_iter().filter(|check| *check != known).map(|check| (check, known)).collect();
            return Ok(JobResult { judged: Some(Vec::new()), blocked, ..JobResult::default() });
        }
        let (mut findings, result) = runner.findings(dialogue)?;
        let is_long = |finding: &&Finding| is_silent(finding) && finding.evidence.report.wall > LONG_SILENCE;
        for finding in findings.iter().filter(is_long) {
            runner.shared.known().confirmed.insert(finding.cause.check);
        }
        if shows_rules(check) {
            for finding in findings.iter_mut().filter(|finding| finding.special_check().is_some()) {
                (finding.conditions.seen_by, finding.conditions.interrupted) = (None, check);
            }
        }
        let mut remarks = Vec::new();
        if check == Some(id::CPU) {
            let cpu = processor_time_per_move(&result.evidence);
            let each = duration(cpu);
            let all = duration(cpu * MOVES);
            remarks.push(format!(
                "it used {each} of processor time per move, which is {all} in a game of {MOVES} of its moves"
            ));
            let budget = runner.shared.clock.map_or(Duration::MAX, |clock| clock.budget);
            // In a game of few moves, the start of the program would distort the average.
            let enough = dialogue.moves as usize > dialogues::PLIES / 2 && findings.is_empty();
            if let Some(cause) = too_slow(cpu, budget).filter(|_| enough) {
                findings.push(Finding::new(check, cause, result.evidence.clone()));
            }
        }
        let judged = check.into_iter().chain(id::RULES.into_iter().filter(|_| is_whole)).collect();
        let plain = if is_whole { vec![result.evidence] } else { Vec::new() };
        let result = JobResult { findings, plain, remarks, ..JobResult::default() };
        Ok(result.judging(catalogue(), judged, |_, _| false))
    });
    Job { checks, ..job }
}

/// The processor time that the bot used per move in the game of `evidence`, on average.
fn processor_time_per_move(evidence: &Evidence) -> Duration {
    let game = played(evidence);
    let first = usize::from(game.bot == Colour::White);
    let moves = game.moves.iter().skip(first).step_by(2).count();
    evidence.report.cpu.total() / moves.max(1) as u32
}

/// What is wrong with a bot that uses the processor time `cpu` per move, if a long game would exceed its `budget` (G3).
fn too_slow(cpu: Duration, budget: Duration) -> Option<Cause> {
    (cpu * MOVES > budget).then(|| {
        let what = "of processor time per move: a long game would exceed the time of a game";
        Cause::new(id::CPU, format!("{} {what}", duration(cpu)))
    })
}

/// The game that was played in the dialogue of `evidence`.
fn played(evidence: &Evidence) -> PlayedGame {
    let arg = |number: usize| evidence.request.args.get(number).and_then(|arg| arg.to_str());
    let size = arg(1).and_then(|size| size.parse().ok()).unwrap_or(go::Go::default().size);
    let bot = if arg(0) == Some(Colour::White.name()) { Colour::White } else { Colour::Black };
    let moves =
        evidence.transcript.as_ref().map_or(Vec::new(), |transcript| misconception::moves(transcript, size));
    PlayedGame { size, bot, moves }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_hour_is_enough_for_250_moves_of_14_4_seconds() {
        let too_slow = |millis| too_slow(Duration::from_millis(millis), Duration::from_secs(3600));
        assert_eq!(too_slow(14_400), None);
        assert_eq!(too_slow(14_500).map(|cause| cause.check), Some(id::CPU));
    }
}
