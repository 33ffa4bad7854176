// {{name}} plays Go at random, but never fills its own eyes. Run as: node bot.js black|white [SIZE]
"use strict";

const EMPTY = 0, BLACK = 1, WHITE = 2, EDGE = 3;
// A point is row * LINE + column, both from 1; rows count from the bottom. The border is EDGE points.
const MOST = 25, LINE = MOST + 2, POINTS = LINE * LINE, PASS = 0;

const LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"; // the columns; I is skipped
const BESIDE = [1, -1, LINE, -LINE];
const CORNERS = [LINE + 1, LINE - 1, -LINE + 1, -LINE - 1];

const board = new Uint8Array(POINTS);
let ko = PASS; // the point that ko forbids

const other = (colour) => BLACK + WHITE - colour;

// The group of the stone at a point: its stones, and how many liberties it has.
function groupOf(point) {
  const stones = [point];
  const seen = new Set(stones);
  let liberties = 0;
  for (const stone of stones) // it grows
    for (const step of BESIDE) {
      const next = stone + step;
      if (seen.has(next)) continue;
      seen.add(next);
      if (board[next] === EMPTY) liberties++;
      if (board[next] === board[point]) stones.push(next);
    }
  return { stones, liberties };
}

// Places a stone and removes the stones that it captures.
function play(point, colour) {
  const taken = [];
  board[point] = colour;
  for (const step of BESIDE) {
    if (board[point + step] !== other(colour)) continue;
    const { stones, liberties } = groupOf(point + step);
    if (liberties > 0) continue;
    for (const stone of stones) board[stone] = EMPTY;
    taken.push(...stones);
  }
  // Ko: a single stone that has captured a single stone may not be captured back at once.
  const own = groupOf(point);
  ko = taken.length === 1 && own.stones.length === 1 && own.liberties === 1 ? taken[0] : PASS;
}

// Whether a stone may be placed there: the point is empty, and the move breaks no ko and is no suicide.
function isLegal(point, colour) {
  if (board[point] !== EMPTY || point === ko) return false;
  return BESIDE.some((step) => {
    const next = board[point + step];
    if (next === EMPTY || next === EDGE) return next === EMPTY;
    // It joins a group that has another liberty, or captures one.
    return (groupOf(point + step).liberties > 1) === (next === colour);
  });
}

// Whether the point is a real eye: its neighbours are ours, and the opponent has few of its corners.
function isEye(point, colour) {
  if (!BESIDE.every((step) => [colour, EDGE].includes(board[point + step]))) return false;
  const corners = CORNERS.map((step) => board[point + step]);
  const foes = corners.filter((corner) => corner === other(colour)).length;
  return corners.includes(EDGE) ? foes === 0 : foes <= 1;
}

// The point to play, or PASS. Make it smarter here.
function choose(colour) {
  const good = [];
  for (let point = 0; point < POINTS; point++)
    if (isLegal(point, colour) && !isEye(point, colour)) good.push(point);
  return good.length === 0 ? PASS : good[Math.floor(Math.random() * good.length)];
}

// Makes a move and prints it. Returns whether it was a pass.
function move(colour) {
  const point = choose(colour);
  if (point === PASS) ko = PASS;
  else play(point, colour);
  console.log(point === PASS ? "pass" : LETTERS[(point % LINE) - 1] + Math.floor(point / LINE));
  return point === PASS;
}

async function main() {
  const [named, size = "19"] = process.argv.slice(2);
  if ((named !== "black" && named !== "white") || !(size >= 1 && size <= MOST)) {
    console.error("usage: node bot.js black|white [SIZE]");
    process.exit(2);
  }
  const own = named === "black" ? BLACK : WHITE;
  for (let point = 0; point < POINTS; point++) {
    const row = Math.floor(point / LINE), col = point % LINE;
    board[point] = row < 1 || row > size || col < 1 || col > size ? EDGE : EMPTY;
  }
  let passed = own === BLACK && move(own); // Black moves first
  for await (const line of require("readline").createInterface({ input: process.stdin })) {
    const word = line.trim().toUpperCase();
    if (word === "TIME") continue; // our time is used up, but this bot is fast anyway
    if (word === "PASS") {
      if (passed) break; // two passes end the game
      ko = PASS;
    } else {
      play(Number(word.slice(1)) * LINE + LETTERS.indexOf(word[0]) + 1, other(own));
    }
    passed = move(own);
  }
  process.stdin.destroy(); // otherwise the program would wait for the end of its input
}

main();
