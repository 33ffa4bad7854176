//! What is reported of a tournament, in one document: first what decided it, then what is for information.

use crate::conduct::{ConductJson, IsolationJson, MachineJson};
use crate::crosstable::{Crosstable, CrosstableJson};
use crate::decisions::DecisionJson;
use crate::doc::{Block, Cell, Column, Document, Line, Listing, Section};
use crate::json::ForfeitJson;
use crate::played::{players, result_of};
use crate::rating::{Ratings, RatingsJson};
use crate::remarks::RemarkJson;
use crate::rounds::RoundJson;
use crate::standings::{AbsentJson, OrderJson};
use crate::times::{Times, TimesJson};
use crate::{Tournament, conduct, count, decisions, remarks, rounds, standings};
use cornerman::contest::StageProgress;
use cornerman::format::EntrantId;
use cornerman_harness::contest_spec::Publish;
use cornerman_harness::machine::Machine;
use cornerman_harness::record::{
    Behaviour, DecisionRecord, Extract, Forfeit, GameSummary, Record, RecordError, Role, Seal, Unplayed,
};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// What a record has of its tournament besides the results.
#[derive(Debug, Default)]
pub struct Facts {
    /// The games that count, in the order of the contest, with the places and points that count.
    pub games: Vec<GameSummary>,
    /// All forfeits, in the order of the contest, also those in games that do not count.
    pub forfeits: Vec<Forfeit>,
    /// The recorded games that do not count after the organizer's decisions.
    pub uncounted: Vec<GameSummary>,
    /// The games that could not be played.
    pub unplayed: Vec<Unplayed>,
    /// How every entrant that has played behaved: its conduct, the isolation that it had, and what it used.
    pub behaviour: BTreeMap<EntrantId, Behaviour>,
    /// The times of moves.
    pub times: Times,
    /// The machines that were noted.
    pub machines: Vec<Machine>,
    /// The organizer's decisions.
    pub decisions: Vec<DecisionRecord>,
    /// The record's seal, if it has one.
    pub seal: Option<Seal>,
    /// What is left out, if the record is an extract. Then documents and pages leave out what needs all games.
    pub extract: Option<Extract>,
    /// For each entrant, the games that it won alone, tied for the best place, or lost.
    pub(crate) tallies: Vec<ScoreTally>,
}

/// Games won, tied and lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ScoreTally {
    pub won: u32,
    /// Games in which it shared the best place.
    pub tied: u32,
    pub lost: u32,
}

impl ScoreTally {
    fn games(self) -> u32 {
        self.won + self.tied + self.lost
    }
}

impl Facts {
    /// Reads the facts from a record.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn from_record(record: &Record, tournament: &Tournament) -> Result<Facts, RecordError> {
        let (times, digest) = Times::with_digest(record)?;
        let all = tournament.measured(digest.games).into_iter();
        let (games, uncounted) = all.partition(|game| tournament.uncounted(&game.pairing).is_none());
        let mut facts = Facts {
            games,
            uncounted,
            forfeits: digest.forfeits,
            unplayed: record.unplayed()?,
            behaviour: digest.behaviour,
            times,
            machines: record.machines()?,
            decisions: record.decisions()?,
            seal: record.seal()?,
            extract: record.extract()?,
            tallies: vec![ScoreTally::default(); tournament.entrants.len()],
        };
        for game in &facts.games {
            for id in &game.pairing.seats {
                let Some(tally) = facts.tallies.get_mut(id.index()) else { continue };
                match result_of(game, *id) {
                    Some("won") => tally.won += 1,
                    Some("tied") => tally.tied += 1,
                    _ => tally.lost += 1,
                }
            }
        }
        Ok(facts)
    }

    /// `8 won, 0 tied, 2 lost`, and its role unless it is an entry.
    pub(crate) fn summary(&self, tournament: &Tournament, id: EntrantId) -> String {
        let tally = self.tallies.get(id.index()).copied().unwrap_or_default();
        let role = match tournament.role(id) {
            Role::Entry => String::new(),
            Role::Version => " · a later version of another".to_string(),
            role => format!(" · the organizer's {}", role.name()),
        };
        let ScoreTally { won, tied, lost } = tally;
        match tally.games() {
            0 if self.extract.is_some() => format!("no games here{role}"),
            0 => format!("played no games{role}"),
            _ => format!("{won} won, {tied} tied, {lost} lost{role}"),
        }
    }
}

/// The document about a tournament.
pub fn document(tournament: &Tournament, facts: &Facts, ratings: &Ratings) -> Document {
    let mut sections = sections(tournament, facts, ratings);
    let seal = |seal: Seal| Section::new("seal", "Seal").with(Block::List(vec![seal.to_string().into()]));
    sections.extend(facts.seal.map(seal));
    Document { title: tournament.header.contest.clone(), lead: lead(tournament), sections }
}

