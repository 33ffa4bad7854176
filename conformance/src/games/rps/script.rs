//! What is said in a match, and how what comes back is read: the most specific fault wins (R3–R7).

use super::id;
use super::opponent::Opponent;
use crate::fault::Fault;
use crate::lines::protocol::{ends_with_its_input, extra_processes};
use crate::lines::{DialogueResult, DialogueSession, LineRead, Transcript, UnsolicitedOutput};
use crate::text::{duration, escaped};
use cornerman::games::rps::Hand;
use std::io;
use std::time::Duration;

/// The checks of bots that say nothing when something is due.
pub const SILENT: [&str; 2] = [id::NAME, id::TIME];

/// So long nothing may come after the name, and after each of the first hands. It is not the bot that is waited
/// for: what is to be found here has been written together with the line before.
const AFTER_NAME: Duration = Duration::from_millis(120);
const AFTER_HAND: Duration = Duration::from_millis(50);

/// The rounds after whose hands something more is looked for.
const WATCHED_ROUNDS: usize = 3;

/// A game to be played.
#[derive(Clone, Copy, Debug)]
pub struct GamePlan {
    /// The first line sent.
    pub seed: u16,
    /// The second line sent.
    pub rounds: usize,
    /// The opponent.
    pub opponent: Opponent,
    /// Whether lines are sent with CR LF.
    pub crlf: bool,
}

impl GamePlan {
    /// The seed, the length and the opponent.
    pub fn in_words(&self) -> String {
        let opponent = match self.opponent {
            Opponent::Always(hand) => format!("one who always shows {hand}"),
            Opponent::Cycle(1) => "one who shows 0, 1, 2 and round again".to_string(),
            Opponent::Cycle(_) => "one who shows 0, 2, 1 and round again".to_string(),
            Opponent::Random(_) => "one who draws lots".to_string(),
            Opponent::AllPatterns => "one who shows every pattern of five hands".to_string(),
            Opponent::FollowsBot(0) => "one who shows its last hand".to_string(),
            Opponent::FollowsBot(1) => "one who shows what beats its last hand".to_string(),
            Opponent::FollowsBot(_) => "one who shows what its last hand beats".to_string(),
        };
        let s = if self.rounds == 1 { "" } else { "s" };
        format!("{} round{s} with the seed {} against {opponent}", self.rounds, self.seed)
    }

    fn line(&self, what: impl std::fmt::Display) -> String {
        format!("{what}{}", if self.crlf { "\r\n" } else { "\n" })
    }

    /// What is sent first (R4).
    fn opening(&self) -> String {
        self.line(self.seed) + &self.line(self.rounds)
    }
}

/// A whole game.
///
/// # Errors
/// When the system fails.
pub fn whole(session: &mut DialogueSession, game: &GamePlan) -> io::Result<Option<Fault>> {
    if let Err(fault) = opening(session, game)? {
        return Ok(Some(fault));
    }
    session.send(game.opening().as_bytes())?;
    rounds(session, game, 0..game.rounds, &mut Vec::new())
}

/// A whole game, in which what comes unasked is looked for.
///
/// # Errors
/// When the system fails.
pub fn watchful(session: &mut DialogueSession, game: &GamePlan) -> io::Result<Option<Fault>> {
    if let Err(fault) = opening(session, game)? {
        return Ok(Some(fault));
    }
    let early = session.read_unsolicited(AFTER_NAME)?;
    if !early.is_nothing() {
        return Ok(Some(before_the_seed(&early)));
    }
    session.send(game.opening().as_bytes())?;
    let mut bots = Vec::new();
    for at in 0..WATCHED_ROUNDS {
        let hand = match hand(session, at)? {
            Ok(hand) => hand,
            Err(fault) => return Ok(Some(fault)),
        };
        bots.push(hand);
        let more = session.read_unsolicited(AFTER_HAND)?;
        if !more.is_nothing() {
            return besides(session, game, bots, more).map(Some);
        }
        session.send(game.line(game.opponent.hand(at, &bots)).as_bytes())?;
    }
    rounds(session, game, WATCHED_ROUNDS..game.rounds, &mut bots)
}

