//! What the documents of a game need to be stored: compression, salt, and bytes as text.

use super::row::{Wrong, should_be};
use super::schema::text_of;
use crate::text::{from_hex, hex};
use flate2::read::ZlibDecoder;
use flate2::{Compress, Compression, FlushCompress, Status};
use rustix::rand::{GetRandomFlags, getrandom};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::cell::RefCell;
use std::io::Read;

/// Shorter logs are not compressed, because nothing would be gained.
const SHORT_LOG: usize = 100;

/// What a bot was sent or answered: text if it is UTF-8 without NUL, and else hexadecimal digits.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum BytesText<'a> {
    Text(#[serde(borrow)] Cow<'a, str>),
    Hex([String; 1]),
}

impl<'a> BytesText<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> BytesText<'a> {
        text_of(bytes).map_or_else(|| BytesText::Hex([hex(bytes)]), |text| BytesText::Text(text.into()))
    }

    pub(super) fn into_bytes(self, place: &str) -> Result<Vec<u8>, Wrong> {
        match self {
            BytesText::Text(text) => Ok(text.into_owned().into_bytes()),
            BytesText::Hex([digits]) => {
                from_hex(&digits).ok_or_else(|| should_be(place, "text, or hexadecimal digits in a list"))
            }
        }
    }
}

/// 128 random bits as hexadecimal digits.
pub(super) fn salt() -> String {
    let mut bits = [0u8; 16];
    getrandom(&mut bits, GetRandomFlags::empty()).expect("the kernel has random numbers");
    hex(&bits)
}

/// `log` in zlib's format, or unchanged if that is not shorter.
pub(super) fn compressed(log: Vec<u8>) -> Vec<u8> {
    if log.len() < SHORT_LOG {
        return log;
    }
    thread_local! {
        /// Kept, because it has a quarter of a megabyte of tables: to make them takes as long as to compress a short
        /// log.
        static COMPRESS: RefCell<Compress> = RefCell::new(Compress::new(Compression::default(), true));
    }
    let mut shorter = Vec::with_capacity(log.len());
    let status = COMPRESS.with_borrow_mut(|compress| {
        compress.reset();
        compress.compress_vec(&log, &mut shorter, FlushCompress::Finish)
    });
    // Any other status means that the output did not fit into `log.len()` bytes.
    let is_whole = matches!(status, Ok(Status::StreamEnd));
    if is_whole && shorter.len() < log.len() { shorter } else { log }
}

/// The log of `size` bytes that was stored as `log`.
pub(super) fn uncompressed(log: Vec<u8>, size: usize) -> Result<Vec<u8>, Wrong> {
    if log.len() == size {
        return Ok(log);
    }
    // A wrong size must not make the list large.
    let mut whole = Vec::with_capacity(size.min(log.len() * 16));
    let read = ZlibDecoder::new(&*log).take(size as u64 + 1).read_to_end(&mut whole);
    if read.is_ok() && whole.len() == size {
        Ok(whole)
    } else {
        Err(should_be("games.log", "a log of games.size bytes"))
    }
}
