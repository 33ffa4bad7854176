//! A contest without a file: bots of the command line play each other, in as many rounds as the command needs.
//!
//! Its record is like that of any other contest: `standings`, `replay`, `report` and `verify` read it.

use super::{PreparedContest, Sparring, Terms, entrant_of_spec, set_aside};
use crate::bots::{self, CompanionFiles};
use crate::options::{Crew, IsolationArgs, LanguagesArgs, LimitsArgs, PlayFormat, RulesChoice, WithFiles};
use crate::{CliError, Registry, isolation, rules};
use clap::Args;
use cornerman::formats::{Bounded, Format, gauntlet};
use cornerman::game::MAX_SEATS;
use cornerman_harness::bot::Bot;
use cornerman_harness::contest_file::{ContestFile, Entrant, read_board};
use cornerman_harness::machine::Machine;
use cornerman_harness::names;
use cornerman_harness::record::{RecordError, RecordErrorKind, Writer};
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::text;
use std::path::{Path, PathBuf};

/// The options of commands that let bots play each other and record the games.
#[derive(Args)]
pub(crate) struct SparringArgs {
    #[command(flatten)]
    pub with_files: WithFiles,
    #[command(flatten)]
    pub rules: RulesChoice,
    /// The seats of a game, of which copies of an opponent have all but one [default: 2, or the fewest of the rules]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=i64::from(MAX_SEATS)))]
    pub seats: Option<u8>,
    /// Play the first games on the board in this file; can be repeated. The others are made from the seed
    #[arg(long, value_name = "FILE")]
    pub board: Vec<PathBuf>,
    /// Seed of the boards and of what the game draws [default: made from the programs, so that the same ones play the
    /// same boards again]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    pub seed: Option<u64>,
    /// Begin a new record, and rename an existing one
    #[arg(long)]
    pub force_new: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = PlayFormat::Text)]
    pub format: PlayFormat,
    #[command(flatten)]
    pub crew: Crew,
    #[command(flatten)]
    pub isolation: IsolationArgs,
    #[command(flatten)]
    pub limits: LimitsArgs,
    #[command(flatten)]
    pub languages: LanguagesArgs,
}

/// How many games such a contest has for each challenger, at most: more than are ever played.
const MOST_GAMES: usize = 131_072;

/// Bots of the command line that play each other.
pub(crate) struct Improvised<'a> {
    pub name: String,
    /// The BOT arguments. The first ones are the challengers, which play against all others.
    pub specs: Vec<&'a str>,
    /// How many challengers there are.
    pub challengers: usize,
    pub others: OtherSeats,
    pub options: &'a SparringArgs,
}

/// Which bots have the other seats of a game of more than two.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OtherSeats {
    /// Copies of one opponent.
    OneOpponent,
    /// Opponents in turn, beginning again with the first after the last; if there are too few, some have several seats.
    Mixed,
}

impl OtherSeats {
    /// The entrants of games of this many seats, as indices of BOT arguments: the `challengers`, and of each of the
    /// `specs` after them as many copies as are needed.
    fn entrants(self, seats: usize, challengers: usize, specs: usize) -> Vec<usize> {
        let opponents = challengers..specs;
        let others = seats.saturating_sub(1).max(1);
        let opponents: Vec<usize> = match self {
            OtherSeats::OneOpponent => opponents.flat_map(|opponent| vec![opponent; others]).collect(),
            OtherSeats::Mixed => opponents.clone().cycle().take(others.max(opponents.len())).collect(),
        };
        (0..challengers).chain(opponents).collect()
    }
}

/// A format in which the first `challengers` of the entrants meet each of the others, in games of this many seats and
/// in more rounds than are ever played.
pub(crate) fn gauntlet(challengers: usize, entrants: usize, seats: u8) -> Format {
    let opponents = entrants.saturating_sub(challengers).max(1);
    let a_round = opponents * usize::from(seats).max(2);
    let rounds = Some(Bounded::new((MOST_GAMES / a_round) as u32));
    Format::Gauntlet(gauntlet::GauntletSettings {
        seats: (seats > 2).then(|| Bounded::new(seats.into())),
        challengers: Bounded::new(challengers as u32),
        rounds,
        ..gauntlet::GauntletSettings::default()
    })
}

