//! Tests of whole pages, from small records in which every figure is known.

mod links;

use super::traces::Trace;
use super::*;
use crate::games::boxing::VIEW;
use crate::rating::{Method, Rating, Ratings};
use crate::testing::{Played, all, everyone, forfeited, fours, moved, play, recorded, two_brackets, with_fillers};
use crate::why::{self, Effort, Means};
use cornerman::contest::Field;
use cornerman::format::{EntrantId, GameId};
use cornerman::formats::scoring::ScoringKind;
use cornerman::formats::{BoardNumber, Format, all_play_all};
use cornerman::game::{End, Outcome, Setup};
use cornerman::games::boxing::{Arena, Square};
use cornerman_harness::games::boxing::KIT;
use cornerman_harness::kit::AnyKit;
use cornerman_harness::record::{
    EntrantRecord, FaultRecord, GameRecord, Header, MoveRecord, Record, SaidRecord, SeatRecord, TimeUsed, Writer,
};
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::sandbox::Level;
use serde_json::{Value, json};
use std::sync::LazyLock;
use std::time::Duration;
use tempfile::TempDir;

static RULESET: LazyLock<Ruleset> = LazyLock::new(|| KIT.default_ruleset());

/// A name that is an attack if it ever becomes markup.
const ATTACK: &str = "<script>alert(1)</script>&\"'";

/// A record on the disk, and the tournament it was written from.
struct Recorded {
    played: Played,
    record: Record,
    _folder: TempDir,
}

impl Recorded {
    fn page(&self) -> String {
        let tournament = self.played.tournament();
        page(&source(&tournament, &self.record), MOST_BYTES).unwrap()
    }
}

/// The source of a page of this tournament.
fn source<'a>(tournament: &'a crate::Tournament<'a>, record: &'a Record) -> PageSource<'a> {
    PageSource {
        tournament,
        record,
        ruleset: &RULESET,
        view: &VIEW,
        ratings: Ratings::NONE,
        logs: Logs::All,
        live: None,
        why: None,
        command: "cargo xtask",
    }
}

/// An arena with four vacant spots in its first row; all others are unavailable.
fn board() -> Vec<u8> {
    let mut arena = Arena::from_rows([[b'o'; 32]; 16]);
    for col in 0..4 {
        arena.set(cornerman::game::Spot { row: 0, col }, b'-');
    }
    arena.to_bytes().to_vec()
}

fn used(wall: u64) -> TimeUsed {
    TimeUsed { wall: Duration::from_micros(wall), cpu: Duration::from_micros(wall / 2), lag: Duration::ZERO }
}

/// A record of `played` with moves: seats take turns to fill a spot. With `nonsense`, the second seat of the first game
/// answers with nonsense instead, and forfeits.
fn record(mut played: Played, nonsense: bool) -> Recorded {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club.db");
    let stages = std::mem::take(&mut played.header.stages);
    played.header = Header {
        game: "boxing".to_string(),
        ruleset: "boxing-1994".to_string(),
        ruleset_text: KIT.default_ruleset().text,
        stages,
        kit: "0.1.0".to_string(),
        ..played.header
    };
    let mut writer = Writer::create_or_resume(&path, &played.header).unwrap();
    writer.add_entrants(&played.entrants).unwrap();
    let first = played.games.first().map(|head| head.pairing.id);
    for head in &mut played.games {
        let seats = head.pairing.seats.len();
        let forfeits = nonsense && Some(head.pairing.id) == first;
        let board = board();
        let square = |col: u8| Square { row: 0, col, size: 1 };
        let one = |number: u32| MoveRecord {
            used: used(u64::from(number) * 1000),
            ..moved(number, ((number - 1) as usize % seats) as u8, &square(number as u8 - 1).to_string())
        };
        let moves: Vec<MoveRecord> = (1..=if forfeits { 1 } else { 4 }).map(one).collect();
        let mut shown = board.clone();
        shown[0] = b'A';
        let mut answer = shown.clone();
        answer[2..=4].fill(b'B');
        let detail = format!("three spots in a row are not a square; {ATTACK}");
        let fault = FaultRecord {
            view: shown,
            answer,
            used: used(2000),
            stderr: format!("Traceback\n{ATTACK}"),
            ..forfeited(2, 1, "not-a-square", &detail)
        };
        if forfeits {
            head.outcome =
                Outcome { places: vec![1, 2], points: vec![1, 0], territory: vec![1, 0], end: End::Forfeited };
        }
        (head.started_ms, head.wall) = (784_000_000_000, Duration::from_millis(10));
        let said = vec![SaidRecord { number: 1, text: ATTACK.to_string(), left_out: 3 }];
        let said = if nonsense { said } else { Vec::new() };
        let setup = Setup { seats: seats as u8, board, marks: b"ABCD"[..seats].to_vec(), seed: 0 };
        let conduct = SeatRecord { level: Some(Level::Namespaced), asked: 2, said, ..SeatRecord::default() };
        writer
            .add_game(&GameRecord {
                outcome: head.outcome.clone(),
                started_ms: head.started_ms,
                wall: head.wall,
                host: "ring1".to_string(),
                moves,
                faults: if forfeits { vec![fault] } else { Vec::new() },
                seats: vec![conduct; seats],
                ..recorded(head.pairing.clone(), setup)
            })
            .unwrap();
        played.results.insert(head.pairing.id, head.outcome.clone());
    }
    drop(writer);
    Recorded { played, record: Record::open(&path).unwrap(), _folder: folder }
}

