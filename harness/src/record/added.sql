-- Tables that were added to the format of schema.sql without a new version: records that an earlier kit began lack them
-- until a run goes on with them.

-- Games that could not be played because of the kit or the machine. Those that are in `games` have been played since.
CREATE TABLE IF NOT EXISTS unplayed (
    stage    INTEGER NOT NULL REFERENCES stages,
    round    INTEGER NOT NULL,
    tbl      INTEGER NOT NULL,
    game     INTEGER NOT NULL,
    attempts INTEGER NOT NULL, -- in all runs
    why      TEXT NOT NULL,    -- what went wrong in the last one
    PRIMARY KEY (stage, round, tbl, game)
) WITHOUT ROWID;
