package visits

import (
	"fmt"
	"sync"
	"testing"
)

func refund(p Paper) object {
	o := p.presented()
	o["refund"] = true
	return o
}

// sums adds up what an end handed out: in money of any kind, and in papers by their kind.
func sums(end Answer) (money int, papers map[string]int) {
	papers = map[string]int{}
	for _, tender := range end.List("tenders") {
		if tender.Int("cents") < 0 && tender.Text("kind") != "withheld" {
			money -= tender.Int("cents")
		}
	}
	for _, p := range end.List("papers") {
		papers[p.Text("kind")] += p.Int("cents")
	}
	return money, papers
}

// Rule 17(e): what a voucher paid for a cancelled entry goes back as a voucher, and only
// what was paid in money goes back in money, however the two were mixed.
func TestVic17eVoucherNeverBecomesMoney(t *testing.T) {
	t.Parallel()
	c := counter(t, "vic-keno-2015", "hotel", slow...)
	m := c.one

	// Two entries of $50, paid by a gift voucher of $60 and $40 in cash.
	gift := m.buy("gift_voucher", 6000, false)
	a, b := m.sell(c.call("heads", 5000, 1), true), m.sell(c.call("tails", 5000, 1), true)
	m.finish(object{"papers": []object{gift.presented()}})
	var money, vouchers int
	for _, p := range []Paper{a, b} {
		if answer := m.back(p, true); !answer.OK() {
			t.Fatalf("cancellation: %s", answer)
		}
		end, _ := m.finish(object{"pay": []object{{"means": "cash"}}})
		got, papers := sums(end)
		money, vouchers = money+got, vouchers+papers["gift_voucher"]
	}
	if money != 4000 || vouchers != 6000 {
		t.Errorf("$40 in cash and a voucher of $60 came back as %d cents of money and %d cents of vouchers", money, vouchers)
	}

	// A prepaid voucher, a gift voucher and cash, then a smaller entry paid with what comes
	// back of them, which is cancelled too.
	prepaid, gift := c.given(m, "prepaid_voucher", 5000), m.buy("gift_voucher", 5000, false)
	a = m.sell(c.call("heads", 15000, 1), true)
	m.finish(object{"papers": []object{prepaid.presented(), gift.presented()}})
	m.back(a, true)
	b = m.sell(c.call("tails", 7000, 1), true)
	end, _ := m.finish(nil)
	money, papers := sums(end)
	m.back(b, true)
	end, _ = m.finish(object{"pay": []object{{"means": "cash"}}})
	again, more := sums(end)
	if money+again != 5000 || papers["prepaid_voucher"]+more["prepaid_voucher"] != 5000 || papers["gift_voucher"]+
		more["gift_voucher"] != 5000 {
		t.Errorf("$50 of each kind came back as %d cents of money and vouchers of %v and %v", money+again, papers, more)
	}

	// The voucher that came back is not turned into money on the day, and lives no longer.
	short := Paper{Code: code()}
	short.Serial = m.must("paper", object{"kind": "gift_voucher", "game_type": "heads_or_tails", "cents": 1000,
		"claim_hash": short.Code, "days": 5}).Text("serial")
	shortLast := m.ask("GET", m.path("presented/"+short.Serial), nil).Sub("paper").Text("last_day")
	a = m.sell(c.call("heads", 1000, 1), true)
	m.finish(object{"papers": []object{short.presented()}})
	m.back(a, true)
	end, back := m.finish(nil)
	if last := end.List("papers")[0].Text("last_day"); last != shortLast {
		t.Errorf("a voucher good to %s came back good to %s", shortLast, last)
	}
	if end, _ := m.end(object{"papers": []object{refund(back[0])}}); end.OK() {
		t.Errorf("a replacement voucher was given back for money: %s", end)
	}

	// An entry that was cancelled in a session and stopped before its end is paid later, as a voucher.
	gift = m.buy("gift_voucher", 2000, false)
	a = m.sell(c.call("heads", 3000, 1), true)
	m.finish(object{"papers": []object{gift.presented()}})
	m.back(a, true)
	c.must(c.ada, "POST", "/v1/stops/freeze", object{"serials": []string{a.Serial}, "reason": "looked into"})
	end, _ = m.finish(nil)
	if money, papers := sums(end); money != 0 || len(papers) != 0 {
		t.Errorf("a stopped refund was handed out: %s", end)
	}
	if answer := c.two(c.ada, c.bob, "/v1/stops/release",
		object{"serials": []string{a.Serial}, "reason": "in order"}); !answer.OK() {
		t.Fatalf("release: %s", answer)
	}
	if answer := m.pay(a, false); answer.OK() {
		t.Errorf("what a voucher had paid was paid in cash: %s", answer)
	}
	m.pay(a, true)
	end, _ = m.finish(object{"pay": []object{{"means": "cash"}}})
	if money, papers := sums(end); money != 1000 || papers["gift_voucher"] != 2000 {
		t.Errorf("$10 in cash and a voucher of $20 came back as %d cents of money and %v", money, papers)
	}
	c.verify()
}

