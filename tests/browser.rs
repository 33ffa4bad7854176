//! The page of a tournament in a real browser: its content, its behaviour, and its layout on a narrow screen.
//!
//! Chromium is driven through chromedriver. The first trial plays one tournament for all of them; a browser serves one
//! after the other.

mod content;
mod driver;
mod lines;
mod looks;
mod reach;
mod readers;
mod replays;

use crate::support::{PROGRAM, Ran, Scratch, cache, checkout, small_arena, trial};
use content::{
    a_bot_has_its_hardest_opponent_and_its_lost_games_first, names_of_games_are_small_and_grey,
    no_column_of_the_standings_says_the_same_in_every_row, of_the_times_the_ten_slowest_come_first,
    the_kits_bots_are_rated_below_the_entries, the_organizers_words_colour_and_mark_are_at_the_top,
    those_who_are_sent_a_link_see_a_sentence_and_a_picture, those_who_share_a_place_share_a_step,
};
use cornerman::format::GameId;
use cornerman_harness::record::Record;
use driver::{Browser, Driver, Look};
use fantoccini::key::Key;
use libtest_mimic::Trial;
use lines::{
    a_real_game_of_go_is_stepped_through_with_its_captures, a_real_game_of_rps_is_stepped_through_with_its_margin,
    stones_are_captured_and_a_ko_is_marked,
};
use looks::{
    a_game_that_the_page_does_not_have_says_how_to_see_it, boxes_fade_where_they_go_on,
    text_is_legible_in_both_schemes, the_board_of_the_game_that_decided_leads_to_it,
    the_winner_and_the_final_order_share_the_first_screen,
};
use reach::{axe_can_be_run, axe_finds_nothing, nothing_scrolls_sideways_at_any_width};
use readers::{
    a_bot_is_found_and_marked_as_ones_own, a_figure_of_the_cross_table_leads_to_the_games_behind_it,
    games_follow_each_other, how_the_seats_stand_is_drawn_and_why_a_game_was_lost_is_said_to_those_who_ask,
    nothing_gives_the_result_away_unless_asked, the_last_rounds_of_a_long_bracket_come_first,
    the_way_of_a_bot_through_a_bracket_stands_out, times_are_shown_to_those_who_ask,
    what_a_bot_notes_and_draws_is_shown,
};
use replays::{
    a_board_of_go_fills_the_height, below_an_arena_are_its_vacant_and_single_spots,
    on_a_phone_the_board_has_the_width, short, the_controls_are_one_row_of_icons_under_the_board,
};
use serde_json::{Value, json};
use std::future::Future;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, LazyLock};

/// A played tournament with its reports, and the driver of browsers.
struct Site {
    scratch: Scratch,
    driver: Driver,
}

