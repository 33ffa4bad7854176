//! Scripts for the yardstick in C: what each bot of a recorded game is sent, and how much it answers.
//!
//! The rules and codecs of the kit make the script from the moves of the record. The same walk through a game checks
//! what the bots of the yardstick answered: each answer must be the recorded move.

use cornerman::game::{LiveGame, Reply, Seat, Seats};
use cornerman_harness::contest_file::{ContestFile, RecordedContest};
use cornerman_harness::games::{boxing, go, rps};
use cornerman_harness::judge::question::{self, PositionRef, Questions};
use cornerman_harness::judge::{JudgedGame, judged};
use cornerman_harness::kit::{AnyKit, Games};
use cornerman_harness::player::codec::{LineCodec, LineStatus};
use cornerman_harness::player::protocol::Protocol;
use cornerman_harness::record::{GameRecord, MoveRecord, Record, RecordError};
use std::collections::{BTreeMap, VecDeque};
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// How the yardstick starts a bot.
#[derive(Clone)]
pub struct Starter {
    /// The program and its arguments.
    pub argv: Vec<OsString>,
    /// The engine protocol that it speaks, such as `gtp`.
    pub engine: Option<String>,
}

/// A script in the form that `judge.c` reads, or a comparison of its answers with the record.
#[derive(Default)]
pub struct Script {
    commands: Vec<Vec<OsString>>,
    games: Vec<Vec<u8>>,
    /// What the bots of the yardstick answered, if that is to be compared.
    answers: Option<VecDeque<Vec<u8>>>,
}

impl Script {
    /// The script of all games of the record `db`, whose entrants are started as `starters` says, by their spec.
    pub fn from_record(db: &Path, starters: &BTreeMap<String, Starter>) -> Script {
        let mut script = Script::default();
        script.walk(db, starters);
        script
    }

    /// Compares what the bots of the yardstick wrote, from the file `answers`, with the moves of the record `db`.
    pub fn check_answers(db: &Path, starters: &BTreeMap<String, Starter>, answers: &Path) {
        let bytes = std::fs::read(answers).expect("the answers of the yardstick");
        let mut answers = VecDeque::new();
        let mut rest = &bytes[..];
        while let Some((length, tail)) = rest.split_first_chunk() {
            let (answer, tail) = tail.split_at(u32::from_ne_bytes(*length) as usize);
            answers.push_back(answer.to_vec());
            rest = tail;
        }
        let mut script = Script { answers: Some(answers), ..Script::default() };
        script.walk(db, starters);
        assert!(script.answers.is_some_and(|answers| answers.is_empty()), "the yardstick has more answers");
    }

    /// Follows all games of the record `db`.
    fn walk(&mut self, db: &Path, starters: &BTreeMap<String, Starter>) {
        let record = Record::open(db).expect("the record of a tournament");
        let contest =
            ContestFile::recorded(&record, &Games::new([&boxing::KIT as &dyn AnyKit, &rps::KIT, &go::KIT]))
                .expect("the contest of the record");
        let entrants = record.entrants().expect("the entrants of the record");
        record
            .each_full_game::<RecordError>(&mut |game| {
                let seats = game.pairing.seats.iter().map(|entrant| &starters[&entrants[entrant.index()].spec]);
                self.walk_game(&contest, &game, seats.cloned().collect());
                Ok(())
            })
            .expect("the games of the record");
    }

