//! What is wrong with a bot that writes no answer, something else, or something more. Its game cannot go on then, so
//! the bot is tested further: what it does next shows what is wrong.

use super::game::{GameDialogue, LineRules, MOST_ANSWERS, Silence, Watch};
use super::session::{LineRead, Played, Talk, UnsolicitedOutput};
use crate::finding::Cause;
use cornerman_harness::text::{count, duration, escaped};
use std::time::Duration;

/// How long to wait for the next line of a bot that writes too many.
const NEXT_SURPLUS: Duration = Duration::from_millis(200);

/// How long to wait for output that may have been held back.
const HELD_BACK: Duration = Duration::from_millis(300);

/// The same in a game with a clock, whose bots may need longer to answer.
const HELD_BACK_BY_CLOCK: Duration = Duration::from_secs(2);

/// The number of first answers after which a bot is watched closely with [`Watch::StartAndEnd`].
const FIRST_ANSWERS: usize = 3;

/// The most lines that are read after one that is not an answer, to see whether an answer follows.
const MOST_REMARKS: usize = 20;

/// What a silent bot did when it was sent more lines.
struct SilenceTest {
    /// How many answers those lines asked for.
    due: usize,
    /// The first answer that it wrote while its input was open.
    first: Option<Vec<u8>>,
    /// How many answers it wrote, also when its input had ended.
    written: usize,
}

impl GameDialogue<'_, '_> {
    /// What is wrong with output before the bot was sent anything, if anything is.
    pub(super) fn too_early(&mut self, early: &UnsolicitedOutput) -> Option<Cause> {
        let LineRules { answer, greets, ignores_text, .. } = self.plan.rules;
        let is_answer = |line: &Vec<u8>| self.plan.game.is_answer(line) == Some(true);
        let texts = || early.lines.iter().chain([&early.unfinished]).filter(|text| !text.is_empty());
        let own = |line: &Vec<u8>| {
            self.cause("ORDER", format!("it wrote the {answer} `{}` before it was sent anything", escaped(line)))
        };
        if ignores_text {
            if let Some(line) = texts().find(|line| is_answer(line)) {
                return Some(own(line));
            }
            if early.flood {
                return Some(self.cause("ONE", "it did not stop writing before it was sent anything"));
            }
            self.remark_on(&early.lines);
        } else if !early.is_nothing() {
            let first = early.lines.first().unwrap_or(&early.unfinished);
            if early.unfinished.is_empty() && early.lines.iter().all(is_answer) {
                return Some(own(first));
            }
            let after = if greets { "after its name, " } else { "" };
            let what = format!("{after}before it was sent anything, it wrote `{}`", escaped(first));
            return Some(self.cause("BANNER", what));
        }
        let has_left = early.gone && !greets;
        has_left.then(|| self.cause("START", "it ended before it was sent anything").at_its_end())
    }

    /// What is wrong with a bot that has written no name in time: it may still be starting, be waiting for input, or
    /// hold back its output. If it may still be starting, it gets more time first, and is sent nothing.
    pub(super) fn no_name(&mut self) -> Talk<Cause> {
        let limit = self.session.limits.start;
        if !self.session.waits_for_input() && self.session.read_line(limit)? != LineRead::TimedOut(Vec::new()) {
            let limit = duration(limit);
            let cause = self.cause("TIME", format!("it started too slowly: no name within {limit}"));
            return Ok(Cause { expected: Some(format!("the name within {limit} of the start")), ..cause }
                .hint("Write the name before anything that takes long, and load and compute less at the start."));
        }
        let first = self.next_input(true).unwrap_or_default();
        self.session.send(&first)?;
        if let LineRead::Line(line) = self.session.answer("its name", None)? {
            let line = escaped(&line);
            let what = format!("it wrote nothing until it was sent the first lines, and then `{line}`");
            return Ok(self.cause("START", what));
        }
        // The first line is the name; an answer after it was held back.
        self.send_all_that_follows()?;
        self.session.close_input();
        let lines = self.session.read_unsolicited(self.session.limits.hard)?.lines.len();
        Ok(if lines < 2 {
            self.cause("START", format!("it wrote nothing within {}", duration(limit)))
        } else {
            self.cause("FLUSH", "it wrote nothing while its input was open, and everything when the input ended")
        })
    }

