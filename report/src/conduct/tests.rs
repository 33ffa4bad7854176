//! Tests of conduct, isolation and machines.

use super::*;
use crate::testing::{self, everyone, text_of};
use cornerman_harness::player::Remark;
use cornerman_harness::record::ResourceUse;

fn manners() -> ConductTotals {
    ConductTotals { games: 9, tasks: 1, ..ConductTotals::default() }
}

fn called(names: &[(&str, u32)]) -> Vec<CalledName> {
    names.iter().map(|(name, games)| CalledName { name: name.to_string(), games: *games }).collect()
}

#[test]
fn only_notable_conduct_has_a_line() {
    let mut played = everyone(8, 0);
    played.entrants[5].name = "kestrel #2".to_string();
    played.entrants[7].spec = "@rock".to_string();
    let times = |all, games| Occurrences { all, games };
    let everyone = [
        manners(),
        ConductTotals { leftovers: times(1, 1), ..manners() },
        ConductTotals { leftovers: times(7, 3), ignored: times(12, 2), tasks: 14, ..manners() },
        ConductTotals { names: 2, called: called(&[("wren", 8), ("\x1b[31mred", 1)]), ..manners() },
        ConductTotals { names: 9, called: called(&[("a", 1), ("b", 1)]), ..manners() },
        ConductTotals { names: 1, called: called(&[("kestrel", 9)]), ..manners() },
        ConductTotals { names: 1, called: called(&[("corvus", 9)]), ..manners() },
        ConductTotals {
            names: 1,
            called: called(&[("Rock", 9)]),
            remarks: vec![
                RemarkTotals { remark: Remark::Slow("B10".into()), moves: 12, games: 3 },
                RemarkTotals { remark: Remark::ExitStatus(1, "B5".into()), moves: 1, games: 1 },
            ],
            ..manners()
        },
    ];
    let behaviour = everyone.map(|conduct| Behaviour { conduct, ..Behaviour::default() });
    let everyone: BTreeMap<EntrantId, Behaviour> = (0..).map(EntrantId).zip(behaviour).collect();
    let tournament = played.tournament();
    insta::assert_snapshot!(text_of(conduct(&tournament, &everyone), &played.entrants));
    insta::assert_json_snapshot!(conduct_json(&tournament, &everyone)[7]);
    let quiet = BTreeMap::from([(EntrantId(0), everyone[&EntrantId(0)].clone())]);
    assert_eq!(conduct(&tournament, &quiet), None);
}

fn used(entrant: u16, level: Option<Level>, refused: &str, games: u32) -> (u16, ResourceUse) {
    (entrant, ResourceUse { level, refused: refused.to_string(), games, ..ResourceUse::default() })
}

#[test]
fn a_weaker_level_than_the_best_is_said_with_the_reason() {
    let played = everyone(3, 0);
    let tournament = played.tournament();
    let check = |all: &[(u16, ResourceUse)], wanted: &[&str]| {
        let mut behaviour: BTreeMap<EntrantId, Behaviour> = BTreeMap::new();
        for (entrant, used) in all {
            behaviour.entry(EntrantId(*entrant)).or_default().resources.push(used.clone());
        }
        let text = text_of(isolation(&isolations(&tournament, &behaviour)), &[]);
        assert_eq!(text.lines().skip(1).map(str::trim).collect::<Vec<_>>(), wanted);
    };
    check(&[used(0, Some(BEST), "", 4), used(1, None, "", 4)], &[]);
    let refused = "namespaced: unshare: Operation not permitted\nnamespaced: mount: \u{1b}";
    check(
        &[
            used(0, Some(Level::Scoped), refused, 4),
            used(1, Some(Level::Scoped), refused, 1),
            used(1, Some(BEST), "", 3),
            used(2, Some(Level::Plain), "", 1),
        ],
        &[
            "2 bots played at scoped, which is weaker than namespaced, 5 times in all: the machine refused \
             namespaced: unshare: Operation not permitted; namespaced: mount: \\u{1b}",
            "1 bot played at plain, which is weaker than namespaced, 1 time in all: a better level was not requested",
        ],
    );
}

fn games(hosts: &[&str]) -> Vec<GameSummary> {
    let game = |host: &&str| GameSummary { host: host.to_string(), ..testing::summary() };
    hosts.iter().map(game).collect()
}

#[test]
fn machines_are_shown_when_there_are_several() {
    let machine = Machine { name: "ring1".into(), processor: "Xeon".into(), cores: 2, kernel: "Linux 6".into() };
    let known = [machine];
    assert_eq!(machines_section(&machines(&games(&["ring1", "ring1"]), &known)), None);
    let found = machines(&games(&["ring2", "ring1", "ring1"]), &known);
    let text = text_of(machines_section(&found), &[]);
    assert_eq!(
        text,
        "Machines\n name   games  processor  kernel\n ring1      2  Xeon       Linux 6\n ring2      1\n"
    );
    assert_eq!((found[0].games, &found[1].processor), (2, &None));
}
