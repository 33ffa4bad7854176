// Steps through a game of the Boxing Match: an arena in which `-` is a vacant spot and `o` one that is unavailable.
"use strict";
(() => {
  const label = (board, at, last) => {
    const vacant = [...board].filter((c) => c === "-").length;
    return `The arena after ${at} of ${last} steps: ${vacant} spots vacant`;
  };
  cornerman.boards.arena = { open: (api) => api.grid({ vacant: "-", blocked: "o", label }) };
})();
