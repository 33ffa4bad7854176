//! The frame of every page: head, contents, the viewer of games, and the data at its end.

use super::traces::Traces;
use crate::view::Script;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use std::time::Duration;

/// How often an open page reloads itself while games are played.
pub(super) const RELOAD: Duration = Duration::from_secs(5);

/// The stylesheet of pages whose games use `script`.
pub(super) fn css(script: Script) -> String {
    [include_str!("page.css"), script.css].concat()
}

/// The script of pages whose games use `script`. Unless that is empty, it registers itself in `cornerman.boards`.
pub(super) fn js(script: Script) -> String {
    let parts = [include_str!("said.js"), include_str!("why.js"), include_str!("page.js")];
    ["globalThis.cornerman = { boards: {} };\n", script.js].into_iter().chain(parts).collect()
}

/// The generator that every page names in its head.
pub const GENERATOR: &str = "cornerman report";

/// A page.
pub(super) struct Page<'a> {
    pub title: &'a str,
    /// The contest's sign, if it has one.
    pub mark: Option<&'a str>,
    /// What it says in a few words, for previews of links to it.
    pub about: String,
    /// The picture for these previews, a file of the site.
    pub picture: Option<&'a str>,
    /// In a site, the path to its top; `None` for a page that needs no other file.
    pub up: Option<&'static str>,
    /// How often it reloads itself, if it does.
    pub reload: Option<Duration>,
    /// The anchors and names of its sections.
    pub contents: &'a [(String, String)],
    /// Everything between the table of contents and the footer.
    pub body: Markup,
    /// The script that steps through its games.
    pub script: Script,
    /// The games that can be replayed on it.
    pub traces: &'a Traces,
    /// On a page with games, what the viewer shows for a game that cannot be shown.
    pub absent: Option<Markup>,
}

/// The whole text of a page.
pub(super) fn whole(page: &Page) -> String {
    let inner = page.up.is_some_and(|up| !up.is_empty());
    let text = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="generator" content=(GENERATOR);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                // The page contains all that it shows, so nothing may be fetched.
                @if page.up.is_none() {
                    meta http-equiv="Content-Security-Policy"
                        content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";
                }
                title { (page.title) }
                meta property="og:title" content=(page.title);
                @if !page.about.is_empty() {
                    meta name="description" content=(page.about);
                    meta property="og:description" content=(page.about);
                }
                @if let Some(picture) = page.picture { meta property="og:image" content=(picture); }
                link rel="icon" href={ "data:" (page.mark.map(icon_of).unwrap_or_else(|| ",".to_string())) };
                @match page.up {
                    None => style { (PreEscaped(css(page.script))) },
                    Some(up) => link rel="stylesheet" href={ (up) "page.css" };,
                }
            }
            body data-reload=[page.reload.map(|every| every.as_millis())]
                data-games=[page.up.map(|up| format!("{up}games/"))] {
                a.skip href="#main" { "Skip to content" }
                (bar(page, inner))
                main id="main" tabindex="-1" { (page.body) }
                @if let Some(absent) = &page.absent { (viewer(absent)) }
                footer { p { "Made by cornerman " (cornerman_harness::version::get()) " from the tournament's record. Times are wall times unless they say otherwise." } }
                (page.traces.markup())
                @match page.up {
                    None => script { (PreEscaped(js(page.script))) },
                    Some(up) => script src={ (up) "page.js" } {},
                }
            }
        }
    };
    text.into_string()
}

/// A drawing of the contest's sign, as a `data:` address without its scheme.
fn icon_of(mark: &str) -> String {
    let text = html! { text y="13" font-size="13" { (mark) } }.into_string();
    let drawing = format!("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'>{text}</svg>");
    let escaped: String = drawing.bytes().map(|byte| format!("%{byte:02x}")).collect();
    format!("image/svg+xml,{escaped}")
}

/// The table of contents, with a link to the first page if this is an `inner` one of a site, and the switch between
/// light and dark colours.
fn bar(page: &Page, inner: bool) -> Markup {
    html! {
        nav.bar aria-label="Contents" {
            ul {
                @if let (true, Some(up)) = (inner, page.up) { li { a href={ (up) "index.html" } { "The tournament" } } }
                @for (anchor, name) in page.contents { li { a href={ "#" (anchor) } { (name) } } }
            }
            button type="button" id="theme" hidden { "Dark" }
        }
    }
}

/// A button of the viewer with a drawing in place of words. `key` names the key that does the same; empty if none does.
fn icon(id: &str, name: &str, key: &str, path: &str) -> Markup {
    let title = if key.is_empty() { name.to_string() } else { format!("{name}: {key}") };
    html! {
        button.icon type="button" id=(id) title=(title) aria-label=(name) {
            svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" { path d=(path) {} }
        }
    }
}

/// The viewer that steps through a game, a dialog over the page. It shows `absent` for a game that the page does not
/// have.
fn viewer(absent: &Markup) -> Markup {
    let inner = html! {
        div.viewer-head {
            h2 id="viewer-title" tabindex="-1" { "Game" }
            button type="button" id="close" { "Close" }
        }
        div id="absent" hidden { (absent) }
        div.viewer-body {
            div.viewer-board {
                div id="board" {}
                input type="range" id="at" min="0" value="0" step="1" aria-label="Step";
                div.controls role="group" aria-label="Steps" {
                    (icon("previous-game", "Previous game", "", "M11 5 3 12l8 7zM20 5l-8 7 8 7z"))
                    (icon("first", "First", "Home", "M6 5v14M19 5 9 12l10 7z"))
                    (icon("back", "Back", "←", "M17 5 7 12l10 7z"))
                    (icon("play", "Play", "Space", "M7 5l12 7-12 7z"))
                    (icon("next", "Next", "→", "M7 5l10 7-10 7z"))
                    (icon("last", "Last", "End", "M5 5l10 7-10 7zM18 5v14"))
                    (icon("next-game", "Next game", "", "M4 5l8 7-8 7zM13 5l8 7-8 7z"))
                    (icon("show-times", "Times", "", "M12 4a8 8 0 1 0 .01 0M12 8v4l3 2"))
                    select id="speed" title="Speed" aria-label="Speed" {
                        option value="2100" { "⅓×" }
                        option value="700" selected { "1×" }
                        option value="230" { "3×" }
                        option value="70" { "10×" }
                    }
                }
                p id="step" role="status" aria-live="polite" {}
                p id="figures" {}
                figure id="standing" {}
                div id="notes" {}
                details id="result" { summary { "Result" } p id="viewer-ending" {} }
                details id="why" hidden { summary { "Why" } ul id="why-words" {} }
            }
            div.viewer-side {
                div.scroll tabindex="0" role="group" aria-label="Seats" { table id="clocks" { caption { "Seats" } } }
                div id="violation" {}
                label id="note-filter" hidden { "Moves where " input type="search" id="where" size="14" placeholder="depth < 3" autocomplete="off"; }
                div id="logs" {}
                div.scroll.moves tabindex="0" role="group" aria-label="Moves" { table id="moves" { caption { "Moves" } } }
            }
        }
        p.hint { "Keys: ← and → step, Home and End jump, space plays and stops, Esc closes. The page's address leads to this step." }
    };
    html! {
        noscript { p.notice { "Replays need JavaScript." } }
        dialog id="viewer" aria-labelledby="viewer-title" { (inner) }
    }
}
