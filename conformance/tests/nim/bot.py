#!/usr/bin/env python3
"""A bot for Nim; if its file is called `tires`, its third move is illegal."""
import os, sys

kind = os.path.basename(sys.argv[0])


def move(heaps):
    total = 0
    for heap in heaps:
        total ^= heap
    for number, heap in enumerate(heaps):
        if heap ^ total < heap:
            return f"{number + 1} {heap - (heap ^ total)}"
    return f"{heaps.index(max(heaps)) + 1} 1"


for turn, line in enumerate(sys.stdin, 1):
    heaps = [int(word) for word in line.split()]
    if any(heaps):
        print("1 99" if kind == "tires" and turn == 3 else move(heaps), flush=True)
