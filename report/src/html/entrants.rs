//! An entrant's section: its identity, its results against each other entrant, and details that help its author.

use super::context::{At, Context, Links, anchor, scroll};
use super::cutout::cutout;
use super::games;
use super::survey::{Facts, Met, Tally};
use super::{layout, times};
use crate::plain;
use crate::style::{count, duration};
use cornerman::format::{EntrantId, GameId};
use cornerman_harness::record::{FaultRecord, ResourceUse, Role};
use maud::{Markup, html};

/// The list of all entrants, the best first, and then their sections, if the page has room for them.
pub(super) fn section(context: &Context) -> Markup {
    let tournament = context.tournament();
    let detailed = matches!(context.links, Links::OnePage { entrants: true, .. });
    html! {
        section id="entrants" aria-labelledby="entrants-title" {
            h2 id="entrants-title" { "Entrants" }
            (list(context))
            @if detailed {
                div.tables {
                    @for id in context.survey.order.iter().copied() {
                        details.entrant id=(anchor(id)) {
                            summary { strong { (plain(&tournament.entrants[id.index()].name)) } " " (summary(context, id)) }
                            (own(context, id))
                        }
                    }
                }
            }
        }
    }
}

/// A table with a row for each entrant: who wrote it, and its results or why it does not play (B13).
fn list(context: &Context) -> Markup {
    let entrants = context.tournament().entrants;
    let table = html! {
        table {
            caption { "List of entrants" }
            thead { tr { th scope="col" { "name" } th scope="col" { "author" } th scope="col" { "games" } } }
            tbody {
                @for id in context.survey.order.iter().copied() {
                    @let entrant = &entrants[id.index()];
                    tr {
                        th scope="row" { (context.entrant(id)) }
                        td { (plain(entrant.author.as_deref().unwrap_or_default())) }
                        td { @match &entrant.out {
                            Some(why) => { "does not play: " (plain(why)) },
                            None => (summary(context, id)),
                        } }
                    }
                }
            }
        }
    };
    scroll("List of entrants", table)
}

/// An entrant's page in a folder.
pub(super) fn page(context: &Context, id: EntrantId) -> String {
    let name = plain(&context.tournament().entrants[id.index()].name);
    let body = html! {
        header.title { h1 { (name) } p { (summary(context, id)) } }
        (own(context, id))
        (games_of(context, id))
    };
    let Links::Folder { up } = context.links else { unreachable!("pages of entrants are in folders") };
    layout::whole(&layout::Page {
        title: &format!("{name}, {}", context.title()),
        up: Some(up),
        live: None,
        contents: &[],
        body,
        script: context.source.view.script(),
        traces: &Default::default(),
        absent: None,
    })
}

/// `8 won, 0 tied, 2 lost`.
pub(super) fn summary(context: &Context, id: EntrantId) -> String {
    let Tally { won, tied, lost } = context.facts(id).record;
    let role = match context.tournament().entrants[id.index()].role {
        Role::Entry => String::new(),
        role => format!(" · the organizer's {}", role.name()),
    };
    match context.facts(id).games {
        0 => format!("played no games{role}"),
        _ => format!("{won} won, {tied} tied, {lost} lost{role}"),
    }
}

fn own(context: &Context, id: EntrantId) -> Markup {
    let facts = context.facts(id);
    html! {
        (identity(context, id))
        @if facts.games > 0 {
            (opponents(context, id, facts))
            h3 { "Times" }
            p { (times::spread(facts)) }
            (slowest(context, facts))
        }
        (lost_on_time(context, facts))
        (violations(context, facts))
        @if let Some((game, text)) = &facts.stderr {
            h3 { "Standard error" }
            p { "The end of what it last wrote, in game " (context.game(*game, None)) ":" }
            pre.answer tabindex="0" { (lines(text)) }
        }
    }
}

/// Text of several lines, with characters escaped that would change the direction of writing.
fn lines(text: &str) -> String {
    cornerman_harness::text::plain_lines(text.trim_end())
}

fn identity(context: &Context, id: EntrantId) -> Markup {
    let entrant = &context.tournament().entrants[id.index()];
    let facts = context.facts(id);
    let known = [
        ("Author", &entrant.author),
        ("Toolchain", &entrant.toolchain),
        ("Source SHA-256", &entrant.source_sha256),
        ("Program SHA-256", &entrant.program_sha256),
        ("Check", &entrant.verdict),
        ("Out", &entrant.out),
    ];
    html! {
        dl.facts {
            @for (name, value) in known {
                @if let Some(value) = value { div { dt { (name) } dd { (plain(value)) } } }
            }
            @for row in &facts.conduct { (conduct(row)) }
        }
    }
}

