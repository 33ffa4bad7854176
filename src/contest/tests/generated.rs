//! Generated contests: each number gives one, with its outcomes, the order in which games end, and the organizer's
//! decisions. Every few games, the due games and all standings are compared with those that the oracle derives, and
//! each lot must have been needed.

use super::oracle::{Decided, Derived, DueGame, Lots, Recorded, What};
use super::*;
use crate::rng::Rng;

/// The number of contests that are generated.
const CONTESTS: u64 = 300;
/// The kinds of contests, in turn.
const KINDS: u64 = 15;

/// Draws numbers and settings.
struct Dice(Rng);

impl Dice {
    /// A number from `least` to `most`.
    fn between(&mut self, least: u32, most: u32) -> u32 {
        least + self.0.below(u64::from(most - least) + 1) as u32
    }

    fn chance(&mut self, of: u32) -> bool {
        self.between(1, of) == 1
    }

    fn scoring(&mut self) -> ScoringKind {
        let all = [ScoringKind::Wins, ScoringKind::Bonus, ScoringKind::WonMinusLost, ScoringKind::Margins];
        *self.0.pick(&all).unwrap()
    }

    fn board(&mut self) -> Option<BoardNumber> {
        Some(BoardNumber(self.between(0, 5)))
    }

    fn all_play_all(&mut self) -> Format {
        let boards = self.between(1, 2);
        Format::AllPlayAll(all_play_all::AllPlayAllSettings {
            boards: Some((0..boards).map(|board| BoardNumber(3 + board)).collect()),
            games_per_order: Bounded::new(self.between(1, 2)),
            scoring: Some(self.scoring()),
            head_to_head: [None, Some(true)][self.between(0, 1) as usize],
            ..Default::default()
        })
    }

    fn seeding(&mut self) -> Format {
        let programs = (0..self.between(1, 3) as u16).map(OrganizerBot).collect();
        Format::Seeding(seeding::SeedingSettings { board: self.board(), programs, ..Default::default() })
    }

    fn swiss(&mut self) -> Format {
        let (board, first_board) = if self.chance(2) { (self.board(), None) } else { (None, self.board()) };
        Format::Swiss(SwissSettings { rounds: None, board, first_board })
    }

    fn pair_swiss(&mut self, games: u32) -> Format {
        Format::PairSwiss(pair_swiss::PairSwissSettings {
            games: Bounded::new(games),
            first_board: self.board(),
            all_play_all_up_to: if self.chance(4) { 10 } else { 0 },
            ..Default::default()
        })
    }

    fn brackets(&mut self) -> Format {
        Format::Brackets(brackets::BracketsSettings {
            first_board: self.board(),
            k: Bounded::new(self.between(1, 3)),
            decided_by: [brackets::DecidedBy::Wins, brackets::DecidedBy::Points][self.between(0, 1) as usize],
            lots: !self.chance(3),
        })
    }

    fn knockout(&mut self) -> Format {
        let tie_break_games = 2 * self.between(0, 2);
        Format::Knockout(knockout::KnockoutSettings {
            boards: Some(vec![BoardNumber(1), BoardNumber(4), BoardNumber(2)]),
            games_per_order: Bounded::new(self.between(1, 2)),
            third_place: self.chance(2),
            tie_break_games: Bounded::new(tie_break_games),
            tie_break_board: self.board().filter(|_| tie_break_games > 0),
        })
    }

    fn gauntlet(&mut self, entrants: u32) -> Format {
        let rounds = self.chance(2).then_some(Bounded::new(2));
        let challengers = self.between(1, 3.min(entrants - 1));
        let most = (entrants - challengers + 1).min(4);
        Format::Gauntlet(gauntlet::GauntletSettings {
            seats: (most > 2 && self.chance(3)).then(|| Bounded::new(self.between(3, most))),
            challengers: Bounded::new(challengers),
            boards: if rounds.is_none() { Some(vec![BoardNumber(2), BoardNumber(0)]) } else { None },
            first_board: rounds.and(self.board()),
            rounds,
            games_per_order: Bounded::new(self.between(1, 2)),
            scoring: self.scoring(),
            ..Default::default()
        })
    }

