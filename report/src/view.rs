//! How a game is shown: pictures, words, a script that steps through it on the page, files for other programs.
//!
//! A game implements [`GameView`], which all other code uses. Its methods have defaults, which show the board as text
//! and call points "points". Those that depend on the rules are given the ruleset, and find the game's own rules in it
//! with [`Ruleset::rules_of`].

use crate::why::{self, Explanation, Lost};
use crate::{Style, count};
use anstyle::AnsiColor;
use cornerman::format::GameId;
use cornerman::game::{End, Game, InProgress, LiveGame, Outcome, Seat};
use cornerman_harness::record::{EntrantRecord, GameRecord, Header};
use cornerman_harness::replay::Step;
use cornerman_harness::ruleset::Ruleset;
use serde_json::Value;

/// How one game is shown. The author of a game implements this.
pub trait GameView: Send + Sync {
    /// Whether text shows a board for each move or a line for each round.
    fn layout(&self) -> GameLayout {
        GameLayout::Boards
    }

    /// The number of lines and columns of a coloured picture; `None` if they vary, or are not known.
    fn extent(&self, _ruleset: &Ruleset) -> Option<(usize, usize)> {
        None
    }

    /// A board as lines of text; a game may mark what the last move changed.
    fn picture(&self, _ruleset: &Ruleset, picture: &Picture, _style: Style) -> String {
        String::from_utf8_lossy(picture.board).into_owned()
    }

    /// A few words about a board, such as `120 spots vacant`; may be empty.
    fn status(&self, _board: &[u8]) -> String {
        String::new()
    }

    /// A move in words, such as `rock`; `None` if its notation is clear enough.
    fn spoken(&self, _notation: &str) -> Option<&'static str> {
        None
    }

    /// What the game says about a step.
    fn words(&self, _step: &Step) -> StepWords {
        StepWords::default()
    }

    /// What the winner of a game did, in words that follow its name: `wins the game`. It is shown if the contest counts
    /// the game by another measure, by which others win.
    fn decision(&self, _end: End) -> &'static str {
        "wins the game"
    }

    /// How `seat` won, in words that follow its name: `wins with 12 points`.
    fn victory(&self, ruleset: &Ruleset, outcome: &Outcome, seat: Seat) -> String {
        match outcome.end {
            End::Forfeited => "wins by forfeit".to_string(),
            End::Played => {
                let points = outcome.points[seat.index()];
                let sign = if points < 0 { "-" } else { "" };
                format!("wins with {sign}{}", count(points.unsigned_abs(), self.unit(ruleset)))
            }
        }
    }

    /// What a seat holds at the end, with a trailing comma: `31 marks, `; may be empty.
    fn holding(&self, _outcome: &Outcome, _seat: Seat) -> String {
        String::new()
    }

    /// A game of [`GameLayout::Rounds`] in a few words that follow a seat's name: what it did, and how it fared. Each
    /// round has the moves of all seats; may be empty.
    fn summary(&self, _rounds: &[Vec<String>], _seat: Seat) -> String {
        String::new()
    }

    /// The word for a point, in the singular.
    fn unit(&self, _ruleset: &Ruleset) -> &'static str {
        "point"
    }

    /// The game's opinion on how well each seat stands in a position; more is better. It is drawn as a curve, and a
    /// drop shows where a game was lost. [`state_of`] returns the position by the game's own rules. If it is empty for
    /// all positions of a game, games are played on from them instead, by bots or at random.
    fn value(&self, _live: &dyn LiveGame) -> Vec<f64> {
        Vec::new()
    }

    /// What decided a game, if its loser did not forfeit. By default, the moves after which the loser's
    /// [value](Self::value) fell the most or, without values, its share of wins in games that are played on.
    fn explain(&self, lost: &Lost) -> Explanation {
        why::by_value_or_playing_out(lost, &|live| self.value(live))
    }

    /// The script that draws its boards on the page.
    fn script(&self) -> Script {
        Script::TEXT
    }

    /// The file formats that its games can be exported to.
    fn files(&self) -> &'static [FileForm] {
        &[]
    }

    /// A game in the file format `form`, one of [`GameView::files`].
    ///
    /// # Errors
    /// When the record contradicts the rules, or there is no such format.
    fn write(&self, form: &str, game: &RecordedGame) -> Result<String, ExportError> {
        let why = format!("this game has no format `{form}`");
        Err(ExportError { id: game.record.pairing.id, form: form.to_string(), why })
    }
}

