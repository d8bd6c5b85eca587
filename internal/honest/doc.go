// Package honest is a second, small set of books, written from the rule texts alone.
//
// A [Book] does not decide anything for a house. It is told what the house accepted, act
// by act, and follows every cent from where it came to where it went. [Book.Do] returns
// a [Breach] when money did what no reading of the text explains: a voucher became cash,
// something was paid twice, more came back than was paid, and so on. [Book.May] says what
// the text says about an act before it happens: allowed, refused with the clause, or
// silent. [Book.Stranded] is told which ways out the house offers, and lists the money
// that none of them reaches.
//
// The package shares no rule and no table with the rest of the project, and must not: two
// books that were copied from one another agree in their faults too. The values are in
// one table per rulebook ([Victoria], [Casino], [Tasmania], [Bingo]), each beside its
// clause.
//
// Money that was put together cannot be told apart again. If a player pays two entries of
// one visit with a voucher and with cash, no text says which entry the voucher paid. The
// book keeps such money in one pot, and finds a breach only when no division of the pot
// explains what the house did. When a game is drawn, its stakes are gone; the book lets
// the most bound money go first, because that is the reading that suits the house best.
//
// TestAttacks holds known attacks against the book, TestHonestSequences the sequences that
// must pass, and TestLimits every limit below, at and above it. TestNoCentIsMade counts the
// money at the door a second time, without origins.
package honest
