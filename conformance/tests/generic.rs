//! Tests the generic suites with Nim, a game that only this test has: bots with one fault each fail exactly the check
//! of that fault, in lines and with one process per move, against random moves and against themselves.

use cornerman::game::{Action, End, Game, Outcome, Seat, Seats, Setup, SetupError, Violation};
use cornerman_conformance::protocol::{LineSuite, PipeSuite};
use cornerman_conformance::{BotReport, Options, Suite, check, report};
use cornerman_harness::bot::Bot;
use cornerman_harness::kit::{GameFacts, GameKit, JsonSchema, KeyError, ParsedRules, WallLimits};
use cornerman_harness::player::codec::Plain;
use cornerman_harness::player::protocol::{FaultRules, Lines, Pipe, Protocol};
use cornerman_harness::sandbox::{self, Limits, Program};
use libtest_mimic::{Arguments, Failed, Trial};
use serde::Deserialize;
use std::fs;
use std::path::Path;

/// Nim: the seat that takes the last object wins. A bot is sent the heaps, such as `3 5 7`, and answers with a heap and
/// a count, such as `2 3`.
#[derive(Clone, Debug, PartialEq)]
struct Nim {
    lists_moves: bool,
}

#[derive(Clone)]
struct State {
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
struct NimGame {
    in_lines: bool,
    lists_moves: bool,
}

/// The `[rules]` of a ruleset for Nim, which has no keys.
#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "cornerman_harness::kit::schemars")]
struct RulesTable {}

const RULES: &str = "id = \"nim\"\ntitle = \"Nim\"\nversion = 1\ndate = 2026-01-01\ngame = \"nim\"\n[rules]\n[limits]\n\
    soft_ms = 500\nhard_ms = 1000\nstart_ms = 1000\nmemory_mib = 1024\n";

impl GameFacts for NimGame {
    fn id(&self) -> &'static str {
        "nim"
    }

    fn title(&self) -> &'static str {
        "Nim"
    }

    fn rulesets(&self) -> &'static [(&'static str, &'static str)] {
        &[("nim", RULES)]
    }

    fn prompt(&self) -> &'static str {
        "heap and count"
    }
}

