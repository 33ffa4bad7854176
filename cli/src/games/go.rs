//! `gtp-bridge BOT`: runs a Go bot as a GTP engine on standard input and output.
//!
//! It translates between GTP (version 2, sections 2.4 to 2.6) and the contest's protocol (G4): an engine that
//! keeps the board, and sends its bot the moves.
//!
//! In the contest's protocol a game begins with an empty board, the colours take turns, and no move can be taken back.
//! GTP commands that need more are refused. The bot is started with the first `genmove`, which says its colour.

pub(super) mod analyst;

use crate::options::{IsolationArgs, LanguagesArgs};
use crate::{CliError, Exit, Registry, bots, rules};
use anyhow::Context;
use clap::Args;
use cornerman::game::{Action, Game, InProgress, Seat, Setup};
use cornerman::games::go::{Colour, Go, GoState, SIZES};
use cornerman_harness::bot::Bot;
use cornerman_harness::games::go::KIT;
use cornerman_harness::kit::{AnyKit, GameKit};
use cornerman_harness::player::clock::GameClock;
use cornerman_harness::player::{Fault, Player, Turn, seating};
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::sandbox::Conditions;
use cornerman_harness::text::Reason;
use std::io::{self, BufRead, Write};
use std::time::Duration;

#[derive(Args)]
pub(crate) struct GtpBridgeArgs {
    /// The bot
    pub bot: String,
    /// Size of the board until the command `boardsize` changes it [default: the ruleset's]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(5..=25))]
    pub size: Option<u8>,
    /// The rules: a ruleset's name or file. Its clock applies until the command `time_settings` changes it [default:
    /// go-usenix-1983]
    #[arg(long, value_name = "RULESET")]
    pub rules: Option<String>,
    #[command(flatten)]
    pub isolation: IsolationArgs,
    #[command(flatten)]
    pub languages: LanguagesArgs,
}

/// Answers GTP commands until `quit` or the end of standard input.
pub(crate) fn run(args: GtpBridgeArgs, games: &Registry) -> Result<Exit, CliError> {
    let languages = args.languages.read()?;
    let mut bot = bots::load(&args.bot, args.isolation.loader(&languages, games))?;
    bot.check_plays(KIT.id())?;
    if bot.engine_protocol.is_some() {
        return Err(usage!("{} already speaks GTP and needs no bridge", args.bot));
    }
    let ruleset = rules::rules(Some(KIT.id()), args.rules.as_deref(), &[], games, args.isolation.conditions()?)?;
    bot.limits = bot.limits.within(&ruleset.limits);
    let mut bridge = Bridge::new(bot, &ruleset, args.size, args.isolation.conditions()?);
    let mut input = io::stdin().lock();
    let mut output = io::stdout().lock();
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        if let Some(command) = GtpCommand::read(&line) {
            let response = bridge.answer(&command).map_err(CliError::of_machine)?;
            output.write_all(&command.response(&response))?;
            output.flush()?;
            if command.name == "quit" {
                break;
            }
        }
        line.clear();
    }
    Ok(Exit::Fine)
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct GtpCommand {
    /// The command's number, if it has one, which the response repeats.
    id: Option<u64>,
    name: String,
    args: Vec<String>,
}

impl GtpCommand {
    /// The command on a line; `None` if the line has none.
    fn read(line: &[u8]) -> Option<GtpCommand> {
        let text = String::from_utf8_lossy(line);
        let code = text.split('#').next().unwrap_or_default();
        let mut words = code.split_whitespace().map(|word| word.replace(|c: char| c.is_control(), "")).peekable();
        let id = words.next_if(|word| word.parse::<u64>().is_ok()).and_then(|word| word.parse().ok());
        let name = words.next()?;
        Some(GtpCommand { id, name, args: words.collect() })
    }

    /// Formats a response: what the command returns, or why it is refused.
    fn response(&self, response: &Result<String, Reason>) -> Vec<u8> {
        let (sign, text) = match response {
            Ok(text) => ('=', text),
            Err(Reason(text)) => ('?', text),
        };
        let id = self.id.map_or(String::new(), |id| id.to_string());
        // A blank line would end the response.
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        // A diagram begins below the line of the sign.
        let lead = if text.starts_with('\n') { "\n" } else { "" };
        format!("{sign}{id} {lead}{}\n\n", lines.join("\n")).into_bytes()
    }
}

/// The GTP commands that the bridge knows.
const COMMANDS: [&str; 15] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "time_settings",
    "time_left",
    "showboard",
    "final_score",
];

/// The least time for a move, once the main time is used up, that `time_settings` can set.
const LEAST_TIME: Duration = Duration::from_secs(1);

/// The response to a command: what it returns, or why it is refused.
type Response = Result<String, Reason>;

/// A bot and the game it is in.
struct Bridge {
    bot: Bot,
    conditions: Conditions,
    clock: GameClock,
    /// The ruleset's clock, for when GTP sets no limit.
    usual_clock: GameClock,
    go: Go,
    state: GoState,
    /// The seat and the player of the running bot; `None` before its first move.
    playing: Option<(Seat, Box<dyn Player>)>,
}