    /// Follows one game as the referee plays it.
    fn walk_game(&mut self, contest: &RecordedContest, game: &GameRecord, starters: Vec<Starter>) {
        let id = game.pairing.id;
        assert!(game.faults.is_empty(), "game {id}: a bot of the bench forfeited: {:?}", game.faults);
        self.games.push(Vec::new());
        let rules = &contest.ruleset;
        let mut live = rules.open(&game.setup).expect("a recorded setup");
        let mut seats: Vec<Box<dyn Talk>> = (0u8..)
            .zip(starters)
            .map(|(seat, Starter { argv, engine })| -> Box<dyn Talk> {
                let responses = if engine.is_some() { 2 } else { 1 };
                match rules.protocol(Seat(seat), engine.as_deref()).expect("a protocol of the game") {
                    Protocol::Pipe(pipe) => {
                        let mark = OsString::from(char::from(pipe.mark).to_string());
                        Box::new(Moves { seat, command: self.command([argv, vec![mark]].concat()) })
                    }
                    Protocol::Lines(lines) => {
                        let codec = (lines.codec)(&game.setup, Seat(seat), rules.clock);
                        let command = self.command([argv, lines.args].concat());
                        Box::new(Lines { seat, command, greets: lines.greets, codec, responses, asked: 0 })
                    }
                }
            })
            .collect();
        for seat in &seats {
            seat.start(self);
        }
        for seat in &seats {
            seat.greet(self);
        }
        let mut judge = judged(rules).map(|rules| {
            let command = self.command(rules.judge.bot.program.argv.clone());
            let seat = game.setup.seats;
            self.step(b'S', seat, command, &[]);
            let questions = Questions::new(seat, rules.judge.hello.filter, rules.values());
            self.ask_judge(seat, &question::hello());
            // As the kit does, this sends a seed that is exact in any JSON reader.
            self.ask_judge(seat, &questions.start(game.setup.seed & ((1 << 53) - 1), "").0);
            // The record has no answers of bots, only notations, which differ from answers in a game of filters.
            (seat, questions, rules.judge.hello.filter)
        });
        let mut moves = game.moves.iter();
        while live.outcome().is_none() {
            let before = live.fork();
            let first = game.moves.len() - moves.len();
            let acting: Vec<(Seat, Vec<u8>)> = live.to_act().iter().map(|seat| (seat, live.view(seat))).collect();
            for (seat, view) in &acting {
                seats[seat.index()].ask(view, self);
            }
            for (seat, _) in acting {
                let made = moves.next().expect("the record has all moves");
                assert_eq!(made.seat, seat, "game {id}: the order of play");
                if let Some(reply) = seats[seat.index()].answer(self) {
                    check(&*live, made, &reply).unwrap_or_else(|why| panic!("game {id}, the yardstick: {why}"));
                }
                let played = live.play(seat, &Reply::Notation(made.notation.clone()));
                played.unwrap_or_else(|violation| panic!("game {id}: {violation}"));
            }
            if let Some((seat, questions, in_notation)) = &mut judge {
                let position = before.as_any().and_then(|game| game.downcast_ref::<JudgedGame>());
                let position = position.expect("a game of a judge").position();
                let made = &game.moves[first..game.moves.len() - moves.len()];
                let made: Vec<Option<String>> = made.iter().map(|made| Some(made.notation.clone())).collect();
                let at = PositionRef { turn: position.turn, out: Seats::NONE, state: &position.state };
                let (question, _) = questions.moves(at, &made, *in_notation);
                self.ask_judge(*seat, &question);
            }
        }
        for (seat, talk) in (0u8..).map(Seat).zip(&mut seats) {
            talk.end(&live.view(seat), self);
        }
        self.step(b'E', 0, game.setup.seats.into(), &[]);
    }

    /// Asks the judge, which follows the seats, a question.
    fn ask_judge(&mut self, seat: u8, question: &str) {
        self.step(b'W', seat, 0, format!("{question}\n").as_bytes());
        self.step(b'R', seat, 1, &[]);
        self.next_answer();
    }

    /// The number of a command.
    fn command(&mut self, argv: Vec<OsString>) -> u16 {
        let known = self.commands.iter().position(|known| *known == argv);
        let number = known.unwrap_or_else(|| {
            self.commands.push(argv);
            self.commands.len() - 1
        });
        number.try_into().expect("a few commands")
    }

    /// Adds a step to the game; its kinds are those of `judge.c`.
    fn step(&mut self, kind: u8, seat: u8, value: u16, bytes: &[u8]) {
        let game = self.games.last_mut().expect("a game has begun");
        let length = u32::try_from(bytes.len()).expect("a short message").to_ne_bytes();
        game.extend([kind, seat].iter().chain(&value.to_ne_bytes()).chain(&length).chain(bytes));
    }

    /// The next answer of the yardstick's bots, if answers are compared.
    fn next_answer(&mut self) -> Option<Vec<u8>> {
        let answers = self.answers.as_mut()?;
        Some(answers.pop_front().expect("the yardstick has an answer"))
    }