/// Three entrants against each other, one of them an attacker by name.
fn three() -> Recorded {
    let twice = all_play_all::AllPlayAllSettings { boards: Some(vec![BoardNumber(0)]), ..Default::default() };
    let everyone = vec![("Everyone", all(Format::AllPlayAll(twice)))];
    let mut played = play(Field::new(3, 0), everyone, usize::MAX);
    played.entrants[1].name = ATTACK.to_string();
    played.entrants[1].author = Some(ATTACK.to_string());
    played.header.contest = ATTACK.to_string();
    record(played, true)
}

/// All data elements of a page, with their ids.
fn data(page: &str) -> Vec<(String, Value)> {
    let elements = page.split("<script type=\"application/json\" id=\"").skip(1);
    let read = |element: &str| {
        let (id, rest) = element.split_once("\">").unwrap();
        let (text, _) = rest.split_once("</script>").unwrap();
        (id.to_string(), serde_json::from_str(text).unwrap())
    };
    elements.map(read).collect()
}

/// The final order and the stages of a tournament as text and as Markdown.
fn printed(tournament: &crate::Tournament) -> [String; 2] {
    let document = facts::document(tournament, &Facts::default(), Ratings::NONE);
    [document.text(tournament.entrants, crate::Style::plain()), document.markdown(tournament.entrants)]
}

/// The text of a part of a page.
fn without_tags(page: &str) -> String {
    let text = page.replace(">\n<", "><");
    text.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text)).collect()
}

/// The section of a page with this id, with a line for each tag.
fn section(page: &str, id: &str) -> String {
    let (_, rest) = page.split_once(&format!("<section id=\"{id}\"")).unwrap();
    let (section, _) = rest.split_once("</section>").unwrap();
    section.replace("><", ">\n<")
}

#[test]
fn data_has_every_step_of_every_game() {
    insta::assert_json_snapshot!(data(&three().page()));
}

#[test]
fn a_page_says_of_the_last_games_why_they_were_lost() {
    let recorded = three();
    let tournament = recorded.played.tournament();
    let means = Means { effort: Effort::Brief, bots: None };
    let explain = |game: &GameRecord, names: &[String], seat| {
        why::explain(&VIEW, &RULESET, game, names, (seat, None), means).ok()
    };
    let check = |most: usize| -> Vec<(String, Value)> {
        let why = Some(Explainer { explain: &explain, most });
        let page = page(&PageSource { why, ..source(&tournament, &recorded.record) }, MOST_BYTES).unwrap();
        data(&page).into_iter().filter_map(|(id, game)| Some((id, game.get("why")?.clone()))).collect()
    };
    assert_eq!(check(0), []);
    assert_eq!(check(1).len(), 1);
    insta::assert_json_snapshot!(check(usize::MAX));
}

#[test]
fn standings_and_crosstable_have_every_figure() {
    let page = three().page();
    insta::assert_snapshot!("standings", section(&page, "standings"));
    insta::assert_snapshot!("meetings", section(&page, "stage-1"));
}

#[test]
fn an_entrant_learns_what_it_was_shown_and_what_it_answered() {
    insta::assert_snapshot!(section(&three().page(), "entrants"));
}

