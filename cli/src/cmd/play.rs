//! `play BOT BOT…`: plays a game or a match, and shows it live.

pub(super) mod json;
mod recorded;
mod text;

use crate::options::{
    HOUR, IsolationArgs, LanguagesArgs, LimitsArgs, MILLISECOND, PlayFormat, RulesChoice, WithFiles, time,
    whole_number,
};
use crate::{CliError, Exit, Registry, bots, isolation, rules};
use clap::Args;
use cornerman::format::{EntrantId, GameId, Pairing, Plan, Results};
use cornerman::game::{MAX_SEATS, Outcome, Seat, Setup};
use cornerman_harness::bot::Bot;
use cornerman_harness::kit::SeedUse;
use cornerman_harness::names;
use cornerman_harness::nearest::file_suggestion;
use cornerman_harness::player::Player;
use cornerman_harness::player::human::Human;
use cornerman_harness::player::seating::{self, Seated};
use cornerman_harness::record::{GameRecord, GameRecorder};
use cornerman_harness::referee::{self, Event};
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::run::{Job, OwnThread, Progress, Recorder, Run, Sink, Until};
use cornerman_harness::sandbox::Conditions;
use cornerman_harness::text::Reason;
use recorded::{ContestGames, Recording};
use std::cell::RefCell;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

#[derive(Args)]
pub(crate) struct PlayArgs {
    /// Two to eight bots in order of play; `human` is you, at this terminal
    #[arg(value_name = "BOT", required = true)]
    pub bots: Vec<String>,
    #[command(flatten)]
    pub with_files: WithFiles,
    #[command(flatten)]
    pub rules: RulesChoice,
    /// Start from the board in this file, as its game writes boards: an arena is 16 lines of 32 characters
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    pub board: Option<PathBuf>,
    /// Seed of the board and of what the game draws [default: another one each time, which is shown]
    #[arg(long, value_name = "N", value_parser = whole_number, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// The bots' marks, one character each [default: ABC…]
    #[arg(long, value_name = "MARKS")]
    pub marks: Option<String>,
    /// Play as many games as there are bots, so that each bot goes first once
    #[arg(long = "match")]
    pub whole_match: bool,
    /// Record the games in this file, after those that are there: `replay`, `games` and `report` show them
    #[arg(long = "db", alias = "record", value_name = "FILE", conflicts_with = "marks")]
    pub record: Option<PathBuf>,
    /// Show only the results
    #[arg(short, long)]
    pub quiet: bool,
    /// Show every round of a game that has no board too, not only a summary
    #[arg(long, conflicts_with = "quiet")]
    pub moves: bool,
    /// How long to pause after each move [default: 60ms when drawing boards on a terminal, else none]
    #[arg(long, value_name = "TIME", value_parser = |text: &str| time(text, MILLISECOND, Duration::ZERO..=HOUR))]
    #[arg(allow_negative_numbers = true)]
    pub delay: Option<Duration>,
    /// Output format
    #[arg(long, value_enum, default_value_t = PlayFormat::Text)]
    pub format: PlayFormat,
    #[command(flatten)]
    pub isolation: IsolationArgs,
    #[command(flatten)]
    pub limits: LimitsArgs,
    #[command(flatten)]
    pub languages: LanguagesArgs,
}

/// What stands for a human in the list of bots.
const HUMAN: &str = "human";

/// Everything that a match is played with. All of it is checked before the first game begins.
struct PlaySession {
    /// The bots in the order of the command line; `None` is a human.
    entrants: Vec<Option<Bot>>,
    /// The ruleset, with the marks of this match.
    ruleset: Ruleset,
    board: Vec<u8>,
    seed: u64,
    /// What the games begin from, in words, such as `the arena of --seed 7`.
    origin: String,
    conditions: Conditions,
    /// How many games the match has.
    games: usize,
}

/// Prints the games of a match.
trait Reporter {
    /// Prints an event of a game of the match, which is counted from 0 and has the name `id`; `seats` has the index of
    /// the entrant in each seat.
    fn event(&mut self, game: usize, id: GameId, seats: &[usize], event: &Event) -> io::Result<()>;

    /// Prints the result of the match, with the name and the tally of each entrant.
    fn end(&mut self, names: &[String], results: &[MatchTally]) -> io::Result<()>;
}

