package verify_test

import (
	"fmt"
	"testing"

	"drawhouse/check/verify"
	"drawhouse/core/ledger"
	"drawhouse/journal/record"
)

// cents is an amount in the unit of jackpots.
func cents(n int64) record.Exact { return record.Exact(n * 10_000) }

// pool opens a jackpot into which the operator puts something.
func (h *house) pool(label string, p record.Pool) {
	put := int64(p.Primary) / 10_000
	moves := []ledger.Posting{}
	if put > 0 {
		moves = append(moves, ledger.Debit(ledger.Operator, 0, moneyOf(put)),
			ledger.Credit(ledger.JackpotPrimary, ledger.Pool(series, p.Spots), moneyOf(put)))
	}
	h.add(label, &record.PoolOpened{Series: series, Pool: p}, moves...)
}

// tellRuns tells of a jackpot that two share, of whom one has the bonus, of a prize
// that runs on with the bonus, and of a ticket that is given back.
//
// The numbers of the first game are evens with the multiplier 2. Seven of seven is
// $5,000, the bonus jackpot $7,000. Of the seven spots $4.00 are staked, so that 40
// cents are shared: 10 and 30.
func (h *house) tellRuns() *house {
	h.t.Helper()
	h.found()
	for _, spots := range []uint8{7, 8, 9, 10} {
		h.pool("pool", record.Pool{Spots: spots})
		h.rates = append(h.rates, record.PoolRate{Spots: spots, Primary: 1000})
	}
	h.open(1)
	h.sell("seven", 1, 1, 1, 1, 200, map[int]any{1: "classic", 2: 100, 3: []byte{1, 2, 3, 4, 5, 6, 7}, 13: []int{0, 0}})
	h.sell("seven more", 2, 1, 1, 1, 300, map[int]any{1: "classic", 2: 300, 3: []byte{2, 3, 4, 5, 6, 7, 8}})
	h.sell("run", 3, 1, 2, 1, 400, map[int]any{1: "heads_or_tails", 2: 200, 9: []byte{3, 1}, 10: true, 13: []int{0, 0}})
	h.sell("ten", 4, 1, 1, 1, 1000, map[int]any{1: "classic", 2: 1000, 3: []byte{61, 62, 63, 64, 65, 66, 67, 68, 69, 70}})
	// Three games, of which the first two have the bonus.
	h.sell("three games", 5, 1, 3, 1, 500, map[int]any{1: "classic", 2: 100, 3: []byte{80}, 13: []int{0, 2}})
	h.closeAndSeal(1, totals{plays: 5, ways: 5, stakes: 2100, fund: 1575, multiplier: 400,
		tickets: []string{"seven", "seven more", "run", "ten", "three games"},
		contributions: []record.Contribution{
			{Spots: 7, StakesCents: 400, Primary: 400_000}, {Spots: 8}, {Spots: 9},
			{Spots: 10, StakesCents: 1000, Primary: 1_000_000}},
		moves: []ledger.Posting{
			ledger.Debit(ledger.PrizeFund, 0, 140), ledger.Credit(ledger.JackpotPrimary, ledger.Pool(series, 7), 40),
			ledger.Credit(ledger.JackpotPrimary, ledger.Pool(series, 10), 100)}})
	h.draw(1, firstNumbers)
	// Evens is 4 for 1: $2.00 twice over come to $16.00.
	h.add("carried 1", &record.PrizesCarried{Game: gameName(1),
		List: []record.Carried{{Ticket: h.place("run"), Cents: 1600}}})
	h.settle(1, record.GameSettled{Multiplier: 2, Plays: 5, Ways: 5, StakesCents: 2100, Winners: 2, WinningWays: 3,
		PrizesCents:  3200040,
		CarriedCents: 1600, CarriedWays: 1, MajorsCents: 2500000, MajorsPaidCents: 2500000, JackpotCents: 700040,
		Awards: []record.Award{{Spots: 7, Part: record.PartPool, AmountCents: 40, StakesCents: 400},
			{Spots: 7, Part: record.PartBonus, AmountCents: 700000, StakesCents: 100}},
		JackpotWins: []record.JackpotWin{
			{Ticket: h.place("seven"), Spots: 7, StakeCents: 100, Bonus: true, ScheduleCents: 1000000},
			{Ticket: h.place("seven more"), Spots: 7, StakeCents: 300, ScheduleCents: 1500000}},
		Pools: []record.Pool{{Spots: 7}}},
		[]prize{{"seven", 1700010, 1}, {"seven more", 1500030, 1}},
		ledger.Debit(ledger.JackpotPrimary, ledger.Pool(series, 7), 40), ledger.Credit(ledger.PrizeFund, 0, 40),
		ledger.Credit(ledger.Unplayed, 0, 1600), ledger.Debit(ledger.PrizeFund, 0, 1600))
	h.open(2)
	// A dollar and its bonus in the second game, a dollar in the third.
	h.cancel("cancelled", 6, "three games", 1, 300, 0)
	// Half of the $16.00 is for the bonus.
	h.closeAndSeal(2, totals{plays: 1, ways: 1, stakes: 1600, fund: 1200, multiplier: 800, carried: 1600,
		tickets: []string{"run"}})
	h.draw(2, secondNumbers)
	// Heads is 2 for 1: $8.00 twice over.
	h.settle(2, record.GameSettled{Multiplier: 2, Plays: 1, Ways: 1, StakesCents: 1600, Winners: 1, WinningWays: 1,
		PrizesCents: 3200}, []prize{{"run", 3200, 1}})
	h.pay("pay run", 7, "run", 2, 3200)
	h.closeDay("day closed", 2)
	return h
}

