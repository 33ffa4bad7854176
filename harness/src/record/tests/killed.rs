//! A run that is killed leaves whole games, and the next run goes on.

use super::*;
use std::process::{Child, Command, Stdio};
use std::thread;

/// Where the process that is going to be killed finds the record.
const PATH: &str = "CORNERMAN_TEST_RECORD";
const KILLS: u32 = 12;

/// Not a test: what a test starts this program again for.
#[test]
fn if_asked_to_this_writes_until_it_is_killed() {
    let Some(path) = std::env::var_os(PATH) else { return };
    let mut writing = writer(Path::new(&path));
    writing.set_durable(false).unwrap();
    for n in writing.games_played().unwrap() as u32.. {
        writing.add_game(&game(n)).unwrap();
    }
}

fn start(path: &Path) -> Child {
    let mut this = Command::new(std::env::current_exe().unwrap());
    this.args(["--exact", "record::tests::killed::if_asked_to_this_writes_until_it_is_killed"]).env(PATH, path);
    this.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

#[test]
fn a_killed_run_leaves_a_prefix_of_whole_games_and_the_next_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.db");
    let mut before = 0;
    for kill in 0..KILLS {
        let mut writing = start(&path);
        // Any moment will do; each round another.
        thread::sleep(Duration::from_millis(40 + u64::from(kill) * 13));
        writing.kill().unwrap();
        writing.wait().unwrap();
        let record = writer(&path);
        let games: Vec<PairingId> = record.games().unwrap().iter().map(|head| head.pairing.id).collect();
        assert!(games.len() >= before, "{} after {before}", games.len());
        let whole = |n: &u32| record.game(games[*n as usize]).unwrap() == Some(game(*n));
        // What was whole after the kill before was looked at then.
        assert_eq!((before as u32..games.len() as u32).find(|n| !whole(n)), None, "of {} games", games.len());
        before = games.len();
    }
    assert!(before > 0, "nothing was written at all");
}