    /// The stages of a contest of this kind.
    fn stages(&mut self, kind: u64, entrants: u32) -> Vec<Stage> {
        let stage = |format, who| Stage { format, who };
        let best = |quotas: &[(u8, u16)]| {
            Participants::Best(quotas.iter().map(|&(stage, best)| Quota { stage, best }).collect())
        };
        let permutations = || Format::Permutations(Default::default());
        let bonus = || all_play_all(7, ScoringKind::Bonus);
        let all = Participants::All;
        match kind {
            0 => vec![stage(self.all_play_all(), all)],
            1 => {
                let seats = Some(Bounded::new([1, 3, 3][self.between(0, 2) as usize]));
                let scoring = Some(self.scoring());
                let settings = all_play_all::AllPlayAllSettings { seats, scoring, ..Default::default() };
                vec![stage(Format::AllPlayAll(settings), all)]
            }
            2 => vec![stage(self.gauntlet(entrants), all)],
            3 => vec![stage(self.seeding(), all)],
            4 | 5 => vec![stage(self.pair_swiss(kind as u32 - 3), all)],
            6 => vec![stage(self.swiss(), all)],
            7 => vec![stage(self.brackets(), all), stage(bonus(), Participants::Qualified { stage: 0 })],
            8 => vec![stage(self.knockout(), all)],
            9 => vec![
                stage(Format::AllPlayAll(Default::default()), all),
                stage(permutations(), Participants::TiedForFirst { stage: 0 }),
            ],
            10 => vec![
                stage(self.seeding(), all),
                stage(self.brackets(), Participants::Qualified { stage: 0 }),
                stage(bonus(), Participants::Qualified { stage: 1 }),
            ],
            11 => vec![
                stage(self.swiss(), Participants::Group(0)),
                stage(self.swiss(), Participants::Group(1)),
                stage(self.swiss(), best(&[(0, 3), (1, 2)])),
            ],
            12 => vec![
                stage(self.all_play_all(), Participants::Group(0)),
                stage(self.pair_swiss(1), Participants::Group(1)),
                stage(self.knockout(), best(&[(0, 4), (1, 4)])),
            ],
            13 => vec![stage(self.swiss(), all), stage(permutations(), best(&[(0, 4)]))],
            _ => vec![stage(self.knockout(), all.clone()), stage(self.pair_swiss(2), best(&[(0, 9)]))],
        }
    }

    /// The number of entrants in a contest of this kind.
    fn entrants(&mut self, kind: u64) -> u32 {
        let (least, most) = match kind {
            0 => (2, 24),
            1 => (3, 8),
            7 | 10 => (4, 64),
            9 => (2, 8),
            11..=13 => (6, 40),
            _ => (2, 64),
        };
        if self.chance(2) { self.between(least, most.min(least + 8)) } else { self.between(least, most) }
    }
}

/// How the games of a contest end.
#[derive(Clone, Copy, Debug)]
enum Endings {
    /// By strength and chance, with ties and forfeits.
    Usual,
    /// As in a game in which one side gains what the other one loses.
    Balanced,
    /// All are ties.
    Ties,
    /// The first seat wins, so that matches of two games are ties.
    FirstWins,
}

impl Endings {
    fn outcome(self, game: &Pairing) -> Outcome {
        let usual = invented(game, |id| u64::from(id.0) % 7 * 3);
        match self {
            Endings::Balanced if game.seats.len() == 2 => {
                let margin = usual.points[0] - usual.points[1];
                Outcome { points: vec![margin, -margin], ..usual }
            }
            Endings::Usual | Endings::Balanced => usual,
            Endings::Ties => outcome(&vec![3; game.seats.len()], usual.end),
            Endings::FirstWins => {
                let points: Vec<i64> = (0..game.seats.len()).map(|seat| if seat == 0 { 5 } else { 0 }).collect();
                outcome(&points, usual.end)
            }
        }
    }
}

/// A contest that is played.
struct Watched {
    contest: Contest,
    recorded: Recorded,
    /// The games that are due.
    due: Vec<Pairing>,
    lots: Lots,
}

impl Watched {
    fn results(&self) -> Results {
        self.contest.journal.results(self.recorded.rows.iter().map(|(game, outcome)| (game.id, outcome.clone())))
    }

    /// Checks the due games and all standings.
    fn check(&mut self) {
        let results = self.results();
        let plan = self.contest.plan(&results);
        let progress = self.contest.progress(&results);
        self.due = match plan {
            Ok(Plan::Play(due)) => due,
            Ok(Plan::Finished) | Err(_) => Vec::new(),
        };
        for game in &self.due {
            self.recorded.planned.insert(game.id.place(), game.clone());
            assert_eq!(game.id.attempt, self.recorded.attempt(game.id.place()), "{}", self.recorded.name);
        }
        let lot = |(stage, remark)| match remark {
            StageRemark::Lot { about, order } => Some((stage, about, order)),
            _ => None,
        };
        let lots = Lots::from_published(self.contest.remarks(&results).into_iter().filter_map(lot).collect());
        let derived = self.recorded.derive(&lots);
        for (number, (found, derived)) in (0..).zip(progress.iter().zip(&derived)) {
            self.check_stage(number, found, derived.as_ref(), &results);
        }
        let standings = self.contest.standings(&results);
        match &progress[..] {
            [only] => assert_eq!(standings, only.standings(&results), "{}", self.recorded.name),
            _ => assert_eq!(standings, self.recorded.standings(&derived), "{}", self.recorded.name),
        }
        if self.recorded.decided.is_empty() {
            let needless = (0..).zip(&lots.published).find(|(at, _)| !lots.needed.borrow().contains(at));
            assert_eq!(needless, None, "{}: a lot without need", self.recorded.name);
        }
        self.lots = lots;
    }

