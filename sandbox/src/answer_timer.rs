//! The time that a bot has been thinking about an answer, and how much of that it could not: it waited for a processor
//! that others had, and that costs it nothing (B10, G3).

use super::error::SandboxError;
use super::run_request::{AtDeadline, at_deadline};
use super::session::{Line, Session};
use std::time::{Duration, Instant};

/// An answer that came faster than this was not held up, nor is anything about it worth a reading; after it, those who
/// are not to move are stopped.
const BRIEF: Duration = Duration::from_millis(4);

/// How often those who were asked at the same time are looked at for their answers.
const GLANCE: Duration = Duration::from_millis(5);

/// What is done while an answer is awaited, once that takes some milliseconds; whether it is to be done again.
pub type IdleCallback<'a> = &'a mut dyn FnMut() -> Result<bool, SandboxError>;

/// See the head of this file.
#[derive(Clone, Copy, Debug)]
pub struct AnswerTimer {
    began: Instant,
    /// Whether it has taken some milliseconds, since when the bot's waiting is measured.
    is_long: bool,
    /// When the answer was there, and what the bot had waited for a processor by then, if that was seen before it was
    /// read.
    arrived: Option<(Duration, Duration)>,
    /// When it was not there yet, the last time that this was looked for. We may have waited for a processor ourselves
    /// between that and its arrival.
    absent: Duration,
    /// What was granted for waiting.
    granted: Duration,
    /// The time before its waiting began to be measured, in which we waited for a processor ourselves.
    overslept: Duration,
}

/// What an answer has cost so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct AnswerCost {
    /// Processor time.
    pub cpu: Duration,
    /// Wall time less the time in which the bot waited for a processor.
    pub own_wall: Duration,
    /// Whether the processor time is the wall time, as the bot started processes and nobody counts theirs.
    pub is_estimated: bool,
}

impl AnswerTimer {
    /// From now on.
    pub fn begin() -> AnswerTimer {
        AnswerTimer {
            began: Instant::now(),
            is_long: false,
            arrived: None,
            absent: Duration::ZERO,
            granted: Duration::ZERO,
            overslept: Duration::ZERO,
        }
    }

    /// Whether it has taken so long that others are to be seen to; from the first time on its waiting is measured.
    fn is_long(&mut self, session: &mut Session) -> Result<bool, SandboxError> {
        if !self.is_long && self.began.elapsed() >= BRIEF {
            session.begin_waiting()?;
            self.is_long = true;
            // We were to look then: a machine that did not let us did not let the bot run either.
            self.overslept = self.began.elapsed() - BRIEF;
        }
        Ok(self.is_long)
    }

    /// Until when nothing but the answer matters.
    fn brief_until(&self) -> Option<Instant> {
        (!self.is_long).then(|| self.began + BRIEF)
    }

    /// Whether it was over before anything about it was worth a reading.
    pub fn was_brief(&self) -> bool {
        !self.is_long
    }

    /// The next line of at most `longest` bytes that comes before `deadline`. Once the bot has thought for some
    /// milliseconds `idle` is called, and again as long as it wants that.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn line_before(
        &mut self,
        session: &mut Session,
        longest: usize,
        deadline: Instant,
        idle: IdleCallback,
    ) -> Result<Line, SandboxError> {
        let mut glance = false;
        loop {
            let next = glance.then(|| Instant::now() + GLANCE);
            let until = self.brief_until().or(next).map_or(deadline, |until| until.min(deadline));
            match session.line(longest, until).map_err(SandboxError::Lost)? {
                Line::TimedOut if until < deadline => glance = self.is_long(session)? && idle()?,
                line => return Ok(line),
            }
        }
    }

    /// The same, for which the bot has `hard` from the beginning, and what it waits for a processor.
    ///
    /// # Errors
    /// When the sandbox failed, or the machine is too busy.
    pub fn line_within(
        &mut self,
        session: &mut Session,
        longest: usize,
        hard: Duration,
        idle: IdleCallback,
    ) -> Result<Line, SandboxError> {
        // It may be read long after it came.
        let came_late = self.absent > hard && self.absent > hard + self.waited_in_full(session)?;
        if came_late {
            return Ok(Line::TimedOut);
        }
        loop {
            let line = self.line_before(session, longest, self.began + hard + self.granted, idle)?;
            if line != Line::TimedOut {
                return Ok(line);
            }
            let waited = self.waited_in_full(session)?;
            match at_deadline(hard, self.granted, waited) {
                AtDeadline::Extend(longer) => self.granted = longer,
                AtDeadline::TimedOut => match session.waits_right_now()? {
                    Duration::ZERO => return Ok(Line::TimedOut),
                    waiting => self.granted += waiting,
                },
                AtDeadline::Starved => return Err(SandboxError::Starved { wall: self.wall(), waited }),
            }
        }
    }

    fn waited_in_full(&self, session: &mut Session) -> Result<Duration, SandboxError> {
        if self.is_long { Ok(session.usage()?.waited + self.overslept) } else { Ok(Duration::ZERO) }
    }

    /// Notes that the answer is there although it was not asked for yet. Whether it was.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn has_arrived(&mut self, session: &mut Session) -> Result<bool, SandboxError> {
        if self.arrived.is_none() {
            self.is_long(session)?;
            let looked = self.began.elapsed();
            if !session.pending().map_err(SandboxError::Lost)?.contains(&b'\n') {
                self.absent = looked;
                return Ok(false);
            }
            self.arrived = Some((self.began.elapsed(), self.waited(session)?));
        }
        Ok(true)
    }

    /// How long the answer took.
    pub fn wall(&self) -> Duration {
        self.arrived.map_or_else(|| self.began.elapsed(), |(wall, _)| wall)
    }

    /// What the bot has used for its answer: processor time of all that it started beyond `before`, which was read
    /// earlier, and the wall time of the answer in which it did not wait for a processor. Where not all processor time
    /// can be counted, a bot that starts processes has used all of the latter (G3).
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn used(&self, session: &mut Session, before: Duration) -> Result<AnswerCost, SandboxError> {
        let own_wall = self.wall().saturating_sub(self.waited(session)?);
        let usage = session.usage()?;
        let counted = usage.processor_time().saturating_sub(before);
        let is_estimated = usage.account.is_none() && (usage.tasks.processes > 1 || usage.tasks.had_children > 0);
        let cpu = if is_estimated { counted.max(own_wall) } else { counted };
        Ok(AnswerCost { cpu, own_wall, is_estimated })
    }

    /// How much of that the bot waited for a processor.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn waited(&self, session: &mut Session) -> Result<Duration, SandboxError> {
        match self.arrived {
            Some((_, waited)) => Ok(waited),
            None if self.is_long => Ok((session.waited()? + self.overslept).max(self.granted)),
            None => Ok(Duration::ZERO),
        }
    }
}
