//! A record returns what was written to it, whatever happens in between.

mod digest;
mod files;

use super::*;
use crate::contest_spec::StageSpec;
use crate::sandbox::Limits;
use cornerman::contest::Participants;
use cornerman::format::{EntrantId, Results, StageRemark};
use cornerman::formats::{Format, all_play_all::AllPlayAllSettings, permutations::PermutationsSettings};
use cornerman::game::End;
use cornerman::journal::Decision;
use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;
use std::path::Path;

const US: fn(u64) -> Duration = Duration::from_micros;

/// Makes the views that read logs readable: adds the function with which the `sqlite3` program reads logs.
fn add_view_functions(db: &Connection) {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    let added = db.create_scalar_function("sqlar_uncompress", 2, flags, |args| {
        Ok(stored::uncompressed(args.get(0)?, args.get::<u32>(1)? as usize).expect("a log"))
    });
    added.unwrap();
}

const SEED: u64 = u64::MAX - 7;

/// The contest of [`header`], with this seed.
fn spec(seed: u64) -> ContestSpec {
    let stage = |name: &str, format| StageSpec { name: name.to_string(), format, who: Participants::All };
    let all_play_all = Format::AllPlayAll(AllPlayAllSettings::default());
    let permutations = Format::Permutations(PermutationsSettings::default());
    let stages = vec![stage("Stage 1", all_play_all), stage("Stage 2", permutations)];
    ContestSpec::new("Club night", seed, stages, &Limits::default())
}

fn header() -> Header {
    let lot = Decision::Lot { stage: 0, about: "a place".to_string(), order: vec![EntrantId(1), EntrantId(0)] };
    let stage = |name: &str, kind: &str| StageRecord {
        name: name.to_string(),
        kind: kind.to_string(),
        programs: vec![EntrantId(7)],
    };
    Header {
        contest: "Club night".to_string(),
        contest_text: "name = \"Club night\"\nseed = 7\n".to_string(),
        contest_json: spec(SEED).to_json(),
        journal: Journal { decisions: vec![lot] },
        game: "boxing".to_string(),
        ruleset: "boxing-1994".to_string(),
        ruleset_text: "max_square = 16\n".to_string(),
        seed: SEED,
        stages: vec![stage("Stage 1", "all-play-all"), stage("Stage 2", "permutations")],
        boards: vec![b"---o--- 0\n".to_vec()],
        kit: "0.1.0".to_string(),
        origin: Some("the games of another record".to_string()),
    }
}

fn entrants() -> Vec<EntrantRecord> {
    let named = |name: &str| EntrantRecord { name: name.to_string(), ..EntrantRecord::default() };
    let full = EntrantRecord {
        author: Some("Ann".to_string()),
        spec: "bots/gull.c".to_string(),
        role: Role::Filler,
        group: Some("East".to_string()),
        entered: Some(3),
        source_sha256: Some("00ff".repeat(16)),
        program_sha256: Some("12ab".repeat(16)),
        toolchain: Some("cc 12.2".to_string()),
        verdict: Some("passed".to_string()),
        ..named("gull")
    };
    let out = EntrantRecord {
        verdict: Some("fails BX-OUT-SIZE".to_string()),
        out: Some("it fails BX-OUT-SIZE".to_string()),
        ..named("skua")
    };
    vec![named("tern"), full, named("gannet"), out]
}

fn writer(path: &Path) -> Writer {
    let mut writer = Writer::create_or_resume(path, &header()).unwrap();
    writer.add_entrants(&entrants()).unwrap();
    writer
}

