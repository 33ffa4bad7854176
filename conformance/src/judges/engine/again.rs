//! Questions that are asked again: with other seeds, in another order, in a fresh process, and to measure the speed.

use super::{Engine, UNLISTED};
use crate::catalog::Id;
use crate::judges::session::{Checked, Exchange, NO_QUESTION};
use cornerman::rng::Rng;
use cornerman_harness::judge::answer::{JudgePosition, Views};
use cornerman_harness::sandbox::Environment;
use std::time::{Duration, Instant};

/// Questions are asked again for at most this long, in each of the two processes.
const PATIENCE: Duration = Duration::from_millis(11_250);

/// The number of seeds that are compared.
const SEEDS: u64 = 10;

impl Engine<'_> {
    /// Plays games of the same moves with different seeds. Something that people or bots see must differ.
    pub(super) fn seeds(&mut self) -> Checked {
        let seats = self.request.ruleset.seats.0;
        for try_ in 0..3 {
            let mut first: Option<Vec<String>> = None;
            for seed in 0..SEEDS {
                let mut rng = Rng::new(try_);
                let mut seen = Vec::new();
                let Some(mut place) = self.start(seats, seed * 7919 + 1)? else { return Ok(()) };
                seen.push(look(&place.position));
                while place.position.result.is_none() && self.hello.legal && place.moves < 200 {
                    let mut chosen = Vec::new();
                    for seat in place.turn() {
                        let Some(legal) = self.legal(&place, seat, false)? else { return Ok(()) };
                        seen.push(legal.join(" "));
                        chosen.push(rng.pick(&legal).cloned());
                    }
                    let Some(next) = self.advance(&place, chosen, false)? else { return Ok(()) };
                    seen.push(look(&next.position));
                    place = next;
                }
                if first.get_or_insert_with(|| seen.clone()) != &seen {
                    return Ok(());
                }
            }
        }
        if self.hello.legal {
            let what = format!("{SEEDS} seeds gave the same views, boards and moves");
            self.session.found("JD-SEEDED", &what, "games of the same moves", NO_QUESTION, "");
        } else {
            self.not_judged("JD-SEEDED", UNLISTED);
        }
        Ok(())
    }

    /// Asks the questions that were kept again in mixed order, while there is time: in the process that answered them
    /// last, and in a fresh one. Stops at the first answer that differs.
    pub(super) fn again(&mut self) -> Checked {
        let mut asked = std::mem::take(&mut self.asked);
        self.rng.shuffle(&mut asked);
        let now = self.session.started;
        if !self.has("JD-SAME") {
            let of_this = asked.iter().filter(|(process, _)| *process == now).map(|(_, exchange)| exchange);
            let what = "asked again between other questions, it answers differently";
            self.compare(of_this, "JD-SAME", what)?;
        }
        self.session.refresh(Environment::Varied)?;
        if !self.has("JD-SAME") {
            let what = "a fresh process answers differently";
            self.compare(asked.iter().map(|(_, exchange)| exchange), "JD-FRESH", what)?;
        }
        self.asked = asked;
        Ok(())
    }

    fn compare<'b>(&mut self, exchanges: impl Iterator<Item = &'b Exchange>, id: Id, what: &str) -> Checked {
        let patience = Instant::now() + PATIENCE;
        for exchange in exchanges.take_while(|_| Instant::now() <= patience) {
            let what = |before: &str| format!("{what}; before: {before}");
            if self.session.differs(exchange, id, "questions of several games", what)? {
                break;
            }
        }
        Ok(())
    }

    /// How many questions are answered in a second; `None` if there are findings, or no questions that were kept.
    pub(super) fn speed(&mut self) -> Checked<Option<u64>> {
        if !self.session.findings.is_empty() || self.asked.is_empty() {
            return Ok(None);
        }
        let before = self.session.questions;
        let exchanges = std::mem::take(&mut self.asked);
        // Long questions, such as those with nonsense, are not typical.
        let moves: Vec<&Exchange> =
            exchanges.iter().map(|(_, exchange)| exchange).filter(|it| it.question.len() < 4096).collect();
        // The first questions start the process, and warm it up.
        for exchange in moves.iter().take(200) {
            self.session.ask_only(&exchange.question)?;
        }
        self.session.took = Duration::ZERO;
        let began = Instant::now();
        let warm = self.session.questions;
        for exchange in moves.iter().cycle() {
            if began.elapsed() > Duration::from_millis(700) {
                break;
            }
            self.session.ask_only(&exchange.question)?;
        }
        let asked = self.session.questions - warm;
        let took = self.session.took.as_secs_f64();
        self.session.questions = before;
        Ok((asked > 0 && took > 0.0).then(|| (asked as f64 / took) as u64))
    }
}

/// What people and bots see of a position, as text.
fn look(position: &JudgePosition) -> String {
    let views = match &position.views {
        Views::None => String::new(),
        Views::Same(view) => view.clone(),
        Views::Each(views) => format!("{views:?}"),
    };
    format!("{views} {:?} {:?} {:?} {}", position.board, position.turn, position.result, position.words)
}
