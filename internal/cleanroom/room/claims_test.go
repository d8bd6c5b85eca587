package room

import (
	"fmt"
	"testing"
)

// crowd is how many players a hall has.
const crowd = 40

func everybody() []int {
	var l []int
	for i := range crowd {
		l = append(l, i+1)
	}
	return l
}

func members() []string {
	var l []string
	for _, i := range everybody() {
		l = append(l, fmt.Sprint(i))
	}
	return l
}

// hallOf is a room with a crowd that has a book each, and its first game announced.
func hallOf(t testing.TB, plan Plan, levels ...Level) (*Room, *Play) {
	t.Helper()
	h := bingoHouse(t)
	r := h.open(t, len(plan.Games)*40, len(plan.Games), 6, levels...)
	plan.Max = 1
	r.set(t, plan)
	r.enter(t, plan.Fee, 1, members()...)
	r.issue(t)
	return r, r.play(t, 1, everybody()...)
}

// hallWhere is a hall whose first game was called until something happened. It tries again in another room if
// it did not.
func hallWhere(t testing.TB, plan Plan, happens func(*Play) bool, levels ...Level) (*Room, *Play) {
	t.Helper()
	for range 30 {
		r, p := hallOf(t, plan, levels...)
		if p.until(t, func() bool { return happens(p) }) {
			return r, p
		}
	}
	t.Fatal("it did not happen in 30 games")
	return nil, nil
}

// verdict is how a claim was checked.
func verdict(a Answer) string {
	if a.Body.Bool("record", "accepted") {
		return "accepted"
	}
	return a.Body.Str("record", "code")
}

// owed is what the room owes to all.
func (r *Room) owed(t testing.TB) int { return r.get(t, r.H.Dealer, "/owed").Int("cents") }

func cash(cents int) []Obj { return []Obj{{"cents": cents, "medium": "cash"}} }

// 4.6: before the fifteenth number no bingo can be had, and no game ends.
func TestFewest4_6(t *testing.T) {
	t.Parallel()
	r, p := hallOf(t, oneGame(1000))
	for range 14 {
		p.call(t)
	}
	c := p.claim(t, p.Boxes[0], "bingo")
	if a := p.check(t, c); verdict(a) == "accepted" {
		t.Errorf("a bingo after 14 numbers: %v", a)
	}
	r.refused(t, "an end without a bingo", r.H.Dealer, p.at("/finish"), nil)
	r.refused(t, "a number further on", r.H.Dealer, p.at("/calls"), Obj{"place": 16})
	r.refused(t, "place 0", r.H.Dealer, p.at("/calls"), Obj{"place": 0})
	if a := r.must(t, r.H.Dealer, p.at("/calls"), Obj{"place": 14}); a.Body.Int("record", "number") != p.Calls[13] {
		t.Errorf("place 14 asked again is %v and was %d", a, p.Calls[13])
	}
}

// 8.1, 8.2, 7.1: who calls a number late has forfeited; who calls wrongly plays on; cards of nobody and of
// other games win nothing.
func TestWrongClaims8_1(t *testing.T) {
	t.Parallel()
	plan := Plan{Fee: 1000, Games: []GamePlan{game(Prize{"bingo", 10000}, Prize{"top-line", 1000}),
		game(Prize{"bingo", 20000})}}
	r, p := hallOf(t, plan)
	h := r.H
	p.until(t, func() bool { return len(p.Calls) >= 14 && len(p.fresh(topLine)) > 0 }) // No bingo comes before 15.
	late := p.fresh(topLine)[0]
	p.call(t)
	if v := verdict(p.check(t, p.claim(t, late, "top-line"))); v != "called_late" {
		t.Errorf("a line called a number too late: %s", v)
	}
	var not Box
	for _, b := range p.Boxes {
		if p.when(b, topLine) == 0 && b.Player != late.Player {
			not = b
			break
		}
	}
	if v := verdict(p.check(t, p.claim(t, not, "top-line"))); v != "not_complete" {
		t.Errorf("a line that is not complete: %s", v)
	}
	if v := verdict(p.check(t, p.claim(t, not, "bingo"))); v != "not_complete" {
		t.Errorf("a bingo that is not complete: %s", v)
	}
	r.refused(t, "a pattern that is not played", h.Dealer, p.at("/claims"),
		Obj{"pattern": "letter-h", "serial": not.Serial, "box": 1})
	next := r.boxes(t, 2, not.Player)[0]
	if a := r.do(t, h.Dealer, p.at("/claims"), Obj{"pattern": "bingo", "serial": next.Serial, "box": 1}); a.OK() {
		if v := verdict(p.check(t, a.Body.Int("record", "claim"))); v == "accepted" {
			t.Errorf("a card of game 2 wins in game 1")
		}
	}
	for _, box := range []int{0, 7, -1} {
		if a := r.do(t, h.Dealer, p.at("/claims"), Obj{"pattern": "bingo", "serial": not.Serial, "box": box}); a.OK() {
			if v := verdict(p.check(t, a.Body.Int("record", "claim"))); v == "accepted" {
				t.Errorf("box %d wins", box)
			}
		}
	}
	r.refused(t, "a serial with a wrong digit", h.Dealer, p.at("/claims"),
		Obj{"pattern": "bingo", "serial": not.Serial[:len(not.Serial)-1] + "x", "box": 1})
	// The same player completes a box afresh and is free to win with it.
	ok := p.until(t, func() bool {
		for _, b := range p.fresh(house15) {
			if b.Player == not.Player {
				return true
			}
		}
		return false
	})
	if !ok {
		t.Fatal("the player who called wrongly never completed a box")
	}
	for _, b := range p.fresh(house15) {
		if b.Player == not.Player {
			c := p.claim(t, b, "bingo")
			a := r.must(t, h.Senior, p.at("/claims/%d/check", c), Obj{"card_in_hand": false, "marked": true})
			if verdict(a) == "accepted" {
				t.Errorf("a card that nobody holds wins: %v", a)
			}
			c = p.claim(t, b, "bingo")
			a = r.must(t, h.Senior, p.at("/claims/%d/check", c), Obj{"card_in_hand": true, "marked": false})
			if verdict(a) == "accepted" {
				t.Errorf("a card that is not marked wins: %v", a)
			}
			p.win(t, b, "bingo")
			break
		}
	}
	p.finish(t)
	q := r.play(t, 2)
	q.until(t, func() bool { return len(q.Calls) == 89 })
	old := p.Boxes[0]
	if a := r.do(t, h.Dealer, q.at("/claims"), Obj{"pattern": "bingo", "serial": old.Serial, "box": 1}); a.OK() {
		if v := verdict(q.check(t, a.Body.Int("record", "claim"))); v == "accepted" {
			t.Errorf("a card of game 1 wins in game 2")
		}
	}
}

