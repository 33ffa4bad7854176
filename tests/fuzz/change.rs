//! Mutates inputs: bytes, ranges, numbers, and pieces of other inputs.

use cornerman::rng::Rng;

/// Pieces of text that are hard to read correctly.
const PIECES: [&[u8]; 20] = [
    b"0",
    b"-1",
    b"1",
    b"255",
    b"65535",
    b"65536",
    b"4294967295",
    b"4294967296",
    b"9223372036854775807",
    b"-9223372036854775808",
    b"1e999",
    b"nan",
    b"[",
    b"[[",
    b"{",
    b"\"\"\"",
    b"\\u202e",
    b"\xff",
    b"\0",
    b"\n",
];

/// The longest input.
const LONGEST: usize = 1 << 17;

/// Makes new inputs by mutating those of a corpus.
pub struct Changer<'a> {
    corpus: &'a [Vec<u8>],
    words: Vec<&'a [u8]>,
    rng: Rng,
}

impl<'a> Changer<'a> {
    /// A changer of `corpus`. The same seed gives the same inputs.
    pub fn new(corpus: &'a [Vec<u8>], seed: u64) -> Changer<'a> {
        let is_break = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
        let words = corpus.iter().flat_map(|input| input.split(is_break));
        let words = words.filter(|word| (2..40).contains(&word.len())).collect();
        Changer { corpus, words, rng: Rng::new(seed) }
    }

    /// The next input.
    pub fn input(&mut self) -> Vec<u8> {
        let mut input = self.rng.pick(self.corpus).expect("a corpus").clone();
        for _ in 0..=self.below(6) {
            self.change(&mut input);
        }
        input.truncate(LONGEST);
        input
    }

    fn below(&mut self, limit: usize) -> usize {
        self.rng.below(limit as u64) as usize
    }

    /// A range of `input`, mostly short.
    fn range(&mut self, input: &[u8]) -> std::ops::Range<usize> {
        let from = self.below(input.len() + 1);
        let most = [4, 32, 512][self.below(3)].min(input.len() - from);
        from..from + self.below(most + 1)
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        let range = self.range(input);
        let at = range.start;
        match self.below(8) {
            0 | 1 if at < input.len() => input[at] ^= 1 << self.below(8),
            2 if at < input.len() => input[at] = self.rng.draw() as u8,
            3 => drop(input.drain(range)),
            4 => {
                let piece = input[range].to_vec();
                input.splice(at..at, piece);
            }
            5 => {
                let number = number_at(input, at);
                let piece = self.rng.pick(&PIECES).expect("there are pieces");
                input.splice(number, piece.iter().copied());
            }
            6 if !self.words.is_empty() => {
                let word = *self.rng.pick(&self.words).expect("there are words");
                input.splice(range, word.iter().copied());
            }
            _ => {
                let other = self.rng.pick(self.corpus).expect("a corpus");
                let piece = self.range(other);
                input.splice(range, other[piece].iter().copied());
            }
        }
    }
}

/// The range of the first digits at or behind `at`; empty if there are none.
fn number_at(input: &[u8], at: usize) -> std::ops::Range<usize> {
    let Some(behind) = input[at..].iter().position(u8::is_ascii_digit) else { return at..at };
    let from = at + behind;
    let length = input[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    from..from + length
}
