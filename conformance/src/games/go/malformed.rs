//! Lines that are not moves and were probably meant as moves (G5).

use super::id;

/// The notation of `line`, which is not a move, in words.
pub(super) fn notation(line: &[u8]) -> &'static str {
    match line.trim_ascii() {
        [b'=' | b'?', ..] => "an answer in GTP and not a move",
        word if is_sgf_point(word) => "a point as in SGF and not a move",
        _ => "not a move",
    }
}

/// Whether `word` is a point in SGF: two small letters. `tt` is a pass there.
fn is_sgf_point(word: &[u8]) -> bool {
    word.len() == 2 && word.iter().all(u8::is_ascii_lowercase) && word != b"tt"
}

/// The check that `line` fails if it was probably meant as a move: a point in another notation or with other text
/// around it, or another word for a pass. `line` must not be a move.
pub(super) fn malformed_move(line: &[u8]) -> Option<&'static str> {
    let text = String::from_utf8_lossy(line.trim_ascii());
    let words: Vec<&str> = text.split([' ', '\t', ',', ';', '(', ')', '-']).filter(|w| !w.is_empty()).collect();
    let number = |word: &str| !word.is_empty() && word.len() <= 3 && word.bytes().all(|b| b.is_ascii_digit());
    let letters = |word: &str| word.bytes().all(|b| b.is_ascii_alphabetic());
    let point = |word: &str| {
        let split = |at: usize| word.is_char_boundary(at).then(|| word.split_at(at));
        let is = |(a, b): (&str, &str)| !a.is_empty() && letters(a) && number(b);
        split(1).is_some_and(is) || word.len() > 1 && split(word.len() - 1).is_some_and(|(a, b)| is((b, a)))
    };
    match words[..] {
        [] => None,
        [a, b] if number(a) && number(b) => Some(id::COORD),
        [a, b] if letters(a) && a.len() == 1 && number(b) => Some(id::COORD),
        [word] if is_sgf_point(word.as_bytes()) => Some(id::COORD),
        [word] if letters(word) => Some(id::PASS),
        [word] if point(word) || number(word) => Some(id::COORD),
        [first, .., last] if point(last) || point(first) => Some(id::COORD),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, id: Option<&str>) {
        assert_eq!(malformed_move(line.as_bytes()), id, "{line}");
    }

    #[test]
    fn malformed_moves_are_distinguished_from_other_text() {
        check("I5", Some(id::COORD));
        check("A20", Some(id::COORD));
        check("A0", Some(id::COORD));
        check("16Q", Some(id::COORD));
        check("16 4", Some(id::COORD));
        check("Q-16", Some(id::COORD));
        check("your move? Q16", Some(id::COORD));
        check("resign", Some(id::PASS));
        check("skip\r", Some(id::PASS));
        check("dd", Some(id::COORD));
        check("tt", Some(id::PASS));
        check("= Q16", Some(id::COORD));
        check("", None);
        check("19 + + + O @ + + 19", None);
        check("A B C D E F G", None);
        check("thinking hard about it", None);
    }
}
