//! Playing a game in lines with a bot: the bot is sent what its seat may see, answers with a line, and the rules of the
//! game judge the answer. What goes wrong is attributed to the check that says most about it.

use super::conditions::{LineIds, MOST_ANSWERS, Playing};
use super::session::{DialogueSession, LineRead, Played, Stop, UnsolicitedOutput};
use crate::finding::Cause;
use crate::protocol::{drawn, view};
use cornerman::game::{LiveGame, Reply, Seat};
use cornerman::rng::Rng;
use cornerman_harness::text::{count, duration, escaped};
use std::ffi::OsString;
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// The longest time for which a bot must write nothing before it is sent anything, unless it is seen to wait for input.
/// A program can take this long to start.
const BEFORE_THE_FIRST: Duration = Duration::from_secs(1);

/// How long a bot must write nothing after its name. This need not be long: the output to be found here was written
/// together with the name.
const AFTER_NAME: Duration = Duration::from_millis(120);

/// How long a bot must write nothing after an answer, where it is watched closely.
const AFTER_ANSWER: Duration = Duration::from_millis(50);

/// How long to wait for the next line of a bot that writes too many.
const NEXT_SURPLUS: Duration = Duration::from_millis(200);

/// How long to wait for output that may have been held back.
const HELD_BACK: Duration = Duration::from_millis(300);

/// The number of first answers after which a bot is watched closely with [`Watch::StartAndEnd`].
const FIRST_ANSWERS: usize = 3;

/// The number of last answers after which a bot is watched closely. A bot that is a line ahead shows it in the last but
/// one even if it counts its turns.
const LAST_ANSWERS: usize = 2;

/// The most lines that are read after one that is not an answer, to see whether an answer follows.
const MOST_REMARKS: usize = 20;

/// When a bot is watched closely. What it writes together with an answer is always found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Watch {
    /// Only after the game.
    AfterEnd,
    /// After the last answers too, which shows every line too many.
    End,
    /// At the start and after the first answers too, which shows at once what goes wrong in all turns.
    StartAndEnd,
}

/// How the bots of a game in lines are spoken of and spoken to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineRules {
    pub ids: LineIds,
    /// What one turn is called, such as `round`.
    pub turn: &'static str,
    /// What an answer is called, such as `hand`.
    pub answer: &'static str,
    /// Whether the bot prints its name before it is sent anything.
    pub greets: bool,
    /// Whether what the bot writes after the game is judged: at most one more answer, and no text.
    pub judges_farewell: bool,
    /// Whether a line, whatever the position, is an answer; `None` for one that looks like the bot's last answer.
    pub is_answer: Option<fn(&[u8]) -> bool>,
}

/// Plays the seats that the bot in question does not have.
pub(crate) trait Opponent {
    /// The move of `seat` in the game `live`, after these `answers` of the bot; `None` if it has none.
    ///
    /// # Errors
    /// When the system fails.
    fn reply(&mut self, live: &dyn LiveGame, seat: Seat, answers: &[Vec<u8>]) -> io::Result<Option<Reply>>;
}

/// Opponents that draw their moves.
impl Opponent for Rng {
    fn reply(&mut self, live: &dyn LiveGame, seat: Seat, _: &[Vec<u8>]) -> io::Result<Option<Reply>> {
        Ok(drawn(live, seat, self))
    }
}

/// A game to be played.
#[derive(Clone)]
pub(crate) struct LinePlan {
    pub rules: LineRules,
    /// A description of the game and the opponent.
    pub about: String,
    /// The arguments of the bot's program.
    pub args: Vec<OsString>,
    /// The bot's seat.
    pub seat: Seat,
    /// The number of the bot's turns, if that is known.
    pub turns: Option<usize>,
    /// Whether lines are sent with CR LF at their ends.
    pub crlf: bool,
    /// Starts the game, with its opponent.
    pub open: Arc<OpenGame>,
}

/// Starts a game, with the opponent that plays its other seats.
pub(crate) type OpenGame = dyn Fn() -> io::Result<(Box<dyn LiveGame>, Box<dyn Opponent>)> + Send + Sync;

