//! The manager's side of workers on other machines: gathers what they need, and lets them join.

use super::{Overview, Players, Remote};
use crate::CliError;
use crate::cmd::tournament::TournamentArgs;
use crate::contest::{PreparedContest, ProgressLine, spec_of};
use crate::isolation::{FOR_STRANGERS, has_strangers};
use crate::options::{IsolationArgs, LanguagesArgs, NatsUserArgs};
use crate::show::plain;
use cornerman_cluster::message::{self, BotSource, Context, SentBot};
use cornerman_cluster::{
    Bundles, ClusterError, ManagedTournament, NatsWorkers, Requirements, ServerAccess, TournamentId,
    WorkersOverview,
};
use cornerman_harness::bot::Bot;
use cornerman_harness::bot::bundle::Bundle;
use cornerman_harness::contest_file::EntrySource;
use cornerman_harness::record::{RecordError, Writer};
use cornerman_harness::run::Workers;
use cornerman_harness::text;
use cornerman_harness::toolchain::BuildOptions;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the arguments say of workers on other machines.
struct NatsRemote {
    server: ServerAccess,
    required: Requirements,
    /// The share of games that are played once more, from 0 to 1.
    again: f64,
    isolation: IsolationArgs,
    languages: LanguagesArgs,
}

/// The server that these arguments name.
pub(crate) fn server(url: &str, user: &NatsUserArgs) -> ServerAccess {
    ServerAccess { url: url.to_string(), creds: user.creds.clone(), ca: user.ca.clone() }
}

impl From<ClusterError> for CliError {
    fn from(error: ClusterError) -> CliError {
        if error.is_mistake() { CliError::Usage(error.into()) } else { CliError::Internal(error.into()) }
    }
}

/// The workers on other machines that the arguments ask for; `None` if this machine plays.
///
/// # Errors
/// If `--require` is wrong, or the server cannot be used.
pub(crate) fn from_args(args: &TournamentArgs) -> Result<Option<Box<dyn Remote>>, CliError> {
    let Some(url) = &args.elsewhere.nats else { return Ok(None) };
    let required = Requirements::parse(args.elsewhere.require.as_deref().unwrap_or_default());
    let required = required.map_err(|why| usage!("--require {why}"))?;
    let server = server(url, &args.elsewhere.user);
    if !args.dry_run {
        server.reach()?;
    }
    Ok(Some(Box::new(NatsRemote {
        server,
        required,
        again: args.elsewhere.verify.unwrap_or(0.0),
        isolation: args.isolation,
        languages: args.languages.clone(),
    })))
}

impl Remote for NatsRemote {
    fn begin<'a>(
        &'a self,
        prepared: &'a PreparedContest,
        writer: &Writer,
        line: &ProgressLine,
    ) -> Result<Box<dyn Players + 'a>, CliError> {
        let (entrants, bundles) = self.bots(prepared)?;
        let file = &prepared.file;
        let conditions = self.isolation.conditions()?;
        let context = Context {
            ruleset: file.ruleset.text.clone(),
            rules: message::rules_print(&file.ruleset),
            // `FOR_STRANGERS` is only the default: the level that workers are required to offer may be lower.
            at_least: conditions
                .at_least
                .max(self.required.isolation)
                .or(has_strangers(file).then_some(FOR_STRANGERS)),
            at_most: conditions.at_most,
            entrants,
            versions: prepared.contest.journal().versions(),
        };
        let settings = ManagedTournament {
            tournament: TournamentId::from_record(&writer.identity()?),
            contest: file.spec.name.clone(),
            context,
            bundles,
            toolchains: prepared.entries.bots.values().map(|bot| bot.toolchain.clone()).collect(),
            required: self.required,
            again: self.again,
            ruleset: &file.ruleset,
            on_hold: prepared.contest.journal().on_hold().collect(),
            recorded: writer.games()?.into_iter().map(|game| game.pairing).collect(),
        };
        let line = line.clone();
        let say = Arc::new(move |words: &str| line.say(&plain(words)));
        Ok(Box::new(NatsWorkers::begin(&self.server, settings, say)?))
    }
}

impl NatsRemote {
    /// The bots for workers to load or build, and the bundles of those at a path, by SHA-256.
    fn bots(&self, prepared: &PreparedContest) -> Result<(Vec<SentBot>, Bundles), CliError> {
        let languages = self.languages.read()?;
        let options = BuildOptions { languages: &languages, ..BuildOptions::default() };
        let file = &prepared.file;
        let entries = &prepared.entries;
        let mut bots = Vec::new();
        let mut bundles = BTreeMap::new();
        let entered = file.entrants.iter().chain(&file.organizers).chain(&entries.late);
        for (entry, (&entrant, bot)) in entered.zip(&entries.bots) {
            let name = &entries.names[entrant.index()];
            let source = match &entry.source {
                EntrySource::Path(path) => {
                    let with = Bot::companion_files(path, &entry.with, options)?;
                    let bytes = message::to_bytes(&Bundle::from_path(path, &with)?);
                    let sha256 = text::sha256(&bytes);
                    bundles.insert(sha256.clone(), bytes);
                    BotSource::Bundle { sha256, with: entry.with.clone() }
                }
                named => BotSource::Named(spec_of(named)),
            };
            bots.push(SentBot { entrant, name: name.clone(), source, limits: bot.limits.clone() });
        }
        Ok((bots, bundles))
    }
}

impl Players for NatsWorkers<'_> {
    fn workers(&mut self) -> &mut dyn Workers {
        self
    }

    fn overview(&self) -> Option<Box<dyn Overview>> {
        Some(Box::new(NatsWorkers::overview(self)))
    }

    fn end(self: Box<Self>, over: bool) {
        NatsWorkers::end(*self, over);
    }
}

impl Overview for WorkersOverview {
    fn record(&self, writer: &mut Writer) -> Result<(), RecordError> {
        for joined in self.take_joined() {
            writer.add_machine(&joined.machine)?;
            writer.add_builds(&joined.machine.name, &joined.builds)?;
        }
        Ok(())
    }

    fn words(&self) -> String {
        self.words()
    }

    fn on_page(&self) -> String {
        self.words_with_names()
    }
}
