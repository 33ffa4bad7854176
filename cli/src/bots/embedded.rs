//! The programs of reference bots inside this program: compressed together, and unpacked into the cache one by one.
//!
//! `cargo xtask dist` makes the files that are embedded here. Each bot is a program of its own, because records name a
//! bot by the hash of its program.

use crate::CliError;
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

#[derive(Deserialize)]
struct Embedded {
    name: String,
    /// Its size in bytes.
    bytes: usize,
    sha256: String,
}

/// The program of a reference bot, in the cache.
pub(super) fn locate(name: &str) -> Result<PathBuf, CliError> {
    let (before, embedded) = listed(name).map_err(CliError::of_machine)?;
    let unpack = || -> io::Result<Vec<u8>> {
        let mut programs = zstd::Decoder::new(PROGRAMS)?;
        io::copy(&mut programs.by_ref().take(before), &mut io::sink())?;
        let mut bytes = vec![0; embedded.bytes];
        programs.read_exact(&mut bytes)?;
        Ok(bytes)
    };
    let unpacked = toolchain::unpacked(name, &embedded.sha256, unpack);
    Ok(unpacked.map_err(|source| BotError::Build { path: name.into(), source })?)
}

/// The program `name` in the list, with the number of bytes of the programs before it.
fn listed(name: &str) -> anyhow::Result<(u64, Embedded)> {
    let list: Vec<Embedded> = serde_json::from_str(LIST).context("reading the list of reference bots")?;
    let mut before = 0;
    for program in list {
        if program.name == name {
            return Ok((before, program));
        }
        before += program.bytes as u64;
    }
    anyhow::bail!("the reference bot {name} is not inside this program")
}
