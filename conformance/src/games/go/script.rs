//! The dialogues of Go: whole games, and what is done to a bot besides (G2–G5).

use super::id;
use super::opponent::Opponent;
use super::play::{DialogueGame, GamePlan, UNASKED};
use crate::fault::Fault;
use crate::lines::protocol::{ends_with_its_input, is_single};
use crate::lines::{DialogueSession, LineRead};
use crate::text::{duration, escaped};
use cornerman::games::go::{Colour, Move, is_move};
use std::io;
use std::time::Duration;

/// What a script gives.
pub type ScriptResult = io::Result<Option<Fault>>;

/// So long white is to be silent before it has been sent a move.
const BEFORE_THE_FIRST: Duration = Duration::from_millis(150);

/// The own moves after which something more is looked for.
const WATCHED_MOVES: usize = 3;

/// How often the user time of a waiting bot is looked at, how often in a row it must not have grown, and how much it
/// may be in all before the bot is at rest.
const LOOK: Duration = Duration::from_millis(100);
const QUIET_LOOKS: u32 = 3;
const MOST_LOOKS: u32 = 40;
const MOST_WAITING: Duration = Duration::from_millis(400);

/// Lines that are nothing to a bot.
const JUNK: [&[u8]; 5] = [b"\n", b"hello there\n", b"Z99\n", b"\x01\xff\x80\n", &LONG_LINE];

/// A line of a thousand letters.
const LONG_LINE: [u8; 1001] = {
    let mut line = [b'x'; 1001];
    line[1000] = b'\n';
    line
};

/// A game to its end, or as long as it is to be.
pub fn whole(session: &mut DialogueSession, game: GamePlan) -> ScriptResult {
    let mut playing = DialogueGame::begin(session, game)?;
    let fault = playing.go_on(game.plies)?.err();
    Ok(playing.verdict(fault))
}

/// The same, in which what comes unasked is looked for.
pub fn watchful(session: &mut DialogueSession, game: GamePlan) -> ScriptResult {
    let mut playing = DialogueGame::begin(session, game)?;
    if let Some(fault) = silent_before_the_first(&mut playing)? {
        return Ok(Some(fault));
    }
    playing.watched = WATCHED_MOVES;
    let fault = playing.go_on(game.plies)?.err();
    Ok(playing.verdict(fault))
}

/// White waits for black's first move (G4).
fn silent_before_the_first(playing: &mut DialogueGame) -> ScriptResult {
    if playing.game.bot == Colour::Black {
        return Ok(None);
    }
    let early = playing.session.read_unsolicited(BEFORE_THE_FIRST)?;
    let size = playing.game.size;
    let opens = early.lines.iter().chain([&early.unfinished]).find(|line| is_move(line, size));
    if let Some(line) = opens {
        let what = "as white it wrote a move before it had been sent black's first one";
        return Ok(Some(Fault::of(id::TURN, format!("{what}: `{}`", escaped(line)))));
    }
    if early.flood {
        return Ok(Some(Fault::of(id::ONE, "it wrote without end before a move was sent")));
    }
    if early.gone {
        return Ok(Some(Fault::of(id::TURN, "it was gone before it had been sent a move").at_its_end()));
    }
    early.lines.iter().for_each(|line| playing.note_garbage(line));
    Ok(None)
}

/// A move and then the end of input: whether what was kept back comes out only then.
pub fn kept_back(session: &mut DialogueSession, game: GamePlan) -> ScriptResult {
    if game.bot == Colour::White {
        session.send(b"Q16\n")?;
    }
    session.close_input();
    let mut limit = session.limits.start;
    while let LineRead::Line(line) = session.read_line(limit)? {
        limit = session.limits.hard;
        if is_move(&line, game.size) {
            let what = "no move came while its input was open, and one once its input had ended";
            return Ok(Some(Fault::of(id::FLUSH, format!("{what}: `{}`", escaped(&line)))));
        }
    }
    Ok(None)
}

/// A game to the end, after which nothing may come (G2).
pub fn ended(session: &mut DialogueSession, game: GamePlan) -> ScriptResult {
    let mut playing = DialogueGame::begin(session, game)?;
    let fault = playing.go_on(game.plies)?.err();
    if fault.is_some() || !playing.is_played_out() {
        return Ok(playing.verdict(fault));
    }
    let by_bot = !playing.is_bots_turn();
    let more = playing.session.read_unsolicited(UNASKED * 3)?;
    let Some(first) = more.lines.first().filter(|line| is_move(line, game.size)) else {
        return Ok(playing.verdict(None));
    };
    let last = if by_bot { "its own" } else { "the opponent's" };
    let what = format!("two passes had ended the game, {last} the second, and it wrote `{}`", escaped(first));
    let fault = Fault::of(id::END, what);
    // Whoever passed first is told of the end by the opponent's pass alone: a reply to that costs nothing.
    Ok(Some(if by_bot { fault } else { fault.warning() }))
}