    /// The script as `judge.c` reads it: the commands, where each game begins, and the games.
    pub fn to_bytes(&self) -> Vec<u8> {
        let number = |number: usize| u32::try_from(number).expect("a small script").to_ne_bytes();
        let mut bytes = number(self.commands.len()).to_vec();
        for words in &self.commands {
            bytes.extend(number(words.len()));
            for word in words {
                bytes.extend(word.as_bytes().iter().chain(&[0]));
            }
        }
        bytes.extend(number(self.games.len()));
        let mut begin = bytes.len() + 4 * self.games.len();
        for game in &self.games {
            bytes.extend(number(begin));
            begin += game.len();
        }
        bytes.extend(self.games.concat());
        bytes
    }
}

/// Compares the answer of a bot of the yardstick with the recorded move.
fn check(live: &dyn LiveGame, made: &MoveRecord, answer: &[u8]) -> Result<(), String> {
    match live.judge(made.seat, &Reply::Answer(answer.to_vec())) {
        Ok(notation) if notation == made.notation => Ok(()),
        Ok(notation) => Err(format!("move {} is {notation} instead of {}", made.number, made.notation)),
        Err(violation) => Err(format!("move {}: {violation}", made.number)),
    }
}

/// How a seat is addressed; every call adds its steps to the script.
trait Talk {
    /// Starts its process, if one plays the whole game.
    fn start(&self, script: &mut Script);
    /// Reads the bot's name, if it prints one.
    fn greet(&self, script: &mut Script);
    /// Sends what the bot is to answer.
    fn ask(&mut self, view: &[u8], script: &mut Script);
    /// Reads the answer. Returns that of the yardstick's bot, if answers are compared.
    fn answer(&mut self, script: &mut Script) -> Option<Vec<u8>>;
    /// Sends what the bot is sent after the game.
    fn end(&mut self, view: &[u8], script: &mut Script);
}

/// A process for each move.
struct Moves {
    seat: u8,
    command: u16,
}

impl Talk for Moves {
    fn start(&self, _: &mut Script) {}

    fn greet(&self, _: &mut Script) {}

    fn ask(&mut self, view: &[u8], script: &mut Script) {
        script.step(b'M', self.seat, self.command, view);
    }

    fn answer(&mut self, script: &mut Script) -> Option<Vec<u8>> {
        script.next_answer()
    }

    fn end(&mut self, _: &[u8], _: &mut Script) {}
}

/// A process for the whole game.
struct Lines {
    seat: u8,
    command: u16,
    greets: bool,
    codec: Box<dyn LineCodec>,
    /// The number of lines with which a command is answered: 2 in GTP, in which a request can be several commands; else
    /// 1, for the whole request.
    responses: u16,
    /// The number of lines of the last request that are answered.
    asked: u16,
}

impl Talk for Lines {
    fn start(&self, script: &mut Script) {
        script.step(b'S', self.seat, self.command, &[]);
    }

    fn greet(&self, script: &mut Script) {
        if self.greets {
            script.step(b'R', self.seat, 1, &[]);
            script.next_answer();
        }
    }

    fn ask(&mut self, view: &[u8], script: &mut Script) {
        let message = self.codec.request_move(view, false);
        let commands = message.iter().filter(|&&byte| byte == b'\n').count() as u16;
        self.asked = if self.responses > 1 { commands } else { 1 };
        if !message.is_empty() {
            script.step(b'W', self.seat, 0, &message);
        }
    }

    fn answer(&mut self, script: &mut Script) -> Option<Vec<u8>> {
        script.step(b'R', self.seat, self.asked * self.responses, &[]);
        let lines = script.next_answer()?;
        let mut answer = None;
        for line in lines.split(|&byte| byte == b'\n') {
            if let LineStatus::Answer(given) = self.codec.receive(line.to_vec()) {
                answer = answer.or(Some(given.unwrap_or_else(|fault| panic!("the yardstick's bot: {fault}"))));
            }
        }
        Some(answer.expect("the lines of the yardstick's bot have an answer"))
    }

    fn end(&mut self, view: &[u8], script: &mut Script) {
        let message = self.codec.final_message(view).into_owned();
        if !message.is_empty() {
            script.step(b'W', self.seat, 0, &message);
        }
    }
}
