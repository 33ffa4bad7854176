//! The command line.
#![forbid(unsafe_code)]
mod tidy;
fn main() {
    for problem in tidy::run(std::path::Path::new(".")).unwrap() {
        println!("{problem}");
    }
}
