"""Breaks a rule of the Boxing Match after one legal move. Its file name says which: `make.py` copies it for each fault."""
import os
import resource
import signal
import subprocess
import sys
import time

FAULT = os.path.basename(sys.argv[0]).removesuffix(".py")
MARK = sys.argv[1].encode()
GIVEN = sys.stdin.buffer.read()
VACANT = [at for at, spot in enumerate(GIVEN) if spot == ord("-")]


def marked(spots, mark=MARK):
    """The arena with these spots marked."""
    arena = bytearray(GIVEN)
    for spot in spots:
        arena[spot] = ord(mark)
    return bytes(arena)


def write(answer):
    sys.stdout.buffer.write(answer)
    sys.stdout.flush()


def run_on():
    while True:
        sys.stdout.buffer.write(b"-" * 65536)


def crash():
    print("no such move: \u2205 <b>&</b>", file=sys.stderr, flush=True)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.kill(os.getpid(), signal.SIGSEGV)


def hoard():
    """Two processes hold together what each of them alone may have."""
    held = b"x" * (80 << 20 if os.fork() else 60 << 20)
    time.sleep(60)


MOVE = marked(VACANT[:1])
TAKEN = next((at for at, spot in enumerate(GIVEN) if spot not in b"-\n"), 0)
BESIDE = next((at for at in VACANT if at + 1 in VACANT), 0)
FAULTS = {
    # Forfeits, each by the slug that the record has for it.
    "length": lambda: write(b""),
    "rows": lambda: write(MOVE[:-33]),
    "line-ending": lambda: write(MOVE.replace(b"\n", b"\r\n")),
    "final-newline": lambda: write(MOVE[:-1]),
    "lead": lambda: write(b"\xff\xfe\n" + MOVE),
    "trail": lambda: write(MOVE + b"\0done\n"),
    "charset": lambda: write(marked(VACANT[:1], b"\x07")),
    "none": lambda: write(GIVEN),
    "vacant": lambda: write(marked([TAKEN])),
    "mark": lambda: write(marked(VACANT[:1], b"%")),
    "square": lambda: write(marked([BESIDE, BESIDE + 1])),
    "one": lambda: write(marked([VACANT[0], VACANT[-1]])),
    "filled": lambda: write(marked(VACANT[:4] + VACANT[-1:])),
    "timeout": lambda: time.sleep(60),
    "died": crash,
    "out-of-memory": hoard,
    "too-much": run_on,
    # What is remarked and costs nothing.
    "slow": lambda: (time.sleep(0.25), write(MOVE)),
    "status": lambda: (write(MOVE), sys.exit(3)),
    "litter": lambda: (subprocess.Popen(["sleep", "60"]), write(MOVE)),
}
if MARK in GIVEN or FAULT in ("slow", "status", "litter"):
    FAULTS[FAULT]()
else:
    write(MOVE)
