// Package sqlite keeps the journal in a SQLite database in a data directory. It
// is the default store: one file, no server, no set-up, and readable with SQL.
//
// The database is in WAL mode with full synchronisation: a commit is one fsync of
// the log, after which it survives a power failure. Readers do not wait for the
// writer, nor it for them. Several processes may open the same directory; the
// epoch of package store decides which of them may write, and SQLite's own locks
// only keep their transactions apart.
//
// There is one connection that writes. It inserts up to insertRows rows by a
// statement, and its statements run without a context that could be cancelled,
// because watching one costs a goroutine each. Reads go by a pool of connections
// that cannot write.
//
// Records are one row each under their place, in a table without row numbers: 96
// bytes for a record of 70. Medians of 16 runs beside it, in batches of 100 and
// 1000: with row numbers and an index by place, 103 bytes and 0.9 times the rate;
// keyed by lane, volume and sequence number packed into one integer, 86 bytes and
// 1.1 to 1.2 times the rate. The last would bound all three, and nobody could
// read it with SQL; a sale costs far more elsewhere.
//
// TestSuite runs the suite of every store, TestFsyncFails and TestDiskFull what
// a failing disk does.
package sqlite
