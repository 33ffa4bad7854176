//! Answers in rock-paper-scissors, right and wrong.

use crate::specimen::Specimen;

/// Answers, and games before them.
pub(super) const SPECIMENS: &[Specimen] = &[
    Specimen::new("rock", "", "0"),
    Specimen::new("paper", "", "1"),
    Specimen::new("scissors", "", "2"),
    Specimen::new("blanks-and-return", "", " 1\r"),
    Specimen::new("three", "", "3"),
    Specimen::new("minus-one", "", "-1"),
    Specimen::new("a-word", "", "rock"),
    Specimen::new("nothing", "", ""),
    Specimen::new("two-numbers", "", "0 1"),
    Specimen::new("a-leading-nought", "", "01"),
    Specimen::new("later", "0 1 2 2", "2"),
];
