//! Finding entries that are the same program under different names.

use super::Bot;
use crate::entry_files;
use crate::toolchain::hash;
use std::collections::BTreeSet;
use std::path::Path;

/// The pairs of `bots` that share the bytes of a file they run, or of everything their authors handed in, as pairs of
/// indices, the smaller first. Engines are left out: the same program plays differently with other options.
pub fn duplicates(bots: &[Bot]) -> Vec<(usize, usize)> {
    let contents: Vec<BTreeSet<String>> = bots.iter().map(contents).collect();
    let pairs = (0..bots.len()).flat_map(|second| (0..second).map(move |first| (first, second)));
    let are_duplicates = |&(first, second): &(usize, usize)| {
        bots[first].spec != bots[second].spec && !contents[first].is_disjoint(&contents[second])
    };
    pairs.filter(are_duplicates).collect()
}

/// The hashes of the bot's files that its command names, of its source and of its program; none of an engine.
pub fn contents(bot: &Bot) -> BTreeSet<String> {
    if bot.engine_protocol.is_some() && bot.source_sha256.is_none() {
        return BTreeSet::new();
    }
    let own = bot.program.argv.iter().map(Path::new).filter(|file| file.starts_with(&bot.program.folder));
    let named = own.filter(|file| file.is_absolute()).filter_map(|file| {
        let is_empty = entry_files::open(file).ok()?.metadata().ok()?.len() == 0;
        if is_empty { None } else { hash::of_file(file).ok() }
    });
    named.chain(bot.source_sha256.clone()).chain(bot.program_sha256.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_copy_under_another_name_is_a_duplicate() {
        let folder = tempfile::tempdir().unwrap();
        let load = |name: &str, files: &[(&str, &str)]| {
            for (file, content) in files {
                fs::create_dir_all(folder.path().join(name)).unwrap();
                fs::write(folder.path().join(name).join(file), content).unwrap();
            }
            let single = files.len() == 1;
            Bot::load(&if single { folder.path().join(name).join(files[0].0) } else { folder.path().join(name) })
        };
        let run = |name: &str| format!("name = \"{name}\"\nrun = [\"sh\", \"bot.sh\"]\n");
        let bots = [
            load("a", &[("bot.sh", "echo 1\n"), ("bot.toml", &run("a"))]),
            load("b", &[("bot.sh", "echo 2\n"), ("bot.toml", &run("b"))]),
            load("c", &[("copy.sh", "echo 1\n")]),
            load("d", &[("bot.sh", "echo 2\n"), ("bot.toml", &run("d"))]),
        ];
        assert_eq!(duplicates(&bots.map(Result::unwrap)), [(0, 2), (1, 3)]);
    }
}
