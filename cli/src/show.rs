//! Fits text to the terminal at hand: its width, and whether it shows colours. Colours are written as escape codes,
//! which `anstream` removes where they are not wanted.
//!
//! Commands print by [`stdout`] and `note!`: whether anyone reads changes neither what a command does nor its exit
//! code. The exceptions do nothing but write, and end without a reader ([`OutputClosed`](crate::CliError)).

use anstream::{AutoStream, ColorChoice};
use anstyle::Style;
pub(crate) use cornerman_harness::text::{count, duration, plain, plain_json, plain_lines, rounded_duration};
use cornerman_report::json::JsonOutput;
pub(crate) use cornerman_report::seat_style;
use cornerman_report::style::last_column;
pub(crate) use cornerman_report::style::{BAD, FAINT as DIM, HEADING as NAME, cut, folded_at};
use serde::Serialize;
use std::fmt::{self, Display};
use std::io::{self, Write};

/// Writes a line to standard error. Unlike `eprintln!`, it does not panic if the line cannot be written.
macro_rules! note {
    ($($words:tt)*) => {
        $crate::show::note(format_args!($($words)*))
    };
}

/// What `note!` calls. A line that cannot be written is dropped.
pub(crate) fn note(words: fmt::Arguments) {
    writeln!(anstream::stderr(), "{words}").ok();
}

/// Standard output, with colours where they are wanted. What is written after its reader, such as `head`, has gone is
/// discarded.
pub(crate) fn stdout() -> Output<AutoStream<io::Stdout>> {
    Output(anstream::stdout())
}

/// [`stdout`] for bytes that stay as they are.
pub(crate) fn raw_stdout() -> Output<io::Stdout> {
    Output(io::stdout())
}

/// See [`stdout`].
pub(crate) struct Output<W>(W);

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        unless_closed(self.0.write(bytes), bytes.len())
    }

    fn write_fmt(&mut self, words: fmt::Arguments) -> io::Result<()> {
        unless_closed(self.0.write_fmt(words), ())
    }

    fn flush(&mut self) -> io::Result<()> {
        unless_closed(self.0.flush(), ())
    }
}

/// What was `written`, or `discarded` if the reader has gone.
fn unless_closed<T>(written: io::Result<T>, discarded: T) -> io::Result<T> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(discarded),
        written => written,
    }
}

/// A line of JSON: this content with the version of the format.
pub(crate) fn json(content: impl Serialize) -> String {
    let text = serde_json::to_string(&JsonOutput::new(content));
    plain_json(text.expect("what is printed has only what JSON can express"))
}

/// `what` in `style`, to be printed through `anstream`.
pub(crate) fn paint(style: Style, what: impl Display) -> String {
    format!("{style}{what}{style:#}")
}

/// The style of reports that are written to `out`. Where colours would be removed, it marks changes with signs instead.
pub(crate) fn style_for(out: &Output<AutoStream<io::Stdout>>) -> cornerman_report::Style {
    cornerman_report::Style { colour: out.0.current_choice() != ColorChoice::Never, ..style() }
}

/// The style for what `anstream` prints, which takes colours off where they are not wanted.
pub(crate) fn style() -> cornerman_report::Style {
    cornerman_report::Style { colour: true, width: width() }
}

/// The terminal's width in columns, at most 120, which is still easy to read; 100 if there is no terminal.
pub(crate) fn width() -> usize {
    const COMFORTABLE: usize = 120;
    terminal().map_or(100, |(columns, _)| columns.min(COMFORTABLE))
}

/// The columns and lines of the terminal; `None` if standard output is not one.
pub(crate) fn terminal() -> Option<(usize, usize)> {
    terminal_size::terminal_size_of(io::stdout())
        .map(|(columns, lines)| (usize::from(columns.0), usize::from(lines.0)))
}

/// `line`, which may be coloured, broken at blanks so that it fits on the terminal; all but its first line begin with
/// `indent` blanks. It stays as it is where there is no terminal.
pub(crate) fn folded(line: &str, indent: usize) -> String {
    terminal().map_or(line.to_string(), |(columns, _)| folded_at(line, indent, columns))
}

/// An error message for standard error: one line is broken like those of [`folded`], several stay as they are.
pub(crate) fn folded_error(message: &str) -> String {
    let columns = terminal_size::terminal_size_of(io::stderr()).map(|(columns, _)| usize::from(columns.0));
    let columns = columns.filter(|_| !message.contains('\n'));
    columns.map_or(message.to_string(), |columns| folded_at(message, 2, columns))
}

/// The lines of a text, each [`folded`] and ended by a line feed. What continues a line begins below its last column.
pub(crate) fn folded_lines(text: &str) -> String {
    let Some((columns, _)) = terminal() else { return text.to_string() };
    text.lines().map(|line| folded_at(line, last_column(line, columns), columns) + "\n").collect()
}
