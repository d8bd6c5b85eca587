package visits

import (
	"fmt"
	"testing"
)

// Rules 8.5 and 8.11: the writer keeps a ticket that was paid, so that games to come go on
// with another paper and the old one opens nothing; and a cheque is for prizes of $200 and
// more on one way.
func TestCasino8_5And8_11PaidTicketIsKept(t *testing.T) {
	t.Parallel()
	c := counter(t, "casino-keno-div2", "casino", quick...)
	m := c.one
	payee := m.payee()
	var minor, major []Paper
	for range 10 {
		var low, high []Paper
		for n := 1; n <= 20; n++ {
			low = append(low, m.sell(c.spots(6600, 50, n), false))   // wins $198
			high = append(high, m.sell(c.spots(6700, 50, n), false)) // wins $201
		}
		c.until("a game of them is settled", func() bool {
			return c.ticket(high[19].Serial).List("games")[0].Text("phase") == "settled"
		})
		minor, major = nil, nil
		for i := range low {
			if c.ticket(low[i].Serial).Int("unpaid_cents") > 0 {
				minor = append(minor, low[i])
			}
			if c.ticket(high[i].Serial).Int("unpaid_cents") > 0 {
				major = append(major, high[i])
			}
		}
		if len(minor) > 1 && len(major) > 0 {
			break
		}
	}
	if len(minor) < 2 || len(major) < 1 {
		t.Fatal("nothing was won in ten games")
	}

	// Two prizes of $198 are no major prize together.
	var kept []Paper
	pay := func(p Paper) int {
		next := code()
		answer := m.must("payment", object{"serial": p.Serial, "claim_code": p.Code, "in_session": true,
			"continuation_hash": next})
		kept = append(kept, Paper{Serial: p.Serial, Code: next})
		return answer.Int("paid_cents")
	}
	pay(minor[0])
	pay(minor[1])
	if end, _ := m.end(object{"pay": []object{{"means": "cheque"}}, "payee_hash": payee}); end.OK() {
		t.Errorf("two prizes of less than $200 were paid by cheque: %s", end)
	}
	m.finish(nil)

	if answer := m.pay(major[0], true); answer.OK() {
		t.Errorf("a ticket with games to come was paid and no other paper given for them: %s", answer)
	}
	due := pay(major[0])
	end, _ := m.finish(object{"pay": []object{{"means": "cheque"}}, "payee_hash": payee})
	if money, _ := sums(end); money != due {
		t.Errorf("%d cents due were paid with %d", due, money)
	}
	old, next := major[0], kept[2]
	if answer := m.back(old, false); answer.OK() {
		t.Errorf("a ticket that the writer keeps was cancelled: %s", answer)
	}
	if answer := m.pay(old, false); answer.OK() {
		t.Errorf("a ticket that the writer keeps was paid: %s", answer)
	}
	answer := m.back(next, false)
	if refund := answer.Int("refund_cents"); refund == 0 || refund%6700 != 0 || refund >= 50*6700 {
		t.Errorf("the games to come were given back: %s", answer)
	}
	if answer := m.back(next, false); answer.OK() {
		t.Errorf("the games to come were given back twice: %s", answer)
	}
	c.verify()
}

// Rule 11.7: a result that the computer does not take is paid by hand, and what was paid so
// is brought in once and not paid again by a terminal.
func TestCasino11_7PaidByHandOnce(t *testing.T) {
	t.Parallel()
	c := counter(t, "casino-keno-div2", "casino", "--interval", "4s", "--lead", "1ms", "--ball", "1ms", "--device", "cage")
	m := c.one
	ticket := m.sell(c.spots(10000, 1, 5), false)
	act := func(body object) {
		t.Helper()
		asked := c.must(c.sup, "POST", "/v1/cage/acts", body)
		n := asked.Int("approval")
		if n == 0 {
			return
		}
		c.must(c.sup2, "POST", fmt.Sprintf("/v1/approvals/%d/decision", n),
			object{"content": asked.Text("content"), "granted": true})
		body["approval"] = n
		c.must(c.sup, "POST", "/v1/cage/acts", body)
	}
	act(object{"act": "counted", "balls": 80})
	c.until("the game is sealed", func() bool {
		return c.ticket(ticket.Serial).List("games")[0].Text("phase") == "sealed"
	})
	c.must(c.sup, "POST", "/v1/cage/start", object{"recorders": []int{c.numbers["Sue"], c.numbers["Sam"]}})
	for place := 1; place <= 20; place++ {
		for _, who := range []string{c.sup, c.sup2} {
			c.must(who, "POST", "/v1/cage/balls", object{"place": place, "number": place})
		}
	}
	by := object{"ordinal": 1, "cents": 30000, "paid_by": c.numbers["Wim"], "serial": ticket.Serial, "terminal": m.number}
	if answer := c.ask(c.ada, "POST", "/v1/operator/hand-payments", by); answer.OK() {
		t.Errorf("a payment by hand while the computer takes results: %s", answer)
	}
	act(object{"act": "not_accepted", "reason": "the line is down"})
	act(object{"act": "rectified", "reason": "the line is up"})
	act(object{"act": "accepted"})
	c.settled(ticket.Serial)
	granted := func(one, other string) int {
		t.Helper()
		asked := c.must(one, "POST", "/v1/operator/hand-payments", by)
		c.must(other, "POST", fmt.Sprintf("/v1/approvals/%d/decision", asked.Int("number")),
			object{"content": asked.Text("content"), "granted": true})
		return asked.Int("number")
	}
	first, second := granted(c.ada, c.bob), granted(c.bob, c.ada)
	m.must("hand-payment", object{"serial": ticket.Serial, "claim_code": ticket.Code, "approval": first})
	for _, approval := range []int{first, second} {
		if answer := m.do("hand-payment", object{"serial": ticket.Serial, "claim_code": ticket.Code,
			"approval": approval}); answer.OK() {
			t.Errorf("a payment by hand was brought in twice: %s", answer)
		}
	}
	if answer := m.pay(ticket, false); answer.OK() {
		t.Errorf("a prize that was paid by hand was paid by a terminal: %s", answer)
	}
	if paid := c.ticket(ticket.Serial).Int("paid_cents"); paid != 30000 {
		t.Errorf("a prize of $300 was paid with %d cents", paid)
	}
	c.verify()
}