    fn check_stage(&self, number: u8, found: &StageProgress, derived: Option<&Derived>, results: &Results) {
        let name = format!("{}, stage {}", self.recorded.name, number + 1);
        let format = &self.contest.stages[usize::from(number)].format;
        let Some(derived) = derived else {
            let is_known = matches!(found.state, StageState::Waiting | StageState::Refused(_));
            assert!(is_known, "{name}: {:?}", found.state);
            return;
        };
        assert_eq!(found.entrants, derived.entrants, "{name}: who takes part");
        assert_eq!(found.state == StageState::Skipped, derived.is_skipped(), "{name}");
        let left = self
            .contest
            .journal
            .leaving(number)
            .filter(|(leave, leaving)| leaving.round > 0 && derived.entrants.contains(&leave.entrant));
        let left: Vec<_> = left.map(|(leave, leaving)| (leave.entrant, leaving.round, leaving.games)).collect();
        let gone: Vec<_> =
            derived.gone.iter().map(|gone| (gone.entrant, u32::from(gone.round), gone.games)).collect();
        assert_eq!(left, gone, "{name}: who is gone");
        let arrived: Vec<_> = self.contest.journal.late(number).collect();
        let late: Vec<_> = derived.late.iter().map(|(id, round)| (*id, u32::from(*round))).collect();
        assert_eq!(arrived, late, "{name}: who is late");
        let due = match &found.state {
            StageState::Playing(due) => due.iter().map(|game| as_numbered(format, derived, game)).collect(),
            _ => Vec::new(),
        };
        assert_eq!(sorted(due), sorted(derived.due.clone()), "{name}: what is due");
        let standings = as_published(format, found.standings(results));
        assert_eq!(standings, as_published(format, derived.standings.clone()), "{name}: standings");
    }

    /// Takes a decision.
    fn decide(&mut self, decision: Decision, what: What) {
        let mut journal = self.contest.journal.clone();
        journal.decisions.push(decision);
        self.contest = self.contest.clone().with_journal(journal);
        let decided = Decided { what, after: self.recorded.rows.len() };
        std::println!("{}: {decided:?}", self.recorded.name);
        self.recorded.decided.push(decided);
        self.plan_anew();
    }

    /// Notes that a game of this stage has an outcome.
    fn begin(&mut self, stage: u8) {
        if !self.recorded.begun.contains_key(&stage) {
            self.recorded.begin(stage, &self.lots);
        }
    }

    /// Plans again the rounds that have not begun.
    fn plan_anew(&mut self) {
        let Recorded { rows, decided, planned, begun, .. } = &mut self.recorded;
        planned.retain(|id, _| id.round < Recorded::next_round(rows, decided, id.stage));
        begun.retain(|stage, _| Recorded::next_round(rows, decided, *stage) > 0);
    }

    /// Takes back the last decision, if no game was played since. Returns whether it did.
    fn undo(&mut self) -> bool {
        let may_be_undone = |last: &mut Decided| last.after == self.recorded.rows.len();
        if self.recorded.decided.pop_if(may_be_undone).is_none() {
            return false;
        }
        std::println!("{}: it was undone", self.recorded.name);
        let mut journal = self.contest.journal.clone();
        journal.decisions.pop();
        self.contest = self.contest.clone().with_journal(journal);
        self.plan_anew();
        true
    }

    /// Lets an entrant leave, if it may. Returns the decision, which says what becomes of its games in each stage.
    fn leave(&mut self, entrant: EntrantId, is_disqualified: bool, choice: Option<LeftGames>) -> Option<Leave> {
        let forfeits = &self.recorded.forfeits;
        let leave = self.contest.leave(&self.results(), entrant, is_disqualified, choice, forfeits).ok()?;
        self.decide(Decision::Leave(leave.clone()), What::Leave { entrant, is_disqualified, choice });
        Some(leave)
    }

