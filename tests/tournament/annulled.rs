//! `decide DB annul` and `award`: games are played again or have another winner.

use super::decisions::{fine, rows, run, standings, stopped};
use super::{FIVE, contest_text, games, games_of, tournament};
use crate::support::{Scratch, trial};
use libtest_mimic::Trial;
use rusqlite::Connection;
use rusqlite::functions::{Context, FunctionFlags};
use std::collections::BTreeMap;
use std::fs;

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(an_annulled_game_is_played_again),
        trial!(a_game_on_which_others_depend_is_not_annulled),
        trial!(a_game_is_awarded_whether_it_was_played_or_not),
        trial!(a_game_of_three_is_awarded_to_all_in_order),
    ]
}

/// The standings by wins, then points, of the games that count, worked out from the list of decisions and the names of games
/// alone.
fn without_annulled(scratch: &Scratch, db: &str) -> Vec<(String, u64, Vec<i64>)> {
    let listed = fine(scratch, &format!("decisions {db} --format json")).stdout;
    let listed: serde_json::Value = serde_json::from_str(&listed).expect("JSON");
    let mut wanted: BTreeMap<String, String> = BTreeMap::new();
    for it in listed["decisions"].as_array().unwrap() {
        if it["what"] == "annul" && it["undone_by"].is_null() {
            let again = it["again"].as_str().unwrap();
            wanted.insert(again[..again.rfind("/a").unwrap()].to_string(), again.to_string());
        }
    }
    let counts = |id: &str| {
        let place = id.find("/a").map_or(id, |at| &id[..at]);
        wanted.get(place).map_or(place, String::as_str) == id
    };
    let mut rows: BTreeMap<usize, Vec<i64>> = (0..FIVE.len()).map(|bot| (bot, vec![0, 0])).collect();
    for (_, seats, outcome, _) in games(scratch, db).into_iter().filter(|(id, ..)| counts(id)) {
        for (seat, bot) in seats.iter().enumerate() {
            let row = rows.get_mut(bot).unwrap();
            row[0] += i64::from(outcome.places[seat] == 1);
            row[1] += outcome.points[seat];
        }
    }
    let place = |own: &Vec<i64>| 1 + rows.values().filter(|other| *other > own).count() as u64;
    let mut all: Vec<_> =
        rows.iter().map(|(bot, row)| (FIVE[*bot].to_string(), place(row), row.clone())).collect();
    all.sort_by_key(|(name, place, _)| (*place, FIVE.iter().position(|bot| bot == name)));
    all
}

