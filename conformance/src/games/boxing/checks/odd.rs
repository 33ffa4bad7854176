//! Conditions that a referee does not create (B6): bad input, bad arguments, and a closed output. The bot only has to
//! end in time, and not by a signal.

use crate::catalog::Id;
use crate::games::boxing::case::Case;
use crate::games::boxing::id;
use crate::job::Job;
use crate::pipes::question::Question;
use crate::pipes::{job, protocol};
use cornerman_harness::sandbox::{Input, Output, RunRequest};

/// The bytes after the two arenas of BX-ODD-LONG.
const TAIL: &[u8] = b"and on\n";

/// Turns a request in plain conditions, for the arena given, into an odd one.
type MakeOdd = fn(&mut RunRequest, &[u8]);

const ODD_CONDITIONS: [(&[Id], &str, MakeOdd); 9] = [
    (&[id::ODD_EMPTY], "no input", |request, _| request.input = Input::Whole(Vec::new())),
    (&[id::ODD_SHORT], "the first 300 bytes of an arena", |request, arena| {
        request.input = Input::Whole(arena[..300].to_vec());
    }),
    (&[id::ODD_LONG], "two arenas and 7 more bytes", |request, arena| {
        request.input = Input::Whole([arena, arena, TAIL].concat());
    }),
    (&[id::ODD_LONG], "100,000 bytes that begin with an arena", |request, arena| {
        request.input = Input::Whole(arena.iter().copied().cycle().take(100_000).collect());
    }),
    (&[id::ODD_CRLF], "an arena whose rows end with CR LF", |request, arena| {
        let lines = arena.split_inclusive(|&byte| byte == b'\n');
        request.input = Input::Whole(lines.flat_map(|line| [&line[..line.len() - 1], b"\r\n"].concat()).collect());
    }),
    (&[id::ODD_NUL], "an arena with NUL bytes", |request, arena| {
        let nul = |(at, byte): (usize, &u8)| if at % 7 == 3 && *byte != b'\n' { 0 } else { *byte };
        request.input = Input::Whole(arena.iter().enumerate().map(nul).collect());
    }),
    (&[id::ODD_NOARG], "no argument", |request, _| request.args.clear()),
    (&[id::ODD_LONGARG], "an argument of 300 characters", |request, _| {
        request.args = vec!["A".repeat(300).into()];
    }),
    (&[id::ODD_EPIPE], "a closed output", |request, _| request.output = Output::Broken),
];

/// A job for each odd condition, with the arena of `case`.
pub(crate) fn jobs(case: &Case) -> Vec<Job> {
    let odd_job = |(checks, words, make_odd): (&'static [Id], &'static str, MakeOdd)| {
        let question =
            Question { case: words.to_string(), about: format!("made from `{}`", case.name), ..case.question() };
        let mut request = question.request();
        make_odd(&mut request, &question.input);
        job(checks, 1, move |runner| protocol::only_has_to_end(runner, checks[0], &question, &request))
    };
    ODD_CONDITIONS.map(odd_job).into()
}
