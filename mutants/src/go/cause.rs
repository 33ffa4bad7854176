//! Faults whose effects look like others: wrong notions of coordinates and captures, and positions that a bot cannot
//! cope with (G1, G5, G6).

use super::board::Captures;
use super::steps::written;
use super::{GoSteps, KnownGame, MutantMove, understand};
use crate::lines::{read, write};
use std::process::exit;

/// The bot with the fault `kind`, if it is one of these.
pub fn bot(kind: &str) -> Option<GoSteps> {
    misread(kind).or_else(|| miscaptured(kind)).or_else(|| unpassed(kind)).or_else(|| stopped(kind))
}

/// Wrong notions of coordinates.
fn misread(kind: &str) -> Option<GoSteps> {
    let sound = GoSteps::default();
    Some(match kind {
        "go-reads-column-i" => {
            GoSteps { understand: |game, line| with_column_i(game, understand(game, line)?), ..sound }
        }
        "go-ignores-column-t" => {
            GoSteps { understand: |game, line| understand(game, line).filter(|_| !line.starts_with('T')), ..sound }
        }
        "go-forgets-the-opponent" => {
            GoSteps { understand: |game, line| understand(game, line).map(|_| None), ..sound }
        }
        "go-blank-inside" => GoSteps {
            render: |game, m| {
                let name = written(game, m);
                if m.is_some() { format!("{} {}", &name[..1], &name[1..]) } else { name }
            },
            ..sound
        },
        "go-numbers-its-moves" => {
            GoSteps { render: |game, m| format!("{}. {}", game.moves.len() + 1, written(game, m)), ..sound }
        }
        "go-names-its-colour" => GoSteps {
            render: |game, m| format!("{} {}", if game.black { "B" } else { "W" }, written(game, m)),
            ..sound
        },
        "go-forgets-its-own-stones" => GoSteps {
            choose: |game| {
                let mut board = game.board.clone();
                for cell in &mut board.cells {
                    if *cell == game.own() {
                        *cell = 0;
                    }
                }
                game.drawn(&board.legal(game.own(), true))
            },
            ..sound
        },
        "go-clears-its-board" => GoSteps {
            heed: |game| {
                if game.moves.last() == Some(&None) {
                    game.board.cells.fill(0);
                }
            },
            ..sound
        },
        "go-loses-column-t" => GoSteps {
            understand: |game, line| {
                let read = understand(game, line)?;
                Some(read.filter(|_| !line.starts_with('T')))
            },
            ..sound
        },
        "go-reads-columns-from-right" => GoSteps {
            understand: |game, line| {
                let size = game.board.size;
                Some(understand(game, line)?.map(|at| at + size - 1 - 2 * (at % size)))
            },
            ..sound
        },
        "go-padded-row" => GoSteps {
            render: |game, m| {
                let name = written(game, m);
                if m.is_some() && name.len() == 3 { format!("{}0{}", &name[..1], &name[1..]) } else { name }
            },
            ..sound
        },
        "go-near-no-t" => GoSteps {
            choose: |game| {
                let points: Vec<usize> =
                    game.legal(true).into_iter().filter(|at| at % game.board.size != 18).collect();
                game.drawn(&points)
            },
            ..sound
        },
        _ => return None,
    })
}

/// The opponent's move as a bot sees it that takes I for a column. A stone beyond the edge is forgotten.
fn with_column_i(game: &KnownGame, m: MutantMove) -> Option<MutantMove> {
    let size = game.board.size;
    Some(m.and_then(|at| match at % size {
        ..8 => Some(at),
        col if col + 1 < size => Some(at + 1),
        _ => None,
    }))
}

