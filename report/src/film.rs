//! The steps of a recorded game, whichever it is: what each changed on the board's text.
//!
//! A game is played again at its own table by its own rules, and of two texts of the board only what differs is
//! kept. So whatever game has a [`LiveGame`] can be stepped through; all that is to be known of one is how a move as
//! it is written becomes the bytes of an answer ([`Kind::answer`]).

use cornerman::game::{Seat, Setup, SetupError, LiveGame};
use cornerman::games::boxing::{Arena, Square};
use cornerman_harness::record::{FaultRecord, GameRecord, Header, MoveRecord, Used};
use cornerman_harness::ruleset::Ruleset;
use std::path::Path;

/// How a game looks on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Marks in an arena: the Boxing Match.
    Arena,
    /// Stones on a board of lines: Go.
    Stones,
    /// Rounds in which all choose at once: rock, paper, scissors.
    Rounds,
    /// A board of characters.
    Text,
}

impl Kind {
    /// That of the game with this name.
    pub fn of(game: &str) -> Kind {
        match game {
            "boxing" => Kind::Arena,
            "go" => Kind::Stones,
            "rps" => Kind::Rounds,
            _ => Kind::Text,
        }
    }

    /// Its name in the data.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Arena => "arena",
            Kind::Stones => "stones",
            Kind::Rounds => "rounds",
            Kind::Text => "text",
        }
    }

    /// The bytes that stand for the move `notation` of the seat with this mark; `None` if it is no move. In games
    /// with a line protocol a move is written as it is answered.
    fn answer(self, board: &[u8], mark: Option<u8>, notation: &str) -> Option<Vec<u8>> {
        match self {
            Kind::Arena => {
                let square: Square = notation.parse().ok()?;
                let mut arena = Arena::parse(board).ok()?;
                if !arena.vacancy().fits(square) {
                    return None;
                }
                arena.fill(square, mark?);
                Some(arena.to_bytes().to_vec())
            }
            Kind::Stones | Kind::Rounds | Kind::Text => Some(notation.as_bytes().to_vec()),
        }
    }
}

/// The rules that games are played again by.
pub struct Rules {
    kind: Kind,
    open: Box<Open>,
}

type Open = dyn Fn(&Setup) -> Result<Box<dyn LiveGame>, SetupError>;

impl Rules {
    /// Those of a record: its ruleset, or where that cannot be read, the game's usual ones.
    pub fn of(header: &Header) -> Rules {
        let kind = Kind::of(&header.game);
        match Ruleset::parse(Path::new(&header.ruleset), &header.ruleset_text) {
            Ok(ruleset) => Rules::by(ruleset),
            Err(_) => {
                let game = header.game.clone();
                let usual = move |setup: &Setup| match cornerman::games::find(&game) {
                    Some(info) => (info.open)(setup),
                    None => Err(SetupError(format!("there is no game `{game}`"))),
                };
                Rules { kind, open: Box::new(usual) }
            }
        }
    }

    /// Those of a ruleset.
    pub fn by(ruleset: Ruleset) -> Rules {
        Rules { kind: Kind::of(ruleset.game()), open: Box::new(move |setup| ruleset.open(setup)) }
    }

    /// How its games look.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// A table at which `game` has not yet begun.
    ///
    /// # Errors
    /// When it does not start as these rules have it.
    pub fn table(&self, game: &GameRecord) -> Result<Box<dyn LiveGame>, SetupError> {
        (self.open)(&game.setup)
    }

    /// Plays these first `acts` of `game` at a new `table`, and shows each to `see`.
    ///
    /// # Errors
    /// In words, where the record makes no sense from: it was tampered with, or is of other rules.
    pub fn play_again<'a>(
        &self,
        game: &GameRecord,
        table: &mut dyn LiveGame,
        acts: &[Act<'a>],
        see: &mut dyn FnMut(Scene<'a, '_>),
    ) -> Result<(), String> {
        let mut board = table.board();
        for &act in acts {
            let seat = act.seat();
            if !table.to_act().contains(seat) {
                return Err(format!("move {}: {seat} is not to move", act.number()));
            }
            let view = table.view(seat);
            match act {
                Act::Moved(made) => {
                    let mark = game.setup.marks.get(seat.index()).copied();
                    let answer = self.kind.answer(&board, mark, &made.notation);
                    if answer.is_none_or(|answer| table.answer(seat, &answer).is_err()) {
                        let notation = crate::shown(&made.notation);
                        return Err(format!("move {}, `{notation}`, is none in that position", made.number));
                    }
                }
                Act::Forfeited(_) => table.forfeit(seat),
            }
            let after = table.board();
            see(Scene { act, view, before: &board, after: &after });
            board = after;
        }
        Ok(())
    }
}

