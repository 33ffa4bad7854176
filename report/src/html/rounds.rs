//! The rounds of the stages that have them: brackets as drawings, groups of a Swiss system as cards.

use super::bracket;
use super::context::{Context, scroll};
use cornerman::format::{GameId, Match, Round};
use maud::{Markup, html};

/// Every stage with rounds.
pub fn section(context: &Context) -> Markup {
    if context.survey.rounds.is_empty() {
        return html! {};
    }
    html! {
        section id="rounds" aria-labelledby="rounds-title" {
            h2 id="rounds-title" { "Rounds" }
            @for (stage, rounds) in &context.survey.rounds {
                @let title = context.tournament().stage_title(*stage);
                h3 { (title) }
                @if rounds.is_bracket {
                    p.hint { "In a match: games won · points; ✓ the winner. A line leads to the next match in the same bracket." }
                    @for name in titles(&rounds.list) {
                        @if let Some(name) = name { h4 { (name[..1].to_uppercase()) (name[1..]) } }
                        (scroll(&format!("{title}, {}", name.unwrap_or("bracket")), bracket::drawing(context, *stage, &rounds.list, name)))
                    }
                } @else {
                    @for round in &rounds.list { (groups(context, *stage, round)) }
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
