//! The scripts of the dialogues of rock-paper-scissors. The bot's lines are read so that the most specific fault is
//! found (R3–R7).

use super::id;
use super::opponent::Opponent;
use crate::fault::Fault;
use crate::lines::protocol::{ends_with_its_input, extra_processes};
use crate::lines::{DialogueResult, DialogueSession, LineRead, Transcript, UnsolicitedOutput};
use crate::text::{duration, escaped};
use cornerman::games::rps::Hand;
use std::io;
use std::time::Duration;

/// How long the bot must write nothing after its name. This need not be long: the output to be found here was written
/// together with the name.
const AFTER_NAME: Duration = Duration::from_millis(120);

/// How long the bot must write nothing after each of its first hands.
const AFTER_HAND: Duration = Duration::from_millis(50);

/// The number of first rounds after whose hands the bot must write nothing more.
const WATCHED_ROUNDS: usize = 3;

/// A game to be played.
#[derive(Clone, Copy, Debug)]
pub struct GamePlan {
    /// The bot's seed, which is the first line sent.
    pub seed: u16,
    /// The number of rounds, which is the second line sent.
    pub rounds: usize,
    /// The opponent.
    pub opponent: Opponent,
    /// Whether lines are sent with CR LF at their ends.
    pub crlf: bool,
}

impl GamePlan {
    /// A description of the length, the seed and the opponent.
    pub fn in_words(&self) -> String {
        let opponent = match self.opponent {
            Opponent::Always(hand) => format!("an opponent that always shows {hand}"),
            Opponent::Cycle(1) => "an opponent that shows 0, 1 and 2 in turn".to_string(),
            Opponent::Cycle(_) => "an opponent that shows 0, 2 and 1 in turn".to_string(),
            Opponent::Random(_) => "an opponent that shows random hands".to_string(),
            Opponent::AllPatterns => "an opponent that shows every sequence of five hands".to_string(),
            Opponent::FollowsBot(0) => "an opponent that shows the bot's last hand".to_string(),
            Opponent::FollowsBot(1) => "an opponent that shows what beats the bot's last hand".to_string(),
            Opponent::FollowsBot(_) => "an opponent that shows what the bot's last hand beats".to_string(),
        };
        let s = if self.rounds == 1 { "" } else { "s" };
        format!("{} round{s} with the seed {} against {opponent}", self.rounds, self.seed)
    }

    fn line(&self, what: impl std::fmt::Display) -> String {
        format!("{what}{}", if self.crlf { "\r\n" } else { "\n" })
    }

    /// The first two lines that are sent (R4).
    fn opening(&self) -> String {
        self.line(self.seed) + &self.line(self.rounds)
    }
}

/// Plays a whole game. Returns the fault, if there is one, as all scripts do.
///
/// # Errors
/// The system failed.
pub fn whole(session: &mut DialogueSession, game: &GamePlan) -> io::Result<Option<Fault>> {
    if let Some(fault) = opening(session, game)? {
        return Ok(Some(fault));
    }
    session.send(game.opening().as_bytes())?;
    rounds(session, game, 0..game.rounds, &mut Vec::new())
}

/// Plays a whole game, and checks at its start that the bot writes nothing when it is not asked.
///
/// # Errors
/// The system failed.
pub fn watchful(session: &mut DialogueSession, game: &GamePlan) -> io::Result<Option<Fault>> {
    if let Some(fault) = opening(session, game)? {
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
            HandRead::Hand(hand) => hand,
            HandRead::Fault(fault) => return Ok(Some(fault)),
        };
        bots.push(hand);
        let more = session.read_unsolicited(AFTER_HAND)?;
        if !more.is_nothing() {
            return more_than_a_hand(session, game, bots, more).map(Some);
        }
        session.send(game.line(game.opponent.hand(at, &bots)).as_bytes())?;
    }
    rounds(session, game, WATCHED_ROUNDS..game.rounds, &mut bots)
}

/// Sends a whole game at once and ends the input, and checks whether the bot writes only then what its buffers held
/// back.
///
/// # Errors
/// The system failed.
pub fn all_at_once(session: &mut DialogueSession, game: &GamePlan) -> io::Result<Option<Fault>> {
    let hands = (0..game.rounds).map(|_| game.line(Hand::Rock)).collect::<String>();
    session.send((game.opening() + &hands).as_bytes())?;
    session.close_input();
    let mut lines = 0;
    // The first line is the name; a hand after it was held back.
    let mut limit = session.limits.start;
    while let LineRead::Line(_) = session.read_line(limit)? {
        (lines, limit) = (lines + 1, session.limits.hard);
        if lines > 1 {
            let what = "it wrote nothing while its input was open, and everything when the input ended";
            return Ok(Some(Fault::of(id::FLUSH, what)));
        }
    }
    Ok(None)
}