/// What a seat did, and what it was to see.
pub struct Scene<'a, 'b> {
    /// What it did.
    pub act: Act<'a>,
    /// What it was told to be asked for it.
    pub view: Vec<u8>,
    /// The board then.
    pub before: &'b [u8],
    /// The board afterwards.
    pub after: &'b [u8],
}

/// A game that can be stepped through, as far as it can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Film<'a> {
    /// The board before the first move.
    pub start: Vec<u8>,
    /// Moves and forfeits, in order.
    pub frames: Vec<Frame<'a>>,
    /// Why it cannot be stepped through to its end, if it cannot.
    pub wrong: Option<String>,
}

/// What a seat did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// What it did.
    pub act: Act<'a>,
    /// What is new on the board: places in its text, and the text there; [`WHOLE`] for all of it.
    pub changes: Vec<(i32, Vec<u8>)>,
    /// Whether it was shown anything but the board.
    pub other_view: bool,
}

/// In place of a place: the text is that of the whole board.
pub const WHOLE: i32 = -1;

/// A move or a forfeit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act<'a> {
    /// It moved.
    Moved(&'a MoveRecord),
    /// It forfeited.
    Forfeited(&'a FaultRecord),
}

impl Act<'_> {
    /// Which move of the game, from 1.
    pub fn number(&self) -> u32 {
        match self {
            Act::Moved(made) => made.number,
            Act::Forfeited(fault) => fault.number,
        }
    }

    /// Who.
    pub fn seat(&self) -> Seat {
        match self {
            Act::Moved(made) => made.seat,
            Act::Forfeited(fault) => fault.seat,
        }
    }

    /// What it used up.
    pub fn used(&self) -> Used {
        match self {
            Act::Moved(made) => made.used,
            Act::Forfeited(fault) => fault.used,
        }
    }
}

impl<'a> Film<'a> {
    /// Plays `game` again. A record that was tampered with, or is of other rules, ends where it makes no sense.
    pub fn of(game: &'a GameRecord, rules: &Rules) -> Film<'a> {
        let mut film = Film { start: game.setup.board.clone(), frames: Vec::new(), wrong: None };
        let mut table = match rules.table(game) {
            Ok(table) => table,
            Err(error) => {
                film.wrong = Some(error.to_string());
                return film;
            }
        };
        film.start = table.board();
        let frames = &mut film.frames;
        let played = rules.play_again(game, &mut *table, &acts(game), &mut |scene| {
            let other_view = matches!(scene.act, Act::Forfeited(fault) if fault.view != scene.before);
            frames.push(Frame { act: scene.act, changes: changes(scene.before, scene.after), other_view });
        });
        film.wrong = played.err();
        film
    }
}

/// Moves and forfeits in the order of their numbers; those who forfeited a move had it before whoever made it.
pub fn acts(game: &GameRecord) -> Vec<Act<'_>> {
    let faults = game.faults.iter().map(|fault| (fault.number, 0, Act::Forfeited(fault)));
    let moves = game.moves.iter().map(|made| (made.number, 1, Act::Moved(made)));
    let mut all: Vec<(u32, u8, Act)> = faults.chain(moves).collect();
    // The sort is stable: several forfeits of a move stay in the order in which they happened.
    all.sort_by_key(|(number, kind, _)| (*number, *kind));
    all.into_iter().map(|(.., act)| act).collect()
}

/// Runs of `after` that differ from `before`; all of it if they are not equally long.
fn changes(before: &[u8], after: &[u8]) -> Vec<(i32, Vec<u8>)> {
    if before.len() != after.len() {
        return vec![(WHOLE, after.to_vec())];
    }
    let mut runs: Vec<(i32, Vec<u8>)> = Vec::new();
    for (at, (_, new)) in (0i32..).zip(before.iter().zip(after)).filter(|(_, (old, new))| old != new) {
        match runs.last_mut() {
            Some((start, run)) if *start + run.len() as i32 == at => run.push(*new),
            _ => runs.push((at, vec![*new])),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_runs_of_new_text() {
        let check = |before: &str, after: &str, wanted: &[(i32, &str)]| {
            let found = changes(before.as_bytes(), after.as_bytes());
            let found: Vec<(i32, String)> =
                found.into_iter().map(|(at, run)| (at, String::from_utf8(run).unwrap())).collect();
            let wanted: Vec<(i32, String)> = wanted.iter().map(|(at, run)| (*at, run.to_string())).collect();
            assert_eq!(found, wanted, "{before:?} to {after:?}");
        };
        check("..\n..\n", "..\n..\n", &[]);
        check("..\n..\n", "XX\n.O\n", &[(0, "XX"), (4, "O")]);
        // A captured stone is a change as any other.
        check(".XO\n", "X.O\n", &[(0, "X.")]);
        check("", "01", &[(WHOLE, "01")]);
        check("0121", "01", &[(WHOLE, "01")]);
    }
}
