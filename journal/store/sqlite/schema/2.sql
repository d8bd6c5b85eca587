-- Where the writer of a lane is, and that it is there. This is no part of the
-- journal: it is written without waiting for the disk, and may be lost.
CREATE TABLE presence (
    lane    INTEGER NOT NULL PRIMARY KEY,
    epoch   INTEGER NOT NULL,
    beat    INTEGER NOT NULL,
    address TEXT    NOT NULL
) STRICT;
