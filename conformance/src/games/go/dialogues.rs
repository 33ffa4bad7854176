//! The dialogues of the suite: games in plain conditions, whole games for the rules, and dialogues for one check
//! each, some with scripts of their own (G2–G5).

use super::id;
use super::opponent::Opponent;
use super::play::{GamePlan, MAX_PLIES, UNASKED};
use crate::budget::Round;
use crate::finding::Cause;
use crate::protocol::lines::conditions::{self, PATIENT};
use crate::protocol::lines::game::{GameDialogue, LinePlan, MOST_ANSWERS, Watch};
use crate::protocol::lines::{Dialogue, LineRead, Played, Stop};
use cornerman::game::Game;
use cornerman::games::go::Colour::{self, Black, White};
use cornerman::games::go::{Go, Move};
use cornerman_harness::text::{duration, escaped};
use std::time::Duration;

/// The moves of both colours in a game in plain conditions.
pub(super) const PLIES: usize = 40;

/// For at least this long a bot that plays white must write no move before it is sent one, unless it is seen to wait
/// for input earlier.
const BEFORE_THE_FIRST: Duration = Duration::from_millis(150);

/// For slow bots it is longer, but at most this long.
const MOST_BEFORE_THE_FIRST: Duration = Duration::from_secs(3);

/// The moves of a game for one check.
const FEW: usize = 12;

/// The moves of a game for one check if there is little time.
const FEWER: usize = 6;

/// The moves of a game for the rules if there is too little time for a whole one.
const SHORT: usize = 40;

/// The moves of a game of GO-LONG (G2).
const LONG: usize = 460;

/// The board sizes of the games for the rules, and the number of games with each opponent and colour.
const SMALL: [(u8, u64); 3] = [(5, 3), (7, 2), (9, 1)];

/// The opponents of the games for the rules.
const OPPONENTS: [Opponent; 4] = [Opponent::Random, Opponent::Fighter, Opponent::KoFighter, Opponent::Reoccupier];

/// The opponents and the bot's colours in the games for the rules if there is little time.
const SHORT_RULES: [(Opponent, Colour); 2] = [(Opponent::Random, Black), (Opponent::Fighter, White)];

/// The opponents, the bot's colours and the seeds of the games to the end if there is little time.
const SHORT_ENDS: [(Opponent, Colour, u64); 2] =
    [(Opponent::AlwaysPasses, Black, 1), (Opponent::PassesBack, White, 3)];

/// The cases that all games in lines have in which the bot plays black.
const AS_BLACK: [&str; 4] = ["no environment", "counted", "end in a game", "watched"];

/// A dialogue in which a game is played.
fn game_dialogue(
    check: Option<&'static str>,
    case: impl Into<String>,
    plan: GamePlan,
    play: impl Fn(&mut GameDialogue) -> Played + Send + Sync + 'static,
) -> Dialogue {
    conditions::dialogue(check, case, plan.lines(), move |game| {
        if plan.time_first {
            time_first(game, plan.bot)?;
        }
        play(game)
    })
}

/// The dialogue in plain conditions in which the bot plays the colour `bot`; a short one if there is little time, or
/// the bot turns out to be too slow for the `moves` that are planned after it. When the time is over, the game ends
/// with the bot's next move. Before white is sent anything, it is watched for twice the time `slowest` of its slowest
/// move, within bounds.
pub(super) fn plain(bot: Colour, short: bool, slowest: Duration, moves: u32) -> Dialogue {
    let plan = usual(bot, if short { FEW } else { PLIES }).lines();
    let early = BEFORE_THE_FIRST.max(slowest * 2).min(MOST_BEFORE_THE_FIRST);
    let case = format!("plain {}", bot.name());
    let plan = LinePlan { early, ..plan };
    let play = move |game: &mut GameDialogue| {
        for answers in 1.. {
            game.until(answers)?;
            if game.is_ended() {
                break;
            }
            let is_slow = !short && answers == FEW / 2 && !game.session.leaves_time_for(moves);
            if is_slow || game.session.is_over() {
                let plan = game.plan;
                return plan.game.end(game);
            }
        }
        Ok(())
    };
    Dialogue { grace: PATIENT, watch: Watch::StartAndEnd, ..conditions::dialogue(None, case, plan, play) }
}

