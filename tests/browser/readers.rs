//! What the page does for one reader: it hides results and times until they are asked for, marks the reader's own bot, and
//! shows that bot's notes.

use super::looks::PHONE;
use super::{DESK, Site};
use fantoccini::key::Key;
use serde_json::json;

/// A bot that notes how many spots are vacant and draws, and tries to break the page.
pub const NOTES: &str = "board=$(cat); left=$(printf %s \"$board\" | tr -cd - | wc -c)
{
    echo \"@note left=$left\"
    echo '@note lie=NaN'
    echo '@note <b>bold</b>=1'
    echo '@draw spot 2/3 blue'
    echo '@draw line 1/1 4/5'
    echo '@draw rect 1/1 2/2 green'
    echo '@draw text 1/9 <img src=x onerror=alert(1)>'
    echo '@draw spot 1e9/3'
    echo '@draw spot'
} >&2
printf '%s\\n' \"$board\" | move";
pub const NOTED: &str = "name = \"Notes\"\nboards = [\"small.arena\"]\nentrants = [\"@greedy\", \"./noter\"]\n\
    [[stages]]\nkind = \"all-play-all\"\nboards = [1]\n";

const VISIBLE: &str = "document.getElementById('viewer-ending').checkVisibility()";

pub fn nothing_gives_the_result_away_unless_asked(site: &Site) {
    let points = "[...document.querySelectorAll('#clocks tbody tr')].map(row => row.lastChild.textContent)";
    let end = "document.getElementById('next').disabled";
    site.browse(DESK, "c.html#s1/r1/m1/g1", move |browser| async move {
        browser.wait_until("document.getElementById('viewer').open").await;
        assert_eq!(browser.value(VISIBLE).await, json!(false));
        assert_eq!(browser.value(points).await, json!(["", ""]));
        assert!(!browser.text("#clocks").await.contains('✓'));
        browser.click("#result summary").await;
        assert_eq!(browser.value(VISIBLE).await, json!(true));
        browser.click("#result summary").await;
        // At the end there is nothing left to give away.
        browser.press(Key::End).await;
        browser.wait_until(&format!("{end} && {VISIBLE}")).await;
        assert_ne!(browser.value(points).await, json!(["", ""]));
        assert!(browser.text("#clocks").await.contains('✓'));
        // The next game begins folded again.
        browser.click("#next-game").await;
        browser.wait_until(&format!("!{VISIBLE}")).await;
        browser
    });
}

pub fn games_follow_each_other(site: &Site) {
    let games = site.record().games().expect("games");
    let ids: Vec<String> = games.iter().map(|game| game.pairing.id.to_string()).collect();
    site.browse(DESK, &format!("c.html#{}", ids[0]), move |browser| async move {
        browser.wait_until("document.getElementById('previous-game').disabled").await;
        for id in &ids[1..] {
            browser.click("#next-game").await;
            browser.wait_until(&format!("location.hash === '#{id}'")).await;
            assert_eq!(browser.text("#viewer-title small").await, *id);
        }
        browser.wait_until("document.getElementById('next-game').disabled").await;
        browser.click("#previous-game").await;
        browser.wait_until(&format!("location.hash === '#{}'", ids[ids.len() - 2])).await;
        browser
    });
}

pub fn how_the_seats_stand_is_drawn_and_why_a_game_was_lost_is_said_to_those_who_ask(site: &Site) {
    let parts = "document.querySelectorAll('#standing rect').length";
    let words = "document.getElementById('why-words').checkVisibility()";
    site.browse(DESK, "noted.html", move |browser| async move {
        browser.value("document.querySelector('main a[href^=\"#s1/\"]').click()").await;
        browser.wait_until("document.getElementById('viewer').open").await;
        assert_eq!(browser.value(words).await, json!(false));
        browser.click("#why summary").await;
        assert_eq!(browser.value(words).await, json!(true));
        assert!(browser.text("#why-words li").await.ends_with(" lost."));
        browser.press(Key::Home).await;
        browser.wait_until(&format!("{parts} === 1")).await;
        assert!(
            browser.text("#standing figcaption").await.starts_with("Who wins if both play well, calculated: ")
        );
        // Up to the present step, so that it does not give the result away.
        browser.press(Key::Right).await;
        browser.wait_until(&format!("{parts} === 2")).await;
        browser
    });
}

pub fn times_are_shown_to_those_who_ask(site: &Site) {
    site.browse(DESK, "c.html#s1/r1/m1/g1/1", |browser| async move {
        browser.wait_until("document.getElementById('viewer').open").await;
        assert!(!browser.text("#step").await.contains("It took"));
        assert!(!browser.text("#moves thead").await.contains("wall"));
        browser.click("#show-times").await;
        assert!(browser.text("#step").await.contains("It took"));
        assert!(browser.text("#moves thead").await.contains("wall"));
        browser
    });
}

pub fn a_bot_is_found_and_marked_as_ones_own(site: &Site) {
    let marked = "[...new Set([...document.querySelectorAll('main a.mine')].map(link => link.textContent))]";
    site.browse(DESK, "c.html", move |browser| async move {
        let seek = "(words => { const find = document.getElementById('find'); find.value = words; \
                    find.dispatchEvent(new Event('change')); return find.checkValidity(); })";
        assert_eq!(browser.value(&format!("{seek}('nobody')")).await, json!(false));
        assert_eq!(browser.value("location.hash").await, json!(""));
        // Part of a name is enough.
        assert_eq!(browser.value(&format!("{seek}('COPY')")).await, json!(true));
        browser.wait_until("document.querySelector(location.hash || 'body').open").await;
        assert_eq!(browser.value(marked).await, json!([]));
        browser.value("document.querySelector(location.hash).querySelector('.own').click()").await;
        assert_eq!(browser.value(marked).await, json!(["copycat"]));
        // It is remembered, also by the viewer.
        browser.value("location.reload()").await;
        browser.wait_until(&format!("document.readyState === 'complete' && {marked}.length === 1")).await;
        browser.value("document.querySelector('#forfeits td a').click()").await;
        browser.wait_until("document.querySelector('#clocks tr.mine')").await;
        assert!(browser.text("#clocks tr.mine").await.contains("copycat"));
        browser
    });
}

