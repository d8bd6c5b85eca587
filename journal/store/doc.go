// Package store says what storage promises to the house: the journal's records
// and tiles, the objects beside them, and the head that fences writers.
//
// There is one writer and any number of readers. The writer takes the journal
// over, which moves the epoch, and from then on appends batches. An append is
// one transaction that first moves the head from (epoch, old size) to (new size,
// new root); if there is no such head to move, somebody else has taken over, and
// nothing is written. Clocks have no part in it. Readers, in this process or in
// others, see a batch as a whole or not at all.
//
// What is stored never changes: a record keeps its place, a tile its hashes and
// an object its name. So a reader may keep what it has read, and a long read may
// be done in pieces.
//
// The store does not judge what the bytes say. A person who replays them compares the
// root that they come to with the head's, and that is how changed bytes show.
//
// Every driver (journal/store/sqlite, and others to come) passes the same suite, which is
// storetest.Run; among its tests a writer is killed between its appends, and what
// it was told is stored must be there.
package store
