"""Leaves heaps whose sum without carrying is zero, where it can (N1)."""
import sys

for line in sys.stdin:
    heaps = [int(word) for word in line.split()]
    total = 0
    for heap in heaps:
        total ^= heap
    for number, heap in enumerate(heaps, 1):
        if heap ^ total < heap:
            print(number, heap - (heap ^ total), flush=True)
            break
    else:
        if any(heaps):
            print(heaps.index(max(heaps)) + 1, 1, flush=True)
