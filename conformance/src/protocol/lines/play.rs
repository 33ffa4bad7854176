//! Playing a game in lines with a bot: the bot is sent what its seat may see, answers with a line, and the rules of the
//! game judge the answer.

use super::game::{GameDialogue, LineRules, Watch};
use super::session::{LineRead, Played, Talk};
use crate::protocol::view;
use cornerman_harness::text::escaped;
use std::time::Duration;

/// How long a bot must write nothing after an answer, where it is watched closely.
const AFTER_ANSWER: Duration = Duration::from_millis(50);

/// The number of answers at the end of a game after which a bot is watched closely. A bot that is a line ahead and
/// counts its turns is ahead no longer after the last answer, but still after the one before.
const LAST_ANSWERS: usize = 2;

/// The most bytes of ignored lines before an answer (G5).
const MOST_IGNORED: usize = 1 << 20;

impl GameDialogue<'_, '_> {
    /// Plays until the bot has given this many answers, or the game is over; with 0, only what comes before the game.
    pub(crate) fn until(&mut self, answers: usize) -> Played {
        if answers == 0 {
            return self.name();
        }
        if self.answers.is_empty() && !self.is_asked {
            self.open()?;
        }
        self.turns(answers)?;
        self.end()
    }

    /// Reads the bot's name, if it prints one, and checks that it writes nothing more before it is sent a line.
    fn open(&mut self) -> Played {
        self.name()?;
        if self.begins() {
            return Ok(());
        }
        let time = if self.watch == Watch::StartAndEnd { self.plan.early } else { Duration::ZERO };
        let early = self.session.read_unsolicited(time)?;
        self.too_early(&early).map_or(Ok(()), |cause| Err(cause.into()))
    }

    /// Reads the bot's first line, which must be its name (R3).
    fn name(&mut self) -> Played {
        if !self.plan.rules.greets {
            return Ok(());
        }
        let limit = self.session.limits.start;
        Err(match self.session.read_line(limit)? {
            LineRead::Line(line) => match unreadable(&line) {
                None => return Ok(()),
                Some(what) => self.cause("START", what),
            },
            LineRead::TimedOut(rest) if rest.is_empty() => self.no_name()?,
            LineRead::TimedOut(rest) => self.without_line_feed("", &rest),
            LineRead::Ended(rest) if rest.is_empty() => self.cause("START", "it wrote no name").at_its_end(),
            LineRead::Ended(rest) => self.without_line_feed("", &rest).at_its_end(),
            LineRead::TooLong(line) => {
                self.cause("START", format!("its first line has more than {} bytes", line.len() - 1))
            }
        }
        .into())
    }

    /// Plays until the bot has given this many answers, or the game is over.
    fn turns(&mut self, until: usize) -> Played {
        while self.answers.len() < until && self.present(b"")? {
            let acting = self.live.to_act();
            let answer = self.answer()?;
            self.answers.push(answer);
            self.moves += 1;
            self.is_asked = false;
            // Where text is ignored, what follows the last answer is judged at the end of the game instead.
            if !(self.plan.rules.ignores_text && self.is_ended()) {
                let more = self.session.read_unsolicited(self.silence_due())?;
                self.nothing_besides(more)?;
            }
            for seat in acting.iter().filter(|seat| *seat != self.plan.seat).collect::<Vec<_>>() {
                self.reply(seat)?;
            }
        }
        Ok(())
    }

    /// Sends what the bot may see at the end of the game, if it is over, and watches it.
    fn end(&mut self) -> Played {
        if !self.is_ended() {
            return Ok(());
        }
        let last = view(self.live.as_ref(), self.plan.seat);
        self.send(&last)?;
        self.plan.game.end(self)
    }

    /// Checks that a bot writes at most one more answer when the game is over, as it need not count its turns (R7).
    pub(crate) fn farewell(&mut self) -> Played {
        let LineRules { turn, .. } = self.plan.rules;
        let when = format!("after the last {turn}");
        let more = self.session.read_unsolicited(AFTER_ANSWER)?;
        Err(match self.text_in(&more, &when, "when nothing was due,") {
            Some(cause) => cause,
            None if more.lines.len() > 1 => {
                self.cause("ONE", format!("{when} it wrote {} lines", more.lines.len()))
            }
            // A bot that ends now would be ended soon anyway (R7).
            None if more.gone => self.cause("SIGNAL", when).if_by_signal().warning().incidental(),
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

    /// Reads the bot's answer and makes its move.
    fn answer(&mut self) -> Played<Vec<u8>> {
        let LineRules { answer, .. } = self.plan.rules;
        let mut ignored = 0;
        let mut meant = None;
        let cause = loop {
            let is_first = ignored == 0 && !self.time_sent && self.begins();
            let line = match if is_first { self.first_line()? } else { self.read()? } {
                LineRead::Line(line) if !self.is_ignored(&line) => match self.live.answer(self.plan.seat, &line) {
                    Ok(_) => return Ok(line),
                    Err(violation) => match self.plan.game.refused(self, &violation)? {
                        Some(cause) => break cause,
                        None => break self.not_an_answer(&line, &violation.to_string())?,
                    },
                },
                LineRead::Line(line) => line,
                LineRead::TooLong(line) if self.plan.rules.ignores_text => line,
                read => match meant {
                    Some(cause) => break cause,
                    None => break self.no_answer(read)?,
                },
            };
            self.remark_on([&line]);
            meant = self.plan.game.meant(self, &line).or(meant);
            ignored += line.len() + 1;
            if ignored > MOST_IGNORED {
                break self.cause("ONE", format!("{}: it wrote more than 1 MiB without a {answer}", self.place()));
            }
        };
        Err(cause.into())
    }

    /// Reads the first line of a bot that begins the game. It has time to start.
    fn first_line(&mut self) -> Talk<LineRead> {
        let start = self.session.limits.start;
        let read = self.session.read_line(start)?;
        if read != LineRead::TimedOut(Vec::new()) || self.session.waits_for_input() {
            return Ok(read);
        }
        // A bot that does not use the processor is not thinking, so it is sent `time` at once.
        if self.session.clock.is_some() && self.session.user_time()? <= start / 10 {
            self.send_time()?;
        }
        self.read()
    }
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
}
