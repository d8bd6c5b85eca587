package honest

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/core/money"
)

const d = money.Dollar

var (
	today    = Date{2024, 3, 1}
	tomorrow = today.AddDays(1)
	venue    = Place{Venue: "V"}
	sst      = Place{Venue: "V", Desk: SelfService}
	office   = Place{Desk: HeadOffice}
	inCasino = Place{Venue: "C", Desk: CasinoWriter}
)

func cash(n money.Amount) []Part    { return []Part{{Form: Cash, Amount: n}} }
func cheque(n money.Amount) []Part  { return []Part{{Form: Cheque, Amount: n}} }
func dayStarts() Act                { return Act{Kind: Close, Day: today, Game: -1} }
func limit(n money.Amount) Act      { return Act{Kind: Venue, At: venue, Limit: n} }
func draw(g int) Act                { return Act{Kind: Draw, Game: g} }
func end(s string, out ...Part) Act { return Act{Kind: End, At: venue, Session: s, Out: out} }
func visitPay(s, ticket string) Act { return Act{Kind: Pay, At: venue, Session: s, Ticket: ticket} }
func visitSell(s, ticket string) Act {
	return Act{Kind: Sell, At: venue, Session: s, Ticket: ticket, Games: []int{1}, Stake: 10 * d}
}

func part(f Form, id string, n money.Amount) Part { return Part{Form: f, Paper: id, Amount: n} }

func sell(ticket string, stake money.Amount, in ...Part) Act {
	return Act{Kind: Sell, At: venue, Ticket: ticket, Games: []int{1}, Stake: stake, In: in}
}

func cancel(ticket string, out ...Part) Act {
	return Act{Kind: Cancel, At: venue, Ticket: ticket, Out: out}
}

func pay(ticket string, out ...Part) Act {
	return Act{Kind: Pay, At: venue, Ticket: ticket, Out: out, Shown: PayeeNamed | ExclusionChecked}
}

func gift(id string, n money.Amount) Act {
	return Act{Kind: Issue, At: venue, Form: Gift, Paper: id, Amount: n, In: cash(n)}
}

func freePrepaid(id string, n money.Amount) Act {
	return Act{Kind: Issue, At: venue, Form: Prepaid, Paper: id, Amount: n, Free: true}
}

func other(id string, n money.Amount) Act {
	return Act{Kind: Issue, At: venue, Form: OtherVoucher, Paper: id, Amount: n, In: cash(n)}
}

// winner sells a ticket for cash, draws its game and lets it win.
func winner(ticket string, prize money.Amount) []Act {
	return []Act{
		sell(ticket, 10*d, cash(10*d)...), draw(1),
		{Kind: Win, Ticket: ticket, Game: 1, Amount: prize},
	}
}

func acts(parts ...any) []Act {
	out := []Act{dayStarts()}
	for _, p := range parts {
		switch p := p.(type) {
		case Act:
			out = append(out, p)
		case []Act:
			out = append(out, p...)
		}
	}
	return out
}

// play records the acts and fails on a breach before the last of them.
func play(t *testing.T, rules Rules, list []Act) (*Book, []Breach) {
	t.Helper()
	b := New(rules)
	for i, a := range list {
		found := b.Do(a)
		if len(found) == 0 {
			checkPots(t, b)
		}
		if i == len(list)-1 {
			return b, found
		}
		if len(found) > 0 {
			t.Fatalf("act %d, %s: %v", i, a.Kind, found)
		}
	}
	return b, nil
}

// checkPots compares the pots with what they stand for. While nothing is wrong, no cent is
// lost or made.
func checkPots(t rapid.TB, b *Book) {
	t.Helper()
	have, want := map[int]money.Amount{}, map[int]money.Amount{}
	for i := range b.pots {
		have[b.find(i)] = b.has(i, isAny) - b.pots[b.find(i)].owed
	}
	for _, tk := range b.tickets {
		want[b.find(tk.pot)] += tk.stakes(waiting) + tk.stakes(voided)
	}
	for _, c := range b.cards {
		want[b.find(c.pot)] += c.balance
	}
	for _, v := range b.papers {
		if !v.form.voucher() {
			want[b.find(v.pot)] += v.left
		}
	}
	for _, s := range b.sessions {
		want[b.find(s.pot)] += s.balance + s.bought + s.owed
	}
	for p, n := range want {
		if have[p] != n {
			t.Fatalf("a pot has %v and stands for %v", have[p], n)
		}
	}
}

func wantHonest(t *testing.T, rules Rules, list []Act) *Book {
	t.Helper()
	b, found := play(t, rules, list)
	if len(found) > 0 {
		t.Errorf("an honest sequence: %v", found)
	}
	return b
}

func wantBreach(t *testing.T, rules Rules, goal Goal, list []Act) {
	t.Helper()
	_, found := play(t, rules, list)
	if !slices.ContainsFunc(found, func(b Breach) bool { return b.Goal == goal }) {
		t.Errorf("want %q, found %v", goal, found)
	}
}