/// An uneventful game: the `n`th of the first stage.
fn game(n: u32) -> GameRecord {
    let used = TimeUsed { wall: US(1500), cpu: US(900), lag: US(0) };
    let seat = |seat: u32| Seat((seat % 2) as u8);
    let one = |number| MoveRecord {
        number,
        seat: seat(number + 1),
        notation: format!("5x5@{number},3"),
        used,
        remarks: Vec::new(),
    };
    let conduct = SeatRecord { level: Some(Level::Scoped), asked: 10, slowest: US(2000), ..SeatRecord::default() };
    GameRecord {
        pairing: Pairing {
            id: GameId { stage: 0, round: (n / 1000) as u16, table: n % 1000, game: 0, attempt: 0 },
            seats: vec![EntrantId((n % 2) as u16), EntrantId(2)],
            board: n % 3,
        },
        setup: Setup {
            seats: 2,
            board: format!("---o--- {}\n", n % 3).into_bytes(),
            marks: b"AB".to_vec(),
            seed: u64::from(n),
        },
        outcome: Outcome {
            places: vec![1, 2],
            points: vec![i64::from(n), 0],
            territory: vec![n, 5],
            end: End::Played,
        },
        started_ms: 1_700_000_000_000 + u64::from(n),
        wall: US(30_000),
        host: "ring1".to_string(),
        moves: (1..=20).map(one).collect(),
        faults: Vec::new(),
        seats: vec![conduct.clone(), conduct],
    }
}

/// A game that uses everything a record can store.
fn eventful() -> GameRecord {
    let mut game = game(5);
    let used = TimeUsed { wall: US(2_000_001), cpu: US(3), lag: US(250_000) };
    game.pairing.id =
        GameId { stage: 1, round: u16::MAX - 1, table: u32::MAX - 1, game: u16::MAX - 1, attempt: 0 };
    game.pairing.seats = vec![EntrantId(2), EntrantId(0), EntrantId(1)];
    game.setup =
        Setup { seats: 3, board: vec![b'-', 0, 255, b'\n'], marks: vec![b'*', b'\'', 200], seed: u64::MAX };
    game.outcome = Outcome {
        places: vec![1, 1, 3],
        points: vec![-5, 1 << 40, 0],
        territory: vec![1, 2, 3],
        end: End::Forfeited,
    };
    game.pairing.board = u32::MAX;
    game.moves[3].remarks = vec![crate::player::Remark::Slow("B10".into())];
    let fault = |seat, answer: &[u8]| FaultRecord {
        number: 21,
        seat: Seat(seat),
        kind: "timeout".to_string(),
        detail: "no answer within 2.0 s (B10)".to_string(),
        view: b"---\n".to_vec(),
        answer: answer.to_vec(),
        used,
        stderr: "Traceback\n  'quoted'".to_string(),
    };
    game.faults = vec![fault(2, b""), fault(0, &[0, 1, 254])];
    let refused = "namespaced: unshare: Operation not permitted".to_string();
    let shut = SeatRecord {
        refused,
        cpu: US(77),
        peak_memory: 1 << 40,
        leftovers: 3,
        stderr: "x\n".to_string(),
        called: Some("Sample 1.0".to_string()),
        ignored: 4,
        tasks: 2,
        said: vec![
            SaidRecord::default(),
            SaidRecord { number: 21, text: "depth=5\n\u{1b}[2J".to_string(), left_out: 1 << 40 },
        ],
        ..game.seats[0].clone()
    };
    game.seats = vec![SeatRecord::default(), shut.clone(), shut];
    game
}

#[test]
fn a_game_is_read_as_it_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.db");
    let games = [game(0), eventful(), game(1)];
    let mut writing = writer(&path);
    for game in &games {
        writing.add_game(game).unwrap();
    }
    drop(writing);
    let record = Record::open(&path).unwrap();
    for game in games {
        assert_eq!(record.game(game.pairing.id).unwrap().as_ref(), Some(&game));
    }
    assert_eq!(record.game(game(2).pairing.id).unwrap(), None);
}

#[test]
fn games_are_listed_in_the_order_of_the_contest() {
    let folder = tempfile::tempdir().unwrap();
    let mut writing = writer(&folder.path().join("c.db"));
    let games = [game(2), eventful(), game(0), game(1)];
    for game in &games {
        writing.add_game(game).unwrap();
    }
    let mut wanted = Results::new();
    for game in &games {
        wanted.insert(game.pairing.id, game.outcome.clone());
    }
    assert_eq!(writing.results().unwrap(), wanted);
    let heads = writing.games().unwrap();
    let pairings: Vec<&Pairing> = heads.iter().map(|head| &head.pairing).collect();
    assert_eq!(pairings, [2, 3, 0, 1].map(|at: usize| &games[at].pairing));
    assert_eq!((heads[3].moves, &heads[3].outcome), (20, &games[1].outcome));
    assert_eq!(writing.games_played().unwrap(), 4);
}