/// A game that is sent whole, with its end: whether lines come out only then.
///
/// # Errors
/// When the system fails.
pub fn all_at_once(session: &mut DialogueSession, game: &GamePlan) -> io::Result<Option<Fault>> {
    let opponents = (0..game.rounds).map(|_| game.line(Hand::Rock)).collect::<String>();
    session.send((game.opening() + &opponents).as_bytes())?;
    session.close_input();
    let mut lines = 0;
    // The name is let pass; a hand that comes at once had only been kept back.
    let mut limit = session.limits.start;
    while let LineRead::Line(_) = session.read_line(limit)? {
        (lines, limit) = (lines + 1, session.limits.hard);
        if lines > 1 {
            let what = "nothing came while its input was open, and everything once its input had ended";
            return Ok(Some(Fault::of(id::FLUSH, what)));
        }
    }
    Ok(None)
}

/// A game of which processes and threads are counted.
///
/// # Errors
/// When the system fails.
pub fn counted(session: &mut DialogueSession, game: &GamePlan) -> io::Result<Option<Fault>> {
    if let Err(fault) = opening(session, game)? {
        return Ok(Some(fault));
    }
    session.send(game.opening().as_bytes())?;
    let mut bots = Vec::new();
    for from in (0..game.rounds).step_by(5) {
        if let Some(fault) = rounds(session, game, from..from + 5, &mut bots)? {
            return Ok(Some(fault));
        }
        let fault = extra_processes(session, id::THREADS, true, &format!("{} rounds", from + 5))?;
        if fault.is_some() {
            return Ok(fault);
        }
    }
    Ok(None)
}

/// A game whose input ends: before the seed, or after so many rounds. The bot is to end then.
///
/// # Errors
/// When the system fails.
pub fn input_ends_early(
    session: &mut DialogueSession,
    game: &GamePlan,
    after: Option<usize>,
) -> io::Result<Option<Fault>> {
    if let Err(fault) = opening(session, game)? {
        return Ok(Some(fault));
    }
    if let Some(after) = after {
        session.send(game.opening().as_bytes())?;
        if let Some(fault) = rounds(session, game, 0..after, &mut Vec::new())? {
            return Ok(Some(fault));
        }
    }
    let patience = session.limits.hard;
    ends_with_its_input(session, id::EOF, patience).map(Some)
}

/// The name, its first line (R3).
fn opening(session: &mut DialogueSession, game: &GamePlan) -> io::Result<Result<(), Fault>> {
    let limit = session.limits.start;
    Ok(Err(match session.read_line(limit)? {
        LineRead::Line(line) => match unreadable(&line) {
            None => return Ok(Ok(())),
            Some(what) => Fault::of(id::NAME, what),
        },
        LineRead::TimedOut(rest) if rest.is_empty() => return after_silence(session, game, limit).map(Err),
        LineRead::TimedOut(rest) => {
            Fault::of(id::LF, format!("`{}` came, and no line feed after it", escaped(&rest))).may_be_load()
        }
        LineRead::Ended(rest) if rest.is_empty() => Fault::of(id::NAME, "no name came").at_its_end(),
        LineRead::Ended(rest) => {
            Fault::of(id::LF, format!("`{}` came, and no line feed after it", escaped(&rest))).at_its_end()
        }
        LineRead::TooLong(start) => {
            Fault::of(id::NAME, format!("its first line had no end: more than {} bytes", start.len() - 1))
        }
    }))
}