func TestAttacks(t *testing.T) {
	vic, tas := Victoria(), Tasmania()
	gv := part(Gift, "G", 10*d)
	ov := part(OtherVoucher, "O", 10*d)
	parts := func(f Form, id string, n money.Amount) []Part { return []Part{part(f, id, n)} }
	byCard := []Act{
		{Kind: Deposit, Paper: "K", In: cash(10 * d)}, sell("T", 10*d, part(Card, "K", 10*d)), draw(1),
		{Kind: Win, Ticket: "T", Game: 1, Amount: 15_000 * d},
	}
	fromCard := func(n money.Amount) Act {
		return Act{Kind: Withdraw, At: venue, Paper: "K", Out: cash(n)}
	}
	receipt := func(id string, n money.Amount) Act {
		return Act{Kind: Issue, At: venue, Session: "S", Form: Receipt, Paper: id, Amount: n}
	}
	inVisit := func(a Act, s string, in ...Part) Act { a.Session, a.In = s, in; return a }
	fee := func(book string) Act {
		return Act{Kind: Fee, Ticket: book, Round: "R", Amount: 20 * d, In: cash(20 * d)}
	}
	for name, c := range map[string]struct {
		rules Rules
		goal  Goal
		list  []Act
	}{
		"a transfer to no account": {vic, OverLimit, acts(
			winner("T", 15_000*d), visitPay("S", "T"),
			withShown(end("S", part(Cash, "", 10_000*d), part(Transfer, "", 5_000*d)), PayeeNamed))},
		"a voucher for one game pays for another": {vic, WrongGame, acts(
			plays(gift("G", 10*d), HeadsOrTails), visitSell("S", "A"), inVisit(end("S"), "S", gv))},
		"a voucher for one game pays for an entry of both": {vic, WrongGame, acts(
			plays(gift("G", 10*d), HeadsOrTails), plays(visitSell("S", "A"), HeadsOrTails, Plain), inVisit(end("S"), "S", gv))},
		"a voucher pays for the game of an entry that was cancelled": {vic, WrongGame, acts(
			plays(gift("G", 10*d), HeadsOrTails), plays(visitSell("S", "A"), HeadsOrTails), inVisit(cancel("A"), "S"),
			visitSell("S", "B"),
			inVisit(end("S"), "S", gv))},
		"a voucher comes back for another game": {vic, WrongGame, acts(
			plays(gift("G", 10*d), HeadsOrTails), plays(sell("A", 10*d, gv), HeadsOrTails),
			cancel("A", Part{Form: Gift, Paper: "G2", Amount: 10 * d, Replaces: AnyVoucher}))},
		"a voucher for any game": {vic, WrongGame, acts(plays(gift("G", 10*d), AnyGame))},
		"a card that is filled on credit": {vic, Credit, acts(
			Act{Kind: End, At: venue, Session: "S", In: parts(Unpaid, "", 10*d), Out: parts(Card, "K", 10*d)})},
		"a prize of a ticket that its visit left unpaid": {vic, Credit, acts(
			visitSell("S", "A"), inVisit(end("S"), "S", part(Unpaid, "", 10*d)), draw(1),
			Act{Kind: Win, Ticket: "A", Game: 1, Amount: 30 * d},
			pay("A", cash(30*d)...))},
		"a stake that its visit left unpaid, half of it paid late": {vic, Credit, acts(
			visitSell("S", "A"), inVisit(end("S"), "S", part(Cash, "", 2*d), part(Unpaid, "", 8*d)),
			Act{Kind: PayLate, Things: []string{"A"}, Amount: 4 * d}, cancel("A", cash(10*d)...))},
		"a ticket that pays for itself": {vic, Credit, acts(
			visitSell("S", "A"), draw(1), Act{Kind: Win, Ticket: "A", Game: 1, Amount: 30 * d}, visitPay("S", "A"))},
		"a ticket that pays for itself in Tasmania": {tas, Credit, acts(
			visitSell("S", "A"), draw(1), Act{Kind: Win, Ticket: "A", Game: 1, Amount: 30 * d}, visitPay("S", "A"))},
		"an entry goes back elsewhere before it is paid": {vic, Credit, acts(
			visitSell("S", "A"), inVisit(cancel("A"), "S2"))},
		"a receipt is used elsewhere before it is paid": {vic, Credit, acts(
			receipt("R", 10*d), Act{Kind: Redeem, At: venue, Session: "S2", Paper: "R", Amount: 10 * d})},
		"sell in a visit by voucher, cancel, end with cash": {vic, VoucherToCash, acts(
			gift("G", 10*d), inVisit(visitSell("S", "A"), "S", gv), inVisit(cancel("A"), "S"), end("S", cash(10*d)...))},
		"the same in Tasmania": {tas, VoucherToCash, acts(
			other("O", 10*d), inVisit(visitSell("S", "A"), "S", ov), inVisit(cancel("A"), "S"), end("S", cash(10*d)...))},
		"voucher in A, A into B in a visit, B plainly for cash": {vic, VoucherToCash, acts(
			gift("G", 10*d), sell("A", 10*d, gv), inVisit(cancel("A"), "S"), visitSell("S", "B"), end("S"),
			cancel("B", cash(10*d)...))},
		"the same through two visits": {vic, VoucherToCash, acts(
			gift("G", 10*d), sell("A", 10*d, gv), inVisit(cancel("A"), "S"), visitSell("S", "B"), end("S"),
			inVisit(cancel("B"), "S2"), visitSell("S2", "C"), end("S2"), cancel("C", cash(10*d)...))},
		"voucher, void game, stake in cash": {vic, VoucherToCash, acts(
			gift("G", 10*d), sell("A", 10*d, gv), Act{Kind: Void, Game: 1},
			Act{Kind: Refund, At: venue, Ticket: "A", Out: cash(10 * d)})},
		"voucher, game void after its draw, stake in cash": {tas, VoucherToCash, acts(
			other("O", 10*d), sell("A", 10*d, ov), draw(1), Act{Kind: Void, Game: 1},
			Act{Kind: Refund, At: venue, Ticket: "A", Out: cash(10 * d)})},
		"large prize to a card that did not pay": {vic, OverLimit, acts(
			winner("T", 15_000*d), visitPay("S", "T"), end("S", part(Card, "K", 15_000*d)))},
		"large prize to a card, then out in cash": {vic, OverLimit, acts(
			byCard, visitPay("S", "T"), end("S", part(Card, "K", 15_000*d)),
			fromCard(5_000*d), fromCard(5_000*d), fromCard(1))},
		"large prize, a part in cash and the rest by card": {vic, OverLimit, acts(
			byCard, visitPay("S", "T"), end("S", append(cash(10_000*d), part(Card, "K", 5_000*d))...), fromCard(5_000*d))},
		"receipts bought with winnings": {vic, OverLimit, acts(
			winner("T", 15_000*d), visitPay("S", "T"), receipt("R1", 5_000*d), receipt("R2", 5_000*d), receipt("R3", 5_000*d),
			end("S"))},
		"receipts bought with winnings, cash at the end": {vic, OverLimit, acts(
			winner("T", 15_000*d), visitPay("S", "T"), receipt("R1", 5_000*d), receipt("R2", 5_000*d),
			end("S", cash(5_000*d)...))},
		"cash first, and then a prize above the limit": {vic, OverLimit, acts(
			sell2("A", 2, 100*d, cash(100*d)...), winner("T", 10_100*d), visitPay("S", "T"),
			Act{Kind: Cancel, At: venue, Session: "S", Ticket: "A", Amount: 100 * d, Out: cash(100 * d)},
			end("S", cash(10_100*d)...))},
		"receipts of a visit, cashed in one": {tas, OverLimit, acts(
			limit(500*d), winner("T", 900*d), pay("T", part(Receipt, "R1", 450*d), part(Receipt, "R2", 450*d)),
			Act{Kind: Redeem, At: venue, Session: "S", Paper: "R1", Amount: 450 * d},
			Act{Kind: Redeem, At: venue, Session: "S", Paper: "R2", Amount: 450 * d},
			end("S", cash(900*d)...))},
		"large prize into an entry that is cancelled": {vic, OverLimit, acts(
			winner("T", 15_000*d), visitPay("S", "T"),
			Act{Kind: Sell, At: venue, Session: "S", Ticket: "B", Games: []int{2}, Stake: 5_000 * d},
			end("S", cash(10_000*d)...), Act{Kind: Cancel, At: venue, Ticket: "B", Out: cash(5_000 * d)})},
		"large prize into a gift voucher that is returned": {vic, OverLimit, acts(
			winner("T", 15_000*d), visitPay("S", "T"),
			Act{Kind: Issue, At: venue, Session: "S", Form: Gift, Paper: "G", Amount: 5_000 * d},
			end("S", cash(10_000*d)...), Act{Kind: Redeem, At: venue, Paper: "G", Out: cash(5_000 * d)})},
		"free prepaid voucher redeemed": {vic, VoucherToCash, acts(
			freePrepaid("P", 10*d), Act{Kind: Redeem, At: venue, Paper: "P", Out: cash(10 * d)})},
		"free prepaid voucher through an entry": {vic, VoucherToCash, acts(
			freePrepaid("P", 10*d), sell("A", 10*d, part(Prepaid, "P", 10*d)), cancel("A", cash(10*d)...))},
		"free prepaid voucher through change": {vic, VoucherToCash, acts(
			freePrepaid("P", 10*d), Act{Kind: Sell, At: venue, Ticket: "A", Games: []int{1}, Stake: d,
				In: parts(Prepaid, "P", 10*d), Out: cash(9 * d)})},
		"free prepaid voucher through a receipt": {vic, VoucherToCash, acts(
			freePrepaid("P", 10*d), Act{Kind: Issue, At: venue, Form: Receipt, Paper: "R", Amount: 10 * d,
				In: parts(Prepaid, "P", 10*d)})},
		"free prepaid voucher through a card": {vic, VoucherToCash, acts(
			freePrepaid("P", 10*d), Act{Kind: Deposit, Paper: "K", In: parts(Prepaid, "P", 10*d)}, fromCard(10*d))},
		"free prepaid voucher through a gift voucher": {vic, NewLife, acts(
			freePrepaid("P", 10*d), Act{Kind: Issue, At: venue, Form: Gift, Paper: "G", Amount: 10 * d,
				In: parts(Prepaid, "P", 10*d)})},
		"gift voucher comes back as a prepaid one": {vic, VoucherToCash, acts(
			freePrepaid("P", 10*d), sell("A", 10*d, part(Prepaid, "P", 10*d)),
			cancel("A", Part{Form: Gift, Paper: "N", Replaces: "P", Amount: 10 * d}))},
		"replacement voucher with a new life": {vic, NewLife, acts(
			freePrepaid("P", 10*d),
			Act{Kind: Sell, Day: tomorrow, At: venue, Ticket: "A", Games: []int{1, 2}, Stake: 5 * d,
				In: parts(Prepaid, "P", 10*d)}, draw(1),
			cancel("A", Part{Form: Prepaid, Paper: "N", Replaces: "P", Amount: 5 * d, Expires: tomorrow.AddDays(30)}))},
		"replacement for more than the cancelled games": {vic, MoreBack, acts(
			gift("G", 10*d), Act{Kind: Sell, At: venue, Ticket: "A", Games: []int{1, 2}, Stake: 5 * d, In: []Part{gv}}, draw(1),
			cancel("A", Part{Form: Gift, Paper: "N", Replaces: "G", Amount: 10 * d}))},
		"replacement and the old voucher too": {vic, PaidTwice, acts(
			gift("G", 10*d), sell("A", 10*d, gv), cancel("A", Part{Form: Gift, Paper: "N", Replaces: "G", Amount: 10 * d}),
			sell("B", 10*d, part(Gift, "N", 10*d)), cancel("A", gv))},
		"gift voucher returned a day later": {vic, VoucherToCash, acts(
			gift("G", 10*d), Act{Kind: Redeem, Day: tomorrow, At: venue, Paper: "G", Out: cash(10 * d)})},
		"replacement returned on its own day": {vic, VoucherToCash, acts(
			gift("G", 10*d), Act{Kind: Sell, Day: tomorrow, At: venue, Ticket: "A", Games: []int{1}, Stake: 10 * d,
				In: []Part{gv}},
			cancel("A", Part{Form: Gift, Paper: "N", Replaces: "G", Amount: 10 * d}),
			Act{Kind: Redeem, At: venue, Paper: "N", Out: cash(10 * d)})},
		"refund above the fee": {Bingo(), MoreBack, acts(fee("B"), Act{Kind: Abandon, Round: "R"},
			Act{Kind: Refund, Ticket: "B", Out: cash(20*d + 1)})},
		"fee refunded twice": {Bingo(), PaidTwice, acts(fee("B"), Act{Kind: Abandon, Round: "R"},
			Act{Kind: Refund, Ticket: "B", Out: cash(20 * d)}, Act{Kind: Refund, Ticket: "B", Out: cash(20 * d)})},
		"fee in casino dollars, refund in cash": {Bingo(), VoucherToCash, acts(
			Act{Kind: Fee, Ticket: "B", Round: "R", Amount: 20 * d, In: parts(CasinoDollars, "", 20*d)},
			Act{Kind: Abandon, Round: "R"}, Act{Kind: Refund, Ticket: "B", Out: cash(20 * d)})},
		"refund of a session that goes on": {Bingo(), MoreBack,
			acts(fee("B"), Act{Kind: Refund, Ticket: "B", Out: cash(20 * d)})},
		"prize of a void game": {Bingo(), PaidTwice, acts(fee("B"), Act{Kind: Announce, Game: 1, Amount: 50 * d},
			Act{Kind: Void, Game: 1, To: 2}, Act{Kind: Win, Ticket: "B", Game: 1, Amount: 50 * d})},
		"jackpot and refund of the fees behind it": {Bingo(), MoreBack,
			acts(fee("B"), fee("C"), Act{Kind: Abandon, Round: "R"},
				Act{Kind: Refund, Ticket: "B", Out: cash(20 * d)},
				Act{Kind: Win, Ticket: "C", Game: 1, Amount: 32 * d, Jackpot: true})},
		"book with a void fee": {Bingo(), PaidTwice, acts(fee("B"), Act{Kind: Announce, Game: 1, Amount: 50 * d},
			Act{Kind: VoidFee, Ticket: "B"}, Act{Kind: Win, Ticket: "B", Game: 1, Amount: 50 * d})},
		"a fee that has won is void": {Bingo(), MoreBack, acts(fee("B"), Act{Kind: Announce, Game: 1, Amount: 50 * d},
			Act{Kind: Win, Ticket: "B", Game: 1, Amount: 50 * d}, Act{Kind: VoidFee, Ticket: "B"})},
		"a fee that has won is void, when the prize was paid": {Bingo(), MoreBack,
			acts(fee("B"), Act{Kind: Announce, Game: 1, Amount: 50 * d},
				Act{Kind: Win, Ticket: "B", Game: 1, Amount: 50 * d},
				Act{Kind: Pay, Ticket: "B", Game: 1, Out: cash(50 * d), Shown: Supervisor},
				Act{Kind: VoidFee, Ticket: "B"})},
		"plain cancellation above the limit of the venue": {tas, OverLimit, acts(
			limit(500*d), sell("A", 600*d, cash(600*d)...), cancel("A", cash(600*d)...))},
		"the same game by game": {tas, OverLimit, acts(limit(500*d),
			Act{Kind: Sell, At: venue, Ticket: "A", Games: []int{1, 2}, Stake: 300 * d, In: cash(600 * d)},
			Act{Kind: Cancel, At: venue, Ticket: "A", Games: []int{1}, Out: cash(300 * d)},
			Act{Kind: Cancel, At: venue, Ticket: "A", Games: []int{2}, Out: cash(300 * d)})},
		"two prizes in one visit": {vic, OverLimit, acts(
			winner("T", 6_000*d), sell2("U", 2, 10*d, cash(10*d)...), draw(2),
			Act{Kind: Win, Ticket: "U", Game: 2, Amount: 6_000 * d},
			visitPay("S", "T"), visitPay("S", "U"), end("S", cash(12_000*d)...))},
		"replacement of a half, both returned": {vic, MoreBack, acts(
			gift("G", 10*d), sell("A", 10*d, gv), cancel("A", Part{Form: Gift, Paper: "N", Replaces: "G", Amount: 10 * d}),
			Act{Kind: Redeem, At: venue, Paper: "N", Out: cash(10 * d)},
			Act{Kind: Redeem, At: venue, Paper: "G", Out: cash(10 * d)})},
		"cancel after the day's end": {tas, TooLate,
			acts(sell("A", 10*d, cash(10*d)...), Act{Kind: DayEnd}, cancel("A", cash(10*d)...))},
		"void bingo game pays its winner and rolls on": {Bingo(), MoreBack,
			acts(fee("B"), Act{Kind: Announce, Game: 1, Amount: 50 * d},
				Act{Kind: Win, Ticket: "B", Game: 1, Amount: 50 * d}, Act{Kind: Void, Game: 1, To: 2},
				Act{Kind: Pay, Ticket: "B", Out: cash(50 * d), Shown: Supervisor},
				Act{Kind: Win, Ticket: "B", Game: 2, Amount: 50 * d})},
		"fee back in parts and whole": {Bingo(), PaidTwice,
			acts(fee("B"), Act{Kind: Abandon, Round: "R"}, Act{Kind: Refund, Ticket: "B", Partial: true, Out: cash(20 * d)},
				Act{Kind: Refund, Ticket: "B", Partial: true, Out: cash(d)})},
		"claimed receipt is cashed": {vic, WhileStopped,
			acts(winner("T", 50*d), pay("T", part(Receipt, "R", 50*d)), Act{Kind: Lodge, Claim: "C", Paper: "R"},
				Act{Kind: Redeem, At: venue, Paper: "R", Out: cash(50 * d)})},
		"claimed and paid receipt is cashed": {vic, PaidTwice,
			acts(winner("T", 50*d), pay("T", part(Receipt, "R", 50*d)), Act{Kind: Lodge, Claim: "C", Paper: "R"},
				Act{Kind: Decide, Claim: "C", Grant: true}, Act{Kind: PayClaim, Claim: "C", Out: cheque(50 * d), Shown: PayeeNamed},
				Act{Kind: Redeem, At: venue, Paper: "R", Out: cash(50 * d)})},
		"claim for more than the receipt": {tas, MoreBack,
			acts(winner("T", 50*d), pay("T", part(Receipt, "R", 50*d)), Act{Kind: Lodge, Claim: "C", Paper: "R"},
				Act{Kind: Decide, Claim: "C", Grant: true, Shown: Operative},
				Act{Kind: PayClaim, Claim: "C", Out: cheque(50*d + 1), Shown: PayeeNamed})},
		"claim for a receipt that was cashed": {tas, PaidTwice,
			acts(winner("T", 50*d), pay("T", part(Receipt, "R", 50*d)),
				Act{Kind: Redeem, At: venue, Paper: "R", Out: cash(50 * d)},
				Act{Kind: Lodge, Claim: "C", Paper: "R"}, Act{Kind: Decide, Claim: "C", Grant: true, Shown: Operative},
				Act{Kind: PayClaim, Claim: "C", Out: cheque(50 * d), Shown: PayeeNamed})},
		"two claims for one receipt": {tas, PaidTwice,
			acts(winner("T", 50*d), pay("T", part(Receipt, "R", 50*d)), Act{Kind: Lodge, Claim: "C", Paper: "R"},
				Act{Kind: Lodge, Claim: "C2", Paper: "R"}, Act{Kind: Decide, Claim: "C", Grant: true, Shown: Operative},
				Act{Kind: Decide, Claim: "C2", Grant: true, Shown: Operative},
				Act{Kind: PayClaim, Claim: "C", Out: cheque(50 * d), Shown: PayeeNamed},
				Act{Kind: PayClaim, Claim: "C2", Out: cheque(50 * d), Shown: PayeeNamed})},
		"refused claim is paid": {vic, WhileStopped,
			acts(winner("T", 50*d), Act{Kind: Lodge, Claim: "C", Ticket: "T"}, Act{Kind: Decide, Claim: "C"},
				Act{Kind: PayClaim, Claim: "C", Out: cheque(50 * d), Shown: PayeeNamed})},
		"claim of a stopped ticket": {vic, WhileStopped,
			acts(winner("T", 50*d), Act{Kind: Lodge, Claim: "C", Ticket: "T"}, Act{Kind: Decide, Claim: "C", Grant: true},
				Act{Kind: Stop, Ticket: "T"}, Act{Kind: PayClaim, Claim: "C", Out: cheque(50 * d), Shown: PayeeNamed})},
		"claimed a day too late": {Casino(), TooLate, acts(
			winner("T", 10*d), Act{Kind: Lodge, Day: today.AddMonths(12).AddDays(1), Claim: "C", Ticket: "T", Lost: true},
			Act{Kind: Decide, Claim: "C", Grant: true}, Act{Kind: PayClaim, Claim: "C", Out: cash(10 * d)})},
		"withheld money paid twice": {tas, PaidTwice, acts(
			winner("T", 10*d), visitPay("S", "T"), end("S", part(Withheld, "W", 10*d)),
			Act{Kind: Redeem, At: venue, Paper: "W", Out: cash(10 * d)},
			Act{Kind: Redeem, At: venue, Paper: "W", Out: cash(10 * d)})},
		"claim that nobody lodged": {vic, NeverWas, acts(Act{Kind: PayClaim, Claim: "C", Out: cheque(d), Shown: PayeeNamed})},
		"claim of a prepaid voucher": {vic, VoucherToCash,
			acts(freePrepaid("P", d), Act{Kind: Lodge, Claim: "C", Paper: "P"}, Act{Kind: Decide, Claim: "C", Grant: true},
				Act{Kind: PayClaim, Claim: "C", Out: cheque(d), Shown: PayeeNamed})},
		"claim of a free gift voucher": {vic, VoucherToCash,
			acts(Act{Kind: Issue, At: venue, Form: Gift, Paper: "G", Amount: d, Free: true},
				Act{Kind: Lodge, Claim: "C", Paper: "G"}, Act{Kind: Decide, Claim: "C", Grant: true},
				Act{Kind: PayClaim, Claim: "C", Out: cheque(d), Shown: PayeeNamed})},
		"claim of a voucher's void stake": {tas, VoucherToCash,
			acts(other("O", 10*d), sell("A", 10*d, part(OtherVoucher, "O", 10*d)), Act{Kind: Void, Game: 1},
				Act{Kind: Lodge, Claim: "C", Ticket: "A"}, Act{Kind: Decide, Claim: "C", Grant: true, Shown: Operative},
				Act{Kind: PayClaim, Claim: "C", Out: cheque(10 * d), Shown: PayeeNamed})},
		"stopped voucher": {vic, WhileStopped,
			acts(gift("G", 10*d), Act{Kind: Stop, Paper: "G"}, sell("A", 10*d, gv))},
		"stopped voucher back": {vic, WhileStopped,
			acts(gift("G", 10*d), sell("A", 10*d, gv), Act{Kind: Stop, Paper: "G"}, cancel("A", gv))},
		"stopped card": {vic, WhileStopped,
			acts(Act{Kind: Deposit, Paper: "K", In: cash(10 * d)}, Act{Kind: Stop, Paper: "K"}, fromCard(10*d))},
		"stopped card buys": {vic, WhileStopped,
			acts(Act{Kind: Deposit, Paper: "K", In: cash(10 * d)}, Act{Kind: Stop, Paper: "K"},
				sell("A", 10*d, part(Card, "K", 10*d)))},
		"card gives too much": {vic, MoreBack,
			acts(Act{Kind: Deposit, Paper: "K", In: cash(10 * d)}, fromCard(10*d+1))},
		"voucher given up and used": {vic, PaidTwice,
			acts(gift("G", 10*d), Act{Kind: Expire, Day: today.AddMonths(12).AddDays(1), Paper: "G"}, sell("A", 10*d, gv))},
		"prize paid twice": {vic, PaidTwice,
			acts(winner("T", 50*d), pay("T", cash(50*d)...), pay("T", cash(50*d)...))},
		"prize and tender": {vic, PaidTwice,
			acts(winner("T", 50*d), pay("T", cash(50*d)...), sell("B", 50*d, part(Winning, "T", 50*d)))},
		"ticket and reprint": {vic, PaidTwice,
			acts(winner("T", 50*d), Act{Kind: Reprint, Ticket: "T", NewID: "T2"}, pay("T", cash(50*d)...),
				pay("T2", cash(50*d)...))},
		"cancel twice": {vic, PaidTwice,
			acts(sell("A", 10*d, cash(10*d)...), cancel("A", cash(10*d)...), cancel("A", cash(10*d)...))},
		"cancel and carry": {Casino(), PaidTwice,
			acts(sell("A", 10*d, cash(10*d)...), Act{Kind: Void, Game: 1}, Act{Kind: Refund, Ticket: "A", Out: cash(10 * d)},
				Act{Kind: Carry, Ticket: "A", Game: 1, To: 2})},
		"prize, void, stake": {Casino(), PaidTwice,
			acts(winner("T", 50*d), pay("T", cash(50*d)...), Act{Kind: Void, Game: 1},
				Act{Kind: Refund, Ticket: "T", Out: cash(10 * d)})},
		"cancel after the draw": {vic, TooLate,
			acts(sell("A", 10*d, cash(10*d)...), draw(1),
				Act{Kind: Cancel, At: venue, Ticket: "A", Games: []int{1}, Out: cash(10 * d)})},
		"cancel on the next day": {vic, TooLate,
			acts(sell("A", 10*d, cash(10*d)...), Act{Kind: Cancel, Day: tomorrow, At: venue, Ticket: "A", Out: cash(10 * d)})},
		"cancel elsewhere": {tas, OverLimit,
			acts(sell("A", 10*d, cash(10*d)...), Act{Kind: Cancel, At: Place{Venue: "W"}, Ticket: "A", Out: cash(10 * d)})},
		"pay while stopped": {vic, WhileStopped,
			acts(winner("T", 50*d), Act{Kind: Stop, Ticket: "T"}, pay("T", cash(50*d)...))},
		"tender while stopped": {vic, WhileStopped,
			acts(winner("T", 50*d), Act{Kind: Stop, Ticket: "T"}, sell("B", 50*d, part(Winning, "T", 50*d)))},
		"cancel while stopped": {tas, WhileStopped,
			acts(sell("A", 10*d, cash(10*d)...), Act{Kind: Stop, Ticket: "A"}, inVisit(cancel("A"), "S"))},
		"pay while claimed": {vic, WhileStopped,
			acts(winner("T", 50*d), Act{Kind: Lodge, Claim: "C", Ticket: "T"}, pay("T", cash(50*d)...))},
		"claim before it is decided": {vic, WhileStopped, acts(winner("T", 50*d), Act{Kind: Lodge, Claim: "C", Ticket: "T"},
			Act{Kind: PayClaim, Claim: "C", Out: cheque(50 * d), Shown: PayeeNamed})},
		"claim and ticket": {vic, PaidTwice, acts(winner("T", 50*d), Act{Kind: Lodge, Claim: "C", Ticket: "T"},
			Act{Kind: Decide, Claim: "C", Grant: true},
			Act{Kind: PayClaim, Claim: "C", Out: cheque(50 * d), Shown: PayeeNamed}, pay("T", cash(50*d)...))},
		"ticket and claim": {vic, PaidTwice, acts(winner("T", 50*d), pay("T", cash(50*d)...),
			Act{Kind: Lodge, Claim: "C", Ticket: "T"}, Act{Kind: Decide, Claim: "C", Grant: true},
			Act{Kind: PayClaim, Claim: "C", Out: cheque(50 * d), Shown: PayeeNamed})},
		"two claims": {tas, PaidTwice, acts(winner("T", 50*d), Act{Kind: Lodge, Claim: "C", Ticket: "T"},
			Act{Kind: Lodge, Claim: "C2", Ticket: "T"},
			Act{Kind: Decide, Claim: "C", Grant: true, Shown: Operative},
			Act{Kind: Decide, Claim: "C2", Grant: true, Shown: Operative},
			Act{Kind: PayClaim, Claim: "C", Out: cheque(50 * d), Shown: PayeeNamed},
			Act{Kind: PayClaim, Claim: "C2", Out: cheque(50 * d), Shown: PayeeNamed})},
		"claim paid in cash": {vic, OverLimit,
			acts(winner("T", 50*d), Act{Kind: Lodge, Claim: "C", Ticket: "T"}, Act{Kind: Decide, Claim: "C", Grant: true},
				Act{Kind: PayClaim, Claim: "C", Out: cash(50 * d)})},
		"head office pays cash": {vic, OverLimit,
			acts(winner("T", 50*d), Act{Kind: Pay, At: office, Ticket: "T", Out: cash(50 * d), Shown: ClaimForm})},
		"receipt cashed twice": {vic, PaidTwice,
			acts(winner("T", 50*d), pay("T", part(Receipt, "R", 50*d)),
				Act{Kind: Redeem, At: venue, Paper: "R", Out: cash(50 * d)},
				Act{Kind: Redeem, At: venue, Paper: "R", Out: cash(50 * d)})},
		"receipt for more": {vic, MoreBack,
			acts(Act{Kind: Issue, At: venue, Form: Receipt, Paper: "R", Amount: 11 * d, In: cash(10 * d)})},
		"central voucher cashed at a bar": {tas, OverLimit,
			acts(winner("T", 3_000*d), pay("T", part(CentralVoucher, "Z", 3_000*d)),
				Act{Kind: Redeem, At: venue, Paper: "Z", Out: cash(3_000 * d)})},
		"central voucher paid to another": {tas, OverLimit,
			acts(winner("T", 3_000*d), pay("T", part(CentralVoucher, "Z", 3_000*d)),
				Act{Kind: Redeem, At: office, Paper: "Z", Out: cheque(3_000 * d)})},
		"visit ends unpaid": {tas, Credit, acts(visitSell("S", "A"), end("S"))},
		"negative change": {vic, MoreBack,
			acts(Act{Kind: Sell, At: venue, Ticket: "A", Games: []int{1}, Stake: 10 * d, In: cash(5 * d), Out: cash(-5 * d)})},
		"entry unpaid": {vic, Credit, acts(sell("A", 10*d, cash(9*d)...))},
		"card overdrawn": {vic, Credit,
			acts(Act{Kind: Deposit, Paper: "K", In: cash(9 * d)}, sell("A", 10*d, part(Card, "K", 10*d)))},
		"too much change": {vic, MoreBack,
			acts(Act{Kind: Sell, At: venue, Ticket: "A", Games: []int{1}, Stake: 10 * d, In: cash(20 * d), Out: cash(11 * d)})},
		"change kept": {vic, StrandedMoney, acts(sell("A", 10*d, cash(11*d)...))},
		"visit ends and keeps a cent": {tas, StrandedMoney,
			acts(winner("T", 50*d), visitPay("S", "T"), end("S", cash(50*d-1)...))},
		"visit ends with a cent too much": {tas, MoreBack,
			acts(winner("T", 50*d), visitPay("S", "T"), end("S", cash(50*d+1)...))},
		"prize of an unsold ticket": {vic, NeverWas, acts(pay("X", cash(d)...))},
		"undelivered ticket wins": {vic, OverLimit,
			acts(winner("T", 50*d), Act{Kind: Undelivered, Ticket: "T"}, pay("T", cash(50*d)...))},
		"forfeited prize": {tas, PaidTwice,
			acts(winner("T", 50*d), Act{Kind: Forfeit, Ticket: "T"}, pay("T", cash(50*d)...))},
		"expired and paid": {Casino(), PaidTwice,
			acts(winner("T", 50*d), Act{Kind: Expire, Day: today.AddMonths(12).AddDays(1), Ticket: "T"},
				pay("T", cash(50*d)...))},
		"run into a void game, cash over the limit": {vic, OverLimit, acts(
			winner("T", 15_000*d), Act{Kind: RunOn, Ticket: "T", Game: 1, To: 2}, Act{Kind: Void, Game: 2},
			pay("T", cash(15_000*d)...))},
		"run into a void game, paid twice": {vic, PaidTwice, acts(
			winner("T", 50*d), Act{Kind: RunOn, Ticket: "T", Game: 1, To: 2}, Act{Kind: Void, Game: 2}, pay("T", cash(50*d)...),
			pay("T", cash(50*d)...))},
		"run into a void game, too late": {vic, TooLate, acts(
			winner("T", 50*d), Act{Kind: RunOn, Ticket: "T", Game: 1, To: 2}, Act{Kind: Void, Game: 2},
			Act{Kind: DayEnd, Day: today.AddMonths(7)}, pay("T", cash(50*d)...))},
		"run of a large prize, cancelled for cash": {vic, OverLimit, acts(
			winner("T", 15_000*d), Act{Kind: RunOn, Ticket: "T", Game: 1, To: 2}, cancel("T", cash(15_000*d)...))},
		"large prize through two entries and two visits": {vic, OverLimit, acts(
			winner("T", 15_000*d), visitPay("S", "T"),
			Act{Kind: Sell, At: venue, Session: "S", Ticket: "B", Games: []int{2}, Stake: 4_000 * d},
			Act{Kind: Sell, At: venue, Session: "S", Ticket: "C", Games: []int{2}, Stake: 4_000 * d},
			end("S", cash(7_000*d)...),
			Act{Kind: Cancel, At: venue, Session: "V", Ticket: "B", Amount: 4_000 * d},
			Act{Kind: End, At: venue, Session: "V", Shown: PayeeNamed,
				Out: []Part{{Form: Cash, Amount: 3_000 * d}, {Form: Cheque, Amount: 1_000 * d}}},
			Act{Kind: Cancel, At: venue, Session: "W", Ticket: "C", Amount: 4_000 * d}, end("W", cash(4_000*d)...))},
		"gift voucher of another visit, handed back on another day": {vic, VoucherToCash, acts(
			Act{Kind: Issue, At: venue, Session: "S", Form: Gift, Paper: "G", Amount: 50 * d},
			Act{Kind: End, At: venue, Session: "S", In: cash(50 * d)},
			Act{Kind: Redeem, Day: today.AddDays(1), At: venue, Session: "V", Paper: "G", Amount: 50 * d})},
		"let it run after payment": {vic, PaidTwice,
			acts(winner("T", 50*d), pay("T", cash(50*d)...), Act{Kind: RunOn, Ticket: "T", Game: 1, To: 2})},
	} {
		t.Run(name, func(t *testing.T) { wantBreach(t, c.rules, c.goal, c.list) })
	}
}

