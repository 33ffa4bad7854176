//! Measures how long a bot takes to answer, and for how much of that time it merely waited for a processor that other
//! programs used. That waiting does not count against it (B10, G3).

use super::error::SandboxError;
use super::report::Activity;
use super::run_request::{DeadlineDecision, decide_at_deadline};
use super::session::{ReadLine, Session};
use std::time::{Duration, Instant};

/// Until an answer has taken this long, the bot's waiting is not measured, and the [`IdleCallback`], which freezes bots
/// that need not answer, is not called.
const BRIEF: Duration = Duration::from_millis(4);

/// How often to call the [`IdleCallback`], which checks for answers of bots that were asked at the same time.
const CHECK_INTERVAL: Duration = Duration::from_millis(5);

/// Called while an answer is awaited, once it has taken some milliseconds. Returns whether it should be called again.
pub type IdleCallback<'a> = &'a mut dyn FnMut() -> Result<bool, SandboxError>;

/// The time of one answer, from [`AnswerTimer::begin`] on.
#[derive(Clone, Copy, Debug)]
pub struct AnswerTimer {
    began: Instant,
    /// Whether the answer has taken some milliseconds. From then on the bot's waiting is measured.
    is_long: bool,
    /// How long after the beginning the answer was found, and how long the bot had waited for a processor by then;
    /// `None` if the answer was read without such a check.
    arrived: Option<(Duration, Duration)>,
    /// The time of the last check at which the answer had not arrived yet. This process may itself have waited for a
    /// processor between that check and the answer's arrival.
    last_absent: Duration,
    /// The extension of the deadline that was granted for waiting.
    granted: Duration,
    /// For how long this process itself waited for a processor before it could begin to measure the bot's waiting, not
    /// counting the time in which the bot ran.
    overslept: Duration,
    /// Whether the bot was seen to rest at its deadline.
    rested: bool,
    /// The check whether the bot waits for input, if one is wanted.
    watch: Option<WaitingCheck>,
}

/// Checks, while an answer is awaited, whether the bot waits for input instead of thinking.
#[derive(Clone, Copy, Debug)]
struct WaitingCheck {
    /// The longest time for which the answer is awaited, from the beginning of the timer on.
    horizon: Duration,
    /// For how long the bot must be seen to wait.
    min_wait: Duration,
    /// When to check next, also from the beginning on.
    next: Duration,
    /// Whether the bot was seen to wait for that long.
    seen: bool,
}

/// What an answer has cost so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct AnswerCost {
    /// Processor time.
    pub cpu: Duration,
    /// Wall time without the time in which the bot waited for a processor.
    pub own_wall: Duration,
    /// Whether `cpu` is raised to `own_wall` if that is longer, because the bot started processes whose processor time
    /// is not counted.
    pub is_estimated: bool,
}

impl AnswerTimer {
    /// Starts the timer.
    pub fn begin() -> AnswerTimer {
        AnswerTimer {
            began: Instant::now(),
            is_long: false,
            arrived: None,
            last_absent: Duration::ZERO,
            granted: Duration::ZERO,
            overslept: Duration::ZERO,
            rested: false,
            watch: None,
        }
    }

    /// Makes a read end as soon as the bot has been seen to wait for input for the time `min_wait`, in a way that
    /// nothing but input can end before `horizon` has passed since the timer was started. The read is then
    /// [`ReadLine::TimedOut`], and [`AnswerTimer::saw_waiting`] is true.
    #[must_use]
    pub fn watching(self, min_wait: Duration, horizon: Duration) -> AnswerTimer {
        AnswerTimer { watch: Some(WaitingCheck { horizon, min_wait, next: min_wait / 4, seen: false }), ..self }
    }

    /// Whether the last read ended because the bot was seen to wait for input.
    pub fn saw_waiting(&self) -> bool {
        self.watch.is_some_and(|watch| watch.seen)
    }

    /// Whether the bot was seen to rest ([`Activity::Rests`]) when the time of the last read was over.
    pub fn saw_rest(&self) -> bool {
        self.rested
    }

    /// Checks the bot if a check is due. Returns whether it was seen to wait for input for long enough.
    fn check_waiting(&mut self, session: &mut Session) -> Result<bool, SandboxError> {
        let elapsed = self.began.elapsed();
        let Some(watch) = self.watch.as_mut().filter(|watch| watch.next <= elapsed) else { return Ok(false) };
        let waits = session.waits_for_input(watch.horizon.saturating_sub(elapsed))?;
        // A bot that thinks for long is checked less often.
        watch.next = self.began.elapsed() + (watch.min_wait / 2).max(elapsed / 16);
        // With a `min_wait` of zero, a bot that was never seen to wait would count as waiting.
        Ok(!watch.min_wait.is_zero() && waits >= watch.min_wait)
    }

