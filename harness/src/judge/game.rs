//! A game in progress that a judge judges.

use super::answer::{self, IllegalMove, JudgePosition, MoveAnswer, StartAnswer, Views, is_notation};
use super::failure::{JudgeFailure, JudgeFault, throw};
use super::program::Judge;
use super::question::{PositionRef, Questions};
use super::{MAX_LINE, MAX_NUMBER, MAX_PICTURE_LINE};
use cornerman::game::{End, LiveGame, Outcome, Reply, Seat, Seats, Setup, SetupError, Violation};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// A game in progress. The calling thread asks the judge about it. Each question has everything that the judge needs to
/// know.
#[derive(Clone)]
pub struct JudgedGame {
    judge: &'static Judge,
    questions: Arc<Questions>,
    seats: u8,
    /// The seats that have forfeited.
    out: Seats,
    position: Arc<JudgePosition>,
    /// What each seat will be sent when it acts next: in a game in lines, all that it has not been sent.
    unsent: Vec<String>,
    /// What seats that act have done since the position last changed; `None` for a forfeit.
    acts: Vec<(Seat, Option<Reply>)>,
    /// Whether the last `move` had a forfeit.
    by_forfeit: bool,
    /// The number of `move` questions that changed the position.
    moves: u32,
}

/// What became of a turn.
struct Turned {
    /// The position after it.
    position: JudgePosition,
    /// By index in the turn: the move in notation, or why it is illegal; `None` for a forfeit.
    made: Vec<Option<Result<String, Violation>>>,
    /// The seats that are out then, also those whose moves are illegal.
    out: Seats,
}

impl JudgedGame {
    /// Starts a game, with the values of the `rules` as a JSON object.
    ///
    /// # Errors
    /// Why the game cannot start from `setup`, usually in the judge's words.
    pub fn start(judge: &'static Judge, rules: &str, setup: &Setup) -> Result<JudgedGame, SetupError> {
        let questions = Arc::new(Questions::new(setup.seats, judge.hello.filter, rules));
        let seed = setup.seed & (MAX_NUMBER as u64 - 1);
        let board = text_of(&setup.board, judge.hello.bytes)
            .ok_or_else(|| SetupError("the board is not UTF-8 text".to_string()))?;
        if !judge.hello.boards && !board.is_empty() {
            return Err(SetupError(format!("{} has no boards that can be written", judge.hello.title)));
        }
        let (question, asked) = questions.start(seed, &board);
        let answer =
            judge.ask(&question, MAX_LINE, |line| answer::start(line, &asked)).unwrap_or_else(|f| throw(f));
        let position = match answer {
            StartAnswer::Position(position) => *position,
            StartAnswer::Error(why) => return Err(SetupError(why)),
        };
        let mut game = JudgedGame {
            judge,
            questions,
            seats: setup.seats,
            out: Seats::NONE,
            unsent: vec![String::new(); usize::from(setup.seats)],
            acts: Vec::new(),
            by_forfeit: false,
            moves: 0,
            position: Arc::new(position),
        };
        game.collect_views(Seats::NONE);
        Ok(game)
    }

    /// The position.
    pub fn position(&self) -> &JudgePosition {
        &self.position
    }

    /// The judge's picture of the position.
    ///
    /// # Errors
    /// When the judge fails.
    pub fn picture(&self) -> Result<String, JudgeFailure> {
        let question = self.questions.picture(self.at());
        self.judge.ask(&question, MAX_PICTURE_LINE, answer::picture)
    }

    /// Whether the judge draws the position.
    pub fn has_picture(&self) -> bool {
        self.judge.hello.picture && !self.position.state.is_empty()
    }

