#!/usr/bin/env python3
"""A bot for Nim that is started for every move and breaks only the rule that the name of its file stands for."""
import os, random, signal, subprocess, sys, time

kind = os.path.basename(sys.argv[0])
mark = sys.argv[1]
state = f"/tmp/arena.{mark}"


def notes():
    try:
        with open(state) as file:
            return file.read()
    except (FileNotFoundError, UnicodeDecodeError):
        return ""


def position():
    if kind == "waits-for-end":
        return sys.stdin.read()
    return sys.stdin.readline()


def move(heaps):
    if kind == "random-moves":
        heap = random.choice([at for at, left in enumerate(heaps) if left])
        return f"{heap + 1} {random.randint(1, heaps[heap])}"
    total = 0
    for heap in heaps:
        total ^= heap
    for number, heap in enumerate(heaps):
        if heap ^ total < heap:
            return f"{number + 1} {heap - (heap ^ total)}"
    return f"{heaps.index(max(heaps)) + 1} 1"


if kind == "needs-home":
    os.environ["HOME"]
if kind == "needs-folder":
    open(kind).close()
if kind == "pipe-only" and os.path.isfile("/dev/stdout"):
    sys.exit(1)
if kind == "writes-log":
    open("/tmp/nim.log", "w").close()
if kind == "reads-opponents-state":
    for name in os.listdir("/tmp"):
        if name.startswith("arena.") and name != os.path.basename(state):
            open("/tmp/" + name).close()
if kind == "floods-stderr":
    sys.stderr.write("thinking\n" * 20000)
if kind == "segv":
    os.kill(os.getpid(), signal.SIGSEGV)
turn = notes().count("moved") + 1
if kind == "dies-on-junk" and os.path.exists(state):
    open(state).read().encode("ascii")
    assert notes().count("moved\n") * 6 == os.path.getsize(state)
if kind == "dies-on-junk" or kind == "tires":
    with open(state, "a") as file:
        file.write("moved\n")
heaps = [int(word) for word in position().split()]
if kind == "sleeps" and heaps == [3, 5, 7]:
    time.sleep(0.7)
answer = move(heaps)
if kind == "takes-nothing":
    answer = answer.split()[0] + " 0"
if kind == "tires" and turn == 2:
    answer = "1 99"
if kind != "mute":
    print(answer, flush=True)
if kind == "leaves-process":
    subprocess.Popen(["sleep", "15"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
if kind == "exits-with-1":
    sys.exit(1)
