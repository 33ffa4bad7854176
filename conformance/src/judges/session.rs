//! A judge under test, and the bots that play its game: a judge is asked, and what goes wrong is a finding.

use super::{JudgeRequest, finding};
use crate::catalog::Id;
use crate::finding::Finding;
use crate::protocol::setup;
use cornerman::game::{End, LiveGame, Outcome, Seat, Seats, Setup};
use cornerman_harness::bot::Bot;
use cornerman_harness::judge::answer::JudgePosition;
use cornerman_harness::judge::failure::{JudgeFailure, JudgeFault};
use cornerman_harness::judge::hello::JudgeHello;
use cornerman_harness::judge::process::{AskError, END, JudgeProcess, JudgeStopped, SHOWN_ERRORS};
use cornerman_harness::judge::{MAX_LINE, MAX_PICTURE_LINE, bytes_of, text_of};
use cornerman_harness::player::seating::Seated;
use cornerman_harness::player::{Player, Turn, seating};
use cornerman_harness::referee::play_unseen;
use cornerman_harness::sandbox::{Conditions, Ended, Environment};
use cornerman_harness::text::{count, duration};
use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

/// For how long games of bots against each other are begun.
const PATIENCE: Duration = Duration::from_secs(5);

/// In how many of them a bot sits in each seat, if games differ by seed.
const SEEDS: u64 = 5;

/// The result of asking a judge, unless the sandbox fails.
pub(super) type Checked<T = ()> = Result<T, JudgeFailure>;

/// Returns the check that a judge fails by a wrong answer to a question, given the one that such an answer fails
/// elsewhere.
pub(super) type CheckOfFault<'n> = &'n dyn Fn(Id) -> Id;

/// The [`CheckOfFault`] of usual questions.
pub(super) const AS_USUAL: CheckOfFault = &|id| id;

/// A finding that is not about a question.
pub(super) const NO_QUESTION: (&str, &[u8]) = ("", b"");

/// A judge under test.
pub(super) struct Session<'a> {
    bot: &'a Bot,
    conditions: Conditions,
    limit: Duration,
    environment: Environment,
    process: Option<JudgeProcess>,
    /// How many processes there have been: the number of the one that was asked last.
    pub started: u64,
    /// The number of questions so far.
    pub questions: u64,
    /// The time that answers took.
    pub took: Duration,
    /// Findings by id: the first of each.
    pub findings: BTreeMap<Id, Finding>,
}

/// A question and the answer to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Exchange {
    pub question: String,
    pub answer: Vec<u8>,
}

