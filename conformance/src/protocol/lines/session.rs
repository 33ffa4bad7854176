//! The session of a dialogue: a script sends lines to the bot and reads its answers.

use super::transcript::{LineEvent, TimedEvent, Transcript, silence};
use crate::finding::Cause;
use crate::runner::{LateAnswer, SharedState};
use cornerman_harness::machine;
use cornerman_harness::player::clock::{ClockStatus, GameClock, RunningClock};
use cornerman_harness::sandbox::{AnswerTimer, Limits, ReadLine, SandboxError, SendStatus, Session, Tasks};
use std::time::{Duration, Instant};

/// A bot that writes more unsolicited lines than this floods its output.
const MOST_UNASKED: usize = 1000;

/// A bot whose answer is due is taken to wait for input if it was seen to do so for this long.
const STILL: Duration = Duration::from_millis(80);

/// The same for a bot that is to write nothing.
const BRIEFLY_STILL: Duration = Duration::from_millis(2);

/// The result of reading a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LineRead {
    /// A line, without its line feed.
    Line(Vec<u8>),
    /// No line came in time, or none will come because the bot [waits for input](DialogueSession::waits_for_input).
    /// These bytes came, without a line feed.
    TimedOut(Vec<u8>),
    /// The bot closed its output or ended. These bytes came before, without a line feed.
    Ended(Vec<u8>),
    /// The beginning of a line that is longer than any answer.
    TooLong(Vec<u8>),
}

/// What the bot wrote although no answer was due.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct UnsolicitedOutput {
    /// Complete lines, without their line feeds.
    pub lines: Vec<Vec<u8>>,
    /// Bytes after the last line feed.
    pub unfinished: Vec<u8>,
    /// Whether the bot wrote too many lines, or a line that is too long, so that reading stopped.
    pub flood: bool,
    /// Whether the bot closed its output or ended.
    pub gone: bool,
}

impl UnsolicitedOutput {
    /// Whether the bot wrote nothing.
    pub(crate) fn is_nothing(&self) -> bool {
        self.lines.is_empty() && self.unfinished.is_empty() && !self.flood
    }
}

/// The result of talking to a bot.
pub(crate) type Talk<T = ()> = Result<T, SandboxError>;

/// The result of a part of a dialogue.
pub(crate) type Played<T = ()> = Result<T, Stop>;

/// Why a dialogue is not continued.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The bot did something wrong.
    Cause(Cause),
    /// Nothing more can be judged.
    Over,
    /// The sandbox failed.
    Failed(SandboxError),
}

impl From<Cause> for Stop {
    fn from(cause: Cause) -> Stop {
        Stop::Cause(cause)
    }
}

impl From<SandboxError> for Stop {
    fn from(error: SandboxError) -> Stop {
        Stop::Failed(error)
    }
}

/// How long an answer took.
#[derive(Clone, Copy, Debug)]
pub(super) struct AnswerTime {
    /// Wall time without the time in which the bot waited for a processor.
    pub own_wall: Duration,
    /// How long the bot waited for a processor.
    pub waited: Duration,
}

/// A dialogue with a running bot.
pub(crate) struct DialogueSession<'a> {
    pub(super) session: Session,
    /// What was sent and received so far.
    pub transcript: Transcript,
    pub(super) shared: &'a SharedState<'a>,
    /// The limits of the run.
    pub limits: &'a Limits,
    /// The clock of the game, if it has one (G3).
    pub clock: Option<GameClock>,
    /// Whether the bot gets its input byte by byte.
    dribbled: bool,
    began: Instant,
    /// When the dialogue is broken off because the time of the check is over, if it may be.
    until: Option<Instant>,
    /// Whether it was broken off.
    pub(super) is_broken_off: bool,
    /// Whether the bot was seen to wait for input when a line was last due.
    waits: bool,
    /// What is known about the last line that did not come in time, unless the bot was seen to wait for input since.
    pub(super) late: Option<LateAnswer>,
    /// The place and the time of the slowest answer so far.
    pub(super) slowest: Option<(String, AnswerTime)>,
    /// The place and the time of the first answer by the clock that took longer than its minimum, but was in time
    /// because the bot used less processor time than that.
    pub(super) beyond_minimum: Option<(String, AnswerTime)>,
    /// How many answers were timed. The first line of a bot that begins the game, for one, is not.
    pub answers: u32,
    /// How long these answers took together.
    pub thought: Duration,
}

