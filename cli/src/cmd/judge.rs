//! `judge FOLDER`: checks whether the judge of a game does what `docs/judge.md` says.

use crate::options::{HOUR, IsolationArgs, LanguagesArgs, PlayFormat, SECOND, time, whole_number};
use crate::show::{self, plain_json};
use crate::{CliError, Exit, Registry, bots, isolation};
use clap::Args;
use cornerman_conformance::Check;
use cornerman_conformance::judges::{JudgeRequest, catalogue, check_judge, report_of_hello};
use cornerman_harness::judge::program::LoadError;
use cornerman_harness::judge::{ReadError, read_judged, ruleset_file};
use cornerman_harness::kit::SourceFile;
use cornerman_harness::nearest::suggestion;
use cornerman_harness::toml_file::{FileError, read_toml};
use cornerman_report::check;
use serde_json::Value;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Args)]
pub(crate) struct JudgeArgs {
    /// The folder of the game, with a ruleset file that has a table `[judge]`; or that file [default: this folder]
    #[arg(value_name = "FOLDER")]
    pub folder: Option<PathBuf>,
    /// Count a failed `should` as a failed `must`
    #[arg(long)]
    pub strict: bool,
    /// About how long the check may take
    #[arg(long, value_name = "TIME", value_parser = |text: &str| time(text, SECOND, Duration::ZERO..=24 * HOUR))]
    #[arg(default_value = "60s")]
    pub budget: Duration,
    /// Seed of the games
    #[arg(long, value_name = "N", value_parser = whole_number, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// List the checks
    #[arg(long, conflicts_with_all = ["folder", "explain"])]
    pub list: bool,
    /// Explain a check: the rule, what is expected, what to do
    #[arg(long, value_name = "ID", conflicts_with = "folder")]
    pub explain: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = PlayFormat::Text)]
    pub format: PlayFormat,
    #[command(flatten)]
    pub isolation: IsolationArgs,
    #[command(flatten)]
    pub languages: LanguagesArgs,
}

/// Checks the judge, and prints a report.
pub(crate) fn run(args: JudgeArgs, games: &Registry) -> Result<Exit, CliError> {
    if args.list {
        print(args.format, &check::list(catalogue()), check::list_json(catalogue()))?;
        return Ok(Exit::Fine);
    }
    if let Some(id) = &args.explain {
        let check = find(id)?;
        print(args.format, &explained(check), check::explain_json(check))?;
        return Ok(Exit::Fine);
    }
    let languages = args.languages.read()?;
    args.isolation.host_judges(&languages)?;
    isolation::announce_below(isolation::FOR_STRANGERS, args.isolation)?;
    let folder = args.folder.as_deref().unwrap_or(Path::new("."));
    let path = ruleset_file(folder)?;
    let text = read_toml("ruleset", &path)?;
    let report = match read_judged(SourceFile { path: &path, text: &text }) {
        Ok(ruleset) => {
            let loader = args.isolation.loader(&languages, games);
            let specs = games.ladder(&ruleset);
            let mut loaded = bots::load_all(&specs, &[], loader)?;
            for bot in &mut loaded {
                bot.limits = bot.limits.clone().within(&ruleset.limits);
            }
            let conditions = args.isolation.conditions()?;
            let (budget, seed) = (args.budget, args.seed.unwrap_or(cornerman_conformance::DEFAULT_SEED));
            let request = JudgeRequest { ruleset: &ruleset, bots: &loaded, conditions, budget, seed };
            check_judge(&request).map_err(|failure| CliError::Internal(failure.into()))?
        }
        Err(ReadError::Mistake(mistake)) => return Err(FileError::from(mistake).into()),
        Err(ReadError::Judge(error, _)) => match (report_of_hello(&error), *error) {
            (Some(report), _) => report,
            (None, LoadError::Failure(failure)) => return Err(CliError::Internal(failure.into())),
            (None, other) => return Err(usage!("{}: {other}", path.display())),
        },
    };
    print(args.format, &check::judge::text(&report, show::style()), check::judge::json(&report))?;
    Ok(if report.fails(args.strict) { Exit::No } else { Exit::Fine })
}

/// Prints `text` or `json`.
fn print(format: PlayFormat, text: &str, json: Value) -> io::Result<()> {
    let mut out = show::stdout();
    match format {
        PlayFormat::Json => writeln!(out, "{}", plain_json(json)),
        PlayFormat::Text => write!(out, "{}", show::folded_lines(text)),
    }
}

/// The check with this id, in small or capital letters.
fn find(id: &str) -> Result<&'static Check, CliError> {
    let wanted = id.to_uppercase();
    catalogue().get(&wanted).ok_or_else(|| {
        let ids = catalogue().checks.iter().map(|check| check.id.as_str());
        usage!("there is no check {id}")
            .hint(suggestion(&wanted, ids))
            .hint("`judge --list` lists them".to_string())
    })
}

/// A check with its rule and what to do.
fn explained(check: &Check) -> String {
    let Check { id, severity, title, rule, expected, hint, .. } = check;
    format!("{id} ({severity}): {title}\nrule: {rule}\nexpected: {expected}\nhint: {hint}\n")
}
