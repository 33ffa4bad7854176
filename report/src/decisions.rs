//! The organizer's decisions: the list of those that were taken, and what another one would change.

use crate::doc::{Block, Cell, Column, Line, Listing, Section, Table};
use crate::json::EntrantJson;
use crate::standings::figure_text;
use crate::{Tournament, count, utc};
use cornerman::contest::{Again, Annul, Leaving, Replace, StageState};
use cornerman::format::{EntrantId, GameId, LeftGames, Pairing, Standing, StandingsColumn};
use cornerman_harness::record::{DecidedAction, DecisionRecord, EntrantRecord, GameSummary, Role, about};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// The most games in one list of a preview or a letter. Only a preview's list of crossed-out games has all.
const GAMES_NAMED: usize = 20;

/// The decisions, in the order in which they were taken; `None` if nothing was decided.
pub fn section(decisions: &[DecisionRecord]) -> Option<Section> {
    if decisions.is_empty() {
        return None;
    }
    let undone = |it: &DecisionRecord| undone_by(it.number, decisions).map(|by| format!("undone by {by}"));
    let table = Listing(decisions).columns(&[
        (Column::number("number"), &|it| it.number.into()),
        (Column::text("taken"), &|it| utc(it.taken_ms).into()),
        (Column::name("decision"), &|it| said(&it.action, decisions).into()),
        (Column::wide("why"), &|it| it.why.as_str().into()),
        (Column::text("notes"), &|it| Cell::or_empty(undone(it))),
    ]);
    let table = table.without_empty(4);
    let title = count(decisions.len(), "decision");
    let mut section = Section::new("decisions", title).named("Decisions").with(table);
    if decisions.iter().any(|it| undone_by(it.number, decisions).is_none() && settles_games(&it.action)) {
        let note = "Games that were awarded, or lost by leaving, count in the standings. Cross-tables, ratings and the \
                    games that entrants won, tied and lost are about games that were played.";
        section = section.with(Block::Note(note.into()));
    }
    Some(section)
}

/// Whether games have a result by this decision.
fn settles_games(action: &DecidedAction) -> bool {
    match action {
        DecidedAction::Award(_) => true,
        DecidedAction::Leave(leave) => leave.stages.iter().any(|leaving| leaving.games == LeftGames::Lost),
        _ => false,
    }
}

/// A decision in words. If it undoes one of `decisions`, that follows.
fn said(action: &DecidedAction, decisions: &[DecisionRecord]) -> Line {
    match action {
        DecidedAction::Leave(leave) => {
            let what = if leave.disqualified { " is disqualified" } else { " withdraws" };
            let mut line = Line::from(leave.entrant).then(what);
            for (stage, leaving) in (1..).zip(&leave.stages) {
                let games = match leaving.games {
                    LeftGames::Keep => continue,
                    LeftGames::Void => "its games are void",
                    LeftGames::Lost => "its open games are lost",
                };
                let stage = if leave.stages.len() > 1 { format!(" in stage {stage}") } else { String::new() };
                line = line.then(format!("; {games}{stage}"));
            }
            line
        }
        DecidedAction::Annul(annul) => {
            let again = again(annul);
            let line = Line::from(annul.game);
            line.then(format!(" is annulled and played again, as {again}{}", later(&annul.later)))
        }
        DecidedAction::Award(award) => {
            let mut line = Line::from(award.game).then(" is awarded to ").then(award.winner);
            if !award.others.is_empty() {
                line = line.then(", before ").then(Line::joined(award.others.iter().copied(), ", "));
            }
            line.then(later(&award.later))
        }
        DecidedAction::Admit(admit) => {
            let stages = (1..).zip(&admit.stages).filter_map(|(stage, round)| Some((stage, (*round)?)));
            let several = admit.stages.len() > 1;
            let from: Vec<String> = stages
                .map(|(stage, round)| match round {
                    _ if !several && round == 0 => "the beginning".to_string(),
                    _ if !several => format!("round {}", round + 1),
                    0 => format!("stage {stage}"),
                    _ => format!("stage {stage}, round {}", round + 1),
                })
                .collect();
            Line::from(admit.entrant).then(format!(" is admitted, from {}", from.join(", ")))
        }
        DecidedAction::Replace(replace) => {
            let from = format!(" plays for it {}", since(replace));
            Line::from(replace.entrant).then(" is replaced: ").then(replace.version).then(from)
        }
        DecidedAction::Hold { entrant } => Line::from(*entrant).then(" plays nothing for now"),
        DecidedAction::Amend { contest, .. } => {
            format!("the contest file is amended; the contest is called {}", contest.name).into()
        }
        DecidedAction::Undo { decision } => {
            let line = Line::from(format!("decision {decision} is undone"));
            match decisions.iter().find(|it| it.number == *decision) {
                Some(undone) => line.then(": ").then(said(&undone.action, &[])),
                None => line,
            }
        }
    }
}