/// The lines below the title: where the games come from, if they were not played for this record, and what the
/// organizer says to everyone.
pub(crate) fn lead(tournament: &Tournament) -> Vec<Line> {
    let publish = &tournament.publish;
    let origin = tournament.header.origin.clone();
    let mut lead: Vec<Line> = origin.into_iter().chain(publish.paragraphs()).map(Line::from).collect();
    let addressed = |name: &str, address: &Option<String>| {
        address.clone().map(|address| Line::from(name).then(Cell::Address(address)))
    };
    let addresses = [addressed("Rules: ", &publish.rules), addressed("Contact: ", &publish.contact)];
    lead.extend(addresses.into_iter().flatten());
    lead
}

/// The sections that the document and the page have in common, as far as they have content.
pub(crate) fn sections(tournament: &Tournament, facts: &Facts, ratings: &Ratings) -> Vec<Section> {
    let others = [
        decisions::section(&facts.decisions),
        uncounted(tournament, facts),
        ratings.section(tournament).filter(|_| facts.extract.is_none()),
        remarks::unplayed(&facts.unplayed),
        remarks::forfeits(&facts.forfeits),
        conduct::conduct(tournament, &facts.behaviour),
        conduct::isolation(&conduct::isolations(tournament, &facts.behaviour)),
        conduct::machines_section(&conduct::machines(&facts.games, &facts.machines)),
        facts.times.section(),
    ];
    ranked(tournament, facts).into_iter().chain(others.into_iter().flatten()).collect()
}

/// The final order, then the stages, beginning with the last, which decides; of an extract, a section that says what it
/// has.
fn ranked(tournament: &Tournament, facts: &Facts) -> Vec<Section> {
    if let Some(extract) = facts.extract {
        return vec![of_extract(facts, extract)];
    }
    let stages = tournament.stages().map(|(stage, _)| of_stage(tournament, facts, stage));
    let mut sections: Vec<Section> = stages.collect();
    sections.push(standings::order(tournament, &|id| facts.summary(tournament, id)));
    sections.reverse();
    sections
}

/// What an extract has, in place of everything that needs all games.
fn of_extract(facts: &Facts, extract: Extract) -> Section {
    let name = || Cell::from(extract.bot);
    let games = facts.games.len() + facts.uncounted.len();
    let all = count(games as u64 + extract.games_left_out, "game");
    let what = Line::from(format!("It has {games} of {all} of the contest, and what "));
    let what = what.then(name()).then(
        " wrote to standard error in them. Places, stages and ratings follow from all games, so they are in the report of the \
         whole record only.",
    );
    let title = Line::from("Extract for the author of ").then(name());
    Section { name: Some("Extract".to_string()), ..Section::new("extract", title).with(Block::Note(what)) }
}

/// The games that do not count; `None` if all count.
fn uncounted(tournament: &Tournament, facts: &Facts) -> Option<Section> {
    let table = Listing(&facts.uncounted).columns(&[
        (Column::name("game"), &|game| game.pairing.id.into()),
        (Column::text("players"), &|game| players(&tournament.playing(&game.pairing), &game.outcome).into()),
        (Column::text("why not"), &|game| Cell::or_empty(tournament.uncounted(&game.pairing))),
    ]);
    (!facts.uncounted.is_empty()).then(|| Section::new("uncounted", "Games that do not count").with(table))
}

/// What `standings` prints as JSON.
#[derive(Debug, Serialize, JsonSchema)]
pub struct StandingsJson {
    /// The contest's name.
    pub contest: String,
    /// What the organizer says to everyone; left out if that is nothing.
    #[serde(default, skip_serializing_if = "PublishJson::is_empty")]
    pub publish: PublishJson,
    /// Where the games come from, if they were not played for this record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// The number of games played.
    pub games: usize,
    /// Whether it has begun and all its stages are over.
    pub over: bool,
    /// The final order so far. While no game has been played all share place 1.
    #[serde(rename = "final")]
    pub order: OrderJson,
    /// The stages.
    pub stages: Vec<StageJson>,
    /// The entries that do not play.
    pub did_not_play: Vec<AbsentJson>,
    /// The organizer's decisions.
    pub decisions: Vec<DecisionJson>,
    /// The recorded games that do not count; left out if all count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uncounted: Vec<UncountedJson>,
    /// The ratings.
    pub ratings: RatingsJson,
    /// Lots, byes, repeats, fillers and notes.
    pub remarks: Vec<RemarkJson>,
    /// The forfeits.
    pub forfeits: Vec<ForfeitJson>,
    /// The games that could not be played because the kit or the machine failed.
    pub unplayed: Vec<Unplayed>,
    /// The conduct of every entrant that has played.
    pub conduct: Vec<ConductJson>,
    /// Each isolation that bots had.
    pub isolation: Vec<IsolationJson>,
    /// The machines that the games were played on.
    pub machines: Vec<MachineJson>,
    /// The times of moves, the entrant with the slowest median first.
    pub times: Vec<TimesJson>,
    /// The record's seal; null before the first game.
    pub seal: Option<String>,
}

/// What the organizer says to everyone.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct PublishJson {
    /// The paragraphs of the introduction.
    pub introduction: Vec<String>,
    /// The address of a page with the rules.
    pub rules: Option<String>,
    /// Whom to ask: an address, or words.
    pub contact: Option<String>,
}

