//! A second derivation of all that follows from a record: from the rules in `docs/requirements.md` and
//! `docs/contest-file.md` and the tables of departures and arrivals in `docs/run-a-contest.md`, in the simplest way and
//! without the code of the formats.
//!
//! Lots are taken as they were published. Where a rule leaves a choice (who sits where, which of equally good
//! pairings), the games are taken as planned and compared with the rule. `tests/tournament/season/derived.rs` includes
//! this file too, so it takes all names from the module above.

use super::*;
use core::cell::RefCell;

#[path = "oracle/fixed.rs"]
mod fixed;
#[path = "oracle/rounds.rs"]
mod rounds;
#[path = "oracle/swiss.rs"]
mod swiss;

/// A game that is due, with those of its numbers that follow from a rule: matches have no numbers here, and the round
/// and the number of the game are 0 where no rule gives them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct DueGame {
    pub round: u16,
    pub game: u16,
    pub seats: Vec<EntrantId>,
    pub board: u32,
}

impl From<&Pairing> for DueGame {
    fn from(game: &Pairing) -> DueGame {
        DueGame { round: game.id.round, game: game.id.game, seats: game.seats.clone(), board: game.board }
    }
}

/// A decision that counts in standings or plans.
#[derive(Clone, Debug)]
pub(super) struct Decided {
    pub what: What,
    /// The number of games that had been recorded.
    pub after: usize,
}

#[derive(Clone, Debug)]
pub(super) enum What {
    Leave {
        entrant: EntrantId,
        is_disqualified: bool,
        choice: Option<LeftGames>,
    },
    /// For each stage, whether the bot takes part without having to qualify.
    Admit {
        entrant: EntrantId,
        stages: Vec<bool>,
    },
    Annul(GameId),
    Award(GameId, Outcome),
}

/// An entrant that left a stage under way.
pub(super) struct Gone {
    pub entrant: EntrantId,
    /// The first round that had not begun.
    pub round: u16,
    pub games: LeftGames,
    /// The places of its games that had been played.
    played: BTreeSet<GameId>,
}

/// The lots that were published, and which of them were needed.
pub(super) struct Lots {
    pub published: Vec<(u8, String, Vec<EntrantId>)>,
    pub needed: RefCell<BTreeSet<usize>>,
}

impl Lots {
    pub(super) fn from_published(published: Vec<(u8, String, Vec<EntrantId>)>) -> Lots {
        Lots { published, needed: RefCell::default() }
    }

    /// The order that a lot of the stage gave these entrants.
    fn find(&self, stage: u8, about: &str, among: &[EntrantId]) -> Vec<EntrantId> {
        let is_it = |(of, found, order): &(u8, String, Vec<EntrantId>)| {
            *of == stage && found.starts_with(about) && BTreeSet::from_iter(order) == BTreeSet::from_iter(among)
        };
        let at = self.published.iter().position(is_it);
        let at = at.unwrap_or_else(|| panic!("no lot on {about} in stage {} among {among:?}", stage + 1));
        self.needed.borrow_mut().insert(at);
        self.published[at].2.clone()
    }
}

/// What a stage is derived from.
struct Known<'a> {
    name: &'a str,
    stage: u8,
    /// The entrants, the best seed first, then those that were admitted late.
    entrants: Vec<EntrantId>,
    field: &'a Field,
    forfeits: &'a [Outcome; 2],
    /// Its games so far, planned or played.
    games: Vec<(&'a Pairing, Option<Outcome>)>,
    gone: Vec<Gone>,
    /// The entrants that were admitted after the stage had begun, each with the first round that had not begun.
    late: Vec<(EntrantId, u16)>,
    lots: &'a Lots,
}