/// Says how many games are played anew; empty if none is.
fn later(anew: &[Again]) -> String {
    if anew.is_empty() {
        return String::new();
    }
    let are = if anew.len() == 1 { "is" } else { "are" };
    format!("; {} that depended on its result {are} crossed out and played anew", count(anew.len(), "game"))
}

/// The games that are played anew because they depended on a result that `action` corrects.
fn played_anew(action: &DecidedAction) -> &[Again] {
    match action {
        DecidedAction::Annul(annul) => &annul.later,
        DecidedAction::Award(award) => &award.later,
        _ => &[],
    }
}

/// When a version begins to play: `from stage 2, round 1 on`.
pub(crate) fn since(replace: &Replace) -> String {
    format!("from stage {}, round {} on", u16::from(replace.stage) + 1, u32::from(replace.round) + 1)
}

/// The game that is played instead of an annulled one.
fn again(annul: &Annul) -> GameId {
    GameId { attempt: annul.attempt, ..annul.game }
}

/// The number of the decision that undoes this one.
fn undone_by(number: u32, decisions: &[DecisionRecord]) -> Option<u32> {
    let undoes = |it: &&DecisionRecord| it.action == DecidedAction::Undo { decision: number };
    decisions.iter().find(undoes).map(|it| it.number)
}

/// What `action`, taken after `decisions`, changes in a tournament: the order so far, and the games that may be played
/// now.
pub fn preview(
    action: &DecidedAction,
    decisions: &[DecisionRecord],
    before: &Tournament,
    after: &Tournament,
) -> Vec<Section> {
    let [was, is] = [open(before), open(after)];
    let is_held = |game: &&Pairing| game.seats.iter().any(|bot| after.contest.journal().is_on_hold(*bot));
    let held = is.values().filter(is_held).count();
    let mut games = format!("{} may be played", count(is.len() - held, "open game"));
    if held > 0 {
        games += &format!(", {} of bots on hold may not", count(held, "game"));
    }
    games += &format!("; {} so far", count(after.results.len(), "game"));
    let mut left = Section::new("", "Then").with(Block::Note(games.into()));
    if let DecidedAction::Annul(_) = action {
        let note = "Its seed and its board stay the same, so bots that neither draw lots nor depend on time play it as before.";
        left = left.with(Block::Note(note.into()));
    }
    if let DecidedAction::Replace(replace) = action {
        let all = is.values().filter(|game| game.seats.contains(&replace.entrant));
        let versions = after.contest.journal().versions();
        let own = all.filter(|game| versions.playing(replace.entrant, game.id) == replace.version).count();
        let note = format!("Of the open games the new version plays {own}. No pairing changes.");
        left = left.with(Block::Note(note.into()));
    }
    let mut first = Section::new("", said(action, decisions));
    if let DecidedAction::Amend { contest, .. } = action {
        let changes = before.header.amendments(contest).into_iter().map(Line::from).collect();
        first = first.with(Block::List(changes));
    }
    let first = changed_orders(first, before, after, None);
    let crossed_out = crossed_out(action, before);
    [first].into_iter().chain(crossed_out).chain(changed_games(&was, &is, None)).chain([left]).collect()
}

