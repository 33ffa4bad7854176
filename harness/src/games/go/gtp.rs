//! Playing with Go engines that speak GTP version 2 (Farnebäck, 2002) instead of the lines of the contest (G4).
//!
//! Commands are sent without waiting for the responses, which are matched to them by their order. The message that asks
//! for a move begins with the commands that come before it: those that set up the game, for the first move, and the
//! opponent's move. So the engine's clock covers all of them. An engine may refuse commands that many engines do not
//! support, such as those about clocks.

use crate::player::Fault;
use crate::player::clock::GameClock;
use crate::player::codec::{CodecFactory, LineCodec, LineStatus};
use cornerman::games::go::{Colour, Go, Position, vertex};
use std::borrow::Cow;
use std::collections::VecDeque;
use std::time::Duration;

/// Makes the codecs of engines for games by `rules`.
pub(super) fn codec(rules: Go) -> CodecFactory {
    Box::new(move |setup, seat, clock| {
        Box::new(GtpCodec::new(&rules, clock, Colour::for_seat(seat), &setup.board))
    })
}

/// The codec of one engine in one game.
struct GtpCodec {
    /// The engine's own colour, `b` or `w`.
    colour: &'static str,
    opponent: &'static str,
    /// Seconds for each move once the budget is used up, rounded up; 0 without a clock.
    minimum: u64,
    /// The commands that set up the game, until they have been sent.
    opening: Vec<(String, Expect)>,
    /// The commands whose responses have not arrived, in order.
    pending: VecDeque<(String, Expect)>,
}

/// What is expected of the response to a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expect {
    /// Success; a refusal is a fault.
    Success,
    /// Success or a refusal.
    Anything,
    /// The engine's move.
    Move,
}

/// How many commands of [`set_up`] are about the rules.
const RULES: usize = 3;

/// The commands with which a game from `board` begins, the text of a position or nothing: the rules, then the stones.
pub fn set_up(go: &Go, board: &[u8]) -> Vec<String> {
    let mut commands = vec![
        format!("boardsize {}", go.size),
        "clear_board".to_string(),
        format!("komi {}", komi(go.komi_halves)),
    ];
    // The stones of a legal position can be placed in any order: none is ever without a liberty.
    if let Ok(position) = Position::parse(board, go.size) {
        let stones = position.points().filter_map(|point| Some((point, position.at(point)?)));
        let play = |(point, colour)| format!("play {} {}", letter(colour), vertex(position.spot(point), go.size));
        commands.extend(stones.map(play));
    }
    commands
}

/// What GTP calls a colour.
pub fn letter(colour: Colour) -> &'static str {
    match colour {
        Colour::Black => "b",
        Colour::White => "w",
    }
}

impl GtpCodec {
    /// The codec of an engine that plays `own` in a game from `board`, the text of a position or nothing.
    fn new(go: &Go, clock: Option<GameClock>, own: Colour, board: &[u8]) -> GtpCodec {
        let minimum = |clock: GameClock| clock.minimum.as_secs() + u64::from(clock.minimum.subsec_nanos() > 0);
        let minimum = clock.map_or(0, minimum);
        let settings = |clock: GameClock| format!("time_settings {} {minimum} 1", clock.budget.as_secs());
        let settings = clock.map(|clock| (settings(clock), Expect::Anything));
        let mut opening: Vec<_> =
            set_up(go, board).into_iter().map(|command| (command, Expect::Success)).collect();
        // With the rules, before the stones.
        opening.splice(RULES..RULES, settings);
        GtpCodec { colour: letter(own), opponent: letter(own.other()), minimum, opening, pending: VecDeque::new() }
    }

    /// Adds a command to `message`, and to those whose responses are pending.
    fn push(&mut self, command: String, expect: Expect, message: &mut Vec<u8>) {
        message.extend_from_slice(command.as_bytes());
        message.push(b'\n');
        self.pending.push_back((command, expect));
    }

    /// The command that notifies the engine that its budget is used up, so that it has the minimum for each move.
    fn time_left(&self) -> String {
        format!("time_left {} {} 1", self.colour, self.minimum)
    }

