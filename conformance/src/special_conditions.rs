//! What a bot finds around it, other than in a game: what is wrong only then fails the check of that condition.

use cornerman_harness::sandbox::{Environment, Input, Output, RunRequest};

/// Where no program can write and no bot is at home, not even as the superuser.
const FOREIGN_FOLDER: &str = "/proc";

/// A condition, as a change of the plain request.
pub type SpecialCondition = fn(&mut RunRequest);

/// Input byte by byte, of a run.
pub const BYTE_BY_BYTE: SpecialCondition = |request| {
    if let Input::Whole(bytes) = &request.input {
        request.input = Input::Dribbled(bytes.clone());
    }
};

/// A foreign working directory.
pub const IN_FOREIGN_FOLDER: SpecialCondition = |request| request.cwd = Some(FOREIGN_FOLDER.into());

/// A minimal environment.
pub const WITHOUT_ENVIRONMENT: SpecialCondition = |request| request.environment = Environment::Minimal;

/// Output into a file.
pub const OUTPUT_TO_FILE: SpecialCondition = |request| request.output = Output::File;
