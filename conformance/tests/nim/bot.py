#!/usr/bin/env python3
"""A bot for Nim that breaks only the rule that the name of its file stands for."""
import os, signal, subprocess, sys, time

kind = os.path.basename(sys.argv[0])
kept = []


def write(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def lines():
    if kind != "read-once":
        yield from sys.stdin
        return
    while chunk := os.read(0, 4096):
        yield from chunk.decode().splitlines()


def move(heaps):
    total = 0
    for heap in heaps:
        total ^= heap
    for number, heap in enumerate(heaps):
        if heap ^ total < heap:
            return f"{number + 1} {heap - (heap ^ total)}"
    return f"{heaps.index(max(heaps)) + 1} 1"


def answer(turn, text):
    if kind == "no-lf":
        write(text)
    elif kind == "two-lines":
        write(text + "\n" + text + "\n")
    elif kind == "prompt":
        write(text + "\nyour turn\n")
    elif kind == "buffered":
        kept.append(text + "\n")
    elif kind == "takes-nothing":
        write(text.split()[0] + " 0\n")
    elif kind == "tires" and turn == 3:
        write("1 99\n")
    else:
        write(text + "\n")


if kind == "needs-home":
    os.environ["HOME"]
if kind == "banner":
    write("Nim bot 1.0\n")
if kind == "writes-log":
    open("/tmp/nim.log", "w").close()
if kind == "floods-stderr":
    sys.stderr.write("thinking\n" * 20000)
turn = 0
for line in lines():
    turn += 1
    heaps = [int(word) for word in line.split()]
    if kind == "sleeps":
        time.sleep(1.5)
    if kind == "gives-up" and turn == 2:
        sys.exit(1)
    if kind == "segv" and turn == 2:
        os.kill(os.getpid(), signal.SIGSEGV)
    if any(heaps) and kind != "mute":
        answer(turn, move(heaps))
if kind == "buffered":
    write("".join(kept))
if kind == "ignores-eof":
    time.sleep(30)
if kind == "leaves-process":
    subprocess.Popen(["sleep", "15"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
