//! What no referee gives (B6): bad input, bad arguments, nobody to read the answer. All that is asked of a bot is
//! to end in time and by no signal.

use crate::catalog::Id;
use crate::games::boxing::case::Case;
use crate::games::boxing::id;
use crate::job::Job;
use crate::pipes::question::Question;
use crate::pipes::{job, protocol};
use cornerman_harness::sandbox::{Input, Output, RunRequest};

/// What follows the two arenas of BX-ODD-LONG.
const TAIL: &[u8] = b"and on\n";

/// An order that is odd, made of a plain one.
type Odd = fn(&mut RunRequest, &[u8]);

const ODDITIES: [(&[Id], &str, Odd); 9] = [
    (&[id::ODD_EMPTY], "no input", |order, _| order.input = Input::Whole(Vec::new())),
    (&[id::ODD_SHORT], "the first 300 bytes of an arena", |order, arena| {
        order.input = Input::Whole(arena[..300].to_vec());
    }),
    (&[id::ODD_LONG], "two arenas and 7 bytes more", |order, arena| {
        order.input = Input::Whole([arena, arena, TAIL].concat());
    }),
    (&[id::ODD_LONG], "100,000 bytes that begin as an arena", |order, arena| {
        order.input = Input::Whole(arena.iter().copied().cycle().take(100_000).collect());
    }),
    (&[id::ODD_CRLF], "an arena whose rows end with CR LF", |order, arena| {
        let lines = arena.split_inclusive(|&byte| byte == b'\n');
        order.input = Input::Whole(lines.flat_map(|line| [&line[..line.len() - 1], b"\r\n"].concat()).collect());
    }),
    (&[id::ODD_NUL], "an arena with NUL bytes", |order, arena| {
        let nul = |(at, byte): (usize, &u8)| if at % 7 == 3 && *byte != b'\n' { 0 } else { *byte };
        order.input = Input::Whole(arena.iter().enumerate().map(nul).collect());
    }),
    (&[id::ODD_NOARG], "no argument", |order, _| order.args.clear()),
    (&[id::ODD_LONGARG], "an argument of 300 characters", |order, _| {
        order.args = vec!["A".repeat(300).into()];
    }),
    (&[id::ODD_EPIPE], "an output that nobody reads", |order, _| order.output = Output::Broken),
];

/// A job for every oddity, around the arena of `case`.
pub fn jobs(case: &Case) -> Vec<Job> {
    let of_oddity = |(checks, words, odd): (&'static [Id], &'static str, Odd)| {
        let question =
            Question { case: words.to_string(), about: format!("made of `{}`", case.name), ..case.question() };
        let mut order = question.request();
        odd(&mut order, &question.input);
        job(checks, 1, move |runner| protocol::only_has_to_end(runner, checks[0], &question, &order))
    };
    ODDITIES.map(of_oddity).into()
}
