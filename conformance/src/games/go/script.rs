//! The scripts of the dialogues of Go: whole games, and games with special conditions (G2–G5).

use super::id;
use super::opponent::Opponent;
use super::play::{DialogueGame, GamePlan, UNASKED};
use crate::fault::Fault;
use crate::protocol::lines::conditions::{ends_with_its_input, extra_processes};
use crate::protocol::lines::{DialogueSession, LineRead};
use cornerman::games::go::{Colour, Move, is_move};
use cornerman_harness::text::{duration, escaped};
use std::io;
use std::time::Duration;

/// The fault that a script found, if there is one.
pub(super) type ScriptResult = io::Result<Option<Fault>>;

/// How long a bot is watched for a last line when its input ends.
const AT_END: Duration = Duration::from_millis(500);

/// The number of the bot's first moves after which it must write nothing more.
const WATCHED_MOVES: usize = 3;

/// How often the user time of a waiting bot is sampled.
const SAMPLE_INTERVAL: Duration = Duration::from_millis(100);

/// A bot is at rest after this many samples in a row with the same user time.
const QUIET_SAMPLES: u32 = 3;

/// The most samples that are taken.
const MAX_SAMPLES: u32 = 40;

/// The most user time that a bot may use until it is at rest.
const MAX_USER_TIME: Duration = Duration::from_millis(400);

/// Lines that a bot must ignore.
const JUNK: [&[u8]; 5] = [b"\n", b"hello there\n", b"Z99\n", b"\x01\xff\x80\n", &LONG_LINE];

/// A line of a thousand letters.
const LONG_LINE: [u8; 1001] = {
    let mut line = [b'x'; 1001];
    line[1000] = b'\n';
    line
};

/// Plays a whole game.
pub(super) fn whole(session: &mut DialogueSession, game: GamePlan) -> ScriptResult {
    let mut playing = DialogueGame::begin(session, game)?;
    let fault = playing.play_moves(game.plies)?;
    playing.finish(fault)
}

/// Plays a whole game, and checks that the bot writes nothing when it is not asked: as white before it is sent a move,
/// for the time `before`, then after each of its first moves, and when its input ends.
pub(super) fn watchful(session: &mut DialogueSession, game: GamePlan, before: Duration) -> ScriptResult {
    let mut playing = DialogueGame::begin(session, game)?;
    if let Some(fault) = silent_before_the_first(&mut playing, before)? {
        return Ok(Some(fault));
    }
    playing.watched = WATCHED_MOVES;
    let fault = playing.play_moves(game.plies)?;
    match playing.finish(fault)? {
        None => playing.farewell(AT_END),
        fault => Ok(fault),
    }
}

/// Checks that a bot that plays white waits for black's first move (G4).
fn silent_before_the_first(playing: &mut DialogueGame, time: Duration) -> ScriptResult {
    if playing.game.bot == Colour::Black {
        return Ok(None);
    }
    let early = playing.session.read_unsolicited(time)?;
    let size = playing.game.size;
    let opens = early.lines.iter().chain([&early.unfinished]).find(|line| is_move(line, size));
    if let Some(line) = opens {
        let what = "as white it wrote a move before it was sent black's first one";
        return Ok(Some(Fault::new(id::TURN, format!("{what}: `{}`", escaped(line)))));
    }
    if early.flood {
        return Ok(Some(Fault::new(id::ONE, "it did not stop writing before it was sent a move")));
    }
    if early.gone {
        return Ok(Some(Fault::new(id::TURN, "it ended before it was sent a move").at_its_end()));
    }
    for line in &early.lines {
        playing.note_garbage(line);
    }
    Ok(None)
}

/// Plays a game in which `time` is sent after the given number of moves, `after` (G3, G4).
pub(super) fn timed(session: &mut DialogueSession, game: GamePlan, after: usize) -> ScriptResult {
    let mut playing = DialogueGame::begin(session, game)?;
    if let Some(fault) = playing.play_moves(after)? {
        return playing.finish(Some(fault));
    }
    playing.session.send(b"time\n")?;
    playing.time_sent = true;
    if !playing.is_bots_turn() {
        let more = playing.session.read_unsolicited(UNASKED * 2)?;
        if let Some(line) = more.lines.iter().find(|line| is_move(line, game.size)) {
            let what = format!("it wrote `{}` when it was sent `time`, but it was not its turn", escaped(line));
            return Ok(Some(Fault::new(id::CLOCK, what)));
        }
    }
    let fault = playing.play_moves(game.plies)?;
    playing.finish(fault)
}

