#!/usr/bin/env python3
"""A Boxing bot that must pass: it takes the first of the largest squares, and is written in an interpreted language."""

import os
import sys

WIDTH, HEIGHT = 32, 16
VACANT = ord("-")


def largest(rows):
    """The size, top and left of the first of the largest vacant squares; size 0 when there is none."""
    best = (0, 0, 0)
    # sizes[row][col]: the largest vacant square whose bottom right corner is there.
    sizes = [[0] * (WIDTH + 1) for _ in range(HEIGHT + 1)]
    for row in range(HEIGHT):
        for col in range(WIDTH):
            if rows[row][col] == VACANT:
                # Index -1 is the spare column, and the spare row, that stay 0.
                size = 1 + min(sizes[row - 1][col], sizes[row][col - 1], sizes[row - 1][col - 1])
                sizes[row][col] = size
                if size > best[0]:
                    best = (size, row - size + 1, col - size + 1)
    return best


def main():
    mark = os.fsencode(sys.argv[1]) if len(sys.argv) > 1 else b""
    rows = [bytearray(line) for line in sys.stdin.buffer.read((WIDTH + 1) * HEIGHT).split(b"\n")[:HEIGHT]]
    if len(mark) != 1 or len(rows) != HEIGHT or any(len(row) != WIDTH for row in rows):
        return "usage: largest.py MARK <old.arena >new.arena"
    size, top, left = largest(rows)
    for row in rows[top : top + size]:
        row[left : left + size] = mark * size
    sys.stdout.buffer.write(b"".join(row + b"\n" for row in rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
