package visits

import "testing"

// second adds a venue with a writer's terminal that sells.
func (c *Counter) second(kind string) *Terminal {
	c.t.Helper()
	venue := c.must(c.ada, "POST", "/v1/venues", object{"name": "Second " + kind, "kind": kind}).Int("number")
	m := c.terminal(venue, "writer")
	c.displays(venue, m)
	c.duty(c.person(c.bob, "Senior of "+kind, "senior", venue), "senior", venue)
	c.person(c.bob, "Writer of "+kind, "writer", venue)
	m.shift(c.numbers["Writer of "+kind])
	return m
}

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
		for _, body := range []object{{"means": "cash", "reference": "1", "venue": c.venue}, {"means": "transfer", "reference": "1", "account_given": true}} {
			if answer := c.ask(c.sup, "POST", at+"/payment", body); answer.OK() {
				t.Errorf("a claim was paid by %s: %s", body["means"], answer)
			}
		}
		if answer := c.ask(c.sup, "POST", at+"/payment", object{"means": "cheque", "reference": "1"}); answer.OK() == claim.inspector {
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
