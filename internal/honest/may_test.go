package honest

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/core/money"
)

func TestMay(t *testing.T) {
	vic, tas, cas, bin := Victoria(), Tasmania(), Casino(), Bingo()
	withFee := acts(Act{Kind: Fee, Ticket: "B", Round: "R", Amount: 20 * d, In: cash(20 * d)})
	for name, c := range map[string]struct {
		rules  Rules
		before []Act
		act    Act
		clause string // "silent", or empty for allowed
	}{
		"sale by receipt in a club": {tas, acts(winner("T", 50*d), pay("T", part(Receipt, "R", 50*d))),
			sell2("B", 2, 50*d, part(Receipt, "R", 50*d)), "5.2, 12.1"},
		"sale by receipt in a casino": {tas, acts(winner("T", 50*d), pay("T", part(Receipt, "R", 50*d))),
			Act{Kind: Sell, At: inCasino, Ticket: "B", Games: []int{2}, Stake: 50 * d, In: []Part{part(Receipt, "R", 50*d)}},
			""},
		"sale by card in a casino": {cas, acts(), sell("A", d, part(Card, "K", d)), "3.1, 4.1"},
		"sale at a terminal of a casino": {cas, acts(),
			Act{Kind: Sell, At: sst, Ticket: "A", Games: []int{1}, Stake: d, In: cash(d)}, "3.1, 4.1"},
		"sale after the close": {vic, acts(Act{Kind: Close, Game: 1}), sell("A", d, cash(d)...), "9, 11"},
		"sale without a game": {vic, acts(), Act{Kind: Sell, At: venue, Ticket: "A", Stake: d, In: cash(d)},
			"9, 11"},
		"sale for nothing": {vic, acts(), sell("A", d, part(Cash, "", 0)), "9, 11"},
		"cancel after the close": {vic, acts(sell("A", d, cash(d)...), Act{Kind: Close, Game: 1}),
			cancel("A", cash(d)...), "17(b)"},
		"cancel after the close, tas": {tas, acts(sell("A", d, cash(d)...), Act{Kind: Close, Game: 1}),
			cancel("A", cash(d)...), ""},
		"voucher back in tasmania": {tas, acts(other("O", d), sell("A", d, part(OtherVoucher, "O", d))),
			cancel("A", part(OtherVoucher, "O", d)), "silent"},
		"void in victoria": {vic, acts(), Act{Kind: Void, Game: 1}, "silent"},
		"deposit":          {vic, acts(), Act{Kind: Deposit, Paper: "K", In: cash(d)}, "silent"},
		"refund while the day has games": {cas, acts(sell("A", d, cash(d)...), Act{Kind: Void, Game: 1}),
			Act{Kind: Refund, Ticket: "A", Out: cash(d)}, "11.6"},
		"refund at the end of the day": {cas, acts(sell("A", d, cash(d)...), Act{Kind: Void, Game: 1}),
			Act{Kind: Refund, Ticket: "A", Out: cash(d), LastRun: true}, ""},
		"prize to another card": {vic, acts(winner("T", 50*d)), pay("T", part(Card, "K", 50*d)), "21(j)"},
		"prize to the same card": {vic,
			acts(Act{Kind: Deposit, Paper: "K", In: cash(d)}, sell("A", d, part(Card, "K", d)), draw(1),
				Act{Kind: Win, Ticket: "A", Game: 1, Amount: 3 * d}), pay("A", part(Card, "K", 3*d)), ""},
		"prize by cheque without a payee": {vic, acts(winner("T", 50*d)), withShown(pay("T", cheque(50*d)...), 0), "21(b)"},
		"prize at a terminal in cash": {tas, acts(winner("T", 50*d)),
			Act{Kind: Pay, At: sst, Ticket: "T", Out: cash(50 * d)}, "1.58"},
		"prize at a casino's terminal": {cas, acts(winner("T", 50*d)),
			Act{Kind: Pay, At: sst, Ticket: "T", Out: cash(50 * d)}, "8.3(a)"},
		"site cheque without a look": {tas, acts(winner("T", 500*d)),
			withShown(pay("T", part(SiteCheque, "", 500*d)), 0), "13.8(b)"},
		"head office without a form": {vic, acts(winner("T", 50*d)),
			Act{Kind: Pay, At: office, Ticket: "T", Out: cheque(50 * d), Shown: PayeeNamed}, "21(d)(ii)(C)"},
		"claim for a lost receipt": {vic, acts(winner("T", 50*d), pay("T", part(Receipt, "R", 50*d))),
			Act{Kind: Lodge, Claim: "C", Paper: "R", Lost: true}, "23(c)"},
		"claim for a torn receipt": {vic, acts(winner("T", 50*d), pay("T", part(Receipt, "R", 50*d))),
			Act{Kind: Lodge, Claim: "C", Paper: "R"}, ""},
		"claim for a lost receipt, tas": {tas, acts(winner("T", 50*d), pay("T", part(Receipt, "R", 50*d))),
			Act{Kind: Lodge, Claim: "C", Paper: "R", Lost: true}, ""},
		"claim for a prepaid voucher": {vic, acts(freePrepaid("P", d)), Act{Kind: Lodge, Claim: "C", Paper: "P"},
			"silent"},
		"claim for nothing": {vic, acts(), Act{Kind: Lodge, Claim: "C", Paper: "X"}, "12(a), 14(b)"},
		"second claim": {vic, acts(winner("T", 50*d), Act{Kind: Lodge, Claim: "C", Ticket: "T"}),
			Act{Kind: Lodge, Claim: "C2", Ticket: "T"}, "23(a)"},
		"claim without an operative": {tas,
			acts(winner("T", 50*d), Act{Kind: Lodge, Claim: "C", Ticket: "T"}, Act{Kind: Decide, Claim: "C", Grant: true}),
			Act{Kind: PayClaim, Claim: "C", Out: cheque(50 * d), Shown: PayeeNamed}, "15.2"},
		"release in victoria": {vic, acts(winner("T", 50*d), Act{Kind: Stop, Ticket: "T"}),
			Act{Kind: Release, Ticket: "T"}, ""},
		"release in tasmania": {tas, acts(winner("T", 50*d), Act{Kind: Stop, Ticket: "T"}),
			Act{Kind: Release, Ticket: "T"}, "silent"},
		"early expiry": {vic, acts(gift("G", d)), Act{Kind: Expire, Day: today.AddMonths(12), Paper: "G"},
			"12(c)"},
		"expiry": {vic, acts(gift("G", d)),
			Act{Kind: Expire, Day: today.AddMonths(12).AddDays(1), Paper: "G"}, ""},
		"early expiry of a prize": {cas, acts(winner("T", d)),
			Act{Kind: Expire, Day: today.AddMonths(12), Ticket: "T"}, "9.2"},
		"bingo prize unverified": {bin,
			append(withFee, Act{Kind: Announce, Game: 1, Amount: d}, Act{Kind: Win, Ticket: "B", Game: 1, Amount: d}),
			Act{Kind: Pay, Ticket: "B", Out: cash(d)}, "7.1, 7.4"},
		"bingo prize by cheque": {bin,
			append(withFee, Act{Kind: Announce, Game: 1, Amount: d}, Act{Kind: Win, Ticket: "B", Game: 1, Amount: d}),
			Act{Kind: Pay, Ticket: "B", Out: cheque(d), Shown: Supervisor}, "7.4"},
		"bingo jackpot in slot dollars": {bin,
			append(withFee, Act{Kind: Win, Ticket: "B", Game: 1, Amount: d, Jackpot: true}),
			Act{Kind: Pay, Ticket: "B", Out: []Part{part(SlotDollars, "", d)}, Shown: Supervisor}, "7.4"},
		"bingo fee after an early close": {bin, append(withFee, Act{Kind: CloseEarly, Round: "R", Notice: 20}),
			Act{Kind: Refund, Ticket: "B", Out: cash(20 * d)}, "silent"},
		"bingo void fee": {bin, append(withFee, Act{Kind: VoidFee, Ticket: "B"}),
			Act{Kind: Refund, Ticket: "B", Out: cash(20 * d)}, "silent"},
		"small promotion by cheque": {bin, acts(), Act{Kind: Promotion, Out: cheque(d)}, "silent"},
		"large promotion": {bin, acts(),
			Act{Kind: Promotion, Out: []Part{part(Transfer, "", 20_000*d)}, Shown: Scrutineer}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := wantHonest(t, c.rules, c.before)
			err := b.May(c.act)
			switch {
			case c.clause == "silent" && isSilent(err), c.clause == "" && err == nil, c.clause != "" && refusal(err) == c.clause:
			default:
				t.Errorf("%v, want %q", err, c.clause)
			}
		})
	}
}