impl<'a> Session<'a> {
    pub(super) fn new(bot: &'a Bot, conditions: Conditions, limit: Duration) -> Session<'a> {
        let findings = BTreeMap::new();
        let environment = Environment::Usual;
        let took = Duration::ZERO;
        Session { bot, conditions, limit, environment, process: None, started: 0, questions: 0, took, findings }
    }

    /// Ends the process. The next question is put to a fresh one, in this environment.
    pub(super) fn refresh(&mut self, environment: Environment) -> Checked {
        self.environment = environment;
        self.close()
    }

    /// Ends the input of the process, and judges how it ends.
    pub(super) fn close(&mut self) -> Checked {
        let Some(process) = self.process.take() else { return Ok(()) };
        let report = process.end(END)?;
        let errors = report.stderr_tail(SHOWN_ERRORS);
        let how = match &report.ended {
            Ended::Exited(0) => None,
            Ended::Exited(status) => Some(format!("it ended with exit status {status}")),
            Ended::Signalled(signal) => Some(format!("it ended by signal {signal}")),
            Ended::TimedOut | Ended::Stopped => Some(format!("it did not end within {}", duration(END))),
            other => Some(other.to_string()),
        };
        if let Some(how) = how {
            self.found("JD-EOF", &how, "the end of its input", NO_QUESTION, &errors);
        } else if !errors.trim().is_empty() {
            self.found("JD-STDERR", "it wrote to standard error", "games without a fault", NO_QUESTION, &errors);
        }
        Ok(())
    }

    /// Asks a question without looking at the answer.
    pub(super) fn ask_only(&mut self, question: &str) -> Checked {
        self.ask(question, |_| Ok(())).map(drop).or_else(|error| error.stopped().map(drop))
    }

    /// Asks a question, and returns the answer as it was written, and what `read` reads in it.
    fn ask<T>(
        &mut self,
        question: &str,
        read: impl FnOnce(&[u8]) -> Result<T, JudgeFault>,
    ) -> Result<(Vec<u8>, T), AskError> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => {
                self.started += 1;
                JudgeProcess::start(self.bot, self.conditions, self.environment)?.hello()?.0
            }
        };
        self.questions += 1;
        let surplus = process.surplus()?;
        if !surplus.is_empty() {
            let fault = JudgeFault::new("JD-JSON", "it wrote more than one line to one question");
            return Err(process.refuted(fault, surplus));
        }
        let longest = if question.starts_with("{\"ask\":\"picture\"") { MAX_PICTURE_LINE } else { MAX_LINE };
        let began = Instant::now();
        let (process, answer, read) = process.ask_for(question, self.limit, longest, |answer| {
            self.took += began.elapsed();
            read(answer)
        })?;
        self.process = Some(process);
        Ok((answer, read))
    }

    /// Asks a question again, and returns whether the answer differs. Then the judge fails the check `id`; `what` says
    /// so, given the answer before.
    pub(super) fn differs(
        &mut self,
        exchange: &Exchange,
        id: Id,
        place: &str,
        what: impl FnOnce(&str) -> String,
    ) -> Checked<bool> {
        let (answer, errors) = match self.ask(&exchange.question, |_| Ok(())) {
            Ok((answer, ())) if answer == exchange.answer => return Ok(false),
            Ok((answer, ())) => (answer, String::new()),
            Err(error) => {
                let JudgeStopped { fault, answer, errors } = error.stopped()?;
                (if answer.is_empty() { format!("({})", fault.what).into_bytes() } else { answer }, errors)
            }
        };
        let what = what(&String::from_utf8_lossy(&exchange.answer));
        self.found(id, &what, place, (&exchange.question, &answer), &errors);
        Ok(true)
    }

    /// Asks a question whose answer `read` interprets. A wrong answer is a finding.
    pub(super) fn asked<T>(
        &mut self,
        question: &str,
        place: &str,
        read: impl FnOnce(&[u8]) -> Result<T, JudgeFault>,
        check_of_fault: CheckOfFault,
    ) -> Checked<Option<(T, Exchange)>> {
        let JudgeStopped { fault, answer, errors } = match self.ask(question, read) {
            Ok((answer, value)) => return Ok(Some((value, Exchange { question: question.to_string(), answer }))),
            Err(error) => error.stopped()?,
        };
        let id = check_of_fault(fault.id);
        // If the judge does the same wrong at usual questions too, a special question is not the reason.
        if id == fault.id || !self.findings.contains_key(fault.id) {
            self.found(id, &fault.what, place, (question, &answer), &errors);
        }
        Ok(None)
    }

    /// Notes a [finding], unless there is already one of this check.
    pub(super) fn found(&mut self, id: Id, what: &str, place: &str, exchange: (&str, &[u8]), errors: &str) {
        self.findings.entry(id).or_insert_with(|| finding(id, what, place, exchange, errors));
    }
}

/// A player for each of these bots, in order of play.
pub(super) fn players<'b>(
    request: &JudgeRequest,
    bots: impl Iterator<Item = &'b Bot>,
) -> Checked<Vec<Box<dyn Player>>> {
    let mut players = Vec::new();
    for (seat, bot) in (0..).map(Seat).zip(bots) {
        players.push(seating::seat(bot, request.ruleset, seat, bot.sandbox(request.conditions)?)?);
    }
    Ok(players)
}

/// Bots that play a game whose judge does not list moves.
pub(super) struct Movers<'a> {
    seated: Option<(Seated, Box<dyn LiveGame>)>,
    hello: &'a JudgeHello,
    /// What each seat has yet to be sent.
    unsent: Vec<String>,
}

