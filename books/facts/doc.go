// Package facts writes everything that a journal records as tables for other programs:
// one table for every kind of record, one for every list in it, one of all records and one
// of all postings, one of what tickets have won and one of stakes that go back, with a
// schema that says what each column holds. Tables are CSV or Parquet.
//
// The tables are worked out from the types of package record, so that a new kind or field
// is in the next export without anybody thinking of it; a type that has no form here
// fails TestEveryKindHasTables. What a column holds is what package record says of its
// field. The schema is a Data Package of Frictionless Data (datapackage.json), with the
// words that a column can have, the references between tables, and the size and the
// SHA-256 of every file. What is written holds no more than the journal does: names and
// addresses of people are not in it.
//
// TestIndependentReader has a program that knows nothing but the schema read everything
// back. TestReferences looks up every row that another one names, in the houses of all
// cases. TestRecomputed computes the reports again from the tables alone, in SQL.
package facts