// Rule 12(c): a voucher pays for entries and for nothing else that could be turned into money.
func TestVic12cVoucherBuysEntriesOnly(t *testing.T) {
	t.Parallel()
	c := counter(t, "vic-keno-2015", "club", slow...)
	m := c.one
	gift := m.buy("gift_voucher", 2000, false)
	card := c.must(c.sup, "POST", "/v1/cards",
		object{"holder": object{"name": "Holder", "address": "1 Road", "born": "1970-01-01"}}).Int("number")
	for _, kind := range []string{"change_receipt", "gift_voucher"} {
		m.buy(kind, 2000, true)
		if end, _ := m.end(object{"papers": []object{gift.presented()}}); end.OK() {
			t.Errorf("a gift voucher paid for a %s: %s", kind, end)
		}
		m.finish(nil)
	}
	if end, _ := m.end(object{"papers": []object{gift.presented()}, "card": card, "card_cents": -2000}); end.OK() {
		t.Errorf("a gift voucher was brought to a card: %s", end)
	}
	m.sell(c.call("heads", 1000, 1), true)
	if end, _ := m.end(object{"papers": []object{gift.presented()}}); end.OK() {
		t.Errorf("a gift voucher gave change: %s", end)
	}
	m.finish(nil)
	if end, _ := m.end(object{"papers": []object{gift.presented(), refund(gift)}}); end.OK() {
		t.Errorf("a gift voucher was used twice in one session: %s", end)
	}
	c.verify()
}

// Rule 23(d): anybody who gives a gift voucher back on the day gets its face value, and a
// journal of that which the house accepts verifies also where the customer takes a change
// receipt for it.
func TestVic23dVoucherGivenBackForChangeReceipt(t *testing.T) {
	t.Parallel()
	c := counter(t, "vic-keno-2015", "hotel", slow...)
	gift := c.one.buy("gift_voucher", 4000, false)
	end, papers := c.one.end(object{"papers": []object{refund(gift)}, "pay": []object{{"means": "change_receipt"}}})
	if end.OK() {
		if _, issued := sums(end); issued["change_receipt"] != 4000 {
			t.Errorf("a voucher of $40 was given back for %v", issued)
		}
		end, _ = c.one.finish(object{"papers": []object{papers[0].presented()}})
		if money, _ := sums(end); money != 4000 {
			t.Errorf("a change receipt of $40 was redeemed for %d cents", money)
		}
	}
	c.verify()
}