/// The dialogue in which the bot, as white, has to answer only black's first move, `first`.
pub(super) fn first_move(first: Move) -> Dialogue {
    let game = GamePlan { opponent: Opponent::Opens(first), ..usual(White, 2) };
    let at = Go::default().notation(&first);
    game_dialogue(None, format!("opened at {at}"), game, whole)
}

/// The dialogues on whose results the [others](rest) depend: games in which the bot is sent `time` (G3), short ones if
/// there is little time, and games on boards of other sizes than 19 (G1).
pub(super) fn first(short: bool) -> impl Iterator<Item = Dialogue> {
    let few = few(short);
    let timed = |case: &str, game, answers| {
        game_dialogue(Some(id::CLOCK), case, game, move |game| time_in_game(game, answers))
    };
    let timed = [timed("time at first", usual(White, few), 0), timed("time in a game", usual(Black, 5 + few), 3)];
    let sized = |(size, bot)| {
        let game = GamePlan { size, ..usual(bot, if size < 9 { FEWER } else { FEW }) };
        game_dialogue(Some(id::SIZE), format!("{size}x{size} {}", bot.name()), game, whole)
    };
    let sizes = [(5, White), (7, Black), (9, Black), (9, White), (13, White), (13, Black)];
    timed.into_iter().chain(sizes.map(sized))
}

/// The dialogues that follow.
pub(super) fn rest(seed: u64, bot: BotTraits) -> impl Iterator<Item = Dialogue> {
    rules(seed, bot).into_iter().chain(special(seed, bot))
}

/// The traits of a bot that the first dialogues have shown, and on which the later ones depend.
#[derive(Clone, Copy, Debug)]
pub(super) struct BotTraits {
    /// Whether the bot plays on small boards, where games are shorter.
    pub small_boards: bool,
    /// Whether the bot plays on after it was sent `time`.
    pub handles_time: bool,
    /// Whether the bot thinks for long.
    pub slow: bool,
    /// Whether there is so little time that most dialogues must be short.
    pub short: bool,
}

impl BotTraits {
    /// Whether long games begin with `time`, so that the bot hurries.
    fn time_first(self) -> bool {
        self.handles_time && self.slow
    }
}

impl Default for BotTraits {
    /// A fast bot without faults.
    fn default() -> BotTraits {
        BotTraits { small_boards: true, handles_time: true, slow: false, short: false }
    }
}

/// Whole games for the rules, and the short ones that stand in for them.
fn rules(seed: u64, bot_traits: BotTraits) -> Vec<Dialogue> {
    let small_boards = bot_traits.small_boards;
    let time_first = bot_traits.time_first();
    let boards: &[(u8, u64)] = if small_boards { &SMALL } else { &[(19, 1)] };
    let mut dialogues = Vec::new();
    for &(size, times) in boards {
        for (number, opponent) in OPPONENTS.into_iter().enumerate() {
            for bot in Colour::BOTH {
                for time in 0..times {
                    let seed = seed ^ u64::from(size) << 40 ^ (number as u64) << 32 ^ time << 48;
                    let game = GamePlan { size, bot, opponent, seed, plies: MAX_PLIES, time_first };
                    let (name, _) = opponent.words();
                    let case = format!("{size}x{size} {} {name} {}", bot.name(), time + 1);
                    if SHORT_RULES.contains(&(opponent, bot)) && time == 0 && (size == 5 || !small_boards) {
                        let game = GamePlan { plies: SHORT, ..game };
                        let short = game_dialogue(None, format!("{case}, short"), game, whole);
                        dialogues.push(short.in_round(Round::Short));
                    }
                    dialogues.push(game_dialogue(None, case, game, whole).in_round(Round::Later));
                }
            }
        }
    }
    dialogues
}

