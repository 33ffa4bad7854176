//! Messages between a sandbox and its server: a length of four bytes, then the message in postcard's form.

use super::calls::ObservedCall;
use super::level::{Level, Refusal};
use super::report::{RunReport, Usage};
use super::run_request::{Limits, Program, RunRequest};
use super::{bytes, paths};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;
use rustix::io::{Errno, ReadWriteFlags, preadv2};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
    recvmsg, sendmsg,
};
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
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a sandbox asks of its server.
#[derive(Debug, Serialize, Deserialize)]
pub enum Request<'a> {
    /// The first one: make ready for this program.
    Open(SandboxSpec),
    /// Run the bot once.
    Run(Cow<'a, RunRequest>),
    /// The same with this input, given whole: most runs differ in nothing else.
    RunAgain(#[serde(with = "bytes")] Cow<'a, [u8]>),
    /// Start the bot for a whole game.
    Start(Cow<'a, RunRequest>),
    /// Run the bot once, slowly, and see which system calls it makes.
    Trace(Cow<'a, RunRequest>),
    /// What it has used and started so far.
    Usage,
    /// The same; its waiting is counted from now on.
    BeginWaiting,
    /// Whether it waits for a processor just now.
    IsWaiting,
    /// The program's own folder as it is here.
    Folder,
    /// End it, by force after this time.
    Finish(Duration),
    /// Stop all that the bot runs, or let it go on, where there is no control group to do so.
    Freeze(bool),
    /// Go on in a sandbox as new, in which nothing of what ran before is left. Answered like `Open`.
    Renew,
    /// The content of a mark's state file.
    ReadState(u8),
    /// Put this into a mark's state file; `None` removes whatever stands at its place.
    WriteState(u8, Option<Vec<u8>>),
}

/// A sandbox to be made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SandboxSpec {
    /// What will run in it.
    pub program: Program,
    /// What each run may use.
    pub limits: Limits,
    /// The level to set up, and no other.
    pub level: Level,
    /// Whether the bot's own folder is a copy, so that it can be seen what it would write there.
    pub watchful: bool,
    /// Whether the program may write into its own folder.
    pub builds: bool,
    /// Whether its system calls are to be seen.
    pub traces: bool,
    /// The folders of the control group that the bot is to be in.
    #[serde(with = "paths")]
    pub group: Vec<PathBuf>,
}

/// What the server answers.
#[derive(Debug, Serialize, Deserialize)]
pub enum Reply {
    /// To `Open` and `Renew`: the level is in force; with the processor time that the server has used so far.
    Opened(Duration),
    /// To `Open` and `Renew`: this step was refused. The server ends.
    Refused(Refusal),
    /// To `Run`, `Again` and `Finish`, and to `Start` when the bot cannot be started; with the processor time that the
    /// server itself has used so far, unless the run was too brief to look into the control group's accounts.
    Ran(RunReport, Option<Duration>),
    /// To `Trace`.
    Traced(Vec<ObservedCall>, RunReport),
    /// To `Start`: the bot's standard input and output follow. To `Folder`: the folder does, twice.
    Started,
    /// To `Usage`.
    Usage(Usage),
    /// To the requests about state files; `None` when there is no regular file.
    State(Option<Vec<u8>>),
    /// To `WaitMeter`: for how long it was looked, if it waited all the time.
    Waited(Duration),
    /// To `Freeze`: processor time of all that was stopped or goes on.
    Frozen(Duration),
    /// What could not be done, and why: a failure of ours, not of the bot.
    Failed(String),
}

/// One end of what a sandbox and its server speak through. Either side sends only when it is its turn.
///
/// Messages go through pipes, which the kernel passes them on through in half the time that a socket needs.
/// Only descriptors, the pipes' own for a start, need a socket.
#[derive(Debug)]
pub struct Channel {
    /// `None` once this side has said its last.
    to: Option<File>,
    from: File,
    socket: UnixStream,
    outgoing: Vec<u8>,
    incoming: Vec<u8>,
}

impl Channel {
    /// What most messages have room in, so that one call of the system receives them.
    const USUAL: usize = 8 * 1024;

    /// The length that each message begins with.
    const PREFIX: usize = 4;

    /// A new channel, and the socket from which the other side makes its end.
    pub fn open() -> io::Result<(Channel, UnixStream)> {
        let (socket, theirs) = UnixStream::pair()?;
        let (their_from, to) = pipe_with(PipeFlags::CLOEXEC)?;
        let (from, their_to) = pipe_with(PipeFlags::CLOEXEC)?;
        let channel = Channel::of([to, from], socket);
        channel.send_descriptors([their_to.as_fd(), their_from.as_fd()])?;
        Ok((channel, theirs))
    }

    /// The other end.
    pub fn accept(socket: UnixStream) -> io::Result<Channel> {
        Ok(Channel::of(receive_descriptors(&socket)?, socket))
    }

    fn of([to, from]: [OwnedFd; 2], socket: UnixStream) -> Channel {
        let (to, from) = (Some(File::from(to)), File::from(from));
        Channel { to, from, socket, outgoing: vec![0; Channel::USUAL], incoming: Vec::new() }
    }

    /// Sends one message.
    pub fn send(&mut self, message: &impl Serialize) -> io::Result<()> {
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
        self.to.as_ref().ok_or(io::ErrorKind::BrokenPipe)?.write_all(framed)
    }

    /// Receives one message; `None` when the other side is gone.
    pub fn receive<M: DeserializeOwned>(&mut self) -> io::Result<Option<M>> {
        // Its length stays: to fill it with zeroes for every message would be half the work.
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
            return Err(io::Error::other("a message came out of turn"));
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

    /// Reads on behind the first `have` bytes of what is coming in; 0 when the other side is gone.
    fn read(&mut self, have: usize) -> io::Result<usize> {
        loop {
            match self.from.read(&mut self.incoming[have..]) {
                Err(again) if again.kind() == io::ErrorKind::Interrupted => {}
                other => return other,
            }
        }
    }

    /// Says that this side has said its last, and waits until the other has gone.
    pub fn close(&mut self) {
        self.to = None;
        self.incoming.resize(Channel::USUAL, 0);
        while matches!(self.read(0), Ok(1..)) {}
    }

    /// Sends a bot's standard input and output.
    pub fn send_descriptors(&self, two: [BorrowedFd; 2]) -> io::Result<()> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(2))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        control.push(SendAncillaryMessage::ScmRights(&two));
        // Descriptors travel with at least one byte.
        sendmsg(&self.socket, &[io::IoSlice::new(&[0])], &mut control, SendFlags::NOSIGNAL)?;
        Ok(())
    }

    /// Receives them.
    pub fn receive_descriptors(&self) -> io::Result<[OwnedFd; 2]> {
        receive_descriptors(&self.socket)
    }
}

fn receive_descriptors(socket: &UnixStream) -> io::Result<[OwnedFd; 2]> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(2))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    recvmsg(socket, &mut [io::IoSliceMut::new(&mut byte)], &mut control, RecvFlags::CMSG_CLOEXEC)?;
    let mut two = Vec::new();
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(fds) = message {
            two.extend(fds);
        }
    }
    two.try_into().map_err(|_| io::Error::other("the descriptors did not come"))
}

