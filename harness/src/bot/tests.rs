//! The files that a bot can read and the limits it gets.

use super::*;
use crate::games::go::GTP;
use crate::toolchain::BuildOptions;
use crate::toolchain::language::Languages;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use tempfile::TempDir;

/// A temporary folder with these files, all executable.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, content).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    }
    folder
}

#[test]
fn a_bot_can_read_what_the_toolchain_of_its_tool_reads() {
    let folder = folder(&[
        ("conf-1/x", ""),
        ("conf-2/x", ""),
        ("script", "#!/bin/sh\n"),
        ("by-env", "#!/usr/bin/env -S sh\n"),
        ("other", "#!/bin/bash\n"),
        ("named/bot.toml", "run = [\"sh\", \"bot\"]\n"),
        ("own/bot.toml", "run = [\"./bot\"]\n[limits]\nprocesses = 3\n"),
        ("own/bot", "#!/bin/sh\n"),
    ]);
    let at = folder.path().canonicalize().unwrap();
    let text = format!(
        "[[language]]\nname = \"X\"\nextensions = [\"x\"]\n[[language.toolchain]]\npackages = []\nrun = [\"sh\", \
         \"{{source}}\"]\nreads = [\"{0}/conf-*\", \"{0}/missing\"]\nrun_limits = {{ processes = 700 }}\n",
        at.display()
    );
    fs::write(at.join("languages.toml"), text).unwrap();
    let languages = Languages::with_file(&at.join("languages.toml")).unwrap();
    let check = |bot: &str, reads: bool, processes: u64| {
        let bot = Bot::load_with_options(
            &at.join(bot),
            BuildOptions { languages: &languages, ..BuildOptions::default() },
        )
        .unwrap();
        let seen = ["conf-1", "conf-2"].map(|conf| bot.program.parts.contains(&at.join(conf)));
        assert_eq!((seen, bot.limits.processes), ([reads; 2], processes), "{}: {:?}", bot.spec, bot.program.parts);
        assert!(!bot.program.parts.contains(&at.join("missing")));
    };
    check("script", true, 700);
    check("by-env", true, 700);
    check("named", true, 700);
    check("own", true, 3);
    check("other", false, Limits::default().processes);
}

#[test]
fn a_folder_beside_a_bot_is_not_part_of_it() {
    let folder = folder(&[
        ("bin/bot.toml", "run = [\"./bot\"]\n"),
        ("bin/bot", "#!/bin/sh\n"),
        ("bot/bin/foe", "#!/bin/sh\n"),
        ("bot/lib/x", ""),
        ("bot/bot.toml", "run = [\"bin/foe\"]\n"),
        ("lib/foe", ""),
    ]);
    let at = folder.path().canonicalize().unwrap();
    for (bot, part) in [("bin", "bin"), ("bin/bot.toml", "bin"), ("bin/bot", "bin/bot"), ("bot", "bot")] {
        assert_eq!(Bot::load(&at.join(bot)).unwrap().program.parts, [at.join(part)], "{bot}");
    }
    let engine = format!("{}/bot/bin/foe", at.display());
    assert_eq!(Bot::engine(GTP, &engine, Path::new("")).unwrap().program.parts, [at.join("bot/bin/foe")]);
}

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