    fn at(&self) -> PositionRef<'_> {
        PositionRef { turn: self.position.turn, out: self.out, state: &self.position.state }
    }

    /// Adds the views of the position to what is unsent. The seats that `acted` have been sent everything before.
    fn collect_views(&mut self, acted: Seats) {
        for seat in acted.iter() {
            self.unsent[seat.index()].clear();
        }
        self.position.add_views(self.judge.hello.filter, self.out, &mut self.unsent);
    }

    /// Asks the judge what these replies do, one for each seat of [`JudgePosition::turn`]; `None` is a forfeit.
    fn ask(&self, replies: &[Option<&Reply>]) -> Turned {
        let turn = self.position.turn;
        let seats: Vec<Seat> = turn.iter().collect();
        let notation = replies.iter().flatten().any(|reply| matches!(reply, Reply::Notation(_)));
        let mut refused: Vec<Option<Violation>> = vec![None; seats.len()];
        let mut texts: Vec<Option<String>> = Vec::with_capacity(seats.len());
        for (index, reply) in replies.iter().enumerate() {
            let text = match reply {
                None => Ok(None),
                // All moves of a question are in one form. Where a person moves too, that is notation.
                Some(Reply::Answer(_)) if notation => {
                    self.judge(seats[index], replies[index].expect("it is some")).map(Some)
                }
                Some(Reply::Answer(answer)) => readable(answer, self.judge.hello.bytes).map(Some),
                Some(Reply::Notation(text)) if !is_notation(text) => {
                    Err(not_text("a move is one line of 1 to 200 characters"))
                }
                Some(Reply::Notation(text)) => Ok(Some(text.clone())),
            };
            texts.push(text.unwrap_or_else(|violation| {
                refused[index] = Some(violation);
                None
            }));
        }
        loop {
            let (question, asked) = self.questions.moves(self.at(), &texts, notation);
            let out = asked.out;
            let answer = self.judge.ask(&question, MAX_LINE, |line| answer::moved(line, &asked));
            match answer.unwrap_or_else(|f| throw(f)) {
                MoveAnswer::Illegal(illegal) => {
                    for (index, illegal) in illegal.into_iter().enumerate() {
                        if let Some(illegal) = illegal {
                            texts[index] = None;
                            refused[index] = Some(violation(illegal));
                        }
                    }
                }
                MoveAnswer::Position(position) => {
                    // A move that the judge accepted is refused here if it cannot be written as notation.
                    let odd = |index: &usize| texts[*index].is_some() && position.moves[*index].is_none();
                    let odd: Vec<usize> = (0..seats.len()).filter(odd).collect();
                    if odd.is_empty() {
                        let made = refused.into_iter().zip(&position.moves);
                        let made = made.map(|(refused, notation)| match refused {
                            Some(violation) => Some(Err(violation)),
                            None => notation.clone().map(Ok),
                        });
                        let made = made.collect();
                        return Turned { position: *position, made, out };
                    }
                    for index in odd {
                        texts[index] = None;
                        refused[index] =
                            Some(not_text("as a move in notation, it would not be 1 to 200 characters"));
                    }
                }
            }
        }
    }

    /// Makes `position` that of the game, in which these seats are out.
    fn advance(&mut self, position: JudgePosition, out: Seats) {
        self.moves += 1;
        let longest = self.judge.hello.longest;
        if self.moves >= longest && position.result.is_none() {
            let what = format!("the game is not over after {longest} moves, its `longest`");
            throw(JudgeFailure::Judge(Box::new(super::failure::FailedQuestion {
                judge: self.judge.name.clone(),
                fault: JudgeFault::new("JD-ENDLESS", what),
                question: self.questions.moves(self.at(), &[], false).0,
                answer: String::new(),
                errors: String::new(),
                file: None,
            })));
        }
        let acted = self.position.turn;
        self.by_forfeit = out != self.out;
        self.out = out;
        self.position = Arc::new(position);
        self.acts.clear();
        self.collect_views(acted);
    }

    /// Notes what `seat` does. Once every seat has acted, changes the position and returns what became of the seat's
    /// move; an illegal one changes nothing.
    fn act(&mut self, seat: Seat, reply: Option<Reply>) -> Option<Result<String, Violation>> {
        debug_assert!(self.to_act().contains(seat), "it is not the turn of {seat}");
        self.acts.push((seat, reply));
        if !self.to_act().is_empty() {
            return None;
        }
        self.acts.sort_by_key(|(seat, _)| *seat);
        let index = self.acts.iter().position(|(other, _)| *other == seat).expect("it has just acted");
        let acts = std::mem::take(&mut self.acts);
        let replies: Vec<Option<&Reply>> = acts.iter().map(|(_, reply)| reply.as_ref()).collect();
        let Turned { position, mut made, out } = self.ask(&replies);
        let own = made.swap_remove(index);
        if matches!(own, Some(Err(_))) {
            // The seat must still act.
            self.acts = acts;
            self.acts.remove(index);
            return own;
        }
        self.advance(position, out);
        own
    }
}

impl LiveGame for JudgedGame {
    fn seats(&self) -> u8 {
        self.seats
    }

    fn to_act(&self) -> Seats {
        self.acts.iter().fold(self.position.turn, |left, (seat, _)| left.without(*seat))
    }

    fn view(&self, seat: Seat) -> Vec<u8> {
        bytes_of(&self.unsent[seat.index()], self.judge.hello.bytes)
    }

    fn board(&self) -> Vec<u8> {
        let position = &self.position;
        let state = || {
            let text = serde_json::from_str::<String>(&position.state).ok();
            text.unwrap_or_else(|| position.state.to_string())
        };
        let mut board = match (&position.board, &position.views) {
            (Some(board), _) => board.clone(),
            (None, Views::Same(view)) => view.clone(),
            (None, Views::Each(_) | Views::None) => state(),
        };
        if !board.is_empty() && !board.ends_with('\n') {
            board.push('\n');
        }
        bytes_of(&board, self.judge.hello.bytes)
    }

