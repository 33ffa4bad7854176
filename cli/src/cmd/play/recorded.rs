//! `play --db FILE`: the games go into a record like that of a tournament, after those that are there.
//!
//! They are games of an improvised contest, so that `verify` can derive their boards and seeds: a gauntlet for two
//! players, and otherwise one board on which the players sit in every order.

use super::{HUMAN, PlaySession};
use crate::contest::improvised::gauntlet;
use crate::contest::{entrant_of_spec, identify};
use crate::show::plain;
use crate::{CliError, Registry};
use cornerman::contest::Contest;
use cornerman::format::{EntrantId, Pairing, Plan, Results};
use cornerman::formats::{Bounded, Format, permutations};
use cornerman::game::Setup;
use cornerman_harness::bot::Bot;
use cornerman_harness::contest_file::{Boards, ContestFile, Entrant};
use cornerman_harness::kit::SeedUse;
use cornerman_harness::machine::Machine;
use cornerman_harness::names;
use cornerman_harness::record::{EntrantRecord, Record, RecordError, Writer};
use std::path::{Path, PathBuf};

/// The record of games that are played by hand.
pub(super) struct Recording {
    pub writer: Writer,
    /// The results of the games that it has.
    pub results: Results,
    /// The games that it can have.
    pub places: ContestGames,
}

/// The games of the record's contest.
pub(super) struct ContestGames {
    path: PathBuf,
    contest: Contest,
    boards: Boards,
    /// The entrants of the record, by the place of each in the command line.
    ids: Vec<EntrantId>,
}

impl Recording {
    /// Begins or resumes the record of the session's games at `path`. `chosen` says whether the user chose the board or
    /// the seed.
    ///
    /// # Errors
    /// When the record is of other players or rules, has another board or seed than the `chosen` one, has all games of
    /// these players already, or cannot be read or written.
    pub(super) fn begin(
        path: &Path,
        session: &mut PlaySession,
        chosen: bool,
        games: &Registry,
    ) -> Result<Recording, CliError> {
        let players: Vec<(String, String)> = session.entrants.iter().map(player).collect();
        let begun = Record::open_if_begun(path)?;
        let before = begun.as_ref().map(Record::entrants).transpose()?.unwrap_or_default();
        let ids = ids(&players, &before).ok_or_else(|| {
            let names: Vec<&str> = before.iter().map(|entrant| entrant.name.as_str()).collect();
            let path = plain(path.display());
            let names = plain(names.join(", "));
            usage!("{path} has games of other players, {names}: record into another file")
        })?;
        let mut in_order: Vec<usize> = (0..players.len()).collect();
        in_order.sort_by_key(|&at| ids[at]);
        let names = names::told_apart(&in_order.iter().map(|&at| players[at].clone()).collect::<Vec<_>>());
        let named: Vec<(usize, &str)> = in_order.iter().copied().zip(names.iter().map(String::as_str)).collect();
        let entrant = |&(at, name): &(usize, &str)| Entrant {
            name: Some(name.to_string()),
            ..entrant_of_spec(&players[at].1, &games.engines)
        };
        let entrants = named.iter().map(entrant).collect();
        let format = match players.len() {
            1 => return Err(usage!("a game of one seat cannot be recorded by `play`; a tournament records it")),
            2 => gauntlet(1, 2, 2),
            more => Format::Permutations(permutations::PermutationsSettings {
                max_entrants: Some(Bounded::new(more as u32)),
                ..Default::default()
            }),
        };
        let boards = if session.board.is_empty() { Vec::new() } else { vec![session.board.clone()] };
        let ruleset = session.ruleset.clone();
        // The seed of a contest has 63 bits.
        let seed = session.seed & (u64::MAX >> 1);
        let mut file = ContestFile::of_one_stage("play", ruleset, seed, boards, entrants, format)?;
        if let Some(header) = begun.as_ref().map(Record::header).transpose()? {
            if chosen && (header.seed, &header.boards) != (file.spec.seed, &file.boards) {
                return Err(usage!(
                    "{} has boards of its own: leave out `--seed` and `--board`, or record into another file",
                    plain(path.display())
                ));
            }
            (file.spec.seed, file.boards) = (header.seed, header.boards);
        }
        let contest = file.contest()?;
        let boards = file.boards_of(&contest);
        let mut writer = Writer::create_or_resume(path, &file.header(crate::VERSION)).map_err(of_other)?;
        let mut records = file.entrant_records();
        for (record, &at) in records.iter_mut().zip(&in_order) {
            if let Some(bot) = &session.entrants[at] {
                identify(record, bot);
            }
        }
        writer.add_entrants(&records).map_err(of_other)?;
        writer.add_machine(&Machine::this())?;
        let results = writer.check_schedule(&contest)?;
        let places = ContestGames { path: path.into(), contest, boards, ids };
        let seats: Vec<usize> = (0..players.len()).collect();
        // If there is nothing left to play, the user learns that before the first game.
        places.next(&seats, &results)?;
        // The seeds of games that draw lots are the contest's, so `--seed` without the record would give others.
        let draws = matches!(session.ruleset.kit().facts().seed_use, SeedUse::Draws);
        if begun.is_some() || draws {
            session.origin = format!("recorded in {}", plain(path.display()));
        }
        Ok(Recording { writer, results, places })
    }
}

impl ContestGames {
    /// The next game after those that are `done` in which the players have these seats. `seats` has the place in the
    /// command line of the player in each seat.
    ///
    /// # Errors
    /// When the record has all games of these players in these seats.
    pub(super) fn next(&self, seats: &[usize], done: &Results) -> Result<Pairing, CliError> {
        let wanted: Vec<EntrantId> = seats.iter().map(|&at| self.ids[at]).collect();
        let plan = self.contest.plan(done)?;
        let due = if let Plan::Play(due) = plan { due } else { Vec::new() };
        due.into_iter().find(|game| game.seats == wanted).ok_or_else(|| {
            let path = self.path.display();
            usage!("{} has this game already: record into another file", plain(path))
        })
    }

    pub(super) fn setup(&self, pairing: &Pairing) -> Setup {
        self.boards.setup(pairing)
    }

    /// The place of an entrant in the command line.
    pub(super) fn in_command_line(&self, id: EntrantId) -> usize {
        self.ids.iter().position(|other| *other == id).expect("games of these players were asked for")
    }
}

/// The error of a record that these players cannot go on with.
fn of_other(error: RecordError) -> CliError {
    if error.is_other_contest() { usage!("{error}\n(record into another file)") } else { error.into() }
}

/// The name and the BOT argument of a player.
fn player(entrant: &Option<Bot>) -> (String, String) {
    let human = || (HUMAN.to_string(), HUMAN.to_string());
    entrant.as_ref().map_or_else(human, |bot| (bot.name.clone(), bot.spec.clone()))
}

/// The number of each player in the record, in the order of the command line. A new record counts them in this order;
/// one that has begun may have them in another. `None` if it has other players.
fn ids(players: &[(String, String)], before: &[EntrantRecord]) -> Option<Vec<EntrantId>> {
    if before.is_empty() {
        return Some((0..players.len() as u16).map(EntrantId).collect());
    }
    let mut free: Vec<Option<&str>> = before.iter().map(|entrant| Some(entrant.spec.as_str())).collect();
    let place = |(_, spec): &(String, String)| {
        let at = free.iter().position(|free| *free == Some(spec.as_str()))?;
        free[at] = None;
        Some(EntrantId(at as u16))
    };
    let known: Option<Vec<EntrantId>> = players.iter().map(place).collect();
    known.filter(|_| before.len() == players.len())
}
