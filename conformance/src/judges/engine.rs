//! The check of a judge: which questions it is asked, and what is wrong with its answers.

mod again;
mod closer;

use super::session::{AS_USUAL, CheckOfFault, Checked, Exchange, Movers, Session, tallies};
use super::{JudgeReport, JudgeRequest, catalogue, check};
use crate::catalog::{Check, Id, Severity};
use cornerman::game::{Seat, Seats};
use cornerman::rng::Rng;
use cornerman_harness::judge::answer::{self, IllegalMove, JudgePosition, MoveAnswer, StartAnswer};
use cornerman_harness::judge::failure::JudgeFault;
use cornerman_harness::judge::hello::{JudgeHello, JudgeRule};
use cornerman_harness::judge::judged;
use cornerman_harness::judge::question::{Asked, PositionRef, Questions};
use cornerman_harness::machine;
use cornerman_harness::text::count;
use serde_json::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The number of games. It takes many to see faults of random events.
const GAMES: u32 = 24;

/// After this many moves a game is played on without looking closer at its positions.
const LOOKED_AT: u32 = 60;

/// The most questions that are asked again in mixed order.
const ASKED_AGAIN: usize = 4000;

/// New games are begun for this long, even if the budget is shorter, unless the judge has failed a must.
const PATIENCE: Duration = Duration::from_secs(45);

/// In this many first games positions are looked at closely even if the budget is over, but not after [`PATIENCE`].
/// Forfeits occur in one of them.
const LOOKED_AT_ANYWAY: u32 = 3;

/// A game is played on for this long, even if the budget is shorter, to see whether it ends.
const ENDLESS: Duration = Duration::from_secs(30);

/// Why checks are not judged that need lists of legal moves.
const UNLISTED: &str = "the judge does not list legal moves";

/// Checks the judge of a ruleset.
///
/// # Errors
/// When the sandbox fails.
pub fn check_judge(request: &JudgeRequest) -> Checked<JudgeReport> {
    // Workers of contests are pinned too, so that the measured speed is that of a contest.
    machine::pin(0);
    let rules = judged(request.ruleset).expect("it is a ruleset of a judge");
    let judge = rules.judge;
    let hello = judge.hello.clone();
    let mut engine = Engine {
        request,
        rules: rules.values(),
        session: Session::new(&judge.bot, request.conditions, judge.answer),
        until: Instant::now() + request.budget,
        patience: Instant::now() + request.budget.max(PATIENCE),
        rng: Rng::new(request.seed),
        asked: Vec::new(),
        garbage: closer::garbage(hello.filter),
        report: JudgeReport {
            judge: judge.name.clone(),
            game: Some(hello.game.clone()),
            ..JudgeReport::default()
        },
        hello: &hello,
    };
    let reasons = [
        ("JD-LEGAL", hello.legal, UNLISTED),
        ("JD-ENDLESS", hello.legal, UNLISTED),
        ("JD-BOARD", hello.boards, "it has no boards"),
        ("JD-PICTURE", hello.picture, "it draws no pictures"),
    ];
    for (id, _, why) in reasons.into_iter().filter(|(_, is_judged, _)| !is_judged) {
        engine.not_judged(id, why);
    }
    engine.starts()?;
    engine.values_of_rules()?;
    if hello.boards {
        engine.boards()?;
    }
    for game in 0..GAMES {
        // A judge that has failed a must gets no more time than the budget.
        let is_at_fault = engine.session.findings.keys().any(|id| check(id).severity == Severity::Must);
        if Instant::now() > if is_at_fault { engine.until } else { engine.patience } {
            let played = count(game, "game");
            let remark = format!("the time was up after {played} of {GAMES}; a longer `--budget` plays more");
            engine.report.remarks.push(remark);
            break;
        }
        engine.game(game)?;
    }
    if hello.seeded && !engine.session.findings.contains_key("JD-SAME") {
        engine.seeds()?;
    }
    engine.again()?;
    engine.session.close()?;
    engine.report.per_second = engine.speed()?;
    let found = &engine.session.findings;
    if found.is_empty() {
        engine.report.bots = tallies(request, hello.seeded)?;
    }
    let mut report = engine.report;
    let is_first = |check: &&Check| !check.follows.iter().any(|first| found.contains_key(first.as_str()));
    let first = catalogue().checks.iter().filter(is_first);
    report.findings = first.filter_map(|check| found.get(check.id.as_str()).cloned()).collect();
    report.unjudged.retain(|(check, _)| !report.findings.iter().any(|finding| finding.check() == check.id));
    report.questions = engine.session.questions;
    if !hello.legal && request.bots.is_empty() {
        let why = "it lists no legal moves, and no bots are beside it in `bots/`, so games were only begun";
        report.remarks.push(why.to_string());
    }
    Ok(report)
}