impl Known<'_> {
    fn played(&self) -> impl Iterator<Item = (&Pairing, &Outcome)> {
        self.games.iter().filter_map(|(game, outcome)| Some((*game, outcome.as_ref()?)))
    }

    fn outcome(&self, due: &DueGame) -> Option<&Outcome> {
        self.played().find(|(game, _)| DueGame::from(*game) == *due).map(|(_, outcome)| outcome)
    }

    fn has_left(&self, entrant: EntrantId) -> bool {
        self.order_of_leaving(entrant).is_some()
    }

    fn order_of_leaving(&self, entrant: EntrantId) -> Option<usize> {
        self.gone.iter().position(|gone| gone.entrant == entrant)
    }

    /// The entrants that the stage began with.
    fn begun_with(&self) -> Vec<EntrantId> {
        let was_there = |id: &&EntrantId| !self.late.iter().any(|(late, _)| late == *id);
        self.entrants.iter().filter(was_there).copied().collect()
    }

    /// The entrants whose first round is this one, because they were admitted late.
    fn arriving(&self, round: u16) -> Vec<EntrantId> {
        self.late.iter().filter(|(_, first)| *first == round).map(|(id, _)| *id).collect()
    }

    fn lot(&self, about: &str, among: &[EntrantId]) -> Vec<EntrantId> {
        self.lots.find(self.stage, about, among)
    }
}

/// What the oracle derives for a stage.
pub(super) struct Derived {
    /// The entrants, the best seed first, then those that were admitted late.
    pub entrants: Vec<EntrantId>,
    pub due: Vec<DueGame>,
    pub standings: Vec<Standing>,
    /// The entrants that advance, if the standings alone do not decide it.
    advancing: Option<Vec<EntrantId>>,
    pub gone: Vec<Gone>,
    pub late: Vec<(EntrantId, u16)>,
}

impl Derived {
    fn new(due: Vec<DueGame>, standings: Vec<Standing>) -> Derived {
        let (entrants, gone, late) = Default::default();
        Derived { entrants, due, standings, advancing: None, gone, late }
    }

    /// Whether it is not played, as fewer than two take part.
    pub(super) fn is_skipped(&self) -> bool {
        self.entrants.len() < 2
    }
}

/// The standings of `rows`, the best first: a place is one more than the number of better entrants.
fn ranked(rows: Vec<(EntrantId, Vec<i64>)>) -> Vec<Standing> {
    let place = |own: &[i64]| 1 + rows.iter().filter(|(_, other)| &other[..] > own).count() as u32;
    let standing = |(entrant, figures): &(EntrantId, Vec<i64>)| Standing {
        entrant: *entrant,
        place: place(figures),
        figures: figures.clone(),
    };
    let mut standings: Vec<Standing> = rows.iter().map(standing).collect();
    standings.sort_by_key(|standing| (standing.place, standing.entrant));
    standings
}

/// A contest, as its record has it.
pub(super) struct Recorded {
    pub name: String,
    pub field: Field,
    pub stages: Vec<Stage>,
    /// Forfeits before the first move of the first seat and of the second.
    pub forfeits: [Outcome; 2],
    /// The games that were played, in the order in which they ended.
    pub rows: Vec<(Pairing, Outcome)>,
    /// All games that were planned, also those that were played, by their places.
    pub planned: BTreeMap<GameId, Pairing>,
    /// The decisions in force.
    pub decided: Vec<Decided>,
    /// The entrants of the stages that have begun.
    pub begun: BTreeMap<u8, Vec<EntrantId>>,
}

impl Recorded {
    /// The attempt that counts at this place.
    pub(super) fn attempt(&self, place: GameId) -> u16 {
        let is_of_place = |it: &&Decided| matches!(it.what, What::Annul(game) if game.place() == place);
        self.decided.iter().filter(is_of_place).count() as u16
    }

    /// The record as it was when decision `at` was taken.
    fn before(&self, at: usize) -> (&[(Pairing, Outcome)], &[Decided]) {
        (&self.rows[..self.decided[at].after], &self.decided[..at])
    }

    /// The outcomes that count, by the places of their games.
    fn results(rows: &[(Pairing, Outcome)], decided: &[Decided]) -> BTreeMap<GameId, Outcome> {
        let is_annulled = |id| decided.iter().any(|it| matches!(it.what, What::Annul(game) if game == id));
        let mut results = BTreeMap::new();
        for (game, outcome) in rows.iter().filter(|(game, _)| !is_annulled(game.id)) {
            results.insert(game.id.place(), outcome.clone());
        }
        for it in decided {
            if let What::Award(game, outcome) = &it.what {
                results.insert(game.place(), outcome.clone());
            }
        }
        results
    }

