//! Measures how long a bot takes for an answer, and how much of that time it only waited for a processor that other
//! programs used, which does not count against it (B10, G3).

use super::error::SandboxError;
use super::report::Activity;
use super::run_request::{AtDeadline, at_deadline};
use super::session::{Line, Session};
use std::time::{Duration, Instant};

/// For an answer faster than this, neither waiting nor processor time is read. After it, the bots that are not to
/// move are frozen.
const BRIEF: Duration = Duration::from_millis(4);

/// How often the bots that were asked at the same time are checked for answers.
const CHECK_INTERVAL: Duration = Duration::from_millis(5);

/// Called while an answer is awaited, once it has taken some milliseconds. Returns whether to be called again.
pub type IdleCallback<'a> = &'a mut dyn FnMut() -> Result<bool, SandboxError>;

/// The time of one answer, from [`AnswerTimer::begin`] on.
#[derive(Clone, Copy, Debug)]
pub struct AnswerTimer {
    began: Instant,
    /// Whether the answer has taken some milliseconds. From then on the bot's waiting is measured.
    is_long: bool,
    /// When the answer was found to be there, and how long the bot had waited for a processor by then; `None` if
    /// the answer was read without such a check.
    arrived: Option<(Duration, Duration)>,
    /// The last time at which the answer was checked for and not there yet. This process may itself have waited for
    /// a processor between that time and the answer's arrival.
    absent: Duration,
    /// The extension granted for waiting.
    granted: Duration,
    /// Time during which this process itself waited for a processor, before it could begin to measure the bot's
    /// waiting, and the bot did not run.
    overslept: Duration,
    /// Whether the bot was seen to rest at its deadline.
    rested: bool,
    /// How the bot is watched, if it is.
    watch: Option<Watch>,
}

/// How a bot is watched while its answer is awaited, to see whether it waits for input instead.
#[derive(Clone, Copy, Debug)]
struct Watch {
    /// How long the answer is awaited at most.
    horizon: Duration,
    /// How long the bot must be seen to wait.
    still: Duration,
    /// When to look next.
    next: Duration,
    /// Whether the bot was seen to wait that long.
    seen: bool,
}

/// What an answer has cost so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct AnswerCost {
    /// Processor time.
    pub cpu: Duration,
    /// Wall time without the time in which the bot waited for a processor.
    pub own_wall: Duration,
    /// Whether `cpu` is the wall time, because the bot started processes whose processor time is not counted.
    pub is_estimated: bool,
}

impl AnswerTimer {
    /// Starts the timer.
    pub fn begin() -> AnswerTimer {
        AnswerTimer {
            began: Instant::now(),
            is_long: false,
            arrived: None,
            absent: Duration::ZERO,
            granted: Duration::ZERO,
            overslept: Duration::ZERO,
            rested: false,
            watch: None,
        }
    }

    /// The same timer, which ends a read as soon as the bot is seen to wait for input for the time `still`, and would
    /// write nothing until the time `horizon` has passed since the timer was started. The read is then
    /// [`Line::TimedOut`], and [`AnswerTimer::saw_waiting`] true.
    #[must_use]
    pub fn watching(self, still: Duration, horizon: Duration) -> AnswerTimer {
        AnswerTimer { watch: Some(Watch { horizon, still, next: still / 4, seen: false }), ..self }
    }

    /// Whether the last read ended because the bot was seen to wait for input.
    pub fn saw_waiting(&self) -> bool {
        self.watch.is_some_and(|watch| watch.seen)
    }

    /// Whether the bot was seen to rest when the time of the last read was over ([`Activity::Rests`]).
    pub fn saw_rest(&self) -> bool {
        self.rested
    }

    /// Looks at the bot if that is due. Returns whether it was seen to wait for input.
    fn sees_waiting(&mut self, session: &mut Session) -> Result<bool, SandboxError> {
        let elapsed = self.began.elapsed();
        let Some(watch) = self.watch.as_mut().filter(|watch| watch.next <= elapsed) else { return Ok(false) };
        let waits = session.waits_for_input(watch.horizon.saturating_sub(elapsed))?;
        // A bot that thinks for long is looked at less often.
        watch.next = self.began.elapsed() + (watch.still / 2).max(elapsed / 16);
        Ok(!watch.still.is_zero() && waits >= watch.still)
    }