    /// Interprets the response to `command`.
    fn response(command: String, expect: Expect, is_success: bool, text: &[u8]) -> LineStatus {
        match (expect, is_success) {
            (Expect::Anything, _) | (Expect::Success, true) => LineStatus::Continue,
            (Expect::Move, true) if text.eq_ignore_ascii_case(b"resign") => {
                LineStatus::Answer(Err(Fault::Resigned))
            }
            (Expect::Move, true) => LineStatus::Answer(Ok(text.to_vec())),
            (_, false) => {
                let message = String::from_utf8_lossy(text).into_owned();
                LineStatus::Answer(Err(Fault::Refused { command, message, rule: "G9" }))
            }
        }
    }
}

impl LineCodec for GtpCodec {
    fn request_move<'v>(&mut self, view: &'v [u8], time_is_up: bool) -> Cow<'v, [u8]> {
        let mut message = Vec::new();
        for (command, expect) in std::mem::take(&mut self.opening) {
            self.push(command, expect, &mut message);
        }
        if let Ok(played) = std::str::from_utf8(view.trim_ascii())
            && !played.is_empty()
        {
            self.push(format!("play {} {played}", self.opponent), Expect::Success, &mut message);
        }
        if time_is_up {
            self.push(self.time_left(), Expect::Anything, &mut message);
        }
        self.push(format!("genmove {}", self.colour), Expect::Move, &mut message);
        message.into()
    }

    fn announce_time_up(&mut self) -> Vec<u8> {
        // An engine that is thinking reads this after its move, in time for the next one.
        let mut message = Vec::new();
        self.push(self.time_left(), Expect::Anything, &mut message);
        message
    }

    /// A response begins with `=` or `?`, and the number of its command if that had one. Only its first line matters:
    /// the lines after it, up to the blank line that ends the response, are counted as garbage.
    fn receive(&mut self, line: Vec<u8>) -> LineStatus {
        let response = line.split(|&byte| byte == b'#').next().unwrap_or_default().trim_ascii();
        let (is_success, rest) = match response {
            [] => return LineStatus::Continue,
            [b'=', rest @ ..] => (true, rest),
            [b'?', rest @ ..] => (false, rest),
            _ => return LineStatus::Garbage(line),
        };
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        match self.pending.pop_front() {
            Some((command, expect)) => {
                GtpCodec::response(command, expect, is_success, rest[digits..].trim_ascii())
            }
            None => LineStatus::Garbage(line),
        }
    }

    /// Engines are not sent the end of the game: they are killed.
    fn final_message<'v>(&mut self, _: &'v [u8]) -> Cow<'v, [u8]> {
        Cow::Borrowed(&[])
    }
}

/// Reads `lines` as the output of an engine that was asked for a move. For fuzzing.
pub fn read_gtp(lines: &[u8]) {
    let clock = GameClock { budget: Duration::from_secs(60), minimum: Duration::from_secs(1), guard: 4 };
    let mut engine = GtpCodec::new(&Go::default(), Some(clock), Colour::Black, b"");
    engine.request_move(b"", false);
    for line in lines.split(|&byte| byte == b'\n') {
        if let LineStatus::Answer(_) = engine.receive(line.to_vec()) {
            engine.request_move(b"A1\n", true);
        }
    }
}