    /// The first round of a stage of which no game was played or awarded.
    pub(super) fn next_round(rows: &[(Pairing, Outcome)], decided: &[Decided], stage: u8) -> u16 {
        let awarded = decided.iter().filter_map(|it| match &it.what {
            What::Award(game, _) => Some(*game),
            _ => None,
        });
        let known = rows.iter().map(|(game, _)| game.id).chain(awarded);
        known.filter(|id| id.stage == stage).map(|id| id.round + 1).max().unwrap_or(0)
    }

    /// Derives each stage; `None` for one that cannot be played yet, or not at all.
    pub(super) fn derive(&self, lots: &Lots) -> Vec<Option<Derived>> {
        self.derive_until(self.stages.len() as u8, lots)
    }

    /// Notes with which entrants a stage begins now.
    pub(super) fn begin(&mut self, number: u8, lots: &Lots) {
        let before = self.derive_until(number, lots);
        let entrants = self.qualified(number, &before, lots).expect("the stages before it are over");
        self.begun.insert(number, entrants);
    }

    /// Derives the first `count` stages.
    pub(super) fn derive_until(&self, count: u8, lots: &Lots) -> Vec<Option<Derived>> {
        let mut stages = Vec::new();
        for number in 0..count {
            // A stage that has begun keeps its entrants, whatever is decided.
            let kept = self.begun.get(&number).filter(|_| !self.decided.is_empty()).cloned();
            let entrants = kept.or_else(|| self.qualified(number, &stages, lots));
            let format = &self.stages[usize::from(number)].format;
            let is_playable = |ids: &Vec<EntrantId>| !matches!(format, Format::Permutations(_)) || ids.len() <= 7;
            let entrants = entrants.filter(is_playable);
            stages.push(entrants.map(|entrants| self.derive_stage(number, entrants, lots)));
        }
        stages
    }

    /// Derives a stage that begins with these entrants.
    fn derive_stage(&self, number: u8, entrants: Vec<EntrantId>, lots: &Lots) -> Derived {
        if entrants.len() < 2 {
            let standings = ranked(entrants.iter().map(|id| (*id, Vec::new())).collect());
            return Derived { entrants, ..Derived::new(Vec::new(), standings) };
        }
        let results = Self::results(&self.rows, &self.decided);
        let of_stage = self.planned.values().filter(|game| game.id.stage == number);
        let games = of_stage.map(|game| (game, results.get(&game.id.place()).cloned())).collect();
        let name = format!("{}, stage {}", self.name, number + 1);
        let few;
        let format = match &self.stages[usize::from(number)].format {
            // Few entrants play an all-play-all instead, in which each pair meets twice (G8).
            Format::PairSwiss(settings) if entrants.len() <= usize::from(settings.all_play_all_up_to) => {
                few = Format::AllPlayAll(all_play_all::AllPlayAllSettings {
                    boards: Some(vec![settings.first_board.or(settings.board).unwrap_or(BoardNumber(0))]),
                    scoring: Some(settings.scoring.unwrap_or_default()),
                    ..Default::default()
                });
                &few
            }
            format => format,
        };
        let (gone, late) = Default::default();
        let mut known = Known {
            name: &name,
            stage: number,
            entrants,
            field: &self.field,
            forfeits: &self.forfeits,
            games,
            gone,
            late,
            lots,
        };
        for (at, decided) in self.decided.iter().enumerate() {
            let (rows, before) = self.before(at);
            let round = Self::next_round(rows, before, number);
            match &decided.what {
                What::Admit { entrant, stages } if round > 0 && stages[usize::from(number)] => {
                    known.late.push((*entrant, round));
                    known.entrants.push(*entrant);
                }
                What::Leave { entrant, choice, .. } if round > 0 && known.entrants.contains(entrant) => {
                    let played = Self::results(rows, before).into_keys().filter(|id| id.stage == number).collect();
                    let games = what_becomes(format, &known, *entrant, *choice, &played);
                    known.gone.push(Gone { entrant: *entrant, round, games, played });
                }
                _ => {}
            }
        }
        let mut derived = match format {
            Format::AllPlayAll(settings) => fixed::all_play_all(&known, settings),
            Format::Gauntlet(settings) => fixed::gauntlet(&known, settings),
            Format::Seeding(settings) => fixed::seeding(&known, settings),
            Format::Permutations(settings) => fixed::permutations(&known, settings),
            Format::Knockout(settings) => rounds::knockout(&known, settings),
            Format::Brackets(settings) => rounds::brackets(&known, settings),
            Format::Swiss(settings) => swiss::swiss(&known, settings),
            Format::PairSwiss(settings) => swiss::pair_swiss(&known, settings),
        };
        let is_void = |id| known.gone.iter().any(|gone| gone.entrant == id && gone.games == LeftGames::Void);
        let has_place = |id| !is_void(id) && !self.is_disqualified(id);
        derived.standings = moved_up(derived.standings, has_place);
        let Known { entrants, gone, late, .. } = known;
        Derived { entrants, gone, late, ..derived }
    }

