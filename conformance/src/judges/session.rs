//! A judge under test, and the bots that play its game: a judge is asked, and what goes wrong is a finding.

use super::{JudgeFinding, JudgeRequest, check};
use crate::catalog::Id;
use cornerman::game::{LiveGame, Seat, Seats, Setup};
use cornerman_harness::bot::Bot;
use cornerman_harness::judge::answer::{JudgePosition, Views};
use cornerman_harness::judge::failure::{JudgeFailure, JudgeFault};
use cornerman_harness::judge::hello::JudgeHello;
use cornerman_harness::judge::process::{AskError, END, JudgeProcess, JudgeStopped, SHOWN_ERRORS};
use cornerman_harness::judge::{JudgedGame, MAX_LINE, MAX_PICTURE_LINE, bytes_of, judged, text_of};
use cornerman_harness::player::seating::Seated;
use cornerman_harness::player::{Player, Turn, seating};
use cornerman_harness::sandbox::{Conditions, Ended, Environment};
use cornerman_harness::text::duration;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The result of asking a judge, unless the sandbox fails.
pub(super) type Checked<T = ()> = Result<T, JudgeFailure>;

/// Returns the check that a judge fails by a wrong answer to a question, given the one that such an answer fails
/// elsewhere.
pub(super) type CheckOfFault<'n> = &'n dyn Fn(Id) -> Id;

/// The [`CheckOfFault`] of usual questions.
pub(super) const AS_USUAL: CheckOfFault = &|id| id;

/// A judge under test.
pub(super) struct Session<'a> {
    bot: &'a Bot,
    conditions: Conditions,
    limit: Duration,
    environment: Environment,
    process: Option<JudgeProcess>,
    /// How many processes there have been.
    started: u64,
    /// The number of questions so far.
    pub questions: u64,
    /// The time that answers took.
    pub took: Duration,
    /// Findings by id: the first of each.
    pub findings: BTreeMap<Id, JudgeFinding>,
}

/// A question and the answer to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Exchange {
    pub question: String,
    pub answer: Vec<u8>,
}

/// What is wrong with an answer, or that there is none.
pub(super) struct Wrong {
    pub fault: JudgeFault,
    pub answer: Vec<u8>,
    pub errors: String,
}

