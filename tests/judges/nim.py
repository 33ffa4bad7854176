# Nim as docs/judge.md plays it.
import json, random, sys

def position(heaps, seat, more):
    view = " ".join(map(str, heaps))
    if not any(heaps):
        return {"points": [seat, 1 - seat], "view": view, **more}
    return {"state": view, "turn": [seat], "view": view, **more}

def read(words):
    return [int(word) if word.isascii() and word.isdigit() and len(word) < 4 else -1 for word in words.split()]

def answer(q):
    if q["ask"] == "hello":
        return {"judge": 1, "game": "nim", "legal": True, "boards": True, "prompt": "heap and count, such as 2 3", "rules": {
            "heaps": {"default": 3, "min": 1, "max": 9, "about": "heaps at the start"},
            "most": {"default": 9, "min": 1, "max": 99, "about": "the most objects of a heap"}}}
    if q["ask"] == "start":
        chance = random.Random(q["seed"])
        heaps = read(q["board"]) or [chance.randint(1, q["rules"]["most"]) for _ in range(q["rules"]["heaps"])]
        return {"error": "a board is a list of numbers"} if min(heaps) < 0 or not any(heaps) else position(heaps, 0, {})
    heaps = read(q["state"])
    if q["ask"] == "legal":
        return {"legal": [f"{heap} {count}" for heap, there in enumerate(heaps, 1) for count in range(1, there + 1)]}
    seat, move = q["turn"][0], q["moves"][0]
    if move is None:
        return {"points": [seat, 1 - seat]}
    words = read(move)
    if len(words) != 2 or not 1 <= words[0] <= len(heaps):
        return {"illegal": ["answer with a heap and a count"], "kinds": ["form"]}
    heap, count = words
    if not 1 <= count <= heaps[heap - 1]:
        return {"illegal": [f"heap {heap} has {heaps[heap - 1]}"], "kinds": ["count"]}
    heaps[heap - 1] -= count
    return position(heaps, 1 - seat, {"moves": [f"{heap} {count}"]})

for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
