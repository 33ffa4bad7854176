//! Answers in Go on at least nine lines, right and wrong.

use crate::specimen::Specimen;

/// White lets black capture one stone, and would capture back at once.
const KO: &str = "D5 G5 E6 F6 E4 F4 pass E5 F5";
/// White lets black capture two stones, and would capture one back, which would repeat the position after move 7.
const TWO_FOR_ONE: &str = "A2 C2 B2 D1 A3 B1 pass A1 C1";

/// Answers, and games before them.
pub(super) const SPECIMENS: &[Specimen] = &[
    Specimen::new("a-vertex", "", "C3"),
    Specimen::new("small-letters", "", "c3"),
    Specimen::new("blanks-and-return", "", " C3 \r"),
    Specimen::new("pass", "", "pass"),
    Specimen::new("beyond-nine-lines", "", "K10"),
    Specimen::new("beyond-nineteen-lines", "", "A20"),
    Specimen::new("the-letter-i", "", "I5"),
    Specimen::new("a-leading-nought", "", "C03"),
    Specimen::new("nothing", "", ""),
    Specimen::new("resign", "", "resign"),
    Specimen::new("occupied-by-itself", "C3 D4", "C3"),
    Specimen::new("occupied-by-the-other", "C3", "C3"),
    Specimen::new("suicide", "E5 A2 E6 B1", "A1"),
    Specimen::new("no-liberty-but-takes", "A3 A2 B2 B1", "A1"),
    Specimen::new("ko", KO, "E5"),
    Specimen::new("elsewhere-than-ko", KO, "A1"),
    Specimen::new("two-for-one", TWO_FOR_ONE, "B1"),
];
