//! The messages between a sandbox and its server, and the channel between them. A message is sent as its length in four
//! bytes, followed by its content in postcard's format.

use super::calls::ObservedCall;
use super::client::Conditions;
use super::encoding::{bytes, paths};
use super::level::{Level, Refusal};
use super::report::{Activity, RunReport, Usage};
use super::run_request::{Limits, Program, RunRequest};
use super::sys::Pass;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recvmsg};
use rustix::pipe::{PipeFlags, pipe_with};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A request to a sandbox's server.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum ServerRequest<'a> {
    /// The first request: set up the sandbox.
    Open(SandboxSpec),
    /// Run the bot once.
    Run(Cow<'a, RunRequest>),
    /// Run the bot as last time, but with this input. Most runs differ only in that.
    RunAgain(#[serde(with = "bytes")] Cow<'a, [u8]>),
    /// Start the bot for a whole game.
    Start(Cow<'a, RunRequest>),
    /// Run the bot once and list its system calls.
    Trace(Cow<'a, RunRequest>),
    /// Report what the bot has used and started so far.
    Usage,
    /// Begin to measure the bot's waiting. Answered like `Usage`.
    BeginWaiting,
    /// Report how long the bot has waited for a processor since `BeginWaiting`.
    Waited,
    /// Watch the bot for a moment, and report what it does.
    Activity,
    /// Report for how long the bot was seen waiting for its input, which must be empty. The duration is how long its
    /// answer would still be awaited: a timeout of the bot that ends later does not matter.
    WaitsForInput(Duration),
    /// Send a descriptor of the program's own folder as it is in the sandbox.
    Folder,
    /// End the bot, by force after this time.
    Finish(Duration),
    /// Stop all processes of the bot, or resume them, where no control group can do that.
    Freeze(bool),
    /// End, so that the keeper starts another server, for which nothing remains of what ran before. That one answers as
    /// to `Open`.
    Renew,
    /// Read a state file.
    ReadState(#[serde(with = "paths")] PathBuf),
    /// Write a state file. `None` removes anything that is in its place.
    WriteState(#[serde(with = "paths")] PathBuf, Option<Vec<u8>>),
}

/// What a sandbox is set up for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SandboxSpec {
    pub program: Program,
    pub limits: Limits,
    /// The level to set up. If the machine refuses it, no other is tried.
    pub level: Level,
    pub conditions: Conditions,
    /// Whether the program was built with a sanitizer, which reserves terabytes of address space and uses little of
    /// them.
    pub is_sanitized: bool,
    /// The folders of the bot's control group; empty without one.
    #[serde(with = "paths")]
    pub group: Vec<PathBuf>,
}

/// A reply of the server.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum ServerReply {
    /// To `Open` and `Renew`: the level is in force. Contains the processor time that the server has used so far.
    Opened(Duration),
    /// To the same requests: the machine refused this step. The server ends.
    Refused(Refusal),
    /// To `Run`, `RunAgain` and `Finish`, and to `Start` if the bot cannot be started. Contains the processor time that
    /// the server has used so far, unless the run was too brief to read the control group's counters.
    Ran(RunReport, Option<Duration>),
    /// To `Trace`: the system calls, and the report.
    Traced(Vec<ObservedCall>, RunReport),
    /// To `Start`: descriptors of the bot's standard input and output, and of its own end of standard error, were sent
    /// before. To `Folder`: a descriptor of the folder.
    Started,
    /// To `Usage` and `BeginWaiting`.
    Usage(Usage),
    /// To the requests about state files: the content, or `None` if there is no regular file.
    State(Option<Vec<u8>>),
    /// To `Waited`. To `WaitsForInput`: for how long all checks have found the bot waiting for input.
    Waited(Duration),
    /// To `Activity`.
    Activity(Activity),
    /// To `Freeze`: the processor time used by all that was stopped or resumed.
    Frozen(Duration),
    /// The request failed for this reason, which is not the bot's fault.
    Failed(String),
}

/// The end of a pipe into which one side of a channel sends; `None` once it is closed, which another thread may do.
pub(crate) type SendingEnd = Arc<Mutex<Option<File>>>;

/// One end of the connection between a sandbox and its server. The two sides take turns in sending.
///
/// Messages go through pipes, which take half the time of a socket. A socket is needed only to send descriptors,
/// first those of the pipes themselves.
#[derive(Debug)]
pub(crate) struct Channel {
    to: SendingEnd,
    from: File,
    socket: UnixStream,
    outgoing: Vec<u8>,
    incoming: Vec<u8>,
}

impl Channel {
    /// The size of the buffers, in bytes. Most messages fit, so that one system call receives them.
    const USUAL: usize = 8 * 1024;

    /// The size of the length that precedes each message, in bytes.
    const PREFIX: usize = 4;

    /// Creates a channel, and the socket from which the other side accepts its end.
    pub(crate) fn open() -> io::Result<(Channel, UnixStream)> {
        let (socket, theirs) = UnixStream::pair()?;
        let (their_from, to) = pipe_with(PipeFlags::CLOEXEC)?;
        let (from, their_to) = pipe_with(PipeFlags::CLOEXEC)?;
        let channel = Channel::new([to, from], socket);
        channel.send_descriptors([their_to.as_fd(), their_from.as_fd()], Pass::default())?;
        Ok((channel, theirs))
    }

    /// Accepts the other end of the channel from `socket`.
    pub(crate) fn accept(socket: UnixStream) -> io::Result<Channel> {
        Ok(Channel::new(receive_descriptors(&socket)?, socket))
    }

    fn new([to, from]: [OwnedFd; 2], socket: UnixStream) -> Channel {
        let to = Arc::new(Mutex::new(Some(File::from(to))));
        let from = File::from(from);
        Channel { to, from, socket, outgoing: vec![0; Channel::USUAL], incoming: Vec::new() }
    }

    pub(crate) fn send(&mut self, message: &impl Serialize) -> io::Result<()> {
        let usual =
            postcard::to_slice(message, &mut self.outgoing[Channel::PREFIX..]).map(|written| written.len());
        let mut longer;
        let framed = match usual {
            Ok(length) => &mut self.outgoing[..Channel::PREFIX + length],
            Err(postcard::Error::SerializeBufferFull) => {
                longer = postcard::to_extend(message, vec![0; Channel::PREFIX]).map_err(io::Error::other)?;
                &mut longer[..]
            }
            Err(failed) => return Err(io::Error::other(failed)),
        };
        let length = u32::try_from(framed.len() - Channel::PREFIX).map_err(io::Error::other)?;
        framed[..Channel::PREFIX].copy_from_slice(&length.to_le_bytes());
        lock(&self.to).as_mut().ok_or(io::ErrorKind::BrokenPipe)?.write_all(framed)
    }

    /// Receives one message; `None` if the other side has closed its end.
    pub(crate) fn receive<M: DeserializeOwned>(&mut self) -> io::Result<Option<M>> {
        // The buffer keeps its length, because filling it with zeros again would take half the time of a message.
        self.incoming.resize(Channel::USUAL, 0);
        self.incoming.shrink_to(Channel::USUAL);
        let mut have = 0;
        while have < Channel::PREFIX {
            match self.read(have)? {
                0 => return Ok(None),
                n => have += n,
            }
        }
        let prefix = self.incoming.first_chunk().ok_or(io::ErrorKind::UnexpectedEof)?;
        let end = Channel::PREFIX + u32::from_le_bytes(*prefix) as usize;
        if have > end {
            return Err(io::Error::other("a message came before its turn"));
        }
        self.incoming.resize(end.max(Channel::USUAL), 0);
        while have < end {
            match self.read(have)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                n => have += n,
            }
        }
        postcard::from_bytes(&self.incoming[Channel::PREFIX..end]).map(Some).map_err(io::Error::other)
    }

    /// Reads more of a message after its first `have` bytes. Returns 0 if the other side has closed its end.
    fn read(&mut self, have: usize) -> io::Result<usize> {
        loop {
            match self.from.read(&mut self.incoming[have..]) {
                Err(again) if again.kind() == io::ErrorKind::Interrupted => {}
                other => return other,
            }
        }
    }

    /// Closes this side.
    pub(crate) fn hang_up(&mut self) {
        close(&self.to);
    }

    pub(crate) fn is_closed(&self) -> bool {
        lock(&self.to).is_none()
    }

    /// Where this side sends, to be [closed](close) by another thread.
    pub(crate) fn sending_end(&self) -> &SendingEnd {
        &self.to
    }

    /// Sends descriptors. A process under the filter needs its pass for that.
    pub(crate) fn send_descriptors<const N: usize>(
        &self,
        descriptors: [BorrowedFd; N],
        pass: Pass,
    ) -> io::Result<()> {
        Ok(pass.send_descriptors(self.socket.as_fd(), descriptors)?)
    }

    pub(crate) fn receive_descriptors<const N: usize>(&self) -> io::Result<[OwnedFd; N]> {
        receive_descriptors(&self.socket)
    }
}

/// Closes one side of a channel.
pub(crate) fn close(end: &SendingEnd) {
    *lock(end) = None;
}

fn lock(end: &SendingEnd) -> MutexGuard<'_, Option<File>> {
    end.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads `bytes` as a request and as a reply.
///
/// # Panics
/// When a message that was read cannot be written, and read again as the same.
pub fn read_as_messages(bytes: &[u8]) {
    fn again<T: Serialize + DeserializeOwned>(bytes: &[u8]) {
        let Ok(message) = postcard::from_bytes::<T>(bytes) else { return };
        let written = postcard::to_allocvec(&message).expect("messages have lengths");
        let read: T = postcard::from_bytes(&written).expect("what was written can be read");
        assert_eq!(postcard::to_allocvec(&read).as_ref(), Ok(&written));
    }
    again::<ServerRequest>(bytes);
    again::<ServerReply>(bytes);
}

/// The most descriptors that are sent together.
const MOST_DESCRIPTORS: usize = 3;

/// Receives what [`Pass::send_descriptors`] sent. Fails if the other side is closed.
pub(crate) fn receive_descriptors<const N: usize>(socket: &UnixStream) -> io::Result<[OwnedFd; N]> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_DESCRIPTORS))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    recvmsg(socket, &mut [io::IoSliceMut::new(&mut byte)], &mut control, RecvFlags::CMSG_CLOEXEC)?;
    let mut descriptors = Vec::new();
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(fds) = message {
            descriptors.extend(fds);
        }
    }
    descriptors.try_into().map_err(|_| io::Error::other("a message without the descriptors came"))
}

