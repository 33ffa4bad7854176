//! A step of setting up that the machine refused.

use crate::level::{Level, Refusal};
use std::io;

/// A step that the machine refused, and its answer.
pub struct Refused(pub &'static str, pub io::Error);

impl Refused {
    /// For the report.
    pub fn at(self, level: Level) -> Refusal {
        Refusal { level, step: self.0.to_string(), why: self.1.to_string() }
    }
}

/// Names the step that an error comes from.
pub trait Step<T> {
    /// The same, or what was refused at `step`.
    fn step(self, step: &'static str) -> Result<T, Refused>;
}

impl<T, E: Into<io::Error>> Step<T> for Result<T, E> {
    fn step(self, step: &'static str) -> Result<T, Refused> {
        self.map_err(|error| Refused(step, error.into()))
    }
}