    fn is_disqualified(&self, entrant: EntrantId) -> bool {
        let is_it = |it: &Decided| matches!(it.what, What::Leave { entrant: id, is_disqualified: true, .. } if id == entrant);
        self.decided.iter().any(is_it)
    }

    /// The bots that were admitted, in the order of their numbers, each with the stages that it need not qualify for.
    fn admitted(&self) -> impl Iterator<Item = (EntrantId, &[bool])> {
        self.decided.iter().filter_map(|it| match &it.what {
            What::Admit { entrant, stages } => Some((*entrant, &stages[..])),
            _ => None,
        })
    }

    /// The bots that compete, in the order of their numbers.
    fn competing(&self) -> Vec<EntrantId> {
        (0..self.field.entrants).map(EntrantId).chain(self.admitted().map(|(entrant, _)| entrant)).collect()
    }

    /// The entrants of a stage that has not begun, the best seed first; `None` until the stages that choose them are
    /// over.
    fn qualified(&self, number: u8, before: &[Option<Derived>], lots: &Lots) -> Option<Vec<EntrantId>> {
        let field = &self.field;
        let competing = self.competing();
        let has_left = |id: &EntrantId| {
            self.decided.iter().any(|it| matches!(it.what, What::Leave { entrant, .. } if entrant == *id))
        };
        let competes = |id: &EntrantId| competing.contains(id) && !has_left(id);
        let over = |stage: u8| before[usize::from(stage)].as_ref().filter(|derived| derived.due.is_empty());
        // The best of a stage. A lot orders entrants that share a place, unless no more advance.
        let best = |derived: &Derived, stage: u8, most: usize| -> Vec<EntrantId> {
            let standings: Vec<&Standing> =
                derived.standings.iter().filter(|standing| competes(&standing.entrant)).collect();
            let mut order = Vec::new();
            for tied in standings.chunk_by(|a, b| a.place == b.place) {
                let tied_ids: Vec<EntrantId> = tied.iter().map(|standing| standing.entrant).collect();
                if order.len() < most && tied.len() > 1 {
                    let about = format!("entrants tied for place {} of stage {}", tied[0].place, stage + 1);
                    order.extend(lots.find(number, &about, &tied_ids));
                } else {
                    order.extend(tied_ids);
                }
            }
            order.truncate(most);
            order
        };
        let mut entrants: Vec<EntrantId> = match &self.stages[usize::from(number)].who {
            Participants::All => (0..field.entrants).map(EntrantId).filter(competes).collect(),
            Participants::Group(group) => {
                field.groups[usize::from(*group)].iter().copied().filter(competes).collect()
            }
            Participants::Qualified { stage } => {
                let derived = over(*stage)?;
                match &derived.advancing {
                    Some(advancing) => advancing.iter().copied().filter(competes).collect(),
                    None => best(derived, *stage, usize::MAX),
                }
            }
            Participants::TiedForFirst { stage } => {
                let standings = &over(*stage)?.standings;
                let standings = || standings.iter().filter(|standing| competes(&standing.entrant));
                let first = standings().map(|standing| standing.place).min();
                standings()
                    .filter(|standing| Some(standing.place) == first)
                    .map(|standing| standing.entrant)
                    .collect()
            }
            Participants::Best(quotas) => {
                let sources: Option<Vec<_>> =
                    quotas.iter().map(|quota| Some((quota, over(quota.stage)?))).collect();
                let list =
                    |(quota, derived): (&Quota, &Derived)| best(derived, quota.stage, usize::from(quota.best));
                let lists: Vec<Vec<EntrantId>> = sources?.into_iter().map(list).collect();
                let mut order = Vec::new();
                for place in 0..competing.len() {
                    for list in &lists {
                        order.extend(list.get(place).filter(|id| !order.contains(*id)).copied());
                    }
                }
                order
            }
        };
        // Bots that were admitted before the stage begins are the last seeds.
        for (id, stages) in self.admitted() {
            if stages[usize::from(number)] && !entrants.contains(&id) && !has_left(&id) {
                entrants.push(id);
            }
        }
        Some(entrants)
    }

