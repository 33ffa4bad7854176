//! What every game is to the kit: states, seats to act, answers read, outcomes.
//!
//! A game implements the typed [`Game`]. Everything else sees it through the object-safe [`LiveGame`], one game in
//! progress, and so knows no game by name.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// A place at the table, 0-based, in order of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Seat(pub u8);

impl Seat {
    /// The seat as an index into a list of one thing a seat.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl fmt::Display for Seat {
    /// People count seats from 1.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "seat {}", self.0 + 1)
    }
}

/// The most seats any game has (B4).
pub const MAX_SEATS: u8 = 8;

/// A set of seats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seats(u8);

impl Seats {
    /// No seat.
    pub const NONE: Seats = Seats(0);

    /// The first `n` seats, `n` at most [`MAX_SEATS`].
    pub fn first(n: u8) -> Seats {
        Seats(((1u16 << n.min(MAX_SEATS)) - 1) as u8)
    }

    /// Only `seat`.
    pub fn only(seat: Seat) -> Seats {
        Seats(1 << seat.0)
    }

    /// Whether `seat` is among them.
    pub fn contains(self, seat: Seat) -> bool {
        self.0 >> seat.0 & 1 == 1
    }

    /// These and `seat`.
    #[must_use]
    pub fn with(self, seat: Seat) -> Seats {
        Seats(self.0 | 1 << seat.0)
    }

    /// These without `seat`.
    #[must_use]
    pub fn without(self, seat: Seat) -> Seats {
        Seats(self.0 & !(1 << seat.0))
    }

    /// How many.
    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Each of them, in order of play.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        (0..MAX_SEATS).map(Seat).filter(move |&seat| self.contains(seat))
    }

    /// The first of them at or after `from`, going round the table.
    pub fn next_from(self, from: u8) -> Option<Seat> {
        (0..MAX_SEATS).map(|step| Seat((from + step) % MAX_SEATS)).find(|&seat| self.contains(seat))
    }
}

/// What a game starts from, besides its rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Setup {
    /// How many play.
    pub seats: u8,
    /// The board in the game's own text form; empty for the game's usual one.
    pub board: Vec<u8>,
    /// One byte a seat that names it on the board; empty for the game's usual ones.
    pub marks: Vec<u8>,
    /// What lots of this game are drawn from.
    pub seed: u64,
}

/// Why a game cannot start as asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError(pub String);

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for SetupError {}

/// A spot of a board, 0-based from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot {
    /// The row, from the top.
    pub row: u8,
    /// The column, from the left.
    pub col: u8,
}

impl fmt::Display for Spot {
    /// People count rows and columns from 1.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "row {}, column {}", self.row + 1, self.col + 1)
    }
}

/// How an answer broke the rules, as precisely as the rules can tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// A stable slug, such as `line-ending`: one a way of breaking the rules.
    pub kind: &'static str,
    /// The requirement that was broken, such as `B6`.
    pub rule: &'static str,
    /// Where on the board, if it is anywhere: row by row. A fault of form has the first place concerned,
    /// which may lie just beyond the board.
    pub spots: Vec<Spot>,
    /// What was seen, in words for the bot's author.
    pub detail: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} ({})", self.detail, self.rule)
    }
}

/// What a seat did with its turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act<M> {
    /// It moved.
    Move(M),
    /// It broke the rules, died or was too late: it gives up the game, and the game's rules say what follows.
    Forfeit,
}

/// How a game came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum End {
    /// As its rules foresee.
    Played,
    /// Too few seats were left to go on.
    Forfeited,
}

/// A finished game, each list one item a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Outcome {
    /// Places from 1, the best; ties share a place.
    pub places: Vec<u8>,
    /// Points scored by the game's own rules.
    pub points: Vec<i64>,
    /// What each seat holds on the final board (S7); 0 where the game has no such thing.
    pub territory: Vec<u32>,
    /// How it ended.
    pub end: End,
}

