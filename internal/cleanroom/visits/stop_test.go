package visits

import (
	"fmt"
	"testing"
)

// Rules 17(b) and 21(k): the session of a terminal that was shut out is ended by two
// persons; who had money in it gets all of it once, a voucher as a voucher, and what was
// not paid for is worth nothing.
func TestVic21kSessionUnwound(t *testing.T) {
	t.Parallel()
	c := counter(t, "vic-keno-2015", "hotel", slow...)
	m, gone := c.one, c.other
	gift := m.buy("gift_voucher", 2000, false)
	old := m.sell(c.call("heads", 3000, 1), true)
	m.finish(object{"papers": []object{gift.presented()}}) // $20 by voucher, $10 in cash
	sold, paper := gone.sell(c.call("tails", 3000, 1), true), gone.buy("gift_voucher", 1000, true)
	if answer := gone.back(old, true); !answer.OK() {
		t.Fatalf("cancellation: %s", answer)
	}
	c.must(c.ada, "POST", fmt.Sprintf("/v1/terminals/%d/revocation", gone.number), object{"reason": "stolen"})
	unwind := func(one, other string, cents int) Answer {
		t.Helper()
		return c.two(one, other, "/v1/sessions/unwound", object{"terminal": gone.number, "cents": cents, "reason": "stolen"})
	}
	if answer := unwind(c.ada, c.bob, 4001); answer.OK() {
		t.Errorf("a customer who owed $40 is said to have paid more: %s", answer)
	}
	if answer := unwind(c.ada, c.bob, 0); !answer.OK() {
		t.Fatalf("unwinding: %s", answer)
	}
	if answer := unwind(c.bob, c.ada, 4000); answer.OK() {
		t.Errorf("a session was ended twice: %s", answer)
	}
	if answer := m.back(sold, false); answer.OK() {
		t.Errorf("a ticket that was not paid for was given back: %s", answer)
	}
	if end, _ := m.end(object{"papers": []object{refund(paper)}}); end.OK() {
		t.Errorf("a voucher that was not paid for was given back: %s", end)
	}
	if answer := m.pay(old, false); answer.OK() {
		t.Errorf("what a voucher paid for was handed out in cash: %s", answer)
	}
	m.pay(old, true)
	end, _ := m.finish(object{"pay": []object{{"means": "cash"}}})
	if money, issued := sums(end); money != 1000 || issued["gift_voucher"] != 2000 {
		t.Errorf("$10 in cash and a voucher of $20 came back as %d cents and %v", money, issued)
	}
	if answer := m.pay(old, false); answer.OK() {
		t.Errorf("what was withheld was paid twice: %s", answer)
	}
	c.verify()
}

// Rule 26(c): a disqualified entry is paid nothing, and one that is reinstated what it won,
// once, also if payment was under way when it was disqualified.
func TestVic26cDisqualifiedWhileBeingPaid(t *testing.T) {
	t.Parallel()
	c := counter(t, "vic-keno-2015", "hotel", quick...)
	m := c.one
	won := c.win(m, 1000)
	m.pay(won, true)
	body := object{"serial": won.Serial, "reason": "looked into"}
	if answer := c.two(c.ada, c.bob, "/v1/stops/disqualifications", body); !answer.OK() {
		t.Fatalf("disqualification: %s", answer)
	}
	end, _ := m.finish(nil)
	if money, issued := sums(end); money != 0 || len(issued) != 0 {
		t.Errorf("a disqualified entry was paid: %s", end)
	}
	if answer := m.pay(won, false); answer.OK() {
		t.Errorf("a disqualified entry was paid: %s", answer)
	}
	if answer, _ := c.claim("disputed", true, won); answer.OK() {
		t.Errorf("a claim on a disqualified entry was taken in: %s", answer)
	}
	if answer := c.two(c.ada, c.bob, "/v1/stops/reinstatements", body); !answer.OK() {
		t.Fatalf("reinstatement: %s", answer)
	}
	if answer := m.pay(won, false); answer.Int("paid_cents") != 2000 {
		t.Errorf("a reinstated entry that won $20: %s", answer)
	}
	if answer := m.pay(won, false); answer.OK() {
		t.Errorf("a reinstated entry was paid twice: %s", answer)
	}
	c.verify()
}

// Rules 21(e), 22 and 23: a disputed ticket is paid on its form by cheque and not at a
// counter, once; a lost voucher or receipt is not claimed.
func TestVic23ClaimBesideCounter(t *testing.T) {
	t.Parallel()
	c := counter(t, "vic-keno-2015", "hotel", quick...)
	m := c.one
	gift, receipt := m.buy("gift_voucher", 1000, false), m.buy("change_receipt", 1000, false)
	for _, p := range []Paper{gift, receipt} {
		if answer, _ := c.claim("lost", false, p); answer.OK() {
			t.Errorf("a lost paper was claimed: %s", answer)
		}
	}
	won := c.win(m, 1000)
	if answer, _ := c.claim("disputed", true, won, won); answer.OK() {
		t.Errorf("a form that names a ticket twice was taken in: %s", answer)
	}
	form, at := c.claim("disputed", true, won)
	if !form.OK() {
		t.Fatalf("the form: %s", form)
	}
	if answer, _ := c.claim("lost", false, won); answer.OK() {
		t.Errorf("a second form for a ticket was taken in: %s", answer)
	}
	if answer := m.pay(won, true); answer.OK() {
		t.Errorf("a ticket under claim was paid: %s", answer)
	}
	if answer := c.ask(c.sup, "POST", at+"/decision", object{"outcome": "allowed", "reason": "in order"}); answer.OK() {
		t.Errorf("who took the form in decided it: %s", answer)
	}
	c.must(c.sup2, "POST", at+"/signatures", object{"satisfied": true})
	c.must(c.sup2, "POST", at+"/decision", object{"outcome": "allowed", "reason": "in order"})
	pay := func(means string) Answer {
		body := object{"means": means, "reference": "1"}
		if means == "cash" {
			body["venue"] = c.venue
		}
		return c.ask(c.sup, "POST", at+"/payment", body)
	}
	if answer := pay("cash"); answer.OK() {
		t.Errorf("a claim was paid in cash: %s", answer)
	}
	if answer := pay("cheque"); !answer.OK() {
		t.Errorf("the cheque: %s", answer)
	}
	if answer := pay("cheque"); answer.OK() {
		t.Errorf("a claim was paid twice: %s", answer)
	}
	if answer := m.pay(won, false); answer.OK() {
		t.Errorf("a ticket that was paid on a form was paid again: %s", answer)
	}
	c.verify()
}
