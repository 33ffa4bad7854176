"""A Go engine that speaks GTP, badly: engine.py pass|resign|refuse|nonsense. It passes after three moves of its own."""
import sys

MODE = sys.argv[1]
taken, made = set(), 0


def genmove():
    """Its response to `genmove`, and how that begins: `=` for success, `?` for a refusal."""
    global made
    made += 1
    if made == 3 and MODE != "pass":
        return {"resign": "= resign", "refuse": "? out of ideas", "nonsense": "= \x07B52"}[MODE]
    free = [move for move in ("C3", "B2", "D4", "B4", "D2", "A1", "E5") if move not in taken]
    move = free[0] if made < 4 else "pass"
    taken.add(move)
    return f"= {move}"


for line in sys.stdin:
    words = line.split()
    if words[0] == "play":
        taken.add(words[2].upper())
    elif words[0] == "clear_board":
        taken, made = set(), 0
    known = words[0] in ("boardsize", "clear_board", "komi", "play", "quit")
    answer = genmove() if words[0] == "genmove" else "= " if known else "? unknown command"
    print(answer + "\n", flush=True)
    if words[0] == "quit":
        break
