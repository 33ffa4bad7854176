//! What Go adds to the protocol: opponents, what is wrong with an illegal move and with a bot that makes no move, and
//! what a bot may write when the game is over (G2–G6).

use super::opponent::Opponent;
use super::{RULES, id};
use crate::catalog::Id;
use crate::finding::Cause;
use crate::protocol::cannot_set_up;
use crate::protocol::lines::game::{self, GameDialogue, LineGame, LinePlan, Silence, Watch};
use crate::protocol::lines::{Played, Talk};
use cornerman::game::{InProgress, LiveGame, Reply, Seat, Setup, Spot, Violation};
use cornerman::games::go::{Colour, Go, GoState, Move, Point, is_move, vertex};
use cornerman::rng::Rng;
use cornerman_harness::text::escaped;
use std::sync::Arc;
use std::time::Duration;

/// How long the bot must write nothing where no move is expected. This need not be long: the output to be found here
/// was written together with the line before.
pub(super) const UNASKED: Duration = Duration::from_millis(60);

/// How much longer a bot is watched when two passes have ended a game of GO-END.
const AFTER_THE_END: Duration = Duration::from_millis(1200);

/// How long a bot is watched for a last line when its input ends.
const AT_END: Duration = Duration::from_millis(500);

/// What was expected of a bot that made an illegal move although no legal point was left.
pub(super) const ONLY_A_PASS: &str = "`pass`: no legal point was left";

/// How much longer a bot is watched when it has just made an illegal move.
const AFTER_ILLEGAL_MOVE: Duration = Duration::from_millis(250);

/// From this many moves of both colours on, a bot that waits for more input in its turn fails GO-LONG, unless it is
/// about passing. Games in plain conditions are not longer.
const LATE: usize = 40;

/// The most moves of both colours in a game for the rules, or to its end on a small board.
pub(super) const MAX_PLIES: usize = 380;

/// A game to be played.
#[derive(Clone, Copy, Debug)]
pub(super) struct GamePlan {
    /// The size of the board in lines per side.
    pub size: u8,
    /// The bot's colour.
    pub bot: Colour,
    pub opponent: Opponent,
    /// The seed of the opponent's random moves.
    pub seed: u64,
    /// The number of moves of both colours after which the game is broken off.
    pub plies: usize,
    /// Whether `time` is sent before the opponent's first move.
    pub time_first: bool,
}

impl GamePlan {
    /// The game as the protocol plays it. The bot is started with its colour and the size of the board (G4).
    pub(super) fn lines(self) -> LinePlan {
        let GamePlan { size, bot, opponent, plies, .. } = self;
        let size_arg = (size != Go::default().size).then(|| size.to_string());
        let args = [Some(bot.name().to_string()), size_arg].into_iter().flatten();
        let (_, habit) = opponent.words();
        // A game has hardly more than two moves per point of the board.
        let turns = plies.min(2 * usize::from(size).pow(2)).div_ceil(2);
        LinePlan {
            rules: *RULES,
            about: format!("as {} on {size}x{size} against an opponent that {habit}", bot.name()),
            args: args.map(Into::into).collect(),
            seat: Seat(bot as u8),
            turns: Some(turns),
            early: Duration::ZERO,
            form: None,
            game: Arc::new(self),
        }
    }

    /// What is wrong with a bot if it writes another move after its `illegal` one: then the illegal one was a move
    /// too many, and not its answer.
    fn one_too_many(self, game: &mut GameDialogue, illegal: &Cause) -> Talk<Option<Cause>> {
        let more = game.session.read_unsolicited(AFTER_ILLEGAL_MOVE + patience(game))?;
        let Some(next) = more.lines.iter().find(|line| is_move(line, self.size)) else { return Ok(None) };
        let next = escaped(next);
        let opponents = match state(game).moves().last() {
            Some(&Move::Place(spot)) => Some(spot),
            _ => None,
        };
        let what = if illegal.spots.iter().copied().eq(opponents) {
            format!("it repeats the opponent's move before its own, `{next}`: {}", illegal.what)
        } else {
            format!("{}; unasked, it then wrote another move, `{next}`", illegal.what)
        };
        Ok(Some(Cause::new(id::ONE, what)))
    }

    /// Checks that a bot has not written more moves than it had turns when the game is broken off.
    fn surplus(self, game: &mut GameDialogue) -> Played {
        let last = state(game).moves().len();
        let due = usize::from(is_bots_turn(game) && last > 0);
        let more = game.session.read_unsolicited(patience(game))?;
        let mut moves = more.lines.iter().filter(|line| is_move(line, self.size)).skip(due);
        if let Some(line) = moves.next() {
            let by = last + due;
            let what = format!("by move {by} it has written one move more than it had turns: `{}`", escaped(line));
            return Err(Cause::new(id::ONE, what).into());
        }
        game.remark_on(&more.lines);
        Ok(())
    }