impl Bridge {
    /// An engine before the first move, on a board of `size` lines per side, or else of the ruleset's size.
    fn new(bot: Bot, ruleset: &Ruleset, size: Option<u8>, conditions: Conditions) -> Bridge {
        let go: &Go = ruleset.rules_of().expect("a ruleset of Go");
        let clock = ruleset.clock.expect("a ruleset of Go has a clock");
        // The GTP controller decides when a game ends, so there is no limit to its moves.
        let go = Go { size: size.unwrap_or(go.size), move_cap: u32::MAX, ..go.clone() };
        let state = start(&go);
        Bridge { bot, conditions, clock, usual_clock: clock, go, state, playing: None }
    }

    /// Runs a command.
    ///
    /// # Errors
    /// When the sandbox fails. What is wrong with the bot or the command is a response, not an error.
    fn answer(&mut self, command: &GtpCommand) -> anyhow::Result<Response> {
        let args: Vec<&str> = command.args.iter().map(String::as_str).collect();
        Ok(match (command.name.as_str(), args.as_slice()) {
            ("protocol_version", _) => Ok("2".to_string()),
            ("name", _) => Ok(self.bot.name.clone()),
            ("version", _) => Ok(crate::VERSION.to_string()),
            ("known_command", [name]) => Ok(COMMANDS.contains(name).to_string()),
            ("list_commands", _) => Ok(COMMANDS.join("\n")),
            ("quit", _) => self.end().map(|()| Ok(String::new()))?,
            ("boardsize", [size]) => match size.parse().ok().filter(|size| SIZES.contains(size)) {
                Some(size) => self.begin(size).map(|()| Ok(String::new()))?,
                None => Err("unacceptable size".into()),
            },
            ("clear_board", _) => self.begin(self.go.size).map(|()| Ok(String::new()))?,
            ("komi", [komi]) => self.set_komi(komi),
            ("play", [colour, vertex]) => self.play(colour, vertex),
            ("time_settings", [main, byo_yomi, stones]) => self.set_clock([main, byo_yomi, stones]),
            // The bridge itself keeps the bot's clock.
            ("time_left", [_, _, _]) => Ok(String::new()),
            ("genmove", [colour]) => self.genmove(colour)?,
            ("showboard", _) => Ok(format!("\n{}", self.state.diagram())),
            ("final_score", _) => Ok(self.score()),
            ("undo", _) => Err("cannot undo: in the bot's protocol, moves cannot be taken back".into()),
            (known, _) if COMMANDS.contains(&known) => Err("syntax error".into()),
            _ => Err("unknown command".into()),
        })
    }

    /// Ends the bot, if it runs.
    fn end(&mut self) -> anyhow::Result<()> {
        if let Some((_, mut bot)) = self.playing.take() {
            bot.finish().context("ending the bot")?;
        }
        Ok(())
    }

    /// Begins a new game on a board of this size. The bot is started anew for it.
    fn begin(&mut self, size: u8) -> anyhow::Result<()> {
        self.end()?;
        self.go.size = size;
        self.state = start(&self.go);
        Ok(())
    }

    fn set_komi(&mut self, komi: &str) -> Response {
        let halves = komi.parse::<f64>().ok().map(|komi| komi * 2.0).filter(|halves| halves.abs() <= 1000.0);
        let halves = halves.ok_or("syntax error")?;
        if halves.fract() != 0.0 {
            return Err("komi is a number of whole or half points".into());
        }
        self.go.komi_halves = halves as i32;
        Ok(String::new())
    }

    /// Sets the clock of a bot that is started from now on: `main` seconds, and after them `byo_yomi` seconds divided
    /// by `stones` for each move, at least [`LEAST_TIME`]. `byo_yomi` with 0 stones means no limit in GTP; the bot then
    /// gets the ruleset's clock, as it does if all three are 0.
    fn set_clock(&mut self, figures: [&str; 3]) -> Response {
        let [main, byo_yomi, stones] = figures.map(|figure| figure.parse::<u32>().ok());
        let (Some(main), Some(byo_yomi), Some(stones)) = (main, byo_yomi, stones) else {
            return Err("syntax error".into());
        };
        let seconds = |figure: u32| Duration::from_secs(figure.into());
        self.clock = match stones {
            0 if byo_yomi > 0 || main == 0 => self.usual_clock,
            stones => GameClock {
                budget: seconds(main),
                minimum: (seconds(byo_yomi) / stones.max(1)).max(LEAST_TIME),
                ..self.usual_clock
            },
        };
        Ok(String::new())
    }