/// An entrant's results in a match.
#[derive(Clone, Copy, Debug, Default)]
struct MatchTally {
    /// Games in which it was alone in first place.
    won: u32,
    /// Games in which it shared the first place.
    drawn: u32,
    /// Games in which another one was in first place.
    lost: u32,
    /// The sum of its points, by the game's own scoring.
    score: i64,
    forfeits: u32,
}

impl MatchTally {
    /// Adds the game that ended with `outcome`, in which the entrant had the seat with the index `seat`.
    fn add(&mut self, outcome: &Outcome, seat: usize) {
        let result = match (outcome.places[seat], outcome.winners().count()) {
            (1, 1) => &mut self.won,
            (1, _) => &mut self.drawn,
            _ => &mut self.lost,
        };
        *result += 1;
        self.score += outcome.points[seat];
    }
}

/// Plays the match.
pub(crate) fn run(args: PlayArgs, games: &Registry) -> Result<Exit, CliError> {
    // With a human, pictures are not drawn over each other, because the typed lines are between them.
    let watching = io::stdout().is_terminal() && !args.quiet && !args.bots.iter().any(|bot| bot == HUMAN);
    let format = args.format;
    let quiet = args.quiet;
    let delay = args.delay;
    // A thousand rounds are worth reading only for those who play them.
    let shows_rounds = args.moves || args.bots.iter().any(|bot| bot == HUMAN);
    let (session, recording) = prepare(args, games)?;
    let ruleset = &session.ruleset;
    let view = games.entry_for(ruleset).view;
    // A game without a board may have a thousand rounds, so they are not slowed down.
    let usual_delay = if watching && view.extent(ruleset).is_some() { 60 } else { 0 };
    let delay = delay.unwrap_or(Duration::from_millis(usual_delay));
    let reporter: &mut dyn Reporter = match format {
        PlayFormat::Json => &mut json::JsonLines { quiet },
        PlayFormat::Text => {
            let in_place = watching && text::fits_the_terminal(view, ruleset);
            let detail = text::Detail { quiet, shows_rounds };
            &mut text::TextPictures::new(view, ruleset, detail, in_place, delay, &session.origin)
        }
    };
    play(&session, recording, reporter)
}

/// Prepares the match, and the record that it goes into, if it does.
fn prepare(args: PlayArgs, games: &Registry) -> Result<(PlaySession, Option<Recording>), CliError> {
    let seats = u8::try_from(args.bots.len()).unwrap_or(u8::MAX);
    if !(1..=MAX_SEATS).contains(&seats) {
        return Err(usage!("a game has 1 to {MAX_SEATS} bots, not {}", args.bots.len()));
    }
    // Only games of one's own, which are named by `--rules`, have one seat.
    if seats == 1 && args.rules.rules.is_none() {
        return Err(usage!("a game has 2 to {MAX_SEATS} bots, not 1")
            .hint("add an opponent such as `@greedy`; `bots` lists more".to_string()));
    }
    let conditions = args.isolation.conditions()?;
    isolation::announce_below(isolation::FOR_STRANGERS, args.isolation)?;
    let paths: Vec<&String> = args.bots.iter().filter(|spec| *spec != HUMAN).collect();
    let languages = args.languages.read()?;
    args.isolation.host_judges(&languages)?;
    let mut loaded = bots::load_all(paths, &args.with_files.with, args.isolation.loader(&languages, games))?;
    let mut ruleset = rules::chosen(&args.rules, &loaded, games, conditions)?;
    let (least, most) = ruleset.seats;
    if !(least..=most).contains(&seats) {
        let title = &ruleset.title;
        let wanted = if least == most { least.to_string() } else { format!("{least} to {most}") };
        return Err(usage!("{title} has {wanted} bots, not {seats}"));
    }
    ruleset.marks = marks(&ruleset, args.marks, seats)?;
    let (seed, board, origin) = start(&ruleset, args.board.as_deref(), args.seed)?;
    let overrides = args.limits.overrides();
    for bot in &mut loaded {
        bot.limits = overrides.apply_to(bot.limits.clone().within(&ruleset.limits));
    }
    let named: Vec<(String, String)> = loaded.iter().map(|bot| (bot.name.clone(), bot.spec.clone())).collect();
    for (bot, name) in loaded.iter_mut().zip(names::told_apart(&named)) {
        bot.name = name;
    }
    let mut loaded = loaded.into_iter();
    let entrants: Vec<Option<Bot>> =
        args.bots.iter().map(|spec| if spec == HUMAN { None } else { loaded.next() }).collect();
    let count = if args.whole_match { args.bots.len() } else { 1 };
    let mut session = PlaySession { entrants, ruleset, board, seed, origin, conditions, games: count };
    let chosen = args.board.is_some() || args.seed.is_some();
    let record = args.record.as_deref();
    let recording = record.map(|path| Recording::begin(path, &mut session, chosen, games)).transpose()?;
    Ok((session, recording))
}

