//! The dialogues of the suite: the one in plain conditions, and those that are for one check each.

use super::foe::{Foe, PATTERN};
use super::id;
use super::script::{self, Match};
use crate::budget::Round;
use crate::lines::protocol::PATIENT;
use crate::lines::{GRACE, Scene, Script};
use cornerman::games::rps::{Hand, LARGEST_SEED};
use cornerman_harness::sandbox::Order;

/// What bots are sent as their seed where nothing depends on it: that of the document's example.
pub const SEED: u16 = 31241;

/// Rounds of a game where nothing depends on them.
const ROUNDS: usize = 20;

/// The lengths of the games of RP-ROUNDS.
const LENGTHS: [usize; 4] = [1, 2, 1000, 10_000];

/// Rounds against each opponent of RP-ALLIN.
const AGAINST_EACH: usize = 300;

/// The opponents of RP-ALLIN that a bot meets for a few rounds where there is no time for more.
const SHORT_FOES: [&str; 3] = ["always paper", "always scissors", "drawn by lot"];

/// A game against an opponent who always shows rock: whatever else the opponent shows is for RP-ALLIN.
pub const PLAIN: Match = Match { seed: SEED, rounds: ROUNDS, foe: Foe::Always(Hand::Rock), crlf: false };

fn scene(
    check: Option<&'static str>,
    case: &str,
    about: impl Into<String>,
    script: impl Fn(&mut crate::lines::Talk) -> std::io::Result<Option<crate::fault::Fault>> + Send + Sync + 'static,
) -> Scene {
    let script: Script = Box::new(script);
    Scene {
        check,
        case: case.to_string(),
        about: about.into(),
        order: Order::of_game(Vec::new()),
        dribbled: false,
        grace: GRACE,
        round: Round::First,
        moves: ROUNDS as u32,
        script,
    }
}

fn game(check: Option<&'static str>, case: &str, game: Match) -> Scene {
    let moves = game.rounds as u32;
    Scene { moves, ..scene(check, case, game.in_words(), move |talk| script::whole(talk, &game)) }
}

/// The dialogue that everything else rests on.
pub fn plain() -> Scene {
    Scene { grace: PATIENT, ..scene(None, "plain", PLAIN.in_words(), |talk| script::watchful(talk, &PLAIN)) }
}

/// The same game sent at once, with the end of input behind it: what a bot that was silent keeps back comes out.
pub fn kept_back() -> Scene {
    let about = format!("{}, all of it sent at once, then the end of input", PLAIN.in_words());
    scene(None, "all at once", about, |talk| script::all_at_once(talk, &PLAIN))
}

/// A game of so many rounds whose hands are compared with those of another.
pub fn compared(check: &'static str, case: &str, foe: Foe, rounds: usize) -> Scene {
    game(Some(check), case, Match { foe, rounds, ..PLAIN })
}

/// Every dialogue that is for one check alone.
pub fn special(seed: u64) -> Vec<Scene> {
    let mut scenes: Vec<Scene> = Vec::new();
    for rounds in LENGTHS {
        let round = if rounds > ROUNDS { Round::Later } else { Round::First };
        let scene = game(Some(id::ROUNDS), &format!("{rounds} rounds"), Match { rounds, ..PLAIN });
        scenes.push(Scene { round, ..scene });
    }
    for (name, foe) in foes(seed) {
        let rounds = if foe == Foe::Patterns { 3_usize.pow(PATTERN) * PATTERN as usize } else { AGAINST_EACH };
        let scene = game(Some(id::ALLIN), name, Match { rounds, foe, ..PLAIN });
        scenes.push(Scene { round: Round::Later, ..scene });
        if SHORT_FOES.contains(&name) {
            let scene = game(Some(id::ALLIN), &format!("{name}, short"), Match { foe, ..PLAIN });
            scenes.push(Scene { round: Round::Short, ..scene });
        }
    }
    for seed in [0, LARGEST_SEED] {
        scenes.push(game(Some(id::SEEDS), &format!("seed {seed}"), Match { seed, ..PLAIN }));
    }
    scenes.push(game(Some(id::CHUNK), "byte by byte", PLAIN).byte_by_byte());
    scenes.push(game(Some(id::ENV), "no environment", PLAIN).without_environment());
    scenes.push(game(Some(id::ENV), "foreign folder", PLAIN).elsewhere());
    scenes.push(game(Some(id::CRLF), "CR LF", Match { crlf: true, ..PLAIN }));
    scenes.push(scene(Some(id::THREADS), "counted", PLAIN.in_words(), |talk| script::counted(talk, &PLAIN)));
    for (case, rounds) in
        [("end after its name", None), ("end in a game", Some(3)), ("end after a game", Some(ROUNDS))]
    {
        let about = "the input ends, and the program is to end by itself";
        let scene = scene(Some(id::EOF), case, about, move |talk| script::left_alone(talk, &PLAIN, rounds));
        scenes.push(Scene { moves: rounds.unwrap_or(0) as u32, ..scene });
    }
    scenes.push(game(Some(id::FRESH), "watched", PLAIN).watched());
    scenes
}

fn foes(seed: u64) -> [(&'static str, Foe); 11] {
    [
        ("always paper", Foe::Always(Hand::Paper)),
        ("always scissors", Foe::Always(Hand::Scissors)),
        ("always rock", Foe::Always(Hand::Rock)),
        ("rotating", Foe::Turning(1)),
        ("rotating back", Foe::Turning(2)),
        ("drawn by lot", Foe::Drawn(seed)),
        ("drawn by another lot", Foe::Drawn(!seed)),
        ("every pattern", Foe::Patterns),
        ("its own last hand", Foe::After(0)),
        ("what beats its last hand", Foe::After(1)),
        ("what its last hand beats", Foe::After(2)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::rps::catalogue;
    use std::collections::BTreeSet;

    #[test]
    fn every_check_is_seen_somewhere() {
        let special = special(1).into_iter().filter_map(|scene| scene.check);
        let compared = [id::DETERMINISM, id::IGNORES, id::ORPHAN];
        let seen: BTreeSet<&str> = special.chain(compared).chain(id::PLAIN).collect();
        let all = catalogue().checks.iter().map(|check| check.id.as_str()).collect();
        assert_eq!(seen, all);
    }
}
