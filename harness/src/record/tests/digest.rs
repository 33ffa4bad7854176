//! How entrants behaved over all their games.

use super::*;
use crate::player;

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
fn games_and_forfeits_are_digested() {
    let (_folder, writing) = two_games();
    let mut seen = Vec::new();
    let digest = writing.digest(&mut |game| seen.push(game.clone())).unwrap();
    assert_eq!(seen, [game(0), eventful()]);
    assert_eq!(digest.games, writing.games().unwrap());
    let found: Vec<_> = digest.forfeits.iter().map(|it| (it.id, it.entrant.0, it.seat.0, it.number)).collect();
    assert_eq!(found, [(eventful().pairing.id, 1, 2, 21), (eventful().pairing.id, 2, 0, 21)]);
    assert_eq!(
        (&*digest.forfeits[0].kind, &*digest.forfeits[0].detail),
        ("timeout", "no answer within 2.0 s (B10)")
    );
}

#[test]
fn resource_use_is_summed_by_entrant_and_level() {
    let (_folder, writing) = two_games();
    let behaviour = writing.digest(&mut |_| {}).unwrap().behaviour;
    let rows: Vec<_> = behaviour.iter().flat_map(|(id, it)| it.resources.iter().map(|row| (id.0, row))).collect();
    let seen: Vec<_> = rows.iter().map(|(id, row)| (*id, row.level, row.games, row.leftovers)).collect();
    let scoped = Some(Level::Scoped);
    assert_eq!(
        seen,
        [(0, scoped, 1, 0), (0, scoped, 1, 3), (1, scoped, 1, 3), (2, None, 1, 0), (2, scoped, 1, 0)]
    );
    assert_eq!((rows[1].1.cpu, rows[1].1.peak_memory), (US(77), 1 << 40));
    assert!(rows[1].1.refused.starts_with("namespaced: ") && rows[0].1.refused.is_empty());
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
    let slow = || player::Remark::Slow("B10".into());
    let status = || player::Remark::ExitStatus(1, "B5".into());
    for (at, remarks) in [
        (0, vec![slow(), status()]),
        (1, vec![status()]),
        (2, vec![slow(), player::Remark::Leftovers(2, "B9".into()), status()]),
        (4, vec![player::Remark::Leftovers(1, "B9".into())]),
        (6, vec![player::Remark::Files(2, "B9".into())]),
    ] {
        noted.moves[at].remarks = remarks;
    }
    writing.add_game(&noted).unwrap();
    let check = |entrant: u16, wanted: &[(&str, u64, u32)]| {
        let all = writing.digest(&mut |_| {}).unwrap().behaviour;
        let own = &all[&EntrantId(entrant)].conduct;
        let found: Vec<_> = own.remarks.iter().map(|it| (it.remark.to_string(), it.moves, it.games)).collect();
        let wanted: Vec<_> = wanted.iter().map(|(text, all, games)| (text.to_string(), *all, *games)).collect();
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