// 7.2: all whom one number completes and who call before the next share equally; no cent is paid that the
// prize has not.
func TestShares7_2(t *testing.T) {
	t.Parallel()
	plan := Plan{Fee: 1000, Games: []GamePlan{game(Prize{"bingo", 10001}, Prize{"noahs-ark", 1000}, Prize{"top-line", 7})}}
	r, p := hallWhere(t, plan, func(p *Play) bool { return len(winners(p.fresh(topLine))) >= 2 })
	h := r.H
	w := winners(p.fresh(topLine))
	claims := []int{}
	for _, b := range w {
		claims = append(claims, p.win(t, b, "top-line"))
	}
	r.refused(t, "the same box once more", h.Dealer, p.at("/claims"),
		Obj{"pattern": "top-line", "serial": w[0].Serial, "box": w[0].Box})
	ok := p.until(t, func() bool { return len(p.fresh(house15)) > 0 })
	if !ok {
		t.Fatal("no bingo")
	}
	total := 0
	for _, c := range claims {
		total += p.state(t, c).Int("cents")
		if got := p.state(t, c).Int("cents"); got != 7/len(w) {
			t.Errorf("of 7 cents, claim %d of %d winners gets %d", c, len(w), got)
		}
	}
	if total > 7 {
		t.Errorf("of 7 cents %d are paid", total)
	}
	for i, c := range claims {
		if a := r.do(t, h.Dealer, p.at("/claims/%d/payment", c), Obj{"prize": cash(7 / len(w))}); !a.OK() {
			t.Errorf("payment %d: %v", i, a)
		}
	}
}

// winners are the first box of each card.
func winners(l []Box) []Box {
	seen := map[string]bool{}
	var w []Box
	for _, b := range l {
		if !seen[b.Serial] {
			seen[b.Serial] = true
			w = append(w, b)
		}
	}
	return w
}

// 4.8, 7.2: a bingo that was found good ends the game; those of the same number may still call, and no number
// is drawn after it.
func TestBingoEnds4_8(t *testing.T) {
	t.Parallel()
	r, p := hallWhere(t, oneGame(1000), func(p *Play) bool { return len(winners(p.fresh(house15))) >= 2 })
	h := r.H
	w := winners(p.fresh(house15))
	c := p.win(t, w[0], "bingo")
	a := r.do(t, h.Dealer, p.at("/calls"), Obj{"place": len(p.Calls) + 1})
	if a.OK() {
		t.Errorf("a number is drawn after a bingo: %v", a)
		p.Calls = append(p.Calls, a.Body.Int("record", "number"))
	} else {
		c2 := p.win(t, w[1], "bingo")
		p.finish(t)
		for _, k := range []int{c, c2} {
			if x := p.state(t, k).Int("cents"); x != 5000 {
				t.Errorf("one of two winners of 10000 gets %d", x)
			}
		}
	}
	r.refused(t, "a claim after the game", h.Dealer, p.at("/claims"),
		Obj{"pattern": "bingo", "serial": w[0].Serial, "box": w[0].Box})
	r.refused(t, "a void after the game", h.Senior, p.at("/void"), Obj{"cause": "terminal", "reason": "no power"})
	r.refused(t, "a disruption after the game", h.Senior, p.at("/void"),
		Obj{"cause": "disruption", "reason": "fire", "refund": true})
}