#[test]
fn a_resumed_record_has_its_contest_and_entrants() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.db");
    let writing = writer(&path);
    assert!(!writing.resumed());
    drop(writing);
    let again = writer(&path);
    assert!(again.resumed());
    assert_eq!((again.header().unwrap(), again.entrants().unwrap()), (header(), entrants()));
}

#[test]
fn remarks_replace_those_before() {
    let folder = tempfile::tempdir().unwrap();
    let mut writing = writer(&folder.path().join("c.db"));
    let id = EntrantId;
    let lot = StageRemark::Lot { about: "seeds 2 and 3".to_string(), order: vec![id(2), id(0), id(1)] };
    let bye = StageRemark::Bye { round: 3, entrant: id(1) };
    let repeat = StageRemark::Repeat { round: 4, pair: (id(2), id(1)) };
    let filler = StageRemark::Filler { round: 0, entrant: id(1) };
    let note = StageRemark::Note("match points decide".to_string());
    let mut check = |remarks: &[(u8, StageRemark)], wanted: &[(u8, &str, Option<u16>, &[EntrantId])]| {
        writing.set_remarks(remarks).unwrap();
        let found = writing.remarks().unwrap();
        let found: Vec<_> =
            found.iter().map(|(stage, kind, round, who)| (*stage, &**kind, *round, &**who)).collect();
        assert_eq!(found, wanted);
        let texts =
            writing.list("SELECT text FROM remarks WHERE text <> '' ORDER BY stage, nth", |row| row.get(0));
        texts.unwrap()
    };
    let texts: Vec<String> = check(
        &[(0, note.clone()), (0, bye.clone()), (1, filler)],
        &[(0, "note", None, &[]), (0, "bye", Some(3), &[id(1)]), (1, "filler", Some(0), &[id(1)])],
    );
    assert_eq!(texts, ["match points decide"]);
    // A decision may leave a stage without any.
    let texts = check(
        &[(0, lot), (0, repeat), (0, bye), (0, note)],
        &[
            (0, "lot", None, &[id(2), id(0), id(1)]),
            (0, "repeat", Some(4), &[id(2), id(1)]),
            (0, "bye", Some(3), &[id(1)]),
            (0, "note", None, &[]),
        ],
    );
    assert_eq!(texts, ["seeds 2 and 3", "match points decide"]);
}

#[test]
fn a_reason_that_no_reader_would_accept_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.db");
    let mut writing = writer(&path);
    let mut decide = |length| {
        writing
            .decide(&DecidedAction::Hold { entrant: EntrantId(0) }, None, &"x".repeat(length))
            .map_err(|it| it.kind)
    };
    assert!(matches!(decide(LONGEST_REASON + 1), Err(RecordErrorKind::Refused(_))));
    assert!(matches!(decide(LONGEST_REASON), Ok(1)));
    assert_eq!(Record::open(&path).unwrap().decisions().unwrap().len(), 1);
}

#[test]
fn a_game_counts_once_and_a_board_cannot_change() {
    let folder = tempfile::tempdir().unwrap();
    let mut writing = writer(&folder.path().join("c.db"));
    writing.add_game(&game(0)).unwrap();
    let twice = writing.add_game(&game(0)).unwrap_err();
    assert!(twice.to_string().ends_with(": game s1/r1/m1/g1 is in the record already"), "{twice}");
    let other = GameRecord { setup: Setup { board: b"ooo".to_vec(), ..game(3).setup }, ..game(3) };
    let other = writing.add_game(&other).unwrap_err();
    assert!(matches!(other.kind, RecordErrorKind::BoardChanged(0)), "{other}");
    assert_eq!(writing.games_played().unwrap(), 1);
}

