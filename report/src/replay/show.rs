//! A replay as text, with a board for each move or a line for each round, and as JSON.

use super::{Replay, ReplayError};
use crate::json::{EntrantJson, micros};
use crate::view::{GameLayout, Picture};
use crate::{Style, count, plain, shown};
use cornerman::format::EntrantId;
use cornerman::game::Seat;
use cornerman_harness::player::Fault;
use cornerman_harness::record::RecordedAction;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

impl Replay<'_> {
    /// The whole game as text; with `at`, only the state after that move, 0 for the start.
    ///
    /// # Errors
    /// When there is no such move.
    pub fn text(&self, at: Option<u32>, style: Style) -> Result<String, ReplayError> {
        let steps = match at {
            None => 0..=self.actions.len(),
            Some(0) => 0..=0,
            Some(number) => {
                let after = self.action_of(number)? + 1;
                after..=after
            }
        };
        Ok(match self.game_view.layout() {
            GameLayout::Rounds => {
                let seats = self.names.len();
                // Of the whole game, a line for each round: where its last action is, or the last of the game.
                let ends_round =
                    |steps: usize| steps > 0 && (steps.is_multiple_of(seats) || steps == self.actions.len());
                let lines = steps.filter(|steps| at.is_some() || ends_round(*steps));
                self.heading(style) + &lines.map(|steps| self.round(steps)).collect::<String>()
            }
            GameLayout::Boards => {
                // One board for all that was done at the same time.
                let shown = steps.filter(|&steps| at.is_some() || !self.is_in_turn(steps));
                let boards = shown.map(|steps| self.heading(style) + &self.position(steps, at, style));
                boards.collect::<Vec<_>>().join("\n")
            }
        })
    }

    fn heading(&self, style: Style) -> String {
        let seats: Vec<String> = (0..self.names.len() as u8).map(|seat| self.seat_name(Seat(seat))).collect();
        let title = style.heading(&format!("Game {}", self.game.pairing.id));
        format!("{title}  {}\n", seats.join(" against "))
    }

    /// Whether seats that act at the same time as the last of the first `steps` actions come after it.
    fn is_in_turn(&self, steps: usize) -> bool {
        steps.checked_sub(1).is_some_and(|last| self.steps[last].is_in_turn)
    }

    /// The board after the first `steps` actions, under a line with the last action or, without `at`, a line with each
    /// action of the last turn. What the last action changed is marked.
    fn position(&self, steps: usize, at: Option<u32>, style: Style) -> String {
        let board = self.board(steps);
        let status = self.game_view.status(board);
        let (lines, before) = match steps.checked_sub(1) {
            None => {
                let status = if status.is_empty() { status } else { format!(": {status}") };
                (format!("the start{status}\n{}", self.log(0)), None)
            }
            Some(last) => {
                let first = (0..last).rev().take_while(|&earlier| self.steps[earlier].is_in_turn).last();
                let first = first.filter(|_| at.is_none()).unwrap_or(last);
                let mut lines: String = (first..last).map(|earlier| self.action(earlier, "")).collect();
                let status = if status.is_empty() { status } else { format!("; {status}") };
                lines += &self.action(last, &status);
                (lines, Some(self.board(last)))
            }
        };
        let picture = Picture { board, before, marks: &self.game.setup.marks };
        lines + &self.game_view.picture(self.ruleset, &picture, style) + &self.end_after(steps)
    }

    /// A line with an action and the `status` of the board after it, above the lines of what is known besides.
    fn action(&self, at: usize, status: &str) -> String {
        let action = self.actions[at];
        let who = self.seat_name(action.seat());
        let done = self.done(at);
        let follows = match self.steps[at].words.follows.as_str() {
            "" => String::new(),
            follows => format!(", {follows}"),
        };
        format!("{:>4}. {who} {done}{follows}{status}\n{}", action.number(), self.evidence(at))
    }

    /// The line of a round up to action `steps - 1`, usually its last: what its seats chose, and the status after it.
    fn round(&self, steps: usize) -> String {
        let Some(last) = steps.checked_sub(1) else { return "the start\n".to_string() };
        let seats = self.names.len();
        let chosen: Vec<String> = (last - last % seats..steps)
            .map(|at| format!("{} {}", self.seat_name(self.actions[at].seat()), self.done(at)))
            .collect();
        let status = self.game_view.status(self.board(steps));
        let evidence: String = (last - last % seats..steps).map(|at| self.evidence(at)).collect();
        format!("{:>5}. {}   {status}\n", last / seats + 1, chosen.join("   "))
            + &evidence
            + &self.end_after(steps)
    }

    /// The line with the result, if the game is over after the first `steps` actions; otherwise empty.
    fn end_after(&self, steps: usize) -> String {
        if steps == self.actions.len() { self.ending() + "\n" } else { String::new() }
    }

    /// The result in words.
    fn ending(&self) -> String {
        let outcome = &self.game.outcome;
        match outcome.winners().collect::<Vec<_>>()[..] {
            [winner] => {
                format!("{} {}", self.seat_name(winner), self.game_view.victory(self.ruleset, outcome, winner))
            }
            _ => "a draw".to_string(),
        }
    }

    /// An action in words that follow the name of its seat.
    fn done(&self, at: usize) -> String {
        match self.actions[at] {
            RecordedAction::Forfeited(fault) => format!("forfeits: {}", plain(&fault.detail)),
            RecordedAction::Moved(made) => {
                let words =
                    self.game_view.spoken(&made.notation).map_or_else(|| plain(&made.notation), String::from);
                let remarks = plain(made.remarks_in_words());
                if remarks.is_empty() { words } else { format!("{words} ({remarks})") }
            }
        }
    }

    /// Of a forfeit, the answer if there was one, and the standard error; of a move, what is shown of its seat's log.
    fn evidence(&self, at: usize) -> String {
        match self.actions[at] {
            RecordedAction::Moved(made) => self.said(made.seat, made.number),
            RecordedAction::Forfeited(fault) => {
                let answer = quoted("its answer", &String::from_utf8_lossy(&fault.answer));
                let gave_none = Fault::PROCESS_KINDS.contains(&fault.kind.as_str());
                let answer = if gave_none { String::new() } else { answer };
                answer + &quoted("its standard error", &fault.stderr)
            }
        }
    }

    /// What the seats whose logs are shown wrote at a move; 0 is before they were first asked.
    fn log(&self, number: u32) -> String {
        self.logs.iter().map(|&seat| self.said(seat, number)).collect()
    }

    /// What one seat wrote at a move, if its log is shown.
    fn said(&self, seat: Seat, number: u32) -> String {
        let what = format!("{} wrote", self.seat_name(seat));
        self.said_at(seat, number).map(|said| quoted(&what, &said)).unwrap_or_default()
    }

    /// The text that one seat wrote at a move; `None` if it wrote none, or its log is not shown.
    fn said_at(&self, seat: Seat, number: u32) -> Option<String> {
        let is_shown = self.logs.contains(&seat);
        let said = self.game.seats.get(seat.index()).filter(|_| is_shown)?;
        let said = said.said.iter().find(|said| said.number == number)?;
        Some(match said.left_out {
            0 => said.text.clone(),
            bytes => format!("({} before this)\n{}", count(bytes as usize, "byte"), said.text),
        })
    }

    /// The whole game as JSON, or with `at` only the actions at that move. In games without a board, `board` is empty.
    ///
    /// # Errors
    /// When there is no such move.
    pub fn json(&self, at: Option<u32>) -> Result<ReplayJson, ReplayError> {
        if let Some(number) = at.filter(|&number| number > 0) {
            self.action_of(number)?;
        }
        let wanted =
            (0..self.actions.len()).filter(|&step| at.is_none_or(|number| self.actions[step].number() == number));
        let marks = &self.game.setup.marks;
        let seats = self.game.pairing.seats.iter().zip(&self.names).enumerate();
        let seat = |(seat, (id, name)): (usize, (&EntrantId, &String))| ReplaySeatJson {
            who: EntrantJson { entrant: u32::from(id.0) + 1, name: name.clone() },
            mark: marks.get(seat).map(|&mark| char::from(mark)),
            said: self.said_at(Seat(seat as u8), 0),
        };
        Ok(ReplayJson {
            game: self.game.pairing.id.to_string(),
            seats: seats.map(seat).collect(),
            start: self.rows(&self.start),
            steps: wanted.map(|step| self.step(step)).collect(),
            ending: self.ending(),
        })
    }

    fn step(&self, at: usize) -> StepJson {
        let action = self.actions[at];
        let step = &self.steps[at];
        let used = action.used();
        let (notation, remarks, forfeit) = match action {
            RecordedAction::Moved(made) => (Some(made.notation.clone()), Some(made.remarks_in_words()), None),
            RecordedAction::Forfeited(fault) => {
                let forfeit = ReplayForfeitJson {
                    kind: fault.kind.clone(),
                    detail: fault.detail.clone(),
                    answer: String::from_utf8_lossy(&fault.answer).into_owned(),
                    stderr: fault.stderr.clone(),
                };
                (None, None, Some(forfeit))
            }
        };
        StepJson {
            number: action.number(),
            seat: action.seat().0 + 1,
            wall_us: micros(used.wall),
            cpu_us: micros(used.cpu),
            board: self.rows(&step.board),
            told: (step.view != self.board(at)).then(|| String::from_utf8_lossy(&step.view).into_owned()),
            notation,
            remarks,
            forfeit,
            said: self.said_at(action.seat(), action.number()),
            of_game: step.words.members.iter().map(|(name, value)| (name.to_string(), value.clone())).collect(),
        }
    }

    /// The lines of a board, with a character for each byte.
    fn rows(&self, board: &[u8]) -> Vec<String> {
        let row = |row: &[u8]| row.iter().map(|&spot| char::from(spot)).collect();
        match self.game_view.layout() {
            GameLayout::Rounds => Vec::new(),
            GameLayout::Boards => {
                board.strip_suffix(b"\n").unwrap_or(board).split(|&b| b == b'\n').map(row).collect()
            }
        }
    }

    /// The board after the first `steps` actions.
    pub(super) fn board(&self, steps: usize) -> &[u8] {
        steps.checked_sub(1).map_or(&self.start, |last| &self.steps[last].board)
    }

    /// A seat's mark and name.
    fn seat_name(&self, seat: Seat) -> String {
        match (self.names.get(seat.index()), self.game.setup.marks.get(seat.index())) {
            (Some(name), Some(mark)) => format!("{} {}", char::from(*mark), shown(name)),
            (Some(name), None) => shown(name),
            _ => seat.to_string(),
        }
    }
}

