//! Runs a bot once and lists its system calls.

use super::running::open_streams;
use super::{ServerState, cannot_start, sweep};
use crate::calls::{CallDecision, ObservedCall};
use crate::report::{Ended, RunReport};
use crate::run_request::{Input, RunRequest};
use crate::sys::{TraceEvent, Tracer};
use crate::wire::{ServerReply, read_available};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

/// How much longer than its hard limit a traced bot may run, because it is stopped at each call.
const PATIENCE: Duration = Duration::from_secs(20);

/// How often the bot's output is read.
const READ_EVERY: Duration = Duration::from_millis(20);

impl ServerState {
    /// Runs the bot, and counts the system calls that it and all its descendants make.
    pub(super) fn trace(&mut self, request: &RunRequest) -> io::Result<ServerReply> {
        let ([input, output, errors], bot_ends) = open_streams()?;
        let (Input::Whole(bytes) | Input::Dribbled(bytes) | Input::LeftOpen(bytes)) = &request.input;
        // Input beyond what fits in the pipe is left out.
        let _ = File::from(input).write(bytes);
        self.prepare(request, true)?;
        let started = Instant::now();
        let streams = bot_ends.each_ref().map(AsFd::as_fd);
        let child = match self.spawner.start(streams, true) {
            Ok(child) => child,
            Err(errno) => return Ok(ServerReply::Traced(Vec::new(), cannot_start(errno))),
        };
        drop(bot_ends);
        let streams = [File::from(output), File::from(errors)];
        let mut contents = [Vec::new(), Vec::new()];
        let mut drain = || -> io::Result<()> {
            for (stream, content) in streams.iter().zip(&mut contents) {
                read_available(stream, content, 1 << 20)?;
            }
            Ok(())
        };
        let mut calls = BTreeMap::new();
        let mut tracer = Tracer::new(self.setup.pass);
        let mut last_read = started;
        let ended = loop {
            match tracer.next(READ_EVERY)? {
                TraceEvent::Ended { pid, status } if pid == child.pid => break status.into(),
                TraceEvent::Call(made) => {
                    let none = ObservedCall { number: made.number, times: 0, refused: 0, refusal: None };
                    let observed = calls.entry(made.number).or_insert(none);
                    observed.times += 1;
                    if let CallDecision::Refused(errno) = made.answer(self.spec.level) {
                        observed.refused += 1;
                        observed.refusal.get_or_insert((errno, made.arguments));
                    }
                }
                TraceEvent::Ended { .. } | TraceEvent::Other => {}
            }
            if last_read.elapsed() > READ_EVERY {
                last_read = Instant::now();
                drain()?;
            }
            if started.elapsed() > self.spec.limits.hard + PATIENCE {
                sweep::kill_tree(child.pid, self.spec.level);
                break Ended::TimedOut;
            }
        };
        drain()?;
        sweep::sweep(child.pid, self.spec.level);
        if let Err(errno) = self.spawner.loaded() {
            return Ok(ServerReply::Traced(Vec::new(), cannot_start(errno)));
        }
        let [output, errors] = contents;
        let mut report =
            RunReport { output, stderr: errors, wall: started.elapsed(), ..RunReport::from_ended(ended) };
        self.note_files(None, request.state_file.as_deref(), false, &mut report)?;
        Ok(ServerReply::Traced(calls.into_values().collect(), report))
    }
}
