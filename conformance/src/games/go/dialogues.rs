//! The dialogues of the suite: those in plain conditions, whole games for the rules, and those that are for one
//! check each.

use super::id;
use super::opponent::Opponent;
use super::play::{GamePlan, MOST_PLIES};
use super::script::{self, ScriptResult, usual};
use crate::budget::Round;
use crate::lines::protocol::PATIENT;
use crate::lines::{Dialogue, DialogueSession, GRACE, Script};
use cornerman::games::go::Colour::{self, Black, White};
use cornerman_harness::sandbox::RunRequest;

/// The moves of a game in plain conditions.
pub const PLIES: usize = 40;

/// The moves of a game that is for one check.
const FEW: usize = 12;

/// The same in a check that is short of time.
const FEWER: usize = 6;

/// The moves of a game for the rules in such a check, instead of a whole game.
const SHORT: usize = 40;

/// The moves of a game of GO-LONG (G2).
const LONG: usize = 460;

/// The boards of the games for the rules, and how many of each opponent and colour.
const SMALL: [(u8, u64); 3] = [(5, 3), (7, 2), (9, 1)];

/// The opponents of the games for the rules.
const OPPONENTS: [Opponent; 4] = [Opponent::Random, Opponent::Fighter, Opponent::KoFighter, Opponent::Reoccupier];

/// The games for the rules that a bot plays where there is no time for more: with the most telling of each opponent's
/// moves in them.
const SHORT_RULES: [(Opponent, Colour); 2] = [(Opponent::Random, Black), (Opponent::Fighter, White)];

/// The games to the end that it plays then, and their seeds.
const SHORT_ENDS: [(Opponent, Colour, u64); 2] =
    [(Opponent::AlwaysPasses, Black, 1), (Opponent::PassesBack, White, 3)];

/// A dialogue and the game in it.
pub struct GameDialogue {
    /// The dialogue.
    pub dialogue: Dialogue,
    /// What is played.
    pub game: GamePlan,
}

impl GameDialogue {
    fn map(self, change: impl FnOnce(Dialogue) -> Dialogue) -> Self {
        GameDialogue { dialogue: change(self.dialogue), ..self }
    }

    fn in_round(mut self, round: Round) -> Self {
        self.dialogue.round = round;
        self
    }
}

fn game_dialogue(
    check: Option<&'static str>,
    case: impl Into<String>,
    game: GamePlan,
    script: impl Fn(&mut DialogueSession, GamePlan) -> ScriptResult + Send + Sync + 'static,
) -> GameDialogue {
    let script: Script = Box::new(move |session| script(session, game));
    let request = RunRequest::of_game(game.args());
    let about = game.in_words();
    // No game is much longer than its board is large.
    let moves = game.plies.min(2 * usize::from(game.size).pow(2)).div_ceil(2) as u32;
    let (case, round) = (case.into(), Round::First);
    let dialogue = Dialogue { check, case, about, request, dribbled: false, grace: GRACE, round, moves, script };
    GameDialogue { dialogue, game }
}

/// The dialogue as each colour that everything else rests on; a short one for a bot that has no time.
pub fn plain(bot: Colour, short: bool) -> GameDialogue {
    let game = usual(bot, if short { FEW } else { PLIES });
    let mut game_dialogue = game_dialogue(None, format!("plain {}", bot.name()), game, script::watchful);
    game_dialogue.dialogue.grace = PATIENT;
    game_dialogue
}

/// A move, and the end of input behind it: what a bot that was silent keeps back comes out.
pub fn kept_back() -> GameDialogue {
    game_dialogue(None, "end after a move", usual(White, 1), script::kept_back)
}

/// Games in which a bot is told that its time is up (G3), short ones for a bot that has no time.
pub fn timed(short: bool) -> Vec<GameDialogue> {
    let few = few(short);
    let timed = |case: &str, bot, after| {
        game_dialogue(Some(id::CLOCK), case, usual(bot, after + few), move |session, game| {
            script::timed(session, game, after)
        })
    };
    vec![timed("time at first", White, 0), timed("time in a game", Black, 5), timed("time to think", White, 5)]
}

/// Games on other boards than the usual one (G1).
pub fn sizes() -> Vec<GameDialogue> {
    let sized = |(size, bot)| {
        let game = GamePlan { size, ..usual(bot, 6) };
        game_dialogue(Some(id::SIZE), format!("{size}x{size}"), game, script::whole)
    };
    [(5, White), (9, Black), (13, White)].map(sized).into()
}

/// Whole games, played until few points are left: on small boards if the bot knows them, where that is sooner.
pub fn rules(seed: u64, small: bool, time_first: bool) -> Vec<GameDialogue> {
    let boards: &[(u8, u64)] = if small { &SMALL } else { &[(19, 1)] };
    let mut dialogues = Vec::new();
    for &(size, times) in boards {
        for (number, opponent) in OPPONENTS.into_iter().enumerate() {
            for bot in Colour::BOTH {
                for time in 0..times {
                    let seed = seed ^ u64::from(size) << 40 ^ (number as u64) << 32 ^ time << 48;
                    let game = GamePlan { size, bot, opponent, seed, plies: MOST_PLIES, time_first, small: false };
                    let case = format!("{size}x{size} {} {opponent:?} {}", bot.name(), time + 1).to_lowercase();
                    if SHORT_RULES.contains(&(opponent, bot)) && time == 0 && (size == 5 || !small) {
                        let game = GamePlan { plies: SHORT, ..game };
                        let short = game_dialogue(None, format!("{case}, short"), game, script::whole);
                        dialogues.push(short.in_round(Round::Short));
                    }
                    dialogues.push(game_dialogue(None, case, game, script::whole).in_round(Round::Later));
                }
            }
        }
    }
    dialogues
}

