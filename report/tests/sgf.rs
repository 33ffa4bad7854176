//! Games of Go written as SGF: against reviewed files, and read back by a parser and by GNU Go (G7).

#[path = "../../harness/tests/gnugo/gtp.rs"]
mod gtp;

use cornerman::format::{EntrantId, GameId, Pairing};
use cornerman::game::{Action, End, Game, Outcome, Seat, Setup};
use cornerman::games::go::{Colour, Go, GoState, Move, Point, parse_move, vertex};
use cornerman::rng::Rng;
use cornerman_harness::player::Remark;
use cornerman_harness::record::{EntrantRecord, FaultRecord, GameRecord, Header, MoveRecord, TimeUsed};
use cornerman_report::games::go::sgf;
use cornerman_report::view::{ExportError, RecordedGame};
use gtp::GnuGo;
use libtest_mimic::{Arguments, Completion, Failed, Trial};
use sgf_parse::{SgfNode, go};
use std::time::Duration;

fn main() {
    let args = Arguments::from_args();
    let trials = vec![
        Trial::test("a_game_is_written_as_reviewed", a_game_is_written_as_reviewed),
        Trial::test("a_forfeit_has_its_reason", a_forfeit_has_its_reason),
        Trial::test("a_game_that_does_not_count_says_so", a_game_that_does_not_count_says_so),
        Trial::test("the_result_is_by_area_and_komi", the_result_is_by_area_and_komi),
        Trial::test("a_parser_reads_back_every_move_and_comment", a_parser_reads_back_every_move_and_comment),
        Trial::test("a_game_that_contradicts_the_rules_is_refused", a_game_that_contradicts_the_rules_is_refused),
        Trial::ignorable_test("gnugo_reaches_the_same_board", gnugo_reaches_the_same_board),
    ];
    libtest_mimic::run(&args, trials).exit();
}

/// A game, and all that it takes to write it.
struct Sample {
    header: Header,
    rules: Go,
    entrants: Vec<EntrantRecord>,
    record: GameRecord,
}

impl Sample {
    /// A game of `moves` from `board`, which is a board's text, or empty for the usual start.
    fn new(rules: Go, board: &[u8], moves: &[&str]) -> Sample {
        let setup = Setup { seats: 2, board: board.to_vec(), ..Setup::default() };
        let entrants = ["tern]\\", "gull\n(white)"];
        let move_record = |(at, notation): (u32, &&str)| MoveRecord {
            number: at + 1,
            seat: Seat((at % 2) as u8),
            notation: notation.to_string(),
            used: TimeUsed {
                cpu: Duration::from_micros(1500 * u64::from(at + 1)),
                wall: Duration::from_millis(20),
                lag: Duration::ZERO,
            },
            remarks: Vec::new(),
        };
        let outcome = Outcome { places: vec![1, 2], points: vec![0; 2], territory: vec![0; 2], end: End::Played };
        let record = GameRecord {
            pairing: Pairing {
                id: GameId { stage: 0, round: 1, table: 2, game: 0, attempt: 0 },
                seats: vec![EntrantId(0), EntrantId(1)],
                board: 0,
            },
            setup,
            outcome,
            started_ms: 426_940_800_000,
            wall: Duration::ZERO,
            host: "referee".to_string(),
            moves: (0..).zip(moves).map(move_record).collect(),
            faults: Vec::new(),
            seats: Vec::new(),
        };
        let header = Header { contest: "Club night".to_string(), kit: "1.2.3".to_string(), ..Header::default() };
        let named = |name: &str| EntrantRecord { name: name.to_string(), ..EntrantRecord::default() };
        Sample { header, rules, entrants: entrants.map(named).into(), record }
    }

    fn sgf(&self) -> Result<String, ExportError> {
        self.sgf_of(None)
    }

    /// The game as SGF; `uncounted` says why it does not count, if so.
    fn sgf_of(&self, uncounted: Option<&'static str>) -> Result<String, ExportError> {
        let Sample { header, rules, entrants, record } = self;
        sgf(&RecordedGame { header, title: "Go, USENIX 1983", rules, entrants, record, uncounted })
    }

    /// The same game with this outcome; `area` is Black's and White's.
    fn ended(mut self, places: [u8; 2], area: [u32; 2], end: End) -> Sample {
        self.record.outcome = Outcome {
            places: places.to_vec(),
            points: area.map(i64::from).to_vec(),
            territory: area.to_vec(),
            end,
        };
        self
    }
}

fn five() -> Go {
    Go { size: 5, ..Go::default() }
}

const MOVES: [&str; 6] = ["C3", "E5", "B4", "A1", "pass", "pass"];

