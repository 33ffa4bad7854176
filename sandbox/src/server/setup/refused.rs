//! Errors of the set-up: the step that the machine refused, and the system's error.

use crate::level::{Level, Refusal};
use std::io;

/// A step that the machine refused, and the system's error.
pub(crate) struct Refused(pub &'static str, pub io::Error);

impl Refused {
    /// The refusal in the form in which it is reported.
    pub(crate) fn at(self, level: Level) -> Refusal {
        Refusal { level, step: self.0.to_string(), why: self.1.to_string(), errno: self.1.raw_os_error() }
    }
}

/// Names the step that failed with an error.
pub(super) trait Step<T> {
    /// The value, or the error as a refusal of `step`.
    fn step(self, step: &'static str) -> Result<T, Refused>;
}

impl<T, E: Into<io::Error>> Step<T> for Result<T, E> {
    fn step(self, step: &'static str) -> Result<T, Refused> {
        self.map_err(|error| Refused(step, error.into()))
    }
}
