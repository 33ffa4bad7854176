//! Bad input: the exit code is 2, the message names the place, what was expected and the nearest thing that exists, and
//! nothing is run or written.

use crate::support::{Ran, Scratch, small_arena, trial};
use libtest_mimic::Trial;

/// The extensions of the built-in languages, in the order of their names.
const SOURCES: &str = ".adb, .awk, .sh, .bf, .c, .cs, .cpp, .cxx, .cc, .clj, .lisp, .d, .fs, .f90, .f95, .go, .hs, .lhs, \
                       .java, .js, .ml, .pl, .php, .pro, .py, .rb, .rs, .scala, .scm, .tclsh";

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(a_file_that_is_not_a_bot_is_refused),
        trial!(the_nearest_that_exists_is_named),
        trial!(all_missing_bots_are_reported_at_once),
        trial!(a_faulty_bot_file_is_named_with_its_line),
        trial!(a_bot_file_with_wrong_paths_is_refused),
        trial!(a_faulty_file_of_languages_is_named_with_its_line),
        trial!(a_failing_build_is_reported_with_its_output),
        trial!(a_source_that_does_not_compile_is_shown, ["cc"]),
        trial!(a_missing_compiler_is_named_with_its_package, if rustc_can_be_hidden),
        trial!(a_faulty_arena_is_named_with_line_and_column),
        trial!(marks_that_cannot_be_are_refused),
        trial!(too_few_or_too_many_bots_are_refused),
        trial!(wrong_options_are_refused),
        trial!(a_new_bot_needs_a_good_name_and_a_free_place),
    ]
}

/// Checks that the command refuses `args` with this message on standard error and exit code 2, and that nothing is run
/// or written. The message ends where clap's usage begins; `SCRATCH` stands for the scratch folder.
#[track_caller]
fn check(args: &[&str], words: &str) {
    let scratch = fixture();
    let before = scratch.listing();
    let ran = Ran::from_command(scratch.cornerman(args));
    let said = ran.stderr.replace(scratch.path().to_str().unwrap(), "SCRATCH");
    let said = said.split("\n\nUsage:").next().unwrap().split("\n\nFor more information").next().unwrap();
    assert_eq!(said.trim_end(), format!("error: {words}"), "{args:?}");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{args:?}");
    assert!(scratch.listing() == before, "{args:?} wrote something");
}

/// [`check`] of a game between `bot` and a bot that could play.
#[track_caller]
fn check_bot(bot: &str, words: &str) {
    check(&["play", bot, "jab.sh"], words);
}

/// [`check`] of a game between two bots that could play, with `options`.
#[track_caller]
fn check_options(options: &[&str], words: &str) {
    check(&[&["play", "jab.sh", "jab.sh"], options].concat(), words);
}

/// Checks that `rustc` can be hidden from builds: it cannot if it is in a folder that is always searched.
fn rustc_can_be_hidden() -> Result<(), String> {
    let usual = ["/usr/local/bin/rustc", "/usr/bin/rustc", "/bin/rustc"];
    let fixed = usual.iter().find(|file| std::path::Path::new(file).exists());
    fixed.map_or(Ok(()), |file| Err(format!("{file} is always found")))
}