#[test]
fn everyone_who_entered_is_listed() {
    let mut played = everyone(2, usize::MAX);
    played.entrants[0].author = Some("Ann".to_string());
    played.entrants.push(EntrantRecord {
        name: "lark".to_string(),
        author: Some("Eve".to_string()),
        out: Some("it fails BX-ROWS".to_string()),
        ..EntrantRecord::default()
    });
    let recorded = record(played, false);
    let tournament = recorded.played.tournament();
    let source = source(&tournament, &recorded.record);
    let rows = |page: &str| -> Vec<String> {
        let order = section(page, "standings");
        assert!(order.replace('\n', "").contains(" (Eve): it fails BX-ROWS"), "{order}");
        let list = order.split_once("</table>").expect("a list").0.replace('\n', "").replace('\u{a0}', " ");
        let rows = list.split("<tr>").skip(2).map(|row| row.replace("</th>", "|").replace("</td>", "|"));
        let text = |row: String| row.split('<').map(|part| part.rsplit('>').next().unwrap()).collect();
        rows.map(text).collect()
    };
    let wanted = ["1|gull|Ann|4-0-2|4|426|W L W W W|", "2|tern||2-0-4|2|219|L W L L L|"];
    // Also on a page that leaves out what it has of each entrant.
    for page in [page(&source, MOST_BYTES).unwrap(), page(&source, 1).unwrap()] {
        assert_eq!(rows(&page), wanted);
    }
    let mut index = String::new();
    site(&source, &mut |name, content| {
        if name == "index.html" {
            index = String::from_utf8(content.to_vec()).unwrap();
        }
        Ok(())
    })
    .unwrap();
    assert_eq!(rows(&index), wanted);
}

#[test]
fn text_from_outside_is_never_markup() {
    let page = three().page();
    assert!(!page.contains("<script>alert"), "an attack came through");
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;'"), "the name is shown as it is");
    assert!(page.contains("\\u003cscript>alert"), "the data has the whole name");
    let scripts = page.matches("<script").count();
    // The page's script, and its data: names, boards, six games.
    assert_eq!(scripts, 1 + 2 + 6);
    assert_eq!(page.matches("</script>").count(), scripts, "nothing ends an element early");
    let names = data(&page).into_iter().find(|(id, _)| id == "names").unwrap().1;
    assert_eq!(names[1], ATTACK);
}

#[test]
fn a_game_that_contradicts_the_rules_has_a_reason() {
    let recorded = three();
    let mut game =
        recorded.record.game(GameId { stage: 0, round: 1, table: 0, game: 0, attempt: 0 }).unwrap().unwrap();
    assert_eq!(Trace::from_game(&game, &RULESET).wrong, None);
    game.moves[1].notation = "2x2 at row 1, column 1".to_string();
    let trace = Trace::from_game(&game, &RULESET);
    let words = "move 2: row 1, column 1 is not vacant (B2)";
    assert_eq!((trace.wrong.as_deref(), trace.steps.len()), (Some(words), 1));
    game.moves[1] = game.moves[0].clone();
    assert_eq!(Trace::from_game(&game, &RULESET).wrong.as_deref(), Some("move 1: seat 1 is not to move"));
}

#[test]
fn brackets_and_groups_are_shown_round_by_round() {
    let check = |name: &str, format: Format| {
        let played = play(with_fillers(6, 2), vec![("Finals", all(format))], usize::MAX);
        insta::assert_snapshot!(name, section(&record(played, false).page(), "stage-1"));
    };
    check("brackets", two_brackets());
    check("swiss", fours(2));
}

