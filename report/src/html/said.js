// What bots wrote to standard error for their authors' eyes: lines `@note depth=7` become charts below the board, and
// lines `@draw spot 12/23 red` shapes on it. All else, and all that is not as it should be, stays text in the log.
"use strict";
(() => {
  const NOTE = /^@note ([A-Za-z][\w-]{0,31})=(-?\d{1,15}(?:\.\d{1,15})?(?:e[+-]?\d{1,2})?)\s*$/;
  const DRAW = /^@draw (spot|line|rect|text) (.{1,200})$/;
  const COLOURS = { red: "#d62728", green: "#2ca02c", blue: "#1f77b4", orange: "#e69f00", purple: "#9467bd", black: "#000000", white: "#ffffff", grey: "#7f7f7f" };
  const [MOST_KEYS, MOST_SHAPES] = [6, 200];
  const [WIDTH, HEIGHT] = [600, 60];

  // By key, the values that each seat noted, as pairs of the stop of the viewer and the value, in order.
  const notes = (game) => {
    const stopOf = new Map();
    game.stops.forEach((stop, index) => {
      game.steps.slice(index > 0 ? game.stops[index - 1] : 0, stop).forEach((step) => stopOf.set(`${step.seat}/${step.number}`, index));
    });
    const keys = new Map();
    for (const [seat, number, text] of game.said ?? []) {
      const at = number === 0 ? 0 : stopOf.get(`${seat}/${number}`);
      for (const line of at === undefined ? [] : text.split("\n")) {
        const [, key, value] = NOTE.exec(line) ?? [];
        if (key === undefined || !Number.isFinite(Number(value))) continue;
        if (!keys.has(key) && keys.size === MOST_KEYS) continue;
        if (!keys.has(key)) keys.set(key, new Map());
        const own = keys.get(key);
        if (!own.has(seat)) own.set(seat, []);
        own.get(seat).push([at, Number(value)]);
      }
    }
    return keys;
  };

  const COMPARED = { "<": (a, b) => a < b, "<=": (a, b) => a <= b, "=": (a, b) => a === b, "!=": (a, b) => a !== b, ">=": (a, b) => a >= b, ">": (a, b) => a > b };
  // The stops at which a bot noted what a condition such as `depth < 3` says. Nothing if it is not a condition on a key that
  // was noted. `keys` is what `notes` found.
  const where = (condition, keys) => {
    const [, key, sign, value] = /^\s*([A-Za-z][\w-]*)\s*(<=|>=|!=|<|>|=)\s*(-?[\d.]+(?:e[+-]?\d+)?)\s*$/.exec(condition) ?? [];
    const wanted = Number(value);
    if (!keys.has(key) || !Number.isFinite(wanted)) return null;
    return new Set([...keys.get(key).values()].flat().filter(([, noted]) => COMPARED[sign](noted, wanted)).map(([at]) => at));
  };

  // Charts of what has been noted up to this stop, a line for each seat. `notes` is what `notes` found.
  const charts = (api, keys) => [...keys].map(([key, bySeat]) => {
    const { draw } = api;
    const last = Math.max(1, api.game.stops.length - 1);
    const known = [...bySeat].map(([seat, values]) => [seat, values.filter(([at]) => at <= api.at)]);
    const all = known.flatMap(([, values]) => values.map(([, value]) => value));
    const [low, high] = [Math.min(0, ...all), Math.max(0, ...all)];
    const x = (at) => at / last * WIDTH;
    const y = (value) => HEIGHT - 9 - (value - low) / (high - low || 1) * (HEIGHT - 18);
    const now = known.filter(([, values]) => values.length > 0).map(([seat, values]) => `${api.name(seat)} ${values[values.length - 1][1]}`);
    const svg = draw("svg", { viewBox: `-44 0 ${WIDTH + 64} ${HEIGHT}`, role: "img", "aria-label": `${key}: ${now.join(", ") || "not noted yet"}` },
      draw("path", { class: "grid", d: `M0 ${y(0)}H${WIDTH}` }),
      ...[low, high].filter((value) => value !== 0).map((value) => draw("text", { class: "tick", x: -4, y: y(value) + 4, "text-anchor": "end" }, String(Number(value.toPrecision(4))))),
      ...known.map(([seat, values]) => draw("path", { class: "noted", style: `stroke:var(--seat-${seat})`, d: values.map(([at, value], n) => `${n ? "L" : "M"}${x(at)} ${y(value)}`).join("") })),
      ...known.flatMap(([seat, values]) => values.slice(-1).map(([at, value]) => draw("circle", { style: `fill:var(--seat-${seat})`, cx: x(at), cy: y(value), r: 3 }))),
      draw("path", { class: "cursor", d: `M${x(api.at)} 0V${HEIGHT}` }));
    return [`${key}: ${now.join(", ")}`, svg];
  });

  // The shapes that these texts draw. `locate` is the place of a point in the game's own words, or nothing.
  const shapes = (api, texts, locate) => {
    const { draw, SIZE } = api;
    const half = SIZE / 2;
    const shape = (line) => {
      const [, kind, rest] = DRAW.exec(line) ?? [];
      if (!kind) return null;
      const words = rest.trim().split(/\s+/);
      const points = words.slice(0, kind === "line" || kind === "rect" ? 2 : 1).map(locate);
      if (points.length === 0 || points.some((point) => !point)) return null;
      const [[x, y], [toX, toY] = []] = points;
      if (kind === "text") return draw("text", { class: "drawn-text", x, y: y + 4 }, words.slice(1).join(" ").slice(0, 40));
      const colour = COLOURS[words[points.length]] ?? COLOURS.red;
      if (kind === "spot") return draw("circle", { cx: x, cy: y, r: half * 0.6, style: `fill:${colour}`, "fill-opacity": 0.55 });
      if (points.length < 2) return null;
      if (kind === "line") return draw("path", { d: `M${x} ${y}L${toX} ${toY}`, style: `stroke:${colour}` });
      return draw("rect", { x: Math.min(x, toX) - half, y: Math.min(y, toY) - half, width: Math.abs(toX - x) + SIZE, height: Math.abs(toY - y) + SIZE, style: `stroke:${colour}` });
    };
    const found = texts.flatMap((text) => text.split("\n").map(shape).filter(Boolean).slice(0, MOST_SHAPES));
    return draw("g", { class: "drawn-shapes" }, ...found);
  };

  cornerman.said = { notes, where, charts, shapes };
})();
