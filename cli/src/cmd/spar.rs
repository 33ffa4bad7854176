//! `spar BOT`: plays a bot against the reference bots of its game, each in turn, until it is clear where it stands.

use crate::contest::{
    Improvised, IsHopeless, OtherSeats, PreparedContest, ProgressLine, Sparring, SparringArgs, SparringHistory,
    exit_of, half_points,
};
use crate::options::{HOUR, PlayFormat, SECOND, time};
use crate::show::{self, plain};
use crate::{CliError, Exit, Registry, bots, own, rules};
use clap::Args;
use cornerman::format::{EntrantId, Pairing, Plan, Results};
use cornerman_harness::record::Digest;
use cornerman_report::spar::{Climb, Grade, Grading, Rung};
use cornerman_report::{Tournament, doc};
use std::path::PathBuf;
use std::time::{Duration, Instant};

#[derive(Args)]
pub(crate) struct SparArgs {
    /// The bot
    #[arg(value_name = "BOT")]
    pub bot: String,
    /// Stop after this many games against an opponent, decided or not
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(2..=10_000))]
    pub games: u32,
    /// Begin no more games after this time, such as 20s or 5m
    #[arg(long, alias = "seconds", value_name = "TIME")]
    #[arg(value_parser = |text: &str| time(text, SECOND, SECOND..=7 * 24 * HOUR))]
    pub time: Option<Duration>,
    /// File of the record [default: spar.db in the current folder, where the record of another bot is renamed]
    #[arg(long, value_name = "FILE")]
    pub db: Option<PathBuf>,
    #[command(flatten)]
    pub sparring: SparringArgs,
}

/// If this many neighbours on the ladder are all clearly stronger, the bot does not play those above them.
const BEATEN: usize = 2;

/// A bot that never makes a move has no place on the ladder, whatever its fault.
const IS_HOPELESS: IsHopeless = |_| true;

/// Climbs the ladder.
pub(crate) fn run(args: SparArgs, games: &Registry) -> Result<Exit, CliError> {
    let until = args.time.map(|time| Instant::now() + time);
    let ladder = ladder(&args, games)?;
    let specs: Vec<&str> = [args.bot.as_str()].into_iter().chain(ladder.iter().map(String::as_str)).collect();
    let name = format!("spar {}", plain(&args.bot));
    let others = OtherSeats::OneOpponent;
    let improvised = Improvised { name, specs, challengers: 1, others, options: &args.sparring };
    let mut sparring = improvised.begin(args.db.as_deref(), "spar.db", games)?;
    let line = ProgressLine::of_words();
    let mut ascent = Ascent::begin(&sparring.prepared, args.games, line.clone())?;
    let ended = sparring.play(&mut |done, history| ascent.next(done, history), until, IS_HOPELESS, &line)?;
    ascent.advance(&sparring.results, &sparring.history);
    let check = sparring.check_command(IS_HOPELESS, &args.sparring);
    print(&sparring, &ascent, check.as_deref(), args.sparring.format)?;
    if check.is_some() { Ok(Exit::No) } else { exit_of(ended, &sparring.writer) }
}

/// The bots of [`Registry::ladder`] that can be loaded here, in its order, without the bot itself.
fn ladder(args: &SparArgs, games: &Registry) -> Result<Vec<String>, CliError> {
    let sparring = &args.sparring;
    let languages = sparring.languages.read()?;
    let loader = sparring.isolation.loader(&languages, games);
    let bot = bots::load_all([&args.bot], &sparring.with_files.with, loader)?;
    let conditions = sparring.isolation.conditions()?;
    let ruleset = rules::chosen(&sparring.rules, &bot, games, conditions)?;
    let mut ladder = Vec::new();
    for spec in games.ladder(&ruleset) {
        match bots::load(&spec, loader) {
            _ if bots::is_same(&spec, &args.bot) => {}
            Ok(_) => ladder.push(spec),
            Err(CliError::Usage(why)) => {
                let why = why.to_string();
                note!("{spec} is left out: {}", plain(why.lines().next().unwrap_or_default()));
            }
            Err(other) => return Err(other),
        }
    }
    if ladder.is_empty() {
        Err(usage!("{} has no reference bots to spar with", ruleset.title))
    } else {
        Ok(ladder)
    }
}

/// The bot's games against the opponents of the ladder, which take turns.
struct Ascent {
    /// For each opponent, in the order of the ladder, its pairs of games. In a game of more than two seats, a pair has
    /// as many games as there are seats: the bot sits in each of them once, and copies of the opponent in the others.
    pairs: Vec<Vec<Vec<Pairing>>>,
    seats: usize,
    /// How the bot did against each opponent.
    rungs: Vec<Grading>,
    workers: usize,
    names: Vec<String>,
    line: ProgressLine,
}

impl Ascent {
    /// Plans at most this many `games` against each opponent, but at least one pair.
    fn begin(prepared: &PreparedContest, games: u32, line: ProgressLine) -> Result<Ascent, CliError> {
        let all = prepared.contest.plan(&Results::new())?;
        let Plan::Play(all) = all else { return Err(CliError::usage("there is nothing to play")) };
        let seats = all.first().map_or(2, |game| game.seats.len());
        let copies = seats - 1;
        let opponents = (prepared.entries.bots.len() - 1) / copies;
        let most = (games as usize / seats).max(1);
        let mut pairs = vec![vec![Vec::new(); most]; opponents];
        for game in all.into_iter().take_while(|game| usize::from(game.id.round) < most) {
            let table = game.id.table as usize;
            let round = usize::from(game.id.round);
            // At the other tables, copies of two opponents sit together.
            if table.is_multiple_of(copies) {
                pairs[table / copies][round].push(game);
            }
        }
        let workers = prepared.workers;
        let names = prepared.entries.names.clone();
        Ok(Ascent { pairs, seats, rungs: vec![Grading::new(seats); opponents], workers, names, line })
    }

