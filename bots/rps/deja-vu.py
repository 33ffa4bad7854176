"""Looks for the longest run of past rounds that is like the last ones, and beats what the other played after it."""
import sys

LONGEST = 8


def expected(past, foes, first):
    """The other's next hand: that after the latest, longest stretch that is as the end of `past` is."""
    for length in range(min(LONGEST, len(past) - 1), 0, -1):
        found = past.rfind(past[-length:], 0, len(past) - 1)
        if found >= 0:
            return foes[found + length]
    return first


print("Déjà Vu", flush=True)
seed, rounds = int(input()), int(input())
past, foes = "", []  # the other's hand of each round is one character of the past, together with this bot's
for round in range(rounds):
    own = (expected(past, foes, (seed + round) % 3) + 1) % 3
    print(own, flush=True)
    line = sys.stdin.readline()
    if not line:
        break
    foes.append(int(line))
    past += chr(ord("a") + 3 * own + foes[-1])