// cancel gives a ticket back at terminal 70.
func (h *house) cancel(label string, number int, ticket string, kept uint32, refund, carried int64) {
	h.t.Helper()
	sum := moneyOf(refund + carried)
	h.add(label, &record.TicketCancelled{
		Request: record.Request{Terminal: 70, Number: uint64(number)}, Session: uint32(number), Ticket: h.place(ticket),
		Opening: openingOf(ticket), Series: series,
		Kept: kept, RefundCents: moneyOf(refund), CarriedCents: moneyOf(carried),
		Tenders: []record.Tender{{Kind: record.TenderCash, Cents: -sum}},
	}, ledger.Debit(ledger.Unplayed, 0, sum), ledger.Credit(ledger.Cash, 7, sum))
}

// tellRace tells of a race in which two rows hold every number drawn, of a last
// number, and of a jackpot to which the operator has lent.
//
// The numbers are 1 to 10, then 41 to 50: row 1 has its ten first, row 5 is second,
// and all others are third. The last number is 50.
func (h *house) tellRace() *house {
	h.t.Helper()
	h.rulebook, h.schedule = "tas-keno-2023", "settlement"
	h.found()
	for _, spots := range []uint8{7, 8, 9} {
		h.pool("pool", record.Pool{Spots: spots})
	}
	h.add("lent", &record.PoolMoved{Series: series, Move: "lend", AmountCents: 5000, Approval: "C1",
		Pools: []record.Pool{{Spots: 8, Primary: cents(5000), Owed: cents(5000), Seeded: cents(5000)}}},
		ledger.Debit(ledger.Operator, 0, 5000), ledger.Credit(ledger.JackpotPrimary, ledger.Pool(series, 8), 5000))
	h.rates = []record.PoolRate{{Spots: 7, Primary: 1000}, {Spots: 8, Primary: 1000, Seed: 1000},
		{Spots: 9, Primary: 1500}}
	h.open(1)
	// 3 of 3 is $44.00, and the last number of three spots $20.00 for a dollar.
	h.sell("lucky", 1, 1, 1, 1, 300, map[int]any{1: "standard", 2: 100, 3: []byte{1, 2, 50}, 14: []int{200, 0}})
	h.sell("trifecta", 2, 1, 1, 2, 200, map[int]any{1: "racing", 2: 100, 11: "trifecta", 12: [][]byte{{1}, {5}, {2, 3}}})
	h.sell("quinella", 3, 1, 1, 3, 300, map[int]any{1: "racing", 2: 100, 11: "quinella",
		12: [][]byte{{1, 5, 7}, {1, 5, 7}}})
	h.sell("eight", 4, 1, 1, 1, 200, map[int]any{1: "standard", 2: 200, 3: []byte{1, 2, 3, 4, 5, 6, 7, 8}})
	h.sell("heads", 5, 1, 2, 1, 1000, map[int]any{1: "heads_or_tails", 2: 500, 9: []byte{1}})
	// 0.8% of the $3.00 on the main game are 2.4 cents for the bonus prize pool.
	h.closeAndSeal(1, totals{plays: 5, ways: 8, stakes: 1500, fund: 1125, lucky: 200, bonus: 24_000,
		tickets: []string{"lucky", "trifecta", "quinella", "eight", "heads"},
		contributions: []record.Contribution{{Spots: 7},
			{Spots: 8, StakesCents: 200, Primary: 200_000, Repaid: 200_000, Unseeded: 200_000}, {Spots: 9}},
		moves: []ledger.Posting{
			ledger.Debit(ledger.PrizeFund, 0, 42), ledger.Credit(ledger.JackpotPrimary, ledger.Pool(series, 8), 20),
			ledger.Credit(ledger.Operator, 0, 20), ledger.Credit(ledger.BonusPool, 0, 2)}})
	h.draw(1, firstNumbers)
	// Two trifectas of $252.00, one quinella of $21.00; 8 of 8 is twice $20,000, and the
	// whole primary.
	h.settle(1, record.GameSettled{Multiplier: 2, Plays: 5, Ways: 8, StakesCents: 1500, Winners: 4, WinningWays: 5,
		PrizesCents: 8400 + 50400 + 2100 + 4005020,
		MajorsCents: 4000000, MajorsPaidCents: 4000000, JackpotCents: 5020,
		Awards:      []record.Award{{Spots: 8, Part: record.PartPool, AmountCents: 5020, StakesCents: 200}},
		JackpotWins: []record.JackpotWin{{Ticket: h.place("eight"), Spots: 8, StakeCents: 200, ScheduleCents: 4000000}},
		Pools:       []record.Pool{{Spots: 8, Owed: cents(4980)}}},
		[]prize{{"lucky", 8400, 1}, {"trifecta", 50400, 2}, {"quinella", 2100, 1}, {"eight", 4005020, 1}},
		ledger.Debit(ledger.JackpotPrimary, ledger.Pool(series, 8), 5020), ledger.Credit(ledger.PrizeFund, 0, 5020))
	h.open(2)
	h.add("cancelled", &record.TicketCancelled{
		Request: record.Request{Terminal: 70, Number: 6}, Session: 6, Ticket: h.place("heads"), Opening: openingOf("heads"),
		Series: series,
		Kept:   1, RefundCents: 500, Tenders: []record.Tender{{Kind: record.TenderCash, Cents: -500}},
		Released: []record.Release{{Outcome: "heads_or_tails/heads", First: 2, Last: 2, Cents: 500}},
	}, ledger.Debit(ledger.Unplayed, 0, 500), ledger.Credit(ledger.Cash, 7, 500))
	return h
}