func TestStranded(t *testing.T) {
	vic, tas := Victoria(), Tasmania()
	cashWay := func(h Holding) Way { return Way{From: h, To: Cash, At: venue} }
	gv := part(Gift, "G", 10*d)
	inVisit := func(a Act, s string, in ...Part) Act { a.Session, a.In = s, in; return a }
	for name, c := range map[string]struct {
		rules Rules
		list  []Act
		ways  []Way
		goal  Goal
		rest  money.Amount
	}{
		"prize without a way": {vic, acts(winner("T", 50*d)), nil, StrandedMoney, 50 * d},
		"prize in cash":       {vic, acts(winner("T", 50*d)), []Way{cashWay(HeldPrize)}, "", 0},
		"large prize in cash only": {vic, acts(winner("T", 15_000*d)), []Way{cashWay(HeldPrize)}, StrandedMoney,
			5_000 * d},
		"cash and receipt share the limit": {vic, acts(winner("T", 15_000*d)),
			[]Way{cashWay(HeldPrize), {From: HeldPrize, To: Receipt, At: venue}}, StrandedMoney, 5_000 * d},
		"large prize with a cheque": {vic, acts(winner("T", 15_000*d)),
			[]Way{cashWay(HeldPrize), {From: HeldPrize, To: Cheque, At: venue}}, "", 0},
		"playing on is not fetching": {vic, acts(winner("T", 50*d)), []Way{{From: HeldPrize, To: Stake, At: venue}},
			StrandedMoney, 50 * d},
		"head office pays no cash": {vic, acts(winner("T", 50*d)), []Way{{From: HeldPrize, To: Cash, At: office}},
			StrandedMoney, 50 * d},
		"voucher that can be played": {vic, acts(gift("G", 10*d)), []Way{{From: HeldVoucher, To: Stake, At: venue}},
			"", 0},
		"voucher that cannot": {vic, acts(gift("G", 10*d)), []Way{cashWay(HeldVoucher)}, StrandedMoney, 10 * d},
		"expired voucher": {vic, acts(gift("G", 10*d), Act{Kind: Close, Day: today.AddMonths(13), Game: 9}),
			nil, "", 0},
		"expired prize": {vic,
			acts(winner("T", 50*d), Act{Kind: Close, Day: today.AddMonths(7), Game: 9}), nil, "", 0},
		"visit with a voucher in it": {vic,
			acts(gift("G", 10*d), inVisit(visitSell("S", "A"), "S", gv), inVisit(cancel("A"), "S")),
			[]Way{cashWay(HeldSession), {From: HeldVoucher, To: Stake, At: venue}}, StuckSession, 10 * d},
		"visit that gives the voucher back": {vic,
			acts(gift("G", 10*d), inVisit(visitSell("S", "A"), "S", gv), inVisit(cancel("A"), "S")),
			[]Way{{From: HeldSession, To: Gift, At: venue}}, "", 0},
		"visit that has ended": {vic, acts(winner("T", 50*d), visitPay("S", "T"), end("S", cash(50*d)...)), nil,
			"", 0},
		"void stake of a voucher": {vic, acts(gift("G", 10*d), sell("A", 10*d, gv), Act{Kind: Void, Game: 1}),
			[]Way{cashWay(HeldVoid)}, StrandedMoney, 10 * d},
		"void stake of cash": {vic, acts(sell("A", 10*d, cash(10*d)...), Act{Kind: Void, Game: 1}),
			[]Way{cashWay(HeldVoid)}, "", 0},
		"undelivered": {vic, acts(sell("A", 10*d, cash(10*d)...), Act{Kind: Undelivered, Ticket: "A"}),
			nil, StrandedMoney, 10 * d},
		"card": {vic, acts(Act{Kind: Deposit, Paper: "K", In: cash(10 * d)}),
			[]Way{{From: HeldCard, To: Stake}}, StrandedMoney, 10 * d},
		"card with a way out": {vic, acts(Act{Kind: Deposit, Paper: "K", In: cash(10 * d)}),
			[]Way{cashWay(HeldCard)}, "", 0},
		"stopped": {vic, acts(winner("T", 50*d), Act{Kind: Stop, Ticket: "T"}),
			[]Way{cashWay(HeldPrize)}, StrandedMoney, 50 * d},
		"stopped, can be lifted": {vic, acts(winner("T", 50*d), Act{Kind: Stop, Ticket: "T"}),
			[]Way{{From: HeldStopped}}, "", 0},
		"claim in cash only": {vic, acts(winner("T", 50*d), Act{Kind: Lodge, Claim: "C", Ticket: "T"}),
			[]Way{cashWay(HeldClaim)}, StrandedMoney, 50 * d},
		"claim by cheque": {vic, acts(winner("T", 50*d), Act{Kind: Lodge, Claim: "C", Ticket: "T"}),
			[]Way{{From: HeldClaim, To: Cheque}}, "", 0},
		"receipt": {vic, acts(winner("T", 50*d), pay("T", part(Receipt, "R", 50*d))), nil,
			StrandedMoney, 50 * d},
		"tas: above the terminal": {tas, acts(winner("T", 1_001*d)), []Way{{From: HeldPrize, To: Receipt, At: sst}},
			StrandedMoney, 1_001 * d},
		"tas: at the terminal": {tas, acts(winner("T", 1_000*d)), []Way{{From: HeldPrize, To: Receipt, At: sst}},
			"", 0},
		"tas: cash above the venue": {tas, acts(limit(500*d), winner("T", 900*d)), []Way{cashWay(HeldPrize)},
			StrandedMoney, 400 * d},
		"tas: large in cash only": {tas, acts(winner("T", 3_000*d)), []Way{cashWay(HeldPrize)}, StrandedMoney,
			3_000 * d},
		"tas: large with a central voucher": {tas, acts(limit(500*d), winner("T", 3_000*d)),
			[]Way{cashWay(HeldPrize), {From: HeldPrize, To: CentralVoucher, At: venue, Most: 2_500 * d}}, "", 0},
		"tas: central voucher at a bar": {tas, acts(winner("T", 3_000*d), pay("T", part(CentralVoucher, "Z", 3_000*d))),
			[]Way{cashWay(HeldPaper)}, StrandedMoney, 3_000 * d},
		"tas: central voucher at office": {tas, acts(winner("T", 3_000*d), pay("T", part(CentralVoucher, "Z", 3_000*d))),
			[]Way{{From: HeldPaper, To: Cheque, At: office}}, "", 0},
		"tas: late prize can be claimed": {tas,
			acts(winner("T", 50*d), Act{Kind: Close, Day: today.AddMonths(13), Game: 9}), nil, StrandedMoney, 50 * d},
		"bingo jackpot by casino dollars": {Bingo(),
			acts(Act{Kind: Fee, Ticket: "B", Round: "R", Amount: 20 * d, In: cash(20 * d)},
				Act{Kind: Win, Ticket: "B", Game: 1, Amount: d, Jackpot: true}),
			[]Way{{From: HeldPrize, To: CasinoDollars}}, StrandedMoney, d},
	} {
		t.Run(name, func(t *testing.T) {
			found := wantHonest(t, c.rules, c.list).Stranded(c.ways)
			if c.goal == "" {
				if len(found) > 0 {
					t.Errorf("%v", found)
				}
				return
			}
			if len(found) != 1 || found[0].Goal != c.goal || found[0].Amount != c.rest {
				t.Errorf("%v, want %s of %v", found, c.goal, c.rest)
			}
		})
	}
}