func TestHonestSequences(t *testing.T) {
	vic, tas := Victoria(), Tasmania()
	gv := part(Gift, "G", 10*d)
	inVisit := func(a Act, s string, in ...Part) Act { a.Session, a.In = s, in; return a }
	for name, c := range map[string]struct {
		rules Rules
		list  []Act
	}{
		"receipts of a visit, each cashed as a pay of its own": {tas, acts(
			limit(500*d), winner("T", 900*d), pay("T", part(Receipt, "R1", 450*d), part(Receipt, "R2", 450*d)),
			Act{Kind: Redeem, At: venue, Paper: "R1", Out: cash(450 * d)},
			Act{Kind: Redeem, At: venue, Paper: "R2", Out: cash(450 * d)})},
		"a winner who cheated was paid, and the other has won alone": {Bingo(), acts(
			Act{Kind: Fee, Round: "R", Ticket: "A", Amount: d, In: cash(d)},
			Act{Kind: Fee, Round: "R", Ticket: "B", Amount: d, In: cash(d)},
			Act{Kind: Announce, Game: 1, Amount: 100 * d},
			Act{Kind: Win, Ticket: "A", Game: 1, Amount: 50 * d}, Act{Kind: Win, Ticket: "B", Game: 1, Amount: 50 * d},
			Act{Kind: Pay, Ticket: "A", Game: 1, Shown: Supervisor, Out: cash(50 * d)},
			Act{Kind: Forfeit, Ticket: "A", Game: 1, Amount: 50 * d}, Act{Kind: Win, Ticket: "B", Game: 1, Amount: 50 * d},
			Act{Kind: Pay, Ticket: "B", Game: 1, Shown: Supervisor, Out: cash(100 * d)})},
		"a fee is void after fraud took what it had won, and was paid": {Bingo(), acts(
			Act{Kind: Fee, Round: "R", Ticket: "A", Amount: d, In: cash(d)}, Act{Kind: Announce, Game: 1, Amount: 100 * d},
			Act{Kind: Win, Ticket: "A", Game: 1, Amount: 100 * d},
			Act{Kind: Pay, Ticket: "A", Game: 1, Shown: Supervisor, Out: cash(100 * d)},
			Act{Kind: Forfeit, Ticket: "A", Game: 1, Amount: 100 * d}, Act{Kind: VoidFee, Ticket: "A"},
			Act{Kind: Refund, Ticket: "A", Partial: true, Out: cash(d)})},
		"a visit that owes for a game does not take the stakes of another": {vic, acts(
			inVisit(sell("O", 333*d), "Open"), draw(1),
			Act{Kind: Sell, At: venue, Session: "S", Ticket: "A", Games: []int{2}, Stake: d},
			Act{Kind: Sell, At: venue, Session: "S", Ticket: "B", Games: []int{2}, Stake: d},
			Act{Kind: End, At: venue, Session: "S", In: cash(2 * d)},
			Act{Kind: Cancel, At: venue, Session: "Open", Ticket: "B", Amount: d}, cancel("A", cash(d)...))},
		"a voucher for a game pays for it beside another, and comes back for it": {vic, acts(
			plays(gift("G", 10*d), HeadsOrTails), plays(visitSell("S", "A"), HeadsOrTails), visitSell("S", "B"),
			inVisit(end("S"), "S", gv, part(Cash, "", 10*d)),
			cancel("A", Part{Form: Gift, Paper: "G2", Amount: 10 * d, Replaces: AnyVoucher, Plays: HeadsOrTails}))},
		"what a visit left unpaid is paid late": {vic, acts(
			visitSell("S", "A"), inVisit(end("S"), "S", part(Cash, "", 2*d), part(Unpaid, "", 8*d)),
			Act{Kind: PayLate, Things: []string{"A"}, Amount: 8 * d}, cancel("A", cash(10*d)...))},
		"a visit takes back what it has sold and nobody has paid": {vic, acts(
			visitSell("S", "A"), inVisit(cancel("A"), "S"), end("S"))},
		"voucher, cancel, voucher, next entry": {vic, acts(
			gift("G", 10*d), sell("A", 10*d, gv), cancel("A", gv), sell("B", 10*d, gv))},
		"claimed in time, decided and paid after it": {Casino(), acts(
			winner("T", 10*d), Act{Kind: Lodge, Claim: "C", Ticket: "T", Lost: true},
			Act{Kind: Expire, Day: today.AddMonths(13), Ticket: "T"},
			Act{Kind: Decide, Claim: "C", Grant: true}, Act{Kind: PayClaim, Claim: "C", Out: cash(10 * d)})},
		"stopped in two visits, paid in the third": {tas, acts(
			winner("T", 10*d), visitPay("S", "T"), end("S", part(Withheld, "W", 10*d)),
			Act{Kind: Redeem, At: venue, Session: "R", Paper: "W", Amount: 10 * d}, end("R", part(Withheld, "W", 10*d)),
			Act{Kind: Redeem, At: venue, Session: "Q", Paper: "W", Amount: 10 * d}, end("Q", cash(10*d)...))},
		"voucher in a visit, cancel, voucher": {vic, acts(
			gift("G", 10*d), inVisit(visitSell("S", "A"), "S", gv), inVisit(cancel("A"), "S"), end("S", gv))},
		"voucher and cash in a visit, one of two entries in cash": {vic, acts(
			gift("G", 10*d), inVisit(visitSell("S", "A"), "S", gv), inVisit(visitSell("S", "B"), "S", cash(10*d)...), end("S"),
			cancel("B", cash(10*d)...), cancel("A", gv))},
		"a prize from a voucher is cash": {vic, acts(
			gift("G", 10*d), sell("A", 10*d, gv), draw(1), Act{Kind: Win, Ticket: "A", Game: 1, Amount: 50 * d},
			pay("A", cash(50*d)...))},
		"replacement after some games": {vic, acts(
			gift("G", 10*d), Act{Kind: Sell, At: venue, Ticket: "A", Games: []int{1, 2}, Stake: 5 * d, In: []Part{gv}}, draw(1),
			cancel("A", Part{Form: Gift, Paper: "N", Replaces: "G", Amount: 5 * d, Expires: today.AddMonths(12)}),
			sell2("B", 2, 5*d, part(Gift, "N", 5*d)))},
		"mixed tender, some games, cash or voucher": {vic, acts(
			gift("G", 10*d), Act{Kind: Sell, At: venue, Ticket: "A", Games: []int{1, 2}, Stake: 10 * d,
				In: append(cash(10*d), gv)}, draw(1),
			cancel("A", gv))},
		"mixed tender, some games, cash": {vic, acts(
			gift("G", 10*d), Act{Kind: Sell, At: venue, Ticket: "A", Games: []int{1, 2}, Stake: 10 * d,
				In: append(cash(10*d), gv)}, draw(1),
			cancel("A", cash(10*d)...))},
		"gift voucher returned on its day": {vic,
			acts(gift("G", 10*d), Act{Kind: Redeem, At: venue, Paper: "G", Out: cash(10 * d)})},
		"large prize": {vic, acts(
			winner("T", 15_000*d), pay("T", append(cash(10_000*d), cheque(5_000*d)...)...))},
		"large prize in a visit": {vic, acts(
			winner("T", 15_000*d), visitPay("S", "T"),
			withShown(end("S", part(Cash, "", 4_000*d), part(Receipt, "R", 6_000*d), part(Transfer, "", 5_000*d)),
				PayeeNamed|AccountNamed),
			Act{Kind: Redeem, At: venue, Paper: "R", Out: cash(6_000 * d)})},
		"two large prizes in two visits": {vic, acts(
			winner("T", 9_000*d), sell2("U", 2, 10*d, cash(10*d)...), draw(2),
			Act{Kind: Win, Ticket: "U", Game: 2, Amount: 9_000 * d},
			visitPay("S", "T"), end("S", cash(9_000*d)...), visitPay("S2", "U"), end("S2", cash(9_000*d)...))},
		"one game cancelled, the other wins": {vic,
			acts(Act{Kind: Sell, At: venue, Ticket: "A", Games: []int{1, 2}, Stake: 5 * d, In: cash(10 * d)},
				Act{Kind: Cancel, At: venue, Ticket: "A", Games: []int{1}, Out: cash(5 * d)}, draw(1), draw(2),
				Act{Kind: Win, Ticket: "A", Game: 2, Amount: 50 * d}, pay("A", cash(50*d)...))},
		"parlay": {vic, acts(winner("T", 50*d),
			Act{Kind: Sell, At: venue, Ticket: "B", Games: []int{2}, Stake: 10 * d, In: []Part{part(Winning, "T", 50*d)},
				Out: cash(40 * d)}, draw(2))},
		"card": {vic, acts(Act{Kind: Deposit, Paper: "K", In: cash(20 * d)}, sell("A", 10*d, part(Card, "K", 10*d)), draw(1),
			Act{Kind: Win, Ticket: "A", Game: 1, Amount: 50 * d}, pay("A", part(Card, "K", 50*d)),
			Act{Kind: Withdraw, At: venue, Paper: "K", Out: cash(60 * d)})},
		"head office": {vic, acts(winner("T", 50*d),
			Act{Kind: Pay, At: office, Ticket: "T", Out: cheque(50 * d), Shown: ClaimForm | PayeeNamed})},
		"run into a void game, paid in time": {vic, acts(
			winner("T", 50*d), Act{Kind: RunOn, Ticket: "T", Game: 1, To: 2}, Act{Kind: Void, Game: 2},
			Act{Kind: DayEnd, Day: today.AddMonths(6)}, pay("T", cash(50*d)...))},
		"run through a void game, paid at the end": {vic, acts(
			winner("T", 50*d), Act{Kind: RunOn, Ticket: "T", Game: 1, To: 2}, Act{Kind: Void, Game: 2},
			Act{Kind: Carry, Ticket: "T", Game: 2, To: 3},
			Act{Kind: Draw, Game: 3}, Act{Kind: Win, Ticket: "T", Game: 3, Amount: 100 * d}, pay("T", cash(100*d)...))},
		"gift voucher of a visit, handed back in it on another day": {vic, acts(
			Act{Kind: Issue, At: venue, Session: "S", Form: Gift, Paper: "G", Amount: 50 * d},
			Act{Kind: Redeem, Day: today.AddMonths(13), At: venue, Session: "S", Paper: "G", Amount: 50 * d}, end("S"))},
		"winnings wagered and cancelled, each pay within the limit": {tas, acts(
			limit(500*d), winner("T", 900*d), visitPay("S", "T"),
			Act{Kind: Sell, At: venue, Session: "S", Ticket: "B", Games: []int{2}, Stake: 400 * d},
			end("S", cash(500*d)...), cancel("B", cash(400*d)...))},
		"let it run, cancelled": {vic, acts(winner("T", 50*d), Act{Kind: RunOn, Ticket: "T", Game: 1, To: 2},
			cancel("T", cash(50*d)...))},
		"claim": {vic, acts(winner("T", 50*d), Act{Kind: Lodge, Claim: "C", Ticket: "T", Lost: true},
			Act{Kind: Decide, Claim: "C", Grant: true},
			Act{Kind: PayClaim, Claim: "C", Out: cheque(50 * d), Shown: PayeeNamed})},
		"claim of a torn receipt": {vic, acts(winner("T", 50*d), pay("T", part(Receipt, "R", 50*d)),
			Act{Kind: Lodge, Claim: "C", Paper: "R"},
			Act{Kind: Decide, Claim: "C", Grant: true},
			Act{Kind: PayClaim, Claim: "C", Out: cheque(50 * d), Shown: PayeeNamed})},
		"claim of a torn gift voucher": {vic, acts(gift("G", 10*d), Act{Kind: Lodge, Claim: "C", Paper: "G"},
			Act{Kind: Decide, Claim: "C", Grant: true},
			Act{Kind: PayClaim, Claim: "C", Out: cheque(10 * d), Shown: PayeeNamed})},
		"claim of a receipt refused": {tas, acts(winner("T", 50*d), pay("T", part(Receipt, "R", 50*d)),
			Act{Kind: Lodge, Claim: "C", Paper: "R"},
			Act{Kind: Decide, Claim: "C"}, Act{Kind: Redeem, At: venue, Paper: "R", Out: cash(50 * d)})},
		"claim of a void stake and a prize": {Casino(), acts(
			Act{Kind: Sell, At: venue, Ticket: "A", Games: []int{1, 2}, Stake: 5 * d, In: cash(10 * d)}, draw(1),
			Act{Kind: Win, Ticket: "A", Game: 1, Amount: 50 * d},
			Act{Kind: Void, Game: 2}, Act{Kind: Lodge, Claim: "C", Ticket: "A", Lost: true},
			Act{Kind: Decide, Claim: "C", Grant: true},
			Act{Kind: PayClaim, Claim: "C", Out: cash(55 * d)})},
		"claim refused, ticket paid": {vic, acts(winner("T", 50*d), Act{Kind: Lodge, Claim: "C", Ticket: "T"},
			Act{Kind: Decide, Claim: "C"}, pay("T", cash(50*d)...))},
		"stop and release": {vic, acts(winner("T", 50*d), Act{Kind: Stop, Ticket: "T"},
			Act{Kind: Release, Ticket: "T"}, pay("T", cash(50*d)...))},
		"undelivered and refunded": {vic, acts(gift("G", 10*d), sell("A", 10*d, gv), Act{Kind: Undelivered, Ticket: "A"},
			draw(1),
			Act{Kind: Cancel, At: venue, Ticket: "A", Games: []int{1}, Out: []Part{gv}})},
		"casino: void, carried, played": {Casino(),
			acts(sell("A", 10*d, part(Chips, "", 10*d)), draw(1), Act{Kind: Void, Game: 1},
				Act{Kind: Carry, Ticket: "A", Game: 1, To: 2}, draw(2), Act{Kind: Win, Ticket: "A", Game: 2, Amount: 500 * d},
				pay("A", cheque(500*d)...))},
		"casino: void, refunded": {Casino(), acts(sell("A", 10*d, cash(10*d)...), draw(1), Act{Kind: Void, Game: 1},
			Act{Kind: Refund, Ticket: "A", Out: cash(10 * d), LastRun: true})},
		"casino: claim in cash": {Casino(), acts(winner("T", 50*d), Act{Kind: Lodge, Claim: "C", Ticket: "T", Lost: true},
			Act{Kind: Decide, Claim: "C", Grant: true},
			Act{Kind: PayClaim, Claim: "C", Out: cash(50 * d)})},
		"tasmania: a visit that sets off": {tas,
			acts(winner("T", 50*d), visitPay("S", "T"), sell2s("S", "B", 2, 20*d), end("S", cash(30*d)...))},
		"tasmania: a visit that pays in": {tas,
			acts(visitSell("S", "A"), Act{Kind: End, At: venue, Session: "S", In: cash(50 * d), Out: cash(40 * d)})},
		"tasmania: paid after its draw": {tas,
			acts(visitSell("S", "A"), draw(1), Act{Kind: End, At: venue, Session: "S", In: cash(10 * d)})},
		"tasmania: large": {tas, acts(limit(500*d), winner("T", 5_000*d),
			pay("T", append(cash(500*d), part(CentralVoucher, "Z", 4_500*d))...),
			Act{Kind: Redeem, At: inCasino, Paper: "Z", Out: append(cash(2_000*d), cheque(2_500*d)...), Shown: PayeeNamed})},
		"tasmania: site cheque": {tas, acts(limit(500*d), winner("T", 900*d),
			pay("T", append(cash(500*d), part(SiteCheque, "", 400*d))...))},
		"tasmania: terminal": {tas, acts(winner("T", 900*d),
			Act{Kind: Pay, At: sst, Ticket: "T", Out: []Part{part(Receipt, "R", 900*d)}},
			Act{Kind: Redeem, At: venue, Paper: "R", Out: cash(900 * d)})},
		"tasmania: late receipt": {tas, acts(winner("T", 900*d), pay("T", part(Receipt, "R", 900*d)),
			Act{Kind: Redeem, Day: today.AddMonths(24), At: venue, Paper: "R", Out: cash(900 * d), Shown: ClaimForm})},
		"tasmania: late claim": {tas, acts(winner("T", 90*d), Act{Kind: Expire, Day: today.AddMonths(13), Ticket: "T"},
			Act{Kind: Lodge, Claim: "C", Ticket: "T"},
			Act{Kind: Decide, Claim: "C", Grant: true, Shown: Operative},
			Act{Kind: PayClaim, Claim: "C", Out: cheque(90 * d), Shown: PayeeNamed})},
		"bingo": {Bingo(), acts(
			Act{Kind: Fee, Ticket: "B", Round: "R", Amount: 20 * d, In: cash(20 * d)},
			Act{Kind: Fee, Ticket: "C", Round: "R", Amount: 20 * d, In: cash(20 * d)},
			Act{Kind: Seed, Amount: 100 * d},
			Act{Kind: Announce, Game: 1, Amount: 50 * d}, Act{Kind: Win, Ticket: "B", Game: 1, Amount: 25 * d},
			Act{Kind: Win, Ticket: "C", Game: 1, Amount: 25 * d},
			Act{Kind: Pay, Ticket: "B", Out: []Part{part(Cash, "", 20*d), part(SlotDollars, "", 5*d)}, Shown: Supervisor},
			Act{Kind: Pay, Ticket: "C", Out: cash(25 * d), Shown: Supervisor},
			Act{Kind: Win, Ticket: "C", Game: 2, Amount: 132 * d, Jackpot: true},
			Act{Kind: Pay, Ticket: "C", Out: cheque(132 * d), Shown: Supervisor},
			Act{Kind: CloseEarly, Round: "R", Notice: 20})},
		"bingo: abandoned after a prize": {Bingo(), acts(
			Act{Kind: Fee, Ticket: "B", Round: "R", Amount: 20 * d, In: cash(20 * d)},
			Act{Kind: Announce, Game: 1, Amount: 50 * d}, Act{Kind: Win, Ticket: "B", Game: 1, Amount: 50 * d},
			Act{Kind: Pay, Ticket: "B", Out: cash(50 * d), Shown: Supervisor},
			Act{Kind: Abandon, Round: "R"}, Act{Kind: Refund, Ticket: "B", Out: cash(20 * d)})},
		"bingo: a prize that was not called": {Bingo(), acts(
			Act{Kind: Fee, Ticket: "B", Round: "R", Amount: 20 * d, In: cash(20 * d)},
			Act{Kind: Fee, Ticket: "C", Round: "R", Amount: 20 * d, In: cash(20 * d)},
			Act{Kind: Announce, Game: 1, Amount: 50 * d}, Act{Kind: Win, Ticket: "B", Game: 1, Amount: 50 * d},
			Act{Kind: Forfeit, Ticket: "B", Game: 1},
			Act{Kind: Win, Ticket: "C", Game: 1, Amount: 50 * d},
			Act{Kind: Pay, Ticket: "C", Out: cash(50 * d), Shown: Supervisor})},
		"visit, paid late, void, in cash": {tas,
			acts(visitSell("S", "A"), draw(1), Act{Kind: End, At: venue, Session: "S", In: cash(10 * d)},
				Act{Kind: Void, Game: 1}, Act{Kind: Refund, At: venue, Ticket: "A", Out: cash(10 * d)})},
		"bingo: prize rolls on": {Bingo(), acts(
			Act{Kind: Fee, Ticket: "B", Round: "R", Amount: 20 * d, In: cash(20 * d)},
			Act{Kind: Announce, Game: 1, Amount: 50 * d}, Act{Kind: Announce, Game: 2, Amount: 50 * d},
			Act{Kind: Void, Game: 1, To: 2},
			Act{Kind: Win, Ticket: "B", Game: 2, Amount: 100 * d},
			Act{Kind: Pay, Ticket: "B", Out: cash(100 * d), Shown: Supervisor})},
	} {
		t.Run(name, func(t *testing.T) { wantHonest(t, c.rules, c.list) })
	}
}

