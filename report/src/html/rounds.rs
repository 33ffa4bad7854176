//! How the contest came to its result: the stages, the latest first, with their standings and, where they have rounds,
//! brackets as drawings or groups of a Swiss system as cards.

use super::bracket;
use super::context::{Context, scroll};
use super::standings::{last_stage, of_stage};
use cornerman::format::{GameId, Match, Round, Rounds};
use maud::{Markup, html};

/// Whether there is more to show than what the page opens with.
pub(super) fn has_content(context: &Context) -> bool {
    context.tournament().progress.len() > 1 || !context.survey.rounds.is_empty()
}

/// Every stage, the latest first.
pub(super) fn section(context: &Context) -> Markup {
    if !has_content(context) {
        return html! {};
    }
    let mut stages: Vec<u8> = context.tournament().stages().map(|(stage, _)| stage).collect();
    stages.reverse();
    html! {
        section id="rounds" aria-labelledby="rounds-title" {
            h2 id="rounds-title" { "The way there" }
            div.tables { @for stage in stages { (one_stage(context, stage)) } }
        }
    }
}

/// A stage's rounds, and its standings unless the page opens with them.
fn one_stage(context: &Context, stage: u8) -> Markup {
    let tournament = context.tournament();
    let title = tournament.stage_title(stage);
    let shown = tournament.has_standings(stage, &tournament.progress[usize::from(stage)]);
    let tables = |title: &str| {
        if shown && last_stage(context) != Some(stage) {
            html! { div { (of_stage(context, stage, Some(title))) } }
        } else {
            html! {}
        }
    };
    let rounds = context.survey.rounds.iter().find(|(other, _)| *other == stage).map(|(_, rounds)| rounds);
    html! {
        @match rounds {
            Some(rounds) if rounds.is_bracket => {
                div.wide { h3 { (title) } (brackets(context, stage, rounds)) }
                (tables(&title))
            },
            Some(rounds) => div.wide {
                h3 { (title) }
                div.tables {
                    (tables("Standings"))
                    div.rounds { @for round in &rounds.list { div { (groups(context, stage, round)) } } }
                }
            },
            None => { (tables(&title)) @if !shown { p { (title) } } },
        }
    }
}

fn brackets(context: &Context, stage: u8, rounds: &Rounds) -> Markup {
    let title = context.tournament().stage_title(stage);
    html! {
        p.hint { "In a match: games won · points; ✓ the winner. A line leads to the next match in the same bracket." }
        div.brackets {
            @for name in titles(&rounds.list) {
                div {
                    @if let Some(name) = name { h4 { (name[..1].to_uppercase()) (name[1..]) } }
                    (scroll(&format!("{title}, {}", name.unwrap_or("bracket")), bracket::drawing(context, stage, &rounds.list, name)))
                }
            }
        }
    }
}

/// The titles of the brackets in these rounds, in order of appearance.
fn titles(rounds: &[Round]) -> Vec<Option<&'static str>> {
    let mut titles = Vec::new();
    for part in rounds.iter().flat_map(|round| &round.parts) {
        if !titles.contains(&part.title) {
            titles.push(part.title);
        }
    }
    titles
}

fn groups(context: &Context, stage: u8, round: &Round) -> Markup {
    html! {
        h4 { (crate::bracket::title(round)) }
        ul.groups {
            @for part in &round.parts {
                @for one in &part.matches { li.card { (card(context, stage, round, one)) } }
                @for id in &part.byes { li.card.bye { (context.entrant(*id)) " · bye" } }
            }
        }
    }
}

/// A match: its members with their points, the best first if there are more than two.
fn card(context: &Context, stage: u8, round: &Round, group: &Match) -> Markup {
    let id = GameId { stage, round: round.number, table: group.table, game: 0 };
    let name = format!("m{}", u64::from(group.table) + 1);
    html! {
        p.card-head {
            @if group.games > 0 { (context.game_as(id, None, &name)) } @else { (name) }
            @if !group.over { " · under way" }
            @else if group.sides.len() == 2 && group.winner.is_none() { " · tied" }
            @for note in &group.notes { " · " (note) }
        }
        ul {
            @for side in &group.sides {
                li {
                    @if group.winner == Some(side.entrant) { strong { (context.entrant(side.entrant)) " ✓" } }
                    @else { (context.entrant(side.entrant)) }
                    @if group.games > 0 {
                        span.n { @if group.sides.len() == 2 { (side.wins) " · " } (side.points) }
                    }
                }
            }
        }
    }
}
