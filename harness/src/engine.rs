//! Protocols that programs of a game speak besides that of its contest.

/// A protocol that programs of a game speak besides that of its contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Engine {
    /// Its name: `protocol` in a `bot.toml`, and what comes before the colon of a BOT.
    pub protocol: &'static str,
    /// The game's id.
    pub game: &'static str,
    /// A whole BOT of it, for messages.
    pub example: &'static str,
}

impl Engine {
    /// The BOT that is the program `command` of this protocol.
    pub fn spec(&self, command: &str) -> String {
        format!("{}:{command}", self.protocol)
    }

    /// The engine among `engines`, and its command, that a BOT such as `gtp:gnugo --mode gtp` is; `None` if it is
    /// something else.
    pub fn of_spec<'a>(engines: &[Engine], spec: &'a str) -> Option<(Engine, &'a str)> {
        let (protocol, command) = spec.split_once(':')?;
        engines.iter().find(|engine| engine.protocol == protocol).map(|engine| (*engine, command))
    }
}