/// The seed, the board, and what the game begins from, in words.
fn start(ruleset: &Ruleset, board: Option<&Path>, seed: Option<u64>) -> Result<(u64, Vec<u8>, String), CliError> {
    let start = ruleset.kit().facts().seed_use;
    let what = if let SeedUse::Board(what) = start { what } else { "board" };
    if let Some(file) = board {
        return Ok((0, read_board(ruleset, file, what)?, format!("the {what} of {}", file.display())));
    }
    let title = &ruleset.title;
    let seed = match start {
        SeedUse::Unused => seed.unwrap_or(0),
        SeedUse::Board(_) | SeedUse::Draws => seed.unwrap_or_else(any_seed),
    };
    let origin = match start {
        SeedUse::Board(what) => format!("the {what} of --seed {seed}"),
        SeedUse::Draws => format!("{title}, --seed {seed}"),
        SeedUse::Unused => title.clone(),
    };
    Ok((seed, ruleset.board(seed), origin))
}

/// The marks of the seats: `wanted`, or else the ruleset's.
///
/// # Errors
/// When `wanted` cannot be marks of this game.
fn marks(ruleset: &Ruleset, wanted: Option<String>, seats: u8) -> Result<Vec<u8>, CliError> {
    let wrong = |why: String| usage!("--marks: {why}");
    match wanted {
        None => Ok(ruleset.marks[..usize::from(seats)].to_vec()),
        Some(wanted) => match ruleset.kit().marks(&wanted, seats) {
            Some(marks) => marks.map_err(|Reason(why)| wrong(why)),
            None => Err(wrong(format!("marks cannot be chosen in {}", ruleset.title))),
        },
    }
}

/// A seed that differs from run to run.
pub(super) fn any_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::from(now.subsec_nanos()) ^ now.as_secs()
}

/// Reads a board from a file. `what` is the game's word for a board. Mistakes are reported with line and column if
/// these are known.
fn read_board(ruleset: &Ruleset, file: &Path, what: &str) -> Result<Vec<u8>, CliError> {
    let shown = file.display();
    let board = std::fs::read(file).map_err(|error| {
        let is_missing = error.kind() == io::ErrorKind::NotFound;
        usage!("cannot read the {what} {shown}: {error}").hint(if is_missing {
            file_suggestion(file)
        } else {
            None
        })
    })?;
    ruleset.rules.check_board(&board).map_err(|wrong| {
        let at = wrong.at.map_or(String::new(), |at| format!("{}:{}:", at.row + 1, at.col + 1));
        usage!("{shown}:{at} {}", wrong.message)
    })?;
    Ok(board)
}

/// The games of a match: those of the contest in which they are recorded, or as the command line says.
struct PlayedMatch<'a> {
    session: &'a PlaySession,
    places: Option<ContestGames>,
}

impl PlayedMatch<'_> {
    /// The game of this number, from 0, after those that are `done`: in each, the next entrant moves first.
    fn pairing(&self, number: usize, done: &Results) -> Result<Pairing, CliError> {
        let count = self.session.entrants.len();
        let seats: Vec<usize> = (0..count).map(|seat| (seat + number) % count).collect();
        match &self.places {
            Some(places) => places.next(&seats, done),
            None => Ok(Pairing {
                id: GameId { stage: 0, round: 0, table: 0, game: number as u16, attempt: 0 },
                seats: seats.iter().map(|&at| EntrantId(at as u16)).collect(),
                board: 0,
            }),
        }
    }

    /// The start of a game.
    fn setup(&self, pairing: &Pairing) -> Setup {
        let PlaySession { ruleset, board, seed, .. } = self.session;
        let seats = pairing.seats.len() as u8;
        let own = || Setup { seats, board: board.clone(), marks: ruleset.marks.clone(), seed: *seed };
        self.places.as_ref().map_or_else(own, |places| places.setup(pairing))
    }

    /// The index of the entrant in each seat.
    fn seats(&self, pairing: &Pairing) -> Vec<usize> {
        let place = |id: &EntrantId| self.places.as_ref().map_or(id.index(), |places| places.in_command_line(*id));
        pairing.seats.iter().map(place).collect()
    }
}

