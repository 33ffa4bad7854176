# Honeycomb: two to four players spread over a board of hexagons. All act at once, and territory counts.
# In each round every player names a vacant cell beside its own. A cell that several name stays vacant and is closed.
import json, random, sys

MARKS = "ABCD"
STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))

def cells(radius):
    span = range(-radius, radius + 1)
    return [(x, y) for y in span for x in span if abs(x + y) <= radius]

def name(cell, radius):
    return "abcdefghijklm"[cell[1] + radius] + str(cell[0] + radius + 1)

def start(q):
    radius, seats = q["rules"]["radius"], q["seats"]
    board = {cell: "." for cell in cells(radius)}
    chance = random.Random(q["seed"])
    # Closed cells come in turns of the board by a half, so that no corner is better.
    for _ in range(radius):
        x, y = chance.choice(cells(radius - 1))
        board[x, y] = board[-x, -y] = "#"
    corners = [(radius, 0), (-radius, 0), (0, radius), (0, -radius)]
    for mark, corner in zip(MARKS, corners[:seats]):
        board[corner] = mark
    return position(q, board, [])

def pack(board):
    return "".join(board.values())

def unpack(q):
    return dict(zip(cells(q["rules"]["radius"]), q["state"]))

def free(board, mark):
    near = {(x + dx, y + dy) for (x, y), own in board.items() if own == mark for dx, dy in STEPS}
    return sorted(cell for cell in near if board.get(cell) == ".")

def lines(board, radius):
    rows = []
    for y in range(-radius, radius + 1):
        row = [board[x, y] for x in range(-radius, radius + 1) if (x, y) in board]
        rows.append(" " * abs(y) + " ".join(row))
    return "\n".join(rows) + "\n"

def position(q, board, last):
    radius, seats = q["rules"]["radius"], q["seats"]
    held = [pack(board).count(mark) for mark in MARKS[:seats]]
    # A player that cannot move waits; no cell is ever given back.
    turn = [seat for seat in range(seats) if seat not in q["out"] and free(board, MARKS[seat])]
    text = lines(board, radius)
    shown = {"board": text, "territory": held, "value": held, **last_words(last)}
    if not turn or seats > 1 and len(q["out"]) >= seats - 1:
        return {"state": pack(board), "points": held, "view": text, **shown}
    views = [f"{MARKS[seat]} {radius}\n{text}" if seat in turn else None for seat in range(seats)]
    return {"state": pack(board), "turn": turn, "views": views, **shown}

def last_words(closed):
    return {"words": "closes " + " ".join(closed)} if closed else {}

def wrong(q, board, seat, text):
    names = {name(cell, q["rules"]["radius"]) for cell in free(board, MARKS[seat])}
    if text is not None and text.strip() not in names:
        return "answer with a vacant cell beside your own, such as " + min(names)

def move(q):
    board, radius = unpack(q), q["rules"]["radius"]
    illegal = [wrong(q, board, seat, text) for seat, text in zip(q["turn"], q["moves"])]
    if any(illegal):
        return {"illegal": illegal}
    named = {}
    for seat, text in zip(q["turn"], q["moves"]):
        if text is not None:
            named.setdefault(text.strip(), []).append(seat)
    closed = []
    for cell in board:
        seats = named.get(name(cell, radius), [])
        if len(seats) == 1:
            board[cell] = MARKS[seats[0]]
        elif seats:
            board[cell] = "#"
            closed.append(name(cell, radius))
    return position(q, board, closed)

COLOURS = {".": "#fff", "#": "#555", "A": "#d55e00", "B": "#0072b2", "C": "#009e73", "D": "#cc79a7"}

def picture(q):
    radius = q["rules"]["radius"]
    shapes = []
    for (x, y), own in unpack(q).items():
        cx, cy = 20 * x + 10 * y, 17 * y
        corners = " ".join(f"{cx + dx},{cy + dy}" for dx, dy in ((0, -11), (10, -6), (10, 6), (0, 11), (-10, 6), (-10, -6)))
        shapes.append(f'<polygon points="{corners}" fill="{COLOURS[own]}" stroke="#999"/>')
        shapes.append(f'<text x="{cx}" y="{cy + 3}" font-size="7" text-anchor="middle">{name((x, y), radius)}</text>')
    reach = 22 * radius + 14
    return {"svg": f'<svg viewBox="{-reach} {-reach} {2 * reach} {2 * reach}">' + "".join(shapes) + "</svg>"}

def answer(q):
    if q["ask"] == "hello":
        return {"judge": 1, "game": "honeycomb", "title": "Honeycomb", "seats": [2, 4], "marks": MARKS, "legal": True,
                "picture": True, "prompt": "a cell, such as d4", "unit": "cell",
                "rules": {"radius": {"default": 4, "min": 2, "max": 6, "about": "cells from the middle to a corner"}}}
    if q["ask"] == "start":
        return start(q)
    if q["ask"] == "legal":
        return {"legal": [name(cell, q["rules"]["radius"]) for cell in free(unpack(q), MARKS[q["seat"]])]}
    if q["ask"] == "picture":
        return picture(q)
    return move(q)

for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
