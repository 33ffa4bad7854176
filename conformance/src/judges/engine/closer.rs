//! Questions about a position that games seldom have: about forfeits, nonsense, listed moves that were not chosen,
//! and a picture, and with a field that the judge does not know.

use super::{Engine, Moves, Place, if_survived, why};
use crate::judges::session::{AS_USUAL, Checked, Exchange};
use cornerman_harness::judge::answer::{self, MoveAnswer};

/// How many listed moves of each seat are tried at a position, at most.
const TRIED: usize = 6;

/// The same at the first two positions of a game.
const TRIED_FIRST: usize = 80;

/// Answers of bots that hardly any game takes for a move. Those of a `filter` may be several lines.
pub(super) fn garbage(filter: bool) -> Vec<String> {
    let text = include_str!("../../../cases/judges/nonsense.json");
    let mut texts: Vec<String> = serde_json::from_str(text).expect("a list of texts");
    texts.extend([
        "9".repeat(5000),
        "x".repeat(60_000),
        " ".repeat(60_000),
        "1 ".repeat(20_000),
        format!("{}5", "0".repeat(300)),
        "[".repeat(10_000),
        "\"".repeat(10_000),
    ]);
    if filter {
        texts.extend(["\n", "\n\n\n", "1\n2\n", "\r\n", "a\nb\nc\nd\ne\nf\ng\nh\n"].map(str::to_string));
        texts.extend(["x\n".repeat(30_000), "\n".repeat(100_000), "y".repeat(1 << 20)]);
    }
    texts
}

