#!/usr/bin/env python3
"""A rock-paper-scissors bot that must pass: it plays what beats the opponent's most frequent hand, is written in an
interpreted language, flushes its output, and ends when its input ends."""

import sys


def main():
    print("Counting Snake", flush=True)
    lines = iter(sys.stdin.readline, "")
    seed, rounds = int(next(lines, "0")), int(next(lines, "0"))
    counts = [0, 0, 0]
    for at in range(rounds):
        most = counts.index(max(counts)) if at else seed % 3
        print((most + 1) % 3, flush=True)
        line = next(lines, None)
        if line is None:
            return
        counts[int(line)] += 1
    for _ in lines:
        pass


main()