// tellPool tells of a pool that is paid instead of the schedule's prize.
//
// Six of six wins the pool: $1,500.00 and 3% of $3.00, shared by stakes of $1.00 and
// $2.00. The operator puts the next $1,500.00 in.
func (h *house) tellPool() *house {
	h.t.Helper()
	h.rulebook, h.schedule = "casino-keno-div2", "approved"
	h.found()
	h.pool("pool 6", record.Pool{Spots: 6, Primary: cents(150000)})
	h.pool("pool 8", record.Pool{Spots: 8, Primary: cents(1000000)})
	h.rates = []record.PoolRate{{Spots: 6, Primary: 300}, {Spots: 8, Primary: 500}}
	h.open(1)
	h.sell("one", 1, 1, 1, 1, 100, map[int]any{1: "standard", 2: 100, 3: []byte{1, 2, 3, 4, 5, 6}})
	h.sell("two", 2, 1, 1, 1, 200, map[int]any{1: "standard", 2: 200, 3: []byte{2, 3, 4, 5, 6, 7}})
	h.closeAndSeal(1, totals{plays: 2, ways: 2, stakes: 300, tickets: []string{"one", "two"},
		contributions: []record.Contribution{{Spots: 6, StakesCents: 300, Primary: 90_000}, {Spots: 8}},
		moves: []ledger.Posting{ledger.Debit(ledger.PrizeFund, 0, 9),
			ledger.Credit(ledger.JackpotPrimary, ledger.Pool(series, 6), 9)}})
	h.draw(1, firstNumbers)
	h.settle(1, record.GameSettled{Plays: 2, Ways: 2, StakesCents: 300, Winners: 2, WinningWays: 2, PrizesCents: 150009,
		JackpotCents: 150009,
		Awards:       []record.Award{{Spots: 6, Part: record.PartPool, AmountCents: 150009, StakesCents: 300}},
		JackpotWins: []record.JackpotWin{
			{Ticket: h.place("one"), Spots: 6, StakeCents: 100}, {Ticket: h.place("two"), Spots: 6, StakeCents: 200}},
		Pools: []record.Pool{{Spots: 6, Primary: cents(150000)}}},
		[]prize{{"one", 50003, 1}, {"two", 100006, 1}},
		ledger.Debit(ledger.JackpotPrimary, ledger.Pool(series, 6), 9), ledger.Debit(ledger.Operator, 0, 150000),
		ledger.Credit(ledger.PrizeFund, 0, 150009))
	return h
}

