//! The dialogues of the suite: one in plain conditions, and others for one check each.

use super::game::{GamePlan, Watch};
use super::id;
use super::opponent::{Opponent, PATTERN_LENGTH};
use super::script;
use crate::budget::Round;
use crate::lines::protocol::PATIENT;
use crate::lines::{Dialogue, GRACE, Script};
use cornerman::games::rps::{Hand, MAX_SEED};
use cornerman_harness::sandbox::RunRequest;

/// The seed that bots are sent if nothing depends on it: that of the document's example.
pub(super) const SEED: u16 = 31241;

/// The rounds of a game if nothing depends on them.
const ROUNDS: usize = 20;

/// The rounds of the games of RP-ROUNDS.
const LENGTHS: [usize; 4] = [1, 2, 1000, 10_000];

/// A game of more rounds than this is left for last, because it takes longer than all others together.
const LONG: usize = 1000;

/// The rounds against each opponent of RP-ALLIN.
const AGAINST_EACH: usize = 300;

/// The rounds against one that shows random hands: many are won, tied and lost.
const AGAINST_RANDOM: usize = 2000;

/// The opponents of RP-ALLIN that a bot meets for a few rounds if there is little time.
const SHORT_OPPONENTS: [&str; 3] = ["always paper", "always scissors", "random"];

/// A game against an opponent that always shows rock. Other opponents are tested by RP-ALLIN.
pub(super) const PLAIN: GamePlan =
    GamePlan { seed: SEED, rounds: ROUNDS, opponent: Opponent::Always(Hand::Rock), crlf: false };

fn dialogue(
    check: Option<&'static str>,
    case: &str,
    about: impl Into<String>,
    script: impl Fn(&mut crate::lines::DialogueSession) -> std::io::Result<Option<crate::fault::Fault>>
    + Send
    + Sync
    + 'static,
) -> Dialogue {
    let script: Script = Box::new(script);
    Dialogue {
        check,
        case: case.to_string(),
        about: about.into(),
        request: RunRequest::for_game(Vec::new()),
        dribbled: false,
        grace: GRACE,
        round: Round::First,
        moves: ROUNDS as u32,
        script,
    }
}

fn game(check: Option<&'static str>, case: &str, game: GamePlan) -> Dialogue {
    let moves = game.rounds as u32;
    // Other opponents and lengths may bring about what others do not; other conditions hardly do.
    let is_of_game = check.is_some_and(|check| [id::ROUNDS, id::ALLIN].contains(&check));
    let watch = if is_of_game { Watch::End } else { Watch::AfterEnd };
    Dialogue {
        moves,
        ..dialogue(check, case, game.in_words(), move |session| script::whole(session, &game, watch))
    }
}

/// The dialogue in plain conditions.
pub(super) fn plain() -> Dialogue {
    Dialogue {
        grace: PATIENT,
        ..dialogue(None, "plain", PLAIN.in_words(), |session| script::whole(session, &PLAIN, Watch::StartAndEnd))
    }
}

/// The dialogue with a bot that was silent at its start. It shows whether the bot holds back its name.
pub(super) fn flushes_only_at_end() -> Dialogue {
    dialogue(None, "end at once", "the input ends before anything is sent", script::flushes_name_at_end)
}

/// A game of `rounds` rounds whose hands are compared with those of another game.
pub(super) fn compared(check: &'static str, case: &str, opponent: Opponent, rounds: usize) -> Dialogue {
    game(Some(check), case, GamePlan { opponent, rounds, ..PLAIN })
}

/// The dialogues for one check each.
pub(super) fn special(seed: u64) -> Vec<Dialogue> {
    let mut dialogues: Vec<Dialogue> = Vec::new();
    let length = |rounds: usize| {
        let round = if rounds > ROUNDS { Round::Later } else { Round::First };
        Dialogue { round, ..game(Some(id::ROUNDS), &format!("{rounds} rounds"), GamePlan { rounds, ..PLAIN }) }
    };
    let (long, short) = LENGTHS.into_iter().partition::<Vec<usize>, _>(|&rounds| rounds > LONG);
    dialogues.extend(short.into_iter().map(length));
    for (name, opponent) in opponents(seed) {
        let rounds = match opponent {
            Opponent::AllPatterns => 3_usize.pow(PATTERN_LENGTH) * PATTERN_LENGTH as usize,
            Opponent::Random(other) if other != seed => AGAINST_RANDOM,
            _ => AGAINST_EACH,
        };
        let dialogue = game(Some(id::ALLIN), name, GamePlan { rounds, opponent, ..PLAIN });
        dialogues.push(Dialogue { round: Round::Later, ..dialogue });
        if SHORT_OPPONENTS.contains(&name) {
            let dialogue = game(Some(id::ALLIN), &format!("{name}, short"), GamePlan { opponent, ..PLAIN });
            dialogues.push(Dialogue { round: Round::Short, ..dialogue });
        }
    }
    for seed in [0, MAX_SEED] {
        dialogues.push(game(Some(id::SEEDS), &format!("seed {seed}"), GamePlan { seed, ..PLAIN }));
    }
    dialogues.push(game(Some(id::CHUNK), "byte by byte", PLAIN).byte_by_byte());
    dialogues.push(game(Some(id::ENV), "no environment", PLAIN).without_environment());
    dialogues.push(game(Some(id::ENV), "foreign folder", PLAIN).in_foreign_folder());
    dialogues.push(game(Some(id::CRLF), "CR LF", GamePlan { crlf: true, ..PLAIN }));
    dialogues.push(dialogue(Some(id::THREADS), "counted", PLAIN.in_words(), |session| {
        script::counted(session, &PLAIN)
    }));
    for (case, rounds) in
        [("end after its name", None), ("end in a game", Some(3)), ("end after a game", Some(ROUNDS))]
    {
        let about = "the input ends, and the program must end by itself";
        let dialogue =
            dialogue(Some(id::EOF), case, about, move |session| script::input_ends_early(session, &PLAIN, rounds));
        dialogues.push(Dialogue { moves: rounds.unwrap_or(0) as u32, ..dialogue });
    }
    dialogues.push(game(Some(id::FRESH), "watched", PLAIN).watched());
    dialogues.extend(long.into_iter().map(length));
    dialogues
}

fn opponents(seed: u64) -> [(&'static str, Opponent); 11] {
    [
        ("always paper", Opponent::Always(Hand::Paper)),
        ("always scissors", Opponent::Always(Hand::Scissors)),
        ("always rock", Opponent::Always(Hand::Rock)),
        ("rotating", Opponent::Cycle(1)),
        ("rotating back", Opponent::Cycle(2)),
        ("random", Opponent::Random(seed)),
        ("random, another seed", Opponent::Random(!seed)),
        ("every pattern", Opponent::AllPatterns),
        ("its own last hand", Opponent::FollowsBot(0)),
        ("what beats its last hand", Opponent::FollowsBot(1)),
        ("what its last hand beats", Opponent::FollowsBot(2)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::rps::catalogue;
    use std::collections::BTreeSet;

    #[test]
    fn every_check_has_a_dialogue() {
        let special = special(1).into_iter().filter_map(|dialogue| dialogue.check);
        let compared = [id::DETERMINISM, id::IGNORES, id::ORPHAN];
        let seen: BTreeSet<&str> = special.chain(compared).chain(id::PLAIN).collect();
        let all = catalogue().checks.iter().map(|check| check.id.as_str()).collect();
        assert_eq!(seen, all);
    }
}
