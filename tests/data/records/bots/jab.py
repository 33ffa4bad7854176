"""A legal bot: marks the largest square that fits, the topmost and leftmost of them."""
import sys

mark = sys.argv[1].encode()
arena = bytearray(sys.stdin.buffer.read(528))


def spots(row, col, size):
    """Where the spots of a square are in the text: a line takes 33 bytes."""
    return [33 * r + c for r in range(row, row + size) for c in range(col, col + size)]


def largest():
    """The spots of the square to mark; none if the arena is full."""
    for size in range(16, 0, -1):
        for row in range(16 - size + 1):
            for col in range(32 - size + 1):
                if all(arena[spot] == ord("-") for spot in spots(row, col, size)):
                    return spots(row, col, size)
    return []


for spot in largest():
    arena[spot] = ord(mark)
sys.stdout.buffer.write(arena)
