//! Checks that a program runs on other machines and says nothing of the one that it was built on.

use anyhow::{Context, ensure};
use elf::ElfBytes;
use elf::abi::DT_NEEDED;
use elf::endian::LittleEndian;
use std::path::Path;

/// The libraries that every Linux with glibc has.
const LIBRARIES: [&str; 7] = [
    "ld-linux-x86-64.so.2",
    "libc.so.6",
    "libdl.so.2",
    "libm.so.6",
    "libpthread.so.0",
    "librt.so.1",
    "libutil.so.1",
];

/// A version of glibc: 2.17 is `(2, 17)`.
pub type Glibc = (u32, u32);

/// The oldest glibc that `program` runs with.
///
/// # Errors
/// When it needs a library that is neither one of `LIBRARIES` nor one of `others`, or names one of the folders
/// `hidden`.
pub fn check(program: &Path, hidden: &[&Path], others: &[&str]) -> anyhow::Result<Glibc> {
    let bytes = std::fs::read(program).with_context(|| format!("reading {}", program.display()))?;
    for folder in hidden {
        let path = folder.as_os_str().as_encoded_bytes();
        let found = memchr::memmem::find(&bytes, path).map(|at| &bytes[at..bytes.len().min(at + 120)]);
        let shown = found.map(String::from_utf8_lossy).unwrap_or_default();
        ensure!(found.is_none(), "{} names a folder of this machine: {shown}", program.display());
    }
    let (libraries, versions) = needs(&bytes).with_context(|| format!("reading {} as ELF", program.display()))?;
    for library in libraries {
        let is_there = LIBRARIES.iter().chain(others).any(|known| *known == library);
        ensure!(is_there, "the program needs {library}, which not every machine has");
    }
    let glibc = versions.iter().filter_map(|version| read_version(version)).max();
    glibc.context("the program needs no version of glibc: is it static?")
}

/// The libraries that a program needs, and the versions of their symbols.
fn needs(bytes: &[u8]) -> anyhow::Result<(Vec<String>, Vec<String>)> {
    let file = ElfBytes::<LittleEndian>::minimal_parse(bytes)?;
    let found = file.find_common_data()?;
    let (entries, strings) = found.dynamic.zip(found.dynsyms_strs).context("it is not dynamic")?;
    let mut libraries = Vec::new();
    for entry in entries.iter().filter(|entry| entry.d_tag == DT_NEEDED) {
        libraries.push(strings.get(entry.d_val() as usize)?.to_string());
    }
    let table = file.symbol_version_table()?.context("its symbols have no versions")?;
    let mut versions = Vec::new();
    for symbol in 0..found.dynsyms.map_or(0, |symbols| symbols.len()) {
        versions.extend(table.get_requirement(symbol)?.map(|needed| needed.name.to_string()));
    }
    Ok((libraries, versions))
}

/// `GLIBC_2.17` as `(2, 17)`.
fn read_version(symbol: &str) -> Option<Glibc> {
    let mut numbers = symbol.strip_prefix("GLIBC_")?.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_numbers() {
        let check = |symbol: &str, version: Option<Glibc>| assert_eq!(read_version(symbol), version, "{symbol}");
        check("GLIBC_2.17", Some((2, 17)));
        check("GLIBC_2.2.5", Some((2, 2)));
        check("GLIBC_PRIVATE", None);
        check("GCC_3.0", None);
        assert!((2, 9) < (2, 17));
    }

    #[test]
    fn this_test_needs_a_glibc() {
        let own = std::env::current_exe().unwrap();
        let (libraries, versions) = needs(&std::fs::read(own).unwrap()).unwrap();
        assert!(libraries.contains(&"libc.so.6".to_string()), "{libraries:?}");
        assert!(versions.iter().filter_map(|version| read_version(version)).max() > Some((2, 2)), "{versions:?}");
    }
}
