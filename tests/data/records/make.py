#!/usr/bin/env python3
"""Makes the records of this folder: make.py PROGRAM [NAME ...], PROGRAM being the command `cornerman`.

Every contest is played in a folder in /tmp, so that no path of the machine gets into its record. Times differ from run
to run, and the text that `standings` prints with them.
"""
import contextlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
CHECKOUT = HERE.parents[2]
WORK = Path("/tmp/contest")
HOST = "ringside"
# Calls a program on a machine of that name. The name of the machine is in the seal, so it cannot be changed afterwards.
ON_HOST = ["unshare", "--uts", "sh", "-c", f'echo {HOST} > /proc/sys/kernel/hostname && exec "$0" "$@"']

# A copy of the bot for each of these: its file name says what it does.
FAULTS = {
    "boxing": "length rows line-ending final-newline lead trail charset none vacant mark square one filled timeout died "
    "out-of-memory too-much slow status litter",
    "rps": "timeout died left closed unfinished token too-much nameless crowd network moody slow",
    "go": "occupied timeout died left too-much chatty suicide ko superko",
}
# The check would leave out the entries that are there for their faults.
OPTIONS = {
    "forfeits-boxing": ["--no-check"],
    "forfeits-rps": ["--no-check"],
    "forfeits-go": ["--no-check"],
    "gauntlet": ["--isolation", "plain", "--isolation-at-most", "plain"],
    "go-swiss": ["--isolation", "restricted", "--isolation-at-most", "restricted"],
    "knockout": ["--isolation-at-most", "scoped"],
    "stopped": ["--no-check"],
    "begun": ["--no-check"],
}
# Exit codes of contests that are not played to their end.
ENDS = {"stopped": 1, "unplayable": 2, "begun": -signal.SIGKILL}


def prepare():
    """The folder that contests are played in: the files of this one, the example bots of the kit, bots with faults."""
    shutil.copytree(HERE, WORK, ignore=shutil.ignore_patterns("*.db"), dirs_exist_ok=True)
    for bot in ("tenuki", "rps"):
        shutil.copytree(CHECKOUT / "bots" / bot, WORK / "bots" / bot)
    for game, faults in FAULTS.items():
        folder = WORK / "bots" / f"faults-{game}"
        folder.mkdir()
        for fault in faults.split():
            shutil.copy(HERE / "bots" / f"{game}.py", folder / f"{fault}.py")
        # A program whose loader is not on the machine can be read and cannot be started.
        if game != "go":
            program = Path("/bin/true").resolve().read_bytes()
            lame = folder / "cannot-start"
            lame.write_bytes(program.replace(b"/lib64/ld-linux", b"/lib64/no-linux"))
            lame.chmod(0o755)
    (WORK / "bots" / "other").mkdir()
    shutil.copy(HERE / "bots" / "jab.py", WORK / "bots" / "other" / "jab.py")


def games(db):
    """How many games are in the record."""
    try:
        with contextlib.closing(sqlite3.connect(f"file:{db}?mode=ro", uri=True)) as record:
            return record.execute("SELECT count(*) FROM games").fetchone()[0]
    except sqlite3.Error:
        return -1


def wait_for_games(db, wanted):
    while games(db) < wanted:
        time.sleep(0.02)


def interfere(name, run, db):
    if name == "stopped":
        wait_for_games(db, 9)
        run.send_signal(signal.SIGINT)
    elif name == "begun":
        wait_for_games(db, 0)
        time.sleep(0.5)
        run.kill()


def shrink(db):
    """Small pages, no free ones, no facts about this machine and nothing beside the file."""
    record = sqlite3.connect(db)
    record.execute("PRAGMA journal_mode = delete")
    record.execute("UPDATE machines SET processor = 'a processor', cores = 2, kernel = 'Linux'")
    record.commit()
    record.execute("PRAGMA page_size = 512")
    record.execute("VACUUM")
    record.close()


def make(program, name):
    db = WORK / f"{name}.db"
    command = [*ON_HOST, program, "tournament", f"{name}.toml", *OPTIONS.get(name, [])]
    run = subprocess.Popen(command, cwd=WORK, stdout=subprocess.DEVNULL)
    interfere(name, run, db)
    code = run.wait()
    if code != ENDS.get(name, 0):
        sys.exit(f"{name}: exit code {code}")
    shrink(db)
    shutil.copy(db, HERE / db.name)
    print(f"{name}: {games(db)} games, {db.stat().st_size // 1024} KiB")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program = str(Path(sys.argv[1]).resolve())
    if os.geteuid() != 0:
        sys.exit("run this as root, who may change the name of the machine for the program")
    # A folder that is there already is somebody else's.
    WORK.mkdir()
    try:
        prepare()
        for name in sys.argv[2:] or sorted(path.stem for path in HERE.glob("*.toml")):
            make(program, name)
    finally:
        shutil.rmtree(WORK)


main()
