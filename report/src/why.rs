//! Why a game was lost, and how its seats stood at each position: one computation for `why` and for the page.
//!
//! A game that can be calculated says where it was decided ([`GameView::explain`]). Any other is explained by the
//! values that it gives its positions ([`GameView::value`]). Without these, games are played on from its positions, by
//! bots ([`PlayOn`]) or at random, to find the moves after which the loser wins fewer of them than chance explains.

mod told;

use crate::json::rounded;
use crate::view::{GameView, state_of};
use crate::{plain, shown};
use cornerman::format::Measure;
use cornerman::game::{Game, LiveGame, Outcome, Reply, Seat};
use cornerman::rng::Rng;
use cornerman_harness::record::{FaultRecord, GameRecord, RecordedAction, actions};
use cornerman_harness::replay::{Deviation, open, play_again};
use cornerman_harness::ruleset::Ruleset;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use std::error::Error;
pub use told::{Explained, LossTally, WhyJson, summary};

/// Something that decided a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "CauseJson")]
pub struct Cause {
    /// `forfeit`, `known` (from where on), `last-chance`, `missed`, `drop` (of an estimate), `habit` or `unknown`.
    pub kind: &'static str,
    /// The number of the move, if it is one.
    #[serde(rename = "move")]
    pub number: Option<u32>,
    /// It in words.
    pub text: String,
}

impl Cause {
    /// A cause that is not one move.
    pub(crate) fn general(kind: &'static str, text: impl Into<String>) -> Cause {
        Cause { kind, number: None, text: text.into() }
    }

    /// A cause that is the move `number`.
    pub(crate) fn of_move(kind: &'static str, number: u32, text: impl Into<String>) -> Cause {
        Cause { kind, number: Some(number), text: text.into() }
    }
}

/// Why a game was lost, and how its seats stood.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explanation {
    /// Why, in the order in which it is shown.
    pub causes: Vec<Cause>,
    /// What was found about its positions; `None` if nothing was.
    pub curve: Option<Curve>,
}

impl Explanation {
    /// Causes alone, without a curve.
    pub(crate) fn from_causes(causes: Vec<Cause>) -> Explanation {
        Explanation { causes, curve: None }
    }
}

/// What is known of the positions of a game: of the one before each of its actions, and of the last one.
/// As JSON, they are in the data of the page, which `docs/report.md` describes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Curve {
    /// What is known, in words: `who wins, calculated`.
    pub about: String,
    /// The positions.
    #[serde(flatten)]
    pub standing: Standing,
    /// The actions, from 0, that gave something away: a chance to win, or as much of a value as the causes name.
    pub missed: Vec<usize>,
}

/// How the seats stand at each position.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// The seat that wins if both play well; `None` where it is not known.
    Winner(Vec<Option<Seat>>),
    /// Values, of which more is better.
    Lines(Vec<CurveLine>),
}

/// How well one seat stands at each position.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(into = "Value")]
pub struct CurveLine {
    /// The seat; `None` for an imagined bot, such as one that predicts the hands of the loser.
    pub seat: Option<Seat>,
    /// The values; `None` where there is none.
    pub values: Vec<Option<MeanInterval>>,
}

/// A mean, and half of its 95 % interval, which is 0 if the value is exact.
pub type MeanInterval = (f64, f64);

impl Curve {
    /// A curve of values. Which actions gave something away is not known yet.
    pub(crate) fn from_lines(about: String, lines: Vec<CurveLine>) -> Curve {
        Curve { about, standing: Standing::Lines(lines), missed: Vec::new() }
    }
}

impl From<CurveLine> for Value {
    /// The values to a hundredth, and their `errors` unless all are exact.
    fn from(CurveLine { seat, values }: CurveLine) -> Value {
        let all = |part: fn(MeanInterval) -> f64| -> Vec<Option<f64>> {
            values.iter().map(|value| value.map(part).map(|value| rounded(value, 2))).collect()
        };
        let mut line = json!({ "seat": seat, "values": all(|(mean, _)| mean) });
        if values.iter().flatten().any(|(_, error)| *error > 0.0) {
            line["errors"] = json!(all(|(_, error)| error));
        }
        line
    }
}

