-- The record of a tournament. docs/record.md explains it and has example queries.
-- All numbers count from 0 except moves, which count from 1; names such as s1/r2/m3/g1 count from 1.
-- Each column begins its comment with the values that it may have; those of `meta` differ by row.

CREATE TABLE meta (
    key   TEXT PRIMARY KEY, -- [text 1024]
    value NOT NULL          -- [any]
) WITHOUT ROWID;

CREATE TABLE stages (
    number   INTEGER PRIMARY KEY, -- [0 255]
    name     TEXT NOT NULL,       -- [text 1024]
    kind     TEXT NOT NULL,       -- [text 1024]
    programs TEXT NOT NULL        -- [json 1048576] the programs that its entrants are seeded against, in order
);

-- First the entries that compete, then the organizer's bots, then the entries that do not play, then those that
-- decisions added.
CREATE TABLE entrants (
    number         INTEGER PRIMARY KEY, -- [0 65535]
    name           TEXT NOT NULL,       -- [text 1024]
    author         TEXT,                -- [text 1024]
    spec           TEXT NOT NULL,       -- [text 65536]
    role           TEXT NOT NULL,       -- [text 1024] entry, filler, seed program, version
    grp            TEXT,                -- [text 1024] its group in the contest file
    entered        INTEGER,             -- [0 4294967295] its place among all entries of the contest file
    source_sha256  TEXT,                -- [text 1024]
    program_sha256 TEXT,                -- [text 1024]
    toolchain      TEXT,                -- [text 65536]
    verdict        TEXT,                -- [text 65536] the result of the check before the contest
    out            TEXT                 -- [text 65536] why it does not play
);

CREATE TABLE boards (
    number INTEGER PRIMARY KEY, -- [0 4294967295]
    text   NOT NULL             -- [bytes 16777216]
);

-- A row is a whole game but for what its bots wrote to standard error. What is not searched or sorted by is in two documents:
-- the views `seats`, `moves` and `faults` name their parts.
CREATE TABLE games (
    id         INTEGER PRIMARY KEY,                -- [1 4294967295] in the order in which games were finished and decisions taken
    stage      INTEGER NOT NULL REFERENCES stages, -- [0 255]
    round      INTEGER NOT NULL,                   -- [0 65535]
    tbl        INTEGER NOT NULL,                   -- [0 4294967295] the match in the round
    game       INTEGER NOT NULL,                   -- [0 65535] the game in the match
    attempt    INTEGER NOT NULL,                   -- [0 65535] greater than 0 if a decision annulled the one before, or if the result came late
    board      INTEGER NOT NULL REFERENCES boards, -- [0 4294967295]
    seed       INTEGER NOT NULL,                   -- [-9223372036854775808 9223372036854775807] 64 bits; those above 2^63 show as negative
    ending     TEXT NOT NULL,                      -- [played forfeited]
    moves      INTEGER NOT NULL,                   -- [0 1073741824] how many
    faults     INTEGER NOT NULL,                   -- [0 1073741824] how many
    host       TEXT NOT NULL,                      -- [text 1024]
    started_ms INTEGER NOT NULL,                   -- [0 253402300799999] since 1970
    wall_us    INTEGER NOT NULL,                   -- [0 100000000000000]
    seats      TEXT NOT NULL,                      -- [json 1048576]
    size       INTEGER NOT NULL,                   -- [0 67108864] of the log, in bytes, before it was compressed
    log        BLOB NOT NULL,                      -- [blob 16777216] moves and faults as JSON, in zlib's format unless it has this size
    link       BLOB NOT NULL,                      -- [hash] SHA-256 of the link before and of this game; docs/record.md says how
    UNIQUE (stage, round, tbl, game, attempt)
);

-- What a bot wrote to standard error in a game, its author's log, by the hash in the game's `seats`. The views `said`,
-- `stderr_ends` and `faults` name its parts. An extract has those of one bot.
CREATE TABLE logs (
    game INTEGER NOT NULL REFERENCES games, -- [1 4294967295]
    seat INTEGER NOT NULL,                  -- [0 255]
    size INTEGER NOT NULL,                  -- [0 67108864] as in games
    log  BLOB NOT NULL,                     -- [blob 16777216] JSON, in zlib's format unless it has this size
    PRIMARY KEY (game, seat)
) WITHOUT ROWID;

-- The games of the record that an extract does not have.
CREATE TABLE left_out (
    id     INTEGER PRIMARY KEY, -- [1 4294967295] as in games
    sha256 BLOB NOT NULL,       -- [hash] the hash of the game, from which the link is made
    link   BLOB NOT NULL        -- [hash] as in games
);