// anyAct draws an act that need not make sense.
func anyAct(t *rapid.T) Act {
	kinds := []Kind{Open, End, Sell, Cancel, Close, Draw, Void, Refund, Carry, RunOn, Win, Pay, Issue, Redeem,
		Deposit, Withdraw, Lodge, Decide, PayClaim, Stop, Release, Forfeit, Undelivered, Reprint, DayEnd, Expire,
		Fee, Announce, Seed, Abandon, Invalidate, CloseEarly, VoidFee, Promotion, Venue}
	forms := []Form{Cash, Chips, Card, Gift, Prepaid, OtherVoucher, Receipt, CentralVoucher, SiteCheque, Cheque,
		Transfer, CasinoDollars, SlotDollars, Winning}
	some := rapid.SampledFrom([]string{"A", "B", "C"})
	name := rapid.SampledFrom([]string{"", "", "A", "B"})
	amount := rapid.Map(rapid.Int64Range(0, 4), func(n int64) money.Amount { return money.Amount(n) * 5 * d })
	form := rapid.SampledFrom(forms)
	parts := func(label string) []Part {
		var out []Part
		for range rapid.IntRange(0, 2).Draw(t, label) {
			out = append(out, part(form.Draw(t, "form"), some.Draw(t, "paper"), amount.Draw(t, "amount")))
		}
		return out
	}
	return Act{
		Kind:    rapid.SampledFrom(kinds).Draw(t, "kind"),
		At:      rapid.SampledFrom([]Place{venue, sst, office, inCasino}).Draw(t, "at"),
		Session: name.Draw(t, "session"), Ticket: some.Draw(t, "ticket"), Game: rapid.IntRange(1, 3).Draw(t, "game"),
		To: rapid.IntRange(1, 3).Draw(t, "to"), Stake: amount.Draw(t, "stake"), Amount: amount.Draw(t, "amount"),
		In: parts("in"), Out: parts("out"), Paper: some.Draw(t, "paper"), Form: form.Draw(t, "form"),
		Free: rapid.Bool().Draw(t, "free"), Claim: some.Draw(t, "claim"), Grant: rapid.Bool().Draw(t, "grant"),
		Round: some.Draw(t, "round"), Jackpot: rapid.Bool().Draw(t, "jackpot"), NewID: some.Draw(t, "new"),
		Games: rapid.SliceOfN(rapid.IntRange(1, 3), 0, 2).Draw(t, "games"),
		Shown: Shown(rapid.UintRange(0, 127).Draw(t, "shown")),
		Limit: amount.Draw(t, "limit"), Notice: rapid.IntRange(0, 30).Draw(t, "notice"),
	}
}