// tellPooled tells of a jackpot that is shared with another jurisdiction, which
// reports after the game is settled.
//
// Of $1.00 on eight spots 10 cents are in the pool here, and $3.00 there. With a
// stake of $2.00 elsewhere the winner here gets a third of $3.10: $1.03, and with it
// $25,001.03, of which three cents are kept.
func (h *house) tellPooled() *house {
	h.t.Helper()
	h.found()
	for _, spots := range []uint8{7, 8, 9, 10} {
		h.pool("pool", record.Pool{Spots: spots})
		h.rates = append(h.rates, record.PoolRate{Spots: spots, Primary: 1000})
	}
	h.add("named", &record.ParticipantsNamed{Series: series, From: 1, Names: []string{"act"}})
	h.open(1)
	h.sell("eight", 1, 1, 1, 1, 100, map[int]any{1: "classic", 2: 100, 3: []byte{1, 2, 3, 4, 5, 6, 7, 8}})
	h.closeAndSeal(1, totals{plays: 1, ways: 1, stakes: 100, fund: 75, tickets: []string{"eight"},
		contributions: []record.Contribution{{Spots: 7}, {Spots: 8, StakesCents: 100, Primary: 100_000}, {Spots: 9},
			{Spots: 10}},
		moves: []ledger.Posting{ledger.Debit(ledger.PrizeFund, 0, 10),
			ledger.Credit(ledger.JackpotPrimary, ledger.Pool(series, 8), 10)}})
	h.draw(1, firstNumbers)
	settled := record.GameSettled{Multiplier: 2, Plays: 1, Ways: 1, StakesCents: 100, Winners: 1, WinningWays: 1,
		PrizesCents: 2500000, MajorsCents: 2500000, MajorsPaidCents: 2500000,
		JackpotWins: []record.JackpotWin{{Ticket: h.place("eight"), Spots: 8, StakeCents: 100, ScheduleCents: 2500000}}}
	h.settle(1, settled, []prize{{"eight", 2500000, 1}})
	for _, spots := range []uint8{7, 8, 9, 10} {
		report := &record.JurisdictionReported{Game: gameName(1), Spots: spots, Jurisdiction: "act"}
		if spots == 8 {
			report.GrowthCents, report.StakesCents = 300, 200
		}
		h.add(fmt.Sprintf("report %d", spots), report)
	}
	settled.Revision, settled.PrizesCents, settled.BreakageCents, settled.JackpotCents = 2, 2500100, 3, 103
	settled.Awards = []record.Award{{Spots: 8, Part: record.PartPool, AmountCents: 310, StakesCents: 300}}
	settled.Pools = []record.Pool{{Spots: 8}}
	// 10 cents leave here, $2.07 of the $3.10 belong to the others, who owe 93 cents.
	h.resettle(1, settled, []prize{{"eight", 100, 1}},
		ledger.Credit(ledger.Prizes, 0, 100), ledger.Credit(ledger.Breakage, 0, 3),
		ledger.Debit(ledger.JackpotPrimary, ledger.Pool(series, 8), 10), ledger.Debit(ledger.Jurisdictions, 0, 93))
	return h
}

