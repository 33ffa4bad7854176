//! Messages between a sandbox and its server: a length of four bytes, then the message in postcard's form.

use super::level::{Level, Refusal};
use super::order::{Limits, Order, Program};
use super::report::RunReport;
use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
    recvmsg, sendmsg,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::Duration;

/// What a sandbox asks of its server.
#[derive(Debug, Serialize, Deserialize)]
pub enum Request {
    /// The first one: make ready for this program.
    Open(Opening),
    /// Run the bot once.
    Run(Order),
    /// Start the bot for a whole game.
    Start(Order),
    /// End it, by force after this time.
    Finish(Duration),
    /// The content of a mark's state file.
    ReadState(u8),
    /// Put this into a mark's state file; `None` removes whatever stands at its place.
    WriteState(u8, Option<Vec<u8>>),
}

/// A sandbox to be made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Opening {
    /// What will run in it.
    pub program: Program,
    /// What each run may use.
    pub limits: Limits,
    /// The level to set up, and no other.
    pub level: Level,
    /// Whether the bot's own folder is a copy, so that it can be seen what it would write there.
    pub watchful: bool,
    /// The folders of the control group that the bot is to be in.
    pub group: Vec<PathBuf>,
    /// What is not to be visible though it lies in a system folder.
    pub hidden: Vec<PathBuf>,
}

/// What the server answers.
#[derive(Debug, Serialize, Deserialize)]
pub enum Reply {
    /// To `Open`: the level is in force.
    Opened,
    /// To `Open`: this step was refused. The server ends.
    Refused(Refusal),
    /// To `Run` and `Finish`, and to `Start` when the bot cannot be started; with the processor time that the
    /// server itself has used so far.
    Ran(RunReport, Duration),
    /// To `Start`: the bot's standard input and output follow.
    Started,
    /// To the requests about state files; `None` when there is no regular file.
    State(Option<Vec<u8>>),
    /// What could not be done, and why: a failure of ours, not of the bot.
    Failed(String),
}

/// Sends one message.
pub fn send(socket: &mut UnixStream, message: &impl Serialize) -> io::Result<()> {
    let framed = postcard::to_extend(message, vec![0; 4]).map_err(io::Error::other)?;
    let mut framed = framed;
    let length = u32::try_from(framed.len() - 4).map_err(io::Error::other)?;
    framed[..4].copy_from_slice(&length.to_le_bytes());
    socket.write_all(&framed)
}

/// Receives one message; `None` when the other side is gone.
pub fn receive<M: DeserializeOwned>(socket: &mut UnixStream) -> io::Result<Option<M>> {
    let mut length = [0; 4];
    match socket.read_exact(&mut length) {
        Ok(()) => {}
        Err(gone) if gone.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        Err(gone) if gone.raw_os_error() == Some(Errno::CONNRESET.raw_os_error()) => return Ok(None),
        Err(failed) => return Err(failed),
    }
    let mut message = vec![0; u32::from_le_bytes(length) as usize];
    socket.read_exact(&mut message)?;
    postcard::from_bytes(&message).map(Some).map_err(io::Error::other)
}

/// Sends a bot's standard input and output.
pub fn send_streams(socket: &UnixStream, streams: [BorrowedFd; 2]) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(2))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    control.push(SendAncillaryMessage::ScmRights(&streams));
    // Descriptors travel with at least one byte.
    sendmsg(socket, &[io::IoSlice::new(&[0])], &mut control, SendFlags::NOSIGNAL)?;
    Ok(())
}

/// Receives them.
pub fn receive_streams(socket: &UnixStream) -> io::Result<[OwnedFd; 2]> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(2))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    recvmsg(socket, &mut [io::IoSliceMut::new(&mut byte)], &mut control, RecvFlags::CMSG_CLOEXEC)?;
    let mut streams = Vec::new();
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(fds) = message {
            streams.extend(fds);
        }
    }
    streams.try_into().map_err(|_| io::Error::other("the bot's streams did not come"))
}

/// Reads what is in `file` now, up to `most` bytes, without waiting for more. Whether it reached the end.
pub fn read_available(file: &mut File, into: &mut Vec<u8>, most: usize) -> io::Result<bool> {
    let mut chunk = [0; 16 * 1024];
    while into.len() < most {
        let room = chunk.len().min(most - into.len());
        match file.read(&mut chunk[..room]) {
            Ok(0) => return Ok(true),
            Ok(n) => into.extend_from_slice(&chunk[..n]),
            Err(e) if e.kind() == io::ErrorKind::WouldBlock => return Ok(false),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(false)
}