impl<'a> Session<'a> {
    pub(super) fn new(bot: &'a Bot, conditions: Conditions, limit: Duration) -> Session<'a> {
        let findings = BTreeMap::new();
        let environment = Environment::Usual;
        let took = Duration::ZERO;
        Session { bot, conditions, limit, environment, process: None, started: 0, questions: 0, took, findings }
    }

    /// The number of the process that was asked last.
    pub(super) fn generation(&self) -> u64 {
        self.started
    }

    /// Ends the process. The next question is put to a fresh one, in this environment.
    pub(super) fn refresh(&mut self, environment: Environment) -> Checked {
        self.environment = environment;
        self.close()
    }

    /// Ends the input of the process, and judges how it ends.
    pub(super) fn close(&mut self) -> Checked {
        let Some(process) = self.process.take() else { return Ok(()) };
        let report = match process.end(END) {
            Ok(report) => report,
            Err(AskError::Sandbox(failure)) => return Err(failure),
            Err(AskError::Stopped(stopped)) => {
                self.found("JD-EOF", stopped.fault.what, "the end of its input", "", b"", stopped.errors);
                return Ok(());
            }
        };
        let errors = report.stderr_tail(SHOWN_ERRORS);
        let how = match &report.ended {
            Ended::Exited(0) => None,
            Ended::Exited(status) => Some(format!("it ended with exit status {status}")),
            Ended::Signalled(signal) => Some(format!("it ended by signal {signal}")),
            Ended::TimedOut | Ended::Stopped => Some(format!("it did not end within {}", duration(END))),
            other => Some(other.to_string()),
        };
        if let Some(how) = how {
            self.found("JD-EOF", how, "the end of its input", "", b"", errors);
        } else if !errors.trim().is_empty() {
            self.found("JD-STDERR", "it wrote to standard error", "games without a fault", "", b"", errors);
        }
        Ok(())
    }

    /// Asks a question, and returns the answer as it was written.
    pub(super) fn ask(&mut self, question: &str) -> Checked<Result<Vec<u8>, Wrong>> {
        let stopped =
            |stopped: JudgeStopped, answer| Wrong { fault: stopped.fault, answer, errors: stopped.errors };
        let mut process = match self.process.take() {
            Some(process) => process,
            None => {
                self.started += 1;
                let started = JudgeProcess::start(self.bot, self.conditions, self.environment);
                match started.and_then(JudgeProcess::hello) {
                    Ok((process, _)) => process,
                    Err(AskError::Sandbox(failure)) => return Err(failure),
                    Err(AskError::Stopped(why)) => return Ok(Err(stopped(why, Vec::new()))),
                }
            }
        };
        self.questions += 1;
        match process.surplus() {
            Ok(more) if more.is_empty() => {}
            Ok(more) => {
                let errors = process.into_errors().unwrap_or_default();
                let fault = JudgeFault::new("JD-JSON", "it wrote more than one line to one question");
                return Ok(Err(Wrong { fault, answer: more, errors }));
            }
            Err(AskError::Sandbox(failure)) => return Err(failure),
            Err(AskError::Stopped(why)) => return Ok(Err(stopped(why, Vec::new()))),
        }
        let longest = if question.starts_with("{\"ask\":\"picture\"") { MAX_PICTURE_LINE } else { MAX_LINE };
        let began = Instant::now();
        match process.ask(question, self.limit, longest) {
            Ok((process, answer)) => {
                self.took += began.elapsed();
                self.process = Some(process);
                Ok(Ok(answer))
            }
            Err(AskError::Sandbox(failure)) => Err(failure),
            Err(AskError::Stopped(why)) => Ok(Err(stopped(why, Vec::new()))),
        }
    }

    /// Asks a question again; returns what is answered now and the errors, unless the answer is the same.
    pub(super) fn differs(&mut self, exchange: &Exchange) -> Checked<Option<(Vec<u8>, String)>> {
        Ok(match self.ask(&exchange.question)? {
            Ok(answer) if answer == exchange.answer => None,
            Ok(answer) => Some((answer, String::new())),
            Err(Wrong { fault, answer, errors }) if answer.is_empty() => {
                Some((format!("({})", fault.what).into_bytes(), errors))
            }
            Err(wrong) => Some((wrong.answer, wrong.errors)),
        })
    }

    /// Asks a question whose answer `read` interprets. A wrong answer is a finding.
    pub(super) fn asked<T>(
        &mut self,
        question: &str,
        place: &str,
        read: impl FnOnce(&[u8]) -> Result<T, JudgeFault>,
        check_of_fault: CheckOfFault,
    ) -> Checked<Option<(T, Exchange)>> {
        let wrong = match self.ask(question)? {
            Ok(answer) => match read(&answer) {
                Ok(value) => return Ok(Some((value, Exchange { question: question.to_string(), answer }))),
                Err(fault) => {
                    // The process is ended, because its next answers may belong to earlier questions.
                    let errors = self.process.take().map(|process| process.into_errors().unwrap_or_default());
                    Wrong { fault, answer, errors: errors.unwrap_or_default() }
                }
            },
            Err(wrong) => wrong,
        };
        let Wrong { fault, answer, errors } = wrong;
        let id = check_of_fault(fault.id);
        // If the judge does the same wrong at usual questions too, a special question is not the reason.
        if id == fault.id || !self.findings.contains_key(fault.id) {
            self.found(id, fault.what, place, question, &answer, errors);
        }
        Ok(None)
    }

    /// Notes a finding, unless there is already one of this check.
    pub(super) fn found(
        &mut self,
        id: Id,
        what: impl Into<String>,
        place: &str,
        question: &str,
        answer: &[u8],
        errors: impl Into<String>,
    ) {
        self.findings.entry(id).or_insert_with(|| JudgeFinding {
            check: check(id),
            what: what.into(),
            place: place.to_string(),
            question: question.to_string(),
            answer: String::from_utf8_lossy(answer).into_owned(),
            errors: errors.into(),
        });
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
pub(super) struct Movers {
    seated: Option<(Seated, JudgedGame)>,
    filter: bool,
    bytes: bool,
    /// What each seat has yet to be sent.
    unsent: Vec<String>,
}

impl Movers {
    pub(super) fn new(request: &JudgeRequest, hello: &JudgeHello, seats: u8, seed: u64) -> Checked<Movers> {
        let JudgeHello { filter, bytes, legal, .. } = *hello;
        let unsent = vec![String::new(); usize::from(seats)];
        let mut movers = Movers { seated: None, filter, bytes, unsent };
        if legal || request.bots.is_empty() {
            return Ok(movers);
        }
        let rules = judged(request.ruleset).expect("it is a ruleset of a judge");
        let marks = request.ruleset.marks[..usize::from(seats)].to_vec();
        let setup = Setup { seats, board: Vec::new(), marks: marks.clone(), seed };
        let Ok(game) = JudgedGame::start(rules.judge, rules.values(), &setup) else { return Ok(movers) };
        let bots = request.bots.iter().cycle().skip(seed as usize % request.bots.len());
        let mut players = players(request, bots.take(seats.into()))?;
        for (seat, player) in (0..seats).map(Seat).zip(&mut players) {
            player.start(&setup, seat)?;
        }
        movers.sent(game.position(), Seats::NONE);
        movers.seated = Some((Seated::new(players, &marks)?, game));
        Ok(movers)
    }

    /// What the bot in this seat answers; `None` if it does not, or if there are no bots.
    pub(super) fn answer(&mut self, seat: Seat) -> Checked<Option<String>> {
        let Some((seated, game)) = &mut self.seated else { return Ok(None) };
        let view = bytes_of(&std::mem::take(&mut self.unsent[seat.index()]), self.bytes);
        let turn = Turn { view: &view, game: &*game as &dyn LiveGame, seat };
        let answer = seated.players[seat.index()].ask(&turn)?;
        Ok(answer.reply.ok().and_then(|reply| text_of(reply.as_bytes(), self.bytes)))
    }

    /// Keeps what `position` shows to each seat until the seat is to answer.
    pub(super) fn sent(&mut self, position: &JudgePosition, out: Seats) {
        for (seat, unsent) in (0u8..).map(Seat).zip(&mut self.unsent) {
            let view = match &position.views {
                Views::None => None,
                Views::Same(view) => (position.turn.contains(seat) && !out.contains(seat)).then_some(view),
                Views::Each(views) => views[seat.index()].as_ref(),
            };
            let Some(view) = view else { continue };
            if self.filter {
                unsent.clear();
            }
            unsent.push_str(view);
            if !self.filter && !view.ends_with('\n') {
                unsent.push('\n');
            }
        }
    }
}