/// The position of a game by the rules `R`.
///
/// # Panics
/// When it is a game by other rules.
pub fn state_of<R: Game>(live: &dyn LiveGame) -> &R::State {
    let game = live.as_any().and_then(|live| live.downcast_ref::<InProgress<R>>());
    game.expect("a game's view is asked about games by its rules").state()
}

/// How a whole game is shown as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameLayout {
    /// A board after each move.
    Boards,
    /// A line for each round, in which all seats act at once; there is no board.
    Rounds,
}

/// A board to draw.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// The board, in the text form of its game.
    pub board: &'a [u8],
    /// The board before the last move, if there was one: differences from it are marked as new.
    pub before: Option<&'a [u8]>,
    /// The marks of the seats, one byte each; empty in games without marks.
    pub marks: &'a [u8],
}

/// The colours of the first eight seats. Further seats repeat them, and their marks tell seats apart as well.
const SEATS: [AnsiColor; 8] = [
    AnsiColor::Blue,
    AnsiColor::Yellow,
    AnsiColor::Magenta,
    AnsiColor::Cyan,
    AnsiColor::BrightRed,
    AnsiColor::BrightGreen,
    AnsiColor::BrightBlue,
    AnsiColor::BrightYellow,
];

/// The style of the seat with this number, from 0.
pub fn seat_style(seat: usize) -> anstyle::Style {
    SEATS[seat % SEATS.len()].on_default().bold()
}

/// What a game says about a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepWords {
    /// The effect of the move, such as `captures 2 stones`; may be empty.
    pub follows: String,
    /// Members to add to the step's JSON object.
    pub members: Vec<(&'static str, Value)>,
}

/// The script that draws the boards of a game on the page. `docs/report.md` describes its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Script {
    /// The kind of board. The page's data names the kind, and the script registers itself under it.
    pub kind: &'static str,
    /// JavaScript that sets `cornerman.boards[kind]`; empty if the page's own script draws the board.
    pub js: &'static str,
    /// CSS for its colours and lines.
    pub css: &'static str,
    /// The colours of small pictures of a board: of what is vacant, then of the seats, as red, green and blue.
    pub colours: &'static [[u8; 3]],
}

impl Script {
    /// Draws the board as characters.
    pub const TEXT: Script = Script { kind: "text", js: "", css: "", colours: Script::COLOURS };
    /// The colours that the page has for vacant spots and for seats.
    pub const COLOURS: &'static [[u8; 3]] = &[
        [0xfb, 0xfc, 0xfd],
        [0x00, 0x72, 0xb2],
        [0xe6, 0x9f, 0x00],
        [0x00, 0x9e, 0x73],
        [0xcc, 0x79, 0xa7],
        [0x56, 0xb4, 0xe9],
        [0xd5, 0x5e, 0x00],
        [0xf0, 0xe4, 0x42],
        [0x99, 0x99, 0x99],
    ];
}

/// A file format for other programs. In a folder, each game has a file of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileForm {
    /// The argument of `export --format`, and the extension of the files.
    pub name: &'static str,
    /// Text in the first line of each such file. An export replaces only files that contain it.
    pub sign: &'static str,
}

/// A recorded game with its entrants and its rules: the ruleset, or the rules of one game that are in it.
#[derive(Clone, Copy, Debug)]
pub struct RecordedGame<'a, R = Ruleset> {
    /// The header of its record.
    pub header: &'a Header,
    /// The ruleset's title, for people.
    pub title: &'a str,
    /// The rules it was played by.
    pub rules: &'a R,
    /// The contest's entrants, by number.
    pub entrants: &'a [EntrantRecord],
    /// The game itself.
    pub record: &'a GameRecord,
    /// Why it does not count after the organizer's decisions, in a word; `None` if it does.
    pub uncounted: Option<&'static str>,
}

/// Why a game cannot be written in another file format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {id} cannot be written as {form}: {why}")]
pub struct ExportError {
    /// The game.
    pub id: GameId,
    /// The file format.
    pub form: String,
    /// What is wrong.
    pub why: String,
}
