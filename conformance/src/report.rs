//! Reports: for people ([`human`], [`table`]) and for programs ([`json`], [`junit`]).
//!
//! Everything that comes from a bot is escaped, so that its output can never control the terminal. Colours appear only
//! if the [`Style`] asks for them.

mod human;
mod json;
mod junit;
mod reproduce;
mod stderr;
mod table;

pub use cornerman_harness::style::Style;
use cornerman_harness::style::wrapped;
pub(crate) use cornerman_harness::text::plain as shown;
pub use cornerman_harness::text::quoted;
pub use human::human;
pub use json::{BotObject, SCHEMA, json};
pub use junit::junit;
pub use stderr::cause;
pub use table::table;

/// How reports are written.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Colours and width.
    pub style: Style,
    /// Whether a failed should fails the bot.
    pub strict: bool,
    /// Whether failed shoulds are shown with everything that is known, like failed musts, rather than in one line.
    pub is_whole: bool,
    /// The command that runs this program, such as `cornerman`, for the commands that are shown.
    pub program: String,
    /// The options that loading the bots needs, each with a blank before it, such as ` --with book.txt`.
    pub load_options: String,
    /// The other options of `check` that are needed to see a failure again.
    pub check_options: String,
}

impl Layout {
    /// The usual layout in this style.
    pub fn new(style: Style) -> Layout {
        let load_options = String::new();
        let check_options = String::new();
        let program = "cornerman".to_string();
        Layout { style, strict: false, is_whole: false, program, load_options, check_options }
    }
}

/// The greatest width of a game's picture, in columns, on a terminal that is wide enough.
pub const PICTURE: usize = 75;