#[test]
fn everything_about_games_goes_by_the_measure_of_their_contest() {
    let mut played = play(Field::new(4, 0), vec![("Groups", all(fours(5)))], usize::MAX);
    // The last seat fills the last spot, whichever seat has the most territory.
    for game in &mut played.games {
        (game.outcome.places, game.outcome.points) = (vec![2, 2, 2, 1], vec![0, 0, 0, 99]);
    }
    let recorded = record(played, false);
    let tournament = recorded.played.tournament();
    let games = tournament.counted(recorded.record.games().unwrap());
    let mut won = [0; 4];
    for game in &games {
        let most = game.outcome.territory.iter().max().unwrap();
        let best: Vec<usize> = (0..4).filter(|&seat| game.outcome.territory[seat] == *most).collect();
        assert!(best.iter().all(|&seat| game.outcome.places[seat] == 1), "{:?}", game.outcome);
        assert_eq!(game.outcome.points.iter().sum::<i64>(), 12, "{:?}", game.outcome);
        if let [one] = best[..] {
            won[game.pairing.seats[one].index()] += 1;
        }
    }
    assert!(won[0] > won[3], "{won:?}");
    let crosstable = crate::crosstable::Crosstable::from_games(&tournament, 0, &games);
    assert!((1..4).all(|other| crosstable.between(EntrantId(0), EntrantId(other)).wins > 0));
    let own = recorded.record.games().unwrap();
    assert_ne!(crate::rating::ratings(&games, 7), crate::rating::ratings(&own, 7));

    let page = recorded.page();
    for (id, won) in (0..).zip(won) {
        let (_, own) = page.split_once(&format!("<details class=\"part\" id=\"e{}\">", id + 1)).unwrap();
        let (own, _) = own.split_once("</summary>").unwrap();
        assert!(own.contains(&format!("</strong> {won} won, ")), "{own}");
    }
    let mut differ = 0;
    for (id, game) in data(&page).iter().filter(|(id, _)| id.starts_with("game:")) {
        let counted = &games.iter().find(|game| *id == format!("game:{}", game.pairing.id)).unwrap().outcome;
        assert_eq!(game["places"], serde_json::json!([2, 2, 2, 1]), "the game's own");
        assert_eq!(game["counted"]["places"], serde_json::json!(counted.places));
        assert_eq!(game["counted"]["points"], serde_json::json!(counted.points));
        let words = game["end"].as_str().unwrap();
        let is_last = counted.places == [2, 3, 4, 1];
        assert!(words.contains(" by territory with "), "{words}");
        if !is_last && counted.places[3] != 1 {
            assert!(words.contains(" (D) fills the last spot; "), "{words}");
            differ += 1;
        }
    }
    assert!(differ > 0);
}

#[test]
fn further_rankings_are_on_the_page_as_in_the_text() {
    let further =
        all_play_all::AllPlayAllSettings { tables: vec![ScoringKind::Margins].into(), ..Default::default() };
    let played = play(Field::new(4, 0), vec![("Everyone", all(Format::AllPlayAll(further)))], usize::MAX);
    let recorded = record(played, false);
    let page = section(&recorded.page(), "stage-1");
    let [text, _] = printed(&recorded.played.tournament());
    let title = "By margin, then won - lost, for information only";
    assert!(text.contains(title), "{text}");
    assert!(page.contains(&format!("{title}</caption>")), "{page}");
    assert!(page.contains("<th scope=\"col\" class=\"n\">margin</th>"), "{page}");
}

#[test]
fn nobody_is_first_before_a_game_has_been_played() {
    let stage = || all(Format::AllPlayAll(Default::default()));
    let stages = || vec![("Everyone", stage()), ("Again", stage())];
    let check = |most: usize, begun: [bool; 2]| {
        let recorded = record(play(Field::new(3, 0), stages(), most), false);
        let tournament = recorded.played.tournament();
        let page = ["standings", "stage-1", "stage-2"].map(|id| section(&recorded.page(), id)).concat();
        let [text, markdown] = printed(&tournament);
        for shown in [&page, &text, &markdown] {
            assert_eq!(shown.contains("Not begun: no game has been played"), !begun[0], "{shown}");
            assert_eq!(shown.contains("Everyone: not begun"), !begun[0], "{shown}");
            assert_eq!(shown.contains("Again: not begun"), !begun[1], "{shown}");
        }
        // The final order, and each stage that has begun.
        let tables = if begun[0] { 2 + usize::from(begun[1]) } else { 0 };
        assert_eq!(page.matches(">place</th>").count(), tables, "{page}");
        assert_eq!(text.matches("\n place ").count(), tables, "{text}");
        assert_eq!(markdown.matches("| place |").count(), tables, "{markdown}");
    };
    check(0, [false, false]);
    check(1, [true, false]);
    check(usize::MAX, [true, true]);
}

#[test]
fn page_and_terminal_number_boards_as_the_contest_file_does() {
    let Format::Brackets(settings) = two_brackets() else { panic!("two brackets") };
    let first = settings.first_board.map(i64::from).expect("a first board");
    let played = play(with_fillers(6, 2), vec![("Finals", all(two_brackets()))], usize::MAX);
    let [text, _] = printed(&played.tournament());
    let titles: Vec<String> = text.lines().filter(|line| line.contains(", board ")).map(str::to_string).collect();
    assert_eq!(titles[0], format!("Round 1, board {first}"));
    let page = record(played, false).page();
    assert!(titles.iter().all(|title| page.contains(&format!(">{title}<"))), "{titles:?}");
}

