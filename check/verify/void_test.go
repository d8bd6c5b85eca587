package verify_test

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"drawhouse/check/verify"
	"drawhouse/core/ledger"
	"drawhouse/journal/record"
)

// The reason why games of stories are void, and its clause.
const voidReason, voidClause = "no power", "11.6"

// void ends a game without a result. The winners are those whose prizes ran on.
func (h *house) void(ordinal uint32, voided record.GameVoided, won []prize, moves ...ledger.Posting) {
	h.t.Helper()
	voided.Game, voided.Draw, voided.Reason, voided.Clause, voided.Approval = gameName(ordinal), 1, voidReason, voidClause,
		1
	voided.Winners = uint64(len(won))
	name := fmt.Sprintf("winners/%d/%d/1", series, ordinal)
	h.store(name, h.winnersFile(ordinal, record.GameSettled{Revision: 1, PrizesCents: voided.PrizesCents}, won))
	voided.WinnersHash = sha256.Sum256(h.objects[name])
	h.add(fmt.Sprintf("void %d", ordinal), &voided, moves...)
}

// begin lets a few numbers of a game fall.
func (h *house) begin(ordinal uint32, numbers ...int) {
	h.t.Helper()
	for i, n := range numbers {
		// While numbers fall in their order, each is the first of those that remain after i.
		h.add(fmt.Sprintf("number %d of %d", i+1, ordinal),
			&record.NumberDrawn{Game: gameName(ordinal), Draw: 1, Number: uint8(n), Bytes: []byte{byte(n - 1 - i)}})
	}
}

// giveBack pays the stake of a void game back.
func (h *house) giveBack(label string, number int, ticket string, ordinal uint32, cents int64) {
	h.t.Helper()
	h.add(label, &record.TicketPaid{
		Request: record.Request{Terminal: 70, Number: uint64(number)}, Session: uint32(number), Ticket: h.place(ticket),
		Opening: openingOf(ticket), Series: series,
		Parts: []record.PaidPart{{Ordinal: ordinal, Cents: moneyOf(cents)}}, RefundCents: moneyOf(cents),
		Tenders: []record.Tender{{Kind: record.TenderCash, Cents: -moneyOf(cents)}},
	}, ledger.Debit(ledger.Refunds, 0, moneyOf(cents)), ledger.Credit(ledger.Cash, 7, moneyOf(cents)))
}

