//! Opponents, played within this process: each a way to come to positions in which a bot's faults show.
//!
//! A bot's moves cannot be forced. So opponents fight, take kos, play again where stones were captured, and keep
//! their own eyes: on a small board a game between the two meets every rule before it is over.

use cornerman::game::Spot;
use cornerman::games::go::{Chain, Colour, Move, Point, Position, State};
use cornerman::rng::Rng;

/// How an opponent plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// Draws lots among the points that are none of its own eyes.
    Random,
    /// Takes what it can, else puts chains into atari, else plays where it is safe.
    Fighter,
    /// Takes every ko, and makes more of them.
    KoFighter,
    /// Plays where a stone was captured, as soon as it may.
    Reoccupier,
    /// Always passes.
    AlwaysPasses,
    /// Passes when the bot did; draws lots until then.
    PassesBack,
    /// Passes only when there is nowhere left to play.
    PassesLast,
}

/// On larger boards than this a ko is taken, but not prepared: that would mean trying all pairs of points.
const LARGEST_FOR_KOS: u8 = 9;

impl Opponent {
    /// What it is to the bot's author.
    pub fn in_words(self) -> &'static str {
        match self {
            Opponent::Random => "one who draws lots",
            Opponent::Fighter => "one who captures what it can",
            Opponent::KoFighter => "one who takes and makes kos",
            Opponent::Reoccupier => "one who plays where stones were captured",
            Opponent::AlwaysPasses => "one who always passes",
            Opponent::PassesBack => "one who passes when the bot does",
            Opponent::PassesLast => "one who passes only when it must",
        }
    }

    /// Its move, as the one to act.
    pub fn choose(self, state: &State, rng: &mut Rng) -> Move {
        let position = state.position();
        let own = Colour::of(state.turn());
        let mut points: Vec<Point> = position.points().filter(|&p| position.is_legal(p, own)).collect();
        if self != Opponent::PassesLast || points.iter().any(|&p| !position.is_own_eye(p, own)) {
            points.retain(|&p| !position.is_own_eye(p, own));
        }
        rng.shuffle(&mut points);
        let chosen = match self {
            Opponent::AlwaysPasses => None,
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

/// Whether a stone was placed at `spot`, which is empty now or was before the last move.
pub fn was_captured(state: &State, spot: Spot) -> bool {
    state.moves().contains(&Move::Place(spot))
}

fn after(position: &Position, point: Point, colour: Colour) -> (Position, u32) {
    let mut next = position.clone();
    let taken = next.play(point, colour);
    (next, taken)
}

fn liberties_after(position: &Position, point: Point, colour: Colour) -> usize {
    after(position, point, colour).0.chain(point).map_or(0, |chain| chain.liberties().take(2).count())
}

/// The point that takes most.
fn capture(position: &Position, own: Colour, points: &[Point]) -> Option<Point> {
    let gain = |&point: &Point| after(position, point, own).1;
    points.iter().copied().filter(|point| gain(point) > 0).max_by_key(gain)
}

/// A point that leaves a chain of the bot's one liberty, and the stone there more.
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

/// A point that takes a ko.
fn ko(position: &Position, own: Colour, points: &[Point]) -> Option<Point> {
    points.iter().copied().find(|&point| after(position, point, own).0.ko().is_some())
}

/// A point after which there would be a ko to be taken.
fn shape(position: &Position, own: Colour, points: &[Point]) -> Option<Point> {
    if position.size() > LARGEST_FOR_KOS {
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

    fn state(size: u8, moves: &str) -> State {
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
    fn opponents_go_for_what_they_are_there_for() {
        // White's stone at A1 is in atari.
        check(Opponent::Fighter, "A2 A1", "B1");
        check(Opponent::Reoccupier, "A2 A1", "B1");
        // Black took A1, and plays there again: A2 is in atari, so that it is no eye.
        check(Opponent::Reoccupier, "A2 A1 B1 B2 E5 A3", "A1");
        // C1 takes the stone at B1, which stands in a ko.
        let ko_shape = "B2 C2 A1 D1 E5 B1";
        check(Opponent::KoFighter, ko_shape, "C1");
        check(Opponent::AlwaysPasses, "A1 A2", "pass");
        check(Opponent::PassesBack, "A1 pass", "pass");
    }

    #[test]
    fn who_must_not_fill_eyes_keeps_them() {
        // Only eyes of black's are left to black.
        let full = "A2 E5 B2 E4 B1 E3";
        let state = state(5, full);
        let drawn: Vec<Move> = (0..60).map(|seed| Opponent::Random.choose(&state, &mut Rng::new(seed))).collect();
        assert!(!drawn.contains(&parse_move(b"A1", 5).unwrap()));
    }
}
