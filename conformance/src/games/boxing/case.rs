//! The arenas that every bot is asked: those in `cases/`, part of the program, and random ones from a seed.

use crate::catalog::Severity;
use cornerman::games::boxing::{Arena, Square};
use cornerman::rng::Rng;
use include_dir::{Dir, include_dir};
use serde::Deserialize;

static FILES: Dir = include_dir!("$CARGO_MANIFEST_DIR/cases/boxing");

/// How many random arenas there are.
pub const RANDOM_CASES: usize = 64;

/// What an arena is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Group {
    /// The checks of output, moves and time.
    #[default]
    Arenas,
    /// The same, with an odd mark.
    Marks,
    /// BX-NPLAYER.
    Nplayer,
}

/// An arena to be answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Its name: that of its folder, or `random-N`.
    pub name: String,
    /// What is in it.
    pub title: String,
    /// What it is asked for.
    pub group: Group,
    /// How much a failure here weighs, at most.
    pub severity: Severity,
    /// The bot's mark.
    pub mark: u8,
    /// The arena to be answered.
    pub arena: Arena,
    /// The answer, where there is only one.
    pub want: Option<Vec<u8>>,
    /// What is in the bot's state file beforehand; `None`: there is no such file.
    pub state: Option<Vec<u8>>,
}

impl Case {
    /// The 528 bytes a bot is given.
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

/// The cases that are part of the program, by name.
///
/// # Panics
/// When one of them is not well formed, which a test rules out.
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

/// The random case number `at` of `seed`: a game of two under way, the fourth of them before the bot's first move.
pub fn random(seed: u64, at: usize) -> Case {
    let mut rng = Rng::new(seed ^ (at as u64 + 1).wrapping_mul(0xd134_2543_de82_ef95));
    let mark = b"CDEFGHIJKLMN"[at % 12];
    let foe = *rng.pick(b"QRSTUVWXYZ0123456789").expect("there are some");
    let own_moves = at % 4 != 3;
    // From nearly open to nearly full.
    let left = 4 + rng.below(1 + 7 * (at as u64 + 1)) as u32;
    let marks = [foe, mark];
    let arena = under_way(&mut rng, if own_moves { &marks } else { &marks[..1] }, left);
    Case {
        name: format!("random-{}", at + 1),
        title: format!("a game under way, {} spots vacant", arena.vacant().count()),
        group: Group::Arenas,
        severity: Severity::Must,
        mark,
        arena,
        want: None,
        state: None,
    }
}

/// An arena on which `marks` have moved in turn until at most `left` spots were vacant, but at least one.
pub fn under_way(rng: &mut Rng, marks: &[u8], left: u32) -> Arena {
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
    fn a_wanted_answer_is_legal_and_the_only_one() {
        for case in fixed() {
            let Some(want) = &case.want else { continue };
            judge(&case.arena, case.mark, LARGEST_SQUARE, want).unwrap_or_else(|v| panic!("{}: {v}", case.name));
            assert!(case.arena.vacant().count_squares() <= 1, "{}: there are other answers", case.name);
        }
    }

    #[test]
    fn the_documents_arenas_are_as_it_counts_them() {
        let check = |name: &str, counts: [u32; 4]| {
            let case = fixed().into_iter().find(|case| case.name == name).unwrap();
            let count = |mark| case.arena.count(mark);
            assert_eq!([count(BLOCKED), count(b'A'), count(b'B'), case.arena.vacant().count()], counts);
        };
        check("document-start", [15, 0, 0, 497]);
        check("document-partial", [20, 142, 185, 165]);
    }

    #[test]
    fn random_cases_come_from_the_seed_alone_and_differ() {
        let all = |seed| (0..RANDOM_CASES).map(|at| random(seed, at)).collect::<Vec<_>>();
        assert_eq!(all(7), all(7));
        let (some, others) = (all(7), all(8));
        assert!(some.iter().zip(&others).all(|(a, b)| a.arena != b.arena));
        assert!(some.iter().all(|case| !case.arena.vacant().is_empty()), "a full arena is a case of its own");
        let with_own = some.iter().filter(|case| case.arena.count(case.mark) > 0).count();
        assert!((30..RANDOM_CASES).contains(&with_own), "{with_own}");
    }
}