impl AsFd for Channel {
    /// Readable when the other side has sent something, hung up when it has closed its end.
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.from.as_fd()
    }
}

/// Waits until `file` is ready or closed. Returns `false` if that has not happened by `deadline`.
pub(crate) fn wait_until(file: &impl AsFd, wanted: PollFlags, deadline: Instant) -> io::Result<bool> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        match poll(&mut [PollFd::new(file, wanted)], Timespec::try_from(left).ok().as_ref()) {
            Ok(ready) => return Ok(ready > 0),
            Err(Errno::INTR) => {}
            Err(failed) => return Err(failed.into()),
        }
    }
}

/// Reads what is now available in `file`, which must be in non-blocking mode, until `into` has `most` bytes. Returns
/// whether it has reached the end of the file.
pub(crate) fn read_available(file: &File, into: &mut Vec<u8>, most: usize) -> io::Result<bool> {
    // Most outputs are shorter, and filling a larger buffer with zeros would take half the time.
    let mut chunk = [0; 1024];
    while into.len() < most {
        let room = chunk.len().min(most - into.len());
        match rustix::io::read(file, &mut chunk[..room]) {
            Ok(0) => return Ok(true),
            Ok(n) => {
                into.extend_from_slice(&chunk[..n]);
                // A pipe that returned fewer bytes than requested is empty, so save the next call.
                if n < room {
                    return Ok(false);
                }
            }
            Err(Errno::AGAIN) => return Ok(false),
            Err(Errno::INTR) => {}
            Err(failed) => return Err(failed.into()),
        }
    }
    Ok(false)
}
