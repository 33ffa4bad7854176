//! `decide DB annul` and `award` with `--replay-later`: games that depend on a result are crossed out and played again.

use super::decisions::{fine, kept_records, rows, run, standings, stopped};
use super::{FIVE, Game, contest_text, games};
use crate::support::{Scratch, checkout, trial};
use cornerman::contest::{Contest, Decision, Journal};
use cornerman::format::{EntrantId, GameId, LeftGames, Pairing, Plan, Results};
use cornerman::game::{End, Outcome};
use cornerman_harness::contest_file::ContestFile;
use cornerman_harness::kit::Games;
use cornerman_harness::record::{
    GameRecord, LaterGames, Outcomes, Phase, Record, RecordError, Writer, annul, out_of_schedule, parse_game_id,
    with_decisions,
};
use libtest_mimic::Trial;
use rusqlite::Connection;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(what_depended_on_an_annulled_game_is_played_anew),
        trial!(an_award_that_comes_late_gives_what_it_gives_in_time),
        trial!(a_stage_that_a_decision_takes_back_has_no_remarks),
        trial!(in_every_format_a_late_correction_gives_what_one_in_time_gives),
    ]
}

/// A knockout of five: one match before the second round.
fn knockout() -> String {
    contest_text(7, &FIVE).replace("kind = \"all-play-all\"\nboards = [1, 2]", "kind = \"knockout\"\nboards = [1]")
}

/// The games that depend on the first one in a knockout of five: those of its match after the second game, the match
/// of its winner, and the final.
fn dependent(all: &[Game]) -> Vec<String> {
    let (first, players, ..) = &all[0];
    let of_match = first.rsplit_once('/').unwrap().0;
    let depends = |(id, seats, ..): &&Game| match id.split('/').nth(1) {
        Some("r1") => [3, 4].iter().any(|game| *id == format!("{of_match}/g{game}")),
        Some("r2") => seats.iter().any(|bot| players.contains(bot)),
        _ => true,
    };
    all.iter().filter(depends).map(|(id, ..)| id.clone()).collect()
}

/// The games that count, by their places.
fn by_place(scratch: &Scratch, db: &str) -> BTreeMap<String, (Vec<usize>, Outcome, Vec<String>)> {
    let record = Record::open(&scratch.path().join(db)).expect("a record");
    let journal = with_decisions(&Journal::new(), &record.decisions().expect("decisions"));
    let counts = |(id, seats, outcome, moves): Game| {
        let id = parse_game_id(&id).expect("a name");
        (!journal.is_annulled(id)).then(|| (id.place().to_string(), (seats, outcome, moves)))
    };
    games(scratch, db).into_iter().filter_map(counts).collect()
}

