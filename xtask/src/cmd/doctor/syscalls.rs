//! `doctor --syscalls`: which system calls a bot makes in its sandbox, and which of them are refused.

use crate::cli::{self, PlayFormat};
use crate::exit::{Exit, Failure};
use crate::show::{self, BAD, DIM, NAME, count, time};
use crate::{bots, games};
use cornerman::games::boxing::Arena;
use cornerman_harness::bot::{Bot, Speech};
use cornerman_harness::player::signal_name;
use cornerman_harness::ruleset::Rules;
use cornerman_harness::sandbox::calls::{self, Family, Observed};
use cornerman_harness::sandbox::{Conditions, Ended, Level, Order, Sandbox, SandboxError, Trace, claim_marks};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The mark that a bot of the Boxing Match is started with.
const MARK: u8 = b'A';

/// Calls that are in no family.
const UNLISTED: &str = "on no list";

/// Starts the bot `spec` with the first input of its game, and prints what was seen.
pub fn run(spec: &str, args: &cli::Doctor) -> Result<Exit, Failure> {
    let languages = args.languages.read()?;
    let conditions = args.isolation.conditions()?;
    let bot = bots::load(spec, args.isolation.terms(&languages))?;
    let order = first_input(&bot, args.game.as_deref(), conditions)?;
    let mut sandbox = Sandbox::open(&bot.program, &bot.limits, Conditions { traces: true, ..conditions })?;
    let level = sandbox.isolation().level;
    let marks: &[u8] = if level.shares_tmp() { &[MARK] } else { &[] };
    let claim = claim_marks(marks).map_err(SandboxError::Start)?;
    let trace = sandbox.trace(&order)?;
    sandbox.clear_state(MARK)?;
    drop(claim);
    let out = &mut anstream::stdout();
    match args.format {
        PlayFormat::Json => writeln!(out, "{}", describe(&bot, level, &trace))?,
        PlayFormat::Text => print(&bot, level, &trace, out)?,
    }
    Ok(Exit::Fine)
}

fn first_input(bot: &Bot, game: Option<&str>, conditions: Conditions) -> Result<Order, Failure> {
    let rules = games::rules(game, None, std::slice::from_ref(bot), conditions)?;
    Ok(match rules.rules {
        _ if bot.speaks == Speech::Gtp => Order::with_input(Vec::new(), b"name\nquit\n"),
        Rules::Boxing(_) => Order::of_move(MARK, &Arena::open().to_bytes()),
        // A seed and two rounds.
        Rules::Rps(_) => Order::with_input(Vec::new(), b"1\n2\n"),
        Rules::Go(..) => Order::with_input(vec!["black".into()], b""),
    })
}

fn print(bot: &Bot, level: Level, trace: &Trace, out: &mut dyn Write) -> io::Result<()> {
    let ended = words(&trace.report.ended);
    let took = time(trace.report.wall);
    line(out, "bot", &format!("{} at isolation {level}: {ended}, after {took}", show::paint(NAME, &bot.spec)))?;
    for (family, observed) in by_family(&trace.calls) {
        let calls = observed.iter().map(|one| format!("{} {}", name(one), show::paint(DIM, one.times)));
        line(out, family, &calls.collect::<Vec<_>>().join(", "))?;
    }
    let refused: Vec<&Observed> = trace.calls.iter().filter(|one| one.refused > 0).collect();
    if refused.is_empty() {
        return line(out, "refused", "none");
    }
    for one in refused {
        line(out, &show::paint(BAD, format!("{:<WIDTH$}", "refused")), &refusal(one))?;
    }
    let errors = trace.report.errors_tail(20);
    if !errors.is_empty() {
        line(out, "standard error", "")?;
        errors.lines().try_for_each(|words| writeln!(out, "  {}", show::plain(words)))?;
    }
    Ok(())
}

/// What was refused and what was answered, with the family's reason if there is a choice.
fn refusal(one: &Observed) -> String {
    let (errno, [first, second, ..]) = one.refusal.unwrap_or_default();
    let answer = match errno {
        0 => "did nothing and seemed to succeed".to_string(),
        errno => calls::errno_name(errno).to_string(),
    };
    let why = calls::REFUSED.iter().find(|family| family.calls().any(|call| call.number() == Some(one.number)));
    let why = why.map_or(String::new(), |family| format!("; {}", family.reason));
    let how_often = match one.refused == one.times {
        true => count(one.refused as i64, "time"),
        false => format!("{} of {}", one.refused, count(one.times as i64, "time")),
    };
    format!("{}({first:#x}, {second:#x}, …): {answer}, {how_often}{}", name(one), show::paint(DIM, why))
}

/// What was seen, by the families' names in the order of the list.
fn by_family(seen: &[Observed]) -> Vec<(&'static str, Vec<&Observed>)> {
    let mut by_name: BTreeMap<&str, Vec<&Observed>> = BTreeMap::new();
    for one in seen {
        by_name.entry(family(one)).or_default().push(one);
    }
    let order = calls::ALLOWED.iter().chain(calls::REFUSED).map(|family: &Family| family.name).chain([UNLISTED]);
    order.filter_map(|name| Some((name, by_name.remove(name)?))).collect()
}

fn family(one: &Observed) -> &'static str {
    calls::find(one.number).map_or(UNLISTED, |(family, _)| family.name)
}

fn name(one: &Observed) -> String {
    calls::find(one.number).map_or(format!("call {}", one.number), |(_, call)| call.name().to_string())
}

fn words(ended: &Ended) -> String {
    match ended {
        Ended::Exited(status) => format!("exit status {status}"),
        Ended::Signalled(signal) => format!("died of {}", signal_name(*signal)),
        Ended::TimedOut => "ended by force".to_string(),
        Ended::CannotStart { why, .. } => format!("cannot be started: {why}"),
        other => format!("{other:?}"),
    }
}

fn describe(bot: &Bot, level: Level, trace: &Trace) -> Value {
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

/// Wide enough for most families' names.
const WIDTH: usize = 26;

fn line(out: &mut dyn Write, label: &str, text: &str) -> io::Result<()> {
    writeln!(out, "{label:<WIDTH$} {text}")
}