#[test]
fn a_game_that_could_not_be_played_is_noted_until_it_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.db");
    let mut writing = writer(&path);
    let id = |n| game(n).pairing.id;
    assert_eq!(writing.unplayed().unwrap(), []);
    for (n, why) in [(3, "no room"), (1, "no room"), (3, "no process")] {
        writing.add_unplayed(id(n), 3, why).unwrap();
    }
    let noted = |n, attempts, why: &str| Unplayed { id: id(n), attempts, why: why.to_string() };
    assert_eq!(writing.unplayed().unwrap(), [noted(1, 3, "no room"), noted(3, 6, "no process")]);
    assert_eq!(noted(1, 3, "no room").to_string(), "game s1/r1/m2/g1 could not be played: no room");
    writing.add_game(&game(3)).unwrap();
    assert_eq!(writing.unplayed().unwrap(), [noted(1, 3, "no room")]);
}

#[test]
fn a_decision_that_a_reader_would_refuse_is_not_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let mut writing = writer(&folder.path().join("c.db"));
    let contest = Box::new(ContestSpec { name: "x".repeat(1025), ..spec(SEED) });
    let amend = DecidedAction::Amend { file: String::new(), contest, stages: header().stages };
    let absent = DecidedAction::Hold { entrant: EntrantId(3) };
    for (action, why) in [(amend, "a name has more than 1024 bytes"), (absent, "entrant 3 does not compete")] {
        let refused = writing.decide(&action, None, "a trial").unwrap_err().to_string();
        assert!(refused.ends_with(&format!("c.db: the decision cannot be recorded: {why}")), "{refused}");
    }
    assert_eq!((writing.decisions().unwrap(), writing.links().unwrap()), (Vec::new(), 0));
    assert_eq!(writing.decide(&DecidedAction::Hold { entrant: EntrantId(0) }, None, "a trial").unwrap(), 1);
}

#[test]
fn the_views_for_people_show_what_happened() {
    let folder = tempfile::tempdir().unwrap();
    let mut writing = writer(&folder.path().join("c.db"));
    for game in &[game(0), game(1), eventful()] {
        writing.add_game(game).unwrap();
    }
    add_view_functions(writing.db());
    let ask = |sql: &str| {
        let mut select = writing.db().prepare(sql).unwrap();
        let rows = select.query_map([], |row| row.get::<_, String>(0)).unwrap();
        rows.collect::<Result<Vec<_>, _>>().unwrap()
    };
    assert_eq!(
        ask(
            "SELECT stage || ' ' || name || ' ' || games || ' ' || wins || ' ' || ties || ' ' || losses || ' ' || \
             forfeits FROM standings_wins WHERE stage = 1"
        ),
        ["1 gull 1 1 0 0 0", "1 tern 1 1 0 0 0", "1 gannet 2 0 0 2 0"]
    );
    assert_eq!(
        ask("SELECT pairing || ' ' || name FROM forfeits"),
        ["s2/r65535/m4294967295/g65535 gull", "s2/r65535/m4294967295/g65535 gannet"]
    );
    assert_eq!(
        ask("SELECT players || '; ' || winner || '; ' || points FROM games_named"),
        [
            "tern - gannet; tern; 0 : 0",
            "gull - gannet; gull; 1 : 0",
            "gannet - tern - gull; gannet = tern; -5 : 1099511627776 : 0"
        ]
    );
}

