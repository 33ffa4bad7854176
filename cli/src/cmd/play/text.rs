//! `play --format text`: boards and moves. On a terminal each board is drawn over the last one if it fits and no human
//! plays; otherwise it is printed below it.

use super::{MatchTally, Reporter};
use crate::show::{self, BAD, DIM, NAME};
use cornerman::format::GameId;
use cornerman::game::{Outcome, Seat};
use cornerman_harness::judge::judged;
use cornerman_harness::player::{Conduct, Fault, Remark, Spent};
use cornerman_harness::referee::Event;
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::sandbox::Level;
use cornerman_report::Style;
use cornerman_report::replay::quoted;
use cornerman_report::view::{self, GameLayout, GameView};
use std::io::{self, Write};
use std::time::Duration;

/// Whether a picture of the board fits on the terminal, so that the next one can be drawn over it. A terminal of
/// unknown size is taken to be large enough.
pub(super) fn fits_the_terminal(view: &dyn GameView, ruleset: &Ruleset) -> bool {
    let fits = |(lines, columns)| show::terminal().is_none_or(|(wide, high)| wide >= columns && high > lines + 1);
    view.extent(ruleset).is_some_and(fits)
}

/// The most characters of an illegal answer that are shown.
const MOST_OF_ANSWER: usize = 1000;

/// How much of a game is shown.
#[derive(Clone, Copy)]
pub(super) struct Detail {
    /// Only the results.
    pub quiet: bool,
    /// Also every round of a game that has no board, instead of a summary.
    pub shows_rounds: bool,
}

/// Prints games as pictures of their boards.
pub(super) struct TextPictures<'a> {
    view: &'a dyn GameView,
    ruleset: &'a Ruleset,
    detail: Detail,
    /// Whether each picture is drawn over the last one.
    in_place: bool,
    delay: Duration,
    origin: String,
    names: Vec<String>,
    board: Vec<u8>,
    /// The last picture of this game; empty if none was drawn.
    drawn: String,
    /// In a game whose seats move at once, the moves of each round so far, in the order of the seats.
    rounds: Vec<Vec<String>>,
    /// The moves of the round that is not complete yet, as they are printed.
    held: Vec<String>,
}