impl Improvised<'_> {
    /// Builds the bots, finds out what they play, and begins or resumes their record: `db`, or else `usual` in the
    /// current folder. If `db` is not given and the usual record is of another contest, that record is renamed.
    ///
    /// # Errors
    /// When a bot cannot be used, the options are wrong, or the record is of something else or cannot be written.
    pub(crate) fn begin(&self, db: Option<&Path>, usual: &str, games: &Registry) -> Result<Sparring, CliError> {
        let (prepared, specs) = self.prepare(games)?;
        let path = db.unwrap_or(Path::new(usual));
        let writer = self.record(path, db.is_none(), &prepared)?;
        Sparring::begin(prepared, specs, path.to_path_buf(), writer, self.options.isolation)
    }

    /// The contest, and the BOT argument of each entrant.
    fn prepare(&self, games: &Registry) -> Result<(PreparedContest, Vec<String>), CliError> {
        let options = self.options;
        let conditions = options.isolation.conditions()?;
        isolation::announce_below(isolation::FOR_STRANGERS, options.isolation)?;
        let languages = options.languages.read()?;
        options.isolation.host_judges(&languages)?;
        let loader = options.isolation.loader(&languages, games);
        let with = &options.with_files.with;
        let specs: Vec<String> = self.specs.iter().map(ToString::to_string).collect();
        let loaded = bots::load_all(&specs, with, loader)?;
        let ruleset = rules::chosen(&options.rules, &loaded, games, conditions)?;
        let companions = CompanionFiles::for_entries(self.specs.iter().copied(), with, loader.options)?;
        let (fewest, most) = ruleset.seats;
        let usual = if (fewest..=most).contains(&2) { 2 } else { fewest };
        let seats = options.seats.unwrap_or(usual);
        let sitting = self.others.entrants(seats.into(), self.challengers, self.specs.len());
        let specs: Vec<String> = sitting.iter().map(|&at| specs[at].clone()).collect();
        let named: Vec<(String, String)> =
            sitting.iter().map(|&at| (loaded[at].name.clone(), loaded[at].spec.clone())).collect();
        let names = names::told_apart(&named);
        let seed = options.seed.unwrap_or_else(|| seed_of(&loaded, &ruleset));
        let entrant = |(spec, name): (&String, String)| Entrant {
            name: Some(name),
            with: companions.of_bot(spec).to_vec(),
            ..entrant_of_spec(spec, &games.engines)
        };
        let entrants = specs.iter().zip(names).map(entrant).collect();
        let boards = options.board.iter().map(|board| read_board(board, &ruleset)).collect::<Result<_, _>>()?;
        let limits = options.limits.overrides().apply_to(ruleset.limits.clone());
        let ruleset = Ruleset { limits, ..ruleset };
        let format = gauntlet(self.challengers, specs.len(), seats);
        let file = ContestFile::of_one_stage(&self.name, ruleset, seed, boards, entrants, format)?;
        let terms = Terms {
            crew: options.crew,
            checked: None,
            isolation: options.isolation,
            languages: &options.languages,
        };
        super::reserve_open_files(1, file.ruleset.seats.1)?;
        Ok((PreparedContest::prepare(file, games, terms, None)?, specs))
    }

    /// Begins or resumes the record at `path`. Any record is renamed with `--force-new`, and one of another contest if
    /// `may_rename`.
    fn record(&self, path: &Path, may_rename: bool, prepared: &PreparedContest) -> Result<Writer, CliError> {
        if self.options.force_new && path.exists() {
            set_aside(path)?;
        }
        let open = || {
            let mut writer = Writer::create_or_resume(path, &prepared.file.header(crate::VERSION))?;
            writer.add_entrants(&prepared.entries.records)?;
            writer.add_machine(&Machine::this())?;
            Ok::<_, RecordError>(writer)
        };
        let error = match open() {
            Ok(writer) => return Ok(writer),
            // This contest has no file of its own, which `decide … amend` would need.
            Err(RecordError { path, kind: RecordErrorKind::NotAmended(changes) }) => {
                RecordErrorKind::Changed { what: "the contest", changes }.at(&path)
            }
            Err(error) => error,
        };
        if may_rename && error.is_other_contest() {
            set_aside(path)?;
            return Ok(open()?);
        }
        Err(error.into())
    }
}

/// A seed that is the same for the same programs, in this order, and the same ruleset.
fn seed_of(bots: &[Bot], ruleset: &Ruleset) -> u64 {
    let program = |bot: &Bot| {
        let sha256 = bot.program_sha256.as_ref().or(bot.source_sha256.as_ref());
        sha256.unwrap_or(&bot.spec).clone()
    };
    let all: Vec<String> = bots.iter().map(program).chain([ruleset.id.clone()]).collect();
    let hash = text::sha256(all.join("\n").as_bytes());
    u64::from_str_radix(&hash[..8], 16).expect("a hash is hexadecimal")
}
