//! Whether a page can be used by everyone: at each width, in both schemes, and by those who do not see it or have no mouse,
//! which axe-core judges.

use super::Site;
use super::driver::{Browser, Look};
use crate::support::is_installed;
use serde_json::json;
use std::path::{Path, PathBuf};

const WIDTHS: [u32; 3] = [1280, 768, 375];

/// The top with the standings, a bot, brackets, a forfeit, a replay of each game, what a bot noted, and a site.
const PAGES: [&str; 12] = [
    "c.html",
    "c.html#e4",
    "brackets.html",
    "brackets.html#stage-1",
    "c.html#s1/r1/m1/g1/3",
    "go.html#s1/r1/m1/g1/30",
    "rps.html#s1/r1/m1/g1/30",
    "noted.html#s1/r1/m1/g1/3",
    "pages/index.html",
    "pages/index.html#s1/r1/m1/g1/3",
    "pages/entrants/4.html",
    "pages/entrants/4.html#s1/r1/m1/g1",
];

/// Unfolds all that is folded.
pub async fn unfold(browser: &Browser) {
    browser.value("document.querySelectorAll('details').forEach(details => { details.open = true; })").await;
}

pub fn nothing_scrolls_sideways_at_any_width(site: &Site) {
    for (width, dark) in WIDTHS.into_iter().flat_map(|width| [(width, false), (width, true)]) {
        for page in PAGES {
            site.browse(Look { width, dark }, page, move |browser| async move {
                assert_eq!(browser.value("innerWidth").await, json!(width));
                if page.contains("#s") && !page.contains("#stage") {
                    browser.wait_until("document.querySelector('dialog[open] #board svg')").await;
                }
                unfold(&browser).await;
                let widest = "Math.max(document.documentElement.scrollWidth, document.body.scrollWidth, \
                              ...[...document.querySelectorAll('dialog[open]')].map(dialog => dialog.scrollWidth))";
                assert_eq!(browser.value(&format!("{widest} <= innerWidth")).await, json!(true), "{page}, {width}");
                // In a bracket, names end before the scores.
                let long = "[...document.querySelectorAll('.bracket svg text')].filter(name => name.getComputedTextLength() \
                            > name.parentElement.width.baseVal.value).map(name => name.textContent)";
                assert_eq!(browser.value(long).await, json!([]), "{page}, {width}");
                browser
            });
        }
    }
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
    // The addresses of moves are for the viewer, and lead to no element of their own. A match of a bracket is named in words,
    // with whole names, in place of the marks and numbers in its box.
    let rules = "{ 'skip-link': { enabled: false }, 'label-content-name-mismatch': { enabled: false } }";
    let found = "axe.run({ rules: RULES, preload: false, resultTypes: ['violations'] }).then(result => \
                 result.violations.map(({ id, nodes }) => [id, ...nodes.map(node => node.html.slice(0, 200))]))";
    let found = found.replace("RULES", rules);
    for (width, dark) in [(1280, false), (1280, true), (375, true)] {
        for page in PAGES {
            let found = found.clone();
            let script = std::fs::read_to_string(axe().expect("a folder")).expect("axe-core");
            site.browse(Look { width, dark }, page, move |browser| async move {
                unfold(&browser).await;
                browser.run(&script).await;
                assert_eq!(browser.value(&found).await, json!([]), "{page}, {width}");
                browser
            });
        }
    }
}
