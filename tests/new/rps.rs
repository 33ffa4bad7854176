//! The templates for rock-paper-scissors: a name, then a hand for each line (R3–R5).

use super::dialogue::{Built, trials as of_each};
use libtest_mimic::Trial;

pub fn trials() -> Vec<Trial> {
    of_each("rps", "plays_a_whole_game", check_game)
}

/// Checks that the bot beats the hand that it has been shown most often.
fn check_game(built: &Built) {
    for seed in ["0", "31241", "60000"] {
        let mut bot = built.start(&[]);
        let mut again = built.start(&[]);
        assert_eq!([bot.line(), again.line()], ["left-hook", "left-hook"]);
        for copy in [&mut bot, &mut again] {
            copy.send(seed);
            copy.send("7");
        }
        let first = bot.line();
        assert!(["0", "1", "2"].contains(&first.as_str()), "{first}");
        assert_eq!(first, again.line(), "the same seed is the same game");
        let heard = ["1", "1", "0", "2", "2", "2"].map(|foe| bot.ask(foe));
        assert_eq!(heard[..3], ["2", "2", "2"], "paper was most frequent");
        assert_eq!(heard[5..], ["0"], "scissors were most frequent");
        bot.send("0");
        bot.end();
        again.end();
    }
}
