"""Beats the opponent's last move; begins with the seed modulo 3."""

import sys

print("beats-last in Python", flush=True)
move = int(sys.stdin.readline()) % 3
sys.stdin.readline()
print(move, flush=True)
for line in sys.stdin:
    print((int(line) + 1) % 3, flush=True)
