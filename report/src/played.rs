//! The games of a record as a list: who won and how, the slowest move, the length, and how to see the game.

use crate::style::{Grid, duration};
use crate::view::View;
use crate::{SCHEMA, Style, Tournament, count, plain};
use cornerman::format::{EntrantId, GameId};
use cornerman::game::Seat;
use cornerman_harness::record::{Forfeit, GameSummary};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

/// Which games are listed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Filter {
    /// Only those of this entrant.
    pub bot: Option<EntrantId>,
    /// Only those in which it played this one.
    pub against: Option<EntrantId>,
    /// Only those that it lost.
    pub lost: bool,
    /// Only those in which it forfeited, or anyone if no entrant is named.
    pub forfeited: bool,
}

/// The games of a tournament, with the facts that the list shows.
pub struct Played<'a> {
    /// The tournament.
    pub tournament: &'a Tournament<'a>,
    /// Its games, with the places and points that count.
    pub games: &'a [GameSummary],
    /// Forfeits.
    pub forfeits: &'a [Forfeit],
    /// The slowest move of each seat.
    pub slowest: &'a BTreeMap<GameId, Vec<Duration>>,
    /// How the game is shown.
    pub view: &'a dyn View,
    /// The command that shows a recorded game; the game's name is appended to it.
    pub replay: String,
}

impl Played<'_> {
    /// The games that the filter selects, as a table; a sentence if there are none.
    pub fn text(&self, filter: Filter, style: Style) -> String {
        let listed = self.listed(filter);
        if listed.is_empty() {
            return format!("no such game among {}\n", count(self.games.len(), "game"));
        }
        let header = ["players", "result", "moves", "slowest", "to see it"].map(String::from).to_vec();
        let row = |game: &&GameSummary| {
            vec![
                self.players(game),
                self.result(game, filter),
                game.moves.to_string(),
                duration(self.slowest_of(game, filter)),
                format!("{} {}", self.replay, game.pairing.id),
            ]
        };
        let rows: Vec<Vec<String>> = listed.iter().map(row).collect();
        let heading = format!("{} of {}", listed.len(), count(self.games.len(), "game"));
        let grid = Grid { header, texts: vec![0, 1, 4], rows };
        format!("{}\n{}", style.heading(&heading), grid.text(style))
    }

    /// The same as JSON.
    pub fn json(&self, filter: Filter) -> Value {
        let one = |game: &&GameSummary| {
            let slowest = self.slowest.get(&game.pairing.id);
            let seats = game.pairing.seats.iter().enumerate().map(|(seat, id)| {
                let mut value = self.tournament.entrant_json(*id);
                value["place"] = json!(game.outcome.places.get(seat));
                value["points"] = json!(game.outcome.points.get(seat));
                value["slowest_us"] = json!(slowest.and_then(|all| all.get(seat)).map(Duration::as_micros));
                value
            });
            let forfeits = self.forfeits_in(game).map(|forfeit| {
                let Forfeit { seat, number, kind, detail, .. } = forfeit;
                json!({ "seat": seat.0, "move": number, "fault": kind, "reason": detail })
            });
            json!({
                "game": game.pairing.id.to_string(),
                "seats": seats.collect::<Vec<_>>(),
                "result": filter.bot.and_then(|bot| result_of(game, bot)),
                "moves": game.moves,
                "forfeits": forfeits.collect::<Vec<_>>(),
                "replay": format!("{} {}", self.replay, game.pairing.id),
            })
        };
        json!({ "schema": SCHEMA, "games": self.listed(filter).iter().map(one).collect::<Vec<_>>() })
    }

    fn listed(&self, filter: Filter) -> Vec<&GameSummary> {
        let has = |game: &GameSummary, id: Option<EntrantId>| id.is_none_or(|id| game.pairing.seats.contains(&id));
        let mut forfeited: BTreeMap<GameId, Vec<EntrantId>> = BTreeMap::new();
        for forfeit in self.forfeits {
            forfeited.entry(forfeit.id).or_default().push(forfeit.entrant);
        }
        let did_forfeit = |game: &GameSummary| {
            let who = forfeited.get(&game.pairing.id);
            who.is_some_and(|who| filter.bot.is_none_or(|bot| who.contains(&bot)))
        };
        let is_listed = |game: &&GameSummary| {
            has(game, filter.bot)
                && has(game, filter.against)
                && (!filter.lost || filter.bot.and_then(|bot| result_of(game, bot)) == Some("lost"))
                && (!filter.forfeited || did_forfeit(game))
        };
        self.games.iter().filter(is_listed).collect()
    }

    /// `left-hook 12, @greedy 100`, in order of play.
    fn players(&self, game: &GameSummary) -> String {
        let seats = game.pairing.seats.iter().zip(&game.outcome.points);
        seats.map(|(id, points)| format!("{} {points}", self.tournament.name(*id))).collect::<Vec<_>>().join(", ")
    }

    /// `lost: @greedy fills the last spot and wins with 100 marks`, or the forfeits.
    fn result(&self, game: &GameSummary, filter: Filter) -> String {
        let name = |seat: usize| self.tournament.name(game.pairing.seats[seat]);
        let mut forfeits: Vec<String> = self
            .forfeits_in(game)
            .map(|forfeit| {
                let name = name(forfeit.seat.index());
                format!("{name} forfeits at move {}: {}", forfeit.number, plain(&forfeit.kind))
            })
            .collect();
        let winners: Vec<usize> =
            (0..game.outcome.places.len()).filter(|&seat| game.outcome.places[seat] == 1).collect();
        let how = match winners[..] {
            _ if !forfeits.is_empty() => std::mem::take(&mut forfeits).join(", "),
            [winner] => format!("{} {}", name(winner), self.victory(game, Seat(winner as u8))),
            _ => "tie".to_string(),
        };
        match filter.bot.and_then(|bot| result_of(game, bot)) {
            Some("tied") if how == "tie" => how,
            Some(result) => format!("{result}: {how}"),
            None => how,
        }
    }

    /// How `seat` won, by what decides the games of the stage (S3), in words that follow its name.
    fn victory(&self, game: &GameSummary, seat: Seat) -> String {
        match self.tournament.measure(game.pairing.id.stage) {
            None => self.view.victory(&game.outcome, seat),
            Some(measure) => format!("wins by {}", measure.name),
        }
    }

    /// The slowest move of the filter's entrant, or of all entrants.
    fn slowest_of(&self, game: &GameSummary, filter: Filter) -> Duration {
        let all = self.slowest.get(&game.pairing.id).map(Vec::as_slice).unwrap_or_default();
        let of_bot = |id: &EntrantId| filter.bot.is_none_or(|bot| bot == *id);
        let own = game.pairing.seats.iter().zip(all).filter(|(id, _)| of_bot(id)).map(|(_, slowest)| *slowest);
        own.max().unwrap_or_default()
    }

    fn forfeits_in(&self, game: &GameSummary) -> impl Iterator<Item = &Forfeit> {
        let id = game.pairing.id;
        let from = self.forfeits.partition_point(|forfeit| forfeit.id < id);
        self.forfeits[from..].iter().take_while(move |forfeit| forfeit.id == id)
    }
}

/// `won`, `tied` or `lost`; `None` if the entrant does not play.
fn result_of(game: &GameSummary, id: EntrantId) -> Option<&'static str> {
    let seat = game.pairing.seats.iter().position(|seat| *seat == id)?;
    Some(match (game.outcome.places.get(seat)?, game.outcome.winners().count()) {
        (1, 1) => "won",
        (1, _) => "tied",
        _ => "lost",
    })
}
