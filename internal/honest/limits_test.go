package honest

import (
	"fmt"
	"testing"

	"drawhouse/core/money"
)

// edge is an act at one side of a limit.
type edge struct {
	name   string
	rules  Rules
	before []Act
	act    func(n money.Amount) Act
	at     money.Amount
	step   money.Amount // what -1 and +1 are; a cent unless told
	// ok says what the text allows at -1, 0 and +1.
	ok     [3]bool
	clause string
}

// TestLimits asks for each limit one step below, at it and one step above.
func TestLimits(t *testing.T) {
	vic, tas, cas, bin := Victoria(), Tasmania(), Casino(), Bingo()
	upTo, from, above := [3]bool{true, true, false}, [3]bool{false, true, true}, [3]bool{false, false, true}
	below := [3]bool{true, false, false}
	prize := func(n money.Amount) []Act { return acts(winner("T", n)) }
	games := func(n int) []int {
		list := make([]int, n)
		for i := range list {
			list[i] = i + 1
		}
		return list
	}
	sellAt := func(at Place, bet Bet, ways int) func(money.Amount) Act {
		return func(n money.Amount) Act {
			return Act{Kind: Sell, At: at, Ticket: "A", Games: []int{1}, Stake: n, Bet: bet, Ways: ways, In: cash(n)}
		}
	}
	payCashAndTransfer := func(all money.Amount) func(money.Amount) Act {
		return func(n money.Amount) Act {
			return withShown(pay("T", part(Cash, "", n), part(Transfer, "", all-n)), PayeeNamed|AccountNamed)
		}
	}
	for _, e := range []edge{
		{"vic: cash of a prize", vic, prize(20_000 * d), payCashAndTransfer(20_000 * d), 10_000 * d, 1, upTo, "21(d)(i)"},
		{"vic: receipt of a prize", vic, prize(20_000 * d),
			func(n money.Amount) Act { return pay("T", part(Receipt, "R", n)) }, 10_000 * d, 1, upTo, "21(d)(i)"},
		{"vic: cash and receipt", vic, prize(20_000 * d), func(n money.Amount) Act {
			return pay("T", part(Receipt, "R", 4_000*d), part(Cash, "", n-4_000*d))
		}, 10_000 * d, 1, upTo, "21(d)(i)"},
		{"vic: limit of the venue", vic, acts(limit(2_000*d), winner("T", 20_000*d)), payCashAndTransfer(20_000 * d),
			2_000 * d, 1, upTo, "21(d)(i)"},
		{"vic: limit of the venue at a terminal", vic, acts(limit(2_000*d), winner("T", 20_000*d)), func(n money.Amount) Act {
			return Act{Kind: Pay, At: sst, Ticket: "T", Out: []Part{part(Receipt, "R", n)}}
		}, 2_000 * d, 1, upTo, "21(d)(i)"},
		{"vic: entry", vic, acts(), sellAt(venue, Plain, 0), 9_999 * d, d, upTo, "11(c)"},
		{"vic: entry at a terminal", vic, acts(), sellAt(sst, Plain, 0), 1_000 * d, d, upTo, "11(c)"},
		{"vic: least stake", vic, acts(), sellAt(venue, Plain, 0), d, d, from, "11(c), 11(g)"},
		{"vic: step", vic, acts(), sellAt(venue, Plain, 0), 5 * d, 1, [3]bool{false, true, false}, "11(c), 11(g)"},
		{"vic: three combinations", vic, acts(), sellAt(venue, Plain, 3), d, d, from, "11(c), 11(g)"},
		{"vic: four combinations", vic, acts(), sellAt(venue, Plain, 4), 4 * 50, 40, from, "11(d)(i)"},
		{"vic: 19 combinations", vic, acts(), sellAt(venue, Plain, 19), 19 * 50, 190, from, "11(d)(i)"},
		{"vic: 20 combinations", vic, acts(), sellAt(venue, Plain, 20), 20 * 20, 200, from, "11(d)(ii)"},
		{"vic: 49 combinations", vic, acts(), sellAt(venue, Plain, 49), 49 * 20, 490, from, "11(d)(ii)"},
		{"vic: 50 combinations", vic, acts(), sellAt(venue, Plain, 50), 50 * 10, 500, from, "11(d)(iii)"},
		{"vic: step of combinations", vic, acts(), sellAt(venue, Plain, 50), 50 * 20, 1, [3]bool{false, true, false},
			"11(e)"},
		{"vic: step of a prize", vic, acts(sell("T", 10*d, cash(10*d)...), draw(1)), func(n money.Amount) Act {
			return Act{Kind: Win, Ticket: "T", Game: 1, Amount: n}
		}, 50, 1, [3]bool{false, true, false}, "21(i)"},
		{"vic: last day of a prize", vic, prize(50 * d), func(n money.Amount) Act {
			return Act{Kind: Pay, Day: today.AddMonths(6).AddDays(int(n)), At: venue, Ticket: "T", Out: cash(50 * d)}
		}, 0, 1, upTo, "21(d)(i), 22(b)"},
		{"vic: last day of a gift voucher", vic, acts(gift("G", 10*d)), func(n money.Amount) Act {
			return Act{Kind: Sell, Day: today.AddMonths(12).AddDays(int(n)), At: venue, Ticket: "A", Games: []int{1},
				Stake: 10 * d, In: []Part{part(Gift, "G", 10*d)}}
		}, 0, 1, upTo, "12(c)"},
		{"vic: last day of a prepaid voucher", vic, acts(freePrepaid("P", 10*d)), func(n money.Amount) Act {
			return Act{Kind: Sell, Day: today.AddDays(int(n)), At: venue, Ticket: "A", Games: []int{1}, Stake: 10 * d,
				In: []Part{part(Prepaid, "P", 10*d)}}
		}, 30, 1, upTo, "13"},
		{"vic: last day of a receipt", vic, acts(winner("T", 50*d), pay("T", part(Receipt, "R", 50*d))),
			func(n money.Amount) Act {
				return Act{Kind: Redeem, Day: today.AddMonths(12).AddDays(int(n)), At: venue, Paper: "R", Out: cash(50 * d)}
			}, 0, 1, upTo, "14(a)"},
		{"vic: day of a gift voucher's return", vic, acts(gift("G", 10*d)), func(n money.Amount) Act {
			return Act{Kind: Redeem, Day: today.AddDays(int(n)), At: venue, Paper: "G", Out: cash(10 * d)}
		}, 0, 1, [3]bool{false, true, false}, "23(d)"},
		{"vic: day of a cancellation", vic, acts(sell("A", 10*d, cash(10*d)...)), func(n money.Amount) Act {
			return Act{Kind: Cancel, Day: today.AddDays(int(n)), At: venue, Ticket: "A", Out: cash(10 * d)}
		}, 0, 1, [3]bool{false, true, false}, "17(a)(ii)"},
		{"vic: life of a replacement", vic, acts(gift("G", 10*d), sell("A", 10*d, part(Gift, "G", 10*d))),
			func(n money.Amount) Act {
				return cancel("A", Part{Form: Gift, Paper: "N", Replaces: "G", Amount: 10 * d,
					Expires: today.AddMonths(12).AddDays(int(n))})
			}, 0, 1, upTo, "12(c), 13"},
		{"vic: face of a replacement", vic, acts(gift("G", 10*d), sell("A", 10*d, part(Gift, "G", 10*d))),
			func(n money.Amount) Act {
				return cancel("A", Part{Form: Gift, Paper: "N", Replaces: "G", Amount: n})
			}, 10 * d, 1, [3]bool{false, true, false}, "17(d)"},
		{"vic: face of a gift voucher", vic, acts(), func(n money.Amount) Act {
			return Act{Kind: Issue, At: venue, Form: Gift, Paper: "G", Amount: 10 * d, In: cash(n)}
		}, 10 * d, 1, [3]bool{false, true, false}, "12(a), 14(b)"},
		{"vic: receipt redeemed in full", vic, acts(winner("T", 50*d), pay("T", part(Receipt, "R", 50*d))),
			func(n money.Amount) Act {
				return Act{Kind: Redeem, At: venue, Paper: "R", Out: cash(n)}
			}, 50 * d, 1, [3]bool{false, true, false}, "14(a)"},

		{"casino: cheque", cas, nil, func(n money.Amount) Act { return pay(fmt.Sprint(int(n)), cheque(n)...) }, 200 * d, 1,
			from, "1.0 Major Prize, 8.11"},
		{"casino: games", cas, acts(), func(n money.Amount) Act {
			return Act{Kind: Sell, At: venue, Ticket: "A", Games: games(int(n)), Stake: d, In: cash(n * d)}
		}, 1_000, 1, upTo, "3.8(c)"},
		{"casino: most of the operator", cas, acts(Act{Kind: Venue, At: venue, Least: d, Most: 50 * d}),
			sellAt(venue, Plain, 0), 50 * d, 1, upTo, "4.2"},
		{"casino: least of the operator", cas, acts(Act{Kind: Venue, At: venue, Least: d, Most: 50 * d}),
			sellAt(venue, Plain, 0), d, 1, from, "4.2"},
		{"casino: last day of a prize", cas, prize(50 * d), func(n money.Amount) Act {
			return Act{Kind: Pay, Day: today.AddMonths(12).AddDays(int(n)), At: venue, Ticket: "T", Out: cash(50 * d)}
		}, 0, 1, upTo, "9.2"},
		{"casino: day of a cancellation", cas, acts(sell("A", 10*d, cash(10*d)...)), func(n money.Amount) Act {
			return Act{Kind: Cancel, Day: today.AddDays(int(n)), At: venue, Ticket: "A", Out: cash(10 * d)}
		}, 0, 1, [3]bool{false, true, false}, "6.2"},

		{"tas: cash of a prize", tas, acts(limit(500*d), winner("T", 900*d)), func(n money.Amount) Act {
			return pay("T", part(Cash, "", n), part(SiteCheque, "", 900*d-n))
		}, 500 * d, 1, upTo, "13.7(a)"},
		{"tas: cash of a cancellation", tas, nil, func(n money.Amount) Act { return cancel(fmt.Sprint(int(n)), cash(n)...) },
			500 * d, d, upTo, "13.7(a)"},
		{"tas: central voucher", tas, nil, func(n money.Amount) Act { return pay(fmt.Sprint(int(n)), cash(n)...) }, 2_999 * d,
			1, below, "13.7(b)"},
		{"tas: terminal", tas, nil, func(n money.Amount) Act {
			return Act{Kind: Pay, At: sst, Ticket: fmt.Sprint(int(n)), Out: []Part{part(Receipt, "R", n)}}
		}, 1_000 * d, 1, upTo, "13.7(c)"},
		{"tas: site cheque", tas, nil, func(n money.Amount) Act { return pay(fmt.Sprint(int(n)), part(SiteCheque, "", n)) },
			300 * d, 1, above, "1.66"},
		{"tas: entry", tas, acts(), sellAt(venue, Plain, 0), 1_999 * d, d, upTo, "12.2(c)"},
		{"tas: entry at a terminal", tas, acts(), sellAt(sst, Plain, 0), 250 * d, d, upTo, "12.2(d)"},
		{"tas: least stake", tas, acts(), sellAt(venue, Plain, 0), d, d, from, "12.2(c), 12.2(d)"},
		{"tas: ways together", tas, acts(), sellAt(venue, Plain, 10), 5 * d, 1, from, "12.2(a)"},
		{"tas: each way", tas, acts(), sellAt(venue, Plain, 60), 6 * d, 1, from, "12.2(a)"},
		{"tas: heads or tails", tas, acts(), sellAt(venue, HeadsOrTails, 0), 500 * d, d, upTo, "21.2(b)"},
		{"tas: heads or tails at a terminal", tas, acts(), sellAt(sst, HeadsOrTails, 0), 250 * d, d, upTo, "12.2(d)"},
		{"tas: last day of a prize", tas, prize(50 * d), func(n money.Amount) Act {
			return Act{Kind: Pay, Day: today.AddMonths(12).AddDays(int(n)), At: venue, Ticket: "T", Out: cash(50 * d)}
		}, 0, 1, upTo, "14.2"},
		{"tas: last day of a late claim", tas, nil, func(n money.Amount) Act {
			return Act{Kind: PayClaim, Day: today.AddMonths(100), Claim: "C", Out: cheque(50 * d), Shown: PayeeNamed}
		}, 0, 1, upTo, "14.3"},
		{"tas: last day of a receipt", tas, acts(winner("T", 50*d), pay("T", part(Receipt, "R", 50*d))),
			func(n money.Amount) Act {
				return Act{Kind: Redeem, Day: today.AddMonths(12).AddDays(int(n)), At: venue, Paper: "R", Out: cash(50 * d)}
			}, 0, 1, upTo, "14.2"},
		{"tas: last day of a central voucher", tas, acts(winner("T", 3_000*d), pay("T", part(CentralVoucher, "Z", 3_000*d))),
			func(n money.Amount) Act {
				return Act{Kind: Redeem, Day: today.AddMonths(12).AddDays(int(n)), At: office, Paper: "Z", Out: cheque(3_000 * d),
					Shown: PayeeNamed}
			}, 0, 1, upTo, "14.2"},
		{"tas: inspector", tas, nil, func(n money.Amount) Act {
			return Act{Kind: PayClaim, Claim: "C" + fmt.Sprint(int(n)), Out: cheque(n), Shown: PayeeNamed}
		}, 100 * d, 1, upTo, "14.4, 15.2"},

		{"bingo: promotion", bin, acts(), func(n money.Amount) Act { return Act{Kind: Promotion, Out: cash(n)} }, 10_000 * d,
			1, upTo, "10.2, 10.4"},
		{"bingo: notice", bin, acts(), func(n money.Amount) Act { return Act{Kind: CloseEarly, Round: "R", Notice: int(n)} },
			20, 1, from, "9.8"},
		{"bingo: one fee", bin, acts(Act{Kind: Fee, Ticket: "B", Round: "R", Amount: 20 * d, In: cash(20 * d)}),
			func(n money.Amount) Act {
				return Act{Kind: Fee, Ticket: "C", Round: "R", Amount: n, In: cash(n)}
			}, 20 * d, 1, [3]bool{false, true, false}, "3.3"},
		{"bingo: jackpot", bin, acts(Act{Kind: Fee, Ticket: "B", Round: "R", Amount: 20 * d, In: cash(20 * d)}),
			func(n money.Amount) Act {
				return Act{Kind: Win, Ticket: "B", Game: 1, Amount: n, Jackpot: true}
			}, 16 * d, 1, upTo, "3.3.1"},
		{"bingo: prize of a game", bin, acts(Act{Kind: Fee, Ticket: "B", Round: "R", Amount: 20 * d, In: cash(20 * d)},
			Act{Kind: Announce, Game: 1, Amount: 50 * d}), func(n money.Amount) Act {
			return Act{Kind: Win, Ticket: "B", Game: 1, Amount: n}
		}, 50 * d, 1, upTo, "4.4, 7.2"},
		{"bingo: refund", bin, acts(Act{Kind: Fee, Ticket: "B", Round: "R", Amount: 20 * d, In: cash(20 * d)},
			Act{Kind: Abandon, Round: "R"}), func(n money.Amount) Act {
			return Act{Kind: Refund, Ticket: "B", Out: cash(n)}
		}, 20 * d, 1, [3]bool{false, true, false}, "8.4.3, 9.5"},
	} {
		t.Run(e.name, func(t *testing.T) {
			for i, n := range []money.Amount{e.at - e.step, e.at, e.at + e.step} {
				before := e.before
				if before == nil {
					before = prepared(e, n)
				}
				b := wantHonest(t, e.rules, before)
				checkMay(t, b, e.act(n), e.ok[i], e.clause, n)
			}
		})
	}
}

