//! An engine that speaks GTP and is asked for the score of each position of a recorded game.

use crate::show::plain;
use crate::{CliError, Registry};
use anyhow::{Context, Result, anyhow, bail};
use cornerman::game::Seat;
use cornerman::games::go::{Colour, Go};
use cornerman_harness::bot::Bot;
use cornerman_harness::games::go::GTP;
use cornerman_harness::games::go::gtp::{letter, set_up};
use cornerman_harness::kit::Engine;
use cornerman_harness::record::{GameRecord, RecordedAction, actions};
use cornerman_harness::ruleset::Ruleset;
use cornerman_report::why::{Explanation, by_engine};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Commands that estimate a score, the best first. All but the first go on printing lines until the next command.
const ESTIMATES: [&str; 3] = ["estimate_score", "kata-analyze", "lz-analyze"];

/// The interval at which such a command prints what it has found, in hundredths of a second.
const EVERY: u32 = 100;

/// A running engine, and the rules by which it looks at games.
pub(crate) struct Analyst<'a> {
    rules: &'a Go,
    engine: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    /// The one of [`ESTIMATES`] that it has.
    estimate: &'static str,
    /// Its name and what it is asked, for people.
    name: String,
}

impl Drop for Analyst<'_> {
    fn drop(&mut self) {
        self.engine.kill().ok();
        self.engine.wait().ok();
    }
}

