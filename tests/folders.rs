//! A bot is a folder from a stranger. Whatever is in it, no command changes or shows a file outside it, or hangs.

use crate::support::{Ran, Scratch, small_arena, trial};
use libtest_mimic::Trial;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(a_command_names_nothing_outside),
        trial!(links_are_not_followed),
        trial!(only_regular_files_are_accepted, ["mkfifo"]),
        trial!(files_that_are_too_large_are_refused),
        trial!(names_that_cannot_be_shown_are_refused),
        trial!(the_same_program_twice_is_reported),
        trial!(built_files_are_writable_by_their_owner_only),
        trial!(the_cache_of_builds_is_pruned),
        trial!(a_cache_that_others_could_change_is_refused, ["cc"]),
        trial!(a_changed_program_is_built_again, ["cc"]),
        trial!(a_folder_has_what_its_language_reads, ["php"]),
        trial!(a_folder_beside_a_bot_is_not_seen),
        trial!(a_bot_sees_only_what_its_hash_covers),
    ]
}

/// The organizer's folder: a bot `rival` that always forfeits, and a contest between it and the bot `evil`.
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

/// Every path below `folder` with its mode, and its content or the target of the link.
fn state(folder: &Path) -> Vec<(PathBuf, u32, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        let metadata = entry.metadata().unwrap();
        let content = match () {
            () if metadata.is_symlink() => fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes(),
            () if metadata.is_file() && (1..1 << 20).contains(&metadata.len()) => fs::read(&path).unwrap(),
            () => Vec::new(),
        };
        found.push((path.clone(), metadata.permissions().mode(), content));
        if metadata.is_dir() {
            found.extend(state(&path));
        }
    }
    found.sort();
    found
}