impl PublishJson {
    fn is_empty(&self) -> bool {
        self.introduction.is_empty() && self.rules.is_none() && self.contact.is_none()
    }
}

impl From<&Publish> for PublishJson {
    fn from(publish: &Publish) -> PublishJson {
        let introduction = publish.paragraphs();
        PublishJson { introduction, rules: publish.rules.clone(), contact: publish.contact.clone() }
    }
}

/// A recorded game that does not count.
#[derive(Debug, Serialize, JsonSchema)]
pub struct UncountedJson {
    /// The game.
    pub game: String,
    /// Why it does not count: it was `annulled` or `awarded`, or is `void` because a bot is gone.
    pub why: Option<&'static str>,
}

/// A stage.
#[derive(Debug, Serialize, JsonSchema)]
pub struct StageJson {
    /// Its number.
    pub stage: u32,
    /// Its name.
    pub name: Option<String>,
    /// Its format.
    pub format: Option<String>,
    /// What the organizer says of it; left out if that is nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Whether it is over, under way, or waits.
    pub state: &'static str,
    /// What decides it.
    #[serde(flatten)]
    pub order: OrderJson,
    /// Further tables, which decide nothing.
    pub tables: Vec<OrderJson>,
    /// Who met whom; null if it has not begun.
    pub crosstable: Option<CrosstableJson>,
    /// Its rounds; null if the format has none to show.
    pub rounds: Option<Vec<RoundJson>>,
}

/// The tournament as JSON, with more figures than the document.
pub fn json(tournament: &Tournament, facts: &Facts, ratings: &Ratings) -> StandingsJson {
    let uncounted = |game: &GameSummary| UncountedJson {
        game: game.pairing.id.to_string(),
        why: tournament.uncounted(&game.pairing),
    };
    StandingsJson {
        contest: tournament.header.contest.clone(),
        publish: PublishJson::from(&tournament.publish),
        origin: tournament.header.origin.clone(),
        games: tournament.results.len(),
        over: tournament.is_over(),
        order: OrderJson::new(tournament, &tournament.columns(), &tournament.standings()),
        stages: tournament
            .stages()
            .map(|(stage, progress)| stage_json(tournament, facts, stage, progress))
            .collect(),
        did_not_play: standings::absent_json(tournament),
        decisions: decisions::json(&facts.decisions, tournament.entrants).decisions,
        uncounted: facts.uncounted.iter().map(uncounted).collect(),
        ratings: ratings.json(tournament),
        remarks: remarks::json(tournament),
        forfeits: facts.forfeits.iter().map(|forfeit| ForfeitJson::new(forfeit, tournament.entrants)).collect(),
        unplayed: facts.unplayed.clone(),
        conduct: conduct::conduct_json(tournament, &facts.behaviour),
        isolation: conduct::isolations(tournament, &facts.behaviour),
        machines: conduct::machines(&facts.games, &facts.machines),
        times: facts.times.json(tournament),
        seal: facts.seal.map(|seal| seal.to_string()),
    }
}

fn stage_json(tournament: &Tournament, facts: &Facts, stage: u8, progress: &StageProgress) -> StageJson {
    let results = tournament.results;
    let record = tournament.header.stages.get(usize::from(stage));
    let has_begun = progress.has_begun();
    let standings = if has_begun { progress.standings(results) } else { Vec::new() };
    let further = progress.further_rankings(results);
    StageJson {
        stage: u32::from(stage) + 1,
        name: record.map(|record| record.name.clone()),
        format: record.map(|record| record.kind.clone()),
        note: tournament.note(stage).map(str::to_string),
        state: crate::state(&progress.state),
        order: OrderJson::new(tournament, &progress.columns(), &standings),
        tables: further.iter().map(|it| OrderJson::new(tournament, &it.columns, &it.standings)).collect(),
        crosstable: has_begun.then(|| Crosstable::from_games(tournament, stage, &facts.games).json(tournament)),
        rounds: progress.rounds(results).filter(|_| has_begun).map(|rounds| rounds::json(&rounds, tournament)),
    }
}

/// A stage: its standings, its rounds or who met whom, and remarks.
fn of_stage(tournament: &Tournament, facts: &Facts, stage: u8) -> Section {
    let progress = &tournament.progress[usize::from(stage)];
    let number = u16::from(stage) + 1;
    let mut section = Section::new(format!("stage-{number}"), tournament.stage_title(stage));
    section.name = Some(tournament.stage_name(stage));
    section.blocks.extend(tournament.note(stage).map(|note| Block::Note(note.into())));
    section.blocks.extend(standings::of_stage(tournament, stage));
    if progress.has_begun() {
        match progress.rounds(tournament.results) {
            Some(rounds) => section.blocks.push(rounds::block(stage, rounds)),
            None => {
                let crosstable = Crosstable::from_games(tournament, stage, &facts.games);
                section.blocks.extend(crosstable.tables().into_iter().map(Block::Table));
            }
        }
    }
    let remarks = remarks::lines(tournament, stage);
    if !remarks.is_empty() {
        section.blocks.push(Block::List(remarks));
    }
    section
}
