//! A game in lines that is played with a bot: the trait by which games differ, and the game in progress.

use super::Dialogue;
use super::session::{DialogueSession, LineRead, Played, Stop, Talk};
use super::transcript::LineEvent;
use crate::catalog::{Catalogue, Id};
use crate::finding::Cause;
use crate::protocol::{drawn, view};
use cornerman::game::{LiveGame, Reply, Seat, Violation};
use cornerman::rng::Rng;
use cornerman_harness::text::escaped;
use std::ffi::OsString;
use std::sync::Arc;
use std::time::Duration;

/// The note in a transcript after which nothing belongs to the game: what follows only tests what is wrong with the
/// bot.
pub(crate) const TEST: &str = "the game ends here: what follows shows what is wrong";

/// A game is abandoned after this many answers of the bot.
pub(crate) const MOST_ANSWERS: usize = 10_000;

/// The most bytes of an ignored line that a report shows.
const SHOWN: usize = 60;

/// When a bot is watched closely: it is given time to write more than its answer. What it writes together with an
/// answer is always found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Watch {
    /// Only after the game.
    AfterEnd,
    /// Also after the last answers, which shows every line too many.
    End,
    /// Also at the start and after the first answers, which shows at once what goes wrong in all turns.
    StartAndEnd,
}

/// Why a bot does not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Silence {
    /// It has ended.
    Ended,
    /// It waits for more input.
    Waits,
    /// It uses all the time that it has.
    Thinks,
}

/// What a game in lines adds to the protocol.
pub(crate) trait LineGame: Send + Sync {
    /// Starts the game, with the opponent that plays its other seats.
    fn open(&self) -> Talk<(Box<dyn LiveGame>, Box<dyn Opponent>)>;

    /// Whether `line` has the form of an answer; `None` if that depends on the position.
    fn is_answer(&self, _line: &[u8]) -> Option<bool> {
        None
    }

    /// What is wrong with a bot that wrote `line` and then no answer, if `line` was probably meant as an answer.
    fn meant(&self, _game: &GameDialogue, _line: &[u8]) -> Option<Cause> {
        None
    }

    /// What is wrong with an answer that the rules refuse, if the game can say more than the protocol.
    fn refused(&self, _game: &mut GameDialogue, _violation: &Violation) -> Talk<Option<Cause>> {
        Ok(None)
    }

    /// The check that a bot fails if it does not answer, and what the position may have to do with that, in words.
    fn silence(&self, game: &GameDialogue, silence: Silence) -> (Id, &'static str) {
        let name = match silence {
            Silence::Ended => "START",
            Silence::Waits if game.answers.is_empty() => "START",
            Silence::Waits | Silence::Thinks => "TIME",
        };
        (game.plan.rules.checks.id(name), "")
    }

    /// What a bot that has not answered may be sent next, so that it answers once more. `None` to play the game on with
    /// random legal moves instead, if it lists them.
    fn follows(&self, _game: &GameDialogue) -> Option<Vec<u8>> {
        None
    }

    /// Watches the bot when the game is over.
    fn end(&self, _game: &mut GameDialogue) -> Played {
        Ok(())
    }
}

/// How a game uses the protocol, and its words for reports.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineRules {
    /// The checks of the game.
    pub checks: &'static Catalogue,
    /// What one turn is called, such as `round`.
    pub turn: &'static str,
    /// What an answer is called, such as `hand`.
    pub answer: &'static str,
    /// Whether the turns of all seats are numbered together.
    pub numbers_all: bool,
    /// Whether the bot prints its name before it is sent anything.
    pub greets: bool,
    /// Whether lines that are not answers are ignored, except that the first of them fails `quiet`.
    pub ignores_text: bool,
}

/// Plays the seats that the tested bot does not have.
pub(crate) trait Opponent {
    /// The move of `seat` in the game `live`, after these `answers` of the bot; `None` if it has none.
    fn reply(&mut self, live: &dyn LiveGame, seat: Seat, answers: &[Vec<u8>]) -> Talk<Option<Reply>>;
}

/// An opponent that makes random legal moves.
impl Opponent for Rng {
    fn reply(&mut self, live: &dyn LiveGame, seat: Seat, _: &[Vec<u8>]) -> Talk<Option<Reply>> {
        Ok(drawn(live, seat, self))
    }
}

/// Changes lines before they are sent.
pub(crate) type LineForm = fn(&[u8]) -> Vec<u8>;

