//! The interface of a game: its states, whose turn it is, how answers are read, and how it ends.
//!
//! A game implements the typed trait [`Game`]. The rest of the program works with the object-safe [`LiveGame`], one
//! game in progress, and so does not depend on any particular game.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt;

/// A player's place in a game, 0-based, in order of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Seat(pub u8);

impl Seat {
    /// The seat as an index into a list with one item per seat.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl fmt::Display for Seat {
    /// `seat 1`: shown to people, so counted from 1.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "seat {}", self.0 + 1)
    }
}

/// The most seats that a game can have (B4).
pub const MAX_SEATS: u8 = 8;

/// A set of seats, whose numbers must be less than [`MAX_SEATS`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seats(u8);

impl Seats {
    /// The empty set.
    pub const NONE: Seats = Seats(0);

    /// The first `n` seats; all [`MAX_SEATS`] if `n` is larger.
    pub fn first(n: u8) -> Seats {
        Seats(((1u16 << n.min(MAX_SEATS)) - 1) as u8)
    }

    /// The set of `seat` alone.
    pub fn only(seat: Seat) -> Seats {
        Seats(1 << seat.0)
    }

    /// Whether `seat` is in the set.
    pub fn contains(self, seat: Seat) -> bool {
        self.0 >> seat.0 & 1 == 1
    }

    /// The set with `seat` added.
    #[must_use]
    pub fn with(self, seat: Seat) -> Seats {
        Seats(self.0 | 1 << seat.0)
    }

    /// The set with `seat` removed.
    #[must_use]
    pub fn without(self, seat: Seat) -> Seats {
        Seats(self.0 & !(1 << seat.0))
    }

    /// The number of seats in the set.
    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The seats of the set, in order of play.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        (0..MAX_SEATS).map(Seat).filter(move |&seat| self.contains(seat))
    }

    /// The first seat of the set at or after `from`, starting again at seat 0 after the last one.
    pub fn next_from(self, from: u8) -> Option<Seat> {
        (0..MAX_SEATS).map(|step| Seat((from + step) % MAX_SEATS)).find(|&seat| self.contains(seat))
    }
}

/// What a game starts from, in addition to its rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Setup {
    /// The number of seats.
    pub seats: u8,
    /// The board in the game's own text form; if empty, the game's default board.
    pub board: Vec<u8>,
    /// One byte per seat, which stands for it on the board; if empty, the game's default marks.
    pub marks: Vec<u8>,
    /// The seed of everything random in this game.
    pub seed: u64,
}

/// Why a game cannot start from a [`Setup`], in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError(pub String);

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for SetupError {}

/// A spot on a board, 0-based from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Spot {
    /// The row, from the top.
    pub row: u8,
    /// The column, from the left.
    pub col: u8,
}

impl fmt::Display for Spot {
    /// `row 1, column 1`: shown to people, so counted from 1.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "row {}, column {}", self.row + 1, self.col + 1)
    }
}

/// How an answer broke the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// A stable identifier of this kind of violation, such as `line-ending`.
    pub kind: &'static str,
    /// The number of the rule that was broken, such as `B6`; empty if the game's rules have no numbers.
    pub rule: &'static str,
    /// The spots concerned, row by row; empty if the violation has no place on the board. If the answer's format is
    /// wrong, this is at most the first spot at which it is, which may lie outside the board.
    pub spots: Vec<Spot>,
    /// What is wrong with the answer, in words for the bot's author.
    pub detail: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", self.detail, Cited(self.rule))
    }
}

/// The number of a rule in parentheses, after a space; nothing if the game's rules have no numbers.
#[derive(Clone, Copy, Debug)]
pub struct Cited<'a>(pub &'a str);

impl fmt::Display for Cited<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(f, " ({})", self.0) }
    }
}

/// What a seat did with its turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action<M> {
    /// It made this move.
    Move(M),
    /// It broke the rules, crashed, exceeded a limit or resigned. The game's rules say what follows.
    Forfeit,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum End {
    /// It was played to the end.
    Played,
    /// Forfeits left too few seats to go on.
    Forfeited,
}

/// The result of a finished game. Each list has one item per seat.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Outcome {
    /// Places, from 1 for the best; seats that tie share a place.
    pub places: Vec<u8>,
    /// Points by the game's own scoring.
    pub points: Vec<i64>,
    /// The spots that each seat holds on the final board (S7), in Go its area; 0 in a game without territory.
    pub territory: Vec<u32>,
    /// How the game ended.
    pub end: End,
}