    /// Whether the answer has taken some milliseconds. The first time it has, begins to measure the bot's waiting.
    fn is_long(&mut self, session: &mut Session) -> Result<bool, SandboxError> {
        if !self.is_long && self.began.elapsed() >= BRIEF {
            let ran = session.begin_waiting()?;
            self.is_long = true;
            // The check was due then: what this process and the server waited, the bot waited too, unless it ran.
            self.overslept = (self.began.elapsed() - BRIEF).saturating_sub(ran);
        }
        Ok(self.is_long)
    }

    /// Until when only the answer is waited for.
    fn brief_until(&self) -> Option<Instant> {
        (!self.is_long).then(|| self.began + BRIEF)
    }

    /// Whether the answer came so fast that neither waiting nor processor time was read.
    pub fn was_brief(&self) -> bool {
        !self.is_long
    }

    /// Reads the next line, of at most `longest` bytes, if it comes before `deadline`. Once the bot has thought for
    /// some milliseconds, `idle` is called, and again as long as it returns `true`.
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
        let mut glance = Some(self.brief_until().unwrap_or_else(Instant::now));
        loop {
            let look = self.watch.map(|watch| self.began + watch.next);
            let until = [glance, look].into_iter().flatten().fold(deadline, Instant::min);
            match session.line(longest, until).map_err(SandboxError::Lost)? {
                Line::TimedOut if until < deadline => {}
                line => {
                    if matches!(line, Line::Read(_)) {
                        session.answered(self.began.elapsed())?;
                    }
                    return Ok(line);
                }
            }
            if self.sees_waiting(session)? {
                // What it wrote before it waited may not have been read.
                let line = session.line(longest, Instant::now()).map_err(SandboxError::Lost)?;
                self.watch = self.watch.map(|watch| Watch { seen: line == Line::TimedOut, ..watch });
                return Ok(line);
            }
            if glance.is_some_and(|glance| glance <= until) {
                let again = self.is_long(session)? && idle()?;
                glance = self.brief_until().or(again.then(|| Instant::now() + CHECK_INTERVAL));
            }
        }
    }

    /// Like [`AnswerTimer::line_before`], with a deadline `hard` after the beginning that is extended by what the
    /// bot waits for a processor.
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
        // The answer may be read long after it came.
        let came_late = self.absent > hard && self.absent > hard + self.waited_in_full(session)?;
        if came_late {
            return Ok(Line::TimedOut);
        }
        loop {
            let line = self.line_before(session, longest, self.began + hard + self.granted, idle)?;
            if line != Line::TimedOut || self.saw_waiting() {
                return Ok(line);
            }
            let elapsed = self.began.elapsed();
            let waited = self.waited_in_full(session)?;
            match at_deadline(hard, elapsed, self.granted, waited) {
                AtDeadline::Extend(longer) => self.granted = longer,
                AtDeadline::TimedOut => match session.activity()? {
                    Activity::Waits(longer) => self.granted += longer,
                    activity => {
                        self.rested = activity == Activity::Rests;
                        return Ok(Line::TimedOut);
                    }
                },
                AtDeadline::Starved => return Err(SandboxError::Starved { wall: self.wall(), waited }),
            }
        }
    }

    fn waited_in_full(&self, session: &mut Session) -> Result<Duration, SandboxError> {
        if !self.is_long {
            return Ok(Duration::ZERO);
        }
        Ok(session.waited_in_full()? + self.overslept)
    }

    /// Checks whether the answer is there, without reading it, and notes when it was.
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

    /// How long the answer took, or has taken so far.
    pub fn wall(&self) -> Duration {
        self.arrived.map_or_else(|| self.began.elapsed(), |(wall, _)| wall)
    }

    /// What the answer has cost: the processor time of everything the bot started beyond `before`, which was read
    /// earlier, and the wall time without waiting for a processor. If a bot starts processes whose processor time
    /// cannot be counted, it is charged that wall time (G3).
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn used(&self, session: &mut Session, before: Duration) -> Result<AnswerCost, SandboxError> {
        let own_wall = self.wall().saturating_sub(self.waited(session)?);
        let usage = session.usage()?;
        let counted = usage.processor_time().saturating_sub(before);
        let is_estimated = usage.is_lower_bound();
        let cpu = if is_estimated { counted.max(own_wall) } else { counted };
        Ok(AnswerCost { cpu, own_wall, is_estimated })
    }

    /// How much of [`AnswerTimer::wall`] the bot waited for a processor.
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
