//! The games of a record as a list: who won and how, the slowest move, the length, and how to see the game.

use crate::doc::{Cell, Column, Line, Listing, Section};
use crate::json::{EntrantJson, ForfeitJson, micros};
use crate::view::GameView;
use crate::{Tournament, count};
use cornerman::format::{EntrantId, GameId};
use cornerman::game::{Outcome, Seat};
use cornerman_harness::record::{EntrantRecord, Forfeit, GameSummary};
use cornerman_harness::ruleset::Ruleset;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// Selects games. "It" is the entrant [`bot`](GameFilter::bot).
#[derive(Clone, Copy, Debug, Default)]
pub struct GameFilter {
    /// Only those of this entrant.
    pub bot: Option<EntrantId>,
    /// Only those in which it played this one.
    pub against: Option<EntrantId>,
    /// Only those in which these versions of the two played.
    pub versions: [Option<EntrantId>; 2],
    /// Only those that it lost.
    pub lost: bool,
    /// Only those in which it forfeited, or in which any entrant did if none is named.
    pub forfeited: bool,
}

/// The games of a tournament, with the facts that the list shows.
pub struct PlayedGames<'a> {
    /// The tournament.
    pub tournament: &'a Tournament<'a>,
    /// Its recorded games, [measured](Tournament::measured).
    pub games: &'a [GameSummary],
    /// The forfeits in them, in the order of the contest.
    pub forfeits: &'a [Forfeit],
    /// The slowest move of each seat.
    pub slowest: &'a BTreeMap<GameId, Vec<Duration>>,
    /// How the game is shown.
    pub view: &'a dyn GameView,
    /// Its rules.
    pub ruleset: &'a Ruleset,
    /// The command that shows a recorded game; the game's name is appended to it.
    pub replay: String,
}

/// What `games` prints as JSON.
#[derive(Debug, Serialize, JsonSchema)]
pub struct GamesJson {
    /// The games, in the order of the contest.
    pub games: Vec<PlayedJson>,
}

/// A game.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PlayedJson {
    /// The game.
    pub game: String,
    /// Who played, in order of play.
    pub seats: Vec<PlayedSeatJson>,
    /// With `--bot`: whether it `won`, `tied` or `lost`.
    pub result: Option<&'static str>,
    /// The number of moves.
    pub moves: u32,
    /// The forfeits.
    pub forfeits: Vec<ForfeitJson>,
    /// Why it does not count: it was `annulled` or `awarded`, or is `void` because a bot is gone; left out if it counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uncounted: Option<&'static str>,
}

/// A seat of a game.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "SeatJson")]
pub struct PlayedSeatJson {
    /// The entrant.
    #[serde(flatten)]
    pub who: EntrantJson,
    /// The name of the version that played for it, if it was replaced by then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Its place; equal ones are shared.
    pub place: Option<u8>,
    /// Its points.
    pub points: Option<i64>,
    /// Its slowest move.
    pub slowest_us: Option<u64>,
}

