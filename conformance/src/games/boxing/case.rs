//! The arenas that bots are asked to answer, and the questions about them: those of `cases/boxing.toml`, which are part
//! of the program, and random ones. The specimens of answers are in `specimens/boxing/`.

use super::attribute::{FULL, MANY_MARKS, ODD_MARK, OWN_MARKS};
use super::cause_of_answer;
use crate::budget::Round;
use crate::catalog::Severity;
use crate::protocol::filter::question::Question;
use cornerman::games::boxing::{Arena, BLOCKED, Boxing, Square, VACANT, judge};
use cornerman::rng::Rng;
use cornerman_harness::ruleset::Ruleset;
use include_dir::{Dir, File, include_dir};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// The arenas of the fixed cases.
static ARENAS: Dir = include_dir!("$CARGO_MANIFEST_DIR/cases/boxing");

/// The number of random arenas.
const RANDOM_CASES: usize = 64;

/// The numbers of the random arenas of the first round, from nearly full to nearly open.
const FIRST_RANDOM: [usize; 4] = [2, 9, 31, 64];

/// The checks that an arena serves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Group {
    /// All checks in plain conditions but BX-NPLAYER.
    #[default]
    Arenas,
    /// The same checks, with an unusual mark. A fault that only these arenas show is a fault of the mark.
    Marks,
    /// The check BX-NPLAYER, of arenas with many marks.
    Nplayer,
}

/// An arena that the bot must answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The name: that of its file, `random-N` or `printable-N`.
    pub name: String,
    /// A description of the arena.
    pub title: String,
    /// The checks for which the arena is used.
    pub group: Group,
    /// The highest severity that a finding here can have.
    pub severity: Severity,
    /// The bot's mark.
    pub mark: u8,
    /// The arena.
    pub arena: Arena,
    /// When it is asked, depending on the budget.
    pub round: Round,
}

impl Case {
    /// The question in which the bot must answer the arena of the case, although it has no state file. A bot may keep
    /// all that it knows of a game in that file (B9), so that if it has moved before, a wrong answer is a warning only.
    pub fn question(&self) -> Question {
        let plain = question(self.name.clone(), self.title.clone(), &self.arena, self.mark);
        let has_moved = plain.flags & OWN_MARKS != 0;
        let severity = if has_moved { self.severity.min(Severity::Should) } else { self.severity };
        let odd = if self.group == Group::Marks { ODD_MARK } else { 0 };
        Question { severity, flags: plain.flags | odd, ..plain }
    }
}

/// The question in which the bot with `mark` must answer `arena`.
pub(super) fn question(case: String, about: String, arena: &Arena, mark: u8) -> Question {
    let full = if arena.vacant().is_empty() { FULL } else { 0 };
    let own_marks = if arena.count(mark) > 0 { OWN_MARKS } else { 0 };
    let spots = arena.rows().as_flattened().iter();
    let foes: BTreeSet<u8> = spots.copied().filter(|spot| ![VACANT, BLOCKED, mark].contains(spot)).collect();
    let many_marks = if foes.len() > 1 { MANY_MARKS } else { 0 };
    let flags = full | own_marks | many_marks;
    let input = arena.to_bytes().to_vec();
    let arena = arena.clone();
    let judge = Arc::new(move |output: &[u8]| cause_of_answer(&arena, mark, output));
    Question { case, about, input, mark, severity: Severity::Must, flags, judge }
}

/// The fixed cases, as their file has them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Head>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    name: String,
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
pub fn fixed() -> &'static [Case] {
    static ALL: LazyLock<Vec<Case>> = LazyLock::new(|| {
        let text = include_str!("../../../cases/boxing.toml");
        let cases: Cases = toml::from_str(text).unwrap_or_else(|error| panic!("the cases of Boxing: {error}"));
        cases.case.into_iter().map(read).collect()
    });
    &ALL
}

