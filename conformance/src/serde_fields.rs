//! How the fields of a finding are written and read: checks by their ids, spots as rows and columns.

use crate::catalog::Catalogue;
use std::cell::RefCell;

thread_local! {
    /// The catalogues whose ids are read. What reads a field is given nothing but the bytes, so they are handed over here.
    static CATALOGUES: RefCell<Vec<&'static Catalogue>> = const { RefCell::new(Vec::new()) };
}

/// From now on, the ids that this thread reads are those of `catalogues`.
pub fn use_catalogues(catalogues: Vec<&'static Catalogue>) {
    CATALOGUES.set(catalogues);
}

/// What `look` finds among the catalogues whose ids are read.
fn among_catalogues<T>(look: impl Fn(&'static Catalogue) -> Option<T>) -> Option<T> {
    CATALOGUES.with_borrow(|catalogues| catalogues.iter().find_map(|&catalogue| look(catalogue)))
}

/// A check, by its id.
pub mod check {
    use crate::catalog::Check;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    /// Writes its id.
    ///
    /// # Errors
    /// Those of `to`.
    pub fn serialize<S: Serializer>(check: &&'static Check, to: S) -> Result<S::Ok, S::Error> {
        check.id.serialize(to)
    }

    /// Finds the check with the id that is read.
    ///
    /// # Errors
    /// When there is none.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<&'static Check, D::Error> {
        let id = String::deserialize(from)?;
        let found = super::among_catalogues(|catalogue| catalogue.get(&id));
        found.ok_or_else(|| D::Error::custom(format!("no check {id}")))
    }
}

/// The id of a check.
pub mod id {
    use serde::{Deserializer, Serialize, Serializer};

    /// Writes it.
    ///
    /// # Errors
    /// Those of `to`.
    pub fn serialize<S: Serializer>(id: &&'static str, to: S) -> Result<S::Ok, S::Error> {
        id.serialize(to)
    }

    /// Finds it in the catalogues.
    ///
    /// # Errors
    /// When there is none.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<&'static str, D::Error> {
        super::check::deserialize(from).map(|check| check.id.as_str())
    }
}

/// Spots, as rows and columns.
pub mod spots {
    use cornerman::game::Spot;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// Writes them.
    ///
    /// # Errors
    /// Those of `to`.
    pub fn serialize<S: Serializer>(spots: &[Spot], to: S) -> Result<S::Ok, S::Error> {
        spots.iter().map(|spot| (spot.row, spot.col)).collect::<Vec<_>>().serialize(to)
    }

    /// Reads them.
    ///
    /// # Errors
    /// Those of `from`.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Spot>, D::Error> {
        let spots: Vec<(u8, u8)> = Vec::deserialize(from)?;
        Ok(spots.into_iter().map(|(row, col)| Spot { row, col }).collect())
    }
}
