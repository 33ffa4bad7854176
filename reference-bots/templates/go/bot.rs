//! {{name}} plays Go at random, but never fills its own eyes. Run as: ./bot black|white [SIZE]

use std::io::{self, BufRead, Write};
use std::time::{SystemTime, UNIX_EPOCH};

#[derive(Clone, Copy, PartialEq)]
enum Spot {
    Empty,
    Black,
    White,
    Edge,
}
use Spot::{Black, Edge, Empty, White};

/// A point is row * LINE + column, both from 1; rows count from the bottom. The border is EDGE points.
const LINE: usize = 27;
const LETTERS: &str = "ABCDEFGHJKLMNOPQRSTUVWXYZ"; // the columns; I is skipped

fn other(colour: Spot) -> Spot {
    if colour == Black { White } else { Black }
}

fn beside(point: usize) -> [usize; 4] {
    [point + 1, point - 1, point + LINE, point - LINE]
}

fn corners(point: usize) -> [usize; 4] {
    [point + LINE + 1, point + LINE - 1, point - LINE + 1, point - LINE - 1]
}

struct Board {
    spots: Vec<Spot>,
    /// The point that ko forbids.
    ko: Option<usize>,
}

impl Board {
    fn new(size: usize) -> Board {
        let on_board = |line: usize| (1..=size).contains(&line);
        let spot = |point| if on_board(point / LINE) && on_board(point % LINE) { Empty } else { Edge };
        Board { spots: (0..LINE * LINE).map(spot).collect(), ko: None }
    }

    /// The group of the stone at `point`: its stones, and how many liberties it has.
    fn group(&self, point: usize) -> (Vec<usize>, usize) {
        let mut stones = vec![point];
        let mut liberties = Vec::new();
        let mut at = 0;
        while at < stones.len() {
            for next in beside(stones[at]) {
                if self.spots[next] == Empty && !liberties.contains(&next) {
                    liberties.push(next);
                } else if self.spots[next] == self.spots[point] && !stones.contains(&next) {
                    stones.push(next);
                }
            }
            at += 1;
        }
        (stones, liberties.len())
    }

    /// Places a stone and removes the stones that it captures.
    fn play(&mut self, point: usize, colour: Spot) {
        self.spots[point] = colour;
        let mut taken = Vec::new();
        for next in beside(point) {
            if self.spots[next] == other(colour) {
                let (stones, liberties) = self.group(next);
                if liberties == 0 {
                    for &stone in &stones { self.spots[stone] = Empty; }
                    taken.extend(stones);
                }
            }
        }
        // Ko: a single stone that has captured a single stone may not be captured back at once.
        let (stones, liberties) = self.group(point);
        let is_ko = taken.len() == 1 && stones.len() == 1 && liberties == 1;
        self.ko = is_ko.then(|| taken[0]);
    }

    /// Whether a stone may be placed there: the point is empty, and the move breaks no ko and is no suicide.
    fn is_legal(&self, point: usize, colour: Spot) -> bool {
        self.spots[point] == Empty
            && self.ko != Some(point)
            && beside(point).into_iter().any(|next| match self.spots[next] {
                Empty => true,
                Edge => false,
                // It joins a group that has another liberty, or captures one.
                stone => (self.group(next).1 > 1) == (stone == colour),
            })
    }

    /// Whether the point is a real eye: its neighbours are ours, and the opponent has few of its corners.
    fn is_eye(&self, point: usize, colour: Spot) -> bool {
        let corners = corners(point).map(|corner| self.spots[corner]);
        let foes = corners.iter().filter(|&&corner| corner == other(colour)).count();
        beside(point).iter().all(|&next| self.spots[next] == colour || self.spots[next] == Edge)
            && foes <= if corners.contains(&Edge) { 0 } else { 1 }
    }

    /// The point to play, or `None` to pass. Make it smarter here.
    fn choose(&self, colour: Spot, chance: &mut u64) -> Option<usize> {
        let is_good = |&point: &usize| self.is_legal(point, colour) && !self.is_eye(point, colour);
        let good: Vec<usize> = (0..self.spots.len()).filter(is_good).collect();
        // Xorshift, because Rust's standard library has no random numbers.
        *chance ^= *chance << 13;
        *chance ^= *chance >> 7;
        *chance ^= *chance << 17;
        good.get(*chance as usize % good.len().max(1)).copied()
    }

    /// Makes a move and prints it. Returns whether it was a pass.
    fn make_move(&mut self, colour: Spot, chance: &mut u64) -> io::Result<bool> {
        let point = self.choose(colour, chance);
        let text = match point {
            Some(point) => format!("{}{}", &LETTERS[point % LINE - 1..point % LINE], point / LINE),
            None => "pass".to_string(),
        };
        self.ko = None;
        for point in point { self.play(point, colour); }
        let mut out = io::stdout();
        writeln!(out, "{text}")?;
        out.flush()?; // without this, the line could stay in the buffer
        Ok(point.is_none())
    }
}

/// The point that a line such as `G7` names.
fn parse(line: &str) -> Option<usize> {
    let col = LETTERS.find(line.get(..1)?)? + 1;
    Some(line[1..].parse::<usize>().ok()? * LINE + col)
}

fn main() -> io::Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let own = match args.get(1).map(String::as_str) {
        Some("black") => Black,
        Some("white") => White,
        _ => return Err(io::Error::other("usage: bot black|white [SIZE]")),
    };
    let mut board = Board::new(args.get(2).map_or(19, |size| size.parse().expect("the size is a number")));
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock is past 1970");
    let mut chance = now.as_nanos() as u64 | 1;
    let mut passed = own == Black && board.make_move(own, &mut chance)?; // Black moves first
    for line in io::stdin().lock().lines() {
        match line?.trim().to_uppercase().as_str() {
            "TIME" => continue, // our time is used up, but this bot is fast anyway
            "PASS" if passed => break, // two passes end the game
            "PASS" => board.ko = None,
            word => match parse(word).filter(|&point| board.spots.get(point) == Some(&Empty)) {
                Some(point) => board.play(point, other(own)),
                None => return Err(io::Error::other(format!("cannot understand: {word}"))),
            },
        }
        passed = board.make_move(own, &mut chance)?;
    }
    Ok(())
}
