// Steps through a game of a judge: its picture, or else the board as it wrote it.
"use strict";
(() => {
  const open = (api) => {
    // A picture is an image, in which nothing runs and nothing is loaded. A board has a character for each byte.
    const picture = document.createElement("img");
    picture.className = "judged";
    const text = document.createElement("pre");
    text.className = "judged";
    text.tabIndex = 0;
    return () => {
      const board = api.game.positions[api.game.stops[api.at]];
      const label = `The board after ${api.at} of ${api.game.stops.length - 1} steps`;
      if (board.startsWith("<svg")) {
        picture.alt = label;
        picture.src = "data:image/svg+xml;base64," + btoa(board);
        api.place(picture);
      } else {
        text.setAttribute("aria-label", label);
        text.textContent = new TextDecoder().decode(Uint8Array.from(board, (c) => c.charCodeAt(0)));
        api.place(text);
      }
    };
  };
  cornerman.boards.judged = { open };
})();
