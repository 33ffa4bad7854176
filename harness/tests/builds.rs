//! The guarantees of builds: they happen in a copy, once, without network and within limits, and keep their output.

use cornerman_harness::bot::Bot;
use cornerman_harness::sandbox::Level;
use cornerman_harness::text::with_sources;
use cornerman_harness::toolchain::BuildOptions;
use cornerman_harness::toolchain::language::Languages;
use libtest_mimic::{Completion, Failed, Trial};
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("a_folder_is_built_in_a_copy_and_once", a_folder_is_built_in_a_copy_and_once),
        Trial::test("simultaneous_builds_give_one_program", simultaneous_builds_give_one_program),
        Trial::test("a_changed_folder_is_built_again", a_changed_folder_is_built_again),
        Trial::test("output_is_kept_and_shown", output_is_kept_and_shown),
        Trial::test("a_build_that_does_not_end_is_stopped", a_build_that_does_not_end_is_stopped),
        Trial::test("a_build_with_too_much_output_fails", a_build_with_too_much_output_fails),
        Trial::test("a_source_in_a_folder_is_built_with_its_other_files", a_source_in_a_folder_is_built),
        Trial::test("a_missing_tool_is_reported_with_its_package", a_missing_tool_is_reported),
        Trial::ignorable_test("a_build_has_no_network", a_build_has_no_network),
    ]
}

/// A folder with these files, and one more that makes it unique.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::Builder::new().prefix("build-").tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    fs::write(folder.path().join("unique"), folder.path().as_os_str().as_encoded_bytes()).unwrap();
    for (name, content) in files {
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }
    folder
}

/// A bot whose build copies its source to its program, and prints something.
const COPIES: &[(&str, &str)] = &[
    ("bot.toml", "build = [\"sh\", \"make.sh\"]\nrun = [\"./made\"]\n"),
    ("make.sh", "echo making\necho remark >&2\ncp bot.sh made\nchmod 755 made\nrm bot.sh\n"),
    ("bot.sh", "#!/bin/sh\necho hello\n"),
    (".git/HEAD", "a history is not part of a bot\n"),
    ("target/old", "nor is the result of an earlier build\n"),
];

fn listing(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

fn a_folder_is_built_in_a_copy_and_once() -> Result<(), Failed> {
    let folder = folder(COPIES);
    let before = listing(folder.path());
    let first = Bot::load(folder.path())?;
    let again = Bot::load(folder.path())?;
    assert_eq!(listing(folder.path()), before);
    let first_built = first.built.unwrap();
    let again_built = again.built.unwrap();
    assert!(first_built.fresh && !again_built.fresh);
    assert_eq!(first_built.folder, again_built.folder);
    assert_eq!(first.program.argv, again.program.argv);
    assert_eq!((first.source_sha256, first.program_sha256), (again.source_sha256, again.program_sha256));
    let made: Vec<PathBuf> = listing(&first_built.folder);
    let made: Vec<&str> = made.iter().filter_map(|path| path.file_name()?.to_str()).collect();
    assert_eq!(made, ["bot.toml", "made", "make.sh", "unique"]);
    Ok(())
}

fn simultaneous_builds_give_one_program() -> Result<(), Failed> {
    let folder = folder(COPIES);
    let loaded: Vec<Bot> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| Bot::load(folder.path()).unwrap())).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(loaded.windows(2).all(|two| two[0].program == two[1].program));
    let built = loaded[0].built.as_ref().unwrap();
    assert!(built.folder.join("made").is_file());
    Ok(())
}

fn a_changed_folder_is_built_again() -> Result<(), Failed> {
    let folder = folder(COPIES);
    let first = Bot::load(folder.path())?;
    fs::write(folder.path().join("bot.sh"), "#!/bin/sh\necho goodbye\n")?;
    let second = Bot::load(folder.path())?;
    let text = |bot: &Bot| fs::read_to_string(&bot.program.argv[0]).unwrap();
    assert_eq!([text(&first), text(&second)], ["#!/bin/sh\necho hello\n", "#!/bin/sh\necho goodbye\n"]);
    assert_ne!(first.program_sha256, second.program_sha256);
    Ok(())
}

fn output_is_kept_and_shown() -> Result<(), Failed> {
    let fine = folder(COPIES);
    let built = Bot::load(fine.path())?.built.unwrap();
    assert_eq!(fs::read_to_string(built.output)?, "making\nremark\n");
    let failing = folder(&[
        ("bot.toml", "build = [\"sh\", \"make.sh\"]\nrun = [\"./made\"]\n"),
        ("make.sh", "echo making\necho no rule >&2\nexit 3\n"),
    ]);
    check_refused(failing.path(), BuildOptions::default(), "the build failed: sh make.sh\nmaking\nno rule")
}

