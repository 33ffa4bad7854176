//! `check BOT…`: does a bot keep to the protocol?

use crate::bots;
use crate::cli::{self, CheckFormat};
use crate::exit::{Exit, Failure};
use crate::show;
use cornerman_conformance::games;
use cornerman_conformance::report::{self, Style};
use cornerman_conformance::select::select;
use cornerman_conformance::{BotReport, Options, Progress, SuiteError, check, exit_code, explain, list};
use cornerman_harness::bot::Bot;
use cornerman_harness::toolchain::language::Languages;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Checks the bots and prints what was found.
pub fn run(args: cli::Check) -> Result<Exit, Failure> {
    if let Some(game) = &args.game {
        games::known(game).map_err(Failure::usage)?;
    }
    if args.list {
        return print(&list(args.game.as_deref().unwrap_or(games::SUITES[0].game())));
    }
    if let Some(id) = &args.explain {
        return print(&explain(id).map_err(Failure::usage)?);
    }
    // Before any bot is built.
    select(&args.run, &args.skip).map_err(Failure::usage)?;
    let options = Options {
        game: args.game,
        run: args.run,
        skip: args.skip,
        strict: args.strict,
        seed: args.seed.unwrap_or(cornerman_conformance::DEFAULT_SEED),
        files: Some(args.files.unwrap_or_else(|| PathBuf::from(cornerman_conformance::DEFAULT_FILES))),
        conditions: args.isolation.conditions()?,
        ruleset: None,
        limits: args.limits.overrides(),
    };
    let languages = args.languages.read()?;
    let specs = with_folders_opened(args.bots, &languages)?;
    let bots = bots::load_all(&specs, args.isolation.terms(&languages))?;
    bots::tell_of_twins(&bots);
    let reports = watched(&bots, &options, args.format)?;
    match args.format {
        CheckFormat::Human if reports.len() > 1 => print(&format!("\n{}", report::table(&reports, &style())))?,
        CheckFormat::Junit => print(&report::junit(&reports, args.strict))?,
        CheckFormat::Human | CheckFormat::Json => Exit::Fine,
    };
    match exit_code(&reports, args.strict) {
        0 => Ok(Exit::Fine),
        1 => Ok(Exit::No),
        _ => Err(Failure::Kit(anyhow::anyhow!("the sandbox failed: see the report"))),
    }
}

fn style() -> Style {
    Style { colour: true, width: show::width() }
}

fn print(text: &str) -> Result<Exit, Failure> {
    let mut out = anstream::stdout();
    write!(out, "{text}{}", if text.ends_with('\n') { "" } else { "\n" })?;
    Ok(Exit::Fine)
}

/// A folder without a `bot.toml` stands for the bots in it, if there are several: its folders that have one, its
/// sources and its executables.
fn with_folders_opened(specs: Vec<String>, languages: &Languages) -> Result<Vec<String>, Failure> {
    let mut opened = Vec::new();
    for spec in specs {
        let path = Path::new(&spec);
        if !path.is_dir() || path.join("bot.toml").exists() {
            opened.push(spec);
            continue;
        }
        let entries: Vec<PathBuf> = path.read_dir()?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
        let inside = entries
            .iter()
            .filter(|entry| Bot::is_likely(entry, languages))
            .map(|entry| entry.display().to_string());
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

/// The reports. Where a bot has a report of its own it is printed as soon as it is known; meanwhile, on a
/// terminal, a bar of progress.
fn watched(bots: &[Bot], options: &Options, format: CheckFormat) -> Result<Vec<BotReport>, Failure> {
    let bar = ProgressBar::new(0);
    let template = ProgressStyle::with_template("{prefix} {bar:30} {pos}/{len} {elapsed}");
    bar.set_style(template.map_err(|e| Failure::Kit(e.into()))?);
    let (mut number, mut printed) = (0, Ok(Exit::Fine));
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
        Progress::Reported { report } => {
            let text = match format {
                CheckFormat::Human => report::human(report, &style()),
                CheckFormat::Json => report::json(report, options.strict),
                CheckFormat::Junit => return,
            };
            if printed.is_ok() {
                printed = bar.suspend(|| print(&text));
                end_if_nobody_reads(&printed);
            }
        }
    });
    bar.finish_and_clear();
    let reports = reports.map_err(|error| match error {
        SuiteError::Selection(_) | SuiteError::NoBot | SuiteError::NoChecks { .. } | SuiteError::Engine { .. } => {
            Failure::usage(error)
        }
        SuiteError::Sandbox(error) => Failure::from(error),
        SuiteError::Files { .. } => Failure::Kit(error.into()),
    })?;
    printed.map(|_| reports)
}

/// Ends the program when what it prints has no reader any more (`check … | head`): nobody is to wait for the
/// bots after that. The sandboxes end with us.
fn end_if_nobody_reads(printed: &Result<Exit, Failure>) {
    if matches!(printed, Err(Failure::NobodyReads)) {
        std::process::exit(0);
    }
}
