//! Outputs that are an arena in another form (B6): other line ends, lost or added bytes, another encoding, another
//! notation.

use super::{Answer, quote, text};
use crate::finding::Cause;
use crate::games::boxing::id;
use cornerman::games::boxing::{ARENA_BYTES, HEIGHT, SPOTS, VACANT, WIDTH};

/// The bytes of a row with its line feed.
const LINE: usize = WIDTH + 1;

pub(super) fn cause(answer: &Answer) -> Option<Cause> {
    [
        line_feeds_first,
        another_notation,
        wide_characters,
        nul_bytes,
        whole_buffer,
        empty_lines,
        other_separator,
        no_line_feeds,
        too_small_a_buffer,
        lost_bytes,
        re_encoded,
        stripped,
        framed,
        spaced,
        another_row_count,
        a_column_less,
    ]
    .into_iter()
    .find_map(|known| known(answer))
}

/// A move, a list or an object as text, instead of an arena.
fn another_notation(answer: &Answer) -> Option<Cause> {
    const SHORT: usize = 60;
    let words = answer.output.trim_ascii();
    let begins = |starts: &[&[u8]]| starts.iter().any(|start| words.starts_with(start));
    let quoted = quote(words);
    if answer.violation.kind == "length" || answer.violation.kind == "rows" {
        if begins(&[
            b"[C@",
            b"[[C@",
            b"[B@",
            b"[[B@",
            b"[L",
            b"[object",
            b"<generator",
            b"<map",
            b"<built-in",
            b"System.",
            b"ARRAY(0x",
            b"HASH(0x",
            b"SCALAR(0x",
            b"0x",
        ]) {
            let hint = "A list or an object was printed as a whole, which shows what it is and not what it contains. \
                Build text from it: join the characters of each row, and write a line feed after each.";
            return Some(
                answer.cause(format!("an object's name was written, {quoted}, not what it contains"), hint),
            );
        }
        if begins(&[b"[", b"{", b"(\"", b"('", b"\"", b"b'", b"b\""])
            && words.len() > SHORT
            && words.last().is_some_and(|last| b"]})\"'".contains(last))
        {
            let hint = "The output is the arena itself, 16 lines of 32 spots: no JSON, and not a list, text or bytes as \
                the language shows them. Write each row and a line feed after it; bytes are written with \
                sys.stdout.buffer.write() in Python.";
            return Some(
                answer.cause(format!("the arena was written as a list or a quoted text: {quoted}"), hint),
            );
        }
        let of_a_move = |byte: &u8| byte.is_ascii_alphanumeric() || b" \t,;:()[]{}\"=xX-+@".contains(byte);
        let move_only = words.iter().any(u8::is_ascii_digit) && words.iter().all(of_a_move);
        if move_only && words.len() < SHORT {
            let hint = "The answer is not a move in numbers but the whole arena after the move: 16 rows of 32 spots, \
                in which the new square holds the bot's mark.";
            return Some(answer.cause(format!("only the move was written, {quoted}, not the arena"), hint));
        }
    }
    None
}

/// Two or four bytes per character.
fn wide_characters(answer: &Answer) -> Option<Cause> {
    let narrow: Vec<u8> = answer.output.iter().copied().filter(|byte| ![0, 0xff, 0xfe].contains(byte)).collect();
    (answer.output.len() >= 2 * ARENA_BYTES && answer.is_undone_by(&narrow)).then(|| {
        let bytes = answer.output.len() / ARENA_BYTES;
        let hint =
            "Write one byte per character: ASCII or Latin-1 instead of UTF-16 or UTF-32, char instead of wchar_t.";
        Cause::new(id::OUT_LEN, format!("every character was written as {bytes} bytes, as in UTF-{}", 8 * bytes))
            .hint(hint)
    })
}

/// A NUL at the end of each row.
fn nul_bytes(answer: &Answer) -> Option<Cause> {
    let without: Vec<u8> = answer.output.iter().copied().filter(|&byte| byte != 0).collect();
    (without.len() + HEIGHT == answer.output.len() && answer.is_undone_by(&without)).then(|| {
        let hint = "The NUL that ends a text in C is not part of the row: write 32 bytes of each row, not sizeof row, \
            and then a line feed.";
        Cause::new(id::OUT_ROWS, "each row is followed by a NUL byte").hint(hint)
    })
}

/// NUL bytes to the end of a buffer, after a correct arena.
fn whole_buffer(answer: &Answer) -> Option<Cause> {
    let (arena, rest) = answer.output.split_at_checked(ARENA_BYTES)?;
    (rest.len() > 1 && rest.iter().all(|&byte| byte == 0) && answer.is_undone_by(arena)).then(|| {
        let what = format!("{} NUL bytes after the arena, {} bytes in all", rest.len(), answer.output.len());
        let hint =
            "The whole buffer was written, not only what is in it: write 528 bytes instead of sizeof buffer.";
        answer.cause(what, hint)
    })
}

