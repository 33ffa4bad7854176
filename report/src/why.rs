//! Why a game was lost: the forfeits, and then what its game has to say of the moves.
//!
//! A game that can be calculated says where it was decided ([`GameView::causes`]). Any other is played out at random
//! from its positions, often enough that a move after which the loser's share of wins falls stands out of the error.

use crate::count;
use crate::view::GameView;
use crate::{plain, shown};
use cornerman::format::{EntrantId, GameId};
use cornerman::game::{Action, Game, Seat};
use cornerman::rng::Rng;
use cornerman_harness::record::{GameRecord, RecordedAction, actions};
use cornerman_harness::replay::Deviation;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Something that decided a game, or that says why nothing is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// What it is: `forfeit`, `known`, `last-chance`, `missed`, `drop`, `habit` or `unknown`.
    pub kind: &'static str,
    /// The number of the move, from 1, if it is one.
    pub number: Option<u32>,
    /// In words for the bot's author.
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

/// A recorded game with all its positions, as one of its seats lost it.
pub struct Lost<'a, R: Game> {
    /// The rules.
    pub rules: &'a R,
    /// The game.
    pub record: &'a GameRecord,
    /// The names of the seats, escaped.
    pub names: &'a [String],
    /// The seat that lost.
    pub seat: Seat,
    /// Its turns and those of the others, in order.
    pub turns: Vec<RecordedTurn<'a, R>>,
    /// The position at the end.
    pub last: R::State,
}

/// A turn of a recorded game.
pub struct RecordedTurn<'a, R: Game> {
    /// The number of the move, from 1.
    pub number: u32,
    /// Whose turn it is.
    pub seat: Seat,
    /// Its move in notation; `None` if it forfeited.
    pub notation: Option<&'a str>,
    /// The position before it.
    pub before: R::State,
}

impl<R: Game> RecordedTurn<'_, R> {
    pub(crate) fn valued(&self, before: MeanInterval, after: MeanInterval) -> Valued<'_> {
        Valued { number: self.number, notation: self.notation, before, after }
    }
}

impl<'a, R: Game> Lost<'a, R> {
    /// Plays the game again.
    ///
    /// # Errors
    /// With the reason, if the record contradicts the rules.
    pub(crate) fn new(
        rules: &'a R,
        record: &'a GameRecord,
        names: &'a [String],
        seat: Seat,
    ) -> Result<Lost<'a, R>, Deviation> {
        let mut state = rules.start(&record.setup).map_err(|error| Deviation::NoStart(error.0))?;
        let mut turns = Vec::new();
        let mut acts: Vec<(Seat, Action<R::Move>)> = Vec::new();
        for action in actions(record) {
            let seat = action.seat();
            let number = action.number();
            let is_due = rules.to_act(&state).contains(seat) && acts.iter().all(|(other, _)| *other != seat);
            let (notation, act) = match action {
                _ if !is_due => return Err(Deviation::NotToMove(number, seat)),
                RecordedAction::Forfeited(_) => (None, Action::Forfeit),
                RecordedAction::Moved(made) => match rules.read_notation(&state, seat, &made.notation) {
                    Ok(read) => (Some(made.notation.as_str()), Action::Move(read)),
                    Err(violation) => return Err(Deviation::Illegal(number, violation)),
                },
            };
            turns.push(RecordedTurn { number, seat, notation, before: state.clone() });
            acts.push((seat, act));
            if acts.len() == rules.to_act(&state).len() as usize {
                acts.sort_by_key(|(seat, _)| *seat);
                rules.apply(&mut state, &acts);
                acts.clear();
            }
        }
        Ok(Lost { rules, record, names, seat, turns, last: state })
    }

    /// The name of a seat.
    pub(crate) fn name(&self, seat: Seat) -> &str {
        &self.names[seat.index()]
    }
}

/// Why `seat` lost `record`: its forfeits, and what `view` finds.
pub(crate) fn causes<V: GameView>(
    view: &V,
    rules: &V::Rules,
    record: &GameRecord,
    names: &[String],
    seat: Seat,
) -> Result<Vec<Cause>, Deviation> {
    let forfeits = forfeits(record, seat);
    if forfeits.is_empty() { Ok(view.causes(&Lost::new(rules, record, names, seat)?)) } else { Ok(forfeits) }
}

/// The forfeits of `seat`.
pub(crate) fn forfeits(record: &GameRecord, seat: Seat) -> Vec<Cause> {
    let of_seat = record.faults.iter().filter(|fault| fault.seat == seat);
    let cause =
        |number, detail: &str| Cause::of_move("forfeit", number, format!("it forfeits: {}", plain(detail)));
    of_seat.map(|fault| cause(fault.number, &fault.detail)).collect()
}

/// How often each position is played out, and at how many positions of a game.
const GAMES: u32 = 100;
const POSITIONS: usize = 60;
/// A random game that is longer than this does not count.
const LONGEST: usize = 4000;

