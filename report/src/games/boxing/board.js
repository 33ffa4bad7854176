// Steps a game of the Boxing Match: an arena whose vacant spots are `-` and whose others were never there to take.
"use strict";
(() => {
  const label = (board, at, last) => {
    const vacant = [...board].filter((c) => c === "-").length;
    return `The arena after ${at} of ${last} steps: ${vacant} spots vacant`;
  };
  cornerman.boards.arena = { open: (api) => api.grid({ vacant: "-", blocked: "o", label }) };
})();