impl Outcome {
    /// The seats in first place: one, or several that tied.
    pub fn winners(&self) -> impl Iterator<Item = Seat> {
        (0u8..).zip(&self.places).filter(|&(_, &place)| place == 1).map(|(seat, _)| Seat(seat))
    }
}

/// The rules of one game. A value of the type holds the settings, such as the size of the board.
pub trait Game: Clone + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// A position, with everything that decides how the game can go on from it.
    type State: Clone + Send;
    /// A move.
    type Move: Clone + Send;

    /// The position before the first move.
    ///
    /// # Errors
    /// The number of seats, the board or the marks of `setup` do not suit the game.
    fn start(&self, setup: &Setup) -> Result<Self::State, SetupError>;

    /// The seats that must act now. If there are several, they act simultaneously; if there are none, the game is over.
    fn to_act(&self, state: &Self::State) -> Seats;

    /// Reads `answer`, the bytes that the bot of `seat` wrote.
    ///
    /// # Errors
    /// `answer` is not a legal move; the violation says why, as precisely as possible.
    fn read(&self, state: &Self::State, seat: Seat, answer: &[u8]) -> Result<Self::Move, Violation>;

    /// Reads `text`, a move in [notation](Game::notation). The default suits games whose bots answer in notation.
    ///
    /// # Errors
    /// `text` is not a legal move; the violation says why, as precisely as possible.
    fn read_notation(&self, state: &Self::State, seat: Seat, text: &str) -> Result<Self::Move, Violation> {
        self.read(state, seat, text.as_bytes())
    }

    /// The legal moves of `seat`; empty, as by default, if the game does not list them. If `check` knows only the
    /// protocol of a game, it chooses an opponent's moves from this list, or plays the bot against itself if the list
    /// is empty.
    fn legal(&self, state: &Self::State, seat: Seat) -> Vec<Self::Move> {
        let _ = (state, seat);
        Vec::new()
    }

    /// Advances `state` by `acts`: exactly one by each seat that was [to act](Game::to_act), in order of play.
    fn apply(&self, state: &mut Self::State, acts: &[(Seat, Action<Self::Move>)]);

    /// What `seat` may see, as the bytes that its bot is sent.
    fn view(&self, state: &Self::State, seat: Seat) -> Vec<u8>;

    /// The board as text, for people and for the record.
    fn board(&self, state: &Self::State) -> Vec<u8>;

    /// The move `m` in the game's usual notation.
    fn notation(&self, m: &Self::Move) -> String;

    /// The result; `None` while the game is in progress.
    fn outcome(&self, state: &Self::State) -> Option<Outcome>;
}

/// A seat's move before it is read, in one of two forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The bytes that a bot wrote.
    Answer(Vec<u8>),
    /// The game's [notation](Game::notation), which the record stores and people type.
    Notation(String),
}

impl Reply {
    /// The answer or the notation, as bytes.
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Reply::Answer(bytes) => bytes,
            Reply::Notation(text) => text.as_bytes(),
        }
    }
}

/// One game in progress: the object-safe counterpart of [`Game`].
pub trait LiveGame: Send {
    /// The number of seats.
    fn seats(&self) -> u8;

    /// The seats that must still act now; none when the game is over.
    fn to_act(&self) -> Seats;

    /// What `seat` may see, as the bytes that its bot is sent.
    fn view(&self, seat: Seat) -> Vec<u8>;

    /// The board as text, for people and for the record.
    fn board(&self) -> Vec<u8>;

    /// The notation of the move `reply`, without playing it.
    ///
    /// # Errors
    /// `reply` is not a legal move.
    fn judge(&self, seat: Seat, reply: &Reply) -> Result<String, Violation>;

    /// Plays the move `reply` of `seat` and returns its notation. When several seats act simultaneously, the position
    /// changes once all of them have acted.
    ///
    /// # Errors
    /// `reply` is not a legal move. The position is unchanged, and the seat must still act.
    fn play(&mut self, seat: Seat, reply: &Reply) -> Result<String, Violation>;

    /// [Plays](LiveGame::play) the move that a bot gave as the bytes `answer`.
    ///
    /// # Errors
    /// As [`LiveGame::play`].
    fn answer(&mut self, seat: Seat, answer: &[u8]) -> Result<String, Violation> {
        self.play(seat, &Reply::Answer(answer.to_vec()))
    }

    /// Records that `seat`, which must act now, forfeits.
    fn forfeit(&mut self, seat: Seat);

