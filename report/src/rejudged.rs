//! Shows a tournament judged by other rules: how many results change and how, the standings before and after, and
//! the games that differ.

use crate::doc::{Block, Cell, Column, Document, Line, Listing, Section, Table, row};
use crate::json::{EntrantJson, ResultJson};
use crate::{count, html, standings};
use cornerman::contest::StageProgress;
use cornerman::format::{EntrantId, GameId, Measure, Pairing, StageRemark, Standing};
use cornerman::game::Outcome;
use cornerman_harness::record::{GameSummary, Header};
use cornerman_harness::rejudge::{Judgement, Rejudged};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// How many lots, missing games and differing games are listed at most. JSON has all.
const LISTED: usize = 40;

/// A tournament judged by other rules, or as another contest.
pub struct RejudgedReport<'a> {
    /// The record's header.
    pub header: &'a Header,
    /// The judgements of the games.
    pub rejudged: &'a Rejudged,
    /// What the games were judged by, in words.
    pub by: String,
    /// Whether the games are counted as those of another contest.
    pub other_contest: bool,
    /// The command that shows a recorded game; the game's name is appended to it.
    pub replay: String,
}

/// A recorded game, with its results before and after by the measures of its stages (S3).
struct Counted<'a> {
    game: &'a GameSummary,
    judgement: &'a Judgement,
    before: Outcome,
    /// `None` if it is unknown.
    after: Option<Outcome>,
}

