package visits

import "testing"

// every is a ticket on all rows, of which one comes first: it wins six times the stake.
func (c *Counter) every(m *Terminal, cents, games int) Paper {
	c.t.Helper()
	return m.sell(c.race(cents, games, 1, 2, 3, 4, 5, 6, 7, 8), false)
}

// Rule 15.3: a claim over $100 needs the inspector, one of less does not, and what was paid
// on a form is not paid on the ticket.
func TestTas15_3ClaimsOverHundred(t *testing.T) {
	t.Parallel()
	c := counter(t, "tas-keno-2023", "licensed_premises", "--interval", "3s", "--lead", "1ms", "--ball", "1ms")
	m := c.one
	under, over := c.every(m, 1600, 1), c.every(m, 1700, 1) // $96 and $102
	half, other := c.every(m, 900, 1), c.every(m, 900, 1)   // $54 each
	c.settled(other.Serial)
	for _, claim := range []struct {
		papers    []Paper
		inspector bool
	}{{[]Paper{under}, false}, {[]Paper{over}, true}, {[]Paper{half, other}, true}} {
		form, at := c.claim("lost", false, claim.papers...)
		if !form.OK() {
			t.Fatalf("the form: %s", form)
		}
		c.must(c.sup2, "POST", at+"/signatures", object{"satisfied": true})
		if answer := m.pay(claim.papers[0], false); answer.OK() {
			t.Errorf("a ticket under claim was paid: %s", answer)
		}
		allowed := c.ask(c.sup2, "POST", at+"/decision", object{"outcome": "allowed", "reason": "in order"})
		if allowed.OK() == claim.inspector {
			t.Errorf("a claim of %d cents was decided without the inspector: %s", form.Int("cents"), allowed)
		}
		for _, body := range []object{{"means": "cash", "reference": "1", "venue": c.venue},
			{"means": "transfer", "reference": "1", "account_given": true}} {
			if answer := c.ask(c.sup, "POST", at+"/payment", body); answer.OK() {
				t.Errorf("a claim was paid by %s: %s", body["means"], answer)
			}
		}
		if answer := c.ask(c.sup, "POST", at+"/payment",
			object{"means": "cheque", "reference": "1"}); answer.OK() == claim.inspector {
			t.Errorf("the cheque for a claim of %d cents: %s", form.Int("cents"), answer)
		}
	}
	if answer := m.pay(under, false); answer.OK() {
		t.Errorf("a ticket that was paid as lost was paid again: %s", answer)
	}
	c.verify()
}

// Rule 12.1: an approved voucher pays for entries, comes back as a voucher when they are
// cancelled, and is no tender at a self-service terminal.
func TestTas12_1ApprovedVoucher(t *testing.T) {
	t.Parallel()
	c := counter(t, "tas-keno-2023", "licensed_premises", slow...)
	m := c.one
	voucher := c.given(m, "approved_voucher", 1600)
	ticket := m.sell(c.race(100, 20, 1), true)
	m.finish(object{"papers": []object{voucher.presented()}})
	if answer := m.back(ticket, false); answer.OK() {
		t.Errorf("a ticket that a voucher paid for was given back for cash: %s", answer)
	}
	m.back(ticket, true)
	end, papers := m.finish(object{"pay": []object{{"means": "cash"}}})
	if money, issued := sums(end); money != 400 || issued["approved_voucher"] != 1600 {
		t.Errorf("$4 in cash and a voucher of $16 came back as %d cents and %v", money, issued)
	}
	c.sst.sell(c.race(100, 16, 1), true)
	if end, _ := c.sst.end(object{"papers": []object{papers[0].presented()}}); end.OK() {
		t.Errorf("a self-service terminal took an approved voucher: %s", end)
	}
	c.sst.finish(nil)
	c.verify()
}

// Rule 13.7(b)(ii): a casino pays a central site voucher in cash or by cheque, also in a session that
// pays winnings for which another voucher is issued; and a self-service terminal takes none.
func TestTas13_7bVoucherBesideWinnings(t *testing.T) {
	t.Parallel()
	c := counter(t, "tas-keno-2023", "casino", "--interval", "4s", "--lead", "1ms", "--ball", "1ms")
	m := c.one
	payee := m.payee()
	var won []Paper
	for range 6 {
		won = append(won, c.every(m, 24000, 1)) // $1,440 each
	}
	c.settled(won[5].Serial)
	for _, p := range won[:3] {
		m.pay(p, true)
	}
	end, papers := m.finish(object{"payee_hash": payee})
	if _, issued := sums(end); cashOf(end) != 30000 || issued["central_voucher"] != 402000 {
		t.Fatalf("winnings of $4,320: %s", end)
	}
	voucher := papers[0]
	forget := func() Answer { return c.ask(c.ada, "DELETE", "/v1/payees/"+payee, nil) }
	if gone := forget(); gone.Code() != "payee_needed" {
		t.Errorf("the payee of a voucher that is out is forgotten: %s", gone)
	}
	if end, _ := c.sst.end(object{"papers": []object{voucher.presented()}}); end.OK() {
		t.Errorf("a self-service terminal took a central site voucher: %s", end)
	}
	for _, p := range won[3:] {
		m.pay(p, true)
	}
	end, papers = m.finish(object{"papers": []object{voucher.presented()}, "payee_hash": payee})
	if _, issued := sums(end); cashOf(end) != 432000 || issued["central_voucher"] != 402000 {
		t.Errorf("a voucher of $4,020 beside winnings of $4,320: %s", end)
	}
	end, _ = m.finish(object{"papers": []object{papers[0].presented()}, "payee_hash": payee})
	if cashOf(end) != 402000 {
		t.Errorf("a voucher of $4,020 alone: %s", end)
	}
	if gone := forget(); !gone.OK() {
		t.Errorf("the payee whose vouchers are paid is not forgotten: %s", gone)
	}
	if again := forget(); again.OK() || again.Code() != "payee_unknown" {
		t.Errorf("the payee who is forgotten is forgotten again: %s", again)
	}
	c.verify()
}

// Rule 13.7(c): a self-service terminal pays up to $1,000 for a ticket, however many payments it makes.
func TestTas13_7cPaidAfterEachGame(t *testing.T) {
	t.Parallel()
	c := counter(t, "tas-keno-2023", "licensed_premises", "--interval", "2s", "--lead", "1ms", "--ball", "1ms")
	ticket := c.every(c.one, 3000, 8) // $180 a game, $1,440 in all
	paid, refused := 0, 0
	c.until("all games are settled", func() bool {
		over := c.ticket(ticket.Serial)
		if over.Int("unpaid_cents") > 0 {
			answer := c.sst.pay(ticket, true)
			if answer.OK() {
				paid += answer.Int("paid_cents")
				c.sst.finish(nil)
			} else if answer.Code() == "ticket_over_sst" {
				refused++
			}
		}
		for _, g := range over.List("games") {
			if g.Text("phase") != "settled" {
				return false
			}
		}
		return over.Int("games_to_come") == 0
	})
	if paid > 100000 {
		t.Errorf("a self-service terminal paid %d cents on a ticket", paid)
	}
	if answer := c.sst.pay(ticket, true); answer.OK() || refused == 0 && answer.Code() != "ticket_over_sst" {
		t.Errorf("after %d cents a self-service terminal paid the rest of $1,440: %s", paid, answer)
	}
	if answer := c.one.pay(ticket, false); answer.Int("paid_cents") != 144000-paid {
		t.Errorf("after %d cents of $1,440 a writer: %s", paid, answer)
	}
	c.verify()
}
