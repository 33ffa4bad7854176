//! The targets for libFuzzer, which chooses inputs that reach new code. `FUZZ_TARGET` names the target.

#![no_main]

mod targets;
#[path = "../unpacked.rs"]
mod unpacked;

use std::sync::LazyLock;
use targets::{TARGETS, Target};

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("FUZZ_TARGET").unwrap_or_default();
    TARGETS.iter().find(|(known, _)| *known == name).expect("FUZZ_TARGET names a target").1
});

libfuzzer_sys::fuzz_target!(|input: &[u8]| TARGET(input));
