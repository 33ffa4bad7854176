//! End to end: the built command against real bots, one file a command.

fn main() {}