impl Engine<'_> {
    /// In a quarter of all cases, asks `question` again with a field that the judge does not know. The answer must be
    /// the same.
    pub(super) fn newer(&mut self, place: &Place, question: &str) -> Checked {
        if self.has("JD-NEWER") || self.has("JD-SAME") || self.rng.below(4) > 0 {
            return Ok(());
        }
        let known = self.asked.iter().rev().find(|(_, exchange)| exchange.question == question);
        let Some(answer) = known.map(|(_, exchange)| exchange.answer.clone()) else { return Ok(()) };
        // Texts in the question cannot match this, because their quotation marks are escaped.
        let question = question.replacen(",\"out\":", ",\"newer\":[1,{\"later\":\"x\"}],\"out\":", 1);
        let newer = Exchange { question, answer };
        let what = |_: &str| "with a field that it does not know, it answers differently".to_string();
        self.session.differs(&newer, "JD-NEWER", &place.words, what)?;
        Ok(())
    }

    /// Asks about forfeits, listed moves and nonsense. `chosen` are the moves that were played here.
    pub(super) fn look_closer(&mut self, place: &Place, chosen: &Moves, game: u32) -> Checked {
        if self.hello.picture && place.moves.is_multiple_of(5) && !self.has("JD-PICTURE") {
            self.picture(place)?;
        }
        self.forfeits(place, chosen)?;
        if self.hello.legal {
            self.listed(place, chosen)?;
        }
        // Beside nonsense, the other seats make the chosen moves, as answers of bots. If the judge refuses these,
        // they forfeit.
        let mut chosen = chosen.to_vec();
        if self.hello.legal {
            let plain = self.moves(place, &chosen, false, &if_survived("JD-GARBAGE"))?;
            match plain {
                Some((MoveAnswer::Position(after), _)) => self.notation(place, &chosen, &after, None)?,
                _ => chosen.fill(None),
            }
        }
        let chosen = chosen.as_slice();
        // At the first positions of the first games all nonsense is tried, and elsewhere a few texts.
        let everything = game < 2 && place.moves < 2 || game == 0 && place.moves < 6;
        let texts: Vec<String> = if everything {
            self.garbage.clone()
        } else {
            (0..3).filter_map(|_| self.rng.pick(&self.garbage).cloned()).collect()
        };
        for index in 0..chosen.len() {
            for text in &texts {
                // More nonsense would only show the same fault again, and each fault ends the process.
                if ["JD-GARBAGE", "JD-FORM", "JD-ILLEGAL"].iter().any(|id| self.has(id)) || self.is_late() {
                    return Ok(());
                }
                self.nonsense(place, chosen, index, text)?;
            }
        }
        Ok(())
    }

    fn forfeits(&mut self, place: &Place, chosen: &Moves) -> Checked {
        let mut tried: Vec<Vec<Option<String>>> = vec![vec![None; chosen.len()]];
        if chosen.len() > 1 {
            for index in 0..chosen.len() {
                let mut one = chosen.to_vec();
                one[index] = None;
                tried.push(one);
            }
        }
        for moves in tried {
            if self.has("JD-FORFEIT") {
                return Ok(());
            }
            let check_of_fault = |id| if id == "JD-FORM" { "JD-FORFEIT" } else { if_survived("JD-FORFEIT")(id) };
            if let Some((MoveAnswer::Illegal(illegal), question)) =
                self.moves(place, &moves, self.hello.legal, &check_of_fault)?
                && self.hello.legal
            {
                let what = format!("beside a forfeit, a legal move of another seat is refused: {}", why(&illegal));
                self.found("JD-APART", &what, place, &question);
            }
        }
        Ok(())
    }

    /// Tries listed moves: they must be legal, and their notation right.
    fn listed(&mut self, place: &Place, chosen: &Moves) -> Checked {
        for (index, seat) in place.turn().into_iter().enumerate() {
            let Some(legal) = self.legal(place, seat, false)? else { return Ok(()) };
            let most = if place.moves < 2 { TRIED_FIRST } else { TRIED };
            let mut order: Vec<&String> = legal.iter().collect();
            self.rng.shuffle(&mut order);
            for listed in order.into_iter().take(most) {
                if self.has("JD-LEGAL") || self.has("JD-APART") || self.is_late() {
                    return Ok(());
                }
                let mut moves = chosen.to_vec();
                moves[index] = Some(listed.clone());
                match self.moves(place, &moves, true, AS_USUAL)? {
                    None => return Ok(()),
                    Some((MoveAnswer::Illegal(illegal), question)) => {
                        self.refused(place, &moves, &illegal, &question)?;
                    }
                    Some((MoveAnswer::Position(after), question)) => {
                        self.notation(place, &moves, &after, Some(&question))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Checks what the judge says if the seat `index` of those that act answers nonsense: whether it is legal must
    /// not depend on the others.
    fn nonsense(&mut self, place: &Place, chosen: &Moves, index: usize, text: &str) -> Checked {
        let mut moves = chosen.to_vec();
        moves[index] = Some(text.to_string());
        if self.has("JD-FORFEIT") && moves.iter().any(Option::is_none) {
            return Ok(());
        }
        let Some((answer, question)) = self.moves(place, &moves, false, &if_survived("JD-GARBAGE"))? else {
            return Ok(());
        };
        let verdicts = refused(&answer, chosen.len());
        let others = |at: &usize| *at != index && verdicts[*at];
        let turn = place.turn();
        let seat = turn[index].0;
        if let (Some(other), true) = ((0..chosen.len()).find(others), self.hello.legal) {
            let other = turn[other].0;
            let what = format!("beside an answer of nonsense, the legal move of seat {other} is refused");
            self.found("JD-APART", &what, place, &question);
        }
        if let MoveAnswer::Position(after) = &answer {
            self.notation(place, &moves, after, None)?;
        }
        if chosen.len() < 2 || self.has("JD-APART") || self.has("JD-FORFEIT") {
            return Ok(());
        }
        let mut alone = vec![None; chosen.len()];
        alone[index] = Some(text.to_string());
        let text: String = text.chars().take(40).collect();
        // If all answers are nonsense, the judge must refuse each of them.
        let both = vec![moves[index].clone(); chosen.len()];
        let tried = [
            (alone, format!("whether {text:?} of seat {seat} is legal depends on whether the others forfeit")),
            (both, format!("nonsense of seat {seat} is not named beside that of others")),
        ];
        for (moves, what) in tried {
            let answer = self.moves(place, &moves, false, &if_survived("JD-GARBAGE"))?;
            let Some((answer, question)) = answer else { return Ok(()) };
            if refused(&answer, chosen.len())[index] != verdicts[index] {
                self.found("JD-APART", &what, place, &question);
                return Ok(());
            }
        }
        Ok(())
    }

    pub(super) fn picture(&mut self, place: &Place) -> Checked {
        if place.position.state.is_empty() {
            self.found("JD-PICTURE", "the last position has no `state`, so there is nothing to draw", place, "");
            return Ok(());
        }
        let question = place.questions.picture(place.at());
        self.ask(&question, &place.words, answer::picture, AS_USUAL)?;
        Ok(())
    }
}

/// Which of this many answers are refused.
fn refused(answer: &MoveAnswer, answers: usize) -> Vec<bool> {
    match answer {
        MoveAnswer::Illegal(illegal) => illegal.iter().map(Option::is_some).collect(),
        _ => vec![false; answers],
    }
}
