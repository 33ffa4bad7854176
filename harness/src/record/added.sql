-- Tables that were added to the format of schema.sql without a new version. Records of earlier kits lack them until a
-- run resumes.

-- Games that could not be played because the kit or the machine failed. Those in `games` have been played since.
CREATE TABLE IF NOT EXISTS unplayed (
    stage    INTEGER NOT NULL REFERENCES stages,
    round    INTEGER NOT NULL,
    tbl      INTEGER NOT NULL,
    game     INTEGER NOT NULL,
    attempts INTEGER NOT NULL, -- in all runs
    why      TEXT NOT NULL,    -- what went wrong in the last attempt
    PRIMARY KEY (stage, round, tbl, game)
) WITHOUT ROWID;

-- The chain of hashes over the games, in the order in which they were recorded; docs/record.md says what is hashed.
CREATE TABLE IF NOT EXISTS seals (
    game INTEGER PRIMARY KEY, -- as in games; 0 for the contest and its entrants
    link TEXT NOT NULL        -- SHA-256 in hexadecimal
);

-- The machines that games were played on.
CREATE TABLE IF NOT EXISTS machines (
    host      TEXT PRIMARY KEY, -- as in games
    processor TEXT NOT NULL,    -- the model, as the kernel names it
    cores     INTEGER NOT NULL,
    kernel    TEXT NOT NULL
) WITHOUT ROWID;

-- The bots that other machines have built; those of the machine that runs the tournament are in `entrants`.
CREATE TABLE IF NOT EXISTS builds (
    host           TEXT NOT NULL REFERENCES machines,
    entrant        INTEGER NOT NULL REFERENCES entrants,
    toolchain      TEXT,
    program_sha256 TEXT,
    PRIMARY KEY (host, entrant)
) WITHOUT ROWID;