// tellVoid tells of a game whose plays are played along with the next, where one of
// them wins the jackpot that its own stake has filled and another wins beside the
// play that its ticket has there; and of one at the end of a day, whose stakes go
// back and leave the jackpot as it was.
//
// One of one is $3.00 for a dollar, and six of six the pool.
func (h *house) tellVoid() *house {
	h.t.Helper()
	h.rulebook, h.schedule = "casino-keno-div2", "approved"
	h.found()
	h.pool("pool 6", record.Pool{Spots: 6, Primary: cents(150000)})
	h.pool("pool 8", record.Pool{Spots: 8, Primary: cents(1000000)})
	h.rates = []record.PoolRate{{Spots: 6, Primary: 300}, {Spots: 8, Primary: 500}}
	pool6 := ledger.Pool(series, 6)
	h.open(1)
	h.sell("one", 1, 1, 2, 1, 200, map[int]any{1: "standard", 2: 100, 3: []byte{1}})
	h.sell("six", 2, 1, 1, 1, 300, map[int]any{1: "standard", 2: 300, 3: []byte{1, 2, 3, 4, 5, 6}})
	first := totals{plays: 2, ways: 2, stakes: 400, tickets: []string{"one", "six"}, games: []uint32{1},
		contributions: []record.Contribution{{Spots: 6, StakesCents: 300, Primary: 90_000}, {Spots: 8}},
		moves:         []ledger.Posting{ledger.Debit(ledger.PrizeFund, 0, 9), ledger.Credit(ledger.JackpotPrimary, pool6, 9)}}
	h.closeAndSeal(1, first)
	h.open(2)
	h.begin(1, 61, 62)
	h.void(1, record.GameVoided{Deferred: true}, nil)
	h.closeAndSeal(2, totals{plays: 1, ways: 1, stakes: 100, tickets: []string{"one", "six"}, along: &first,
		contributions: []record.Contribution{{Spots: 6}, {Spots: 8}}})
	h.draw(2, firstNumbers)
	h.settle(2, record.GameSettled{Plays: 1, Ways: 1, StakesCents: 100, DeferredPlays: 2, DeferredWays: 2, Winners: 2,
		WinningWays: 3, PrizesCents: 600 + 150009, JackpotCents: 150009,
		Awards:      []record.Award{{Spots: 6, Part: record.PartPool, AmountCents: 150009, StakesCents: 300}},
		JackpotWins: []record.JackpotWin{{Ticket: h.place("six"), Spots: 6, StakeCents: 300}},
		Pools:       []record.Pool{{Spots: 6, Primary: cents(150000)}}},
		[]prize{{"one", 600, 2}, {"six", 150009, 1}},
		ledger.Debit(ledger.JackpotPrimary, pool6, 9), ledger.Debit(ledger.Operator, 0, 150000),
		ledger.Credit(ledger.PrizeFund, 0, 150009))
	h.pay("pay one", 3, "one", 2, 600)
	h.open(3)
	h.sell("last", 4, 3, 1, 1, 200, map[int]any{1: "standard", 2: 200, 3: []byte{1, 2, 3, 4, 5, 6}})
	h.sell("early", 5, 3, 2, 1, 200, map[int]any{1: "standard", 2: 100, 3: []byte{80}})
	h.closeAndSeal(3, totals{plays: 2, ways: 2, stakes: 300, tickets: []string{"last", "early"},
		contributions: []record.Contribution{{Spots: 6, StakesCents: 200, Primary: 60_000}, {Spots: 8}},
		moves: []ledger.Posting{ledger.Debit(ledger.PrizeFund, 0, 6),
			ledger.Credit(ledger.JackpotPrimary, pool6, 6)}})
	h.void(3, record.GameVoided{RefundCents: 300, Pools: []record.Pool{{Spots: 6, Primary: cents(150000)}}}, nil,
		ledger.Debit(ledger.Retained, 0, 300), ledger.Credit(ledger.Refunds, 0, 300),
		ledger.Debit(ledger.JackpotPrimary, pool6, 6), ledger.Credit(ledger.PrizeFund, 0, 6))
	h.giveBack("refund", 6, "last", 3, 200)
	h.closeDay("day closed", 3)
	return h
}

// tellVoidRun tells of a prize that runs through a void game, and is due when its last
// game is void as well. Evens is 4 for 1: $2.00 come to $8.00.
func (h *house) tellVoidRun() *house {
	h.t.Helper()
	h.found()
	h.open(1)
	h.sell("run", 1, 1, 3, 1, 200, map[int]any{1: "heads_or_tails", 2: 200, 9: []byte{3, 1, 1}, 10: true})
	h.closeAndSeal(1, totals{plays: 1, ways: 1, stakes: 200, fund: 150, tickets: []string{"run"}})
	h.draw(1, firstNumbers)
	h.add("carried 1", &record.PrizesCarried{Game: gameName(1),
		List: []record.Carried{{Ticket: h.place("run"), Cents: 800}}})
	h.settle(1, record.GameSettled{Multiplier: 2, Plays: 1, Ways: 1, StakesCents: 200, WinningWays: 1, CarriedCents: 800,
		CarriedWays: 1}, nil,
		ledger.Credit(ledger.Unplayed, 0, 800), ledger.Debit(ledger.PrizeFund, 0, 800))
	h.open(2)
	h.sell("plain", 2, 2, 1, 1, 100, map[int]any{1: "classic", 2: 100, 3: []byte{80}})
	// A run whose first game is void: nothing was won yet, and its stake goes on.
	h.sell("fresh", 3, 2, 2, 1, 100, map[int]any{1: "heads_or_tails", 2: 100, 9: []byte{1, 2}, 10: true})
	h.closeAndSeal(2, totals{plays: 3, ways: 3, stakes: 1000, fund: 750, carried: 800,
		tickets: []string{"run", "plain", "fresh"}})
	h.open(3)
	h.approveAhead(2)
	h.add("carried 2", &record.PrizesCarried{Game: gameName(2),
		List: []record.Carried{{Ticket: h.place("run"), Cents: 800}, {Ticket: h.place("fresh"), Cents: 100}}})
	h.void(2, record.GameVoided{RefundCents: 100, CarriedCents: 900, CarriedWays: 2}, nil,
		ledger.Debit(ledger.Retained, 0, 250), ledger.Debit(ledger.PrizeFund, 0, 750), ledger.Credit(ledger.Refunds, 0, 100),
		ledger.Credit(ledger.Unplayed, 0, 900))
	h.giveBack("refund", 4, "plain", 2, 100)
	h.closeAndSeal(3, totals{plays: 2, ways: 2, stakes: 900, fund: 675, carried: 900, tickets: []string{"run", "fresh"}})
	h.void(3, record.GameVoided{PrizesCents: 900}, []prize{{"run", 800, 1}, {"fresh", 100, 1}},
		ledger.Debit(ledger.Retained, 0, 225), ledger.Debit(ledger.PrizeFund, 0, 675), ledger.Credit(ledger.Prizes, 0, 900))
	h.pay("pay run", 5, "run", 3, 800)
	return h
}

