-- The record of a tournament. docs/record.md explains it and has example queries.
-- All numbers count from 0 except moves, which count from 1; names such as s1/r2/m3/g1 count from 1.

CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value NOT NULL
) WITHOUT ROWID;

CREATE TABLE stages (
    number INTEGER PRIMARY KEY,
    name   TEXT NOT NULL,
    kind   TEXT NOT NULL
);

CREATE TABLE seed_programs (
    stage   INTEGER NOT NULL REFERENCES stages,
    nth     INTEGER NOT NULL,
    entrant INTEGER NOT NULL,     -- not a reference: it is written before the entrants are
    PRIMARY KEY (stage, nth)
) WITHOUT ROWID;

-- First the entries that compete, then the organizer's bots, then the entries that do not play.
CREATE TABLE entrants (
    number         INTEGER PRIMARY KEY,
    name           TEXT NOT NULL,
    author         TEXT,
    spec           TEXT NOT NULL,
    role           TEXT NOT NULL, -- entry, filler, seed program
    grp            TEXT,          -- its group in the contest file
    entered        INTEGER,       -- its place among all entries of the contest file
    source_sha256  TEXT,
    program_sha256 TEXT,
    toolchain      TEXT,
    verdict        TEXT,          -- the result of the check before the contest
    out            TEXT           -- why it does not play
);

CREATE TABLE boards (
    number INTEGER PRIMARY KEY,
    text   NOT NULL
);

CREATE TABLE games (
    id         INTEGER PRIMARY KEY, -- in the order in which the games were finished
    stage      INTEGER NOT NULL REFERENCES stages,
    round      INTEGER NOT NULL,
    tbl        INTEGER NOT NULL,    -- the match in the round
    game       INTEGER NOT NULL,    -- the game in the match
    board      INTEGER NOT NULL REFERENCES boards,
    seed       INTEGER NOT NULL,    -- 64 bits; those above 2^63 show as negative
    ending     TEXT NOT NULL,       -- played, forfeited
    moves      INTEGER NOT NULL,
    host       TEXT NOT NULL,
    started_ms INTEGER NOT NULL,    -- since 1970
    wall_us    INTEGER NOT NULL,
    UNIQUE (stage, round, tbl, game)
);

CREATE TABLE isolations (
    id      INTEGER PRIMARY KEY,
    level   TEXT NOT NULL,
    refused TEXT NOT NULL, -- steps to a better level that the machine refused, one per line
    UNIQUE (level, refused)
);

CREATE TABLE seats (
    game        INTEGER NOT NULL REFERENCES games,
    seat        INTEGER NOT NULL, -- in order of play
    entrant     INTEGER NOT NULL REFERENCES entrants,
    mark        TEXT,
    place       INTEGER NOT NULL, -- from 1; ties share a place
    points      INTEGER NOT NULL,
    territory   INTEGER NOT NULL,
    isolation   INTEGER REFERENCES isolations,
    asked       INTEGER NOT NULL, -- number of moves it was asked for
    slowest_us  INTEGER NOT NULL,
    cpu_us      INTEGER NOT NULL,
    peak_memory INTEGER NOT NULL, -- bytes
    leftovers   INTEGER NOT NULL, -- processes left running
    stderr      TEXT,             -- the end of what it wrote
    called      TEXT,             -- the name it gave itself, where the protocol has one
    ignored     INTEGER NOT NULL, -- lines that were not answers
    tasks       INTEGER NOT NULL, -- the most processes and threads seen in a game of one process
    PRIMARY KEY (game, seat)
) WITHOUT ROWID;

CREATE INDEX seats_of_entrants ON seats (entrant, game);

CREATE TABLE moves (
    game     INTEGER NOT NULL REFERENCES games,
    number   INTEGER NOT NULL,
    seat     INTEGER NOT NULL,
    notation TEXT NOT NULL,
    wall_us  INTEGER NOT NULL,
    cpu_us   INTEGER NOT NULL,
    lag_us   INTEGER NOT NULL, -- how long the bot waited for a processor
    remarks  TEXT,
    PRIMARY KEY (game, number)
) WITHOUT ROWID;

CREATE TABLE faults (
    game    INTEGER NOT NULL REFERENCES games,
    nth     INTEGER NOT NULL, -- of the game's faults
    seat    INTEGER NOT NULL,
    number  INTEGER NOT NULL, -- the move it would have been
    kind    TEXT NOT NULL,
    detail  TEXT NOT NULL,
    view    NOT NULL,
    answer  NOT NULL,
    wall_us INTEGER NOT NULL,
    cpu_us  INTEGER NOT NULL,
    lag_us  INTEGER NOT NULL,
    stderr  TEXT,
    PRIMARY KEY (game, nth)
) WITHOUT ROWID;

