"""Finds the longest run of past rounds that equals the last ones, and beats what the opponent played after it."""
import sys

LONGEST = 8


def expected(past, foes, first):
    """The opponent's expected hand: what followed the longest, latest earlier copy of the end of `past`."""
    for length in range(min(LONGEST, len(past) - 1), 0, -1):
        found = past.rfind(past[-length:], 0, len(past) - 1)
        if found >= 0:
            return foes[found + length]
    return first


print("Déjà Vu", flush=True)
seed, rounds = int(input()), int(input())
past, foes = "", []  # each round is one character of `past`: this bot's hand and the opponent's
for round in range(rounds):
    own = (expected(past, foes, (seed + round) % 3) + 1) % 3
    print(own, flush=True)
    line = sys.stdin.readline()
    if not line:
        break
    foes.append(int(line))
    past += chr(ord("a") + 3 * own + foes[-1])
