//! Faults of Go bots (G1–G6, G9), by the step that is wrong; and bots that only look as if they had one.

use super::board::Captures;
use super::{GoSteps, KnownGame, LETTERS, MutantMove, understand};
use crate::lines::{
    brief_thread, exit_if, flush_at_the_end, kept_back_if, leave, read, read_in_a_thread, remember, sleep_if,
    stay, write,
};
use crate::process::replace_itself;
use crate::protocol::Steps;
use std::process::{ExitCode, abort, exit};
use std::thread::spawn;

/// The bot of this kind, if its fault is one of Go.
pub fn bot(kind: &str) -> Option<GoSteps> {
    let groups =
        [capturing, understanding, heeding, choosing, writing, hurrying, ending, running, in_several_steps];
    groups.into_iter().find_map(|group| group(kind))
}

/// Wrong notions of captures.
fn capturing(kind: &str) -> Option<GoSteps> {
    let captures = match kind {
        "go-captures-one-chain" => Captures::OneChain,
        "go-captures-single-stones" => Captures::AtMost(1),
        "go-captures-two-stones" => Captures::AtMost(2),
        "go-captures-three-stones" => Captures::AtMost(3),
        "go-spares-single-stones" => Captures::AtLeast(2),
        "go-spares-the-corner" => Captures::AwayFromCorner,
        "go-spares-the-edge" => Captures::AwayFromEdge,
        "go-captures-singly" => Captures::Singly,
        "go-diagonals" => Captures::Diagonally,
        "go-wraps-around" => Captures::AroundTheEdge,
        _ => return None,
    };
    Some(GoSteps { captures, ..GoSteps::default() })
}

/// How the opponent's lines are read: mostly wrong notions of coordinates.
fn understanding(kind: &str) -> Option<GoSteps> {
    let understand: fn(&KnownGame, &str) -> Option<MutantMove> = match kind {
        "go-reads-column-i" => |game, line| with_column_i(game, understand(game, line)?),
        "go-ignores-column-t" => |game, line| understand(game, line).filter(|_| !line.starts_with('T')),
        "go-loses-column-t" => |game, line| Some(understand(game, line)?.filter(|_| !line.starts_with('T'))),
        "go-forgets-the-opponent" => |game, line| understand(game, line).map(|_| None),
        "go-reads-columns-from-right" => |game, line| {
            let size = game.board.size;
            Some(understand(game, line)?.map(|at| at + size - 1 - 2 * (at % size)))
        },
        "go-capitals-only" => |game, line| {
            // A pass is usually written in small letters.
            let small = line.bytes().any(|byte| byte.is_ascii_lowercase()) && line != "pass";
            if small { exit(1) } else { understand(game, line) }
        },
        _ => return None,
    };
    Some(GoSteps { understand, ..GoSteps::default() })
}

/// What happens before a move is chosen: mostly that a bot ends, waits or sleeps, or keeps a file.
fn heeding(kind: &str) -> Option<GoSteps> {
    let heed: fn(&mut KnownGame) = match kind {
        "go-near-slow" => |game| sleep_if(game.own_moves() == 0, 500),
        "go-slow-after-time" => |game| sleep_if(game.hurried, 5000),
        "go-floods" => |_| {
            loop {
                write("thinking\n");
            }
        },
        "go-dies-of-pass" => |game| exit_if(game.moves.last() == Some(&None), 1),
        "go-dies-at-400" => |game| exit_if(game.moves.len() >= 400, 1),
        "go-knows-no-recapture" => |game| {
            let last = game.moves.split_last().filter(|(last, _)| last.is_some());
            exit_if(last.is_some_and(|(last, before)| before.contains(last)), 1);
        },
        "go-ends-when-it-loses-stones" => |game| exit_if(has_lost(game), 1),
        "go-waits-when-it-loses-stones" => |game| wait_if(has_lost(game)),
        "go-waits-at-250" => |game| wait_if(game.moves.len() >= 250),
        "go-skips-a-turn" => |game| wait_if(game.own_moves() == 8),
        "go-ignores-a-pass" => |game| wait_if(game.moves.last() == Some(&None)),
        "go-clears-its-board" => |game| {
            if game.moves.last() == Some(&None) {
                game.board.cells.fill(0);
            }
        },
        "go-saves-as-white" => |game| {
            if let (false, Ok(home)) = (game.black, std::env::var("HOME")) {
                _ = remember(&home);
            }
        },
        "go-saves-long-games" => |game| {
            if game.moves.len() >= 30 {
                _ = remember("/var/tmp");
            }
        },
        _ => return None,
    };
    Some(GoSteps { heed, ..GoSteps::default() })
}

