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
// # The form
//
// The form is small, closed and strict: names that it does not have, names given
// twice and names in other letters are refused with the path of the field, and
// numbers are whole. Its fields, those in brackets for requests only:
//
//	v            1
//	rulebook     id
//	first        {"day":"2026-11-15","game":417} ["open", the default, or "delayed"]
//	games        consecutive games; default 1
//	[replay]     serial of an old ticket
//	bets         1 to 20; of a replay none for all the old ones
//
// Of a bet, one of the four shapes, a stake and what hangs on it:
//
//	bet          id of the rulebook's bet
//	spots        [3,17,42] [{"pick":8} or {"pick":"mystery"}]
//	groups       [[1,2],[11,12,13],[40]], named A, B, C by position, with
//	play         "all", {"spots":[3,5]}, {"groups":[2]} or {"ways":[[1],[1,3]]}
//	calls        ["heads"] for every game, or one a game [{"pick":3}], with
//	run          true: the prize becomes the next stake
//	places       [[1],[2,4,6]], the rows allowed in each place [{"pick":"mystery"}], with
//	type         id of the racing bet
//	stake_cents  for each way, combination or call in each game
//	with         {"multiplier":{"games":3},"lucky_last":{"stake_cents":200}}; by default
//	             for all games and for the stake of the bet
//	picked       "quick" or "mystery"; tickets only
//	item         "superplay-7@3", beside the bet that it became [alone, with or without the edition]
//	[random]     true: an item with picked numbers instead of its own
//	[replay]     the bet of the old ticket, counted from 1, that the other fields change
//
// Both encodings of a ticket, JSON for people and terminals and CBOR for the
// journal, are canonical: equal tickets have equal bytes. Spots and rows ascend,
// groups, calls and bets keep their order, and defaults are left out.
//
// Nothing here knows a jurisdiction: sizes, limits, channels and features are
// read from the rulebook, and with them the clause that a refusal quotes.
//
// # Proof
//
// The package follows the clauses on entries and stakes: vic-keno-2015 2(a), 9
// and 11, casino-keno-div2 3 to 5 and tas-keno-2023 1, 5, 12, 17 and 21. Each
// has a case file in package rules, run by its TestCases. Here
// TestWaysAgreeWithSubsets compares the expansion with a twin that tries every
// subset of groups, TestPriceIsTheSumOfItsWays adds stakes way by way and game
// by game, and FuzzParse holds the form to its promises.
package keno
