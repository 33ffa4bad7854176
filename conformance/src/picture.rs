//! Pictures of findings, as plain lines that say which part of them stands out.

/// The greatest width of a picture, in columns.
pub const PICTURE_COLUMNS: usize = 75;

/// A line of a picture: its margin, and then its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureLine {
    /// What is before the text: labels and blanks.
    pub margin: String,
    /// The text.
    pub text: String,
    /// How the text stands out from the rest of the picture.
    pub emphasis: Emphasis,
}

/// How a part of a picture stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emphasis {
    /// Not at all.
    None,
    /// It is secondary, such as a ruler.
    Secondary,
    /// It is what the bot did wrong.
    Wrong,
}

impl PictureLine {
    /// A line without a margin in which nothing stands out.
    pub fn plain(text: impl Into<String>) -> PictureLine {
        PictureLine { margin: String::new(), text: text.into(), emphasis: Emphasis::None }
    }
}
