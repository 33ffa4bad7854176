//! Rock-paper-scissors in every supported language (R2): each bot beats the opponent's last move and begins with the
//! seed modulo 3, so that its answers are known.

use cornerman_harness::bot::Bot;
use cornerman_harness::sandbox::{Conditions, Ended, Level, ReadLine, RunRequest, SendStatus};
use cornerman_harness::toolchain::language::{Language, Languages};
use include_dir::{Dir, include_dir};
use libtest_mimic::{Completion, Failed, Trial};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

static BOTS: Dir = include_dir!("$CARGO_MANIFEST_DIR/../tests/languages/rps");

/// How long to wait for an answer. Time is not tested here.
const PATIENCE: Duration = Duration::from_secs(120);

const SEED: u32 = 31_244;

/// What the opponent plays.
const OTHERS: [u32; 6] = [0, 1, 2, 2, 1, 0];

pub fn trials() -> Vec<Trial> {
    let bots = BOTS.files().map(|file| {
        let language = Languages::built_in().for_file(file.path()).expect("a source of a known language");
        let name = format!("dialogue::{}", language.name);
        Trial::ignorable_test(name, move || match language.choose() {
            Err((toolchain, tool)) => {
                let packages = toolchain.packages.join(" ");
                Ok(Completion::ignored_with(format!("{tool} is not on this machine (Debian: {packages})")))
            }
            Ok(_) => check(language, file.path(), file.contents()).map(|()| Completion::Completed),
        })
    });
    bots.chain([Trial::test("every_language_has_a_bot", every_language_has_a_bot)]).collect()
}

fn every_language_has_a_bot() -> Result<(), Failed> {
    let mut with: Vec<&str> =
        BOTS.files().filter_map(|file| Some(Languages::built_in().for_file(file.path())?.name.as_str())).collect();
    with.sort_by_key(|name| name.to_lowercase());
    let all: Vec<&str> = Languages::built_in().all().iter().map(|language| language.name.as_str()).collect();
    if with == all { Ok(()) } else { Err(format!("there are bots in {with:?}, but not in all of {all:?}").into()) }
}

/// Builds the bot in a folder of its own, and plays with it at every level of isolation.
fn check(language: &Language, name: &Path, content: &[u8]) -> Result<(), Failed> {
    let folder = tempfile::Builder::new().prefix("language-").tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let source: PathBuf = folder.path().join(name);
    fs::write(&source, content)?;
    let bot = Bot::load(&source)?;
    for (what, hash) in [("source", &bot.source_sha256), ("program", &bot.program_sha256)] {
        assert!(hash.as_ref().is_some_and(|hash| hash.len() == 64), "the hash of its {what}: {hash:?}");
    }
    assert!(bot.toolchain.as_ref().is_some_and(|version| version.contains(|c: char| c.is_ascii_digit())));
    assert_eq!(fs::read_dir(folder.path())?.count(), 1, "nothing is built beside the source");
    Level::ALL.into_iter().try_for_each(|level| talk(&bot, language, level))
}

fn talk(bot: &Bot, language: &Language, level: Level) -> Result<(), Failed> {
    let conditions = Conditions { at_most: Some(level), ..Conditions::default() };
    let sandbox = bot.sandbox(conditions)?;
    let mut session =
        sandbox.start(&RunRequest::for_game(Vec::new()))?.running().map_err(|report| format!("{report:?}"))?;
    let deadline = Instant::now() + PATIENCE;
    // Computing the seed modulo 3 would take a page of Brainfuck, so that bot always begins with 0.
    let first = if language.name == "Brainfuck" { 0 } else { SEED % 3 };
    let moves = [first].into_iter().chain(OTHERS.map(|other| (other + 1) % 3)).map(|its| its.to_string());
    let due = [format!("beats-last in {}", language.name)].into_iter().chain(moves);
    let inputs = [format!("{SEED}\n{}\n", OTHERS.len())].into_iter().chain(OTHERS.map(|its| format!("{its}\n")));
    let mut said = Vec::new();
    let mut inputs = inputs.fuse();
    for due in due {
        let line = session.line(100, deadline)?;
        let early = !session.pending()?.is_empty();
        said.push(line.clone());
        if line != ReadLine::Read(due.clone().into_bytes()) || early {
            let (report, _) = session.finish(Duration::ZERO)?;
            let errors = String::from_utf8_lossy(&report.stderr).into_owned();
            return Err(
                format!("at {level}, expected {due:?}: {said:?}, then {:?}\n{errors}", report.ended).into()
            );
        }
        if let Some(input) = inputs.next() {
            assert_eq!(session.send(input.as_bytes(), deadline)?, SendStatus::Whole, "at {level}, {input:?}");
        }
    }
    let (report, _) = session.finish(PATIENCE)?;
    if report.ended == Ended::Exited(0) { Ok(()) } else { Err(format!("at {level} it ended: {report:?}").into()) }
}
