package honest

import (
	"slices"
	"testing"

	"drawhouse/core/money"
)

// TestMachines: what self-service terminals give, up to how much, and on which tickets a bonus falls.
func TestMachines(t *testing.T) {
	vic, tas, cas := Victoria(), Tasmania(), Casino()
	atSST := func(a Act) Act { a.At = sst; return a }
	receipt := func(id string, n money.Amount) []Part { return []Part{part(Receipt, id, n)} }
	inVisit := func(a Act, s string) Act { a.Session = s; return a }
	keeps := func(s, ticket string, n money.Amount) Act {
		return Act{Kind: End, At: sst, Session: s, Out: []Part{{Form: Withheld, Paper: "kept", Of: ticket, Amount: n}}}
	}
	// A ticket of two games wins $600.00 in the first and as much as is said in the second.
	twoGames := func(second money.Amount) []Act {
		return acts(Act{Kind: Sell, At: venue, Ticket: "T", Games: []int{1, 2}, Stake: d, In: cash(2 * d)}, draw(1),
			Act{Kind: Win, Ticket: "T", Game: 1, Amount: 600 * d}, atSST(inVisit(visitPay("", "T"), "S")),
			keeps("S", "T", 600*d),
			draw(2), Act{Kind: Win, Ticket: "T", Game: 2, Amount: second})
	}
	setBet := func(list ...Act) []Act {
		return acts(Act{Kind: Sell, At: venue, Ticket: "T", Games: []int{1, 2}, Stake: d, Set: true, In: cash(2 * d)},
			draw(1),
			Act{Kind: Win, Ticket: "T", Game: 1, Amount: 10 * d}, draw(2), list)
	}
	bonus := func(n money.Amount) Act { return Act{Kind: Bonus, At: venue, Ticket: "T", Out: cash(n)} }
	for name, c := range map[string]struct {
		rules Rules
		list  []Act
		goal  Goal // of the last act; empty for none
	}{
		"a receipt, vic": {vic, acts(winner("T", 50*d), atSST(pay("T", receipt("R", 50*d)...))), ""},
		"cash, vic":      {vic, acts(winner("T", 50*d), atSST(pay("T", cash(50*d)...))), OverLimit},
		"a cheque, vic":  {vic, acts(winner("T", 50*d), atSST(pay("T", cheque(50*d)...))), OverLimit},
		"a stake in cash, vic": {vic, acts(sell("A", 10*d, cash(10*d)...), atSST(cancel("A", cash(10*d)...))),
			OverLimit},
		"a stake by receipt, vic": {vic, acts(sell("A", 10*d, cash(10*d)...), atSST(cancel("A", receipt("R", 10*d)...))), ""},
		"a voucher, vic": {vic, acts(gift("G", 10*d), sell("A", 10*d, part(Gift, "G", 10*d)),
			atSST(cancel("A", part(Gift, "G", 10*d)))), OverLimit},
		"a stake in cash, tas": {tas, acts(sell("A", 10*d, cash(10*d)...), atSST(cancel("A", cash(10*d)...))),
			OverLimit},
		"anything, casino": {cas, acts(sell("A", 10*d, cash(10*d)...), atSST(cancel("A", cash(10*d)...))),
			OverLimit},
		"the least limit":                {tas, acts(limit(300 * d)), ""},
		"a lower limit":                  {tas, acts(limit(300*d - 1)), OverLimit},
		"what a visit kept was not paid": {tas, append(twoGames(1_000*d), atSST(inVisit(visitPay("", "T"), "S2"))), ""},
		"more than $1,000 beside it": {tas, append(twoGames(1_000*d+1), atSST(inVisit(visitPay("", "T"), "S2"))),
			OverLimit},
		"what a visit kept counts when it is paid": {tas, append(twoGames(400*d),
			atSST(Act{Kind: Redeem, Session: "S2", Paper: "kept", Amount: 600 * d}), atSST(inVisit(visitPay("", "T"), "S2"))),
			""},
		"and a cent more": {tas, append(twoGames(400*d+1),
			atSST(Act{Kind: Redeem, Session: "S2", Paper: "kept", Amount: 600 * d}), atSST(inVisit(visitPay("", "T"), "S2"))),
			OverLimit},
		"a bonus": {tas, setBet(pay("T", cash(10*d)...), bonus(4*d)), ""},
		"a bonus a day later": {tas, setBet(Act{Kind: Pay, Day: tomorrow, At: venue, Ticket: "T", Out: cash(10 * d)},
			bonus(4*d)), TooLate},
		"a second bonus": {tas, setBet(pay("T", cash(10*d)...), Act{Kind: Bonus, At: venue, Ticket: "T"}, bonus(4*d)),
			PaidTwice},
		"a bonus for no winner": {tas, acts(Act{Kind: Sell, At: venue, Ticket: "T", Games: []int{1}, Stake: d, Set: true,
			In: cash(d)}, draw(1),
			bonus(4*d)), NeverWas},
		"a bonus for another entry": {tas, acts(winner("T", 10*d), pay("T", cash(10*d)...), bonus(4*d)), NeverWas},
		"a bonus before the last game": {tas, acts(Act{Kind: Sell, At: venue, Ticket: "T", Games: []int{1, 2}, Stake: d,
			Set: true, In: cash(2 * d)},
			draw(1), Act{Kind: Win, Ticket: "T", Game: 1, Amount: 10 * d}, pay("T", cash(10*d)...), bonus(4*d)), TooLate},
		"a prize and its bonus up to the limit": {tas,
			slices.Insert(setBet(pay("T", cash(10*d)...), bonus(290*d)), 1, limit(300*d)), ""},
		"a prize and its bonus are one pay": {tas,
			slices.Insert(setBet(pay("T", cash(10*d)...), bonus(290*d+1)), 1, limit(300*d)), OverLimit},
		"a prize and its bonus at a terminal": {tas,
			setBet(atSST(inVisit(visitPay("", "T"), "S")),
				Act{Kind: Bonus, At: sst, Session: "S", Ticket: "T", Amount: 990 * d}), ""},
		"a prize and a larger bonus at a terminal": {tas,
			setBet(atSST(inVisit(visitPay("", "T"), "S")),
				Act{Kind: Bonus, At: sst, Session: "S", Ticket: "T", Amount: 990*d + 1}), OverLimit},
	} {
		t.Run(name, func(t *testing.T) {
			if c.goal == "" {
				wantHonest(t, c.rules, c.list)
			} else {
				wantBreach(t, c.rules, c.goal, c.list)
			}
		})
	}
}