fn a_game_is_written_as_reviewed() -> Result<(), Failed> {
    let board = b"X....\n.....\n...O.\n.....\nXX...\n";
    let mut sample = Sample::new(five(), board, &MOVES).ended([2, 1], [14, 11], End::Played);
    sample.record.moves[2].remarks = vec![Remark::Slow("[B4] with a \\".into())];
    reviewed("a_game", &sample)
}

fn reviewed(name: &str, sample: &Sample) -> Result<(), Failed> {
    let text = sample.sgf()?;
    insta::with_settings!({ omit_expression => true }, {
        insta::assert_snapshot!(name, text);
    });
    Ok(())
}

fn a_game_that_does_not_count_says_so() -> Result<(), Failed> {
    let sample = Sample::new(Go { size: 9, ..Go::default() }, b"", &["A1", "B2"]);
    let said =
        |uncounted| sample.sgf_of(uncounted).map(|text| text.contains("GC[This game does not count: annulled.]"));
    assert_eq!((said(Some("annulled"))?, said(None)?), (true, false));
    Ok(())
}

fn a_forfeit_has_its_reason() -> Result<(), Failed> {
    let mut sample = Sample::new(Go::default(), b"", &["Q16", "D4"]).ended([2, 1], [0, 0], End::Forfeited);
    sample.record.faults = vec![FaultRecord {
        number: 3,
        seat: Seat(0),
        kind: "occupied".to_string(),
        detail: "D4 is occupied by a white stone, the opponent's, since move 2".to_string(),
        view: b"D4\n".to_vec(),
        answer: b"D4\n".to_vec(),
        used: TimeUsed::default(),
        stderr: String::new(),
    }];
    reviewed("a_forfeit", &sample)
}

fn the_result_is_by_area_and_komi() -> Result<(), Failed> {
    let written = |komi_halves, area, end| {
        let places = if end == End::Played { [1, 1] } else { [1, 2] };
        let sample = Sample::new(Go { komi_halves, ..five() }, b"", &[]).ended(places, area, end);
        let text = sample.sgf()?;
        let of =
            |name: &str| text.split_once(name).and_then(|(_, rest)| rest.split(']').next()).map(str::to_string);
        Ok::<_, ExportError>((of("KM["), of("RE[")))
    };
    for (komi_halves, area, end, komi, result) in [
        (13, [20, 5], End::Played, "6.5", "B+8.5"),
        (13, [15, 10], End::Played, "6.5", "W+1.5"),
        (13, [13, 12], End::Played, "6.5", "W+5.5"),
        (14, [16, 9], End::Played, "7", "0"),
        (0, [16, 9], End::Played, "0", "B+7"),
        (1, [12, 12], End::Played, "0.5", "W+0.5"),
        (-1, [12, 12], End::Played, "-0.5", "B+0.5"),
        (-7, [1, 24], End::Played, "-3.5", "W+19.5"),
        (13, [0, 25], End::Forfeited, "6.5", "B+F"),
    ] {
        assert_eq!(written(komi_halves, area, end)?, (Some(komi.to_string()), Some(result.to_string())));
    }
    Ok(())
}

/// The nodes of the game, the root first.
fn parsed(text: &str) -> Result<Vec<SgfNode<go::Prop>>, Failed> {
    let mut games = go::parse(text)?;
    assert_eq!(games.len(), 1);
    let root = games.remove(0);
    let mut nodes = Vec::new();
    let mut next = Some(&root);
    while let Some(node) = next {
        assert!(node.children.len() <= 1, "the game has no variations");
        nodes.push(node.clone());
        next = node.children.first();
    }
    Ok(nodes)
}

fn a_parser_reads_back_every_move_and_comment() -> Result<(), Failed> {
    let mut rules = Go { size: 25, ..Go::default() };
    for size in [5, 9, 19, 25] {
        rules.size = size;
        let state = random_game(&rules, b"", u64::from(size));
        let words: Vec<String> = state.moves().iter().map(|m| rules.notation(m)).collect();
        let moves: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut sample = Sample::new(rules.clone(), b"", &moves);
        sample.record.moves[0].remarks = vec![Remark::Slow(r"a ] and a \ and a [".into())];
        let nodes = parsed(&sample.sgf()?)?;
        let read: Vec<String> = nodes[1..].iter().map(|node| move_of(node, size)).collect::<Result<_, _>>()?;
        assert_eq!(read, words);

        let comment = |node: &SgfNode<go::Prop>| match node.get_property("C") {
            Some(go::Prop::C(words)) => words.text.clone(),
            other => format!("{other:?}"),
        };
        assert!(comment(&nodes[1]).ends_with("(a ] and a \\ and a [)"), "{}", comment(&nodes[1]));
        let Some(go::Prop::PB(black)) = nodes[0].get_property("PB") else { return Err("no PB".into()) };
        let Some(go::Prop::PW(white)) = nodes[0].get_property("PW") else { return Err("no PW".into()) };
        assert_eq!((black.text.as_str(), white.text.as_str()), ("tern]\\", r"gull\n(white)"));
    }
    Ok(())
}

