//! Faults of moves: how they are written, when they are written, and whether the rules allow them (G1–G6); and bots
//! that only look wrong in these ways.

use super::{GoSteps, KnownGame, MutantMove};
use crate::lines::{read_in_a_thread, write};
use std::process::ExitCode;
use std::thread::sleep;
use std::time::Duration;

/// The bot with the fault `kind`, if it is one of these.
pub fn bot(kind: &str) -> Option<GoSteps> {
    spoken(kind).or_else(|| ruled(kind)).or_else(|| near(kind))
}

/// Bots without a fault.
fn near(kind: &str) -> Option<GoSteps> {
    let sound = GoSteps::default();
    Some(match kind {
        "go-near-slow" => GoSteps {
            heed: |game| {
                if game.own_moves() == 0 {
                    sleep(Duration::from_millis(500));
                }
            },
            ..sound
        },
        "go-near-reader" => GoSteps {
            read: read_in_a_thread,
            heed: |game| {
                if game.own_moves() == 0 {
                    sleep(Duration::from_millis(300));
                }
            },
            ..sound
        },
        "go-near-small" => GoSteps { render: |game, m| written(game, m).to_ascii_lowercase(), ..sound },
        "go-near-passer" => GoSteps { choose: |_| None, ..sound },
        "go-near-leaves" => GoSteps { finish: || ExitCode::SUCCESS, ..sound },
        _ => return None,
    })
}

/// Faults of what is written, and when.
fn spoken(kind: &str) -> Option<GoSteps> {
    let sound = GoSteps::default();
    Some(match kind {
        "go-uses-i" => GoSteps {
            choose: |game| {
                Some(game.board.cells.len() / 2 - 1).filter(|_| game.own_moves() == 0).or_else(|| game.sound())
            },
            render: |game, m| named(game, m, b"ABCDEFGHIJKLMNOPQRS", 0),
            ..sound
        },
        "go-row-20" => GoSteps {
            choose: |game| in_row(game, 0),
            render: |game, m| named(game, m, super::LETTERS, 1),
            ..sound
        },
        "go-row-0" => GoSteps {
            choose: |game| in_row(game, game.board.size - 1),
            render: |game, m| named(game, m, super::LETTERS, -1),
            ..sound
        },
        "go-number-first" => GoSteps {
            render: |game, m| {
                let name = written(game, m);
                if m.is_some() { format!("{}{}\n", name[1..].trim_end(), &name[..1]) } else { name }
            },
            ..sound
        },
        "go-swapped-axes" => GoSteps {
            render: |game, m| {
                let last = game.board.size - 1;
                let turned = |at| (last - at % game.board.size) * game.board.size + last - at / game.board.size;
                written(game, m.map(turned))
            },
            ..sound
        },
        "go-rows-from-top" => GoSteps {
            render: |game, m| {
                let turned =
                    |at| (game.board.size - 1 - at / game.board.size) * game.board.size + at % game.board.size;
                written(game, m.map(turned))
            },
            ..sound
        },
        "go-floods" => GoSteps {
            heed: |_| {
                loop {
                    write("thinking\n");
                }
            },
            ..sound
        },
        "go-speaks-gtp" => GoSteps { render: |game, m| format!("= {}\n", written(game, m)), ..sound },
        "go-speaks-sgf" => GoSteps {
            render: |game, m| {
                let letter = |line: usize| char::from(b"abcdefghijklmnopqrstuvwxy"[line]);
                let size = game.board.size;
                m.map_or(written(game, m), |at| format!("{}{}\n", letter(at % size), letter(at / size)))
            },
            ..sound
        },
        "go-resigns" => GoSteps {
            render: |game, m| if game.own_moves() > 12 { "resign\n".to_string() } else { written(game, m) },
            ..sound
        },
        "go-draws-board" => GoSteps {
            render: |game, m| {
                let row = |row: &[u8]| row.iter().map(|&cell| [" +", " @", " O"][usize::from(cell)]).collect();
                let rows: Vec<String> = game.board.cells.chunks(game.board.size).map(row).collect();
                format!("{}\n{}", rows.join("\n"), written(game, m))
            },
            ..sound
        },
        "go-white-opens" => GoSteps { opens: |_| true, ..sound },
        "go-black-waits" => GoSteps { opens: |_| false, ..sound },
        "go-wrong-pass-word" => GoSteps {
            render: |game, m| if m.is_some() { written(game, m) } else { "skip\n".to_string() },
            ..sound
        },
        "go-plays-after-end" => GoSteps {
            end: |_, by_own| {
                if by_own {
                    write("A1\n");
                }
            },
            ..sound
        },
        "go-answers-the-end" => GoSteps {
            end: |_, by_own| {
                if !by_own {
                    write("pass\n");
                }
            },
            ..sound
        },
        "go-slow-after-time" => GoSteps {
            heed: |game| {
                if game.hurried {
                    sleep(Duration::from_secs(5));
                }
            },
            ..sound
        },
        "go-sleeps-after-time" => GoSteps {
            hurry: |_, game| {
                game.hurried = true;
                sleep(Duration::from_secs(2));
            },
            ..sound
        },
        "go-answers-time" => GoSteps { hurry: GoSteps::turn, ..sound },
        "go-dies-of-time" => GoSteps { hurry: |_, _| std::process::exit(1), ..sound },
        _ => return None,
    })
}

