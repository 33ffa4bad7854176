//! From what the file says to the contest that the rules know.

use super::stages::{DecidedBy, Kind, Stage, Who};
use super::{ContestFile, Mistake};
use crate::ruleset::Rules;
use cornerman::contest::{self, Contest, Field, FormatKind};
use cornerman::format::EntrantId;
use cornerman::formats::series::Series;
use cornerman::formats::{all_play_all, brackets, gauntlet, knockout, pair_swiss, permutations, seeding};
use cornerman::games::boxing::Arena;
use cornerman::lots::Lots;

impl ContestFile {
    /// The contest.
    ///
    /// # Errors
    /// When its stages cannot be played by those who take part, with the stage's line.
    pub fn contest(&self) -> Result<Contest, Mistake> {
        let field = Field { entrants: self.entrants.len() as u16, organizers: self.organizers.len() as u16 };
        let stages = self.stages.iter().map(|stage| self.stage(stage)).collect::<Result<_, _>>()?;
        Contest::new(field, stages, self.seed).map_err(|wrong| {
            let stage = wrong.stage.and_then(|number| self.stages.get(usize::from(number)));
            self.mistake(stage.map_or(1, |stage| stage.line), wrong.why)
        })
    }

    /// The board of this number: the file's, or one generated from the contest's seed (F6). Games that always begin
    /// in the same way have an empty one.
    pub fn board(&self, number: u32) -> Vec<u8> {
        let given = self.boards.get(number as usize).cloned();
        given.unwrap_or_else(|| {
            let seed = Lots::new(self.seed ^ u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15)).draw();
            match self.ruleset.rules {
                Rules::Boxing(_) => Arena::generate(seed).to_bytes().to_vec(),
                Rules::Rps(_) | Rules::Go(..) => Vec::new(),
            }
        })
    }

    fn mistake(&self, line: usize, words: String) -> Mistake {
        Mistake { path: self.path.clone(), line, words }
    }

    /// The number of an organizer's bot: they come after the entrants.
    pub(super) fn organizer(&self, place: usize) -> EntrantId {
        EntrantId((self.entrants.len() + place) as u16)
    }

    fn stage(&self, stage: &Stage) -> Result<contest::Stage, Mistake> {
        Ok(contest::Stage { format: self.format(stage)?, who: self.who(&stage.who) })
    }

    fn who(&self, who: &Who) -> contest::Who {
        let quota = |stage, best| contest::Quota { stage, best };
        match who {
            Who::All => contest::Who::All,
            Who::Group(number) => {
                let of_group = |(_, entrant): &(u16, &super::Entrant)| entrant.group == Some(*number);
                let members = (0..).zip(&self.entrants).filter(of_group);
                contest::Who::These(members.map(|(id, _)| EntrantId(id)).collect())
            }
            Who::Top(quotas) => contest::Who::Best(quotas.iter().map(|q| quota(q.stage, q.best)).collect()),
            Who::Tied(stage) => contest::Who::TiedForFirst { stage: *stage },
            Who::Qualified(stage) => match self.stages[usize::from(*stage)].kind {
                Kind::Brackets { .. } => contest::Who::Advancing { stage: *stage },
                _ => contest::Who::Best(vec![quota(*stage, self.entrants.len() as u16)]),
            },
        }
    }

    fn format(&self, stage: &Stage) -> Result<FormatKind, Mistake> {
        Ok(match stage.kind.clone() {
            Kind::AllPlayAll { boards, games_per_order, scoring, tables, head_to_head } => {
                let series = Series { boards, games_per_order };
                FormatKind::AllPlayAll(all_play_all::Settings { series, scoring, shown: tables, head_to_head })
            }
            Kind::Permutations { board, scoring, max_entrants } => {
                FormatKind::Permutations(permutations::Settings { board, scoring, max_entrants })
            }
            Kind::Seeding { board, programs, bonus } => {
                let programs = programs.into_iter().map(|place| self.organizer(place)).collect();
                FormatKind::Seeding(seeding::Settings { board, programs, bonus })
            }
            Kind::Brackets { first_board, k, decided_by } => {
                let Some(&filler) = self.fillers.first() else {
                    let words = "brackets need an organizer's bot to fill up (F4): name one in `fillers`";
                    return Err(self.mistake(stage.line, words.to_string()));
                };
                let decided_by = match decided_by {
                    DecidedBy::Wins => brackets::DecidedBy::Wins,
                    DecidedBy::Points => brackets::DecidedBy::Points,
                };
                let filler = self.organizer(filler);
                FormatKind::Brackets(brackets::Settings { first_board, k, filler, decided_by })
            }
            Kind::Swiss { rounds, boards } => {
                let fillers = self.fillers.iter().map(|&place| self.organizer(place)).collect();
                FormatKind::Swiss { fillers, rounds, boards }
            }
            Kind::PairSwiss { rounds, games, boards, all_play_all_up_to } => {
                let games = if games == 1 { pair_swiss::Games::One } else { pair_swiss::Games::Two };
                let (cornerman::formats::swiss::Boards::Same(first)
                | cornerman::formats::swiss::Boards::EachRound(first)) = boards;
                let few = all_play_all::Settings { series: Series::on([first]), ..Default::default() };
                FormatKind::BySize {
                    up_to: all_play_all_up_to,
                    few: Box::new(FormatKind::AllPlayAll(few)),
                    many: Box::new(FormatKind::PairSwiss { rounds, games, boards }),
                }
            }
            Kind::Gauntlet { boards, games_per_order, scoring } => {
                FormatKind::Gauntlet(gauntlet::Settings { series: Series { boards, games_per_order }, scoring })
            }
            Kind::Knockout { boards, games_per_order, third_place } => {
                FormatKind::Knockout(knockout::Settings { boards, games_per_order, third_place })
            }
        })
    }
}
