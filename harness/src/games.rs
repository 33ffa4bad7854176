//! What it takes to run each of the games that come with the kit.

pub mod boxing;
pub mod go;
pub mod rps;

/// All of them, for tests.
#[cfg(test)]
pub fn all() -> crate::kit::Games {
    let kits: [&'static dyn crate::kit::AnyKit; 3] = [&boxing::KIT, &rps::KIT, &go::KIT];
    crate::kit::Games::new(kits)
}
