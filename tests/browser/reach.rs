//! Whether everyone can use a page: at each width, in both colour schemes, and, as axe-core judges it, without eyesight or a
//! mouse.

use super::driver::{Browser, Look};
use super::{DESK, Site};
use crate::support::is_installed;
use serde_json::json;
use std::path::{Path, PathBuf};

/// The pages that are tried: the top with the standings and a bot, brackets, a replay of each game, a bot's notes, and a site.
/// A page that differs from the one before it only after the `#` is not reloaded.
const PAGES: [&str; 10] = [
    "c.html#e4",
    "c.html#s1/r1/m1/g1/3",
    "brackets.html#stage-1",
    "go.html#s1/r1/m1/g1/30",
    "rps.html#s1/r1/m1/g1/30",
    "noted.html#s1/r1/m1/g1/3",
    "pages/index.html",
    "pages/index.html#s1/r1/m1/g1/3",
    "pages/entrants/4.html",
    "pages/entrants/4.html#s1/r1/m1/g1",
];

/// Opens each of the pages, with all that is folded in it unfolded.
async fn open_all(browser: &Browser, urls: &[String], check: impl AsyncFn(&str)) {
    for (page, url) in PAGES.iter().zip(urls) {
        browser.open(url).await;
        if page.contains("/g1") {
            browser.wait_until("document.querySelector('dialog[open] #board svg')").await;
        }
        unfold(browser).await;
        check(page).await;
    }
}

/// Unfolds everything that is folded.
pub async fn unfold(browser: &Browser) {
    browser.value("document.querySelectorAll('details').forEach(details => { details.open = true; })").await;
}

pub fn nothing_scrolls_sideways_at_any_width(site: &Site) {
    let urls = PAGES.map(|page| site.url(page));
    site.browse(DESK, PAGES[0], move |browser| async move {
        // Elements that are too wide, names in brackets that run into the scores, and notes that are wider than their matches.
        let wide = "[...[document.documentElement, document.body, ...document.querySelectorAll('dialog[open]')] \
                    .filter(box => box.scrollWidth > innerWidth).map(box => box.tagName), \
                    ...[...document.querySelectorAll('.bracket svg text')].filter(name => name.getComputedTextLength() \
                    > name.parentElement.width.baseVal.value).map(name => name.textContent), \
                    ...[...document.querySelectorAll('.bracket .note')].filter(note => note.getBBox().width \
                    > note.closest('.match').querySelector('rect').width.baseVal.value).map(note => note.textContent)]";
        open_all(&browser, &urls, async |page| {
            for (width, dark) in [1280, 768, 375].into_iter().flat_map(|width| [(width, false), (width, true)]) {
                browser.set_look(Look { width, dark }).await;
                assert_eq!(browser.value("innerWidth").await, json!(width));
                assert_eq!(browser.value(wide).await, json!([]), "{page}, {width}, dark: {dark}");
            }
        })
        .await;
        browser
    });
}

/// Where `tests/browser/fetch` puts axe-core.
fn axe() -> Option<PathBuf> {
    Some(Path::new(env!("CARGO_TARGET_TMPDIR")).parent()?.join("axe-core/axe.min.js"))
}

/// Whether this machine has a browser and axe-core.
///
/// # Errors
/// What is missing.
pub fn axe_can_be_run() -> Result<(), String> {
    if let Some(tool) = ["chromium", "chromedriver"].iter().find(|tool| !is_installed(tool)) {
        return Err(format!("{tool} is not on this machine"));
    }
    let is_here = axe().is_some_and(|axe| axe.is_file());
    if is_here { Ok(()) } else { Err("axe-core is not here: run tests/browser/fetch".to_string()) }
}

pub fn axe_finds_nothing(site: &Site) {
    // Links to moves are for the viewer, and lead to no element. A match of a bracket has a label with whole names, instead of
    // the marks and numbers in its box.
    let all = "rules: { 'skip-link': { enabled: false }, 'label-content-name-mismatch': { enabled: false } }";
    // The colour scheme changes nothing else, so only these rules are tried in the second one.
    let colours = "runOnly: ['color-contrast', 'link-in-text-block']";
    let urls = PAGES.map(|page| site.url(page));
    let script = std::fs::read_to_string(axe().expect("a folder")).expect("axe-core");
    site.browse(DESK, PAGES[0], move |browser| async move {
        open_all(&browser, &urls, async |page| {
            // The viewer of a site is that of a page.
            if page.starts_with("pages/") && page.contains("/g1") {
                return;
            }
            browser.run(&format!("if (!globalThis.axe) {{ {script} }}")).await;
            // The page behind a replay is checked by itself.
            let part = if page.contains("/g1") { "document.querySelector('dialog')" } else { "document" };
            for (width, dark, rules) in [(1280, false, all), (1280, true, colours), (375, true, all)] {
                browser.set_look(Look { width, dark }).await;
                let found = format!(
                    "axe.run({part}, {{ {rules}, preload: false, resultTypes: ['violations'] }}).then(result => \
                     result.violations.map(({{ id, nodes }}) => [id, ...nodes.map(node => node.html.slice(0, 200))]))"
                );
                assert_eq!(browser.value(&found).await, json!([]), "{page}, {width}, dark: {dark}");
            }
        })
        .await;
        browser
    });
}