/// Moves that the rules do not allow, and some that they do.
fn choosing(kind: &str) -> Option<GoSteps> {
    let choose: fn(&KnownGame) -> MutantMove = match kind {
        "go-occupied" => |game| {
            let stones = points(game, |at| game.board.cells[at] != 0);
            if game.own_moves() > 6 { game.drawn(&stones) } else { game.sound() }
        },
        "go-suicide" => |game| {
            let board = &game.board;
            let is_suicide =
                |at: usize| board.cells[at] == 0 && board.ko != Some(at) && !board.can_breathe(at, game.own());
            game.drawn(&points(game, is_suicide)).or_else(|| game.sound())
        },
        "go-suicide-of-chains" => |game| {
            let board = &game.board;
            let own = |at: usize| board.beside(at).any(|next| board.cells[next] == game.own());
            game.drawn(&points(game, |at| {
                let is_free = board.cells[at] == 0 && board.ko != Some(at);
                is_free && !board.is_eye(at, game.own()) && (own(at) || board.can_breathe(at, game.own()))
            }))
        },
        "go-retakes-ko" => |game| game.board.ko.or_else(|| game.sound()),
        "go-ignores-ko" => |game| {
            let points: Vec<usize> = game.legal(true).into_iter().chain(game.board.ko).collect();
            game.drawn(&points)
        },
        "go-forgets-its-own-stones" => |game| {
            let mut board = game.board.clone();
            for cell in board.cells.iter_mut().filter(|cell| **cell == game.own()) {
                *cell = 0;
            }
            game.drawn(&board.legal(game.own(), true))
        },
        "go-breaks-on-13" => {
            |game| if game.board.size == 13 && game.own_moves() > 2 { Some(0) } else { game.sound() }
        }
        "go-never-passes" => |game| game.drawn(&game.legal(false)).or(Some(0)),
        "go-near-passer" => |_| None,
        "go-near-fills-eyes" => |game| game.drawn(&game.legal(false)),
        "go-near-no-t" => |game| {
            let mut points = game.legal(true);
            points.retain(|at| at % game.board.size != 18);
            game.drawn(&points)
        },
        _ => return None,
    };
    Some(GoSteps { choose, ..GoSteps::default() })
}