impl PlayedGames<'_> {
    /// The games that the filter selects, as a table. If there are none, only the title, which says so.
    pub fn section(&self, filter: GameFilter) -> Section {
        let listed = self.listed(filter);
        let all = count(self.games.len(), "game");
        if listed.is_empty() {
            return Section::new("games", format!("no such game among {all}"));
        }
        let replay = |game: &GameSummary| Cell::Code(format!("{} {}", self.replay, game.pairing.id));
        let table = Listing(&listed).columns(&[
            (Column::text("players"), &|it| players(&self.tournament.playing(&it.pairing), &it.outcome).into()),
            (Column::text("result"), &|it| self.result(it, filter).into()),
            (Column::number("moves"), &|it| it.moves.into()),
            (Column::number("slowest"), &|it| self.slowest_of(it, filter).into()),
            (Column::text("to see it"), &|it| replay(it)),
        ]);
        Section::new("games", format!("{} of {all}", listed.len())).with(table)
    }

    /// The games that the filter selects, as JSON.
    pub fn json(&self, filter: GameFilter) -> GamesJson {
        let entrants = self.tournament.entrants;
        let one = |game: &&GameSummary| {
            let slowest = self.slowest.get(&game.pairing.id);
            let playing = self.tournament.playing(&game.pairing);
            let seat = |(seat, id): (usize, &EntrantId)| PlayedSeatJson {
                who: EntrantJson::new(*id, entrants),
                version: version_name(*id, playing[seat], entrants),
                place: game.outcome.places.get(seat).copied(),
                points: game.outcome.points.get(seat).copied(),
                slowest_us: slowest.and_then(|all| all.get(seat)).copied().map(micros),
            };
            PlayedJson {
                game: game.pairing.id.to_string(),
                seats: game.pairing.seats.iter().enumerate().map(seat).collect(),
                result: filter.bot.and_then(|bot| self.result_for(game, bot)),
                moves: game.moves,
                forfeits: self.forfeits_in(game).map(|forfeit| ForfeitJson::new(forfeit, entrants)).collect(),
                uncounted: self.tournament.uncounted(&game.pairing),
            }
        };
        GamesJson { games: self.listed(filter).iter().map(one).collect() }
    }

    /// The games that the filter selects.
    fn listed(&self, filter: GameFilter) -> Vec<&GameSummary> {
        let plays =
            |game: &GameSummary, id: Option<EntrantId>| id.is_none_or(|id| game.pairing.seats.contains(&id));
        let did_forfeit = |game: &GameSummary| {
            self.forfeits_in(game).any(|forfeit| filter.bot.is_none_or(|bot| bot == forfeit.entrant))
        };
        let has_version = |game: &GameSummary, version: Option<EntrantId>| {
            version.is_none_or(|version| self.tournament.playing(&game.pairing).contains(&version))
        };
        let is_listed = |game: &&GameSummary| {
            plays(game, filter.bot)
                && plays(game, filter.against)
                && filter.versions.iter().all(|version| has_version(game, *version))
                && (!filter.lost || filter.bot.and_then(|bot| self.result_for(game, bot)) == Some("lost"))
                && (!filter.forfeited || did_forfeit(game))
        };
        self.games.iter().filter(is_listed).collect()
    }

    /// `lost: @greedy fills the last spot and wins with 100 marks`. If there are forfeits, they are named instead; in a
    /// game of more than two, after the result, which does not follow from them.
    fn result(&self, game: &GameSummary, filter: GameFilter) -> Line {
        let seat = |seat: usize| Line::from(game.pairing.seats[seat]);
        let forfeit = |forfeit: &Forfeit| {
            seat(forfeit.seat.index()).then(format!(" forfeits at move {}: {}", forfeit.number, forfeit.kind))
        };
        let forfeits: Vec<Line> = self.forfeits_in(game).map(forfeit).collect();
        let places = &game.outcome.places;
        let winners: Vec<usize> = (0..places.len()).filter(|&seat| places[seat] == 1).collect();
        let says_result = forfeits.is_empty() || places.len() > 2;
        let is_tie = says_result && winners.len() != 1;
        let won = match winners[..] {
            [winner] => seat(winner).then(format!(" {}", self.victory(game, Seat(winner as u8)))),
            _ => "tie".into(),
        };
        let forfeited = Line::joined(forfeits, ", ");
        let how = match (says_result, forfeited.is_empty()) {
            (false, _) => forfeited,
            (true, true) => won,
            (true, false) => won.then("; ").then(forfeited),
        };
        if let Some(why) = self.tournament.uncounted(&game.pairing) {
            let award = self.tournament.contest.journal().award_at(game.pairing.id).filter(|_| why == "awarded");
            return match award {
                Some(award) => Line::from("awarded to ").then(award.winner).then("; as played: ").then(how),
                None => Line::from(format!("{why}: ")).then(how),
            };
        }
        match filter.bot.and_then(|bot| result_of(game, bot)) {
            Some("tied") if is_tie => how,
            Some(result) => Line::from(format!("{result}: ")).then(how),
            None => how,
        }
    }

    /// `won`, `tied` or `lost`; `None` if the entrant does not play, or the game does not count.
    fn result_for(&self, game: &GameSummary, id: EntrantId) -> Option<&'static str> {
        result_of(game, id).filter(|_| self.tournament.uncounted(&game.pairing).is_none())
    }

    /// How `seat` won, by what decides the games of the stage (S3), in words that follow its name.
    fn victory(&self, game: &GameSummary, seat: Seat) -> String {
        match self.tournament.measure(game.pairing.id.stage) {
            None => self.view.victory(self.ruleset, &game.outcome, seat),
            Some(measure) => format!("wins by {}", measure.name),
        }
    }

    /// The slowest move of the filter's entrant, or of all entrants.
    fn slowest_of(&self, game: &GameSummary, filter: GameFilter) -> Duration {
        let all = self.slowest.get(&game.pairing.id).map(Vec::as_slice).unwrap_or_default();
        let of_bot = |id: &EntrantId| filter.bot.is_none_or(|bot| bot == *id);
        let own = game.pairing.seats.iter().zip(all).filter(|(id, _)| of_bot(id)).map(|(_, slowest)| *slowest);
        own.max().unwrap_or_default()
    }

    /// The forfeits in a game, found by bisection.
    fn forfeits_in(&self, game: &GameSummary) -> impl Iterator<Item = &Forfeit> {
        let id = game.pairing.id;
        let from = self.forfeits.partition_point(|forfeit| forfeit.id < id);
        self.forfeits[from..].iter().take_while(move |forfeit| forfeit.id == id)
    }
}

/// The name of the version that plays for `entrant`; `None` if that is the bot itself.
pub(crate) fn version_name(entrant: EntrantId, playing: EntrantId, entrants: &[EntrantRecord]) -> Option<String> {
    (playing != entrant).then(|| crate::raw_name_of(entrants, playing))
}

/// `left-hook 12, @greedy 100`, in order of play.
pub(crate) fn players(seats: &[EntrantId], outcome: &Outcome) -> Line {
    let seats = seats.iter().zip(&outcome.points);
    Line::joined(seats.map(|(id, points)| Line::from(*id).then(format!(" {points}"))), ", ")
}

/// `won`, `tied` or `lost`; `None` if the entrant does not play.
pub(crate) fn result_of(game: &GameSummary, id: EntrantId) -> Option<&'static str> {
    let seat = game.pairing.seats.iter().position(|seat| *seat == id)?;
    Some(match (game.outcome.places.get(seat)?, game.outcome.winners().count()) {
        (1, 1) => "won",
        (1, _) => "tied",
        _ => "lost",
    })
}