fn an_annulled_game_is_played_again() {
    let scratch = Scratch::new();
    stopped(&scratch, &contest_text(7, &FIVE), 22);
    let first = games(&scratch, "c.db");
    let id = first[3].0.clone();
    let again = format!("{id}/a2");
    let before = fs::read(scratch.path().join("c.db")).expect("a record");
    let shown = fine(&scratch, &format!("decide c.db annul {id} --why 'the power went out'")).stdout;
    for said in [
        &format!("{id} is annulled and played again, as {again}"),
        &format!("1 game to be played instead\n {again}: "),
        "Its seed and its board stay the same",
        "21 games so far",
    ] {
        assert!(shown.contains(said), "{said:?} is not in {shown}");
    }
    assert_eq!(fs::read(scratch.path().join("c.db")).expect("a record"), before, "a preview writes nothing");
    let taken = fine(&scratch, &format!("decide c.db annul {id} --why 'the power went out' --yes"));
    assert_eq!((taken.stdout, taken.stderr.as_str()), (shown, "decision 1 was recorded\n"));

    // It is crossed out at once.
    let consistent = || {
        assert_eq!(standings(&scratch, "c.db"), without_annulled(&scratch, "c.db"));
        fine(&scratch, "verify c.db").stdout
    };
    assert!(consistent().contains("22 games"));
    assert_eq!(games(&scratch, "c.db"), first, "what was played is as it was");
    let listed = fine(&scratch, "games c.db").stdout;
    assert_eq!(listed.matches("annulled: ").count(), 1, "{listed}");
    let text = fine(&scratch, "standings c.db").stdout;
    assert!(text.contains("Games that do not count\n") && text.contains("the power went out"), "{text}");
    let exported = |id: &str| fine(&scratch, &format!("export c.db {id}")).stdout;
    assert!(exported(&id).contains("\"uncounted\":\"annulled\""), "{}", exported(&id));
    assert!(!exported(&first[4].0).contains("uncounted"));
    let refused = run(&scratch, &format!("decide c.db annul {id} --why again"));
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains(&format!("game {id} cannot be annulled: it was annulled already")));

    // The next run plays it again, with the same seed on the same board.
    tournament(&scratch, "c.toml --no-check --db c.db");
    let all = games(&scratch, "c.db");
    assert_eq!(all.len(), games_of(5) + 1);
    let one = |id: &str| all.iter().find(|game| game.0 == *id).cloned().expect("it is there");
    let (_, seats, outcome, moves) = one(&again);
    assert_eq!((id.clone(), seats, outcome, moves), one(&id));
    assert!(consistent().contains("41 games"));
    assert_eq!(standings(&scratch, "c.db"), standings(&scratch, "whole.db"));
    assert!(!exported(&again).contains("uncounted"));
    fine(&scratch, &format!("replay c.db {again}"));
    fine(&scratch, "report c.db --site pages");
    let place = id.rsplit_once('/').unwrap().0.replace('/', "-");
    assert!(scratch.path().join(format!("pages/games/{place}.js")).exists());
    let page = |name: &str| fs::read_to_string(scratch.path().join("pages").join(name)).expect("a page");
    let leads_to = |page: &str, id: &str| page.contains(&format!("href=\"#{id}\""));
    assert!(leads_to(&page("index.html"), &id) && page("index.html").contains("annulled"));
    assert!((1..=5).any(|entrant| leads_to(&page(&format!("entrants/{entrant}.html")), &again)));
    // By rules that change nothing, the same games count.
    for more in ["", " --without-decisions"] {
        let json = fine(&scratch, &format!("rejudge c.db --set max_square=16 --format json{more}")).stdout;
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(rows(&json["standings"]), standings(&scratch, "c.db"), "{more}");
    }

    // The new game was played because of the decision, so that cannot be undone. The new game can be annulled too, and that
    // decision can be undone.
    let refused = run(&scratch, "decide c.db undo 1 --why 'it was fine'");
    assert_eq!(refused.code, Some(2));
    let said = format!("game {again} was played because of it; to `annul` this one is still possible");
    assert!(refused.stderr.contains(&said), "{}", refused.stderr);
    let now = standings(&scratch, "c.db");
    fine(&scratch, &format!("decide c.db annul {again} --why 'once more' --yes"));
    assert_ne!(standings(&scratch, "c.db"), now);
    consistent();
    fine(&scratch, "decide c.db undo 2 --why 'it was fine' --yes");
    assert_eq!(standings(&scratch, "c.db"), now);
    consistent();
    fine(&scratch, &format!("decide c.db annul {again} --why 'all the same' --yes"));
    tournament(&scratch, "c.toml --no-check --db c.db");
    assert_eq!(games(&scratch, "c.db").iter().filter(|game| game.0.starts_with(&id)).count(), 3);
    assert!(consistent().contains("42 games"));
    assert_eq!(standings(&scratch, "c.db"), now);
    // A view for people counts the same games.
    let db = Connection::open(scratch.path().join("c.db")).expect("a record");
    let annulled: Vec<String> = db
        .prepare("SELECT name FROM game_names JOIN annulled USING (game) ORDER BY name")
        .and_then(|mut select| select.query_map([], |row| row.get(0))?.collect())
        .expect("a view");
    assert_eq!(annulled, [id, again]);
}