/// Checks that `play` refuses the bot `evil`, which `make` creates, with this message and exit code 2. In `check` the
/// message is its verdict. In a tournament it is the reason why the bot does not play, which leaves too few entrants.
/// All files stay unchanged.
#[track_caller]
fn check_refused(make: impl Fn(&Scratch), words: &str) {
    let scratch = fixture();
    make(&scratch);
    let before = state(scratch.path());
    let checked = format!("FAIL  evil: cannot play: {words}\n");
    let left_out = format!("evil does not play: it cannot play: {words}\n");
    for (command, code, wanted) in [
        (&["play", "evil", "rival"][..], 2, format!("error: {words}\n")),
        (&["check", "evil"], 1, checked),
        (&["tournament", "c.toml", "--no-check", "--dry-run"], 2, left_out),
    ] {
        let ran = Ran::from_command(scratch.cornerman(command));
        assert_eq!(ran.code, Some(code), "{command:?}: {ran:?}");
        assert!((ran.stdout.clone() + &ran.stderr).contains(&wanted), "{command:?}: {ran:?}");
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
            "evil/bot.toml:2: `{key}` names `{program}`, which is not in the bot's folder: name a file in that \
             folder, such as `./bot`, or a tool, such as `python3`"
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
    // An absolute path that begins with the bot's folder, and leads out of it by `..`.
    let scratch = fixture();
    let host = scratch.path().join("host/program");
    let long =
        format!("{}/../../../../../../../../../../..{}", scratch.path().join("evil").display(), host.display());
    scratch.file("evil/bot.toml", format!("run = [\"{long}\"]\n"));
    let before = state(scratch.path());
    let ran = Ran::from_command(scratch.cornerman(["play", "evil", "rival"]));
    assert!(ran.code == Some(2) && ran.stderr.starts_with("error: evil/bot.toml:1: `run` names `/"), "{ran:?}");
    assert!(state(scratch.path()) == before);
}

fn links_are_not_followed() {
    let link = "it is a link, or its path leads through one; only files in the folder itself are used";
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
    // A link that the build makes.
    let make = |scratch: &Scratch| {
        bot_toml("build = [\"sh\", \"make.sh\"]\nrun = [\"./foe\"]\n")(scratch);
        scratch.file("evil/make.sh", format!("ln -s {}/rival/foe foe\n", scratch.path().display()));
    };
    check_refused(make, &format!("evil/bot.toml:2: `run` names `./foe`: {link}"));
}

fn a_folder_beside_a_bot_is_not_seen() {
    let scratch = fixture();
    // The bot only plays on if it cannot see the rival's files; the rival always forfeits.
    scratch.script("bin/evil.sh", "[ -e \"$(dirname \"$0\")/../lib/foe\" ] && exit 1\nmove");
    scratch.file("bin/bot.toml", "name = \"evil\"\nrun = [\"./evil.sh\"]\n");
    scratch.file("lib/foe", "a secret");
    for evil in ["bin", "bin/evil.sh"] {
        let said = Ran::from_command(scratch.cornerman(["play", evil, "rival", "--quiet"])).fine();
        // The rival's files are hidden only at the best level, the only one that `play` does not mention.
        let sees = said.contains(", isolation ");
        assert!(sees || said.contains("evil is the last one left and wins"), "{said}");
    }
}

fn a_bot_sees_only_what_its_hash_covers() {
    let hidden = [".git/HEAD", "target/data", "lib/__pycache__/lib.pyc"];
    let looks = hidden.map(|file| format!("[ -e \"$(dirname \"$0\")/{file}\" ] && exit 1\n")).concat();
    let build = "build = [\"sh\", \"-c\", \"mkdir -p target lib/__pycache__; echo x | tee target/data > lib/__pycache__/lib.pyc; \
                 cp evil.sh target\"]\n";
    for text in [
        "run = [\"./evil.sh\"]\n".to_string(),
        format!("{build}run = [\"./evil.sh\"]\n"),
        // It sees only itself there.
        format!("{build}run = [\"./target/evil.sh\"]\n"),
    ] {
        let scratch = fixture();
        scratch.script("evil/evil.sh", &format!("{looks}[ -e \"$(dirname \"$0\")/data\" ] && exit 1\nmove"));
        scratch.file("evil/lib/part", "seen");
        for file in &hidden {
            scratch.file(&format!("evil/{file}"), "hidden");
        }
        bot_toml(&format!("game = \"boxing\"\nname = \"evil\"\n{text}"))(&scratch);
        let before = state(scratch.path());
        let said = Ran::from_command(scratch.cornerman(["play", "evil", "rival", "--quiet"])).fine();
        assert!(said.contains("evil is the last one left and wins"), "{text}{said}");
        assert!(state(scratch.path()) == before, "{text} changed something");
    }
    for (text, key) in [("run = [\"sh\", \"target/foe\"]\n", "run"), ("source = \"target/foe.py\"\n", "source")] {
        let make = |scratch: &Scratch| {
            bot_toml(text)(scratch);
            for name in &["foe", "foe.py"] {
                scratch.file(&format!("evil/target/{name}"), "");
            }
        };
        let named = text.split('"').rev().nth(1).unwrap();
        let words = "but no bot sees a folder `.git`, `target`, `__pycache__`, `.cornerman`: move the file to another \
                     folder, or add a `build` command that makes it";
        check_refused(make, &format!("evil/bot.toml:1: `{key}` names `{named}`, {words}"));
    }
}

fn only_regular_files_are_accepted() {
    let fifo = |name: &'static str, text: &'static str| {
        move |scratch: &Scratch| {
            bot_toml(text)(scratch);
            let path = scratch.path().join("evil").join(name);
            fs::remove_file(&path).ok();
            assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        }
    };
    let words = "it is a pipe, not a regular file";
    check_refused(fifo("bot.toml", ""), &format!("cannot use evil/bot.toml: {words}"));
    let make = fifo("program", "run = [\"./program\"]\n");
    check_refused(make, &format!("evil/bot.toml:1: `run` names `./program`: {words}"));
    let make = fifo("bot.py", "source = \"bot.py\"\n");
    check_refused(make, &format!("evil/bot.toml:1: cannot use the source `bot.py`: {words}"));
    let make = |scratch: &Scratch| symlink("/dev/zero", scratch.path().join("evil")).unwrap();
    check_refused(make, "cannot use evil: it is a device, not a regular file");
    // A pipe that nothing uses is not part of the bot, and does no harm.
    let scratch = fixture();
    fifo("unused", "run = [\"./move\"]\n")(&scratch);
    scratch.script("evil/move", "move");
    Ran::from_command(scratch.cornerman(["play", "evil", "rival", "--quiet"])).fine();
}

fn files_that_are_too_large_are_refused() {
    let large = |name: &'static str, text: &'static str| {
        move |scratch: &Scratch| {
            bot_toml(text)(scratch);
            let file = scratch.executable(&format!("evil/{name}"), "#!/bin/sh\n");
            fs::File::options().write(true).open(file).unwrap().set_len(300 << 30).unwrap();
        }
    };
    let words = "its size is 307200 MiB; the limit is 512 MiB";
    check_refused(large("data/table", "run = [\"sh\"]\n"), &format!("cannot use evil: data/table: {words}"));
    check_refused(large("bot.toml", ""), "cannot use evil/bot.toml: its size is 307200 MiB; the limit is 64 KiB");
    let make = |scratch: &Scratch| {
        let file = scratch.executable("evil", "#!/bin/sh\n");
        fs::File::options().write(true).open(file).unwrap().set_len(300 << 30).unwrap();
    };
    check_refused(make, &format!("cannot use evil: {words}"));
    let make = |scratch: &Scratch| {
        bot_toml("run = [\"sh\"]\n")(scratch);
        for half in ["a", "b"] {
            fs::File::create(scratch.path().join("evil").join(half)).unwrap().set_len(300 << 20).unwrap();
        }
    };
    let words = "with this file, the total exceeds the limit of 512 MiB";
    check_refused(make, &format!("cannot use evil: b: {words}"));
    let make = |scratch: &Scratch| {
        bot_toml("run = [\"sh\"]\n")(scratch);
        for n in 0..65_536 {
            fs::File::create(scratch.path().join(format!("evil/{n}"))).unwrap();
        }
    };
    check_refused(make, "cannot use evil: it contains more than 65536 files and folders, which is the limit");
    let make = |scratch: &Scratch| {
        bot_toml("run = [\"sh\"]\n")(scratch);
        fs::create_dir_all(scratch.path().join("evil").join("d/".repeat(65))).unwrap();
    };
    let deep = ["d"; 65].join("/");
    let words = "is more than 64 folders deep, which is the limit";
    check_refused(make, &format!("cannot use evil: {deep} {words}"));
}

fn names_that_cannot_be_shown_are_refused() {
    check_refused(
        bot_toml("run = [\"sh\"]\nname = \"a\\u202Eb\"\n"),
        "evil/bot.toml:2: the `name` contains the control or invisible character U+202E",
    );
    check_refused(
        bot_toml(&format!("run = [\"sh\"]\n\nauthor = \"{}\"\n", "x".repeat(3_000))),
        "evil/bot.toml:3: the `author` has 3000 characters; at most 100 are allowed",
    );
    let scratch = fixture();
    scratch.script("a\u{202e}b\u{1b}[2J.sh", "move");
    let said = Ran::from_command(scratch.cornerman(["play", "a\u{202e}b\u{1b}[2J.sh", "rival", "--quiet"]));
    assert!(said.stdout.contains("a\u{fffd}b\u{fffd}[2J is the last one left"), "{said:?}");
}

fn the_same_program_twice_is_reported() {
    let scratch = fixture();
    scratch.file("evil/bot.toml", "name = \"mine\"\ngame = \"boxing\"\nrun = [\"sh\", \"bot.sh\"]\n");
    scratch.file("evil/bot.sh", "#!/bin/sh\nexit 1\n");
    let words = "evil has the same program or source as rival, byte for byte\n";
    let ran = Ran::from_command(scratch.cornerman(["tournament", "c.toml", "--no-check"]));
    let reversed = "rival has the same program or source as evil, byte for byte\n";
    assert_eq!((ran.code, ran.messages().as_str()), (Some(0), reversed));
    let ran = Ran::from_command(scratch.cornerman(["check", "rival", "evil", "--run", "BX-OUT-LEN"]));
    assert!(ran.messages().starts_with(words), "{ran:?}");
}

fn built_files_are_writable_by_their_owner_only() {
    let scratch = fixture();
    let make = "umask 0\ncp /bin/cat tool\nprintf '#!/bin/sh\\nexit 1\\n' > made\nchmod 6777 made tool\nmkdir -m 1777 sub\n";
    scratch.file("evil/bot.toml", "build = [\"sh\", \"make.sh\"]\nrun = [\"./made\"]\n");
    scratch.file("evil/make.sh", make);
    let mut command = scratch.cornerman(["play", "evil", "rival", "--quiet"]);
    command.env("XDG_CACHE_HOME", scratch.path().join("cache"));
    Ran::from_command(command).fine();
    let cached = state(&scratch.path().join("cache"));
    assert!(
        cached.iter().any(|(path, mode, _)| path.ends_with("files/made") && mode & 0o777 == 0o755),
        "{cached:?}"
    );
    let unsafe_ones: Vec<_> = cached.iter().filter(|(_, mode, _)| mode & 0o7022 != 0).collect();
    assert!(unsafe_ones.is_empty(), "{unsafe_ones:?}");
}

fn the_cache_of_builds_is_pruned() {
    const DAY: Duration = Duration::from_secs(24 * 60 * 60);
    let scratch = fixture();
    let cache = scratch.path().join("cache/cornerman");
    let entry = |name: &str, mib: u64, days: u32| {
        let notes = scratch.file(&format!("cache/cornerman/{name}/built.toml"), "");
        fs::create_dir(cache.join(name).join("files")).unwrap();
        fs::File::create(cache.join(name).join("files/table")).unwrap().set_len(mib << 20).unwrap();
        let notes = fs::File::options().write(true).open(notes).unwrap();
        notes.set_modified(SystemTime::now() - days * DAY).unwrap();
        notes
    };
    let held = entry("held-by-another", 1, 90);
    held.lock_shared().unwrap();
    entry("old", 1, 31);
    entry("large", 1500, 20);
    entry("larger", 1500, 2);
    let play = |make: &str| {
        scratch.file("evil/bot.toml", "build = [\"sh\", \"make.sh\"]\nrun = [\"./made\"]\n");
        scratch.file("evil/make.sh", make);
        let mut command = scratch.cornerman(["play", "evil", "rival", "--quiet"]);
        command.env("XDG_CACHE_HOME", scratch.path().join("cache"));
        Ran::from_command(command)
    };
    let left = || {
        let names = fs::read_dir(&cache).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.map(|name| name.split("-").next().unwrap().to_string()).collect();
        names.sort();
        names.join(" ")
    };
    let failed = play("mkdir -p a/b\nchmod 0 a\nexit 1\n");
    assert_eq!(failed.code, Some(2));
    assert_eq!(left(), "held large larger old", "a failed build leaves nothing behind");
    play("printf '#!/bin/sh\\nexit 1\\n' > made\nchmod 755 made\n").fine();
    assert_eq!(left(), "evil held larger");
}

/// Runs `play` with the built bot `evil` and the cache below `cache`.
fn play_built(scratch: &Scratch, cache: &Path) -> Ran {
    scratch.file("evil/bot.toml", "build = [\"cc\", \"-o\", \"made\", \"bot.c\"]\nrun = [\"./made\"]\n");
    scratch.file("evil/bot.c", format!("int main(void) {{ return 1; }} /* {} */\n", scratch.marker()));
    let mut command = scratch.cornerman(["play", "evil", "rival", "--quiet"]);
    command.env("XDG_CACHE_HOME", cache);
    Ran::from_command(command)
}

fn a_cache_that_others_could_change_is_refused() {
    let scratch = fixture();
    let folder = scratch.path().join("cache/cornerman");
    let refused = |words: &str| {
        let ran = play_built(&scratch, &scratch.path().join("cache"));
        assert_eq!(ran.code, Some(3), "{}", ran.stderr);
        let said = ran.stderr.replace('\n', " ");
        let whole = format!("cannot use {}, where builds are kept", folder.display());
        assert!(said.contains(&whole) && said.contains(words), "{words}: {said}");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "something was written");
    };
    fs::create_dir_all(&folder).unwrap();
    for mode in [0o777, 0o1777, 0o775] {
        fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).unwrap();
        refused("other users may write into it");
    }
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).unwrap();
    // Only root can give a folder away.
    if std::os::unix::fs::chown(&folder, Some(12345), None).is_ok() {
        refused("it belongs to the user 12345");
    }
    fs::remove_dir_all(scratch.path().join("cache")).unwrap();
    play_built(&scratch, &scratch.path().join("cache")).fine();
    assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
    // Without the variables that name the cache, it is in the user's home, not where everybody can write.
    let mut command = scratch.cornerman(["doctor"]);
    command.env_remove("XDG_CACHE_HOME").env_remove("HOME");
    let said = Ran::from_command(command).fine().replace('\n', " ");
    assert!(said.contains("/.cache/cornerman") && !said.contains("/tmp/cornerman"), "{said}");
}

