// Steps through a game of Go: stones on a board of lines, with marks for the last stone and for a point forbidden by
// ko, and a note of captures.
"use strict";
(() => {
  const goBoard = (text) => text.split("\n").map((row) => row.replace(/[^.XO]/g, "")).filter((row) => row.length > 1);
  const LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
  const stones = (api) => {
    const { draw, SIZE } = api;
    const size = goBoard(api.game.positions[0]).length || 19;
    const svg = draw("svg", { viewBox: `-30 -30 ${size * SIZE + 24} ${size * SIZE + 24}`, role: "img", class: "stones" });
    const place = (n) => n * SIZE;
    svg.append(draw("rect", { class: "wood", x: -12, y: -12, width: (size - 1) * SIZE + 24, height: (size - 1) * SIZE + 24, rx: 3 }));
    for (let n = 0; n < size; n += 1) {
      const end = place(size - 1);
      svg.append(draw("path", { class: "board-line", d: `M0 ${place(n)}H${end}M${place(n)} 0V${end}` }));
      svg.append(draw("text", { class: "coordinate", x: place(n), y: -18 }, LETTERS[n]));
      svg.append(draw("text", { class: "coordinate", x: -22, y: place(n) + 4 }, String(size - n)));
    }
    if (size === 19) [3, 9, 15].forEach((x) => [3, 9, 15].forEach((y) => svg.append(draw("circle", { class: "board-star", cx: place(x), cy: place(y), r: 3 }))));
    const layer = draw("g");
    svg.append(layer);
    api.place(svg);
    return () => {
      const now = goBoard(api.game.positions[api.game.stops[api.at]]);
      const before = api.at > 0 ? goBoard(api.game.positions[api.game.stops[api.at - 1]]) : now;
      const changed = [];
      layer.replaceChildren();
      now.forEach((row, y) => [...row].forEach((stone, x) => {
        if (before[y]?.[x] !== stone) changed.push({ x, y, stone });
        if (stone === ".") return;
        layer.append(draw("circle", { class: stone === "X" ? "stone-black" : "stone-white", cx: place(x), cy: place(y), r: 9 }));
      }));
      const last = changed.find(({ stone }) => stone !== ".");
      if (last) layer.append(draw("circle", { class: "last-mark", cx: place(last.x), cy: place(last.y), r: 5 }));
      const ko = last && koOf(now, last, changed.filter(({ stone }) => stone === "."));
      if (ko) layer.append(draw("rect", { class: "ko", x: place(ko.x) - 5, y: place(ko.y) - 5, width: 10, height: 10 }));
      const taken = changed.filter(({ stone }) => stone === ".").length;
      if (taken > 0) api.note(` It captures ${taken === 1 ? "a stone" : taken + " stones"}.`);
      const count = (colour) => now.join("").split(colour).length - 1;
      svg.setAttribute("aria-label", `The board after ${api.at} of ${api.game.stops.length - 1} moves: ${count("X")} black stones, ${count("O")} white ones` + (ko ? ", ko" : ""));
    };
  };
  // The point forbidden by simple ko: a single stone with no other liberty has just captured one stone there.
  const koOf = (board, last, taken) => {
    if (taken.length !== 1) return null;
    const beside = [[0, 1], [0, -1], [1, 0], [-1, 0]].map(([dx, dy]) => board[last.y + dy]?.[last.x + dx]);
    return beside.includes(last.stone) || beside.filter((stone) => stone === ".").length !== 1 ? null : taken[0];
  };
  // `D4`, counted from the lower left.
  const locate = ({ SIZE, game }, point) => {
    const size = goBoard(game.positions[0]).length || 19;
    const [, letter, number] = /^([A-HJ-Z])(\d{1,2})$/i.exec(point) ?? [];
    return letter && [LETTERS.indexOf(letter.toUpperCase()) * SIZE, (size - Number(number)) * SIZE];
  };
  cornerman.boards.stones = { open: stones, locate, seats: ["black", "white"] };
})();