fn read(Head { name, title, mark, group, severity }: Head) -> Case {
    let arena = ARENAS.get_file(format!("{name}.arena")).unwrap_or_else(|| panic!("{name}: there is no arena"));
    let arena = Arena::parse(arena.contents()).unwrap_or_else(|broken| panic!("{name}: {broken}"));
    let &[mark] = mark.as_bytes() else { panic!("{name}: a mark is one byte") };
    let severity = severity.unwrap_or(Severity::Must);
    Case { name, title, group, severity, mark, arena, round: Round::First }
}

/// The case of this name.
pub(super) fn named<'c>(cases: &'c [Case], name: &str) -> Option<&'c Case> {
    cases.iter().find(|case| case.name == name)
}

/// The fixed cases, the random ones for `seed`, and one for each of `OTHER_MARKS`. They are kept for the next call
/// with the same seed, because a small bot answers faster than they are made.
pub fn all(seed: u64) -> Arc<[Case]> {
    static LAST: Mutex<Option<(u64, Arc<[Case]>)>> = Mutex::new(None);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((known, cases)) = &*last
        && *known == seed
    {
        return cases.clone();
    }
    let random = (0..RANDOM_CASES).map(|at| random(seed, at));
    let marks = OTHER_MARKS.iter().zip(0..).map(|(&mark, at)| with_mark(seed, mark, at));
    let cases: Arc<[Case]> = fixed().iter().cloned().chain(random).chain(marks).collect();
    *last = Some((seed, cases.clone()));
    cases
}

/// Unusual marks of random cases; the fixed cases have others.
const ODD_MARKS: &[u8; 16] = b"\"'`!?[](){;|<~=@";

/// Unusual marks of opponents in random cases.
const ODD_OPPONENTS: &[u8; 8] = b"&/.$^*%\\";

/// The random case number `at`, from 0, for `seed`, in a game of two seats. Of four cases in a row, the third has a
/// game in progress, in which the bot has usually moved before but has no state file. In the others the bot is about to
/// make its first move; in the fourth it has an unusual mark.
fn random(seed: u64, at: usize) -> Case {
    let mut rng = Rng::new(seed ^ (at as u64 + 1).wrapping_mul(0xd134_2543_de82_ef95));
    let (group, mark) = match at % 4 {
        3 => (Group::Marks, ODD_MARKS[at / 4 % ODD_MARKS.len()]),
        _ => (Group::Arenas, b"CDEFGHIJKLMN"[at % 12]),
    };
    let opponents: &[u8] = if at % 8 == 1 { ODD_OPPONENTS } else { b"QRSTUVWXYZ0123456789" };
    let opponent = *rng.pick(opponents).expect("the list is not empty");
    // The higher the number, the more spots can be vacant.
    let left = 4 + rng.below(1 + 7 * (at as u64 + 1)) as u32;
    let (arena, game) = match at % 4 {
        2 => (game_in_progress(&mut rng, &[opponent, mark], left), "a game in progress"),
        _ => (first_turn(&mut rng, opponent, left), "the bot's first move"),
    };
    let round = if FIRST_RANDOM.contains(&(at + 1)) { Round::First } else { Round::Later };
    Case { round, ..made(format!("random-{}", at + 1), game, group, mark, arena) }
}

/// A case that is not a file.
fn made(name: String, game: &str, group: Group, mark: u8, arena: Arena) -> Case {
    let title = format!("{game}, {} spots vacant", arena.vacant().count());
    Case { name, title, group, severity: Severity::Must, mark, arena, round: Round::Later }
}

/// The bot's marks in cases of their own: all marks that it has in no other case, and four others.
const OTHER_MARKS: &[u8; 45] = b"+,12345689:>XYZ_abcdefghijklmnpqrstuvwxy}DEGI";

/// The opponents' marks in the same cases: those that no opponent has in a fixed case. No case has the same mark in
/// both lists.
const OTHER_OPPONENTS: &[u8; 45] = b"1256789IJKLMNOPQRSTUVWZbcdefghijklmnpqrstuvwy";

