//! A small picture of a game's last board: beside the title of the page, and for previews of links to it.
//!
//! It is a PNG, which every service shows, with a square for each character of the board.

use super::PageSource;
use super::traces::Trace;
use crate::view::GameLayout;
use cornerman::format::GameId;
use cornerman_harness::record::{GameRecord, RecordError};
use flate2::read::ZlibEncoder;
use flate2::{Compression, Crc};
use std::io::Read;

/// How wide a picture is at most, in pixels: as services that preview links ask for.
const WIDTH: usize = 640;
/// The most pixels of a square's side.
const MOST_SIDE: usize = 40;
/// The most squares of a row or a column; a larger board has no picture.
const MOST_SQUARES: usize = 128;

/// The indices of colours: lines between squares, what is neither vacant nor a seat's, what is vacant, the seats.
const LINE: u8 = 0;
const TAKEN: u8 = 1;
const VACANT: u8 = 2;
const FIRST_SEAT: u8 = 3;

const LINE_COLOUR: [u8; 3] = [0xd4, 0xd8, 0xdc];
const TAKEN_COLOUR: [u8; 3] = [0x8a, 0x90, 0x97];

/// The last board of a game as a PNG; `None` if there is no such game, or its boards cannot be drawn as squares.
///
/// # Errors
/// When the record cannot be read.
pub(super) fn of_last_board(source: &PageSource, id: GameId) -> Result<Option<Vec<u8>>, RecordError> {
    if source.view.layout() == GameLayout::Rounds {
        return Ok(None);
    }
    let drawn = |game: GameRecord| {
        let [_, last] = Trace::from_game(&game, source.ruleset).boards;
        drawing(&last, &game.setup.marks, source.view.script().colours)
    };
    Ok(source.record.game(id)?.and_then(drawn))
}

/// A board as squares; `None` if it is not lines of the same length, is too large, or no seat has a colour.
fn drawing(board: &[u8], marks: &[u8], colours: &[[u8; 3]]) -> Option<Vec<u8>> {
    let rows: Vec<&[u8]> = board.trim_ascii_end().split(|byte| *byte == b'\n').collect();
    let columns = rows[0].len();
    let is_drawable = |length: usize| (1..=MOST_SQUARES).contains(&length);
    if !is_drawable(columns) || !is_drawable(rows.len()) || rows.iter().any(|row| row.len() != columns) {
        return None;
    }
    let seats = colours.len().checked_sub(1).filter(|seats| *seats > 0)?;
    let colour = |content: u8| match marks.iter().position(|mark| *mark == content) {
        Some(seat) => FIRST_SEAT + (seat % seats) as u8,
        None if matches!(content, b'-' | b'.' | b' ') => VACANT,
        None => TAKEN,
    };
    let side = (WIDTH / columns).clamp(2, MOST_SIDE);
    let mut pixels = Vec::new();
    for row in rows {
        for y in 0..side {
            // Each line of pixels begins with the number of its filter; 0 is none.
            pixels.push(0);
            for &content in row {
                let inner = if y == 0 { LINE } else { colour(content) };
                pixels.push(LINE);
                pixels.extend(std::iter::repeat_n(inner, side - 1));
            }
        }
    }
    let palette = [&[LINE_COLOUR, TAKEN_COLOUR], colours].concat();
    let height = pixels.len() / (columns * side + 1);
    Some(png(columns * side, height, &palette, &pixels))
}

/// A PNG. `pixels` are indices into `palette`; each line of them follows the number of its filter.
fn png(width: usize, height: usize, palette: &[[u8; 3]], pixels: &[u8]) -> Vec<u8> {
    let mut header = Vec::new();
    header.extend((width as u32).to_be_bytes());
    header.extend((height as u32).to_be_bytes());
    // Eight bits for a pixel (8), which is an index (3); the only compression (0) and filters (0); not interlaced (0).
    header.extend([8, 3, 0, 0, 0]);
    let mut compressed = Vec::new();
    ZlibEncoder::new(pixels, Compression::best()).read_to_end(&mut compressed).expect("memory can be read");
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, content) in
        [(b"IHDR", &header[..]), (b"PLTE", palette.as_flattened()), (b"IDAT", &compressed), (b"IEND", &[])]
    {
        let mut sum = Crc::new();
        sum.update(kind);
        sum.update(content);
        file.extend((content.len() as u32).to_be_bytes());
        file.extend(kind);
        file.extend(content);
        file.extend(sum.sum().to_be_bytes());
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::ZlibDecoder;

    const COLOURS: [[u8; 3]; 3] = [[1, 1, 1], [2, 2, 2], [3, 3, 3]];

    #[test]
    fn a_board_is_drawn_as_squares_of_its_colours() {
        let file = drawing(b"A-\noB\n", b"AB", &COLOURS).expect("it can be drawn");
        assert_eq!(file[16..24], [0, 0, 0, 80, 0, 0, 0, 80], "two squares of 40 pixels each way");
        let from = file.windows(4).position(|at| at == b"IDAT").expect("pixels") + 4;
        let mut pixels = Vec::new();
        ZlibDecoder::new(&file[from..]).read_to_end(&mut pixels).expect("they are compressed");
        let middles = [(20, 20), (60, 20), (20, 60), (60, 60)].map(|(x, y)| pixels[y * 81 + 1 + x]);
        assert_eq!(middles, [FIRST_SEAT, VACANT, TAKEN, FIRST_SEAT + 1]);
    }

    #[test]
    fn what_is_not_a_rectangle_is_not_drawn() {
        for board in ["", "\n", "ab\nc\n", &"a".repeat(200), "<svg></svg>\nx"] {
            assert_eq!(drawing(board.as_bytes(), b"AB", &COLOURS), None, "{board}");
        }
    }
}
