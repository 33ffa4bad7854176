//! `doctor --syscalls`: lists the system calls that a bot makes in its sandbox, and which of them are refused.

use crate::cmd::doctor::DoctorArgs;
use crate::options::PlayFormat;
use crate::show::{self, BAD, DIM, NAME, count, duration};
use crate::{CliError, Exit, Registry, bots, rules};
use cornerman::game::{Seat, Setup};
use cornerman_harness::bot::Bot;
use cornerman_harness::player::marks::{claim_marks, move_request, state_file};
use cornerman_harness::player::protocol::{Lines, Protocol};
use cornerman_harness::sandbox::calls::{self, Family, ObservedCall};
use cornerman_harness::sandbox::{CallTrace, Conditions, Ended, Level, RunRequest, SandboxError};
use cornerman_harness::text::signal_name;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The mark that a bot is given in games that have marks.
const MARK: u8 = b'A';

/// The heading of calls that are in no family.
const UNLISTED: &str = "on no list";

/// Runs the bot `spec` with the first input of its game, and prints its system calls.
pub(super) fn run(spec: &str, args: &DoctorArgs, games: &Registry) -> Result<Exit, CliError> {
    let languages = args.languages.read()?;
    let conditions = args.isolation.conditions()?;
    let bot = bots::load(spec, args.isolation.loader(&languages, games))?;
    let request = first_input(&bot, args.game.as_deref(), games, conditions)?;
    let mut sandbox = bot.sandbox(Conditions { can_trace: true, ..conditions })?;
    let level = sandbox.isolation().level;
    let marks: &[u8] = if level.shares_tmp() { &[MARK] } else { &[] };
    let claim = claim_marks(marks).map_err(SandboxError::Start)?;
    let trace = sandbox.trace(&request)?;
    sandbox.clear_state(&state_file(MARK))?;
    drop(claim);
    let out = &mut anstream::stdout();
    match args.format {
        PlayFormat::Json => writeln!(out, "{}", describe(&bot, level, &trace))?,
        PlayFormat::Text => print(&bot, level, &trace, out)?,
    }
    Ok(Exit::Fine)
}

/// The run in which a bot is sent the first input that the first seat of a game gets, by the game's usual ruleset.
fn first_input(
    bot: &Bot,
    game: Option<&str>,
    games: &Registry,
    conditions: Conditions,
) -> Result<RunRequest, CliError> {
    let ruleset = rules::rules(game, None, std::slice::from_ref(bot), games, conditions)?;
    let setup = Setup { seats: ruleset.seats.0, board: ruleset.board(1), seed: 1, ..Setup::default() };
    let first = Seat(0);
    let view = ruleset.open(&setup)?.view(first);
    let unknown = || usage!("{} does not speak a protocol of the game {}", bot.spec, ruleset.game());
    Ok(match ruleset.protocol(first, bot.engine_protocol.as_deref()).ok_or_else(unknown)? {
        Protocol::Pipe(_) => move_request(MARK, &view),
        Protocol::Lines(Lines { args, codec, .. }) => {
            RunRequest::with_input(args, &codec(&setup, first, ruleset.clock).request_move(&view, false))
        }
    })
}

fn print(bot: &Bot, level: Level, trace: &CallTrace, out: &mut dyn Write) -> io::Result<()> {
    let ended = words(&trace.report.ended);
    let took = duration(trace.report.wall);
    let isolation = if level < Level::Namespaced { format!(" at isolation {level}") } else { String::new() };
    line(out, "bot", &format!("{}{isolation}: {ended}, after {took}", show::paint(NAME, &bot.spec)))?;
    for (family, observed) in by_family(&trace.calls) {
        let calls = observed.iter().map(|one| format!("{} {}", name(one), show::paint(DIM, one.times)));
        line(out, family, &calls.collect::<Vec<_>>().join(", "))?;
    }
    let refused: Vec<&ObservedCall> = trace.calls.iter().filter(|one| one.refused > 0).collect();
    if refused.is_empty() {
        return line(out, "refused", "none");
    }
    for one in refused {
        line(out, &show::paint(BAD, format!("{:<WIDTH$}", "refused")), &refusal(one))?;
    }
    let errors = trace.report.stderr_tail(20);
    if !errors.is_empty() {
        line(out, "standard error", "")?;
        errors.lines().try_for_each(|words| writeln!(out, "  {}", show::plain(words)))?;
    }
    Ok(())
}

/// A refused call with its arguments, what the bot got as an answer, how often, and the reason of the call's family.
fn refusal(one: &ObservedCall) -> String {
    let (errno, [first, second, ..]) = one.refusal.unwrap_or_default();
    let answer = match errno {
        0 => "did nothing and seemed to succeed".to_string(),
        errno => calls::errno_name(errno).to_string(),
    };
    let why = calls::REFUSED.iter().find(|family| family.calls().any(|call| call.number == one.number));
    let why = why.map_or(String::new(), |family| format!("; {}", family.reason));
    let how_often = if one.refused == one.times {
        count(one.refused, "time")
    } else {
        format!("{} of {}", one.refused, count(one.times, "time"))
    };
    format!("{}({first:#x}, {second:#x}, …): {answer}, {how_often}{}", name(one), show::paint(DIM, why))
}

/// The calls by family, in the order of the sandbox's lists.
fn by_family(seen: &[ObservedCall]) -> Vec<(&'static str, Vec<&ObservedCall>)> {
    let mut by_name: BTreeMap<&str, Vec<&ObservedCall>> = BTreeMap::new();
    for one in seen {
        by_name.entry(family(one)).or_default().push(one);
    }
    let order = calls::ALLOWED.iter().chain(calls::REFUSED).map(|family: &Family| family.name).chain([UNLISTED]);
    order.filter_map(|name| Some((name, by_name.remove(name)?))).collect()
}

fn family(one: &ObservedCall) -> &'static str {
    calls::find(one.number).map_or(UNLISTED, |(family, _)| family.name)
}

fn name(one: &ObservedCall) -> String {
    calls::find(one.number).map_or(format!("call {}", one.number), |(_, call)| call.name().to_string())
}

fn words(ended: &Ended) -> String {
    match ended {
        Ended::Exited(status) => format!("exit status {status}"),
        Ended::Signalled(signal) => format!("killed by {}", signal_name(*signal)),
        Ended::TimedOut => "stopped when its time was up".to_string(),
        Ended::CannotStart { why, .. } => format!("could not be started: {why}"),
        other => other.to_string(),
    }
}

fn describe(bot: &Bot, level: Level, trace: &CallTrace) -> Value {
    let calls = trace.calls.iter().map(|one| {
        json!({
            "name": name(one),
            "number": one.number,
            "family": family(one),
            "times": one.times,
            "refused": one.refused,
            "error": one.refusal.map(|(errno, _)| errno),
            "arguments": one.refusal.map(|(_, arguments)| arguments),
        })
    });
    json!({
        "schema": 1,
        "bot": bot.spec,
        "isolation": level,
        "ended": words(&trace.report.ended),
        "calls": calls.collect::<Vec<_>>(),
    })
}

/// The width of the column of family names.
const WIDTH: usize = 26;

fn line(out: &mut dyn Write, label: &str, text: &str) -> io::Result<()> {
    writeln!(out, "{}", show::folded(&format!("{label:<WIDTH$} {text}"), WIDTH + 1))
}
