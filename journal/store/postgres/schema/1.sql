-- The journal of each lane, and what stands beside it: the same tables as in
-- SQLite. Rows are only ever added, apart from the one row of lane, which every
-- append moves first.

-- How far a lane's journal goes, and under which epoch it may be appended to. Half
-- of its page stays free, so that moving the row never has to touch an index.
CREATE TABLE lane (
    lane       integer NOT NULL PRIMARY KEY,
    volume     integer NOT NULL,
    epoch      bigint  NOT NULL,
    size       bigint  NOT NULL,
    root       bytea   NOT NULL CHECK (length(root) = 32),
    checkpoint bytea   NOT NULL
) WITH (fillfactor = 50);

-- Where the earlier volumes of a lane ended.
CREATE TABLE volume (
    lane       integer NOT NULL,
    volume     integer NOT NULL,
    epoch      bigint  NOT NULL,
    size       bigint  NOT NULL,
    root       bytea   NOT NULL CHECK (length(root) = 32),
    checkpoint bytea   NOT NULL,
    PRIMARY KEY (lane, volume)
);

-- One row a record. The key is the record's place, and rows arrive in its order.
CREATE TABLE record (
    lane         integer NOT NULL,
    volume       integer NOT NULL,
    seq          bigint  NOT NULL,
    about_seq    bigint,
    about_volume integer,
    data         bytea   NOT NULL,
    PRIMARY KEY (lane, volume, seq)
);

-- Keys that come in no order are what costs most in an append, so only records
-- about another one are indexed by it.
CREATE INDEX record_about ON record (lane, about_volume, about_seq, volume, seq) WHERE about_volume IS NOT NULL;

-- The hashes of the journal as full tiles of 256.
CREATE TABLE tile (
    lane   integer  NOT NULL,
    volume integer  NOT NULL,
    number bigint   NOT NULL,
    level  smallint NOT NULL,
    data   bytea    NOT NULL CHECK (length(data) = 8192),
    PRIMARY KEY (lane, volume, level, number)
);

-- Named values that a record pins by hash. Names are compared by their bytes, as
-- everywhere else.
CREATE TABLE object (
    lane integer NOT NULL,
    name text    COLLATE "C" NOT NULL,
    data bytea   NOT NULL,
    PRIMARY KEY (lane, name)
);

-- Hashes and ciphers do not get smaller: trying costs time at every append.
ALTER TABLE record ALTER COLUMN data SET STORAGE EXTERNAL;
ALTER TABLE tile   ALTER COLUMN data SET STORAGE EXTERNAL;
ALTER TABLE object ALTER COLUMN data SET STORAGE EXTERNAL;
