// Package books adds the records of a journal up for people who keep accounts: by
// trading day, venue, terminal, game and account.
//
// A trading day of a series is everything from the close of one Keno Day to the close
// of the next, so that each record belongs to exactly one day, whatever the clocks
// say. A Fold adds records up as they come; at the close of the Keno Day it yields
// the Book of the day, a value with one canonical form. A person who has the journal can
// make it again, and TestBooksAreARebuild does. The balances of a year are those of
// its last day, and its turnover the sum of some hundred books: reports never go
// through the records themselves.
//
// Amounts are whole cents, and the books of a day balance as its records do:
// TestDaysAddUp holds every day's movements against its opening and closing balances.
//
// The prize fund that vic-keno-2015 2(a).prize-fund and tas-keno-2023 1.50 speak of is
// one of the accounts; what the State is owed follows from the same figures.
package books
