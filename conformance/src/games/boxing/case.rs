//! The arenas that bots are asked to answer: those in `cases/`, which are part of the program, and random ones.

use crate::catalog::Severity;
use cornerman::games::boxing::{Arena, Square};
use cornerman::rng::Rng;
use include_dir::{Dir, include_dir};
use serde::Deserialize;

static FILES: Dir = include_dir!("$CARGO_MANIFEST_DIR/cases/boxing");

/// The number of random arenas.
pub const RANDOM_CASES: usize = 64;

/// The checks for which an arena is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Group {
    /// The checks of output, moves and time.
    #[default]
    Arenas,
    /// The same checks, with an unusual mark.
    Marks,
    /// The check BX-NPLAYER, of arenas with many marks.
    Nplayer,
}

/// An arena that the bot must answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The name: that of the folder, or `random-N`.
    pub name: String,
    /// A description of the arena.
    pub title: String,
    /// The checks for which the arena is used.
    pub group: Group,
    /// The highest severity that a failure here can have.
    pub severity: Severity,
    /// The bot's mark.
    pub mark: u8,
    /// The arena.
    pub arena: Arena,
    /// The only right answer, 528 bytes, if there is only one.
    pub want: Option<Vec<u8>>,
    /// The content of the bot's state file before the run; `None` if there is no such file.
    pub state: Option<Vec<u8>>,
}

impl Case {
    /// The 528 bytes that the bot reads.
    pub fn input(&self) -> Vec<u8> {
        self.arena.to_bytes().to_vec()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    title: String,
    mark: String,
    #[serde(default)]
    group: Group,
    severity: Option<Severity>,
}

/// The cases that are part of the program, sorted by name.
///
/// # Panics
/// If one of them is malformed, which a test rules out.
pub fn fixed() -> Vec<Case> {
    let mut cases: Vec<Case> = FILES.dirs().map(read).collect();
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    cases
}

fn read(folder: &Dir) -> Case {
    let name = folder.path().file_name().expect("a folder has a name").to_string_lossy().into_owned();
    let file = |file: &str| folder.get_file(folder.path().join(file)).map(|found| found.contents().to_vec());
    let text = String::from_utf8(file("case.toml").unwrap_or_else(|| panic!("{name}: there is no case.toml")));
    let text = text.unwrap_or_else(|_| panic!("{name}: case.toml is not UTF-8"));
    let head: Head = toml::from_str(&text).unwrap_or_else(|error| panic!("{name}: case.toml: {error}"));
    let arena = file("in.arena").unwrap_or_else(|| panic!("{name}: there is no in.arena"));
    let &[mark] = head.mark.as_bytes() else { panic!("{name}: a mark is one byte") };
    Case {
        arena: Arena::parse(&arena).unwrap_or_else(|broken| panic!("{name}: in.arena: {broken}")),
        title: head.title,
        group: head.group,
        severity: head.severity.unwrap_or(Severity::Must),
        mark,
        want: file("want.arena"),
        state: file("state.in"),
        name,
    }
}

/// The random case `at`, from 0, for `seed`: a game of two seats in progress. In every fourth case the bot has not yet
/// moved.
pub fn random(seed: u64, at: usize) -> Case {
    let mut rng = Rng::new(seed ^ (at as u64 + 1).wrapping_mul(0xd134_2543_de82_ef95));
    let mark = b"CDEFGHIJKLMN"[at % 12];
    let opponent = *rng.pick(b"QRSTUVWXYZ0123456789").expect("the list is not empty");
    let own_moves = at % 4 != 3;
    // Later cases can have more vacant spots.
    let left = 4 + rng.below(1 + 7 * (at as u64 + 1)) as u32;
    let marks = [opponent, mark];
    let arena = game_in_progress(&mut rng, if own_moves { &marks } else { &marks[..1] }, left);
    Case {
        name: format!("random-{}", at + 1),
        title: format!("a game in progress, {} spots vacant", arena.vacant().count()),
        group: Group::Arenas,
        severity: Severity::Must,
        mark,
        arena,
        want: None,
        state: None,
    }
}

/// A random arena on which `marks` have moved in turn until at most `left` spots, but at least one, are vacant.
pub fn game_in_progress(rng: &mut Rng, marks: &[u8], left: u32) -> Arena {
    let mut arena = Arena::generate(rng.draw());
    for &mark in marks.iter().cycle() {
        let vacant = arena.vacant();
        if vacant.count() <= left.max(1) {
            break;
        }
        let most = vacant.largest().min(9);
        let size = 1 + rng.below(u64::from(most)) as u8;
        let corners: Vec<_> = vacant.anchors(size).spots().collect();
        let corner = *rng.pick(&corners).expect("a square of this size fits");
        let square = Square { row: corner.row, col: corner.col, size };
        if square.area() < vacant.count() {
            arena.fill(square, mark);
        }
    }
    arena
}

#[cfg(test)]
mod tests {
    use super::*;
    use cornerman::games::boxing::{BLOCKED, LARGEST_SQUARE, judge};

    #[test]
    fn every_case_is_well_formed() {
        let cases = fixed();
        assert!(cases.len() >= 25, "{}", cases.len());
        for case in cases {
            assert!(case.mark.is_ascii_graphic(), "{}", case.name);
            assert!(!case.title.is_empty(), "{}", case.name);
        }
    }

    #[test]
    fn the_only_right_answer_of_a_case_is_legal() {
        for case in fixed() {
            let Some(want) = &case.want else { continue };
            judge(&case.arena, case.mark, LARGEST_SQUARE, want).unwrap_or_else(|v| panic!("{}: {v}", case.name));
            assert!(case.arena.vacant().count_squares() <= 1, "{}: there are other answers", case.name);
        }
    }

    #[test]
    fn the_documents_arenas_have_its_published_counts() {
        let check = |name: &str, counts: [u32; 4]| {
            let case = fixed().into_iter().find(|case| case.name == name).unwrap();
            let count = |mark| case.arena.count(mark);
            assert_eq!([count(BLOCKED), count(b'A'), count(b'B'), case.arena.vacant().count()], counts);
        };
        check("document-start", [15, 0, 0, 497]);
        check("document-partial", [20, 142, 185, 165]);
    }

    #[test]
    fn random_cases_depend_on_the_seed_and_differ() {
        let all = |seed| (0..RANDOM_CASES).map(|at| random(seed, at)).collect::<Vec<_>>();
        assert_eq!(all(7), all(7));
        let (some, others) = (all(7), all(8));
        assert!(some.iter().zip(&others).all(|(a, b)| a.arena != b.arena));
        assert!(some.iter().all(|case| !case.arena.vacant().is_empty()), "only a fixed case has a full arena");
        let with_own = some.iter().filter(|case| case.arena.count(case.mark) > 0).count();
        assert!((30..RANDOM_CASES).contains(&with_own), "{with_own}");
    }
}