    /// Plays a move of the opponent.
    fn play(&mut self, colour: &str, vertex: &str) -> Response {
        let seat = seat_named(colour).ok_or("invalid color or coordinate")?;
        let refused = |words: String| Err(format!("illegal move: {words}").into());
        if self.playing.as_ref().is_some_and(|(own, _)| *own == seat) {
            return refused(format!("the bot plays {} and makes its own moves", Colour::for_seat(seat).name()));
        }
        if let Err(Reason(words)) = self.is_to_move(seat) {
            return refused(words);
        }
        match self.go.read(&self.state, seat, vertex.as_bytes()) {
            Ok(m) => {
                self.go.apply(&mut self.state, &[(seat, Action::Move(m))]);
                Ok(String::new())
            }
            Err(violation) if violation.kind == "no-move" => Err("invalid color or coordinate".into()),
            Err(violation) => refused(violation.detail),
        }
    }

    /// Asks the bot for a move, and starts it first if this is the first move of its colour.
    fn genmove(&mut self, colour: &str) -> anyhow::Result<Response> {
        let Some(seat) = seat_named(colour) else { return Ok(Err("invalid color".into())) };
        if let Err(words) = self.is_to_move(seat) {
            return Ok(Err(words));
        }
        let began = self.state.moves().len() == seat.index();
        let (own, bot) = match &mut self.playing {
            Some(playing) => playing,
            None if began => {
                let bot = self.start_bot(seat)?;
                self.playing.insert((seat, bot))
            }
            None => return Ok(Err("the bot can only be started at the first move of its colour".into())),
        };
        if *own != seat {
            return Ok(Err(format!("the bot plays {} in this game", Colour::for_seat(*own).name()).into()));
        }
        let view = self.go.view(&self.state, seat);
        let live = InProgress::at(self.go.clone(), 2, self.state.clone());
        let given = bot.ask(&Turn { view: &view, game: &live, seat }).context("asking the bot")?.reply;
        let read =
            given.and_then(|given| self.go.read(&self.state, seat, given.as_bytes()).map_err(Fault::IllegalMove));
        Ok(match read {
            Ok(m) => {
                self.go.apply(&mut self.state, &[(seat, Action::Move(m))]);
                Ok(self.go.notation(&m))
            }
            Err(fault) => {
                self.end()?;
                Err(format!("{} forfeits: {fault}", self.bot.name).into())
            }
        })
    }

    fn start_bot(&self, seat: Seat) -> anyhow::Result<Box<dyn Player>> {
        // A Go bot has a colour instead of a mark.
        let protocol = KIT.protocol(&self.go, seat, 0);
        let sandbox = self.bot.sandbox(self.conditions).context("opening the bot's sandbox")?;
        let mut bot = seating::seat_with(protocol, &self.bot, Some(self.clock), false, sandbox);
        bot.start(&Setup { seats: 2, ..Setup::default() }, seat).context("starting the bot")?;
        Ok(bot)
    }

    /// Checks that it is the turn of `seat`.
    fn is_to_move(&self, seat: Seat) -> Result<(), Reason> {
        match self.go.to_act(&self.state) {
            to_act if to_act.contains(seat) => Ok(()),
            to_act if to_act.is_empty() => Err("the game is over".into()),
            _ => {
                let name = Colour::for_seat(self.state.turn()).name();
                Err(format!("it is {name}'s turn, and the colours must take turns in the bot's protocol").into())
            }
        }
    }

    /// The score by GTP's notation, where all stones count as alive (G2).
    fn score(&self) -> String {
        let [black, white] = self.go.scores_halves(self.state.position().area());
        let points = |halves: i64| halves as f64 / 2.0;
        match black - white {
            0 => "0".to_string(),
            ahead if ahead > 0 => format!("B+{:.1}", points(ahead)),
            behind => format!("W+{:.1}", points(-behind)),
        }
    }
}

fn start(go: &Go) -> GoState {
    go.start(&Setup { seats: 2, ..Setup::default() }).expect("a board of an acceptable size")
}

fn seat_named(colour: &str) -> Option<Seat> {
    match colour.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Seat(0)),
        "w" | "white" => Some(Seat(1)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, command: Option<(Option<u64>, &str, &[&str])>) {
        let read = GtpCommand::read(line.as_bytes());
        let args = |args: &[&str]| args.iter().map(ToString::to_string).collect();
        let wanted = command.map(|(id, name, words)| GtpCommand { id, name: name.to_string(), args: args(words) });
        assert_eq!(read, wanted, "{line:?}");
    }

    #[test]
    fn comments_spaces_and_numbers_are_not_commands() {
        check("genmove b\n", Some((None, "genmove", &["b"])));
        check("  17\tplay  B c3 # hm\r\n", Some((Some(17), "play", &["B", "c3"])));
        check("quit\u{7}", Some((None, "quit", &[])));
        check("# quit\n", None);
        check("\r\n", None);
        check("12\n", None);
    }

    #[test]
    fn a_response_ends_with_its_only_blank_line() {
        let command = |line: &str| GtpCommand::read(line.as_bytes()).unwrap();
        assert_eq!(command("7 name").response(&Ok("X".into())), b"=7 X\n\n");
        assert_eq!(command("x").response(&Err("unknown command".into())), b"? unknown command\n\n");
        assert_eq!(command("1 a").response(&Ok("\n a\n\n b\n".into())), b"=1 \n a\n b\n\n");
    }
}