    /// Admits one more entrant, to the stages of all or to the `only` one, if it may be.
    fn admit(&mut self, only: Option<u8>) -> Option<Admit> {
        let known = self.contest.field.entrants + self.contest.field.organizer_bots;
        let entrant = EntrantId(known + self.contest.journal.admitted().count() as u16);
        let admit = self.contest.admit(&self.results(), entrant, only).ok()?;
        let stages = admit.stages.iter().map(Option::is_some).collect();
        self.decide(Decision::Admit(admit.clone()), What::Admit { entrant, stages });
        Some(admit)
    }

    /// The last game that was played, if no other one depends on it and it can be played again.
    fn last_game(&self) -> Option<Pairing> {
        // One that was awarded since may depend on it.
        let was_since = |it: &Decided| it.after == self.recorded.rows.len() && matches!(it.what, What::Award(..));
        if self.recorded.decided.iter().any(was_since) {
            return None;
        }
        let (last, _) = self.recorded.rows.last()?;
        let counts = self.contest.counts(&self.results(), last);
        let has_left = |id: &EntrantId| self.contest.journal.has_left(last.id.stage, *id);
        let is_settled = !counts || self.contest.journal.is_awarded(last.id) || last.seats.iter().any(has_left);
        Some(last.clone()).filter(|_| !is_settled)
    }

    fn annul(&mut self) -> bool {
        let Some(game) = self.last_game().map(|game| game.id) else { return false };
        self.decide(
            Decision::Annul(Annul { game, attempt: game.attempt + 1, later: Vec::new() }),
            What::Annul(game),
        );
        true
    }

    /// Awards a game that is due, or the last one: its entrants get other places.
    fn award(&mut self, dice: &mut Dice) -> bool {
        let due = dice.0.pick(&self.due).cloned();
        let Some(game) = (if dice.chance(2) { due } else { self.last_game() }) else { return false };
        if matches!(self.contest.stages[usize::from(game.id.stage)].format, Format::Swiss(_)) {
            return false;
        }
        let mut order: Vec<i64> = (0..game.seats.len() as i64).collect();
        dice.0.shuffle(&mut order);
        let outcome = outcome(&order, End::Forfeited);
        let ranked = |place: u8| game.seats[outcome.places.iter().position(|own| *own == place).unwrap()];
        let [winner, others @ ..] = &(1..=order.len() as u8).map(ranked).collect::<Vec<_>>()[..] else {
            return false;
        };
        let award = Award {
            game: game.id,
            winner: *winner,
            others: others.to_vec(),
            outcome: outcome.clone(),
            later: Vec::new(),
        };
        self.begin(game.id.stage);
        self.decide(Decision::Award(award), What::Award(game.id, outcome));
        true
    }
}

