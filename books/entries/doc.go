// Package entries makes journal entries for the ledger of the operator's firm from the stored books of the house.
//
// Open reads the closed days of the house from the journal, from the newest back to the first: the book of a day begins
// where the record stands that closed the day before it. Each book is held against the hash in its record, and its
// accounts must go on where those of the day before ended, so that no day is missing or counted twice. A day that is
// open has no book and is never read.
//
// Each writes an entry for each day, or for each month or year as the sum of its days. An entry has a number that no
// other entry of the house has and that stays the same: 1/2026-11-15 is the day of the house that series 1 closed with
// its Keno Day 2026-11-15; 2026-11 and 2026 are a month and a year. Equal choices write equal bytes.
//
// A Mapping gives accounts the codes of the firm; without one they have the codes of package ledger.
package entries