    /// Plays a whole turn: the reply of every seat that must act now, in order of play, or `None` if it forfeits. A
    /// seat whose reply is not a legal move forfeits too. Returns for each seat the notation of its move, or what is
    /// wrong with its reply, or `None` if it gave no reply.
    fn act_together(&mut self, acts: &[(Seat, Option<Reply>)]) -> Vec<Option<Result<String, Violation>>> {
        let mut made = Vec::new();
        for (seat, reply) in acts {
            let played = reply.as_ref().map(|reply| self.play(*seat, reply));
            if !matches!(played, Some(Ok(_))) {
                self.forfeit(*seat);
            }
            made.push(played);
        }
        made
    }

    /// The legal moves of `seat` in notation; empty if the game does not [list them](Game::legal).
    fn legal(&self, seat: Seat) -> Vec<String>;

    /// An independent copy of the game, in the same position.
    fn fork(&self) -> Box<dyn LiveGame>;

    /// The result; `None` while the game is in progress.
    fn outcome(&self) -> Option<Outcome>;

    /// Whether the board now shows what a seat must not see. Then no person at a seat may be shown the board.
    fn is_hidden(&self) -> bool {
        false
    }

    /// The game for a downcast to its own type, by the code that belongs to this game; `None` if no code needs that.
    fn as_any(&self) -> Option<&dyn Any> {
        None
    }
}

/// The [`LiveGame`] of every [`Game`].
#[derive(Clone)]
pub struct InProgress<G: Game> {
    game: G,
    seats: u8,
    state: G::State,
    /// The actions of seats since the position last changed.
    acts: Vec<(Seat, Action<G::Move>)>,
}

impl<G: Game> InProgress<G> {
    /// Starts a game from `setup`.
    ///
    /// # Errors
    /// As [`Game::start`].
    pub fn new(game: G, setup: &Setup) -> Result<InProgress<G>, SetupError> {
        let state = game.start(setup)?;
        Ok(InProgress::at(game, setup.seats, state))
    }

    /// Resumes a game of `seats` seats in the position `state`.
    pub fn at(game: G, seats: u8, state: G::State) -> InProgress<G> {
        InProgress { game, seats, state, acts: Vec::new() }
    }

    /// The position.
    pub fn state(&self) -> &G::State {
        &self.state
    }

    fn read(&self, seat: Seat, reply: &Reply) -> Result<G::Move, Violation> {
        match reply {
            Reply::Answer(answer) => self.game.read(&self.state, seat, answer),
            Reply::Notation(text) => self.game.read_notation(&self.state, seat, text),
        }
    }

    fn act(&mut self, seat: Seat, act: Action<G::Move>) {
        debug_assert!(self.to_act().contains(seat), "it is not the turn of {seat}");
        self.acts.push((seat, act));
        if self.to_act().is_empty() {
            self.acts.sort_by_key(|(seat, _)| *seat);
            self.game.apply(&mut self.state, &self.acts);
            self.acts.clear();
        }
    }
}

impl<G: Game> LiveGame for InProgress<G> {
    fn seats(&self) -> u8 {
        self.seats
    }

    fn to_act(&self) -> Seats {
        self.acts.iter().fold(self.game.to_act(&self.state), |left, (seat, _)| left.without(*seat))
    }

    fn view(&self, seat: Seat) -> Vec<u8> {
        self.game.view(&self.state, seat)
    }

    fn board(&self) -> Vec<u8> {
        self.game.board(&self.state)
    }

    fn judge(&self, seat: Seat, reply: &Reply) -> Result<String, Violation> {
        self.read(seat, reply).map(|m| self.game.notation(&m))
    }

    fn play(&mut self, seat: Seat, reply: &Reply) -> Result<String, Violation> {
        let m = self.read(seat, reply)?;
        let notation = self.game.notation(&m);
        self.act(seat, Action::Move(m));
        Ok(notation)
    }

    fn forfeit(&mut self, seat: Seat) {
        self.act(seat, Action::Forfeit);
    }

    fn legal(&self, seat: Seat) -> Vec<String> {
        self.game.legal(&self.state, seat).iter().map(|m| self.game.notation(m)).collect()
    }

    fn fork(&self) -> Box<dyn LiveGame> {
        Box::new(self.clone())
    }

    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome(&self.state)
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use alloc::vec;

    /// A game of one round: both seats name a digit simultaneously, and the higher one wins.
    #[derive(Clone, Debug, PartialEq)]
    struct HighCard;

    impl Game for HighCard {
        type State = Vec<Option<u8>>;
        type Move = u8;

        fn start(&self, _: &Setup) -> Result<Self::State, SetupError> {
            Ok(Vec::new())
        }

        fn to_act(&self, state: &Self::State) -> Seats {
            if state.is_empty() { Seats::first(2) } else { Seats::NONE }
        }

