"""Breaks a rule of rock-paper-scissors. Its file name says which: `make.py` copies it for each fault."""
import os
import resource
import signal
import socket
import sys
import threading
import time

FAULT = os.path.basename(sys.argv[0]).removesuffix(".py")


def run_on():
    while True:
        sys.stdout.write("0" * 65536)


def crash():
    print("no such hand: \u2205 <b>&</b>", file=sys.stderr, flush=True)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.kill(os.getpid(), signal.SIGABRT)


def close():
    os.close(1)
    time.sleep(60)


def call():
    try:
        socket.socket().connect(("127.0.0.1", 80))
    except OSError:
        pass


def crowd():
    for _ in range(3):
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()


# What is done in the third round, before its hand.
FAULTS = {
    # Forfeits.
    "timeout": lambda: time.sleep(60),
    "died": crash,
    "left": lambda: sys.exit(4),
    "closed": close,
    "unfinished": lambda: (print("1", end="", flush=True), sys.exit(0)),
    "token": lambda: print("\x1b[31mrock", flush=True),
    "too-much": run_on,
    "nameless": None,
    # What is only remarked.
    "crowd": crowd,
    "network": call,
    "moody": lambda: None,
}
if FAULT == "nameless":
    time.sleep(60)
print(f"Mood {time.time_ns() % 1000}" if FAULT == "moody" else f"The {FAULT} one", flush=True)
seed, rounds = int(input()), int(input())
for number in range(rounds):
    if FAULT == "slow":
        time.sleep(0.2)
    elif number == 2:
        FAULTS[FAULT]()
    print((seed + number) % 3, flush=True)
    if not sys.stdin.readline():
        break
