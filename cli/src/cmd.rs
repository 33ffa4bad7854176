//! The commands, with a file for each. A command reads its arguments, calls the crates that do the work, prints the
//! result and returns the exit status.

pub(crate) mod arena;
pub(crate) mod audit;
pub(crate) mod bots;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod decide;
pub(crate) mod doctor;
pub(crate) mod export;
pub(crate) mod games;
pub(crate) mod help;
pub(crate) mod judge;
pub(crate) mod nats_config;
pub(crate) mod new;
pub(crate) mod new_game;
pub(crate) mod play;
pub(crate) mod rejudge;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod rules;
pub(crate) mod run;
pub(crate) mod schema;
pub(crate) mod spar;
pub(crate) mod standings;
pub(crate) mod tournament;
pub(crate) mod verify;
pub(crate) mod why;
pub(crate) mod worker;
