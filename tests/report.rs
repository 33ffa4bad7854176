//! `report`: where it writes, what it never overwrites, and how it refuses wrong arguments.

use crate::support::{Ran, Scratch, small_arena, trial};
use libtest_mimic::Trial;
use std::path::Path;

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(a_page_is_written_and_written_again),
        trial!(a_site_is_written_and_updated),
        trial!(only_a_report_is_overwritten),
        trial!(a_page_for_an_author_is_not_the_page_for_all),
        trial!(a_missing_record_is_reported_with_the_nearest),
        trial!(a_run_keeps_its_page_up_to_date),
    ]
}

/// A folder with the record `club.db` of a small tournament, which was run with the further arguments `more`.
fn played(more: &str) -> Scratch {
    let scratch = Scratch::new();
    scratch.file("small.arena", small_arena(20));
    let stage = "[[stages]]\nkind = \"all-play-all\"\nboards = [1]\n";
    let entrants = "entrants = [\"@greedy\", \"@first-fit\", \"@parity\"]";
    scratch.file(
        "club.toml",
        format!("name = \"Club\"\nseed = 1\nboards = [\"small.arena\"]\n{entrants}\n\n{stage}"),
    );
    let ran = run(&scratch, &format!("tournament club.toml --no-check {more}"));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    scratch
}

fn run(scratch: &Scratch, args: &str) -> Ran {
    Ran::from_command(scratch.cornerman(args.split_whitespace()))
}

/// The names of all files in a folder and below.
fn names(scratch: &Scratch) -> Vec<String> {
    scratch.listing().into_iter().map(|(path, _)| path.display().to_string()).collect()
}

fn a_page_for_an_author_is_not_the_page_for_all() {
    let scratch = played("");
    let ran = run(&scratch, "report club.db --for @parity");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), "wrote club-for-3.html\n"));
    assert!(!names(&scratch).contains(&"club.html".to_string()));
    let ran = run(&scratch, "report club.db --for @party");
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("no entrant is called `@party`") && ran.stderr.contains("@parity"),
        "{}",
        ran.stderr
    );
}

fn a_page_is_written_and_written_again() {
    let scratch = played("");
    for _ in 0..2 {
        let ran = run(&scratch, "report club.db");
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), "wrote club.html\n"));
    }
    assert_eq!(
        names(&scratch),
        ["club.db", "club.heads", "club.html", "club.toml", "small.arena"],
        "nothing else is left"
    );
    let page = std::fs::read_to_string(scratch.path().join("club.html")).expect("the page");
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>"));
    assert_eq!(page.matches("id=\"game:").count(), 6, "every game is in it");
    // A web server can read it, as far as the user's umask allows.
    let mode = std::os::unix::fs::PermissionsExt::mode(
        &scratch.path().join("club.html").metadata().expect("it is there").permissions(),
    );
    assert_ne!(mode & 0o044, 0, "{mode:o}");
}

fn a_site_is_written_and_updated() {
    let scratch = played("");
    let write = |args: &str, wanted: &str| {
        let ran = run(&scratch, &format!("report club.db {args}"));
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), wanted), "{args}");
    };
    let inode = |file: &str| {
        let found = scratch.path().join("pages").join(file).metadata().expect(file);
        std::os::unix::fs::MetadataExt::ino(&found)
    };
    write("--site pages", "wrote pages, 10 of 10 files are new; open pages/index.html\n");
    let games = ["games/s1-r1-m1.js", "games/s1-r2-m1.js"];
    let before = games.map(inode);
    write("--out pages/", "wrote pages/, 0 of 10 files are new; open pages/index.html\n");
    // Only damaged and missing files are written again; files that the site no longer has are removed.
    std::fs::write(scratch.path().join("pages").join(games[1]), "").expect("a file");
    std::fs::remove_file(scratch.path().join("pages/page.css")).expect("it is there");
    scratch.file("pages/games/s1-r9-m9.html", "an older form");
    write(
        "--split pages",
        "note: --split is called --site now\nwrote pages, 2 of 10 files are new; open pages/index.html\n",
    );
    assert_eq!(inode(games[0]), before[0]);
    assert_ne!(inode(games[1]), before[1]);
    let names = names(&scratch);
    for file in ["index.html", "page.css", "page.js", "picture.png", "entrants/3.html", games[0], games[1]] {
        assert!(names.contains(&format!("pages/{file}")), "{file}: {names:?}");
    }
    assert!(!names.contains(&"pages/games/s1-r9-m9.html".to_string()));
    assert!(names.iter().all(|name| !name.starts_with('.')), "nothing else is left");
}

fn only_a_report_is_overwritten() {
    let scratch = played("");
    scratch.file("full/notes.txt", "mine");
    scratch.file("other.html", "<!DOCTYPE html><p>mine");
    let check = |args: &str, wanted: &str| {
        let before = scratch.listing();
        let ran = run(&scratch, args);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(2), format!("error: {wanted}\n").as_str()), "{args}");
        assert_eq!(scratch.listing(), before, "{args}");
    };
    let in_the_way = "is not part of a report; name an empty folder, a new one, or one with an older report";
    check("report club.db --out full", &format!("full/notes.txt {in_the_way}"));
    check(
        "report club.db --out other.html",
        "other.html exists and is not a report; name another file, or move it away",
    );
    check(
        "report club.db --out club.db",
        "club.db exists and is not a report; name another file, or move it away",
    );
    check("report club.db --out other.html/", "other.html is a file; name a folder");
    check(
        "report club.db --site new --page-size 2",
        "--page-size is for a single page; a site has every game, whatever it takes",
    );
    // Other files in a report's folder are not removed either.
    run(&scratch, "report club.db --out pages/");
    scratch.file("pages/games/notes.txt", "mine");
    check("report club.db --out pages", &format!("pages/games/notes.txt {in_the_way}"));
    check(
        "tournament club.toml --no-check --report other.html",
        "other.html exists and is not a report; name another file, or move it away",
    );
}

fn a_missing_record_is_reported_with_the_nearest() {
    let scratch = played("");
    scratch.file("pages/keep", "");
    let check = |args: &str, wanted: &str| {
        let ran = run(&scratch, args);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(2), format!("error: {wanted}\n").as_str()), "{args}");
    };
    check("report clb.db", "no such record: clb.db (did you mean `club.db`?)");
    check("report club.toml", "club.toml: not the record of a tournament: it is not an SQLite file");
    check("report club.db --out page/c.html", "no such folder: page\nhint: did you mean `pages`?");
    check("report club.db --out page/c/", "no such folder: page\nhint: did you mean `pages`?");
}

fn a_run_keeps_its_page_up_to_date() {
    let scratch = played("--report live.html");
    let page = std::fs::read_to_string(scratch.path().join("live.html")).expect("the page");
    assert!(!page.contains("data-reload="), "it is over");
    run(&scratch, "report club.db --out later.html");
    assert!(
        scratch
            .listing()
            .iter()
            .any(|(path, content)| path == Path::new("later.html") && *content == page.as_bytes())
    );
}
