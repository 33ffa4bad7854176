//! A bot is a stranger's folder: whatever is in it, no command changes or shows a file outside it, or hangs.

use crate::support::{Ran, Scratch, small_arena, trial};
use libtest_mimic::Trial;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

pub fn trials() -> Vec<Trial> {
    vec![
        trial("folders::a_command_names_nothing_outside", &[], a_command_names_nothing_outside),
        trial("folders::links_are_not_followed", &[], links_are_not_followed),
        trial("folders::a_folder_beside_a_bot_is_not_seen", &[], a_folder_beside_a_bot_is_not_seen),
    ]
}

/// A folder of the organizer's, a second bot that always forfeits, and a contest of that and `evil`.
fn fixture() -> Scratch {
    let scratch = Scratch::new();
    scratch.executable("host/program", "#!/bin/sh\nexit 0\n");
    scratch.file("host/record.db", "games");
    fs::set_permissions(scratch.path().join("host/record.db"), fs::Permissions::from_mode(0o640)).unwrap();
    scratch.file("rival/bot.toml", "name = \"rival\"\ngame = \"boxing\"\nrun = [\"./foe\"]\n");
    scratch.executable("rival/foe", "#!/bin/sh\nexit 1\n");
    scratch.file("small.arena", small_arena(6));
    scratch.file(
        "c.toml",
        "name = \"C\"\nseed = 1\nboards = [\"small.arena\"]\nentrants = [\"evil\", \"rival\"]\n\n[[stages]]\nkind = \
         \"all-play-all\"\n",
    );
    scratch
}

/// Every path below `folder` with its mode, and its content or where it leads.
fn state(folder: &Path) -> Vec<(PathBuf, u32, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let (path, kind) = (entry.path(), entry.file_type().unwrap());
        let content = match () {
            () if kind.is_symlink() => fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes(),
            () if kind.is_file() && entry.metadata().unwrap().len() < 1 << 20 => fs::read(&path).unwrap(),
            () => Vec::new(),
        };
        found.push((path.clone(), entry.metadata().unwrap().permissions().mode(), content));
        if kind.is_dir() {
            found.extend(state(&path));
        }
    }
    found.sort();
    found
}

/// `check`, `play` and `tournament` refuse the bot `evil` that `make` makes, in these words and with exit code 2, and
/// leave everything as it was.
#[track_caller]
fn check_refused(make: impl Fn(&Scratch), words: &str) {
    let scratch = fixture();
    make(&scratch);
    let before = state(scratch.path());
    for command in [&["check", "evil"][..], &["play", "evil", "rival"], &["tournament", "c.toml", "--no-check"]] {
        let ran = Ran::of(scratch.cornerman(command));
        assert_eq!(ran.stderr.trim_end(), format!("error: {words}"), "{command:?}");
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{command:?}");
        assert!(state(scratch.path()) == before, "{command:?} changed something");
    }
}

/// Writes `evil/bot.toml`.
fn bot_toml(text: &str) -> impl Fn(&Scratch) {
    let text = text.to_string();
    move |scratch| {
        let host = scratch.path().join("host").display().to_string();
        scratch.file("evil/bot.toml", text.replace("HOST", &host));
    }
}

fn a_command_names_nothing_outside() {
    let outside = |key: &str, program: &str| {
        format!(
            "evil/bot.toml:2: `{key}` names `{program}`, which is not in the bot's folder: a bot names files of its own \
             folder, such as `./bot`, or tools by name, such as `python3`"
        )
    };
    check_refused(bot_toml("\nrun = [\"../rival/foe\"]\n"), &outside("run", "../rival/foe"));
    check_refused(
        bot_toml("\nrun = [\"/x/../../../host/program\"]\n"),
        &outside("run", "/x/../../../host/program"),
    );
    check_refused(
        bot_toml("\nbuild = [\"./../host/program\"]\nrun = [\"x\"]\n"),
        &outside("build", "./../host/program"),
    );
    check_refused(
        bot_toml("source = \"../rival/foe.py\"\n"),
        "evil/bot.toml:1: `source` names `../rival/foe.py`, which is not in the bot's folder",
    );
    // The path from the root, with steps upwards that a look at its beginning does not see.
    let scratch = fixture();
    let host = scratch.path().join("host/program");
    let long =
        format!("{}/../../../../../../../../../../..{}", scratch.path().join("evil").display(), host.display());
    scratch.file("evil/bot.toml", format!("run = [\"{long}\"]\n"));
    let before = state(scratch.path());
    let ran = Ran::of(scratch.cornerman(["play", "evil", "rival"]));
    assert!(ran.code == Some(2) && ran.stderr.starts_with("error: evil/bot.toml:1: `run` names `/"), "{ran:?}");
    assert!(state(scratch.path()) == before);
}

fn links_are_not_followed() {
    let link = "it is a link, or lies behind one, and only files of the folder itself are used";
    let linked = |name: &'static str, target: &'static str, text: &'static str| {
        move |scratch: &Scratch| {
            bot_toml(text)(scratch);
            symlink(target, scratch.path().join("evil").join(name)).unwrap();
        }
    };
    let make = linked("foe", "../rival/foe", "run = [\"./foe\"]\n");
    check_refused(make, &format!("evil/bot.toml:1: `run` names `./foe`: {link}"));
    let make = linked("up", "../rival", "run = [\"up/foe\"]\n");
    check_refused(make, &format!("evil/bot.toml:1: `run` names `up/foe`: {link}"));
    let make = linked("foe.py", "../rival/foe", "source = \"foe.py\"\n");
    check_refused(make, &format!("evil/bot.toml:1: cannot use the source `foe.py`: {link}"));
    let make = |scratch: &Scratch| {
        fs::create_dir(scratch.path().join("evil")).unwrap();
        symlink("../rival/bot.toml", scratch.path().join("evil/bot.toml")).unwrap();
    };
    check_refused(make, &format!("cannot use evil/bot.toml: {link}"));
    // One that the build makes.
    let make = |scratch: &Scratch| {
        bot_toml("build = [\"sh\", \"make.sh\"]\nrun = [\"./foe\"]\n")(scratch);
        scratch.file("evil/make.sh", format!("ln -s {}/rival/foe foe\n", scratch.path().display()));
    };
    check_refused(make, &format!("evil/bot.toml:2: `run` names `./foe`: {link}"));
}

fn a_folder_beside_a_bot_is_not_seen() {
    let scratch = fixture();
    // It plays on only where it cannot see the other's files; the other never plays.
    scratch.script("bin/evil.sh", "[ -e \"$(dirname \"$0\")/../lib/foe\" ] && exit 1\nmove");
    scratch.file("bin/bot.toml", "name = \"evil\"\nrun = [\"./evil.sh\"]\n");
    scratch.file("lib/foe", "a secret");
    for evil in ["bin", "bin/evil.sh"] {
        let said = Ran::of(scratch.cornerman(["play", evil, "rival", "--quiet"])).fine();
        let sees = said.contains("isolation scoped") || !said.contains("isolation namespaced");
        assert!(sees || said.contains("evil is the last one left and wins"), "{said}");
    }
}
