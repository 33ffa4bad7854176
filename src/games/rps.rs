//! Rock-paper-scissors over many rounds: in each, both seats show a hand simultaneously. The seat that wins more rounds
//! wins the game (R4–R6).

mod hand;
#[cfg(test)]
mod tests;

pub use hand::Hand;

use crate::game::{Action, End, Game, Outcome, Seat, Seats, Setup, SetupError, Violation};
use crate::rng::Rng;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

/// The most rounds a game can have.
pub const MAX_ROUNDS: u32 = 1_000_000;
/// The largest seed that a bot is sent (R4).
pub const MAX_SEED: u16 = 60_000;

/// The rules of rock-paper-scissors, with their settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rps {
    /// Rounds in a game, 1 to [`MAX_ROUNDS`].
    pub rounds: u32,
    /// The seeds that the bots are sent, by seat, each 0 to [`MAX_SEED`]; if `None`, they are drawn with the setup's
    /// seed (R4).
    pub seeds: Option<[u16; 2]>,
}

impl Default for Rps {
    /// 50 rounds, as in the published tournament manager, and random seeds.
    fn default() -> Rps {
        Rps { rounds: 50, seeds: None }
    }
}

/// A position of the game: the rounds played so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RpsState {
    rounds: u32,
    seeds: [u16; 2],
    /// Both hands of each round, [packed](pack) into one byte.
    history: Vec<u8>,
    /// The rounds won by the first seat minus those won by the second seat.
    margin: i64,
    /// The seats that have forfeited: one forfeit ends the game.
    forfeited: Seats,
}

impl RpsState {
    /// The hands shown in each round so far, by seat.
    pub fn history(&self) -> impl ExactSizeIterator<Item = [Hand; 2]> + DoubleEndedIterator {
        self.history.iter().map(|&packed| unpack(packed))
    }

    /// The seed that the bot of `seat` is sent (R4).
    pub fn seed(&self, seat: Seat) -> u16 {
        self.seeds[seat.index()]
    }

    /// The margin of `seat`, which decides the game: the rounds that it won minus those that it lost. If one seat
    /// forfeited, that seat has lost all rounds of the game; if both did, the margin is 0 (R6).
    pub fn margin(&self, seat: Seat) -> i64 {
        let first = match (self.forfeited.contains(Seat(0)), self.forfeited.contains(Seat(1))) {
            (false, false) => self.margin,
            (true, false) => -i64::from(self.rounds),
            (false, true) => i64::from(self.rounds),
            (true, true) => 0,
        };
        if seat == Seat(0) { first } else { -first }
    }

    fn is_over(&self) -> bool {
        self.history.len() as u64 >= u64::from(self.rounds) || !self.forfeited.is_empty()
    }
}

fn pack([first, second]: [Hand; 2]) -> u8 {
    first.number() * 3 + second.number()
}

fn unpack(packed: u8) -> [Hand; 2] {
    [packed / 3, packed % 3].map(|number| Hand::ALL[usize::from(number)])
}

impl Game for Rps {
    type State = RpsState;
    type Move = Hand;

    fn start(&self, setup: &Setup) -> Result<RpsState, SetupError> {
        if setup.seats != 2 {
            return Err(SetupError(format!("rock-paper-scissors has 2 seats, not {}", setup.seats)));
        }
        if !setup.board.is_empty() {
            return Err(SetupError("rock-paper-scissors is played without a board, but one is given".to_string()));
        }
        if !(1..=MAX_ROUNDS).contains(&self.rounds) {
            return Err(SetupError(format!("a game has 1 to {MAX_ROUNDS} rounds, not {}", self.rounds)));
        }
        let seeds = self.seeds.unwrap_or_else(|| {
            let mut rng = Rng::new(setup.seed);
            core::array::from_fn(|_| rng.below(u64::from(MAX_SEED) + 1) as u16)
        });
        if let Some(seed) = seeds.iter().find(|&&seed| seed > MAX_SEED) {
            return Err(SetupError(format!("a bot's seed is 0 to {MAX_SEED}, not {seed}")));
        }
        Ok(RpsState { rounds: self.rounds, seeds, history: Vec::new(), margin: 0, forfeited: Seats::NONE })
    }

    fn to_act(&self, state: &RpsState) -> Seats {
        if state.is_over() { Seats::NONE } else { Seats::first(2) }
    }

    fn read(&self, _state: &RpsState, _seat: Seat, answer: &[u8]) -> Result<Hand, Violation> {
        Hand::read(answer)
    }

    fn legal(&self, _state: &RpsState, _seat: Seat) -> Vec<Hand> {
        Hand::ALL.to_vec()
    }

    fn apply(&self, state: &mut RpsState, acts: &[(Seat, Action<Hand>)]) {
        match acts {
            [(_, Action::Move(first)), (_, Action::Move(second))] => {
                state.history.push(pack([*first, *second]));
                state.margin += first.gain_against(*second);
            }
            _ => {
                for (seat, act) in acts {
                    if matches!(act, Action::Forfeit) {
                        state.forfeited = state.forfeited.with(*seat);
                    }
                }
            }
        }
    }

    /// The lines that the bot of `seat` is sent next: first its seed and the number of rounds, then, after each round
    /// including the last one, the opponent's number (R4, R5). After a forfeit nothing is sent.
    fn view(&self, state: &RpsState, seat: Seat) -> Vec<u8> {
        if !state.forfeited.is_empty() {
            return Vec::new();
        }
        match state.history().next_back() {
            None => format!("{}\n{}\n", state.seed(seat), state.rounds).into_bytes(),
            // Called for every move, so the two bytes are written without the formatter.
            Some(hands) => [hands[1 - seat.index()].digit().as_bytes(), b"\n"].concat(),
        }
    }

    /// The number of rounds played, and the margin of the first seat. The hands are left out: the text is made after
    /// every move, so it must be short in long games too.
    fn board(&self, state: &RpsState) -> Vec<u8> {
        let forfeit = if state.forfeited.is_empty() { "" } else { ", forfeited" };
        let played = state.history.len();
        let all = state.rounds;
        let margin = match state.margin(Seat(0)) {
            0 => "0".to_string(),
            margin => format!("{margin:+}"),
        };
        format!("round {played} of {all}{forfeit}: {margin}").into_bytes()
    }

    fn notation(&self, hand: &Hand) -> String {
        hand.digit().to_string()
    }

    /// The points of a seat are its margin, so the points of both add up to 0 (R9).
    fn outcome(&self, state: &RpsState) -> Option<Outcome> {
        if !state.is_over() {
            return None;
        }
        let points = [0, 1].map(|seat| state.margin(Seat(seat)));
        Some(Outcome {
            places: points.map(|margin| if margin < 0 { 2 } else { 1 }).to_vec(),
            points: points.to_vec(),
            territory: vec![0; 2],
            end: if state.forfeited.is_empty() { End::Played } else { End::Forfeited },
        })
    }
}
