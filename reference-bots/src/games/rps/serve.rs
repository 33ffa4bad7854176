//! A bot as a program: it writes its name, then a line in each round, and reads the opponent's (R3–R5).

use super::{History, Start};
use crate::lines::{self, Stopped, line, not_understood, say, unreadable};
use cornerman::games::rps::{Hand, MAX_SEED};
use std::fmt::Display;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::str::FromStr;

/// Plays one game under the name `name`.
///
/// The exit status is 0 if the input ends, 1 if standard output cannot be written, and 2 if the input does not follow
/// the protocol. The reason is printed to standard error.
pub fn serve(name: &str, start: Start) -> ExitCode {
    lines::exit(dialogue(name, start, &mut io::stdin().lock(), &mut io::stdout().lock()))
}

fn dialogue(name: &str, start: Start, input: &mut impl BufRead, output: &mut impl Write) -> Result<(), Stopped> {
    say(output, name)?;
    let Some(seed) = number(input, "a seed", MAX_SEED)? else { return Ok(()) };
    let Some(rounds) = number(input, "the number of rounds", u32::MAX)? else { return Ok(()) };
    let mut strategy = start(seed);
    let mut history = History::default();
    for _ in 0..rounds {
        let own = strategy.choose(&history);
        say(output, own)?;
        let Some(text) = line(input)? else { return Ok(()) };
        let foe = Hand::read(&text).map_err(|violation| not_understood(violation.detail))?;
        history.push(own, foe);
    }
    // The manager ends the game; exiting before it does could look like a crash.
    io::copy(input, &mut io::sink()).map(drop).map_err(unreadable)
}

/// The next line as a number of at most `most`; `None` at the end of input.
fn number<N: FromStr + PartialOrd + Display>(
    input: &mut impl BufRead,
    what: &str,
    most: N,
) -> Result<Option<N>, Stopped> {
    let Some(text) = line(input)? else { return Ok(None) };
    let number = std::str::from_utf8(&text).ok().and_then(|text| text.trim().parse().ok());
    let words = || not_understood(format!("`{}` is not {what}: expected 0 to {most}", text.escape_ascii()));
    number.filter(|number| *number <= most).map(Some).ok_or_else(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::rps::beat_last;

    /// Checks what the bot writes for `input`, and with what status and reason it stops early, if it does.
    #[track_caller]
    fn check(input: &str, said: &str, stopped: Option<(u8, &str)>) {
        let mut output = Vec::new();
        let ended = dialogue("Beat Last", beat_last, &mut input.as_bytes(), &mut output);
        assert_eq!(String::from_utf8(output).unwrap(), said, "{input:?}");
        let ended = ended.err().map(|stopped| (stopped.status, stopped.reason));
        assert_eq!(ended, stopped.map(|(status, reason)| (status, reason.to_string())), "{input:?}");
    }

    #[test]
    fn it_writes_its_name_first_and_then_a_hand_for_each_round() {
        check("", "Beat Last\n", None);
        check("1\n", "Beat Last\n", None);
        check("60000\n3\n", "Beat Last\n0\n", None);
        check("60000\n3\n1\n", "Beat Last\n0\n2\n", None);
        check("60000\n3\n1\n0\n", "Beat Last\n0\n2\n1\n", None);
    }

    #[test]
    fn it_writes_nothing_after_the_last_round() {
        check("1\n2\n1\n0\n", "Beat Last\n0\n2\n", None);
        check("1\n2\n1\n0\n1\n1\n", "Beat Last\n0\n2\n", None);
    }

    #[test]
    fn blanks_carriage_returns_and_a_missing_last_line_feed_do_not_matter() {
        check(" 1\r\n2 \r\n1\r\n", "Beat Last\n0\n2\n", None);
        check("1\n2\n1", "Beat Last\n0\n2\n", None);
    }

    #[test]
    fn input_outside_the_protocol_is_reported() {
        check("60001\n3\n", "Beat Last\n", Some((2, "`60001` is not a seed: expected 0 to 60000")));
        check("x\n", "Beat Last\n", Some((2, "`x` is not a seed: expected 0 to 60000")));
        check("\n", "Beat Last\n", Some((2, "`` is not a seed: expected 0 to 60000")));
        check("1\n-1\n", "Beat Last\n", Some((2, "`-1` is not the number of rounds: expected 0 to 4294967295")));
        check(
            "1\n9\n3\n",
            "Beat Last\n0\n",
            Some((2, "`3` is not a hand: expected 0 (rock), 1 (paper) or 2 (scissors)")),
        );
    }
}