impl RejudgedReport<'_> {
    /// `judged by short.toml: 30 of 42 games end as they did, 4 otherwise, and of 8 nobody knows`; of another contest,
    /// if all end as they did, how many games count and how many are missing.
    fn summary(&self) -> String {
        let by = &self.by;
        let [same, other, unknown] = self.totals();
        let games = count(self.rejudged.games.len(), "game");
        if self.other_contest && other + unknown == 0 {
            let used = self.rejudged.after.results.len();
            let missing = self.rejudged.missing.len();
            let more =
                if missing == 0 { "none is missing".into() } else { format!("at least {missing} are missing") };
            return format!("counted as {by}: {used} of {games} count, and {more}");
        }
        format!(
            "judged by {by}: {same} of {games} end as they did, {other} otherwise, and of {unknown} nobody knows"
        )
    }

    /// How many games end as they did, how many otherwise, and of how many the end is unknown.
    fn totals(&self) -> [usize; 3] {
        let mut totals = [0; 3];
        for (_, judgement) in &self.rejudged.games {
            totals[match judgement {
                Judgement::Same => 0,
                Judgement::Other { .. } => 1,
                Judgement::Diverges { .. } => 2,
            }] += 1;
        }
        totals
    }

    /// The recorded games, each with the results that count before and after.
    fn counted(&self) -> impl Iterator<Item = Counted<'_>> {
        let Rejudged { games, before, after, counts_as, .. } = self.rejudged;
        // What decides the games of each stage: their own winners, or a measure.
        let measures = [before, after].map(|side| -> Vec<Option<Measure>> {
            side.contest.progress(&side.results).iter().map(StageProgress::measure).collect()
        });
        games.iter().map(move |(game, judgement)| {
            let counted = |side: usize, id: GameId, outcome: &Outcome| {
                let measure = measures[side].get(usize::from(id.stage)).copied().flatten();
                measure.map_or_else(|| outcome.clone(), |measure| measure.counted(outcome))
            };
            let id = game.pairing.id;
            let before = counted(0, id, &game.outcome);
            let (side, id) = counts_as.get(&id).map_or((0, id), |now_as| (1, now_as.id));
            let after = judgement.outcome(&game.outcome).map(|outcome| counted(side, id, outcome));
            Counted { game, judgement, before, after }
        })
    }

    /// The lots that the contest draws now.
    fn lots(&self) -> Vec<LotJson> {
        let after = &self.rejudged.after;
        let lot = |(stage, remark)| match remark {
            StageRemark::Lot { about, order } => {
                let order = order.iter().map(|&id| EntrantJson::new(id, &after.entrants)).collect();
                Some(LotJson { stage: u32::from(stage) + 1, about, order })
            }
            _ => None,
        };
        after.contest.remarks(&after.results).into_iter().filter_map(lot).collect()
    }

    /// The summary, and what changes.
    pub fn document(&self) -> Document {
        let title = self.header.contest.clone();
        Document { title, lead: vec![self.summary().into()], sections: self.sections() }
    }

    /// The document as a web page that needs no other file.
    pub fn page(&self) -> String {
        html::simple(&self.document(), &self.rejudged.after.entrants)
    }

    /// Everything as JSON.
    pub fn json(&self) -> RejudgedJson {
        let [same, other, unknown] = self.totals();
        let game = |Counted { game, judgement, before, after: outcome }: Counted| {
            let judgement = match judgement {
                Judgement::Same => return None,
                Judgement::Other { after, forfeits, .. } => JudgementJson::OtherResult {
                    after: outcome.as_ref().map(ResultJson::from),
                    over_after_move: *after,
                    forfeits: forfeits.iter().map(ToString::to_string).collect(),
                },
                Judgement::Diverges { at, why } => JudgementJson::Diverges { at_move: *at, why: why.clone() },
            };
            Some(DifferingJson { game: game.pairing.id.to_string(), before: ResultJson::from(&before), judgement })
        };
        let change = |((before, after), games)| ChangeJson { before, after, games };
        RejudgedJson {
            contest: self.header.contest.clone(),
            by: self.by.clone(),
            same,
            other_result: other,
            diverge: unknown,
            moves: self.rejudged.moves,
            counted: self.rejudged.after.results.len(),
            matrix: self.matrix().into_iter().map(change).collect(),
            standings: self.standings(),
            on_other_boards: self.rejudged.on_other_boards,
            missing: self.rejudged.missing.iter().map(|game| game.id.to_string()).collect(),
            lots: self.lots(),
            games: self.counted().filter_map(game).collect(),
        }
    }

    fn sections(&self) -> Vec<Section> {
        let any = !self.rejudged.games.is_empty();
        let all_same = self.totals()[0] == self.rejudged.games.len();
        let sections = [
            (any && !(self.other_contest && all_same)).then(|| self.matrix_section()),
            (!self.rejudged.after.results.is_empty()).then(|| self.standings_section()),
            self.lots_section(),
            self.missing_section(),
            self.differing_section(),
        ];
        sections.into_iter().flatten().collect()
    }

    /// The number of games for each kind of result before and after.
    fn matrix(&self) -> BTreeMap<(String, String), usize> {
        let mut matrix = BTreeMap::new();
        for Counted { before, after, .. } in self.counted() {
            let now = after.as_ref().map_or(UNKNOWN.to_string(), kind);
            *matrix.entry((kind(&before), now)).or_default() += 1;
        }
        matrix
    }

    fn matrix_section(&self) -> Section {
        let matrix = self.matrix();
        let kinds: BTreeSet<&String> = matrix.keys().flat_map(|(then, now)| [then, now]).collect();
        let (unknown, known): (Vec<&String>, Vec<&String>) = kinds.into_iter().partition(|kind| *kind == UNKNOWN);
        let kinds: Vec<&String> = known.iter().copied().chain(unknown).collect();
        let columns = [Column::name("before \\ after")].into_iter().chain(kinds.iter().map(Column::number));
        let row = |then: &&String| {
            let cell = |now: &&String| {
                let games = matrix.get(&((*then).clone(), (*now).clone()));
                games.map_or("·".into(), |games| Cell::from(*games))
            };
            row![then.as_str()].into_iter().chain(kinds.iter().map(cell)).collect()
        };
        let rows = known.iter().filter(|then| matrix.keys().any(|(before, _)| before == **then)).map(row);
        Section::new("results", "Results").with(Table::new("", columns).rows(rows))
    }

    /// The standings after, each with the place before.
    fn standings(&self) -> Vec<PlaceJson> {
        let Rejudged { before, after, before_ids, .. } = self.rejudged;
        let standings_before = before.contest.standings(&before.results);
        let place_before = |entrant: EntrantId| {
            let id = before_ids.get(entrant.index()).copied().flatten()?;
            standings_before.iter().find(|it| it.entrant == id).map(|it| it.place)
        };
        let standing = |it: Standing| PlaceJson {
            who: EntrantJson::new(it.entrant, &after.entrants),
            place: it.place,
            figures: it.figures,
            place_before: place_before(it.entrant),
        };
        after.contest.standings(&after.results).into_iter().map(standing).collect()
    }

    fn standings_section(&self) -> Section {
        let side = &self.rejudged.after;
        let columns = side.contest.columns(&side.results);
        let start = [Column::number("place"), Column::number("before"), Column::number(""), Column::name("name")];
        let heads = start.into_iter().chain(columns.iter().map(|column| Column::number(column.name)));
        let row = |it: &PlaceJson| {
            let change = match it.place_before.map(|before| i64::from(before) - i64::from(it.place)) {
                Some(0) | None => String::new(),
                Some(gained) => format!("{gained:+}"),
            };
            let figures = columns.iter().zip(&it.figures);
            let figures = figures.map(|(column, figure)| standings::figure_text(*column, *figure).into());
            row![it.place, Cell::or_empty(it.place_before), change, &it.who].into_iter().chain(figures).collect()
        };
        let table = Table::new("", heads).rows(self.standings().iter().map(row));
        let is_final = self.rejudged.missing.is_empty();
        let title = if is_final { "Standings" } else { "Standings as far as they are known" };
        Section::new("standings", title).with(Block::Note(self.what_counts().into())).with(table)
    }

    /// A sentence on which games the standings count.
    fn what_counts(&self) -> String {
        let Rejudged { games, after, missing, on_other_boards, .. } = self.rejudged;
        let unused = games.len() - after.results.len().min(games.len());
        let mut parts = Vec::new();
        parts.push(match unused {
            0 => "all recorded games count".to_string(),
            _ => format!("{} of {} count", after.results.len(), count(games.len(), "recorded game")),
        });
        if *on_other_boards > 0 {
            parts.push(format!("{on_other_boards} on another board than this contest would give"));
        }
        if !missing.is_empty() {
            parts.push(format!("at least {} would have to be played", count(missing.len(), "game")));
        }
        parts.join("; ")
    }

    fn lots_section(&self) -> Option<Section> {
        let table = Listing(self.lots()).columns(&[
            (Column::number("stage"), &|lot| lot.stage.into()),
            (Column::text("for"), &|lot| lot.about.as_str().into()),
            (Column::text("order"), &|lot| Line::joined(&lot.order, ", ").into()),
        ]);
        listed("lots", "Lots drawn", table)
    }

    /// The missing games, but not recorded ones, which are listed among the games that differ. The ids of
    /// another contest stand for other games, so all its missing games are listed.
    fn missing_section(&self) -> Option<Section> {
        let recorded = self.rejudged.games.iter().map(|(game, _)| (game.pairing.id, &game.pairing.seats));
        let recorded: BTreeMap<GameId, &Vec<EntrantId>> = recorded.collect();
        let missing = self.rejudged.missing.iter();
        let is_new = |game: &&Pairing| self.other_contest || recorded.get(&game.id) != Some(&&game.seats);
        let table = Listing(missing.filter(is_new)).columns(&[
            (Column::name("game"), &|game| game.id.to_string().into()),
            (Column::text("entrants by seat"), &|game| Line::joined(game.seats.iter().copied(), ", ").into()),
            (Column::number("board"), &|game| (game.board + 1).into()),
        ]);
        listed("missing", "Missing games", table)
    }

    fn differing_section(&self) -> Option<Section> {
        let differing = self.counted().filter_map(|it| {
            let why = match it.judgement {
                Judgement::Same => return None,
                Judgement::Other { after, forfeits, .. } if forfeits.is_empty() => {
                    format!("over after move {after}")
                }
                Judgement::Other { forfeits, .. } => {
                    forfeits.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
                }
                Judgement::Diverges { why, .. } => why.clone(),
            };
            // By name, because the entrants of another contest have other numbers.
            let name = |id: &EntrantId| crate::name_of(&self.rejudged.before.entrants, *id);
            let names: Vec<String> = it.game.pairing.seats.iter().map(name).collect();
            Some((it, names, why))
        });
        let table = Listing(differing).columns(&[
            (Column::text("by seat"), &|(_, names, _)| names.join(", ").into()),
            (Column::text("before"), &|(it, names, _)| result(&it.before, names).into()),
            (Column::text("after"), &|(it, names, _)| {
                it.after.as_ref().map_or(UNKNOWN.to_string(), |after| result(after, names)).into()
            }),
            (Column::wide("why"), &|(.., why)| why.as_str().into()),
            (Column::text("to see it"), &|(it, ..)| Cell::Code(format!("{} {}", self.replay, it.game.pairing.id))),
        ]);
        listed("differing", "Games that differ", table)
    }
}