/// A letter to the author of each entry that plays and that `action` affects: what was decided and `why`, and what that
/// changes for the bot. `action` is taken after `decisions` and `games`.
pub fn letters(
    action: &DecidedAction,
    decisions: &[DecisionRecord],
    why: &str,
    before: &Tournament,
    after: &Tournament,
    games: &[GameSummary],
) -> Vec<(EntrantId, Vec<Section>)> {
    let [was, is] = [open(before), open(after)];
    let standings = [before.standings(), after.standings()];
    let competing = (0..).map(EntrantId).zip(before.entrants);
    let competing = competing.filter(|(_, it)| it.out.is_none() && it.role == Role::Entry).map(|(bot, _)| bot);
    // The games that no longer count.
    let counts = |tournament: &Tournament, game: &Pairing| tournament.uncounted(game).is_none();
    let games = games.iter().map(|game| &game.pairing);
    let lost: Vec<&Pairing> = games.filter(|game| counts(before, game) && !counts(after, game)).collect();
    let letter = |bot: EntrantId| {
        let own = lost.iter().filter(|game| game.seats.contains(&bot)).map(|game| listed(game)).collect();
        let games: Vec<Section> =
            named("crossed out", own).into_iter().chain(changed_games(&was, &is, Some(bot))).collect();
        let [own_before, own_after] =
            standings.each_ref().map(|standings| standings.iter().find(|it| it.entrant == bot));
        if own_before == own_after && games.is_empty() && about(action, decisions) != Some(bot) {
            return None;
        }
        let to = format!("To the author of {}: {}", before.name(bot), before.header.contest);
        let decided = Section::new("", to).with(Block::Note(said(action, decisions)));
        let decided = decided.with(Block::Note(format!("The reason: {why}").into()));
        let sections = [changed_orders(decided, before, after, Some(bot))].into_iter().chain(games);
        Some((bot, sections.collect()))
    };
    competing.filter_map(letter).collect()
}

/// The `section` with the order so far and, if there are several stages, the orders of those where it changes: of all
/// bots, or only the rows of the bot `only`.
fn changed_orders(section: Section, before: &Tournament, after: &Tournament, only: Option<EntrantId>) -> Section {
    let all = [before.standings(), after.standings()];
    let mut section = section.with(orders("Order so far", &before.columns(), &all, only));
    let several = before.progress.len() > 1;
    for ((stage, was), is) in before.stages().zip(&after.progress).filter(|_| several) {
        let standings = [was.standings(before.results), is.standings(after.results)];
        let is_in = |bot: EntrantId| standings.iter().flatten().any(|it| it.entrant == bot);
        if was.has_begun() && standings[0] != standings[1] && only.is_none_or(is_in) {
            section = section.with(orders(&before.stage_title(stage), &was.columns(), &standings, only));
        }
    }
    section
}

/// The list of all recorded games that do not count any more because they depended on a result that `action` corrects.
fn crossed_out(action: &DecidedAction, before: &Tournament) -> Option<Section> {
    let counted = played_anew(action).iter().filter(|again| before.results.get(again.game).is_some());
    let games: Vec<Line> = counted.map(|again| Line::from(again.game)).collect();
    let title = format!("{} crossed out", count(games.len(), "game"));
    (!games.is_empty()).then(|| Section::new("", title).with(Block::List(games)))
}

