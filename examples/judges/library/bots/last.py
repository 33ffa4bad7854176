"""Chooses the last move."""
import sys

for line in sys.stdin:
    if line.startswith("moves: "):
        print(line.removeprefix("moves: ").strip().split(", ")[-1], flush=True)
