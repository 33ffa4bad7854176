//! The commands, with a file for each. A command reads its arguments, calls the crates that do the work, prints the
//! result and returns the exit status.

pub mod arena;
pub mod audit;
pub mod bots;
pub mod check;
pub mod compare;
pub mod completions;
pub mod doctor;
pub mod export;
pub mod games;
pub mod nats_config;
pub mod new;
pub mod play;
pub mod rejudge;
pub mod replay;
pub mod report;
pub mod rules;
pub mod run;
pub mod spar;
pub mod standings;
pub mod tournament;
pub mod verify;
pub mod worker;
