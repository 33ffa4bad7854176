//! Generated contests, derived a second time: from the rules in `docs/requirements.md` and `docs/contest-file.md` and from
//! the table of departures in `docs/run-a-contest.md`, in the simplest words and without the code of the formats.
//!
//! Lots are taken as they were published, and each must have been needed. Where a rule leaves a choice (who sits where, which of
//! equally good pairings), the games are taken as planned and compared with the rule. After every few games what is due
//! and all standings must be equal.

use super::*;
use crate::format::LeftGames;
use core::cell::RefCell;

mod fixed;
mod generate;
mod rounds;
mod swiss;

/// A game that is due, as far as the rules number it: matches have no numbers here. Where no rule says in which round a game
/// is, or which of a match, that is 0.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct DueGame {
    round: u16,
    game: u16,
    seats: Vec<EntrantId>,
    board: u32,
}

impl From<&Pairing> for DueGame {
    fn from(game: &Pairing) -> DueGame {
        DueGame { round: game.id.round, game: game.id.game, seats: game.seats.clone(), board: game.board }
    }
}

/// An entrant that is gone.
#[derive(Clone, Debug)]
struct Departed {
    entrant: EntrantId,
    is_disqualified: bool,
    choice: Option<LeftGames>,
    /// The games that had been played.
    played: BTreeSet<GameId>,
}

/// An entrant that left a stage under way.
struct Gone {
    entrant: EntrantId,
    /// The first round that had not begun.
    round: u16,
    games: LeftGames,
    played: BTreeSet<GameId>,
}

/// The lots that were published, and which of them were needed.
struct Lots {
    published: Vec<(u8, String, Vec<EntrantId>)>,
    needed: RefCell<BTreeSet<usize>>,
}

impl Lots {
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
    /// The entrants, best seed first.
    entrants: Vec<EntrantId>,
    field: &'a Field,
    /// Its games so far, planned or played.
    games: Vec<(&'a Pairing, Option<&'a Outcome>)>,
    gone: Vec<Gone>,
    lots: &'a Lots,
}

impl<'a> Known<'a> {
    fn played(&self) -> impl Iterator<Item = (&'a Pairing, &'a Outcome)> {
        self.games.iter().filter_map(|(game, outcome)| Some((*game, (*outcome)?)))
    }

    fn outcome(&self, due: &DueGame) -> Option<&'a Outcome> {
        self.played().find(|(game, _)| DueGame::from(*game) == *due).map(|(_, outcome)| outcome)
    }

    fn has_left(&self, entrant: EntrantId) -> bool {
        self.order_of_leaving(entrant).is_some()
    }

    fn order_of_leaving(&self, entrant: EntrantId) -> Option<usize> {
        self.gone.iter().position(|gone| gone.entrant == entrant)
    }

    fn lot(&self, about: &str, among: &[EntrantId]) -> Vec<EntrantId> {
        self.lots.find(self.stage, about, among)
    }
}

/// What follows for a stage.
struct Derived {
    due: Vec<DueGame>,
    standings: Vec<Standing>,
    /// Who advances, if that is not a matter of the standings.
    advancing: Option<Vec<EntrantId>>,
}

/// The best first: a place is one more than the number of those that are better.
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

/// Forfeits before the first move of the first seat and of the second.
fn forfeits() -> [Outcome; 2] {
    [outcome(&[0, 9], End::Forfeited), outcome(&[9, 0], End::Forfeited)]
}

/// A contest that is played.
struct Watched {
    name: String,
    contest: Contest,
    games: BTreeMap<GameId, Pairing>,
    results: Results,
    departed: Vec<Departed>,
    /// The entrants of the stages that have begun.
    begun: BTreeMap<u8, Vec<EntrantId>>,
}