// 5.4, 4.7: one number may complete a minor game and bingo in one box, and its holder gets both.
func TestBothPatterns5_4(t *testing.T) {
	t.Parallel()
	plan := Plan{Fee: 1000, Games: []GamePlan{game(Prize{"bingo", 10000}, Prize{"bottom-line", 1000},
		Prize{"race-track", 300})}}
	track := []int{0, 1, 2, 3, 4, 5, 9, 10, 11, 12, 13, 14}
	var both Box
	r, p := hallWhere(t, plan, func(p *Play) bool {
		for _, b := range p.fresh(house15) {
			for _, c := range p.fresh(track) {
				if b == c {
					both = b
					return true
				}
			}
		}
		return false
	})
	x := p.win(t, both, "race-track")
	y := p.win(t, both, "bingo")
	p.finish(t)
	if a, b := p.state(t, x).Int("cents"), p.state(t, y).Int("cents"); a != 300 || b != 10000 {
		t.Errorf("both patterns on one number bring %d and %d", a, b)
	}
	if o := r.owed(t); o != 10300 {
		t.Errorf("the room owes %d", o)
	}
}

// 7.5, 7.6: prizes are paid in cash, casino and slot dollars, once and to the cent.
func TestPayment7_5(t *testing.T) {
	t.Parallel()
	r, p := hallOf(t, oneGame(1000))
	h := r.H
	p.until(t, func() bool { return len(p.fresh(house15)) > 0 })
	c := p.win(t, p.fresh(house15)[0], "bingo")
	pay := p.at("/claims/%d/payment", c)
	r.refused(t, "before the game is over", h.Dealer, pay, Obj{"prize": cash(10000)})
	p.finish(t)
	for why, parts := range map[string][]Obj{
		"a cheque":     {{"cents": 10000, "medium": "cheque"}},
		"a transfer":   {{"cents": 10000, "medium": "transfer"}},
		"a cent more":  cash(10001),
		"a cent less":  cash(9999),
		"nothing":      {},
		"a part below": {{"cents": 20000, "medium": "cash"}, {"cents": -10000, "medium": "slot_dollars"}},
	} {
		r.refused(t, why, h.Dealer, pay, Obj{"prize": parts})
	}
	r.refused(t, "as a jackpot", h.Dealer, pay, Obj{"jackpot": cash(10000)})
	r.must(t, h.Dealer, pay, Obj{"prize": []Obj{{"cents": 5000, "medium": "cash"},
		{"cents": 3000, "medium": "casino_dollars"}, {"cents": 2000, "medium": "slot_dollars"}}})
	r.refused(t, "twice", h.Dealer, pay, Obj{"prize": cash(10000)})
	if o := r.owed(t); o != 0 {
		t.Errorf("the room still owes %d", o)
	}
	r.must(t, h.Dealer, r.at("/close"), nil)
	r.refused(t, "closed twice", h.Dealer, r.at("/close"), nil)
}

// 7.4: a prize that was not fetched in its session is paid after it, once.
func TestUnpaid7_4(t *testing.T) {
	t.Parallel()
	r, p := hallOf(t, oneGame(1000))
	h := r.H
	p.until(t, func() bool { return len(p.fresh(house15)) > 0 })
	c := p.win(t, p.fresh(house15)[0], "bingo")
	p.finish(t)
	r.must(t, h.Dealer, r.at("/close"), nil)
	if n := len(r.get(t, h.Dealer, "/desk").List("prizes")); n != 1 {
		t.Errorf("the desk lists %d prizes to be paid", n)
	}
	if o := r.owed(t); o != 10000 {
		t.Errorf("the room owes %d", o)
	}
	r.must(t, h.Dealer, p.at("/claims/%d/payment", c), Obj{"prize": cash(10000)})
	r.refused(t, "twice", h.Dealer, p.at("/claims/%d/payment", c), Obj{"prize": cash(10000)})
}

// 4.5, 8.2: two who ask for the same place at once get the same number, and the display shows it once.
func TestOneNumber4_5(t *testing.T) {
	t.Parallel()
	r, p := hallOf(t, oneGame(1000))
	h := r.H
	type got struct {
		a   Answer
		err error
	}
	for place := 1; place <= 5; place++ {
		ch := make(chan got, 4)
		for i := range 4 {
			who := h.Dealer
			if i%2 == 1 {
				who = h.Dealer2
			}
			go func() {
				a, err := h.try(who, "POST", r.path+p.at("/calls"), Obj{"place": place})
				ch <- got{a, err}
			}()
		}
		n := 0
		for range 4 {
			g := <-ch
			if g.err != nil || !g.a.OK() {
				t.Fatalf("%v %v", g.err, g.a)
			}
			k := g.a.Body.Int("record", "number")
			if n != 0 && k != n {
				t.Errorf("place %d is %d and %d", place, n, k)
			}
			n = k
		}
		p.Calls = append(p.Calls, n)
	}
	if d := r.get(t, "", r.at("")).Ints("calls"); fmt.Sprint(d) != fmt.Sprint(p.Calls) {
		t.Errorf("the display shows %v, called were %v", d, p.Calls)
	}
}