func withShown(a Act, s Shown) Act { a.Shown = s; return a }
func plays(a Act, of ...Bet) Act   { a.Plays = of; return a }

func sell2(ticket string, game int, stake money.Amount, in ...Part) Act {
	return Act{Kind: Sell, At: venue, Ticket: ticket, Games: []int{game}, Stake: stake, In: in}
}

func sell2s(s, ticket string, game int, stake money.Amount) Act {
	return Act{Kind: Sell, At: venue, Session: s, Ticket: ticket, Games: []int{game}, Stake: stake}
}

func TestOrigins(t *testing.T) {
	b := wantHonest(t, Victoria(), acts(
		gift("G", 10*d), winner("T", 50*d), freePrepaid("P", 5*d),
		Act{Kind: Sell, At: venue, Ticket: "A", Games: []int{2}, Stake: 40 * d,
			In: []Part{part(Gift, "G", 10*d), part(Winning, "T", 20*d), part(Prepaid, "P", 5*d), part(Cash, "", 5*d)}}))
	want := []Cents{{Gift, "G", "", "", 10 * d}, {Prize, "", "T", "", 20 * d}, {Prepaid, "P", "", "", 5 * d},
		{Cash, "", "", "", 5 * d}}
	if got := b.Origins("A"); !slices.Equal(got, want) {
		t.Errorf("origins: %v, want %v", got, want)
	}
	if b.Origins("X") != nil {
		t.Error("an unknown ticket has origins")
	}
}