// TestRecordedAnew: the time of a prize runs from the day on which its win was recorded, which a correction renews.
func TestRecordedAnew(t *testing.T) {
	corrected := today.AddMonths(12)
	list := func(last Date, anew bool) []Act {
		all := acts(winner("T", 50*d))
		if anew {
			all = append(all, Act{Kind: Correct, Day: corrected, Ticket: "T", Game: 1, Amount: 60 * d},
				Act{Kind: Record, Game: 1})
		}
		return append(all, Act{Kind: Pay, Day: last, At: venue, Ticket: "T", Out: cash(50 * d)})
	}
	wantHonest(t, Casino(), list(corrected.AddMonths(12), true))
	wantBreach(t, Casino(), TooLate, list(corrected.AddMonths(12).AddDays(1), true))
	wantBreach(t, Casino(), TooLate, list(corrected.AddDays(1), false))
}

// TestNamedVoucher: a voucher that comes back is one that has paid for what is given back.
func TestNamedVoucher(t *testing.T) {
	back := func(earlier string) []Act {
		return acts(gift("G", 10*d), gift("H", 10*d), sell("A", 10*d, part(Gift, "G", 10*d)),
			sell("B", 10*d, part(Gift, "H", 10*d)),
			cancel("A", Part{Form: Gift, Paper: "N", Replaces: earlier, Amount: 10 * d}))
	}
	wantHonest(t, Victoria(), back("G"))
	wantBreach(t, Victoria(), MoreBack, back("H"))
}
