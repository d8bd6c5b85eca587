-- Where the writer of a lane is, and that it is there. This is no part of the
-- journal: it is written without waiting for the disk, and may be lost.
CREATE TABLE presence (
    lane    integer NOT NULL PRIMARY KEY,
    epoch   bigint  NOT NULL,
    beat    bigint  NOT NULL,
    address text    NOT NULL
) WITH (fillfactor = 50);