/// The isolation level it ran at, and the resources it used there.
fn conduct(row: &ResourceUse) -> Markup {
    let level = row.level.map_or("none (a human)", |level| level.name());
    html! {
        div {
            dt { "Isolation" }
            dd {
                (level) " in " (count(row.games, "game"))
                @if !row.refused.is_empty() { " (refused: " (plain(row.refused.replace('\n', "; "))) ")" }
            }
        }
        div { dt { "Processor time" } dd { (duration(row.cpu)) " in all" } }
        @if row.peak_memory > 0 {
            div { dt { "Peak memory" } dd { (format!("{:.1} MiB", row.peak_memory as f64 / 1_048_576.0)) } }
        }
        @if row.leftovers > 0 {
            div { dt { "Left running" } dd { (row.leftovers) " processes" } }
        }
    }
}

/// A table with a row for each opponent; the games against it link to their replays.
fn opponents(context: &Context, id: EntrantId, facts: &Facts) -> Markup {
    let listed = !matches!(context.links, Links::OnePage { games: false, .. });
    let table = html! {
        table {
            caption { "Against each opponent" }
            thead { tr {
                th scope="col" { "opponent" }
                th.n scope="col" { "won" } th.n scope="col" { "tied" } th.n scope="col" { "lost" }
                th.n scope="col" { "points" } th.n scope="col" { "against" }
                @if listed { th scope="col" { "games" } }
            } }
            tbody {
                @for (opponent, met) in &facts.met {
                    tr {
                        th scope="row" { (context.entrant(*opponent)) }
                        td.n { (met.record.won) } td.n { (met.record.tied) } td.n { (met.record.lost) }
                        td.n { (met.points) } td.n { (met.against) }
                        @if listed { td.games { (games_with(context, id, *opponent, met)) } }
                    }
                }
            }
        }
    };
    scroll("Against each opponent", table)
}

/// The games against an opponent, each with the entrant's result: `s1/r1/m1/g1 won`.
fn games_with(context: &Context, id: EntrantId, opponent: EntrantId, met: &Met) -> Markup {
    html! {
        @for (at, game) in met.games.iter().enumerate() {
            @let game = &context.survey.games[*game as usize];
            @let place = |who: EntrantId| game.pairing.seats.iter().position(|seat| *seat == who).map(|seat| game.outcome.places[seat]);
            @let how = match place(id).cmp(&place(opponent)) {
                std::cmp::Ordering::Less => "won",
                std::cmp::Ordering::Equal => "tied",
                std::cmp::Ordering::Greater => "lost",
            };
            @if at > 0 { ", " }
            (context.game(game.pairing.id, None)) " " (how)
        }
    }
}

/// All games of an entrant with their seats, for its own page.
fn games_of(context: &Context, id: EntrantId) -> Markup {
    let mut own: Vec<u32> = context.facts(id).met.values().flat_map(|met| met.games.iter().copied()).collect();
    own.sort_unstable();
    own.dedup();
    let own = own.into_iter().map(|game| &context.survey.games[game as usize]);
    scroll("Games", games::table(context, own))
}

fn slowest(context: &Context, facts: &Facts) -> Markup {
    let table = html! {
        table {
            caption { "Slowest moves" }
            thead { tr {
                th scope="col" { "game" } th.n scope="col" { "move" }
                th.n scope="col" { "wall" } th.n scope="col" { "processor" } th.n scope="col" { "waiting" }
            } }
            tbody {
                @for timed in &facts.slowest {
                    tr {
                        th scope="row" { (context.game(timed.id, Some(At::Move(timed.number)))) }
                        td.n { (timed.number) }
                        td.n { (duration(timed.used.wall)) } td.n { (duration(timed.used.cpu)) } td.n { (duration(timed.used.lag)) }
                    }
                }
            }
        }
    };
    scroll("Slowest moves", table)
}

fn lost_on_time(context: &Context, facts: &Facts) -> Markup {
    html! {
        @if !facts.late.is_empty() {
            h3 { "Lost on time" }
            ul {
                @for (game, fault) in &facts.late {
                    li {
                        (at(context, *game, fault)) ": " (plain(&fault.detail)) "; it had run for " (duration(fault.used.wall))
                        ", " (duration(fault.used.cpu)) " of them on a processor, and it waited for a processor for " (duration(fault.used.lag)) "."
                        (stderr(fault))
                    }
                }
            }
        }
    }
}

fn violations(context: &Context, facts: &Facts) -> Markup {
    let more = facts.forfeits.saturating_sub(facts.late.len() + facts.violations.len());
    html! {
        @if !facts.violations.is_empty() {
            h3 { "Forfeits" }
            @for (game, fault) in &facts.violations {
                div.violation {
                    p { (at(context, *game, fault)) ": " strong { (plain(&fault.kind)) } ", " (plain(&fault.detail)) }
                    (cutout(fault))
                    (stderr(fault))
                }
            }
        }
        @if more > 0 { p { "And " (count(more, "forfeit")) " more." } }
    }
}

fn at(context: &Context, game: GameId, fault: &FaultRecord) -> Markup {
    html! { "Game " (context.game(game, Some(At::Forfeit(fault.number)))) ", move " (fault.number) }
}

fn stderr(fault: &FaultRecord) -> Markup {
    html! {
        @if !fault.stderr.is_empty() {
            p { "Its standard error ended with:" }
            pre.answer tabindex="0" { (lines(&fault.stderr)) }
        }
    }
}
