//! `check BOT…`: does a bot keep to the protocol?

use crate::bots;
use crate::cli::{self, CheckFormat};
use crate::exit::{Exit, Failure};
use crate::show;
use cornerman_conformance::report::{self, Style};
use cornerman_conformance::select::select;
use cornerman_conformance::{BotReport, Options, Progress, SuiteError, check, exit_code, explain, list};
use cornerman_harness::bot::Bot;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Checks the bots and prints what was found.
pub fn run(args: cli::Check) -> Result<Exit, Failure> {
    if args.list {
        return print(&list());
    }
    if let Some(id) = &args.explain {
        return print(&explain(id).map_err(Failure::usage)?);
    }
    // Before any bot is built.
    select(&args.run, &args.skip).map_err(Failure::usage)?;
    let options = Options {
        run: args.run,
        skip: args.skip,
        strict: args.strict,
        seed: args.seed.unwrap_or(cornerman_conformance::DEFAULT_SEED),
        files: Some(args.files.unwrap_or_else(|| PathBuf::from(cornerman_conformance::DEFAULT_FILES))),
        conditions: args.isolation.conditions()?,
    };
    let mut bots = bots::load_all(&with_folders_opened(args.bots)?)?;
    args.limits.apply(&mut bots);
    let reports = watched(&bots, &options)?;
    match args.format {
        CheckFormat::Human => human(&reports)?,
        CheckFormat::Json => {
            reports.iter().try_for_each(|bot| print(&report::json(bot, args.strict)).map(drop))?
        }
        CheckFormat::Junit => print(&report::junit(&reports, args.strict)).map(drop)?,
    }
    match exit_code(&reports, args.strict) {
        0 => Ok(Exit::Fine),
        1 => Ok(Exit::No),
        _ => Err(Failure::Kit(anyhow::anyhow!("the sandbox failed: see the report"))),
    }
}

fn print(text: &str) -> Result<Exit, Failure> {
    let mut out = anstream::stdout();
    write!(out, "{text}{}", if text.ends_with('\n') { "" } else { "\n" })?;
    Ok(Exit::Fine)
}

/// A folder without a `bot.toml` stands for the bots in it, if there are several: its folders that have one, its
/// sources and its executables.
fn with_folders_opened(specs: Vec<String>) -> Result<Vec<String>, Failure> {
    let mut opened = Vec::new();
    for spec in specs {
        let path = Path::new(&spec);
        if !path.is_dir() || path.join("bot.toml").exists() {
            opened.push(spec);
            continue;
        }
        let entries: Vec<PathBuf> = path.read_dir()?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
        let inside = entries.iter().filter(|entry| Bot::is_likely(entry)).map(|entry| entry.display().to_string());
        let mut inside: Vec<String> = inside.collect();
        inside.sort();
        match inside.len() {
            // One source and no `bot.toml` is a bot that lacks it rather than a folder of bots: whoever loads it
            // has the words for that.
            0 | 1 => opened.push(spec),
            _ => opened.extend(inside),
        }
    }
    Ok(opened)
}

/// The reports; meanwhile, on a terminal, a bar of progress.
fn watched(bots: &[Bot], options: &Options) -> Result<Vec<BotReport>, Failure> {
    let bar = ProgressBar::new(0);
    let style = ProgressStyle::with_template("{prefix} {bar:30} {pos}/{len} {elapsed}");
    bar.set_style(style.map_err(|e| Failure::Kit(e.into()))?);
    let mut number = 0;
    let reports = check(bots, options, &mut |progress| match progress {
        Progress::Started { bot, jobs } => {
            number += 1;
            let place = if bots.len() > 1 { format!("[{number}/{}] ", bots.len()) } else { String::new() };
            bar.set_length(jobs as u64);
            bar.set_position(0);
            bar.set_prefix(place + &show::plain(bot));
        }
        Progress::Advanced { done, .. } => bar.set_position(done as u64),
        Progress::Judged { .. } => {}
    });
    bar.finish_and_clear();
    reports.map_err(|error| match error {
        SuiteError::Selection(_) | SuiteError::NoBot => Failure::usage(error),
        SuiteError::Sandbox(error) => Failure::from(error),
        SuiteError::Files { .. } => Failure::Kit(error.into()),
    })
}

fn human(reports: &[BotReport]) -> Result<(), Failure> {
    let mut out = anstream::stdout();
    let style = Style { colour: true, width: show::width() };
    for bot in reports {
        write!(out, "{}", report::human(bot, &style))?;
    }
    if reports.len() > 1 {
        write!(out, "\n{}", report::table(reports, &style))?;
    }
    Ok(())
}