impl Watched {
    /// Checks what is due and all standings. Returns what is due.
    fn check(&mut self) -> Vec<Pairing> {
        let plan = self.contest.plan(&self.results);
        let progress = self.contest.progress(&self.results);
        if let Ok(Plan::Play(due)) = &plan {
            self.games.extend(due.iter().map(|game| (game.id, game.clone())));
        }
        let lot = |(stage, remark)| match remark {
            StageRemark::Lot { about, order } => Some((stage, about, order)),
            _ => None,
        };
        let published = self.contest.remarks(&self.results).into_iter().filter_map(lot).collect();
        let lots = Lots { published, needed: RefCell::default() };
        let mut stages: Vec<Option<(Derived, Vec<EntrantId>)>> = Vec::new();
        for (number, found) in (0..).zip(&progress) {
            let name = format!("{}, stage {}", self.name, number + 1);
            let stage = &self.contest.stages[usize::from(number)];
            // A stage that has begun keeps its entrants, whoever leaves.
            let kept = self.begun.get(&number).filter(|_| !self.departed.is_empty()).cloned();
            let entrants = kept.or_else(|| self.qualified(number, &stages, &lots));
            let Some(entrants) = entrants else {
                assert_eq!(found.state, StageState::Waiting, "{name}");
                stages.push(None);
                continue;
            };
            assert_eq!(found.entrants, entrants, "{name}: who takes part");
            if entrants.len() < 2 {
                assert_eq!(found.state, StageState::Skipped, "{name}");
                let standings = ranked(entrants.iter().map(|id| (*id, Vec::new())).collect());
                stages.push(Some((Derived { due: Vec::new(), standings, advancing: None }, entrants)));
                continue;
            }
            if matches!(stage.format, Format::Permutations(_)) && entrants.len() > 7 {
                assert!(matches!(found.state, StageState::Refused(_)), "{name}");
                stages.push(None);
                continue;
            }
            if self.results.has_stage(number) {
                self.begun.insert(number, entrants.clone());
            }
            let derived = self.derive(&name, number, entrants.clone(), &lots);
            let due = match &found.state {
                StageState::Playing(due) => {
                    due.iter().map(|game| as_numbered(&stage.format, &entrants, game)).collect()
                }
                _ => Vec::new(),
            };
            assert_eq!(sorted(due), sorted(derived.due.clone()), "{name}: what is due");
            let standings = as_published(&stage.format, found.standings(&self.results));
            assert_eq!(standings, as_published(&stage.format, derived.standings.clone()), "{name}: standings");
            stages.push(Some((derived, entrants)));
        }
        let standings = self.contest.standings(&self.results);
        match &progress[..] {
            [only] => assert_eq!(standings, only.standings(&self.results), "{}", self.name),
            _ => assert_eq!(standings, self.standings(&stages), "{}", self.name),
        }
        if self.departed.is_empty() {
            let needless = (0..lots.published.len()).find(|at| !lots.needed.borrow().contains(at));
            assert_eq!(needless.map(|at| &lots.published[at]), None, "{}: a lot without need", self.name);
        }
        match plan {
            Ok(Plan::Play(due)) => due,
            Ok(Plan::Finished) | Err(_) => Vec::new(),
        }
    }

