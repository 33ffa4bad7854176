//! Compares random games with a naive implementation that stores only stones, searches for every chain, and keeps all
//! positions of a game.

use super::*;
use crate::rng::Rng;
use proptest::prelude::*;
use std::collections::BTreeSet;

type Stones = Vec<Vec<Option<Colour>>>;
type At = (usize, usize);

/// A board that stores only its stones.
#[derive(Clone, PartialEq)]
struct Naive(Stones);

impl Naive {
    fn parse(text: &[u8]) -> Naive {
        let stone = |byte: &u8| match byte {
            b'X' => Some(Colour::Black),
            b'O' => Some(Colour::White),
            _ => None,
        };
        let rows = text.split(|&byte| byte == b'\n').filter(|row| !row.is_empty());
        Naive(rows.map(|row| row.iter().map(stone).collect()).collect())
    }

    fn beside(&self, (row, col): At) -> Vec<At> {
        let all = [(row.wrapping_sub(1), col), (row, col.wrapping_sub(1)), (row, col + 1), (row + 1, col)];
        all.into_iter().filter(|&(row, col)| row < self.0.len() && col < self.0.len()).collect()
    }

    fn at(&self, (row, col): At) -> Option<Colour> {
        self.0[row][col]
    }

    fn all(&self) -> impl Iterator<Item = At> + use<> {
        let size = self.0.len();
        (0..size).flat_map(move |row| (0..size).map(move |col| (row, col)))
    }

    /// The connected points with the same content as `seed`, and the points next to them.
    fn connected(&self, seed: At) -> (BTreeSet<At>, BTreeSet<At>) {
        let mut same = BTreeSet::new();
        let mut other = BTreeSet::new();
        let mut queue = vec![seed];
        while let Some(at) = queue.pop() {
            if self.at(at) != self.at(seed) {
                other.insert(at);
            } else if same.insert(at) {
                queue.extend(self.beside(at));
            }
        }
        (same, other)
    }

    fn liberties(&self, seed: At) -> BTreeSet<At> {
        self.connected(seed).1.into_iter().filter(|&at| self.at(at).is_none()).collect()
    }

    /// The board after a stone at an empty point, and the numbers of stones that black and white lose by it.
    fn after(&self, at: At, colour: Colour) -> (Naive, [usize; 2]) {
        let mut next = self.clone();
        let mut lost = [0, 0];
        next.0[at.0][at.1] = Some(colour);
        let touched = [self.beside(at), vec![at]].concat();
        for of in [colour.other(), colour] {
            for &seed in &touched {
                if next.at(seed) == Some(of) && next.liberties(seed).is_empty() {
                    for (row, col) in next.connected(seed).0 {
                        next.0[row][col] = None;
                        lost[of as usize] += 1;
                    }
                }
            }
        }
        (next, lost)
    }

    fn area(&self) -> [u32; 2] {
        let mut area = [0; 2];
        let mut seen = BTreeSet::new();
        for at in self.all() {
            if let Some(colour) = self.at(at) {
                area[colour as usize] += 1;
            } else if !seen.contains(&at) {
                let (region, around) = self.connected(at);
                for colour in Colour::BOTH {
                    if !around.is_empty() && around.iter().all(|&at| self.at(at) == Some(colour)) {
                        area[colour as usize] += region.len() as u32;
                    }
                }
                seen.extend(region);
            }
        }
        area
    }
}

/// The board after a stone at `at`, or the kind of the violation. `history` are all positions so far, including the
/// current one.
fn naive(history: &[Naive], at: At, colour: Colour, superko: bool) -> Result<Naive, &'static str> {
    let now = history.last().unwrap();
    if now.at(at).is_some() {
        return Err("occupied");
    }
    let (next, lost) = now.after(at, colour);
    if lost[colour as usize] > 0 {
        return Err("suicide");
    }
    if history.len() >= 2 && next == history[history.len() - 2] {
        return Err("ko");
    }
    if superko && history.contains(&next) {
        return Err("superko");
    }
    Ok(next)
}

