# Takes one object from the first heap that has any.
import sys

for line in sys.stdin:
    heaps = [int(word) for word in line.split()]
    if not any(heaps):
        break
    heap = next(number for number, there in enumerate(heaps, 1) if there)
    print(heap, 1, flush=True)