pub fn trials() -> Vec<Trial> {
    // Built by the first trial, and dropped with the last one, so that no driver and no folder remains.
    let site = Arc::new(LazyLock::new(Site::build as fn() -> Site));
    macro_rules! on_the_site {
        ($($body:ident,)*) => {
            vec![$({
                let site = Arc::clone(&site);
                trial!($body, ["chromium", "chromedriver"], move || $body(&site))
            }),*]
        };
    }
    let axe_site = Arc::clone(&site);
    let axe = trial!(axe_finds_nothing, if axe_can_be_run, move || axe_finds_nothing(&axe_site));
    let mut trials = on_the_site![
        standings_are_those_of_the_record,
        a_game_can_be_stepped_through,
        the_keyboard_steps_and_closes,
        a_link_leads_to_a_move,
        a_forfeit_is_explained,
        stones_are_captured_and_a_ko_is_marked,
        a_real_game_of_go_is_stepped_through_with_its_captures,
        a_real_game_of_rps_is_stepped_through_with_its_margin,
        the_organizers_words_colour_and_mark_are_at_the_top,
        those_who_share_a_place_share_a_step,
        no_column_of_the_standings_says_the_same_in_every_row,
        a_bot_has_its_hardest_opponent_and_its_lost_games_first,
        names_of_games_are_small_and_grey,
        the_kits_bots_are_rated_below_the_entries,
        of_the_times_the_ten_slowest_come_first,
        those_who_are_sent_a_link_see_a_sentence_and_a_picture,
        the_controls_are_one_row_of_icons_under_the_board,
        on_a_phone_the_board_has_the_width,
        below_an_arena_are_its_vacant_and_single_spots,
        a_board_of_go_fills_the_height,
        text_is_legible_in_both_schemes,
        the_winner_and_the_final_order_share_the_first_screen,
        the_board_of_the_game_that_decided_leads_to_it,
        boxes_fade_where_they_go_on,
        a_game_that_the_page_does_not_have_says_how_to_see_it,
        nothing_gives_the_result_away_unless_asked,
        games_follow_each_other,
        how_the_seats_stand_is_drawn_and_why_a_game_was_lost_is_said_to_those_who_ask,
        times_are_shown_to_those_who_ask,
        a_bot_is_found_and_marked_as_ones_own,
        a_figure_of_the_cross_table_leads_to_the_games_behind_it,
        the_way_of_a_bot_through_a_bracket_stands_out,
        the_last_rounds_of_a_long_bracket_come_first,
        what_a_bot_notes_and_draws_is_shown,
        nothing_scrolls_sideways_at_any_width,
        dark_colours_come_with_the_system_and_by_the_button,
        a_site_shows_every_game_on_every_page,
        a_page_reloads_itself_and_keeps_its_place,
    ];
    trials.push(axe);
    trials
}

impl Site {
    /// Plays a small tournament with an entrant that breaks the rules, and writes its report as a file and as a site.
    fn build() -> Site {
        let site = Site { scratch: Scratch::new(), driver: Driver::start() };
        let scratch = &site.scratch;
        scratch.file("small.arena", small_arena(60));
        scratch.script("copycat", "echo 'I copy <b>only</b>' >&2; cat");
        scratch.file("c.toml", CONTEST);
        let run = |args: &str| {
            let ran = Ran::from_command(scratch.cornerman(args.split_whitespace()));
            assert_eq!(ran.code, Some(0), "{args}: {}", ran.stderr);
        };
        run("tournament c.toml --no-check");
        run("report c.db --logs all");
        run("report c.db --site pages");
        // Two brackets with many rounds; twelve entrants.
        for record in ["brackets.db", "samurai.db"] {
            let kept = checkout("tests/data/records").join(record);
            std::fs::copy(kept, scratch.path().join(record)).expect("a kept record");
            run(&format!("report {record}"));
        }
        scratch.script("noter", readers::NOTES);
        scratch.file("noted.toml", readers::NOTED);
        run("tournament noted.toml --no-check");
        run("report noted.db --for noter --out noted.html");
        for (game, ruleset, entrants) in lines::LINE_GAMES {
            let head = format!("name = \"Small\"\ngame = \"{game}\"\nruleset = \"{ruleset}\"\nseed = 5\n");
            let stage = "[[stages]]\nkind = \"pair-swiss\"\n";
            scratch.file(&format!("{game}.toml"), format!("{head}entrants = {entrants:?}\n{stage}"));
            run(&format!("tournament {game}.toml --no-check"));
            run(&format!("report {game}.db"));
        }
        site
    }

    fn url(&self, page: &str) -> String {
        format!("file://{}/{page}", self.scratch.path().display())
    }

    fn record(&self) -> Record {
        self.record_of("c")
    }

    pub fn record_of(&self, name: &str) -> Record {
        Record::open(&self.scratch.path().join(name).with_extension("db")).expect("the record")
    }

