//! Rulesets of games with line protocols, Go and rock-paper-scissors: settings, verdicts, games, a small contest.

use super::standings_of;
use cornerman::formats::{Board, all_play_all};
use cornerman::game::{End, Outcome, Seat, Setup, SetupError};
use cornerman::games::go::{Go, vertex};
use cornerman::games::rps::Rps;
use cornerman::rng::Rng;
use cornerman_harness::player::clock::GameClock;
use cornerman_harness::ruleset::Ruleset;
use libtest_mimic::Failed;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// The decisions of `ruleset` that this test covers, as text.
pub fn decisions(ruleset: &Ruleset) -> Result<String, Failed> {
    let mut text = String::from("Settings\n");
    for (key, value) in settings(ruleset) {
        writeln!(text, "  {key:15} {value}")?;
    }
    text += "\nVerdicts on the specimens\n";
    for specimen in specimens(ruleset) {
        writeln!(text, "  {:28} {}", specimen.name, verdict(ruleset, specimen)?)?;
    }
    text += "\nGames\n";
    let players = players(ruleset);
    for first in 0..players.len() {
        for second in (0..players.len()).filter(|&second| second != first) {
            let (names, result) = ([players[first].0, players[second].0], result(ruleset, [first, second])?);
            writeln!(text, "  {}\n    {result}", names.join(" against "))?;
        }
    }
    text += "\nEveryone against everyone\n";
    let names: Vec<&str> = players.iter().map(|(name, _)| *name).collect();
    let play = |_, seats: &[usize]| Ok(play(ruleset, [seats[0], seats[1]])?.outcome);
    let settings = all_play_all::Settings { boards: Some(vec![Board(0)]), ..Default::default() };
    Ok(text + &standings_of(&names, settings, &play)?)
}

fn settings(ruleset: &Ruleset) -> Vec<(&'static str, String)> {
    let limits = &ruleset.limits;
    let mut settings = vec![
        ("id", ruleset.id.clone()),
        ("title", ruleset.title.clone()),
        ("version", ruleset.version.to_string()),
        ("date", ruleset.date.clone()),
        ("game", ruleset.game().to_string()),
        ("memory", format!("{} MiB", limits.memory >> 20)),
    ];
    settings.extend(match (ruleset.rules_of::<Go>(), ruleset.rules_of::<Rps>()) {
        (Some(go), _) => vec![
            ("size", go.size.to_string()),
            ("komi", format!("{} half points", go.komi_halves)),
            ("superko", go.superko.to_string()),
            ("scored after", format!("{} moves", go.move_cap)),
            ("time budget", format!("{} s", clock(ruleset).budget.as_secs())),
            ("then per move", format!("{} s", clock(ruleset).minimum.as_secs())),
            ("wall time share", format!("1/{}", clock(ruleset).guard)),
        ],
        (_, Some(rps)) => vec![
            ("rounds", rps.rounds.to_string()),
            ("seeds", rps.seeds.map_or("drawn".to_string(), |seeds| format!("{seeds:?}"))),
            ("warning after", format!("{} ms", limits.soft.as_millis())),
            ("forfeit after", format!("{} ms", limits.hard.as_millis())),
            ("name within", format!("{} ms", limits.start.as_millis())),
        ],
        _ => unreachable!("not a game with a line protocol"),
    });
    settings
}

fn clock(ruleset: &Ruleset) -> GameClock {
    ruleset.clock.expect("a game of Go has a clock")
}

/// An answer in a game after some moves, which both players made by turns.
#[derive(Clone, Copy)]
struct Specimen {
    name: &'static str,
    moves: &'static str,
    answer: &'static str,
}

const fn specimen(name: &'static str, moves: &'static str, answer: &'static str) -> Specimen {
    Specimen { name, moves, answer }
}

/// White lets black capture one stone, and would capture back at once.
const KO: &str = "D5 G5 E6 F6 E4 F4 pass E5 F5";
/// White lets black capture two stones, and would capture one back, which would repeat the position after move 7.
const TWO_FOR_ONE: &str = "A2 C2 B2 D1 A3 B1 pass A1 C1";

const GO: &[Specimen] = &[
    specimen("a-vertex", "", "C3"),
    specimen("small-letters", "", "c3"),
    specimen("blanks-and-return", "", " C3 \r"),
    specimen("pass", "", "pass"),
    specimen("beyond-nine-lines", "", "K10"),
    specimen("beyond-nineteen-lines", "", "A20"),
    specimen("the-letter-i", "", "I5"),
    specimen("a-leading-nought", "", "C03"),
    specimen("nothing", "", ""),
    specimen("resign", "", "resign"),
    specimen("occupied-by-itself", "C3 D4", "C3"),
    specimen("occupied-by-the-other", "C3", "C3"),
    specimen("suicide", "E5 A2 E6 B1", "A1"),
    specimen("no-liberty-but-takes", "A3 A2 B2 B1", "A1"),
    specimen("ko", KO, "E5"),
    specimen("elsewhere-than-ko", KO, "A1"),
    specimen("two-for-one", TWO_FOR_ONE, "B1"),
];

