// {{name}} beats the hand that its opponent has shown most often. Run as: node bot.js
"use strict";

// The hands are 0 rock, 1 paper, 2 scissors. Each is beaten by the next, and scissors by rock.

// How often the opponent has shown each hand.
const shown = [0, 0, 0];

// The hand for the next round. Make it smarter here.
function choose(round, seed) {
  if (round === 0) return seed % 3;
  const mostOften = shown.indexOf(Math.max(...shown));
  return (mostOften + 1) % 3;
}

async function main() {
  console.log("{{name}}"); // the name comes first
  const lines = require("readline").createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const number = async () => {
    const { done, value } = await lines.next();
    return done ? null : Number(value);
  };
  const seed = await number(); // the only source of randomness, so that games can be repeated
  const rounds = await number();
  for (let round = 0; round < rounds; round++) {
    console.log(choose(round, seed));
    const foe = await number();
    if (foe === null) break; // the game is over
    shown[foe]++;
  }
  process.stdin.destroy(); // otherwise the program would wait for the end of its input
}

main();