fn what_depended_on_an_annulled_game_is_played_anew() {
    let scratch = Scratch::new();
    stopped(&scratch, &knockout(), 1);
    let before = games(&scratch, "whole.db");
    let first = before[0].0.clone();
    let later = dependent(&before);
    assert!(later.len() > 4 && later.len() + 2 < before.len(), "{later:?} of {}", before.len());
    let then = standings(&scratch, "whole.db");
    let decide = format!("decide whole.db annul {first} --why 'a spectator fell'");
    let refused = run(&scratch, &decide);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("add `--replay-later`"), "{}", refused.stderr);
    let shown = fine(&scratch, &format!("{decide} --replay-later")).stdout;
    let listed = format!("{} games crossed out\n {}\n", later.len(), later.join("\n "));
    assert!(shown.contains(&listed), "{listed} is not in {shown}");
    fine(&scratch, &format!("{decide} --replay-later --yes"));
    let consistent = || drop(fine(&scratch, "verify whole.db"));
    consistent();
    assert_eq!(games(&scratch, "whole.db"), before, "what was played is as it was");
    let annulled = || fine(&scratch, "games whole.db").stdout.matches("annulled: ").count();
    assert_eq!(annulled(), later.len() + 1);

    // If the decision is undone at once, nothing has changed; but later decisions must be undone first.
    fine(&scratch, "decide whole.db withdraw @parity --why ill --yes");
    let refused = run(&scratch, "decide whole.db undo 1 --why 'nobody fell'");
    let said = "decision 1 cannot be undone before decision 2, which was taken after games were crossed out";
    assert!(refused.code == Some(2) && refused.stderr.contains(said), "{}", refused.stderr);
    fine(&scratch, "decide whole.db undo 2 --why 'it is well' --yes");
    fine(&scratch, "decide whole.db undo 1 --why 'nobody fell' --yes");
    consistent();
    assert_eq!(standings(&scratch, "whole.db"), then);
    fine(&scratch, &format!("{decide} --replay-later --yes --tell letters"));
    let crossed_out: Vec<&Game> = before.iter().filter(|(id, ..)| *id == first || later.contains(id)).collect();
    for bot in 0..FIVE.len() {
        let own: Vec<_> = crossed_out.iter().filter(|(_, seats, ..)| seats.contains(&bot)).collect();
        let letter =
            fs::read_to_string(scratch.path().join(format!("letters/{}.txt", bot + 1))).unwrap_or_default();
        let title = if own.len() == 1 { "1 game".to_string() } else { format!("{} games", own.len()) };
        assert_eq!(letter.contains(&format!("{title} crossed out\n")), !own.is_empty(), "{letter}");
        assert!(own.iter().all(|(id, ..)| letter.contains(&format!(" {id}: @"))), "{letter}");
    }

    // Bots that play the same again give the same results.
    fine(&scratch, "tournament c.toml --no-check --db whole.db");
    consistent();
    let now = games(&scratch, "whole.db");
    assert_eq!(now.len(), before.len() + later.len() + 1);
    let same: BTreeMap<_, _> = before
        .iter()
        .map(|(id, seats, end, moves)| (id.clone(), (seats.clone(), end.clone(), moves.clone())))
        .collect();
    assert_eq!(by_place(&scratch, "whole.db"), same);
    let attempts: BTreeSet<String> = now.into_iter().map(|game| game.0).filter(|id| id.contains("/a")).collect();
    assert_eq!(attempts, later.iter().chain([&first]).map(|id| format!("{id}/a2")).collect());
    assert_eq!(standings(&scratch, "whole.db"), then);
    assert_eq!(annulled(), later.len() + 1);
    let db = Connection::open(scratch.path().join("whole.db")).expect("a record");
    let in_sql: i64 = db.query_row("SELECT count(*) FROM annulled", [], |row| row.get(0)).expect("a view");
    assert_eq!(in_sql as usize, later.len() + 1);
    fine(&scratch, "report whole.db");
    fine(&scratch, "audit whole.db");
    for more in ["", " --without-decisions"] {
        let json = fine(&scratch, &format!("rejudge whole.db --set max_square=16 --format json{more}")).stdout;
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(rows(&json["standings"]), then, "{more}");
    }
    let json = fine(&scratch, "decisions whole.db --format json").stdout;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["decisions"][4]["later"], serde_json::json!(later));
    let refused = run(&scratch, "decide whole.db undo 5 --why 'it was fine'");
    assert!(refused.code == Some(2) && refused.stderr.contains("was played because of it"), "{}", refused.stderr);
}

fn an_award_that_comes_late_gives_what_it_gives_in_time() {
    let scratch = Scratch::new();
    stopped(&scratch, &knockout(), 1);
    let before = games(&scratch, "whole.db");
    let later = dependent(&before);
    // Both games of the match go to the one that lost it.
    let (first, players, ..) = &before[0];
    let is_through =
        |bot: &usize| before.iter().any(|(id, seats, ..)| id.starts_with("s1/r2/") && seats.contains(bot));
    let loser = players.iter().find(|bot| !is_through(bot)).expect("one is out");
    let second = format!("{}/g2", first.rsplit_once('/').unwrap().0);
    // In time: without what depends on it.
    let whole = Record::open(&scratch.path().join("whole.db")).expect("a record");
    let mut kept: Vec<GameRecord> = Vec::new();
    whole
        .each_full_game::<RecordError>(&mut |game| {
            kept.extend((!later.contains(&game.pairing.id.to_string())).then_some(game));
            Ok(())
        })
        .expect("games");
    let mut writer =
        Writer::create_or_resume(&scratch.path().join("early.db"), &whole.header().expect("a header"))
            .expect("a record");
    writer.add_entrants(&whole.entrants().expect("entrants")).expect("entrants");
    writer.add_games(&kept).expect("games");
    drop((writer, whole));
    for db in ["early.db", "whole.db"] {
        let more = if db == "whole.db" { " --replay-later" } else { "" };
        for (game, more) in [(first, more), (&second, "")] {
            fine(
                &scratch,
                &format!("decide {db} award {game} {} --why 'a cable was pulled'{more} --yes", FIVE[*loser]),
            );
        }
        fine(&scratch, &format!("verify {db}"));
        fine(&scratch, &format!("tournament c.toml --no-check --db {db}"));
        fine(&scratch, &format!("verify {db}"));
    }
    assert_eq!(by_place(&scratch, "early.db"), by_place(&scratch, "whole.db"));
    assert_eq!(standings(&scratch, "early.db"), standings(&scratch, "whole.db"));
}

