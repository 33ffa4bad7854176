//! The commands, a file each: read the request, call the rooms that do the work, print, say how it ended.

pub mod bots;
pub mod check;
pub mod completions;
pub mod doctor;
pub mod export;
pub mod new;
pub mod play;
pub mod replay;
pub mod report;
pub mod standings;
pub mod tournament;
