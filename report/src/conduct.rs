//! Conduct: what entrants did besides playing, for the organizer to look at. It does not affect the standings.

use crate::style::{count, in_markdown};
use crate::{SCHEMA, Style, Tournament, plain, shown};
use cornerman::format::EntrantId;
use cornerman_harness::record::{ConductTotals, EntrantRecord, Occurrences};
use serde_json::{Value, json};

/// The number of threads and processes that a bot needs. More are reported.
const NEEDED_TASKS: u32 = 1;

/// A line for each thing worth noting, entrant by entrant; empty if there are none.
pub fn text(tournament: &Tournament, manners: &[ConductTotals], style: Style) -> String {
    let lines = lines(tournament, manners);
    let text: String = lines.map(|(entrant, line)| format!(" {}: {line}\n", tournament.name(entrant))).collect();
    if text.is_empty() { text } else { format!("{}\n{text}", style.heading("Conduct")) }
}

/// The same as a list in Markdown.
pub fn markdown(tournament: &Tournament, manners: &[ConductTotals]) -> String {
    let line = |(entrant, line): (_, String)| {
        format!("- {}: {}\n", in_markdown(&tournament.name(entrant)), in_markdown(&line))
    };
    lines(tournament, manners).map(line).collect()
}

/// The lines of [`text`], each with its entrant.
pub(crate) fn lines<'a>(
    tournament: &'a Tournament,
    manners: &'a [ConductTotals],
) -> impl Iterator<Item = (EntrantId, String)> + 'a {
    manners.iter().flat_map(|one| of_note(tournament, one).into_iter().map(|line| (one.entrant, line)))
}

/// Every entrant that has played, with its figures, and in `words` the lines that [`text`] has of it.
pub fn json(tournament: &Tournament, manners: &[ConductTotals]) -> Value {
    let times = |times: &Occurrences| json!({ "all": times.all, "games": times.games });
    let called = |(name, games): &(String, u32)| json!({ "name": name, "games": games });
    let remark = |(remark, counted): &(String, Occurrences)| json!({ "remark": remark, "moves": counted.all, "games": counted.games });
    let one = |one: &ConductTotals| {
        let mut value = tournament.entrant_json(one.entrant);
        value["games"] = json!(one.games);
        value["leftovers"] = times(&one.leftovers);
        value["ignored"] = times(&one.ignored);
        value["tasks"] = json!(one.tasks);
        value["called"] = one.called.iter().map(called).collect();
        value["names"] = json!(one.names);
        value["remarks"] = one.remarks.iter().map(remark).collect();
        value["words"] = json!(of_note(tournament, one));
        value
    };
    json!({ "schema": SCHEMA, "entrants": manners.iter().map(one).collect::<Vec<_>>() })
}

/// The lines about one entrant.
fn of_note(tournament: &Tournament, manners: &ConductTotals) -> Vec<String> {
    let mut lines = Vec::new();
    let mut note = |times: Occurrences, words: &dyn Fn(usize) -> String, rule: &str| {
        if times.all > 0 {
            let games = count(times.games, "game");
            lines.push(format!("{}, in {games}{rule}", words(times.all as usize)));
        }
    };
    note(manners.leftovers, &|n| format!("left {} running", count(n, "process")), "");
    note(manners.ignored, &|n| format!("{} that were not answers", count(n, "line")), " (G5)");
    if manners.tasks > NEEDED_TASKS {
        let most = manners.tasks;
        lines.push(format!("up to {most} threads and processes at a time; runtimes may need some (R8)"));
    }
    for (remark, counted) in &manners.remarks {
        let moves = count(counted.all, "move");
        let games = count(counted.games, "game");
        lines.push(format!("{}: {moves}, in {games}", plain(remark)));
    }
    lines.extend(names(tournament, manners));
    lines.extend(doubles(tournament, manners.entrant));
    lines
}