pub fn the_way_of_a_bot_through_a_bracket_stands_out(site: &Site) {
    let point = "(name => document.querySelector(`.bracket text[data-bot=\"${name}\"]`)\
                 .dispatchEvent(new PointerEvent('pointerover', { bubbles: true })))('@parity')";
    let lit = "[...new Set([...document.querySelectorAll('.bracket.lit .on')].map(part => part.dataset.bot))]";
    site.browse(DESK, "c.html", move |browser| async move {
        assert_eq!(browser.value(lit).await, json!([]));
        browser.value(point).await;
        assert_eq!(browser.value(lit).await, json!(["@parity"]));
        assert_eq!(
            browser.value("document.querySelectorAll('.bracket.lit path.on').length > 0").await,
            json!(true)
        );
        browser
    });
}

pub fn the_last_rounds_of_a_long_bracket_come_first(site: &Site) {
    let shown = "[...document.querySelectorAll('#stage-1 .bracket')].filter(one => one.checkVisibility()).length";
    site.browse(DESK, "brackets.html", move |browser| async move {
        assert_eq!(browser.text("#stage-1 .drawn summary").await, "All 11 rounds");
        assert!(browser.text("#stage-1 .brackets > div:nth-child(2) .round").await.starts_with("Round 8,"));
        assert_eq!(browser.value(shown).await, json!(2));
        browser.click("#stage-1 .drawn summary").await;
        assert_eq!(browser.value(shown).await, json!(3));
        // The map shows both brackets, and marks the part that is in view.
        let map = "(inner => inner.width > 0 && inner.right <= document.querySelector('.map').getBoundingClientRect().right + 1)\
                   (document.querySelector('.map .there').getBoundingClientRect())";
        assert_eq!(browser.value(map).await, json!(true));
        assert_eq!(browser.value("document.querySelector('.map use').getBBox().width > 0").await, json!(true));
        browser
    });
    // On a phone, the last of these rounds is in view.
    site.browse(PHONE, "brackets.html", |browser| async move {
        let classes = "document.querySelector('.drawn .scroll:has(+ details)').className";
        browser.wait_until(&format!("{classes} === 'scroll more-left'")).await;
        browser
    });
}

pub fn a_figure_of_the_cross_table_leads_to_the_games_behind_it(site: &Site) {
    site.browse(DESK, "c.html", |browser| async move {
        let row = "document.querySelector(location.hash || 'body').closest('tr')";
        browser.click("#stage-1 .heat td a").await;
        browser.wait_until(&format!("{row}?.closest('details').open")).await;
        assert_eq!(browser.value(&format!("[...{row}.querySelectorAll('td a')].length > 0")).await, json!(true));
        browser
    });
    site.browse(DESK, "pages/index.html", |browser| async move {
        browser.click("#stage-1 .heat td a").await;
        browser
            .wait_until("location.pathname.includes('/entrants/') && document.querySelector('tr:has(:target)')")
            .await;
        browser
    });
}

pub fn what_a_bot_notes_and_draws_is_shown(site: &Site) {
    let record = site.record_of("noted");
    let id = record.games().expect("games")[0].pairing.id;
    let game = record.game(id).expect("it can be read").expect("it is there");
    let seat = usize::from(game.seats[0].said.is_empty());
    let said = &game.seats[seat].said[1];
    let notes = game.seats[seat].said.iter().filter(|said| said.text.contains("@note left=")).count();
    let left =
        said.text.lines().next().and_then(|line| line.strip_prefix("@note left=")).expect("a note").to_string();
    let shapes = "[...document.querySelectorAll('#board .drawn-shapes > *')].map(shape => shape.tagName)";
    site.browse(DESK, &format!("noted.html#{id}/{}", said.number), move |browser| async move {
        browser.wait_until("document.getElementById('viewer').open").await;
        assert_eq!(browser.text("#notes figcaption").await, format!("left: noter {left}"));
        assert_eq!(browser.value(shapes).await, json!(["circle", "path", "rect", "text"]));
        assert_eq!(browser.text("#board .drawn-text").await, "<img src=x onerror=alert(1)>");
        assert_eq!(browser.value("document.querySelectorAll('#viewer b, #viewer img').length").await, json!(0));
        // Only the moves whose notes fit a condition are listed; with an invalid condition, all are.
        let shown = "[...document.querySelectorAll('#moves tbody tr')].filter(row => !row.hidden).length";
        let all = browser.value(shown).await;
        for (condition, wanted) in [
            (format!("left = {left}"), json!(1)),
            ("left<0".to_string(), json!(0)),
            ("left >= 0".to_string(), json!(notes)),
            ("depth < 3".to_string(), all.clone()),
            ("<b>".to_string(), all.clone()),
            (String::new(), all),
        ] {
            let set = format!(
                "(() => {{ const field = document.getElementById('where'); field.value = {}; \
                 field.dispatchEvent(new Event('input')); }})()",
                json!(condition)
            );
            browser.value(&set).await;
            assert_eq!(browser.value(shown).await, wanted, "{condition}");
        }
        // At the start nothing has been noted or drawn.
        browser.click("#first").await;
        assert_eq!(browser.value(shapes).await, json!([]));
        browser
    });
}