/// How moves are written.
fn writing(kind: &str) -> Option<GoSteps> {
    let render: fn(&KnownGame, MutantMove) -> String = match kind {
        "go-number-first" => |game, m| {
            let name = written(game, m);
            if m.is_some() { format!("{}{}\n", name[1..].trim_end(), &name[..1]) } else { name }
        },
        "go-blank-inside" => |game, m| {
            let name = written(game, m);
            if m.is_some() { format!("{} {}", &name[..1], &name[1..]) } else { name }
        },
        "go-padded-row" => |game, m| {
            let name = written(game, m);
            if m.is_some() && name.len() == 3 { format!("{}0{}", &name[..1], &name[1..]) } else { name }
        },
        "go-swapped-axes" => |game, m| {
            let last = game.board.size - 1;
            let turned = |at| (last - at % game.board.size) * game.board.size + last - at / game.board.size;
            written(game, m.map(turned))
        },
        "go-rows-from-top" => |game, m| {
            let size = game.board.size;
            written(game, m.map(|at| (size - 1 - at / size) * size + at % size))
        },
        "go-speaks-gtp" => |game, m| format!("= {}\n", written(game, m)),
        "go-speaks-sgf" => |game, m| {
            let letter = |line: usize| char::from(b"abcdefghijklmnopqrstuvwxy"[line]);
            let size = game.board.size;
            m.map_or(written(game, m), |at| format!("{}{}\n", letter(at % size), letter(at / size)))
        },
        "go-numbers-its-moves" => |game, m| format!("{}. {}", game.moves.len() + 1, written(game, m)),
        "go-names-its-colour" => |game, m| format!("{} {}", if game.black { "B" } else { "W" }, written(game, m)),
        "go-near-small" => |game, m| written(game, m).to_ascii_lowercase(),
        "go-resigns" => |game, m| if game.own_moves() > 12 { "resign\n".to_string() } else { written(game, m) },
        "go-draws-board" => |game, m| {
            let row = |row: &[u8]| row.iter().map(|&cell| [" +", " @", " O"][usize::from(cell)]).collect();
            let rows: Vec<String> = game.board.cells.chunks(game.board.size).map(row).collect();
            format!("{}\n{}", rows.join("\n"), written(game, m))
        },
        "go-two-moves-late" => |game, m| written(game, m).repeat(if game.own_moves() == 30 { 2 } else { 1 }),
        "go-moves-when-it-passes" => |game, m| written(game, m) + if m.is_none() { "pass\n" } else { "" },
        "go-silent-pass" => |game, m| written_or(game, m, ""),
        "go-blank-pass" => |game, m| written_or(game, m, "\n"),
        "go-wrong-pass-word" => |game, m| written_or(game, m, "skip\n"),
        "go-near-loud-pass" => |game, m| written_or(game, m, "PASS\n"),
        _ => return None,
    };
    Some(GoSteps { render, ..GoSteps::default() })
}

/// What happens when a bot is sent `time`.
fn hurrying(kind: &str) -> Option<GoSteps> {
    let hurry: fn(&GoSteps, &mut KnownGame) = match kind {
        "go-sleeps-after-time" => |_, game| {
            game.hurried = true;
            sleep_if(true, 2000);
        },
        "go-answers-time" => GoSteps::turn,
        "go-dies-of-time" => |_, _| exit(1),
        "go-replaces-itself" => |_, game| {
            replace_itself();
            game.hurried = true;
        },
        _ => return None,
    };
    Some(GoSteps { hurry, ..GoSteps::default() })
}

/// What happens after two passes.
fn ending(kind: &str) -> Option<GoSteps> {
    let end: fn(&GoSteps, bool) = match kind {
        "go-plays-after-end" => |_, by_own| write(if by_own { "A1\n" } else { "" }),
        "go-plays-on" => |_, by_own| write(if by_own { "" } else { "A1\n" }),
        "go-answers-the-end" => |_, by_own| write(if by_own { "" } else { "pass\n" }),
        "go-farewell" => |_, _| write("good game\n"),
        "go-dies-at-the-end" => |_, _| abort(),
        "go-saves-when-both-pass" => |_, _| _ = remember("/dev/shm"),
        _ => return None,
    };
    Some(GoSteps { end, ..GoSteps::default() })
}

/// Faults of the steps that no game decides.
fn running(kind: &str) -> Option<GoSteps> {
    let sound = Steps::default();
    Some(GoSteps::with(match kind {
        "go-near-brief-thread" => Steps { prepare: brief_thread, ..sound },
        "go-spins" => Steps { prepare: spin, ..sound },
        "go-flushes-only-early" => {
            Steps { write: |text| kept_back_if(text, |line| line >= 35), finish: flush_at_the_end, ..sound }
        }
        "go-near-leaves" => Steps { finish: || ExitCode::SUCCESS, ..sound },
        "go-farewell-at-eof" => Steps {
            finish: || {
                leave();
                write("bye\n");
                ExitCode::SUCCESS
            },
            ..sound
        },
        _ => return None,
    }))
}