/// Plays the games of the match. An error of `reporter` ends it, for example when the reader of the output is gone
/// (`play … | head`).
fn play(
    session: &PlaySession,
    recording: Option<Recording>,
    reporter: &mut dyn Reporter,
) -> Result<Exit, CliError> {
    let (mut writer, places, mut results) = match recording {
        None => (None, None, Results::new()),
        Some(recording) => (Some(recording.writer), Some(recording.places), recording.results),
    };
    let games = PlayedMatch { session, places };
    let before = results.len();
    let failed = RefCell::new(None);
    let mut planner = |done: &Results| match done.len() - before {
        played if played == session.games => Plan::Finished,
        played => match games.pairing(played, done) {
            Ok(pairing) => Plan::from_games([pairing]),
            Err(error) => {
                *failed.borrow_mut() = Some(error);
                Plan::Finished
            }
        },
    };
    let mut number = 0;
    let mut play = |job: Job| {
        let seats = games.seats(&job.pairing);
        let id = job.pairing.id;
        let played = play_game(session, job, &seats, &mut |event| Ok(reporter.event(number, id, &seats, event)?));
        number += 1;
        played.map_err(|error| {
            let why = error.to_string();
            *failed.borrow_mut() = Some(error);
            why.into()
        })
    };
    let mut tallies = vec![MatchTally::default(); session.entrants.len()];
    let mut tally = |progress: &Progress, _: &Results| {
        if let Progress::Played(played) = progress {
            for game in played {
                for (seat, entrant) in games.seats(&game.pairing).into_iter().enumerate() {
                    let forfeits = game.faults.iter().filter(|fault| fault.seat.index() == seat).count();
                    tallies[entrant].add(&game.outcome, seat);
                    tallies[entrant].forfeits += forfeits as u32;
                }
            }
        }
        failed.borrow_mut().take().map_or(Ok(()), Err)
    };
    let mut recorder = writer.as_mut().map(Recorder);
    let mut sinks: Vec<&mut dyn Sink<CliError>> = Vec::new();
    sinks.extend(recorder.as_mut().map(|recorder| recorder as &mut dyn Sink<CliError>));
    sinks.push(&mut tally);
    let run = Run {
        planner: &mut planner,
        setup: &|pairing: &Pairing| games.setup(pairing),
        workers: &mut OwnThread::new(&mut play),
        until: &Until::default(),
        sinks: &mut sinks,
    };
    run.play(&mut results)?;
    failed.take().map_or(Ok(()), Err)?;
    let name = |entrant: &Option<Bot>| entrant.as_ref().map_or(HUMAN.to_string(), |bot| bot.name.clone());
    let names: Vec<String> = session.entrants.iter().map(name).collect();
    reporter.end(&names, &tallies)?;
    Ok(Exit::Fine)
}

/// Plays one game, in which `seats` has the index of the entrant in each seat. An error of `watch` ends it.
fn play_game(
    session: &PlaySession,
    job: Job,
    seats: &[usize],
    watch: &mut dyn FnMut(&Event) -> Result<(), CliError>,
) -> Result<GameRecord, CliError> {
    let ruleset = &session.ruleset;
    let Job { pairing, setup } = job;
    let mut live = ruleset.open(&setup)?;
    let mut players: Vec<Box<dyn Player>> = Vec::new();
    for (seat, &entrant) in (0u8..).map(Seat).zip(seats) {
        players.push(match &session.entrants[entrant] {
            Some(bot) => seating::seat(bot, ruleset, seat, bot.sandbox(session.conditions)?)?,
            None => human(ruleset),
        });
    }
    let mut seated = Seated::new(players, &setup.marks)?;
    let mut recorder = GameRecorder::new(pairing, setup.clone());
    referee::play(&mut *live, &setup, &mut seated.players, &mut |event| {
        recorder.on_event(&event);
        watch(&event)
    })?;
    Ok(recorder.record().expect("the referee reports the end of every game"))
}

/// The player that is a human at the terminal.
fn human(ruleset: &Ruleset) -> Box<dyn Player> {
    let by = ruleset.clone();
    let typed = Box::new(move |line: &str| by.rules.parse_typed(line));
    let read_line = |line: &mut String| io::stdin().read_line(line);
    Box::new(Human::new(typed, ruleset.kit().facts().prompt, read_line, anstream::stderr()))
}
