//! Results that arrive after a decision has made their games superfluous.

use super::decisions::kept_records;
use super::replayed::{Season, invented};
use crate::support::trial;
use cornerman::contest::{Decision, Journal};
use cornerman::format::{EntrantId, GameId, Pairing, Plan};
use cornerman_harness::contest_file::ContestFile;
use cornerman_harness::kit::Games;
use cornerman_harness::record::{LateGames, LaterGames, Record, annul, out_of_schedule};
use libtest_mimic::Trial;
use std::path::PathBuf;

pub fn trials() -> Vec<Trial> {
    vec![trial!(in_every_format_late_results_are_crossed_out_and_count_nowhere)]
}

/// The games that are due.
fn due(season: &Season) -> Vec<Pairing> {
    match season.contest().plan(&season.results()) {
        Ok(Plan::Play(games)) => games,
        _ => Vec::new(),
    }
}

/// Records the results of the games in `asked` that have become superfluous, and returns their number.
#[track_caller]
fn record_late(season: &mut Season, asked: &[Pairing], name: &str) -> usize {
    let wanted = due(season);
    let mut late = LateGames::after(&season.phases, &season.outcomes);
    let mut recorded = 0;
    for game in asked {
        let is_wanted = wanted.contains(game);
        let crossed_out = late.crossed_out(game);
        assert_eq!(crossed_out.is_none(), is_wanted, "{name}: {game:?}");
        let Some(crossed_out) = crossed_out else { continue };
        season.outcomes.insert(crossed_out.id, invented(game));
        season.phases.last_mut().expect("a phase").1.insert(crossed_out.id, crossed_out.clone());
        late.on_recorded(crossed_out);
        assert_eq!(late.crossed_out(game), None, "{name}: a second time");
        recorded += 1;
    }
    // The record that is read again knows them too.
    let late = LateGames::after(&season.phases, &season.outcomes);
    assert!(asked.iter().all(|game| late.crossed_out(game).is_none()), "{name}");
    assert_eq!(due(season), wanted, "{name}");
    recorded
}

/// Checks that a record with this game in the last phase does not follow from its contest.
#[track_caller]
fn is_refused(season: &Season, game: Pairing, name: &str) {
    let mut forged = season.clone();
    let id = game.id;
    if forged.outcomes.insert(id, invented(&game)).is_some() {
        return;
    }
    forged.phases.last_mut().expect("a phase").1.insert(id, game);
    assert_eq!(out_of_schedule(forged.phases, &forged.outcomes).map(|(id, _)| id), Some(id), "{name}");
}

fn in_every_format_late_results_are_crossed_out_and_count_nowhere() {
    let kits = Games::new(cornerman_cli::games::all().iter().map(|game| game.kit));
    let mut recorded: Vec<(PathBuf, usize)> = Vec::new();
    for path in kept_records() {
        let record = Record::open(&path).expect("a record");
        let Ok(of_record) = ContestFile::recorded(&record, &kits) else { continue };
        let forfeits = of_record.forfeits(&record.header().expect("a header"));
        let forfeits = forfeits.as_ref().map_or(&[][..], |outcomes| &outcomes[..]);
        let contest = of_record.contest.with_journal(Journal::new());
        let mut whole = Season::new(contest.clone());
        whole.play(usize::MAX);
        let all = whole.outcomes.len();
        let mut of_path = 0;
        for (nth, most) in [0, all / 5, all / 3, all / 2, all * 3 / 4].into_iter().enumerate() {
            let name = format!("{} after {most} games", path.display());
            let mut late = Season::new(contest.clone());
            late.play(most);
            let asked = due(&late);
            let Some(first) = asked.get(nth % asked.len().max(1)) else { continue };
            // In the first phase nothing can be late.
            is_refused(&late, Pairing { id: GameId { attempt: 1, ..first.id }, ..first.clone() }, &name);
            let leaves = |season: &Season, bot: EntrantId| {
                season.contest().leave(&season.results(), bot, false, None, forfeits)
            };
            let Ok(leave) = leaves(&late, first.seats[0]) else { continue };
            late.decide(Decision::Leave(leave));
            let mut in_time = late.clone();
            of_path += record_late(&mut late, &asked, &name);
            assert_eq!(out_of_schedule(late.phases.clone(), &late.outcomes), None, "{name}");
            for game in &asked {
                let next = GameId { attempt: 1, ..game.id };
                let mut turned = Pairing { id: next, ..game.clone() };
                turned.seats.reverse();
                is_refused(&late, turned, &name);
                is_refused(&late, Pairing { id: next, board: game.board + 1, ..game.clone() }, &name);
                is_refused(&late, Pairing { id: GameId { attempt: 7, ..next }, ..game.clone() }, &name);
                if due(&late).contains(game) {
                    is_refused(&late, Pairing { id: next, ..game.clone() }, &name);
                }
            }
            // The contest goes on as without them, also with further decisions.
            let asked = due(&late);
            for season in [&mut in_time, &mut late] {
                let next =
                    season.outcomes.keys().find(|id| !season.contest().journal().is_annulled(**id)).copied();
                let annulled =
                    next.and_then(|id| annul(&season.phases, &season.outcomes, id, LaterGames::Replay).ok());
                if let Some(annulled) = annulled {
                    season.decide(Decision::Annul(annulled));
                }
            }
            of_path += record_late(&mut late, &asked, &name);
            for season in [&mut in_time, &mut late] {
                season.play(usize::MAX);
                assert_eq!(out_of_schedule(season.phases.clone(), &season.outcomes), None, "{name}");
            }
            assert_eq!(in_time.counting(), late.counting(), "{name}");
            assert_eq!(in_time.results(), late.results(), "{name}");
        }
        recorded.push((path, of_path));
    }
    assert!(recorded.iter().filter(|(_, games)| *games > 0).count() > 10, "{recorded:?}");
}