/// The other entries with the same source, or with the same program if it was handed in without a source. Engines are
/// left out: the same program plays differently with other options.
fn doubles(tournament: &Tournament, entrant: EntrantId) -> Option<String> {
    /// The most entries named; the others are only counted.
    const NAMED: usize = 3;
    let is_engine = |it: &EntrantRecord| it.spec.split('/').next().is_some_and(|start| start.contains(':'));
    let own = tournament.entrants.get(entrant.index()).filter(|own| !is_engine(own))?;
    let is_double = |other: &EntrantRecord| {
        let is_same = match (&own.source_sha256, &other.source_sha256) {
            (Some(own), Some(other)) => own == other,
            _ => own.program_sha256.is_some() && own.program_sha256 == other.program_sha256,
        };
        other.spec != own.spec && is_same && !is_engine(other)
    };
    let doubles = (0..).map(EntrantId).zip(tournament.entrants).filter(|(_, other)| is_double(other));
    let names: Vec<String> = doubles.map(|(id, _)| tournament.name(id)).collect();
    let more = names.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let named = names.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    (!names.is_empty()).then(|| format!("the same program or source as {named}{more}, byte for byte"))
}

/// The names that it gave itself, unless it always used the name it is listed under.
fn names(tournament: &Tournament, manners: &ConductTotals) -> Option<String> {
    let (usual, _) = manners.called.first()?;
    if manners.names > 1 {
        let listed: Vec<String> = manners
            .called
            .iter()
            .map(|(name, games)| format!("`{}` ({})", shown(name), count(*games, "game")))
            .collect();
        let more = manners.names as usize - listed.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        return Some(format!("called itself by other names from game to game: {}{more} (R3)", listed.join(", ")));
    }
    let known = tournament.entrants.get(manners.entrant.index())?;
    // A reference bot is listed under its id, whatever it calls itself.
    if known.is_reference_bot() {
        return None;
    }
    // A name that several entrants share is followed by something in brackets or a number.
    let is_it = known
        .name
        .strip_prefix(usual.as_str())
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(" (") || rest.starts_with(" #"));
    (!is_it).then(|| format!("calls itself `{}`", shown(usual)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{all, play};
    use cornerman::contest::Field;
    use cornerman::formats::Format;

    fn manners(entrant: u16) -> ConductTotals {
        let none = Occurrences::default();
        let called = vec![];
        let names = 0;
        ConductTotals {
            entrant: EntrantId(entrant),
            games: 9,
            leftovers: none,
            ignored: none,
            tasks: 1,
            called,
            names,
            remarks: Vec::new(),
        }
    }

    fn called(names: &[(&str, u32)]) -> Vec<(String, u32)> {
        names.iter().map(|(name, games)| (name.to_string(), *games)).collect()
    }

    #[test]
    fn only_notable_conduct_has_a_line() {
        let field = Field::new(8, 0);
        let mut played = play(field, vec![("Everyone", all(Format::AllPlayAll(Default::default())))], 0);
        played.entrants[5].name = "kestrel #2".to_string();
        played.entrants[7].spec = "@rock".to_string();
        let times = |all, games| Occurrences { all, games };
        let everyone = [
            manners(0),
            ConductTotals { leftovers: times(1, 1), ..manners(1) },
            ConductTotals { leftovers: times(7, 3), ignored: times(12, 2), tasks: 14, ..manners(2) },
            ConductTotals { names: 2, called: called(&[("wren", 8), ("\x1b[31mred", 1)]), ..manners(3) },
            ConductTotals { names: 9, called: called(&[("a", 1), ("b", 1)]), ..manners(4) },
            ConductTotals { names: 1, called: called(&[("kestrel", 9)]), ..manners(5) },
            ConductTotals { names: 1, called: called(&[("corvus", 9)]), ..manners(6) },
            ConductTotals {
                names: 1,
                called: called(&[("Rock", 9)]),
                remarks: vec![
                    ("slower than the soft limit (B10)".to_string(), times(12, 3)),
                    ("exit status 1 (B5)".to_string(), times(1, 1)),
                ],
                ..manners(7)
            },
        ];
        insta::assert_snapshot!(text(&played.tournament(), &everyone, Style::plain()));
        insta::assert_json_snapshot!(json(&played.tournament(), &everyone)["entrants"][7]);
        assert_eq!(text(&played.tournament(), &everyone[..1], Style::plain()), "");
        let listed = markdown(&played.tournament(), &everyone[7..]);
        assert_eq!(listed.lines().next(), Some("- owl: slower than the soft limit (B10): 12 moves, in 3 games"));
    }
}