fn a_stage_that_a_decision_takes_back_has_no_remarks() {
    let scratch = Scratch::new();
    // The last stage, from 0, that does not depend on the annulled game.
    for (kept, last) in [("potm-finals", 0), ("samurai", 1)] {
        let db = format!("{kept}.db");
        let path = scratch.path().join(&db);
        fs::copy(checkout(&format!("tests/data/records/{db}")), &path).expect("a copy");
        let last_remark = || {
            let record = Record::open(&path).expect("a record");
            record.remarks().expect("remarks").last().map(|(stage, ..)| *stage)
        };
        assert!(last_remark() > Some(last), "{kept}");
        fine(&scratch, &format!("decide {db} annul s1/r1/m1/g1 --replay-later --why 'a cable was pulled' --yes"));
        assert!(last_remark() <= Some(last), "{kept}");
        fine(&scratch, &format!("verify {db}"));
    }
}

/// A contest in memory: its phases, and an outcome of each game that depends on its place and its seats alone.
#[derive(Clone)]
pub(super) struct Season {
    pub phases: Vec<Phase>,
    pub outcomes: Outcomes,
}

impl Season {
    pub fn new(contest: Contest) -> Season {
        Season { phases: vec![(contest, BTreeMap::new())], outcomes: Outcomes::new() }
    }

    pub fn contest(&self) -> &Contest {
        &self.phases.last().expect("a phase").0
    }

    pub fn results(&self) -> Results {
        self.contest().journal().results(self.outcomes.clone())
    }

    pub fn decide(&mut self, decision: Decision) {
        let mut journal: Journal = self.contest().journal().clone();
        journal.decisions.push(decision);
        let contest = self.contest().clone().with_journal(journal);
        self.phases.push((contest, BTreeMap::new()));
    }

    /// Plays until there are this many games, or all.
    pub fn play(&mut self, most: usize) {
        let mut results = self.results();
        while let Ok(Plan::Play(due)) = self.contest().plan(&results) {
            for game in due {
                if self.outcomes.len() >= most {
                    return;
                }
                let outcome = invented(&game);
                results.insert(game.id, outcome.clone());
                assert_eq!(self.outcomes.insert(game.id, outcome), None, "{} is played twice", game.id);
                let (_, games) = self.phases.last_mut().expect("a phase");
                games.insert(game.id, game);
            }
        }
    }

    /// What counts in the end: seats and boards by place.
    pub fn counting(&self) -> BTreeMap<GameId, (Vec<EntrantId>, u32)> {
        let journal = self.contest().journal();
        let all = self.phases.iter().flat_map(|(_, games)| games.values());
        let counting = all.filter(|game| !journal.is_annulled(game.id));
        counting.map(|game| (game.id.place(), (game.seats.clone(), game.board))).collect()
    }
}

/// An outcome of a game that depends on its place and its seats.
pub(super) fn invented(game: &Pairing) -> Outcome {
    let GameId { stage, round, table, game: number, .. } = game.id;
    let hash = |bot: &EntrantId| {
        let parts = [u64::from(stage), round.into(), table.into(), number.into(), bot.0.into()];
        parts
            .iter()
            .fold(17u64, |hash, part| (hash ^ (part + 1)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29))
    };
    let points: Vec<i64> = game.seats.iter().map(|bot| (hash(bot) % 1000) as i64).collect();
    let place = |own: &i64| 1 + points.iter().filter(|other| *other > own).count() as u8;
    let territory = points.iter().map(|own| *own as u32).collect();
    Outcome { places: points.iter().map(place).collect(), points, territory, end: End::Played }
}