fn move_of(node: &SgfNode<go::Prop>, size: u8) -> Result<String, Failed> {
    let made = match node.properties().next() {
        Some(go::Prop::B(made) | go::Prop::W(made)) => made,
        other => return Err(format!("not a move: {other:?}").into()),
    };
    Ok(match made {
        go::Move::Pass => "pass".to_string(),
        go::Move::Move(point) => vertex(cornerman::game::Spot { row: point.y, col: point.x }, size),
    })
}

/// A random game of at most two moves for each point of the board; one move in twenty is a pass.
fn random_game(go: &Go, board: &[u8], seed: u64) -> GoState {
    let mut rng = Rng::new(seed);
    let setup = Setup { seats: 2, board: board.to_vec(), ..Setup::default() };
    let mut state = go.start(&setup).expect("a board of this size");
    while !go.to_act(&state).is_empty() && state.moves().len() < 2 * usize::from(go.size).pow(2) {
        let seat = state.turn();
        let point = state.position().random_move(Colour::for_seat(seat), &mut rng).filter(|_| rng.below(20) > 0);
        let m = point.map_or(Move::Pass, |point| Move::Place(state.position().spot(point)));
        go.apply(&mut state, &[(seat, Action::Move(m))]);
    }
    state
}

fn a_game_that_contradicts_the_rules_is_refused() -> Result<(), Failed> {
    let refused = |sample: Sample| sample.sgf().map_err(|wrong| wrong.to_string());
    let say = |words: &str| Err(format!("game s1/r2/m3/g1 cannot be written as SGF: {words}"));
    assert_eq!(refused(Sample::new(five(), b"", &["C3", "I5"])), say("move 2, `I5`, is not valid"));
    assert_eq!(refused(Sample::new(five(), b"", &["F1"])), say("move 1, `F1`, is not valid"));
    assert_eq!(refused(Sample::new(five(), b"-", &[])), say("not a go board: 1 rows instead of 5"));
    let mut alone = Sample::new(five(), b"", &[]);
    alone.record.pairing.seats.pop();
    assert_eq!(refused(alone), say("it does not have two seats"));
    let mut third = Sample::new(five(), b"", &["C3"]);
    third.record.moves[0].seat = Seat(2);
    assert_eq!(refused(third), say("move 1, `C3`, is not valid"));
    Ok(())
}

fn gnugo_reaches_the_same_board() -> Result<Completion, Failed> {
    if let Err(missing) = gtp::program() {
        return Ok(Completion::ignored_with(missing));
    }
    let mut gnugo = GnuGo::start(&[])?;
    let folder = tempfile::tempdir()?;
    for (seed, size) in (0..).zip([5, 7, 9, 13, 19, 19]) {
        let go = Go { size, komi_halves: 11, ..Go::default() };
        // Half of the games start from the last position of another one.
        let board = if seed % 2 == 0 { Vec::new() } else { go.board(&random_game(&go, b"", seed + 100)) };
        let state = random_game(&go, &board, seed);
        let words: Vec<String> = state.moves().iter().map(|m| go.notation(m)).collect();
        assert!(words.iter().all(|word| parse_move(word.as_bytes(), size).is_some()));
        let sample = Sample::new(go, &board, &words.iter().map(String::as_str).collect::<Vec<_>>());
        let file = folder.path().join("game.sgf");
        std::fs::write(&file, sample.sgf()?)?;
        gnugo.ask(&format!("loadsgf {}", file.display()))?;
        assert_eq!(gnugo.ask("query_boardsize")?, size.to_string());
        assert_eq!(gnugo.ask("get_komi")?, "5.5");
        for colour in Colour::BOTH {
            let of = state.position().points().filter(|&point| state.position().at(point) == Some(colour));
            let named = |point: Point| vertex(state.position().spot(point), size);
            let mut stones: Vec<String> = of.map(named).collect();
            stones.sort_unstable();
            assert_eq!(gnugo.points(&format!("list_stones {}", colour.name()))?, stones, "{}", state.diagram());
        }
    }
    Ok(Completion::Completed)
}
