//! How checks are serialized: by their ids.

use crate::catalog::Catalogue;
use std::cell::RefCell;

thread_local! {
    /// The catalogues in which ids are looked up. A `deserialize` function has no parameter for them.
    static CATALOGUES: RefCell<Vec<&'static Catalogue>> = const { RefCell::new(Vec::new()) };
}

/// Makes this thread look up the ids that it deserializes in `catalogues`.
pub(crate) fn use_catalogues(catalogues: Vec<&'static Catalogue>) {
    CATALOGUES.set(catalogues);
}

/// The first result of `look` in the catalogues of this thread.
fn among_catalogues<T>(look: impl Fn(&'static Catalogue) -> Option<T>) -> Option<T> {
    CATALOGUES.with_borrow(|catalogues| catalogues.iter().find_map(|&catalogue| look(catalogue)))
}

/// A check, by its id.
pub(crate) mod check {
    use crate::catalog::Check;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    /// Writes the id of the check.
    pub(crate) fn serialize<S: Serializer>(check: &&'static Check, to: S) -> Result<S::Ok, S::Error> {
        check.id.serialize(to)
    }

    /// Reads an id and finds its check in the catalogues of this thread.
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<&'static Check, D::Error> {
        let id = String::deserialize(from)?;
        let found = super::among_catalogues(|catalogue| catalogue.get(&id));
        found.ok_or_else(|| D::Error::custom(format!("no check {id}")))
    }
}

/// The id of a check.
pub(crate) mod id {
    use serde::{Deserializer, Serialize, Serializer};

    /// Writes the id as a string.
    pub(crate) fn serialize<S: Serializer>(id: &&'static str, to: S) -> Result<S::Ok, S::Error> {
        id.serialize(to)
    }

    /// Reads an id that is in the catalogues of this thread.
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<&'static str, D::Error> {
        super::check::deserialize(from).map(|check| check.id.as_str())
    }
}