/// A game in which `time` is sent after so many moves, when the bot is to move next (G3, G4).
pub fn timed(session: &mut DialogueSession, game: GamePlan, after: usize) -> ScriptResult {
    let mut playing = DialogueGame::begin(session, game)?;
    if let Err(fault) = playing.go_on(after)? {
        return Ok(playing.verdict(Some(fault)));
    }
    playing.session.send(b"time\n")?;
    playing.note_time_sent();
    if !playing.is_bots_turn() {
        let more = playing.session.read_unsolicited(UNASKED * 2)?;
        if let Some(line) = more.lines.iter().find(|line| is_move(line, game.size)) {
            let what = format!("it wrote `{}` when it was sent `time`, and it was not its turn", escaped(line));
            return Ok(Some(Fault::of(id::CLOCK, what)));
        }
    }
    let fault = playing.go_on(game.plies)?.err();
    Ok(playing.verdict(fault))
}

/// A game in which `time` and the opponent's move are sent in one piece, as the referee does.
pub fn two_lines_at_once(session: &mut DialogueSession, game: GamePlan) -> ScriptResult {
    let mut playing = DialogueGame::begin(session, game)?;
    let lines = format!("time\n{}", playing.opponents_line());
    playing.session.send(lines.as_bytes())?;
    playing.note_time_sent();
    let fault = playing.go_on(game.plies)?.err();
    Ok(playing.verdict(fault))
}

/// A game into which junk is sent.
pub fn junk(session: &mut DialogueSession, game: GamePlan) -> ScriptResult {
    let mut playing = DialogueGame::begin(session, game)?;
    if let Err(fault) = playing.go_on(4)? {
        return Ok(playing.verdict(Some(fault)));
    }
    for line in JUNK {
        playing.session.send(line)?;
    }
    let more = playing.session.read_unsolicited(UNASKED * 3)?;
    if more.flood {
        return Ok(Some(Fault::of(id::GARBAGE, "it wrote without end when it was sent lines that say nothing")));
    }
    let what = "it had been sent lines that say nothing";
    if more.gone {
        return Ok(Some(Fault::of(id::GARBAGE, what).if_by_signal()));
    }
    let line = playing.opponents_line();
    playing.session.send(line.as_bytes())?;
    let limit = duration(playing.session.limits.hard);
    Ok(match playing.answer("after the junk")? {
        LineRead::Line(_) => None,
        LineRead::Ended(_) => Some(Fault::of(id::GARBAGE, what).if_by_signal()),
        LineRead::TimedOut(_) if !more.is_nothing() => None,
        _ => {
            let what =
                format!("{what}, and answered no move any more, not even within {limit} after `time` was sent");
            Some(Fault::of(id::GARBAGE, what).may_be_load())
        }
    })
}

/// A game whose input ends after so many moves. The bot is to end then.
pub fn input_ends_early(session: &mut DialogueSession, game: GamePlan, after: usize) -> ScriptResult {
    let mut playing = DialogueGame::begin(session, game)?;
    if let Err(fault) = playing.go_on(after)? {
        return Ok(playing.verdict(Some(fault)));
    }
    let patience = playing.session.limits.start.min(PATIENCE_AT_END);
    ends_with_its_input(playing.session, id::EOF, patience).map(Some)
}

/// How long it may take to end by itself.
const PATIENCE_AT_END: Duration = Duration::from_secs(2);

/// A game in which processes are counted.
pub fn counted(session: &mut DialogueSession, game: GamePlan) -> ScriptResult {
    let mut playing = DialogueGame::begin(session, game)?;
    while !playing.is_over() {
        if let Err(fault) = playing.go_on(4)? {
            return Ok(playing.verdict(Some(fault)));
        }
        let moves = format!("{} moves", playing.state.moves().len());
        let fault = is_single(playing.session, id::FORK, false, &moves)?;
        if fault.is_some() {
            return Ok(fault);
        }
    }
    Ok(playing.verdict(None))
}

/// A game, and then a wait of which the user time is looked at until the bot is at rest.
pub fn waits(session: &mut DialogueSession, game: GamePlan) -> ScriptResult {
    let mut playing = DialogueGame::begin(session, game)?;
    if let Err(fault) = playing.go_on(game.plies)? {
        return Ok(playing.verdict(Some(fault)));
    }
    let before = playing.session.user_time()?;
    let (mut last, mut quiet) = (before, 0);
    for _ in 0..MOST_LOOKS {
        playing.session.read_unsolicited(LOOK)?;
        let now = playing.session.user_time()?;
        quiet = if now == last { quiet + 1 } else { 0 };
        last = now;
        if quiet >= QUIET_LOOKS {
            return Ok(playing.verdict(None));
        }
        if now - before > MOST_WAITING {
            break;
        }
    }
    let used = duration(last - before);
    Ok(Some(
        Fault::of(id::CPU, format!("it used {used} of user time while it was the opponent's turn")).may_be_load(),
    ))
}

/// How many moves the bot made.
pub fn count_moves(moves: &[Move], bot: Colour) -> u32 {
    let first = usize::from(bot == Colour::White);
    moves.iter().skip(first).step_by(2).count() as u32
}

/// A game of so many plies where nothing depends on the opponent.
pub fn usual(bot: Colour, plies: usize) -> GamePlan {
    GamePlan { size: 19, bot, opponent: Opponent::Random, seed: 1984, plies, time_first: false, small: false }
}
