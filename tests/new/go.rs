//! The templates for Go: every move is legal and fills no eye, until there is no such move (G1, G2, G4–G6). The
//! opponent is a judge that implements captures, ko and suicide in the simplest way.

use super::dialogue::{Bot, Built, trials as of_each};
use libtest_mimic::Trial;
use std::collections::BTreeSet;

pub fn trials() -> Vec<Trial> {
    let small = of_each("go", "keeps_the_rules_on_small_boards", check_small);
    let usual = of_each("go", "plays_a_whole_game_on_the_usual_board", check_usual);
    small.into_iter().chain(usual).collect()
}

const LETTERS: &str = "ABCDEFGHJKLMNOPQRST";
const EMPTY: u8 = b'.';

/// A board as text, row by row from the bottom. A point is an index; a stone is the first letter of its colour.
#[derive(Clone, PartialEq)]
struct Board {
    size: usize,
    points: Vec<u8>,
}

impl Board {
    fn near(&self, point: usize, steps: [(isize, isize); 4]) -> impl Iterator<Item = usize> + use<> {
        let size = self.size;
        let row = point / self.size;
        let col = point % self.size;
        let step = move |(up, right)| {
            let row = row.checked_add_signed(up)?;
            let col = col.checked_add_signed(right)?;
            (row < size && col < size).then_some(row * size + col)
        };
        steps.into_iter().filter_map(step)
    }

    fn beside(&self, point: usize) -> impl Iterator<Item = usize> + use<> {
        self.near(point, [(0, 1), (1, 0), (0, -1), (-1, 0)])
    }

    /// The group at `point`, if it has no liberties.
    fn dead(&self, point: usize) -> Option<BTreeSet<usize>> {
        let mut group = BTreeSet::from([point]);
        let mut to_see = vec![point];
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

    /// The board after a stone at `point`; `None` if the point is occupied or the move is suicide.
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

    /// Whether `point` is an eye of `colour`: all neighbours have that colour, and of the diagonal neighbours at most one
    /// is the opponent's, or none at the edge.
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

/// A game between the bot and the judge. The judge captures where it can, single stones first, and otherwise plays a random
/// legal move. After a while it only passes, and the bot must end the game.
struct Game<'a> {
    bot: Bot,
    /// The first letters of the bot's colour and of the judge's.
    own: u8,
    foe: u8,
    /// The boards so far, beginning with the empty one.
    boards: Vec<Board>,
    seen: &'a mut Seen,
}

/// What has occurred in the games: captures, and points that the bot could not play only because of ko.
#[derive(Default)]
struct Seen {
    lot: usize,
    captures: usize,
    kos: usize,
}

impl Game<'_> {
    fn now(&self) -> &Board {
        self.boards.last().expect("there is the first")
    }

    /// The points where `colour` may play, and the boards after that.
    fn moves(&self, colour: u8) -> Vec<(usize, Board)> {
        let before = self.boards.len().checked_sub(2).map(|at| &self.boards[at]);
        let after = |point| Some((point, self.now().after(point, colour)?));
        let all = (0..self.now().points.len()).filter_map(after);
        all.filter(|(_, next)| Some(next) != before).collect()
    }

    /// Plays a move, or passes if there is none.
    fn go_on(&mut self, next: Option<Board>) {
        let next = next.unwrap_or_else(|| self.now().clone());
        self.seen.captures += usize::from(next.stones() < self.now().stones() + 1 && next != *self.now());
        self.boards.push(next);
    }

    /// Makes the judge's move. Returns whether it passed.
    fn judge_moves(&mut self) -> bool {
        let stones = self.now().stones();
        let points = self.now().points.len();
        let moves = if self.boards.len() < 4 * points { self.moves(self.foe) } else { Vec::new() };
        self.seen.lot = (self.seen.lot * 1_103_515_245 + 12345) % (1 << 31);
        let taking = |taken| moves.iter().position(|(_, next)| next.stones() + taken == stones + 1);
        let chosen = taking(1).or_else(|| taking(2)).unwrap_or((self.seen.lot >> 8) % moves.len().max(1));
        let chosen = moves.into_iter().nth(chosen);
        let word = chosen.as_ref().map_or("pass".to_string(), |(point, _)| self.now().vertex(*point));
        self.bot.send(&word);
        self.go_on(chosen.map(|(_, next)| next));
        word == "pass"
    }

    /// Asks the bot for its move, and checks it. Returns whether it passed.
    fn bot_moves(&mut self) -> bool {
        let answer = self.bot.line();
        let board = self.now();
        let own = self.own;
        let mut allowed = self.moves(own);
        allowed.retain(|(at, _)| !board.is_eye(*at, own));
        let names: Vec<String> = allowed.iter().map(|(at, _)| board.vertex(*at)).collect();
        let but_for_ko =
            (0..board.points.len()).filter(|&at| board.after(at, own).is_some() && !board.is_eye(at, own)).count();
        let chosen = allowed.into_iter().zip(&names).find(|(_, name)| **name == answer);
        let passes = answer == "pass" && names.is_empty();
        assert!(chosen.is_some() || passes, "the answer was {answer}, where {names:?} were due");
        self.seen.kos += but_for_ko - names.len();
        self.go_on(chosen.map(|((_, next), _)| next));
        passes
    }
}

/// Plays a game on a board of this size, in which the bot plays `colour`.
fn play(built: &Built, size: usize, colour: &str, seen: &mut Seen) {
    let (own, foe) = if colour == "black" { (b'b', b'w') } else { (b'w', b'b') };
    let named = size.to_string();
    let arguments = [colour, &named];
    let bot = built.start(if size == 19 { &arguments[..1] } else { &arguments });
    let empty = Board { size, points: vec![EMPTY; size * size] };
    let mut game = Game { bot, own, foe, boards: vec![empty], seen };
    let mut passed = own == b'b' && game.bot_moves();
    for turn in 0.. {
        assert!(turn < 10 * size * size, "the game has no end");
        let judge_passed = game.judge_moves();
        if judge_passed && passed {
            break;
        }
        if turn == size {
            game.bot.send("time");
        }
        passed = game.bot_moves();
        if judge_passed && passed {
            break;
        }
    }
    game.bot.end();
}

fn check_small(built: &Built) {
    /// The most games to play until everything has occurred, because the templates play random moves.
    const MOST: usize = 60;
    let mut seen = Seen::default();
    let pairs = [5, 6, 5, 7].into_iter().cycle().flat_map(|size| [(size, "black"), (size, "white")]);
    for (game, (size, colour)) in pairs.take(MOST).enumerate() {
        play(built, size, colour, &mut seen);
        if game >= 8 && seen.captures > 50 && seen.kos > 0 {
            return;
        }
    }
    panic!("{} captures, {} kos in {MOST} games", seen.captures, seen.kos);
}

fn check_usual(built: &Built) {
    play(built, 19, "white", &mut Seen::default());
}
