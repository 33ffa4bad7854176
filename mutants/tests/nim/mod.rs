//! Nim, a game that only tests have, in lines or with one process for each move.

use cornerman::game::{Action, End, Game, Outcome, Seat, Seats, Setup, SetupError, Violation};
use cornerman_harness::kit::{GameFacts, GameKit, JsonSchema, KeyError, ParsedRules, WallLimits};
use cornerman_harness::player::codec::Plain;
use cornerman_harness::player::protocol::{FaultRules, Lines, Pipe, Protocol};
use serde::Deserialize;

/// Nim: the seat that takes the last object wins. A bot is sent the heaps, such as `3 5 7`, and answers with a heap and
/// a count, such as `2 3`.
#[derive(Clone, Debug, PartialEq)]
pub struct Nim {
    lists_moves: bool,
}

#[derive(Clone)]
pub struct State {
    heaps: Vec<u32>,
    turn: Seat,
    gone: Option<Seat>,
}

impl Game for Nim {
    type State = State;
    type Move = (usize, u32);

    fn start(&self, _: &Setup) -> Result<State, SetupError> {
        Ok(State { heaps: vec![3, 5, 7], turn: Seat(0), gone: None })
    }

    fn to_act(&self, state: &State) -> Seats {
        let over = state.gone.is_some() || state.heaps.iter().all(|&left| left == 0);
        if over { Seats::NONE } else { Seats::only(state.turn) }
    }

    fn read(&self, state: &State, _: Seat, answer: &[u8]) -> Result<Self::Move, Violation> {
        let text = String::from_utf8_lossy(answer);
        let no = |detail| Err(Violation { kind: "move", rule: "N2", spots: Vec::new(), detail });
        let numbers: Option<Vec<u32>> = text.split_whitespace().map(|word| word.parse().ok()).collect();
        let Some(&[heap, count]) = numbers.as_deref() else {
            return no(format!("`{text}` is not a heap and a count, such as `2 3`"));
        };
        match state.heaps.get((heap as usize).wrapping_sub(1)) {
            Some(left) if (1..=*left).contains(&count) => Ok((heap as usize - 1, count)),
            _ => no(format!("heap {heap} does not have {count}")),
        }
    }

    fn apply(&self, state: &mut State, acts: &[(Seat, Action<Self::Move>)]) {
        for (seat, act) in acts {
            match act {
                Action::Move((heap, count)) => state.heaps[*heap] -= count,
                Action::Forfeit => state.gone = Some(*seat),
            }
            state.turn = Seat(1 - seat.0);
        }
    }

    fn view(&self, state: &State, _: Seat) -> Vec<u8> {
        [self.board(state), b"\n".to_vec()].concat()
    }

    fn board(&self, state: &State) -> Vec<u8> {
        state.heaps.iter().map(u32::to_string).collect::<Vec<_>>().join(" ").into_bytes()
    }

    fn notation(&self, (heap, count): &Self::Move) -> String {
        format!("{} {count}", heap + 1)
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        let winner = if state.gone.is_some() { state.turn } else { Seat(1 - state.turn.0) };
        let places = [0, 1].map(|seat| if Seat(seat) == winner { 1 } else { 2 }).to_vec();
        let over = self.to_act(state).is_empty();
        over.then(|| Outcome { places, points: vec![0; 2], territory: vec![0; 2], end: End::Played })
    }

    fn legal(&self, state: &State, _: Seat) -> Vec<Self::Move> {
        let of_heap = |(heap, &left): (usize, &u32)| (1..=left).map(move |count| (heap, count));
        let all = state.heaps.iter().enumerate().flat_map(of_heap);
        if self.lists_moves { all.collect() } else { Vec::new() }
    }
}

/// Nim in lines or with one process per move, with or without a list of legal moves.
pub struct NimGame {
    pub in_lines: bool,
    pub lists_moves: bool,
}

/// The `[rules]` of a ruleset for Nim, which has no keys.
#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "cornerman_harness::kit::schemars")]
pub struct RulesTable {}

const RULES: &str = "id = \"nim\"\ntitle = \"Nim\"\nversion = 1\ndate = 2026-01-01\ngame = \"nim\"\n[rules]\n[limits]\n\
    soft_ms = 500\nhard_ms = 1000\nstart_ms = 1000\nmemory_mib = 1024\n";
const HEAPS_RULES: &str = "id = \"heaps\"\ntitle = \"Nim\"\nversion = 1\ndate = 2026-01-01\ngame = \"heaps\"\n[rules]\n\
    [limits]\nsoft_ms = 500\nhard_ms = 1000\nstart_ms = 1000\nmemory_mib = 1024\n";

impl GameKit for NimGame {
    type Rules = Nim;
    type RulesTable = RulesTable;
    type Limits = WallLimits;

    fn facts(&self) -> GameFacts<'_> {
        let (id, rulesets): (_, &[_]) =
            if self.in_lines { ("nim", &[("nim", RULES)]) } else { ("heaps", &[("heaps", HEAPS_RULES)]) };
        GameFacts { rulesets, ..GameFacts::new(id, "Nim", "heap and count") }
    }

    fn rules(&self, RulesTable {}: RulesTable) -> Result<ParsedRules<Nim>, KeyError> {
        Ok(ParsedRules::for_two(Nim { lists_moves: self.lists_moves }, *b"AB"))
    }

    fn protocol(&self, _: &Nim, _: Seat, mark: u8) -> Protocol {
        let faults = FaultRules::all("N3");
        if self.in_lines {
            Protocol::Lines(Lines { args: Vec::new(), greets: false, faults, codec: Plain::every_line() })
        } else {
            Protocol::Pipe(Pipe { mark, faults })
        }
    }
}