fn in_every_format_a_late_correction_gives_what_one_in_time_gives() {
    let kits = Games::new(cornerman_cli::games::all().iter().map(|game| game.kit));
    let mut crossed_out = BTreeMap::new();
    let mut left = 0;
    for path in kept_records() {
        let record = Record::open(&path).expect("a record");
        let Ok(recorded) = ContestFile::recorded(&record, &kits) else { continue };
        let contest = recorded.contest.with_journal(Journal::new());
        let mut whole = Season::new(contest.clone());
        whole.play(usize::MAX);
        let all = whole.outcomes.len();
        for most in [all / 2, all] {
            for nth in [0, most / 7, most / 3, most / 2] {
                let mut late = Season::new(contest.clone());
                late.play(most);
                let Some(id) = late.outcomes.keys().nth(nth).copied() else { continue };
                let name = format!("{}: {id} after {most} games", path.display());
                let annulled = annul(&late.phases, &late.outcomes, id, LaterGames::Replay).expect(&name);
                assert!(
                    annul(&late.phases, &late.outcomes, id, LaterGames::Keep).is_ok() == annulled.later.is_empty()
                );
                *crossed_out.entry(path.clone()).or_insert(0) += annulled.later.len();

                // It gives the same contest as if it was decided before the others were played.
                let before = late.clone();
                let mut early = late.clone();
                for again in &annulled.later {
                    assert_eq!(again.attempt, 1, "{name}");
                    early.outcomes.remove(&again.game).expect("it was played");
                    early.phases[0].1.remove(&again.game).expect("it was played");
                }
                let alone = annul(&early.phases, &early.outcomes, id, LaterGames::Keep).expect(&name);
                early.decide(Decision::Annul(alone));
                late.decide(Decision::Annul(annulled.clone()));
                assert_eq!(early.results(), late.results(), "{name}");
                let in_time = early.clone();
                for season in [&mut early, &mut late] {
                    season.play(usize::MAX);
                    assert_eq!(out_of_schedule(season.phases.clone(), &season.outcomes), None, "{name}");
                }
                assert_eq!(early.counting(), late.counting(), "{name}");
                assert_eq!(late.counting(), whole.counting(), "{name}: the same outcomes again");

                // A bot that left before is not paired in the games that are played anew.
                let plays_later = |game: &&Pairing| annulled.later.iter().any(|again| again.game == game.id);
                let [(_, played)] = &before.phases[..] else { panic!("{name}: nothing was decided") };
                let bots = played.values().filter(plays_later).flat_map(|game| &game.seats);
                let leaves = |season: &Season, bot| {
                    season.contest().leave(&season.results(), bot, false, Some(LeftGames::Keep), &[])
                };
                let gone =
                    bots.copied().find(|bot| !played[&id].seats.contains(bot) && leaves(&before, *bot).is_ok());
                let Some(gone) = gone else { continue };
                let mut late = before.clone();
                late.decide(Decision::Leave(leaves(&late, gone).expect(&name)));
                let annulled = annul(&late.phases, &late.outcomes, id, LaterGames::Replay).expect(&name);
                late.decide(Decision::Annul(annulled));
                let mut early = in_time.clone();
                let Ok(leave) = leaves(&early, gone) else { continue };
                early.decide(Decision::Leave(leave));
                left += 1;
                for season in [&mut early, &mut late] {
                    season.play(usize::MAX);
                    assert_eq!(
                        out_of_schedule(season.phases.clone(), &season.outcomes),
                        None,
                        "{name}, {gone:?} left"
                    );
                }
                assert_eq!(early.counting(), late.counting(), "{name}, {gone:?} left");

                // A game that another correction crosses out may have been played anew already.
                let first = *late.outcomes.keys().next().expect("a game");
                let Ok(again) = annul(&late.phases, &late.outcomes, first, LaterGames::Replay) else { continue };
                late.decide(Decision::Annul(again));
                late.play(usize::MAX);
                assert_eq!(out_of_schedule(late.phases.clone(), &late.outcomes), None, "{name}, {gone:?} left");
            }
        }
    }
    assert!(crossed_out.values().filter(|games| **games > 0).count() > 6, "{crossed_out:?}");
    assert!(left > 20, "{left}");
}