#[test]
fn notes_are_the_lines_with_a_key_and_a_number() {
    let folder = tempfile::tempdir().unwrap();
    let mut writing = writer(&folder.path().join("c.db"));
    let mut noted = game(0);
    let long = "k".repeat(33);
    let text = format!(
        "@note depth=7\nhello\n@note lie=NaN\n@note <b>x</b>=1\n@note score=-1.5e3 \n@note list=[1]\n\
         @note text=\"4\"\n @note late=1\n@note {long}=1\n@note 1st=1\n@note both=1=2\n@note vast=1e999\n@note cut=1\0\n\\u0000\n@note last-one=1"
    );
    noted.seats[1].said = vec![SaidRecord { number: 3, text: text.clone(), left_out: 0 }];
    writing.add_game(&noted).unwrap();
    add_view_functions(writing.db());
    let said: String = writing.db().query_row("SELECT text FROM said", [], |row| row.get(0)).unwrap();
    assert_eq!(said, text.replace('\0', "\u{fffd}"), "SQLite sees nothing after NUL");
    let mut select = writing.db().prepare("SELECT seat, number, key, value FROM notes").unwrap();
    let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get::<_, String>(2)?, row.get(3)?)));
    let rows: Vec<(u8, u32, String, f64)> = rows.unwrap().collect::<Result<_, _>>().unwrap();
    let rows: Vec<String> = rows.into_iter().map(|row| format!("{row:?}")).collect();
    assert_eq!(rows, [r#"(1, 3, "depth", 7.0)"#, r#"(1, 3, "score", -1500.0)"#, r#"(1, 3, "last-one", 1.0)"#]);
}

#[test]
fn names_of_games_are_parsed_as_they_are_shown() {
    let again = GameId { attempt: 1, ..game(0).pairing.id };
    for id in [game(0).pairing.id, game(1234).pairing.id, eventful().pairing.id, again] {
        assert_eq!(parse_game_id(&id.to_string()), Some(id));
    }
    for no in [
        "",
        "s1/r1/m1",
        "s0/r1/m1/g1",
        "s1/r1/m1/g1/x1",
        "s1/r1/m1/g1/a1",
        "s1/r1/m1/g1/a2/a2",
        "s1/m1/r1/g1",
        "s257/r1/m1/g1",
        "s1/r1/m1/g-1",
    ] {
        assert_eq!(parse_game_id(no), None, "{no}");
    }
}

#[test]
fn the_queries_of_the_documentation_work() {
    let folder = tempfile::tempdir().unwrap();
    let mut writing = writer(&folder.path().join("c.db"));
    for game in &[game(0), eventful()] {
        writing.add_game(game).unwrap();
    }
    add_view_functions(writing.db());
    let text = include_str!("../../../docs/record.md");
    let sql = text.split("```sql\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let lines: Vec<&str> = sql.lines().filter(|line| !line.starts_with('.')).collect();
    let lines = lines.join("\n");
    let queries: Vec<&str> = lines.split(';').filter(|query| query.contains("SELECT")).collect();
    assert_eq!(queries.len(), 9);
    for query in queries {
        let asked =
            writing.db().prepare(query).and_then(|mut query| query.query([])?.next().map(|row| row.is_some()));
        assert!(asked.is_ok(), "{query}: {asked:?}");
    }
}

#[test]
fn full_games_are_read_one_by_one_until_the_callback_fails() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = writer(&folder.path().join("c.db"));
    let whole = [2, 0, 1].map(game);
    for game in &whole {
        writer.add_game(game).unwrap();
    }
    let mut seen = Vec::new();
    writer
        .each_full_game(&mut |game| {
            seen.push(game);
            Ok::<(), RecordError>(())
        })
        .unwrap();
    assert_eq!(seen, [0, 1, 2].map(game));
    let mut shown = 0;
    let stopped = writer.each_full_game(&mut |_| {
        shown += 1;
        Err(RecordErrorKind::Missing.at(Path::new("enough")))
    });
    assert!(matches!(stopped.unwrap_err().kind, RecordErrorKind::Missing));
    assert_eq!(shown, 1);
}

#[test]
fn conduct_is_counted_for_each_entrant() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = writer(&folder.path().join("c.db"));
    for (n, name) in (0..).zip(["gull", "tern", "tern", "heron", "gull", "wren", "tern", "a", "b", "c"]) {
        let mut game = game(2 * n);
        let seat = &mut game.seats[1];
        (seat.called, seat.tasks) = (Some(name.to_string()), 3 * n);
        (seat.leftovers, seat.ignored) = (n % 3, 0);
        writer.add_game(&game).unwrap();
    }
    let called = [("tern", 3), ("gull", 2), ("a", 1), ("b", 1), ("c", 1)];
    let quiet = ConductTotals { games: 10, ..ConductTotals::default() };
    let other = ConductTotals {
        leftovers: Occurrences { all: 9, games: 6 },
        tasks: 27,
        called: called.map(|(name, games)| CalledName { name: name.to_string(), games }).into(),
        names: 7,
        ..quiet.clone()
    };
    let found = writer.digest(&mut |_| {}).unwrap().behaviour;
    assert!(found.keys().eq(&[EntrantId(0), EntrantId(2)]));
    assert!(found.values().map(|it| &it.conduct).eq([&quiet, &other]), "{found:?}");
}
