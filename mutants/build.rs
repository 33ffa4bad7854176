//! Keeps the mutant program small: it is copied for every sandbox in which it plays.

fn main() {
    println!("cargo::rustc-link-arg-bin=mutant=-s");
    println!("cargo::rerun-if-changed=build.rs");
}
