//! How a game is shown: pictures, words, a script that steps through it on the page, files for other programs.
//!
//! A game implements the typed [`GameView`]. Its methods have defaults, which show the board as text and call points
//! "points". All other code uses the object-safe [`View`], which is bound to one ruleset.

use crate::why::{self, Explanation, Lost, Means};
use crate::{Style, count};
use cornerman::format::GameId;
use cornerman::game::{End, Game, Outcome, Seat};
use cornerman_harness::record::{EntrantRecord, GameRecord, Header};
use cornerman_harness::replay::Deviation;
use cornerman_harness::replay::Step;
use cornerman_harness::ruleset::Ruleset;
use serde_json::Value;

/// How one game is shown. The author of a game implements this.
pub trait GameView: Send + Sync + 'static {
    /// The game's rules.
    type Rules: Game;

    /// Whether text shows a board for each move or a line for each round.
    fn layout(&self) -> GameLayout {
        GameLayout::Boards
    }

    /// The number of lines and columns of a picture; `None` if they vary.
    fn extent(&self, rules: &Self::Rules) -> Option<(usize, usize)> {
        let _ = rules;
        None
    }

    /// A board as lines of text, in which changes since the last move are marked.
    fn picture(&self, rules: &Self::Rules, picture: &Picture, style: Style) -> String {
        let _ = (rules, style);
        String::from_utf8_lossy(picture.board).into_owned()
    }

    /// A board in a few words, such as `120 spots vacant`; may be empty.
    fn status(&self, rules: &Self::Rules, board: &[u8]) -> String {
        let _ = (rules, board);
        String::new()
    }

    /// A move in words, such as `rock`; `None` if its notation is clear enough.
    fn spoken(&self, notation: &str) -> Option<&'static str> {
        let _ = notation;
        None
    }

    /// A step in words.
    fn words(&self, rules: &Self::Rules, step: &Step) -> StepWords {
        let _ = (rules, step);
        StepWords::default()
    }

    /// What the winner did, in words that follow its name, where a contest has another measure: `wins the game`.
    fn decision(&self, end: End) -> &'static str {
        let _ = end;
        "wins the game"
    }

    /// How `seat` won, in words that follow its name: `wins with 12 points`.
    fn victory(&self, rules: &Self::Rules, outcome: &Outcome, seat: Seat) -> String {
        let _ = rules;
        match outcome.end {
            End::Forfeited => "wins by forfeit".to_string(),
            End::Played => {
                let points = outcome.points[seat.index()].unsigned_abs() as usize;
                format!("wins with {}", count(points, self.unit()))
            }
        }
    }

    /// What a seat holds at the end, with a trailing comma: `31 marks, `; may be empty.
    fn holding(&self, outcome: &Outcome, seat: Seat) -> String {
        let _ = (outcome, seat);
        String::new()
    }

    /// A game of [`GameLayout::Rounds`] in a few words that follow a seat's name: what it did, and how it fared. Each
    /// of `rounds` has the moves of all seats; may be empty.
    fn summary(&self, rounds: &[Vec<String>], seat: Seat) -> String {
        let _ = (rounds, seat);
        String::new()
    }

    /// The word for a point, in the singular.
    fn unit(&self) -> &'static str {
        "point"
    }

    /// How well each seat stands in a position, as an opinion that is drawn and says where a game was lost; more is better.
    /// Empty if the game has no opinion: it is then played out, by bots or at random.
    fn value(&self, rules: &Self::Rules, state: &<Self::Rules as Game>::State) -> Vec<f64> {
        let _ = (rules, state);
        Vec::new()
    }

    /// What decided a game without a forfeit of its loser. By default, the moves after which the loser's value fell the most.
    fn explain(&self, lost: &Lost<Self::Rules>) -> Explanation {
        why::by_value_or_playing_out(self, lost)
    }

    /// The script that steps through its games on the page.
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
    fn write(&self, form: &str, game: &RecordedGame<Self::Rules>) -> Result<String, ExportError> {
        let why = format!("this game has no format `{form}`");
        Err(ExportError { id: game.record.pairing.id, form: form.to_string(), why })
    }
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
    /// The marks of the seats, one byte each.
    pub marks: &'a [u8],
}

/// A step in the words of its game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepWords {
    /// The effect of the move, such as `captures 2 stones`; may be empty.
    pub follows: String,
    /// Members to add to the step's JSON object.
    pub members: Vec<(&'static str, Value)>,
}

/// The script that steps through a game on the page. `docs/report.md` describes its input.
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

/// A file format for other programs, with one file for each game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileForm {
    /// The argument of `export --format`, and the extension of the files.
    pub name: &'static str,
    /// Text in the first line of each such file. An export replaces only files that contain it.
    pub sign: &'static str,
}

/// A recorded game with its rules and entrants.
#[derive(Clone, Copy, Debug)]
pub struct RecordedGame<'a, R> {
    /// The header of its record.
    pub header: &'a Header,
    /// The ruleset's title, for people.
    pub ruleset: &'a str,
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