// prepared is for limits on a whole prize or stake: the ticket has the amount itself.
func prepared(e edge, n money.Amount) []Act {
	id := fmt.Sprint(int(n))
	switch e.name {
	case "tas: cash of a cancellation":
		return acts(limit(500*d), sell(id, n, cash(n)...))
	case "tas: last day of a late claim":
		return acts(winner("T", 50*d), Act{Kind: Lodge, Day: today.AddMonths(84).AddDays(int(n)), Claim: "C", Ticket: "T"},
			Act{Kind: Decide, Claim: "C", Grant: true, Shown: Operative})
	case "tas: inspector":
		return acts(winner(id, n), Act{Kind: Lodge, Claim: "C" + id, Ticket: id},
			Act{Kind: Decide, Claim: "C" + id, Grant: true, Shown: Operative})
	}
	return acts(winner(id, n))
}

func checkMay(t *testing.T, b *Book, a Act, ok bool, clause string, n money.Amount) {
	t.Helper()
	err := b.May(a)
	if ok && err != nil {
		t.Errorf("%d: %v, want it allowed", n, err)
	}
	if !ok && refusal(err) != clause {
		// A neighbouring clause of the same limit is as good when the amount is short.
		if refusal(err) == "" || refusal(err) != b.rules.Topics[onRest] && refusal(err) != b.rules.Topics[onPaper] {
			t.Errorf("%d: %v, want clause %s", n, err, clause)
		}
	}
	if found := b.Do(a); ok && len(found) > 0 {
		t.Errorf("%d: %v", n, found)
	}
}

