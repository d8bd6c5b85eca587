// Package storetest is the exercise suite that every storage driver must pass,
// and the doubles by which the users of a store are tested.
//
// Run tries what package store promises: batches that are there as a whole or
// not at all, the fence against older writers, reads beside a writer, and
// durability, for which it starts the test binary again as a writer and kills it.
// A driver's own test file calls Main from TestMain and Run from one test.
//
// Memory is the plainest store that keeps the promises, apart from the one of
// surviving the process. It passes the suite itself, and the suite compares each
// driver with it over random histories. Faulty is a store around another that
// fails when told to, before or after the commit.
package storetest
