//! `--with` and `with`: a source file sees the files that are named, and no others of its folder.

use crate::support::{Ran, Scratch, small_arena, trial};
use libtest_mimic::Trial;

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(a_source_has_the_header_that_is_named, ["cc"]),
        trial!(a_module_is_seen_only_if_it_is_named, ["python3"]),
        trial!(a_contest_names_files, ["cc", "python3"]),
        trial!(a_rival_cannot_be_named, ["cc"]),
        trial!(files_that_cannot_be_named_are_refused, ["cc"]),
    ]
}

/// A bot in C that needs a header, one in Python that needs a module, and `rival.c`, which always forfeits.
fn fixture() -> Scratch {
    let scratch = Scratch::new();
    let ann = "#include \"lib/own.h\"\n#include <stdio.h>\nint main(int count, char **words) {\n  int spot, done = 0;\n  \
               while ((spot = getchar()) != EOF) {\n    if (!done && spot == '-') spot = words[1][0], done = 1;\n    \
               if (SPEAKS) putchar(spot);\n  }\n}\n";
    scratch.file("ann.c", ann);
    scratch.file("lib/own.h", "#define SPEAKS 1\n");
    scratch.file("bob.py", "import sys, own\nown.move(sys.argv[1])\n");
    let own = "import sys\ndef move(mark):\n    sys.stdout.write(sys.stdin.read().replace('-', mark, 1))\n";
    scratch.file("own.py", own);
    scratch.file("rival.c", "int main(void) { return 1; }\n");
    scratch.file("small.arena", small_arena(6));
    scratch
}

/// `play` with these arguments, separated by spaces.
fn play(scratch: &Scratch, args: &str) -> Ran {
    Ran::from_command(scratch.cornerman(["play", "--quiet"].into_iter().chain(args.split_whitespace())))
}

/// The run of a tournament with these entrants.
fn contest(scratch: &Scratch, entrants: &str) -> Ran {
    let stages = "[[stages]]\nkind = \"all-play-all\"\nboards = [1]\n";
    scratch.file("c.toml", format!("name = \"C\"\nboards = [\"small.arena\"]\nentrants = [{entrants}]\n{stages}"));
    Ran::from_command(scratch.cornerman(["tournament", "c.toml", "--no-check", "--force-new"]))
}

#[track_caller]
fn check_refused(ran: &Ran, words: &str) {
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
    assert!(ran.messages().starts_with(&format!("error: {words}")), "{}", ran.stderr);
}

fn a_source_has_the_header_that_is_named() {
    let scratch = fixture();
    let alone = play(&scratch, "ann.c @parity");
    check_refused(&alone, "ann.c: the build failed: ");
    let hint = "(`lib/own.h` lies beside ann.c, but a bot that is one file can read only files handed in with it: add \
                `with = [\"lib/own.h\"]` to the contest file or `--with lib/own.h`, or hand in a folder with a \
                `bot.toml`)\n";
    assert!(alone.stderr.ends_with(hint), "{}", alone.stderr);
    play(&scratch, "ann.c @parity --with lib/own.h").fine();
    // The header is part of the source, so another header makes another program.
    scratch.file("lib/own.h", "#define SPEAKS 0\n");
    let said = play(&scratch, "ann.c @parity --with ./lib/own.h").fine();
    assert!(said.contains("@parity is the last one left and wins"), "{said}");
    let ran =
        Ran::from_command(scratch.cornerman(["check", "ann.c", "--with", "lib/own.h", "--run", "BX-OUT-LEN"]));
    assert!(ran.stdout.contains("ann") && !ran.stderr.contains("the build failed"), "{ran:?}");
}

fn a_module_is_seen_only_if_it_is_named() {
    let scratch = fixture();
    let said = play(&scratch, "bob.py rival.c").stdout;
    // At the lower isolation levels all files of the machine can be read.
    if !said.contains("isolation plain") && !said.contains("isolation restricted") {
        assert!(!said.contains("bob is the last one left"), "{said}");
    }
    let said = play(&scratch, "bob.py @parity --with own.py --seed 1").fine();
    assert!(!said.contains("forfeit"), "{said}");
}