    /// Begins to measure the bot's waiting once the answer has taken some milliseconds. Returns whether it has.
    fn measure_if_long(&mut self, session: &mut Session) -> Result<bool, SandboxError> {
        if !self.is_long && self.began.elapsed() >= BRIEF {
            let ran = session.begin_waiting()?;
            self.is_long = true;
            // This check is late because this process and the server waited. The bot waited too, unless it ran.
            self.overslept = (self.began.elapsed() - BRIEF).saturating_sub(ran);
        }
        Ok(self.is_long)
    }

    /// Until when nothing but the answer is awaited; `None` once waiting is measured.
    fn brief_until(&self) -> Option<Instant> {
        (!self.is_long).then(|| self.began + BRIEF)
    }

    /// Whether the answer came so fast that the bot's waiting was not measured.
    pub fn was_brief(&self) -> bool {
        !self.is_long
    }

    /// Reads the next line, of at most `longest` bytes, if it comes before `deadline`. Once the bot has thought for
    /// some milliseconds, calls `idle` repeatedly for as long as it returns `true`.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn line_before(
        &mut self,
        session: &mut Session,
        longest: usize,
        deadline: Instant,
        idle: IdleCallback,
    ) -> Result<ReadLine, SandboxError> {
        let mut next_check = Some(self.brief_until().unwrap_or_else(Instant::now));
        loop {
            let next_look = self.watch.map(|watch| self.began + watch.next);
            let until = [next_check, next_look].into_iter().flatten().fold(deadline, Instant::min);
            match session.line(longest, until).map_err(SandboxError::Lost)? {
                ReadLine::TimedOut if until < deadline => {}
                line => {
                    if matches!(line, ReadLine::Read(_)) {
                        session.answered(self.began.elapsed())?;
                    }
                    return Ok(line);
                }
            }
            if self.check_waiting(session)? {
                // Read once more: the bot may have written something just before it began to wait.
                let line = session.line(longest, Instant::now()).map_err(SandboxError::Lost)?;
                self.watch = self.watch.map(|watch| WaitingCheck { seen: line == ReadLine::TimedOut, ..watch });
                return Ok(line);
            }
            if next_check.is_some_and(|next_check| next_check <= until) {
                let again = self.measure_if_long(session)? && idle()?;
                next_check = self.brief_until().or(again.then(|| Instant::now() + CHECK_INTERVAL));
            }
        }
    }

    /// Like [`AnswerTimer::line_before`], with a deadline `hard` after the beginning, which is extended by the time for
    /// which the bot waits for a processor.
    ///
    /// # Errors
    /// When the sandbox failed, or the machine is too busy.
    pub fn line_within(
        &mut self,
        session: &mut Session,
        longest: usize,
        hard: Duration,
        idle: IdleCallback,
    ) -> Result<ReadLine, SandboxError> {
        // The answer may be read long after it came, so what counts is the last check that did not find it.
        let came_late = self.last_absent > hard && self.last_absent > hard + self.waited_in_full(session)?;
        if came_late {
            return Ok(ReadLine::TimedOut);
        }
        loop {
            let line = self.line_before(session, longest, self.began + hard + self.granted, idle)?;
            if line != ReadLine::TimedOut || self.saw_waiting() {
                return Ok(line);
            }
            let elapsed = self.began.elapsed();
            let waited = self.waited_in_full(session)?;
            match decide_at_deadline(hard, elapsed, self.granted, waited) {
                DeadlineDecision::Extend(longer) => self.granted = longer,
                DeadlineDecision::TimedOut => match session.activity()? {
                    Activity::Waits(longer) => self.granted += longer,
                    activity => {
                        self.rested = activity == Activity::Rests;
                        return Ok(ReadLine::TimedOut);
                    }
                },
                DeadlineDecision::Starved => return Err(SandboxError::Starved { wall: self.wall(), waited }),
            }
        }
    }

    /// How long the bot has waited for a processor by the server's closer measure ([`Session::waited_in_full`]).
    fn waited_in_full(&self, session: &mut Session) -> Result<Duration, SandboxError> {
        if !self.is_long {
            return Ok(Duration::ZERO);
        }
        Ok(session.waited_in_full()? + self.overslept)
    }

    /// Checks whether the answer has arrived, or can no longer come because the bot's output has ended. Does not read
    /// it, and notes when that was first found.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn has_arrived(&mut self, session: &mut Session) -> Result<bool, SandboxError> {
        if self.arrived.is_none() {
            self.measure_if_long(session)?;
            let looked = self.began.elapsed();
            if !session.has_line_or_end().map_err(SandboxError::Lost)? {
                self.last_absent = looked;
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

    /// What the answer has cost: the processor time of everything the bot started, less the time `before` that was
    /// read earlier, and the wall time without waiting for a processor. A bot that starts processes whose processor
    /// time cannot be counted is charged that wall time at least (G3).
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

    /// The processor time of everything the bot started, without the first milliseconds of the answer, in which nothing
    /// is measured.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn ran(&self, session: &mut Session) -> Result<Duration, SandboxError> {
        if self.is_long { session.ran() } else { Ok(Duration::ZERO) }
    }

    /// For how much of [`AnswerTimer::wall`] the bot waited for a processor.
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
