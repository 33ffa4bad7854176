//! What is fuzzed, by name. `fuzz/` tries the same targets, guided by the code that an input reaches.

#[path = "messages.rs"]
mod messages;
#[path = "record.rs"]
mod record;
#[path = "text.rs"]
mod text;

/// Processes an input.
pub type Target = fn(&[u8]);

/// The targets. Each has a corpus.
pub const TARGETS: [(&str, Target); 12] = [
    ("bot-file", text::bot_file),
    ("contest", text::contest),
    ("ruleset", text::ruleset),
    ("languages", text::languages),
    ("gtp", text::gtp),
    ("lines", text::lines),
    ("arena", text::arena),
    ("judged", text::judged),
    ("sandbox", cornerman_harness::sandbox::fuzzing::messages),
    ("cluster", messages::cluster),
    ("record", record::bytes),
    ("record-values", record::values),
];
