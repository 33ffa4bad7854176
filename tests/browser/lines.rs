//! Games of lines on the page: stones, captures and a ko; rounds and their margin.

use super::{DESK, Site};
use cornerman_harness::kit::Games;
use cornerman_harness::record::GameRecord;
use fantoccini::key::Key;
use serde_json::{Value, json};
use std::path::Path;

/// The line games that have a record and a page: ruleset and bots.
pub const LINE_GAMES: [(&str, &str, [&str; 2]); 2] =
    [("go", "go-9x9", ["@go-random", "@capture"]), ("rps", "rps-published", ["@rock", "@beat-last"])];

/// A page of Go with one invented game, from its first board and its steps.
fn page_of_go(site: &Site, board: &str, steps: Value) -> String {
    let page = std::fs::read_to_string(site.scratch.path().join("go.html")).expect("the page");
    let (head, _) = page.split_once("<script type=\"application/json\"").expect("data");
    let script = page.rfind("<script>").expect("the script");
    let game = json!({
        "v": 1, "id": "s1/r1/m1/g1", "kind": "stones", "board": 0, "who": [0, 1], "marks": "XO", "places": [1, 2],
        "points": [1, 0], "held": [0, 0], "end": "over", "wrong": null, "steps": steps,
    });
    let data = [("names", json!(["Ann", "Bob"])), ("boards", json!([board])), ("game:s1/r1/m1/g1", game)];
    let data = data.map(|(id, value)| format!("<script type=\"application/json\" id=\"{id}\">{value}</script>"));
    site.scratch.file("stones.html", format!("{head}{}{}", data.concat(), &page[script..]));
    "stones.html#s1/r1/m1/g1".to_string()
}

pub fn stones_are_captured_and_a_ko_is_marked(site: &Site) {
    // The stone in the second row and column is captured, and may not be retaken at once.
    let board = ".XO..\nXO.O.\n.XO..\n.....\n.....\n";
    let steps = json!([[1, 0, "C4", [7, ".X"], 1000, 900, 0], [2, 1, "E1", [28, "O"], 1000, 900, 0]]);
    let page = page_of_go(site, board, steps);
    let label = "document.querySelector('#board svg').getAttribute('aria-label')";
    let kos = "document.querySelectorAll('#board .ko').length";
    site.browse(DESK, &page, move |browser| async move {
        let check = async |words: &str, ko: u32| {
            assert_eq!((browser.value(label).await, browser.value(kos).await), (json!(words), json!(ko)));
        };
        check("The board after 0 of 2 moves: 3 black stones, 4 white ones", 0).await;
        browser.click("#next").await;
        check("The board after 1 of 2 moves: 4 black stones, 3 white ones, ko", 1).await;
        browser.click("#next").await;
        check("The board after 2 of 2 moves: 4 black stones, 4 white ones", 0).await;
        browser
    });
}

/// The first game in the record of a line game, the names of its seats with marks, and the board after each move.
fn first_of(site: &Site, name: &str) -> (GameRecord, [String; 2], Vec<String>) {
    let record = site.record_of(name);
    let id = record.games().expect("games")[0].pairing.id;
    let game = record.game(id).expect("it can be read").expect("it is there");
    let entrants = record.entrants().expect("entrants");
    let header = record.header().expect("a header");
    let named = |seat: usize| {
        let name = &entrants[game.pairing.seats[seat].index()].name;
        let mark = char::from(game.setup.marks[seat]);
        let called = if header.game == "go" { ["black", "white"][seat].to_string() } else { mark.to_string() };
        format!("{name} ({called})")
    };
    let names = [named(0), named(1)];
    let games = Games::new(cornerman_cli::games::all().into_iter().map(|game| game.kit));
    let ruleset = games.parse(Path::new("r.toml"), &header.ruleset_text).expect("a ruleset");
    let mut table = ruleset.open(&game.setup).expect("a table");
    let mut boards = vec![table.board()];
    for made in &game.moves {
        table.answer(made.seat, made.notation.as_bytes()).expect("a legal move");
        boards.push(table.board());
    }
    let boards = boards.into_iter().map(|board| String::from_utf8(board).expect("ASCII")).collect();
    (game, names, boards)
}

