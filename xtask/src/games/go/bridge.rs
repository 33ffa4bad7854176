//! The engine that stands before a bot: it keeps the board, and the bot hears of the game as the contest's protocol
//! has it (G4).
//!
//! That protocol begins with the empty board, has the colours take turns and no way back: what GTP could ask for
//! beyond that is refused in words. The bot is started when the first move is asked of it, which tells its colour.

use super::command::Command;
use anyhow::Context;
use cornerman::game::{Action, Game, InProgress, Seat, Setup};
use cornerman::games::go::{Colour, Go, SIZES, State};
use cornerman_harness::bot::Bot;
use cornerman_harness::games::go::KIT;
use cornerman_harness::kit::GameKit;
use cornerman_harness::player::clock::GameClock;
use cornerman_harness::player::{Fault, Player, Turn, seating};
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::sandbox::Conditions;
use std::time::Duration;

/// The commands that are known.
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

/// A bot whose time is up has at least so long for a move.
const LEAST_TIME: Duration = Duration::from_secs(1);

/// What is said to a command: done, or refused.
type Response = Result<String, String>;

/// A bot and the game it is in.
pub struct Bridge {
    bot: Bot,
    conditions: Conditions,
    clock: GameClock,
    /// The ruleset's.
    usual_clock: GameClock,
    go: Go,
    state: State,
    /// The bot under way, and its seat.
    playing: Option<(Seat, Box<dyn Player>)>,
}

impl Bridge {
    /// Before the first move on a board of `size` lines a side, if that is said, else of the ruleset's.
    pub fn new(bot: Bot, ruleset: &Ruleset, size: Option<u8>, conditions: Conditions) -> Bridge {
        let go: &Go = ruleset.rules_of().expect("a ruleset of Go");
        let clock = ruleset.clock.expect("a ruleset of Go has a clock");
        // When a game ends is for those to say who speak to us.
        let go = Go { size: size.unwrap_or(go.size), move_cap: u32::MAX, ..go.clone() };
        let state = start(&go);
        Bridge { bot, conditions, clock, usual_clock: clock, go, state, playing: None }
    }

    /// Does what a command says.
    ///
    /// # Errors
    /// When the kit fails; whatever the bot or the command does is a response.
    pub fn answer(&mut self, command: &Command) -> anyhow::Result<Response> {
        let args: Vec<&str> = command.args.iter().map(String::as_str).collect();
        Ok(match (command.name.as_str(), args.as_slice()) {
            ("protocol_version", _) => Ok("2".to_string()),
            ("name", _) => Ok(self.bot.name.clone()),
            ("version", _) => Ok(env!("CARGO_PKG_VERSION").to_string()),
            ("known_command", [name]) => Ok(COMMANDS.contains(name).to_string()),
            ("list_commands", _) => Ok(COMMANDS.join("\n")),
            ("quit", _) => self.end().map(|()| Ok(String::new()))?,
            ("boardsize", [size]) => match size.parse().ok().filter(|size| SIZES.contains(size)) {
                Some(size) => self.begin(size).map(|()| Ok(String::new()))?,
                None => Err("unacceptable size".to_string()),
            },
            ("clear_board", _) => self.begin(self.go.size).map(|()| Ok(String::new()))?,
            ("komi", [komi]) => self.set_komi(komi),
            ("play", [colour, vertex]) => self.play(colour, vertex),
            ("time_settings", [main, byo_yomi, stones]) => self.set_clock([main, byo_yomi, stones]),
            // The clock that the bot has is kept here.
            ("time_left", [_, _, _]) => Ok(String::new()),
            ("genmove", [colour]) => self.genmove(colour)?,
            ("showboard", _) => Ok(format!("\n{}", self.state.diagram())),
            ("final_score", _) => Ok(self.score()),
            ("undo", _) => Err("cannot undo: the bot's protocol has no way to take a move back".to_string()),
            (known, _) if COMMANDS.contains(&known) => Err("syntax error".to_string()),
            _ => Err("unknown command".to_string()),
        })
    }

    fn end(&mut self) -> anyhow::Result<()> {
        if let Some((_, mut bot)) = self.playing.take() {
            bot.finish().context("ending the bot")?;
        }
        Ok(())
    }

