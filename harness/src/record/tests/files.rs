//! Opening files that are not a record, or that this run may not write.

use super::*;
use std::fs;

fn check(error: RecordError, path: &Path, wanted: &str) {
    assert_eq!(error.to_string().replace(&path.display().to_string(), "C"), wanted);
}

fn folder_and_path() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.db");
    (folder, path)
}

#[test]
fn one_run_at_a_time_writes_and_anyone_reads() {
    let (_folder, path) = folder_and_path();
    let mut first = writer(&path);
    let host = host_name();
    let in_use = Writer::resume(&path, &header()).unwrap_err();
    let pid = std::process::id();
    let words = format!("C: another run is writing to it (process {pid} on {host}): wait for it or stop it first");
    check(in_use, &path, &words);
    assert!(matches!(Writer::set_aside(&path).unwrap_err().kind, RecordErrorKind::InUse(_)));
    first.add_game(&game(0)).unwrap();
    let reader = Record::open(&path).unwrap();
    assert_eq!(reader.games_played().unwrap(), 1);
    first.add_game(&game(1)).unwrap();
    assert_eq!(reader.games_played().unwrap(), 2);
    drop(first);
    assert_eq!(writer(&path).games_played().unwrap(), 2);
}

#[test]
fn a_finished_record_is_one_file() {
    let (folder, path) = folder_and_path();
    let mut writing = writer(&path);
    writing.add_game(&game(0)).unwrap();
    drop(writing);
    let files: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(files, ["c.db"]);
}

#[test]
fn a_record_set_aside_makes_room_for_another() {
    let (_folder, path) = folder_and_path();
    for n in 1..=2 {
        let mut writing = writer(&path);
        for n in 0..n {
            writing.add_game(&game(n)).unwrap();
        }
        drop(writing);
        let aside = Writer::set_aside(&path).unwrap();
        assert_eq!(aside.file_name().unwrap().to_str(), Some(format!("c.old-{n}.db").as_str()));
        assert_eq!(Record::open(&aside).unwrap().games_played().unwrap(), u64::from(n));
    }
}

#[test]
fn a_file_that_is_not_a_record_is_left_unchanged() {
    let (folder, path) = folder_and_path();
    check(Record::open(&path).unwrap_err(), &path, "no such record: C");
    assert!(Record::open_if_begun(&path).unwrap().is_none());
    assert!(matches!(Writer::resume(&path, &header()).unwrap_err().kind, RecordErrorKind::Missing));

    let text = "not a database, but long enough to look like the head of one might\n".repeat(20);
    fs::write(&path, &text).unwrap();
    let words = "C: not the record of a tournament: it is not an SQLite file";
    check(Record::open(&path).unwrap_err(), &path, words);
    check(Writer::resume(&path, &header()).unwrap_err(), &path, words);
    assert_eq!(fs::read_to_string(&path).unwrap(), text);

    // A run was killed before it wrote anything, or during its first transaction.
    for journal in [None, Some("wal")] {
        fs::write(&path, b"").unwrap();
        if let Some(kind) = journal {
            rusqlite::Connection::open(&path).unwrap().pragma_update(None, "journal_mode", kind).unwrap();
        }
        assert!(Record::open_if_begun(&path).unwrap().is_none());
        check(Record::open(&path).unwrap_err(), &path, "C: not the record of a tournament: it is empty");
    }

    fs::remove_file(&path).unwrap();
    let other = rusqlite::Connection::open(&path).unwrap();
    other.execute_batch("CREATE TABLE notes (text)").unwrap();
    drop(other);
    let words = "C: not the record of a tournament: it is the SQLite file of another program";
    check(Record::open(&path).unwrap_err(), &path, words);
    check(Writer::resume(&path, &header()).unwrap_err(), &path, words);
    let words = "C: not the record of a tournament: it is a folder";
    check(Record::open(folder.path()).unwrap_err(), folder.path(), words);
    check(Writer::resume(folder.path(), &header()).unwrap_err(), folder.path(), words);
}

#[test]
fn a_record_of_another_version_is_refused() {
    let (_folder, path) = folder_and_path();
    let mut writing = writer(&path);
    writing.add_game(&game(0)).unwrap();
    drop(writing);
    rusqlite::Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let this = env!("CARGO_PKG_VERSION");
    let version = schema::VERSION;
    let words = format!(
        "C: the record has format version 99, and this kit ({this}) reads and resumes version {version}: use the kit \
         that wrote it"
    );
    check(Record::open(&path).unwrap_err(), &path, &words);
    check(Writer::resume(&path, &header()).unwrap_err(), &path, &words);
}