struct Engine<'a> {
    request: &'a JudgeRequest<'a>,
    hello: &'a JudgeHello,
    /// The values of the rules, as JSON.
    rules: &'a str,
    session: Session<'a>,
    /// The end of the budget.
    until: Instant,
    /// The time after which no more games are begun.
    patience: Instant,
    rng: Rng,
    /// Questions and answers that are kept to be asked again, each with the number of the process that was asked.
    asked: Vec<(u64, Exchange)>,
    garbage: Vec<String>,
    /// All but the findings.
    report: JudgeReport,
}

/// A position in a game.
#[derive(Clone)]
struct Place {
    questions: Arc<Questions>,
    /// The seats that have forfeited.
    out: Seats,
    position: JudgePosition,
    /// The number of turns so far. Moves at the same time are one turn.
    moves: u32,
    /// The game in words, for reports.
    words: String,
}

impl Place {
    fn at(&self) -> PositionRef<'_> {
        PositionRef { turn: self.position.turn, out: self.out, state: &self.position.state }
    }

    fn turn(&self) -> Vec<Seat> {
        self.position.turn.iter().collect()
    }
}

/// The moves of the seats that act; `None` for a forfeit.
type Moves = [Option<String>];

/// An answer to moves, and the question.
type Moved = Option<(MoveAnswer, String)>;

/// The [`CheckOfFault`] of a special question: a judge that does not survive it, or answers with a line that is not
/// JSON, fails the check `id`.
fn if_survived(id: Id) -> impl Fn(Id) -> Id {
    move |found| match found {
        "JD-EXIT" | "JD-TIME" | "JD-JSON" | "JD-START" => id,
        other => other,
    }
}

