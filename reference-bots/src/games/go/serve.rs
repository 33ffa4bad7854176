//! A bot as a program: the arguments are its colour and the board's size; then it reads and writes lines (G4, G5).

use super::{ChooseMove, GoTurn};
use crate::lines::{self, Stopped, not_understood};
use cornerman::game::Game;
use cornerman::games::go::{Colour, Go, Move, SIZES, parse_move};
use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

/// Plays one game. The program's arguments are `black` or `white`, and the size of the board if it is not 19.
///
/// The exit status is 0 when the game or the input ends, 1 if standard output cannot be written, and 2 if the arguments
/// or the input do not follow the protocol. The reason is printed to standard error.
pub fn serve(choose: ChooseMove) -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    let words: Vec<&str> = args.iter().map(|arg| arg.to_str().unwrap_or("?")).collect();
    let played =
        turn_of(&words).and_then(|turn| dialogue(turn, choose, &mut io::stdin().lock(), &mut io::stdout().lock()));
    lines::exit(played)
}

/// The first turn of a game with these arguments.
fn turn_of(args: &[&str]) -> Result<GoTurn, Stopped> {
    let colour = args.first().and_then(|name| Colour::BOTH.into_iter().find(|colour| colour.name() == *name));
    let colour = colour
        .ok_or_else(|| not_understood("the first argument is the colour: `black` or `white`".to_string()))?;
    let size = args.get(1).map_or(Some(Go::default().size), |size| size.parse().ok());
    let size = size.filter(|size| SIZES.contains(size)).ok_or_else(|| {
        not_understood(format!("the second argument is the board's size: {} to {}", SIZES.start(), SIZES.end()))
    })?;
    Ok(GoTurn::first(size, colour))
}

/// Plays the game that begins with `turn`, until the game or the input ends.
fn dialogue(
    mut turn: GoTurn,
    choose: ChooseMove,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> Result<(), Stopped> {
    let mut own = None;
    if turn.colour == Colour::Black {
        own = Some(answer(&mut turn, choose, output)?);
    }
    // Two passes in a row end the game (G2).
    while let Some(line) = lines::line(input)? {
        let line = String::from_utf8_lossy(&line).trim().escape_debug().to_string();
        if line.eq_ignore_ascii_case("time") {
            turn.hurry = true;
            continue;
        }
        let foes = read_move(&mut turn, &line)?;
        if (own, foes) == (Some(Move::Pass), Move::Pass) {
            break;
        }
        own = Some(answer(&mut turn, choose, output)?);
        if (foes, own) == (Move::Pass, Some(Move::Pass)) {
            break;
        }
    }
    Ok(())
}

/// Makes the bot's move and writes it.
fn answer(turn: &mut GoTurn, choose: ChooseMove, output: &mut impl Write) -> Result<Move, Stopped> {
    let chosen = choose(turn);
    turn.make(chosen, turn.colour);
    let go = Go { size: turn.position.size(), ..Go::default() };
    lines::say(output, go.notation(&chosen)).map(|()| chosen)
}

/// Reads the opponent's move from `line` and makes it on the board.
fn read_move(turn: &mut GoTurn, line: &str) -> Result<Move, Stopped> {
    let position = &turn.position;
    let foe = turn.colour.other();
    let m = parse_move(line.as_bytes(), position.size())
        .ok_or_else(|| not_understood(format!("`{line}` is not a vertex, `pass` or `time`")))?;
    match m {
        Move::Place(spot) if !position.is_legal(position.point(spot), foe) => {
            Err(not_understood(format!("{} may not play {line}", foe.name())))
        }
        _ => {
            turn.make(m, foe);
            Ok(m)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks what the bot writes for `input`, and why it stopped early, if it did.
    #[track_caller]
    fn check(args: &[&str], input: &str, said: &str, stopped: Option<&str>) {
        // Answers with the first vacant point, and passes once it has to hurry.
        let choose = |turn: &GoTurn| match turn.candidates().first() {
            Some(&point) if !turn.hurry => turn.at(point),
            _ => Move::Pass,
        };
        let mut output = Vec::new();
        let ended = turn_of(args).and_then(|turn| dialogue(turn, choose, &mut input.as_bytes(), &mut output));
        assert_eq!(String::from_utf8(output).unwrap(), said, "{input:?}");
        assert_eq!(ended.err().map(|stopped| stopped.reason).as_deref(), stopped, "{input:?}");
    }

    #[test]
    fn black_moves_first_and_white_waits() {
        check(&["black"], "", "A19\n", None);
        check(&["white"], "", "", None);
        check(&["white", "5"], "c3\n", "A5\n", None);
        check(&["black", "5"], "B5\npass\r\n", "A5\nC5\nD5\n", None);
    }

    #[test]
    fn a_bot_hurries_once_its_time_is_used_up() {
        check(&["black", "9"], "time\nE5\nE6", "A9\npass\npass\n", None);
    }

    #[test]
    fn two_passes_end_the_game() {
        check(&["black", "9"], "time\nE5\npass\nE6\n", "A9\npass\n", None);
        check(&["white", "9"], "time\npass\nE6\n", "pass\n", None);
        check(&["white", "9"], "time\nE5\nE6\nE7\n", "pass\npass\npass\n", None);
    }

    #[test]
    fn input_outside_the_protocol_is_reported() {
        let colour = Some("the first argument is the colour: `black` or `white`");
        check(&[], "", "", colour);
        check(&["Black"], "", "", colour);
        let size = Some("the second argument is the board's size: 5 to 25");
        check(&["white", "4"], "", "", size);
        check(&["white", "x"], "", "", size);
        check(&["white", "5"], "F1\n", "", Some("`F1` is not a vertex, `pass` or `time`"));
        check(&["black", "5"], "A5\n", "A5\n", Some("white may not play A5"));
    }
}
