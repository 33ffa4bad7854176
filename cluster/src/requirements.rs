//! What a worker must offer so that the manager gives it games.

use crate::message::{self, Context, WorkerHello};
use cornerman_harness::nearest::did_you_mean;
use cornerman_harness::sandbox::Level;
use cornerman_harness::text::Reason;

/// What a worker must offer so that the manager gives it games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requirements {
    /// The weakest isolation that is accepted.
    pub isolation: Option<Level>,
    /// Whether it must build every bot with the same toolchain as the manager's machine.
    pub same_toolchain: bool,
    /// Whether its machine must be one that other programs do not slow down.
    pub quiet: bool,
}

impl Default for Requirements {
    fn default() -> Requirements {
        Requirements { isolation: None, same_toolchain: false, quiet: true }
    }
}

impl Requirements {
    /// Reads requirements such as `isolation=namespaced,toolchain=same,timing=any`.
    ///
    /// # Errors
    /// The first mistake, and what is allowed in its place.
    pub fn parse(text: &str) -> Result<Requirements, Reason> {
        let mut required = Requirements::default();
        for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            let one_of = |values: &[&str]| {
                let hint = did_you_mean(value, values.iter().copied());
                Reason(format!("`{word}`: {key} is {}{hint}", values.join(" or ")))
            };
            match (key, value) {
                ("isolation", name) => {
                    let level = Level::named(name).ok_or_else(|| one_of(&Level::ALL.map(Level::name)))?;
                    required.isolation = Some(level);
                }
                ("toolchain", "same" | "any") => required.same_toolchain = value == "same",
                ("toolchain", _) => return Err(one_of(&["same", "any"])),
                ("timing", "quiet" | "any") => required.quiet = value == "quiet",
                ("timing", _) => return Err(one_of(&["quiet", "any"])),
                (other, _) => {
                    let keys = ["isolation", "toolchain", "timing"];
                    let hint = did_you_mean(other, keys);
                    return Err(format!("`{other}` is not one of {}{hint}", keys.join(", ")).into());
                }
            }
        }
        Ok(required)
    }

    /// Why a worker gets no games; `None` if it gets some. `toolchains` are those of the manager's machine,
    /// in the order of the context's entrants.
    pub fn why_refused(
        &self,
        hello: &WorkerHello,
        context: &Context,
        toolchains: &[Option<String>],
    ) -> Option<String> {
        if hello.kit != message::kit() {
            return Some(format!(
                "it is another build of Cornerman, {}, and the manager is {}",
                hello.kit,
                message::kit()
            ));
        }
        if let Some(why) = &hello.refuses {
            return Some(why.clone());
        }
        if hello.rules != context.rules {
            return Some("its kit has other rules than the manager's".to_string());
        }
        if let Some(level) = self.isolation.max(context.at_least).filter(|level| hello.level < *level) {
            return Some(format!("its isolation is {}, and {level} is required", hello.level));
        }
        if let Some(noise) = hello.noise.as_ref().filter(|_| self.quiet) {
            return Some(format!("{noise} (`--require timing=any` takes such machines)"));
        }
        let built = hello.bots.iter().zip(toolchains).zip(&context.entrants);
        let mut others = built.filter_map(|((built, own), bot)| Some((built.as_ref().ok()?, own, bot)));
        let other = others.find(|(built, own, _)| self.same_toolchain && built.toolchain != **own);
        other.map(|(built, own, bot)| {
            let its = toolchain_name(&built.toolchain);
            let own = toolchain_name(own);
            format!("it builds {} with {its}, and the manager with {own}", bot.name)
        })
    }
}

fn toolchain_name(toolchain: &Option<String>) -> &str {
    toolchain.as_deref().unwrap_or("no toolchain")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::WorkerKey;
    use cornerman::format::EntrantId;
    use cornerman_harness::machine::Machine;
    use cornerman_harness::record::BuildFacts;

    #[test]
    fn requirements_are_read_and_mistakes_named() {
        for (text, required) in [
            ("", Ok(Requirements::default())),
            ("isolation=scoped", Ok(Requirements { isolation: Some(Level::Scoped), ..Requirements::default() })),
            (
                "toolchain=same, timing=any",
                Ok(Requirements { same_toolchain: true, quiet: false, ..Requirements::default() }),
            ),
            (
                "isolaton=scoped",
                Err("`isolaton` is not one of isolation, toolchain, timing (did you mean `isolation`?)"),
            ),
            ("toolchain=sam", Err("`toolchain=sam`: toolchain is same or any (did you mean `same`?)")),
        ] {
            assert_eq!(Requirements::parse(text), required.map_err(Reason::from), "{text}");
        }
    }

    #[test]
    fn unlike_workers_are_refused_with_the_reason() {
        let fit = WorkerHello {
            context: String::new(),
            worker: WorkerKey::new("ring1"),
            machine: Machine::this(),
            kit: message::kit(),
            rules: "print".to_string(),
            level: Level::Namespaced,
            threads: 2,
            noise: None,
            refuses: None,
            bots: Vec::new(),
        };
        let context = Context {
            ruleset: String::new(),
            rules: "print".to_string(),
            at_least: None,
            at_most: None,
            entrants: vec![message::SentBot {
                entrant: EntrantId(0),
                name: "Crab".to_string(),
                source: message::BotSource::Named("@crab".to_string()),
                limits: Default::default(),
            }],
            versions: Default::default(),
        };
        let with = |bot: Result<BuildFacts, Reason>| WorkerHello { bots: vec![bot], ..fit.clone() };
        let built =
            |version: &str| with(Ok(BuildFacts { toolchain: Some(version.to_string()), program_sha256: None }));
        let any = Requirements { quiet: false, ..Requirements::default() };
        let same = Requirements { same_toolchain: true, ..any };
        let scoped = Context { at_least: Some(Level::Namespaced), ..context.clone() };
        let noisy = WorkerHello { noise: Some("it is noisy".to_string()), ..fit.clone() };
        for (required, hello, context, word) in [
            (any, fit.clone(), &context, None),
            (
                any,
                WorkerHello { kit: "0.0.1/1".to_string(), ..fit.clone() },
                &context,
                Some("another build of Cornerman, 0.0.1/1"),
            ),
            (
                any,
                WorkerHello { refuses: Some("too much".to_string()), ..fit.clone() },
                &context,
                Some("too much"),
            ),
            (any, WorkerHello { rules: "other".to_string(), ..fit.clone() }, &context, Some("other rules")),
            (any, WorkerHello { level: Level::Scoped, ..fit.clone() }, &scoped, Some("isolation is scoped")),
            (any, noisy.clone(), &context, None),
            (Requirements::default(), noisy, &context, Some("noisy")),
            (any, built("gcc 11"), &context, None),
            (same, built("gcc 12"), &context, None),
            (same, built("gcc 11"), &context, Some("builds Crab with gcc 11")),
            (same, with(Err("no gcc".into())), &context, None),
        ] {
            let why = required.why_refused(&hello, context, &[Some("gcc 12".to_string())]);
            match word {
                None => assert_eq!(why, None),
                Some(word) => assert!(why.as_ref().is_some_and(|why| why.contains(word)), "{why:?} {word}"),
            }
        }
    }
}
