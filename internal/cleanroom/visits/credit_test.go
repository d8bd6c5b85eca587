package visits

import (
	"fmt"
	"testing"
)

// noCredit sells entries in a session that is not settled, lets them be drawn, and wants
// no prize of them to be paid before they are paid for: otherwise who wins has staked
// nothing, and who loses walks away.
func noCredit(t *testing.T, rulebook, kind, clause string, entries func(*Counter) []object) {
	c := counter(t, rulebook, kind, quick...)
	m := c.one
	for range 10 {
		var sold []Paper
		for _, ticket := range entries(c) {
			sold = append(sold, m.sell(ticket, true))
		}
		var won []Paper
		for _, p := range sold {
			if c.settled(p.Serial).Int("won_cents") > 0 {
				won = append(won, p)
			}
		}
		if len(won) == 0 {
			m.finish(nil)
			continue
		}
		owed := m.owed()
		for _, p := range won {
			if answer := c.other.pay(p, true); answer.OK() {
				t.Errorf("%s: a prize of an entry that is not paid for was paid at another terminal: %s", clause, answer)
			}
			if answer := m.do("payment", object{"serial": p.Serial, "claim_code": p.Code, "in_session": true}); answer.OK() {
				t.Errorf("%s: a prize of an entry that is not paid for was paid in its own session: %s", clause, answer)
			}
		}
		if now := m.owed(); now != owed {
			t.Errorf("%s: the customer staked %d cents on credit and owes %d after the draw", clause, owed, now)
		}
		end, _ := m.end(object{"cash_cents": owed})
		if !end.OK() {
			t.Errorf("%s: the end of the session at which the stakes of %d cents are paid: %s", clause, owed, end)
			m.finish(nil)
		}
		c.verify()
		return
	}
	t.Fatal("nothing was won in ten games")
}

func headsAndTails(c *Counter) []object {
	return []object{c.call("heads", 1000, 1), c.call("tails", 1000, 1)}
}

// Rules 11(b) and 21(k): no entry is played on credit, and no prize is paid for one that was.
func TestVic11bNoPrizeOnCredit(t *testing.T) {
	t.Parallel()
	noCredit(t, "vic-keno-2015", "hotel", "11(b)", headsAndTails)
}

// Rules 16.1 and 1.12: no ticket is issued on credit, and no funds of such a ticket are used.
func TestTas16_1NoPrizeOnCredit(t *testing.T) {
	t.Parallel()
	noCredit(t, "tas-keno-2023", "licensed_premises", "16.1", headsAndTails)
}

// Rule 4.1: a wager is placed with cash, chips or a ticket that has won, and not with what
// it may win itself.
func TestCasino4_1NoPrizeOnCredit(t *testing.T) {
	t.Parallel()
	noCredit(t, "casino-keno-div2", "casino", "4.1", func(c *Counter) []object {
		var tickets []object
		for n := 1; n <= 15; n++ {
			tickets = append(tickets, c.spots(1000, 1, n))
		}
		return tickets
	})
}

// claim takes a form in and returns its address.
func (c *Counter) claim(reason string, original bool, papers ...Paper) (Answer, string) {
	c.t.Helper()
	var serials []string
	for _, p := range papers {
		serials = append(serials, p.Serial)
	}
	answer := c.ask(c.sup, "POST", "/v1/claims", object{"reason": reason, "original": original, "serials": serials,
		"claimant": object{"name": "Claimant", "address": "1 Road"}})
	return answer, fmt.Sprintf("/v1/claims/%d", answer.Int("number"))
}
