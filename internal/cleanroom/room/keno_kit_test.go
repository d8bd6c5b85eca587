package room

import (
	"fmt"
	"testing"
	"time"
)

// kenoHouse is a house whose games follow each other quickly.
func kenoHouse(t *testing.T, flags ...string) *House {
	t.Helper()
	if len(flags) == 0 {
		flags = []string{"--lead", "100ms", "--ball", "20ms"}
	}
	h := found(t, "casino-keno-div2", append(flags, "--interval", "8s")...)
	t.Cleanup(func() {
		if err := h.end(); err != nil {
			t.Error(err)
		}
	})
	return h
}

func wants(t *testing.T, why string, ok bool, a Answer) Answer {
	t.Helper()
	if a.OK() != ok {
		t.Errorf("%s: %v", why, a)
	}
	return a
}

// ones is a way bet in which each number is a way, with the pair of the first two.
func ones(stake int, numbers ...int) Obj {
	var groups [][]int
	var ways [][]int
	for i, n := range numbers {
		groups = append(groups, []int{n})
		ways = append(ways, []int{i + 1})
	}
	return Obj{"bet": "standard", "groups": groups, "play": Obj{"ways": append(ways, []int{1, 2})}, "stake_cents": stake}
}

// Counter of casino keno: 3.8A and 3.9 how bets are entered, 4.2 stakes, 4.1 chips, 6.1 cancellation, 8.4 and
// 8.10A payment.
func TestKenoCounter(t *testing.T) {
	t.Parallel()
	h := kenoHouse(t)
	c := &Till{H: h, N: 1}
	d := &Till{H: h, N: 2}

	// 3.8A, 3.9: way bets come on a form; a runner brings no verbal request.
	wants(t, "a way bet by word", false, c.sell(t, "verbal", 1, false, ones(100, 1, 2)).Sale)
	_, hash := c.claim(t, c.r+1)
	wants(t, "a verbal request by a runner", false,
		c.request(t, "sale", Obj{"method": "verbal", "runner": true, "claim_hash": hash,
			"ticket": Obj{"v": 1, "rulebook": "casino-keno-div2", "first": "open", "games": 1,
				"bets": []Obj{bet("standard", 100, 1)}}}))
	// 3.8(c), 4.2: games and stakes are bounded.
	for why, p := range map[string]Paper{
		"1001 games":       c.sell(t, "verbal", 1001, false, bet("standard", 100, 1)),
		"no game":          c.sell(t, "verbal", -1, false, bet("standard", 100, 1)),
		"99 cents":         c.sell(t, "verbal", 1, false, bet("standard", 99, 1)),
		"a step between":   c.sell(t, "verbal", 1, false, bet("standard", 150, 1)),
		"a negative stake": c.sell(t, "verbal", 1, false, bet("standard", -100, 1)),
		"a number twice":   c.sell(t, "verbal", 1, false, bet("standard", 100, 1, 1)),
		"number 81":        c.sell(t, "verbal", 1, false, bet("standard", 100, 81)),
		"number 0":         c.sell(t, "verbal", 1, false, bet("standard", 100, 0)),
		"eleven numbers":   c.sell(t, "verbal", 1, false, bet("standard", 100, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)),
		"over the most":    c.sell(t, "verbal", 1, false, bet("standard", 100100, 1)),
		"a way twice": c.sell(t, "form", 1, false,
			Obj{"bet": "standard", "groups": [][]int{{1}, {2}}, "play": Obj{"ways": [][]int{{1}, {1}}}, "stake_cents": 100}),
		"a way of no group": c.sell(t, "form", 1, false,
			Obj{"bet": "standard", "groups": [][]int{{1}, {2}}, "play": Obj{"ways": [][]int{{3}}}, "stake_cents": 100}),
		"a number in 2 groups": c.sell(t, "form", 1, false,
			Obj{"bet": "standard", "groups": [][]int{{1}, {1}}, "play": Obj{"ways": [][]int{{1}, {2}}}, "stake_cents": 100}),
	} {
		wants(t, why, false, p.Sale)
	}

	// 6.1: a ticket is given back once, for the games that have not closed, and then never paid.
	// A game may close between the sale and the cancellation: that game stays on the ticket and may win. So the ticket
	// that is judged afterwards is one of which no game has closed.
	var p Paper
	for closed := 1; closed > 0; {
		p = c.sell(t, "verbal", 10, false, bet("standard", 200, 1, 2))
		a := wants(t, "given back", true, c.cancel(t, p))
		closed = a.Body.Int("last_ordinal") - p.Sale.Body.Int("first_game", "ordinal") + 1
		if a.Body.Int("refund_cents") != 2000-200*closed {
			t.Errorf("a ticket for 2000, of which %d games have closed, brings %v back", closed, a)
		}
		if t.Failed() {
			return
		}
	}
	wants(t, "given back twice", false, c.cancel(t, p))
	wants(t, "given back elsewhere", false, d.cancel(t, p))
	wants(t, "paid after it was given back", false, c.pay(t, p, false))

	// The last request sent again has the same answer and does nothing again.
	p = c.sell(t, "verbal", 1, false, bet("standard", 100, 1))
	first := c.cancel(t, p)
	if a := c.again(t, "cancellation", Obj{"serial": p.Serial, "claim_code": p.Code}); a.String() != first.String() {
		t.Errorf("the same request is answered by %v and was by %v", a, first)
	}

	// 4.1: chips pay up to what is owed.
	p = c.sell(t, "verbal", 1, true, bet("standard", 300, 1))
	wants(t, "more chips than owed", false, c.request(t, "session-end", Obj{"chips_cents": 301}))
	wants(t, "chips below nothing", false, c.request(t, "session-end", Obj{"chips_cents": -1}))
	wants(t, "chips", true, c.request(t, "session-end", Obj{"chips_cents": 300}))

	// 8.10A: each way of a way bet wins what a bet of its own would.
	var way, alone Paper
	numbers := []int{11, 22, 33, 44, 55, 66, 77}
	bets := []Obj{bet("standard", 100, numbers[0], numbers[1])}
	for _, n := range numbers {
		bets = append(bets, bet("standard", 100, n))
	}
	for same := false; !same; {
		way, alone = c.sell(t, "form", 1, false, ones(100, numbers...)), c.sell(t, "form", 1, false, bets...)
		wants(t, "the ways as bets of their own", true, alone.Sale)
		same = alone.Sale.Body.Int("first_game", "ordinal") == way.Sale.Body.Int("first_game", "ordinal")
	}
	if way.Sale.Body.Int("cost_cents") != 100*(len(numbers)+1) {
		t.Errorf("%d ways of a dollar cost %v", len(numbers)+1, way.Sale)
	}
	won := h.settled(t, way, 1).Int("won_cents")
	sum := h.settled(t, alone, 1).Int("won_cents")
	if won != sum {
		t.Errorf("the ways together win %d, and as bets of their own %d", won, sum)
	}

	// 8.4, 8.5: a winning ticket is paid once, to its code, at one of two counters that ask at once.
	wants(t, "another ticket's code", false, c.request(t, "payment", Obj{"serial": way.Serial, "claim_code": p.Code}))
	if won > 0 {
		wants(t, "a wrong amount", false, c.request(t, "payment",
			Obj{"serial": way.Serial, "claim_code": way.Code, "expect_cents": won + 1}))
		ch := make(chan Answer, 2)
		for _, till := range []*Till{c, d} {
			go func() { ch <- till.pay(t, way, false) }()
		}
		a, b := <-ch, <-ch
		if a.OK() == b.OK() {
			t.Errorf("two counters pay at once: %v and %v", a, b)
		}
		wants(t, "paid again", false, c.pay(t, way, false))
		wants(t, "given back after it was paid", false, c.cancel(t, way))
		if x := h.look(t, way); x.Int("paid_cents") != won || x.Int("unpaid_cents") != 0 {
			t.Errorf("the ticket says %v", x)
		}
	}
}