#[test]
fn a_record_of_another_contest_is_refused_key_by_key() {
    let (_folder, path) = folder_and_path();
    drop(writer(&path));
    let seed = Header { contest_json: spec(8).to_json(), seed: 8, ..header() };
    let words = format!(
        "C: the contest file has changed since the record was begun:\n  seed was {SEED}, and is 8 now\nundo this, or \
         begin another record"
    );
    check(Writer::resume(&path, &seed).unwrap_err(), &path, &words);
    let rules = Header { ruleset_text: "max_square = 8\n".to_string(), ..header() };
    let changed = Writer::resume(&path, &rules).unwrap_err();
    assert!(matches!(changed.kind, RecordErrorKind::Changed { what: "the ruleset", .. }), "{changed}");
    let other = Header { contest_json: spec(8).to_json(), ..header() };
    let changed = Writer::resume(&path, &other).unwrap_err();
    assert!(changed.to_string().ends_with("contest_json has another name, seed or stages"), "{changed}");
    let mut others = entrants();
    others[1].source_sha256 = None;
    Writer::resume(&path, &header()).unwrap().add_entrants(&others).unwrap();
    others[1].program_sha256 = None;
    let changed = Writer::resume(&path, &header()).unwrap().add_entrants(&others).unwrap_err();
    let words = "C: since the record was begun the program of gull has changed: restore the original, or begin another \
                 record";
    check(changed, &path, words);
    others[1].role = Role::SeedProgram;
    let changed = Writer::resume(&path, &header()).unwrap().add_entrants(&others).unwrap_err();
    let line = "\n  entrants[2].role was \"filler\", and is \"seed program\" now\n";
    assert!(changed.to_string().contains(line), "{changed}");
}

#[test]
fn a_name_too_long_to_be_read_back_is_not_written() {
    let (_folder, path) = folder_and_path();
    let mut long = entrants();
    long[1].name = "é".repeat(513);
    let refused = Writer::create_or_resume(&path, &header()).unwrap().add_entrants(&long).unwrap_err();
    let words = format!(
        "C: the name of an entrant, `{}…`, is 1026 bytes long: give it one of at most 1024 bytes",
        "é".repeat(20)
    );
    check(refused, &path, &words);
    drop(writer(&path));
    let contest = Header { contest: "x".repeat(1025), ..header() };
    let refused = Writer::resume(&path, &contest).unwrap_err().to_string();
    assert!(refused.contains("the name of the contest, `xxxx"), "{refused}");
    assert_eq!(Record::open(&path).unwrap().entrants().unwrap(), entrants());
}

#[test]
fn a_full_disk_leaves_only_whole_games() {
    let (_folder, path) = folder_and_path();
    let mut writing = writer(&path);
    writing.add_game(&game(0)).unwrap();
    // The file's present pages and two more.
    let pages: u32 = writing.db().query_row("PRAGMA page_count", [], |row| row.get(0)).unwrap();
    writing.db().pragma_update(None, "max_page_count", pages + 2).unwrap();
    let mut written = 1;
    let full = loop {
        match writing.add_game(&game(written)) {
            Ok(()) => written += 1,
            Err(full) => break full,
        }
    };
    check(full, &path, "C: the disk is full: make room, then resume; all games finished so far are safe");
    drop(writing);
    let resumed = writer(&path);
    let games = resumed.games().unwrap();
    assert_eq!(games.len(), written as usize);
    assert!(games.iter().all(|head| resumed.game(head.pairing.id).unwrap().unwrap().moves.len() == 20));
}

#[test]
fn a_folder_that_cannot_be_written_to_is_named() {
    // Not even root can create files there.
    let path = Path::new("/sys/c.db");
    let refused = Writer::create_or_resume(path, &header()).unwrap_err();
    assert!(matches!(refused.kind, RecordErrorKind::CannotWrite(_)), "{refused}");
    assert!(refused.to_string().starts_with("/sys/c.db: cannot write the record: "), "{refused}");
}

#[test]
fn a_record_has_one_lock_whatever_its_name() {
    let (folder, path) = folder_and_path();
    let by_link = folder.path().join("other.db");
    std::os::unix::fs::symlink("c.db", &by_link).unwrap();
    let words = "C: not the record of a tournament: it is a link to c.db, which does not exist";
    check(Writer::create_or_resume(&by_link, &header()).unwrap_err(), &by_link, words);
    let first = writer(&path);
    let second = Writer::create_or_resume(&by_link, &header()).unwrap_err();
    assert!(matches!(second.kind, RecordErrorKind::InUse(_)), "{second}");
    drop(first);
    drop(writer(&by_link));
    fs::remove_file(&by_link).unwrap();
    fs::hard_link(&path, &by_link).unwrap();
    let words = "C: the file has 2 names (hard links), through which several runs could write to it: copy it to a file \
                 of its own";
    check(Writer::create_or_resume(&by_link, &header()).unwrap_err(), &by_link, words);
    let mut files: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    files.sort();
    assert_eq!(files, ["c.db", "other.db"], "no lock is left");
}