/// How much may be calculated for a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// What takes a fraction of a second, for a page with many games. No games are played on from positions.
    Brief,
    /// What takes a second or two for a game, to explain many games of a bot; it can be more with [bots](Means::bots).
    Usual,
    /// What takes some seconds for a game; it can be more with [bots](Means::bots).
    Thorough,
}

/// What may be done to explain a game.
#[derive(Clone, Copy)]
pub struct Means<'a> {
    /// How much may be calculated.
    pub effort: Effort,
    /// Bots that play on from the positions of a game that can neither be calculated nor has values; without them,
    /// moves are drawn by lot.
    pub bots: Option<&'a dyn PlayOn>,
}

/// Bots that play recorded games on from their positions.
pub trait PlayOn: Sync {
    /// The names of the bots, in words.
    fn who(&self) -> String;

    /// What the loser [wins](Lost::win) in each of at most `games` games that go on after the first `taken` actions of
    /// the lost one: fewer if there are fewer ways to seat the bots. Games in which a seat forfeits are left out,
    /// because they say nothing about the position.
    ///
    /// # Errors
    /// Why the bots cannot play.
    fn wins(&self, lost: &Lost, taken: usize, games: u32) -> Result<Vec<f64>, Box<dyn Error>>;
}

/// A recorded game that one of its seats lost, with all its positions.
pub struct Lost<'a> {
    /// The rules.
    pub ruleset: &'a Ruleset,
    /// The game.
    pub record: &'a GameRecord,
    /// The names of the seats, escaped.
    pub names: &'a [String],
    /// The seat that lost.
    pub seat: Seat,
    /// What decides the games of its stage; `None` if the game's own winners do.
    pub measure: Option<Measure>,
    /// What may be done to explain it.
    pub means: Means<'a>,
    /// The turns of all seats, in order.
    pub turns: Vec<RecordedTurn<'a>>,
    /// The position before each turn, and the one at the end.
    pub positions: Vec<Box<dyn LiveGame>>,
}

/// A turn of a recorded game.
pub struct RecordedTurn<'a> {
    /// The number of the move, from 1.
    pub number: u32,
    /// Whose turn it is.
    pub seat: Seat,
    /// Its move in notation; `None` if it forfeited.
    pub notation: Option<&'a str>,
    /// The index of the first position that it changed: the one after all turns that were taken at the same time.
    pub after: usize,
}

impl<'a> RecordedTurn<'a> {
    /// The turn of `action`, with the index `at`, if no other turn is taken at the same time.
    fn alone(at: usize, action: &RecordedAction<'a>) -> RecordedTurn<'a> {
        let notation = match action {
            RecordedAction::Moved(made) => Some(made.notation.as_str()),
            RecordedAction::Forfeited(_) => None,
        };
        RecordedTurn { number: action.number(), seat: action.seat(), notation, after: at + 1 }
    }
}

impl<'a> Lost<'a> {
    /// Plays the game again.
    ///
    /// # Errors
    /// With the reason, if the record contradicts the rules.
    fn new(
        ruleset: &'a Ruleset,
        record: &'a GameRecord,
        names: &'a [String],
        (seat, measure): (Seat, Option<Measure>),
        means: Means<'a>,
    ) -> Result<Lost<'a>, Deviation> {
        let mut live = open(ruleset, record)?;
        let mut turns: Vec<RecordedTurn> = Vec::new();
        let mut positions = vec![live.fork()];
        // The index of the first of the turns that are taken at the same time.
        let mut first = 0;
        play_again(&mut *live, &actions(record), &mut |step| {
            turns.push(RecordedTurn::alone(turns.len(), &step.action));
            positions.push(step.live.fork());
            if !step.is_in_turn {
                let after = turns.len();
                for turn in &mut turns[first..] {
                    turn.after = after;
                }
                first = after;
            }
        })?;
        Ok(Lost { ruleset, record, names, seat, measure, means, turns, positions })
    }

    /// What the seat that lost has of first place in a game with this outcome: 1 if it is alone there, 1/n if n seats
    /// share it, otherwise 0.
    pub fn win(&self, outcome: &Outcome) -> f64 {
        let counted = self.measure.map(|measure| measure.counted(outcome));
        let winners: Vec<Seat> = counted.as_ref().unwrap_or(outcome).winners().collect();
        if winners.contains(&self.seat) { 1.0 / winners.len() as f64 } else { 0.0 }
    }