/// Checks that building the bot at `path` fails with this message.
fn check_refused(path: &Path, options: BuildOptions, wanted: &str) -> Result<(), Failed> {
    let refused = with_sources(&Bot::load_with_options(path, options).expect_err("it cannot be built"));
    assert_eq!(refused, format!("{}: {wanted}", path.display()));
    Ok(())
}

/// The built-in languages and the language `.x`, whose sources are shell scripts that build a program within `limits`.
fn languages_with_x(folder: &Path, limits: &str) -> Languages {
    let text = format!(
        "[[language]]\nname = \"X\"\nextensions = [\"x\"]\n[[language.toolchain]]\npackages = [\"x-tools\"]\n\
         build = [\"sh\", \"{{source}}\", \"{{program}}\"]\nrun = [\"{{program}}\"]\nbuild_limits = {{ {limits} }}\n"
    );
    let file = folder.join("languages.toml");
    fs::write(&file, text).unwrap();
    Languages::with_file(&file).unwrap()
}

fn a_build_that_does_not_end_is_stopped() -> Result<(), Failed> {
    let folder = folder(&[("bot.x", "echo begun\nsleep 600\n")]);
    let languages = languages_with_x(folder.path(), "seconds = 1");
    let options = BuildOptions { languages: &languages, ..BuildOptions::default() };
    let wanted = "the build was stopped: it did not finish within 1 s: sh bot.x bot.program\nbegun";
    check_refused(&folder.path().join("bot.x"), options, wanted)
}

fn a_build_with_too_much_output_fails() -> Result<(), Failed> {
    let folder = folder(&[("bot.x", "set -e\nfor n in 1 2 3; do head -c 600000 /dev/zero > $n; done\n: > $1\n")]);
    let languages = languages_with_x(folder.path(), "output_mib = 1");
    let path = folder.path().join("bot.x");
    let refused = Bot::load_with_options(&path, BuildOptions { languages: &languages, ..BuildOptions::default() })
        .unwrap_err();
    // Either the file system of the copy is full, or the size is found to be too large afterwards.
    let words = with_sources(&refused);
    let full = ["the files are larger than is allowed", "No space left on device"];
    assert!(full.iter().any(|full| words.contains(full)), "{words}");
    Ok(())
}

fn a_source_in_a_folder_is_built() -> Result<(), Failed> {
    let folder = folder(&[
        ("bot.toml", "language = \"x\"\nsource = \"src/bot.build\"\n"),
        ("src/bot.build", "cat beside > \"$2\" 2>/dev/null || cat src/beside > \"$1\"; chmod 755 \"$1\"\n"),
        ("src/beside", "#!/bin/sh\necho hello\n"),
    ]);
    let languages = languages_with_x(folder.path(), "");
    let bot =
        Bot::load_with_options(folder.path(), BuildOptions { languages: &languages, ..BuildOptions::default() })?;
    let built = bot.built.unwrap();
    assert_eq!(bot.program.argv, [built.folder.join("src/bot.program")]);
    assert_eq!(fs::read_to_string(&bot.program.argv[0])?, "#!/bin/sh\necho hello\n");
    Ok(())
}

fn a_missing_tool_is_reported() -> Result<(), Failed> {
    let folder = folder(&[("bot.x", "")]);
    let file = folder.path().join("languages.toml");
    fs::write(
        &file,
        "[[language]]\nname = \"X\"\nextensions = [\"x\"]\n[[language.toolchain]]\npackages = [\"x-tools\", \"libx\"]\n\
         run = [\"no-such-tool\", \"{source}\"]\n",
    )?;
    let languages = Languages::with_file(&file)?;
    let path = folder.path().join("bot.x");
    let shown = fs::canonicalize(&path)?;
    let wanted = format!(
        "`no-such-tool` is not on this machine, and {} (X) needs it: install it (Debian: apt-get install x-tools libx)",
        shown.display()
    );
    check_refused(&path, BuildOptions { languages: &languages, ..BuildOptions::default() }, &wanted)
}

fn a_build_has_no_network() -> Result<Completion, Failed> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    listener.set_nonblocking(true)?;
    let script = format!("(exec 3<>/dev/tcp/127.0.0.1/{}) && echo reached\n", listener.local_addr()?.port());
    let make = format!("{script}printf '#!/bin/sh\\n' > made\nchmod 755 made\n");
    let folder =
        folder(&[("bot.toml", "build = [\"bash\", \"make.sh\"]\nrun = [\"./made\"]\n"), ("make.sh", &make)]);
    let built = Bot::load(folder.path())?.built.unwrap();
    if built.isolation < Level::Scoped {
        return Ok(Completion::ignored_with(format!("this machine has only isolation {}", built.isolation)));
    }
    let words = fs::read_to_string(built.output)?;
    assert!(!words.is_empty() && !words.contains("reached"), "{words}");
    assert_eq!(listener.accept().map(drop).unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
    Ok(Completion::Completed)
}