    /// Checks that a bot neither plays on after two passes nor dies by a signal then (G2).
    fn after_the_end(self, game: &mut GameDialogue) -> Played {
        let is_of_end = matches!(self.opponent, Opponent::AlwaysPasses | Opponent::PassesBack);
        let longer = if is_of_end { AFTER_THE_END } else { Duration::ZERO };
        let more = game.session.read_unsolicited(patience(game) + longer)?;
        let by_bot = !is_bots_turn(game);
        if let Some(line) = more.lines.iter().find(|line| is_move(line, self.size)) {
            let last = if by_bot { "its own" } else { "the opponent's" };
            let what = format!("after two passes had ended the game, {last} last, it wrote `{}`", escaped(line));
            let cause = Cause::new(id::END, what);
            // A bot that passed first learns of the end only from the opponent's pass: passing again does no harm.
            let is_harmless = !by_bot && line.trim_ascii().eq_ignore_ascii_case(b"pass");
            return Err(if is_harmless { cause.warning() } else { cause }.into());
        }
        game.remark_on(&more.lines);
        if more.gone && game.remark.is_none() {
            return Err(Cause::new(id::SIGNAL, "after two passes had ended the game").if_by_signal().into());
        }
        Ok(())
    }
}

impl LineGame for GamePlan {
    fn open(&self) -> Talk<(Box<dyn LiveGame>, Box<dyn game::Opponent>)> {
        let go = Go { size: self.size, move_cap: self.plies as u32, ..Go::default() };
        let game = InProgress::new(go, &Setup { seats: 2, ..Setup::default() }).map_err(cannot_set_up)?;
        Ok((Box::new(game), Box::new(Player { opponent: self.opponent, rng: Rng::new(self.seed) })))
    }

    fn is_answer(&self, line: &[u8]) -> Option<bool> {
        Some(is_move(line, self.size))
    }

    fn meant(&self, game: &GameDialogue, line: &[u8]) -> Option<Cause> {
        let check = malformed_move(line)?;
        let what = format!("{}: `{}` is {}, and no move followed", game.place(), escaped(line), notation(line));
        let state = state(game);
        if wants_to_pass(state) {
            return Some(Cause::new(id::PASS, what + why_pass(state)));
        }
        let expected = if check == id::COORD { expected_on(self.size) } else { None };
        Some(Cause { expected, ..Cause::new(check, what + why_pass(state)) })
    }

    fn refused(&self, game: &mut GameDialogue, violation: &Violation) -> Talk<Option<Cause>> {
        let check = match violation.kind {
            "occupied" => id::OCCUPIED,
            "suicide" => id::SUICIDE,
            "ko" => id::KO,
            // The others do not occur: lines that are not moves are ignored, and no dialogue is played with superko.
            _ => id::COORD,
        };
        let illegal = Cause {
            spots: violation.spots.clone(),
            expected: legal_points(state(game)).next().is_none().then(|| ONLY_A_PASS.to_string()),
            ..Cause::new(check, format!("{}: {}", game.place(), violation.detail))
        };
        Ok(self.one_too_many(game, &illegal)?.or(Some(illegal)))
    }

    fn silence(&self, game: &GameDialogue, silence: Silence) -> (Id, &'static str) {
        let state = state(game);
        let moves = state.moves().len();
        let check = match silence {
            _ if state.moves().last() == Some(&Move::Pass) || wants_to_pass(state) => id::PASS,
            Silence::Ended if moves > 1 => id::LONG,
            Silence::Waits if moves >= LATE => id::LONG,
            Silence::Ended | Silence::Waits => id::TURN,
            Silence::Thinks => id::CLOCK,
        };
        (check, why_pass(state))
    }

    /// A point where the opponent could play if it were its turn, or a pass.
    fn follows(&self, game: &GameDialogue) -> Option<Vec<u8>> {
        let position = state(game).position();
        let mut points = position.points().filter(|&point| position.is_legal(point, self.bot.other()));
        let spot = points.nth(self.size.into()).map(|point| position.spot(point));
        Some(spot.map_or("pass\n".to_string(), |spot| vertex(spot, self.size) + "\n").into_bytes())
    }

    fn end(&self, game: &mut GameDialogue) -> Played {
        if state(game).moves().ends_with(&[Move::Pass; 2]) {
            self.after_the_end(game)?;
        } else {
            self.surplus(game)?;
        }
        if game.watch == Watch::StartAndEnd && game.remark.is_none() {
            game.session.close_input();
            let more = game.session.read_unsolicited(AT_END)?;
            game.remark_on(&more.lines);
        }
        Ok(())
    }
}

/// An opponent and its random numbers.
struct Player {
    opponent: Opponent,
    rng: Rng,
}

impl game::Opponent for Player {
    fn reply(&mut self, live: &dyn LiveGame, _: Seat, _: &[Vec<u8>]) -> Talk<Option<Reply>> {
        let state = state_of(live);
        let notation = match self.opponent.choose(state, &mut self.rng) {
            Move::Place(spot) => vertex(spot, state.position().size()),
            Move::Pass => "pass".to_string(),
        };
        Ok(Some(Reply::Notation(notation)))
    }
}

/// The position of the game and its moves.
fn state<'g>(game: &'g GameDialogue) -> &'g GoState {
    state_of(game.live.as_ref())
}

