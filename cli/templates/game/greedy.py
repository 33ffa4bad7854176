# Takes the whole largest heap.
import sys

for line in sys.stdin:
    heaps = [int(word) for word in line.split()]
    if not any(heaps):
        break
    print(heaps.index(max(heaps)) + 1, max(heaps), flush=True)