impl<'a> TextPictures<'a> {
    /// Prints games as `view` draws them, each picture over the last one if `in_place`, and pauses for `delay` after
    /// each. `origin` says what the games begin from.
    pub(super) fn new(
        view: &'a dyn GameView,
        ruleset: &'a Ruleset,
        detail: Detail,
        in_place: bool,
        delay: Duration,
        origin: &str,
    ) -> TextPictures<'a> {
        let (names, board, rounds, held) = Default::default();
        let origin = show::plain(origin);
        TextPictures {
            view,
            ruleset,
            detail,
            in_place,
            delay,
            origin,
            names,
            board,
            drawn: String::new(),
            rounds,
            held,
        }
    }

    /// The mark and name of a seat in its colour, such as `A @greedy`.
    fn who(&self, seat: Seat) -> String {
        let mark = char::from(self.ruleset.marks[seat.index()]);
        show::paint(show::seat_style(seat.index()), format!("{mark} {}", self.names[seat.index()]))
    }

    /// Whether the rounds of a game are counted rather than shown.
    fn is_summed_up(&self) -> bool {
        self.view.layout() == GameLayout::Rounds && !self.detail.shows_rounds
    }

    /// Prints the picture of `board` and `line` below it, and pauses.
    fn draw(&mut self, out: &mut dyn Write, board: &[u8], line: &str) -> io::Result<()> {
        let room = show::terminal().filter(|_| self.in_place).map(|(columns, _)| columns);
        let is_drawn = !self.drawn.is_empty();
        if let Some((lines, _)) = self.view.extent(self.ruleset).filter(|_| self.in_place && is_drawn) {
            // Move up to the first line of the last picture, and clear the terminal from there.
            write!(out, "\x1b[{}A\x1b[J", lines + 1)?;
        }
        let before = if self.board.is_empty() { None } else { Some(self.board.as_slice()) };
        let picture = view::Picture { board, before, marks: &self.ruleset.marks };
        let picture = self.view.picture(self.ruleset, &picture, Style::coloured());
        // Below the last picture, an equal one is left out: while seats act at the same time, the board stays as it is.
        if self.in_place || picture != self.drawn {
            write!(out, "{picture}")?;
        }
        // A line that the terminal wraps would shift the pictures.
        writeln!(out, "{}", room.map_or(line.to_string(), |columns| show::cut(line, columns)))?;
        out.flush()?;
        self.drawn = picture;
        self.board = board.to_vec();
        std::thread::sleep(self.delay);
        Ok(())
    }

    fn started(&mut self, out: &mut dyn Write, game: usize, board: &[u8]) -> io::Result<()> {
        self.drawn.clear();
        self.board.clear();
        self.rounds.clear();
        let seats: Vec<String> = (0..self.names.len() as u8).map(|seat| self.who(Seat(seat))).collect();
        let number = format!("Game {}:", game + 1);
        let origin = show::paint(DIM, &self.origin);
        let heading = format!("{} {}", show::paint(NAME, number), seats.join(" against "));
        if self.detail.quiet || self.is_summed_up() {
            return writeln!(out, "{}", show::folded(&format!("{heading}, {origin}"), 2));
        }
        writeln!(out, "{}", show::folded(&heading, 2))?;
        self.draw(out, board, &origin)
    }

    /// Prints a forfeit, which is an [`Event::Faulted`].
    fn fault(&self, out: &mut dyn Write, forfeit: &Event) -> io::Result<()> {
        let Event::Faulted { number, seat, fault, answer, spent, errors, .. } = forfeit else { return Ok(()) };
        let forfeits = show::paint(BAD, "forfeits");
        let shown = show::plain(fault);
        let words = format!("{number:>4}. {} {forfeits}: {shown}, after {}", self.who(*seat), took(spent));
        writeln!(out, "{}", show::folded(&words, 6))?;
        // The words of a judge may leave out the answer.
        if judged(self.ruleset).is_some() && matches!(fault, Fault::IllegalMove(_)) {
            let begin: String = String::from_utf8_lossy(answer).chars().take(MOST_OF_ANSWER).collect();
            write!(out, "{}", quoted("its answer", &begin))?;
        }
        let errors = String::from_utf8_lossy(errors);
        for line in errors.lines().rev().take(5).collect::<Vec<_>>().into_iter().rev() {
            writeln!(out, "      standard error: {}", show::plain(line))?;
        }
        Ok(())
    }

    fn ended(&self, out: &mut dyn Write, outcome: &Outcome, moves: u32, conduct: &[Conduct]) -> io::Result<()> {
        let moves = show::count(moves, "move");
        match outcome.winners().count() {
            1 => {
                for seat in outcome.winners() {
                    let words = format!(
                        "{} {}, after {moves}",
                        self.who(seat),
                        self.view.victory(self.ruleset, outcome, seat)
                    );
                    writeln!(out, "{}", show::folded(&words, 2))?;
                }
            }
            _ => writeln!(out, "a draw, after {moves}")?,
        }
        for seat in (0..self.names.len() as u8).map(Seat).filter(|_| !self.rounds.is_empty()) {
            let words = self.view.summary(&self.rounds, seat);
            if !words.is_empty() {
                let words = format!("  {}: {words}", self.names[seat.index()]);
                writeln!(out, "{}", show::folded(&words, 4))?;
            }
        }
        for (seat, conduct) in (0u8..).map(Seat).zip(conduct) {
            let Some(isolation) = &conduct.isolation else { continue };
            let weaker = match isolation.level {
                Level::Namespaced => String::new(),
                level => format!(", isolation {level}"),
            };
            let slowest = show::duration(conduct.slowest);
            let left = if conduct.leftovers > 0 {
                format!(", {} left behind", show::count(conduct.leftovers, "process"))
            } else {
                String::new()
            };
            let line = format!(
                "  {}: {}{}, slowest {slowest}{weaker}{left}{}{}",
                self.names[seat.index()],
                self.view.holding(outcome, seat),
                show::count(conduct.moves, "move"),
                ignored(conduct),
                called(conduct)
            );
            writeln!(out, "{}", show::paint(DIM, show::folded(&line, 4)))?;
        }
        Ok(())
    }
}

