//! What each level of isolation promises, and what it requires of the machine.
//!
//! This is the only list: the tables in `SECURITY.md` and `docs/sandbox.md` are generated from it, `doctor` prints the
//! promises that this machine cannot keep, and the hostile bots test them.

use super::level::Level;
use super::machine::kernel_is_at_least;
use super::sys::landlock_version;

/// Something that a level guarantees about a bot.
#[derive(Debug)]
pub struct Promise {
    /// The end of a sentence that begins with "a bot".
    pub bot: &'static str,
    /// The weakest level that promises it.
    pub from: Level,
    /// The one level at which the promise requires more of the machine than the level itself does, and what it
    /// requires.
    needs: Option<(Level, Requirement)>,
}

/// A feature that some machines lack, so that a level keeps less than it promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requirement {
    /// Landlock's rules about signals.
    LandlockScopes,
    /// Limits on a user that are counted separately in each user namespace. Not required if root runs Cornerman.
    CountsOfNamespaces,
}

impl Requirement {
    /// Whether this machine meets it.
    pub fn is_met(self) -> bool {
        match self {
            Requirement::LandlockScopes => landlock_version().is_some_and(|version| version >= 6),
            Requirement::CountsOfNamespaces => kernel_is_at_least((5, 14)) || rustix::process::geteuid().is_root(),
        }
    }

    /// What is needed, in words.
    pub fn name(self) -> &'static str {
        match self {
            Requirement::LandlockScopes => "Linux 6.12 (Landlock version 6)",
            Requirement::CountsOfNamespaces => "Linux 5.14, or root as the kit's user",
        }
    }
}

impl Promise {
    /// What this promise requires at `level`, beyond what the level itself needs.
    pub fn requirement(&self, level: Level) -> Option<Requirement> {
        self.needs.filter(|(at, _)| *at == level).map(|(_, requirement)| requirement)
    }

    const fn from(level: Level, bot: &'static str) -> Promise {
        Promise { bot, from: level, needs: None }
    }

    const fn needing(self, requirement: Requirement, at: Level) -> Promise {
        Promise { needs: Some((at, requirement)), ..self }
    }
}

/// All promises, beginning with those of the weakest level.
pub const PROMISES: [Promise; 13] = [
    Promise::from(Level::Plain, "is ended at its deadline, with its process group"),
    Promise::from(Level::Restricted, "leaves no process running, however it starts them"),
    Promise::from(Level::Restricted, "has no powers of root's, and no core files"),
    Promise::from(Level::Restricted, "is limited in memory, files and processes"),
    Promise::from(Level::Scoped, "cannot signal or look into other processes")
        .needing(Requirement::LandlockScopes, Level::Scoped),
    Promise::from(Level::Scoped, "cannot write a file of the host's outside `/tmp`, `/var/tmp` and `/dev/shm`"),
    Promise::from(Level::Scoped, "cannot read a file that is not listed as visible"),
    Promise::from(Level::Scoped, "reaches no network, and no other program"),
    Promise::from(Level::Scoped, "makes only the system calls of a list"),
    Promise::from(Level::Namespaced, "sees no names of the host's files and processes"),
    Promise::from(Level::Namespaced, "shares no `/tmp`, and keeps nothing but its state file from move to move"),
    Promise::from(Level::Namespaced, "leaves nothing to its next game"),
    Promise::from(Level::Namespaced, "uses up what the kernel counts for a user for itself only")
        .needing(Requirement::CountsOfNamespaces, Level::Namespaced),
];

/// The promises of `level` that this machine does not keep, and why.
pub fn not_kept(level: Level) -> Vec<(&'static Promise, Requirement)> {
    let made = PROMISES.iter().filter(|promise| level >= promise.from);
    let needed = made.filter_map(|promise| Some((promise, promise.requirement(level)?)));
    needed.filter(|(_, requirement)| !requirement.is_met()).collect()
}
