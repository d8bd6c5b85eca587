package searcher

import (
	"drawhouse/core/money"
	"drawhouse/internal/honest"
)

// plan is what the searcher tries under one rulebook: which entries, papers and ways of
// payment there are, and which amounts are at the edge of a limit.
type plan struct {
	rules  func() honest.Rules
	firsts []string // lines that a scenario may begin with
	// bets win with the numbers 1 to 5 or lose with 80; each has the stakes that are tried.
	bets   []bet
	papers []string // that are sold or given
	means  []string
	// edges are amounts at a limit; each is tried a cent below and above too.
	edges []money.Amount
	// days are how far the next Keno Day may be: to the last day of a period and behind it.
	days  []int
	tills []uint32 // terminals, some more often
	card  bool
	// promotes says that there are promotions.
	promotes bool
	// item is a ready ticket on which a bonus may fall.
	item string
	// machine says that a ball machine may draw the games.
	machine bool
	// keeps says that a writer keeps the paper of a ticket that is paid.
	keeps bool
	// types are the types of game that vouchers are for.
	types []string
	// reasons are those of claims.
	reasons []string
	parties []string // who signs a claim
	letters []string // the alphabet of the breadth-first search
}

type bet struct {
	text   string
	stakes []string
	games  []int
}

var plans = map[string]*plan{
	"vic-keno-2015": {
		rules:  honest.Victoria,
		firsts: []string{"house machines 2026-11-15"},
		bets: []bet{
			{"classic 1 @ ", []string{"1.00", "5.00", "20.00", "250.00", "333.00", "1000.00", "1001.00", "3333.00",
				"3334.00", "9999.00", "10000.00"}, []int{1, 1, 1, 2, 5}},
			{"classic 1 2 30 @ ", []string{"1.00", "2.00"}, []int{1}},
			{"classic 80 @ ", []string{"5.00", "20.00", "9999.00"}, []int{1, 2, 5}},
			{"classic 1-3 @ ", []string{"1.00", "227.00", "228.00"}, []int{1, 2}},
			{"heads_or_tails heads heads heads run @ ", []string{"3.00", "2500.00"}, []int{3}},
			{"heads_or_tails heads @ ", []string{"5.00", "20.00", "1000.00"}, []int{1, 2}},
		},
		papers: []string{"gift_voucher", "prepaid_voucher", "change_receipt"},
		means:  []string{"cash", "change_receipt", "cheque", "transfer", "player_card"},
		edges:  []money.Amount{10_000_00, 1_000_00, 20_00},
		tills:  []uint32{1, 1, 1, 1, 1, 2, 2, 3, 4},
		days:   []int{1, 1, 1, 1, 30, 31, 180, 365, 366},
		card:   true, promotes: true, types: []string{"classic", "heads_or_tails"},
		letters: []string{
			"next T1", "sell A1 at T1 classic 1 @ 20.00", "sell A2 at T1 classic 1-3 @ 228.00",
			"issue P1 at T1 gift_voucher 20.00",
			"issue P1 at T1 prepaid_voucher 20.00 by the operator", "settle T1 = P2 P3", "settle T1 with P1 = P2 P3",
			"cancel A1 at T1",
			"pay A1 at T1", "pay A2 at T1", "play 1-20", "close", "void game 1", "card born 1990-05-05",
			"settle T1 card 1 -20.00",
		},
		reasons: []string{"lost", "unreadable", "expired", "mail"},
		parties: []string{"licensee", "operator"},
	},
	"tas-keno-2023": {
		rules: honest.Tasmania,
		firsts: []string{
			"house machines other=central_site 2026-11-15", "house machines other=casino 2026-11-15",
			"house machines kind=casino 2026-11-15",
		},
		bets: []bet{
			{"standard 1 @ ", []string{"1.00", "5.00", "100.00", "166.00", "167.00", "250.00", "251.00", "333.00",
				"334.00", "1999.00", "2000.00"}, []int{1, 1, 2, 5}},
			{"standard 1 2 30 @ ", []string{"1.00", "2.00"}, []int{1}},
			{"standard 80 @ ", []string{"5.00", "20.00", "1999.00"}, []int{1, 2, 5}},
			{"standard 1-5 @ ", []string{"5.00", "9.00"}, []int{1}},
			{"standard 1-3 @ ", []string{"8.00", "6.00"}, []int{1, 2}},
			{"standard 1 2 @ ", []string{"3.00", "83.00", "84.00"}, []int{1}},
			{"heads_or_tails heads @ ", []string{"5.00", "250.00", "251.00", "500.00", "501.00"}, []int{1}},
		},
		papers: []string{"approved_voucher", "sst_receipt"}, promotes: true, item: "set-bet-2",
		means: []string{"cash", "sst_receipt", "central_voucher", "site_cheque", "cheque"},
		tills: []uint32{1, 1, 1, 1, 1, 2, 2, 3, 4},
		edges: []money.Amount{300_00, 1_000_00, 2_999_00, 500_00},
		days:  []int{1, 1, 1, 365, 366},
		letters: []string{
			"next T1", "next T2", "sell A1 at T1 standard 1 @ 20.00", "sell A2 at T2 standard 1 2 @ 84.00",
			"issue P1 at T1 approved_voucher 20.00 by the operator",
			"settle T1 = P2 P3", "settle T1 with P1 = P2 P3", "settle T2 = P2 P3", "cancel A1 at T1", "pay A1 at T1",
			"pay A2 at T2", "pay A2 at T1",
			"play 1-20", "limit venue 1 300.00", "freeze A1",
		},
		reasons: []string{"lost", "unreadable", "expired", "mail"},
		parties: []string{"state_wide_gaming_operative", "inspector"},
	},
	"casino-keno-div2": {
		rules:  honest.Casino,
		firsts: []string{"house 2026-11-15"},
		bets: []bet{
			{"standard 1-3 @ ", []string{"1.00", "4.00", "5.00", "100.00"}, []int{1, 2, 5}},
			{"standard 1 @ ", []string{"1.00", "66.00", "67.00", "1000.00"}, []int{1, 1, 2}},
			{"standard 80 @ ", []string{"1.00", "5.00"}, []int{1, 3}},
		},
		means: []string{"cash", "cheque"}, machine: true, keeps: true,
		tills: []uint32{1, 1, 1, 1, 2, 3}, // At the second no money leaves.
		edges: []money.Amount{200_00, 1_000_00},
		days:  []int{1, 1, 1, 365, 366},
		letters: []string{
			"next T1", "sell A1 at T1 standard 1-3 @ 5.00", "sell A2 at T1 standard 1 @ 1.00 for 2 games", "settle T1",
			"settle T1 pay cheque payee",
			"cancel A1 at T1", "cancel A2 at T1", "pay A1 at T1", "pay A2 at T1", "play 1-20", "close", "open",
			"void game 1", "freeze A1", "claim A1 lost",
		},
		reasons: []string{"lost", "unreadable", "expired"},
		parties: []string{"casino_operator"},
	},
	"nsw-bingo-2019": {
		rules: honest.Bingo, firsts: []string{"hall", "hall levels"},
		letters: []string{
			"session fee 10.00 games 2 bingo 100.00", "enter M1 books 101", "issue 101-101", "announce",
			"complete 101/1 bingo", "claim 101/1 bingo", "finish",
			"pay 1 game 1 cash 100.00", "void terminal", "void disruption refund",
			"void disruption refund none-follows", "refund player 1", "bar player 1 fee-void", "close",
		},
	},
}
