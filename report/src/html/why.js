// How the seats stood at each position, below the board, and why the game was lost, for those who ask.
"use strict";
(() => {
  const [WIDTH, HEIGHT] = [600, 60];

  // The positions up to this stop: pairs of a stop and its item of `list`, which has one for each step.
  const upToNow = (api, list) => api.game.stops.slice(0, api.at + 1).map((stop, at) => [at, list[stop]]);

  // A strip in the colours of who wins each position.
  const winners = (api, { winner }, x) => {
    const { draw } = api;
    const known = upToNow(api, winner).filter(([, seat]) => seat !== null);
    const now = winner[api.game.stops[api.at]];
    const half = (x(1) - x(0)) / 2;
    const parts = known.map(([at, seat]) => draw("rect", { x: x(at) - half, y: 22, width: 2 * half, height: 16, style: `fill:var(--seat-${seat})` }));
    return [now === null ? "not known here" : `${api.name(now)} (${api.mark(now)}) wins from here`, parts];
  };

  // A line for each seat, with the error of its values.
  const lines = (api, all, x) => {
    const { draw } = api;
    const known = all.map(({ seat, values, errors }) => {
      const points = upToNow(api, values).filter(([, value]) => value !== null);
      return { seat, points: points.map(([at, value]) => [at, value, errors?.[api.game.stops[at]] ?? 0]) };
    });
    const reach = known.flatMap(({ points }) => points.flatMap(([, value, error]) => [value - error, value + error]));
    const [low, high] = [Math.min(0, ...reach), Math.max(0, ...reach)];
    const y = (value) => HEIGHT - 9 - (value - low) / (high - low || 1) * (HEIGHT - 18);
    const path = (points) => points.map(([at, value], n) => `${n ? "L" : "M"}${x(at)} ${y(value)}`).join("");
    const parts = known.filter(({ points }) => points.length > 0).flatMap(({ seat, points }) => {
      const colour = `var(--seat-${seat ?? 5})`;
      const edge = (sign) => points.map(([at, value, error]) => [at, value + sign * error]);
      const band = points.some(([,, error]) => error > 0) ? [draw("path", { class: "lead-area", style: `fill:${colour}`, d: path([...edge(1), ...edge(-1).reverse()]) + "Z" })] : [];
      return [...band, draw("path", { class: "noted", style: `stroke:${colour}`, d: path(points) })];
    });
    const ticks = [low, high].filter((value) => value !== 0).map((value) => draw("text", { class: "tick", x: -4, y: y(value) + 4, "text-anchor": "end" }, String(Number(value.toPrecision(3)))));
    const last = known.flatMap(({ seat, points }) => points.slice(-1).map(([, value, error]) => (seat === null ? "" : `${api.name(seat)} `) + value + (error > 0 ? ` ± ${error}` : "")));
    return [last.join(", ") || "not known here", [draw("path", { class: "grid", d: `M0 ${y(0)}H${WIDTH}` }), ...parts, ...ticks]];
  };

  // What is known of the positions up to this stop, in words and as a chart in which moves that gave something away are
  // marked; nothing if the page does not know it.
  const chart = (api) => {
    const { draw, game } = api;
    const why = game.why;
    if (!why?.about) return null;
    const x = (at) => at / Math.max(1, game.stops.length - 1) * WIDTH;
    const [now, parts] = why.winner ? winners(api, why, x) : lines(api, why.lines, x);
    const missed = why.missed.map((step) => [game.stops.findIndex((stop) => stop > step), game.steps[step].seat]).filter(([at]) => at >= 0 && at <= api.at);
    const marks = missed.map(([at, seat]) => draw("path", { class: "missed", style: `fill:var(--seat-${seat})`, d: `M${x(at)} 12l-4 -9h8z` }));
    const words = `${why.about[0].toUpperCase()}${why.about.slice(1)}: ${now}`;
    return [words, draw("svg", { viewBox: `-44 0 ${WIDTH + 64} ${HEIGHT}`, role: "img", "aria-label": words },
      ...parts, ...marks, draw("path", { class: "cursor", d: `M${x(api.at)} 0V${HEIGHT}` }))];
  };

  // Why the game was lost, as pairs of the number of a move, or nothing, and words.
  const causes = (game) => game.why?.causes ?? [];

  cornerman.why = { chart, causes };
})();