CREATE TABLE remarks (
    stage INTEGER NOT NULL REFERENCES stages,
    nth   INTEGER NOT NULL,
    kind  TEXT NOT NULL, -- bye, repeat, filler, lot, note
    round INTEGER,
    text  TEXT,
    PRIMARY KEY (stage, nth)
) WITHOUT ROWID;

CREATE TABLE remark_entrants (
    stage   INTEGER NOT NULL,
    nth     INTEGER NOT NULL,
    place   INTEGER NOT NULL, -- in the order drawn
    entrant INTEGER NOT NULL REFERENCES entrants,
    PRIMARY KEY (stage, nth, place),
    FOREIGN KEY (stage, nth) REFERENCES remarks
) WITHOUT ROWID;

-- Games that could not be played because the kit or the machine failed. Those in `games` have been played since.
CREATE TABLE unplayed (
    stage    INTEGER NOT NULL REFERENCES stages,
    round    INTEGER NOT NULL,
    tbl      INTEGER NOT NULL,
    game     INTEGER NOT NULL,
    attempts INTEGER NOT NULL, -- in all runs
    why      TEXT NOT NULL,    -- what went wrong in the last attempt
    PRIMARY KEY (stage, round, tbl, game)
) WITHOUT ROWID;

-- The chain of hashes over the games, in the order in which they were recorded; docs/record.md says what is hashed.
CREATE TABLE seals (
    game INTEGER PRIMARY KEY, -- as in games; 0 for the contest and its entrants
    link TEXT NOT NULL        -- SHA-256 in hexadecimal
);

-- The machines that games were played on.
CREATE TABLE machines (
    host      TEXT PRIMARY KEY, -- as in games
    processor TEXT NOT NULL,    -- the model, as the kernel names it
    cores     INTEGER NOT NULL,
    kernel    TEXT NOT NULL
) WITHOUT ROWID;

-- The bots that other machines have built; those of the machine that runs the tournament are in `entrants`.
CREATE TABLE builds (
    host           TEXT NOT NULL REFERENCES machines,
    entrant        INTEGER NOT NULL REFERENCES entrants,
    toolchain      TEXT,
    program_sha256 TEXT,
    PRIMARY KEY (host, entrant)
) WITHOUT ROWID;

CREATE VIEW seats_named AS
SELECT printf('s%d/r%d/m%d/g%d', g.stage + 1, g.round + 1, g.tbl + 1, g.game + 1) AS pairing,
       s.seat, e.name, s.mark, s.place, s.points, s.territory,
       CASE WHEN s.place > 1 THEN 'lost'
            WHEN (SELECT count(*) FROM seats o WHERE o.game = s.game AND o.place = 1) > 1 THEN 'tied'
            ELSE 'won' END AS result,
       EXISTS (SELECT 1 FROM faults f WHERE f.game = s.game AND f.seat = s.seat) AS forfeited,
       i.level AS isolation, s.asked, s.slowest_us / 1000 AS slowest_ms, s.cpu_us / 1000 AS cpu_ms,
       s.peak_memory / 1048576 AS peak_mib, s.leftovers, s.stderr,
       g.stage, s.entrant, s.game
FROM seats s
JOIN games g ON g.id = s.game
JOIN entrants e ON e.number = s.entrant
LEFT JOIN isolations i ON i.id = s.isolation;

CREATE VIEW games_named AS
SELECT printf('s%d/r%d/m%d/g%d', g.stage + 1, g.round + 1, g.tbl + 1, g.game + 1) AS pairing,
       (SELECT group_concat(name, ' - ') FROM (SELECT name FROM seats_named n WHERE n.game = g.id ORDER BY n.seat)) AS players,
       (SELECT group_concat(name, ' = ') FROM (SELECT name FROM seats_named n WHERE n.game = g.id AND n.place = 1 ORDER BY n.seat)) AS winner,
       (SELECT group_concat(points, ' : ') FROM (SELECT points FROM seats s WHERE s.game = g.id ORDER BY s.seat)) AS points,
       g.ending, g.moves, g.board, g.host,
       datetime(g.started_ms / 1000, 'unixepoch') AS started, g.wall_us / 1000 AS wall_ms, g.id AS game
FROM games g;

-- Ordered by games won, then points, as in the first stage of the Boxing Match. Other formats have other orders.
CREATE VIEW standings_wins AS
SELECT stage + 1 AS stage, name, count(*) AS games,
       sum(result = 'won') AS wins, sum(result = 'tied') AS ties, sum(result = 'lost') AS losses,
       sum(points) AS points, sum(forfeited) AS forfeits
FROM seats_named
GROUP BY seats_named.stage, entrant
ORDER BY seats_named.stage, wins DESC, points DESC;

CREATE VIEW forfeits AS
SELECT n.pairing, n.name, f.number AS move, f.kind, f.detail, f.wall_us / 1000 AS wall_ms,
       f.lag_us / 1000 AS lag_ms, f.answer, f.stderr, f.game
FROM faults f JOIN seats_named n ON n.game = f.game AND n.seat = f.seat;
