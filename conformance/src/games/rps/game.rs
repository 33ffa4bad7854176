//! A game in progress: its rounds are played one by one, and the bot is watched between them (R3–R7).

use super::opponent::Opponent;
use super::{answers, opening, surplus};
use crate::fault::Fault;
use crate::lines::DialogueSession;
use cornerman::games::rps::Hand;
use cornerman_harness::text::count;
use std::io;
use std::time::Duration;

/// How long the bot must write nothing after its name. This need not be long: the output to be found here was written
/// together with the name.
const AFTER_NAME: Duration = Duration::from_millis(120);

/// How long the bot must write nothing after a hand, in the rounds that are watched closely.
pub(super) const AFTER_HAND: Duration = Duration::from_millis(50);

/// The number of first rounds that are watched closely with [`Watch::StartAndEnd`].
const FIRST_ROUNDS: usize = 3;

/// The number of last rounds that are watched closely. A bot that is a line ahead shows it in the last but one even if
/// it counts the rounds.
const LAST_ROUNDS: usize = 2;

/// When the bot is watched closely. What it writes together with a hand is found in every round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Watch {
    /// After the game.
    AfterEnd,
    /// In the last rounds and after the game, which shows every line too many.
    End,
    /// After its name and in the first rounds too, which shows at once what goes wrong in all rounds.
    StartAndEnd,
}

/// A game to be played.
#[derive(Clone, Copy, Debug)]
pub(super) struct GamePlan {
    /// The bot's seed, which is the first line sent.
    pub seed: u16,
    /// The number of rounds, which is the second line sent.
    pub rounds: usize,
    pub opponent: Opponent,
    /// Whether lines are sent with CR LF at their ends.
    pub crlf: bool,
}

impl GamePlan {
    /// A description of the length, the seed and the opponent.
    pub(super) fn in_words(&self) -> String {
        let opponent = match self.opponent {
            Opponent::Always(hand) => format!("an opponent that always shows {hand}"),
            Opponent::Cycle(1) => "an opponent that shows 0, 1 and 2 in turn".to_string(),
            Opponent::Cycle(_) => "an opponent that shows 0, 2 and 1 in turn".to_string(),
            Opponent::Random(_) => "an opponent that shows random hands".to_string(),
            Opponent::AllPatterns => "an opponent that shows every sequence of five hands".to_string(),
            Opponent::FollowsBot(0) => "an opponent that shows the bot's last hand".to_string(),
            Opponent::FollowsBot(1) => "an opponent that shows what beats the bot's last hand".to_string(),
            Opponent::FollowsBot(_) => "an opponent that shows what the bot's last hand beats".to_string(),
        };
        format!("{} with the seed {} against {opponent}", count(self.rounds, "round"), self.seed)
    }

    fn line(&self, what: impl std::fmt::Display) -> String {
        format!("{what}{}", if self.crlf { "\r\n" } else { "\n" })
    }
}

/// Why a game was not played on.
pub(super) enum Stop {
    /// The bot did something wrong.
    Fault(Fault),
    /// The system failed.
    Failed(io::Error),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        Stop::Fault(fault)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Failed(error)
    }
}

/// The result of a part of a game.
pub(super) type Played<T = ()> = Result<T, Stop>;

/// A game in progress.
pub(super) struct OngoingGame<'s> {
    pub session: &'s mut DialogueSession,
    /// The game as it is planned.
    pub plan: GamePlan,
    /// The bot's hands so far.
    pub bots: Vec<Hand>,
    watch: Watch,
}

impl OngoingGame<'_> {
    /// Begins the game of `plan`, which `play` plays. Returns the fault, if there is one, as all scripts do.
    ///
    /// # Errors
    /// The system failed.
    pub(super) fn script(
        session: &mut DialogueSession,
        plan: &GamePlan,
        watch: Watch,
        play: impl FnOnce(&mut OngoingGame) -> Played,
    ) -> io::Result<Option<Fault>> {
        let mut game = OngoingGame { session, plan: *plan, bots: Vec::new(), watch };
        match play(&mut game) {
            Ok(()) => Ok(None),
            Err(Stop::Fault(fault)) => Ok(Some(fault)),
            Err(Stop::Failed(error)) => Err(error),
        }
    }

    /// Reads the bot's name, and sends the seed and the number of rounds (R3, R4).
    pub(super) fn open(&mut self) -> Played {
        opening::name(self)?;
        let early = self.session.read_unsolicited(if self.watch == Watch::StartAndEnd {
            AFTER_NAME
        } else {
            Duration::ZERO
        })?;
        opening::before_the_seed(&early).map_or(Ok(()), Err)?;
        Ok(self.send_opening()?)
    }

    /// Plays until this many rounds have been played.
    pub(super) fn rounds(&mut self, until: usize) -> Played {
        while self.bots.len() < until {
            let hand = answers::hand(self)?;
            self.bots.push(hand);
            let more = self.session.read_unsolicited(self.silence_due())?;
            surplus::with_a_hand(self, more)?;
            self.send_hand()?;
        }
        Ok(())
    }

    /// Watches the bot after the last round.
    pub(super) fn end(&mut self) -> Played {
        let more = self.session.read_unsolicited(AFTER_HAND)?;
        surplus::after_the_game(&more).map_or(Ok(()), |fault| Err(fault.into()))
    }

    /// How long the bot must write nothing after the hand that it has just shown.
    fn silence_due(&self) -> Duration {
        let is_near_end = self.watch != Watch::AfterEnd && self.bots.len() + LAST_ROUNDS > self.plan.rounds;
        if is_near_end || self.was_watched() { AFTER_HAND } else { Duration::ZERO }
    }

    /// Whether all rounds so far were watched closely.
    pub(super) fn was_watched(&self) -> bool {
        self.watch == Watch::StartAndEnd && self.bots.len() <= FIRST_ROUNDS
    }

    /// Sends the seed and the number of rounds (R4).
    ///
    /// # Errors
    /// The system failed.
    pub(super) fn send_opening(&mut self) -> io::Result<()> {
        let GamePlan { seed, rounds, .. } = self.plan;
        self.session.send((self.plan.line(seed) + &self.plan.line(rounds)).as_bytes())
    }

    /// Sends the opponent's hand of the last round played.
    fn send_hand(&mut self) -> io::Result<()> {
        let hand = self.plan.opponent.hand(self.bots.len() - 1, &self.bots);
        self.session.send(self.plan.line(hand).as_bytes())
    }

    /// Sends this many hands of an opponent at once.
    ///
    /// # Errors
    /// The system failed.
    pub(super) fn send_hands(&mut self, count: usize) -> io::Result<()> {
        self.session.send(self.plan.line(Hand::Rock).repeat(count).as_bytes())
    }
}