    /// What is wrong with a bot that wrote no line where an answer was due; `read` is what came instead.
    pub(super) fn no_answer(&mut self, read: LineRead) -> Talk<Cause> {
        let LineRules { answer, ignores_text, .. } = self.plan.rules;
        let place = self.place();
        let is_meant = |game: &Self, rest: &[u8]| {
            let meant = game
                .plan
                .game
                .meant(game, rest)
                .is_some_and(|cause| cause.check == game.plan.rules.checks.id("MOVE"));
            game.is_legal(rest) || game.plan.game.is_answer(rest) == Some(true) || meant
        };
        Ok(match read {
            LineRead::TimedOut(rest) if is_blank(&rest) || ignores_text && !is_meant(self, &rest) => {
                self.silence()?
            }
            LineRead::TimedOut(rest) => self.unfinished(&rest)?,
            LineRead::Ended(rest) if is_meant(self, &rest) => {
                self.without_line_feed(&format!("{place}: "), &rest).at_its_end()
            }
            LineRead::Ended(rest) => {
                let instead = if is_blank(&rest) {
                    String::new()
                } else {
                    format!(", but `{}`", escaped(rest.trim_ascii()))
                };
                let (check, why) = self.plan.game.silence(self, Silence::Ended);
                Cause::new(check, format!("{place}: it wrote no {answer}{instead}{why}")).at_its_end()
            }
            LineRead::Line(line) | LineRead::TooLong(line) => {
                let what = format!("{place}: it wrote a line of more than {} bytes", line.len() - 1);
                self.cause("ENDLESS-LINE", what)
            }
        })
    }

    pub(super) fn without_line_feed(&self, place: &str, rest: &[u8]) -> Cause {
        self.cause("LF", format!("{place}it wrote `{}` without a line feed", escaped(rest)))
    }

    /// What is wrong with a `line` that the rules refuse for the reason `detail`: there is text before an answer in
    /// it, an answer follows it, or it is a wrong answer.
    pub(super) fn not_an_answer(&mut self, line: &[u8], detail: &str) -> Talk<Cause> {
        let LineRules { answer, .. } = self.plan.rules;
        let place = self.place();
        let text = escaped(line);
        if self.prompts(line) {
            let what = format!("{place}: there is text before the {answer}: `{text}`");
            return Ok(self.cause("QUIET", what));
        }
        let answer_follows = self.answer_follows()?;
        Ok(match (is_blank(line), answer_follows) {
            (true, true) => self.cause("ONE", format!("{place}: it wrote an empty line before the {answer}")),
            (true, false) => {
                self.cause("MOVE", format!("{place}: it wrote an empty line instead of the {answer}"))
            }
            (false, true) => {
                self.cause("QUIET", format!("{place}: it wrote another line before the {answer}: `{text}`"))
            }
            (false, false) => self.cause("MOVE", format!("{place}: {detail}")),
        })
    }