    /// Opens a page in a browser that no other trial uses meanwhile, and checks that the console stays empty.
    pub fn browse<F>(&self, look: Look, page: &str, work: impl FnOnce(Browser) -> F + 'static)
    where
        F: Future<Output = Browser> + 'static,
    {
        let url = self.url(page);
        self.driver.browse(look, move |browser| async move {
            browser.open(&url).await;
            let browser = work(browser).await;
            assert_eq!(browser.complaints().await, Vec::<String>::new());
        });
    }
}

const CONTEST: &str = "name = \"Ring & <i>ropes</i>\"\nseed = 7\nboards = [\"small.arena\"]\n\
    entrants = [\"@greedy\", \"@parity\", { path = \"@first-fit\", author = \"Ann\" }, \"./copycat\"]\n\n\
    [publish]\nintroduction = \"Bots <b>without</b> gloves.\"\naccent = \"#880044\"\nmark = \"🥊\"\n\n\
    [[stages]]\nkind = \"all-play-all\"\nboards = [1]\n\n\
    [[stages]]\nname = \"Cup\"\nkind = \"knockout\"\nfrom = \"Stage 1\"\nboards = [1]\n";

pub const DESK: Look = Look { width: 1280, dark: false };

/// Wins and points by name, the best first, as the record has them.
fn wins_of_the_first_stage(record: &Record) -> Vec<(String, u32, i64)> {
    let entrants = record.entrants().expect("entrants");
    let mut wins: Vec<(String, u32, i64)> = entrants.iter().map(|entrant| (entrant.name.clone(), 0, 0)).collect();
    for game in record.games().expect("games").into_iter().filter(|game| game.pairing.id.stage == 0) {
        for (seat, id) in game.pairing.seats.iter().enumerate() {
            wins[id.index()].1 += u32::from(game.outcome.places[seat] == 1);
            wins[id.index()].2 += game.outcome.points[seat];
        }
    }
    wins.sort_by_key(|(_, wins, points)| std::cmp::Reverse((*wins, *points)));
    wins
}

fn standings_are_those_of_the_record(site: &Site) {
    let wanted: Vec<Value> = wins_of_the_first_stage(&site.record())
        .into_iter()
        .map(|(name, wins, points)| json!([name, wins.to_string(), points.to_string()]))
        .collect();
    site.browse(DESK, "c.html", |browser| async move {
        assert_eq!(browser.text("h1").await, "🥊 Ring & <i>ropes</i>");
        let rows = "[...document.querySelectorAll('#stage-1 .scroll:first-of-type tbody tr')]\
                    .map(row => [...row.children].map(cell => cell.textContent).slice(1, 4))";
        assert_eq!(browser.value(rows).await, json!(wanted));
        browser
    });
}

/// The first game with more than five moves: its id and the number of its moves.
fn long_game(site: &Site) -> (GameId, u32) {
    let game = site.record().games().expect("games").into_iter().find(|game| game.moves > 5).expect("a game");
    (game.pairing.id, game.moves)
}

fn a_game_can_be_stepped_through(site: &Site) {
    let (game, moves) = long_game(site);
    let vacant = "document.querySelectorAll('#board .glyph.vacant').length";
    site.browse(DESK, "c.html", move |browser| async move {
        browser.value(&format!("location.hash = '#{game}'")).await;
        browser.wait_until("document.getElementById('viewer').open").await;
        assert_eq!(browser.text("#step").await, "The start.");
        assert_eq!(browser.value(vacant).await, json!(60));
        browser.click("#next").await;
        assert!(browser.text("#step").await.starts_with("Move 1: "));
        let after_one = browser.value(vacant).await.as_u64().expect("a number");
        let size = browser.value("document.querySelectorAll('#board .seat-0').length").await;
        assert_eq!(json!(60 - after_one), size, "what was taken is the first seat's");
        browser.click("#last").await;
        assert!(browser.text("#step").await.starts_with(&format!("Move {moves}: ")));
        assert_eq!(browser.value(vacant).await, json!(0), "the last spot is taken at the end");
        browser.click("#back").await;
        assert_ne!(browser.value(vacant).await, json!(0));
        browser.click("#first").await;
        browser.click("#play").await;
        browser
            .wait_until(&format!("document.getElementById('step').textContent.startsWith('Move {moves}:')"))
            .await;
        let play = "document.getElementById('play').getAttribute('aria-label')";
        assert_eq!(browser.value(play).await, json!("Play"), "it stops at the end");
        browser
    });
}

fn the_keyboard_steps_and_closes(site: &Site) {
    let (game, _) = long_game(site);
    site.browse(DESK, &format!("c.html#{game}"), move |browser| async move {
        browser.press(Key::Right).await;
        browser.press(Key::Right).await;
        browser.wait_until(&format!("location.hash === '#{game}/2'")).await;
        browser.press(Key::Left).await;
        browser.wait_until(&format!("location.hash === '#{game}/1'")).await;
        browser.press(Key::End).await;
        browser.wait_until("document.getElementById('next').disabled").await;
        browser.press(Key::Escape).await;
        browser.wait_until("!document.getElementById('viewer').open && location.hash === ''").await;
        // A closed viewer does not react to keys.
        browser.press(Key::Left).await;
        assert_eq!(browser.value("location.hash").await, json!(""));
        browser
    });
    // The first element that Tab reaches is the link past the contents.
    site.browse(DESK, "c.html", |browser| async move {
        browser.press(Key::Tab).await;
        assert_eq!(browser.value("document.activeElement.textContent").await, json!("Skip to content"));
        assert!(browser.value("document.activeElement.getBoundingClientRect().left").await.as_f64() >= Some(0.0));
        browser
    });
}

fn a_link_leads_to_a_move(site: &Site) {
    let (id, _) = long_game(site);
    let moves = site.record().game(id).expect("it can be read").expect("it is there").moves;
    let fourth = short(&moves[3].notation);
    site.browse(DESK, &format!("c.html#{id}/4"), move |browser| async move {
        browser.wait_until("document.getElementById('viewer').open").await;
        let step = browser.text("#step").await;
        assert!(step.starts_with("Move 4: ") && step.contains(&fourth), "{step}");
        // A link on the page itself works too: the second move in the list of moves.
        browser.click("#moves tbody tr:nth-child(2) a").await;
        browser.wait_until("document.getElementById('step').textContent.startsWith('Move 2:')").await;
        assert_eq!(browser.value("location.hash").await, json!(format!("#{id}/2")));
        browser
    });
}

fn a_forfeit_is_explained(site: &Site) {
    site.browse(DESK, "c.html", |browser| async move {
        browser.click("#forfeits td a").await;
        browser.wait_until("document.getElementById('viewer').open").await;
        let words = browser.text("#violation").await;
        for part in
            ["copycat", "forfeits", "It was shown, 528 bytes", "It answered, 528 bytes", "I copy <b>only</b>"]
        {
            assert!(words.contains(part), "`{part}` is not in {words}");
        }
        assert_eq!(browser.value("document.querySelectorAll('#violation b').length").await, json!(0));
        browser
    });
}

fn dark_colours_come_with_the_system_and_by_the_button(site: &Site) {
    let background = "getComputedStyle(document.body).backgroundColor";
    site.browse(Look { dark: true, ..DESK }, "c.html", move |browser| async move {
        assert_eq!(browser.value(background).await, json!("rgb(20, 23, 26)"));
        browser.click("#theme").await;
        assert_eq!(browser.value(background).await, json!("rgb(255, 255, 255)"));
        browser
    });
    site.browse(DESK, "c.html", move |browser| async move {
        assert_eq!(browser.value(background).await, json!("rgb(255, 255, 255)"));
        browser.click("#theme").await;
        assert_eq!(browser.value(background).await, json!("rgb(20, 23, 26)"));
        browser
    });
}

fn a_site_shows_every_game_on_every_page(site: &Site) {
    let games: Vec<String> =
        site.record().games().expect("games").iter().map(|game| game.pairing.id.to_string()).collect();
    site.browse(DESK, "pages/index.html", move |browser| async move {
        browser.click("#standings tbody a").await;
        browser.wait_until("location.pathname.includes('/entrants/')").await;
        browser.click("main td a[href^='#s']").await;
        browser.wait_until("document.getElementById('viewer').open && document.querySelector('#board svg')").await;
        assert!(browser.value("location.pathname").await.as_str().is_some_and(|path| path.contains("/entrants/")));
        browser.press(Key::Escape).await;
        browser.wait_until("location.hash === ''").await;
        browser.click("nav a").await;
        browser.wait_until("location.pathname.endsWith('/pages/index.html')").await;
        // A link to a move, and from the first game through all of them in order.
        browser.value("location.hash = '#s1/r1/m1/g1/2'").await;
        browser.wait_until("document.getElementById('step').textContent.startsWith('Move 2:')").await;
        for (nth, game) in games.iter().enumerate() {
            browser
                .wait_until(&format!("document.querySelector('#viewer-title small').textContent === '{game}'"))
                .await;
            let is_last = browser.value("document.getElementById('next-game').disabled").await;
            assert_eq!(is_last, json!(nth + 1 == games.len()), "{game}");
            if nth + 1 < games.len() {
                browser.click("#next-game").await;
            }
        }
        browser.click("#previous-game").await;
        let before = &games[games.len() - 2];
        browser
            .wait_until(&format!("document.querySelector('#viewer-title small').textContent === '{before}'"))
            .await;
        // A game of a match that there is, which has no such game.
        browser.value("location.hash = '#s1/r1/m1/g99'").await;
        browser.wait_until("document.getElementById('absent').checkVisibility()").await;
        assert!(browser.text("#absent").await.contains("replay c.db s1/r1/m1/g99"));
        browser
    });
}

/// A run of the command, ended with the trial however that ends.
struct Run(Child);

impl Drop for Run {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

fn a_page_reloads_itself_and_keeps_its_place(site: &Site) {
    // A run that waits, because a bot does not move before a certain file exists.
    let scratch = Scratch::new();
    scratch.file("small.arena", small_arena(6));
    scratch.script("waiter", "while [ ! -e \"$(dirname \"$0\")/go\" ]; do sleep 0.05; done; move");
    let rules = std::fs::read_to_string(checkout("rulesets/boxing-1994.toml")).expect("the ruleset");
    let patient = rules.replace("hard_ms = 2000", "hard_ms = 600000");
    assert_ne!(rules, patient);
    scratch.file("patient.toml", patient);
    let contest = "name = \"Live\"\nruleset = \"patient.toml\"\nboards = [\"small.arena\"]\nentrants = [\"@greedy\", \"@first-fit\", \"./waiter\"]\n\
                   [[stages]]\nkind = \"all-play-all\"\nboards = [1]\n";
    scratch.file("c.toml", contest);
    let mut command = Command::new(PROGRAM);
    command.args(
        "tournament c.toml --no-check --workers 2 --report live.html --isolation restricted --isolation-at-most restricted"
            .split(' '),
    );
    command.current_dir(scratch.path()).env("XDG_CACHE_HOME", cache()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut run = Run(command.spawn().expect("the command starts"));
    let page = scratch.path().join("live.html");
    let begun = std::time::Instant::now();
    while !std::fs::read_to_string(&page).is_ok_and(|text| text.contains("against")) {
        assert!(begun.elapsed() < crate::support::PATIENCE, "there is no page of the running game");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let url = format!("file://{}", page.display());
    let go = scratch.path().join("go");
    site.driver.browse(DESK, move |browser| async move {
        browser.open(&url).await;
        assert!(browser.text("#live").await.contains("games known so far"));
        browser.value("document.querySelector('details').open = true").await;
        browser.value("document.documentElement.style.scrollBehavior = 'auto'").await;
        browser.value("scrollTo(0, 240)").await;
        browser.value("window.before = true").await;
        browser.wait_until("!window.before && document.readyState === 'complete'").await;
        assert_eq!(browser.value("document.querySelector('details').open").await, json!(true));
        assert_eq!(browser.value("Math.round(scrollY)").await, json!(240));
        std::fs::write(&go, "").expect("a file");
        browser.wait_until("!document.body.dataset.reload && !document.getElementById('live')").await;
        assert_eq!(browser.complaints().await, Vec::<String>::new());
    });
    assert!(run.0.wait().expect("the run ends").success());
}