/// What `rejudge` prints as JSON.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RejudgedJson {
    /// The contest's name.
    pub contest: String,
    /// What the games were judged by.
    pub by: String,
    /// The number of games that end as they did.
    pub same: usize,
    /// The number of games with another result.
    pub other_result: usize,
    /// The number of games of which nobody knows.
    pub diverge: usize,
    /// The number of moves judged.
    pub moves: u64,
    /// The number of games that the standings count.
    pub counted: usize,
    /// The number of games for each kind of result before and after.
    pub matrix: Vec<ChangeJson>,
    /// The standings after, as far as they are known.
    pub standings: Vec<PlaceJson>,
    /// The number of games on another board than this contest would give.
    pub on_other_boards: usize,
    /// The games that would have to be played.
    pub missing: Vec<String>,
    /// The lots that the contest draws now.
    pub lots: Vec<LotJson>,
    /// The games that differ.
    pub games: Vec<DifferingJson>,
}

/// How many games changed from one kind of result to another.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ChangeJson {
    /// The kind before.
    pub before: String,
    /// The kind after.
    pub after: String,
    /// The number of games.
    pub games: usize,
}

/// An entrant's place before and after.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PlaceJson {
    /// The entrant.
    #[serde(flatten)]
    pub who: EntrantJson,
    /// Its place after.
    pub place: u32,
    /// Its figures after.
    pub figures: Vec<i64>,
    /// Its place before.
    pub place_before: Option<u32>,
}

