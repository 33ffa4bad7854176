#!/usr/bin/env python3
"""Computes the seal of a record from its file alone: seal.py RECORD. See `record.md`, "The seal"."""
import hashlib
import sqlite3
import struct
import sys

CONTEST = [
    "SELECT key, value FROM meta WHERE key NOT IN ('contest_file', 'contest_json', 'contest_sha256', 'link') ORDER BY key",
    "SELECT * FROM stages ORDER BY number",
    "SELECT * FROM entrants WHERE number NOT IN (SELECT coalesce(json_extract(action, '$.admit.entrant'), "
    "json_extract(action, '$.replace.version'), -1) FROM decisions) ORDER BY number",
]
FILES = "SELECT key, value FROM meta WHERE key IN ('contest_file', 'contest_json') ORDER BY key"
GAME = [
    "SELECT text FROM boards JOIN games ON number = board WHERE id = ?",
    "SELECT level, refused FROM isolations WHERE game = ? ORDER BY id",
    "SELECT stage, round, tbl, game, attempt, board, seed, ending, moves, faults, host, started_ms, wall_us, seats, size, "
    "log FROM games WHERE id = ?",
]
DECISION = [
    "SELECT taken_ms, action, why FROM decisions WHERE id = ?",
    "SELECT entrants.* FROM entrants JOIN decisions ON number = "
    "coalesce(json_extract(action, '$.admit.entrant'), json_extract(action, '$.replace.version')) WHERE id = ?",
]


def value(it):
    if it is None:
        return b"N"
    if isinstance(it, int):
        return b"I" + struct.pack("<q", it)
    if isinstance(it, float):
        return b"F" + struct.pack("<d", it)
    kind, content = (b"S", it.encode()) if isinstance(it, str) else (b"B", it)
    return kind + struct.pack("<Q", len(content)) + content


def rows(db, sql, key=()):
    return b"".join(b"R" + b"".join(map(value, row)) for row in db.execute(sql, key))


def seal(db):
    """The seal as hexadecimal digits; None if the record has no game and no decision."""
    steps = [(row[0], GAME) for row in db.execute("SELECT id FROM games")]
    steps += [(row[0], DECISION) for row in db.execute("SELECT id FROM decisions")]
    link = hashlib.sha256(b"".join(rows(db, sql) for sql in CONTEST)).digest()
    for number, tables in sorted(steps, key=lambda step: step[0]):
        link = hashlib.sha256(link + b"".join(rows(db, sql, [number]) for sql in tables)).digest()
    files = hashlib.sha256(rows(db, FILES)).digest()
    return hashlib.sha256(link + files).hexdigest() if steps else None


if __name__ == "__main__":
    print(seal(sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)))
