//! The contests: each number gives one, with its outcomes, the order in which games end, and who leaves when.

use super::*;
use crate::formats::{gauntlet, pair_swiss, seeding, swiss};
use crate::rng::Rng;

/// How many contests are derived.
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
        Format::Swiss(swiss::SwissSettings { rounds: None, board, first_board })
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
        Format::Gauntlet(gauntlet::GauntletSettings {
            challengers: Bounded::new(self.between(1, 3.min(entrants - 1))),
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

/// Plays contest `number` and checks it after every few games. Returns who left, how, and the formats played.
fn check(number: u64) -> (Vec<Leave>, BTreeSet<&'static str>) {
    let mut dice = Dice(Rng::new(number));
    let kind = number % KINDS;
    let endings =
        [Endings::Usual, Endings::Usual, Endings::Usual, Endings::Balanced, Endings::Ties, Endings::FirstWins];
    let endings = *dice.0.pick(&endings).unwrap();
    let mut entrants = dice.entrants(kind);
    if matches!(endings, Endings::Ties | Endings::FirstWins) && [7, 10].contains(&kind) {
        // Brackets of many that never lose meet everyone, and to try all their pairings takes long.
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
    let formats = stages.iter().map(|stage| stage.format.name()).collect();
    let contest = Contest::new(field, stages, dice.0.draw()).unwrap();
    let name = format!("contest {number} of kind {kind}, {entrants} entrants, {endings:?}");
    let mut watched = Watched {
        name,
        contest,
        games: BTreeMap::new(),
        results: Results::new(),
        departed: Vec::new(),
        begun: BTreeMap::new(),
    };
    let mut leavers = if dice.chance(2) { dice.between(1, 4) } else { 0 };
    let mut left = Vec::new();
    loop {
        let mut due = watched.check();
        if due.is_empty() {
            return (left, formats);
        }
        if leavers > 0 && dice.chance(5) {
            leavers -= 1;
            let choice = *dice
                .0
                .pick(&[None, Some(LeftGames::Keep), Some(LeftGames::Lost), Some(LeftGames::Void)])
                .unwrap();
            let waiting = dice.0.pick(&due).and_then(|game| game.seats.first()).copied();
            let entrant = EntrantId(dice.between(0, entrants - 1) as u16);
            let entrant = waiting.filter(|_| !dice.chance(3)).unwrap_or(entrant);
            left.extend(watched.leave(entrant, dice.chance(2), choice));
            continue;
        }
        dice.0.shuffle(&mut due);
        let some = dice.between(1, due.len() as u32) as usize;
        due.truncate(some);
        for game in due {
            watched.results.insert(game.id, endings.outcome(&game));
        }
    }
}

#[test]
fn generated_contests_are_derived_anew_and_equal() {
    let mut formats = BTreeSet::new();
    let mut left: Vec<Leave> = Vec::new();
    for number in 0..CONTESTS {
        let (leaves, played) = check(number);
        left.extend(leaves);
        formats.extend(played);
    }
    // All that can happen did.
    assert_eq!(formats, BTreeSet::from_iter(Format::NAMES.iter().copied()));
    for games in LeftGames::ALL {
        let stages = left.iter().flat_map(|leave| &leave.stages);
        assert!(stages.filter(|leaving| leaving.games == games).count() > 5, "{games:?}");
    }
    assert!(left.iter().flat_map(|leave| &leave.stages).any(|leaving| leaving.filled.is_some()));
}

#[test]
fn a_contest_of_one_has_no_games() {
    let stages = vec![Stage { format: won_minus_lost(), who: Participants::All }];
    assert!(Contest::new(Field::new(1, 7), stages, 1).is_err());
}