/// A folder with a bot, and with every kind of thing that is not a bot.
fn fixture() -> Scratch {
    let scratch = Scratch::new();
    scratch.script("jab.sh", "move");
    scratch.file("notes.txt", "a few words\n");
    scratch.file("plain", "#!/bin/sh\ncat\n");
    scratch.executable("orphan", "#!/opt/no-such-interpreter -x\n");
    scratch.executable("riscv", elf_header(243));
    scratch.executable("arm", elf_header(183));
    scratch.file("no-toml/champion.py", "print(1)\n");
    scratch.file("old.db", "SQLite format 3\0");
    scratch.file("empty/readme", "");
    scratch.file("unknown-key/bot.toml", "name = \"N\"\n\nautor = \"me\"\nrun = [\"./n\"]\n");
    scratch.file("wrong-type/bot.toml", "name = \"N\"\nrun = \"./n\"\n");
    scratch.file("empty-run/bot.toml", "name = \"N\"\nrun = []\n");
    scratch.file("no-run/bot.toml", "name = \"N\"\n");
    scratch.file("no-source/bot.toml", "source = \"bto.py\"\n");
    scratch.file("no-source/bot.py", "");
    scratch.file("no-language/bot.toml", "language = \"Pyton\"\nsource = \"bot.py\"\n");
    scratch.file("no-language/bot.py", "");
    scratch.file("languages.toml", "[[language]]\nname = \"X\"\nextension = [\"x\"]\n");
    scratch.file("not-toml/bot.toml", "name = \"N\"\nrun = [\"./n\"\n");
    scratch.file("no-tool/bot.toml", "run = [\"no-such-tool\", \"bot.x\"]\n");
    scratch.file("no-build-tool/bot.toml", "build = [\"no-such-tool\"]\nrun = [\"./n\"]\n");
    scratch.file("no-program/bot.toml", "run = [\"./n\"]\n");
    scratch.file(
        "bad-build/bot.toml",
        "build = [\"./make-it\", \"now\"]
run = [\"./n\"]
",
    );
    scratch.executable(
        "bad-build/make-it",
        "#!/bin/sh
echo it cannot be built
exit 1
",
    );
    scratch.file(
        "long-build/bot.toml",
        "build = [\"./make-it\"]
run = [\"./n\"]
",
    );
    scratch.executable(
        "long-build/make-it",
        "#!/bin/sh
seq 1 100
exit 1
",
    );
    scratch.file(
        "bare-word/bot.toml",
        "run = [\"n\"]
",
    );
    scratch.file(
        "bare-word/n",
        "#!/bin/sh
",
    );
    scratch.file(
        "not-executable/bot.toml",
        "run = [\"./n\"]
",
    );
    scratch.file(
        "not-executable/n",
        "#!/bin/sh
",
    );
    scratch.file("empty.rs", "");
    scratch.file("broken.c", "int main(void) { return nothing; }\n");
    scratch.file("good.arena", small_arena(4));
    scratch.file("full.arena", small_arena(0));
    scratch.file("short.arena", &small_arena(4)[33..]);
    scratch.file("wide.arena", small_arena(40).replacen("o\n", "oo\n", 3));
    scratch.file("dos.arena", small_arena(4).replace('\n', "\r\n"));
    scratch.file("untidy.arena", format!("{}\n", small_arena(4)));
    scratch
}

/// The beginning of a 64-bit program for the machine type with this number.
fn elf_header(machine: u8) -> Vec<u8> {
    let mut header = b"\x7fELF\x02\x01\x01".to_vec();
    header.resize(64, 0);
    (header[16], header[18]) = (2, machine);
    header
}

fn a_file_that_is_not_a_bot_is_refused() {
    check_bot("", "no such bot: its name is empty");
    check_bot("sub/jab.sh", "no such bot: sub/jab.sh (the folder sub does not exist either)");
    check_bot("plain", "plain: not executable: try `chmod +x plain`");
    check_bot(
        "notes.txt",
        &format!("notes.txt: neither a program nor a source file ({SOURCES}); a script must begin with #!"),
    );
    check_bot("orphan", "orphan: its first line asks for /opt/no-such-interpreter, which is not on this machine");
    let example = "a folder is a bot only with a `bot.toml`, such as\n  name = \"My Bot\"\n  run = [\"python3\", \"bot.py\"]";
    check_bot("empty", &format!("empty: {example}"));
    check_bot("no-toml", &format!("no-toml: {example}\n(or name a source file: no-toml/champion.py)"));
    let other = if cfg!(target_arch = "riscv64") { ("arm", "64-bit ARM") } else { ("riscv", "RISC-V") };
    let scratch = fixture();
    let ran = Ran::from_command(scratch.cornerman(["play", other.0, "jab.sh"]));
    let words =
        format!("error: {}: a program for another kind of machine ({}; this machine is ", other.0, other.1);
    assert!(ran.code == Some(2) && ran.stderr.starts_with(&words), "{ran:?}");
}

fn the_nearest_that_exists_is_named() {
    check_bot("jab.hs", "no such bot: jab.hs (did you mean `jab.sh`?)");
    check_bot("no-toml/champoin.py", "no such bot: no-toml/champoin.py (did you mean `champion.py`?)");
    check_bot("greedy", "no such bot: greedy (did you mean `@greedy`?)");
    check_bot("@gredy", "no such reference bot: @gredy\nhint: did you mean `@greedy`?\nhint: `bots` lists them");
    check_bot(
        "@rps-randm",
        "no such reference bot: @rps-randm\nhint: did you mean `@rps-random`?\nhint: `bots` lists them",
    );
    check_bot("@nobody", "no such reference bot: @nobody\nhint: `bots` lists them");
    let command = "A bot is a path; a command is the `run` of a `bot.toml`";
    check_bot("bash jab.sh", &format!("no such bot: bash jab.sh (did you mean `jab.sh`? {command})"));
    let rulesets = "the built-in rulesets are boxing-1994, boxing-small-squares, rps-polyglot, rps-published, go-usenix-1983, go-9x9";
    check_options(&["--rules", "nope"], &format!("no such ruleset: nope; {rulesets}"));
    for time in ["soon", "2h", "9", "1d", "-1s"] {
        let words = format!(
            "invalid value '{time}' for '--move-time <TIME>': expected a time from 10ms to 1h, such as 500ms, 30s, 10m or 1h"
        );
        check_options(&[&format!("--move-time={time}")], &words);
    }
    check(&["tournament", "no-toml"], "no-toml is a folder; a contest is a TOML file in it");
    check(&["tournament", "old.db"], "old.db is a record, which `standings` shows; a contest is a TOML file");
    check_options(
        &["--board", "god.arena"],
        "cannot read the arena god.arena: No such file or directory (os error 2)\nhint: did you mean `good.arena`?",
    );
    check(
        &["new", "jab", "--lang", "pyton"],
        "no template in `pyton`; the languages are python, c, c++, java, rust, go, javascript, bash\nhint: did you mean `python`?",
    );
    for (command, game) in [(&["new", "jab"][..], "boxng"), (&["bots"][..], "boxin")] {
        let words =
            format!("there is no game `{game}`; the games are boxing, rps, go\nhint: did you mean `boxing`?");
        check(&[command, &["--game", game]].concat(), &words);
    }
    check(
        &["tornament", "a"],
        "unrecognized subcommand 'tornament'\n\n  tip: a similar subcommand exists: 'tournament'",
    );
    check(&["nonsense"], "unrecognized subcommand 'nonsense'");
    check(&["gull\u{202e}"], "unrecognized subcommand 'gull\\u{202e}'");
}

fn all_missing_bots_are_reported_at_once() {
    check(
        &["play", "xyzzy", "@nobody", "notes.txt"],
        &format!(
            "no such bot: xyzzy\n       no such reference bot: @nobody (`bots` lists them)\n       \
             notes.txt: neither a program nor a source file ({SOURCES}); a script must begin with #!"
        ),
    );
}

fn a_faulty_bot_file_is_named_with_its_line() {
    let list = "expected a list of words such as [\"python3\", \"bot.py\"]";
    check_bot(
        "unknown-key",
        "unknown-key/bot.toml:3: unknown field `autor`, expected one of `name`, `author`, `game`, `protocol`, `language`, `source`, `build`, `run`, `limits` (did you mean `author`?)",
    );
    check_bot("wrong-type", &format!("wrong-type/bot.toml:2: invalid type: string \"./n\", {list}"));
    check_bot("empty-run", &format!("empty-run/bot.toml:2: invalid length 0, {list}"));
    check_bot(
        "no-run",
        "no-run/bot.toml:1: missing field `run`, such as run = [\"python3\", \"bot.py\"], or `source`",
    );
    check_bot("no-source", "no-source/bot.toml:1: there is no source `bto.py` (did you mean `bot.py`?)");
    check_bot("no-language", "no-language/bot.toml:1: there is no language `Pyton` (did you mean `Python`?)");
    check_bot("not-toml", "not-toml/bot.toml:2: unclosed array, expected `]`");
}

fn a_bot_file_with_wrong_paths_is_refused() {
    check_bot("bare-word", "bare-word/bot.toml:1: `n` is a file in the folder: write `./n`");
    check_bot("no-program", "no-program/bot.toml:1: `run` names `./n`, which is not in the folder");
    check_bot("not-executable", "not-executable: not executable: try `chmod +x SCRATCH/not-executable/n`");
    for bot in ["no-tool", "no-build-tool"] {
        let words = "`no-such-tool` is not on this machine, and bot.toml needs it: install it";
        check_bot(bot, &format!("{bot}: {words}"));
    }
}

fn a_faulty_file_of_languages_is_named_with_its_line() {
    let words = "languages.toml:3: unknown field `extension`, expected one of `name`, `extensions`, `toolchain` (did you \
                 mean `extensions`?)";
    check_options(&["--languages", "languages.toml"], words);
    let missing = "cannot read the languages in nowhere.toml: No such file or directory (os error 2)";
    check_options(&["--languages", "nowhere.toml"], missing);
    check(&["check", "jab.sh", "--languages", "languages.toml"], words);
}

fn a_failing_build_is_reported_with_its_output() {
    check_bot("bad-build", "bad-build: the build failed: ./make-it now\nit cannot be built");
    let lines: String = (1..=30).map(|line| format!("{line}\n")).collect();
    check_bot("long-build", &format!("long-build: the build failed: ./make-it\n{lines}… and 70 more lines"));
}

fn a_source_that_does_not_compile_is_shown() {
    let scratch = fixture();
    let ran = Ran::from_command(scratch.cornerman(["play", "broken.c", "jab.sh"]));
    assert!(ran.stderr.starts_with("error: broken.c: the build failed: "), "{}", ran.stderr);
    assert!(ran.stderr.contains("broken.c:1:25: error: ") && ran.stderr.contains("nothing"), "{}", ran.stderr);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    let cached = std::fs::read_dir(crate::support::cache().join("cornerman")).into_iter().flatten().flatten();
    let left = cached.map(|entry| entry.file_name()).find(|name| name.to_string_lossy().starts_with("broken-"));
    assert_eq!(left, None, "a failed build leaves nothing behind");
}

fn a_missing_compiler_is_named_with_its_package() {
    let scratch = fixture();
    let mut command = scratch.cornerman(["play", "empty.rs", "jab.sh"]);
    command.env("PATH", "");
    let ran = Ran::from_command(command);
    let words = "error: empty.rs: `rustc` is not on this machine, and SCRATCH/empty.rs (Rust) needs it: install it (Debian: apt-get install rustc)\n";
    assert_eq!(ran.stderr.replace(scratch.path().to_str().unwrap(), "SCRATCH"), words);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
}

fn a_faulty_arena_is_named_with_line_and_column() {
    let check = |arena: &str, words: &str| check_options(&["--board", arena], &format!("{arena}{words}"));
    let shape = "an arena is 16 lines of 32 characters (B6)";
    check("short.arena", &format!(":16:1: 15 rows instead of 16; {shape}"));
    check("wide.arena", &format!(":2:33: row 2 has 33 spots instead of 32; {shape}"));
    check("untidy.arena", &format!(":17:1: white space after the arena: 1 byte too many; {shape}"));
    let endings =
        "lines end with carriage return and line feed (CR LF): a row ends with a line feed (byte 10) alone";
    check("dos.arena", &format!(":1:33: {endings}; {shape}"));
    check("empty/readme", &format!(": the file is empty; {shape}"));
    check("full.arena", ": the arena has no vacant spot (`-`): nothing to play for (B1)");
    check_options(&["--board", "empty"], "cannot read the arena empty: Is a directory (os error 21)");
}

fn marks_that_cannot_be_are_refused() {
    let check = |marks: &str, words: &str| check_options(&["--marks", marks], &format!("--marks: {words}"));
    let can = "a printable character other than `-` and `o` can";
    check("A-", &format!("`-` cannot be a mark: {can}"));
    check("oA", &format!("`o` cannot be a mark: {can}"));
    check("A\t", &format!("`\\t` cannot be a mark: {can}"));
    check("A ", &format!("` ` cannot be a mark: {can}"));
    check("Aé", "`é` cannot be a mark: a mark is one byte, a printable ASCII character");
    check("", "no marks for 2 seats");
    check("A", "1 mark for 2 seats");
    check("ABC", "3 marks for 2 seats");
    check("AA", "seats 1 and 2 have the same mark `A`");
}

fn too_few_or_too_many_bots_are_refused() {
    let of = |count: usize| [&["play"], vec!["jab.sh"; count].as_slice()].concat();
    check(&of(0), "the following required arguments were not provided:\n  <BOT>...");
    check(&of(1), "a game has 2 to 8 bots, not 1\nhint: add an opponent such as `@greedy`; `bots` lists more");
    check(&of(9), "a game has 1 to 8 bots, not 9");
    check(&of(300), "a game has 1 to 8 bots, not 300");
}

fn wrong_options_are_refused() {
    check_options(
        &["--board", "good.arena", "--seed", "4"],
        "the argument '--board <FILE>' cannot be used with '--seed <N>'",
    );
    let number = "expected a whole number from 0 to 18446744073709551615";
    check_options(&["--seed", "-1"], &format!("invalid value '-1' for '--seed <N>': {number}"));
    let time = "expected a time from 0s to 1h, such as 500ms, 30s, 10m or 1h";
    for wrong in ["soon", "-1"] {
        check_options(&["--delay", wrong], &format!("invalid value '{wrong}' for '--delay <TIME>': {time}"));
    }
    check_options(
        &["--sed", "4"],
        "unexpected argument '--sed' found\n\n  tip: a similar argument exists: '--seed'",
    );
    check_options(
        &["--format", "jsn"],
        "invalid value 'jsn' for '--format <FORMAT>'\n  [possible values: text, json]\n\n  tip: a similar value exists: 'json'",
    );
    let scratch = fixture();
    let ran = Ran::from_command(scratch.cornerman(["play", "jab.sh", "jab.sh", "--isolation", "restrict"]));
    assert!(
        ran.stderr.contains("unknown level; the levels are plain, restricted, scoped, namespaced"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("(did you mean `restricted`?)") && ran.code == Some(2), "{}", ran.stderr);
}

fn a_new_bot_needs_a_good_name_and_a_free_place() {
    let rule =
        "cannot be the name of a bot: use 1 to 40 ASCII letters, digits, `-` and `_`, a letter or a digit first";
    for name in ["left hook", "", ".", "..", "/", "-x/..", "jäb", "a.b"] {
        check(&["new", "--", name], &format!("`{name}` {rule}"));
    }
    check(&["new", "empty"], "empty already exists; nothing was written");
    check(&["new", "notes.txt"], &format!("`notes.txt` {rule}"));
    check(&["new", "notes.txt/jab"], "notes.txt is a file, not a folder; nothing was written");
}