/// Lists of the open games that fall away, and of those that come instead: of all bots, or of one `only`.
fn changed_games(was: &PlayableGames, is: &PlayableGames, only: Option<EntrantId>) -> Vec<Section> {
    let changed = |from: &PlayableGames, other: &PlayableGames| -> Vec<Line> {
        let changed = from.iter().filter(|(id, game)| other.get(*id) != Some(*game));
        let changed = changed.filter(|(_, game)| only.is_none_or(|bot| game.seats.contains(&bot)));
        changed.map(|(_, game)| listed(game)).collect()
    };
    let lists = [("no longer to be played", changed(was, is)), ("to be played instead", changed(is, was))];
    lists.into_iter().filter_map(|(what, games)| named(what, games)).collect()
}

/// `s1/r2/m1/g1: @greedy - @parity`.
fn listed(game: &Pairing) -> Line {
    Line::from(format!("{}: ", game.id)).then(Line::joined(game.seats.iter().copied(), " - "))
}

/// A list of these games under a title such as `3 games crossed out`, where `what` follows the number; `None` if there
/// are none.
fn named(what: &str, mut games: Vec<Line>) -> Option<Section> {
    let title = format!("{} {what}", count(games.len(), "game"));
    let more = games.len().saturating_sub(GAMES_NAMED);
    games.truncate(GAMES_NAMED);
    games.extend((more > 0).then(|| format!("and {more} more").into()));
    (!games.is_empty()).then(|| Section::new("", title).with(Block::List(games)))
}

/// Games by their ids.
type PlayableGames = BTreeMap<GameId, Pairing>;

/// The games that are due and have no result, including those of bots on hold.
fn open(tournament: &Tournament) -> PlayableGames {
    let due = tournament.progress.iter().flat_map(|stage| match &stage.state {
        StageState::Playing(due) => due.as_slice(),
        _ => &[],
    });
    due.map(|game| (game.id, game.clone())).collect()
}

/// The orders of entrants before and after, with the figures of these columns: of all bots, or of the bot `only`.
fn orders(
    caption: &str,
    columns: &[StandingsColumn],
    [was, is]: &[Vec<Standing>; 2],
    only: Option<EntrantId>,
) -> Table {
    let place = |standings: &[Standing], id: EntrantId| {
        Cell::or_empty(standings.iter().find(|it| it.entrant == id).map(|it| it.place))
    };
    let figures = |standings: &[Standing], id: EntrantId| {
        let own = standings.iter().find(|it| it.entrant == id).map_or(&[][..], |it| &it.figures);
        let shown = columns.iter().zip(own).map(|(column, figure)| figure_text(*column, *figure));
        shown.collect::<Vec<_>>().join(", ")
    };
    let gone = was.iter().filter(|it| is.iter().all(|other| other.entrant != it.entrant));
    let all = is.iter().chain(gone).map(|it| it.entrant).filter(|id| only.is_none_or(|bot| bot == *id));
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    Listing(all)
        .columns(&[
            (Column::number("now"), &|id| place(was, *id)),
            (Column::number("then"), &|id| place(is, *id)),
            (Column::name("name"), &|id| (*id).into()),
            (Column::text(format!("{} now", names.join(", "))), &|id| figures(was, *id).into()),
            (Column::text("then"), &|id| figures(is, *id).into()),
        ])
        .captioned(caption)
}

/// What `decisions` prints as JSON.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DecisionsJson {
    /// The decisions, in the order in which they were taken.
    pub decisions: Vec<DecisionJson>,
}

/// A decision.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct DecisionJson {
    /// Its number.
    pub decision: u32,
    /// When it was taken.
    pub taken: String,
    /// What was decided: `withdraw`, `disqualify`, `annul`, `award`, `admit`, `replace`, `hold`, `amend` or
    /// `undo`.
    pub what: &'static str,
    /// The bot that it is about.
    #[serde(flatten)]
    pub who: Option<EntrantJson>,
    /// How the bot leaves each stage; empty if none does.
    pub stages: Vec<LeavingJson>,
    /// The stages in which a bot that is admitted takes part without having to qualify; empty for others.
    pub admitted_to: Vec<ArrivingJson>,
    /// The version that replaces the bot, and the first place in which it plays; null for others.
    pub version: Option<VersionJson>,
    /// The game that is annulled or awarded; null for others.
    pub game: Option<String>,
    /// The others in an awarded game of more than two, in the order of their places; empty for others.
    pub others: Vec<EntrantJson>,
    /// The game that is played instead; null for others.
    pub again: Option<String>,
    /// The games that are crossed out and played anew because they depended on its result; empty for others.
    pub later: Vec<String>,
    /// The contest's name from here on; null for others.
    pub contest: Option<String>,
    /// The decision that it undoes; null for others.
    pub undoes: Option<u32>,
    /// The decision that undoes it; null while it holds.
    pub undone_by: Option<u32>,
    /// Why, in the organizer's words.
    pub why: String,
}