    /// The rules `R` that it was played by.
    ///
    /// # Panics
    /// When it was played by other rules.
    pub(crate) fn rules<R: Game>(&self) -> &R {
        self.ruleset.rules_of().expect("a game's view is asked about games by its rules")
    }

    /// The position with this index, by the rules `R`.
    ///
    /// # Panics
    /// When it was played by other rules.
    pub(crate) fn state<R: Game>(&self, at: usize) -> &R::State {
        state_of::<R>(&*self.positions[at])
    }

    /// The name of a seat.
    pub(crate) fn name(&self, seat: Seat) -> &str {
        &self.names[seat.index()]
    }

    /// The index of the position in which the turn with the index `at` was taken, and all turns at the same time.
    fn position_before(&self, at: usize) -> usize {
        self.turns[..at].iter().map(|turn| turn.after).filter(|&after| after <= at).max().unwrap_or(0)
    }
}

/// Why `seat` lost `record`, a game by `ruleset` whose seats have these `names` and whose stage is decided by `measure`
/// if not by the game's own winners: its forfeits, or what `view` finds.
///
/// # Errors
/// With the reason, if the record contradicts the rules.
pub fn explain(
    view: &dyn GameView,
    ruleset: &Ruleset,
    record: &GameRecord,
    names: &[String],
    (seat, measure): (Seat, Option<Measure>),
    means: Means,
) -> Result<Explanation, Deviation> {
    if let Some(forfeits) = forfeits(record, seat) {
        return Ok(forfeits);
    }
    Ok(view.explain(&Lost::new(ruleset, record, names, (seat, measure), means)?))
}

/// The forfeits of `seat` as the causes; `None` without any.
fn forfeits(record: &GameRecord, seat: Seat) -> Option<Explanation> {
    let own = record.faults.iter().filter(|fault| fault.seat == seat);
    let cause = |fault: &FaultRecord| {
        let text = format!("it forfeits: {}", plain(&fault.detail));
        Cause::of_move("forfeit", fault.number, text)
    };
    let causes: Vec<Cause> = own.map(cause).collect();
    (!causes.is_empty()).then(|| Explanation::from_causes(causes))
}

/// Explains a game by the values that `value` gives its positions, one for each seat; if it gives none, by playing on
/// from the positions.
pub(crate) fn by_value_or_playing_out(lost: &Lost, value: &dyn Fn(&dyn LiveGame) -> Vec<f64>) -> Explanation {
    let values: Vec<Vec<f64>> = lost.positions.iter().map(|live| value(&**live)).collect();
    let seats = values.iter().map(Vec::len).max().unwrap_or(0);
    if seats == 0 {
        return by_playing_out(lost);
    }
    let line = |seat: usize| CurveLine {
        seat: Some(Seat(seat as u8)),
        values: values.iter().map(|values| values.get(seat).map(|&value| (value, 0.0))).collect(),
    };
    let about = "value of the position, as the game itself states it".to_string();
    let curve = Curve::from_lines(about, (0..seats).map(line).collect());
    let shown = |value: f64| format!("{:.2}", value + 0.0);
    let Some(leads) = leads(&values, lost.seat) else {
        return explain_by_drops(&lost.turns, lost.seat, curve, shown);
    };
    let about = format!("{}, minus that of the best other seat", curve.about);
    let lead = Curve::from_lines(about, vec![CurveLine { seat: Some(lost.seat), values: leads }]);
    let explained = explain_by_drops(&lost.turns, lost.seat, lead, shown);
    let missed = explained.curve.map(|lead| lead.missed).unwrap_or_default();
    Explanation { curve: Some(Curve { missed, ..curve }), ..explained }
}

/// By how much `own` is ahead of the best other seat at each position. `None` if the values of all seats always have
/// the same sum: then its own value says enough. Also `None` without values.
fn leads(values: &[Vec<f64>], own: Seat) -> Option<Vec<Option<MeanInterval>>> {
    let sums: Vec<f64> =
        values.iter().filter(|values| !values.is_empty()).map(|values| values.iter().sum()).collect();
    let first = *sums.first()?;
    let is_same = |sum: &f64| (sum - first).abs() <= 1e-6 * first.abs().max(1.0);
    if sums.iter().all(is_same) {
        return None;
    }
    let lead = |values: &Vec<f64>| {
        let others = values.iter().enumerate().filter(|(seat, _)| *seat != own.index()).map(|(_, value)| *value);
        let best = others.reduce(f64::max)?;
        values.get(own.index()).map(|value| (value - best, 0.0))
    };
    Some(values.iter().map(lead).collect())
}

