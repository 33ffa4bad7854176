# The judge of {{name}}: heaps of objects; who takes the last object wins. `{{command}} help judge.md` shows the protocol.
import json, random, sys

HELLO = {
    "judge": 1, "game": "{{name}}", "legal": True, "boards": True, "prompt": "heap and count, such as 2 3",
    "rules": {
        "heaps": {"default": 3, "min": 1, "max": 9, "about": "heaps at the start"},
        "most": {"default": 9, "min": 1, "max": 99, "about": "the most objects of a heap"},
    },
}

def start(q):
    rules = q["rules"]
    if q["board"]:                                  # an organizer has written the heaps
        words = q["board"].split()
        if not all(word.isascii() and word.isdigit() and len(word) < 4 for word in words) or not any(map(int, words)):
            return {"error": "a board is a list of numbers, such as 3 4 5"}
        return position([int(word) for word in words], 0)
    chance = random.Random(q["seed"])               # the only source of chance
    return position([chance.randint(1, rules["most"]) for _ in range(rules["heaps"])], 0)

def position(heaps, seat):
    board = " ".join(map(str, heaps))
    if not any(heaps):                              # the seat before took the last object
        return {"points": [seat, 1 - seat], "view": board}
    return {"state": heaps, "turn": [seat], "view": board}

def legal(heaps):
    return [f"{heap + 1} {count}" for heap, there in enumerate(heaps) for count in range(1, there + 1)]

def move(q):
    heaps, seat, text = q["state"], q["turn"][0], q["moves"][0]
    if text is None:                                # a forfeit: the other seat wins
        return {"points": [seat, 1 - seat]}
    text = " ".join(text.split())
    if text not in legal(heaps):
        return {"illegal": ["answer with a heap and a count that it has, such as " + legal(heaps)[0]]}
    heap, count = map(int, text.split())
    heaps[heap - 1] -= count
    return position(heaps, 1 - seat)

def answer(q):
    if q["ask"] == "hello":
        return HELLO
    if q["ask"] == "start":
        return start(q)
    if q["ask"] == "legal":
        return {"legal": legal(q["state"])}
    return move(q)

for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