func TestLongEntry(t *testing.T) {
	for _, c := range []struct {
		games, drawn int
		ok           bool
	}{
		{200, 199, true},
		{201, 200, true},
		{202, 200, true},
		{202, 201, false},
		{203, 201, false},
	} {
		var list []int
		for g := range c.games {
			list = append(list, g+1)
		}
		before := acts(Act{Kind: Sell, At: venue, Ticket: "A", Games: list, Stake: d, In: cash(money.Amount(c.games) * d)})
		for g := range c.drawn {
			before = append(before, draw(g+1))
		}
		b := wantHonest(t, Victoria(), before)
		a := cancel("A", cash(money.Amount(c.games-c.drawn)*d)...)
		if err := b.May(a); (err == nil) != c.ok || !c.ok && refusal(err) != "17(c)" {
			t.Errorf("%d games, %d drawn: %v", c.games, c.drawn, err)
		}
	}
}

func TestCentralVoucherMakesItRight(t *testing.T) {
	b := wantHonest(t, Tasmania(), acts(winner("T", 3_000*d)))
	if err := b.May(pay("T", part(Cash, "", 300*d), part(CentralVoucher, "Z", 2_700*d))); err != nil {
		t.Error(err)
	}
	without := pay("T", part(CentralVoucher, "Z", 3_000*d))
	without.Shown = 0
	if got := refusal(b.May(without)); got != "13.2" {
		t.Errorf("without a payee: %q", got)
	}
}