// tellWaiting tells of a game that is shared with nobody, and waits nonetheless: the
// one before it is shared with another jurisdiction, which has not reported yet.
//
// The 10 cents that game 1 puts into the pool of eight spots go to a winner elsewhere,
// the 10 cents of game 2 to the winner here.
func (h *house) tellWaiting() *house {
	h.t.Helper()
	h.found()
	for _, spots := range []uint8{7, 8, 9, 10} {
		h.pool("pool", record.Pool{Spots: spots})
		h.rates = append(h.rates, record.PoolRate{Spots: spots, Primary: 1000})
	}
	h.add("named", &record.ParticipantsNamed{Series: series, From: 1, Names: []string{"act"}})
	h.add("left", &record.ParticipantsNamed{Series: series, From: 2})
	pool8 := ledger.Pool(series, 8)
	sold := totals{plays: 1, ways: 1, stakes: 100, fund: 75,
		contributions: []record.Contribution{{Spots: 7}, {Spots: 8, StakesCents: 100, Primary: 100_000}, {Spots: 9},
			{Spots: 10}},
		moves: []ledger.Posting{ledger.Debit(ledger.PrizeFund, 0, 10),
			ledger.Credit(ledger.JackpotPrimary, pool8, 10)}}
	h.open(1)
	h.sell("none", 1, 1, 1, 1, 100, map[int]any{1: "classic", 2: 100, 3: []byte{61, 62, 63, 64, 65, 66, 67, 68}})
	sold.tickets = []string{"none"}
	h.closeAndSeal(1, sold)
	h.draw(1, firstNumbers)
	first := record.GameSettled{Multiplier: 2, Plays: 1, Ways: 1, StakesCents: 100}
	h.settle(1, first, nil)
	h.open(2)
	h.sell("eight", 2, 2, 1, 1, 100, map[int]any{1: "classic", 2: 100, 3: []byte{21, 22, 23, 24, 25, 26, 27, 28}})
	sold.tickets = []string{"eight"}
	h.closeAndSeal(2, sold)
	h.draw(2, secondNumbers)
	second := record.GameSettled{Multiplier: 2, Plays: 1, Ways: 1, StakesCents: 100, Winners: 1, WinningWays: 1,
		PrizesCents: 2500000, MajorsCents: 2500000, MajorsPaidCents: 2500000,
		JackpotWins: []record.JackpotWin{{Ticket: h.place("eight"), Spots: 8, StakeCents: 100, ScheduleCents: 2500000}}}
	h.settle(2, second, []prize{{"eight", 2500000, 1}})
	for _, spots := range []uint8{7, 8, 9, 10} {
		report := &record.JurisdictionReported{Game: gameName(1), Spots: spots, Jurisdiction: "act"}
		if spots == 8 {
			report.GrowthCents, report.StakesCents = 300, 200
		}
		h.add(fmt.Sprintf("report %d", spots), report)
	}
	first.Revision, first.Awards = 2, []record.Award{{Spots: 8, Part: record.PartPool, AmountCents: 310, StakesCents: 200}}
	first.Pools = []record.Pool{{Spots: 8, Primary: 100_000}}
	h.resettle(1, first, nil, ledger.Debit(ledger.JackpotPrimary, pool8, 10), ledger.Credit(ledger.Jurisdictions, 0, 10))
	second.Revision, second.PrizesCents, second.JackpotCents = 2, 2500010, 10
	second.Awards = []record.Award{{Spots: 8, Part: record.PartPool, AmountCents: 10, StakesCents: 100}}
	second.Pools = []record.Pool{{Spots: 8}}
	h.resettle(2, second, []prize{{"eight", 10, 1}}, ledger.Credit(ledger.Prizes, 0, 10),
		ledger.Debit(ledger.JackpotPrimary, pool8, 10))
	return h
}