/// The other dialogues for one check each.
fn special(seed: u64, bot_traits: BotTraits) -> Vec<Dialogue> {
    let BotTraits { small_boards, handles_time, short, .. } = bot_traits;
    let few = few(short);
    let time_first = bot_traits.time_first();
    let mut dialogues = Vec::new();
    for bot in Colour::BOTH {
        let game = GamePlan { opponent: Opponent::PassesLast, seed, plies: LONG, time_first, ..usual(bot, LONG) };
        dialogues.push(
            game_dialogue(Some(id::LONG), format!("long {}", bot.name()), game, whole).in_round(Round::Later),
        );
    }
    let (size, plies) = if small_boards { (5, MAX_PLIES) } else { (19, 3 * 19 * 19) };
    // If the opponent passes only after the bot, who passes first is random. On small boards there is time for
    // several games.
    for (opponent, times) in
        [(Opponent::AlwaysPasses, 1), (Opponent::PassesBack, if small_boards { 3 } else { 1 })]
    {
        for (bot, seed) in Colour::BOTH.into_iter().flat_map(|bot| (1..=times).map(move |seed| (bot, seed))) {
            let game = GamePlan { size, opponent, seed, time_first, ..usual(bot, plies) };
            let (name, _) = opponent.words();
            let case = format!("{name} {} {seed}", bot.name());
            if small_boards && SHORT_ENDS.contains(&(opponent, bot, seed)) {
                let short = game_dialogue(Some(id::END), format!("{case}, short"), game, whole);
                dialogues.push(short.in_round(Round::Short));
            }
            dialogues.push(game_dialogue(Some(id::END), case, game, whole).in_round(Round::Later));
        }
    }
    if handles_time {
        let game = usual(White, few);
        dialogues.push(game_dialogue(Some(id::CHUNK), "two lines at once", game, two_lines_at_once));
        // Here `time` may arrive together with the opponent's move.
        let game = usual(White, 5 + few);
        dialogues.push(game_dialogue(Some(id::CHUNK), "time to think", game, time_to_think));
    }
    let lower_case = LinePlan { form: Some(<[u8]>::to_ascii_lowercase), ..usual(White, few).lines() };
    dialogues.push(conditions::whole(Some(id::CASE), "lower case", lower_case));
    dialogues.push(game_dialogue(Some(id::GARBAGE), "junk", usual(White, few), junk));
    let ends = [("end at once", 0), ("end in a game", 3), ("end later", 3)];
    dialogues.extend(conditions::special(ends, |case| {
        let bot = if AS_BLACK.contains(&case) { Black } else { White };
        usual(bot, few).lines()
    }));
    let game = usual(Black, if short { FEW } else { PLIES } + 1);
    dialogues.push(game_dialogue(Some(id::CPU), "a game and a wait", game, wait_after_game));
    dialogues
}

/// The moves of a game for one check.
fn few(short: bool) -> usize {
    if short { FEWER } else { FEW }
}

/// How long a bot has to read all that was sent, unless it is seen to wait for more.
const BEFORE_TIME: Duration = Duration::from_millis(500);

/// How often the user time of a waiting bot is sampled.
const SAMPLE_INTERVAL: Duration = Duration::from_millis(100);

/// A bot is at rest after this many samples in a row with the same user time.
const QUIET_SAMPLES: u32 = 3;

/// The most samples that are taken.
const MAX_SAMPLES: u32 = 40;

/// The most user time that a bot may use until it is at rest.
const MAX_USER_TIME: Duration = Duration::from_millis(400);

/// Lines that a bot must ignore.
const JUNK: [&[u8]; 5] = [b"\n", b"hello there\n", b"Z99\n", b"\x01\xff\x80\n", &LONG_LINE];

/// A line of a thousand letters.
const LONG_LINE: [u8; 1001] = {
    let mut line = [b'x'; 1001];
    line[1000] = b'\n';
    line
};

/// Plays a whole game.
fn whole(game: &mut GameDialogue) -> Played {
    game.until(MOST_ANSWERS)
}

/// Sends `time` before the opponent's first move. The bot, which plays this colour, gets time to read everything
/// before and after it.
fn time_first(game: &mut GameDialogue, bot: Colour) -> Played {
    game.until(usize::from(bot == Colour::Black))?;
    let more = game.session.read_unsolicited(BEFORE_TIME)?;
    game.remark_on(&more.lines);
    game.send_time()?;
    let more = game.session.read_unsolicited(BEFORE_TIME)?;
    game.remark_on(&more.lines);
    Ok(())
}