// Rule 21(d)(i): of what a customer is paid for prizes at least all that is over $10,000
// goes by cheque or transfer, whatever else happens in the session or with what was bought of it.
func TestVic21dFirstTenThousand(t *testing.T) {
	t.Parallel()
	c := counter(t, "vic-keno-2015", "hotel", quick...)
	m := c.one
	payee := m.payee()

	exact := c.win(m, 500000)
	if answer := m.pay(exact, false); answer.Int("paid_cents") != 1000000 {
		t.Errorf("$10,000 in cash: %s", answer)
	}
	over := c.win(m, 500100)
	if answer := m.pay(over, false); answer.OK() {
		t.Errorf("$10,002 in cash: %s", answer)
	}
	if answer := c.sst.pay(over, true); answer.OK() {
		t.Errorf("$10,002 at a self-service terminal: %s", answer)
	}

	// $10,002 of prizes, of which $100 buy an entry that is given back in the next session.
	m.pay(over, true)
	entry := m.sell(c.call("heads", 200, 50), true)
	end, _ := m.finish(object{"pay": []object{{"means": "cash"}}})
	first := cashOf(end)
	answer := m.back(entry, true)
	if !answer.OK() {
		t.Fatalf("cancellation: %s", answer)
	}
	end, _ = m.finish(object{"payee_hash": payee})
	if all := first + cashOf(end); all > 1000000 {
		t.Errorf("of $10,002 in prizes %d cents went out in cash", all)
	}

	// Vouchers and receipts bought with a prize are part of the $10,000.
	over = c.win(m, 600000)
	m.pay(over, true)
	gift, receipt := m.buy("gift_voucher", 100000, true), m.buy("change_receipt", 100000, true)
	end, _ = m.end(object{"pay": []object{{"means": "cash", "cents": 1000000}}, "payee_hash": payee})
	if end.OK() {
		t.Errorf("$10,000 in cash beside $2,000 in papers, of a prize of $12,000: %s", end)
	}
	end, _ = m.finish(object{"payee_hash": payee})
	all := cashOf(end)
	end, _ = m.finish(object{"papers": []object{refund(gift), receipt.presented()}})
	if all += cashOf(end); all > 1000000 {
		t.Errorf("of $12,000 in prizes %d cents went out in cash", all)
	}

	// A card is no way round.
	card := c.must(c.sup, "POST", "/v1/cards",
		object{"holder": object{"name": "Holder", "address": "1 Road", "born": "1970-01-01"}}).Int("number")
	over = c.win(m, 600000)
	m.pay(over, true)
	end, _ = m.end(object{"card": card, "card_cents": -200000, "pay": []object{{"means": "cash"}}, "payee_hash": payee})
	if end.OK() {
		t.Errorf("$10,000 in cash beside $2,000 to a card: %s", end)
	}
	m.finish(object{"payee_hash": payee})
	c.verify()
}

// Rule 25(c): a prize is discharged by one payment, also if two counters and a self-service
// terminal are asked for it at the same moment.
func TestVic25cPaidOnceAtThreeTerminals(t *testing.T) {
	t.Parallel()
	c := counter(t, "vic-keno-2015", "hotel", quick...)
	for range 3 {
		won := c.win(c.one, 1000)
		var wait sync.WaitGroup
		answers := make([]Answer, 3)
		for i, m := range []*Terminal{c.one, c.other, c.sst} {
			wait.Add(1)
			go func() {
				defer wait.Done()
				answers[i] = m.pay(won, true)
			}()
		}
		wait.Wait()
		paid := 0
		for i, m := range []*Terminal{c.one, c.other, c.sst} {
			if answers[i].OK() {
				paid += answers[i].Int("paid_cents")
				m.finish(nil)
			}
		}
		if paid != 2000 {
			t.Errorf("a prize of $20 was paid with %d cents: %v", paid, answers)
		}
	}
	c.verify()
}

// Rule 2(a), self-service terminal: it issues and uses change receipts and has no cash to
// give; a customer who gives a receipt back in the session in which it was issued gets
// nothing else for it, or is refused, and a journal that the house accepts verifies.
func TestVic2aSelfServiceReceiptGivenBackAtOnce(t *testing.T) {
	t.Parallel()
	c := counter(t, "vic-keno-2015", "hotel", slow...)
	receipt := c.sst.buy("change_receipt", 1000, true)
	end, _ := c.sst.end(object{"papers": []object{refund(receipt)}})
	if end.OK() {
		if money, issued := sums(end); money != 0 || len(issued) != 0 {
			t.Errorf("a receipt that was not paid for was given back for %d cents and %v", money, issued)
		}
	} else {
		c.sst.finish(nil)
	}
	c.verify()
}

