//! Built-in opponents. Each leads games to positions in which certain faults of a bot show.
//!
//! A bot's moves cannot be forced. But if its opponents fight, capture in kos, play again where stones were captured,
//! and keep their own eyes, every rule applies at some point of a game on a small board.

use cornerman::game::Spot;
use cornerman::games::go::{Chain, Colour, GoState, Move, Point, Position};
use cornerman::rng::Rng;

/// How an opponent plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opponent {
    /// Plays random points, but not its own eyes.
    Random,
    /// Captures if it can, else puts a chain into atari, else plays a safe point.
    Fighter,
    /// Captures in every ko, and prepares more of them.
    KoFighter,
    /// Plays where a stone was captured, as soon as that is legal.
    Reoccupier,
    AlwaysPasses,
    /// Passes when the bot has passed, and plays random points until then.
    PassesBack,
    /// Passes only when it has no legal move left.
    PassesLast,
    /// Makes this move first, and then passes.
    Opens(Move),
}

/// The largest board on which kos are prepared, for which all pairs of points are tried.
const MAX_SIZE_FOR_KOS: u8 = 9;

impl Opponent {
    /// The opponent's name in the names of cases, and what it does, after "an opponent that".
    pub(super) fn words(self) -> (&'static str, &'static str) {
        match self {
            Opponent::Random => ("random", "plays random moves"),
            Opponent::Fighter => ("fighter", "captures whenever it can"),
            Opponent::KoFighter => ("ko fighter", "makes kos and captures in them"),
            Opponent::Reoccupier => ("reoccupier", "plays where stones were captured"),
            Opponent::AlwaysPasses => ("always passes", "always passes"),
            Opponent::PassesBack => ("passes back", "passes when the bot does"),
            Opponent::PassesLast => ("passes last", "passes only when it must"),
            Opponent::Opens(_) => ("opens", "makes one move"),
        }
    }

    /// The opponent's move in `state`, in which it is its turn.
    pub(super) fn choose(self, state: &GoState, rng: &mut Rng) -> Move {
        if let Opponent::Opens(first) = self {
            return if state.moves().is_empty() { first } else { Move::Pass };
        }
        let position = state.position();
        let own = Colour::for_seat(state.turn());
        let mut points: Vec<Point> = position.points().filter(|&p| position.is_legal(p, own)).collect();
        if self != Opponent::PassesLast || points.iter().any(|&p| !position.is_own_eye(p, own)) {
            points.retain(|&p| !position.is_own_eye(p, own));
        }
        rng.shuffle(&mut points);
        let chosen = match self {
            Opponent::AlwaysPasses | Opponent::Opens(_) => None,
            Opponent::PassesBack if state.moves().last() == Some(&Move::Pass) => None,
            Opponent::Random | Opponent::PassesBack | Opponent::PassesLast => points.first().copied(),
            Opponent::Fighter => capture(position, own, &points)
                .or_else(|| attack(position, own, &points))
                .or_else(|| points.iter().copied().find(|&p| liberties_after(position, p, own) > 1))
                .or(points.first().copied()),
            Opponent::KoFighter => {
                ko(position, own, &points).or_else(|| shape(position, own, &points)).or(points.first().copied())
            }
            Opponent::Reoccupier => points
                .iter()
                .copied()
                .find(|&p| was_captured(state, position.spot(p)))
                .or_else(|| capture(position, own, &points))
                .or_else(|| attack(position, own, &points))
                .or(points.first().copied()),
        };
        chosen.map_or(Move::Pass, |point| Move::Place(position.spot(point)))
    }
}

/// Whether a stone was captured at the empty `spot`: one was placed there before.
fn was_captured(state: &GoState, spot: Spot) -> bool {
    state.moves().contains(&Move::Place(spot))
}

/// The position after a stone of `colour` at `point`, and the number of stones that it captures.
fn after(position: &Position, point: Point, colour: Colour) -> (Position, u32) {
    let mut next = position.clone();
    let captured = next.play(point, colour);
    (next, captured)
}

/// The number of liberties that a stone of `colour` at `point` has, but at most 2.
fn liberties_after(position: &Position, point: Point, colour: Colour) -> usize {
    after(position, point, colour).0.chain(point).map_or(0, |chain| chain.liberties().take(2).count())
}

