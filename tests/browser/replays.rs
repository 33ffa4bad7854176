//! The replay of a game: one row of icons, and what is special to each game.

use super::driver::Look;
use super::looks::PHONE;
use super::{DESK, Site};
use fantoccini::key::Key;
use serde_json::json;

pub fn the_controls_are_one_row_of_icons_under_the_board(site: &Site) {
    site.browse(DESK, "c.html#s1/r1/m1/g1/3", |browser| async move {
        let controls = "[...document.querySelectorAll('.controls > *')]";
        let words = format!("{controls}.filter(one => one.matches('button')).map(one => one.textContent.trim()).join('')");
        let rows = format!("new Set({controls}.map(one => Math.round(one.getBoundingClientRect().top))).size");
        let below = "document.querySelector('.controls').getBoundingClientRect().top - document.getElementById('board').getBoundingClientRect().bottom";
        let within = format!("{controls}.every(one => one.getBoundingClientRect().right <= innerWidth && one.clientWidth >= 24)");
        for width in [1280, 768, 375] {
            browser.set_look(Look { width, dark: false }).await;
            assert_eq!(browser.value(&words).await, json!(""));
            assert_eq!(browser.value(&rows).await, json!(1), "{width}");
            assert_eq!(browser.value(&within).await, json!(true), "{width}");
            let below = browser.value(below).await.as_f64().expect("a number");
            assert!((0.0..60.0).contains(&below), "{width}: {below}");
        }
        browser
    });
}

pub fn on_a_phone_the_board_has_the_width(site: &Site) {
    for page in ["c.html#s1/r1/m1/g1/3", "go.html#s1/r1/m1/g1/3", "rps.html#s1/r1/m1/g1/3"] {
        site.browse(PHONE, page, move |browser| async move {
            browser.wait_until("document.querySelector('#board svg')").await;
            let width = "document.querySelector('#board svg').getBoundingClientRect().width / document.getElementById('viewer').clientWidth";
            let width = browser.value(width).await.as_f64().expect("a number");
            assert!(width > 0.99, "{page}: {width}");
            browser
        });
    }
}

/// A move of the Boxing Match as the page writes it: `2×2 1/3` for `2x2 at row 1, column 3`.
pub fn short(notation: &str) -> String {
    notation.replace('x', "×").replace("at row ", "").replace(", column ", "/")
}

pub fn below_an_arena_are_its_vacant_and_single_spots(site: &Site) {
    let game = site.record().games().expect("games").into_iter().find(|game| game.moves > 5).expect("a game");
    let id = game.pairing.id;
    let moves = site.record().game(id).expect("it can be read").expect("it is there").moves;
    let short = short(&moves[0].notation);
    site.browse(DESK, &format!("c.html#{id}"), move |browser| async move {
        // A row of 32 above one of 28.
        assert_eq!(browser.text("#figures").await, "Vacant: 60. Single spots, in no open 2×2: 4, an even number.");
        browser.press(Key::Right).await;
        let step = browser.text("#step").await;
        assert!(step.ends_with(&format!(") {short}.")), "{step}, where {short} is due");
        assert!(browser.text("#moves tbody tr").await.ends_with(&short));
        browser.press(Key::End).await;
        assert_eq!(browser.text("#figures").await, "No spot is vacant.");
        browser
    });
}

pub fn a_board_of_go_fills_the_height(site: &Site) {
    site.browse(DESK, "go.html#s1/r1/m1/g1/3", |browser| async move {
        let bounds = "(({ top, bottom, right }) => [top, bottom, right])";
        let board: [f64; 3] = serde_json::from_value(
            browser
                .value(&format!("{bounds}(document.querySelector('#board svg').getBoundingClientRect())"))
                .await,
        )
        .expect("numbers");
        assert!(board[1] - board[0] > 600.0 && board[1] < 900.0, "{board:?}");
        let clocks: [f64; 3] = serde_json::from_value(
            browser.value(&format!("{bounds}(document.getElementById('clocks').getBoundingClientRect())")).await,
        )
        .expect("numbers");
        assert!(
            clocks[2] > board[2] && clocks[0] < board[1] && clocks[1] < 900.0,
            "{clocks:?} is beside {board:?}"
        );
        let seats = "[...document.querySelectorAll('#clocks .swatch')].map(seat => seat.textContent)";
        assert_eq!(browser.value(seats).await, json!(["black", "white"]));
        browser
    });
}