fn a_game_on_which_others_depend_is_not_annulled() {
    let scratch = Scratch::new();
    let text = contest_text(7, &FIVE)
        .replace("kind = \"all-play-all\"\nboards = [1, 2]", "kind = \"knockout\"\nboards = [1]");
    stopped(&scratch, &text, 1);
    let refused = |args: &str, said: &str| {
        let ran = run(&scratch, args);
        assert_eq!(ran.code, Some(2), "{args}: {}", ran.stdout);
        assert!(ran.stderr.contains(said), "{args}: {said:?} is not in {}", ran.stderr);
    };
    // The seeds without a bye played for a place in the second round, which has not begun.
    let first = games(&scratch, "c.db")[0].0.clone();
    fine(&scratch, &format!("decide c.db annul {first} --why 'a spectator fell'"));
    // A third game followed the first two of the match, and the second round the last of the first one.
    let last_of_round =
        games(&scratch, "whole.db").into_iter().rfind(|game| game.0.starts_with("s1/r1/")).unwrap().0;
    let match_of = first.rsplit_once('/').unwrap().0;
    for (game, later) in [(&first, format!("{match_of}/g3")), (&last_of_round, "s1/r2/m".to_string())] {
        refused(
            &format!("decide whole.db annul {game} --why 'a spectator fell'"),
            &format!("game {game} cannot be annulled: game {later}"),
        );
    }
    refused("decide c.db annul s1/r9/m1/g1 --why x", "game s1/r9/m1/g1 is not among the 1 games of c.db");
    refused("decide c.db annul m1 --why x", "`m1` is not the name of a game, such as s1/r2/m3/g1");
    let last = games(&scratch, "whole.db").pop().expect("a game").0;
    fine(&scratch, &format!("decide whole.db annul {last} --why 'a spectator fell' --yes"));
    fine(&scratch, "verify whole.db");
    fine(&scratch, "decide c.db withdraw @greedy --why ill --yes");
    refused(&format!("decide c.db annul {first} --why x"), "it would not be played again, because a bot is gone");

    // A game that was awarded before it was played depends on others too.
    let whole = games(&scratch, "whole.db");
    let (of_round, later): (Vec<_>, Vec<_>) = whole.iter().partition(|game| game.0.starts_with("s1/r1/"));
    let (next, seats, ..) = later
        .iter()
        .find(|game| game.1.iter().any(|bot| of_round[0].1.contains(bot)))
        .expect("its winner plays on");
    let scratch = Scratch::new();
    stopped(&scratch, &text, of_round.len());
    fine(&scratch, &format!("decide c.db award {next} {} --why 'the other was late' --yes", FIVE[seats[0]]));
    let ran = run(&scratch, &format!("decide c.db annul {last_of_round} --why 'a spectator fell'"));
    let said = format!("game {next} was played or awarded because of its result");
    assert!(ran.code == Some(2) && ran.stderr.contains(&said), "{ran:?}");
    fine(&scratch, "verify c.db");
}

fn a_game_is_awarded_whether_it_was_played_or_not() {
    let scratch = Scratch::new();
    stopped(&scratch, &contest_text(7, &FIVE), 22);
    let whole = games(&scratch, "whole.db");
    let lost = |(_, seats, outcome, _): &super::Game| seats[usize::from(outcome.places[0] == 1)];
    let played = &whole[3];
    let open = &whole[30];
    // The standings by wins, then points, when the loser of one of these games is its winner, without a spot marked by anyone.
    let derived = |awarded: &[&super::Game]| -> BTreeMap<String, Vec<i64>> {
        let mut rows: BTreeMap<usize, Vec<i64>> = (0..FIVE.len()).map(|bot| (bot, vec![0, 0])).collect();
        for game in games(&scratch, "c.db").iter().filter(|game| awarded.iter().all(|other| other.0 != game.0)) {
            for (seat, bot) in game.1.iter().enumerate() {
                let row = rows.get_mut(bot).unwrap();
                row[0] += i64::from(game.2.places[seat] == 1);
                row[1] += game.2.points[seat];
            }
        }
        for game in awarded {
            rows.get_mut(&lost(game)).unwrap()[0] += 1;
        }
        rows.into_iter().map(|(bot, row)| (FIVE[bot].to_string(), row)).collect()
    };
    let now = || -> BTreeMap<String, Vec<i64>> {
        fine(&scratch, "verify c.db");
        standings(&scratch, "c.db").into_iter().map(|(name, _, figures)| (name, figures)).collect()
    };
    let award = |game: &super::Game| {
        format!("decide c.db award {} {} --why 'the other was late'", game.0, FIVE[lost(game)])
    };
    let shown = fine(&scratch, &award(played)).stdout;
    assert!(shown.contains(&format!("{} is awarded to {}", played.0, FIVE[lost(played)])), "{shown}");
    assert_eq!(now(), derived(&[]), "a preview writes nothing");
    fine(&scratch, &(award(played) + " --yes"));
    assert_eq!(now(), derived(&[played]));
    assert_eq!(counted_in_sql(&scratch), 21);
    let shown = fine(&scratch, &award(open)).stdout;
    assert!(shown.contains("1 game no longer to be played"), "{shown}");
    fine(&scratch, &(award(open) + " --yes"));
    assert_eq!(now(), derived(&[played, open]));
    let listed = fine(&scratch, "games c.db").stdout;
    let line = format!("awarded to {}; as played: ", FIVE[lost(played)]);
    assert_eq!(listed.matches(&line).count(), 1, "{listed}");
    let shown = fine(&scratch, "standings c.db").stdout;
    assert!(shown.contains("Games that were awarded, or lost by leaving, count in the standings."), "{shown}");
    assert!(fine(&scratch, &format!("export c.db {}", played.0)).stdout.contains("\"uncounted\":\"awarded\""));
    tournament(&scratch, "c.toml --no-check --db c.db");
    assert_eq!(games(&scratch, "c.db").len(), games_of(5) - 1);
    assert_eq!(now(), derived(&[played, open]));
    let stranger = (0..5).find(|bot| !whole[20].1.contains(bot)).unwrap();
    for (args, said) in [
        (award(played), "it was awarded already"),
        (format!("decide c.db annul {} --why x", played.0), "it was awarded already: undo that decision"),
        (format!("decide c.db award {} {} --why x", whole[5].0, "@miror"), "did you mean `@mirror`"),
        ("decide c.db award s1/r9/m1/g1 @mirror --why x".to_string(), "it is neither played nor due"),
        ("decide c.db award r9 @mirror --why x".to_string(), "`r9` is not the name of a game"),
        (
            format!("decide c.db award {} {} --why x", whole[20].0, FIVE[stranger]),
            "the winner does not play in it",
        ),
    ] {
        let ran = run(&scratch, &args);
        assert!(ran.code == Some(2) && ran.stderr.contains(said), "{args}: {said:?} is not in {}", ran.stderr);
    }
    fine(&scratch, "decide c.db undo 1 --why 'it was not late' --yes");
    assert_eq!(now(), derived(&[open]));
    fine(&scratch, "decide c.db undo 2 --why 'it was not late' --yes");
    tournament(&scratch, "c.toml --no-check --db c.db");
    assert_eq!(games(&scratch, "c.db"), whole);
    assert_eq!(standings(&scratch, "c.db"), standings(&scratch, "whole.db"));
    fine(&scratch, "verify c.db");
}

