//! The selection of checks by ids, beginnings of ids, or patterns with `*`.

use crate::catalog::Check;
use crate::error::SelectionError;
use crate::games::Suites;
use cornerman_harness::nearest::did_you_mean;
use cornerman_harness::pattern::matches;
use std::collections::BTreeSet;

/// The error for a pattern that matches no check of `games`, with the nearest id as a suggestion.
fn unknown(games: Suites, asked: &str) -> SelectionError {
    let hint = did_you_mean(asked, all(games).map(|check| check.id.as_str()));
    SelectionError::Unknown { asked: asked.escape_debug().to_string(), hint }
}

/// All checks of all `games`.
fn all(games: Suites) -> impl Iterator<Item = &'static Check> {
    games.iter().flat_map(|suite| &suite.catalogue().checks)
}

/// The ids of the checks to run, among those of all `games`: those that match one of `run` (or all, if it is empty) and
/// none of `skip`.
///
/// # Errors
/// When a pattern matches no check, or no check is left.
pub fn select(games: Suites, run: &[String], skip: &[String]) -> Result<BTreeSet<String>, SelectionError> {
    for pattern in run.iter().chain(skip) {
        if !all(games).any(|check| fits(pattern, check)) {
            return Err(unknown(games, pattern));
        }
    }
    let wanted = |check: &&Check| {
        (run.is_empty() || run.iter().any(|pattern| fits(pattern, check)))
            && !skip.iter().any(|pattern| fits(pattern, check))
    };
    let selected: BTreeSet<String> = all(games).filter(wanted).map(|check| check.id.clone()).collect();
    if selected.is_empty() { Err(SelectionError::Nothing) } else { Ok(selected) }
}

/// The check `id`, given in upper or lower case, of any of `games`.
///
/// # Errors
/// When there is no such check, with the nearest id as a suggestion.
pub fn find(games: Suites, id: &str) -> Result<&'static Check, SelectionError> {
    let wanted = id.to_ascii_uppercase();
    let check = games.iter().find_map(|suite| suite.catalogue().get(&wanted));
    check.ok_or_else(|| unknown(games, id))
}

/// Whether `pattern` selects `check`: it is the id, some first words of the id, or matches the id with `*` for any
/// text. Case does not matter.
fn fits(pattern: &str, check: &Check) -> bool {
    let pattern = pattern.to_ascii_uppercase();
    if pattern.contains('*') {
        return matches(&check.id, &pattern);
    }
    let rest = check.id.strip_prefix(pattern.trim_end_matches('-'));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{ALL, boxing, rps};

    fn check(run: &[&str], skip: &[&str], count: usize, first: &str) {
        let own = |list: &[&str]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
        let selected = select(&ALL, &own(run), &own(skip)).unwrap();
        assert_eq!((selected.len(), selected.first().unwrap().as_str()), (count, first), "{run:?} {skip:?}");
    }

    #[test]
    fn ids_prefixes_and_patterns_select() {
        check(&["BX-OUT-EOL"], &[], 1, "BX-OUT-EOL");
        check(&["bx-out"], &[], 7, "BX-OUT-CHARSET");
        check(&["BX-OUT-"], &["BX-OUT-CHARSET"], 6, "BX-OUT-EOL");
        check(&["*-EXIT", "BX-RUN-EXEC"], &[], 2, "BX-RUN-EXEC");
        check(&["BX"], &[], boxing::catalogue().checks.len(), "BX-CHAIN");
        check(&["RP"], &["RP-TIME"], rps::catalogue().checks.len() - 1, "RP-ALLIN");
        check(&[], &[], all(&ALL).count(), "BX-CHAIN");
    }

    #[test]
    fn what_fits_nothing_is_refused() {
        let unknown = select(&ALL, &["BX-OUT-TAIL".to_string()], &[]).unwrap_err();
        let words = "no check is called `BX-OUT-TAIL` (did you mean `BX-OUT-TRAIL`?); `check --list` lists them";
        assert_eq!(unknown.to_string(), words);
        let far = select(&ALL, &["nonsense".to_string()], &[]).unwrap_err();
        assert_eq!(far.to_string(), "no check is called `nonsense`; `check --list` lists them");
        assert!(select(&ALL, &["BX-O".to_string()], &[]).is_err(), "half a word does not match");
        assert_eq!(select(&ALL, &["BX-OUT".to_string()], &["BX".to_string()]), Err(SelectionError::Nothing));
    }

    #[test]
    fn an_unknown_id_suggests_the_nearest() {
        let error = find(&ALL, "BX-OUT-EOF").unwrap_err().to_string();
        assert!(error.contains("BX-OUT-EOL"), "{error}");
        assert_eq!(find(&ALL, "bx-out-eol").unwrap().id, "BX-OUT-EOL");
    }
}