    /// A new game.
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
            return Err("komi is a number of whole or half points".to_string());
        }
        self.go.komi_halves = halves as i32;
        Ok(String::new())
    }

    /// The time that the bot has in games that begin from now on: `main` seconds, and then `byo_yomi` for so many
    /// `stones`. Without a limit, which is `byo_yomi` for no stones, it has the ruleset's.
    fn set_clock(&mut self, figures: [&str; 3]) -> Response {
        let [main, byo_yomi, stones] = figures.map(|figure| figure.parse::<u32>().ok());
        let (Some(main), Some(byo_yomi), Some(stones)) = (main, byo_yomi, stones) else {
            return Err("syntax error".to_string());
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

    /// Somebody else's move.
    fn play(&mut self, colour: &str, vertex: &str) -> Response {
        let seat = seat_named(colour).ok_or("invalid color or coordinate")?;
        let refused = |words: String| Err(format!("illegal move: {words}"));
        if self.playing.as_ref().is_some_and(|(own, _)| *own == seat) {
            return refused(format!("{} is the bot's, which makes its own moves", Colour::of(seat).name()));
        }
        if let Err(words) = self.is_to_move(seat) {
            return refused(words);
        }
        match self.go.read(&self.state, seat, vertex.as_bytes()) {
            Ok(m) => {
                self.go.apply(&mut self.state, &[(seat, Action::Move(m))]);
                Ok(String::new())
            }
            Err(violation) if violation.kind == "no-move" => Err("invalid color or coordinate".to_string()),
            Err(violation) => refused(violation.detail),
        }
    }

    /// The bot's move.
    fn genmove(&mut self, colour: &str) -> anyhow::Result<Response> {
        let Some(seat) = seat_named(colour) else { return Ok(Err("invalid color".to_string())) };
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
            None => return Ok(Err("the bot can only begin at its first move of a game".to_string())),
        };
        if *own != seat {
            return Ok(Err(format!("the bot plays {} in this game", Colour::of(*own).name())));
        }
        let view = self.go.view(&self.state, seat);
        let live = InProgress::at(self.go.clone(), 2, self.state.clone());
        let given = bot.ask(&Turn { view: &view, game: &live, seat }).context("asking the bot")?.reply;
        let read = given.and_then(|given| self.go.read(&self.state, seat, given.as_bytes()).map_err(Fault::IllegalMove));
        Ok(match read {
            Ok(m) => {
                self.go.apply(&mut self.state, &[(seat, Action::Move(m))]);
                Ok(self.go.notation(&m))
            }
            Err(fault) => {
                self.end()?;
                Err(format!("{} forfeits: {fault}", self.bot.name))
            }
        })
    }

    fn start_bot(&self, seat: Seat) -> anyhow::Result<Box<dyn Player>> {
        // A Go bot has no mark of its own: it has its colour.
        let protocol = KIT.protocol(&self.go, seat, 0);
        let opened = seating::open_with(protocol, &self.bot, Some(self.clock), false, self.conditions);
        let mut bot = opened.context("opening the bot's sandbox")?;
        bot.start(&Setup { seats: 2, ..Setup::default() }, seat).context("starting the bot")?;
        Ok(bot)
    }

    /// Nothing, unless it is not the turn of `seat`.
    fn is_to_move(&self, seat: Seat) -> Result<(), String> {
        match self.go.to_act(&self.state) {
            to_act if to_act.contains(seat) => Ok(()),
            to_act if to_act.is_empty() => Err("the game is over".to_string()),
            _ => Err(format!("it is {}'s turn, and in the bot's protocol the colours take turns", {
                Colour::of(self.state.turn()).name()
            })),
        }
    }

    /// All stones taken for alive (G2).
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

fn start(go: &Go) -> State {
    go.start(&Setup { seats: 2, ..Setup::default() }).expect("a board of an acceptable size")
}

fn seat_named(colour: &str) -> Option<Seat> {
    match colour.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Seat(0)),
        "w" | "white" => Some(Seat(1)),
        _ => None,
    }
}