/// No name came: perhaps it comes once something has been sent.
fn after_silence(session: &mut DialogueSession, game: &GamePlan, limit: Duration) -> io::Result<Fault> {
    session.send(game.opening().as_bytes())?;
    Ok(match session.answer(|| "its name".to_string())? {
        LineRead::Line(line) => {
            let line = escaped(&line);
            Fault::of(
                id::NAME,
                format!("it said nothing, and `{line}` only when it had been sent seed and rounds"),
            )
        }
        _ => Fault::of(id::NAME, format!("it said nothing within {}", duration(limit))).may_be_load(),
    })
}

/// What is wrong with a name, if something is.
fn unreadable(line: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(line);
    let name = text.trim();
    if name.is_empty() {
        return Some("its first line was empty".to_string());
    }
    let odd = name.chars().any(|c| c.is_control() || c == char::REPLACEMENT_CHARACTER);
    odd.then(|| format!("its first line is no readable text: `{}`", escaped(line)))
}

/// The rounds of `which`, from 0, where `bots` are the bot's hands of those before.
fn rounds(
    session: &mut DialogueSession,
    game: &GamePlan,
    which: std::ops::Range<usize>,
    bots: &mut Vec<Hand>,
) -> io::Result<Option<Fault>> {
    for at in which {
        match hand(session, at)? {
            Ok(hand) => bots.push(hand),
            Err(fault) => return Ok(Some(fault)),
        }
        session.send(game.line(game.opponent.hand(at, bots)).as_bytes())?;
    }
    Ok(None)
}

/// The hand of round `at`, from 0.
fn hand(session: &mut DialogueSession, at: usize) -> io::Result<Result<Hand, Fault>> {
    let round = at + 1;
    let limit = session.limits.hard;
    Ok(Err(match session.answer(|| format!("round {round}"))? {
        LineRead::Line(line) => match Hand::read(&line) {
            Ok(hand) => return Ok(Ok(hand)),
            Err(violation) => no_hand(session, round, &line, violation.detail)?,
        },
        LineRead::TimedOut(rest) if rest.is_empty() => {
            Fault::of(id::TIME, format!("round {round}: no hand within {}", duration(limit))).may_be_load()
        }
        LineRead::TimedOut(rest) => {
            let what = format!("round {round}: `{}` came, and no line feed after it", escaped(&rest));
            Fault::of(id::LF, what).may_be_load()
        }
        LineRead::Ended(_) => Fault::of(id::ROUNDS, format!("round {round}: no hand came")).at_its_end(),
        LineRead::TooLong(start) => {
            Fault::of(id::TOKEN, format!("round {round}: a line without end, more than {} bytes", start.len() - 1))
        }
    }))
}

/// The fault of a line that is no hand: an empty one, session around a hand, or a wrong token.
fn no_hand(session: &mut DialogueSession, round: usize, line: &[u8], detail: String) -> io::Result<Fault> {
    let text = escaped(line);
    if line.trim_ascii().is_empty() {
        return Ok(Fault::of(id::ONE, format!("round {round}: an empty line came where a hand was due")));
    }
    if prompts(line) {
        return Ok(Fault::of(id::QUIET, format!("round {round}: there is text before the hand: `{text}`")));
    }
    // A remark on a line of its own is followed by the hand.
    let more = session.read_unsolicited(AFTER_HAND)?;
    if more.lines.first().is_some_and(|line| Hand::read(line).is_ok()) {
        return Ok(Fault::of(id::QUIET, format!("round {round}: a line besides the hand: `{text}`")));
    }
    Ok(Fault::of(id::TOKEN, format!("round {round}: {detail}")))
}

/// Whether `line` is text with a hand behind it.
fn prompts(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let Some((b'0'..=b'2', before)) = line.split_last() else { return false };
    let text = before.trim_ascii();
    let apart = text.len() < before.len() || text.last().is_some_and(|byte| b":>?=]".contains(byte));
    apart && !text.is_empty() && !text.iter().any(u8::is_ascii_digit)
}