impl<'a> Analyst<'a> {
    /// Starts the engine `spec` for games by this ruleset.
    ///
    /// # Errors
    /// When there is no such engine, the ruleset is of another game, or the engine cannot be started or estimates no
    /// scores.
    pub(crate) fn start(spec: &str, ruleset: &'a Ruleset, games: &Registry) -> Result<Analyst<'a>, CliError> {
        let Some((_, command)) = Engine::of_spec(&games.engines, spec) else {
            return Err(usage!("--engine `{}` names no engine; expected {}", plain(spec), GTP.example));
        };
        let Some(rules) = ruleset.rules_of() else {
            return Err(usage!("--engine is for records of Go, and this one is of {}", ruleset.game()));
        };
        Analyst::run(command, rules).map_err(|why| usage!("--engine `{}`: {why:#}", plain(spec)))
    }

    /// Starts the engine that is run by `command`, written as in a shell.
    fn run(command: &str, rules: &'a Go) -> Result<Analyst<'a>> {
        let bot = Bot::engine(GTP, command, Path::new(""))?;
        let (program, args) = bot.program.argv.split_first().context("no command")?;
        let mut engine = Command::new(program);
        engine.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut engine = engine.spawn().context("it cannot be started")?;
        let input = engine.stdin.take();
        let output = BufReader::new(engine.stdout.take().expect("it is piped"));
        let mut analyst = Analyst { rules, engine, input, output, estimate: "", name: String::new() };
        let known = analyst.ask("list_commands")?;
        let has = |name: &&&str| known.split_whitespace().any(|other| other == **name);
        let estimate = ESTIMATES.iter().find(has);
        analyst.estimate =
            estimate.with_context(|| format!("it has none of the commands {}", ESTIMATES.join(", ")))?;
        analyst.name = format!("{} ({})", analyst.ask("name")?, analyst.estimate);
        Ok(analyst)
    }

    /// Why `seat` lost `game`.
    pub(crate) fn explain(&mut self, game: &GameRecord, seat: Seat) -> Result<Explanation> {
        let own = |score: f64| if Colour::for_seat(seat) == Colour::Black { score } else { -score };
        let values: Vec<f64> = self.scores(game)?.into_iter().map(own).collect();
        Ok(by_engine(game, seat, &self.name, &values))
    }

    /// The score of each position of a game, the one before each action and the last, as in [`Analyst::score`].
    fn scores(&mut self, record: &GameRecord) -> Result<Vec<f64>> {
        for command in set_up(self.rules, &record.setup.board) {
            self.ask(&command)?;
        }
        let mut scores = Vec::new();
        for action in actions(record) {
            let colour = Colour::for_seat(action.seat());
            scores.push(self.score(colour)?);
            if let RecordedAction::Moved(made) = action {
                self.ask(&format!("play {} {}", letter(colour), made.notation))?;
            }
        }
        scores.push(self.score(Colour::Black)?);
        Ok(scores)
    }

    /// The score of the position for Black, in points or, if the engine only knows a rate of wins, as in [`lead`];
    /// `to_move` matters to engines that search.
    fn score(&mut self, to_move: Colour) -> Result<f64> {
        if self.estimate == ESTIMATES[0] {
            let text = self.ask(self.estimate)?;
            return read_score(&text).ok_or_else(|| anyhow!("`{}` answered `{text}`", self.estimate));
        }
        self.send(&format!("{} {} {EVERY}", self.estimate, letter(to_move)))?;
        let lead = loop {
            if let Some(lead) = lead(self.estimate, &self.line()?) {
                break lead;
            }
        };
        // Any command ends the analysis. Two responses are then read, each up to its blank line: of the analysis and of
        // `name`.
        self.send("name")?;
        for _ in 0..2 {
            while !self.line()?.is_empty() {}
        }
        Ok(if to_move == Colour::Black { lead } else { -lead })
    }

    fn send(&mut self, command: &str) -> Result<()> {
        let input = self.input.as_mut().expect("it is open");
        writeln!(input, "{command}").and_then(|()| input.flush()).context("it reads no more")
    }

    /// The next line that the engine prints, without blanks around it.
    fn line(&mut self) -> Result<String> {
        let mut line = Vec::new();
        if self.output.read_until(b'\n', &mut line)? == 0 {
            bail!("it ended");
        }
        Ok(String::from_utf8_lossy(&line).trim().to_string())
    }

    /// Sends a command, and returns the text of its response.
    fn ask(&mut self, command: &str) -> Result<String> {
        self.send(command)?;
        let mut first = self.line()?;
        while first.is_empty() {
            first = self.line()?;
        }
        let mut text = first.get(1..).unwrap_or_default().trim().to_string();
        let mut line = self.line()?;
        while !line.is_empty() {
            text = format!("{text}\n{line}");
            line = self.line()?;
        }
        match first.as_bytes()[0] {
            b'=' => Ok(text),
            b'?' => Err(anyhow!("it refused `{command}`: {text}")),
            _ => Err(anyhow!("it answered `{command}` with `{first}`, which is not GTP")),
        }
    }
}

/// Reads a score such as `W+3.8 (upper bound: 3.8, lower: 3.8)`, in points for Black.
fn read_score(text: &str) -> Option<f64> {
    let word = text.split_whitespace().next()?;
    let points = |text: &str| text.parse::<f64>().ok().filter(|points| points.is_finite());
    match word.split_once('+') {
        Some(("B", amount)) => points(amount),
        Some(("W", amount)) => points(amount).map(|amount| -amount),
        _ => points(word).filter(|amount| *amount == 0.0),
    }
}

/// What a line of `command`, an analysing one, expects for the colour to move: its lead in points, or, from engines
/// that only know a rate of wins, that rate in percent minus 50. `None` if the line says neither.
fn lead(command: &str, line: &str) -> Option<f64> {
    let words: Vec<&str> = line.strip_prefix("info ")?.split_whitespace().collect();
    let value = |key: &str| {
        let at = words.iter().position(|word| *word == key)?;
        words.get(at + 1)?.parse::<f64>().ok().filter(|value| value.is_finite())
    };
    // `lz-analyze` writes a rate of wins in hundredths of a percent, `kata-analyze` as a number up to 1.
    let percent = |rate: f64| if command == "lz-analyze" { rate / 100.0 } else { rate * 100.0 };
    value("scoreLead").or_else(|| value("winrate").map(|rate| percent(rate) - 50.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read_for_black() {
        let check = |text: &str, wanted: Option<f64>| assert_eq!(read_score(text), wanted, "{text}");
        check("W+3.8 (upper bound: 3.8, lower: 3.8)", Some(-3.8));
        check("B+12", Some(12.0));
        check("0", Some(0.0));
        check("0.0 (upper bound: 1, lower: -1)", Some(0.0));
        check("B+inf", None);
        check("7", None);
        check("", None);
    }

    #[test]
    fn an_analysis_gives_a_lead_or_a_rate_of_wins() {
        let check = |command: &str, line: &str, wanted: Option<f64>| {
            assert_eq!(lead(command, line), wanted, "{line}");
        };
        check("kata-analyze", "info move D4 visits 9 winrate 0.61 scoreLead 2.5 pv D4 E5", Some(2.5));
        check("kata-analyze", "info move D4 visits 9 winrate 1 prior 3 pv D4", Some(50.0));
        check("lz-analyze", "info move D4 visits 9 winrate 6150 prior 3 pv D4", Some(11.5));
        // A hundredth of a percent.
        check("lz-analyze", "info move D4 visits 9 winrate 1 prior 3 pv D4", Some(-49.99));
        check("lz-analyze", "info move D4", None);
        check("lz-analyze", "= ", None);
    }
}