impl AsFd for Channel {
    /// Readable when the other side has said something, hung up when it is gone.
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.from.as_fd()
    }
}

/// Whether `file` is ready, or closed, before `deadline`.
pub fn wait_until(file: &File, wanted: PollFlags, deadline: Instant) -> io::Result<bool> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) };
        match poll(&mut [PollFd::new(file, wanted)], Some(&timeout)) {
            Ok(ready) => return Ok(ready > 0),
            Err(Errno::INTR) => {}
            Err(failed) => return Err(failed.into()),
        }
    }
}

/// Reads what is in `file` now, up to `most` bytes, without waiting for more. Whether it is known to be at its end.
pub fn read_available(file: &File, into: &mut Vec<u8>, most: usize) -> io::Result<bool> {
    // Most say less, and to fill more with zeroes would be half the work.
    let mut chunk = [0; 1024];
    while into.len() < most {
        let room = chunk.len().min(most - into.len());
        match read_now(file, &mut chunk[..room]) {
            Ok(0) => return Ok(true),
            Ok(n) => {
                into.extend_from_slice(&chunk[..n]);
                // A pipe that gave less than was asked for is empty: one question is saved.
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

/// Reads without waiting, whether or not `file` is one that never waits: making each pipe so would be a call more.
fn read_now(file: &File, into: &mut [u8]) -> Result<usize, Errno> {
    /// Set where pipes cannot be asked so (before Linux 6.5).
    static REFUSED: AtomicBool = AtomicBool::new(false);
    /// The place in a file that stands for "where it is now".
    const HERE: u64 = u64::MAX;
    if !REFUSED.load(Ordering::Relaxed) {
        match preadv2(file, &mut [io::IoSliceMut::new(into)], HERE, ReadWriteFlags::NOWAIT) {
            Err(Errno::OPNOTSUPP | Errno::NOSYS | Errno::INVAL) => REFUSED.store(true, Ordering::Relaxed),
            answered => return answered,
        }
    }
    rustix::fs::fcntl_setfl(file, OFlags::NONBLOCK)?;
    rustix::io::read(file, into)
}