    /// One seat's answer is tried with the others as forfeits: whether it is legal does not depend on them.
    fn judge(&self, seat: Seat, reply: &Reply) -> Result<String, Violation> {
        let alone: Vec<Option<&Reply>> =
            self.position.turn.iter().map(|other| (other == seat).then_some(reply)).collect();
        let index = self.position.turn.iter().position(|other| other == seat).expect("it is the seat's turn");
        self.ask(&alone).made.swap_remove(index).expect("a reply is legal or not")
    }

    fn play(&mut self, seat: Seat, reply: &Reply) -> Result<String, Violation> {
        if self.to_act().len() > 1 {
            let notation = self.judge(seat, reply)?;
            self.act(seat, Some(reply.clone()));
            return Ok(notation);
        }
        self.act(seat, Some(reply.clone())).expect("the last seat has acted")
    }

    /// The judge is asked about all replies of a turn together, with those of the seats that have acted in it before.
    fn act_together(&mut self, acts: &[(Seat, Option<Reply>)]) -> Vec<Option<Result<String, Violation>>> {
        let mut all = std::mem::take(&mut self.acts);
        all.extend_from_slice(acts);
        all.sort_by_key(|(seat, _)| *seat);
        let replies: Vec<Option<&Reply>> = all.iter().map(|(_, reply)| reply.as_ref()).collect();
        let Turned { position, made, out } = self.ask(&replies);
        self.advance(position, out);
        let is_now = |seat: &Seat| acts.iter().any(|(own, _)| own == seat);
        all.iter().zip(made).filter(|((seat, _), _)| is_now(seat)).map(|(_, made)| made).collect()
    }

    fn forfeit(&mut self, seat: Seat) {
        self.act(seat, None);
    }

    fn legal(&self, seat: Seat) -> Vec<String> {
        if !self.judge.hello.legal {
            return Vec::new();
        }
        let question = self.questions.legal(self.at(), seat);
        self.judge.ask(&question, MAX_LINE, answer::legal).unwrap_or_else(|f| throw(f))
    }

    fn fork(&self) -> Box<dyn LiveGame> {
        Box::new(self.clone())
    }

    fn outcome(&self) -> Option<Outcome> {
        let result = self.position.result.as_ref()?;
        let territory = match &*self.position.territory {
            [] => vec![0; usize::from(self.seats)],
            territory => territory.to_vec(),
        };
        let end = if self.by_forfeit { End::Forfeited } else { End::Played };
        Some(Outcome { places: result.places.clone(), points: result.points.clone(), territory, end })
    }

    fn is_hidden(&self) -> bool {
        matches!(self.position.views, Views::Each(_))
    }

    fn as_any(&self) -> Option<&dyn std::any::Any> {
        Some(self)
    }
}

/// `bytes` as the text that a judge reads. If `are_bytes`, each byte becomes one character; if not, the bytes must be
/// UTF-8.
pub fn text_of(bytes: &[u8], are_bytes: bool) -> Option<String> {
    if are_bytes {
        return Some(bytes.iter().map(|byte| char::from(*byte)).collect());
    }
    std::str::from_utf8(bytes).ok().map(str::to_string)
}

/// A judge's text as bytes. If `are_bytes`, each character becomes one byte: `?` if its number is more than 255.
pub fn bytes_of(text: &str, are_bytes: bool) -> Vec<u8> {
    if !are_bytes {
        return text.as_bytes().to_vec();
    }
    text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect()
}

/// A bot's answer as text.
fn readable(answer: &[u8], are_bytes: bool) -> Result<String, Violation> {
    let text = text_of(answer, are_bytes).ok_or_else(|| not_text("it is not UTF-8 text"))?;
    match text.chars().find(|c| c.is_control() && !"\t\r\n".contains(*c)) {
        Some(c) if !are_bytes => Err(not_text(&format!("it has a control character, number {}", u32::from(c)))),
        _ => Ok(text),
    }
}

/// The violation of an answer that this program refuses, whatever the judge says.
fn not_text(detail: &str) -> Violation {
    Violation { kind: "text", rule: "", spots: Vec::new(), detail: detail.to_string() }
}

fn violation(illegal: IllegalMove) -> Violation {
    Violation { kind: kept(&illegal.kind), rule: "", spots: Vec::new(), detail: illegal.why }
}

/// `kind` as a static text, which stays in memory. After a thousand different kinds, all new ones become `illegal`.
fn kept(kind: &str) -> &'static str {
    const MOST: usize = 1000;
    static KEPT: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());
    let mut known = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(kept) = known.get(kind) {
        return kept;
    }
    if known.len() >= MOST {
        return "illegal";
    }
    let kept: &'static str = Box::leak(kind.to_string().into_boxed_str());
    known.insert(kept);
    kept
}
