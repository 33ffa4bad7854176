"""{{name}} takes the largest square it can find. Run as: python3 bot.py MARK < arena"""
import sys

WIDTH, HEIGHT, LINE = 32, 16, 33  # a line is a row of spots and a line feed


def squares():
    """All squares, the largest first: the offsets where their rows start, and their size."""
    for size in range(HEIGHT, 0, -1):
        for row in range(HEIGHT - size + 1):
            for col in range(WIDTH - size + 1):
                yield range(row * LINE + col, (row + size) * LINE, LINE), size


if len(sys.argv) < 2 or len(sys.argv[1]) != 1:
    sys.exit("usage: python3 bot.py MARK < arena")
mark = sys.argv[1].encode()
arena = bytearray(sys.stdin.buffer.read(HEIGHT * LINE))
for starts, size in squares():  # takes the first vacant one; make it smarter here
    if all(arena[start:start + size] == b"-" * size for start in starts):
        for start in starts:
            arena[start:start + size] = mark * size
        break
sys.stdout.buffer.write(arena)
sys.stdout.flush()
