//! What a bot finds around it, other than in a game: what is wrong only then fails the check of that condition.

use cornerman_harness::sandbox::{Environment, Input, Order, Output};

/// Where no program can write and no bot is at home, not even as the superuser.
const FOREIGN_FOLDER: &str = "/proc";

/// A condition, as a change of the plain order.
pub type Condition = fn(&mut Order);

/// Input byte by byte, of a run.
pub const BYTE_BY_BYTE: Condition = |order| {
    if let Input::Whole(bytes) = &order.input {
        order.input = Input::Dribbled(bytes.clone());
    }
};

/// A foreign working directory.
pub const ELSEWHERE: Condition = |order| order.cwd = Some(FOREIGN_FOLDER.into());

/// A minimal environment.
pub const WITHOUT_ENVIRONMENT: Condition = |order| order.environment = Environment::Minimal;

/// Output into a file.
pub const INTO_A_FILE: Condition = |order| order.output = Output::File;