impl<'a> Movers<'a> {
    pub(super) fn new(request: &JudgeRequest, hello: &'a JudgeHello, seats: u8, seed: u64) -> Checked<Movers<'a>> {
        let unsent = vec![String::new(); usize::from(seats)];
        let mut movers = Movers { seated: None, hello, unsent };
        if hello.legal || request.bots.is_empty() {
            return Ok(movers);
        }
        let marks = request.ruleset.marks[..usize::from(seats)].to_vec();
        let setup = Setup { seats, board: Vec::new(), marks: marks.clone(), seed };
        let Ok(game) = request.ruleset.open(&setup) else { return Ok(movers) };
        let bots = request.bots.iter().cycle().skip(seed as usize % request.bots.len());
        let mut players = players(request, bots.take(seats.into()))?;
        for (seat, player) in (0..seats).map(Seat).zip(&mut players) {
            player.start(&setup, seat)?;
        }
        movers.seated = Some((Seated::new(players, &marks)?, game));
        Ok(movers)
    }

    /// What the bot in this seat answers; `None` if it does not, or if there are no bots.
    pub(super) fn answer(&mut self, seat: Seat) -> Checked<Option<String>> {
        let Some((seated, game)) = &mut self.seated else { return Ok(None) };
        let view = bytes_of(&std::mem::take(&mut self.unsent[seat.index()]), self.hello.bytes);
        let turn = Turn { view: &view, game: game.as_ref(), seat };
        let answer = seated.players[seat.index()].ask(&turn)?;
        Ok(answer.reply.ok().and_then(|reply| text_of(reply.as_bytes(), self.hello.bytes)))
    }

    /// Keeps what `position` shows to each seat until the seat is to answer.
    pub(super) fn sent(&mut self, position: &JudgePosition, out: Seats) {
        position.add_views(self.hello.filter, out, &mut self.unsent);
    }
}

/// The results of a bot in games against another one, which has all other seats. Only the judge's author can tell
/// whether the scores are the right way round, because only the author knows which bot is the better one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotTally {
    /// The bot.
    pub bot: String,
    /// The other one.
    pub against: String,
    /// The number of games.
    pub games: u32,
    /// Those that it won alone.
    pub won: u32,
    /// Those in which it shared the first place.
    pub tied: u32,
    /// Those that ended by a forfeit, of any seat.
    pub forfeited: u32,
}

impl BotTally {
    /// Counts a game in which the bot had this seat.
    fn add(&mut self, outcome: &Outcome, own: Seat) {
        self.games += 1;
        self.forfeited += u32::from(outcome.end == End::Forfeited);
        if outcome.places[own.index()] == 1 {
            let counter = if outcome.winners().count() == 1 { &mut self.won } else { &mut self.tied };
            *counter += 1;
        }
    }
}

impl fmt::Display for BotTally {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let BotTally { bot, against, games, won, tied, forfeited } = self;
        write!(f, "{bot} won {won} of {} against {against}", count(*games, "game"))?;
        if *tied > 0 {
            write!(f, ", {tied} tied")?;
        }
        if *forfeited > 0 {
            write!(f, "; {forfeited} ended by a forfeit")?;
        }
        Ok(())
    }
}

/// Lets each bot of `request` play against the one before it, in every seat, and with several seeds if games are
/// `seeded`.
pub(super) fn tallies(request: &JudgeRequest, seeded: bool) -> Checked<Vec<BotTally>> {
    let until = Instant::now() + PATIENCE;
    let seats = request.ruleset.seats.0;
    let seeds = if seeded { SEEDS } else { 1 };
    let mut tallies = Vec::new();
    for pair in request.bots.windows(2).filter(|_| seats > 1) {
        let [other, own] = pair else { unreachable!("windows of two") };
        let (bot, against) = (own.name.clone(), other.name.clone());
        let mut tally = BotTally { bot, against, games: 0, won: 0, tied: 0, forfeited: 0 };
        let games = (0..seeds).flat_map(|seed| (0..seats).map(move |seat| (seed, Seat(seat))));
        for (seed, own_seat) in games.take_while(|_| Instant::now() < until) {
            let setup = setup(request.ruleset, seed);
            let Ok(mut live) = request.ruleset.open(&setup) else { continue };
            let bots = (0..seats).map(|seat| if Seat(seat) == own_seat { own } else { other });
            let mut seated = Seated::new(players(request, bots)?, &setup.marks)?;
            let outcome = play_unseen(&mut *live, &setup, &mut seated.players, &mut |_| {})?;
            tally.add(&outcome, own_seat);
        }
        if tally.games > 0 {
            tallies.push(tally);
        }
    }
    Ok(tallies)
}