    /// The entrant that is the opponent with this number, or the first of its copies.
    fn entrant(&self, opponent: usize) -> EntrantId {
        EntrantId((1 + opponent * (self.seats - 1)) as u16)
    }

    /// How many pairs have been counted against an opponent.
    fn counted(&self, opponent: usize) -> usize {
        self.rungs[opponent].sample().len() as usize
    }

    /// Whether enough is known of an opponent.
    fn knows(&self, opponent: usize, history: &SparringHistory) -> bool {
        let counted = self.counted(opponent);
        let pairs = &self.pairs[opponent];
        counted >= pairs.len() || self.rungs[opponent].decided().is_some() || history.repeats(&pairs[..counted], 1)
    }

    /// The opponents that are worth another pair: not those of which enough is known, nor those above [`BEATEN`]
    /// neighbours that are all clearly stronger.
    fn open(&self, history: &SparringHistory) -> Vec<usize> {
        let is_stronger = |rung: &Grading| rung.decided() == Some(Grade::Below);
        let beaten = self.rungs.windows(BEATEN).position(|rungs| rungs.iter().all(is_stronger));
        let met = beaten.map_or(self.rungs.len(), |at| at + BEATEN);
        (0..met).filter(|&opponent| !self.knows(opponent, history)).collect()
    }

    /// Counts the next pairs against each opponent that are complete, until enough is known of it.
    fn advance(&mut self, results: &Results, history: &SparringHistory) {
        let points = |game: &Pairing| {
            let seat = game.seats.iter().position(|id| *id == EntrantId(0))?;
            results.outcome_of(game.id, self.seats).map(|outcome| half_points(outcome, seat))
        };
        for opponent in 0..self.rungs.len() {
            while !self.knows(opponent, history) {
                let pair = &self.pairs[opponent][self.counted(opponent)];
                let Some(score) = pair.iter().map(points).sum::<Option<usize>>() else { break };
                self.rungs[opponent].add(score);
            }
        }
    }

    /// The games to be played next: a pair against each open opponent, those with the fewest counted pairs first, of at
    /// most twice as many opponents as there are workers.
    fn next(&mut self, results: &Results, history: &SparringHistory) -> Vec<Pairing> {
        self.advance(results, history);
        let mut open = self.open(history);
        open.sort_by_key(|&opponent| (self.counted(opponent), opponent));
        let Some(&first) = open.first() else {
            return Vec::new();
        };
        let pairs = show::count(self.counted(first), "pair");
        let opponents = show::count(open.len(), "opponent");
        self.line.message(format!(
            "{pairs} of games against {}; {opponents} to go",
            plain(&self.names[self.entrant(first).index()])
        ));
        let due = open.iter().map(|&opponent| &self.pairs[opponent][self.counted(opponent)]);
        due.take(2 * self.workers).flatten().filter(|game| results.get(game.id).is_none()).cloned().collect()
    }
}

/// Prints where the bot stands. `check` is the command to run next, if a bot forfeited at once, so that the games do
/// not matter.
fn print(
    Sparring { prepared, path, writer: record, history, .. }: &Sparring,
    ascent: &Ascent,
    check: Option<&str>,
    format: PlayFormat,
) -> Result<Exit, CliError> {
    let header = record.header()?;
    let entrants = record.entrants()?;
    let Digest { games, forfeits, slowest, .. } = record.digest(&mut |_| {})?;
    let results: Results = games.iter().map(|game| game.result()).collect();
    let tournament = Tournament::new(&header, &entrants, &prepared.contest, &results);
    let bot = EntrantId(0);
    let rung = |(opponent, grading): (usize, &Grading)| {
        let pairs = &ascent.pairs[opponent][..grading.sample().len() as usize];
        let table = (opponent * (ascent.seats - 1)) as u32;
        let of_rung = games.iter().filter(|game| game.pairing.id.table == table);
        let own = of_rung.filter_map(|game| {
            let seat = game.pairing.seats.iter().position(|id| *id == bot)?;
            slowest.get(&game.pairing.id)?.get(seat).copied()
        });
        let forfeits = forfeits.iter().filter(|it| it.id.table == table && it.entrant == bot).count();
        let opponent = ascent.entrant(opponent);
        let grading = grading.clone();
        let slowest = own.max().unwrap_or_default();
        Rung { opponent, repeats: history.repeats(pairs, 1), grading, slowest, forfeits }
    };
    let rungs: Vec<Rung> = (0..).zip(&ascent.rungs).map(rung).collect();
    let (rungs, unmet): (Vec<Rung>, Vec<Rung>) =
        rungs.into_iter().partition(|rung| !rung.grading.sample().is_empty());
    let above: Vec<EntrantId> = unmet.iter().map(|rung| rung.opponent).collect();
    let climb = Climb { tournament: &tournament, rungs: &rungs, above: &above };
    let text = || {
        let result = show::folded_lines(&doc::text(&[climb.section()], &entrants, show::style()));
        let name = |id: EntrantId| own::quoted(entrants[id.index()].name.as_ref());
        let games = || format!("{} --bot {}", own::command_with("games", path), name(bot));
        let next = match (check, climb.next()) {
            (Some(check), _) => check.to_string(),
            (None, Some(opponent)) => format!("{} --against {} --lost", games(), name(opponent)),
            (None, None) => games(),
        };
        format!("{result}\nnext: {next}\n")
    };
    format.print(|| climb.json(), text)
}