impl Engine<'_> {
    fn is_late(&self) -> bool {
        Instant::now() > if self.report.games <= LOOKED_AT_ANYWAY { self.patience } else { self.until }
    }

    fn has(&self, id: &str) -> bool {
        self.session.findings.contains_key(id)
    }

    /// Notes why the check `id` cannot be judged, unless there is already a reason.
    fn not_judged(&mut self, id: Id, why: &str) {
        if !self.report.unjudged.iter().any(|(known, _)| known.id == id) {
            self.report.unjudged.push((check(id), why.to_string()));
        }
    }

    /// Notes what is wrong at `place`.
    fn found(&mut self, id: Id, what: &str, place: &Place, question: &str) {
        self.session.found(id, what, &place.words, (question, b""), "");
    }

    /// Asks a question twice in a row, unless an answer has differed before, and keeps up to [`ASKED_AGAIN`] questions
    /// to be asked again later. A wrong answer is a finding.
    fn ask<T>(
        &mut self,
        question: &str,
        place: &str,
        read: impl FnOnce(&[u8]) -> Result<T, JudgeFault>,
        check_of_fault: CheckOfFault,
    ) -> Checked<Option<T>> {
        let Some((value, exchange)) = self.session.asked(question, place, read, check_of_fault)? else {
            return Ok(None);
        };
        if !self.has("JD-SAME") {
            let what = |first: &str| format!("asked twice in a row, it answered differently; first: {first}");
            self.session.differs(&exchange, "JD-SAME", place, what)?;
        }
        if self.asked.len() < ASKED_AGAIN {
            self.asked.push((self.session.started, exchange));
        }
        Ok(Some(value))
    }

    /// The questions of a game whose rules have the values that `value` returns.
    fn questions(&self, seats: u8, value: impl Fn(&JudgeRule) -> Value) -> Questions {
        let values = self.hello.rules.iter().map(|rule| (rule.name.clone(), value(rule)));
        Questions::new(seats, self.hello.filter, &Value::Object(values.collect()).to_string())
    }

    /// Asks how a game starts. `None` if the answer is wrong.
    fn ask_start(
        &mut self,
        (question, asked): &(String, Asked),
        place: &str,
        check_of_fault: CheckOfFault,
    ) -> Checked<Option<StartAnswer>> {
        self.ask(question, place, |line| answer::start(line, asked), check_of_fault)
    }

    /// Starts games with the default rules and every number of seats.
    fn starts(&mut self) -> Checked {
        let (least, most) = self.hello.seats;
        for seats in least..=most {
            let questions = self.questions(seats, |rule| rule.default.clone());
            let place = format!("the start of a game of {}", count(seats, "seat"));
            for seed in [0, 1, 2, (1 << 53) - 1] {
                let asked = questions.start(seed, "");
                if let Some(StartAnswer::Error(why)) = self.ask_start(&asked, &place, AS_USUAL)? {
                    let what = format!("it refuses to start: {why}");
                    self.session.found("JD-ERROR", &what, &place, (&asked.0, b""), "");
                }
            }
        }
        Ok(())
    }

    /// Starts games with the extreme values of each rule, or with each of its choices.
    fn values_of_rules(&mut self) -> Checked {
        let seats = self.hello.seats.0;
        for rule in &self.hello.rules {
            for value in rule.min.iter().chain(&rule.max).chain(rule.choices.iter().flatten()) {
                let set = |other: &JudgeRule| if other.name == rule.name { value } else { &other.default }.clone();
                let asked = self.questions(seats, set).start(1, "");
                let place = format!("the start of a game with {} = {value}", rule.name);
                self.ask_start(&asked, &place, &|_| "JD-RULES")?;
            }
        }
        Ok(())
    }

    /// Starts games on boards of nonsense.
    fn boards(&mut self) -> Checked {
        let questions = Questions::new(self.request.ruleset.seats.0, self.hello.filter, self.rules);
        let boards =
            ["nonsense", "\n", "0", "-1", "1 2 3 4 5 6 7 8 9 10 11 12", "é\n\n\"\\", "99999999999999999999", "x"];
        let large = "x".repeat(60_000);
        for board in boards.into_iter().chain([large.as_str()]) {
            self.ask_start(&questions.start(1, board), "a start on a board of nonsense", &|_| "JD-BOARD")?;
        }
        Ok(())
    }

    /// Plays the game with this number, from 0, which is its seed and decides how many seats it has and whether some
    /// forfeit on the way. Notes what is wrong.
    fn game(&mut self, number: u32) -> Checked {
        let (least, most) = self.request.ruleset.seats;
        let seats = least + (number % u32::from(most - least + 1)) as u8;
        let seed = u64::from(number);
        let Some(mut place) = self.start(seats, seed)? else { return Ok(()) };
        self.report.games += 1;
        // Games with forfeits on the way show what happens to seats that are out.
        let forfeits = number % 3 == 2;
        let mut players = Movers::new(self.request, self.hello, seats, seed)?;
        let began = Instant::now();
        while place.position.result.is_none() {
            if place.moves >= self.hello.longest {
                let what = format!("the game is not over after {} moves, its `longest`", place.moves);
                self.found("JD-ENDLESS", &what, &place, "");
                break;
            }
            if began.elapsed() > ENDLESS.max(self.request.budget) {
                let why = format!("a game was not over after {}", count(place.moves, "move"));
                self.not_judged("JD-ENDLESS", &why);
                break;
            }
            players.sent(&place.position, place.out);
            let close = place.moves < LOOKED_AT && !self.is_late();
            let Some(chosen) = self.choose(&place, &mut players, close)? else { break };
            let mut moves = chosen.clone();
            if forfeits && self.rng.below(8) == 0 {
                let index = self.rng.below(chosen.len() as u64) as usize;
                moves[index] = None;
            }
            let Some(next) = self.advance(&place, moves.clone(), close)? else { break };
            // Only after the usual question: its faults are noted by then, and no special question is blamed for them.
            if close && moves == chosen {
                self.look_closer(&place, &chosen, number)?;
            }
            place = next;
        }
        if place.position.result.is_some() && self.hello.picture && !self.is_late() {
            self.picture(&place)?;
        }
        Ok(())
    }

    /// The first position of a game with this seed.
    fn start(&mut self, seats: u8, seed: u64) -> Checked<Option<Place>> {
        let questions = Arc::new(Questions::new(seats, self.hello.filter, self.rules));
        let words = format!("game {seed} of {}", count(seats, "seat"));
        let answer = self.ask_start(&questions.start(seed, ""), &words, AS_USUAL)?;
        let Some(StartAnswer::Position(position)) = answer else { return Ok(None) };
        Ok(Some(Place { questions, out: Seats::NONE, position: *position, moves: 0, words }))
    }

    /// A move for each seat that acts: one that the judge lists, or the answer of a bot, and no move if the bot gives
    /// none. `None` if the judge's answer is wrong.
    fn choose(
        &mut self,
        place: &Place,
        players: &mut Movers,
        close: bool,
    ) -> Checked<Option<Vec<Option<String>>>> {
        let mut chosen = Vec::new();
        for seat in place.turn() {
            if !self.hello.legal {
                chosen.push(players.answer(seat)?);
                continue;
            }
            let Some(legal) = self.legal(place, seat, close)? else { return Ok(None) };
            chosen.push(Some(self.rng.pick(&legal).expect("there is at least one").clone()));
        }
        Ok(Some(chosen))
    }

    /// The moves that the judge lists for `seat`; `None` if its answer is wrong. The question is asked again only if it
    /// is to be looked at `close`.
    fn legal(&mut self, place: &Place, seat: Seat, close: bool) -> Checked<Option<Vec<String>>> {
        let question = place.questions.legal(place.at(), seat);
        if close {
            return self.ask(&question, &place.words, answer::legal, AS_USUAL);
        }
        Ok(self.session.asked(&question, &place.words, answer::legal, AS_USUAL)?.map(|(legal, _)| legal))
    }

    /// Asks what these moves do.
    fn moves(
        &mut self,
        place: &Place,
        moves: &Moves,
        notation: bool,
        check_of_fault: CheckOfFault,
    ) -> Checked<Moved> {
        let (question, asked) = place.questions.moves(place.at(), moves, notation);
        let words = format!("{}, move {}", place.words, place.moves + 1);
        let answer = self.ask(&question, &words, |line| answer::moved(line, &asked), check_of_fault)?;
        Ok(answer.map(|answer| (answer, question)))
    }

    /// The position after the moves; `None` if the judge's answer is wrong. An illegal move is a fault of
    /// the judge if it was listed. Otherwise a bot chose it, and its seat forfeits.
    fn advance(&mut self, place: &Place, mut chosen: Vec<Option<String>>, close: bool) -> Checked<Option<Place>> {
        loop {
            let listed = self.hello.legal;
            let forfeits = chosen.iter().any(Option::is_none);
            let check_of_fault = |id| if forfeits { if_survived("JD-FORFEIT")(id) } else { id };
            let Some((answer, question)) = self.moves(place, &chosen, listed, &check_of_fault)? else {
                return Ok(None);
            };
            let position = match answer {
                MoveAnswer::Position(position) => *position,
                MoveAnswer::Illegal(illegal) if listed => {
                    self.refused(place, &chosen, &illegal, &question)?;
                    return Ok(None);
                }
                MoveAnswer::Illegal(illegal) => {
                    for (text, _) in chosen.iter_mut().zip(&illegal).filter(|(_, illegal)| illegal.is_some()) {
                        *text = None;
                    }
                    continue;
                }
            };
            if close && chosen.iter().any(Option::is_some) {
                self.notation(place, &chosen, &position, Some(&question))?;
                self.newer(place, &question)?;
            }
            let out = place.at().out_after(&chosen);
            return Ok(Some(Place { out, position, moves: place.moves + 1, ..place.clone() }));
        }
    }

    /// Notes that a listed move was refused, and finds out whether it is refused alone too, or only beside the moves
    /// of others.
    fn refused(
        &mut self,
        place: &Place,
        chosen: &Moves,
        illegal: &[Option<IllegalMove>],
        question: &str,
    ) -> Checked {
        let index = illegal.iter().position(Option::is_some).unwrap_or(0);
        let why = why(illegal);
        let listed = chosen[index].clone().unwrap_or_default();
        let mut alone = vec![None; chosen.len()];
        alone[index] = chosen[index].clone();
        let apart = chosen.len() > 1
            && matches!(self.moves(place, &alone, true, AS_USUAL)?, Some((MoveAnswer::Position(_), _)));
        let (id, what) = if apart {
            ("JD-APART", format!("`{listed}` is refused beside the moves of others, and not alone: {why}"))
        } else {
            ("JD-LEGAL", format!("`{listed}` is listed as legal, and refused: {why}"))
        };
        self.found(id, &what, place, question);
        Ok(())
    }

    /// Checks that the notation of moves that led to `after` leads to the same position, and is as it was listed if the
    /// moves are `listed`. If they are not, they are answers of bots.
    fn notation(&mut self, place: &Place, moves: &Moves, after: &JudgePosition, listed: Option<&str>) -> Checked {
        // The others explain a wrong notation.
        if ["JD-NOTATION", "JD-SAME", "JD-APART"].iter().any(|id| self.has(id)) {
            return Ok(());
        }
        let mut pairs = moves.iter().zip(&after.moves);
        if let Some(question) = listed.filter(|_| self.hello.legal)
            && let Some((Some(listed), written)) =
                pairs.find(|(listed, written)| listed.is_some() && listed != written)
        {
            let written = written.as_deref().unwrap_or("null");
            let what = format!("the listed move `{listed}` is written as `{written}`");
            self.found("JD-NOTATION", &what, place, question);
            return Ok(());
        }
        if after.moves.iter().zip(moves).any(|(written, text)| written.is_none() && text.is_some()) {
            return Ok(());
        }
        let answer = self.moves(place, &after.moves, true, &if_survived("JD-NOTATION"))?;
        let Some((answer, question)) = answer else { return Ok(()) };
        let notation = shown(&after.moves);
        let what = match &answer {
            MoveAnswer::Position(again) if again.moves != after.moves => {
                format!("the notation {notation:?} is written as {:?}", shown(&again.moves))
            }
            MoveAnswer::Position(again) if !is_same(again, after) => {
                format!("the notation {notation:?} leads to another position")
            }
            MoveAnswer::Position(_) => return Ok(()),
            MoveAnswer::Illegal(illegal) => format!("the notation {notation:?} is refused: {}", why(illegal)),
        };
        let what = match listed {
            Some(_) => what,
            None => format!(
                "the answers {:?} are the moves {notation:?}, whose notation leads elsewhere or is refused",
                shown(moves)
            ),
        };
        self.found("JD-NOTATION", &what, place, &question);
        Ok(())
    }
}

/// Whether both positions are the same for what follows in the game.
fn is_same(a: &JudgePosition, b: &JudgePosition) -> bool {
    (&a.state, a.turn, &a.result) == (&b.state, b.turn, &b.result)
}

/// Why the first of the illegal moves is refused.
fn why(illegal: &[Option<IllegalMove>]) -> &str {
    illegal.iter().flatten().next().map_or("", |illegal| &illegal.why)
}

fn shown(moves: &Moves) -> Vec<&str> {
    moves.iter().map(|text| text.as_deref().unwrap_or("null")).collect()
}
