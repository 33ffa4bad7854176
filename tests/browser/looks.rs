//! What the page looks like: the use of its width, contrast, and hints that something goes on or is missing.

use super::driver::Look;
use super::reach::unfold;
use super::{DESK, Site};
use serde_json::json;

pub const PHONE: Look = Look { width: 375, dark: false };

/// JavaScript that lists the texts whose contrast with their background is below 4.5 to 1, each with its contrast.
const PALE: &str = "(() => {
    const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const rgba = (colour) => {
        context.clearRect(0, 0, 1, 1);
        context.fillStyle = colour;
        context.fillRect(0, 0, 1, 1);
        return [...context.getImageData(0, 0, 1, 1).data];
    };
    const luminance = (rgb) => {
        const [r, g, b] = rgb.slice(0, 3).map((n) => n / 255).map((n) => n <= 0.04045 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (element) => {
        for (let at = element; at; at = at.parentElement) {
            const colour = rgba(getComputedStyle(at).backgroundColor);
            if (colour[3] === 255) return colour;
        }
        return [255, 255, 255, 255];
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const pale = [];
    while (texts.nextNode()) {
        const element = texts.currentNode.parentElement;
        const words = texts.currentNode.textContent.trim();
        if (!words || element.closest('script, svg, :disabled') || !element.checkVisibility()) continue;
        const [a, b] = [rgba(getComputedStyle(element).color), behind(element)].map(luminance).sort((a, b) => b - a);
        const contrast = (a + 0.05) / (b + 0.05);
        if (contrast < 4.5) pale.push(`${words}: ${contrast.toFixed(2)}`);
    }
    return pale;
})()";

pub fn text_is_legible_in_both_schemes(site: &Site) {
    for page in ["c.html", "rps.html", "c.html#s1/r1/m1/g1/3"] {
        site.browse(DESK, page, |browser| async move {
            unfold(&browser).await;
            for dark in [false, true] {
                browser.set_look(Look { dark, ..DESK }).await;
                assert_eq!(browser.value(PALE).await, json!([]), "dark: {dark}");
            }
            browser
        });
    }
}

pub fn the_winner_and_the_final_order_share_the_first_screen(site: &Site) {
    let ends = |selector: &str| {
        format!(
            "(({{ left, right, top }}) => [left, right, top].map(Math.round))(document.querySelector('{selector}').getBoundingClientRect())"
        )
    };
    let podium = ends(".podium");
    let order = ends("#standings .scroll");
    site.browse(DESK, "c.html", move |browser| async move {
        assert!(browser.text("#standings-title").await.starts_with("Winner: "));
        let numbers = async |expression: &str| -> Vec<i64> {
            let value = browser.value(expression).await;
            value.as_array().expect("a list").iter().map(|number| number.as_i64().expect("a number")).collect()
        };
        let podium = numbers(&podium).await;
        let order = numbers(&order).await;
        let width = browser.value("document.documentElement.clientWidth").await.as_i64().expect("a number");
        assert!(podium[0] < width / 4 && podium[1] < width / 2, "the podium is on the left: {podium:?}");
        assert!(order[0] > podium[1] && order[1] > width * 3 / 4, "the order is on its right: {order:?}");
        assert!(order[2] < 300 && podium[2] < 300, "both are at the top");
        browser
    });
}

pub fn the_board_of_the_game_that_decided_leads_to_it(site: &Site) {
    for page in ["c.html", "go.html", "pages/index.html"] {
        site.browse(DESK, page, |browser| async move {
            browser.wait_until("document.querySelector('.decisive img').naturalWidth > 100").await;
            let players = browser.text(".decisive").await;
            browser.click(".decisive").await;
            browser.wait_until("document.getElementById('viewer').open").await;
            let title = browser.text("#viewer-title").await;
            assert!(players.split(" against ").all(|name| title.contains(name)), "{title}: {players}");
            browser
        });
    }
    site.browse(DESK, "rps.html", |browser| async move {
        assert_eq!(browser.value("document.querySelector('.decisive')").await, json!(null), "there is no board");
        browser
    });
}

pub fn boxes_fade_where_they_go_on(site: &Site) {
    let classes = "document.querySelector('nav ul').className";
    site.browse(PHONE, "c.html", move |browser| async move {
        browser.wait_until(&format!("{classes} === 'more-right'")).await;
        browser.value("document.querySelector('nav ul').scrollBy({ left: 20, behavior: 'instant' })").await;
        browser.wait_until(&format!("{classes}.includes('more-left') && {classes}.includes('more-right')")).await;
        browser.value("document.querySelector('nav ul').scrollBy({ left: 2000, behavior: 'instant' })").await;
        browser.wait_until(&format!("{classes}.trim() === 'more-left'")).await;
        let drawing = "document.querySelector('.scroll:has(.bracket)')";
        browser.wait_until(&format!("{drawing}.classList.contains('more-right')")).await;
        assert_ne!(browser.value(&format!("getComputedStyle({drawing}).maskImage")).await, json!("none"));
        browser
    });
    site.browse(DESK, "c.html", move |browser| async move {
        assert_eq!(browser.value(classes).await, json!(""), "on a wide screen, nothing goes on");
        browser
    });
}

pub fn a_game_that_the_page_does_not_have_says_how_to_see_it(site: &Site) {
    site.browse(DESK, "c.html", |browser| async move {
        // As on a page that has no room for this game.
        let link = "<a id=away href=#s1/r99/m1/g1>away</a>";
        browser.value(&format!("document.querySelector('main').insertAdjacentHTML('afterbegin', '{link}')")).await;
        browser.click("#away").await;
        browser.wait_until("document.getElementById('viewer').open").await;
        assert_eq!(browser.text("#viewer-title").await, "Round 99, match 1 s1/r99/m1/g1");
        let words = browser.text("#absent").await;
        assert!(words.contains("replay c.db s1/r99/m1/g1") && words.contains("report c.db --site DIR"), "{words}");
        assert_eq!(browser.value("document.querySelector('.viewer-body').checkVisibility()").await, json!(false));
        // A game that the page has is shown as usual.
        browser.value("location.hash = '#s1/r1/m1/g1'").await;
        browser.wait_until("document.querySelector('.viewer-body').checkVisibility()").await;
        assert_eq!(browser.value("document.getElementById('absent').checkVisibility()").await, json!(false));
        browser
    });
}