/// Plays a game and counts the bot's processes and threads.
///
/// # Errors
/// The system failed.
pub fn counted(session: &mut DialogueSession, game: &GamePlan) -> io::Result<Option<Fault>> {
    if let Some(fault) = opening(session, game)? {
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

/// Ends the input of a game: before the seed is sent if `after` is `None`, or else after that number of rounds. The bot
/// must end then.
///
/// # Errors
/// The system failed.
pub fn input_ends_early(
    session: &mut DialogueSession,
    game: &GamePlan,
    after: Option<usize>,
) -> io::Result<Option<Fault>> {
    if let Some(fault) = opening(session, game)? {
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

/// Reads the bot's first line, which must be its name (R3).
fn opening(session: &mut DialogueSession, game: &GamePlan) -> io::Result<Option<Fault>> {
    let limit = session.limits.start;
    Ok(Some(match session.read_line(limit)? {
        LineRead::Line(line) => match unreadable(&line) {
            None => return Ok(None),
            Some(what) => Fault::of(id::NAME, what),
        },
        LineRead::TimedOut(rest) if rest.is_empty() => return after_silence(session, game, limit).map(Some),
        LineRead::TimedOut(rest) => {
            Fault::of(id::LF, format!("it wrote `{}` without a line feed", escaped(&rest))).may_be_load()
        }
        LineRead::Ended(rest) if rest.is_empty() => Fault::of(id::NAME, "it wrote no name").at_its_end(),
        LineRead::Ended(rest) => {
            Fault::of(id::LF, format!("it wrote `{}` without a line feed", escaped(&rest))).at_its_end()
        }
        LineRead::TooLong(start) => {
            Fault::of(id::NAME, format!("its first line has more than {} bytes", start.len() - 1))
        }
    }))
}

/// The fault of a bot that has written no name within `limit`: it may be waiting for input.
fn after_silence(session: &mut DialogueSession, game: &GamePlan, limit: Duration) -> io::Result<Fault> {
    session.send(game.opening().as_bytes())?;
    Ok(match session.answer(|| "its name".to_string())? {
        LineRead::Line(line) => {
            let line = escaped(&line);
            Fault::of(
                id::NAME,
                format!("it wrote nothing until it was sent the seed and the rounds, and then `{line}`"),
            )
        }
        _ => Fault::of(id::NAME, format!("it wrote nothing within {}", duration(limit))).may_be_load(),
    })
}

/// What is wrong with the name in `line`, if anything is.
fn unreadable(line: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(line);
    let name = text.trim();
    if name.is_empty() {
        return Some("its first line was empty".to_string());
    }
    let odd = name.chars().any(|c| c.is_control() || c == char::REPLACEMENT_CHARACTER);
    odd.then(|| format!("its first line is not readable text: `{}`", escaped(line)))
}

/// Plays the rounds `which`, counted from 0. `bots` are the bot's hands in the rounds before, and those of these rounds
/// are added.
fn rounds(
    session: &mut DialogueSession,
    game: &GamePlan,
    which: std::ops::Range<usize>,
    bots: &mut Vec<Hand>,
) -> io::Result<Option<Fault>> {
    for at in which {
        match hand(session, at)? {
            HandRead::Hand(hand) => bots.push(hand),
            HandRead::Fault(fault) => return Ok(Some(fault)),
        }
        session.send(game.line(game.opponent.hand(at, bots)).as_bytes())?;
    }
    Ok(None)
}

/// What the bot wrote when its hand was expected.
enum HandRead {
    Hand(Hand),
    Fault(Fault),
}

/// Reads the bot's hand of round `at`, counted from 0.
fn hand(session: &mut DialogueSession, at: usize) -> io::Result<HandRead> {
    let round = at + 1;
    let limit = session.limits.hard;
    Ok(HandRead::Fault(match session.answer(|| format!("round {round}"))? {
        LineRead::Line(line) => match Hand::read(&line) {
            Ok(hand) => return Ok(HandRead::Hand(hand)),
            Err(violation) => not_a_hand(session, round, &line, violation.detail)?,
        },
        LineRead::TimedOut(rest) if rest.is_empty() => {
            Fault::of(id::TIME, format!("round {round}: no hand within {}", duration(limit))).may_be_load()
        }
        LineRead::TimedOut(rest) => {
            let what = format!("round {round}: it wrote `{}` without a line feed", escaped(&rest));
            Fault::of(id::LF, what).may_be_load()
        }
        LineRead::Ended(_) => Fault::of(id::ROUNDS, format!("round {round}: it wrote no hand")).at_its_end(),
        LineRead::TooLong(start) => {
            Fault::of(id::TOKEN, format!("round {round}: it wrote a line of more than {} bytes", start.len() - 1))
        }
    }))
}

/// The fault of a line that is not a hand: it is empty, has text around a hand, or is a wrong token.
fn not_a_hand(session: &mut DialogueSession, round: usize, line: &[u8], detail: String) -> io::Result<Fault> {
    let text = escaped(line);
    if line.trim_ascii().is_empty() {
        return Ok(Fault::of(id::ONE, format!("round {round}: it wrote an empty line instead of a hand")));
    }
    if prompts(line) {
        return Ok(Fault::of(id::QUIET, format!("round {round}: there is text before the hand: `{text}`")));
    }
    // If the line is a remark, the hand follows.
    let more = session.read_unsolicited(AFTER_HAND)?;
    if more.lines.first().is_some_and(|line| Hand::read(line).is_ok()) {
        return Ok(Fault::of(
            id::QUIET,
            format!("round {round}: it wrote another line before the hand: `{text}`"),
        ));
    }
    Ok(Fault::of(id::TOKEN, format!("round {round}: {detail}")))
}

/// Whether `line` is text, such as a prompt, followed by a hand.
fn prompts(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let Some((b'0'..=b'2', before)) = line.split_last() else { return false };
    let text = before.trim_ascii();
    let apart = text.len() < before.len() || text.last().is_some_and(|byte| b":>?=]".contains(byte));
    apart && !text.is_empty() && !text.iter().any(u8::is_ascii_digit)
}

/// The fault of a bot that wrote `early` after its name, before the seed was sent.
fn before_the_seed(early: &UnsolicitedOutput) -> Fault {
    let hands = early.lines.iter().all(|line| Hand::read(line).is_ok());
    if hands && early.unfinished.is_empty() {
        return Fault::of(id::ORDER, "it showed hands before it was sent the seed and the rounds");
    }
    let first = early.lines.first().unwrap_or(&early.unfinished);
    Fault::of(id::QUIET, format!("after its name, before it was sent anything, it wrote `{}`", escaped(first)))
}

/// The fault of a bot that wrote `more` after its hand, before the opponent's was sent: text, one line too many, or the
/// hand of a later round.
fn more_than_a_hand(
    session: &mut DialogueSession,
    game: &GamePlan,
    mut bots: Vec<Hand>,
    more: UnsolicitedOutput,
) -> io::Result<Fault> {
    let round = bots.len();
    let is_blank = |line: &Vec<u8>| line.trim_ascii().is_empty();
    let is_hand = |line: &Vec<u8>| Hand::read(line).is_ok();
    if more.flood {
        return Ok(Fault::of(id::ORDER, format!("round {round}: it did not stop writing")));
    }
    if let Some(line) = more.lines.iter().find(|line| !is_blank(line) && !is_hand(line)) {
        return Ok(Fault::of(
            id::QUIET,
            format!("round {round}: in addition to its hand it wrote `{}`", escaped(line)),
        ));
    }
    if more.lines.iter().any(is_blank) {
        return Ok(Fault::of(id::ONE, format!("round {round}: it wrote an empty line with its hand")));
    }
    if !more.unfinished.is_empty() {
        let rest = escaped(&more.unfinished);
        return Ok(Fault::of(id::QUIET, format!("round {round}: in addition to its hand it wrote `{rest}`")));
    }
    // Two more rounds show whether the bot writes two lines per round, or one line too early.
    let mut later = 0;
    for at in round - 1..round + 1 {
        session.send(game.line(game.opponent.hand(at, &bots)).as_bytes())?;
        let unasked = session.read_unsolicited(AFTER_HAND * 2)?;
        later += unasked.lines.len();
        bots.push(Hand::Rock);
    }
    let lines = more.lines.len() + 1;
    Ok(match later > 2 {
        true => Fault::of(id::ONE, format!("round {round}: it wrote {lines} lines")),
        false => {
            let hands = if lines == 2 { "the next hand" } else { "the next hands" };
            Fault::of(id::ORDER, format!("round {round}: it showed {hands} before it was sent the opponent's"))
        }
    })
}

/// The name that the bot gave itself.
pub fn name(transcript: &Transcript) -> Option<Vec<u8>> {
    transcript.lines().next().map(|line| line.trim_ascii().to_vec())
}

/// The fault of a bot whose name was `first` in one game and `then` in another.
pub fn renamed(first: &[u8], then: &[u8]) -> Fault {
    let what = format!("it calls itself `{}` in one game and `{}` in another", escaped(first), escaped(then));
    Fault::of(id::NAME, what)
}

/// The hands that the bot showed in a dialogue.
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
    fn text_before_a_hand_is_recognized_and_a_wrong_number_is_not_text() {
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