// TestVoidGames verifies stories of games without a result, and lies about them.
func TestVoidGames(t *testing.T) {
	game, runs := (*house).tellVoid, (*house).tellVoidRun
	for name, tell := range map[string]func(*house) *house{"game": game, "runs": runs} {
		t.Run(name, func(t *testing.T) {
			if report := runBothWays(t, tell(newHouse(t, lies{})).files(), verify.Options{}); !report.OK() {
				t.Fatal(report.Failure)
			}
		})
	}
	voided := func(label string, to func(*record.GameVoided)) lies { return change(label, to) }
	for _, d := range []struct {
		damage
		tell func(*house) *house
	}{
		{damage{"refunded while a game is on sale",
			voided("void 1", func(b *record.GameVoided) { b.Deferred, b.RefundCents = false, 400 }), verify.CheckGames, "void 1",
			"and true is right"}, game},
		{damage{"put off to no game", voided("void 3", func(b *record.GameVoided) { b.Deferred, b.RefundCents = true, 0 }),
			verify.CheckGames, "void 3", "and false is right"}, game},
		{damage{"another draw", voided("void 1", func(b *record.GameVoided) { b.Draw = 2 }), verify.CheckGames, "void 1",
			"would have counted"}, game},
		{damage{"money for a game that is put off",
			repost("void 1", ledger.Debit(ledger.Retained, 0, 400), ledger.Credit(ledger.Refunds, 0, 400)), verify.CheckGames,
			"void 1", "and $0.00 is right"}, game},
		{damage{"void though drawn", before("settle 2",
			func(h *house) { h.void(2, record.GameVoided{RefundCents: 500}, nil) }), verify.CheckGames, "void 2", "is drawn"},
			game},
		{damage{"void with all its numbers", before("drawn 2",
			func(h *house) { h.void(2, record.GameVoided{RefundCents: 500}, nil) }), verify.CheckGames, "void 2",
			"has its 20 numbers"}, game},
		{damage{"void and open", before("close 2", func(h *house) { h.void(2, record.GameVoided{}, nil) }), verify.CheckGames,
			"void 2", "is open"}, game},
		{damage{"void twice", before("close 2", func(h *house) { h.void(1, record.GameVoided{Deferred: true}, nil) }),
			verify.CheckGames, "void 1", "is void"}, game},
		{damage{"plays forgotten", change("close 2", func(b *record.GameClosed) {
			b.Deferred, b.DeferredPlays, b.DeferredWays, b.DeferredStakesCents = nil, 0, 0, 0
		}), verify.CheckGames, "close 2", "put off"}, game},
		{damage{"a play along too few", change("close 2", func(b *record.GameClosed) { b.DeferredPlays-- }),
			verify.CheckGames, "close 2", "2 plays of 2 ways"}, game},
		{damage{"stakes along too low", change("close 2", func(b *record.GameClosed) { b.DeferredStakesCents-- }),
			verify.CheckGames, "close 2", "$4.00"}, game},
		{damage{"a contribution twice", change("close 2", func(b *record.GameClosed) {
			b.Contributions[0] = record.Contribution{Spots: 6, StakesCents: 300, Primary: 90_000}
		}), verify.CheckJackpots, "close 2", "and the game has none"}, game},
		{damage{"a seal without those put off", reseal(2, func(h *house) []byte {
			return h.seal(2, totals{plays: 1, stakes: 100, tickets: []string{"one"}}, h.signer)
		}), verify.CheckSeal, "seal 2", "sold were 3 for 500"}, game},
		{damage{"a bitmap without those put off", reseal(2, func(h *house) []byte {
			return h.seal(2, totals{plays: 3, stakes: 500, tickets: []string{"one"}}, h.signer)
		}), verify.CheckSeal, "seal 2", "is not that of the tickets"}, game},
		{damage{"a play along not graded", change("settle 2", func(b *record.GameSettled) { b.WinningWays = 2 }),
			verify.CheckSettlement, "settle 2", "2 winning ways"}, game},
		{damage{"plays along not counted", change("settle 2", func(b *record.GameSettled) { b.DeferredPlays = 3 }),
			verify.CheckSettlement, "settle 2", "3 plays of void games"}, game},
		{damage{"paid for the void game", change("pay one", func(b *record.TicketPaid) { b.Parts[0].Ordinal = 1 }),
			verify.CheckPayments, "pay one", "no prize"}, game},
		{damage{"a prize as a refund", change("pay one", func(b *record.TicketPaid) { b.RefundCents = 600 }),
			verify.CheckPayments, "pay one", "gives back $6.00"}, game},
		{damage{"a refund too low", voided("void 3", func(b *record.GameVoided) { b.RefundCents = 200 }), verify.CheckGames,
			"void 3", "came to $3.00"}, game},
		{damage{"a contribution kept", voided("void 3", func(b *record.GameVoided) { b.Pools[0].Primary = cents(150006) }),
			verify.CheckJackpots, "void 3", "is right"}, game},
		{damage{"a pool not told", voided("void 3", func(b *record.GameVoided) { b.Pools = nil }), verify.CheckJackpots,
			"void 3", "does not state the pool"}, game},
		{damage{"a bonus pool robbed", voided("void 3", func(b *record.GameVoided) { b.BonusPool = 1 }),
			verify.CheckPromotions, "void 3", "and 0 is right"}, game},
		{damage{"refunds out of the fund", repost("void 3", ledger.Debit(ledger.PrizeFund, 0, 294),
			ledger.Credit(ledger.Refunds, 0, 300), ledger.Debit(ledger.JackpotPrimary, ledger.Pool(series, 6), 6)),
			verify.CheckGames, "void 3", "on prize_fund"}, game},
		{damage{"refunded twice", before("day closed", func(h *house) { h.giveBack("again", 90, "last", 3, 200) }),
			verify.CheckPayments, "again", "paid already"}, game},
		{damage{"refunded too much", before("refund", func(h *house) { h.giveBack("more", 90, "last", 3, 300) }),
			verify.CheckPayments, "more", "the prize is $2.00"}, game},
		{damage{"a refund as a prize", change("refund", func(b *record.TicketPaid) { b.RefundCents = 0 }),
			verify.CheckPayments, "refund", "$2.00 is right"}, game},
		{damage{"refunded to a stranger", change("refund", func(b *record.TicketPaid) { b.Opening[0]++ }),
			verify.CheckPayments, "refund", "does not open"}, game},
		{damage{"a refund from the prizes", repost("refund", ledger.Debit(ledger.Prizes, 0, 200),
			ledger.Credit(ledger.Cash, 7, 200)), verify.CheckPayments, "refund", "and $0.00 is right"}, game},

		{damage{"a run ended by a void game", skip("carried 2"), verify.CheckSettlement, "void 2", "is not carried"}, runs},
		{damage{"a run that grows in a void game",
			change("carried 2", func(b *record.PrizesCarried) { b.List[0].Cents = 1600 }), verify.CheckSettlement, "carried 2",
			"is the next to run on"}, runs},
		{damage{"a run refunded", voided("void 2", func(b *record.GameVoided) { b.RefundCents, b.CarriedCents = 900, 100 }),
			verify.CheckGames, "void 2", "came to $1.00"}, runs},
		{damage{"a run that is due and kept", voided("void 3", func(b *record.GameVoided) { b.PrizesCents = 0 }),
			verify.CheckGames, "void 3", "came to $9.00"}, runs},
		{damage{"another file of winners", voided("void 3", func(b *record.GameVoided) { b.WinnersHash[0]++ }),
			verify.CheckGames, "void 3", "does not have the hash"}, runs},
		{damage{"a run of something else is due",
			lies{object: map[string]func([]byte) []byte{"winners/1/3/1": func(b []byte) []byte { b[len(b)-1]--; return b }}},
			verify.CheckGames, "void 3", "and the prize is $1.00"}, runs},
	} {
		t.Run(d.name, func(t *testing.T) {
			h := d.tell(newHouse(t, d.lies))
			expectFailure(t, runBothWays(t, h.files(), verify.Options{}), d.check, h.places, d.record, d.reason)
		})
	}
}
