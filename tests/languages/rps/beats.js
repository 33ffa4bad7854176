// Beats the opponent's last move; begins with the seed modulo 3.
const lines = require("readline").createInterface({ input: process.stdin });
let count = 0;
let seed;
console.log("beats-last in JavaScript");
lines.on("line", (line) => {
  count += 1;
  if (count === 1) seed = Number(line);
  if (count === 2) console.log(seed % 3);
  if (count > 2) console.log((Number(line) + 1) % 3);
});