/// The moves of the loser after which it wins fewer random games, from the positions of the game on.
pub(crate) fn by_playing_out<R: Game>(lost: &Lost<R>) -> Vec<Cause> {
    let rules = lost.rules;
    let mut rng = Rng::new(lost.record.setup.seed);
    let mut value = |state: &R::State| {
        let outcomes: Option<Vec<f64>> =
            (0..GAMES).map(|_| random_game(rules, state, lost.seat, &mut rng)).collect();
        outcomes.map(|outcomes| mean_and_error(&outcomes))
    };
    let own: Vec<usize> = (0..lost.turns.len()).filter(|&at| lost.turns[at].seat == lost.seat).collect();
    let each = own.len().div_ceil(POSITIONS).max(1);
    let mut moves = Vec::new();
    for &at in own.iter().step_by(each) {
        let after = lost.turns.get(at + 1).map_or(&lost.last, |turn| &turn.before);
        let (Some(before), Some(after)) = (value(&lost.turns[at].before), value(after)) else {
            let text = "this game does not list its legal moves, so that it cannot be played out";
            return vec![Cause::general("unknown", text)];
        };
        moves.push(lost.turns[at].valued(before, after));
    }
    let percent = |value: f64| format!("{:.0} %", value * 100.0);
    let how = format!("each position played out at random {GAMES} times");
    drops(&moves, &how, percent)
}

/// Why `seat` lost `record`, by the values of an engine: its forfeits, or else the values and the moves after which they
/// fell the most. `values` are those for the seat, in points, before each action of the game and at its end; `engine` is
/// its name.
pub fn by_engine(record: &GameRecord, seat: Seat, engine: &str, values: &[f64]) -> Vec<Cause> {
    let forfeits = forfeits(record, seat);
    if !forfeits.is_empty() {
        return forfeits;
    }
    // Never `-0.0`.
    let points = |points: f64| format!("{:+.1}", points + 0.0);
    let actions = actions(record);
    let own = actions.iter().zip(values.windows(2)).filter(|(action, _)| action.seat() == seat);
    let moves: Vec<Valued> = own
        .map(|(action, values)| {
            let notation = match action {
                RecordedAction::Moved(made) => Some(made.notation.as_str()),
                RecordedAction::Forfeited(_) => None,
            };
            Valued { number: action.number(), notation, before: (values[0], 0.0), after: (values[1], 0.0) }
        })
        .collect();
    let mut causes = drops(&moves, &format!("points of this seat, by {}", shown(engine)), points);
    let all: Vec<String> = values.iter().map(|value| points(*value)).collect();
    causes.insert(1, Cause::general("known", format!("from the start on: {}", all.join(" "))));
    causes
}

/// Plays on from `state` with random legal moves: 1 if `seat` wins, 0 if not. `None` if a seat has no move to choose.
fn random_game<R: Game>(rules: &R, state: &R::State, seat: Seat, rng: &mut Rng) -> Option<f64> {
    let mut state = state.clone();
    for _ in 0..LONGEST {
        let acts: Option<Vec<_>> = (rules.to_act(&state).iter())
            .map(|seat| rng.pick(&rules.legal(&state, seat)).cloned().map(|read| (seat, Action::Move(read))))
            .collect();
        let acts = acts?;
        if acts.is_empty() {
            break;
        }
        rules.apply(&mut state, &acts);
    }
    let winners: Vec<Seat> = rules.outcome(&state).map_or_else(Vec::new, |outcome| outcome.winners().collect());
    Some(if winners.contains(&seat) { 1.0 / winners.len() as f64 } else { 0.0 })
}

/// A mean, and half of its 95 % interval.
pub(crate) type MeanInterval = (f64, f64);

/// A turn, with the values of the positions before and after it.
pub(crate) struct Valued<'a> {
    /// The number of the move, from 1.
    pub number: u32,
    /// The move in notation; `None` for a forfeit.
    pub notation: Option<&'a str>,
    pub before: MeanInterval,
    pub after: MeanInterval,
}

/// The mean of a sample, with its error.
pub(crate) fn mean_and_error(sample: &[f64]) -> MeanInterval {
    let n = sample.len() as f64;
    let mean = sample.iter().sum::<f64>() / n;
    let variance = sample.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    // A sample of equal values is not certain either: as if one more were another.
    (mean, 1.96 * (variance.max(1.0 / n) / n).sqrt())
}