/// Plays a game in which `time` and the opponent's move are sent in one piece, as the referee does.
pub(super) fn two_lines_at_once(session: &mut DialogueSession, game: GamePlan) -> ScriptResult {
    let mut playing = DialogueGame::begin(session, game)?;
    let lines = format!("time\n{}", playing.opponents_line());
    playing.session.send(lines.as_bytes())?;
    playing.time_sent = true;
    let fault = playing.play_moves(game.plies)?;
    playing.finish(fault)
}

/// Plays a game and sends lines between the moves that the bot must ignore.
pub(super) fn junk(session: &mut DialogueSession, game: GamePlan) -> ScriptResult {
    let mut playing = DialogueGame::begin(session, game)?;
    if let Some(fault) = playing.play_moves(4)? {
        return playing.finish(Some(fault));
    }
    for line in JUNK {
        playing.session.send(line)?;
    }
    let more = playing.session.read_unsolicited(UNASKED * 3)?;
    if more.flood {
        return Ok(Some(Fault::new(id::GARBAGE, "it did not stop writing when it was sent meaningless lines")));
    }
    let what = "it was sent meaningless lines";
    if more.gone {
        return Ok(Some(Fault::new(id::GARBAGE, what).if_by_signal()));
    }
    let line = playing.opponents_line();
    playing.session.send(line.as_bytes())?;
    let limit = duration(playing.session.limits.hard);
    Ok(match playing.answer("after the junk")? {
        LineRead::Line(_) => None,
        LineRead::Ended(_) => Some(Fault::new(id::GARBAGE, what).if_by_signal()),
        LineRead::TimedOut(_) if !more.is_nothing() => None,
        _ => {
            let what = format!("{what}, and made no more moves, not even within {limit} after `time` was sent");
            Some(Fault::new(id::GARBAGE, what))
        }
    })
}

/// Ends the input of a game after the given number of moves, `after`: the bot must end then.
pub(super) fn input_ends_early(session: &mut DialogueSession, game: GamePlan, after: usize) -> ScriptResult {
    let mut playing = DialogueGame::begin(session, game)?;
    if let Some(fault) = playing.play_moves(after)? {
        return playing.finish(Some(fault));
    }
    let patience = playing.session.limits.start.min(PATIENCE_AT_END);
    ends_with_its_input(playing.session, id::EOF, patience).map(Some)
}

/// The time that a bot has to end when its input ends.
const PATIENCE_AT_END: Duration = Duration::from_secs(2);

/// Plays a game and counts the bot's processes.
pub(super) fn counted(session: &mut DialogueSession, game: GamePlan) -> ScriptResult {
    let mut playing = DialogueGame::begin(session, game)?;
    while !playing.is_over() {
        if let Some(fault) = playing.play_moves(4)? {
            return playing.finish(Some(fault));
        }
        let moves = format!("{} moves", playing.state.moves().len());
        let fault = extra_processes(playing.session, id::FORK, false, &moves)?;
        if fault.is_some() {
            return Ok(fault);
        }
    }
    playing.finish(None)
}

/// Plays a game, and then waits until the bot, whose turn it is not, uses no more user time.
pub(super) fn waits(session: &mut DialogueSession, game: GamePlan) -> ScriptResult {
    let mut playing = DialogueGame::begin(session, game)?;
    if let Some(fault) = playing.play_moves(game.plies)? {
        return playing.finish(Some(fault));
    }
    let before = playing.session.user_time()?;
    let mut last = before;
    let mut quiet = 0;
    for _ in 0..MAX_SAMPLES {
        playing.session.read_unsolicited(SAMPLE_INTERVAL)?;
        let now = playing.session.user_time()?;
        quiet = if now == last { quiet + 1 } else { 0 };
        last = now;
        if quiet >= QUIET_SAMPLES {
            return playing.finish(None);
        }
        if now - before > MAX_USER_TIME {
            break;
        }
    }
    let used = duration(last - before);
    Ok(Some(Fault::new(id::CPU, format!("it used {used} of user time during the opponent's turn"))))
}

/// The number of moves in `moves` that `bot` made.
pub(super) fn count_moves(moves: &[Move], bot: Colour) -> u32 {
    let first = usize::from(bot == Colour::White);
    moves.iter().skip(first).step_by(2).count() as u32
}

/// The plan of a game of `plies` moves in which nothing depends on the opponent.
pub(super) fn usual(bot: Colour, plies: usize) -> GamePlan {
    GamePlan { size: 19, bot, opponent: Opponent::Random, seed: 1984, plies, time_first: false, lower_case: false }
}