// Rule 11(b): no credit is given through a player card: what a customer brings to a card
// and does not pay is not on it.
func TestVic11bCardIsNotFilledOnCredit(t *testing.T) {
	t.Parallel()
	c := counter(t, "vic-keno-2015", "hotel", slow...)
	card := c.must(c.sup, "POST", "/v1/cards",
		object{"holder": object{"name": "Holder", "address": "1 Road", "born": "1970-01-01"}}).Int("number")
	funds := func() int {
		return c.must(c.sup, "GET", fmt.Sprintf("/v1/cards/%d", card), nil).Int("funds_cents")
	}
	for _, m := range []*Terminal{c.one, c.sst} {
		before := funds()
		end, _ := m.end(object{"card": card, "card_cents": -5000000, "unpaid": true, "cash_cents": 0})
		if now := funds(); end.OK() && now != before {
			t.Errorf("a card was filled with %d cents, of which nothing was paid: %s", now-before, end)
		}
		m.sell(c.call("heads", 100, 1), true)
		before = funds()
		end, _ = m.end(object{"card": card, "card_cents": -5000, "unpaid": true, "cash_cents": 0})
		if now := funds(); end.OK() && now != before {
			t.Errorf("a card was filled with %d cents beside an entry, of which nothing was paid: %s", now-before, end)
		}
		if !end.OK() {
			m.finish(nil)
		}
	}
	if had := funds(); had > 0 {
		if end, _ := c.one.end(object{"card": card, "card_cents": had}); cashOf(end) > 0 {
			t.Errorf("%d cents that nobody had paid went out in cash: %s", cashOf(end), end)
		}
	}
	c.verify()
}

// Rule 17(e): a voucher that goes back is no money for what else the customer takes. A change
// receipt beside it is paid for in cash, and the terminal is told so before the end.
func TestVic17eRefundBesideAChangeReceipt(t *testing.T) {
	t.Parallel()
	c := counter(t, "vic-keno-2015", "hotel", slow...)
	m := c.one
	gift := m.buy("gift_voucher", 2000, false)
	entry := m.sell(c.call("heads", 2000, 1), true)
	m.finish(object{"papers": []object{gift.presented()}})
	m.back(entry, true)
	if owed := m.owed(); owed != 0 {
		t.Errorf("a voucher of $20 goes back, and %d cents are owed", owed)
	}
	receipt := m.buy("change_receipt", 1500, true)
	if owed := m.owed(); owed != 1500 {
		t.Errorf("a change receipt of $15 beside a voucher that goes back: %d cents are owed", owed)
	}
	if end, _ := m.end(object{"expect_cents": -500}); end.OK() {
		t.Errorf("the session ended as if the voucher were money: %s", end)
	}
	end, back := m.finish(object{"expect_cents": 1500, "cash_cents": 1500})
	if money, issued := sums(end); money != 0 || issued["gift_voucher"] != 2000 {
		t.Errorf("a voucher of $20 came back as %d cents of money and %v", money, issued)
	}
	end, _ = m.finish(object{"papers": []object{receipt.presented()}})
	if money, _ := sums(end); money != 1500 {
		t.Errorf("a change receipt of $15 was redeemed for %d cents", money)
	}

	// The money of a card goes back to the card, and does not pay for a change receipt either.
	card := c.must(c.sup, "POST", "/v1/cards",
		object{"holder": object{"name": "Holder", "address": "1 Road", "born": "1970-01-01"}}).Int("number")
	m.finish(object{"card": card, "card_cents": -3000, "cash_cents": 3000})
	entry = m.sell(c.call("tails", 3000, 1), true)
	m.finish(object{"card": card, "card_cents": 3000})
	m.back(entry, true)
	m.buy("change_receipt", 1000, true)
	if owed := m.owed(); owed != 1000 {
		t.Errorf("a change receipt of $10 beside card money that goes back: %d cents are owed", owed)
	}
	m.finish(object{"expect_cents": 1000, "cash_cents": 1000})
	if funds := c.must(c.sup, "GET", fmt.Sprintf("/v1/cards/%d", card), nil).Int("funds_cents"); funds != 3000 {
		t.Errorf("the card had $30 and has %d cents", funds)
	}

	// An entry of the voucher's own game is paid for with it.
	entry = m.sell(c.call("heads", 2000, 1), true)
	m.finish(object{"papers": []object{back[0].presented()}})
	m.back(entry, true)
	m.sell(c.call("evens", 2000, 1), true)
	if owed := m.owed(); owed != 0 {
		t.Errorf("an entry of $20 with what comes back of a voucher: %d cents are owed", owed)
	}
	m.finish(object{"expect_cents": 0})
	c.verify()
}