/// A [`GameView`] of any game, object-safe, for code that does not know which game it shows.
pub trait AnyView: Send + Sync {
    /// The view of games by `ruleset`.
    ///
    /// # Panics
    /// When the ruleset is of another game.
    fn for_ruleset<'a>(&'a self, ruleset: &'a Ruleset) -> Box<dyn View + 'a>;
    /// The file formats that its games can be exported to.
    fn files(&self) -> &'static [FileForm];
}

impl<V: GameView> AnyView for V {
    fn for_ruleset<'a>(&'a self, ruleset: &'a Ruleset) -> Box<dyn View + 'a> {
        let rules = ruleset.rules_of().expect("a game's view is asked for rulesets of that game");
        Box::new(ByRules { view: self, rules, ruleset })
    }
    fn files(&self) -> &'static [FileForm] {
        GameView::files(self)
    }
}

/// How games by one ruleset are shown. Each method is that of [`GameView`] with the ruleset's rules.
pub trait View: Sync {
    /// Whether text shows a board for each move or a line for each round.
    fn layout(&self) -> GameLayout;
    /// The number of lines and columns of a picture; `None` if they vary.
    fn extent(&self) -> Option<(usize, usize)>;
    /// A board as lines of text, in which changes since the last move are marked.
    fn picture(&self, picture: &Picture, style: Style) -> String;
    /// A board in a few words; may be empty.
    fn status(&self, board: &[u8]) -> String;
    /// A move in words; `None` if its notation is clear enough.
    fn spoken(&self, notation: &str) -> Option<&'static str>;
    /// A step in words.
    fn words(&self, step: &Step) -> StepWords;
    /// What the winner did, in words that follow its name, where a contest has another measure.
    fn decision(&self, end: End) -> &'static str;
    /// How `seat` won, in words that follow its name.
    fn victory(&self, outcome: &Outcome, seat: Seat) -> String;
    /// What a seat holds at the end, with a trailing comma; may be empty.
    fn holding(&self, outcome: &Outcome, seat: Seat) -> String;
    /// A game of [`GameLayout::Rounds`] from one seat's side, in a few words that follow its name; may be empty.
    fn summary(&self, rounds: &[Vec<String>], seat: Seat) -> String;
    /// The word for a point, in the singular.
    fn unit(&self) -> &'static str;
    /// Why `seat` lost `record`, the seats of which have these `names`.
    ///
    /// # Errors
    /// With the reason, if the record contradicts the rules.
    fn explain(
        &self,
        record: &GameRecord,
        names: &[String],
        seat: Seat,
        means: Means,
    ) -> Result<Explanation, Deviation>;
    /// The script that steps through its games on the page.
    fn script(&self) -> Script;
    /// A game in the file format `form`, one of [`AnyView::files`]. `uncounted` says why it does not count, if so.
    ///
    /// # Errors
    /// When the record contradicts the rules, or there is no such format.
    fn write(
        &self,
        form: &str,
        header: &Header,
        entrants: &[EntrantRecord],
        record: &GameRecord,
        uncounted: Option<&'static str>,
    ) -> Result<String, ExportError>;
}

struct ByRules<'a, V: GameView> {
    view: &'a V,
    rules: &'a V::Rules,
    ruleset: &'a Ruleset,
}

impl<V: GameView> View for ByRules<'_, V> {
    fn layout(&self) -> GameLayout {
        self.view.layout()
    }
    fn extent(&self) -> Option<(usize, usize)> {
        self.view.extent(self.rules)
    }
    fn picture(&self, picture: &Picture, style: Style) -> String {
        self.view.picture(self.rules, picture, style)
    }
    fn status(&self, board: &[u8]) -> String {
        self.view.status(self.rules, board)
    }
    fn spoken(&self, notation: &str) -> Option<&'static str> {
        self.view.spoken(notation)
    }
    fn words(&self, step: &Step) -> StepWords {
        self.view.words(self.rules, step)
    }
    fn decision(&self, end: End) -> &'static str {
        self.view.decision(end)
    }
    fn victory(&self, outcome: &Outcome, seat: Seat) -> String {
        self.view.victory(self.rules, outcome, seat)
    }
    fn holding(&self, outcome: &Outcome, seat: Seat) -> String {
        self.view.holding(outcome, seat)
    }
    fn summary(&self, rounds: &[Vec<String>], seat: Seat) -> String {
        self.view.summary(rounds, seat)
    }
    fn unit(&self) -> &'static str {
        self.view.unit()
    }
    fn explain(
        &self,
        record: &GameRecord,
        names: &[String],
        seat: Seat,
        means: Means,
    ) -> Result<Explanation, Deviation> {
        why::explain(self.view, self.rules, record, names, seat, means)
    }
    fn script(&self) -> Script {
        self.view.script()
    }
    fn write(
        &self,
        form: &str,
        header: &Header,
        entrants: &[EntrantRecord],
        record: &GameRecord,
        uncounted: Option<&'static str>,
    ) -> Result<String, ExportError> {
        let ruleset = &self.ruleset.title;
        self.view.write(form, &RecordedGame { header, ruleset, rules: self.rules, entrants, record, uncounted })
    }
}
