//! What it takes to show a game: pictures, words, a script that steps it on the page, files for other programs.
//!
//! A game implements the typed [`GameView`]; all its methods have defaults, which show the board as its text and points
//! as points. Everything else sees it through [`View`], for one ruleset.

use crate::style::{Style, count};
use crate::trace::Step;
use cornerman::format::PairingId;
use cornerman::game::{End, Game, Outcome, Seat};
use cornerman_harness::record::{EntrantRecord, GameRecord, Header};
use cornerman_harness::ruleset::Ruleset;
use serde_json::Value;
use std::fmt;

/// How one game is shown, as its author writes it.
pub trait GameView: Send + Sync + 'static {
    /// Its rules.
    type Rules: Game;

    /// Whether a game is shown a board a move or a line a round.
    fn layout(&self) -> Layout {
        Layout::Boards
    }

    /// Lines and columns of a picture; `None` where they vary.
    fn extent(&self, rules: &Self::Rules) -> Option<(usize, usize)> {
        let _ = rules;
        None
    }

    /// A board as lines of text, what is new on it marked.
    fn picture(&self, rules: &Self::Rules, picture: &Picture, style: Style) -> String {
        let _ = (rules, style);
        String::from_utf8_lossy(picture.board).into_owned()
    }

    /// A board in a few words, such as `120 spots vacant`; empty where that says nothing.
    fn status(&self, rules: &Self::Rules, board: &[u8]) -> String {
        let _ = (rules, board);
        String::new()
    }

    /// A step in words.
    fn words(&self, rules: &Self::Rules, step: &Step) -> StepWords {
        let _ = (rules, step);
        StepWords::default()
    }

    /// What `seat` won this outcome by, in words that follow its name.
    fn victory(&self, rules: &Self::Rules, outcome: &Outcome, seat: Seat) -> String {
        let _ = rules;
        match outcome.end {
            End::Forfeited => "wins, as the other forfeits".to_string(),
            End::Played => {
                let points = outcome.points[seat.index()].unsigned_abs() as usize;
                format!("wins with {}", count(points, self.unit()))
            }
        }
    }

    /// What a seat has of its own at the end, such as `31 marks on the arena, `; empty where that says nothing.
    fn holding(&self, outcome: &Outcome, seat: Seat) -> String {
        let _ = (outcome, seat);
        String::new()
    }

    /// What points are called, in the singular.
    fn unit(&self) -> &'static str {
        "point"
    }

    /// What steps its games on the page.
    fn script(&self) -> Script {
        Script::TEXT
    }

    /// The other forms that its games can be written in.
    fn files(&self) -> &'static [FileForm] {
        &[]
    }

    /// A game in the form called `form`, one of [`GameView::files`].
    ///
    /// # Errors
    /// When the game makes no sense by the rules.
    fn write(&self, form: &str, game: &Recorded<Self::Rules>) -> Result<String, ExportError> {
        let why = format!("there is no form `{form}` of it");
        Err(ExportError { id: game.record.pairing.id, form: form.to_string(), why })
    }
}

/// How a whole game is shown as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// A board a move.
    Boards,
    /// A line a round, in which all seats act at once; there is no board.
    Rounds,
}

/// A board to be drawn.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// The board, in the text form of its game.
    pub board: &'a [u8],
    /// The board before the last move, if there was one: what differs is new.
    pub before: Option<&'a [u8]>,
    /// A byte a seat.
    pub marks: &'a [u8],
}

/// A step in the words of its game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepWords {
    /// The move, such as `rock`; `None`: its notation says it.
    pub action: Option<String>,
    /// What came of it, such as `captures 2 stones`; empty for nothing.
    pub follows: String,
    /// What programs are told of it: members of a JSON object.
    pub members: Vec<(&'static str, Value)>,
}

/// What steps a game on the page: `docs/report.md` has what it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Script {
    /// The kind of board, by which script and data find each other.
    pub kind: &'static str,
    /// Sets `cornerman.boards[kind]`; empty for what the page itself can draw.
    pub js: &'static str,
    /// Its colours and lines.
    pub css: &'static str,
}