/// A planned game with the numbers that the rules of its format give.
fn as_numbered(format: &Format, derived: &Derived, game: &Pairing) -> DueGame {
    let game = DueGame::from(game);
    let begun_with = derived.entrants.len() - derived.late.len();
    match format {
        Format::AllPlayAll(_) | Format::Gauntlet(_) | Format::Seeding(_) => DueGame { round: 0, game: 0, ..game },
        Format::PairSwiss(settings) if begun_with <= usize::from(settings.all_play_all_up_to) => {
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
    sorted_by_place(standings)
}

fn sorted_by_place(mut standings: Vec<Standing>) -> Vec<Standing> {
    standings.sort_by_key(|standing| (standing.place, standing.entrant));
    standings
}

fn sorted(mut games: Vec<DueGame>) -> Vec<DueGame> {
    games.sort();
    games
}

/// What has happened in all contests so far, to check that everything possible has.
#[derive(Default)]
struct Tally {
    formats: BTreeSet<&'static str>,
    left: Vec<Leave>,
    admitted: Vec<Admit>,
    annulled: usize,
    awarded: usize,
    undone: usize,
}

/// Plays contest `number` and checks it after every few games and each decision.
fn check(number: u64, tally: &mut Tally) {
    let mut dice = Dice(Rng::new(number));
    let kind = number % KINDS;
    let endings =
        [Endings::Usual, Endings::Usual, Endings::Usual, Endings::Balanced, Endings::Ties, Endings::FirstWins];
    let endings = *dice.0.pick(&endings).unwrap();
    let mut entrants = dice.entrants(kind);
    if matches!(endings, Endings::Ties | Endings::FirstWins) && [7, 10].contains(&kind) {
        // In large brackets without losses everyone meets everyone, and trying all their pairings takes long.
        entrants = entrants.min(12);
    }
    let stages = dice.stages(kind, entrants);
    let ids = |of: core::ops::Range<u32>| of.map(|id| EntrantId(id as u16));
    let group = |half: u16| ids(0..entrants).filter(|id| id.0 % 2 == half).collect();
    let field = Field {
        groups: vec![group(0), group(1)],
        fillers: ids(entrants + 3..entrants + 7).collect(),
        ..Field::new(entrants as u16, 7)
    };
    tally.formats.extend(stages.iter().map(|stage| stage.format.name()));
    let mut contest = Contest::new(field.clone(), stages.clone(), dice.0.draw()).unwrap();
    if number.is_multiple_of(2) {
        // Neither a replacement nor a hold affects plans and standings.
        let version = EntrantId(u16::MAX);
        let replace = Replace { entrant: EntrantId(1), version, stage: 0, round: 1 };
        let decisions = vec![Decision::Hold(EntrantId(0)), Decision::Replace(replace)];
        contest = contest.with_journal(Journal { decisions });
    }
    let name = format!("contest {number} of kind {kind}, {entrants} entrants, {endings:?}");
    let recorded = Recorded {
        name,
        field,
        stages,
        forfeits: [outcome(&[0, 9], End::Forfeited), outcome(&[9, 0], End::Forfeited)],
        rows: Vec::new(),
        planned: BTreeMap::new(),
        decided: Vec::new(),
        begun: BTreeMap::new(),
    };
    let mut watched = Watched { contest, recorded, due: Vec::new(), lots: Lots::from_published(Vec::new()) };
    let mut decisions = if dice.chance(3) { 0 } else { dice.between(1, 6) };
    loop {
        watched.check();
        let mut due = watched.due.clone();
        if due.is_empty() {
            return;
        }
        if decisions > 0 && dice.chance(4) {
            decisions -= 1;
            decide(&mut watched, &mut dice, tally);
            continue;
        }
        dice.0.shuffle(&mut due);
        due.truncate(dice.between(1, due.len() as u32) as usize);
        for game in &due {
            watched.begin(game.id.stage);
        }
        for game in due {
            let outcome = endings.outcome(&game);
            watched.recorded.rows.push((game, outcome));
        }
    }
}

/// Takes a decision, if it is possible.
fn decide(watched: &mut Watched, dice: &mut Dice, tally: &mut Tally) {
    match dice.between(0, 5) {
        0..=2 => {
            let choices = [None, Some(LeftGames::Keep), Some(LeftGames::Lost), Some(LeftGames::Void)];
            let choice = *dice.0.pick(&choices).unwrap();
            let waiting = dice.0.pick(&watched.due).and_then(|game| game.seats.first()).copied();
            let entrant = EntrantId(dice.between(0, u32::from(watched.contest.field.entrants) - 1) as u16);
            let entrant = waiting.filter(|_| !dice.chance(3)).unwrap_or(entrant);
            tally.left.extend(watched.leave(entrant, dice.chance(2), choice));
        }
        3 => {
            let only = dice.between(0, watched.contest.stages.len() as u32 - 1) as u8;
            let admit = watched.admit((!dice.chance(3)).then_some(only));
            tally.admitted.extend(admit);
        }
        4 => tally.annulled += usize::from(watched.annul()),
        _ => tally.awarded += usize::from(watched.award(dice)),
    }
    if dice.chance(5) {
        watched.check();
        tally.undone += usize::from(watched.undo());
    }
}

#[test]
fn generated_contests_are_derived_anew_and_equal() {
    let mut tally = Tally::default();
    for number in 0..CONTESTS {
        check(number, &mut tally);
    }
    // Everything that can happen has happened.
    assert_eq!(tally.formats, BTreeSet::from_iter(Format::NAMES.iter().copied()));
    for games in LeftGames::ALL {
        let stages = tally.left.iter().flat_map(|leave| &leave.stages);
        assert!(stages.filter(|leaving| leaving.games == games).count() > 5, "{games:?}");
    }
    assert!(tally.left.iter().flat_map(|leave| &leave.stages).any(|leaving| leaving.filled.is_some()));
    let first_rounds = || tally.admitted.iter().flat_map(|admit| admit.stages.iter().flatten());
    assert!(first_rounds().filter(|round| **round == 0).count() > 2);
    assert!(first_rounds().filter(|round| **round > 0).count() > 5);
    for (what, count) in [("annulled", tally.annulled), ("awarded", tally.awarded), ("undone", tally.undone)] {
        assert!(count > 15, "{what}: {count}");
    }
}

#[test]
fn a_contest_of_one_has_no_games() {
    let stages = vec![Stage { format: won_minus_lost(), who: Participants::All }];
    assert!(Contest::new(Field::new(1, 7), stages, 1).is_err());
}
