//! Which checks to run: ids, beginnings of ids, or patterns with `*`.

use crate::catalog::{Catalogue, Check};
use std::collections::BTreeSet;

/// Why a selection is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelectionError {
    /// It fits no check.
    #[error("no check is called `{asked}`{hint}; `check --list` lists them")]
    Unknown {
        /// What was asked for.
        asked: String,
        /// The nearest that there is, if any is near.
        hint: String,
    },
    /// What was asked for and what was to be left out leave nothing.
    #[error("no check is left to run: everything that was selected is skipped as well")]
    Nothing,
    /// There are checks to run, but none of the game of this bot.
    #[error("{bot} plays {game}, and no check of that game is selected")]
    NothingOf {
        /// The bot's name.
        bot: String,
        /// The game's title.
        game: &'static str,
    },
}

impl SelectionError {
    pub(crate) fn unknown(asked: &str) -> SelectionError {
        let upper = asked.to_ascii_uppercase();
        let ids = all().map(|check| check.id.as_str());
        let nearest = ids.map(|id| (strsim::osa_distance(id, &upper), id)).min();
        let near = nearest.filter(|(distance, id)| distance * 2 <= id.len());
        let hint = near.map_or(String::new(), |(_, id)| format!(" (did you mean `{id}`?)"));
        SelectionError::Unknown { asked: asked.escape_debug().to_string(), hint }
    }
}

/// All checks of all games.
fn all() -> impl Iterator<Item = &'static Check> {
    Catalogue::all().iter().flat_map(|catalogue| &catalogue.checks)
}

/// The ids of the checks to run, of all games: those that fit one of `run` (all, if it is empty) and none of `skip`.
///
/// # Errors
/// When a pattern fits nothing, or nothing is left.
pub fn select(run: &[String], skip: &[String]) -> Result<BTreeSet<String>, SelectionError> {
    for pattern in run.iter().chain(skip) {
        if !all().any(|check| fits(pattern, check)) {
            return Err(SelectionError::unknown(pattern));
        }
    }
    let wanted = |check: &&Check| {
        (run.is_empty() || run.iter().any(|pattern| fits(pattern, check)))
            && !skip.iter().any(|pattern| fits(pattern, check))
    };
    let selected: BTreeSet<String> = all().filter(wanted).map(|check| check.id.clone()).collect();
    if selected.is_empty() { Err(SelectionError::Nothing) } else { Ok(selected) }
}

/// The games that have checks among those of these ids, in the order of the catalogues.
pub fn games(selected: &BTreeSet<String>) -> Vec<&'static str> {
    let has = |catalogue: &&Catalogue| catalogue.checks.iter().any(|check| selected.contains(&check.id));
    Catalogue::all().iter().filter(has).map(|catalogue| catalogue.game).collect()
}

fn fits(pattern: &str, check: &Check) -> bool {
    let pattern = pattern.to_ascii_uppercase();
    if pattern.contains('*') {
        return glob(pattern.as_bytes(), check.id.as_bytes());
    }
    let rest = check.id.strip_prefix(pattern.trim_end_matches('-'));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

fn glob(pattern: &[u8], text: &[u8]) -> bool {
    match pattern.split_first() {
        None => text.is_empty(),
        Some((b'*', rest)) => (0..=text.len()).any(|from| glob(rest, &text[from..])),
        Some((first, rest)) => text.split_first().is_some_and(|(t, after)| t == first && glob(rest, after)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(run: &[&str], skip: &[&str], count: usize, first: &str) {
        let own = |list: &[&str]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
        let selected = select(&own(run), &own(skip)).unwrap();
        assert_eq!((selected.len(), selected.first().unwrap().as_str()), (count, first), "{run:?} {skip:?}");
    }

    #[test]
    fn ids_beginnings_and_patterns_select() {
        check(&["BX-OUT-EOL"], &[], 1, "BX-OUT-EOL");
        check(&["bx-out"], &[], 7, "BX-OUT-CHARSET");
        check(&["BX-OUT-"], &["BX-OUT-CHARSET"], 6, "BX-OUT-EOL");
        check(&["*-EXIT", "BX-RUN-EXEC"], &[], 2, "BX-RUN-EXEC");
        check(&["BX"], &[], Catalogue::boxing().checks.len(), "BX-CHAIN");
        check(&["RP"], &["RP-TIME"], Catalogue::of("rps").unwrap().checks.len() - 1, "RP-ALLIN");
        check(&[], &[], all().count(), "BX-CHAIN");
    }

    #[test]
    fn what_fits_nothing_is_refused() {
        let unknown = select(&["BX-OUT-TAIL".to_string()], &[]).unwrap_err();
        let words = "no check is called `BX-OUT-TAIL` (did you mean `BX-OUT-TRAIL`?); `check --list` lists them";
        assert_eq!(unknown.to_string(), words);
        let far = select(&["nonsense".to_string()], &[]).unwrap_err();
        assert_eq!(far.to_string(), "no check is called `nonsense`; `check --list` lists them");
        assert!(select(&["BX-O".to_string()], &[]).is_err(), "half a word is no id");
        assert_eq!(select(&["BX-OUT".to_string()], &["BX".to_string()]), Err(SelectionError::Nothing));
    }
}