/// What came before the seed was sent, besides the name.
fn before_the_seed(early: &UnsolicitedOutput) -> Fault {
    let hands = early.lines.iter().all(|line| Hand::read(line).is_ok());
    if hands && early.unfinished.is_empty() {
        return Fault::of(id::ORDER, "it showed hands before it had been sent seed and rounds");
    }
    let first = early.lines.first().unwrap_or(&early.unfinished);
    Fault::of(id::QUIET, format!("after its name, and before anything was sent, it wrote `{}`", escaped(first)))
}

/// What came besides a hand, before the opponent's was sent: session, a line too many, or a bot that runs ahead.
fn besides(
    session: &mut DialogueSession,
    game: &GamePlan,
    mut bots: Vec<Hand>,
    more: UnsolicitedOutput,
) -> io::Result<Fault> {
    let round = bots.len();
    let is_blank = |line: &Vec<u8>| line.trim_ascii().is_empty();
    let is_hand = |line: &Vec<u8>| Hand::read(line).is_ok();
    if more.flood {
        return Ok(Fault::of(id::ORDER, format!("round {round}: it wrote without end")));
    }
    if let Some(line) = more.lines.iter().find(|line| !is_blank(line) && !is_hand(line)) {
        return Ok(Fault::of(id::QUIET, format!("round {round}: besides its hand it wrote `{}`", escaped(line))));
    }
    if more.lines.iter().any(is_blank) {
        return Ok(Fault::of(id::ONE, format!("round {round}: an empty line came with the hand")));
    }
    if !more.unfinished.is_empty() {
        let rest = escaped(&more.unfinished);
        return Ok(Fault::of(id::QUIET, format!("round {round}: besides its hand it wrote `{rest}`")));
    }
    // Two lines a round, or one that comes too early? Two more rounds tell.
    let mut later = 0;
    for at in round - 1..round + 1 {
        session.send(game.line(game.opponent.hand(at, &bots)).as_bytes())?;
        let unasked = session.read_unsolicited(AFTER_HAND * 2)?;
        later += unasked.lines.len();
        bots.push(Hand::Rock);
    }
    let lines = more.lines.len() + 1;
    Ok(match later > 2 {
        true => Fault::of(id::ONE, format!("round {round}: {lines} lines came")),
        false => {
            let hands = if lines == 2 { "the next hand" } else { "the next hands" };
            Fault::of(id::ORDER, format!("round {round}: {hands} came before the opponent's was sent"))
        }
    })
}

/// What the bot called itself.
pub fn name(transcript: &Transcript) -> Option<Vec<u8>> {
    transcript.lines().next().map(|line| line.trim_ascii().to_vec())
}

/// The fault of a bot whose name changes.
pub fn renamed(first: &[u8], then: &[u8]) -> Fault {
    let what = format!("it calls itself `{}` in one match and `{}` in another", escaped(first), escaped(then));
    Fault::of(id::NAME, what)
}

/// The hands that a bot showed.
pub fn hands(result: &DialogueResult) -> Vec<Hand> {
    let lines = result.evidence.transcript.iter().flat_map(Transcript::lines);
    lines.skip(1).filter_map(|line| Hand::read(line).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, prompt: bool) {
        assert_eq!(prompts(line.as_bytes()), prompt, "{line}");
    }

    #[test]
    fn text_before_a_hand_is_a_prompt_and_a_wrong_number_is_not() {
        check("your move? 1", true);
        check("> 0", true);
        check("move:2\r", true);
        check("12", false);
        check("-1", false);
        check("0 1", false);
        check("rock", false);
        check("x1", false);
        check("2", false);
    }

    #[test]
    fn names_are_readable_text() {
        assert_eq!(unreadable("Jörg's Bot 1.0\r".as_bytes()), None);
        assert!(unreadable(b" \r").is_some());
        assert!(unreadable(b"\x1b[31mBot").is_some());
        assert!(unreadable(b"Bot\xff").is_some());
    }
}