impl<'a> DialogueSession<'a> {
    pub(super) fn new(
        session: Session,
        shared: &'a SharedState<'a>,
        dribbled: bool,
        began: Instant,
    ) -> DialogueSession<'a> {
        DialogueSession {
            session,
            transcript: Transcript::default(),
            shared,
            limits: &shared.bot.limits,
            clock: shared.clock,
            dribbled,
            began,
            until: shared.budget.breaks_off_at(),
            is_broken_off: false,
            waits: false,
            late: None,
            slowest: None,
            beyond_minimum: None,
            answers: 0,
            thought: Duration::ZERO,
        }
    }

    /// Breaks the dialogue off if the time of the check is over. The error ends the script.
    fn check_time(&mut self) -> Talk<()> {
        self.is_broken_off = self.until.is_some_and(|until| Instant::now() >= until);
        if self.is_broken_off {
            return Err(SandboxError::Failed("the dialogue was broken off".to_string()));
        }
        Ok(())
    }

    /// Whether the time of the check is over.
    pub(crate) fn is_over(&self) -> bool {
        self.shared.budget.is_over_after(self.thought)
    }

    /// Whether a bot that goes on as slowly as so far leaves time for this many `moves` on all processors.
    pub(crate) fn leaves_time_for(&self, moves: u32) -> bool {
        let pace = self.thought / self.answers.max(1);
        self.shared.budget.fits_at(pace, moves.div_ceil(machine::cores() as u32))
    }

    /// `limit`, or what is left of the time of the check if that is less.
    fn within_time(&self, limit: Duration) -> Duration {
        self.until.map_or(limit, |until| limit.min(until.saturating_duration_since(Instant::now())))
    }

    pub(super) fn note(&mut self, event: LineEvent) {
        self.transcript.0.push(TimedEvent { at: self.began.elapsed(), event });
    }

    /// Sends `bytes`. It is not an error if the bot does not read them: only its answer counts.
    pub(crate) fn send(&mut self, bytes: &[u8]) -> Talk<()> {
        self.check_time()?;
        self.note(LineEvent::Sent(bytes.to_vec()));
        let deadline = Instant::now() + self.limits.hard;
        let sent =
            if self.dribbled { self.session.dribble(bytes, deadline) } else { self.session.send(bytes, deadline) };
        if sent.map_err(SandboxError::Lost)? == SendStatus::TimedOut {
            self.note(LineEvent::Note("it does not read its input".to_string()));
        }
        Ok(())
    }

    /// Reads the next line, if it comes within `limit`.
    pub(crate) fn read_line(&mut self, limit: Duration) -> Talk<LineRead> {
        self.read_line_timed(limit).map(|(read, _)| read)
    }

    /// The next line, if it comes within the hard limit.
    pub(crate) fn next_line(&mut self) -> Talk<Option<Vec<u8>>> {
        let read = self.read_line(self.limits.hard)?;
        Ok(if let LineRead::Line(line) = read { Some(line) } else { None })
    }

    /// Ends the bot's input and returns its next lines. A bot may write them only now, because it does not flush its
    /// output.
    pub(crate) fn held_back(&mut self) -> Talk<Vec<Vec<u8>>> {
        self.close_input();
        Ok(self.read_unsolicited(self.limits.hard)?.lines)
    }

    /// Reads the next line like [`DialogueSession::read_line`]. Also returns how long the bot took, without the time
    /// that it waited for a processor.
    fn read_line_timed(&mut self, limit: Duration) -> Talk<(LineRead, AnswerTime)> {
        let mut thinking = AnswerTimer::begin().watching(STILL, limit);
        let wait = self.within_time(limit);
        let longest = self.limits.output;
        let line = if wait < limit {
            // Waiting for a processor does not extend the time of the check.
            thinking.line_before(&mut self.session, longest, Instant::now() + wait, &mut || Ok(false))
        } else {
            thinking.line_within(&mut self.session, longest, limit, &mut || Ok(false))
        };
        self.record(line?, thinking, limit)
    }

    /// Adds to the transcript `line`, or a note that none came within `limit`. Also returns how long the bot took.
    fn record(&mut self, line: ReadLine, thinking: AnswerTimer, limit: Duration) -> Talk<(LineRead, AnswerTime)> {
        self.waits = thinking.saw_waiting();
        let is_late = line == ReadLine::TimedOut && !self.waits;
        if is_late {
            self.check_time()?;
        }
        let waited = thinking.waited(&mut self.session)?;
        let took = AnswerTime { own_wall: thinking.wall().saturating_sub(waited), waited };
        if self.waits {
            self.late = None;
        } else if is_late {
            let used = thinking.ran(&mut self.session)?;
            self.late = Some(LateAnswer { used, rested: thinking.saw_rest(), ..LateAnswer::new(limit, waited) });
        }
        let read = self.received(line)?;
        match read {
            LineRead::TimedOut(_) => self.note(silence(limit, self.waits)),
            LineRead::Ended(_) => self.note(LineEvent::Note("its output ended".to_string())),
            LineRead::Line(_) | LineRead::TooLong(_) => {}
        }
        Ok((read, took))
    }

    /// What was read, after it is noted.
    fn received(&mut self, line: ReadLine) -> Talk<LineRead> {
        let read = match line {
            ReadLine::Read(line) => LineRead::Line(line),
            ReadLine::TimedOut => {
                let rest = self.session.pending().map_err(SandboxError::Lost)?;
                // A whole line may have come since the deadline. It is late, but not unfinished.
                LineRead::TimedOut(if rest.contains(&b'\n') { Vec::new() } else { rest.to_vec() })
            }
            ReadLine::Ended(rest) => LineRead::Ended(rest),
            ReadLine::TooLong(start) => LineRead::TooLong(start),
        };
        match &read {
            LineRead::Line(line) => self.note(LineEvent::Received([line.as_slice(), b"\n"].concat())),
            LineRead::TimedOut(rest) | LineRead::Ended(rest) | LineRead::TooLong(rest) if !rest.is_empty() => {
                self.note(LineEvent::Received(rest.clone()));
            }
            _ => {}
        }
        Ok(read)
    }

    /// Whether no line came because the bot was seen to wait for input: more time would not have helped it.
    pub(crate) fn waits_for_input(&self) -> bool {
        self.waits
    }

    /// Reads the answer to what was sent last, within the hard limit; or, if the bot was sent `time`, within the
    /// minimum time that the `clock` grants for each move from then on (G3). Its time is noted with `place`, which
    /// reports show.
    pub(crate) fn answer(&mut self, place: &str, clock: Option<GameClock>) -> Talk<LineRead> {
        let (read, took) = match clock {
            None => self.read_line_timed(self.limits.hard)?,
            Some(clock) => {
                let (line, thinking) = self.line_by(clock)?;
                self.record(line, thinking, thinking.wall())?
            }
        };
        if matches!(read, LineRead::Line(_)) {
            self.answers += 1;
            self.thought += took.own_wall;
            if self.slowest.as_ref().is_none_or(|(_, slowest)| took.own_wall > slowest.own_wall) {
                self.slowest = Some((place.to_string(), took));
            }
            if clock.is_some_and(|clock| took.own_wall > clock.minimum) {
                self.beyond_minimum.get_or_insert_with(|| (place.to_string(), took));
            }
        }
        Ok(read)
    }

    /// Reads a line within the minimum time of `clock`, as if its budget were used up.
    fn line_by(&mut self, clock: GameClock) -> Talk<(ReadLine, AnswerTimer)> {
        let cores = machine::cores() as u32;
        let mut running = RunningClock::new(GameClock { budget: Duration::ZERO, ..clock });
        running.start_move();
        // The longest wall time for a bot that uses hardly any processor time.
        let longest = clock.minimum.saturating_mul(clock.guard);
        let mut thinking = AnswerTimer::begin().watching(STILL, longest);
        let before = self.session.usage()?.processor_time();
        let mut wait = running.first_check(cores);
        loop {
            let is_last = self.within_time(wait) < wait;
            let deadline = Instant::now() + self.within_time(wait);
            match thinking.line_before(&mut self.session, self.limits.output, deadline, &mut || Ok(false))? {
                ReadLine::TimedOut if !thinking.saw_waiting() && !is_last => {}
                line => return Ok((line, thinking)),
            }
            let used = thinking.used(&mut self.session, before)?;
            match running.check(used.cpu, used.own_wall, cores) {
                ClockStatus::Wait(longer) => wait = longer,
                ClockStatus::BudgetSpent | ClockStatus::Exhausted => return Ok((ReadLine::TimedOut, thinking)),
            }
        }
    }

    /// Reads what the bot writes within `time` although no answer is due, or until it is seen to wait for input.
    pub(crate) fn read_unsolicited(&mut self, time: Duration) -> Talk<UnsolicitedOutput> {
        let deadline = Instant::now() + time;
        let mut unasked = UnsolicitedOutput::default();
        self.waits = false;
        loop {
            let mut watching = AnswerTimer::begin().watching(BRIEFLY_STILL, time);
            let line = watching.line_before(&mut self.session, self.limits.output, deadline, &mut || Ok(false));
            match self.received(line?)? {
                LineRead::Line(line) => unasked.lines.push(line),
                LineRead::TimedOut(rest) => unasked.unfinished = rest,
                LineRead::Ended(rest) => (unasked.unfinished, unasked.gone) = (rest, true),
                LineRead::TooLong(_) => unasked.flood = true,
            }
            let over = Instant::now() >= deadline
                || watching.saw_waiting()
                || unasked.gone
                || !unasked.unfinished.is_empty();
            unasked.flood |= unasked.lines.len() > MOST_UNASKED;
            if over || unasked.flood {
                if !watching.saw_waiting() && !unasked.gone && unasked.is_nothing() {
                    let waited = watching.waited(&mut self.session)?;
                    self.late.get_or_insert(LateAnswer::new(time, waited));
                }
                return Ok(unasked);
            }
        }
    }

    /// Closes the bot's input. Its output can still be read.
    pub(crate) fn close_input(&mut self) {
        self.note(LineEvent::Note("its input ended".to_string()));
        self.session.close_input();
    }

    /// The user time of the bot so far, counted by the kernel in ticks.
    pub(crate) fn user_time(&mut self) -> Talk<Duration> {
        self.session.usage().map(|usage| usage.cpu.user)
    }

    /// How many processes and threads the bot has now.
    pub(crate) fn tasks(&mut self) -> Talk<Tasks> {
        self.session.usage().map(|usage| usage.tasks)
    }
}