        fn read(&self, _: &Self::State, _: Seat, answer: &[u8]) -> Result<u8, Violation> {
            match answer {
                [digit @ b'0'..=b'9'] => Ok(*digit),
                _ => Err(Violation { kind: "digit", rule: "-", spots: vec![], detail: "not a digit".to_string() }),
            }
        }

        fn apply(&self, state: &mut Self::State, acts: &[(Seat, Action<u8>)]) {
            assert!(acts.iter().map(|(seat, _)| seat.index()).eq(0..2), "exactly one act per seat, in order");
            let digit = |act: &Action<u8>| if let Action::Move(digit) = act { Some(*digit) } else { None };
            *state = acts.iter().map(|(_, act)| digit(act)).collect();
        }

        fn view(&self, state: &Self::State, _: Seat) -> Vec<u8> {
            self.board(state)
        }

        fn board(&self, state: &Self::State) -> Vec<u8> {
            state.iter().flatten().copied().collect()
        }

        fn notation(&self, m: &u8) -> String {
            char::from(*m).to_string()
        }

        fn outcome(&self, state: &Self::State) -> Option<Outcome> {
            let best = state.iter().max()?;
            let places = state.iter().map(|digit| if digit == best { 1 } else { 2 }).collect();
            Some(Outcome { places, points: vec![0; 2], territory: vec![0; 2], end: End::Played })
        }
    }

    fn high_card() -> InProgress<HighCard> {
        InProgress::new(HighCard, &Setup { seats: 2, ..Setup::default() }).unwrap()
    }

    #[test]
    fn simultaneous_moves_count_once_all_seats_have_acted() {
        let mut game = high_card();
        assert_eq!(game.answer(Seat(1), b"7").as_deref(), Ok("7"));
        assert_eq!(game.to_act(), Seats::only(Seat(0)));
        assert_eq!((game.view(Seat(0)), game.outcome()), (vec![], None), "the first answer must not show yet");
        assert_eq!(game.answer(Seat(0), b"x").unwrap_err().kind, "digit");
        assert_eq!(game.to_act(), Seats::only(Seat(0)));
        assert_eq!(game.answer(Seat(0), b"4").as_deref(), Ok("4"));
        assert_eq!(game.board(), b"47");
        assert!(game.outcome().unwrap().winners().eq([Seat(1)]));
    }

    #[test]
    fn a_forfeit_counts_once_all_seats_have_acted() {
        let mut game = high_card();
        game.forfeit(Seat(0));
        assert_eq!(game.to_act(), Seats::only(Seat(1)));
        game.answer(Seat(1), b"0").unwrap();
        assert!(game.outcome().unwrap().winners().eq([Seat(1)]));
    }

    #[test]
    fn forking_and_judging_do_not_change_the_game() {
        let mut game = high_card();
        game.answer(Seat(0), b"4").unwrap();
        assert_eq!(game.judge(Seat(1), &Reply::Notation("9".to_string())).as_deref(), Ok("9"));
        assert_eq!(game.judge(Seat(1), &Reply::Answer(b"x".to_vec())).unwrap_err().kind, "digit");
        let mut fork = game.fork();
        fork.play(Seat(1), &Reply::Notation("9".to_string())).unwrap();
        assert!(fork.outcome().unwrap().winners().eq([Seat(1)]));
        assert_eq!((game.to_act(), game.outcome()), (Seats::only(Seat(1)), None));
    }

    #[test]
    fn seats_that_tie_for_first_place_all_win() {
        let mut game = high_card();
        game.answer(Seat(0), b"5").unwrap();
        game.answer(Seat(1), b"5").unwrap();
        assert!(game.outcome().unwrap().winners().eq([Seat(0), Seat(1)]));
    }

    #[test]
    fn the_next_seat_is_found_past_the_last_one() {
        let left = Seats::first(4).without(Seat(1)).without(Seat(3));
        assert!(left.iter().eq([Seat(0), Seat(2)]));
        assert_eq!((left.len(), left.is_empty(), left.contains(Seat(1))), (2, false, false));
        let next = |from: u8| left.next_from(from).map(|seat| seat.0);
        assert_eq!([0, 1, 2, 3, 7, 8].map(next), [Some(0), Some(2), Some(2), Some(0), Some(0), Some(0)]);
        assert_eq!(Seats::NONE.next_from(0), None);
        assert_eq!((Seats::first(8).len(), Seats::first(9).len(), Seats::first(0)), (8, 8, Seats::NONE));
        assert_eq!(Seat(0).to_string(), "seat 1");
    }
}
