# Pah-Tum: X and O fill a board of 7x7, of which some spots are blocked. Rows of 3 to 7 own spots score.
# The judge of a filter: a bot is one process a move, reads the board and writes the board with its mark added.
import json, random, sys

SIZE = 7
MARKS = "XO"
SCORES = {3: 3, 4: 10, 5: 25, 6: 56, 7: 119}

def start(q):
    if q["board"]:
        rows = q["board"].split()
        if len(rows) != SIZE or any(len(row) != SIZE or set(row) - set(".#") for row in rows):
            return {"error": "a board is 7 lines of 7 characters: . is vacant and # is blocked"}
        if not any("." in row for row in rows):
            return {"error": "a board needs a vacant spot"}
        return position("".join(rows), 0)
    chance = random.Random(q["seed"])
    blocked = chance.sample(range(SIZE * SIZE), chance.randrange(3, 14, 2))
    return position("".join("#" if spot in blocked else "." for spot in range(SIZE * SIZE)), 0)

def lines(spots):
    rows = [spots[at:at + SIZE] for at in range(0, SIZE * SIZE, SIZE)]
    return rows + ["".join(column) for column in zip(*rows)]

def score(spots, mark):
    # The rows of a mark are what is left of a line when everything else ends one.
    runs = ("".join(c if c == mark else " " for c in line).split() for line in lines(spots))
    return sum(SCORES.get(len(run), 0) for line in runs for run in line)

def text(spots):
    return "".join(spots[at:at + SIZE] + "\n" for at in range(0, SIZE * SIZE, SIZE))

def position(spots, seat):
    scores = [score(spots, mark) for mark in MARKS]
    shown = {"view": text(spots), "territory": [spots.count(mark) for mark in MARKS], "value": scores}
    if "." not in spots:
        return {"points": scores, **shown}
    return {"state": spots, "turn": [seat], **shown}

def name(spot):
    return "abcdefg"[spot % SIZE] + str(spot // SIZE + 1)

def spot_of(q):
    """The spot of the move, or what is wrong with it."""
    spots, mark, given = q["state"], MARKS[q["turn"][0]], q["moves"][0]
    if q["notation"]:
        names = {name(spot): spot for spot in range(SIZE * SIZE) if spots[spot] == "."}
        return names.get(given.strip(), f"{given[:20]} is not a vacant spot, such as {next(iter(names))}")
    answer = given.replace("\r", "")
    if answer.rstrip("\n") != answer[:SIZE * (SIZE + 1)].rstrip("\n") or len(answer.split("\n")) < SIZE:
        return "the answer must be the board: 7 lines of 7 characters"
    rows = answer.rstrip("\n").split("\n")
    if len(rows) != SIZE or any(len(row) != SIZE for row in rows):
        return "the answer must be the board: 7 lines of 7 characters"
    changed = [spot for spot, c in enumerate("".join(rows)) if c != spots[spot]]
    if len(changed) != 1:
        return f"the answer changes {len(changed)} spots, not one"
    if spots[changed[0]] != "." or "".join(rows)[changed[0]] != mark:
        return f"the spot {name(changed[0])} must be vacant and get a {mark}"
    return changed[0]

def move(q):
    seat = q["turn"][0]
    if q["moves"][0] is None:
        return {"points": [seat, 1 - seat]}
    spot = spot_of(q)
    if isinstance(spot, str):
        return {"illegal": [spot]}
    spots = q["state"][:spot] + MARKS[seat] + q["state"][spot + 1:]
    gained = score(spots, MARKS[seat]) - score(q["state"], MARKS[seat])
    words = {"words": f"scores {gained}"} if gained else {}
    return {**position(spots, 1 - seat), "moves": [name(spot)], **words}

def answer(q):
    if q["ask"] == "hello":
        return {"judge": 1, "game": "pahtum", "title": "Pah-Tum", "protocol": "filter", "marks": MARKS, "legal": True,
                "boards": True, "prompt": "column and row, such as c4"}
    if q["ask"] == "start":
        return start(q)
    if q["ask"] == "legal":
        return {"legal": [name(spot) for spot in range(SIZE * SIZE) if q["state"][spot] == "."]}
    return move(q)

for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