#[test]
fn the_page_opens_with_the_winner_and_a_podium() {
    let check = |most: usize, tied: bool, title: &str, steps: &[&str]| {
        let mut played = everyone(3, most);
        for game in played.games.iter_mut().filter(|_| tied) {
            (game.outcome.places, game.outcome.points) = (vec![1, 1], vec![5, 5]);
        }
        let page = section(&record(played, false).page(), "standings");
        assert!(without_tags(&page).contains(title), "{page}");
        let found: Vec<&str> =
            page.split("<p class=\"place\">").skip(1).map(|rest| rest.split('<').next().unwrap()).collect();
        assert_eq!(found, steps);
    };
    check(usize::MAX, false, "Winner: gull", &["1st", "2nd", "3rd"]);
    check(usize::MAX, true, "First place is shared: gull, tern and heron", &["1st, shared by 3"]);
    check(5, false, "No winner yet", &[]);
}

#[test]
fn the_final_order_says_how_places_changed_in_the_latest_round() {
    let check = |most: usize, stage: Format, wanted: Option<&[&str]>| {
        let played = play(with_fillers(8, 1), vec![("Everyone", all(stage))], most);
        let order = section(&record(played, false).page(), "standings").replace('\n', "");
        let list = order.split_once("</table>").expect("a list").0;
        let second = |row: &str| {
            let cell = row.split("<td").nth(2)?.split("<th").next()?;
            Some(without_tags(&format!("<td{cell}")))
        };
        let found: Vec<String> = list.split("<tr>").skip(2).filter_map(second).collect();
        match wanted {
            Some(wanted) => assert_eq!(found, wanted),
            None => assert!(!list.contains("change"), "{list}"),
        }
    };
    // Two games a round.
    check(2, fours(3), None);
    check(4, fours(3), Some(&["", "▲1", "▼1", "▲3", "", "▼2", "▲1", "▼2"]));
    check(6, fours(3), Some(&["▲1", "▼1", "▲3", "▼1", "▼1", "▲2", "", "▼3"]));
    // Rounds that do not follow from each other, and places that are words.
    check(usize::MAX, Format::AllPlayAll(Default::default()), None);
    check(usize::MAX, two_brackets(), None);
}

#[test]
fn what_the_organizer_says_to_everyone_is_on_the_page() {
    let check = |publish: Value, wanted: &str| {
        let mut played = everyone(3, 0);
        let mut spec = played.header.spec().unwrap();
        spec.publish = serde_json::from_value(publish.clone()).unwrap();
        played.header.contest_json = spec.to_json();
        let page = record(played, false).page();
        assert!(page.contains(wanted), "{publish}: {page}");
    };
    check(
        json!({ "introduction": "One\nsentence.\n\n <b>Another.\n" }),
        "<p>One sentence.</p><p>&lt;b&gt;Another.</p>",
    );
    let link = |to: &str, words: &str| format!("<a href=\"{to}\" rel=\"nofollow noreferrer\">{words}</a>");
    check(
        json!({ "rules": "https://a.example/r" }),
        &format!("Rules: {}", link("https://a.example/r", "https://a.example/r")),
    );
    check(
        json!({ "contact": "ann@a.example" }),
        &format!("Contact: {}", link("mailto:ann@a.example", "ann@a.example")),
    );
    // A record may come from anyone.
    for words in ["javascript:alert(1)", "a@b.example?bcc=c@d.example", "data:x@y", "https://a b", "room 5"] {
        check(json!({ "contact": words }), &format!("<p>Contact: {words}</p>"));
    }
    check(json!({ "notes": { "Everyone": "Once." } }), "<p>Once.</p>");
    check(json!({ "accent": "#d55e00" }), "<header class=\"title accented\" style=\"--accent: #d55e00\">");
    check(json!({ "accent": "red; --bg: red" }), "<header class=\"title\">");
    check(json!({ "mark": "🥊" }), "<span aria-hidden=\"true\">🥊 </span>");
    check(json!({ "mark": "<b>" }), "<h1>Club night</h1>");
    check(json!({ "mark": "<b>" }), "<link rel=\"icon\" href=\"data:,\">");
}

