//! Games of judges: the board that the judge writes, its words, and its pictures on the page.

use crate::view::{AnyView, ExportError, FileForm, GameLayout, Picture, Script, StepWords, View};
use crate::why::{self, Explanation, Means, RecordedTurn};
use crate::{Style, count};
use cornerman::game::{End, LiveGame, Outcome, Seat};
use cornerman_harness::judge::{JudgedGame, JudgedRules, failure::throw, judged};
use cornerman_harness::record::{EntrantRecord, GameRecord, Header, actions};
use cornerman_harness::replay::{Deviation, Step, open, play_again};
use cornerman_harness::ruleset::Ruleset;
use serde_json::{Number, json};

/// The view of the games of all judges.
pub const VIEW: JudgedView = JudgedView;

/// The type of [`VIEW`].
pub struct JudgedView;

/// How games by one ruleset are shown.
struct ByJudge<'a> {
    rules: &'a JudgedRules,
    ruleset: &'a Ruleset,
}

impl AnyView for JudgedView {
    fn for_ruleset<'a>(&'a self, ruleset: &'a Ruleset) -> Box<dyn View + 'a> {
        let rules = judged(ruleset).expect("it is asked for rulesets of judges");
        Box::new(ByJudge { rules, ruleset })
    }
    fn files(&self) -> &'static [FileForm] {
        &[]
    }
}

/// The game, if a judge judges it.
pub(crate) fn judged_game(live: &dyn LiveGame) -> Option<&JudgedGame> {
    live.as_any()?.downcast_ref()
}

/// What the judge says of the position, by seat; empty if it says nothing.
fn value(live: &dyn LiveGame) -> Vec<f64> {
    let value = judged_game(live).map_or(&[][..], |game| &game.position().value);
    value.iter().filter_map(Number::as_f64).collect()
}

/// The judge's picture of the position, as bytes of a file that shows by itself; `None` if it draws none.
pub(crate) fn picture(live: &dyn LiveGame) -> Option<Vec<u8>> {
    let game = judged_game(live).filter(|game| game.has_picture())?;
    let svg = game.picture().unwrap_or_else(|failure| throw(failure));
    let svg = svg.trim_start();
    // An image needs the name space, which a judge may leave out.
    let whole = if svg.contains("xmlns=") {
        svg.to_string()
    } else {
        svg.replacen("<svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"", 1)
    };
    Some(whole.into_bytes())
}

impl View for ByJudge<'_> {
    fn layout(&self) -> GameLayout {
        GameLayout::Boards
    }
    fn extent(&self) -> Option<(usize, usize)> {
        None
    }
    fn explain(
        &self,
        record: &GameRecord,
        _: &[String],
        seat: Seat,
        means: Means,
    ) -> Result<Explanation, Deviation> {
        let forfeits = why::forfeits(record, seat);
        if !forfeits.is_empty() {
            return Ok(Explanation::words(forfeits));
        }
        let mut live = open(self.ruleset, &record.setup)?;
        let mut turns: Vec<RecordedTurn> = Vec::new();
        let mut positions = vec![live.fork()];
        let mut due = live.to_act().len() as usize;
        let mut acted = 0;
        play_again(&mut *live, &actions(record), &mut |step| {
            turns.push(RecordedTurn::alone(turns.len(), &step.action));
            positions.push(step.live.fork());
            acted += 1;
            if acted == due {
                why::together(&mut turns, due);
                due = step.live.to_act().len() as usize;
                acted = 0;
            }
        })?;
        let values: Vec<Vec<f64>> = positions.iter().map(|live| value(&**live)).collect();
        if values.iter().any(|value| !value.is_empty()) {
            return Ok(why::by_values(&turns, seat, &values));
        }
        Ok(why::by_playing_out(&turns, seat, record, means, &|at| positions[at].fork()))
    }
    fn picture(&self, picture: &Picture, _: Style) -> String {
        let text = cornerman_harness::text::plain_lines(String::from_utf8_lossy(picture.board));
        if text.is_empty() || text.ends_with('\n') { text } else { text + "\n" }
    }
    fn status(&self, _: &[u8]) -> String {
        String::new()
    }
    fn spoken(&self, _: &str) -> Option<&'static str> {
        None
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
        StepWords { follows: crate::plain(&position.words), members }
    }
    fn decision(&self, _: End) -> &'static str {
        "wins the game"
    }
    fn victory(&self, outcome: &Outcome, seat: Seat) -> String {
        match outcome.end {
            End::Forfeited => "wins by forfeit".to_string(),
            End::Played => {
                let points = outcome.points[seat.index()];
                let words = count(points.unsigned_abs() as usize, self.unit());
                format!("wins with {}{words}", if points < 0 { "-" } else { "" })
            }
        }
    }
    fn holding(&self, outcome: &Outcome, seat: Seat) -> String {
        let held = outcome.territory[seat.index()];
        if outcome.territory.iter().all(|held| *held == 0) { String::new() } else { format!("{held} held, ") }
    }
    fn summary(&self, _: &[Vec<String>], _: Seat) -> String {
        String::new()
    }
    fn unit(&self) -> &'static str {
        self.rules.kit().unit
    }
    fn script(&self) -> Script {
        SCRIPT
    }
    fn write(
        &self,
        form: &str,
        _: &Header,
        _: &[EntrantRecord],
        record: &GameRecord,
        _: Option<&'static str>,
    ) -> Result<String, ExportError> {
        let why = format!("this game has no format `{form}`");
        Err(ExportError { id: record.pairing.id, form: form.to_string(), why })
    }
}

/// Shows the judge's pictures, or its board as text.
const SCRIPT: Script = Script {
    kind: "judged",
    js: include_str!("judged/board.js"),
    css: include_str!("judged/board.css"),
    ..Script::TEXT
};