-- The organizer's decisions, in one sequence with the games.
CREATE TABLE decisions (
    id       INTEGER PRIMARY KEY, -- [1 4294967295]
    taken_ms INTEGER NOT NULL,    -- [0 253402300799999] since 1970
    action   TEXT NOT NULL,       -- [json 16777216] what was decided; docs/record.md says how
    why      TEXT NOT NULL,       -- [text 65536]
    link     BLOB NOT NULL        -- [hash] as in games
);

CREATE TABLE isolations (
    id      INTEGER PRIMARY KEY, -- [1 4294967295]
    level   TEXT NOT NULL,       -- [text 1024]
    refused TEXT NOT NULL,       -- [text 65536] steps to a better level that the machine refused, one per line
    UNIQUE (level, refused)
);

CREATE TABLE remarks (
    stage    INTEGER NOT NULL REFERENCES stages, -- [0 255]
    nth      INTEGER NOT NULL,                   -- [0 4294967295]
    kind     TEXT NOT NULL,                      -- [text 1024] bye, repeat, filler, lot, note
    round    INTEGER,                            -- [0 65535]
    text     TEXT,                               -- [text 65536]
    entrants TEXT NOT NULL,                      -- [json 1048576] in the order drawn
    PRIMARY KEY (stage, nth)
) WITHOUT ROWID;

-- Games that could not be played because the kit or the machine failed. Those in `games` have been played since.
CREATE TABLE unplayed (
    stage    INTEGER NOT NULL REFERENCES stages, -- [0 255]
    round    INTEGER NOT NULL,                   -- [0 65535]
    tbl      INTEGER NOT NULL,                   -- [0 4294967295]
    game     INTEGER NOT NULL,                   -- [0 65535]
    attempt  INTEGER NOT NULL,                   -- [0 65535] as in games
    attempts INTEGER NOT NULL,                   -- [0 1073741824] how often it was tried, in all runs
    why      TEXT NOT NULL,                      -- [text 65536] what went wrong the last time
    PRIMARY KEY (stage, round, tbl, game, attempt)
) WITHOUT ROWID;

-- The machines that games were played on.
CREATE TABLE machines (
    host      TEXT PRIMARY KEY, -- [text 1024] as in games
    processor TEXT NOT NULL,    -- [text 1024] the model, as the kernel names it
    cores     INTEGER NOT NULL, -- [0 4294967295]
    kernel    TEXT NOT NULL     -- [text 1024]
) WITHOUT ROWID;

-- The bots that other machines have built; those of the machine that runs the tournament are in `entrants`.
CREATE TABLE builds (
    host           TEXT NOT NULL REFERENCES machines,    -- [text 1024]
    entrant        INTEGER NOT NULL REFERENCES entrants, -- [0 65535]
    toolchain      TEXT,                                 -- [text 65536]
    program_sha256 TEXT,                                 -- [text 1024]
    PRIMARY KEY (host, entrant)
) WITHOUT ROWID;

CREATE VIEW seats AS
SELECT g.id AS game, s.key AS seat, -- in order of play
       json_extract(s.value, '$[0]') AS entrant,
       CASE WHEN json_extract(s.value, '$[1]') IS NOT NULL THEN char(json_extract(s.value, '$[1]')) END AS mark,
       json_extract(s.value, '$[2]') AS place, -- from 1; ties share a place
       json_extract(s.value, '$[3]') AS points,
       json_extract(s.value, '$[4]') AS territory,
       json_extract(s.value, '$[5]') AS isolation,
       json_extract(s.value, '$[6]') AS asked, -- number of moves it was asked for
       json_extract(s.value, '$[7]') AS slowest_us,
       json_extract(s.value, '$[8]') AS cpu_us,
       json_extract(s.value, '$[9]') AS peak_memory, -- bytes
       json_extract(s.value, '$[10]') AS leftovers, -- processes left running
       json_extract(s.value, '$[11]') AS ignored, -- lines that were not answers
       json_extract(s.value, '$[12]') AS tasks, -- the most processes and threads seen in a game of one process
       json_extract(s.value, '$[13]') AS called, -- the name it gave itself, where the protocol has one
       json_extract(s.value, '$[14]') AS log_sha256 -- of its log; null if it wrote nothing
FROM games g, json_each(g.seats) s;

-- The function is that of the sqlite3 program. It returns the log itself if it has this size.
CREATE VIEW moves AS
SELECT g.id AS game, m.key + 1 AS number,
       json_extract(m.value, '$[0]') AS seat,
       json_extract(m.value, '$[1]') AS notation,
       json_extract(m.value, '$[2]') AS wall_us,
       json_extract(m.value, '$[3]') AS cpu_us,
       json_extract(m.value, '$[4]') AS lag_us, -- how long the bot waited for a processor
       json_extract(m.value, '$[5]') AS remarks -- a list; each with its kind, a number and the rule
