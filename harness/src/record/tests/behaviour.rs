//! How entrants behaved over all their games.

use super::*;

/// A record with an uneventful game and an eventful one.
fn two_games() -> (tempfile::TempDir, Writer) {
    let folder = tempfile::tempdir().unwrap();
    let mut writing = writer(&folder.path().join("c.db"));
    for game in &[game(0), eventful()] {
        writing.add_game(game).unwrap();
    }
    (folder, writing)
}

#[test]
fn times_are_read_with_their_entrant() {
    let (_folder, writing) = two_games();
    let mut timed = Vec::new();
    writing.each_move_time(&mut |one| timed.push(one)).unwrap();
    assert_eq!(timed.len(), 40);
    // In turn the seats of `game` and of `eventful`, whose third seat never moved.
    let wanted = [(game(0), [0, 2]), (eventful(), [2, 0])];
    for (at, (game, seats)) in wanted.into_iter().enumerate() {
        for (number, one) in (1u32..).zip(&timed[20 * at..20 * (at + 1)]) {
            let entrant = EntrantId(seats[(number as usize + 1) % 2]);
            let used = game.moves[number as usize - 1].used;
            assert_eq!(*one, MoveTime { id: game.pairing.id, entrant, number, used });
        }
    }
}

#[test]
fn forfeits_and_standard_error_are_read_with_their_game() {
    let (_folder, writing) = two_games();
    let id = eventful().pairing.id;
    let mut faults = Vec::new();
    let mut stderr = Vec::new();
    writing.each_fault(&mut |id, who, fault| faults.push((id, who, fault))).unwrap();
    writing.each_stderr(&mut |id, who, text| stderr.push((id, who, text))).unwrap();
    let wanted = eventful().faults;
    assert_eq!(faults, [(id, EntrantId(1), wanted[0].clone()), (id, EntrantId(2), wanted[1].clone())]);
    assert_eq!(stderr, [0, 1].map(|who| (id, EntrantId(who), "x\n".to_string())));
}

#[test]
fn resource_use_is_summed_by_entrant_and_level() {
    let (_folder, writing) = two_games();
    let rows = writing.resource_use().unwrap();
    let seen: Vec<_> = rows.iter().map(|row| (row.entrant.0, row.level, row.games, row.leftovers)).collect();
    let scoped = Some(Level::Scoped);
    assert_eq!(
        seen,
        [(0, scoped, 1, 0), (0, scoped, 1, 3), (1, scoped, 1, 3), (2, None, 1, 0), (2, scoped, 1, 0)]
    );
    assert_eq!((rows[1].cpu, rows[1].peak_memory, rows[1].slowest), (US(77), 1 << 40, US(2000)));
    assert!(rows[1].refused.starts_with("namespaced: ") && rows[0].refused.is_empty());
}

#[test]
fn a_snapshot_does_not_show_later_games() {
    let (folder, mut writing) = two_games();
    let reader = Record::open(&folder.path().join("c.db")).unwrap();
    let snapshot = reader.snapshot().unwrap();
    assert_eq!(reader.games_played().unwrap(), 2);
    writing.add_game(&game(1)).unwrap();
    assert_eq!(reader.games_played().unwrap(), 2, "a game that came later is not there yet");
    drop(snapshot);
    assert_eq!(reader.games_played().unwrap(), 3);
}

#[test]
fn remarks_are_counted_by_moves_and_games_of_an_entrant() {
    let (_folder, mut writing) = two_games();
    let mut noted = game(2);
    for (at, remarks) in [
        (0, "slower than the soft limit (B10); exit status 1 (B5)"),
        (1, "exit status 1 (B5)"),
        (2, "slower than the soft limit (B10); left 2 processes running (B9); exit status 1 (B5)"),
        (4, "left a process running (B9)"),
        (6, "left 2 files or folders besides its state file (B9)"),
    ] {
        noted.moves[at].remarks = remarks.to_string();
    }
    writing.add_game(&noted).unwrap();
    let check = |entrant: u16, wanted: &[(&str, u64, u32)]| {
        let all = writing.conduct_totals().unwrap();
        let own = all.iter().find(|one| one.entrant == EntrantId(entrant)).expect("it has played");
        let found: Vec<_> =
            own.remarks.iter().map(|(text, times)| (text.as_str(), times.all, times.games)).collect();
        assert_eq!(found, wanted);
    };
    // One remark is of the eventful game. Processes are counted once, as leftovers.
    check(
        0,
        &[
            ("slower than the soft limit (B10)", 3, 2),
            ("exit status 1 (B5)", 2, 1),
            ("left 2 files or folders besides its state file (B9)", 1, 1),
        ],
    );
    check(1, &[]);
    check(2, &[("exit status 1 (B5)", 1, 1)]);
}