/// How a bot leaves a stage.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LeavingJson {
    /// The stage.
    pub stage: u32,
    /// The first round that is paired without it; 1 if the stage is played without it.
    pub round: u32,
    /// What becomes of its games: `keep`, `void` or `lost`.
    pub games: &'static str,
}

/// A version that plays the games of a bot.
#[derive(Debug, Serialize, JsonSchema)]
pub struct VersionJson {
    /// Its name among the entrants.
    #[serde(flatten)]
    pub who: EntrantJson,
    /// The stage.
    pub stage: u32,
    /// The round.
    pub round: u32,
}

/// How a bot that is admitted takes part in a stage.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ArrivingJson {
    /// The stage.
    pub stage: u32,
    /// The first round of which no game was recorded; 1 if the stage had not begun.
    pub round: u32,
}

/// The decisions as JSON, which has more than [`section`].
pub fn json(decisions: &[DecisionRecord], entrants: &[EntrantRecord]) -> DecisionsJson {
    DecisionsJson { decisions: decisions.iter().map(|it| one(it, decisions, entrants)).collect() }
}

fn one(it: &DecisionRecord, decisions: &[DecisionRecord], entrants: &[EntrantRecord]) -> DecisionJson {
    let entrant = |id: EntrantId| EntrantJson::new(id, entrants);
    let mut json = DecisionJson {
        decision: it.number,
        taken: utc(it.taken_ms),
        who: about(&it.action, decisions).map(entrant),
        later: played_anew(&it.action).iter().map(|again| again.game.to_string()).collect(),
        undone_by: undone_by(it.number, decisions),
        why: it.why.clone(),
        ..DecisionJson::default()
    };
    json.what = match &it.action {
        DecidedAction::Leave(leave) => {
            let leaving =
                |(stage, it): (u32, &Leaving)| LeavingJson { stage, round: it.round + 1, games: it.games.name() };
            json.stages = (1..).zip(&leave.stages).map(leaving).collect();
            if leave.disqualified { "disqualify" } else { "withdraw" }
        }
        DecidedAction::Annul(annul) => {
            json.game = Some(annul.game.to_string());
            json.again = Some(again(annul).to_string());
            "annul"
        }
        DecidedAction::Award(award) => {
            json.game = Some(award.game.to_string());
            json.others = award.others.iter().copied().map(entrant).collect();
            "award"
        }
        DecidedAction::Admit(admit) => {
            let stages = (1..).zip(&admit.stages);
            let arriving =
                |(stage, round): (u32, &Option<u32>)| Some(ArrivingJson { stage, round: (*round)? + 1 });
            json.admitted_to = stages.filter_map(arriving).collect();
            "admit"
        }
        DecidedAction::Replace(replace) => {
            json.version = Some(VersionJson {
                who: entrant(replace.version),
                stage: u32::from(replace.stage) + 1,
                round: u32::from(replace.round) + 1,
            });
            "replace"
        }
        DecidedAction::Hold { .. } => "hold",
        DecidedAction::Amend { contest, .. } => {
            json.contest = Some(contest.name.clone());
            "amend"
        }
        DecidedAction::Undo { decision } => {
            json.undoes = Some(*decision);
            "undo"
        }
    };
    json
}
