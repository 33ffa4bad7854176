//! The scripts of the dialogues of Go: whole games, and games with special conditions (G2–G5).

use super::id;
use super::opponent::Opponent;
use super::play::{DialogueGame, GamePlan, UNASKED};
use crate::finding::Cause;
use crate::protocol::lines::{LineRead, Played, Stop};
use cornerman::games::go::{Colour, is_move};
use cornerman_harness::text::{duration, escaped};
use std::time::Duration;

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
pub(super) fn whole(playing: &mut DialogueGame) -> Played {
    playing.play_moves(playing.game.plies)
}

/// Plays a whole game, and checks that the bot writes nothing when it is not asked: as white before it is sent a move,
/// for the time `before`, then after each of its first moves, and when its input ends.
pub(super) fn watchful(playing: &mut DialogueGame, before: Duration) -> Played {
    silent_before_the_first(playing, before)?;
    playing.watched = WATCHED_MOVES;
    playing.judges_farewell = true;
    whole(playing)
}

/// Checks that a bot that plays white waits for black's first move (G4).
fn silent_before_the_first(playing: &mut DialogueGame, time: Duration) -> Played {
    if playing.game.bot == Colour::Black {
        return Ok(());
    }
    let early = playing.session.read_unsolicited(time)?;
    let size = playing.game.size;
    let opens = early.lines.iter().chain([&early.unfinished]).find(|line| is_move(line, size));
    if let Some(line) = opens {
        let what = "as white it wrote a move before it was sent black's first one";
        return Err(Cause::new(id::TURN, format!("{what}: `{}`", escaped(line))).into());
    }
    if early.flood {
        return Err(Cause::new(id::ONE, "it did not stop writing before it was sent a move").into());
    }
    if early.gone {
        return Err(Cause::new(id::TURN, "it ended before it was sent a move").at_its_end().into());
    }
    for line in &early.lines {
        playing.note_garbage(line);
    }
    Ok(())
}

/// Plays a game in which `time` is sent after the given number of moves, `after` (G3, G4).
pub(super) fn timed(playing: &mut DialogueGame, after: usize) -> Played {
    playing.play_moves(after)?;
    playing.session.send(b"time\n")?;
    playing.time_sent = true;
    if !playing.is_bots_turn() {
        let more = playing.session.read_unsolicited(UNASKED * 2)?;
        if let Some(line) = more.lines.iter().find(|line| is_move(line, playing.game.size)) {
            let what = format!("it wrote `{}` when it was sent `time`, but it was not its turn", escaped(line));
            return Err(Cause::new(id::CLOCK, what).into());
        }
    }
    whole(playing)
}

/// Plays a game in which `time` and the opponent's move are sent in one piece, as the referee does.
pub(super) fn two_lines_at_once(playing: &mut DialogueGame) -> Played {
    let lines = format!("time\n{}", playing.opponents_line());
    playing.session.send(lines.as_bytes())?;
    playing.time_sent = true;
    whole(playing)
}

/// Plays a game and sends lines between the moves that the bot must ignore.
pub(super) fn junk(playing: &mut DialogueGame) -> Played {
    playing.play_moves(4)?;
    for line in JUNK {
        playing.session.send(line)?;
    }
    let more = playing.session.read_unsolicited(UNASKED * 3)?;
    if more.flood {
        let what = "it did not stop writing when it was sent meaningless lines";
        return Err(Cause::new(id::GARBAGE, what).into());
    }
    let what = "it was sent meaningless lines";
    if more.gone {
        return Err(Cause::new(id::GARBAGE, what).if_by_signal().into());
    }
    let line = playing.opponents_line();
    playing.session.send(line.as_bytes())?;
    let limit = duration(playing.session.limits.hard);
    Err(match playing.answer("after the junk")? {
        LineRead::Line(_) => Stop::Over,
        LineRead::Ended(_) => Cause::new(id::GARBAGE, what).if_by_signal().into(),
        LineRead::TimedOut(_) if !more.is_nothing() => Stop::Over,
        _ => {
            let what = format!("{what}, and made no more moves, not even within {limit} after `time` was sent");
            Cause::new(id::GARBAGE, what).into()
        }
    })
}

/// Plays a game, and then waits until the bot, whose turn it is not, uses no more user time.
pub(super) fn waits(playing: &mut DialogueGame) -> Played {
    whole(playing)?;
    let before = playing.session.user_time()?;
    let mut last = before;
    let mut quiet = 0;
    for _ in 0..MAX_SAMPLES {
        playing.session.read_unsolicited(SAMPLE_INTERVAL)?;
        let now = playing.session.user_time()?;
        quiet = if now == last { quiet + 1 } else { 0 };
        last = now;
        if quiet >= QUIET_SAMPLES {
            return Ok(());
        }
        if now - before > MAX_USER_TIME {
            break;
        }
    }
    let used = duration(last - before);
    Err(Cause::new(id::CPU, format!("it used {used} of user time during the opponent's turn")).into())
}

/// The plan of a game of `plies` moves in which nothing depends on the opponent.
pub(super) fn usual(bot: Colour, plies: usize) -> GamePlan {
    GamePlan { size: 19, bot, opponent: Opponent::Random, seed: 1984, plies, time_first: false, lower_case: false }
}