    /// The contest's standings: by the number of successive stages reached, then by the place in the last of them.
    pub(super) fn standings(&self, stages: &[Option<Derived>]) -> Vec<Standing> {
        if let [only] = stages {
            return only.as_ref().map(|derived| derived.standings.clone()).unwrap_or_default();
        }
        let mut depths: Vec<i64> = Vec::new();
        let mut rows: BTreeMap<EntrantId, Vec<i64>> =
            self.competing().into_iter().map(|id| (id, vec![0, -1])).collect();
        for (stage, derived) in self.stages.iter().zip(stages) {
            let before = match &stage.who {
                Participants::All | Participants::Group(_) => 0,
                Participants::Qualified { stage } | Participants::TiedForFirst { stage } => {
                    depths[usize::from(*stage)]
                }
                Participants::Best(quotas) => {
                    quotas.iter().map(|quota| depths[usize::from(quota.stage)]).max().unwrap()
                }
            };
            depths.push(before + 1);
            let Some(derived) = derived.as_ref().filter(|derived| !derived.is_skipped()) else { continue };
            for standing in &derived.standings {
                rows.insert(standing.entrant, vec![before + 1, -i64::from(standing.place)]);
            }
        }
        let mut standings = ranked(rows.into_iter().collect());
        for standing in &mut standings {
            standing.figures[1] *= -1;
        }
        moved_up(standings, |id| !self.is_disqualified(id))
    }
}

/// What becomes of the games of an entrant that left a stage under way, when these were played: the table in
/// `docs/run-a-contest.md`.
fn what_becomes(
    format: &Format,
    known: &Known,
    entrant: EntrantId,
    choice: Option<LeftGames>,
    played: &BTreeSet<GameId>,
) -> LeftGames {
    let Some(all) = fixed::all_games(format, known) else {
        return if matches!(format, Format::Permutations(_)) { LeftGames::Void } else { LeftGames::Keep };
    };
    let is_of_more = matches!(format, Format::AllPlayAll(settings) if settings.seats.is_some())
        || matches!(format, Format::Gauntlet(settings) if settings.seats.is_some());
    let is_of_two = !is_of_more;
    match choice {
        Some(LeftGames::Lost) if !is_of_two => {}
        Some(choice) => return choice,
        None => {}
    }
    let is_its = |seats: &[EntrantId]| seats.contains(&entrant) && !seats.iter().any(|id| known.has_left(*id));
    let all = all.iter().filter(|game| is_its(&game.seats)).count();
    let played = known.games.iter().filter(|(game, _)| played.contains(&game.id.place()) && is_its(&game.seats));
    match (played.count(), is_of_two) {
        (played, _) if played == all => LeftGames::Keep,
        (played, _) if 2 * played < all => LeftGames::Void,
        (_, true) => LeftGames::Lost,
        (_, false) => LeftGames::Keep,
    }
}

/// The standings of the entrants that have a place, without gaps.
fn moved_up(standings: Vec<Standing>, has_place: impl Fn(EntrantId) -> bool) -> Vec<Standing> {
    let left: Vec<Standing> = standings.into_iter().filter(|standing| has_place(standing.entrant)).collect();
    let place = |own: u32| 1 + left.iter().filter(|other| other.place < own).count() as u32;
    left.iter().map(|standing| Standing { place: place(standing.place), ..standing.clone() }).collect()
}
