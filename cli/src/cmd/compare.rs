//! `compare NEW OLD`: plays until it is decided whether a new version of a bot is stronger than the old one.
//!
//! The verdict is a function of the recorded games in the order of the contest, so it does not depend on how many are
//! played at a time, and a resumed comparison ends as it would have without the interruption.

use crate::contest::{
    Improvised, IsHopeless, OtherSeats, PreparedContest, ProgressLine, Sparring, SparringArgs, SparringHistory,
    command_without, exit_of, half_points,
};
use crate::show::{self, plain};
use crate::{CliError, Exit, Registry, bots, own};
use clap::Args;
use cornerman::format::{EntrantId, GameId, Pairing, Plan, Results};
use cornerman_harness::player::Fault;
use cornerman_harness::record::Digest;
use cornerman_harness::run::RunEnd;
use cornerman_harness::text::Reason;
use cornerman_report::comparison::{Comparison, Conclusion, Ending, with_margin};
use cornerman_report::strength::{Hypotheses, Scores, Test, TestState};
use cornerman_report::times::Times;
use cornerman_report::{Tournament, doc};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[derive(Args)]
pub(crate) struct CompareArgs {
    /// The new version
    #[arg(value_name = "NEW")]
    pub new: String,
    /// The old version
    #[arg(value_name = "OLD")]
    pub old: String,
    /// Let both versions meet these opponents, separated by commas, instead of each other
    #[arg(long, value_name = "BOT", value_delimiter = ',')]
    pub against: Vec<String>,
    /// Stop after this many games, decided or not
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub games: u32,
    /// The lead, in Elo, that is not worth having
    #[arg(long, value_name = "ELO", default_value_t = 0.0, allow_negative_numbers = true, value_parser = lead)]
    pub elo0: f64,
    /// The lead, in Elo, that must not be missed: the larger, the fewer games
    #[arg(long, value_name = "ELO", default_value_t = 10.0, allow_negative_numbers = true, value_parser = lead)]
    pub elo1: f64,
    /// Both leads are in normalized Elo, which counts in standard deviations of a game's score
    #[arg(long)]
    pub normalized: bool,
    /// The probability of accepting `--elo1` when the lead is `--elo0`
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = error_rate)]
    pub alpha: f64,
    /// The probability of accepting `--elo0` when the lead is `--elo1`
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = error_rate)]
    pub beta: f64,
    /// File of the record [default: compare.db in the current folder, where the record of another comparison is
    /// renamed]
    #[arg(long, value_name = "FILE")]
    pub db: Option<PathBuf>,
    #[command(flatten)]
    pub sparring: SparringArgs,
}

/// Reads a lead in Elo.
fn lead(text: &str) -> Result<f64, Reason> {
    let lead = text.parse().ok().filter(|lead: &f64| lead.abs() <= 1000.0);
    lead.ok_or_else(|| "expected a number of Elo from -1000 to 1000".into())
}

/// Reads the probability of an error.
fn error_rate(text: &str) -> Result<f64, Reason> {
    let rate = text.parse().ok().filter(|rate| (1e-6..=0.3).contains(rate));
    rate.ok_or_else(|| "expected a probability from 0.000001 to 0.3".into())
}

/// Of the bots that never make a move, only silent ones end a comparison: every game would wait for them. A bot that
/// fails at once costs no time.
const IS_HOPELESS: IsHopeless = |kind| Fault::SILENT_KINDS.contains(&kind);

/// Plays until it is decided which version is stronger, or until the games are all played or only repeat earlier ones,
/// and prints the verdict. Returns [`Exit::No`] unless the verdict favours the new version.
pub(crate) fn run(args: CompareArgs, games: &Registry) -> Result<Exit, CliError> {
    if args.elo0 >= args.elo1 {
        let why = format!("--elo0 {} must be lower than --elo1 {}", args.elo0, args.elo1);
        return Err(CliError::usage(why));
    }
    let hypotheses = Hypotheses { low: args.elo0, high: args.elo1, normalized: args.normalized };
    let test = Test { hypotheses, alpha: args.alpha, beta: args.beta };
    let versions = [args.new.as_str(), args.old.as_str()];
    let opponents = args.against.iter().map(String::as_str);
    let specs: Vec<&str> = versions.into_iter().chain(opponents).collect();
    let challengers = if args.against.is_empty() { 1 } else { 2 };
    let name = format!("compare {} with {}", plain(&args.new), plain(&args.old));
    let others = OtherSeats::Mixed;
    let improvised = Improvised { name, specs, challengers, others, options: &args.sparring };
    let mut sparring = improvised.begin(args.db.as_deref(), "compare.db", games)?;
    let series = ComparisonGames::new(&sparring.prepared, !args.against.is_empty(), args.games)?;
    let line = ProgressLine::of_words();
    let played = sparring.results.len();
    let mut walk = Walk::begin(&series, test, sparring.prepared.workers, played, line.clone());
    let ended = sparring.play(&mut |done, history| walk.next(done, history), None, IS_HOPELESS, &line)?;
    walk.advance(&sparring.results, &sparring.history);
    let check = sparring.check_command(IS_HOPELESS, &args.sparring);
    let ending = match (ended, walk.repeats) {
        _ if check.is_some() => Ending::Stopped,
        (RunEnd::Finished, true) => Ending::Repeats,
        (RunEnd::Finished, false) => Ending::Done,
        _ => Ending::Stopped,
    };
    let ladder = games.ladder(&sparring.prepared.file.ruleset);
    let yes = print(&sparring, &walk, ending, check, &args, &ladder)?;
    exit_of(ended, &sparring.writer)?;
    Ok(if yes { Exit::Fine } else { Exit::No })
}