impl GameKit for NimGame {
    type Rules = Nim;
    type RulesTable = RulesTable;
    type Limits = WallLimits;

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

static AGAINST_RANDOM_MOVES: LineSuite =
    LineSuite::new(&NimGame { in_lines: true, lists_moves: true }, "NM", "N3");
static AGAINST_ITSELF: LineSuite = LineSuite::new(&NimGame { in_lines: true, lists_moves: false }, "NM", "N3");
static ONE_PROCESS_PER_MOVE: PipeSuite =
    PipeSuite::new(&NimGame { in_lines: false, lists_moves: true }, "NM", "N3");
static BOTH_SEATS: PipeSuite = PipeSuite::new(&NimGame { in_lines: false, lists_moves: false }, "NM", "N3");

/// The kinds of bot in lines, and the checks that they fail.
const KINDS: [Kind; 18] = [
    ("none", &[]),
    ("mute", &["NM-START"]),
    ("gives-up", &["NM-START"]),
    ("no-lf", &["NM-LF"]),
    ("two-lines", &["NM-ONE"]),
    ("prompt", &["NM-ONE"]),
    ("banner", &["NM-ORDER"]),
    ("buffered", &["NM-FLUSH"]),
    ("sleeps", &["NM-TIME"]),
    ("takes-nothing", &["NM-MOVE"]),
    ("tires", &["NM-MOVE"]),
    ("read-once", &["NM-CHUNK"]),
    ("needs-home", &["NM-ENV"]),
    ("writes-log", &["NM-FRESH"]),
    ("leaves-process", &["NM-ORPHAN"]),
    ("segv", &["NM-SIGNAL"]),
    ("ignores-eof", &["NM-EOF"]),
    ("floods-stderr", &["NM-STDERR"]),
];

/// The kinds of bot with one process per move, and the checks that they fail.
const MOVE_KINDS: [Kind; 17] = [
    ("none", &[]),
    ("mute", &["NM-OUT"]),
    ("takes-nothing", &["NM-MOVE"]),
    ("tires", &["NM-GAME"]),
    ("sleeps", &["NM-TIME"]),
    ("exits-with-1", &["NM-EXIT"]),
    ("segv", &["NM-SIGNAL"]),
    ("waits-for-end", &["NM-OPEN"]),
    ("needs-folder", &["NM-CWD"]),
    ("needs-home", &["NM-ENV"]),
    ("pipe-only", &["NM-FILE"]),
    ("leaves-process", &["NM-ORPHAN"]),
    ("writes-log", &["NM-STATE-ONLY"]),
    ("reads-opponents-state", &["NM-STATE-SEP"]),
    ("dies-on-junk", &["NM-STATE-CORRUPT"]),
    ("floods-stderr", &["NM-STDERR"]),
    ("random-moves", &[]),
];

fn main() {
    sandbox::serve_if_asked();
    let mut trials: Vec<Trial> = Vec::new();
    let mut suite = |name: &'static str, suite: &'static dyn Suite, program: &'static str, kinds: &[Kind]| {
        for &(kind, fails) in kinds {
            let trial = move || fails_exactly(suite, name, program, kind, fails);
            trials.push(Trial::test(format!("{name}::{kind}"), trial));
        }
    };
    suite("lines", &AGAINST_RANDOM_MOVES, "bot.py", &KINDS);
    suite("itself", &AGAINST_ITSELF, "bot.py", &[("none", &[]), ("tires", &["NM-MOVE"])]);
    suite("moves", &ONE_PROCESS_PER_MOVE, "mover.py", &MOVE_KINDS);
    suite("both_seats", &BOTH_SEATS, "mover.py", &[("none", &[]), ("tires", &["NM-GAME"])]);
    trials.push(Trial::test("every_check_that_can_fail_has_a_bot_that_fails_it", || {
        every_check_has_a_bot(&AGAINST_RANDOM_MOVES, &KINDS, &["NM-DETERMINISM"])?;
        // No kind is a program that cannot be started. Python starts too slowly for a read to return only a part of the
        // input. The odd conditions are tried with Boxing, whose bots are faster.
        let tried_elsewhere = ["STATE-COLD", "STATE-STALE", "ODD-EMPTY", "ODD-SHORT", "ODD-LONG", "ODD-CRLF"];
        let more = ["ODD-NUL", "ODD-NOARG", "ODD-LONGARG", "ODD-EPIPE", "DETERMINISM"];
        let but = ["START", "CHUNK"].into_iter().chain(tried_elsewhere).chain(more);
        let but: Vec<String> = but.map(|name| format!("NM-{name}")).collect();
        every_check_has_a_bot(
            &ONE_PROCESS_PER_MOVE,
            &MOVE_KINDS,
            &but.iter().map(String::as_str).collect::<Vec<_>>(),
        )
    }));
    let mut args = Arguments::from_args();
    // Most bots wait for lines.
    args.test_threads.get_or_insert(8);
    libtest_mimic::run(&args, trials).exit();
}

/// A kind of bot and the checks that it fails.
type Kind = (&'static str, &'static [&'static str]);

fn every_check_has_a_bot(suite: &dyn Suite, kinds: &[Kind], but: &[&str]) -> Result<(), Failed> {
    let checks = suite.catalogue().checks.iter().map(|check| check.id.as_str());
    let without: Vec<&str> = checks.filter(|id| !kinds.iter().any(|(_, fails)| *fails == [*id])).collect();
    if without == but { Ok(()) } else { Err(format!("{without:?}").into()) }
}

fn fails_exactly(
    suite: &'static dyn Suite,
    name: &str,
    program: &str,
    kind: &str,
    fails: &[&str],
) -> Result<(), Failed> {
    let report = checked(suite, name, program, kind)?;
    let failed = report.results.iter().filter(|result| result.failure().is_some());
    let failed: Vec<&str> = failed.map(|result| result.check.id.as_str()).collect();
    if failed == fails && report.kit_failure.is_none() {
        return Ok(());
    }
    let shown = report::human(&report, &report::Layout::new(report::Style::plain()));
    Err(format!("`{kind}` should fail {fails:?}, but fails {failed:?}\n\n{shown}").into())
}

fn checked(suite: &'static dyn Suite, name: &str, program: &str, kind: &str) -> Result<BotReport, Failed> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("nim").join(name).join(kind);
    fs::remove_dir_all(&folder).ok();
    fs::create_dir_all(&folder)?;
    let path = folder.join(kind);
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/nim").join(program), &path)?;
    let bot = Bot {
        spec: path.display().to_string(),
        name: kind.to_string(),
        has_given_name: true,
        author: None,
        game: Some("nim".to_string()),
        program: Program { parts: vec![folder.clone(), path.clone()], argv: vec![path.into()], folder },
        limits: Limits::default(),
        source_sha256: None,
        program_sha256: None,
        toolchain: None,
        built: None,
        engine_protocol: None,
    };
    let options = Options { games: vec![suite], files: None, ..Options::default() };
    Ok(check(&[bot], &options, &mut |_| ())?.remove(0))
}
