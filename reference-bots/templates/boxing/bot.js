// {{name}} takes the largest square it can find. Run as: node bot.js MARK < arena
"use strict";
const fs = require("fs");

const WIDTH = 32, HEIGHT = 16, LINE = WIDTH + 1; // a line is a row of spots and a line feed
const VACANT = "-".charCodeAt(0);

// Whether all spots of the square with its top left corner at (row, col) are vacant.
function fits(arena, row, col, size) {
  for (let r = row; r < row + size; r++) {
    const start = r * LINE + col;
    if (!arena.subarray(start, start + size).every((spot) => spot === VACANT)) return false;
  }
  return true;
}

// Marks one square in the arena. Make it smarter here.
function move(arena, mark) {
  for (let size = HEIGHT; size > 0; size--)
    for (let row = 0; row + size <= HEIGHT; row++)
      for (let col = 0; col + size <= WIDTH; col++)
        if (fits(arena, row, col, size)) {
          for (let r = row; r < row + size; r++) arena.fill(mark, r * LINE + col, r * LINE + col + size);
          return;
        }
}

// Reads an arena and not a byte more, so that the input may stay open.
function read() {
  const arena = Buffer.alloc(HEIGHT * LINE);
  for (let have = 0; have < arena.length; ) {
    const more = fs.readSync(0, arena, have, arena.length - have);
    if (more === 0) throw new Error("the arena ended after " + have + " bytes");
    have += more;
  }
  return arena;
}

const mark = process.argv[2] || "";
if (mark.length !== 1) {
  console.error("usage: node bot.js MARK < arena");
  process.exit(2);
}
const arena = read();
move(arena, mark.charCodeAt(0));
process.stdout.write(arena);