// TestStories verifies the stories of jackpots, runs and races.
func TestStories(t *testing.T) {
	for name, tell := range map[string]func(*house) *house{
		"runs": (*house).tellRuns, "race": (*house).tellRace, "pool": (*house).tellPool, "pooled": (*house).tellPooled,
		"waiting": (*house).tellWaiting,
	} {
		t.Run(name, func(t *testing.T) {
			if report := runBothWays(t, tell(newHouse(t, lies{})).files(), verify.Options{}); !report.OK() {
				t.Fatal(report.Failure)
			}
		})
	}
}

// TestLyingAboutJackpots lets the house lie about what the first stories do not have.
func TestLyingAboutJackpots(t *testing.T) {
	runs, race, pool, pooled, waiting := (*house).tellRuns, (*house).tellRace, (*house).tellPool, (*house).tellPooled,
		(*house).tellWaiting
	for _, d := range []struct {
		damage
		tell func(*house) *house
	}{
		{damage{"a rate too low", change("open 1", func(b *record.GameOpened) { b.Rates[1].Primary-- }), verify.CheckJackpots,
			"open 1", "as they stand"}, runs},
		{damage{"a contribution kept", change("close 1", func(b *record.GameClosed) { b.Contributions[0].Primary-- }),
			verify.CheckJackpots, "close 1", "is right"}, runs},
		{damage{"the bonus counted as a main stake",
			change("close 1", func(b *record.GameClosed) { b.Contributions[0].StakesCents = 500 }), verify.CheckJackpots,
			"close 1", "is right"}, runs},
		{damage{"growth pocketed", repost("close 1", ledger.Debit(ledger.Unplayed, 0, 2100),
			ledger.Credit(ledger.PrizeFund, 0, 1575), ledger.Credit(ledger.Retained, 0, 525)),
			verify.CheckGames, "close 1", "-$14.35 is right"}, runs},
		{damage{"a run cut short", change("carried 1", func(b *record.PrizesCarried) { b.List[0].Cents = 1500 }),
			verify.CheckSettlement, "carried 1", "where $16.00 of run 0"}, runs},
		{damage{"a run of another ticket", change("carried 1", func(b *record.PrizesCarried) { b.List[0].Ticket.Seq-- }),
			verify.CheckSettlement, "carried 1", "is the next to run on"}, runs},
		{damage{"a run that is lost", skip("carried 1"), verify.CheckSettlement, "settle 1", "is not carried"}, runs},
		{damage{"something between", before("settle 1", func(h *house) { h.add("between", burned(71, 1)) }),
			verify.CheckSettlement, "settle 1", "another record stands between"}, runs},
		{damage{"a carried prize pocketed", change("settle 1",
			func(b *record.GameSettled) { b.CarriedCents = 0; b.CarriedWays = 0 }), verify.CheckSettlement, "settle 1",
			"carried"}, runs},
		{damage{"a share too large", change("settle 1", func(b *record.GameSettled) { b.Awards[0].StakesCents = 300 }),
			verify.CheckSettlement, "settle 1", "share"}, runs},
		{damage{"a bonus jackpot for all", change("settle 1", func(b *record.GameSettled) { b.Awards[1].StakesCents = 400 }),
			verify.CheckSettlement, "settle 1", "share"}, runs},
		{damage{"a winner left out", change("settle 1", func(b *record.GameSettled) { b.JackpotWins = b.JackpotWins[:1] }),
			verify.CheckSettlement, "settle 1", "does not say so"}, runs},
		{damage{"a winner twice", change("settle 1",
			func(b *record.GameSettled) { b.JackpotWins = append(b.JackpotWins[:1:1], b.JackpotWins...) }),
			verify.CheckSettlement, "settle 1", "is the next winner"}, runs},
		{damage{"a pool not emptied", change("settle 1", func(b *record.GameSettled) { b.Pools[0].Primary = cents(40) }),
			verify.CheckSettlement, "settle 1", "leaves"}, runs},
		{damage{"a pool not told", change("settle 1", func(b *record.GameSettled) { b.Pools = nil }), verify.CheckSettlement,
			"settle 1", "does not state the pool"}, runs},
		{damage{"a game too much cancelled", change("cancelled", func(b *record.TicketCancelled) { b.Kept = 0 }),
			verify.CheckPayments, "cancelled", "keeps its games up to 0"}, runs},
		{damage{"a refund too small", recancel(200), verify.CheckPayments, "cancelled", "$3.00 and $0.00 are right"}, runs},
		{damage{"cancelled by a stranger", change("cancelled", func(b *record.TicketCancelled) { b.Opening[0]++ }),
			verify.CheckPayments, "cancelled", "does not open"}, runs},
		{damage{"cancelled twice", before("close 2", func(h *house) { h.cancel("again", 90, "three games", 1, 300, 0) }),
			verify.CheckPayments, "again", "no game that has not closed"}, runs},
		{damage{"cancelled after the close", before("seal 2", func(h *house) { h.cancel("late", 90, "run", 1, 0, 1600) }),
			verify.CheckPayments, "late", "no game that has not closed"}, runs},
		{damage{"the whole of a run on the game", change("close 2", func(b *record.GameClosed) { b.MultiplierCents = 0 }),
			verify.CheckGames, "close 2", "on the multiplier"}, runs},
		{damage{"a run closed upon", lies{skip: map[string]bool{"settle 1": true, "carried 1": true}}, verify.CheckGames,
			"close 2", "may still run on"}, runs},

		{damage{"a loan of nothing", change("lent", func(b *record.PoolMoved) { b.Pools[0].Primary = 0 }),
			verify.CheckJackpots, "lent", "leaves"}, race},
		{damage{"an unknown move", change("lent", func(b *record.PoolMoved) { b.Move = "take" }), verify.CheckJackpots,
			"lent", "does not allow"}, race},
		{damage{"repaid too fast", change("close 1",
			func(b *record.GameClosed) { b.Contributions[1].Repaid = 280_000; b.Contributions[1].Primary = 120_000 }),
			verify.CheckJackpots, "close 1", "is right"}, race},
		{damage{"a bonus pool starved", change("close 1", func(b *record.GameClosed) { b.BonusPool = 16_000 }),
			verify.CheckPromotions, "close 1", "24000 is right"}, race},
		{damage{"a last number for nothing", reprice("lucky", 100), verify.CheckRequests, "lucky", "bets cost $3.00"}, race},
		{damage{"combinations miscounted", change("quinella", func(b *record.TicketSold) { b.Ways = 6 }),
			verify.CheckRequests, "quinella", "its bets have 3"}, race},
		{damage{"half a race", reprice("quinella", 150), verify.CheckRequests, "quinella", "bets cost $3.00"}, race},
		{damage{"a dead heat not paid", change("settle 1", func(b *record.GameSettled) { b.WinningWays-- }),
			verify.CheckSettlement, "settle 1", "4 winning ways"}, race},
		{damage{"a loan forgiven", change("settle 1", func(b *record.GameSettled) { b.Pools[0].Owed = 0 }),
			verify.CheckSettlement, "settle 1", "leaves"}, race},
		{damage{"not released", change("cancelled", func(b *record.TicketCancelled) { b.Released = nil }),
			verify.CheckPayments, "cancelled", "releases"}, race},

		{damage{"a pool below its least", lies{change: map[string]func(*record.Record){"pool 6": func(r *record.Record) {
			r.Body.(*record.PoolOpened).Pool.Primary = cents(149999)
			r.Postings = ledger.Merge(ledger.Debit(ledger.Operator, 0, 149999),
				ledger.Credit(ledger.JackpotPrimary, ledger.Pool(series, 6), 149999))
		}}}, verify.CheckJackpots, "pool 6", "is guaranteed"}, pool},
		{damage{"beside the schedule", change("settle 1",
			func(b *record.GameSettled) { b.JackpotWins[0].ScheduleCents = 30000 }), verify.CheckSettlement, "settle 1",
			"is the next winner"}, pool},
		{damage{"not reset", change("settle 1", func(b *record.GameSettled) { b.Pools[0].Primary = 0 }),
			verify.CheckSettlement, "settle 1", "leaves"}, pool},
		{damage{"reset by the players", repost("settle 1", ledger.Credit(ledger.Prizes, 0, 150009),
			ledger.Debit(ledger.JackpotPrimary, ledger.Pool(series, 6), 9), ledger.Debit(ledger.PrizeFund, 0, 150000)),
			verify.CheckSettlement, "settle 1", "prize_fund"}, pool},

		{damage{"shared alone", change("settle 1", func(b *record.GameSettled) {
			b.Awards = []record.Award{{Spots: 8, Part: record.PartPool, AmountCents: 10, StakesCents: 100}}
		}), verify.CheckSettlement, "settle 1", "share"}, pooled},
		{damage{"shared before all told", skip("report 8"), verify.CheckSettlement, "settle 1 again",
			"the game came to $25,000.00"}, pooled},
		{damage{"told by a stranger", change("report 8", func(b *record.JurisdictionReported) { b.Jurisdiction = "qld" }),
			verify.CheckJackpots, "report 8", "does not share"}, pooled},
		{damage{"others' stakes forgotten", change("settle 1 again",
			func(b *record.GameSettled) { b.Awards[0].StakesCents = 100 }), verify.CheckSettlement, "settle 1 again", "share"},
			pooled},
		{damage{"a revision left out", change("settle 1 again", func(b *record.GameSettled) { b.Revision = 3 }),
			verify.CheckSettlement, "settle 1 again", "the last was 1"}, pooled},
		{damage{"paid more than both", before("settle 1 again", func(h *house) { h.pay("early", 90, "eight", 1, 2500100) }),
			verify.CheckPayments, "early", "the prize is $25,000.00"}, pooled},

		{damage{"shared while an earlier game waits", change("settle 2", func(b *record.GameSettled) {
			b.Awards = []record.Award{{Spots: 8, Part: record.PartPool, AmountCents: 20, StakesCents: 100}}
		}), verify.CheckSettlement, "settle 2", "share"}, waiting},
		{damage{"shared out of turn", skip("settle 1 again"), verify.CheckSettlement, "settle 2 again",
			"while those of game"}, waiting},
		{damage{"shared when nothing was won", lies{change: map[string]func(*record.Record){
			"report 8": func(r *record.Record) { r.Body.(*record.JurisdictionReported).StakesCents = 0 },
		}}, verify.CheckSettlement, "settle 1 again", "nothing was left to settle"}, waiting},
	} {
		t.Run(d.name, func(t *testing.T) {
			h := d.tell(newHouse(t, d.lies))
			expectFailure(t, runBothWays(t, h.files(), verify.Options{}), d.check, h.places, d.record, d.reason)
		})
	}
}

// recancel makes a cancellation give back something else, in all its parts.
func recancel(refund int64) lies {
	return lies{change: map[string]func(*record.Record){"cancelled": func(r *record.Record) {
		b := r.Body.(*record.TicketCancelled)
		b.RefundCents, b.Tenders = moneyOf(refund), []record.Tender{{Kind: record.TenderCash, Cents: -moneyOf(refund)}}
		r.Postings = []ledger.Posting{ledger.Debit(ledger.Unplayed, 0, moneyOf(refund)),
			ledger.Credit(ledger.Cash, 7, moneyOf(refund))}
	}}}
}
