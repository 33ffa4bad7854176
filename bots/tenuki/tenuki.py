"""Tenuki plays Go elsewhere: as far as possible from the opponent's last move. Run as: tenuki.py black|white [SIZE]"""
import sys

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # the columns; I is skipped
BESIDE = [(1, 0), (-1, 0), (0, 1), (0, -1)]
CORNERS = [(1, 1), (1, -1), (-1, 1), (-1, -1)]


def near(point, steps, size):
    """The points of the board that are `steps` away."""
    around = [(point[0] + col, point[1] + row) for col, row in steps]
    return [(col, row) for col, row in around if 0 <= col < size and 0 <= row < size]


def chain(stones, point, size):
    """The chain of the stone at `point`: its stones and its liberties."""
    found, liberties, to_see = {point}, set(), [point]
    while to_see:
        for beside in near(to_see.pop(), BESIDE, size):
            if beside not in stones:
                liberties.add(beside)
            elif stones[beside] == stones[point] and beside not in found:
                found.add(beside)
                to_see.append(beside)
    return found, liberties


def after(stones, point, colour, size):
    """The stones after `colour` has played at `point`; None if that is suicide."""
    stones = {**stones, point: colour}
    for beside in near(point, BESIDE, size):
        if stones.get(beside, colour) != colour:
            taken, liberties = chain(stones, beside, size)
            if not liberties:
                for stone in taken:
                    del stones[stone]
    return stones if chain(stones, point, size)[1] else None


def is_eye(stones, point, colour, size):
    """Whether the point is an eye: its neighbours are our stones, and the opponent has few of its corners."""
    if any(stones.get(beside) != colour for beside in near(point, BESIDE, size)):
        return False
    corners = near(point, CORNERS, size)
    foes = sum(stones.get(corner, colour) != colour for corner in corners)
    return foes <= (1 if len(corners) == 4 else 0)


def choose(stones, colour, last, past, size):
    """The point to play and the stones after it; None to pass. It never repeats a position, so it breaks no ko rule."""
    def appeal(point):
        distance = abs(point[0] - last[0]) + abs(point[1] - last[1])
        on_edge = min(point) == 0 or max(point) == size - 1
        return (on_edge, -distance, point)

    free = [(col, row) for col in range(size) for row in range(size) if (col, row) not in stones]
    for point in sorted(free, key=appeal):
        if not is_eye(stones, point, colour, size):
            then = after(stones, point, colour, size)
            if then is not None and frozenset(then.items()) not in past:
                return point, then
    return None


def main():
    if len(sys.argv) < 2 or sys.argv[1] not in ("black", "white"):
        sys.exit("usage: tenuki.py black|white [SIZE]")
    own, foe = ("black", "white") if sys.argv[1] == "black" else ("white", "black")
    size = int(sys.argv[2]) if len(sys.argv) > 2 else 19
    stones, past, last = {}, set(), (size // 2, size // 2)

    def move():
        nonlocal stones
        chosen = choose(stones, own, last, past, size)
        if chosen is not None:
            point, stones = chosen
            past.add(frozenset(stones.items()))
        print(f"{LETTERS[point[0]]}{point[1] + 1}" if chosen is not None else "pass", flush=True)

    if own == "black":  # Black moves first
        move()
    for line in sys.stdin:
        word = line.strip().upper()
        if word == "TIME":  # our time is used up, but this bot is fast anyway
            continue
        if word != "PASS":
            last = (LETTERS.index(word[0]), int(word[1:]) - 1)
            stones = after(stones, last, foe, size)
            past.add(frozenset(stones.items()))
        move()


main()
