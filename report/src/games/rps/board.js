// Steps through a game of rock-paper-scissors by rounds: what both chose, and a chart of the margin.
"use strict";
(() => {
  const CHOICES = { 0: "rock", 1: "paper", 2: "scissors" };
  const rounds = (api) => {
    const { draw, name, mark } = api;
    const all = [];
    const margins = [0];
    api.game.stops.slice(1).forEach((stop, index) => {
      const played = api.game.steps.slice(api.game.stops[index], stop);
      const chosen = [0, 1].map((seat) => played.find((step) => step.seat === seat));
      const [a, b] = chosen.map((step) => Number(step?.notation ?? NaN));
      const won = (a - b + 3) % 3;
      const by = won === 1 ? 1 : won === 2 ? -1 : 0;
      all.push({ chosen, by });
      // The board of a round ends with the margin, which a forfeit decides at once.
      margins.push(Number(api.game.positions[stop].split(" ").pop()) || 0);
    });
    const [width, height, wide] = [600, 150, 19];
    const span = Math.max(1, margins.length - 1);
    const round = (n) => [1, 2, 5].flatMap((digit) => [0, 1, 2, 3, 4, 5].map((power) => digit * 10 ** power)).sort((a, b) => a - b).find((nice) => nice >= n) ?? n;
    const x = (n) => n / span * width;
    const chart = draw("svg", { viewBox: `-44 0 ${width + 64} ${height + 20}`, role: "img" });
    // The margin so far, so that it does not give the result away: an axis of rounds, and the area between the margin and
    // zero in the colour of who leads.
    const drawMargins = () => {
      const known = margins.slice(0, api.at + 1);
      const reach = round(Math.max(1, ...known.map(Math.abs)));
      const y = (m) => height / 2 - m / reach * (height / 2 - 8);
      chart.replaceChildren();
      [reach, 0, -reach].forEach((value) => {
        chart.append(draw("path", { class: "grid", d: `M0 ${y(value)}H${width}` }));
        chart.append(draw("text", { class: "tick", x: -6, y: y(value) + 4, "text-anchor": "end" }, (value > 0 ? "+" : "") + value));
      });
      for (let at = round(span / 10); at <= span; at += round(span / 10)) {
        chart.append(draw("text", { class: "tick", x: x(at), y: height + 14, "text-anchor": "middle" }, String(at)));
      }
      const line = (values) => values.map((m, n) => `L${x(n)} ${y(m)}`).join("");
      [0, 1].forEach((seat) => {
        const ahead = known.map((m) => seat === 0 ? Math.max(m, 0) : Math.min(m, 0));
        chart.append(draw("path", { class: "lead-area", style: `fill:var(--seat-${seat})`, d: `M0 ${y(0)}${line(ahead)}L${x(api.at)} ${y(0)}Z` }));
      });
      chart.append(draw("path", { class: "margin-line", d: `M0 ${y(0)}${line(known)}` }));
      chart.append(draw("path", { class: "cursor", d: `M${x(api.at)} 0V${height}` }));
    };
    const strip = draw("svg", { viewBox: `-44 0 ${wide * 32 + 46} 96`, role: "img" });
    api.place(strip, chart);
    return () => {
      strip.replaceChildren();
      const first = Math.max(0, Math.min(api.at - 1 - Math.floor(wide / 2), all.length - wide));
      all.slice(first, first + wide).forEach(({ chosen, by }, index) => {
        const number = first + index + 1;
        strip.append(draw("text", { class: "coordinate", x: index * 32 + 15, y: 12 }, String(number)));
        chosen.forEach((step, seat) => {
          const won = by === (seat === 0 ? 1 : -1);
          const shown = number <= api.at;
          strip.append(draw("rect", { class: "spot" + (shown && won ? " win" : "") + (number === api.at ? " fresh" : ""), x: index * 32, y: 18 + seat * 38, width: 30, height: 34, rx: 4,
            style: shown && won ? `fill:var(--seat-${seat})` : "" }));
          const sign = !shown ? "" : step?.forfeit ? "✕" : { 0: "R", 1: "P", 2: "S" }[step?.notation] ?? "?";
          strip.append(draw("text", { class: "glyph" + (shown && won ? ` on-seat on-seat-${seat}` : ""), x: index * 32 + 15, y: 40 + seat * 38 }, sign));
        });
      });
      [0, 1].forEach((seat) => strip.append(draw("text", { class: "tick", x: -6, y: 40 + seat * 38, "text-anchor": "end" }, mark(seat))));
      drawMargins();
      const margin = margins[api.at];
      const words = margin === 0 ? "even" : `${name(margin > 0 ? 0 : 1)} leads by ${Math.abs(margin)}`;
      strip.setAttribute("aria-label", `The rounds around round ${api.at}`);
      chart.setAttribute("aria-label", `The margin after ${api.at} of ${all.length} rounds: ${words}`);
      api.note(` Margin: ${words}.`);
    };
  };
  cornerman.boards.rounds = { open: rounds, byRounds: true, word: (notation) => CHOICES[notation], fits: (game) => game.who.length === 2 };
})();
