// The script of all pages: light and dark colours, finding a bot and marking one's own, the viewer of games, and reloading
// while games are played.
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

  // The bots that links lead to, by name. One of them can be the reader's own, which is remembered by its name and marked
  // wherever it is.
  const links = [...document.querySelectorAll("main a")].filter((link) => /(^#e|entrants\/)\d+(\.html)?$/.test(link.getAttribute("href")));
  const bots = new Map(links.map((link) => [link.textContent, link]));
  let mine = kept.get(() => localStorage, "cornerman-mine");
  const ownButtons = [];
  const markMine = () => {
    links.forEach((link) => link.classList.toggle("mine", link.textContent === mine));
    document.querySelectorAll("[data-bot]").forEach((part) => part.classList.toggle("mine", part.dataset.bot === mine));
    ownButtons.forEach(({ button, name }) => button.setAttribute("aria-pressed", String(name === mine)));
  };
  const parts = [...bots].map(([name, link]) => [name, link.hash && $(link.hash.slice(1))]);
  const pages = [...document.querySelectorAll("header[data-own]")].map((place) => [place.dataset.own, place]);
  [...parts, ...pages].filter(([, place]) => place).forEach(([name, place]) => {
    const button = make("button", { type: "button", class: "own", title: "Remembers this bot and marks it everywhere" }, "My bot");
    button.addEventListener("click", () => {
      mine = name === mine ? null : name;
      kept.set(() => localStorage, "cornerman-mine", mine ?? "");
      markMine();
    });
    ownButtons.push({ button, name });
    (place.querySelector("summary") ?? place.firstElementChild).after(button);
  });
  markMine();
  if (bots.size > 1) {
    const find = make("input", { type: "search", id: "find", list: "bots", placeholder: "Find a bot", "aria-label": "Find a bot" });
    find.addEventListener("change", () => {
      const words = find.value.trim().toLowerCase();
      const named = [...bots.keys()];
      const found = named.find((name) => name.toLowerCase() === words) ?? (words && named.find((name) => name.toLowerCase().includes(words)));
      find.setCustomValidity(words && !found ? "No bot of this page has this in its name" : "");
      if (!found) { find.reportValidity(); return; }
      find.value = "";
      location.href = bots.get(found).href;
    });
    find.addEventListener("input", () => find.setCustomValidity(""));
    theme.before(find, make("datalist", { id: "bots" }, ...[...bots.keys()].map((name) => make("option", { value: name }))));
  }

  // Of a long bracket, the end comes first also where it is wider than the screen.
  document.querySelectorAll(".drawn .scroll:has(+ details)").forEach((box) => { box.scrollLeft = box.scrollWidth; });
  // In a bracket, the whole way of the bot under the pointer stands out, or the ways of both bots of the match that has the
  // focus.
  document.querySelectorAll("svg.bracket").forEach((bracket) => {
    const light = (event) => {
      const own = event.target.closest("[data-bot]");
      const found = own ? [own] : [...event.target.closest(".match")?.querySelectorAll("[data-bot]") ?? []];
      const shown = new Set(found.map((one) => one.dataset.bot));
      bracket.classList.toggle("lit", shown.size > 0);
      bracket.querySelectorAll("[data-bot]").forEach((part) => part.classList.toggle("on", shown.has(part.dataset.bot)));
    };
    ["pointerover", "focusin"].forEach((kind) => bracket.addEventListener(kind, light));
    bracket.addEventListener("pointerleave", () => bracket.classList.remove("lit"));
    bracket.addEventListener("focusout", () => bracket.classList.remove("lit"));
  });

  // The viewer.
  const viewer = $("viewer");
  const data = (id) => { const element = $(id); return element && JSON.parse(element.textContent); };
  // Where games come from: `ids` in order, `game` for one of them, and the games before and after all of these. A single
  // page has its games in itself.
  const own = {
    names: data("names") ?? [], boards: data("boards") ?? [],
    ids: [...document.querySelectorAll('script[id^="game:"]')].map((element) => element.id.slice(5)),
    game: (id) => data("game:" + id),
  };
  // In a site, each match has a script with its games, which calls `cornerman.match`. Scripts can also be loaded by pages
  // that are opened from a disk.
  const siteGames = document.body.dataset.games;
  const waiting = new Map();
  const unpacked = async (text) => {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const { head, games } = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
    return { ...head, ids: games.map((one) => one.id), game: (id) => games.find((one) => one.id === id) };
  };
  cornerman.match = (name, text) => waiting.get(name)?.(unpacked(text));
  const loads = new Map();
  const loaded = (id) => {
    const name = id.split("/").slice(0, 3).join("-");
    if (!loads.has(name)) {
      loads.set(name, new Promise((resolve, reject) => {
        waiting.set(name, resolve);
        const script = make("script", { src: `${siteGames}${name}.js` });
        script.addEventListener("error", reject);
        document.head.append(script);
      }));
    }
    return loads.get(name);
  };
  let shelf = own;
  const vertex = (id) => /^#(s\d+\/r\d+\/m\d+\/g\d+(?:\/a\d+)?)(?:\/(\d+)(f?))?$/.exec(id);
  let game = null;
  let at = 0;
  let timer = null;

  // A game's own script registers its kind of board: `open` makes a board and returns a function that redraws it. Optional
  // are `byRounds`; `word`, a move in words; `seats`, which are called by these words instead of by their marks;
  // `locate`, the place of a point that is named in the game's own words; and `fits`. Boards without a script are shown as
  // characters.
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
    const raw = shelf.game(id);
    const steps = raw.steps.map(([number, seat, notation, changes, wall, cpu, lag, more]) =>
      ({ number, seat, notation, changes, wall, cpu, lag, more, forfeit: notation === null }));
    const positions = [shelf.boards[raw.board]];
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

  const name = (seat) => shelf.names[game.who[seat]] ?? `entrant ${game.who[seat] + 1}`;
  const mark = (seat) => kindOf(game).seats?.[seat] ?? game.marks[seat] ?? String(seat + 1);
  const named = (seat) => `${name(seat)} (${mark(seat)})`;
  const swatch = (seat) => make("span", { class: `swatch seat-${seat} ${kindOf(game).seats?.[seat] ?? ""}` }, mark(seat));
  const move = (step) => step.forfeit ? "forfeits" : kindOf(game).word?.(step.notation) ?? step.notation;
  // Times are there for those who ask.
  const timed = (words) => make("span", { class: "time" }, words);
  const heads = (...all) => make("tr", {}, ...all.map(([words, kind]) => make("th", { scope: "col", class: kind }, words)));

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
    figures: (words) => { $("figures").textContent = words; },
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
    const over = at === game.stops.length - 1;
    const own = (seat) => [[String(used[seat].moves), "n"], ...[used[seat].wall, used[seat].cpu, used[seat].lag].map((us) => [time(us), "n time"]),
      [over ? String(game.points[seat]) : "", "n"]];
    $("clocks").replaceChildren(make("caption", { class: "vh" }, "Seats: moves and time so far; points at the end"),
      make("thead", {}, heads(["seat", ""], ["name", ""], ["moves", "n"], ["clock", "n time"], ["processor", "n time"], ["waiting", "n time"], ["points", "n"])),
      make("tbody", {}, ...game.who.map((_, seat) => make("tr", { class: name(seat) === mine ? "mine" : "" },
        make("td", {}, swatch(seat)), make("th", { scope: "row" }, name(seat) + (over && game.places[seat] === 1 ? " ✓" : "")),
        ...own(seat).map(([words, kind]) => make("td", { class: kind }, words))))));
  };

  // A row for each stop but the start: a move, or a round with what each seat chose.
  let rows = [];
  const remark = (step) => typeof step.more === "string" ? ` (${step.more})` : step.forfeit ? `: ${step.more.kind}` : "";
  const moves = () => {
    const late = game.steps.some((step) => step.lag > 0);
    const rounds = kindOf(game).byRounds;
    const link = (step, words) => make("td", { class: "n" }, make("a", { href: `#${game.id}/${step.number}${step.forfeit ? "f" : ""}` }, words));
    const times = (step) => [step.wall, step.cpu, ...(late ? [step.lag] : [])].map((us) => make("td", { class: "n time" }, time(us)));
    rows = game.stops.slice(1).map((stop, index) => {
      const step = game.steps[stop - 1];
      if (!rounds) return make("tr", {}, link(step, String(step.number)), make("td", {}, swatch(step.seat)), make("td", {}, move(step) + remark(step)), ...times(step));
      const played = game.steps.slice(game.stops[index], stop);
      const by = game.who.map((_, seat) => played.find((one) => one.seat === seat));
      return make("tr", {}, link(step, String(index + 1)), ...by.map((one) => make("td", {}, one ? move(one) + remark(one) : "")),
        ...by.map((one) => make("td", { class: "n time" }, one ? time(one.wall) : "")));
    });
    const timeHeads = [["wall", "n time"], ["processor", "n time"], ...(late ? [["waiting", "n time"]] : [])];
    const head = rounds ? heads(["round", "n"], ...game.who.map((_, seat) => [mark(seat), ""]), ...game.who.map((_, seat) => [`${mark(seat)}, wall`, "n time"]))
      : heads(["no.", "n"], ["who", ""], ["move", ""], ...timeHeads);
    $("moves").replaceChildren(make("caption", { class: "vh" }, rounds ? "Rounds" : "Moves"), make("thead", {}, head), make("tbody", {}, ...rows));
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
    if (!step?.forfeit) return;
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
  let noted = new Map();
  const logs = () => {
    const shown = at === 0 ? null : game.steps.slice(game.stops[at - 1], game.stops[at]);
    const isHere = ([seat, number]) => shown ? shown.some((step) => step.seat === seat && step.number === number) : number === 0;
    const said = (game.said ?? []).filter(isHere);
    $("notes").replaceChildren(...cornerman.said.charts(api, noted).map(([words, chart]) => make("figure", {}, make("figcaption", {}, words), chart)));
    const { locate } = kindOf(game);
    const board = $("board").querySelector("svg");
    board?.querySelector(".drawn-shapes")?.remove();
    if (locate) board?.append(cornerman.said.shapes(api, said.map(([, , text]) => text), (point) => locate(api, point)));
    $("logs").replaceChildren(...said.map(([seat, , text, before]) => make("figure", {},
      make("figcaption", {}, `${named(seat)} wrote` + (before ? `, after ${before} bytes that were not kept` : "")),
      make("pre", { class: "answer", tabindex: "0" }, text))));
  };

  // How the seats stood, and, folded until the reader asks, why the game was lost.
  const standing = () => {
    const found = cornerman.why.chart(api);
    $("standing").replaceChildren(...found ? [make("figcaption", {}, found[0]), found[1]] : []);
  };
  const reasons = () => {
    const found = cornerman.why.causes(game);
    $("why").hidden = found.length === 0;
    $("why").open = false;
    if (found.length === 0) return;
    $("why-words").replaceChildren(make("li", {}, `${named(game.why.lost)} lost.`), ...found.map(([number, words]) => make("li", {},
      ...(number ? [make("a", { href: `#${game.id}/${number}` }, `Move ${number}`), ": "] : []), words)));
  };

  // Of the moves, only those that fit the reader's condition on what bots noted, if there is one.
  const filter = () => {
    const input = $("where");
    const found = input.value.trim() ? cornerman.said.where(input.value, noted) : new Set();
    input.setCustomValidity(found ? "" : `A condition such as ${[...noted.keys()][0] ?? "depth"} < 3`);
    rows.forEach((row, index) => { row.hidden = Boolean(found && input.value.trim() && !found.has(index + 1)); });
  };
  let redraw = () => {};
  // Who won and how, and the way to a forfeit: folded until the end, or until the reader asks.
  const result = () => {
    $("viewer-ending").textContent = game.end + ". ";
    const first = game.stops.findIndex((stop) => game.steps[stop - 1]?.forfeit);
    if (first < 0) return;
    const go = make("button", { type: "button" }, `Go to the forfeit of ${name(game.steps[game.stops[first] - 1].seat)}`);
    go.addEventListener("click", () => to(first));
    $("viewer-ending").append(go);
  };
  const update = () => {
    const step = game.steps[game.stops[at] - 1];
    const status = $("step");
    $("figures").textContent = "";
    if (at === game.stops.length - 1) $("result").open = true;
    if (!step) {
      status.textContent = "The start.";
    } else if (kindOf(game).byRounds && !step.forfeit) {
      const played = game.steps.slice(game.stops[at - 1], game.stops[at]);
      status.replaceChildren(`Round ${at}: `, ...played.flatMap((one, index) => [`${index ? "; " : ""}${named(one.seat)} ${move(one)}`, timed(`, ${time(one.wall)}`)]), ".");
    } else {
      const more = typeof step.more === "string" ? ` (${step.more})` : "";
      const held = step.lag > 0 ? `; it waited for a processor for ${time(step.lag)}` : "";
      status.replaceChildren(`Move ${step.number}: ${named(step.seat)} ${move(step)}${more}.`,
        timed(` It took ${time(step.wall)}, ${time(step.cpu)} of it on a processor${held}.`));
    }
    redraw();
    clocks();
    violation();
    logs();
    standing();
    const last = game.stops.length - 1;
    $("at").max = last;
    $("at").value = at;
    $("at").setAttribute("aria-valuetext", `${at} of ${last}`);
    ["first", "back"].forEach((id) => { $(id).disabled = at === 0; });
    ["next", "last"].forEach((id) => { $(id).disabled = at === last; });
    rows.forEach((row, index) => row.toggleAttribute("aria-current", index === at - 1));
    const current = rows[at - 1];
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
  const playing = (is) => {
    $("play").setAttribute("aria-label", is ? "Stop" : "Play");
    $("play").classList.toggle("playing", is);
  };
  const stop = () => {
    clearInterval(timer);
    timer = null;
    playing(false);
    $("step").setAttribute("aria-live", "polite");
  };
  const play = () => {
    if (timer) { stop(); return; }
    if (at === game.stops.length - 1) to(0);
    playing(true);
    // A screen reader should not announce every step of it.
    $("step").setAttribute("aria-live", "off");
    timer = setInterval(() => to(at + 1), Number($("speed").value));
  };

  // `Round 3, match 4`, which game of it if there are several, and which attempt of the game.
  const entitle = (id, more) => {
    const [, round, match, number, attempt] = id.split("/").map((part) => part.slice(1));
    const several = shelf.ids.some((other) => other !== id && other.split("/").slice(0, 3).join() === id.split("/").slice(0, 3).join());
    const title = `Round ${round}, match ${match}${several ? `, game ${number}` : ""}${attempt ? `, attempt ${attempt}` : ""}${more} `;
    $("viewer-title").replaceChildren(title, make("small", {}, id));
  };
  const open = (id, number, forfeit) => {
    if (game?.id !== id) {
      stop();
      game = load(id);
      entitle(game.id, `: ${game.who.map((_, seat) => named(seat)).join(" against ")}`);
      $("result").open = false;
      result();
      reasons();
      moves();
      noted = cornerman.said.notes(game);
      $("note-filter").hidden = noted.size === 0;
      filter();
      redraw = kindOf(game).open(api);
      const here = shelf.ids.indexOf(game.id);
      [["previous-game", shelf.ids[here - 1] ?? shelf.before], ["next-game", shelf.ids[here + 1] ?? shelf.after]].forEach(([id, other]) => {
        $(id).disabled = !other;
        $(id).onclick = () => { location.hash = `#${other}`; };
      });
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
    viewer.querySelectorAll(".viewer-body, .hint").forEach((part) => { part.hidden = !here; });
    $("absent").hidden = here;
    if (!viewer.open) viewer.showModal();
  };
  const absent = (id) => {
    stop();
    shelf = own;
    game = null;
    entitle(id, "");
    const command = $("absent").querySelector("[data-command]");
    command.textContent = `${command.dataset.command} ${id}`;
    showViewer(false);
  };
  const openFrom = (from, id, number, forfeit) => {
    if (!from?.ids.includes(id)) { absent(id); return; }
    shelf = from;
    open(id, Number(number ?? 0), forfeit === "f");
  };
  const follow = () => {
    const hash = location.hash;
    const found = vertex(decodeURIComponent(hash));
    if (found && viewer) {
      const [, id, number, forfeit] = found;
      if (!siteGames) { openFrom(own, id, number, forfeit); return; }
      // The reader may have gone elsewhere in the meantime.
      const show = (from) => { if (location.hash === hash) openFrom(from, id, number, forfeit); };
      loaded(id).then(show, () => show(null));
      return;
    }
    if (viewer?.open) viewer.close();
    const target = location.hash.length > 1 && $(decodeURIComponent(location.hash.slice(1)));
    const folded = target && target.closest("details");
    if (folded) { folded.open = true; target.scrollIntoView(); }
  };

  $("play")?.addEventListener("click", play);
  $("first")?.addEventListener("click", () => to(0));
  $("back")?.addEventListener("click", () => to(at - 1));
  $("next")?.addEventListener("click", () => to(at + 1));
  $("last")?.addEventListener("click", () => to(game.stops.length - 1));
  $("at")?.addEventListener("input", () => to(Number($("at").value)));
  $("speed")?.addEventListener("change", () => { if (timer) { stop(); play(); } });
  $("where")?.addEventListener("input", filter);
  $("close")?.addEventListener("click", () => viewer.close());
  const showTimes = (are) => {
    viewer.classList.toggle("timeless", !are);
    $("show-times").setAttribute("aria-pressed", String(are));
  };
  if (viewer) {
    showTimes(kept.get(() => localStorage, "cornerman-times") === "true");
    $("show-times").addEventListener("click", () => {
      const are = viewer.classList.contains("timeless");
      kept.set(() => localStorage, "cornerman-times", String(are));
      showTimes(are);
    });
  }
  viewer?.addEventListener("close", () => { stop(); history.replaceState(history.state, "", location.pathname + location.search); });
  // Links to games that the page does not have look different, and say so.
  if (viewer && !siteGames) document.querySelectorAll('main a[href^="#s"]').forEach((link) => {
    const id = vertex(link.getAttribute("href"))?.[1];
    if (!id || own.ids.includes(id)) return;
    link.classList.add("absent");
    link.setAttribute("title", "This page does not contain this game");
  });
  // Steps replace the address rather than add to the history, so only changes from game to game arrive here.
  addEventListener("hashchange", follow);
  addEventListener("keydown", (event) => {
    const shown = game && viewer.open;
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
