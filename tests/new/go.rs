//! The templates for Go: every move is one that the rules allow and that fills no eye, until there is none (G1, G2,
//! G4–G6). Against them plays a judge that knows captures, ko and suicide in the plainest way.

use super::dialogue::{Built, trials as of_each};
use libtest_mimic::Trial;
use std::collections::BTreeSet;

pub fn trials() -> Vec<Trial> {
    let small = of_each("go", "keeps_the_rules_on_small_boards", check_small);
    let usual = of_each("go", "plays_a_whole_game_on_the_usual_board", check_usual);
    small.into_iter().chain(usual).collect()
}

const LETTERS: &str = "ABCDEFGHJKLMNOPQRST";
const EMPTY: u8 = b'.';

/// A board as text, row by row from the bottom: a point is an index, a stone its colour's first letter.
#[derive(Clone, PartialEq)]
struct Board {
    size: usize,
    points: Vec<u8>,
}

impl Board {
    fn near(&self, point: usize, steps: [(isize, isize); 4]) -> impl Iterator<Item = usize> + use<> {
        let (size, row, col) = (self.size, point / self.size, point % self.size);
        let step = move |(up, right)| {
            let (row, col) = (row.checked_add_signed(up)?, col.checked_add_signed(right)?);
            (row < size && col < size).then_some(row * size + col)
        };
        steps.into_iter().filter_map(step)
    }

    fn beside(&self, point: usize) -> impl Iterator<Item = usize> + use<> {
        self.near(point, [(0, 1), (1, 0), (0, -1), (-1, 0)])
    }

    /// The group at `point` if it has no liberty.
    fn dead(&self, point: usize) -> Option<BTreeSet<usize>> {
        let (mut group, mut to_see) = (BTreeSet::from([point]), vec![point]);
        while let Some(stone) = to_see.pop() {
            for next in self.beside(stone) {
                if self.points[next] == EMPTY {
                    return None;
                }
                if self.points[next] == self.points[point] && group.insert(next) {
                    to_see.push(next);
                }
            }
        }
        Some(group)
    }

    /// The board after a stone at `point`, unless that is taken or would be suicide.
    fn after(&self, point: usize, colour: u8) -> Option<Board> {
        let mut next = self.clone();
        if std::mem::replace(&mut next.points[point], colour) != EMPTY {
            return None;
        }
        for foe in self.beside(point).filter(|&at| ![EMPTY, colour].contains(&self.points[at])) {
            for stone in next.dead(foe).filter(|_| next.points[foe] != EMPTY).into_iter().flatten() {
                next.points[stone] = EMPTY;
            }
        }
        next.dead(point).is_none().then_some(next)
    }

    /// Whether all beside it is of `colour`, and at most one of four corners, or none at an edge, is not.
    fn is_eye(&self, point: usize, colour: u8) -> bool {
        let corners: Vec<usize> = self.near(point, [(1, 1), (1, -1), (-1, 1), (-1, -1)]).collect();
        let foes = corners.iter().filter(|&&at| ![EMPTY, colour].contains(&self.points[at])).count();
        self.beside(point).all(|at| self.points[at] == colour) && foes <= usize::from(corners.len() == 4)
    }

    fn vertex(&self, point: usize) -> String {
        format!("{}{}", &LETTERS[point % self.size..][..1], point / self.size + 1)
    }

    fn stones(&self) -> usize {
        self.points.iter().filter(|&&point| point != EMPTY).count()
    }
}

/// A game: the boards so far, the first one empty.
struct Judged(Vec<Board>);

impl Judged {
    fn now(&self) -> &Board {
        self.0.last().expect("there is the first")
    }

    /// The points where `colour` may play, and the boards after that.
    fn moves(&self, colour: u8) -> Vec<(usize, Board)> {
        let before = self.0.len().checked_sub(2).map(|at| &self.0[at]);
        let now = self.now();
        let after = |point| now.after(point, colour).filter(|next| Some(next) != before).map(|next| (point, next));
        (0..now.points.len()).filter_map(after).collect()
    }

    fn pass(&mut self) {
        self.0.push(self.now().clone());
    }
}

/// What the games have seen: stones captured by either side, and ko forbidding a move to the bot.
#[derive(Default)]
struct Seen {
    captures: usize,
    kos: usize,
}

/// A game against the bot, which plays `colour`. The judge captures where it can, single stones before all, and
/// plays any other legal move by lot; after a while it only passes, and the bot must come to an end.
fn play(built: &Built, size: usize, colour: &str, lot: &mut usize, seen: &mut Seen) {
    let (own, foe) = if colour == "black" { (b'b', b'w') } else { (b'w', b'b') };
    let named = size.to_string();
    let arguments = [colour, &named];
    let mut bot = built.start(if size == 19 { &arguments[..1] } else { &arguments });
    let mut game = Judged(vec![Board { size, points: vec![EMPTY; size * size] }]);
    let mut sent = None;
    for turn in 0.. {
        assert!(turn < 10 * size * size, "the game has no end");
        if turn > 0 || foe == b'b' {
            let moves = if turn < 2 * size * size { game.moves(foe) } else { Vec::new() };
            let stones = game.now().stones();
            *lot = (*lot * 1_103_515_245 + 12345) % (1 << 31);
            let taking = |taken| moves.iter().position(|(_, next)| next.stones() + taken == stones + 1);
            let chosen = taking(1).or_else(|| taking(2)).unwrap_or((*lot >> 8) % moves.len().max(1));
            sent = moves.into_iter().nth(chosen);
            match sent.clone() {
                Some((point, next)) => {
                    seen.captures += usize::from(next.stones() <= stones);
                    bot.send(&game.now().vertex(point));
                    game.0.push(next);
                }
                None => {
                    bot.send("pass");
                    game.pass();
                }
            }
            if turn == size {
                bot.send("time");
            }
        }
        let answer = bot.line();
        let board = game.now().clone();
        let allowed: Vec<_> = game.moves(own).into_iter().filter(|(at, _)| !board.is_eye(*at, own)).collect();
        let legal_but_ko = (0..size * size).filter(|&at| board.after(at, own).is_some() && !board.is_eye(at, own));
        seen.kos += legal_but_ko.count() - allowed.len();
        let names: Vec<String> = allowed.iter().map(|(at, _)| board.vertex(*at)).collect();
        match allowed.into_iter().find(|(at, _)| board.vertex(*at) == answer) {
            Some((_, next)) => {
                seen.captures += usize::from(next.stones() <= board.stones());
                game.0.push(next);
            }
            None => {
                assert!(answer == "pass" && names.is_empty(), "turn {turn}: {answer}, where {names:?} were due");
                game.pass();
                if sent.is_none() {
                    break;
                }
            }
        }
    }
    bot.send("pass");
    bot.end();
}

fn check_small(built: &Built) {
    let (mut lot, mut seen) = (1, Seen::default());
    for size in [5, 6, 5, 7, 5, 6] {
        for colour in ["black", "white"] {
            play(built, size, colour, &mut lot, &mut seen);
        }
    }
    assert!(seen.captures > 50 && seen.kos > 5, "{} captures, {} kos", seen.captures, seen.kos);
}

fn check_usual(built: &Built) {
    play(built, 19, "white", &mut 1, &mut Seen::default());
}
