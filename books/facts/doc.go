// Package facts writes everything that a journal records as tables for other programs:
// one table of CSV for every kind of record, one for every list in it, one of all records
// and one of all postings, with a schema that says what each column holds.
//
// The tables are worked out from the types of package record, so that a new kind or field
// is in the next export without anybody thinking of it; a type that has no form here
// fails TestEveryKindHasTables. The schema is a Tabular Data Package of Frictionless Data
// (datapackage.json), with the size and the SHA-256 of every file. What is written holds
// no more than the journal does: names and addresses of people are not in it.
//
// TestIndependentReader has a program that knows nothing but the schema read everything
// back: every value has the type that is said of it, every row belongs to a record, each
// record's postings come to nothing, and the tickets sold add up to what the book of the
// day says.
package facts