// Rule 17(e): two vouchers have paid for an entry that is cancelled. One of them pays for another
// entry at once, and the other goes back.
func TestVic17eOneOfTwoVouchersGoesBack(t *testing.T) {
	t.Parallel()
	c := counter(t, "vic-keno-2015", "hotel", slow...)
	m := c.one
	one, two := m.buy("gift_voucher", 1000, false), m.buy("gift_voucher", 1000, false)
	entry := m.sell(c.call("heads", 2000, 1), true)
	m.finish(object{"papers": []object{one.presented(), two.presented()}})
	m.back(entry, true)
	m.sell(c.call("tails", 1000, 1), true)
	end, _ := m.finish(nil)
	if money, issued := sums(end); money != 0 || issued["gift_voucher"] != 1000 {
		t.Errorf("of two vouchers of $10, one spent again, %d cents of money and %v came back", money, issued)
	}
	c.verify()
}

// Rule 23(a): a gift voucher that cannot be read is claimed on a form, also if it is the replacement
// of one that was bought; and none is that the operator gave.
func TestVic23aReplacementVoucherIsClaimed(t *testing.T) {
	t.Parallel()
	c := counter(t, "vic-keno-2015", "hotel", slow...)
	m := c.one
	again := func(p Paper) Paper {
		t.Helper()
		entry := m.sell(c.call("heads", 2000, 1), true)
		m.finish(object{"papers": []object{p.presented()}})
		m.back(entry, true)
		_, back := m.finish(nil)
		if len(back) != 1 {
			t.Fatalf("%d papers came back for a voucher", len(back))
		}
		return back[0]
	}
	given := again(c.given(m, "prepaid_voucher", 2000))
	if answer, _ := c.claim("unreadable", true, given); answer.OK() {
		t.Errorf("a voucher that nobody has paid for was claimed as money: %s", answer)
	}
	gift := again(again(m.buy("gift_voucher", 2000, false)))
	if answer, _ := c.claim("lost", false, gift); answer.OK() {
		t.Errorf("a voucher that was lost was claimed: %s", answer)
	}
	answer, at := c.claim("unreadable", true, gift)
	if answer.Int("cents") != 2000 {
		t.Fatalf("a replacement voucher of $20 that cannot be read: %s", answer)
	}
	m.sell(c.call("heads", 2000, 1), true)
	if end, _ := m.end(object{"papers": []object{gift.presented()}}); end.OK() {
		t.Errorf("a voucher under claim was used: %s", end)
	}
	m.finish(nil)
	c.must(c.sup2, "POST", at+"/signatures", object{"satisfied": true})
	c.must(c.sup2, "POST", at+"/decision", object{"outcome": "allowed", "reason": "in order"})
	c.must(c.sup, "POST", at+"/payment", object{"means": "cheque", "reference": "1"})
	c.verify()
}

// Rule 21(k): a release that names a ticket twice is refused, with the field and the rule, and the house goes on.
func TestVic21kReleaseNamesATicketTwice(t *testing.T) {
	t.Parallel()
	c := counter(t, "vic-keno-2015", "hotel", quick...)
	won := c.win(c.one, 1000)
	c.must(c.ada, "POST", "/v1/stops/freeze", object{"serials": []string{won.Serial}, "reason": "looked into"})
	answer := c.two(c.ada, c.bob, "/v1/stops/release",
		object{"serials": []string{won.Serial, won.Serial}, "reason": "in order"})
	said, _ := answer.Body["error"].(map[string]any)
	if field, _ := said["field"].(string); answer.OK() || answer.Status >= 500 || field != "serials" ||
		said["clause"] == nil {
		t.Errorf("a release that names a ticket twice: %s", answer)
	}
	if answer := c.one.pay(won, false); answer.OK() {
		t.Errorf("a ticket was paid whose release was refused: %s", answer)
	}
	if answer := c.two(c.ada, c.bob, "/v1/stops/release",
		object{"serials": []string{won.Serial}, "reason": "in order"}); !answer.OK() {
		t.Fatalf("release: %s", answer)
	}
	if answer := c.one.pay(won, false); answer.Int("paid_cents") != 2000 {
		t.Errorf("a prize of $20 after the release: %s", answer)
	}
	if answer := c.one.pay(won, false); answer.OK() {
		t.Errorf("a ticket was paid twice: %s", answer)
	}
	c.verify()
}