/// The most steps of a random game. If it is not over by then, the seat has not won.
const LONGEST: usize = 4000;

/// Explains a game by the moves after which the loser wins fewer of the games that are played on from its positions.
fn by_playing_out(lost: &Lost) -> Explanation {
    // The most turns of the loser that are examined, and of games that are played on from each position.
    let (most_turns, games) = match (lost.means.effort, lost.means.bots.is_some()) {
        (Effort::Brief, _) => return Explanation::default(),
        (Effort::Usual, false) => (60, 20),
        (Effort::Thorough, false) => (60, 100),
        // Fewer, because each of these games starts its bots and asks them for the recorded moves too.
        (Effort::Usual, true) => (6, 4),
        (Effort::Thorough, true) => (12, 12),
    };
    let mut rng = Rng::new(lost.record.setup.seed);
    let mut wins = |at: usize| {
        let position = lost.position_before(at);
        if let Some(bots) = lost.means.bots {
            return bots.wins(lost, position, games);
        }
        let live = &*lost.positions[position];
        let wins: Option<Vec<f64>> = (0..games).map(|_| random_game(live, lost, &mut rng)).collect();
        wins.ok_or_else(|| "this game does not list its legal moves, so that it cannot be played out".into())
    };
    let own: Vec<usize> = (0..lost.turns.len()).filter(|&at| lost.turns[at].seat == lost.seat).collect();
    let step = own.len().div_ceil(most_turns).max(1);
    let mut values: Vec<Option<MeanInterval>> = vec![None; lost.positions.len()];
    for at in own.into_iter().step_by(step).flat_map(|at| [at, lost.turns[at].after]) {
        if values[at].is_none() {
            match wins(at) {
                Ok(wins) => values[at] = (!wins.is_empty()).then(|| mean_and_error(&wins)),
                Err(why) => return Explanation::from_causes(vec![Cause::general("unknown", plain(why))]),
            }
        }
    }
    if values.iter().flatten().next().is_none() {
        let text = "a bot forfeited in every game that was played on from a position: it has to be one that can take a game over";
        return Explanation::from_causes(vec![Cause::general("unknown", text)]);
    }
    let about = match lost.means.bots {
        Some(bots) => format!("share of wins, each position played on up to {games} times by {}", bots.who()),
        None => format!("share of wins, each position played out at random {games} times"),
    };
    let curve = Curve::from_lines(about, vec![CurveLine { seat: Some(lost.seat), values }]);
    explain_by_drops(&lost.turns, lost.seat, curve, |value| format!("{:.0} %", value * 100.0))
}

/// Why `seat` lost `record`, by the values of an engine: its forfeits, or else the values and the moves after which
/// they fell the most. `values` are those for the seat, in points, before each action of the game and at its end;
/// `engine` is its name, for people.
pub fn by_engine(record: &GameRecord, seat: Seat, engine: &str, values: &[f64]) -> Explanation {
    if let Some(forfeits) = forfeits(record, seat) {
        return forfeits;
    }
    // Adding 0 turns `-0.0` into `0.0`.
    let points = |points: f64| format!("{:+.1}", points + 0.0);
    let turns: Vec<RecordedTurn> =
        actions(record).iter().enumerate().map(|(at, action)| RecordedTurn::alone(at, action)).collect();
    let line = CurveLine { seat: Some(seat), values: values.iter().map(|&value| Some((value, 0.0))).collect() };
    let curve = Curve::from_lines(format!("points of this seat, by {}", shown(engine)), vec![line]);
    let mut explanation = explain_by_drops(&turns, seat, curve, points);
    let all: Vec<String> = values.iter().map(|value| points(*value)).collect();
    explanation.causes.insert(1, Cause::general("known", format!("from the start on: {}", all.join(" "))));
    explanation
}