fn a_changed_program_is_built_again() {
    let scratch = fixture();
    let cache = scratch.path().join("cache");
    play_built(&scratch, &cache).fine();
    let made = || {
        let entries = fs::read_dir(cache.join("cornerman")).unwrap().map(|entry| entry.unwrap().path());
        entries.map(|path| path.join("files/made")).find(|made| made.exists()).expect("a program")
    };
    let program = fs::read(made()).unwrap();
    fs::write(made(), "#!/bin/sh\ncat\n").unwrap();
    play_built(&scratch, &cache).fine();
    assert!(fs::read(made()).unwrap() == program, "the changed program is still there");
    // While another process uses it, nothing is removed, and it is not run.
    fs::write(made(), "#!/bin/sh\ncat\n").unwrap();
    let notes = fs::File::open(made().with_file_name("../built.toml")).unwrap();
    notes.lock_shared().unwrap();
    let ran = play_built(&scratch, &cache);
    assert!(ran.code == Some(3) && ran.stderr.contains("was changed"), "{}", ran.stderr);
}

fn a_folder_has_what_its_language_reads() {
    let scratch = fixture();
    // However the bot is started, the configuration of its language is in place.
    let body = "<?php $in = stream_get_contents(STDIN); if (count(glob('/etc/php/*')) == 0) exit(1); \
                $at = strpos($in, '-'); if ($at !== false) $in[$at] = $argv[1]; echo $in;";
    scratch.file("named/bot.toml", "name = \"named\"\nrun = [\"php\", \"bot.php\"]\n");
    scratch.file("named/bot.php", body);
    scratch.file("asked/bot.toml", "name = \"asked\"\nrun = [\"./bot\"]\n");
    scratch.executable("asked/bot", format!("#!/usr/bin/env php\n{body}"));
    scratch.executable("single", format!("#!/usr/bin/env php\n{body}"));
    for bot in ["named", "asked", "single"] {
        let said = Ran::from_command(scratch.cornerman(["play", bot, "rival", "--quiet"])).fine();
        assert!(said.contains(&format!("{bot} is the last one left and wins")), "{said}");
    }
}