/// Plays a random game of at most `moves` moves, of which one in `passes` is a pass. In each position, one in `every`
/// points is tried.
fn check(go: &Go, seed: u64, moves: usize, passes: u64, every: usize) {
    let mut rng = Rng::new(seed);
    let mut state = go.start(&Setup { seats: 2, ..Setup::default() }).unwrap();
    let mut history = vec![Naive::parse(&go.board(&state))];
    let mut lost = [0; 2];
    while state.moves().len() < moves && !go.to_act(&state).is_empty() {
        let seat = state.turn();
        let colour = Colour::for_seat(seat);
        let now = history.last().unwrap().clone();
        check_position(state.position(), &now);
        assert_eq!(state.position().lost(), lost);
        let mut legal = Vec::new();
        for at in now.all().skip(rng.below(every as u64) as usize).step_by(every) {
            let spot = Spot { row: at.0 as u8, col: at.1 as u8 };
            let judged = go.read(&state, seat, vertex(spot, go.size).as_bytes());
            let expected = naive(&history, at, colour, go.superko);
            assert_eq!(
                judged.as_ref().map_err(|v| v.kind).err(),
                expected.as_ref().err().copied(),
                "{}",
                state.diagram()
            );
            let point = state.position().point(spot);
            let legal_here = !matches!(expected, Err("occupied" | "suicide" | "ko"));
            assert_eq!(state.position().is_legal(point, colour), legal_here, "{}", state.diagram());
            legal.extend(expected.ok().map(|next| (at, next)));
        }
        let (m, next) = match rng.pick(&legal) {
            Some((at, next)) if rng.below(passes) > 0 => {
                let taken = now.after(*at, colour).1;
                lost = [lost[0] + taken[0] as u32, lost[1] + taken[1] as u32];
                (Move::Place(Spot { row: at.0 as u8, col: at.1 as u8 }), next.clone())
            }
            _ => (Move::Pass, now),
        };
        go.apply(&mut state, &[(seat, Action::Move(m))]);
        history.push(next);
    }
    check_position(state.position(), history.last().unwrap());
    let over = state.moves().ends_with(&[Move::Pass, Move::Pass]) || state.moves().len() as u32 >= go.move_cap;
    assert_eq!(go.outcome(&state).is_some(), over);
}

/// Checks everything that `position` knows about its board against a search of `expected`.
fn check_position(position: &Position, expected: &Naive) {
    assert!(Naive::parse(&position.to_text()) == *expected, "{}", position.diagram(None));
    assert_eq!(position.area(), expected.area(), "{}", position.diagram(None));
    let at = |point: Point| (usize::from(position.spot(point).row), usize::from(position.spot(point).col));
    let mut chained = 0;
    for chain in position.chains() {
        let stones: Vec<At> = chain.stones().map(at).collect();
        let (expected_stones, _) = expected.connected(stones[0]);
        assert_eq!(expected.at(stones[0]), Some(chain.colour()));
        assert_eq!((stones.len(), chain.stone_count() as usize), (expected_stones.len(), expected_stones.len()));
        assert_eq!(stones.iter().copied().collect::<BTreeSet<At>>(), expected_stones);
        let liberties: Vec<At> = chain.liberties().map(at).collect();
        let expected_liberties = expected.liberties(stones[0]);
        assert_eq!(liberties.len(), expected_liberties.len());
        assert_eq!(liberties.iter().copied().collect::<BTreeSet<At>>(), expected_liberties);
        assert_eq!(
            chain.only_liberty().map(at),
            expected_liberties.first().copied().filter(|_| liberties.len() == 1)
        );
        chained += stones.len();
    }
    let empties: BTreeSet<At> = position.empties().iter().map(|&point| at(point)).collect();
    assert_eq!(empties, expected.all().filter(|&at| expected.at(at).is_none()).collect());
    assert_eq!(empties.len(), position.empties().len());
    assert_eq!(chained + empties.len(), expected.all().count());
    let again = Position::parse(&position.to_text(), position.size()).unwrap();
    assert!(again.has_same_stones(position), "the hash must not depend on the moves that led to the position");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn small_boards_are_judged_correctly(seed: u64, size in 5u8..=7, superko: bool, passes in 2u64..60) {
        check(&Go { size, superko, move_cap: 120, ..Go::default() }, seed, 150, passes, 1);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    #[test]
    fn large_boards_are_judged_correctly(seed: u64, size in prop::sample::select(vec![9u8, 13, 19, 25])) {
        check(&Go { size, ..Go::default() }, seed, 150, 1000, 37);
    }
}