#[test]
fn a_record_that_is_disturbed_takes_no_more_games() {
    type Disturb = fn(&Path);
    let replace = |path: &Path| {
        fs::copy(path, path.with_extension("copy")).unwrap();
        fs::rename(path.with_extension("copy"), path).unwrap();
    };
    let cases: [(&str, &str, Disturb); 6] = [
        ("", "was deleted or renamed", |path| fs::remove_file(path).unwrap()),
        ("", "was deleted or renamed", |path| fs::rename(path, path.with_extension("old")).unwrap()),
        ("", "was replaced", replace),
        ("", "was cut off", |path| fs::File::options().write(true).open(path).unwrap().set_len(100).unwrap()),
        ("-wal", "was deleted or renamed", |path| fs::remove_file(path).unwrap()),
        ("-shm", "was deleted or renamed", |path| fs::remove_file(path).unwrap()),
    ];
    for (suffix, what, disturb) in cases {
        let (folder, path) = folder_and_path();
        drop(writer(&path));
        let mut writing = writer(&path);
        writing.add_game(&game(0)).unwrap();
        let file = super::super::files::beside(&path, suffix);
        disturb(&file);
        let files = || fs::read_dir(folder.path()).unwrap().count();
        let before = files();
        for n in 1..3 {
            let stopped = writing.add_game(&game(n)).unwrap_err();
            assert!(stopped.is_failure(), "{stopped}");
            let words = format!(
                "C: the run was stopped, because C{suffix} {what} while it was writing to it: put the original file \
                 back and resume, or begin another record; games that are not in the original are played again"
            );
            check(stopped, &path, &words);
        }
        drop(writing);
        assert!(files() <= before, "{suffix} {what}: nothing is created in its place");
    }
    let (_folder, path) = folder_and_path();
    let mut writing = writer(&path);
    fs::remove_file(super::super::files::beside(&path, ".lock")).unwrap();
    let stopped = writing.add_game(&game(0)).unwrap_err();
    assert!(stopped.to_string().contains("its lock file was deleted or replaced while"), "{stopped}");
}

#[test]
fn a_record_under_way_is_copied_whole_and_replaces_only_older_copies() {
    let (folder, path) = folder_and_path();
    let to = folder.path().join("copy.db");
    let mut writing = writer(&path);
    writing.add_game(&game(0)).unwrap();
    let record = Record::open(&path).unwrap();
    record.may_replace(&to, None).unwrap();
    record.copy_to(&to).unwrap();
    writing.add_game(&game(1)).unwrap();
    drop(record);
    drop(writing);
    let record = Record::open(&path).unwrap();
    let copy = Record::open(&to).unwrap();
    assert_eq!(
        (copy.games().unwrap().len(), copy.header().unwrap(), copy.entrants().unwrap()),
        (1, header(), entrants())
    );
    assert_eq!(copy.game(game(0).pairing.id).unwrap(), Some(game(0)));
    record.may_replace(&to, None).unwrap();
    drop(copy);
    drop(writer(&to));

    let refused = |record: &Record, to: &Path, why: &str| {
        let words =
            format!("C: cannot be copied to {}: {why}", to.display()).replace(&path.display().to_string(), "C");
        check(record.may_replace(to, None).unwrap_err(), record.path(), &words);
    };
    let name = ": name another file";
    refused(&record, &path, "it is the record itself");
    let older = Record::open(&to).unwrap();
    let words = older.may_replace(&path, None).unwrap_err().to_string();
    assert!(words.ends_with(&format!("it exists and has 2 games, and this record only 1{name}")), "{words}");
    let other = folder.path().join("other.db");
    drop(Writer::create_or_resume(&other, &Header { seed: 3, ..header() }).unwrap());
    refused(&record, &other, &format!("it exists and is a copy of another record{name}"));
    fs::write(&other, "notes").unwrap();
    refused(&record, &other, &format!("it exists and is not a copy of this record{name}"));
    let full = record.copy_to(Path::new("/dev/full")).unwrap_err();
    assert!(full.is_failure(), "{full}");
    let in_use = writer(&to);
    refused(&record, &to, &format!("a run is writing to it, or it was not closed{name}"));
    drop(in_use);
}