impl Outcome {
    /// The seats in place 1: one, or several that tied.
    pub fn winners(&self) -> impl Iterator<Item = Seat> {
        (0u8..).zip(&self.places).filter(|&(_, &place)| place == 1).map(|(seat, _)| Seat(seat))
    }
}

/// The rules of one game. The value itself is the ruleset in force.
pub trait Game: Clone + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// Everything that decides how the game can go on.
    type State: Clone + Send;
    /// One legal act of one seat.
    type Move: Clone + Send;

    /// The position before the first move.
    ///
    /// # Errors
    /// When the setup does not fit the game: the number of seats, the board, the marks.
    fn start(&self, setup: &Setup) -> Result<Self::State, SetupError>;

    /// One seat: its turn. Several: they act at once. None: the game is over.
    fn to_act(&self, state: &Self::State) -> Seats;

    /// The move that `answer`, the bytes a bot gave, stands for.
    ///
    /// # Errors
    /// The most precise violation, when it is not a legal move.
    fn read(&self, state: &Self::State, seat: Seat, answer: &[u8]) -> Result<Self::Move, Violation>;

    /// The move that `text`, [notation](Game::notation), stands for. Games whose bots answer in the notation need no
    /// code of their own for it.
    ///
    /// # Errors
    /// The most precise violation, when it is not a legal move.
    fn read_notation(&self, state: &Self::State, seat: Seat, text: &str) -> Result<Self::Move, Violation> {
        self.read(state, seat, text.as_bytes())
    }

    /// The legal moves of `seat`, for opponents that `check` plays. Empty where a game does not list them: then a
    /// bot is checked against itself.
    fn legal(&self, state: &Self::State, seat: Seat) -> Vec<Self::Move> {
        let _ = (state, seat);
        Vec::new()
    }

    /// The position after `acts`: exactly one from each seat that was [to act](Game::to_act).
    fn apply(&self, state: &mut Self::State, acts: &[(Seat, Act<Self::Move>)]);

    /// What `seat` may see, as the bytes its bot is given.
    fn view(&self, state: &Self::State, seat: Seat) -> Vec<u8>;

    /// The board as text for people and records.
    fn board(&self, state: &Self::State) -> Vec<u8>;

    /// A move in the game's usual notation.
    fn notation(&self, m: &Self::Move) -> String;

    /// How it ended, once no seat is to act.
    fn outcome(&self, state: &Self::State) -> Option<Outcome>;
}

/// A seat's move, in one of the two ways in which a move can be given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// As a bot answers: the bytes that it wrote.
    Answer(Vec<u8>),
    /// In the game's [notation](Game::notation): as records keep moves and people give them.
    Notation(String),
}

impl Reply {
    /// What was given, as bytes.
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Reply::Answer(bytes) => bytes,
            Reply::Notation(text) => text.as_bytes(),
        }
    }
}

/// One game in progress: the object-safe face of a [`Game`].
pub trait LiveGame: Send {
    /// How many seats there are.
    fn seats(&self) -> u8;

    /// Who is to act and has not yet done so; none when the game is over.
    fn to_act(&self) -> Seats;

    /// What `seat` may see.
    fn view(&self, seat: Seat) -> Vec<u8>;

    /// The board as text for people and records.
    fn board(&self) -> Vec<u8>;

    /// The notation of the move that `reply` would be, while nothing changes.
    ///
    /// # Errors
    /// The violation, when it is not a legal move.
    fn judge(&self, seat: Seat, reply: &Reply) -> Result<String, Violation>;

    /// Plays the move of `seat`, if it is legal, and gives its notation. Seats that act at once are all awaited before
    /// any of their moves counts.
    ///
    /// # Errors
    /// The violation; the position is as before, and the seat still to act.
    fn play(&mut self, seat: Seat, reply: &Reply) -> Result<String, Violation>;

    /// [Plays](LiveGame::play) the move that a bot answered with these bytes.
    ///
    /// # Errors
    /// As [`LiveGame::play`].
    fn answer(&mut self, seat: Seat, answer: &[u8]) -> Result<String, Violation> {
        self.play(seat, &Reply::Answer(answer.to_vec()))
    }