/// The bot's first move with `mark`, against the opponent of number `at` in [`OTHER_OPPONENTS`].
fn with_mark(seed: u64, mark: u8, at: usize) -> Case {
    let mut rng = Rng::new(seed ^ u64::from(mark).wrapping_mul(0x9e6c_63d0_876a_46e5));
    let arena = first_turn(&mut rng, OTHER_OPPONENTS[at], 30 + 4 * at as u32);
    let group = if mark.is_ascii_uppercase() { Group::Arenas } else { Group::Marks };
    made(format!("printable-{}", at + 1), "the bot's first move", group, mark, arena)
}

/// A random arena after the first move of `opponent`, with which the game starts. At most `left` + 6 spots are vacant.
fn first_turn(rng: &mut Rng, opponent: u8, left: u32) -> Arena {
    let mut arena = game_in_progress(rng, &[BLOCKED], left + 6);
    random_move(rng, &mut arena, opponent);
    arena
}

/// A random arena on which `marks` have moved in turn until no more than `left` spots are vacant. At least one is.
pub fn game_in_progress(rng: &mut Rng, marks: &[u8], left: u32) -> Arena {
    let mut arena = Arena::generate(rng.draw());
    for &mark in marks.iter().cycle() {
        if arena.vacant().count() <= left.max(1) {
            break;
        }
        random_move(rng, &mut arena, mark);
    }
    arena
}

/// Fills a random square of `arena` with `mark`, unless that would fill the arena.
fn random_move(rng: &mut Rng, arena: &mut Arena, mark: u8) {
    let vacant = arena.vacant();
    let size = 1 + rng.below(u64::from(vacant.largest().min(9))) as u8;
    let corners = vacant.anchors(size);
    let corner = corners.nth(rng.below(u64::from(corners.count())) as usize).expect("a square of this size fits");
    let square = Square { row: corner.row, col: corner.col, size };
    if square.area() < vacant.count() {
        arena.fill(square, mark);
    }
}

/// Answers that bots wrote or could write, right and wrong.
static SPECIMENS: Dir = include_dir!("$CARGO_MANIFEST_DIR/specimens/boxing");

/// The verdict of `ruleset` on each specimen, by name.
pub(super) fn specimen_verdicts(ruleset: &Ruleset) -> Vec<(String, String)> {
    let Some(boxing) = ruleset.rules_of::<Boxing>() else { return Vec::new() };
    let answers = SPECIMENS.files().filter(|file| is_answer(file));
    let mut verdicts: Vec<(String, String)> = answers.map(|file| verdict(file, boxing)).collect();
    verdicts.sort();
    verdicts
}

fn is_answer(file: &File) -> bool {
    file.path().extension().is_some_and(|extension| extension == "arena")
}

/// The case that a specimen answers, and the mark with which it does, as the head of its file `NAME.verdict` says.
///
/// # Errors
/// What is missing in the head.
pub fn specimen(head: &str) -> Result<(&'static Case, u8), String> {
    let value = |key: &str| head.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' '));
    let name = value("case").ok_or("no line `case NAME`")?;
    let case = named(fixed(), name).ok_or(format!("no case `{name}`"))?;
    let Some(&[mark]) = value("mark").map(str::as_bytes) else { return Err("no line `mark M`".to_string()) };
    Ok((case, mark))
}