FROM games g, json_each(CAST(sqlar_uncompress(g.log, g.size) AS TEXT), '$.moves') m;

-- The logs as JSON. In them U+FFFD stands for NUL, after which SQLite sees nothing of a text.
CREATE VIEW log_texts AS
SELECT game, seat, replace(replace(replace(CAST(sqlar_uncompress(log, size) AS TEXT), '\\', char(1)), '\u0000', '\ufffd'), char(1), '\\') AS text
FROM logs;

CREATE VIEW faults AS
SELECT g.id AS game, f.key AS nth, -- of the game's faults
       json_extract(f.value, '$[0]') AS seat,
       json_extract(f.value, '$[1]') AS number, -- the move it would have been
       json_extract(f.value, '$[2]') AS kind,
       json_extract(f.value, '$[3]') AS detail,
       json_extract(f.value, '$[4]') AS view, -- as hexadecimal digits in a list if it is not text
       json_extract(f.value, '$[5]') AS answer, -- likewise
       json_extract(f.value, '$[6]') AS wall_us,
       json_extract(f.value, '$[7]') AS cpu_us,
       json_extract(f.value, '$[8]') AS lag_us,
       (SELECT json_extract(e.value, '$[1]')
        FROM log_texts l, json_each(l.text, '$.faults') e
        WHERE l.game = g.id AND l.seat = json_extract(f.value, '$[0]') AND json_extract(e.value, '$[0]') = f.key) AS stderr
FROM games g, json_each(CAST(sqlar_uncompress(g.log, g.size) AS TEXT), '$.faults') f
WHERE g.faults > 0;

-- The end of what bots wrote to standard error in a game.
CREATE VIEW stderr_ends AS
SELECT game, seat, json_extract(text, '$.end') AS stderr FROM log_texts;

-- What bots wrote to standard error, by move.
CREATE VIEW said AS
SELECT l.game, l.seat,
       json_extract(s.value, '$[0]') AS number, -- the move of the game; 0 is before it was first asked
       json_extract(s.value, '$[1]') AS text, -- the end of it
       json_extract(s.value, '$[2]') AS left_out -- bytes before it
FROM log_texts l, json_each(l.text, '$.said') s;

-- The lines `@note key=value` of these, whose values are finite numbers as JSON writes them.
CREATE VIEW notes AS
WITH RECURSIVE lines(game, seat, number, line, rest) AS (
    SELECT game, seat, number, '', text || char(10) FROM said WHERE text LIKE '%@note %'
    UNION ALL
    SELECT game, seat, number, substr(rest, 1, instr(rest, char(10)) - 1), substr(rest, instr(rest, char(10)) + 1)
    FROM lines WHERE rest <> ''),
pairs AS (
    SELECT game, seat, number, substr(line, 7, instr(line, '=') - 7) AS key, rtrim(substr(line, instr(line, '=') + 1)) AS value
    FROM lines WHERE line GLOB '@note [A-Za-z]*=*')
SELECT game, seat, number, key, CAST(value AS REAL) AS value
FROM pairs
WHERE length(key) <= 32 AND key NOT GLOB '*[^A-Za-z0-9_-]*' AND length(value) <= 40
AND CASE WHEN json_valid(value) THEN json_type(value) IN ('integer', 'real') AND abs(CAST(value AS REAL)) < 1e308 END;

CREATE VIEW seed_programs AS
SELECT number AS stage, p.key AS nth, p.value AS entrant FROM stages, json_each(programs) p;

CREATE VIEW remark_entrants AS
SELECT stage, nth, e.key AS place, e.value AS entrant FROM remarks, json_each(entrants) e;

-- The chain of hashes, which begins with that of the contest and its entrants.
CREATE VIEW seals AS
SELECT 0 AS game, value AS link FROM meta WHERE key = 'link'
UNION ALL SELECT id, lower(hex(link)) FROM games
UNION ALL SELECT id, lower(hex(link)) FROM decisions
UNION ALL SELECT id, lower(hex(link)) FROM left_out;

CREATE VIEW game_names AS
SELECT id AS game, printf('s%d/r%d/m%d/g%d', stage + 1, round + 1, tbl + 1, game + 1)
                   || CASE WHEN attempt > 0 THEN printf('/a%d', attempt + 1) ELSE '' END AS name
FROM games;

-- The decisions that hold: not undone.
CREATE VIEW decisions_in_force AS
WITH numbered AS (SELECT row_number() OVER (ORDER BY id) AS number, id, action, why FROM decisions)
SELECT * FROM numbered WHERE json_extract(action, '$.undo') IS NULL
AND number NOT IN (SELECT json_extract(action, '$.undo.decision') FROM decisions WHERE json_extract(action, '$.undo') IS NOT NULL);

