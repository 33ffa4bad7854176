//! A run that is killed leaves only whole games, and the next run resumes.
//!
//! The runs are processes of this program itself, which with an option writes games until it is killed.

mod games;

use cornerman::format::GameId;
use libtest_mimic::{Failed, Trial};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// The option that makes this program write to the record whose path follows.
const WRITE: &str = "--write-until-killed";

/// How many runs are killed.
const KILLS: u32 = 12;

const ENTRANTS: u16 = 3;
const MOVES: u32 = 20;

pub fn trials() -> Vec<Trial> {
    vec![Trial::test(
        "record::a_killed_run_leaves_whole_games_and_the_next_resumes",
        killed_runs_leave_whole_games,
    )]
}

/// Writes games until the process is killed, if its arguments ask for that.
pub fn write_if_asked() {
    if let Some(path) = std::env::args_os().skip_while(|arg| arg != WRITE).nth(1) {
        write_until_killed(Path::new(&path));
    }
}

fn write_until_killed(path: &Path) -> ! {
    let mut writing = games::writer(path, ENTRANTS);
    writing.set_durable(false).expect("a setting");
    let mut next = writing.games_played().expect("a number") as u32;
    loop {
        writing.add_game(&games::game(next, ENTRANTS, MOVES)).expect("a game");
        next += 1;
    }
}

fn start(path: &Path) -> Child {
    let mut this = Command::new(std::env::current_exe().expect("this program"));
    this.arg(WRITE).arg(path).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it can be started")
}

fn killed_runs_leave_whole_games() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("c.db");
    let mut before = 0;
    for kill in 0..KILLS {
        let mut writing = start(&path);
        // Any moment will do, so each round takes another one.
        thread::sleep(Duration::from_millis(40 + u64::from(kill) * 13));
        let killed = writing.kill();
        let gone = writing.wait();
        killed?;
        gone?;
        let record = games::writer(&path, ENTRANTS);
        let heads: Vec<GameId> = record.games()?.iter().map(|head| head.pairing.id).collect();
        if heads.len() < before {
            return Err(format!("only {} of {before} games are left", heads.len()).into());
        }
        // Earlier games were checked after the previous kill.
        for n in before..heads.len() {
            if record.game(heads[n])? != Some(games::game(n as u32, ENTRANTS, MOVES)) {
                return Err(format!("game {n} of {} differs from what was written", heads.len()).into());
            }
        }
        before = heads.len();
    }
    if before == 0 { Err("no game was written".into()) } else { Ok(()) }
}