    /// What follows for a stage with these entrants.
    fn derive(&self, name: &str, number: u8, entrants: Vec<EntrantId>, lots: &Lots) -> Derived {
        let of_stage = self.games.values().filter(|game| game.id.stage == number);
        let games = of_stage.map(|game| (game, self.results.get(game.id))).collect();
        let field = &self.contest.field;
        let format = &self.contest.stages[usize::from(number)].format;
        let few;
        let format = match format {
            // Few entries meet twice instead (G8).
            Format::PairSwiss(settings) if entrants.len() <= usize::from(settings.all_play_all_up_to) => {
                let board = settings.first_board.or(settings.board).unwrap_or(BoardNumber(0));
                few = all_play_all(board.0, settings.scoring.unwrap_or_default());
                &few
            }
            format => format,
        };
        let mut known = Known { name, stage: number, entrants, field, games, gone: Vec::new(), lots };
        for departed in &self.departed {
            let last = departed.played.iter().rfind(|id| id.stage == number);
            if let Some(last) = last.filter(|_| known.entrants.contains(&departed.entrant)) {
                let games = what_becomes(format, &known, departed);
                let entrant = departed.entrant;
                known.gone.push(Gone { entrant, round: last.round + 1, games, played: departed.played.clone() });
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
        derived
    }

    fn is_disqualified(&self, entrant: EntrantId) -> bool {
        self.departed.iter().any(|departed| departed.is_disqualified && departed.entrant == entrant)
    }

    /// Who takes part in a stage that has not begun, best seed first; `None` while a stage before it is played.
    fn qualified(
        &self,
        number: u8,
        before: &[Option<(Derived, Vec<EntrantId>)>],
        lots: &Lots,
    ) -> Option<Vec<EntrantId>> {
        let field = &self.contest.field;
        let competes = |id: &EntrantId| {
            id.0 < field.entrants && !self.departed.iter().any(|departed| departed.entrant == *id)
        };
        let over = |stage: u8| before[usize::from(stage)].as_ref().filter(|(derived, _)| derived.due.is_empty());
        // The best of a stage; a lot orders those that share a place, as far as places are left.
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
        Some(match &self.contest.stages[usize::from(number)].who {
            Participants::All => (0..field.entrants).map(EntrantId).filter(competes).collect(),
            Participants::Group(group) => {
                field.groups[usize::from(*group)].iter().copied().filter(competes).collect()
            }
            Participants::Qualified { stage } => {
                let (derived, _) = over(*stage)?;
                match &derived.advancing {
                    Some(advancing) => advancing.iter().copied().filter(competes).collect(),
                    None => best(derived, *stage, usize::MAX),
                }
            }
            Participants::TiedForFirst { stage } => {
                let standings = &over(*stage)?.0.standings;
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
                let list = |(quota, (derived, _)): (&Quota, &(Derived, _))| {
                    best(derived, quota.stage, usize::from(quota.best))
                };
                let lists: Vec<Vec<EntrantId>> = sources?.into_iter().map(list).collect();
                let mut order = Vec::new();
                for place in 0..usize::from(field.entrants) {
                    for list in &lists {
                        order.extend(list.get(place).filter(|id| !order.contains(*id)).copied());
                    }
                }
                order
            }
        })
    }

    /// The contest's standings: by the number of stages reached one after the other, then by the place in the last.
    fn standings(&self, stages: &[Option<(Derived, Vec<EntrantId>)>]) -> Vec<Standing> {
        let mut depths: Vec<i64> = Vec::new();
        let mut rows: BTreeMap<EntrantId, Vec<i64>> =
            (0..self.contest.field.entrants).map(|id| (EntrantId(id), vec![0, -1])).collect();
        for (stage, derived) in self.contest.stages.iter().zip(stages) {
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
            let Some((derived, _)) = derived.as_ref().filter(|(_, entrants)| entrants.len() > 1) else { continue };
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

    /// Lets an entrant leave, if it may. Returns what becomes of its games in the stages, if so.
    fn leave(&mut self, entrant: EntrantId, is_disqualified: bool, choice: Option<LeftGames>) -> Option<Leave> {
        let leave = self.contest.leave(&self.results, entrant, is_disqualified, choice, &forfeits()).ok()?;
        let mut journal = self.contest.journal.clone();
        journal.decisions.push(Decision::Leave(leave.clone()));
        self.contest = self.contest.clone().with_journal(journal);
        let is_played = |id: &GameId| self.results.get(*id).is_some();
        let played: BTreeSet<GameId> = self.games.keys().copied().filter(is_played).collect();
        // Rounds that have not begun are planned again.
        self.games
            .retain(|id, _| played.iter().any(|played| (played.stage, played.round) == (id.stage, id.round)));
        self.departed.push(Departed { entrant, is_disqualified, choice, played });
        Some(leave)
    }
}

/// What becomes of the games of an entrant that left a stage under way: the table in `docs/run-a-contest.md`.
fn what_becomes(format: &Format, known: &Known, departed: &Departed) -> LeftGames {
    let Some(all) = fixed::all_games(format, known) else {
        return if matches!(format, Format::Permutations(_)) { LeftGames::Void } else { LeftGames::Keep };
    };
    let is_of_two = !matches!(format, Format::AllPlayAll(settings) if settings.seats.is_some());
    match departed.choice {
        Some(LeftGames::Lost) if !is_of_two => {}
        Some(choice) => return choice,
        None => {}
    }
    let is_its =
        |seats: &[EntrantId]| seats.contains(&departed.entrant) && !seats.iter().any(|id| known.has_left(*id));
    let all = all.iter().filter(|game| is_its(&game.seats)).count();
    let played = known.games.iter().filter(|(game, _)| departed.played.contains(&game.id) && is_its(&game.seats));
    match (played.count(), is_of_two) {
        (played, _) if played == all => LeftGames::Keep,
        (played, _) if 2 * played < all => LeftGames::Void,
        (_, true) => LeftGames::Lost,
        (_, false) => LeftGames::Keep,
    }
}

/// The standings of those that have a place, without gaps.
fn moved_up(standings: Vec<Standing>, has_place: impl Fn(EntrantId) -> bool) -> Vec<Standing> {
    let left: Vec<Standing> = standings.into_iter().filter(|standing| has_place(standing.entrant)).collect();
    let place = |own: u32| 1 + left.iter().filter(|other| other.place < own).count() as u32;
    left.iter().map(|standing| Standing { place: place(standing.place), ..standing.clone() }).collect()
}

/// A planned game with the numbers that the rules of its format give.
fn as_numbered(format: &Format, entrants: &[EntrantId], game: &Pairing) -> DueGame {
    let game = DueGame::from(game);
    match format {
        Format::AllPlayAll(_) | Format::Gauntlet(_) | Format::Seeding(_) => DueGame { round: 0, game: 0, ..game },
        Format::PairSwiss(settings) if entrants.len() <= usize::from(settings.all_play_all_up_to) => {
            DueGame { round: 0, game: 0, ..game }
        }
        Format::Permutations(_) => DueGame { game: 0, ..game },
        _ => game,
    }
}

/// Standings in one order. The numbers that seeding draws are shown as they are, and only their order says something.
fn as_published(format: &Format, mut standings: Vec<Standing>) -> Vec<Standing> {
    if let Format::Seeding(_) = format {
        for standing in &mut standings {
            standing.figures[2] = standing.figures[2].signum();
        }
    }
    standings.sort_by_key(|standing| (standing.place, standing.entrant));
    standings
}

fn sorted(mut games: Vec<DueGame>) -> Vec<DueGame> {
    games.sort();
    games
}
