//! A game for people: arenas and moves, drawn in place on a terminal, one after another in a pipe.

use super::{Reporter, Tally};
use crate::show::{self, BAD, DIM, NAME, arena};
use cornerman::game::{End, Outcome, Seat};
use cornerman_harness::player::{Conduct, Remark, Spent};
use cornerman_harness::referee::Event;
use std::io::{self, Write};
use std::time::Duration;

/// Lines of a move's picture: the ruler, the arena and the line below it.
const PICTURE_LINES: usize = 18;

/// Columns of an arena's picture.
const PICTURE_COLUMNS: usize = 36;

/// Whether the terminal has room for a picture, so that the next one can be drawn over it.
pub fn fits_the_terminal() -> bool {
    show::terminal().is_none_or(|(columns, lines)| columns >= PICTURE_COLUMNS && lines > PICTURE_LINES)
}

/// Shows games as pictures.
pub struct Picture {
    quiet: bool,
    /// Whether a picture replaces the one before it.
    in_place: bool,
    delay: Duration,
    marks: Vec<u8>,
    origin: String,
    names: Vec<String>,
    board: Vec<u8>,
    drawn: bool,
}

impl Picture {
    /// Games with these `marks` on a board that `origin` names.
    pub fn new(quiet: bool, in_place: bool, delay: Duration, marks: Vec<u8>, origin: &str) -> Picture {
        let origin = show::plain(origin);
        Picture { quiet, in_place, delay, marks, origin, names: Vec::new(), board: Vec::new(), drawn: false }
    }

    /// `A @greedy`, in the seat's colour.
    fn who(&self, seat: Seat) -> String {
        let mark = char::from(self.marks[seat.index()]);
        show::paint(arena::seat_style(seat.index()), format!("{mark} {}", self.names[seat.index()]))
    }

    fn draw(&mut self, out: &mut dyn Write, board: &[u8], line: &str) -> io::Result<()> {
        let room = show::terminal().filter(|_| self.in_place).map(|(columns, _)| columns);
        if self.in_place && self.drawn {
            // Up to the first line of the picture before, and clear from there.
            write!(out, "\x1b[{PICTURE_LINES}A\x1b[J")?;
        }
        let before = if self.board.is_empty() { None } else { Some(self.board.as_slice()) };
        write!(out, "{}", arena::picture(board, before, &self.marks))?;
        // A line that ran on into the next would shift the pictures.
        writeln!(out, "{}", room.map_or(line.to_string(), |columns| show::cut(line, columns)))?;
        out.flush()?;
        self.drawn = true;
        self.board = board.to_vec();
        std::thread::sleep(self.delay);
        Ok(())
    }

    fn started(&mut self, out: &mut dyn Write, game: usize, board: &[u8]) -> io::Result<()> {
        self.drawn = false;
        self.board.clear();
        let seats: Vec<String> = (0..self.names.len() as u8).map(|seat| self.who(Seat(seat))).collect();
        let (number, origin) = (format!("Game {}:", game + 1), show::paint(DIM, &self.origin));
        let heading = format!("{} {}", show::paint(NAME, number), seats.join(" against "));
        if self.quiet {
            return writeln!(out, "{heading}, {origin}");
        }
        writeln!(out, "{heading}")?;
        self.draw(out, board, &origin)
    }

    fn fault(
        &self,
        out: &mut dyn Write,
        number: u32,
        seat: Seat,
        fault: &str,
        spent: Spent,
        errors: &[u8],
    ) -> io::Result<()> {
        writeln!(
            out,
            "{number:>4}. {} {}: {fault}, after {}",
            self.who(seat),
            show::paint(BAD, "forfeits"),
            show::time(spent.wall)
        )?;
        let errors = String::from_utf8_lossy(errors);
        for line in errors.lines().rev().take(5).collect::<Vec<_>>().into_iter().rev() {
            writeln!(out, "      standard error: {}", show::plain(line))?;
        }
        Ok(())
    }

    fn ended(&self, out: &mut dyn Write, outcome: &Outcome, moves: u32, conduct: &[Conduct]) -> io::Result<()> {
        let how = match outcome.end {
            End::Played => "fills the last spot",
            End::Forfeited => "is the last one left",
        };
        for seat in outcome.winners() {
            let score = show::count(outcome.points[seat.index()], "mark");
            let moves = show::count(moves, "move");
            writeln!(out, "{} {how} and wins with {score}, after {moves}", self.who(seat))?;
        }
        for (seat, conduct) in (0u8..).map(Seat).zip(conduct) {
            let Some(isolation) = &conduct.isolation else { continue };
            let slowest = show::time(conduct.slowest);
            let left = if conduct.leftovers > 0 {
                format!(", {} left behind", show::count(conduct.leftovers, "process"))
            } else {
                String::new()
            };
            let line = format!(
                "  {}: {} on the arena, {}, slowest {slowest}, isolation {}{left}",
                self.names[seat.index()],
                show::count(outcome.territory[seat.index()], "mark"),
                show::count(conduct.moves, "move"),
                isolation.level
            );
            writeln!(out, "{}", show::paint(DIM, line))?;
        }
        Ok(())
    }
}

impl Reporter for Picture {
    fn event(&mut self, game: usize, _seats: &[usize], event: &Event) -> io::Result<()> {
        let out = &mut anstream::stdout().lock();
        match event {
            Event::GameStarted { names, board, .. } => {
                self.names = names.iter().map(|name| show::plain(name)).collect();
                self.started(out, game, board)
            }
            Event::Moved { number, seat, notation, board, spent, remarks, .. } if !self.quiet => {
                let line = format!("{number:>4}. {} {notation}{}", self.who(*seat), aside(spent, remarks));
                self.draw(out, board, &line)
            }
            Event::Moved { .. } => Ok(()),
            Event::Faulted { number, seat, fault, spent, errors, .. } => {
                self.fault(out, *number, *seat, &show::plain(&fault.to_string()), *spent, errors)
            }
            Event::GameVoided { number, seat, spent } => writeln!(
                out,
                "{number:>4}. {} was late, but the machine itself was held up for {}: the game begins again",
                self.who(*seat),
                show::time(spent.host_lag.total)
            ),
            Event::GameEnded { outcome, moves, conduct } => self.ended(out, outcome, *moves, conduct),
        }
    }

    fn end(&mut self, names: &[String], results: &[Tally]) -> io::Result<()> {
        if results.iter().map(|tally| tally.wins).sum::<u32>() < 2 {
            return Ok(());
        }
        let out = &mut anstream::stdout().lock();
        writeln!(out, "{}", show::paint(NAME, "Match:"))?;
        let names: Vec<String> = names.iter().map(|name| show::plain(name)).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        for (name, tally) in names.iter().zip(results) {
            let Tally { wins, score, forfeits } = tally;
            let forfeits = if *forfeits > 0 { format!(", {forfeits} forfeited") } else { String::new() };
            writeln!(out, "  {name:<width$}  {wins} won, {}{forfeits}", show::count(*score, "mark"))?;
        }
        Ok(())
    }
}

/// The time a move took and what else should be known of it, dimmed, behind the move.
fn aside(spent: &Spent, remarks: &[Remark]) -> String {
    let words: Vec<String> = remarks.iter().map(|remark| format!("; {remark}")).collect();
    show::paint(DIM, format!("  {}{}", show::time(spent.wall), words.concat()))
}
