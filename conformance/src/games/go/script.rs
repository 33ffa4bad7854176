//! The scripts of the dialogues of Go: whole games, and games with special conditions (G2–G5).

use super::id;
use super::opponent::Opponent;
use super::play::{GamePlan, UNASKED};
use crate::finding::Cause;
use crate::protocol::lines::game::{GameDialogue, MOST_ANSWERS};
use crate::protocol::lines::{LineRead, Played, Stop};
use cornerman::games::go::Colour;
use cornerman_harness::text::{duration, escaped};
use std::time::Duration;

/// How long a bot has to read all that was sent, unless it is seen to wait for more.
const BEFORE_TIME: Duration = Duration::from_millis(500);

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
pub(super) fn whole(game: &mut GameDialogue) -> Played {
    game.until(MOST_ANSWERS)
}

/// Sends `time` before the opponent's first line, when the bot of this colour has read all else, and lets it read that before
/// anything else comes.
pub(super) fn time_first(game: &mut GameDialogue, bot: Colour) -> Played {
    game.until(usize::from(bot == Colour::Black))?;
    let more = game.session.read_unsolicited(BEFORE_TIME)?;
    game.remark_on(&more.lines);
    game.send_time()?;
    let more = game.session.read_unsolicited(BEFORE_TIME)?;
    game.remark_on(&more.lines);
    Ok(())
}

/// Plays a game in which `time` is sent after this many answers, when it is not the bot's turn (G3, G4).
pub(super) fn timed(game: &mut GameDialogue, answers: usize) -> Played {
    game.until(answers)?;
    game.send_time()?;
    let more = game.session.read_unsolicited(UNASKED * 2)?;
    if let Some(line) = more.lines.iter().find(|line| game.is_answer(line)) {
        let what = format!("it wrote `{}` when it was sent `time`, but it was not its turn", escaped(line));
        return Err(Cause::new(id::CLOCK, what).into());
    }
    whole(game)
}

/// Plays a game in which `time` comes after the opponent's move, while the bot thinks.
pub(super) fn time_to_think(game: &mut GameDialogue) -> Played {
    game.until(2)?;
    game.present(b"")?;
    game.send_time()?;
    whole(game)
}

/// Plays a game in which `time` and the opponent's move are sent in one piece, as the referee does.
pub(super) fn two_lines_at_once(game: &mut GameDialogue) -> Played {
    game.present(b"time\n")?;
    game.time_sent = true;
    whole(game)
}

/// Plays a game and sends lines between the moves that the bot must ignore.
pub(super) fn junk(game: &mut GameDialogue) -> Played {
    game.until(2)?;
    for line in JUNK {
        game.session.send(line)?;
    }
    let more = game.session.read_unsolicited(UNASKED * 3)?;
    if more.flood {
        let what = "it did not stop writing when it was sent meaningless lines";
        return Err(Cause::new(id::GARBAGE, what).into());
    }
    let what = "it was sent meaningless lines";
    if more.gone {
        return Err(Cause::new(id::GARBAGE, what).if_by_signal().into());
    }
    game.present(b"")?;
    let limit = duration(game.session.limits.hard);
    Err(match game.read()? {
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
pub(super) fn waits(game: &mut GameDialogue) -> Played {
    whole(game)?;
    let before = game.session.user_time()?;
    let mut last = before;
    let mut quiet = 0;
    for _ in 0..MAX_SAMPLES {
        game.session.read_unsolicited(SAMPLE_INTERVAL)?;
        let now = game.session.user_time()?;
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
