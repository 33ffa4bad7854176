//! The programs of reference bots inside this program: compressed together, and unpacked into the cache one by one.
//!
//! `cargo xtask dist` makes the files that are embedded here. Each bot is a program of its own, because records name a
//! bot by the hash of its program.

use crate::exit::CliError;
use anyhow::Context;
use cornerman_harness::bot::BotError;
use cornerman_harness::toolchain;
use serde::Deserialize;
use std::io::{self, Read};
use std::path::PathBuf;

/// The list of the programs, as JSON.
const LIST: &str = include_str!(concat!(env!("CORNERMAN_BOTS"), "/programs.json"));

/// The programs, one after another in the order of the list, compressed by zstd.
static PROGRAMS: &[u8] = include_bytes!(concat!(env!("CORNERMAN_BOTS"), "/programs.zst"));

/// A program in the list.
#[derive(Deserialize)]
struct Embedded {
    name: String,
    /// Its size in bytes.
    bytes: usize,
    sha256: String,
}

/// The program of a reference bot, in the cache.
///
/// # Errors
/// When the cache cannot be used.
pub(super) fn of(name: &str) -> Result<PathBuf, CliError> {
    let list: Vec<Embedded> = serde_json::from_str(LIST).context("the list of reference bots is damaged")?;
    let at = list.iter().position(|program| program.name == name);
    let at = at.with_context(|| format!("the reference bot {name} is not inside this program"))?;
    let unpack = || -> io::Result<Vec<u8>> {
        let before: usize = list[..at].iter().map(|program| program.bytes).sum();
        let mut programs = zstd::Decoder::new(PROGRAMS)?;
        io::copy(&mut programs.by_ref().take(before as u64), &mut io::sink())?;
        let mut program = vec![0; list[at].bytes];
        programs.read_exact(&mut program)?;
        Ok(program)
    };
    let unpacked = toolchain::unpacked(name, &list[at].sha256, unpack);
    Ok(unpacked.map_err(|source| BotError::Build { path: name.into(), source })?)
}
