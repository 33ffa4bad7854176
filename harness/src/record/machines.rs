//! The machines that games were played on, and what each has built.

use super::{Record, RecordError, Writer};
use crate::machine::Machine;
use cornerman::format::EntrantId;
use rusqlite::params;
use serde::{Deserialize, Serialize};

/// The build of a bot on some machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuildFacts {
    /// The version line that the compiler or interpreter prints.
    pub toolchain: Option<String>,
    /// The SHA-256 of what is run, as 64 hexadecimal digits.
    pub program_sha256: Option<String>,
}

impl Record {
    /// The machines that games were played on, by name.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn machines(&self) -> Result<Vec<Machine>, RecordError> {
        self.list("SELECT host, processor, cores, kernel FROM machines ORDER BY host", |row| {
            Ok(Machine { name: row.get(0)?, processor: row.get(1)?, cores: row.get(2)?, kernel: row.get(3)? })
        })
    }
}

impl Writer {
    /// Records a machine, or what has changed about it.
    ///
    /// # Errors
    /// If the record cannot be written.
    pub fn add_machine(&mut self, machine: &Machine) -> Result<(), RecordError> {
        self.transaction("recording a machine", |db| {
            let Machine { name, processor, cores, kernel } = machine;
            let insert = "INSERT OR REPLACE INTO machines VALUES (?, ?, ?, ?)";
            db.execute(insert, params![name, processor, cores, kernel]).map(drop)
        })
    }

    /// Records the bots that the machine `host` has built: each entrant with the version of the toolchain and the
    /// SHA-256 of the program.
    ///
    /// # Errors
    /// If the machine is not recorded, or the record cannot be written.
    pub fn add_builds(&mut self, host: &str, builds: &[(EntrantId, BuildFacts)]) -> Result<(), RecordError> {
        self.transaction("recording builds", |db| {
            let mut insert = db.prepare_cached("INSERT OR REPLACE INTO builds VALUES (?, ?, ?, ?)")?;
            builds.iter().try_for_each(|(entrant, facts)| {
                insert.execute(params![host, entrant.0, facts.toolchain, facts.program_sha256]).map(drop)
            })
        })
    }
}