/// A game in progress.
pub(crate) struct LineGame<'s> {
    session: &'s mut DialogueSession,
    plan: &'s LinePlan,
    rules: LineRules,
    watch: Watch,
    live: Box<dyn LiveGame>,
    opponent: Box<dyn Opponent>,
    /// The bot's answers so far.
    answers: Vec<Vec<u8>>,
    /// Whether the bot was sent what it may see at the end.
    was_told: bool,
}

impl Playing for LineGame<'_> {
    fn session(&mut self) -> &mut DialogueSession {
        self.session
    }

    fn until(&mut self, answers: usize) -> Played {
        if answers == 0 {
            return self.name();
        }
        if self.answers.is_empty() {
            self.open()?;
        }
        self.turns(answers)?;
        self.end()
    }

    fn is_over(&self) -> bool {
        self.live.to_act().is_empty()
    }

    fn so_far(&self) -> String {
        count(self.answers.len(), self.rules.turn)
    }
}

impl LineGame<'_> {
    /// Begins the game of `plan`, which `play` plays.
    ///
    /// # Errors
    /// As all scripts.
    pub(crate) fn script(
        session: &mut DialogueSession,
        plan: &LinePlan,
        watch: Watch,
        play: impl FnOnce(&mut LineGame) -> Played,
    ) -> Played {
        let (live, opponent) = (plan.open)()?;
        play(&mut LineGame {
            session,
            plan,
            rules: plan.rules,
            watch,
            live,
            opponent,
            answers: Vec::new(),
            was_told: false,
        })
    }

    /// Reads the bot's name, if it prints one, and checks that it writes nothing more before it is sent a line.
    fn open(&mut self) -> Played {
        self.name()?;
        let time = match (self.watch == Watch::StartAndEnd, self.rules.greets) {
            (false, _) => Duration::ZERO,
            (true, true) => AFTER_NAME,
            (true, false) => BEFORE_THE_FIRST,
        };
        let early = self.session.read_unsolicited(time)?;
        if early.is_nothing() {
            return Ok(());
        }
        let LineRules { ids, answer, greets, is_answer, .. } = self.rules;
        let is_answer = is_answer.is_some_and(|is| early.lines.iter().all(|line| is(line)));
        let first = escaped(early.lines.first().unwrap_or(&early.unfinished));
        Err(if is_answer && early.unfinished.is_empty() {
            Cause::new(ids.order, format!("it wrote the {answer} `{first}` before it was sent anything"))
        } else {
            let after = if greets { "after its name, " } else { "" };
            Cause::new(ids.banner, format!("{after}before it was sent anything, it wrote `{first}`"))
        }
        .into())
    }

    /// Reads the bot's first line, which must be its name (R3).
    fn name(&mut self) -> Played {
        if !self.rules.greets {
            return Ok(());
        }
        let start = self.rules.ids.common.start;
        let limit = self.session.limits.start;
        Err(match self.session.read_line(limit)? {
            LineRead::Line(line) => match unreadable(&line) {
                None => return Ok(()),
                Some(what) => Cause::new(start, what),
            },
            LineRead::TimedOut(rest) if rest.is_empty() => self.no_name()?,
            LineRead::TimedOut(rest) => self.without_line_feed("", &rest),
            LineRead::Ended(rest) if rest.is_empty() => Cause::new(start, "it wrote no name").at_its_end(),
            LineRead::Ended(rest) => self.without_line_feed("", &rest).at_its_end(),
            LineRead::TooLong(line) => {
                Cause::new(start, format!("its first line has more than {} bytes", line.len() - 1))
            }
        }
        .into())
    }

    /// What is wrong with a bot that has written no name in time: it may be waiting for input, or hold back its output.
    fn no_name(&mut self) -> io::Result<Cause> {
        let ids = self.rules.ids;
        let limit = self.session.limits.start;
        let first = self.next_input(true).unwrap_or_default();
        self.session.send(&first)?;
        if let LineRead::Line(line) = self.session.answer(|| "its name".to_string())? {
            let line = escaped(&line);
            let what = format!("it wrote nothing until it was sent the first lines, and then `{line}`");
            return Ok(Cause::new(ids.common.start, what));
        }
        // The first line is the name; an answer after it was held back.
        self.send_all_that_follows()?;
        self.session.close_input();
        let lines = self.session.read_unsolicited(self.session.limits.hard)?.lines.len();
        Ok(if lines < 2 {
            Cause::new(ids.common.start, format!("it wrote nothing within {}", duration(limit)))
        } else {
            Cause::new(ids.flush, "it wrote nothing while its input was open, and everything when the input ended")
        })
    }

    /// Plays until the bot has given this many answers, or the game is over.
    fn turns(&mut self, until: usize) -> Played {
        while self.answers.len() < until {
            let to_act = self.live.to_act();
            if to_act.is_empty() {
                break;
            }
            for seat in to_act.iter() {
                if seat == self.plan.seat {
                    let input = view(self.live.as_ref(), seat);
                    self.send(&input)?;
                    let answer = self.answer()?;
                    self.answers.push(answer);
                    let more = self.session.read_unsolicited(self.silence_due())?;
                    self.nothing_besides(more)?;
                } else {
                    let reply = self.opponent.reply(self.live.as_ref(), seat, &self.answers)?;
                    // The bot may play that seat too. The dialogue in which it is the one judged reports that.
                    let legal = reply.filter(|reply| self.live.play(seat, reply).is_ok());
                    legal.ok_or(Stop::Over)?;
                }
            }
        }
        Ok(())
    }

    /// Sends what the bot may see at the end of the game, if it is over, and watches it.
    fn end(&mut self) -> Played {
        if !self.is_over() {
            return Ok(());
        }
        let last = view(self.live.as_ref(), self.plan.seat);
        self.send(&last)?;
        if !self.rules.judges_farewell {
            return Ok(());
        }
        let LineRules { ids, turn, .. } = self.rules;
        let when = format!("after the last {turn}");
        let more = self.session.read_unsolicited(AFTER_ANSWER)?;
        // One more answer is allowed, because a bot need not count its turns (R7).
        Err(match self.text_in(&more, &when, "when nothing was due,") {
            Some(cause) => cause,
            None if more.lines.len() > 1 => {
                Cause::new(ids.one, format!("{when} it wrote {} lines", more.lines.len()))
            }
            // The game is over, and its bots are ended anyway (R7).
            None if more.gone => Cause::new(ids.common.signal, when).if_by_signal().warning().incidental(),
            None => return Ok(()),
        }
        .into())
    }

    /// How long the bot must write nothing after the answer that it has just given.
    fn silence_due(&self) -> Duration {
        let is_near_end = self.watch != Watch::AfterEnd
            && self.plan.turns.is_some_and(|turns| self.answers.len() + LAST_ANSWERS > turns);
        if is_near_end || self.was_watched() { AFTER_ANSWER } else { Duration::ZERO }
    }

    /// Whether the bot was watched closely in all turns so far.
    fn was_watched(&self) -> bool {
        self.watch == Watch::StartAndEnd && self.answers.len() <= FIRST_ANSWERS
    }

    fn send(&mut self, input: &[u8]) -> io::Result<()> {
        if self.plan.crlf {
            let lines = input.split_inclusive(|&byte| byte == b'\n');
            let lines: Vec<u8> =
                lines.flat_map(|line| [line.strip_suffix(b"\n").unwrap_or(line), b"\r\n"].concat()).collect();
            return self.session.send(&lines);
        }
        self.session.send(input)
    }

    /// The bot's next turn, for reports.
    fn place(&self) -> String {
        format!("{} {}", self.rules.turn, self.answers.len() + 1)
    }

    /// Whether `line` is an answer where one is due.
    fn is_legal(&self, line: &[u8]) -> bool {
        self.live.judge(self.plan.seat, &Reply::Answer(line.to_vec())).is_ok()
    }

    /// Whether `line` is an answer, right or wrong, of another turn.
    fn is_answer(&self, line: &[u8]) -> bool {
        match (self.rules.is_answer, self.answers.last()) {
            (Some(is_answer), _) => is_answer(line),
            (None, Some(last)) => shape(last) == shape(line),
            (None, None) => false,
        }
    }

    /// Reads the bot's answer and makes its move.
    fn answer(&mut self) -> Played<Vec<u8>> {
        let LineRules { ids, answer, .. } = self.rules;
        let place = self.place();
        Err(match self.session.answer(|| place.clone())? {
            LineRead::Line(line) => match self.live.answer(self.plan.seat, &line) {
                Ok(_) => return Ok(line),
                Err(violation) => self.not_an_answer(&line, &violation.to_string())?,
            },
            LineRead::TimedOut(rest) if is_blank(&rest) => self.silence()?,
            LineRead::TimedOut(rest) => self.unfinished(&rest)?,
            LineRead::Ended(rest) if self.is_legal(&rest) => {
                self.without_line_feed(&format!("{place}: "), &rest).at_its_end()
            }
            LineRead::Ended(rest) => {
                let instead = if is_blank(&rest) {
                    String::new()
                } else {
                    format!(", but `{}`", escaped(rest.trim_ascii()))
                };
                Cause::new(ids.left, format!("{place}: it wrote no {answer}{instead}")).at_its_end()
            }
            LineRead::TooLong(line) => Cause::new(
                ids.endless_line,
                format!("{place}: it wrote a line of more than {} bytes", line.len() - 1),
            ),
        }
        .into())
    }

    fn without_line_feed(&self, place: &str, rest: &[u8]) -> Cause {
        Cause::new(self.rules.ids.lf, format!("{place}it wrote `{}` without a line feed", escaped(rest)))
    }

    /// What is wrong with a line that is not a legal answer: it is a line too many, has text around an answer, or is a wrong
    /// answer.
    fn not_an_answer(&mut self, line: &[u8], detail: &str) -> io::Result<Cause> {
        let LineRules { ids, answer, .. } = self.rules;
        let place = self.place();
        let text = escaped(line);
        if self.prompts(line) {
            let what = format!("{place}: there is text before the {answer}: `{text}`");
            return Ok(Cause::new(ids.quiet, what));
        }
        let answer_follows = self.answer_follows()?;
        Ok(match (is_blank(line), answer_follows) {
            (true, true) => Cause::new(ids.one, format!("{place}: it wrote an empty line before the {answer}")),
            (true, false) => {
                Cause::new(ids.wrong, format!("{place}: it wrote an empty line instead of the {answer}"))
            }
            (false, true) => {
                Cause::new(ids.quiet, format!("{place}: it wrote another line before the {answer}: `{text}`"))
            }
            (false, false) => Cause::new(ids.wrong, format!("{place}: {detail}")),
        })
    }

    /// Whether the bot writes a legal answer after a line that is not one, although it is sent nothing.
    fn answer_follows(&mut self) -> io::Result<bool> {
        let limit = self.session.limits.hard;
        for _ in 0..MOST_REMARKS {
            match self.session.read_line(limit)? {
                LineRead::Line(line) if self.is_legal(&line) => return Ok(true),
                LineRead::Line(_) => {}
                _ => break,
            }
        }
        Ok(false)
    }

    /// Whether `line` is text, such as a prompt, followed by a legal answer.
    fn prompts(&self, line: &[u8]) -> bool {
        let line = line.trim_ascii();
        let is_prompt = |at: usize| {
            let text = line[..at].trim_ascii();
            let apart = text.len() < at || text.last().is_some_and(|byte| b":>?=]".contains(byte));
            apart && !text.is_empty() && !text.iter().any(u8::is_ascii_digit) && self.is_legal(&line[at..])
        };
        (1..line.len()).any(is_prompt)
    }

    /// What is wrong with a bot that has written no answer in its turn. Unless it was seen to wait for input, it gets more
    /// time first. Then it is sent more than is due: only a bot that had written its answer writes more answers than it
    /// is sent lines.
    fn silence(&mut self) -> io::Result<Cause> {
        let LineRules { ids, answer, .. } = self.rules;
        let place = self.place();
        let late = if self.answers.is_empty() { ids.mute } else { ids.common.time };
        let within = format!("{place}: no {answer} within {}", duration(self.session.limits.hard));
        let waits = self.session.waits_for_input();
        if !waits {
            let patience = self.session.limits.start;
            match self.session.read_line(patience)? {
                LineRead::TimedOut(rest) if rest.is_empty() => {}
                _ => return Ok(Cause::new(ids.common.time, within)),
            }
        }
        let mut sent = self.send_what_follows()?;
        let mut written = self.session.read_unsolicited(HELD_BACK)?.lines.len();
        if written == 0 {
            sent += self.send_all_that_follows()?;
            written = self.session.read_unsolicited(HELD_BACK)?.lines.len();
        }
        let shown = written;
        if written <= sent {
            self.session.close_input();
            let rest = self.session.read_unsolicited(self.session.limits.hard)?;
            // Only part of very many lines is read.
            written = if rest.flood { usize::MAX } else { written + rest.lines.len() };
        }
        Ok(if written > sent {
            let what = format!("{place}: its {answer} came only with later ones, or when its input ended");
            Cause::new(ids.flush, what)
        } else if shown > 0 {
            Cause::new(late, format!("{place}: it wrote no {answer} before it was sent the next line"))
        } else if waits {
            Cause::new(late, format!("{place}: it wrote no {answer}: it waits for more input"))
        } else {
            Cause::new(ids.common.time, within)
        })
    }

    /// What is wrong with a bot that wrote `rest` in its turn and then no line feed in time. Unless it was seen to wait for
    /// input, it gets more time first.
    fn unfinished(&mut self, rest: &[u8]) -> io::Result<Cause> {
        let LineRules { ids, .. } = self.rules;
        let place = self.place();
        let text = escaped(rest);
        let limit = self.session.limits.hard;
        if !self.session.waits_for_input() && self.reads_answer(limit)? {
            let what = format!("{place}: no line feed followed `{text}` within {}", duration(limit));
            return Ok(Cause::new(ids.common.time, what));
        }
        self.send_what_follows()?;
        Ok(if self.reads_answer(limit)? {
            Cause::new(ids.flush, format!("{place}: the line feed after `{text}` came only with later output"))
        } else {
            self.without_line_feed(&format!("{place}: "), rest)
        })
    }

    fn reads_answer(&mut self, limit: Duration) -> io::Result<bool> {
        let read = self.session.read_line(limit)?;
        Ok(matches!(read, LineRead::Line(line) if self.is_answer(&line) || self.is_legal(&line)))
    }

    /// Plays on, as if the bot gave any answer where one is due unless it `has_answered`, and returns what it is sent
    /// then; `None` after the end of the game. Only for finding out what a bot does whose game has ended.
    fn next_input(&mut self, mut has_answered: bool) -> Option<Vec<u8>> {
        let own = self.plan.seat;
        loop {
            let to_act = self.live.to_act();
            if to_act.is_empty() {
                let is_first = !std::mem::replace(&mut self.was_told, true);
                return is_first.then(|| view(self.live.as_ref(), own));
            }
            for seat in to_act.iter() {
                if seat == own && std::mem::replace(&mut has_answered, true) {
                    return Some(view(self.live.as_ref(), own));
                }
                let reply = drawn(self.live.as_ref(), seat, &mut Rng::new(1))?;
                self.live.play(seat, &reply).ok()?;
            }
        }
    }

    /// How many answers the last input asks for: none at the end of the game.
    fn is_due(&self) -> usize {
        usize::from(!self.is_over())
    }

    /// Sends the bot what it would be sent after an answer. Returns how many answers that asks for.
    fn send_what_follows(&mut self) -> io::Result<usize> {
        let Some(input) = self.next_input(false) else { return Ok(0) };
        self.send(&input)?;
        Ok(self.is_due())
    }

    /// Sends the bot, at once, what it would be sent until the game is over. Returns how many answers that asks for.
    fn send_all_that_follows(&mut self) -> io::Result<usize> {
        let mut all = Vec::new();
        let mut turns = 0;
        for _ in 0..MOST_ANSWERS {
            let Some(input) = self.next_input(false) else { break };
            all.extend(input);
            turns += self.is_due();
        }
        self.send(&all)?;
        Ok(turns)
    }

    /// Checks that the bot wrote nothing besides the answer that it has just given; `more` is what it wrote.
    fn nothing_besides(&mut self, mut more: UnsolicitedOutput) -> Played {
        if more.is_nothing() {
            return Ok(());
        }
        if !is_blank(&more.unfinished) {
            // The rest of the line may be on its way.
            match self.session.read_line(NEXT_SURPLUS)? {
                LineRead::Line(line) => {
                    more.unfinished.clear();
                    more.lines.push(line);
                }
                LineRead::TimedOut(rest) | LineRead::Ended(rest) | LineRead::TooLong(rest) => {
                    more.unfinished = rest;
                }
            }
        }
        let by = if self.was_watched() { "" } else { "by " };
        let when = format!("{by}{} {}", self.rules.turn, self.answers.len());
        let besides = format!("in addition to its {}", self.rules.answer);
        match self.text_in(&more, &when, &besides) {
            Some(cause) => Err(cause.into()),
            None if more.lines.is_empty() => Ok(()),
            None => Err(self.more_answers(&more.lines, &when)?.into()),
        }
    }

    /// What is wrong with output that is not answers; `None` if `more` has nothing but answers. Blanks before the next line
    /// are part of that line.
    fn text_in(&self, more: &UnsolicitedOutput, when: &str, besides: &str) -> Option<Cause> {
        let ids = self.rules.ids;
        let wrote =
            |id, text: &[u8]| Some(Cause::new(id, format!("{when}: {besides} it wrote `{}`", escaped(text))));
        if let Some(line) = more.lines.iter().find(|line| !is_blank(line) && !self.is_answer(line)) {
            return wrote(ids.quiet, line);
        }
        if more.flood {
            return Some(Cause::new(ids.order, format!("{when}: it did not stop writing")));
        }
        if more.lines.iter().any(|line| is_blank(line)) {
            return Some(Cause::new(ids.one, format!("{when}: {besides} it wrote an empty line")));
        }
        match &more.unfinished {
            rest if is_blank(rest) => None,
            rest if self.is_answer(rest) => Some(self.without_line_feed(&format!("{when}: {besides} "), rest)),
            rest => wrote(ids.quiet, rest),
        }
    }

    /// What is wrong with a bot that wrote `more` answers before it was sent the next line. The rest of the game shows whether
    /// it wrote a line too many, or did not read one.
    fn more_answers(&mut self, more: &[Vec<u8>], when: &str) -> io::Result<Cause> {
        let LineRules { ids, turn, answer, .. } = self.rules;
        let is_repeated =
            more.iter().all(|line| Some(line.trim_ascii()) == self.answers.last().map(|a| a.trim_ascii()));
        let mut due = self.answers.len();
        let mut total = self.answers.len() + more.len();
        let mut goes_on = true;
        for at in 0..MOST_ANSWERS {
            let Some(input) = self.next_input(at == 0) else { break };
            due += self.is_due();
            if goes_on {
                self.send(&input)?;
                goes_on = matches!(self.session.read_line(NEXT_SURPLUS)?, LineRead::Line(_));
                total += usize::from(goes_on);
            }
        }
        total += self.session.read_unsolicited(NEXT_SURPLUS)?.lines.len();
        // A bot that does not count its turns writes one answer more.
        let one_too_many = match total.saturating_sub(due) {
            0 => false,
            2 if more.len() == 1 => is_repeated,
            _ => true,
        };
        Ok(if one_too_many {
            let lines = count(more.len(), "line");
            Cause::new(ids.one, format!("{when}: it wrote {lines} more than one for each {turn}"))
        } else {
            Cause::new(ids.order, format!("{when}: it wrote the next {answer} before it was sent a line"))
        })
    }
}

fn is_blank(line: &[u8]) -> bool {
    line.trim_ascii().is_empty()
}

/// What a line looks like, whatever its letters and digits are: runs of letters, runs of digits, and other bytes.
fn shape(line: &[u8]) -> Vec<u8> {
    let class = |byte: &u8| match byte {
        b'0'..=b'9' => b'0',
        b'a'..=b'z' | b'A'..=b'Z' => b'a',
        other => *other,
    };
    let mut shape: Vec<u8> = line.trim_ascii().iter().map(class).collect();
    shape.dedup();
    shape
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_readable_text() {
        assert_eq!(unreadable("Jörg's Bot 1.0\r".as_bytes()), None);
        assert!(unreadable(b" \r").is_some());
        assert!(unreadable(b"\x1b[31mBot").is_some());
        assert!(unreadable(b"Bot\xff").is_some());
    }

    #[test]
    fn answers_of_other_turns_have_the_same_shape() {
        let check =
            |a: &str, b: &str, same| assert_eq!(shape(a.as_bytes()) == shape(b.as_bytes()), same, "{a} {b}");
        check("2 3", "1 12\r", true);
        check("e2e4", "g7g8", true);
        check("2 3", "your turn", false);
        check("0", "rock", false);
    }
}
