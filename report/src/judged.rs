//! How games whose rules are a judge's are shown: the board and the words that the judge writes, and on the page its
//! pictures.

use crate::Style;
use crate::view::{GameView, Picture, Script, StepWords};
use cornerman::game::{LiveGame, Outcome, Seat};
use cornerman_harness::judge::{JudgedGame, failure::throw, judged};
use cornerman_harness::replay::Step;
use cornerman_harness::ruleset::Ruleset;
use serde_json::{Number, json};

/// The view of the games of all judges.
pub const VIEW: JudgedView = JudgedView;

/// The type of [`VIEW`].
pub struct JudgedView;

/// The game as its judge knows it; `None` if its rules are not a judge's.
fn judged_game(live: &dyn LiveGame) -> Option<&JudgedGame> {
    live.as_any()?.downcast_ref()
}

/// The judge's picture of the position, as the bytes of an SVG file; `None` if it draws none.
pub(crate) fn picture(live: &dyn LiveGame) -> Option<Vec<u8>> {
    let game = judged_game(live).filter(|game| game.has_picture())?;
    let svg = game.picture().unwrap_or_else(|failure| throw(failure));
    let svg = svg.trim_start();
    // A file needs the name space, which a judge may leave out.
    let whole = if svg.contains("xmlns=") {
        svg.to_string()
    } else {
        svg.replacen("<svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"", 1)
    };
    Some(whole.into_bytes())
}

impl GameView for JudgedView {
    fn picture(&self, _: &Ruleset, picture: &Picture, _: Style) -> String {
        let text = cornerman_harness::text::plain_lines(String::from_utf8_lossy(picture.board));
        if text.is_empty() || text.ends_with('\n') { text } else { text + "\n" }
    }

    fn words(&self, step: &Step) -> StepWords {
        let Some(game) = judged_game(step.live) else { return StepWords::default() };
        let position = game.position();
        let mut members = Vec::new();
        if !position.territory.is_empty() {
            members.push(("territory", json!(position.territory)));
        }
        if !position.value.is_empty() {
            members.push(("value", json!(position.value)));
        }
        // While others still have to act, the position and its words are those of the last turn.
        let is_whole = game.to_act() == position.turn;
        StepWords { follows: if is_whole { crate::plain(&position.words) } else { String::new() }, members }
    }

    fn holding(&self, outcome: &Outcome, seat: Seat) -> String {
        let held = outcome.territory[seat.index()];
        if outcome.territory.iter().all(|held| *held == 0) { String::new() } else { format!("{held} held, ") }
    }

    fn unit(&self, ruleset: &Ruleset) -> &'static str {
        &judged(ruleset).expect("it is asked for rulesets of judges").judge.hello.unit
    }

    /// What the judge says of the position.
    fn value(&self, live: &dyn LiveGame) -> Vec<f64> {
        let value = judged_game(live).map_or(&[][..], |game| &game.position().value);
        value.iter().filter_map(Number::as_f64).collect()
    }

    /// Shows the judge's pictures, or its board as text.
    fn script(&self) -> Script {
        Script {
            kind: "judged",
            js: include_str!("judged/board.js"),
            css: include_str!("judged/board.css"),
            ..Script::TEXT
        }
    }
}
