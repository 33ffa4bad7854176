//! The machine that games are played on, as records name it.

use crate::record::host_name;
use rustix::thread::CpuSet;
use serde::{Deserialize, Serialize};
use std::fs;

/// A machine, or one of several programs on it that play games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Its name in the record: [`GameRecord::host`](crate::record::GameRecord::host).
    pub name: String,
    /// The model of its processor; empty if unknown.
    pub processor: String,
    /// The number of processors that may be used.
    pub cores: u32,
    /// The kernel's name and version.
    pub kernel: String,
}

impl Machine {
    /// This machine.
    pub fn this() -> Machine {
        Machine {
            name: host_name().to_string(),
            processor: processor(&fs::read_to_string("/proc/cpuinfo").unwrap_or_default()),
            cores: cores() as u32,
            kernel: kernel(),
        }
    }
}

/// The number of processors that may be used.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Pins this thread, which is the worker with this number, and all processes that it starts to one of the processors
/// that it may use. A program and its bot answer each other faster on one processor than on two.
pub fn pin(worker: usize) {
    let Ok(allowed) = rustix::thread::sched_getaffinity(None) else { return };
    let cores: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect();
    let Some(&core) = cores.get(worker % cores.len().max(1)) else { return };
    let mut own = CpuSet::new();
    own.set(core);
    // Pinning only saves time, so a refusal is ignored.
    rustix::thread::sched_setaffinity(None, &own).ok();
}

/// The memory of this machine, in bytes.
pub fn memory() -> u64 {
    let found = rustix::system::sysinfo();
    found.totalram as u64 * u64::from(found.mem_unit.max(1))
}

/// The kernel's name and version.
pub fn kernel() -> String {
    let name = rustix::system::uname();
    format!("{} {}", name.sysname().to_string_lossy(), name.release().to_string_lossy())
}

/// The model in the text of `/proc/cpuinfo`. Kernels for ARM give only numbers, of its maker and of its part.
fn processor(cpuinfo: &str) -> String {
    let value = |key: &str| {
        let mut fields = cpuinfo.lines().filter_map(|line| line.split_once(':'));
        fields.find(|(name, _)| name.trim() == key).map(|(_, value)| value.trim().to_string())
    };
    let model = ["model name", "Model", "cpu model"].iter().find_map(|key| value(key));
    let numbers = || Some(format!("implementer {}, part {}", value("CPU implementer")?, value("CPU part")?));
    model.or_else(numbers).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_is_named_as_the_kernel_names_it() {
        for (cpuinfo, name) in [
            (
                "processor\t: 0\nmodel\t\t: 85\nmodel name\t: Xeon 8259CL @ 2.50GHz\n\nprocessor\t: 1\n",
                "Xeon 8259CL @ 2.50GHz",
            ),
            ("processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n", "implementer 0x41, part 0xd0c"),
            ("", ""),
        ] {
            assert_eq!(processor(cpuinfo), name);
        }
    }
}