/// A game to be played.
#[derive(Clone)]
pub(crate) struct LinePlan {
    pub rules: LineRules,
    /// A description of the game and the opponent.
    pub about: String,
    /// The arguments of the bot's program.
    pub args: Vec<OsString>,
    /// The bot's seat.
    pub seat: Seat,
    /// About how many turns the bot has, if that is known.
    pub turns: Option<usize>,
    /// How long a bot that is watched closely must write nothing before it is sent anything.
    pub early: Duration,
    /// How lines are changed before they are sent, in a test of odd ones.
    pub form: Option<LineForm>,
    pub game: Arc<dyn LineGame>,
}

/// A game in progress.
pub(crate) struct GameDialogue<'s, 'a> {
    /// The dialogue with the bot.
    pub session: &'s mut DialogueSession<'a>,
    pub plan: &'s LinePlan,
    pub watch: Watch,
    pub live: Box<dyn LiveGame>,
    opponent: Box<dyn Opponent>,
    /// The bot's answers so far.
    pub answers: Vec<Vec<u8>>,
    /// The number of moves of all seats.
    pub moves: usize,
    /// Whether the bot was sent what it has to answer.
    pub is_asked: bool,
    /// Whether the bot was sent `time`.
    pub time_sent: bool,
    /// Whether the bot was sent what it may see at the end.
    was_told: bool,
    /// What is wrong with the first line that was ignored.
    pub remark: Option<Cause>,
}

impl GameDialogue<'_, '_> {
    /// Begins the game of `dialogue` and plays it.
    pub(super) fn play(session: &mut DialogueSession, dialogue: &Dialogue) -> Played {
        let (live, opponent) = dialogue.plan.game.open()?;
        let mut game = GameDialogue {
            session,
            plan: &dialogue.plan,
            watch: dialogue.watch,
            live,
            opponent,
            answers: Vec::new(),
            moves: 0,
            is_asked: false,
            time_sent: false,
            was_told: false,
            remark: None,
        };
        (dialogue.play)(&mut game)?;
        game.remark.map_or(Ok(()), |cause| Err(cause.into()))
    }

    /// Whether no seat has to move any more.
    pub(crate) fn is_ended(&self) -> bool {
        self.live.to_act().is_empty()
    }

    /// The cause of failing the check that the protocol calls `check`.
    pub(super) fn cause(&self, check: &str, what: impl Into<String>) -> Cause {
        Cause::new(self.plan.rules.checks.id(check), what)
    }

    /// The bot's next turn, for reports.
    pub(crate) fn place(&self) -> String {
        format!("{} {}", self.plan.rules.turn, self.number() + 1)
    }

    /// The number of turns so far.
    pub(super) fn number(&self) -> usize {
        if self.plan.rules.numbers_all { self.moves } else { self.answers.len() }
    }

    /// Sends `input`, unless it is empty.
    pub(crate) fn send(&mut self, input: &[u8]) -> Talk<()> {
        match self.plan.form {
            _ if input.is_empty() => Ok(()),
            Some(form) => self.session.send(&form(input)),
            None => self.session.send(input),
        }
    }

    /// Sends `time`: the bot's time is used up (G3).
    pub(crate) fn send_time(&mut self) -> Talk<()> {
        self.time_sent = true;
        self.session.send(b"time\n")
    }

    /// Lets the opponents move until it is the bot's turn, and sends it `ahead` and what it has to answer. Returns
    /// false if the game is over.
    pub(crate) fn present(&mut self, ahead: &[u8]) -> Played<bool> {
        let own = self.plan.seat;
        while !self.is_asked {
            let acting = self.live.to_act();
            if acting.is_empty() {
                return Ok(false);
            }
            if acting.contains(own) {
                let input = [ahead, &view(self.live.as_ref(), own)].concat();
                self.send(&input)?;
                self.is_asked = true;
            } else {
                for seat in acting.iter() {
                    self.reply(seat)?;
                }
            }
        }
        Ok(true)
    }

    /// Makes the opponent's move in `seat`.
    pub(super) fn reply(&mut self, seat: Seat) -> Played {
        let reply = self.opponent.reply(self.live.as_ref(), seat, &self.answers)?;
        // If the bot plays that seat too, its fault is reported by the dialogue that judges this seat.
        let legal = reply.filter(|reply| self.live.play(seat, reply).is_ok());
        legal.ok_or(Stop::Over)?;
        self.moves += 1;
        Ok(())
    }

    /// Whether the bot begins the game, without being sent anything.
    pub(super) fn begins(&self) -> bool {
        let own = self.plan.seat;
        self.moves == 0 && self.live.to_act().contains(own) && self.live.view(own).is_empty()
    }