/// The games of a comparison, in the order in which they count.
struct ComparisonGames {
    /// The games of each observation of the test.
    observations: Vec<Vec<Pairing>>,
    scores: Scores,
    /// How many opponents, or groups of them, take turns; 1 if the versions meet each other.
    turns: usize,
    seats: usize,
}

impl ComparisonGames {
    /// At most this many `games`, but at least one observation. Two versions that meet each other play a game from each
    /// seat on each board; in a game of more than two, the new version meets copies of the old one. If they play
    /// `against` opponents, each of these meets both versions on boards of its own, so that no board is in two
    /// observations.
    fn new(prepared: &PreparedContest, against: bool, games: u32) -> Result<ComparisonGames, CliError> {
        let all = prepared.contest.plan(&Results::new())?;
        let Plan::Play(all) = all else { return Err(CliError::usage("there is nothing to play")) };
        let seats = all.first().map_or(2, |game| game.seats.len());
        let versions = if against { 2 } else { 1 };
        let tables = all.iter().take_while(|game| game.id.round == 0).map(|game| game.id.table).max().unwrap_or(0);
        let turns = (tables as usize + 1) / versions;
        let scores = if against { Scores::against(seats) } else { Scores::of_meeting(seats) };
        let most = (games as usize / (seats * versions)).max(1);
        let mut observations: Vec<Vec<Pairing>> = Vec::new();
        for game in all {
            let round = usize::from(game.id.round);
            let table = game.id.table as usize;
            if round >= most {
                break;
            }
            if observations.len() <= round {
                observations.resize(round + 1, Vec::new());
            }
            if table % turns == round % turns {
                observations[round].push(game);
            }
        }
        Ok(ComparisonGames { observations, scores, turns, seats })
    }

    /// The index of the score of an observation; `None` if one of its games has no result yet.
    fn score(&self, number: usize, results: &Results) -> Option<usize> {
        let is_difference = self.scores.is_difference();
        let mut score = if is_difference { self.scores.count / 2 } else { 0 };
        for game in &self.observations[number] {
            let outcome = results.outcome_of(game.id, self.seats)?;
            let points =
                |id| game.seats.iter().position(|seat| *seat == id).map(|seat| half_points(outcome, seat));
            score += points(EntrantId(0)).unwrap_or(0);
            if is_difference {
                score -= points(EntrantId(1)).unwrap_or(0);
            }
        }
        Some(score)
    }
}

/// The test after the games that count so far.
struct Walk<'a> {
    series: &'a ComparisonGames,
    state: TestState,
    /// The lower and the upper log-likelihood ratio at which the test decides.
    bounds: [f64; 2],
    /// Whether the bots only repeat earlier games.
    repeats: bool,
    /// How many observations are asked for at a time: enough for the workers, but few beyond the decision.
    ahead: usize,
    line: ProgressLine,
    began: Instant,
    played_before: usize,
}