/// Plays on from `live` with random legal moves, and returns what the loser [wins](Lost::win). `None` if a seat that is
/// to act has no legal moves listed.
fn random_game(live: &dyn LiveGame, lost: &Lost, rng: &mut Rng) -> Option<f64> {
    let mut live = live.fork();
    for _ in 0..LONGEST {
        let mut acts = Vec::new();
        for seat in live.to_act().iter() {
            let notation = rng.pick(&live.legal(seat))?.clone();
            acts.push((seat, Some(Reply::Notation(notation))));
        }
        if acts.is_empty() {
            break;
        }
        live.act_together(&acts);
    }
    Some(live.outcome().map_or(0.0, |outcome| lost.win(&outcome)))
}

/// The mean of a sample, with half of its 95 % interval.
pub(crate) fn mean_and_error(sample: &[f64]) -> MeanInterval {
    let n = sample.len() as f64;
    let mean = sample.iter().sum::<f64>() / n;
    let variance = sample.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    // Equal values are no proof of certainty, so the variance counts as 1/n at least.
    (mean, 1.96 * (variance.max(1.0 / n) / n).sqrt())
}

/// A turn after which a value fell by more than its error.
struct Drop {
    /// The index of the turn.
    at: usize,
    before: f64,
    after: f64,
    /// Half of the 95 % interval of the difference.
    error: f64,
}