impl Reporter for TextPictures<'_> {
    fn event(&mut self, game: usize, _id: GameId, _seats: &[usize], event: &Event) -> io::Result<()> {
        let out = &mut anstream::stdout().lock();
        match event {
            Event::GameStarted { names, board, .. } => {
                self.names = names.iter().map(show::plain).collect();
                self.started(out, game, board)
            }
            Event::Moved { .. } if self.detail.quiet => Ok(()),
            Event::Moved { number, seat, notation, board, spent, remarks, .. }
                if self.view.layout() == GameLayout::Rounds =>
            {
                if seat.0 == 0 {
                    self.rounds.push(Vec::new());
                }
                if let Some(round) = self.rounds.last_mut() {
                    round.push(notation.clone());
                }
                if self.is_summed_up() {
                    return Ok(());
                }
                let hand = self.view.spoken(notation).unwrap_or(notation);
                self.held.push(format!("{} {hand}{}", self.who(*seat), aside(spent, remarks)));
                if usize::from(seat.0) + 1 < self.names.len() {
                    return Ok(());
                }
                let shown = std::mem::take(&mut self.held);
                // If a seat forfeited in this round, its fault has been printed instead.
                if shown.len() < self.names.len() {
                    return Ok(());
                }
                let round = number / self.names.len() as u32;
                let status = self.view.status(board);
                self.draw(out, board, &format!("{round:>5}. {}   {status}", shown.join("   ")))
            }
            Event::Moved { number, seat, notation, board, spent, remarks, .. } => {
                let line = format!("{number:>4}. {} {notation}{}", self.who(*seat), aside(spent, remarks));
                self.draw(out, board, &line)
            }
            Event::Faulted { .. } => {
                self.held.clear();
                self.fault(out, event)
            }
            Event::GameEnded { outcome, moves, conduct } => self.ended(out, outcome, *moves, conduct),
        }
    }

    fn end(&mut self, names: &[String], results: &[MatchTally]) -> io::Result<()> {
        let games = results.first().map_or(0, |tally| tally.won + tally.drawn + tally.lost);
        if games < 2 {
            return Ok(());
        }
        let out = &mut anstream::stdout().lock();
        writeln!(out, "{}", show::paint(NAME, "Match:"))?;
        let names: Vec<String> = names.iter().map(show::plain).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        for (name, tally) in names.iter().zip(results) {
            let MatchTally { won, drawn, lost, score, forfeits } = tally;
            let forfeits = if *forfeits > 0 { format!(", {forfeits} forfeited") } else { String::new() };
            let score = show::count(*score, self.view.unit(self.ruleset));
            writeln!(out, "  {name:<width$}  {won} won, {drawn} drawn, {lost} lost, {score}{forfeits}")?;
        }
        Ok(())
    }
}

/// The number of lines that were ignored because they are not moves, if any (G5).
fn ignored(conduct: &Conduct) -> String {
    match conduct.garbage {
        0 => String::new(),
        lines => format!(", {} ignored", show::count(lines, "line")),
    }
}

/// The name that a bot announced, if its protocol has it do so (R3).
fn called(conduct: &Conduct) -> String {
    conduct.called.as_ref().map_or(String::new(), |name| format!(", calls itself {}", show::plain(name)))
}

/// How long a move took, and how much of that the bot waited for a processor, if it is more than a tenth.
fn took(spent: &Spent) -> String {
    let wall = show::duration(spent.wall);
    if spent.waited > spent.wall / 10 {
        format!("{wall}, {} of it waiting for a processor", show::duration(spent.waited))
    } else {
        wall
    }
}

/// The time of a move and remarks on it, dimmed, to be printed after the move.
fn aside(spent: &Spent, remarks: &[Remark]) -> String {
    let words: Vec<String> = remarks.iter().map(|remark| format!("; {remark}")).collect();
    show::paint(DIM, format!("  {}{}", took(spent), words.concat()))
}