fn a_game_of_three_is_awarded_to_all_in_order() {
    let scratch = Scratch::new();
    let text = contest_text(7, &FIVE).replace("boards = [1, 2]\n", "seats = 3\nboards = [1]\n");
    stopped(&scratch, &text, 22);
    let whole = games(&scratch, "whole.db");
    let name = |seat: usize, game: &super::Game| FIVE[game.1[seat]];
    for (nth, game) in [&whole[3], &whole[29]].into_iter().enumerate() {
        // A bot that did not win the recorded game is awarded it.
        let winner = (0..3).find(|&seat| game.2.places[seat] > 1).expect("someone lost");
        let others: Vec<usize> = (0..3).filter(|seat| *seat != winner).collect();
        let award = |places: &[usize]| {
            let bots: Vec<&str> = places.iter().map(|&seat| name(seat, game)).collect();
            format!("decide c.db award {} {} --why 'the others were late'", game.0, bots.join(" "))
        };
        for places in [&[winner][..], &[winner, others[0]], &[winner, others[0], others[0]], &[0, 1, 2, 0]] {
            let ran = run(&scratch, &award(places));
            let said = "it has 3 seats: name each of its bots once, in the order of their places";
            assert!(ran.code == Some(2) && ran.stderr.contains(said), "{ran:?}");
        }
        let before: BTreeMap<_, _> = standings_by_name(&scratch);
        fine(&scratch, &(award(&[winner, others[1], others[0]]) + " --yes"));
        fine(&scratch, "verify c.db");
        // By the rules of boxing a bot that forfeits has no spots, and all but the winner share the second place.
        let mut expected = before.clone();
        for seat in (0..3).filter(|_| nth == 0) {
            let row = expected.get_mut(name(seat, game)).expect("it plays");
            row[0] -= i64::from(game.2.places[seat] == 1);
            row[1] -= game.2.points[seat];
        }
        expected.get_mut(name(winner, game)).expect("it plays")[0] += 1;
        assert_eq!(standings_by_name(&scratch), expected);
    }
    let listed = fine(&scratch, "decisions c.db --format json").stdout;
    let listed: serde_json::Value = serde_json::from_str(&listed).expect("JSON");
    assert_eq!(listed["decisions"][1]["others"].as_array().map(Vec::len), Some(2), "{listed}");
}

/// The figures of each bot in `c.db`.
fn standings_by_name(scratch: &Scratch) -> BTreeMap<String, Vec<i64>> {
    standings(scratch, "c.db").into_iter().map(|(name, _, figures)| (name, figures)).collect()
}

/// How many games the view of standings in the record `c.db` counts.
pub(super) fn counted_in_sql(scratch: &Scratch) -> usize {
    let db = Connection::open(scratch.path().join("c.db")).expect("a record");
    // The view needs the moves of a game only for what it says about forfeits.
    let no_moves = |_: &Context| Ok("{}");
    db.create_scalar_function("sqlar_uncompress", 2, FunctionFlags::SQLITE_INNOCUOUS, no_moves)
        .expect("a function");
    let seats: i64 = db.query_row("SELECT sum(games) FROM standings_wins", [], |row| row.get(0)).expect("a view");
    seats as usize / 2
}
