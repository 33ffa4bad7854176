//! The bots beside a judge, which play its games if it does not list moves.

use super::{Engine, Place};
use cornerman::game::{LiveGame, Seat, Seats, Setup};
use cornerman_harness::judge::answer::{JudgePosition, Views};
use cornerman_harness::judge::failure::JudgeFailure;
use cornerman_harness::judge::hello::JudgeHello;
use cornerman_harness::judge::{JudgedGame, bytes_of, judged, text_of};
use cornerman_harness::player::seating::Seated;
use cornerman_harness::player::{Player, Turn, seating};

/// Bots that play a game whose judge does not list moves.
pub(super) struct Movers {
    seated: Option<(Seated, JudgedGame)>,
    filter: bool,
    bytes: bool,
    /// What each seat has not been sent.
    unsent: Vec<String>,
}

impl Movers {
    pub(super) fn new(engine: &Engine, seats: u8, seed: u64) -> Result<Movers, JudgeFailure> {
        let request = engine.request;
        let JudgeHello { filter, bytes, .. } = *engine.hello;
        let unsent = vec![String::new(); usize::from(seats)];
        let mut movers = Movers { seated: None, filter, bytes, unsent };
        if engine.hello.legal || request.bots.is_empty() {
            return Ok(movers);
        }
        let judge = judged(request.ruleset).expect("it is a ruleset of a judge").judge;
        let marks = request.ruleset.marks[..usize::from(seats)].to_vec();
        let setup = Setup { seats, board: Vec::new(), marks: marks.clone(), seed };
        let Ok(game) = JudgedGame::start(judge, engine.rules, &setup) else { return Ok(movers) };
        let mut players: Vec<Box<dyn Player>> = Vec::new();
        for seat in (0..seats).map(Seat) {
            let at = (seat.index() + seed as usize) % request.bots.len();
            let bot = &request.bots[at];
            let sandbox = bot.sandbox(request.conditions)?;
            let mut player = seating::seat(bot, request.ruleset, seat, sandbox)?;
            player.start(&setup, seat)?;
            players.push(player);
        }
        movers.add(game.position(), Seats::NONE);
        movers.seated = Some((Seated::new(players, &marks)?, game));
        Ok(movers)
    }

    /// What the bot in this seat answers; `None` if it does not.
    pub(super) fn answer(&mut self, seat: Seat) -> Result<Option<String>, JudgeFailure> {
        let Some((seated, game)) = &mut self.seated else { return Ok(None) };
        let view = bytes_of(&std::mem::take(&mut self.unsent[seat.index()]), self.bytes);
        let turn = Turn { view: &view, game: &*game as &dyn LiveGame, seat };
        let answer = seated.players[seat.index()].ask(&turn)?;
        Ok(answer.reply.ok().and_then(|reply| text_of(reply.as_bytes(), self.bytes)))
    }

    /// Keeps what the position `next` sends.
    pub(super) fn sent(&mut self, next: &Place) {
        self.add(&next.position, next.out);
    }

    fn add(&mut self, position: &JudgePosition, out: Seats) {
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
