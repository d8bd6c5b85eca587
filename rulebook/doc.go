// Package rulebook is what a rulebook is: the schema of the file that an operator
// writes, the faults that a file can have, and the compiled, immutable [Book] that
// the rest of the house reads.
//
// A rulebook is data. Nothing in the house asks which jurisdiction it is in: a
// [Book] answers which bets are sold, what they cost, what they pay and who is
// paid how, and each answer carries the clause that it comes from, so that a
// refusal or a prize can quote it.
//
// [Load] reads YAML strictly and reports every fault of a contradictory or
// incomplete book at once, each with its place in the file. It follows the clauses
// that bind the rulebook's own values: casino-keno-div2 4.2(c) and 5.4(b), where a
// step may not exceed its minimum, and 5.6, where a jackpot may not reset below
// the schedule's minimum. TestFaults proves each fault with the smallest edit of a
// sound book that has it.
//
// [Book.Canonical] is the book as deterministic CBOR and [Book.Hash] its SHA-256:
// the journal holds both, and [FromCanonical] reads the first back. FuzzLoad holds
// every accepted file to that round trip; TestBookIsImmutable changes whatever
// the getters return and finds the hash unchanged.
package rulebook