/// What `replay` prints as JSON.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReplayJson {
    /// The game.
    pub game: String,
    /// Who played, in order of play.
    pub seats: Vec<ReplaySeatJson>,
    /// The rows of the board before the first move; empty if the game has no board.
    pub start: Vec<String>,
    /// Moves and forfeits, in order.
    pub steps: Vec<StepJson>,
    /// How the game ended, in words.
    pub ending: String,
}

/// A seat.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReplaySeatJson {
    /// The entrant.
    #[serde(flatten)]
    pub who: EntrantJson,
    /// Its mark, in games with marks.
    pub mark: Option<char>,
    /// With `--log`, what it wrote to standard error before it was first asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub said: Option<String>,
}

/// A move or a forfeit.
#[derive(Debug, Serialize, JsonSchema)]
pub struct StepJson {
    /// The number of the move.
    #[serde(rename = "move")]
    pub number: u32,
    /// The seat.
    pub seat: u8,
    /// Wall time.
    pub wall_us: u64,
    /// Processor time.
    pub cpu_us: u64,
    /// The rows of the board after it.
    pub board: Vec<String>,
    /// What the bot was sent, if that was not the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub told: Option<String>,
    /// The move, in the game's notation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notation: Option<String>,
    /// Remarks on a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remarks: Option<String>,
    /// The forfeit, instead of a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<ReplayForfeitJson>,
    /// With `--log`, what the seat wrote to standard error at it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub said: Option<String>,
    /// What the game adds, such as `captured` or `margin`.
    #[serde(flatten)]
    pub of_game: Map<String, Value>,
}

/// A forfeit.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReplayForfeitJson {
    /// What kind of fault.
    pub kind: String,
    /// What was wrong.
    pub detail: String,
    /// What the bot answered.
    pub answer: String,
    /// The end of its standard error.
    pub stderr: String,
}

/// What a bot wrote: its first lines, indented.
pub fn quoted(what: &str, text: &str) -> String {
    /// The most lines that are shown.
    const MOST: usize = 24;
    let lines: Vec<&str> = text.lines().collect();
    let more = match lines.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!("        … and {}\n", count(more, "more line")),
    };
    match lines[..] {
        [] => format!("      {what}: empty\n"),
        [line] => format!("      {what}: {}\n", plain(line)),
        _ => {
            let shown: String = lines.iter().take(MOST).map(|line| format!("        {}\n", plain(line))).collect();
            format!("      {what}:\n{shown}{more}")
        }
    }
}
