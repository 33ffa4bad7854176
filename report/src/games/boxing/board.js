// Steps through a game of the Boxing Match: an arena in which `-` is a vacant spot and `o` one that is unavailable.
"use strict";
(() => {
  const label = (board, at, last) => {
    const vacant = [...board].filter((c) => c === "-").length;
    return `The arena after ${at} of ${last} steps: ${vacant} spots vacant`;
  };
  // The vacant spots that belong to no vacant square of two by two: each is worth exactly one move.
  const single = (board) => {
    const rows = board.split("\n");
    const vacant = (x, y) => rows[y]?.[x] === "-";
    const open = (x, y) => [[0, 0], [0, 1], [1, 0], [1, 1]].every(([dx, dy]) => vacant(x + dx, y + dy));
    const alone = (x, y) => vacant(x, y) && ![[0, 0], [-1, 0], [0, -1], [-1, -1]].some(([dx, dy]) => open(x + dx, y + dy));
    return rows.flatMap((row, y) => [...row].filter((_, x) => alone(x, y))).length;
  };
  const open = (api) => {
    const redraw = api.grid({ vacant: "-", blocked: "o", label });
    return () => {
      redraw();
      const board = api.game.positions[api.game.stops[api.at]];
      const [vacant, alone] = [[...board].filter((c) => c === "-").length, single(board)];
      const parity = alone % 2 === 0 ? "an even number" : "an odd number";
      api.figures(vacant === 0 ? "No spot is vacant." : `Vacant: ${vacant}. Single spots, in no open 2×2: ${alone}, ${parity}.`);
    };
  };
  // `3x3 at row 7, column 2` as `3×3 7/2`.
  const word = (notation) => notation.replace(/^(\d+)x(\d+) at row (\d+), column (\d+)$/, "$1×$2 $3/$4");
  // `12/23`: row 12, column 23.
  const locate = ({ SIZE }, point) => {
    const [, row, column] = /^(\d{1,3})\/(\d{1,3})$/.exec(point) ?? [];
    return row && [(Number(column) - 0.5) * SIZE, (Number(row) - 0.5) * SIZE];
  };
  cornerman.boards.arena = { open, word, locate };
})();