    /// Gives up the game for `seat`.
    fn forfeit(&mut self, seat: Seat);

    /// The legal moves of `seat` in notation; empty where the game does not [list them](Game::legal).
    fn legal(&self, seat: Seat) -> Vec<String>;

    /// The same position as a game of its own.
    fn fork(&self) -> Box<dyn LiveGame>;

    /// How it ended, once no seat is to act.
    fn outcome(&self) -> Option<Outcome>;
}

/// A [`Game`] set up and in progress.
#[derive(Clone)]
pub struct InProgress<G: Game> {
    game: G,
    seats: u8,
    state: G::State,
    acts: Vec<(Seat, Act<G::Move>)>,
}

impl<G: Game> InProgress<G> {
    /// Sets up a game.
    ///
    /// # Errors
    /// As [`Game::start`].
    pub fn new(game: G, setup: &Setup) -> Result<InProgress<G>, SetupError> {
        let state = game.start(setup)?;
        Ok(InProgress::at(game, setup.seats, state))
    }

    /// The game by these rules that stands like this, all seats still to act.
    pub fn at(game: G, seats: u8, state: G::State) -> InProgress<G> {
        InProgress { game, seats, state, acts: Vec::new() }
    }

    fn read(&self, seat: Seat, reply: &Reply) -> Result<G::Move, Violation> {
        match reply {
            Reply::Answer(answer) => self.game.read(&self.state, seat, answer),
            Reply::Notation(text) => self.game.read_notation(&self.state, seat, text),
        }
    }

    fn act(&mut self, seat: Seat, act: Act<G::Move>) {
        debug_assert!(self.to_act().contains(seat), "{seat} is not to act");
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
        self.act(seat, Act::Move(m));
        Ok(notation)
    }

    fn forfeit(&mut self, seat: Seat) {
        self.act(seat, Act::Forfeit);
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use alloc::vec;

    /// A game of one round in which both seats say a digit at once; the higher one wins.
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
                _ => Err(Violation { kind: "digit", rule: "-", spots: vec![], detail: "no digit".to_string() }),
            }
        }

        fn apply(&self, state: &mut Self::State, acts: &[(Seat, Act<u8>)]) {
            assert!(acts.iter().map(|(seat, _)| seat.index()).eq(0..2), "exactly one act a seat, in order");
            let digit = |act: &Act<u8>| if let Act::Move(digit) = act { Some(*digit) } else { None };
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
    fn seats_that_act_at_once_are_all_awaited() {
        let mut game = high_card();
        assert_eq!(game.answer(Seat(1), b"7").as_deref(), Ok("7"));
        assert_eq!(game.to_act(), Seats::only(Seat(0)));
        assert_eq!((game.view(Seat(0)), game.outcome()), (vec![], None), "the first answer shows already");
        assert_eq!(game.answer(Seat(0), b"x").unwrap_err().kind, "digit");
        assert_eq!(game.to_act(), Seats::only(Seat(0)));
        assert_eq!(game.answer(Seat(0), b"4").as_deref(), Ok("4"));
        assert_eq!(game.board(), b"47");
        assert!(game.outcome().unwrap().winners().eq([Seat(1)]));
    }

    #[test]
    fn a_forfeit_is_awaited_as_a_move_is() {
        let mut game = high_card();
        game.forfeit(Seat(0));
        assert_eq!(game.to_act(), Seats::only(Seat(1)));
        game.answer(Seat(1), b"0").unwrap();
        assert!(game.outcome().unwrap().winners().eq([Seat(1)]));
    }

    #[test]
    fn a_fork_and_a_judged_reply_leave_the_game_as_it_was() {
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
    fn ties_share_the_win() {
        let mut game = high_card();
        game.answer(Seat(0), b"5").unwrap();
        game.answer(Seat(1), b"5").unwrap();
        assert!(game.outcome().unwrap().winners().eq([Seat(0), Seat(1)]));
    }

    #[test]
    fn sets_of_seats_go_round_the_table() {
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