/// The three moves after which the value fell the most, if by more than the error of both values.
pub(crate) fn drops(moves: &[Valued], how: &str, shown: impl Fn(f64) -> String) -> Vec<Cause> {
    let mut falls: Vec<_> = moves.iter().map(|it| (it.before.0 - it.after.0, it)).collect();
    falls.retain(|(fall, it)| *fall > it.before.1.hypot(it.after.1));
    falls.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut causes = vec![Cause::general("known", format!("estimates: {how}"))];
    if falls.is_empty() {
        causes.push(Cause::general("unknown", "no single move stands out of the error of the estimates"));
    }
    for (_, Valued { number, notation, before, after }) in falls.into_iter().take(3) {
        let played = notation.map_or_else(String::new, |notation| format!(" by `{}`", crate::shown(notation)));
        let error = before.1.hypot(after.1);
        let error = if error > 0.0 { format!(" (± {})", shown(error)) } else { String::new() };
        let text = format!("falls from {} to {}{error}{played}", shown(before.0), shown(after.0));
        causes.push(Cause::of_move("drop", *number, text));
    }
    causes
}

/// A lost game with its causes.
pub struct Explained {
    /// The game.
    pub id: GameId,
    /// The number of moves.
    pub moves: usize,
    /// The loser.
    pub loser: EntrantId,
    /// Who won.
    pub winners: Vec<EntrantId>,
    /// The board that it started from.
    pub board: Vec<u8>,
    /// Why.
    pub causes: Vec<Cause>,
}

impl Explained {
    /// `s1/r1/m6/g1: jab lost to @parity`, and a line for each cause.
    pub fn text(&self, name: impl Fn(EntrantId) -> String) -> String {
        let winners: Vec<String> = self.winners.iter().map(|id| name(*id)).collect();
        let to = if winners.is_empty() { String::new() } else { format!(" to {}", winners.join(", ")) };
        let mut text = format!("{}: {} lost{to}\n", self.id, name(self.loser));
        for cause in &self.causes {
            let at = cause.number.map_or_else(String::new, |number| format!("move {number}: "));
            text += &format!("  {at}{}\n", cause.text);
        }
        text
    }

    /// The same as JSON.
    pub fn json(&self, name: impl Fn(EntrantId) -> String) -> Value {
        let causes = self
            .causes
            .iter()
            .map(|cause| json!({ "kind": cause.kind, "move": cause.number, "text": cause.text }));
        json!({
            "game": self.id.to_string(),
            "moves": self.moves,
            "lost": name(self.loser),
            "won": self.winners.iter().map(|id| name(*id)).collect::<Vec<_>>(),
            "causes": causes.collect::<Vec<_>>(),
        })
    }
}

/// Where a bot lost: in which part of its games, against whom, on which boards. `played` are its games by opponent and
/// by board, lost or not.
pub fn summary(
    explained: &[Explained],
    played: &BTreeMap<EntrantId, usize>,
    boards: &BTreeMap<Vec<u8>, usize>,
    name: impl Fn(EntrantId) -> String,
) -> String {
    let mut text = String::new();
    let mut phases: BTreeMap<&str, usize> = BTreeMap::new();
    for game in explained {
        // The last cause that is a move is where it was lost for good.
        let decisive =
            game.causes.iter().filter(|cause| cause.kind != "missed").filter_map(|cause| cause.number).max();
        let phase = match decisive {
            _ if game.causes.iter().any(|cause| cause.kind == "forfeit") => "by a forfeit",
            None => "at no move that can be named",
            Some(at) if 3 * at as usize <= game.moves => "in the first third of its moves",
            Some(at) if 3 * at as usize <= 2 * game.moves => "in the second third of its moves",
            Some(_) => "in the last third of its moves",
        };
        *phases.entry(phase).or_default() += 1;
    }
    let mut most: Vec<(&str, usize)> = phases.into_iter().collect();
    most.sort_by_key(|(_, games)| std::cmp::Reverse(*games));
    for (phase, games) in most {
        text += &format!("  {} lost {phase}\n", count(games, "game"));
    }
    let mut lost_to: BTreeMap<EntrantId, usize> = BTreeMap::new();
    let mut lost_on: BTreeMap<&[u8], (usize, GameId)> = BTreeMap::new();
    for game in explained {
        for winner in &game.winners {
            *lost_to.entry(*winner).or_default() += 1;
        }
        lost_on.entry(&game.board).or_insert((0, game.id)).0 += 1;
    }
    let mut against: Vec<(EntrantId, usize)> = lost_to.into_iter().collect();
    against.sort_by_key(|(id, lost)| (std::cmp::Reverse(*lost), *id));
    for (id, lost) in against {
        let of = played.get(&id).copied().unwrap_or(lost);
        text += &format!("  {lost} of {} lost to {}\n", count(of, "game"), name(id));
    }
    let mut on: Vec<_> = lost_on.into_iter().filter(|(board, _)| boards.len() > 1 && !board.is_empty()).collect();
    on.sort_by_key(|(_, (lost, id))| (std::cmp::Reverse(*lost), *id));
    for (board, (lost, id)) in on.into_iter().take(3) {
        let of = boards.get(board).copied().unwrap_or(lost);
        text += &format!("  {lost} of {} lost on the board of {id}\n", count(of, "game"));
    }
    text
}
