//! Nim as an added game: the bot that takes the last object wins (N1).
//!
//! On its turn a bot is sent the heaps, such as `3 5 7`, and answers with the number of a heap, counted from 1, and how
//! many objects it takes from it, such as `2 3` (N2). `docs/own-game.md` explains this program.

use cornerman::game::{Action, End, Game, LiveGame, Outcome, Seat, Seats, Setup, SetupError, Violation};
use cornerman::rng::Rng;
use cornerman_cli::{GameEntry, games};
use cornerman_conformance::protocol::ProtocolSuite;
use cornerman_harness::kit::{GameFacts, GameKit, JsonSchema, KeyError, ParsedRules, SeedUse, WallLimits};
use cornerman_harness::player::codec::Plain;
use cornerman_harness::player::protocol::{FaultRules, Lines, Protocol};
use cornerman_report::view::{GameView, state_of};
use reference_bots::{Ladder, ReferenceBot, ReferenceProgram, Template};
use serde::Deserialize;
use std::process::ExitCode;

/// The rules: how many heaps are drawn, and the most objects that each can have. A board can set other heaps.
#[derive(Clone, Debug, PartialEq)]
struct Nim {
    heaps: u8,
    most: u32,
}

/// A game in progress.
#[derive(Clone)]
struct State {
    heaps: Vec<u32>,
    turn: Seat,
    gave_up: bool,
}

/// A move: the index of a heap, and how many objects are taken from it.
#[derive(Clone)]
struct Take {
    heap: usize,
    count: u32,
}

impl Game for Nim {
    type State = State;
    type Move = Take;

    fn start(&self, setup: &Setup) -> Result<State, SetupError> {
        let wrong = |_| SetupError("heaps are numbers, such as `3 5 7`".to_string());
        let text = String::from_utf8_lossy(&setup.board).into_owned();
        let mut heaps: Vec<u32> =
            text.split_whitespace().map(str::parse).collect::<Result<_, _>>().map_err(wrong)?;
        if heaps.is_empty() {
            let mut rng = Rng::new(setup.seed);
            heaps = (0..self.heaps).map(|_| 1 + rng.below(self.most.into()) as u32).collect();
        }
        Ok(State { heaps, turn: Seat(0), gave_up: false })
    }

    fn to_act(&self, state: &State) -> Seats {
        let over = state.gave_up || state.heaps.iter().all(|&left| left == 0);
        if over { Seats::NONE } else { Seats::only(state.turn) }
    }

    fn read(&self, state: &State, _: Seat, answer: &[u8]) -> Result<Take, Violation> {
        let no = |kind, detail| Err(Violation { kind, rule: "N2", spots: Vec::new(), detail });
        let text = String::from_utf8_lossy(answer).into_owned();
        let numbers: Option<Vec<u32>> = text.split_whitespace().map(|word| word.parse().ok()).collect();
        let Some(&[heap, count]) = numbers.as_deref() else {
            return no("form", format!("`{}` is not a heap and a count, such as `2 3`", answer.escape_ascii()));
        };
        match state.heaps.get((heap as usize).wrapping_sub(1)) {
            None => no("heap", format!("there is no heap {heap}: there are 1 to {}", state.heaps.len())),
            Some(left) if !(1..=*left).contains(&count) => {
                no("count", format!("heap {heap} has {left}, not {count}"))
            }
            Some(_) => Ok(Take { heap: heap as usize - 1, count }),
        }
    }

    fn legal(&self, state: &State, _: Seat) -> Vec<Take> {
        let of_heap = |(heap, &left): (usize, &u32)| (1..=left).map(move |count| Take { heap, count });
        state.heaps.iter().enumerate().flat_map(of_heap).collect()
    }

    fn apply(&self, state: &mut State, acts: &[(Seat, Action<Take>)]) {
        for (seat, act) in acts {
            match act {
                Action::Move(take) => state.heaps[take.heap] -= take.count,
                Action::Forfeit => state.gave_up = true,
            }
            state.turn = Seat(1 - seat.0);
        }
    }

    fn view(&self, state: &State, _: Seat) -> Vec<u8> {
        self.board(state)
    }

    fn board(&self, state: &State) -> Vec<u8> {
        let heaps: Vec<String> = state.heaps.iter().map(u32::to_string).collect();
        (heaps.join(" ") + "\n").into_bytes()
    }

    fn notation(&self, take: &Take) -> String {
        format!("{} {}", take.heap + 1, take.count)
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        // A seat that gives up passes the turn to the winner; after the last object, the winner is not to move.
        let winner = if state.gave_up { state.turn } else { Seat(1 - state.turn.0) };
        let end = if state.gave_up { End::Forfeited } else { End::Played };
        self.to_act(state).is_empty().then(|| Outcome {
            places: [0, 1].map(|seat| if Seat(seat) == winner { 1 } else { 2 }).to_vec(),
            points: [0, 1].map(|seat| i64::from(Seat(seat) == winner)).to_vec(),
            territory: vec![0; 2],
            end,
        })
    }
}

struct NimGame;

/// `[rules]` of a ruleset file.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(crate = "cornerman_harness::kit::schemars")]
struct RulesTable {
    /// Heaps, which are drawn for each game.
    heaps: u8,
    /// The most objects in a heap.
    most: u32,
}

impl GameKit for NimGame {
    type Rules = Nim;
    type RulesTable = RulesTable;
    type Limits = WallLimits;

    fn facts(&self) -> GameFacts<'_> {
        GameFacts {
            rulesets: &[("nim-usual", include_str!("own_game/nim-usual.toml"))],
            seed_use: SeedUse::Draws,
            ..GameFacts::new("nim", "Nim", "heap and count, such as `2 3`")
        }
    }

    fn rules(&self, table: RulesTable) -> Result<ParsedRules<Nim>, KeyError> {
        Ok(ParsedRules::for_two(Nim { heaps: table.heaps, most: table.most }, *b"AB"))
    }

    fn protocol(&self, _: &Nim, _: Seat, _: u8) -> Protocol {
        let faults = FaultRules::all("N3");
        Protocol::Lines(Lines { args: Vec::new(), greets: false, faults, codec: Plain::every_line() })
    }
}

struct View;

impl GameView for View {
    /// With best play, the seat to move wins if the sum of the heaps without carrying is not zero.
    fn value(&self, live: &dyn LiveGame) -> Vec<f64> {
        let state = state_of::<Nim>(live);
        let sum = state.heaps.iter().fold(0, |sum, left| sum ^ left);
        let wins = |seat: u8| if (Seat(seat) == state.turn) == (sum != 0) { 1.0 } else { 0.0 };
        vec![wins(0), wins(1)]
    }
}

/// The checks: of the protocol, and that moves are legal by the rules above.
static SUITE: ProtocolSuite = ProtocolSuite::in_lines(&NimGame, "NM", "N3");

/// The reference bot, and the template of a bot to start from.
static LADDER: Ladder = Ladder {
    bots: &[ReferenceBot {
        id: "nim-sum",
        about: "leaves heaps whose sum without carrying is zero",
        program: ReferenceProgram::Source { file: "nim_sum.py", text: include_str!("own_game/nim_sum.py") },
        thinks: false,
    }],
    templates: &[Template {
        lang: "python",
        files: &[("bot.toml", include_str!("own_game/bot.toml")), ("bot.py", include_str!("own_game/bot.py"))],
    }],
};

pub(crate) fn main() -> ExitCode {
    cornerman_cli::main(games::all().into_iter().chain([GameEntry::new(&NimGame, &View, Some(&SUITE), &LADDER)]))
}