/// Plays a game in which `time` is sent after this many answers, when it is not the bot's turn (G3, G4).
fn time_in_game(game: &mut GameDialogue, answers: usize) -> Played {
    game.until(answers)?;
    game.send_time()?;
    let more = game.session.read_unsolicited(UNASKED * 2)?;
    if let Some(line) = more.lines.iter().find(|line| game.is_answer(line)) {
        let what = format!("it wrote `{}` when it was sent `time`, but it was not its turn", escaped(line));
        return Err(Cause::new(id::CLOCK, what).into());
    }
    whole(game)
}

/// Plays a game in which `time` comes after the opponent's move, while the bot thinks.
fn time_to_think(game: &mut GameDialogue) -> Played {
    game.until(2)?;
    game.present(b"")?;
    game.send_time()?;
    whole(game)
}

/// Plays a game in which `time` and the opponent's move are sent in one piece, as the referee does.
fn two_lines_at_once(game: &mut GameDialogue) -> Played {
    game.present(b"time\n")?;
    game.time_sent = true;
    whole(game)
}

/// Plays the beginning of a game. After two moves of the bot, it is sent lines that it must ignore, and then one more
/// move.
fn junk(game: &mut GameDialogue) -> Played {
    game.until(2)?;
    for line in JUNK {
        game.session.send(line)?;
    }
    let more = game.session.read_unsolicited(UNASKED * 3)?;
    if more.flood {
        let what = "it did not stop writing when it was sent meaningless lines";
        return Err(Cause::new(id::GARBAGE, what).into());
    }
    let what = "it was sent meaningless lines";
    if more.gone {
        return Err(Cause::new(id::GARBAGE, what).if_by_signal().into());
    }
    game.present(b"")?;
    let limit = duration(game.session.limits.hard);
    Err(match game.read()? {
        LineRead::Line(_) => Stop::Over,
        LineRead::Ended(_) => Cause::new(id::GARBAGE, what).if_by_signal().into(),
        LineRead::TimedOut(_) if !more.is_nothing() => Stop::Over,
        _ => {
            let what = format!("{what}, and made no more moves, not even within {limit} after `time` was sent");
            Cause::new(id::GARBAGE, what).into()
        }
    })
}

/// Plays a game, and then waits until the bot, whose turn it is not, uses no more user time.
fn wait_after_game(game: &mut GameDialogue) -> Played {
    whole(game)?;
    let before = game.session.user_time()?;
    let mut last = before;
    let mut quiet = 0;
    for _ in 0..MAX_SAMPLES {
        game.session.read_unsolicited(SAMPLE_INTERVAL)?;
        let now = game.session.user_time()?;
        quiet = if now == last { quiet + 1 } else { 0 };
        last = now;
        if quiet >= QUIET_SAMPLES {
            return Ok(());
        }
        // It falls when a process of the bot ends.
        if now.saturating_sub(before) > MAX_USER_TIME {
            break;
        }
    }
    let used = duration(last.saturating_sub(before));
    Err(Cause::new(id::CPU, format!("it used {used} of user time during the opponent's turn")).into())
}

/// The plan of a game of `plies` moves in which nothing depends on the opponent.
fn usual(bot: Colour, plies: usize) -> GamePlan {
    GamePlan { size: 19, bot, opponent: Opponent::Random, seed: 1984, plies, time_first: false }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::go::catalogue;
    use std::collections::BTreeSet;

    #[test]
    fn every_check_has_a_dialogue() {
        let special = special(1, BotTraits::default()).into_iter().chain(first(false));
        let special = special.filter_map(|dialogue| dialogue.check);
        let seen: BTreeSet<&str> = special.chain(id::PLAIN).chain(id::RULES).chain([id::ORPHAN]).collect();
        let all = catalogue().checks.iter().map(|check| check.id.as_str()).collect();
        assert_eq!(seen, all);
    }

    #[test]
    fn only_the_games_of_the_check_of_long_games_are_long() {
        let plain = Colour::BOTH.map(|bot| plain(bot, false, Duration::ZERO, 0));
        let others = rules(1, BotTraits::default()).into_iter().chain(first(false)).chain(plain);
        assert!(others.into_iter().all(|it| it.moves as usize <= MAX_PLIES / 2));
    }
}