func anyBook(t *rapid.T) *Book {
	all := []Rules{Victoria(), Casino(), Tasmania(), Bingo()}
	b := New(all[rapid.IntRange(0, 3).Draw(t, "rules")])
	b.Do(dayStarts())
	return b
}

// TestAnyActs records acts that make no sense. The book must stand them, a trial must leave
// it alone, and what the text allows is no breach.
func TestAnyActs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBook(t)
		for range rapid.IntRange(1, 15).Draw(t, "acts") {
			a := anyAct(t)
			before := b.clone()
			err := b.May(a)
			if !reflect.DeepEqual(before, b) {
				t.Fatalf("a trial of %s changed the book", a.Kind)
			}
			if found := b.Do(a); err == nil && len(found) > 0 {
				t.Fatalf("%s is allowed and breaks: %v", a.Kind, found)
			}
			b.Stranded(nil)
		}
	})
}

// TestNoCentIsMade walks through acts in which the book finds nothing wrong. It counts the
// money at the door in a way of its own: what leaves as money never exceeds the money that
// came in and the prizes.
func TestNoCentIsMade(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBook(t)
		var in, out money.Amount
		for range 120 {
			a := anyAct(t)
			if len(b.clone().Do(a)) > 0 {
				continue // the house would not have done this
			}
			b.Do(a)
			if a.Kind == Open {
				continue
			}
			t.Logf("%s of %s %s %s %s: stake %v, %v, in %v, out %v, game %d to %d, games %v", a.Kind, a.Session, a.Ticket,
				a.Form, a.Paper, a.Stake, a.Amount, a.In, a.Out, a.Game, a.To, a.Games)
			checkPots(t, b)
			switch a.Kind {
			case Sell, Fee, End, Issue, Deposit:
				in += totalOf(a.In, Cash, Chips, SiteCheque, Cheque, Transfer)
			case Win:
				in += a.Amount
			case Promotion:
				in += total(a.Out)
			}
			switch a.Kind {
			case Sell, End, Cancel, Refund, Pay, Issue, Redeem, Withdraw, PayClaim, Promotion, Fee:
				out += totalOf(a.Out, Cash, Chips, SiteCheque, Cheque, Transfer)
			}
			if out > in {
				t.Fatalf("after %s %v came in and %v left", a.Kind, in, out)
			}
		}
	})
}
