//! Marks that are not the first argument: another argument, a longer text, or nothing.

use super::moves::changes;
use super::{Answer, quote, text};
use crate::finding::Cause;
use cornerman::games::boxing::{ARENA_BYTES, Arena, HEIGHT, VACANT, WIDTH};

/// The longest mark that is looked for.
const LONGEST: usize = 600;

pub(super) fn cause(answer: &Answer) -> Option<Cause> {
    longer(answer).or_else(|| empty(answer)).or_else(|| another(answer))
}

/// Every spot of the square holds a text of several characters.
fn longer(answer: &Answer) -> Option<Cause> {
    let more = answer.output.len().checked_sub(ARENA_BYTES).filter(|more| *more > 0)?;
    if answer.is_undone_by(&answer.output[..ARENA_BYTES]) {
        return None;
    }
    let start = answer.output.iter().zip(&answer.was).position(|(is, was)| is != was)?;
    let text = &answer.output[start..];
    let by_side =
        (1..=HEIGHT).filter(|side| more.is_multiple_of(side * side)).map(|side| more / (side * side) + 1);
    let found = by_side.filter_map(|length| text.get(..length)).find(|mark| {
        // Text before an arena that begins with the new square would look like a long mark. It is another fault.
        let is_lead = mark.len() == more + 1 && mark.ends_with(&[answer.mark]) && !mark.contains(&b'/');
        !is_lead && is_on_a_line(mark) && answer.is_undone_by(&replaced(answer, start, mark))
    });
    let mark = found.or_else(|| repeated(answer, start))?;
    let is_file = mark.contains(&b'/') || [".py", ".js", ".sh"].iter().any(|end| mark.ends_with(end.as_bytes()));
    let name = match mark {
        b"undefined" | b"None" | b"null" | b"nil" | b"NULL" | b"(null)" => "mark-absent",
        _ if is_file => "mark-index",
        _ => "mark-with-more",
    };
    let what = format!("your mark was {} characters: {}", mark.len(), quote(mark));
    Some(answer.known(name, &[("what", &what)]))
}

/// Whether `mark` is not longer than [`LONGEST`] and has no line feed, except perhaps at its end.
fn is_on_a_line(mark: &[u8]) -> bool {
    mark.len() <= LONGEST && !mark.iter().rev().skip(1).any(|&byte| byte == b'\n')
}

/// The mark of an output that was cut off because it is so long: a text that is repeated from `start` on, with only
/// bytes of the arena between its repetitions.
fn repeated<'a>(answer: &Answer<'a>, start: usize) -> Option<&'a [u8]> {
    let text = answer.output.get(start..).filter(|text| text.len() > ARENA_BYTES)?;
    let marks = (2..=LONGEST.min(text.len() / 2)).map(|length| &text[..length]);
    marks.filter(|mark| is_on_a_line(mark) && text[mark.len()..].starts_with(mark)).find(|mark| {
        let corrected = replaced(answer, start, mark);
        let pairs = corrected.iter().zip(&answer.was);
        // The last mark may be cut off.
        let known = pairs.take_while(|(is, was)| is == was || (**was, **is) == (VACANT, answer.mark)).count();
        known + mark.len() >= corrected.len() && known > WIDTH
    })
}

/// The output with the bot's mark instead of each `mark` from `start` on that is at a vacant spot.
fn replaced(answer: &Answer, start: usize, mark: &[u8]) -> Vec<u8> {
    let mut corrected = answer.output[..start].to_vec();
    let mut rest = &answer.output[start..];
    while let Some(&byte) = rest.first() {
        let is_vacant = answer.was.get(corrected.len()) == Some(&VACANT);
        let found = rest.strip_prefix(mark).filter(|_| is_vacant);
        corrected.push(if found.is_some() { answer.mark } else { byte });
        rest = found.unwrap_or(&rest[1..]);
    }
    corrected
}

/// The spots of the square were removed, and nothing was written in their place.
fn empty(answer: &Answer) -> Option<Cause> {
    let missing = ARENA_BYTES.checked_sub(answer.output.len())?;
    let side = (1..=HEIGHT).find(|side| side * side == missing)?;
    let lines = answer.lines();
    let shorter = lines.iter().filter(|line| line.len() == WIDTH - side).count();
    let others = lines.iter().filter(|line| line.len() == WIDTH).count();
    if (shorter, others) != (side, HEIGHT - side) {
        return None;
    }
    let filled = |col: usize| {
        let inserted = vec![answer.mark; side];
        text(lines.iter().map(|line| match line.len() {
            WIDTH => line.to_vec(),
            _ => [&line[..col], &inserted, &line[col..]].concat(),
        }))
    };
    (0..=WIDTH - side).find(|&col| answer.is_undone_by(&filled(col)))?;
    let what = "your mark was empty: the spots of the square are missing in the output";
    let name = if answer.mark.is_ascii_alphanumeric() { "mark-absent" } else { "mark-meaning" };
    Some(answer.known(name, &[("what", &what)]))
}

/// The square holds one other character.
fn another(answer: &Answer) -> Option<Cause> {
    let after = Arena::parse(answer.output).ok().filter(|_| answer.violation.kind == "mark")?;
    let mut wrong = changes(answer.arena, &after).into_iter().map(|(.., is)| is);
    let first = wrong.next().filter(|&first| wrong.all(|other| other == first))?;
    let detail = &answer.violation.detail;
    match first {
        b'/' | b'.' | b'~' => {
            let what = format!("{detail}; it looks like the beginning of the program's own path");
            Some(answer.known("mark-index", &[("what", &what)]))
        }
        _ if first.eq_ignore_ascii_case(&answer.mark) => {
            Some(answer.known("mark-in-another-case", &[("detail", detail)]))
        }
        _ => None,
    }
}
