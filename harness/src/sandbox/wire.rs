//! Messages between a sandbox and its server: a length of four bytes, then the message in postcard's form.

use super::level::{Level, Refusal};
use super::order::{Limits, Order, Program};
use super::report::{Cpu, RunReport, Tasks};
use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
    recvmsg, sendmsg,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::Duration;

/// What a sandbox asks of its server.
#[derive(Debug, Serialize, Deserialize)]
pub enum Request<'a> {
    /// The first one: make ready for this program.
    Open(Opening),
    /// Run the bot once.
    Run(Cow<'a, Order>),
    /// Start the bot for a whole game.
    Start(Cow<'a, Order>),
    /// The processor time that it has used so far.
    Usage,
    /// Tell how many processes and threads there are below the server.
    Tasks,
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
    /// To `Open`: the level is in force; with the processor time that the server has used so far.
    Opened(Duration),
    /// To `Open`: this step was refused. The server ends.
    Refused(Refusal),
    /// To `Run` and `Finish`, and to `Start` when the bot cannot be started; with the processor time that the
    /// server itself has used so far.
    Ran(RunReport, Duration),
    /// To `Start`: the bot's standard input and output follow.
    Started,
    /// To `Usage`.
    Usage(Cpu),
    /// To `Tasks`.
    Tasks(Tasks),
    /// To the requests about state files; `None` when there is no regular file.
    State(Option<Vec<u8>>),
    /// What could not be done, and why: a failure of ours, not of the bot.
    Failed(String),
}

/// One end of the socket between a sandbox and its server. Either side sends only when it is its turn.
#[derive(Debug)]
pub struct Channel {
    socket: UnixStream,
    outgoing: Vec<u8>,
    incoming: Vec<u8>,
}

impl Channel {
    /// What most messages have room in, so that one call of the system receives them.
    const USUAL: usize = 8 * 1024;

    /// The length that each message begins with.
    const PREFIX: usize = 4;

    /// The channel over this socket.
    pub fn new(socket: UnixStream) -> Channel {
        Channel { socket, outgoing: Vec::new(), incoming: Vec::new() }
    }

    /// The socket itself.
    pub fn socket(&self) -> &UnixStream {
        &self.socket
    }

    /// Sends one message.
    pub fn send(&mut self, message: &impl Serialize) -> io::Result<()> {
        let mut framed = std::mem::take(&mut self.outgoing);
        framed.clear();
        framed.resize(Channel::PREFIX, 0);
        framed = postcard::to_extend(message, framed).map_err(io::Error::other)?;
        let length = u32::try_from(framed.len() - Channel::PREFIX).map_err(io::Error::other)?;
        framed[..Channel::PREFIX].copy_from_slice(&length.to_le_bytes());
        self.socket.write_all(&framed)?;
        framed.shrink_to(Channel::USUAL);
        self.outgoing = framed;
        Ok(())
    }

    /// Receives one message; `None` when the other side is gone.
    pub fn receive<M: DeserializeOwned>(&mut self) -> io::Result<Option<M>> {
        self.receive_by(Channel::USUAL)
    }

    /// The same where a bot's streams may follow the message, which would be lost by reading too far.
    pub fn receive_before_streams<M: DeserializeOwned>(&mut self) -> io::Result<Option<M>> {
        self.receive_by(Channel::PREFIX)
    }

    /// Receives one message, of which `at_first` bytes are asked for before its length is known.
    fn receive_by<M: DeserializeOwned>(&mut self, at_first: usize) -> io::Result<Option<M>> {
        self.incoming.resize(at_first, 0);
        self.incoming.shrink_to(Channel::USUAL);
        let mut have = 0;
        while have < Channel::PREFIX {
            match self.socket.read(&mut self.incoming[have..]) {
                Ok(0) => return Ok(None),
                Ok(n) => have += n,
                Err(again) if again.kind() == io::ErrorKind::Interrupted => {}
                Err(gone) if gone.kind() == io::ErrorKind::ConnectionReset => return Ok(None),
                Err(failed) => return Err(failed),
            }
        }
        let prefix = self.incoming.first_chunk().ok_or(io::ErrorKind::UnexpectedEof)?;
        let end = Channel::PREFIX + u32::from_le_bytes(*prefix) as usize;
        if have > end {
            return Err(io::Error::other("a message came out of turn"));
        }
        self.incoming.resize(end, 0);
        self.socket.read_exact(&mut self.incoming[have..])?;
        postcard::from_bytes(&self.incoming[Channel::PREFIX..]).map(Some).map_err(io::Error::other)
    }

    /// Sends a bot's standard input and output.
    pub fn send_streams(&self, streams: [BorrowedFd; 2]) -> io::Result<()> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(2))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        control.push(SendAncillaryMessage::ScmRights(&streams));
        // Descriptors travel with at least one byte.
        sendmsg(&self.socket, &[io::IoSlice::new(&[0])], &mut control, SendFlags::NOSIGNAL)?;
        Ok(())
    }

    /// Receives them.
    pub fn receive_streams(&self) -> io::Result<[OwnedFd; 2]> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(2))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let mut byte = [0];
        recvmsg(&self.socket, &mut [io::IoSliceMut::new(&mut byte)], &mut control, RecvFlags::CMSG_CLOEXEC)?;
        let mut streams = Vec::new();
        for message in control.drain() {
            if let RecvAncillaryMessage::ScmRights(fds) = message {
                streams.extend(fds);
            }
        }
        streams.try_into().map_err(|_| io::Error::other("the bot's streams did not come"))
    }
}

impl AsFd for Channel {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

/// Reads what is in `file` now, up to `most` bytes, without waiting for more. Whether it is known to be at its end.
pub fn read_available(file: &mut File, into: &mut Vec<u8>, most: usize) -> io::Result<bool> {
    let mut chunk = [MaybeUninit::uninit(); 16 * 1024];
    while into.len() < most {
        let room = chunk.len().min(most - into.len());
        match rustix::io::read(&*file, &mut chunk[..room]) {
            Ok(([], _)) => return Ok(true),
            Ok((read, unfilled)) => {
                into.extend_from_slice(read);
                // A pipe that gave less than was asked for is empty: one question is saved.
                if !unfilled.is_empty() {
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

/// Bytes as postcard's bytes: copied at once, where a plain `Vec<u8>` goes number by number.
pub mod bytes {
    use serde::de::{Error, Visitor};
    use serde::{Deserializer, Serializer};
    use std::fmt;

    /// For `#[serde(with)]`.
    pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(bytes)
    }

    /// For `#[serde(with)]`.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        struct Bytes;
        impl Visitor<'_> for Bytes {
            type Value = Vec<u8>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
                Ok(bytes.to_vec())
            }
        }
        deserializer.deserialize_byte_buf(Bytes)
    }
}