// Sheets of casino keno: a ticket that was not handed over is printed again; of all sheets one is paid, and a
// paid ticket with games to come goes on with another (8.5).
func TestKenoSheets8_5(t *testing.T) {
	t.Parallel()
	h := kenoHouse(t)
	c := &Till{H: h, N: 1}
	numbers := []int{1, 2, 3, 4, 5, 6, 7, 8, 9}
	var p, second, m Paper
	won := 0
	for range 20 {
		sold := c.sell(t, "form", 1, false, ones(100, numbers...))
		told := h.terminal(t, "POST", "/v1/terminals/1/undelivered", Obj{"serial": sold.Serial, "reason": "jam"})
		if told.Code() == "sheet_sealed" {
			continue // The game was sealed just now.
		}
		wants(t, "not handed over", true, told)
		p = sold
		code, hash := c.claim(t, c.r+1)
		a := c.request(t, "reprint", Obj{"serial": p.Serial, "claim_hash": hash})
		second = Paper{Code: code, Serial: a.Body.Str("serial")}
		m = c.sell(t, "form", 3, false, ones(100, numbers...))
		won = h.settled(t, p, 1).Int("won_cents")
		if a.OK() && won > 0 && m.Sale.Body.Int("first_game", "ordinal") == p.Sale.Body.Int("first_game", "ordinal") {
			break
		}
	}
	if won == 0 {
		t.Fatal("nothing won in twenty games")
	}
	if a := wants(t, "the second sheet", true, c.pay(t, second, false)); a.Body.Int("paid_cents") != won {
		t.Errorf("%d was won, and paid %v", won, a)
	}
	wants(t, "the first sheet too", false, c.pay(t, p, false))
	wants(t, "the second sheet twice", false, c.pay(t, second, false))

	h.settled(t, m, 1)
	code, hash := c.claim(t, c.r+1)
	a := wants(t, "a ticket with games to come", true,
		c.request(t, "payment", Obj{"serial": m.Serial, "claim_code": m.Code, "continuation_hash": hash}))
	paid := a.Body.Int("paid_cents")
	rest := Paper{Serial: a.Body.Str("continuation"), Code: code}
	wants(t, "the paid sheet given back", false, c.cancel(t, m))
	b := c.cancel(t, rest)
	if b.OK() && b.Body.Int("refund_cents") > 2000 {
		t.Errorf("two of three games of a ticket for 3000 bring %v back, after %d", b, paid)
	}
	wants(t, "given back twice", false, c.cancel(t, rest))

	// 4.1, 8.11: what a ticket has won pays for the next; the rest is cash, and no cheque for what is not major.
	var q Paper
	for range 10 {
		q = c.sell(t, "form", 1, false, ones(100, numbers...))
		if won = h.settled(t, q, 1).Int("won_cents"); won > 100 && won < 20000 {
			break
		}
	}
	wants(t, "won and not handed out yet", true, c.pay(t, q, true))
	wants(t, "the next ticket", true, c.sell(t, "verbal", 1, true, bet("standard", 100, 5)).Sale)
	wants(t, "a cheque", false, c.request(t, "session-end", Obj{"pay": []Obj{{"means": "cheque"}}}))
	wants(t, "chips", false, c.request(t, "session-end", Obj{"pay": []Obj{{"means": "chips"}}}))
	e := wants(t, "the end", true, c.request(t, "session-end", Obj{}))
	if l := e.Body.List("tenders"); len(l) != 1 || l[0].Str("kind") != "cash" || l[0].Int("cents") != 100-won {
		t.Errorf("after %d won and 100 staked the customer gets %v", won, l)
	}
	wants(t, "paid again", false, c.pay(t, q, false))
}

