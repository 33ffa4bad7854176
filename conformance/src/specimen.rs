//! Specimens of answers, right and wrong, for which the rules have a verdict. No bot is run.

use cornerman::game::Setup;
use cornerman_harness::ruleset::Ruleset;

/// An answer in a game after some moves, which the seats made by turns.
#[derive(Clone, Copy, Debug)]
pub struct Specimen {
    /// What it is a specimen of, such as `beyond-nine-lines`.
    pub name: &'static str,
    /// The answers before it, separated by blanks.
    pub moves: &'static str,
    /// The answer.
    pub answer: &'static str,
}

impl Specimen {
    /// A specimen of this name.
    pub const fn new(name: &'static str, moves: &'static str, answer: &'static str) -> Specimen {
        Specimen { name, moves, answer }
    }

    /// The verdict of `ruleset`: `legal: C3`, or the violation's kind, the number of the rule and what is wrong.
    pub fn verdict(&self, ruleset: &Ruleset) -> String {
        let setup = Setup { seats: ruleset.seats.0, seed: 1, board: ruleset.board(1), ..Setup::default() };
        let mut game = match ruleset.open(&setup) {
            Ok(game) => game,
            Err(error) => return format!("no such game: {error}"),
        };
        let mut play = |answer: &str| match game.to_act().iter().next() {
            None => Err("the game is over".to_string()),
            Some(seat) => game
                .answer(seat, answer.as_bytes())
                .map_err(|wrong| format!("{} {}: {}", wrong.kind, wrong.rule, wrong.detail)),
        };
        for before in self.moves.split_whitespace() {
            if let Err(why) = play(before) {
                return format!("not asked, for before it {before} is {why}");
            }
        }
        play(self.answer).map_or_else(|why| why, |notation| format!("legal: {notation}"))
    }
}

/// Answers that are wrong in any game, or almost.
pub(crate) const GENERAL: &[Specimen] = &[
    Specimen::new("nothing", "", ""),
    Specimen::new("blanks", "", "   "),
    Specimen::new("nought", "", "0"),
    Specimen::new("one", "", "1"),
    Specimen::new("minus-one", "", "-1"),
    Specimen::new("a-large-number", "", "4294967296"),
    Specimen::new("a-word", "", "nonsense"),
    Specimen::new("two-words", "", "no sense"),
    Specimen::new("a-control-character", "", "\u{7}"),
];