const RPS: &[Specimen] = &[
    specimen("rock", "", "0"),
    specimen("paper", "", "1"),
    specimen("scissors", "", "2"),
    specimen("blanks-and-return", "", " 1\r"),
    specimen("three", "", "3"),
    specimen("minus-one", "", "-1"),
    specimen("a-word", "", "rock"),
    specimen("nothing", "", ""),
    specimen("two-numbers", "", "0 1"),
    specimen("a-leading-nought", "", "01"),
    specimen("later", "0 1 2 2", "2"),
];

fn specimens(ruleset: &Ruleset) -> Vec<Specimen> {
    if ruleset.rules_of::<Go>().is_some() { GO.to_vec() } else { RPS.to_vec() }
}

fn verdict(ruleset: &Ruleset, specimen: Specimen) -> Result<String, Failed> {
    let mut game = ruleset.open(&Setup { seats: 2, ..Setup::default() })?;
    let next = |game: &dyn cornerman::game::LiveGame| game.to_act().iter().next().ok_or("the game is over");
    for m in specimen.moves.split_whitespace() {
        let seat = next(&*game)?;
        game.answer(seat, m.as_bytes()).map_err(|wrong| format!("{}: {wrong}", specimen.name))?;
    }
    let seat = next(&*game)?;
    Ok(match game.answer(seat, specimen.answer.as_bytes()) {
        Ok(notation) => format!("legal: {notation}"),
        Err(wrong) => format!("{} {}: {}", wrong.kind, wrong.rule, wrong.detail),
    })
}

/// A player: its name, and the answers it would give to a view as its n-th move (from 0), the preferred ones first. The
/// first answer that the rules accept counts.
type Player = (&'static str, fn(&Ruleset, usize, &[u8]) -> Vec<String>);

fn players(ruleset: &Ruleset) -> [Player; 4] {
    match ruleset.rules_of::<Go>() {
        Some(_) => [
            ("first", |ruleset, number, _| if number < 30 { vertices(ruleset) } else { pass() }),
            (
                "last",
                |ruleset, number, _| {
                    if number < 30 { vertices(ruleset).into_iter().rev().collect() } else { pass() }
                },
            ),
            ("scattered", |ruleset, number, _| {
                let mut drawn = vertices(ruleset);
                Rng::new(number as u64).shuffle(&mut drawn);
                if number < 60 { drawn } else { pass() }
            }),
            ("stubborn", |_, _, _| vec!["E5".to_string()]),
        ],
        None => [
            ("rock", |_, _, _| vec!["0".to_string()]),
            ("rotate", |_, number, _| vec![(number % 3).to_string()]),
            ("copy", |_, _, view| {
                let last = view.split(|&byte| byte == b'\n').rfind(|line| !line.is_empty());
                let last = String::from_utf8_lossy(last.unwrap_or(b"0")).into_owned();
                // The first view has a seed and the number of rounds, so a second answer is needed.
                vec![last, "2".to_string()]
            }),
            ("word", |_, number, _| vec![if number < 10 { "1" } else { "paper" }.to_string()]),
        ],
    }
}

fn pass() -> Vec<String> {
    vec!["pass".to_string()]
}

/// Every vertex of the board, and a pass.
fn vertices(ruleset: &Ruleset) -> Vec<String> {
    let Go { size, .. } = ruleset.rules_of().expect("a ruleset of go");
    let spots = (0..*size).flat_map(|row| (0..*size).map(move |col| cornerman::game::Spot { row, col }));
    spots.map(|spot| vertex(spot, *size)).chain(pass()).collect()
}

struct Game {
    outcome: Outcome,
    moves: Vec<String>,
}

/// Plays a game by the ruleset, which alone decides what is legal. A player that proposes no legal move forfeits.
fn play(ruleset: &Ruleset, seats: [usize; 2]) -> Result<Game, SetupError> {
    let mut game = ruleset.open(&Setup { seats: 2, seed: 1, ..Setup::default() })?;
    let players = players(ruleset);
    let (mut moves, mut made) = (Vec::new(), [0; 2]);
    while !game.to_act().is_empty() {
        for seat in game.to_act().iter() {
            let (_, propose) = players[seats[seat.index()]];
            let answers = propose(ruleset, made[seat.index()], &game.view(seat));
            match answers.into_iter().find_map(|answer| game.answer(seat, answer.as_bytes()).ok()) {
                Some(notation) => moves.push(notation),
                None => game.forfeit(seat),
            }
            made[seat.index()] += 1;
        }
    }
    Ok(Game { outcome: game.outcome().expect("the game is over"), moves })
}

fn result(ruleset: &Ruleset, seats: [usize; 2]) -> Result<String, Failed> {
    let Game { outcome, moves } = play(ruleset, seats)?;
    let players = players(ruleset);
    let winners: Vec<&str> = outcome.winners().map(|Seat(seat)| players[seats[usize::from(seat)]].0).collect();
    let who = if winners.len() == 1 { format!("{} wins", winners[0]) } else { "a draw".to_string() };
    let end = if outcome.end == End::Forfeited { " by forfeit" } else { "" };
    let hash = Sha256::digest(moves.join(" "));
    let hash = hash[..4].iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
    Ok(format!("{who}{end}, points {:?}, {} moves, {hash}", outcome.points, moves.len()))
}
