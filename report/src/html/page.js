// The script of all pages: light and dark colours, the viewer of games, and reloading while games are played.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const SVG = "http://www.w3.org/2000/svg";
  const kept = {
    get: (store, key) => { try { return store().getItem(key); } catch { return null; } },
    set: (store, key, value) => { try { store().setItem(key, value); } catch { /* storage is disabled */ } },
  };

  // Makes an element: tag, attributes, children (text or elements). Text never becomes markup.
  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
    element.append(...children);
    return element;
  };
  const draw = (tag, attributes = {}, ...children) => {
    const element = document.createElementNS(SVG, tag);
    Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
    element.append(...children);
    return element;
  };
  const time = (us) => us === 0 ? "0" : us < 1000 ? us + " µs" : us < 10000 ? (us / 1000).toFixed(1) + " ms"
    : us < 1e6 ? Math.round(us / 1000) + " ms" : (us / 1e6).toFixed(2) + " s";

  // Colours: the system's scheme, unless the reader chose the other one.
  const theme = $("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (document.documentElement.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
  const show = () => { theme.textContent = isDark() ? "Light" : "Dark"; theme.title = `Switch to ${isDark() ? "light" : "dark"} colours`; };
  const asked = kept.get(() => localStorage, "cornerman-theme");
  if (asked === "dark" || asked === "light") document.documentElement.dataset.theme = asked;
  theme.hidden = false;
  show();
  system.addEventListener("change", show);
  theme.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    kept.set(() => localStorage, "cornerman-theme", document.documentElement.dataset.theme);
    show();
  });

  // Nothing can be unfolded on paper, so all details are printed open.
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open])")];
    closed.forEach((details) => { details.open = true; });
  });
  addEventListener("afterprint", () => closed.forEach((details) => { details.open = false; }));

  // Boxes that go on beyond an edge fade there.
  const fade = (box) => {
    box.classList.toggle("more-left", box.scrollLeft > 1);
    box.classList.toggle("more-right", box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
  };
  const sizes = new ResizeObserver((changes) => changes.forEach(({ target }) => fade(target)));
  document.querySelectorAll(".scroll, .bar ul").forEach((box) => {
    box.addEventListener("scroll", () => fade(box), { passive: true });
    sizes.observe(box);
  });

  // The viewer.
  const viewer = $("viewer");
  const data = (id) => { const element = $(id); return element && JSON.parse(element.textContent); };
  const names = data("names") ?? [];
  const boards = data("boards") ?? [];
  const vertex = (id) => /^#(s\d+\/r\d+\/m\d+\/g\d+)(?:\/(\d+)(f?))?$/.exec(id);
  let game = null;
  let at = 0;
  let timer = null;

  // A game's own script registers its kind of board: `open` makes a board and returns a function that redraws it;
  // `byRounds`, `word` and `fits` are optional. Boards without a script are shown as characters.
  const TEXT = { open: (api) => api.grid({}) };
  const kindOf = (raw) => {
    const kind = cornerman.boards[raw.kind];
    return kind && (kind.fits?.(raw) ?? true) ? kind : TEXT;
  };

  const applied = (board, changes) => {
    for (let i = 0; i < changes.length; i += 2) {
      const [place, text] = [changes[i], changes[i + 1]];
      board = place < 0 ? text : board.slice(0, place) + text + board.slice(place + text.length);
    }
    return board;
  };

  // A game with all its boards, and the steps at which the viewer stops: every step, or every round if the seats of a
  // round choose at once.
  const load = (id) => {
    const raw = data("game:" + id);
    if (!raw) return null;
    const steps = raw.steps.map(([number, seat, notation, changes, wall, cpu, lag, more]) =>
      ({ number, seat, notation, changes, wall, cpu, lag, more, forfeit: notation === null }));
    const positions = [boards[raw.board]];
    steps.forEach((step) => positions.push(applied(positions[positions.length - 1], step.changes)));
    const stops = [0];
    let acted = new Set();
    steps.forEach((step, index) => {
      acted.add(step.seat);
      const whole = !kindOf(raw).byRounds || step.forfeit || acted.size === raw.who.length || index === steps.length - 1;
      if (whole) { stops.push(index + 1); acted = new Set(); }
    });
    // The places and points that count in the contest, if they are not the game's own.
    return { ...raw, ...raw.counted, steps, positions, stops };
  };

  const name = (seat) => names[game.who[seat]] ?? `entrant ${game.who[seat] + 1}`;
  const mark = (seat) => game.marks[seat] ?? String(seat + 1);
  const named = (seat) => `${name(seat)} (${mark(seat)})`;
  const swatch = (seat) => make("span", { class: `swatch seat-${seat}` }, mark(seat));
  const move = (step) => step.forfeit ? "forfeits" : kindOf(game).word?.(step.notation) ?? step.notation;

  // Boards.
  const SIZE = 20;
  // A board of characters in squares; `vacant` and `blocked` are the characters that belong to no seat.
  const grid = ({ vacant, blocked, label = (_, at, last) => `The board after ${at} of ${last} steps` }) => {
    const rows = game.positions[0].replace(/\n$/, "").split("\n");
    const width = Math.max(...rows.map((row) => row.length));
    const svg = draw("svg", { viewBox: `-18 -16 ${width * SIZE + 20} ${rows.length * SIZE + 18}`, role: "img" });
    for (let column = 4; column < width; column += 5) {
      svg.append(draw("text", { class: "coordinate", x: column * SIZE + SIZE / 2, y: -4 }, String(column + 1)));
    }
    const spots = [];
    let offset = 0;
    rows.forEach((row, y) => {
      svg.append(draw("text", { class: "coordinate", x: -9, y: y * SIZE + 14 }, String(y + 1)));
      [...row].forEach((_, x) => {
        const rect = draw("rect", { x: x * SIZE, y: y * SIZE, width: SIZE, height: SIZE });
        const glyph = draw("text", { x: x * SIZE + SIZE / 2, y: y * SIZE + 15 });
        svg.append(rect, glyph);
        spots.push({ rect, glyph, offset: offset + x, spot: y * width + x });
      });
      offset += row.length + 1;
    });
    const outline = draw("path", { class: "fresh" });
    svg.append(outline);
    $("board").replaceChildren(svg);
    // The edges between new spots and all others.
    const edges = (fresh) => [...fresh].map((spot) => {
      const [x, y] = [spot % width, Math.floor(spot / width)];
      const sides = [[0, -1, `M${x * SIZE} ${y * SIZE}h${SIZE}`], [0, 1, `M${x * SIZE} ${(y + 1) * SIZE}h${SIZE}`],
        [-1, 0, `M${x * SIZE} ${y * SIZE}v${SIZE}`], [1, 0, `M${(x + 1) * SIZE} ${y * SIZE}v${SIZE}`]];
      const within = (column) => column >= 0 && column < width;
      return sides.filter(([dx, dy]) => !within(x + dx) || !fresh.has(spot + dx + dy * width)).map(([,, path]) => path).join("");
    }).join("");
    return () => {
      const board = game.positions[game.stops[at]];
      const before = at > 0 ? game.positions[game.stops[at - 1]] : board;
      const fresh = new Set();
      spots.forEach(({ rect, glyph, offset, spot }) => {
        const here = board[offset] ?? " ";
        const seat = game.marks.indexOf(here);
        if (before[offset] !== here) fresh.add(spot);
        const own = seat >= 0 ? `seat-${seat}` : blocked && here !== vacant ? "blocked" : "";
        rect.setAttribute("class", `spot ${own}`);
        rect.setAttribute("style", seat >= 0 ? `fill:var(--seat-${seat})` : "");
        glyph.setAttribute("class", "glyph " + (seat >= 0 ? `on-seat on-seat-${seat}` : own === "blocked" ? "taken" : here === vacant ? "vacant" : ""));
        glyph.textContent = here === vacant ? "·" : here === blocked && seat < 0 ? "" : here;
      });
      outline.setAttribute("d", edges(fresh));
      svg.setAttribute("aria-label", label(board, at, game.stops.length - 1));
    };
  };

  // The interface for a game's script.
  const api = {
    draw, SIZE, grid, name, mark,
    get game() { return game; },
    get at() { return at; },
    place: (...pictures) => $("board").replaceChildren(...pictures),
    note: (words) => $("step").append(words),
  };

  // The tables beside the board.
  const clocks = () => {
    const used = game.who.map(() => ({ moves: 0, wall: 0, cpu: 0, lag: 0 }));
    game.steps.slice(0, game.stops[at]).forEach((step) => {
      const own = used[step.seat];
      own.moves += step.forfeit ? 0 : 1;
      own.wall += step.wall;
      own.cpu += step.cpu;
      own.lag += step.lag;
    });
    const head = ["seat", "name", "moves", "clock", "processor", "waiting", "points"];
    const cells = (seat) => [String(used[seat].moves), time(used[seat].wall), time(used[seat].cpu), time(used[seat].lag), String(game.points[seat])];
    $("clocks").replaceChildren(make("caption", {}, "Seats: moves and time so far; points at the end"),
      make("thead", {}, make("tr", {}, ...head.map((words, n) => make("th", { scope: "col", class: n > 1 ? "n" : "" }, words)))),
      make("tbody", {}, ...game.who.map((_, seat) => make("tr", {},
        make("td", {}, swatch(seat)), make("th", { scope: "row" }, name(seat) + (game.places[seat] === 1 ? " ✓" : "")),
        ...cells(seat).map((words) => make("td", { class: "n" }, words))))));
  };

  let rows = [];
  const moves = () => {
    const late = game.steps.some((step) => step.lag > 0);
    const head = ["no.", "who", "move", "wall", "processor", ...(late ? ["waiting"] : [])];
    rows = game.steps.map((step) => {
      const link = make("a", { href: `#${game.id}/${step.number}${step.forfeit ? "f" : ""}` }, String(step.number));
      const more = typeof step.more === "string" ? ` (${step.more})` : step.forfeit ? `: ${step.more.kind}` : "";
      return make("tr", {}, make("td", { class: "n" }, link), make("td", {}, swatch(step.seat)), make("td", {}, move(step) + more),
        ...[step.wall, step.cpu, ...(late ? [step.lag] : [])].map((us) => make("td", { class: "n" }, time(us))));
    });
    $("moves").replaceChildren(make("caption", {}, "Moves"),
      make("thead", {}, make("tr", {}, ...head.map((words, n) => make("th", { scope: "col", class: n === 0 || n > 2 ? "n" : "" }, words)))),
      make("tbody", {}, ...rows));
  };

  // Text with visible control characters, and with marks where it differs from another.
  const marked = (own, other) => {
    const pre = make("pre", { tabindex: "0" });
    const sign = (c) => c === "\n" ? "\n" : c < " " ? String.fromCharCode(0x2400 + c.charCodeAt(0)) : c > "~" ? "\\x" + c.charCodeAt(0).toString(16) : c;
    let run = "";
    let differs = false;
    const flush = () => { if (run) pre.append(differs ? make("mark", {}, run) : run); run = ""; };
    for (let n = 0; n < own.length; n += 1) {
      const fresh = own[n] !== other[n] && own[n] !== "\n";
      if (fresh !== differs) { flush(); differs = fresh; }
      run += sign(own[n]);
    }
    flush();
    return pre;
  };
  const violation = () => {
    const index = game.stops[at] - 1;
    const step = game.steps[index];
    const place = $("violation");
    place.replaceChildren();
    if (game.wrong) place.append(make("p", { class: "notice" }, `This game cannot be replayed to its end: ${game.wrong}.`));
    if (!step?.forfeit) {
      const first = game.stops.findIndex((stop) => game.steps[stop - 1]?.forfeit);
      if (first > at) {
        const go = make("button", { type: "button" }, `Go to the forfeit of ${name(game.steps[game.stops[first] - 1].seat)}`);
        go.addEventListener("click", () => to(first));
        place.append(make("p", {}, go));
      }
      return;
    }
    const { kind, detail, shown, answer, bytes, stderr } = step.more;
    const view = shown ?? game.positions[index];
    place.append(make("h3", {}, `${named(step.seat)} forfeits: ${kind}`), make("p", {}, detail));
    if (bytes === 0) {
      place.append(make("p", {}, "It gave no answer."));
    } else {
      const cut = bytes > answer.length ? `, the first ${answer.length} of ${bytes} bytes` : `, ${bytes} bytes`;
      place.append(make("figure", {}, make("figcaption", {}, `It was shown, ${view.length} bytes`), marked(view, answer)),
        make("figure", {}, make("figcaption", {}, "It answered" + cut + "; differences are marked"), marked(answer, view)));
    }
    if (stderr) place.append(make("figure", {}, make("figcaption", {}, "Its standard error ended with"), make("pre", { class: "answer", tabindex: "0" }, stderr)));
  };

  // What bots wrote to standard error at the moves of this step, or before the first, if the page has it.
  const logs = () => {
    const shown = at === 0 ? null : game.steps.slice(game.stops[at - 1], game.stops[at]);
    const isHere = ([seat, number]) => shown ? shown.some((step) => step.seat === seat && step.number === number) : number === 0;
    $("logs").replaceChildren(...(game.said ?? []).filter(isHere).map(([seat, , text, before]) => make("figure", {},
      make("figcaption", {}, `${named(seat)} wrote` + (before ? `, after ${before} bytes that were not kept` : "")),
      make("pre", { class: "answer", tabindex: "0" }, text))));
  };

  let redraw = () => {};
  const update = () => {
    const step = game.steps[game.stops[at] - 1];
    const status = $("step");
    if (!step) {
      status.textContent = "The start.";
    } else if (kindOf(game).byRounds && !step.forfeit) {
      const played = game.steps.slice(game.stops[at - 1], game.stops[at]);
      status.textContent = `Round ${at}: ` + played.map((one) => `${named(one.seat)} ${move(one)}, ${time(one.wall)}`).join("; ") + ".";
    } else {
      const more = typeof step.more === "string" ? ` (${step.more})` : "";
      const held = step.lag > 0 ? `; it waited for a processor for ${time(step.lag)}` : "";
      status.textContent = `Move ${step.number}: ${named(step.seat)} ${move(step)}${more}. It took ${time(step.wall)}, ${time(step.cpu)} of it on a processor${held}.`;
    }
    redraw();
    clocks();
    violation();
    logs();
    const last = game.stops.length - 1;
    $("at").max = last;
    $("at").value = at;
    $("at").setAttribute("aria-valuetext", `${at} of ${last}`);
    ["first", "back"].forEach((id) => { $(id).disabled = at === 0; });
    ["next", "last"].forEach((id) => { $(id).disabled = at === last; });
    rows.forEach((row, index) => row.toggleAttribute("aria-current", index === game.stops[at] - 1));
    const current = rows[game.stops[at] - 1];
    const box = $("moves").parentElement;
    if (current) box.scrollTop = current.offsetTop - box.clientHeight / 2;
    const number = step ? `/${step.number}${step.forfeit ? "f" : ""}` : "";
    history.replaceState(history.state, "", `#${game.id}${number}`);
  };
  const to = (step) => {
    at = Math.max(0, Math.min(step, game.stops.length - 1));
    if (at === game.stops.length - 1) stop();
    update();
  };
  const stop = () => {
    clearInterval(timer);
    timer = null;
    $("play").textContent = "Play";
    $("step").setAttribute("aria-live", "polite");
  };
  const play = () => {
    if (timer) { stop(); return; }
    if (at === game.stops.length - 1) to(0);
    $("play").textContent = "Stop";
    // A screen reader should not announce every step of it.
    $("step").setAttribute("aria-live", "off");
    timer = setInterval(() => to(at + 1), Number($("speed").value));
  };

  const open = (id, number, forfeit) => {
    const loaded = game?.id === id ? game : load(id);
    if (!loaded) return;
    if (loaded !== game) {
      stop();
      game = loaded;
      $("viewer-title").textContent = `Game ${game.id}: ${game.who.map((_, seat) => named(seat)).join(" against ")}`;
      $("viewer-ending").textContent = game.end + ".";
      moves();
      redraw = kindOf(game).open(api);
    }
    const wanted = game.stops.findLastIndex((stop) => {
      const step = game.steps[stop - 1];
      return step && step.number === number && (!forfeit || step.forfeit);
    });
    // A number between two stops, or beyond the last, means the nearest stop below it.
    const below = game.stops.findLastIndex((stop) => stop === 0 || game.steps[stop - 1].number <= number);
    at = wanted >= 0 ? wanted : Math.max(0, below);
    showViewer(true);
    update();
  };
  // Shows the viewer, with the game or with what the page says of a game that it does not have.
  const showViewer = (here) => {
    if (!viewer.showModal) { viewer.hidden = false; return; }
    viewer.querySelectorAll(".viewer-body, .hint, #viewer-ending").forEach((part) => { part.hidden = !here; });
    $("absent").hidden = here;
    if (!viewer.open) viewer.showModal();
  };
  const absent = (id) => {
    stop();
    game = null;
    $("viewer-title").textContent = `Game ${id}`;
    const command = $("absent").querySelector("[data-command]");
    command.textContent = `${command.dataset.command} ${id}`;
    showViewer(false);
  };
  const follow = () => {
    const found = vertex(decodeURIComponent(location.hash));
    if (found) {
      const [, id, number, forfeit] = found;
      if (data("game:" + id)) { open(id, Number(number ?? 0), forfeit === "f"); return; }
      // In a folder, games are on other pages.
      const folder = document.body.dataset.games;
      const page = id.split("/").slice(0, 3).join("-") + ".html";
      if (folder && !location.pathname.endsWith("/" + page)) location.replace(folder + page + location.hash);
      if (!folder && viewer) absent(id);
      return;
    }
    if (viewer?.open) viewer.close();
    const target = location.hash.length > 1 && $(decodeURIComponent(location.hash.slice(1)));
    if (target instanceof HTMLDetailsElement) { target.open = true; target.scrollIntoView(); }
  };

  $("play")?.addEventListener("click", play);
  $("first")?.addEventListener("click", () => to(0));
  $("back")?.addEventListener("click", () => to(at - 1));
  $("next")?.addEventListener("click", () => to(at + 1));
  $("last")?.addEventListener("click", () => to(game.stops.length - 1));
  $("at")?.addEventListener("input", () => to(Number($("at").value)));
  $("speed")?.addEventListener("change", () => { if (timer) { stop(); play(); } });
  $("close")?.addEventListener("click", () => viewer.close());
  viewer?.addEventListener("close", () => { stop(); history.replaceState(history.state, "", location.pathname + location.search); });
  // Links to games that the page does not have look different, and say so.
  if (viewer?.showModal) document.querySelectorAll('main a[href^="#s"]').forEach((link) => {
    const id = vertex(link.getAttribute("href"))?.[1];
    if (!id || $("game:" + id)) return;
    link.classList.add("absent");
    link.setAttribute("title", "This page does not contain this game");
  });
  // Steps replace the address rather than add to the history, so only changes from game to game arrive here.
  addEventListener("hashchange", follow);
  addEventListener("keydown", (event) => {
    const shown = game && (viewer.showModal ? viewer.open : !viewer.hidden);
    const elsewhere = event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("input, select, textarea");
    if (!shown || elsewhere) return;
    const keys = { ArrowLeft: () => to(at - 1), ArrowRight: () => to(at + 1), Home: () => to(0), End: () => to(game.stops.length - 1) };
    if (event.key === " " && !event.target.matches?.("button, a, summary")) keys[" "] = play;
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });

  // While the tournament is being played, the page reloads and keeps the reader's place.
  const key = "cornerman-place:" + location.pathname;
  const reload = Number(document.body.dataset.reload ?? 0);
  const place = JSON.parse(kept.get(() => sessionStorage, key) ?? "null");
  kept.set(() => sessionStorage, key, "null");
  if (place) {
    place.open.forEach((id) => { const details = $(id); if (details) details.open = true; });
    if ($("reload")) $("reload").checked = place.reload;
  }
  follow();
  if (place) {
    document.documentElement.style.scrollBehavior = "auto";
    scrollTo(0, place.y);
    document.documentElement.style.scrollBehavior = "";
    if (place.focus) $(place.focus)?.focus({ preventScroll: true });
  }
  if (viewer && !viewer.showModal && !location.hash) {
    const first = document.querySelector('script[id^="game:"]');
    if (first) open(first.id.slice(5), 0, false);
  }
  if (reload > 0) {
    history.scrollRestoration = "manual";
    setInterval(() => {
      if (timer || document.hidden || !$("reload")?.checked) return;
      const open = [...document.querySelectorAll("details[open]")].map((details) => details.id);
      const focus = document.activeElement?.id;
      kept.set(() => sessionStorage, key, JSON.stringify({ y: scrollY, open, focus, reload: $("reload").checked }));
      location.reload();
    }, reload);
  }
})();
