// Beats the hand that the other has shown most, where every round counts a tenth less for each later one.
const lines = require("readline").createInterface({ input: process.stdin });
const shown = [0, 0, 0];
let heard = 0;

function say(what) {
  require("fs").writeSync(1, what + "\n");
}

say("Fading");
lines.on("line", (line) => {
  heard += 1;
  const number = parseInt(line, 10);
  if (heard === 1) {
    shown[number % 3] = 0.001; // the seed decides while nothing else does
    return;
  }
  if (heard > 2) {
    for (const hand in shown) shown[hand] *= 0.9;
    shown[number] += 1;
  }
  say((shown.indexOf(Math.max(...shown)) + 1) % 3);
});