/// The text of a komi that is given in half points, such as `6.5` for 13.
fn komi(halves: i32) -> String {
    let sign = if halves < 0 { "-" } else { "" };
    format!("{sign}{}.{}", halves.unsigned_abs() / 2, halves.unsigned_abs() % 2 * 5)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine(board: &[u8]) -> GtpCodec {
        let clock = GameClock { budget: Duration::from_secs(60), minimum: Duration::from_millis(1500), guard: 4 };
        GtpCodec::new(&Go { size: 5, ..Go::default() }, Some(clock), Colour::White, board)
    }

    #[track_caller]
    fn check_sent(message: &[u8], wanted: &str) {
        assert_eq!(String::from_utf8_lossy(message), wanted);
    }

    #[test]
    fn the_game_is_set_up_with_the_first_question() {
        let mut white = engine(b"");
        let opening = "boardsize 5\nclear_board\nkomi 6.5\ntime_settings 60 2 1\n";
        check_sent(&white.request_move(b"C3\n", false), &format!("{opening}play b C3\ngenmove w\n"));
        check_sent(&white.request_move(b"pass\n", true), "play b pass\ntime_left w 2 1\ngenmove w\n");
        check_sent(&white.request_move(b"", false), "genmove w\n");
    }

    #[test]
    fn the_stones_of_the_starting_position_are_placed() {
        let mut white = engine(b"X....\n.....\n.....\n.....\n....O\n");
        let sent = String::from_utf8(white.request_move(b"", false).into_owned()).unwrap();
        assert!(sent.contains("\nplay b A5\nplay w E1\ngenmove w\n"), "{sent}");
    }

    /// The engine is asked for its first move and writes `lines`: checks its answer, and how many lines are garbage.
    #[track_caller]
    fn check(lines: &[&str], answer: Option<Result<&str, &str>>, garbage: usize) {
        let mut engine = engine(b"");
        engine.request_move(b"A1\n", false);
        let mut answered = None;
        let mut ignored = 0;
        for line in lines {
            assert_eq!(answered, None, "it has answered before `{line}`");
            match engine.receive(line.as_bytes().to_vec()) {
                LineStatus::Answer(given) => {
                    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
                    answered = Some(given.map(text).map_err(|fault| fault.to_string()));
                }
                LineStatus::Continue => {}
                LineStatus::Garbage(_) => ignored += 1,
            }
        }
        let answered = answered.as_ref().map(|given| given.as_deref().map_err(String::as_str));
        assert_eq!((answered, ignored), (answer, garbage));
    }

    #[test]
    fn responses_are_matched_to_commands_by_their_order() {
        check(&["=", "=", "=", "=", "=", "= C3"], Some(Ok("C3")), 0);
        check(&["=", "=", "=", "=", "="], None, 0);
        check(&["=", "", "= ", "\r", "=3", "", "?4 unknown command", "=5 \r", "=6 PASS\r"], Some(Ok("PASS")), 0);
        check(&["GNU Go says hello", "=", "more", "=", "=", "=", "=", "# = D4", "=C3 # good"], Some(Ok("C3")), 2);
    }

    #[test]
    fn an_engine_that_refuses_a_command_forfeits_except_about_clocks() {
        check(&["? unacceptable size"], Some(Err("refused `boardsize 5`: unacceptable size (G9)")), 0);
        check(&["=", "=", "=", "?", "? illegal move"], Some(Err("refused `play b A1`: illegal move (G9)")), 0);
        check(&["=", "=", "=", "=", "=", "?9"], Some(Err("refused `genmove w` (G9)")), 0);
        check(&["=", "=", "=", "=", "=", "= Resign"], Some(Err("gave up")), 0);
    }

    #[test]
    fn an_engine_that_is_notified_while_it_thinks_responds_after_its_move() {
        let mut white = engine(b"");
        white.request_move(b"A1\n", false);
        for _ in 0..5 {
            assert!(matches!(white.receive(b"=".to_vec()), LineStatus::Continue));
        }
        check_sent(&white.announce_time_up(), "time_left w 2 1\n");
        assert!(matches!(white.receive(b"= B2".to_vec()), LineStatus::Answer(Ok(_))));
        white.request_move(b"A2\n", false);
        // The responses to `time_left`, to the opponent's move, then its own move.
        assert!(matches!(white.receive(b"= C3".to_vec()), LineStatus::Continue));
        assert!(matches!(white.receive(b"=".to_vec()), LineStatus::Continue));
        assert!(matches!(white.receive(b"= D4".to_vec()), LineStatus::Answer(Ok(given)) if given == b"D4"));
        assert!(matches!(white.receive(b"= E5".to_vec()), LineStatus::Garbage(_)));
    }

    #[test]
    fn komi_is_sent_in_points() {
        assert_eq!([13, 0, -1, -14].map(komi), ["6.5", "0.0", "-0.5", "-7.0"]);
    }
}