func TestDates(t *testing.T) {
	for _, c := range []struct {
		from   Date
		months int
		want   Date
	}{
		{Date{2023, 8, 31}, 6, Date{2024, 2, 29}},
		{Date{2024, 2, 29}, 12, Date{2025, 2, 28}},
		{Date{2024, 12, 15}, 1, Date{2025, 1, 15}},
	} {
		if got := c.from.AddMonths(c.months); got != c.want {
			t.Errorf("%v and %d months: %v, want %v", c.from, c.months, got, c.want)
		}
	}
	if got := (Date{2024, 2, 28}).AddDays(2); got != (Date{2024, 3, 1}) {
		t.Errorf("two days after 28 February 2024: %v", got)
	}
	for _, later := range []Date{{2024, 3, 2}, {2024, 4, 1}, {2025, 1, 1}} {
		if !later.After(today) || today.After(later) || today.After(today) {
			t.Errorf("%v is not after %v", later, today)
		}
	}
}

// TestClauses keeps a clause beside every value, and every rulebook with an answer to the
// questions that its acts raise.
func TestClauses(t *testing.T) {
	for _, r := range []Rules{Victoria(), Casino(), Tasmania(), Bingo()} {
		for k, clause := range r.Acts {
			if clause == "" {
				t.Errorf("%s: %s has no clause", r.Name, k)
			}
		}
		for k, clause := range r.Topics {
			if clause == "" {
				t.Errorf("%s: %s has no clause", r.Name, k)
			}
		}
		for _, topic := range []Topic{onCredit, onRefund, onOnce, onTicket, onRest, onSchedule, onVouchers} {
			if r.Topics[topic] == "" {
				t.Errorf("%s has no clause for %s", r.Name, topic)
			}
		}
		for form, life := range r.PaperLife {
			if !life.set() {
				t.Errorf("%s: the life of a %s has no clause", r.Name, form)
			}
		}
	}
}

func refusal(err error) string {
	var r *Refusal
	if errors.As(err, &r) {
		return r.Clause
	}
	return ""
}

func isSilent(err error) bool {
	var s *Silence
	return errors.As(err, &s)
}

func TestBreachText(t *testing.T) {
	for _, c := range []struct {
		b    Breach
		want string
	}{
		{Breach{PaidTwice, "25(c)", "ticket T", d}, "something was paid twice (25(c)): ticket T"},
		{Breach{PaidTwice, "", "ticket T", d}, "something was paid twice (no clause): ticket T"},
	} {
		if got := c.b.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if got := (&Refusal{"11(b)", "no credit"}).Error(); got != "11(b): no credit" {
		t.Error(got)
	}
	if got := (&Silence{"cards"}).Error(); !strings.HasPrefix(got, "the text is silent") {
		t.Error(got)
	}
}