fn empty_lines(answer: &Answer) -> Option<Cause> {
    let lines = answer.lines();
    let rows: Vec<&[u8]> = lines.iter().copied().filter(|line| !line.is_empty()).collect();
    (lines.len() >= rows.len() + HEIGHT / 2 && answer.is_undone_by(&text(rows))).then(|| {
        let hint = "Each row still has the line feed with which it was read, and printing it adds another. Remove one \
            of them: rstrip('\\n') or trim() on what was read, or print(row, end='') and fputs() instead of puts().";
        Cause::new(id::OUT_ROWS, "an empty line follows each row").hint(hint)
    })
}

/// Another byte in the place of the line feeds between the rows.
fn other_separator(answer: &Answer) -> Option<Cause> {
    let separator = *answer.output.get(WIDTH).filter(|byte| !b"\r\n".contains(byte))?;
    let chunks: Vec<&[u8]> = answer.output.chunks(LINE).take(HEIGHT).collect();
    let separated = chunks.iter().take(HEIGHT - 1).all(|chunk| chunk.get(WIDTH) == Some(&separator));
    let length = [ARENA_BYTES - 1, ARENA_BYTES].contains(&answer.output.len());
    if !separated || !length || !answer.is_undone_by(&text(chunks.iter().map(|chunk| &chunk[..WIDTH]))) {
        return None;
    }
    let (name, hint) = match separator {
        b' ' => (
            "blanks".to_string(),
            "In a shell, text without quotes is split at white space and joined by blanks: write \
             printf '%s\\n' \"$arena\" or echo \"$arena\", with the quotes. Elsewhere, join the rows by line feeds.",
        ),
        b',' => (
            "commas".to_string(),
            "A list as text has its elements joined by commas: join the rows by \"\\n\" instead, and end with one.",
        ),
        _ => (
            format!("`{}`", separator.escape_ascii()),
            "Write a line feed (byte 10) after each row, and nothing else between the rows.",
        ),
    };
    Some(answer.cause(format!("the rows are separated by {name} instead of line feeds"), hint))
}

fn no_line_feeds(answer: &Answer) -> Option<Cause> {
    let spots = answer.output.strip_suffix(b"\n").unwrap_or(answer.output);
    (spots.len() == SPOTS && answer.is_undone_by(&text(spots.chunks(WIDTH)))).then(|| {
        let hint = "The line feeds were removed when the arena was read, or never had room: an arena takes 528 bytes, \
            not 512. Write a line feed after every 32 spots.";
        answer.cause("there are no line feeds: the 512 spots run together", hint)
    })
}

/// The output ends where a buffer of 512 bytes does.
fn too_small_a_buffer(answer: &Answer) -> Option<Cause> {
    let bytes = answer.output.len();
    let completed = || [answer.output, &answer.was[bytes..]].concat();
    let cut = (SPOTS - 1..=SPOTS).contains(&bytes)
        && (answer.is_undone_by(&completed())
            || answer.output.iter().zip(&answer.was).take(4 * LINE).all(|(a, b)| a == b));
    (cut && answer.output.get(WIDTH) == Some(&b'\n')).then(|| {
        let hint = "A buffer of 512 bytes has room for the spots but not for the 16 line feeds: use 528 bytes, and one \
            more for the NUL if it is a text in C. If the buffer is large enough, the end was not flushed: leave by \
            `return` from main or by exit().";
        answer.cause(format!("the output stops after {bytes} of 528 bytes, about as many as there are spots"), hint)
    })
}

/// What bytes can get lost, and why.
type Lost = (fn(u8) -> bool, &'static str, &'static str);

const LOST: [Lost; 3] = [
    (
        |byte| byte == b' ',
        "blanks were lost: a blank can be an opponent's mark",
        "Something splits at blanks or trims them: split() without an argument, strip(), fields in awk, `read` without \
         IFS=, scanf(\"%s\"), cin >>. Take lines as they are.",
    ),
    (
        |byte| byte == b'\\',
        "backslashes were lost: a backslash can be an opponent's mark",
        "In a shell, `read` needs -r and echo may interpret backslashes: use IFS= read -r and printf '%s\\n'.",
    ),
    (
        |byte| byte >= 0x80,
        "bytes above 127 were lost: they can be opponents' marks",
        "A decoder left out what it could not read: treat the arena as bytes, or decode and encode it as Latin-1.",
    ),
];

fn lost_bytes(answer: &Answer) -> Option<Cause> {
    let found = LOST.into_iter().find(|(lost, ..)| {
        answer.was.iter().any(|&byte| lost(byte)) && answer.is_undone_by(&with_lost(answer, lost))
    });
    found.map(|(_, what, hint)| Cause::new(id::OUT_LEN, what).hint(hint))
}