/// The point that captures the most stones, if one captures any.
fn capture(position: &Position, own: Colour, points: &[Point]) -> Option<Point> {
    let is_in_atari = |chain: Chain| chain.colour() != own && chain.liberties().take(2).count() < 2;
    let captures = |&point: &Point| position.neighbours(point).filter_map(|p| position.chain(p)).any(is_in_atari);
    points.iter().copied().filter(captures).max_by_key(|&point| after(position, point, own).1)
}

/// A point that puts a chain of the bot into atari, and leaves the new stone more than one liberty.
fn attack(position: &Position, own: Colour, points: &[Point]) -> Option<Point> {
    let mut opponents: Vec<(Chain, Vec<Point>)> = position
        .chains()
        .filter(|chain| chain.colour() != own)
        .map(|chain| (chain, chain.liberties().take(3).collect()))
        .collect();
    opponents.retain(|(_, liberties)| liberties.len() == 2);
    let mut beside = opponents.iter().flat_map(|(_, liberties)| liberties).copied();
    beside.find(|point| points.contains(point) && liberties_after(position, *point, own) > 1)
}

/// A point that captures in a ko.
fn ko(position: &Position, own: Colour, points: &[Point]) -> Option<Point> {
    let is_surrounded = |point| position.neighbours(point).all(|p| position.at(p) == Some(own.other()));
    let captures_in_ko = |point| is_surrounded(point) && after(position, point, own).0.ko().is_some();
    points.iter().copied().find(|&point| captures_in_ko(point))
}

/// A point that prepares a ko: with one more move, the opponent could capture in it.
fn shape(position: &Position, own: Colour, points: &[Point]) -> Option<Point> {
    if position.size() > MAX_SIZE_FOR_KOS {
        return None;
    }
    points.iter().copied().find(|&point| {
        let (next, _) = after(position, point, own);
        let then: Vec<Point> = next.points().filter(|&p| next.is_legal(p, own)).collect();
        ko(&next, own, &then).is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use cornerman::game::{Action, Game, Seat, Setup};
    use cornerman::games::go::{Go, parse_move};

    fn state(size: u8, moves: &str) -> GoState {
        let go = Go { size, ..Go::default() };
        let mut state = go.start(&Setup { seats: 2, ..Setup::default() }).unwrap();
        for (at, word) in moves.split(' ').enumerate() {
            let m = parse_move(word.as_bytes(), size).unwrap();
            go.apply(&mut state, &[(Seat((at % 2) as u8), Action::Move(m))]);
        }
        state
    }

    #[track_caller]
    fn check(opponent: Opponent, moves: &str, chosen: &str) {
        let m = opponent.choose(&state(5, moves), &mut Rng::new(1));
        assert_eq!(Some(m), parse_move(chosen.as_bytes(), 5), "{opponent:?} after {moves}");
    }

    #[test]
    fn each_opponent_plays_as_described() {
        // White's stone at A1 is in atari.
        check(Opponent::Fighter, "A2 A1", "B1");
        check(Opponent::Reoccupier, "A2 A1", "B1");
        // Black captured at A1 and plays there again: A2 is in atari, so A1 is not an eye.
        check(Opponent::Reoccupier, "A2 A1 B1 B2 E5 A3", "A1");
        // C1 captures the stone at B1 in a ko.
        let ko_shape = "B2 C2 A1 D1 E5 B1";
        check(Opponent::KoFighter, ko_shape, "C1");
        check(Opponent::AlwaysPasses, "A1 A2", "pass");
        check(Opponent::PassesBack, "A1 pass", "pass");
    }

    #[test]
    fn a_random_opponent_does_not_fill_its_eyes() {
        // A1 is an eye of black.
        let full = "A2 E5 B2 E4 B1 E3";
        let state = state(5, full);
        let drawn: Vec<Move> = (0..60).map(|seed| Opponent::Random.choose(&state, &mut Rng::new(seed))).collect();
        assert!(!drawn.contains(&parse_move(b"A1", 5).unwrap()));
    }
}