/// Lots drawn.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LotJson {
    /// The stage.
    pub stage: u32,
    /// What for.
    pub about: String,
    /// The order drawn.
    pub order: Vec<EntrantJson>,
}

/// A game that differs.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DifferingJson {
    /// The game.
    pub game: String,
    /// Its result before.
    pub before: ResultJson,
    /// What became of it.
    #[serde(flatten)]
    pub judgement: JudgementJson,
}

/// What became of a game.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "judgement")]
pub enum JudgementJson {
    /// It ends otherwise.
    #[serde(rename = "other result")]
    OtherResult {
        /// Its result.
        after: Option<ResultJson>,
        /// The move after which it is over.
        over_after_move: u32,
        /// The forfeits, in words.
        forfeits: Vec<String>,
    },
    /// From a move on, nobody knows what the bots would have done.
    #[serde(rename = "diverges")]
    Diverges {
        /// The move.
        at_move: u32,
        /// Why.
        why: String,
    },
}

/// A section with the first rows of a table, and how many more there are; `None` if it has no rows.
fn listed(anchor: &str, title: &str, mut table: Table) -> Option<Section> {
    let more = table.rows.len().saturating_sub(LISTED);
    table.rows.truncate(LISTED);
    let mut section = Section::new(anchor, title);
    if more > 0 {
        section = section.with(Block::Note(format!("and {more} more: `--format json` has all").into()));
    }
    (!table.rows.is_empty()).then(|| section.with(table))
}

/// The result of a game between entrants of these names by seat: `12 : 34, @greedy wins`.
fn result(outcome: &Outcome, names: &[String]) -> String {
    let points: Vec<String> = outcome.points.iter().map(ToString::to_string).collect();
    let winners: Vec<&str> =
        outcome.winners().filter_map(|seat| names.get(seat.index())).map(String::as_str).collect();
    let who = if let [winner] = winners[..] { format!("{winner} wins") } else { "tie".to_string() };
    format!("{}, {who}", points.join(" : "))
}

/// Shown in place of the result of a game that diverges.
const UNKNOWN: &str = "unknown";

/// The result of a game in words that compare it to others: `first wins`, `tie`, `seat 3 wins`.
fn kind(outcome: &Outcome) -> String {
    let winners: Vec<usize> = (0..outcome.places.len()).filter(|&seat| outcome.places[seat] == 1).collect();
    match (&winners[..], outcome.places.len()) {
        ([0], 2) => "first wins".to_string(),
        ([1], 2) => "second wins".to_string(),
        ([seat], _) => format!("seat {} wins", seat + 1),
        _ => "tie".to_string(),
    }
}
