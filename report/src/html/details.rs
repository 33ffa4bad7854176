//! The end of the page: what identifies the record, and what the page leaves out.

use super::context::Context;
use crate::{plain, shown};
use maud::{Markup, html};

/// Ruleset, machines, seed, seal and version, the parts that are `left_out`, and how many games can be replayed.
pub(super) fn section(context: &Context, left_out: Option<&str>, replays: usize) -> Markup {
    let header = context.tournament().header;
    let survey = context.survey;
    let hosts: Vec<String> = survey.hosts.iter().map(|host| shown(host)).collect();
    let games = survey.games.len();
    html! {
        section id="details" aria-labelledby="details-title" {
            h2 id="details-title" { "Details" }
            dl.facts {
                div { dt { "Ruleset" } dd { (plain(&context.source.ruleset.title)) " (" (shown(&header.ruleset)) ")" } }
                @if !hosts.is_empty() { div { dt { "Played on" } dd { (hosts.join(", ")) } } }
                div { dt { "Seed" } dd { (header.seed) } }
                @if !header.kit.is_empty() { div { dt { "Kit" } dd { (shown(&header.kit)) } } }
                @if let Some(seal) = survey.seal { div { dt { "Seal" } dd { code.seal { (seal) } } } }
            }
            @if left_out.is_some() || replays < games {
                div.notice role="note" id="left-out" {
                    @if let Some(what) = left_out { p { strong { "Left out: " (what) "." } } }
                    @if replays < games {
                        p { strong { "Replays: " (replays) " of " (games) " games" } ", those of the latest rounds and stages first." }
                    }
                    p { "This file would be too large with the rest. To see all of it, write a folder: " code { (folder(context)) } }
                }
            }
        }
    }
}

/// What the viewer shows in place of a game that the page has no room for.
pub(super) fn absent(context: &Context) -> Markup {
    let replay = format!("{} replay {}", context.source.command, context.file_name());
    html! {
        p { "This page does not contain this game. To see it:" }
        ul {
            li { "in a terminal: " code data-command=(replay) { (replay) } }
            li { "in a browser, with all other games, from a folder of pages: " code { (folder(context)) } }
        }
    }
}

/// The command that writes every game and entrant to a page of its own.
fn folder(context: &Context) -> String {
    format!("{} report {} --split FOLDER", context.source.command, context.file_name())
}
