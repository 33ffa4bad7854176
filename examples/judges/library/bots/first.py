"""Chooses the first move."""
import sys

for line in sys.stdin:
    if line.startswith("moves: "):
        print(line.removeprefix("moves: ").strip().split(", ")[0], flush=True)
