//! Fetches the bots of a tournament and builds them on this machine.

use super::{LoadBounds, Worker};
use crate::message::{self, BotSource, Context, SentBot};
use crate::objects::Objects;
use cornerman::format::EntrantId;
use cornerman_harness::bot::Bot;
use cornerman_harness::bot::bundle::{Bundle, LARGEST};
use cornerman_harness::record::BuildFacts;
use cornerman_harness::run::Until;
use cornerman_harness::text::Reason;
use cornerman_harness::toolchain::cache::{self, Staging};
use cornerman_harness::{machine, pool};
use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;

/// The bots that were built, and why the others could not be.
pub(super) struct BuiltBots {
    bots: Vec<(EntrantId, Result<Bot, Reason>)>,
    /// The folder with their unpacked bundles. Kept because interpreters read the sources during games.
    _folder: Option<Staging>,
}

impl BuiltBots {
    /// Builds nothing, for a worker that refuses the tournament.
    pub(super) fn nothing(context: &Context) -> BuiltBots {
        let not_built = |bot: &SentBot| (bot.entrant, Err("it is not built here".into()));
        BuiltBots { bots: context.entrants.iter().map(not_built).collect(), _folder: None }
    }

    /// Fetches and builds the bots of `context`, on all processors.
    ///
    /// # Errors
    /// If this machine or the server fails. A fault of a bot is not an error: it is kept, to report it to the manager.
    pub(super) async fn fetch(
        worker: &Worker,
        context: &Context,
        objects: &Objects,
        until: &Until,
    ) -> Result<BuiltBots, async_nats::Error> {
        let failed = |error: std::io::Error| format!("cannot unpack bots: {error}");
        let folder = cache::staging().map_err(failed)?;
        std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).map_err(failed)?;
        let mut waiting = Vec::new();
        for (number, bot) in context.entrants.iter().enumerate() {
            if until.is_stopping() {
                break;
            }
            let found = match &bot.source {
                BotSource::Named(name) => Ok((name.clone(), Vec::new())),
                BotSource::Bundle { sha256, with } => {
                    let place = folder.path().join(number.to_string());
                    let bytes = objects.get(sha256, LARGEST as usize).await;
                    let bytes = bytes.map_err(|why| format!("{}: {why}", bot.name))?;
                    let unpacked = unpack(&bytes, &place);
                    unpacked
                        .map(|path| (path, with.clone()))
                        .map_err(|why| Reason(format!("its bundle cannot be used: {why}")))
                }
            };
            waiting.push((bot.clone(), found));
        }
        let bounds = LoadBounds { at_least: Some(worker.min_isolation(context)), at_most: context.at_most };
        let load = Arc::clone(&worker.load);
        let build = tokio::task::spawn_blocking(move || {
            pool::map(
                waiting,
                machine::cores(),
                |(bot, found): (SentBot, Result<(String, Vec<String>), Reason>)| {
                    let loaded = found.and_then(|(path, with)| load(&path, &with, bounds));
                    // The name and the limits are those that the manager sent.
                    loaded.map(|loaded| Bot { name: bot.name.clone(), limits: bot.limits.clone(), ..loaded })
                },
            )
        });
        let built = build.await.map_err(|error| format!("building failed: {error}"))?;
        let not_built = std::iter::repeat_with(|| Err("it was not built".into()));
        let entrants = context.entrants.iter().map(|bot| bot.entrant);
        let bots = entrants.zip(built.into_iter().chain(not_built)).collect();
        Ok(BuiltBots { bots, _folder: Some(folder) })
    }

    /// What was built, as reported to the manager.
    pub(super) fn facts(&self) -> Vec<Result<BuildFacts, Reason>> {
        let facts = |bot: &Bot| BuildFacts {
            toolchain: bot.toolchain.clone(),
            program_sha256: bot.program_sha256.clone(),
        };
        self.bots.iter().map(|(_, bot)| bot.as_ref().map(facts).map_err(Clone::clone)).collect()
    }

    /// The bots that can play.
    pub(super) fn bots(&self) -> BTreeMap<EntrantId, Bot> {
        let built = self.bots.iter();
        built.filter_map(|(id, bot)| Some((*id, bot.as_ref().ok()?.clone()))).collect()
    }
}

/// Unpacks a bundle into the new folder `place`, and returns the path of the bot in it.
fn unpack(bytes: &[u8], place: &Path) -> Result<String, async_nats::Error> {
    let bundle: Bundle = message::from_bytes(bytes)?;
    std::fs::create_dir(place)?;
    let unpacked = bundle.unpack(place)?;
    unpacked.into_os_string().into_string().map_err(|path| format!("{} is not UTF-8", path.display()).into())
}