pub fn a_real_game_of_go_is_stepped_through_with_its_captures(site: &Site) {
    let (game, names, boards) = first_of(site, "go");
    let id = game.pairing.id;
    let stones = |board: &str| ["X", "O"].map(|colour| board.matches(colour).count());
    // The words that the page should have for the board after this number of moves, and for the last move's captures.
    let placed = |notation: &str| usize::from(notation != "pass");
    let all = |at: usize| stones(&boards[at]).iter().sum::<usize>();
    let taken: Vec<usize> =
        (1..boards.len()).map(|at| all(at - 1) + placed(&game.moves[at - 1].notation) - all(at)).collect();
    let first_capture = taken.iter().position(|&stones| stones > 0).expect("something is captured") + 1;
    let wanted: Vec<(String, [usize; 2], usize)> = (1..=first_capture)
        .map(|at| {
            let made = &game.moves[at - 1];
            let words = format!("Move {at}: {} {}.", names[made.seat.index()], made.notation);
            (words, stones(&boards[at]), taken[at - 1])
        })
        .collect();
    let last = boards.len() - 1;
    let drawn = "['black', 'white'].map((colour) => document.querySelectorAll(`#board .stone-${colour}`).length)";
    let page = format!("go.html#{id}");
    site.browse(DESK, &page, move |browser| async move {
        browser.wait_until("document.getElementById('viewer').open").await;
        assert_eq!(browser.value(drawn).await, json!([0, 0]));
        for (words, stones, taken) in &wanted {
            browser.press(Key::Right).await;
            let step = browser.text("#step").await;
            assert!(step.starts_with(words), "{step}, where {words} is due");
            assert_eq!(browser.value(drawn).await, json!(stones), "{step}");
            let captures = match taken {
                0 => "",
                1 => " It captures a stone.",
                _ => &format!(" It captures {taken} stones."),
            };
            assert_eq!(step.split_once(" It captures").map_or("", |(before, _)| &step[before.len()..]), captures);
        }
        browser.click("#last").await;
        assert!(browser.text("#step").await.starts_with(&format!("Move {last}: ")));
        assert_eq!(
            browser.value("document.querySelectorAll('#board .last-mark').length").await,
            json!(0),
            "a pass"
        );
        // A link to the first move that captures.
        browser.value(&format!("location.hash = '#{id}/{first_capture}'")).await;
        browser
            .wait_until(&format!(
                "document.getElementById('step').textContent.startsWith('Move {first_capture}:')"
            ))
            .await;
        assert!(browser.text("#step").await.contains(" It captures "));
        assert_eq!(browser.value("document.querySelectorAll('#board .last-mark').length").await, json!(1));
        browser
    });
}

pub fn a_real_game_of_rps_is_stepped_through_with_its_margin(site: &Site) {
    let (game, names, boards) = first_of(site, "rps");
    let id = game.pairing.id;
    let bare = |seat: usize| names[seat].rsplit_once(" (").expect("a mark").0.to_string();
    let hand = |seat: usize, round: usize| {
        let number: usize = game.moves[2 * round + seat].notation.parse().expect("a number");
        format!("{} {}", names[seat], ["rock", "paper", "scissors"][number])
    };
    // The beginning, both hands and the end of the words for a round.
    let wanted: Vec<[String; 4]> = (0..game.moves.len() / 2)
        .map(|round| {
            let board = &boards[2 * round + 2];
            let margin: i64 = board.rsplit(' ').next().expect("a word").parse().expect("the margin");
            let end = match margin {
                0 => "Margin: even.".to_string(),
                _ => format!("Margin: {} leads by {}.", bare(usize::from(margin < 0)), margin.abs()),
            };
            [format!("Round {}: ", round + 1), hand(0, round), hand(1, round), end]
        })
        .collect();
    assert_eq!(wanted.len(), 50);
    site.browse(DESK, &format!("rps.html#{id}"), move |browser| async move {
        browser.wait_until("document.getElementById('viewer').open").await;
        assert_eq!(browser.text("#step").await, "The start. Margin: even.");
        for [begin, first, second, end] in &wanted[..5] {
            browser.press(Key::Right).await;
            let step = browser.text("#step").await;
            let whole =
                step.starts_with(&format!("{begin}{first}")) && step.contains(second) && step.ends_with(end);
            assert!(whole, "{step}, where {begin}{first}…{second}…{end} is due");
        }
        browser.press(Key::End).await;
        assert_eq!(browser.value("document.getElementById('next').disabled").await, json!(true));
        assert!(browser.text("#step").await.ends_with(&wanted[49][3]));
        // A link to a move opens its round.
        browser.value(&format!("location.hash = '#{id}/40'")).await;
        browser.wait_until("document.getElementById('step').textContent.startsWith('Round 20:')").await;
        assert!(browser.text("#step").await.ends_with(&wanted[19][3]));
        browser
    });
}
