-- The journal of each lane, and what stands beside it. Rows are only ever added,
-- apart from the one row of lane, which every append moves first.

-- How far a lane's journal goes, and under which epoch it may be appended to.
CREATE TABLE lane (
    lane       INTEGER NOT NULL PRIMARY KEY,
    epoch      INTEGER NOT NULL,
    volume     INTEGER NOT NULL,
    size       INTEGER NOT NULL,
    root       BLOB    NOT NULL CHECK (length(root) = 32),
    checkpoint BLOB    NOT NULL
) STRICT;

-- Where the earlier volumes of a lane ended.
CREATE TABLE volume (
    lane       INTEGER NOT NULL,
    volume     INTEGER NOT NULL,
    epoch      INTEGER NOT NULL,
    size       INTEGER NOT NULL,
    root       BLOB    NOT NULL CHECK (length(root) = 32),
    checkpoint BLOB    NOT NULL,
    PRIMARY KEY (lane, volume)
) STRICT, WITHOUT ROWID;

-- One row a record. The key is the record's place, and rows arrive in its order,
-- so that the table itself is the index.
CREATE TABLE record (
    lane         INTEGER NOT NULL,
    volume       INTEGER NOT NULL,
    seq          INTEGER NOT NULL,
    about_volume INTEGER,
    about_seq    INTEGER,
    data         BLOB    NOT NULL,
    PRIMARY KEY (lane, volume, seq)
) STRICT, WITHOUT ROWID;

-- Keys that come in no order are what costs most in an append, so only records
-- about another one are indexed by it.
CREATE INDEX record_about ON record (lane, about_volume, about_seq) WHERE about_volume IS NOT NULL;

-- The hashes of the journal as full tiles of 256.
CREATE TABLE tile (
    lane   INTEGER NOT NULL,
    volume INTEGER NOT NULL,
    level  INTEGER NOT NULL,
    number INTEGER NOT NULL,
    data   BLOB    NOT NULL CHECK (length(data) = 8192),
    PRIMARY KEY (lane, volume, level, number)
) STRICT;

-- Named values that a record pins by hash.
CREATE TABLE object (
    lane INTEGER NOT NULL,
    name TEXT    NOT NULL,
    data BLOB    NOT NULL,
    PRIMARY KEY (lane, name)
) STRICT;
