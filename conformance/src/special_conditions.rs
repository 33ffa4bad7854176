//! Special conditions under which a bot runs. What goes wrong only under one of them fails the check of that condition.

use cornerman_harness::sandbox::{Environment, Input, Output, RunRequest};

/// A folder that belongs to no bot and in which no program can write, not even as the superuser.
const FOREIGN_FOLDER: &str = "/proc";

/// A special condition, as a change to the request of a plain run.
pub(crate) type SpecialCondition = fn(&mut RunRequest);

/// The input of a run comes byte by byte.
pub(crate) const BYTE_BY_BYTE: SpecialCondition = |request| {
    if let Input::Whole(bytes) = &request.input {
        request.input = Input::Dribbled(bytes.clone());
    }
};

/// The working directory is not the bot's own.
pub(crate) const IN_FOREIGN_FOLDER: SpecialCondition = |request| request.cwd = Some(FOREIGN_FOLDER.into());

/// PATH is the only environment variable.
pub(crate) const WITHOUT_ENVIRONMENT: SpecialCondition = |request| request.environment = Environment::Minimal;

/// Standard output is a regular file.
pub(crate) const OUTPUT_TO_FILE: SpecialCondition = |request| request.output = Output::File;