fn state_of(live: &dyn LiveGame) -> &GoState {
    let game = live.as_any().and_then(|game| game.downcast_ref::<InProgress<Go>>());
    game.expect("it is a game of Go").state()
}

/// Whether it is the bot's turn.
fn is_bots_turn(game: &GameDialogue) -> bool {
    state(game).turn() == game.plan.seat
}

/// How long a bot is watched when it has nothing to write. For slow bots it is longer.
fn patience(game: &GameDialogue) -> Duration {
    UNASKED + game.session.thought / game.session.answers.max(1) * 3
}

/// The points where the colour to move could place a stone.
fn legal_points(state: &GoState) -> impl Iterator<Item = Point> {
    let own = Colour::for_seat(state.turn());
    state.position().points().filter(move |&point| state.position().is_legal(point, own))
}

/// Whether the colour to move has no legal point left except those whose neighbours are all its own stones, like eyes.
fn wants_to_pass(state: &GoState) -> bool {
    let position = state.position();
    let own = Colour::for_seat(state.turn());
    legal_points(state).all(|point| position.neighbours(point).all(|beside| position.at(beside) == Some(own)))
}

/// What the position has to do with passing, in words; empty if it has nothing to do with it.
fn why_pass(state: &GoState) -> &'static str {
    match state.moves().last() {
        _ if legal_points(state).next().is_none() => "; it had no legal point left",
        _ if wants_to_pass(state) => "; it had no legal points left but some among its own stones",
        Some(Move::Pass) => "; the opponent had just passed",
        _ => "",
    }
}

/// What is expected of a move on a board of this size; `None` for the usual one, whose points the catalogue names.
fn expected_on(size: u8) -> Option<String> {
    (size != Go::default().size).then(|| {
        let last = vertex(Spot { row: 0, col: size - 1 }, size);
        format!("a line with a vertex from A1 to {last}, or `pass`: the second argument, {size}, is the size (G4)")
    })
}

/// What `line`, which is not a move (G5), looks like, in words.
fn notation(line: &[u8]) -> &'static str {
    match line.trim_ascii() {
        [b'=' | b'?', ..] => "an answer in GTP and not a move",
        word if is_sgf_point(word) => "a point as in SGF and not a move",
        _ => "not a move",
    }
}

/// Whether `word` is a point in SGF: two small letters. `tt` is a pass there.
fn is_sgf_point(word: &[u8]) -> bool {
    word.len() == 2 && word.iter().all(u8::is_ascii_lowercase) && word != b"tt"
}

/// The check that `line` fails if it was probably meant as a move: a point in another notation or with other text
/// around it, or another word for a pass. `line` must not be a move.
fn malformed_move(line: &[u8]) -> Option<&'static str> {
    let text = String::from_utf8_lossy(line.trim_ascii());
    let words: Vec<&str> = text.split([' ', '\t', ',', ';', '(', ')', '-']).filter(|w| !w.is_empty()).collect();
    let number = |word: &str| !word.is_empty() && word.len() <= 3 && word.bytes().all(|b| b.is_ascii_digit());
    let letters = |word: &str| word.bytes().all(|b| b.is_ascii_alphabetic());
    let point = |word: &str| {
        let split = |at: usize| word.is_char_boundary(at).then(|| word.split_at(at));
        let is = |(a, b): (&str, &str)| !a.is_empty() && letters(a) && number(b);
        split(1).is_some_and(is) || word.len() > 1 && split(word.len() - 1).is_some_and(|(a, b)| is((b, a)))
    };
    match words[..] {
        [] => None,
        [a, b] if number(a) && number(b) => Some(id::COORD),
        [a, b] if letters(a) && a.len() == 1 && number(b) => Some(id::COORD),
        [word] if is_sgf_point(word.as_bytes()) => Some(id::COORD),
        [word] if letters(word) => Some(id::PASS),
        [word] if point(word) || number(word) => Some(id::COORD),
        [first, .., last] if point(last) || point(first) => Some(id::COORD),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_points_of_the_board_in_play_are_expected() {
        assert!(expected_on(5).is_some_and(|points| points.contains("from A1 to E5,")));
        assert_eq!(expected_on(19), None);
    }

    #[track_caller]
    fn check(line: &str, id: Option<&str>) {
        assert_eq!(malformed_move(line.as_bytes()), id, "{line}");
    }

    #[test]
    fn malformed_moves_are_distinguished_from_other_text() {
        check("I5", Some(id::COORD));
        check("A20", Some(id::COORD));
        check("A0", Some(id::COORD));
        check("16Q", Some(id::COORD));
        check("16 4", Some(id::COORD));
        check("Q-16", Some(id::COORD));
        check("your move? Q16", Some(id::COORD));
        check("resign", Some(id::PASS));
        check("skip\r", Some(id::PASS));
        check("dd", Some(id::COORD));
        check("tt", Some(id::PASS));
        check("= Q16", Some(id::COORD));
        check("", None);
        check("19 + + + O @ + + 19", None);
        check("A B C D E F G", None);
        check("thinking hard about it", None);
    }
}