/// The output with the bytes of the input that got lost, and without line feeds in their place.
fn with_lost(answer: &Answer, lost: &fn(u8) -> bool) -> Vec<u8> {
    let mut rest = answer.output.iter().copied().peekable();
    let mut restored = Vec::new();
    for &byte in &answer.was {
        match rest.peek() {
            Some(&next) if !lost(byte) || next == byte => {
                restored.push(next);
                rest.next();
            }
            _ if lost(byte) => restored.push(byte),
            _ => break,
        }
    }
    restored.extend(rest);
    restored
}

/// Bytes above 127 that became other bytes.
fn re_encoded(answer: &Answer) -> Option<Cause> {
    if !answer.was.iter().any(|&byte| byte >= 0x80) {
        return None;
    }
    let text = String::from_utf8_lossy(answer.output);
    let latin: Option<Vec<u8>> = text.chars().map(|c| u8::try_from(c).ok()).collect();
    let kept = |chars: &[char]| -> Vec<u8> {
        let pairs = chars.iter().zip(&answer.was);
        pairs.map(|(&c, &was)| if was >= 0x80 && !c.is_ascii_alphabetic() { was } else { c as u8 }).collect()
    };
    let chars: Vec<char> = text.chars().collect();
    let hint = "The arena is bytes, one per spot, in no particular encoding: read and write bytes, or use Latin-1 \
        (ISO-8859-1) for both: sys.stdin.buffer and sys.stdout.buffer in Python, 'latin1' in Node, ISO_8859_1 in Java.";
    if latin.is_some_and(|latin| answer.is_undone_by(&latin)) {
        let what = "bytes above 127 were written as two bytes each, as in UTF-8; they can be opponents' marks";
        return Some(Cause::new(id::OUT_LEN, what).hint(hint));
    }
    (chars.len() == ARENA_BYTES && answer.is_undone_by(&kept(&chars))).then(|| {
        answer.cause("bytes above 127 were replaced by another character; they can be opponents' marks", hint)
    })
}

/// Rows without the spots at one of their ends.
fn stripped(answer: &Answer) -> Option<Cause> {
    let lines = answer.lines();
    let is_short =
        lines.iter().all(|line| line.len() <= WIDTH) && !lines.iter().all(|line| line.len() + 1 == WIDTH);
    if lines.len() != HEIGHT || !answer.output.ends_with(b"\n") || !is_short {
        return None;
    }
    let rows = || lines.iter().zip(answer.arena.rows());
    let right = text(rows().map(|(line, row)| [*line, &row[line.len()..]].concat()));
    let left = text(rows().map(|(line, row)| [&row[..WIDTH - line.len()], *line].concat()));
    let (side, lost): (&str, Vec<u8>) = if answer.is_undone_by(&right) {
        ("ends", rows().flat_map(|(line, row)| row[line.len()..].to_vec()).collect())
    } else if answer.is_undone_by(&left) {
        ("beginnings", rows().flat_map(|(line, row)| row[..WIDTH - line.len()].to_vec()).collect())
    } else {
        return None;
    };
    let first = *lost.first().filter(|first| lost.iter().all(|other| other == *first))?;
    let name = if first == VACANT { "vacant spots".to_string() } else { format!("`{}`", first.escape_ascii()) };
    let width = lines.first().map_or(0, |line| line.len());
    let what = if lines.len() == HEIGHT && lines.iter().all(|line| line.len() == width) {
        format!("16 rows of {width} spots instead of 16 of 32: {name} at the {side} of rows are missing")
    } else {
        format!("{name} at the {side} of rows are missing")
    };
    let hint = "The program dropped spots when it read or wrote a row: look for strip() or rstrip(), which remove more \
        than the line feed if they are told which characters to remove, and for trimming of `-` or blanks.";
    Some(Cause::new(id::OUT_ROWS, what).hint(hint))
}

/// The same bytes before or after each row.
fn framed(answer: &Answer) -> Option<Cause> {
    let lines = answer.lines();
    let at = (0..=lines.len().checked_sub(HEIGHT)?).find(|&at| lines[at].len() > WIDTH)?;
    let rows = lines.get(at..at + HEIGHT)?;
    let more = rows.iter().map(|row| row.len().checked_sub(WIDTH)).min()?.filter(|more| *more > 0)?;
    let from_left = |before: usize| text(rows.iter().map(|row| &row[before..before + WIDTH]));
    let to_the_right = || text(rows.iter().map(|row| &row[row.len() - WIDTH..]));
    let before = (0..=more).find(|&before| answer.is_undone_by(&from_left(before)));
    let (lead, tail) = match before {
        Some(before) => (&rows[0][..before], &rows[0][before + WIDTH..]),
        None if answer.is_undone_by(&to_the_right()) => (&rows[0][..rows[0].len() - WIDTH], &rows[0][..0]),
        None => return None,
    };
    if tail == b"\r" {
        return None;
    }
    let place = |bytes: &[u8], place: &str| (!bytes.is_empty()).then(|| format!("{} {place} it", quote(bytes)));
    let places: Vec<String> = [place(lead, "before"), place(tail, "after")].into_iter().flatten().collect();
    let hint = "A row is its 32 spots and a line feed: no row numbers, no borders, no blanks. A blank at the end comes \
        from joining spots with a blank after each, or from print(row, end=' ').";
    Some(
        Cause::new(id::OUT_ROWS, format!("each row has more than its 32 spots: {}", places.join(" and ")))
            .hint(hint),
    )
}

