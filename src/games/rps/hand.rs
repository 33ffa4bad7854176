//! The three hands: which one beats which, and how a bot's line is read (R5, R6).

use crate::game::Violation;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use core::fmt;

/// What a seat shows in a round. Bots write its [number](Hand::number) (R5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Hand {
    /// 0; it beats scissors.
    Rock,
    /// 1; it beats rock.
    Paper,
    /// 2; it beats paper.
    Scissors,
}

impl Hand {
    /// The three hands, in the order of their numbers.
    pub const ALL: [Hand; 3] = [Hand::Rock, Hand::Paper, Hand::Scissors];

    /// Reads `line`, which has no line feed. Spaces, tabs and carriage returns around the number are ignored (R5, R6).
    ///
    /// # Errors
    /// `line` is not 0, 1 or 2.
    pub fn read(line: &[u8]) -> Result<Hand, Violation> {
        let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r');
        let start = line.iter().position(|byte| !is_blank(byte)).unwrap_or(line.len());
        let end = line.iter().rposition(|byte| !is_blank(byte)).map_or(start, |last| last + 1);
        match &line[start..end] {
            b"0" => Ok(Hand::Rock),
            b"1" => Ok(Hand::Paper),
            b"2" => Ok(Hand::Scissors),
            other => Err(Violation { kind: "token", rule: "R6", spots: vec![], detail: what_is_wrong(other) }),
        }
    }

    /// The number of the hand, 0 to 2.
    pub fn number(self) -> u8 {
        self as u8
    }

    /// The number of the hand as text.
    pub fn digit(self) -> &'static str {
        match self {
            Hand::Rock => "0",
            Hand::Paper => "1",
            Hand::Scissors => "2",
        }
    }

    /// The hand `steps` further in the cycle in which each hand is beaten by the next one.
    #[must_use]
    pub fn turned(self, steps: u8) -> Hand {
        Hand::ALL[usize::from((self.number() + steps % 3) % 3)]
    }

    /// The hand that beats this one.
    #[must_use]
    pub fn beaten_by(self) -> Hand {
        self.turned(1)
    }

    /// Whether this hand beats `other`.
    pub fn beats(self, other: Hand) -> bool {
        self == other.beaten_by()
    }

    /// What a round of this hand against `other` adds to the margin: 1 if it is won, -1 if it is lost, 0 if both are
    /// the same.
    pub fn gain_against(self, other: Hand) -> i64 {
        i64::from(self.beats(other)) - i64::from(other.beats(self))
    }
}

impl fmt::Display for Hand {
    /// The number of the hand, as in the protocol.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.digit())
    }
}

/// The most bytes of a line that a message quotes.
const QUOTED: usize = 40;

const EXPECTED: &str = "expected 0 (rock), 1 (paper) or 2 (scissors)";

/// The message to the bot's author, for a `token` that is not a hand.
fn what_is_wrong(token: &[u8]) -> String {
    let shown = shown(token);
    if token.is_empty() {
        return format!("the line is empty: {EXPECTED}");
    }
    if let Some(hand) = named(token) {
        return format!("`{shown}` is a word: write its number, {hand}");
    }
    if token.iter().any(|byte| byte.is_ascii_whitespace()) {
        return format!("`{shown}` is more than one word: {EXPECTED}");
    }
    match normalized_number(token) {
        Some(b"0" | b"1" | b"2") => format!("`{shown}` is not a single digit: {EXPECTED}"),
        Some(_) => format!("`{shown}` is not a hand: {EXPECTED}"),
        None => format!("`{shown}` is not a number: {EXPECTED}"),
    }
}

/// The number in `token` without redundant characters, such as `1` for `+01.0`, or `token` itself if the number is
/// negative or not whole; `None` if `token` is not a number.
fn normalized_number(token: &[u8]) -> Option<&[u8]> {
    let (negative, digits) = match token {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] | digits => (false, digits),
    };
    let dot = digits.iter().position(|&byte| byte == b'.').unwrap_or(digits.len());
    let whole = &digits[..dot];
    let fraction = digits.get(dot + 1..).unwrap_or_default();
    let is_number =
        whole.iter().chain(fraction).all(u8::is_ascii_digit) && !(whole.is_empty() && fraction.is_empty());
    if !is_number {
        return None;
    }
    let first = whole.iter().position(|&digit| digit != b'0').unwrap_or(whole.len().saturating_sub(1));
    let is_whole = fraction.iter().all(|&digit| digit == b'0');
    Some(match &whole[first..] {
        b"0" if is_whole => b"0",
        plain if is_whole && !negative => plain,
        _ => token,
    })
}

/// The hand of which `token` is the English name or its initial, in any case.
fn named(token: &[u8]) -> Option<Hand> {
    let names = ["rock", "paper", "scissors"];
    let is = |name: &str| {
        token.eq_ignore_ascii_case(name.as_bytes()) || token.eq_ignore_ascii_case(&name.as_bytes()[..1])
    };
    Hand::ALL.into_iter().zip(names).find(|(_, name)| is(name)).map(|(hand, _)| hand)
}

/// The beginning of `token`, escaped so that it cannot affect a terminal.
fn shown(token: &[u8]) -> String {
    match token.get(..QUOTED) {
        Some(head) if token.len() > QUOTED => format!("{}…", head.escape_ascii()),
        _ => token.escape_ascii().to_string(),
    }
}
