"""Breaks a rule of Go, on five lines. Its file name says which: `make.py` copies it for each fault.

The copies in `GAMES` play both sides of a game whose last move is illegal."""
import os
import signal
import sys

FAULT = os.path.basename(sys.argv[0]).removesuffix(".py")
BLACK = sys.argv[1] == "black"
# The moves of both, black's first.
GAMES = {
    "suicide": "A2 E5 B1 A1",
    "ko": "C4 D4 B3 E3 C2 D2 A1 C3 D3 C3",
    "superko": "C2 A2 D1 B2 A1 E5 B1 C1 A1 pass B1",
}


def spin():
    while True:
        pass


def run_on():
    while True:
        sys.stdout.write("x" * 65536)


# What is done when the opponent's move has come, and what is written then.
FAULTS = {
    "occupied": lambda move: print("C3" if BLACK else move),
    "timeout": lambda move: spin(),
    "died": lambda move: os.kill(os.getpid(), signal.SIGTERM),
    "left": lambda move: sys.exit(9),
    "too-much": lambda move: run_on(),
    # Lines that are no answers are ignored and counted.
    "chatty": lambda move: print("thinking \u2026\n\nC9\nresign\npass"),
}
moves = GAMES.get(FAULT, "C3").split()[0 if BLACK else 1 :: 2]
if BLACK:
    print(moves.pop(0), flush=True)
for line in sys.stdin:
    if FAULT in FAULTS:
        FAULTS[FAULT](line.strip())
    else:
        print(moves.pop(0) if moves else "pass")
    sys.stdout.flush()
