//! Engine protocols: the protocols of existing programs, such as GTP, that a game supports besides its own.

/// A protocol of existing programs that a game supports besides its own, such as GTP for Go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Engine {
    /// Its name: the `protocol` in a `bot.toml`, and the part before the colon in the BOT argument `gtp:COMMAND`.
    pub protocol: &'static str,
    /// The game's id.
    pub game: &'static str,
    /// A complete BOT argument, for messages: `gtp:gnugo --mode gtp`.
    pub example: &'static str,
}

impl Engine {
    /// The BOT argument for a program that is run by `command` and speaks this protocol: `gtp:COMMAND`.
    pub fn spec(&self, command: &str) -> String {
        format!("{}:{command}", self.protocol)
    }

    /// Splits a BOT argument such as `gtp:gnugo --mode gtp` into the engine, one of `engines`, and its command. `None`
    /// if it names no engine.
    pub fn of_spec<'a>(engines: &[Engine], spec: &'a str) -> Option<(Engine, &'a str)> {
        let (protocol, command) = spec.split_once(':')?;
        engines.iter().find(|engine| engine.protocol == protocol).map(|engine| (*engine, command))
    }
}