/// A byte between every two spots.
fn spaced(answer: &Answer) -> Option<Cause> {
    let lines = answer.lines();
    let between = *lines[0].get(1)?;
    let has_room = lines.iter().all(|line| (2 * WIDTH - 1..=2 * WIDTH).contains(&line.len()));
    let spots = || lines.iter().map(|line| line.iter().copied().step_by(2).collect::<Vec<u8>>());
    let all = lines.iter().flat_map(|line| line.iter().skip(1).step_by(2)).all(|&byte| byte == between);
    (has_room && all && answer.is_undone_by(&text(spots()))).then(|| {
        let hint = "Spots stand side by side: join the characters of a row by nothing (''.join(row), not ' '.join(row) \
            and not print(*row)), and do not print the list itself.";
        let what = format!("`{}` stands between the spots of each row: rows contain spaces", between.escape_ascii());
        let what = if between == b' ' { what } else { what.replace(": rows contain spaces", "") };
        Cause::new(id::OUT_ROWS, what).hint(hint)
    })
}

/// One row too few or too many.
fn another_row_count(answer: &Answer) -> Option<Cause> {
    let lines = answer.lines();
    let rows = answer.arena.rows();
    let ended = answer.output.ends_with(b"\n");
    let missing = |at: usize| [&lines[..at], &[&rows[at][..]], &lines[at..]].concat();
    let removed = |at: usize| [&lines[..at], &lines[at + 1..]].concat();
    match lines.len() {
        15 if ended => {
            let mut fitting = (0..HEIGHT).filter(|&at| answer.is_undone_by(&text(missing(at))));
            let first = fitting.next()?;
            // Equal rows cannot be told apart, and rows are lost at the beginning or the end.
            let at = match (first, fitting.next_back()) {
                (0, Some(15)) => return None,
                (_, Some(15)) => 15,
                _ => first,
            };
            let hint = match at {
                0 => {
                    "A line is read before the loop over the rows and not written: an arena has no header, and its \
                      first line is row 1."
                }
                _ => {
                    "A loop over the rows stops one too early, or a read without its result skips a row: rows are \
                      counted 0 to 15."
                }
            };
            Some(answer.cause(format!("15 rows instead of 16: row {} is missing", at + 1), hint))
        }
        17 => {
            let at = (0..17).rev().find(|&at| answer.is_undone_by(&text(removed(at))))?;
            let debug = at == 0 || at == 16;
            (!debug).then(|| {
                let hint = "A loop over the rows runs once too often, or one row is written in two places.";
                Cause::new(id::OUT_ROWS, format!("17 rows instead of 16: line {} is one too many", at + 1))
                    .hint(hint)
            })
        }
        _ => None,
    }
}

/// The first or the last column is missing.
fn a_column_less(answer: &Answer) -> Option<Cause> {
    let lines = answer.lines();
    if lines.len() != HEIGHT || !lines.iter().all(|line| line.len() == WIDTH - 1) {
        return None;
    }
    let rows = || lines.iter().zip(answer.arena.rows());
    let first = text(rows().map(|(line, row)| [&row[..1], line].concat()));
    let last = text(rows().map(|(line, row)| [line, &row[WIDTH - 1..]].concat()));
    let which = match [first, last].map(|text| answer.is_undone_by(&text)) {
        [true, false] => "first",
        [false, true] => "last",
        _ => return None,
    };
    let hint = "Columns are counted 0 to 31: a loop begins at 1 or stops at 30, or a slice such as [1:] or [:-1] cuts \
        a spot instead of the line feed (which is already gone).";
    Some(answer.cause(format!("16 rows of 31 spots instead of 16 of 32: the {which} column is missing"), hint))
}

/// A line feed before each row instead of after it.
fn line_feeds_first(answer: &Answer) -> Option<Cause> {
    let rest = answer.output.strip_prefix(b"\n")?;
    answer.is_undone_by(&[rest, b"\n"].concat()).then(|| {
        let hint = "Write the line feed after each row, not before it.";
        Cause::new(id::OUT_LEAD, "an empty line comes first, and the last row has no line feed").hint(hint)
    })
}
