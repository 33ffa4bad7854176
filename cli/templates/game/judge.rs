//! The judge of {{name}}: heaps of objects; who takes the last object wins. `{{command}} help judge.md` shows the protocol.
//! It needs no JSON library: questions have no white space outside texts, and fields come in a fixed order.

use std::io::{self, BufRead, Write};

const HELLO: &str = concat!(
    r#"{"judge":1,"game":"{{name}}","legal":true,"boards":true,"prompt":"heap and count, such as 2 3","#,
    r#""rules":{"heaps":{"default":3,"min":1,"max":9,"about":"heaps at the start"},"#,
    r#""most":{"default":9,"min":1,"max":99,"about":"the most objects of a heap"}}}"#
);

/// What follows `"name":` in the question. The first such place is the field, whatever a bot has answered.
fn field<'a>(question: &'a str, name: &str) -> &'a str {
    question.split_once(&format!("\"{name}\":")).map_or("", |(_, rest)| rest)
}

/// The number that a field begins with.
fn number(from: &str) -> u64 {
    let digits: String = from.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(0)
}

/// The text that begins with a quote, without its quotes; anything that is escaped becomes a blank or a question mark.
fn text(from: &str) -> String {
    let mut all = String::new();
    let mut chars = from.chars().skip(1);
    while let Some(c) = chars.next().filter(|c| *c != '"') {
        match c {
            '\\' => all.push(if chars.next().is_some_and(|c| "tnr".contains(c)) { ' ' } else { '?' }),
            c => all.push(c),
        }
    }
    all
}

/// The numbers in a text; `None` if there is anything else, or a number of more than three digits.
fn numbers(from: &str) -> Option<Vec<usize>> {
    let one = |word: &str| (word.len() <= 3 && word.bytes().all(|c| c.is_ascii_digit())).then(|| word.parse().ok())?;
    from.split_ascii_whitespace().map(one).collect()
}

fn heaps(question: &str) -> Vec<usize> {
    let state = question.rsplit_once(",\"state\":").map_or("", |(_, rest)| rest);
    numbers(&text(state)).unwrap_or_default()
}

fn position(heaps: &[usize], seat: u64) -> String {
    let board = heaps.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    if heaps.iter().all(|heap| *heap == 0) {
        // The seat before took the last object.
        return format!("{{\"points\":[{seat},{}],\"view\":\"{board}\"}}", 1 - seat);
    }
    format!("{{\"state\":\"{board}\",\"turn\":[{seat}],\"view\":\"{board}\"}}")
}

fn start(question: &str) -> String {
    let board = text(field(question, "board"));
    if !board.is_empty() {
        return match numbers(&board).filter(|heaps| heaps.iter().any(|heap| *heap > 0)) {
            Some(heaps) => position(&heaps, 0),
            None => r#"{"error":"a board is a list of numbers, such as 3 4 5"}"#.to_string(),
        };
    }
    let most = number(field(question, "most"));
    let mut seed = number(field(question, "seed"));
    let mut chance = || {
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (seed ^ seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ mixed >> 31) % most + 1
    };
    let heaps: Vec<usize> = (0..number(field(question, "heaps"))).map(|_| chance() as usize).collect();
    position(&heaps, 0)
}

fn legal(heaps: &[usize]) -> String {
    let of_heap = |(at, there): (usize, &usize)| (1..=*there).map(move |count| format!("\"{} {count}\"", at + 1));
    let moves: Vec<String> = heaps.iter().enumerate().flat_map(of_heap).collect();
    format!("{{\"legal\":[{}]}}", moves.join(","))
}

fn play(question: &str) -> String {
    let seat = number(&field(question, "turn")[1..]);
    let given = &field(question, "moves")[1..];
    if !given.starts_with('"') {
        // A forfeit: the other seat wins.
        return format!("{{\"points\":[{seat},{}]}}", 1 - seat);
    }
    let mut heaps = heaps(question);
    match numbers(&text(given)).as_deref() {
        Some(&[heap, count]) if heap > 0 && heaps.get(heap - 1).is_some_and(|there| (1..=*there).contains(&count)) => {
            heaps[heap - 1] -= count;
            let answer = position(&heaps, 1 - seat);
            // 02 and 2 are the same move, so it is written in one way.
            format!("{},\"moves\":[\"{heap} {count}\"]}}", answer.strip_suffix('}').unwrap_or(&answer))
        }
        _ => r#"{"illegal":["answer with a heap and a count that it has, such as 2 3"]}"#.to_string(),
    }
}

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for question in io::stdin().lock().lines() {
        let question = question?;
        let answer = match text(field(&question, "ask")).as_str() {
            "hello" => HELLO.to_string(),
            "start" => start(&question),
            "legal" => legal(&heaps(&question)),
            _ => play(&question),
        };
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}
