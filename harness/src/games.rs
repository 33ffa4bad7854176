//! The kits of the built-in games: what is needed to run each of them.

pub mod boxing;
pub mod go;
pub mod rps;

/// All built-in games, for tests.
#[cfg(test)]
pub fn all() -> crate::kit::Games {
    let kits: [&'static dyn crate::kit::AnyKit; 3] = [&boxing::KIT, &rps::KIT, &go::KIT];
    crate::kit::Games::new(kits)
}