/// Every other dialogue that is for one check alone, for a bot that knows small boards or not, and `time` or not; most are shorter for a bot that has no time.
pub fn special(seed: u64, small: bool, in_time: bool, time_first: bool, short: bool) -> Vec<GameDialogue> {
    let few = few(short);
    let mut dialogues = Vec::new();
    for bot in Colour::BOTH {
        let game = GamePlan { opponent: Opponent::PassesLast, seed, plies: LONG, time_first, ..usual(bot, LONG) };
        dialogues.push(
            game_dialogue(Some(id::LONG), format!("long {}", bot.name()), game, script::whole)
                .in_round(Round::Later),
        );
    }
    let (size, plies) = if small { (5, MOST_PLIES) } else { (19, 3 * 19 * 19) };
    // Who passes first is a matter of chance where nobody does it for ever.
    for (opponent, times) in [(Opponent::AlwaysPasses, 1), (Opponent::PassesBack, if small { 3 } else { 1 })] {
        for (bot, seed) in Colour::BOTH.into_iter().flat_map(|bot| (1..=times).map(move |seed| (bot, seed))) {
            let game = GamePlan { size, opponent, seed, time_first, ..usual(bot, plies) };
            let case = format!("{opponent:?} {} {seed}", bot.name()).to_lowercase();
            if small && SHORT_ENDS.contains(&(opponent, bot, seed)) {
                let short = game_dialogue(Some(id::END), format!("{case}, short"), game, script::ended);
                dialogues.push(short.in_round(Round::Short));
            }
            dialogues.push(game_dialogue(Some(id::END), case, game, script::ended).in_round(Round::Later));
        }
    }
    dialogues.push(
        game_dialogue(Some(id::CHUNK), "byte by byte", usual(White, few), script::whole)
            .map(Dialogue::byte_by_byte),
    );
    if in_time {
        let game = usual(White, few);
        dialogues.push(game_dialogue(Some(id::CHUNK), "two lines at once", game, script::two_lines_at_once));
    }
    let surroundings = |case, bot| game_dialogue(Some(id::ENV), case, usual(bot, few), script::whole);
    dialogues.push(surroundings("no environment", Black).map(Dialogue::without_environment));
    dialogues.push(surroundings("foreign folder", White).map(Dialogue::in_foreign_folder));
    dialogues.push(game_dialogue(
        Some(id::CASE),
        "small letters",
        GamePlan { small: true, ..usual(White, few) },
        script::whole,
    ));
    dialogues.push(game_dialogue(Some(id::GARBAGE), "junk", usual(White, few), script::junk));
    dialogues.push(game_dialogue(Some(id::FORK), "counted", usual(Black, few), script::counted));
    for (case, bot, after) in [("end at once", White, 0), ("end in a game", Black, 5), ("end later", White, 6)] {
        let script = move |session: &mut DialogueSession, game| script::input_ends_early(session, game, after);
        dialogues.push(game_dialogue(Some(id::EOF), case, usual(bot, few), script));
    }
    dialogues
        .push(game_dialogue(Some(id::FRESH), "watched", usual(Black, few), script::whole).map(Dialogue::watched));
    dialogues
}

/// A game, and a wait after it; a short game for a bot that has no time.
pub fn waits(short: bool) -> GameDialogue {
    game_dialogue(
        Some(id::CPU),
        "a game and a wait",
        usual(Black, if short { FEW } else { PLIES } + 1),
        script::waits,
    )
}

/// The moves of a game that is for one check.
fn few(short: bool) -> usize {
    if short { FEWER } else { FEW }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::go::catalogue;
    use std::collections::BTreeSet;

    #[test]
    fn every_check_is_seen_somewhere() {
        let special = special(1, true, true, false, false).into_iter().chain(timed(false));
        let special = special.chain(sizes()).chain([waits(false)]);
        let special = special.filter_map(|game_dialogue| game_dialogue.dialogue.check);
        let seen: BTreeSet<&str> = special.chain(id::PLAIN).chain(id::RULES).chain([id::ORPHAN]).collect();
        let all = catalogue().checks.iter().map(|check| check.id.as_str()).collect();
        assert_eq!(seen, all);
    }

    #[test]
    fn only_long_games_are_long() {
        let plain = Colour::BOTH.map(|bot| plain(bot, false));
        let others = rules(1, true, false).into_iter().chain(timed(false)).chain(plain);
        assert!(others.into_iter().all(|game_dialogue| game_dialogue.game.plies <= MOST_PLIES));
    }
}