/// Wrong notions of captures.
fn miscaptured(kind: &str) -> Option<GoSteps> {
    let sound = GoSteps::default();
    Some(match kind {
        "go-captures-one-chain" => GoSteps { captures: Captures::OneChain, ..sound },
        "go-captures-single-stones" => GoSteps { captures: Captures::AtMost(1), ..sound },
        "go-captures-two-stones" => GoSteps { captures: Captures::AtMost(2), ..sound },
        "go-captures-three-stones" => GoSteps { captures: Captures::AtMost(3), ..sound },
        "go-spares-single-stones" => GoSteps { captures: Captures::AtLeast(2), ..sound },
        "go-spares-the-corner" => GoSteps { captures: Captures::AwayFromCorner, ..sound },
        "go-keeps-captured-stones-warily" => GoSteps {
            takes: [false, false],
            choose: |game| {
                let (board, own) = (&game.board, game.own());
                let breathes = |at: usize| {
                    board.beside(at).any(|next| match board.cells[next] {
                        0 => true,
                        cell => cell == own && board.chain(next).1.len() > 1,
                    })
                };
                let allowed = |&at: &usize| board.cells[at] == 0 && !board.is_eye(at, own) && breathes(at);
                let points: Vec<usize> = (0..board.cells.len()).filter(allowed).collect();
                game.drawn(&points)
            },
            ..sound
        },
        "go-diagonals" => GoSteps { captures: Captures::Diagonally, ..sound },
        "go-wraps-around" => GoSteps { captures: Captures::AroundTheEdge, ..sound },
        "go-captures-singly" => GoSteps { captures: Captures::Singly, ..sound },
        "go-spares-the-edge" => GoSteps { captures: Captures::AwayFromEdge, ..sound },
        "go-suicide-of-chains" => GoSteps {
            choose: |game| {
                let own = |at: usize| game.board.beside(at).any(|next| game.board.cells[next] == game.own());
                let allowed = |&at: &usize| {
                    let board = &game.board;
                    let is_free = board.cells[at] == 0 && board.ko != Some(at);
                    is_free && !board.is_eye(at, game.own()) && (own(at) || board.can_breathe(at, game.own()))
                };
                let points: Vec<usize> = (0..game.board.cells.len()).filter(allowed).collect();
                game.drawn(&points)
            },
            ..sound
        },
        "go-near-fills-eyes" => GoSteps { choose: |game| game.drawn(&game.legal(false)), ..sound },
        _ => return None,
    })
}

/// Bots that do not pass as they must.
fn unpassed(kind: &str) -> Option<GoSteps> {
    let sound = GoSteps::default();
    let text = |render| GoSteps { render, ..GoSteps::default() };
    Some(match kind {
        "go-silent-pass" => text(|game, m| if m.is_some() { written(game, m) } else { String::new() }),
        "go-blank-pass" => text(|game, m| if m.is_some() { written(game, m) } else { "\n".to_string() }),
        "go-near-loud-pass" => text(|game, m| if m.is_some() { written(game, m) } else { "PASS\n".to_string() }),
        "go-ignores-a-pass" => GoSteps { heed: |game| waits(game.moves.last() == Some(&None)), ..sound },
        _ => return None,
    })
}

/// Bots that stop playing.
fn stopped(kind: &str) -> Option<GoSteps> {
    let sound = GoSteps::default();
    Some(match kind {
        "go-ends-when-it-loses-stones" => GoSteps {
            heed: |game| {
                if has_lost(game) {
                    exit(1);
                }
            },
            ..sound
        },
        "go-waits-when-it-loses-stones" => GoSteps { heed: |game| waits(has_lost(game)), ..sound },
        "go-waits-at-250" => GoSteps { heed: |game| waits(game.moves.len() >= 250), ..sound },
        "go-skips-a-turn" => GoSteps { heed: |game| waits(game.own_moves() == 8), ..sound },
        "go-breaks-on-13" => GoSteps {
            choose: |game| if game.board.size == 13 && game.own_moves() > 2 { Some(0) } else { game.sound() },
            opens: |game| game.black,
            ..sound
        },
        "go-plays-on" => GoSteps {
            end: |_, by_own| {
                if !by_own {
                    write("A1\n");
                }
            },
            ..sound
        },
        _ => return None,
    })
}

/// Whether the opponent has captured stones: the bot has made more moves with stones than it has stones.
fn has_lost(game: &KnownGame) -> bool {
    let first = usize::from(!game.black);
    let played = game.moves.iter().skip(first).step_by(2).filter(|m| m.is_some()).count();
    game.board.cells.iter().filter(|&&cell| cell == game.own()).count() < played
}

/// Reads all that comes and answers nothing, if it is time to.
fn waits(now: bool) {
    while now && read().is_some() {}
    if now {
        exit(0);
    }
}
