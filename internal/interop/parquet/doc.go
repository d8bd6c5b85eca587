// Command parquet reads an export of tables as Parquet with the reader of Apache Arrow, and holds every cell against
// the same export as CSV.
//
// It is a module of its own: the program and its tests need nothing of it, and the reader shares no code with the
// writer. `make interop` has a demonstration house write both exports and runs it.
package main
