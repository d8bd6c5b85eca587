package room

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// Till is a demonstration terminal of a house, with the number of its last request.
type Till struct {
	H *House
	N int
	r int
}

// Paper is a ticket with what its sheet says.
type Paper struct {
	Serial, Code string
	Sale         Answer
}

// request sends a numbered request.
func (c *Till) request(t testing.TB, what string, body Obj) Answer {
	t.Helper()
	c.r++
	return c.again(t, what, body)
}

// again sends the last number again.
func (c *Till) again(t testing.TB, what string, body Obj) Answer {
	t.Helper()
	return c.H.terminal(t, "PUT", fmt.Sprintf("/v1/terminals/%d/requests/%d/%s", c.N, c.r, what), body)
}

// claim makes a claim code for a request.
func (c *Till) claim(t testing.TB, request int) (code, hash string) {
	t.Helper()
	b, err := exec.Command(c.H.Bin, "claim-code", "--terminal", fmt.Sprint(c.N), "--request", fmt.Sprint(request)).Output()
	f := strings.Fields(string(b))
	if err != nil || len(f) != 4 {
		t.Fatalf("no claim code: %v %s", err, b)
	}
	return f[1], f[3]
}

// bet is a bet on one set of numbers.
func bet(kind string, stake int, numbers ...int) Obj {
	return Obj{"bet": kind, "spots": numbers, "stake_cents": stake}
}

// sell sells a ticket.
func (c *Till) sell(t testing.TB, method string, games int, session bool, bets ...Obj) Paper {
	t.Helper()
	code, hash := c.claim(t, c.r+1)
	a := c.request(t, "sale", Obj{"method": method, "claim_hash": hash, "in_session": session,
		"ticket": Obj{"v": 1, "rulebook": "casino-keno-div2", "first": "open", "games": games, "bets": bets}})
	return Paper{Serial: a.Body.Str("serial"), Code: code, Sale: a}
}

func (c *Till) pay(t testing.TB, p Paper, session bool) Answer {
	t.Helper()
	return c.request(t, "payment", Obj{"serial": p.Serial, "claim_code": p.Code, "in_session": session})
}

func (c *Till) cancel(t testing.TB, p Paper) Answer {
	t.Helper()
	return c.request(t, "cancellation", Obj{"serial": p.Serial, "claim_code": p.Code})
}

// look is the public page of a ticket.
func (h *House) look(t testing.TB, p Paper) Obj {
	t.Helper()
	return h.ask(t, "", "GET", "/v1/tickets/"+p.Serial, nil).Body
}

// settled waits until the first so many games of a ticket are settled or void.
func (h *House) settled(t testing.TB, p Paper, games int) Obj {
	t.Helper()
	end := time.Now().Add(patience)
	for time.Now().Before(end) {
		o := h.look(t, p)
		n := 0
		for _, g := range o.List("games") {
			if g.Str("phase") == "settled" || g.Str("phase") == "void" {
				n++
			}
		}
		if n >= games {
			return o
		}
		<-time.After(50 * time.Millisecond)
	}
	t.Fatalf("ticket %s is not settled: %v", p.Serial, h.look(t, p))
	return nil
}
