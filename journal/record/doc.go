// Package record is the closed set of things that can happen in a house, and
// their encoding in the journal.
//
// A record is a fact, not a request: it was decided before it was written, and
// it holds the results (price, first game, prizes, postings), so that adding
// records up never needs a rulebook, a clock or a table.
//
// On disk a record is one CBOR array (RFC 8949, core deterministic encoding):
//
//	[kind, version, time, postings, body]
//
// kind and version choose the body, which is an array too; time is milliseconds
// since 1970 UTC and never falls; postings are arrays of (account, unit, cents).
// Decode encodes again what it read and refuses bytes that differ, so a fact has
// exactly one form and one hash. The encoding of a ticket that was sold, which
// nearly every record is, is written out by hand and takes nothing but that form
// to begin with; the general one is its twin in tests (TestSoldTwin). Kinds and their numbers are never reused; the
// goldens in testdata must stay readable for ever (TestGoldens).
package record