// voided has two persons end a game without a result while it is drawn.
func (h *House) voided(t *testing.T, ordinal int) {
	t.Helper()
	a := h.ask(t, h.Casino, "POST", "/v1/operator/games/void",
		Obj{"ordinal": ordinal, "reason": "no power", "clause": "11.6"})
	n := a.Body.Int("number")
	wants(t, "asked for", true, a)
	decide := Obj{"content": a.Body.Str("content"), "granted": true}
	wants(t, "who asks consents", false, h.ask(t, h.Casino, "POST", fmt.Sprintf("/v1/approvals/%d/decision", n), decide))
	wants(t, "another consents", true, h.ask(t, h.Casino2, "POST", fmt.Sprintf("/v1/approvals/%d/decision", n), decide))
	end := time.Now().Add(patience)
	for time.Now().Before(end) {
		if a = h.ask(t, h.Casino, "POST", fmt.Sprintf("/v1/approvals/%d/use", n), nil); a.OK() {
			wants(t, "done twice", false, h.ask(t, h.Casino, "POST", fmt.Sprintf("/v1/approvals/%d/use", n), nil))
			return
		}
		<-time.After(30 * time.Millisecond)
	}
	t.Fatalf("game %d was not ended: %v", ordinal, a)
}

// 11.6: a game that cannot be continued has no numbers, and its wagers play in the next; no cent goes back
// and is played with as well.
func TestKenoVoid11_6(t *testing.T) {
	t.Parallel()
	h := kenoHouse(t, "--lead", "2s", "--ball", "100ms")
	c := &Till{H: h, N: 1}
	numbers := []int{8, 16, 24, 32, 40, 48, 56, 64}
	p := c.sell(t, "form", 1, false, ones(100, numbers...))
	g := p.Sale.Body.Int("first_game", "ordinal")
	h.voided(t, g)
	wants(t, "paid without a result", false, c.pay(t, p, false))
	// Given back or played, never both.
	if x := c.cancel(t, p); x.OK() {
		if x.Body.Int("refund_cents") != 900 {
			t.Errorf("a wager of 900 that was carried on brings %v back", x)
		}
		if o := h.settled(t, p, 1); o.Int("won_cents") != 0 {
			t.Errorf("what was given back wins: %v", o)
		}
		return
	}
	o := h.settled(t, p, 2)
	games := o.List("games")
	if games[0].Str("phase") != "void" || len(games[0].Ints("numbers")) != 0 || games[0].Int("prize_cents") != 0 ||
		games[0].Int("refund_cents") != 0 {
		t.Errorf("the void game shows %v", games[0])
	}
	if games[0].Int("played_with") != games[1].Int("ordinal") || games[1].Int("ordinal") <= g {
		t.Errorf("the wager of game %d is played with %v", g, games)
	}
	if won := o.Int("won_cents"); won > 0 {
		if a := wants(t, "what it won in the next game", true, c.pay(t, p, false)); a.Body.Int("paid_cents") != won {
			t.Errorf("%d won, and paid %v", won, a)
		}
		wants(t, "paid twice", false, c.pay(t, p, false))
	}
	wants(t, "given back after it was played", false, c.cancel(t, p))
}