/// The verdict on the answer `NAME.arena`.
fn verdict(file: &File, boxing: &Boxing) -> (String, String) {
    let name = file.path().file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let head = SPECIMENS.get_file(Path::new(&format!("{name}.verdict"))).and_then(File::contents_utf8);
    let (case, mark) = specimen(head.unwrap_or_default()).unwrap_or_else(|why| panic!("{name}.verdict has {why}"));
    let words = match judge(&case.arena, mark, boxing.max_square, file.contents()) {
        Ok(Some(square)) => format!("legal: {square}"),
        Ok(None) => "legal: nothing to take".to_string(),
        Err(wrong) => format!("{} {}: {}", wrong.kind, wrong.rule, wrong.detail),
    };
    (name, words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cornerman::games::boxing::{LARGEST_SQUARE, all_spots, is_mark, judge};

    #[test]
    fn every_case_is_well_formed() {
        let cases = fixed();
        assert!(cases.len() >= 25, "{}", cases.len());
        assert!(cases.is_sorted_by_key(|case| &case.name));
        for case in cases {
            assert!(case.mark.is_ascii_graphic(), "{}", case.name);
            assert!(!case.title.is_empty(), "{}", case.name);
        }
    }

    #[test]
    fn the_only_right_answer_of_a_case_is_legal() {
        for case in fixed() {
            let Some(want) = ARENAS.get_file(format!("{}.want.arena", case.name)) else { continue };
            judge(&case.arena, case.mark, LARGEST_SQUARE, want.contents())
                .unwrap_or_else(|v| panic!("{}: {v}", case.name));
            assert!(case.arena.vacant().count_squares() <= 1, "{}: there are other answers", case.name);
        }
    }

    #[test]
    fn the_documents_arenas_have_its_published_counts() {
        let check = |name: &str, counts: [u32; 4]| {
            let case = fixed().iter().find(|case| case.name == name).unwrap();
            let count = |mark| case.arena.count(mark);
            assert_eq!([count(BLOCKED), count(b'A'), count(b'B'), case.arena.vacant().count()], counts);
        };
        check("document-start", [15, 0, 0, 497]);
        check("document-partial", [20, 142, 185, 165]);
    }

    #[test]
    fn every_printable_mark_is_the_bots_own_and_an_opponents() {
        let cases = all(1);
        let all: BTreeSet<u8> = (0..=127).filter(|&mark| is_mark(mark)).collect();
        let own: BTreeSet<u8> = cases.iter().map(|case| case.mark).collect();
        let on_arena = |case: &Case| all_spots().map(|spot| case.arena.at(spot)).collect::<BTreeSet<u8>>();
        let opponents: BTreeSet<u8> =
            cases.iter().flat_map(|case| &on_arena(case) - &BTreeSet::from([case.mark])).collect();
        assert_eq!((&all - &own, &all - &opponents), (BTreeSet::new(), BTreeSet::new()));
    }

    /// A bot may reconstruct everything from its notes, so an arena on which it has moved is one that it can meet only
    /// with its notes (B9). Musts are judged by arenas that it can meet at its first move.
    #[test]
    fn most_cases_are_positions_of_the_first_turn() {
        let cases = all(1);
        let (later, first): (Vec<&Case>, Vec<&Case>) =
            cases.iter().partition(|case| case.arena.count(case.mark) > 0);
        assert_eq!(later.iter().filter(|case| !case.name.starts_with("random-")).count(), 3);
        for case in first {
            let marks = all_spots().map(|spot| case.arena.at(spot)).filter(|spot| !b"-o".contains(spot));
            for mark in marks.collect::<BTreeSet<u8>>() {
                let held = || all_spots().filter(|&spot| case.arena.at(spot) == mark);
                let start = held().next().unwrap();
                let end = held().last().unwrap();
                let tall = 1 + end.row - start.row;
                let wide = 1 + end.col - start.col;
                let count = held().count();
                assert!(tall == wide && count == usize::from(tall * wide), "{}: {}", case.name, char::from(mark));
            }
        }
        let mut nplayer = fixed().iter().filter(|case| case.group == Group::Nplayer);
        assert!(nplayer.all(|case| case.arena.count(case.mark) == 0));
    }

    #[test]
    fn random_cases_depend_on_the_seed_and_differ() {
        let random = |seed| all(seed)[fixed().len()..].to_vec();
        let some = random(7);
        let others = random(8);
        assert_eq!(some, random(7));
        assert!(some.iter().zip(&others).all(|(a, b)| a.arena != b.arena));
        assert!(some.iter().all(|case| !case.arena.vacant().is_empty()), "only a fixed case has a full arena");
        let with_own = some.iter().filter(|case| case.arena.count(case.mark) > 0).count();
        assert!((10..=RANDOM_CASES / 4).contains(&with_own), "{with_own}");
    }
}