/// Faults of other steps, and of several.
fn in_several_steps(kind: &str) -> Option<GoSteps> {
    let sound = GoSteps::default();
    Some(match kind {
        "go-one-size" => GoSteps { size: |_| 19, ..sound },
        "go-white-opens" => GoSteps { opens: |_| true, ..sound },
        "go-black-waits" => GoSteps { opens: |_| false, ..sound },
        "go-near-reader" => GoSteps {
            protocol: Steps { read: read_in_a_thread, ..Steps::default() },
            heed: |game| sleep_if(game.own_moves() == 0, 300),
            ..sound
        },
        "go-dies-of-junk" => GoSteps { junk: |_| abort(), ..sound },
        "go-hangs-on-junk" => GoSteps { junk: |_| _ = stay(), ..sound },
        "go-uses-i" => GoSteps {
            choose: |game| {
                Some(game.board.cells.len() / 2 - 1).filter(|_| game.own_moves() == 0).or_else(|| game.sound())
            },
            render: |game, m| named(game, m, b"ABCDEFGHIJKLMNOPQRS", 0),
            ..sound
        },
        "go-row-20" => {
            GoSteps { choose: |game| in_row(game, 0), render: |game, m| named(game, m, LETTERS, 1), ..sound }
        }
        "go-row-0" => GoSteps {
            choose: |game| in_row(game, game.board.size - 1),
            render: |game, m| named(game, m, LETTERS, -1),
            ..sound
        },
        "go-forgets-captures" => GoSteps { takes: [false, false], ..sound },
        "go-forgets-its-losses" => GoSteps { takes: [true, false], ..sound },
        "go-keeps-captured-stones-warily" => GoSteps {
            takes: [false, false],
            choose: |game| {
                let board = &game.board;
                let own = game.own();
                let breathes = |at: usize| {
                    board.beside(at).any(|next| match board.cells[next] {
                        0 => true,
                        cell => cell == own && board.chain(next).1.len() > 1,
                    })
                };
                game.drawn(&points(game, |at| board.cells[at] == 0 && !board.is_eye(at, own) && breathes(at)))
            },
            ..sound
        },
        _ => return None,
    })
}

/// The points of the board for which `wanted` holds.
fn points(game: &KnownGame, wanted: impl Fn(usize) -> bool) -> Vec<usize> {
    (0..game.board.cells.len()).filter(|&at| wanted(at)).collect()
}

/// The opponent's move as a bot that takes I for a column understands it. A stone beyond the edge is forgotten.
fn with_column_i(game: &KnownGame, m: MutantMove) -> Option<MutantMove> {
    let size = game.board.size;
    Some(m.and_then(|at| match at % size {
        ..8 => Some(at),
        col if col + 1 < size => Some(at + 1),
        _ => None,
    }))
}

/// Whether the opponent has captured stones: the bot has made more moves with stones than it has stones.
fn has_lost(game: &KnownGame) -> bool {
    let first = usize::from(!game.black);
    let played = game.moves.iter().skip(first).step_by(2).filter(|m| m.is_some()).count();
    game.board.cells.iter().filter(|&&cell| cell == game.own()).count() < played
}

/// Reads to the end of the input, answers nothing, and ends the bot, if `now`.
fn wait_if(now: bool) {
    while now && read().is_some() {}
    exit_if(now, 0);
}

/// A move in the right notation.
fn written(game: &KnownGame, m: MutantMove) -> String {
    (GoSteps::default().render)(game, m)
}

/// A stone in the right notation, and `pass` for a pass.
fn written_or(game: &KnownGame, m: MutantMove, pass: &str) -> String {
    if m.is_some() { written(game, m) } else { pass.to_string() }
}

/// A move with other letters for columns, and with `more` added to the row.
fn named(game: &KnownGame, m: MutantMove, letters: &[u8], more: isize) -> String {
    let size = game.board.size;
    let name = |at: usize| format!("{}{}\n", char::from(letters[at % size]), (size - at / size) as isize + more);
    m.map_or("pass\n".to_string(), name)
}

/// A point of this row as the first move, and faultless moves after it.
fn in_row(game: &KnownGame, row: usize) -> MutantMove {
    Some(row * game.board.size + 3).filter(|_| game.own_moves() == 0).or_else(|| game.sound())
}

/// Starts a thread that spins.
fn spin() -> Result<(), String> {
    spawn(|| {
        loop {
            std::hint::spin_loop();
        }
    });
    Ok(())
}
