// The judge of {{name}}: heaps of objects; who takes the last object wins. `{{command}} help judge.md` shows the protocol.
"use strict";
const HELLO = {
  judge: 1, game: "{{name}}", legal: true, boards: true, prompt: "heap and count, such as 2 3",
  rules: {
    heaps: { default: 3, min: 1, max: 9, about: "heaps at the start" },
    most: { default: 9, min: 1, max: 99, about: "the most objects of a heap" },
  },
};

// Numbers from a seed, the only source of chance.
const chance = (seed) => () => {
  seed = (seed % 2147483646) * 16807 % 2147483647 || 1;
  return seed / 2147483647;
};

const start = ({ rules, seed, board }) => {
  if (board !== "") { // an organizer has written the heaps
    const words = board.trim().split(/\s+/);
    if (!words.every((word) => /^\d{1,3}$/.test(word)) || !words.some(Number)) {
      return { error: "a board is a list of numbers, such as 3 4 5" };
    }
    return position(words.map(Number), 0);
  }
  const next = chance(seed + 1);
  for (let n = 0; n < 10; n += 1) next();
  return position(Array.from({ length: rules.heaps }, () => 1 + Math.floor(next() * rules.most)), 0);
};

const position = (heaps, seat) => {
  const view = heaps.join(" ");
  // If nothing is left, the seat before took the last object.
  return heaps.some(Boolean) ? { state: heaps, turn: [seat], view } : { points: [seat, 1 - seat], view };
};

const legal = (heaps) =>
  heaps.flatMap((there, heap) => Array.from({ length: there }, (_, n) => `${heap + 1} ${n + 1}`));

const move = ({ state, turn: [seat], moves: [text] }) => {
  if (text === null) return { points: [seat, 1 - seat] }; // a forfeit: the other seat wins
  text = text.trim().split(/\s+/).join(" ");
  const all = legal(state);
  if (!all.includes(text)) return { illegal: [`answer with a heap and a count that it has, such as ${all[0]}`] };
  const [heap, count] = text.split(" ").map(Number);
  state[heap - 1] -= count;
  return position(state, 1 - seat);
};

const ANSWERS = { hello: () => HELLO, start, move, legal: ({ state }) => ({ legal: legal(state) }) };

let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (text) => {
  const lines = (rest + text).split("\n");
  rest = lines.pop();
  for (const line of lines) {
    const question = JSON.parse(line);
    process.stdout.write(JSON.stringify(ANSWERS[question.ask](question)) + "\n");
  }
});