impl<'a> Walk<'a> {
    fn begin(
        series: &'a ComparisonGames,
        test: Test,
        workers: usize,
        played_before: usize,
        line: ProgressLine,
    ) -> Walk<'a> {
        let state = test.begin(series.scores);
        let bounds = test.bounds();
        let began = Instant::now();
        Walk { series, state, bounds, repeats: false, ahead: 2 * workers, line, began, played_before }
    }

    /// How many observations count so far.
    fn counted(&self) -> usize {
        self.state.sample().len() as usize
    }

    /// The games of the observations that count. The record may have more, which were being played when it was decided.
    fn counted_games(&self) -> impl Iterator<Item = &Pairing> {
        self.series.observations.iter().take(self.counted()).flatten()
    }

    fn games(&self) -> usize {
        self.counted_games().count()
    }

    fn is_over(&self) -> bool {
        self.repeats || self.state.decision().is_some() || self.counted() >= self.series.observations.len()
    }

    /// Counts the next observations that are complete, until the test is over.
    fn advance(&mut self, results: &Results, history: &SparringHistory) {
        let observations = &self.series.observations;
        let turns = self.series.turns;
        while !self.is_over()
            && let Some(score) = self.series.score(self.counted(), results)
        {
            self.state.add(score);
            self.repeats = history.repeats(&observations[..self.counted()], turns);
        }
    }

    /// The games to play next: of the next `ahead` observations, those without a result; none once the test is over.
    fn next(&mut self, results: &Results, history: &SparringHistory) -> Vec<Pairing> {
        self.advance(results, history);
        self.show(results);
        if self.is_over() {
            return Vec::new();
        }
        let due = self.series.observations[self.counted()..].iter().take(self.ahead).flatten();
        due.filter(|game| results.get(game.id).is_none()).cloned().collect()
    }

    fn show(&mut self, results: &Results) {
        if self.line.is_due() {
            let words = self.words(results.len());
            if self.line.is_bar() { self.line.message(words) } else { note!("{words}") }
        }
    }

    /// `412 games, LLR 1.23 of -2.94 to 2.94, +38 ± 14 Elo, about 3 min left`.
    fn words(&self, played: usize) -> String {
        let games = show::count(self.games(), "game");
        let [low, high] = self.bounds;
        let ratio = self.state.ratio();
        let mut words = format!("{games}, LLR {ratio:.2} of {low:.2} to {high:.2}");
        let Some(estimate) = self.state.sample().estimate() else { return words };
        words += &format!(", {} Elo", with_margin(estimate.elo));
        let fresh = played.saturating_sub(self.played_before);
        if fresh > 0 && self.counted() > 0 {
            let a_game = self.began.elapsed().as_secs_f64() / fresh as f64;
            // Assumes that the ratio goes on changing as fast as before, until it reaches a bound.
            let slope = ratio / self.games() as f64;
            let bound = if slope > 0.0 { high } else { low };
            let games_to_bound = (bound - ratio) / slope;
            let size = self.series.observations[0].len();
            let most = (size * (self.series.observations.len() - self.counted())) as f64;
            let left = games_to_bound.max(0.0).min(most) * a_game;
            words += &format!(", about {} left", show::rounded_duration(Duration::from_secs_f64(left.min(1e7))));
        }
        words
    }
}

/// Prints the result. `check` is the command to run next, if a bot forfeited at once, so that the games do not matter.
/// Returns whether the answer favours the new version.
fn print(
    Sparring { prepared, path, writer, .. }: &Sparring,
    walk: &Walk,
    ending: Ending,
    check: Option<String>,
    args: &CompareArgs,
    ladder: &[String],
) -> Result<bool, CliError> {
    let frozen = writer.snapshot()?;
    let header = writer.header()?;
    let entrants = writer.entrants()?;
    let (times, digest) = Times::with_digest(writer)?;
    drop(frozen);
    let Digest { games: mut played, mut forfeits, .. } = digest;
    let results: Results = played.iter().map(|game| game.result()).collect();
    let tournament = Tournament::new(&header, &entrants, &prepared.contest, &results);
    let counted: BTreeSet<GameId> = walk.counted_games().map(|game| game.id).collect();
    played.retain(|game| counted.contains(&game.pairing.id));
    forfeits.retain(|forfeit| counted.contains(&forfeit.id));
    let comparison = Comparison {
        tournament: &tournament,
        state: &walk.state,
        opponents: args.against.len(),
        games: walk.games(),
        ending,
        played: &played,
        forfeits: &forfeits,
        times: &times,
        replay: own::command_with("replay", path),
    };
    let text = || {
        let result = show::folded_lines(&doc::text(&comparison.sections(), &entrants, show::style()));
        let next = check.unwrap_or_else(|| next_step(&comparison, args, ladder, path));
        format!("{result}\n{}\n", show::folded(&format!("next: {next}"), 2))
    };
    args.sparring.format.print(|| comparison.json(), text)?;
    Ok(comparison.answer().is_yes())
}

/// The command to run next: more games where no difference was found, opponents where two versions that meet each other
/// only repeat themselves, and otherwise the games that the new version lost.
fn next_step(comparison: &Comparison, args: &CompareArgs, ladder: &[String], db: &Path) -> String {
    let again = |option: &str, value: &str| {
        let command = command_without(&["--force-new"], &[option]);
        format!("{command} {option} {value}")
    };
    let is_new_or_old = |bot: &str| [&args.new, &args.old].iter().any(|version| bots::is_same(bot, version));
    let others: Vec<&str> = ladder.iter().map(String::as_str).filter(|bot| !is_new_or_old(bot)).collect();
    match (comparison.answer(), comparison.ending) {
        (Conclusion::Open, Ending::Repeats) if args.against.is_empty() && !others.is_empty() => {
            // The strongest come last.
            let strongest = &others[others.len().saturating_sub(3)..];
            again("--against", &strongest.join(","))
        }
        (Conclusion::Open, Ending::Done) => again("--games", &args.games.saturating_mul(2).to_string()),
        _ => {
            let new = own::quoted(comparison.tournament.entrants[0].name.as_ref());
            format!("{} --bot {new} --lost", own::command_with("games", db))
        }
    }
}