#[test]
fn a_page_has_the_replays_that_fit_the_last_rounds_first_and_says_how_to_get_the_others() {
    let stages = vec![("Finals", all(two_brackets()))];
    let recorded = record(play(with_fillers(12, 2), stages, usize::MAX), false);
    let tournament = recorded.played.tournament();
    let source = source(&tournament, &recorded.record);
    let rounds = |page: &str| -> Vec<u16> {
        let round = |id: &str| id.strip_prefix("game:s1/r")?.split('/').next()?.parse().ok();
        data(page).iter().filter_map(|(id, _)| round(id)).collect()
    };
    let whole = page(&source, MOST_BYTES).unwrap();
    let all = rounds(&whole);
    assert_eq!(all.len(), recorded.played.games.len());
    assert!(!whole.contains("id=\"left-out\""));
    let mut before = all.len() + 1;
    for most in [whole.len() - 1, whole.len() - 3000, whole.len() - 6000] {
        let smaller = page(&source, most).unwrap();
        assert!(smaller.len() <= most);
        let kept = rounds(&smaller);
        assert!(!kept.is_empty() && kept.len() < before, "{} of {} games", kept.len(), all.len());
        before = kept.len();
        // The rounds of the games that are left out are not later than those of the others.
        assert_eq!(kept, all[all.len() - kept.len()..]);
        assert!(smaller.contains(&format!("Replays: {} of {} games", kept.len(), all.len())));
        assert!(smaller.contains("<code>cargo xtask report club.db --site DIR</code>"));
        assert!(smaller.contains("<code data-command=\"cargo xtask replay club.db\">"));
        assert!(!smaller.contains("Left out: "), "only replays are");
    }
    assert!(page(&source, 1).unwrap().contains("Left out: the sections of entrants and cross-tables."));
}

#[test]
fn ratings_are_drawn_and_listed() {
    let recorded = three();
    let tournament = recorded.played.tournament();
    let row = |entrant, rating: f64, interval, resampled: &[f64]| Rating {
        entrant: EntrantId(entrant),
        rating,
        interval,
        games: 24,
        matches: 12,
        resampled: resampled.to_vec(),
    };
    let ends = |rating| Some([rating - 50.0, rating + 60.0]);
    let list = vec![
        row(0, 112.4, ends(112.4), &[1.0; 8]),
        row(1, -88.6, ends(-88.6), &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0]),
        row(2, -99.2, None, &[]),
    ];
    let ratings = Ratings { method: Method::BradleyTerry, list };
    let source = PageSource { ratings: &ratings, ..source(&tournament, &recorded.record) };
    insta::assert_snapshot!(section(&page(&source, MOST_BYTES).unwrap(), "rating"));
}

#[test]
fn a_page_reloads_itself_only_while_games_are_played() {
    let recorded = three();
    let tournament = recorded.played.tournament();
    let live = Live {
        in_play: vec![(
            GameId { stage: 0, round: 0, table: 2, game: 1, attempt: 0 },
            vec![EntrantId(0), EntrantId(1)],
        )],
        played: 6,
        known: 20,
        left: Some(Duration::from_secs(75)),
        over: false,
        workers: Some("2 workers (ring1, ring<2>), 3 at a time, 1 game under way".to_string()),
    };
    let of = |live: Option<&Live>| {
        page(&PageSource { live, ..source(&tournament, &recorded.record) }, MOST_BYTES).unwrap()
    };
    let text = of(Some(&live));
    assert!(text.contains("2 workers (ring1, ring&lt;2&gt;), 3 at a time, 1 game under way."), "{text}");
    assert!(text.contains("data-reload=\"5000\""));
    assert!(text.contains("6 of 20 games known so far, about 1m 15s left."));
    assert!(text.contains("s1/r1/m3/g2: <a href=\"#e1\">gull</a> against "));
    assert!(!of(None).contains("data-reload="));
    assert!(!of(Some(&Live { over: true, ..live.clone() })).contains("data-reload="));
}

#[test]
fn time_left_has_at_most_two_units() {
    let check = |seconds: u64, wanted: &str| assert_eq!(time_left(Duration::from_secs(seconds)), wanted);
    check(59, "59s");
    check(200, "3m 20s");
    check(86_400 + 7_200 + 60, "1day 2h");
}

#[test]
fn dates_leave_out_what_repeats() {
    let check = |from: u64, to: u64, wanted: &str| assert_eq!(dates(from * 1000, to * 1000), wanted);
    check(0, 59, "1970-01-01 00:00 UTC");
    check(784_000_000, 784_003_600, "1994-11-05 01:46 to 02:46 UTC");
    check(784_000_000, 784_086_400, "1994-11-05 01:46 to 1994-11-06 01:46 UTC");
    check(0, u64::MAX / 1000, "1970-01-01 00:00 to 9999-12-31 23:59 UTC");
}
