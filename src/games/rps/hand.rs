//! The three hands: which beats which, and the line a bot shows one with (R5, R6).

use crate::game::Violation;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use core::fmt;

/// What a seat shows. Its [number](Hand::number) is what bots write (R5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Hand {
    /// 0; it beats scissors.
    Rock,
    /// 1; it beats rock.
    Paper,
    /// 2; it beats paper.
    Scissors,
}

/// What one hand is against another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// It beats the other.
    Wins,
    /// They are the same.
    Draws,
    /// The other beats it.
    Loses,
}

impl Judged {
    /// What it adds to the margin: 1, 0 or -1.
    pub fn gain(self) -> i64 {
        match self {
            Judged::Wins => 1,
            Judged::Draws => 0,
            Judged::Loses => -1,
        }
    }
}

impl Hand {
    /// The hands by their numbers.
    pub const ALL: [Hand; 3] = [Hand::Rock, Hand::Paper, Hand::Scissors];

    /// The hand that `line`, without its line feed, stands for: blanks and carriage returns around it are nobody's
    /// fault, everything else is (R5, R6).
    ///
    /// # Errors
    /// The violation, when it is not 0, 1 or 2.
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

    /// 0, 1 or 2.
    pub fn number(self) -> u8 {
        self as u8
    }

    /// Its number as the protocol writes it.
    pub fn digit(self) -> &'static str {
        match self {
            Hand::Rock => "0",
            Hand::Paper => "1",
            Hand::Scissors => "2",
        }
    }

    /// The hand `steps` further round the circle in which each is beaten by the next.
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

    /// What this hand is against `other`.
    pub fn against(self, other: Hand) -> Judged {
        match (self.beats(other), other.beats(self)) {
            (true, _) => Judged::Wins,
            (_, true) => Judged::Loses,
            _ => Judged::Draws,
        }
    }
}

impl fmt::Display for Hand {
    /// Its number, as in the protocol.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.digit())
    }
}

/// The most characters of an answer that a violation shows.
const SHOWN: usize = 40;

const DUE: &str = "0 (rock), 1 (paper) or 2 (scissors)";

/// Why `token` is no hand, in words for the bot's author.
fn what_is_wrong(token: &[u8]) -> String {
    let shown = shown(token);
    if token.is_empty() {
        return format!("the line is empty: {DUE} was due");
    }
    if let Some(hand) = named(token) {
        return format!("`{shown}` is a word: the number {hand} stands for it");
    }
    if token.iter().any(|byte| byte.is_ascii_whitespace()) {
        return format!("`{shown}` is more than one thing: one number a line was due, {DUE}");
    }
    match plainly(token) {
        Some(b"0" | b"1" | b"2") => format!("`{shown}` has more than the one digit: {DUE} was due"),
        Some(_) => format!("`{shown}` is no hand's number: {DUE} was due"),
        None => format!("`{shown}` is no number: {DUE} was due"),
    }
}

/// The number that `token` says without what could be left away, as `1` for `+01.0`; `None` if it says none.
fn plainly(token: &[u8]) -> Option<&[u8]> {
    let (negative, digits) = match token {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] | digits => (false, digits),
    };
    let dot = digits.iter().position(|&byte| byte == b'.').unwrap_or(digits.len());
    let (whole, fraction) = (&digits[..dot], digits.get(dot + 1..).unwrap_or_default());
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

/// The hand whose English name or initial `token` is.
fn named(token: &[u8]) -> Option<Hand> {
    let names = ["rock", "paper", "scissors"];
    let is = |name: &str| {
        token.eq_ignore_ascii_case(name.as_bytes()) || token.eq_ignore_ascii_case(&name.as_bytes()[..1])
    };
    Hand::ALL.into_iter().zip(names).find(|(_, name)| is(name)).map(|(hand, _)| hand)
}

/// `token` for people: nothing in it can act on a terminal, and it is cut where it is long.
fn shown(token: &[u8]) -> String {
    match token.get(..SHOWN) {
        Some(head) if token.len() > SHOWN => format!("{}…", head.escape_ascii()),
        _ => token.escape_ascii().to_string(),
    }
}