    /// Reads a line where an answer is due. In a game with a clock (G3), a bot that is still thinking at the hard
    /// limit is sent `time`, and from then on has the clock's minimum time for each answer. A bot that waits for
    /// input does not think.
    pub(crate) fn read(&mut self) -> Talk<LineRead> {
        let place = self.place();
        if !self.time_sent {
            let read = self.session.answer(&place, None)?;
            let thinks = !self.session.waits_for_input() && self.session.clock.is_some();
            if !matches!(&read, LineRead::TimedOut(rest) if thinks && self.plan.game.is_answer(rest) != Some(true))
            {
                return Ok(read);
            }
            self.send_time()?;
        }
        self.session.answer(&place, self.session.clock)
    }

    /// Whether `line` is a legal answer now.
    pub(super) fn is_legal(&self, line: &[u8]) -> bool {
        self.live.judge(self.plan.seat, &Reply::Answer(line.to_vec())).is_ok()
    }

    /// Whether `line` looks like an answer, right or wrong, whatever the position is.
    pub(crate) fn is_answer(&self, line: &[u8]) -> bool {
        match (self.plan.game.is_answer(line), self.answers.last()) {
            (Some(is_answer), _) => is_answer,
            (None, Some(last)) => shape(last) == shape(line),
            (None, None) => false,
        }
    }

    /// Whether `line` is ignored.
    pub(super) fn is_ignored(&self, line: &[u8]) -> bool {
        self.plan.rules.ignores_text && !self.is_answer(line)
    }

    /// Keeps the first of the `lines` that are ignored, as a remark.
    pub(crate) fn remark_on<'l>(&mut self, lines: impl IntoIterator<Item = &'l Vec<u8>>) {
        for line in lines {
            if self.remark.is_none() && self.is_ignored(line) {
                let text = escaped(&line[..line.len().min(SHOWN)]);
                let what = format!("{}: `{text}` is not a {}", self.place(), self.plan.rules.answer);
                self.remark = Some(self.cause("QUIET", what).incidental());
            }
        }
    }

    /// Notes in the transcript that the game ends here, and that what follows is a test.
    pub(super) fn begin_test(&mut self) {
        self.session.note(LineEvent::Note(TEST.to_string()));
    }

    /// Plays on with random moves for all seats, that of the bot too unless it `has_answered`, and returns what the
    /// bot is sent next; `None` when nothing is left to send. For tests of a bot whose game cannot go on.
    pub(super) fn next_input(&mut self, mut has_answered: bool) -> Option<Vec<u8>> {
        let own = self.plan.seat;
        loop {
            let to_act = self.live.to_act();
            if to_act.is_empty() {
                let is_first = !std::mem::replace(&mut self.was_told, true);
                return is_first.then(|| view(self.live.as_ref(), own));
            }
            for seat in to_act.iter() {
                if seat == own && std::mem::replace(&mut has_answered, true) {
                    return Some(view(self.live.as_ref(), own));
                }
                let reply = drawn(self.live.as_ref(), seat, &mut Rng::new(1))?;
                self.live.play(seat, &reply).ok()?;
            }
        }
    }

    /// How many answers are due after the last input: 1, or 0 at the end of the game.
    pub(super) fn answers_due(&self) -> usize {
        usize::from(!self.is_ended())
    }

    /// Sends the bot what it would be sent after an answer. Returns how many answers that asks for.
    pub(super) fn send_what_follows(&mut self) -> Talk<usize> {
        if let Some(input) = self.plan.game.follows(self) {
            self.send(&input)?;
            return Ok(1);
        }
        let Some(input) = self.next_input(false) else { return Ok(0) };
        self.send(&input)?;
        Ok(self.answers_due())
    }

    /// Sends the bot, at once, what it would be sent until the game is over. Returns how many answers that asks for.
    pub(super) fn send_all_that_follows(&mut self) -> Talk<usize> {
        let mut all = Vec::new();
        let mut turns = 0;
        for _ in 0..MOST_ANSWERS {
            let Some(input) = self.next_input(false) else { break };
            all.extend(input);
            turns += self.answers_due();
        }
        self.send(&all)?;
        Ok(turns)
    }
}

/// The shape of a line: each run of letters becomes `a`, each run of digits `0`, and other bytes stay.
fn shape(line: &[u8]) -> Vec<u8> {
    let class = |byte: &u8| match byte {
        b'0'..=b'9' => b'0',
        b'a'..=b'z' | b'A'..=b'Z' => b'a',
        other => *other,
    };
    let mut shape: Vec<u8> = line.trim_ascii().iter().map(class).collect();
    shape.dedup();
    shape
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_other_turns_have_the_same_shape() {
        let check =
            |a: &str, b: &str, same| assert_eq!(shape(a.as_bytes()) == shape(b.as_bytes()), same, "{a} {b}");
        check("2 3", "1 12\r", true);
        check("e2e4", "g7g8", true);
        check("2 3", "your turn", false);
        check("0", "rock", false);
    }
}