impl Script {
    /// A board of characters.
    pub const TEXT: Script = Script { kind: "text", js: "", css: "" };
}

/// A form that games can be written in for other programs, a file a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileForm {
    /// What `export --format` takes, and what the files' names end with.
    pub name: &'static str,
    /// What the first line of each such file has, so that an export takes the place of nothing else.
    pub sign: &'static str,
}

/// A game of a record and what it was played by.
#[derive(Clone, Copy, Debug)]
pub struct Recorded<'a, R> {
    /// The contest it is of.
    pub header: &'a Header,
    /// The ruleset's name for people.
    pub ruleset: &'a str,
    /// The rules that it holds.
    pub rules: &'a R,
    /// Who takes part, by number.
    pub entrants: &'a [EntrantRecord],
    /// The game itself.
    pub record: &'a GameRecord,
}

/// Why a game cannot be written in another form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportError {
    /// The game.
    pub id: PairingId,
    /// The form.
    pub form: String,
    /// What is wrong with the game.
    pub why: String,
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "game {} cannot be written as {}: {}", self.id, self.form, self.why)
    }
}

impl std::error::Error for ExportError {}

/// How one game is shown, to everything that knows no game: the object-safe face of a [`GameView`].
pub trait AnyView: Send + Sync {
    /// The same for games by `ruleset`, which is one of this game.
    fn of<'a>(&'a self, ruleset: &'a Ruleset) -> Box<dyn View + 'a>;
    /// The other forms that its games can be written in.
    fn files(&self) -> &'static [FileForm];
}

impl<V: GameView> AnyView for V {
    fn of<'a>(&'a self, ruleset: &'a Ruleset) -> Box<dyn View + 'a> {
        let rules = ruleset.rules_of().expect("a game's view is asked for rulesets of that game");
        Box::new(ByRules { view: self, rules, ruleset })
    }
    fn files(&self) -> &'static [FileForm] {
        GameView::files(self)
    }
}

/// How games by one ruleset are shown; each method is that of [`GameView`] with the rules in force.
pub trait View {
    /// Whether a game is shown a board a move or a line a round.
    fn layout(&self) -> Layout;
    /// Lines and columns of a picture.
    fn extent(&self) -> Option<(usize, usize)>;
    /// A board as lines of text.
    fn picture(&self, picture: &Picture, style: Style) -> String;
    /// A board in a few words.
    fn status(&self, board: &[u8]) -> String;
    /// A step in words.
    fn words(&self, step: &Step) -> StepWords;
    /// What `seat` won by.
    fn victory(&self, outcome: &Outcome, seat: Seat) -> String;
    /// What a seat has of its own at the end.
    fn holding(&self, outcome: &Outcome, seat: Seat) -> String;
    /// What points are called.
    fn unit(&self) -> &'static str;
    /// What steps its games on the page.
    fn script(&self) -> Script;
    /// A game in another form.
    ///
    /// # Errors
    /// When the game makes no sense by the rules, or has no such form.
    fn write(
        &self,
        form: &str,
        header: &Header,
        entrants: &[EntrantRecord],
        record: &GameRecord,
    ) -> Result<String, ExportError>;
}

struct ByRules<'a, V: GameView> {
    view: &'a V,
    rules: &'a V::Rules,
    ruleset: &'a Ruleset,
}

impl<V: GameView> View for ByRules<'_, V> {
    fn layout(&self) -> Layout {
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
    fn words(&self, step: &Step) -> StepWords {
        self.view.words(self.rules, step)
    }
    fn victory(&self, outcome: &Outcome, seat: Seat) -> String {
        self.view.victory(self.rules, outcome, seat)
    }
    fn holding(&self, outcome: &Outcome, seat: Seat) -> String {
        self.view.holding(outcome, seat)
    }
    fn unit(&self) -> &'static str {
        self.view.unit()
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
    ) -> Result<String, ExportError> {
        let ruleset = &self.ruleset.title;
        self.view.write(form, &Recorded { header, ruleset, rules: self.rules, entrants, record })
    }
}
