//! What the page shows first, and what its tables have: the top, the final order, a bot's own results, ratings, times, and
//! what a shared link previews.

use super::{DESK, Site};
use serde_json::{Value, json};

/// The texts of the cells of a table, row by row, its header first.
fn cells(table: &str) -> String {
    format!(
        "[...document.querySelectorAll('{table} tr')].map(row => [...row.children].map(cell => cell.textContent))"
    )
}

pub fn the_organizers_words_colour_and_mark_are_at_the_top(site: &Site) {
    site.browse(DESK, "c.html", |browser| async move {
        let head = browser.text("header.title").await;
        assert!(head.contains("Bots <b>without</b> gloves.") && head.contains("Ring & <i>ropes</i>"), "{head}");
        assert_eq!(browser.value("document.querySelectorAll('header.title b').length").await, json!(0));
        let edge = "getComputedStyle(document.querySelector('header.title')).borderLeftColor";
        assert_eq!(browser.value(edge).await, json!("rgb(136, 0, 68)"));
        assert!(browser.text("h1").await.starts_with("🥊"));
        let icon = "decodeURIComponent(document.querySelector('link[rel=icon]').href).includes('🥊')";
        assert_eq!(browser.value(icon).await, json!(true));
        browser
    });
}

pub fn those_who_share_a_place_share_a_step(site: &Site) {
    site.browse(DESK, "c.html", |browser| async move {
        let steps = "[...document.querySelectorAll('.podium > li')].map(step => [step.className, step.querySelectorAll('li').length])";
        assert_eq!(browser.value(steps).await, json!([["place-1", 1], ["place-2", 1], ["place-3", 2]]));
        assert!(browser.text(".podium .place-3").await.starts_with("3rd, shared by 2"));
        // With the figure that decided: rounds of the knockout, not games won.
        assert!(browser.text(".podium .place-1").await.ends_with("rounds 2"));
        browser
    });
}

pub fn no_column_of_the_standings_says_the_same_in_every_row(site: &Site) {
    let record = site.record();
    let (games, entrants) = (record.games().expect("games"), record.entrants().expect("entrants"));
    // The latest games by name, as the record has them.
    let latest: Vec<(String, String)> = (0..)
        .zip(&entrants)
        .map(|(id, entrant)| {
            let own = games.iter().filter_map(|game| {
                let seat = game.pairing.seats.iter().position(|seat| seat.0 == id)?;
                Some(if game.outcome.places[seat] == 1 { "W" } else { "L" })
            });
            let own: Vec<&str> = own.collect();
            (entrant.name.clone(), own[own.len() - own.len().min(5)..].join("\u{a0}"))
        })
        .collect();
    site.browse(DESK, "c.html", move |browser| async move {
        for table in ["#standings table", "#stage-1 table:not(.heat)", "#stage-2 table"] {
            let rows = browser.value(&cells(table)).await;
            let rows: Vec<&Vec<Value>> =
                rows.as_array().expect("rows").iter().filter_map(Value::as_array).collect();
            let same = |at: &usize| rows[1..].iter().all(|row| row[*at] == rows[1][*at]);
            let same: Vec<&Value> = (0..rows[0].len()).filter(same).map(|at| &rows[0][at]).collect();
            assert!(same.is_empty() && rows.len() == 5, "{table}: {same:?} of {rows:?}");
        }
        let rows = browser.value(&cells("#standings table")).await;
        assert_eq!(
            rows[0],
            json!(["place", "change", "name", "author", "won-tied-lost", "place there", "latest games"])
        );
        for row in &rows.as_array().expect("rows")[1..] {
            let (_, marks) = latest.iter().find(|(name, _)| row[2] == json!(name)).expect("an entrant");
            assert_eq!(row[6], json!(marks), "{row}");
        }
        browser
    });
}

pub fn a_bot_has_its_hardest_opponent_and_its_lost_games_first(site: &Site) {
    site.browse(DESK, "c.html", |browser| async move {
        let own = "document.querySelector(document.querySelector('#standings tbody tr:nth-child(3) a').hash)";
        browser.click("#standings tbody tr:nth-child(3) a").await;
        browser.wait_until(&format!("{own}.open")).await;
        let rates = format!("[...{own}.querySelectorAll('tbody tr:has(td a) td:nth-child(2)')].map(cell => parseFloat(cell.textContent))");
        let rates: Vec<f64> = serde_json::from_value(browser.value(&rates).await).expect("numbers");
        assert!(rates.len() == 3 && rates.is_sorted() && rates[0] < rates[2], "{rates:?}");
        let games = format!("[...{own}.querySelectorAll('tbody td.words')].map(cell => cell.textContent.replace(/s\\d\\S* /g, ''))");
        let games: Vec<String> = serde_json::from_value(browser.value(&games).await).expect("texts");
        assert!(games.iter().any(|games| games.contains("lost, won")), "{games:?}");
        assert!(games.iter().all(|games| !games.contains("won, lost")), "{games:?}");
        browser
    });
}

pub fn names_of_games_are_small_and_grey(site: &Site) {
    let style = "((cell, link) => [parseFloat(link.fontSize) < parseFloat(cell.fontSize), link.color])\
                 (...(link => [link.parentElement, link].map(part => getComputedStyle(part)))\
                 (document.querySelector('#forfeits a[href^=\"#s\"]')))";
    site.browse(DESK, "c.html", move |browser| async move {
        assert_eq!(browser.value(style).await, json!([true, "rgb(85, 91, 97)"]));
        browser.click("#forfeits td a").await;
        browser.wait_until("document.getElementById('viewer').open").await;
        let title = browser.text("#viewer-title").await;
        assert!(title.starts_with("Round 1, match ") && title.contains(", game "), "{title}");
        browser
    });
}

pub fn the_kits_bots_are_rated_below_the_entries(site: &Site) {
    site.browse(DESK, "c.html", |browser| async move {
        let rows = "[...document.querySelectorAll('#rating tbody tr')].map(row => \
                    [row.cells[0].textContent, row.cells[1].textContent.startsWith('@'), row.querySelectorAll('svg.interval').length])";
        assert_eq!(browser.value(rows).await, json!([["1", false, 1], ["", true, 1], ["", true, 1], ["", true, 1]]));
        browser
    });
}

pub fn of_the_times_the_ten_slowest_come_first(site: &Site) {
    let shown = "[...document.querySelectorAll('#times tbody tr')].filter(row => row.checkVisibility()).length";
    site.browse(DESK, "samurai.html", move |browser| async move {
        assert_eq!(browser.value(shown).await, json!(10));
        browser.click("#times details summary").await;
        assert_eq!(browser.value(shown).await, json!(12));
        browser
    });
}

pub fn those_who_are_sent_a_link_see_a_sentence_and_a_picture(site: &Site) {
    let content =
        "(name => document.querySelector(`meta[property=\"og:${name}\"], meta[name=\"${name}\"]`).content)";
    site.browse(DESK, "pages/index.html", move |browser| async move {
        assert_eq!(browser.value("document.title").await, json!("Ring & <i>ropes</i>"));
        assert_eq!(browser.value(&format!("{content}('title')")).await, json!("Ring & <i>ropes</i>"));
        let about = browser.value(&format!("{content}('description')")).await;
        assert!(about.as_str().is_some_and(|about| about.contains("Winner: @parity")), "{about}");
        let picture = format!("(async () => {{ const picture = new Image(); picture.src = {content}('image'); await picture.decode(); return picture.naturalWidth; }})()");
        assert!(browser.value(&picture).await.as_u64() > Some(100));
        browser
    });
}