    /// Whether the bot writes a legal answer after a line that is not one, although it is sent nothing.
    fn answer_follows(&mut self) -> Talk<bool> {
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

    /// What is wrong with a bot that has written no answer in its turn. If it may still be thinking, it gets more time
    /// first. Then a test shows whether it had written its answer and held it back.
    fn silence(&mut self) -> Talk<Cause> {
        let LineRules { answer, .. } = self.plan.rules;
        let place = self.place();
        let (late, why_late) = self.plan.game.silence(self, Silence::Waits);
        let (thinks, why_thinks) = self.plan.game.silence(self, Silence::Thinks);
        let after = if self.time_sent { " after `time` was sent" } else { "" };
        let within = format!("{place}: no {answer} within {}{after}", duration(self.session.limits.hard));
        let waits = self.session.waits_for_input();
        if !waits && self.session.clock.is_none() {
            let patience = self.session.limits.start;
            match self.session.read_line(patience)? {
                LineRead::TimedOut(rest) if rest.is_empty() => {}
                _ => return Ok(Cause::new(thinks, within)),
            }
        }
        let SilenceTest { due, first, written } = self.test_silence()?;
        // Only a bot that had written its answer writes more answers than it is sent lines.
        if written > due {
            let what = format!("{place}: its {answer} came only with later ones, or when its input ended");
            return Ok(self.cause("FLUSH", what));
        }
        if let Some(line) = first {
            let line = escaped(&line);
            let what = format!("{place}: it wrote no {answer} until it was sent the next line, and then `{line}`");
            return Ok(Cause::new(late, what + why_late));
        }
        Ok(if waits {
            Cause::new(late, format!("{place}: it wrote no {answer}: it waits for more input{why_late}"))
        } else {
            Cause::new(thinks, within + why_thinks)
        })
    }

    /// Sends a silent bot the following lines, as if it had answered, and then ends its input.
    fn test_silence(&mut self) -> Talk<SilenceTest> {
        let by_clock = self.session.clock.is_some();
        let held_back = if by_clock { HELD_BACK_BY_CLOCK } else { HELD_BACK };
        self.begin_test();
        let mut due = self.send_what_follows()?;
        let mut shown = self.answers_within(held_back)?;
        if shown.is_empty() {
            due += self.send_all_that_follows()?;
            shown = self.answers_within(held_back)?;
        }
        let mut written = shown.len();
        if written <= due {
            self.session.close_input();
            let patience = if by_clock { held_back } else { self.session.limits.hard };
            let rest = self.session.read_unsolicited(patience)?;
            let answers = rest.lines.iter().filter(|line| !self.is_ignored(line)).count();
            // Only part of very many lines is read.
            written = if rest.flood && answers > 0 { usize::MAX } else { written + answers };
        }
        Ok(SilenceTest { due, first: shown.into_iter().next(), written })
    }

    /// The lines that the bot writes within `time`, without those that are ignored.
    fn answers_within(&mut self, time: Duration) -> Talk<Vec<Vec<u8>>> {
        let mut lines = self.session.read_unsolicited(time)?.lines;
        lines.retain(|line| !self.is_ignored(line));
        Ok(lines)
    }

    /// What is wrong with a bot that wrote `rest` in its turn, and no line feed after it in time. If it may still be
    /// writing, it gets more time first.
    fn unfinished(&mut self, rest: &[u8]) -> Talk<Cause> {
        let place = self.place();
        let text = escaped(rest);
        let limit = self.session.limits.hard;
        if !self.session.waits_for_input() && self.reads_answer(limit)? {
            let what = format!("{place}: no line feed followed `{text}` within {}", duration(limit));
            return Ok(self.cause("TIME", what));
        }
        self.begin_test();
        self.send_what_follows()?;
        Ok(if self.reads_answer(limit)? {
            self.cause("FLUSH", format!("{place}: the line feed after `{text}` came only with later output"))
        } else {
            self.without_line_feed(&format!("{place}: "), rest)
        })
    }

    fn reads_answer(&mut self, limit: Duration) -> Talk<bool> {
        let read = self.session.read_line(limit)?;
        Ok(matches!(read, LineRead::Line(line) if self.is_answer(&line) || self.is_legal(&line)))
    }

    /// Whether the bot was watched closely in all turns so far.
    pub(super) fn was_watched(&self) -> bool {
        self.watch == Watch::StartAndEnd && self.answers.len() <= FIRST_ANSWERS
    }

    /// Checks that the bot wrote nothing besides the answer that it has just given; `more` is what it wrote.
    pub(super) fn nothing_besides(&mut self, mut more: UnsolicitedOutput) -> Played {
        if more.is_nothing() {
            return Ok(());
        }
        let LineRules { turn, ignores_text, .. } = self.plan.rules;
        let number = self.number();
        if ignores_text {
            // An unfinished line, such as a prompt, is judged together with the next answer.
            self.remark_on(&more.lines);
            let after = format!("after {turn} {number}");
            return match more.lines.iter().find(|line| self.is_answer(line)) {
                _ if more.flood => Err(self.cause("ONE", format!("{after} it did not stop writing")).into()),
                Some(line) => {
                    let what = format!("{after}, which was its own, it also wrote `{}`", escaped(line));
                    Err(self.cause("ONE", what).into())
                }
                None => Ok(()),
            };
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
        let when = format!("{by}{turn} {number}");
        let besides = format!("in addition to its {}", self.plan.rules.answer);
        match self.text_in(&more, &when, &besides) {
            Some(cause) => Err(cause.into()),
            None if more.lines.is_empty() => Ok(()),
            None => Err(self.more_answers(&more.lines, &when)?.into()),
        }
    }

    /// What is wrong with output of which something is not an answer; `None` if `more` has nothing but answers.
    /// `when` and `besides` begin the description. Blanks without a line feed are ignored: they belong to the next
    /// line.
    pub(super) fn text_in(&self, more: &UnsolicitedOutput, when: &str, besides: &str) -> Option<Cause> {
        let wrote_text =
            |text: &[u8]| Some(self.cause("QUIET", format!("{when}: {besides} it wrote `{}`", escaped(text))));
        if let Some(line) = more.lines.iter().find(|line| !is_blank(line) && !self.is_answer(line)) {
            return wrote_text(line);
        }
        if more.flood {
            return Some(self.cause("ORDER", format!("{when}: it did not stop writing")));
        }
        if more.lines.iter().any(|line| is_blank(line)) {
            return Some(self.cause("ONE", format!("{when}: {besides} it wrote an empty line")));
        }
        match &more.unfinished {
            rest if is_blank(rest) => None,
            rest if self.is_answer(rest) => Some(self.without_line_feed(&format!("{when}: {besides} "), rest)),
            rest => wrote_text(rest),
        }
    }

    /// What is wrong with a bot that wrote `more` answers before it was sent the next line. If it has written more
    /// answers than it had turns when the game has been played on, it wrote a line too many. Otherwise it answered
    /// too early.
    fn more_answers(&mut self, more: &[Vec<u8>], when: &str) -> Talk<Cause> {
        let LineRules { turn, answer, .. } = self.plan.rules;
        let is_repeated =
            more.iter().all(|line| Some(line.trim_ascii()) == self.answers.last().map(|a| a.trim_ascii()));
        let mut due = self.answers.len();
        let mut total = self.answers.len() + more.len();
        let mut goes_on = true;
        for at in 0..MOST_ANSWERS {
            let Some(input) = self.next_input(at == 0) else { break };
            due += self.answers_due();
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
            self.cause("ONE", format!("{when}: it wrote {lines} more than one for each {turn}"))
        } else {
            self.cause("ORDER", format!("{when}: it wrote the next {answer} before it was sent a line"))
        })
    }
}

pub(super) fn is_blank(line: &[u8]) -> bool {
    line.trim_ascii().is_empty()
}
