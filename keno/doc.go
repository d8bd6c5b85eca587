// Package keno is the pure core of the keno games: the ticket form, the ways
// that a bet plays, its price, and every rule that can refuse a sale.
//
// A [Request] is what a terminal sends; it may ask for picked numbers, for a
// ready ticket of the catalogue, for the next designated game or for an old
// ticket again. [Desk.Resolve] turns it into a [Ticket], which states every number
// and its first game; only tickets are sold and recorded. [Desk.Quote] checks a
// ticket against a rulebook and prices it, [Desk.Ways] lists what it plays and
// [Desk.Exposures] says what it adds to the amounts that are bounded over all
// tickets. A sale that a rule forbids is a [Refusal] with a stable code, the
// clause, the field and a sentence for the person at the counter.
//
//	req, err := keno.ParseRequest([]byte(`{"v":1,"rulebook":"vic-keno-2015","games":10,
//		"bets":[{"bet":"classic","spots":{"pick":8},"stake_cents":100}]}`))
//	...
//	desk, err := keno.NewDesk(book)
//	...
//	ticket, err := desk.Resolve(req, keno.Setting{Open: game, Entropy: rand.Reader})
//	...
//	price, err := desk.Quote(ticket, keno.Envelope{
//		Channel: rulebook.ChannelWriter, Method: rulebook.MethodItem})
//	// price.Cost is $10.00: one way of $1.00 in ten games.
//
// The form is small, closed and strict. Both its encodings, JSON for people and
// terminals and CBOR for the journal, are canonical: equal tickets have equal
// bytes. Nothing here knows a jurisdiction: sizes, limits, channels and
// features are read from the rulebook, and with them the clause that a refusal
// quotes.
//
// The package follows the clauses on entries and stakes: vic-keno-2015 2(a), 9
// and 11, casino-keno-div2 3 to 5 and tas-keno-2023 1, 5, 12, 17 and 21. Each
// has a case file in package rules, run by its TestCases. Here
// TestWaysAgreeWithSubsets compares the expansion with a twin that tries every
// subset of groups, TestPriceIsTheSumOfItsWays adds stakes way by way and game
// by game, and FuzzParse holds the form to its promises.
package keno
