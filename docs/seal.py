#!/usr/bin/env python3
"""Computes the seal of a record or an extract from its file alone: seal.py RECORD. See `record.md`, "The seal"."""
import hashlib
import json
import sqlite3
import struct
import sys
import zlib

CONTEST = [
    "SELECT key, value FROM meta "
    "WHERE key NOT IN ('contest_file', 'contest_json', 'contest_sha256', 'link', 'extract') ORDER BY key",
    "SELECT * FROM stages ORDER BY number",
    "SELECT * FROM entrants WHERE number NOT IN (SELECT coalesce(json_extract(action, '$.admit.entrant'), "
    "json_extract(action, '$.replace.version'), -1) FROM decisions) ORDER BY number",
]
FILES = "SELECT key, value FROM meta WHERE key IN ('contest_file', 'contest_json') ORDER BY key"
GAME = [
    "SELECT text FROM boards JOIN games ON number = board WHERE id = ?",
    "SELECT level, refused FROM isolations WHERE id IN "
    "(SELECT json_extract(value, '$[5]') FROM games, json_each(seats) WHERE games.id = ?) ORDER BY id",
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


def sha256(content):
    return hashlib.sha256(content).digest()


def check_logs(db):
    """Compares what bots wrote to standard error with its hashes, which are in the rows of games."""
    for game, seat, size, log in db.execute("SELECT game, seat, size, log FROM logs"):
        [[seats]] = db.execute("SELECT seats FROM games WHERE id = ?", [game])
        text = log if len(log) == size else zlib.decompress(log)
        if json.loads(seats)[seat][14:] != [sha256(text).hex()]:
            sys.exit(f"the log of seat {seat} in game {game} was changed")


def seal(db):
    """The seal as hexadecimal digits; None if the record has no game and no decision."""
    hashes = dict(db.execute("SELECT id, sha256 FROM left_out"))
    for table, queries in [("games", GAME), ("decisions", DECISION)]:
        for [number] in db.execute(f"SELECT id FROM {table}"):
            hashes[number] = sha256(b"".join(rows(db, sql, [number]) for sql in queries))
    link = sha256(b"".join(rows(db, sql) for sql in CONTEST))
    for _, game_or_decision in sorted(hashes.items()):
        link = sha256(link + game_or_decision)
    return sha256(link + sha256(rows(db, FILES))).hex() if hashes else None


if __name__ == "__main__":
    record = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
    check_logs(record)
    print(seal(record))
