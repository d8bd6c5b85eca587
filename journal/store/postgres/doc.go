// Package postgres keeps the journal in a PostgreSQL database: one server, or a
// cluster that fails over with synchronous replication. It holds the same rows as
// journal/store/sqlite, readable with the same SQL, in the first schema of the search path.
//
// An append is one statement. It moves the row of the lane from (epoch, size) to
// (new size, new root), and inserts records, tiles and objects if there was a row to
// move; the server does all of it or nothing, in one round trip, and answers when
// it is durable. Rows travel as arrays in binary form. A statement that waits for
// another writer's sees that one's outcome, so a takeover either finds an append
// under way stored or fences it, even one whose client is long gone.
//
// An append that is not answered with success or a refusal has an unknown outcome,
// and so has one answered with a warning: PostgreSQL reports a commit whose
// replication was called off as a success with a warning. (It also warns when it runs
// out of transaction numbers; that is no doubt.) The connection is given up
// then, and the next takeover makes a new one.
//
// A server that may lose commits (fsync or synchronous_commit off) is refused with
// ErrNotDurable. Reads go by a pool of connections that cannot write. LISTEN and
// NOTIFY only wake the readers that follow the journal (Store.Changed); what there is to see
// is read from the tables.
//
// TestSuite runs the suite of every store; TestCutAtEveryByte cuts the connection at
// every byte of an append in either direction, TestBackendTerminated ends the
// server's process within a commit, and TestReplicationCalledOff has a replication
// called off.
package postgres