fn a_contest_names_files() {
    let scratch = fixture();
    let entrants = "{ path = \"ann.c\", with = [\"lib/own.h\"] }, { path = \"bob.py\", with = [\"own.py\"] }";
    let ran = contest(&scratch, entrants);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(!ran.stdout.contains("crash") && !ran.stdout.contains("Did not play"), "{}", ran.stdout);
    // The files are part of the source, so a run is not resumed with other ones.
    scratch.file("own.py", "import sys\ndef move(mark):\n    pass\n");
    let ran = Ran::from_command(scratch.cornerman(["tournament", "c.toml", "--no-check"]));
    check_refused(&ran, "c.db: since the record was begun the program of bob has changed: ");
}

fn a_rival_cannot_be_named() {
    let scratch = fixture();
    let absolute = scratch.path().join("rival.c").display().to_string();
    for named in ["rival.c", "../rival.c", "./sub/../rival.c", &absolute] {
        scratch.file("sub/spy.c", format!("#include \"{named}\"\n"));
        scratch.file("sub/rival.c", "int main(void) { return 0; }\n");
        let ran = contest(&scratch, "\"sub/spy.c\", \"rival.c\", \"sub/rival.c\"");
        assert!(ran.stdout.contains("spy: it cannot play: sub/spy.c: the build failed: "), "{ran:?}");
    }
    let handed = "\"rival.c\",\n{ path = \"ann.c\", with = [\"rival.c\"] }";
    let both = "`ann.c`: `with` names `rival.c`, which belongs to the entry `rival.c` in line 3: no source may see \
                another entry\n";
    check_refused(&contest(&scratch, handed), &format!("c.toml:4: {both}"));
    scratch.file("lib/bot.toml", "run = [\"sh\"]\n");
    let handed = "\"lib\",\n{ path = \"ann.c\", with = [\"lib/own.h\"] }";
    let both = "`ann.c`: `with` names `lib/own.h`, which belongs to the entry `lib` in line 3: no source may see";
    check_refused(&contest(&scratch, handed), &format!("c.toml:4: {both}"));
}

fn files_that_cannot_be_named_are_refused() {
    let scratch = fixture();
    scratch.file("folder/bot.toml", "run = [\"./bot\"]\n");
    scratch.script("script", "move");
    std::os::unix::fs::symlink("lib/own.h", scratch.path().join("link.h")).expect("a link");
    let link = "it is a link, or its path leads through one; only files in the folder itself are used";
    for (path, with, words) in [
        (
            "ann.c",
            "lib/on.h",
            "`with` names `lib/on.h`, which is not in the source's folder (did you mean `own.h`?)",
        ),
        ("ann.c", "../own.h", "`with` names `../own.h`, which is not in the source's folder"),
        ("ann.c", "ann.c", "`with` names `ann.c`, which is the source itself"),
        ("ann.c", "link.h", &format!("`with` names `link.h`: {link}")),
        ("ann.c", "lib", "`with` names `lib`: it is a folder, not a file"),
        ("folder", "bot", "`with` applies only to a source file: a folder is an entry as it is"),
    ] {
        let ran = contest(&scratch, &format!("\"@parity\",\n{{ path = \"{path}\", with = [\"{with}\"] }}"));
        check_refused(&ran, &format!("c.toml:4: `{path}`: {words}\n"));
        if path == "ann.c" {
            check_refused(&play(&scratch, &format!("ann.c @parity --with {with}")), &format!("ann.c: {words}\n"));
        }
    }
    let ran = contest(&scratch, "{ path = \"script\", with = [\"own.py\"] }, \"@parity\"");
    check_refused(&ran, "script: `with` applies only to a source file (");
    let ran = contest(&scratch, "{ path = \"*.c\", with = [\"own.py\"] }, \"@parity\"");
    check_refused(&ran, "c.toml:3: `with` is allowed only for a single source file, which `*.c` is not\n");
    let ran = contest(&scratch, "{ path = \"ann.c\", wiht = [\"own.h\"] }");
    check_refused(
        &ran,
        "c.toml:3: unknown field `wiht`, expected one of `path`, `name`, `author`, `with` (did you mean `with`?)\n",
    );
    let one = "--with needs exactly one source file among the bots, but found: ";
    check_refused(&play(&scratch, "ann.c rival.c --with lib/own.h"), &format!("{one}ann.c, rival.c; put a bot"));
    check_refused(&play(&scratch, "script folder --with lib/own.h"), &format!("{one}none; put a bot"));
}
