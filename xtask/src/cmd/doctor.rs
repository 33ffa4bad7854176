//! `doctor`: what this machine offers for running bots, and what to do to get more.

mod syscalls;

use crate::cli::{self, PlayFormat};
use crate::exit::{Exit, Failure};
use crate::registry::Registry;
use crate::show::{self, BAD, DIM, NAME, time};
use cornerman_harness::doctor::{Findings, Tool, examine};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::time::Duration;

/// Examines the machine and tells what was found.
pub fn run(args: cli::Doctor, games: &Registry) -> Result<Exit, Failure> {
    if let Some(bot) = &args.syscalls {
        return syscalls::run(bot, &args, games);
    }
    if args.isolation.isolation.or(args.isolation.isolation_at_most).is_some() {
        return Err(Failure::usage(
            "--isolation and --isolation-at-most are for --syscalls BOT: doctor tries all levels",
        ));
    }
    let findings = examine(&args.languages.read()?)?;
    let out = &mut anstream::stdout();
    match args.format {
        PlayFormat::Json => writeln!(out, "{}", describe(&findings))?,
        PlayFormat::Text => tell(&findings, out)?,
    }
    Ok(Exit::Fine)
}

fn tell(found: &Findings, out: &mut dyn Write) -> io::Result<()> {
    let who = if found.root { "root" } else { "an ordinary user" };
    line(out, "machine", &format!("{}, {} cores, run by {who}", found.kernel, found.cores))?;
    isolation(found, out)?;
    match &found.groups {
        Ok(version) => line(
            out,
            "control groups",
            &format!(
                "{version}: memory, processes and processor time of all that a bot starts are limited and counted"
            ),
        )?,
        Err(why) => {
            let what = show::paint(BAD, "none");
            let so = "memory is limited for each process only, and processor time is a lower bound";
            line(out, "control groups", &format!("{what} ({why}): {so}"))?;
            advise(
                out,
                "run the kit as root, or in a scope of your own: `systemd-run --user --scope -p Delegate=yes …`",
            )?;
        }
    }
    match found.landlock {
        Some(version) => line(out, "Landlock", &format!("version {version} (6 or later is used)"))?,
        None => line(out, "Landlock", "none in this kernel")?,
    }
    let (folder, bytes, most) = &found.cache;
    let mib = |bytes: &u64| bytes.div_ceil(1 << 20);
    let kept =
        format!("{}: {} MiB of at most {} MiB", show::plain(folder.display().to_string()), mib(bytes), mib(most));
    line(out, "built programs", &kept)?;
    timing(found, out)?;
    found.tools.iter().try_for_each(|tool| tell_tool(tool, out))
}

fn isolation(found: &Findings, out: &mut dyn Write) -> io::Result<()> {
    line(out, "isolation", &show::paint(NAME, found.isolation.level))?;
    for refusal in &found.isolation.refused {
        line(out, "", &format!("not {}: to {}: {}", refusal.level, refusal.step, refusal.why))?;
        advise(out, refusal.advice())?;
    }
    Ok(())
}

fn timing(found: &Findings, out: &mut dyn Write) -> io::Result<()> {
    let fair = match found.are_unified {
        true => "control groups measure how long bots wait for a processor, and stop who is not to move",
        false => {
            "waiting for a processor is measured by single tasks, and who is not to move is stopped by signals"
        }
    };
    line(out, "fair time", fair)?;
    let timing = &found.timing;
    let (median, most, worst) = (time(timing.median), time(timing.percentile_99), time(timing.worst));
    let moves = timing.moves;
    line(
        out,
        "a move",
        &format!("of a bot that does nothing: {median} ({moves} moves; 99 of 100 within {most}, worst {worst})"),
    )?;
    line(out, "a sandbox", &format!("is opened and closed in {}", time(timing.setup)))?;
    let noisy = timing.worst > Duration::from_millis(50) || timing.lag > Duration::from_millis(50);
    match noisy {
        false => line(out, "timing", "quiet: what is measured is the bots' own"),
        true => {
            let what = show::paint(BAD, "noisy");
            line(out, "timing", &format!("{what}: the machine was held up for {} meanwhile", time(timing.lag)))?;
            advise(
                out,
                "end what else runs here before a contest: it costs no bot its game, but time (docs/fair-time.md)",
            )
        }
    }
}

fn tell_tool(tool: &Tool, out: &mut dyn Write) -> io::Result<()> {
    match &tool.found {
        Some((path, version)) => {
            let what = show::plain(version);
            line(out, &tool.language, &format!("{} {}", path.display(), show::paint(DIM, what)))
        }
        None => line(out, &tool.language, &format!("no `{}`: apt-get install {}", tool.name, tool.package)),
    }
}

fn line(out: &mut dyn Write, label: &str, text: &str) -> io::Result<()> {
    writeln!(out, "{label:<15} {text}")
}

fn advise(out: &mut dyn Write, advice: &str) -> io::Result<()> {
    line(out, "", &format!("  {advice}"))
}

fn describe(found: &Findings) -> Value {
    let micros = |duration: Duration| duration.as_micros() as u64;
    json!({
        "schema": 1,
        "kernel": found.kernel,
        "cores": found.cores,
        "root": found.root,
        "isolation": found.isolation,
        "landlock": found.landlock,
        "control_groups": found.groups.as_ref().ok(),
        "control_groups_unified": found.are_unified,
        "control_groups_refused": found.groups.as_ref().err(),
        "timing": {
            "moves": found.timing.moves,
            "median_us": micros(found.timing.median),
            "percentile_99_us": micros(found.timing.percentile_99),
            "worst_us": micros(found.timing.worst),
            "host_lag_us": micros(found.timing.lag),
            "setup_us": micros(found.timing.setup),
        },
        "tools": found.tools.iter().map(|tool| json!({
            "name": tool.name,
            "language": tool.language,
            "path": tool.found.as_ref().map(|(path, _)| path.display().to_string()),
            "version": tool.found.as_ref().map(|(_, version)| version),
        })).collect::<Vec<_>>(),
    })
}