-- Games that were annulled, or are an attempt that no decision asks for, such as one whose result came late.
CREATE VIEW annulled AS
WITH again AS (
    SELECT id, json_extract(action, '$.annul') AS it FROM decisions_in_force WHERE json_extract(action, '$.annul') IS NOT NULL
    UNION ALL SELECT d.id, e.value FROM decisions_in_force d, json_each(d.action, '$.annul.later') e
    UNION ALL SELECT d.id, e.value FROM decisions_in_force d, json_each(d.action, '$.award.later') e)
SELECT g.id AS game FROM games g WHERE g.attempt <> coalesce((
    SELECT json_extract(it, '$.attempt') FROM again
    WHERE json_extract(it, '$.game.stage') = g.stage AND json_extract(it, '$.game.round') = g.round
    AND json_extract(it, '$.game.table') = g.tbl AND json_extract(it, '$.game.game') = g.game
    ORDER BY id DESC LIMIT 1), 0);

CREATE VIEW seats_named AS
SELECT p.name AS pairing,
       s.seat, e.name, s.mark, s.place, s.points, s.territory,
       CASE WHEN s.place > 1 THEN 'lost'
            WHEN (SELECT count(*) FROM seats o WHERE o.game = s.game AND o.place = 1) > 1 THEN 'tied'
            ELSE 'won' END AS result,
       EXISTS (SELECT 1 FROM faults f WHERE f.game = s.game AND f.seat = s.seat) AS forfeited,
       i.level AS isolation, s.asked, s.slowest_us / 1000 AS slowest_ms, s.cpu_us / 1000 AS cpu_ms,
       s.peak_memory / 1048576 AS peak_mib, s.leftovers,
       g.stage, s.entrant, s.game
FROM seats s
JOIN games g ON g.id = s.game
JOIN game_names p ON p.game = s.game
JOIN entrants e ON e.number = s.entrant
LEFT JOIN isolations i ON i.id = s.isolation;

CREATE VIEW games_named AS
SELECT (SELECT name FROM game_names p WHERE p.game = g.id) AS pairing,
       (SELECT group_concat(name, ' - ') FROM (SELECT name FROM seats_named n WHERE n.game = g.id ORDER BY n.seat)) AS players,
       (SELECT group_concat(name, ' = ') FROM (SELECT name FROM seats_named n WHERE n.game = g.id AND n.place = 1 ORDER BY n.seat)) AS winner,
       (SELECT group_concat(points, ' : ') FROM (SELECT points FROM seats s WHERE s.game = g.id ORDER BY s.seat)) AS points,
       g.ending, g.id IN annulled AS annulled, g.moves, g.board, g.host,
       datetime(g.started_ms / 1000, 'unixepoch') AS started, g.wall_us / 1000 AS wall_ms, g.id AS game
FROM games g;

-- Ordered by games won, then points, as in the first stage of the Boxing Match. Other formats have other orders. Games that
-- are void because a bot is gone, or whose place was awarded, count as little as those that were annulled; what a bot has
-- without a game is not in it.
CREATE VIEW standings_wins AS
WITH uncounted AS (
    SELECT game FROM annulled
    UNION ALL
    SELECT s.game FROM decisions_in_force d
    JOIN seats s ON s.entrant = json_extract(d.action, '$.leave.entrant')
    JOIN games g ON g.id = s.game
    WHERE json_extract(d.action, printf('$.leave.stages[%d].games', g.stage)) = 'void'
    UNION ALL
    SELECT g.id FROM decisions_in_force d
    JOIN games g ON g.stage = json_extract(d.action, '$.award.game.stage') AND g.round = json_extract(d.action, '$.award.game.round')
    AND g.tbl = json_extract(d.action, '$.award.game.table') AND g.game = json_extract(d.action, '$.award.game.game')
    AND g.attempt = json_extract(d.action, '$.award.game.attempt'))
SELECT stage + 1 AS stage, name, count(*) AS games,
       sum(result = 'won') AS wins, sum(result = 'tied') AS ties, sum(result = 'lost') AS losses,
       sum(points) AS points, sum(forfeited) AS forfeits
FROM seats_named
WHERE game NOT IN uncounted
GROUP BY seats_named.stage, entrant
ORDER BY seats_named.stage, wins DESC, points DESC;

CREATE VIEW forfeits AS
SELECT n.pairing, n.name, f.number AS move, f.kind, f.detail, f.wall_us / 1000 AS wall_ms,
       f.lag_us / 1000 AS lag_ms, f.answer, f.stderr, f.game
FROM faults f JOIN seats_named n ON n.game = f.game AND n.seat = f.seat
ORDER BY f.game, f.nth;