/// Explains a game by the turns of `seat`, at most three, after which its line of `curve` fell the most, and by more
/// than its error. `shown` writes a value.
pub(crate) fn explain_by_drops(
    turns: &[RecordedTurn],
    seat: Seat,
    mut curve: Curve,
    shown: impl Fn(f64) -> String,
) -> Explanation {
    let lines = if let Standing::Lines(lines) = &curve.standing { &lines[..] } else { &[] };
    let value = |at: usize| {
        let own = lines.iter().find(|line| line.seat == Some(seat))?;
        own.values.get(at).copied().flatten()
    };
    let drop_at = |at: usize| {
        let (before, error_before) = value(at)?;
        let (after, error_after) = value(turns[at].after)?;
        let error = error_before.hypot(error_after);
        (before - after > error).then_some(Drop { at, before, after, error })
    };
    let own = (0..turns.len()).filter(|&at| turns[at].seat == seat);
    let mut drops: Vec<Drop> = own.filter_map(drop_at).collect();
    drops.sort_by(|a, b| (b.before - b.after).total_cmp(&(a.before - a.after)));
    drops.truncate(3);
    let mut causes = vec![Cause::general("known", format!("estimates: {}", curve.about))];
    if drops.is_empty() {
        let is_exact = lines.iter().flat_map(|line| line.values.iter().flatten()).all(|(_, error)| *error == 0.0);
        let text = if is_exact {
            "no move of its own lowers it"
        } else {
            "no single move stands out of the error of the estimates"
        };
        causes.push(Cause::general("unknown", text));
    }
    for &Drop { at, before, after, error } in &drops {
        let turn = &turns[at];
        let played =
            turn.notation.map_or_else(String::new, |notation| format!(" by `{}`", crate::shown(notation)));
        let error = if error > 0.0 { format!(" (± {})", shown(error)) } else { String::new() };
        let text = format!("falls from {} to {}{error}{played}", shown(before), shown(after));
        causes.push(Cause::of_move("drop", turn.number, text));
    }
    curve.missed = drops.iter().map(|drop| drop.at).collect();
    curve.missed.sort_unstable();
    Explanation { causes, curve: Some(curve) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Turns of two seats that alternate.
    fn turns(count: usize) -> Vec<RecordedTurn<'static>> {
        let turn = |at: usize| RecordedTurn {
            number: at as u32 + 1,
            seat: Seat(at as u8 % 2),
            notation: Some("m"),
            after: at + 1,
        };
        (0..count).map(turn).collect()
    }

    #[test]
    fn the_moves_after_which_a_value_falls_the_most_are_named() {
        let check = |seat: u8,
                     turns: &[RecordedTurn],
                     values: &[Option<MeanInterval>],
                     wanted: &[&str],
                     missed: &[usize]| {
            let line = CurveLine { seat: Some(Seat(seat)), values: values.to_vec() };
            let curve = Curve::from_lines("points".to_string(), vec![line]);
            let Explanation { causes, curve } =
                explain_by_drops(turns, Seat(seat), curve, |value| format!("{value:.0}"));
            let texts: Vec<String> = (causes[1..].iter())
                .map(|cause| cause.number.map_or(String::new(), |number| format!("{number}: ")) + &cause.text)
                .collect();
            assert_eq!(texts, wanted, "{values:?}");
            assert_eq!(curve.expect("it has one").missed, missed, "{values:?}");
        };
        let exact = |values: &[f64]| -> Vec<Option<MeanInterval>> {
            values.iter().map(|&value| Some((value, 0.0))).collect()
        };
        let about = |values: &[f64], error: f64| -> Vec<Option<MeanInterval>> {
            values.iter().map(|&value| Some((value, error))).collect()
        };
        let nothing = "no move of its own lowers it";
        check(0, &turns(4), &exact(&[0.0, 0.0, -9.0, -8.0, -8.0]), &[nothing], &[]);
        check(
            1,
            &turns(4),
            &exact(&[0.0, 0.0, -9.0, -8.0, -9.0]),
            &["2: falls from 0 to -9 by `m`", "4: falls from -8 to -9 by `m`"],
            &[1, 3],
        );
        // Only the three largest, and of these only those that exceed the error.
        check(
            0,
            &turns(8),
            &exact(&[9.0, 5.0, 5.0, 4.0, 4.0, 2.0, 2.0, -1.0, -1.0]),
            &["1: falls from 9 to 5 by `m`", "7: falls from 2 to -1 by `m`", "5: falls from 4 to 2 by `m`"],
            &[0, 4, 6],
        );
        check(0, &turns(4), &about(&[9.0, 3.0, 3.0, 0.0, 0.0], 3.0), &["1: falls from 9 to 3 (± 4) by `m`"], &[0]);
        check(
            0,
            &turns(2),
            &about(&[9.0, 7.0, 7.0], 3.0),
            &["no single move stands out of the error of the estimates"],
            &[],
        );
        // A value that is not known cannot fall.
        check(
            0,
            &turns(3),
            &[Some((9.0, 0.0)), None, Some((1.0, 0.0)), Some((0.0, 0.0))],
            &["3: falls from 1 to 0 by `m`"],
            &[2],
        );
        // Moves that are made at the same time have their effect after the last of them.
        let mut both = turns(2);
        both[0].after = 2;
        check(0, &both, &exact(&[4.0, 4.0, 1.0]), &["1: falls from 4 to 1 by `m`"], &[0]);
    }

    #[test]
    fn a_value_is_compared_with_that_of_the_best_other_seat_unless_all_have_one_sum() {
        let check = |values: &[&[f64]], wanted: Option<&[f64]>| {
            let values: Vec<Vec<f64>> = values.iter().map(|values| values.to_vec()).collect();
            let leads = leads(&values, Seat(0));
            let leads = leads.map(|leads| leads.into_iter().flatten().map(|(lead, _)| lead).collect::<Vec<_>>());
            assert_eq!(leads.as_deref(), wanted, "{values:?}");
        };
        check(&[], None);
        check(&[&[0.7, 0.3], &[], &[0.1, 0.9]], None);
        check(&[&[1.0, 1.0], &[2.0, 1.0], &[2.0, 4.0]], Some(&[0.0, 1.0, -2.0]));
        check(&[&[3.0, 1.0, 2.0], &[3.0, 5.0, 2.0]], Some(&[1.0, -2.0]));
    }

    #[test]
    fn a_curve_as_json_has_a_value_for_each_position() {
        let check = |standing: Standing, wanted: Value| {
            let curve = Curve { about: "points".to_string(), standing, missed: vec![1] };
            assert_eq!(json!(curve), wanted);
        };
        check(
            Standing::Winner(vec![None, Some(Seat(1)), Some(Seat(0))]),
            json!({ "about": "points", "missed": [1], "winner": [null, 1, 0] }),
        );
        let exact = CurveLine { seat: None, values: vec![None, Some((-0.001, 0.0))] };
        let estimated = CurveLine { seat: Some(Seat(1)), values: vec![Some((1.0 / 3.0, 0.129)), None] };
        check(
            Standing::Lines(vec![exact, estimated]),
            json!({ "about": "points", "missed": [1], "lines": [
                { "seat": null, "values": [null, 0.0] },
                { "seat": 1, "values": [0.33, null], "errors": [0.13, null] },
            ] }),
        );
    }
}