/// Faults of play.
fn ruled(kind: &str) -> Option<GoSteps> {
    let sound = GoSteps::default();
    Some(match kind {
        "go-occupied" => GoSteps {
            choose: |game| {
                let stones: Vec<usize> =
                    (0..game.board.cells.len()).filter(|&at| game.board.cells[at] != 0).collect();
                if game.own_moves() > 6 { game.drawn(&stones) } else { game.sound() }
            },
            ..sound
        },
        "go-suicide" => GoSteps {
            choose: |game| {
                let empty = |&at: &usize| game.board.cells[at] == 0 && game.board.ko != Some(at);
                let points: Vec<usize> = (0..game.board.cells.len()).filter(empty).collect();
                let stifling = |&at: &usize| !game.board.can_breathe(at, game.own());
                let suicides: Vec<usize> = points.into_iter().filter(stifling).collect();
                game.drawn(&suicides).or_else(|| game.sound())
            },
            ..sound
        },
        "go-retakes-ko" => GoSteps { choose: |game| game.board.ko.or_else(|| game.sound()), ..sound },
        "go-ignores-ko" => GoSteps {
            choose: |game| {
                let points: Vec<usize> = game.legal(true).into_iter().chain(game.board.ko).collect();
                game.drawn(&points)
            },
            ..sound
        },
        "go-forgets-captures" => GoSteps { takes: [false, false], ..sound },
        "go-forgets-its-losses" => GoSteps { takes: [true, false], ..sound },
        "go-knows-no-recapture" => GoSteps {
            heed: |game| {
                let mut moves = game.moves.clone();
                if let Some(Some(last)) = moves.pop()
                    && moves.contains(&Some(last))
                {
                    std::process::exit(1);
                }
            },
            ..sound
        },
        "go-never-passes" => GoSteps { choose: |game| game.drawn(&game.legal(false)).or(Some(0)), ..sound },
        "go-dies-of-pass" => GoSteps {
            heed: |game| {
                if game.moves.last() == Some(&None) {
                    std::process::exit(1);
                }
            },
            ..sound
        },
        "go-dies-at-400" => GoSteps {
            heed: |game| {
                if game.moves.len() >= 400 {
                    std::process::exit(1);
                }
            },
            ..sound
        },
        _ => return None,
    })
}

/// A move in the right notation.
pub fn written(game: &KnownGame, m: MutantMove) -> String {
    (GoSteps::default().render)(game, m)
}

/// A move with other letters for columns, and with `more` added to the row.
fn named(game: &KnownGame, m: MutantMove, letters: &[u8], more: isize) -> String {
    let size = game.board.size;
    let name = |at: usize| format!("{}{}\n", char::from(letters[at % size]), (size - at / size) as isize + more);
    m.map_or("pass\n".to_string(), name)
}

/// A point of this row as the first move.
fn in_row(game: &KnownGame, row: usize) -> MutantMove {
    Some(row * game.board.size + 3).filter(|_| game.own_moves() == 0).or_else(|| game.sound())
}
