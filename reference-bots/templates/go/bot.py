"""{{name}} plays Go at random, but never fills its own eyes. Run as: python3 bot.py black|white [SIZE]"""
import random
import sys

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # the columns; I is skipped


class Board:
    """The stones of a game. A point is a pair: column from the left and row from the bottom, both from 0."""

    def __init__(self, size):
        self.size = size
        self.points = [(col, row) for col in range(size) for row in range(size)]
        self.stones = {}  # the colour of each stone by its point
        self.ko = None  # the point that ko forbids

    def near(self, point, steps):
        """The points of the board that are `steps` away."""
        for col, row in steps:
            col, row = point[0] + col, point[1] + row
            if 0 <= col < self.size and 0 <= row < self.size:
                yield col, row

    def beside(self, point):
        return self.near(point, [(1, 0), (-1, 0), (0, 1), (0, -1)])

    def group(self, point):
        """The group of the stone at `point`: its stones and its liberties."""
        stones, liberties, to_see = {point}, set(), [point]
        while to_see:
            for next_to in self.beside(to_see.pop()):
                if next_to not in self.stones:
                    liberties.add(next_to)
                elif self.stones[next_to] == self.stones[point] and next_to not in stones:
                    stones.add(next_to)
                    to_see.append(next_to)
        return stones, liberties

    def play(self, point, colour):
        """Places a stone and removes the stones that it captures."""
        self.stones[point] = colour
        taken = []
        for next_to in self.beside(point):
            if self.stones.get(next_to, colour) != colour:
                stones, liberties = self.group(next_to)
                if not liberties:
                    taken += stones
                    for stone in stones:
                        del self.stones[stone]
        # Ko: a single stone that has captured a single stone may not be captured back at once.
        stones, liberties = self.group(point)
        self.ko = taken[0] if len(taken) == len(stones) == len(liberties) == 1 else None

    def is_legal(self, point, colour):
        """Whether a stone may be placed there: the point is empty, and the move breaks no ko and is no suicide."""
        if point in self.stones or point == self.ko:
            return False
        for next_to in self.beside(point):
            if next_to not in self.stones:
                return True
            liberties = len(self.group(next_to)[1])
            if self.stones[next_to] == colour and liberties > 1 or self.stones[next_to] != colour and liberties == 1:
                return True  # it joins a group that has another liberty, or captures one
        return False

    def is_eye(self, point, colour):
        """Whether the point is a real eye: its neighbours are ours, and the opponent has few of its corners."""
        if any(self.stones.get(next_to) != colour for next_to in self.beside(point)):
            return False
        corners = list(self.near(point, [(1, 1), (1, -1), (-1, 1), (-1, -1)]))
        foes = sum(self.stones.get(corner, colour) != colour for corner in corners)
        return foes == 0 if len(corners) < 4 else foes <= 1


def choose(board, colour):
    """The point to play, or None to pass. Make it smarter here."""
    for point in random.sample(board.points, len(board.points)):
        if board.is_legal(point, colour) and not board.is_eye(point, colour):
            return point
    return None


def move(board, colour):
    """Makes a move and prints it. Returns whether it was a pass."""
    point = choose(board, colour)
    if point is None:
        board.ko = None
        print("pass", flush=True)
    else:
        board.play(point, colour)
        print(f"{LETTERS[point[0]]}{point[1] + 1}", flush=True)  # without the flush, the line would stay in the buffer
    return point is None


def main():
    if len(sys.argv) < 2 or sys.argv[1] not in ("black", "white"):
        sys.exit("usage: python3 bot.py black|white [SIZE]")
    own, foe = ("black", "white") if sys.argv[1] == "black" else ("white", "black")
    board = Board(int(sys.argv[2]) if len(sys.argv) > 2 else 19)
    passed = own == "black" and move(board, own)  # Black moves first
    for line in sys.stdin:
        word = line.strip().upper()
        if word == "TIME":  # our time is used up, but this bot is fast anyway
            continue
        if word == "PASS":
            if passed:  # two passes end the game
                break
            board.ko = None
        else:
            board.play((LETTERS.index(word[0]), int(word[1:]) - 1), foe)
        passed = move(board, own)


main()