// 8.11, 8.12: a lost ticket is paid on a form that two persons decide and pay, or at the counter, and not
// both; a major prize may be a cheque.
func TestKenoClaim8_12(t *testing.T) {
	t.Parallel()
	h := kenoHouse(t)
	c := &Till{H: h, N: 1}
	numbers := []int{8, 16, 24, 32, 40, 48, 56, 64}
	winner := func() (Paper, int) {
		for range 10 {
			q := c.sell(t, "form", 1, false, ones(10000, numbers...))
			if w := h.settled(t, q, 1).Int("won_cents"); w > 0 {
				return q, w
			}
		}
		t.Fatal("nothing won in ten games")
		return Paper{}, 0
	}
	q, w := winner()
	form := Obj{"claimant": Obj{"name": "Ms Example", "address": "1 Street"}, "reason": "lost",
		"serials": []string{q.Serial}}
	l := wants(t, "a form", true, h.ask(t, h.Senior, "POST", "/v1/claims", form))
	if l.Body.Int("cents") != w {
		t.Errorf("%d was won, and the form is for %v", w, l)
	}
	at := fmt.Sprintf("/v1/claims/%d", l.Body.Int("number"))
	wants(t, "the ticket meanwhile", false, c.pay(t, q, false))
	wants(t, "a second form", false, h.ask(t, h.Senior, "POST", "/v1/claims", form))
	cheque := Obj{"means": "cheque", "reference": "cheque 1"}
	wants(t, "paid before it is allowed", false, h.ask(t, h.Casino, "POST", at+"/payment", cheque))
	h.ask(t, h.Casino, "POST", at+"/signatures", Obj{"satisfied": true})
	wants(t, "allowed", true, h.ask(t, h.Casino, "POST", at+"/decision",
		Obj{"outcome": "allowed", "reason": "the number is hers"}))
	wants(t, "paid by who allowed it", false, h.ask(t, h.Casino, "POST", at+"/payment", cheque))
	wants(t, "the ticket meanwhile", false, c.pay(t, q, false))
	wants(t, "paid", true, h.ask(t, h.Casino2, "POST", at+"/payment", cheque))
	wants(t, "paid twice", false, h.ask(t, h.Casino2, "POST", at+"/payment", cheque))
	wants(t, "the ticket too", false, c.pay(t, q, false))
	wants(t, "a form for it", false, h.ask(t, h.Senior, "POST", "/v1/claims", form))

	// A major prize may be a cheque, what is less is cash.
	q, w = winner()
	var r Paper
	v := 0
	for range 10 {
		r = c.sell(t, "form", 1, false, ones(100, numbers...))
		if v = h.settled(t, r, 1).Int("won_cents"); v > 0 && v < 20000 {
			break
		}
	}
	wants(t, "the major prize", true, c.pay(t, q, true))
	wants(t, "the other", true, c.pay(t, r, true))
	wants(t, "a cheque to nobody", false, c.request(t, "session-end",
		Obj{"pay": []Obj{{"means": "cheque", "cents": w}, {"means": "cash"}}}))
	payee := h.terminal(t, "POST", "/v1/terminals/1/payees", Obj{"name": "Ms Example"}).Body.Str("hash")
	wants(t, "a cheque for both", false, c.request(t, "session-end",
		Obj{"payee_hash": payee, "pay": []Obj{{"means": "cheque", "cents": w + v}}}))
	e := wants(t, "a cheque for the major prize", true,
		c.request(t, "session-end", Obj{"payee_hash": payee,
			"pay": []Obj{{"means": "cheque", "cents": w}, {"means": "cash"}}}))
	sum := 0
	for _, x := range e.Body.List("tenders") {
		sum += x.Int("cents")
	}
	if sum != -w-v {
		t.Errorf("%d and %d won are paid by %v", w, v, e)
	}
}
