package room

import (
	"fmt"
	"slices"
	"testing"
)

// 9.4.2: a box whose bingo was won by fraud wins nothing, however often it was called.
func TestFraudSameBox9_4_2(t *testing.T) {
	t.Parallel()
	r, p := hallWhere(t, twoGames(), func(p *Play) bool { return len(winners(p.fresh(house15))) >= 2 })
	h := r.H
	w := winners(p.fresh(house15))
	bad := p.win(t, w[0], "bingo")
	var again int
	if a := r.do(t, h.Dealer, p.at("/claims"), Obj{"pattern": "bingo", "serial": w[0].Serial, "box": w[0].Box}); a.OK() {
		again = a.Body.Int("record", "claim")
		p.check(t, again)
	}
	good := p.win(t, w[1], "bingo")
	r.refused(t, "a supervisor", h.Senior, p.at("/void"), Obj{"cause": "fraud", "reason": "forged", "claims": []int{bad}})
	r.must(t, h.Casino, p.at("/void"), Obj{"cause": "fraud", "reason": "forged", "claims": []int{bad}, "refund": true,
		"forfeited": []int{w[0].Player}})
	for _, c := range []int{bad, again} {
		if c != 0 && p.state(t, c).Int("cents") != 0 {
			t.Errorf("claim %d on the box that was won by fraud brings %d", c, p.state(t, c).Int("cents"))
			if a := r.do(t, h.Dealer, p.at("/claims/%d/payment", c), Obj{"prize": cash(p.state(t, c).Int("cents"))}); a.OK() {
				t.Errorf("and it is paid: %v", a)
			}
		}
	}
	if x := p.state(t, good).Int("cents"); x != 10000 {
		t.Errorf("the only honest winner of 10000 gets %d", x)
	}
	r.refused(t, "the forfeited wager", h.Dealer, r.at("/players/%d/refund", w[0].Player), nil)
	if x := r.must(t, h.Dealer, r.at("/players/%d/refund", w[1].Player), nil).Body.Int("record", "cents"); x != 500 {
		t.Errorf("of a fee of 1000 for two games %d goes back for one", x)
	}
}

// 9.5: the wager of a game goes back once, also when fraud is found in it twice, and a forfeited one stays forfeited.
func TestFraudTwice9_5(t *testing.T) {
	t.Parallel()
	r, p := hallWhere(t, twoGames(), func(p *Play) bool { return len(winners(p.fresh(house15))) >= 2 })
	h := r.H
	w := winners(p.fresh(house15))
	a := p.win(t, w[0], "bingo")
	b := p.win(t, w[1], "bingo")
	p.finish(t)
	inv := p.at("/invalidation")
	r.refused(t, "a supervisor", h.Senior, inv, Obj{"claims": []int{a}, "reason": "forged"})
	r.must(t, h.Casino, inv, Obj{"claims": []int{a}, "reason": "forged", "refund": true, "forfeited": []int{w[0].Player}})
	r.refused(t, "the same claim", h.Casino, inv, Obj{"claims": []int{a}, "reason": "forged", "refund": true})
	other := 1
	for other == w[0].Player || other == w[1].Player {
		other++
	}
	first := r.must(t, h.Dealer, r.at("/players/%d/refund", other), nil).Body.Int("record", "cents")
	if first != 500 {
		t.Errorf("of a fee of 1000 for two games %d goes back for one", first)
	}
	r.do(t, h.Casino, inv, Obj{"claims": []int{b}, "reason": "forged", "refund": true, "forfeited": []int{w[1].Player}})
	if x := r.do(t, h.Dealer, r.at("/players/%d/refund", other), nil); x.OK() {
		t.Errorf("the wager of game 1 went back, and goes back again: %v", x)
	}
	if x := r.do(t, h.Dealer, r.at("/players/%d/refund", w[0].Player), nil); x.OK() {
		t.Errorf("a forfeited wager goes back: %v", x)
	}
}

// 9.4.2: a line that was won by fraud can be taken back before it is paid, whether its game was declared void
// for that fraud or for another cause.
func TestFraudInVoidGame9_4_2(t *testing.T) {
	t.Parallel()
	for _, cause := range []string{"fraud", "disruption"} {
		r, p := hallWhere(t, twoGames(), func(p *Play) bool { return len(p.fresh(topLine)) > 0 })
		h := r.H
		c := p.win(t, p.fresh(topLine)[0], "top-line")
		p.call(t)
		named := r.do(t, h.Casino, p.at("/void"), Obj{"cause": "fraud", "claims": []int{c}, "reason": "forged"})
		if named.OK() {
			continue
		}
		r.must(t, h.Casino, p.at("/void"), Obj{"cause": cause, "reason": "what happened"})
		if p.state(t, c).Int("cents") == 0 {
			continue // A void game without any result has nothing to take back.
		}
		late := r.do(t, h.Casino, p.at("/invalidation"), Obj{"claims": []int{c}, "reason": "forged"})
		if pay := r.do(t, h.Dealer, p.at("/claims/%d/payment", c), Obj{"prize": cash(1000)}); pay.OK() {
			t.Errorf("%s: nobody can take a line from a forger, not with the void (%v) and not after it (%v), and it is paid",
				cause, named, late)
		}
	}
}

// 6.5.2, 8.3: a bingo that was called on another number does not become one for the jackpot by a correction
// after the call.
func TestNoJackpotByCorrection6_5_2(t *testing.T) {
	t.Parallel()
	for _, checked := range []bool{true, false} {
		var jn []int
		var box Box
		var j int
		r, p := hallWhere(t, jackpotGame(0), func(p *Play) bool {
			if len(p.Calls) == 1 {
				jn = p.R.get(t, "", p.R.at("")).Ints("jackpot_numbers")
			}
			if slices.Contains(jn, p.Calls[len(p.Calls)-1]) {
				return false
			}
			for _, b := range p.fresh(house15) {
				for _, n := range jn {
					if slices.Contains(b.Numbers[:], n) {
						box, j = b, n
						return true
					}
				}
			}
			return false
		})
		h := r.H
		c := p.claim(t, box, "bingo")
		if checked {
			p.check(t, c)
		}
		wrong := 1
		for slices.Contains(p.Calls, wrong) {
			wrong++
		}
		r.do(t, h.Dealer, p.at("/corrections"), Obj{"number": j, "wrong": wrong})
		if !checked {
			p.check(t, c)
		} else if a := r.do(t, h.Dealer, p.at("/claims"),
			Obj{"pattern": "bingo", "serial": box.Serial, "box": box.Box}); a.OK() {
			p.check(t, a.Body.Int("record", "claim"))
		}
		p.finish(t)
		if s := p.state(t, c); s.Int("jackpot_cents") != 0 {
			t.Errorf("bingo was called on %d, jackpot numbers are %v, checked before the correction of %d: %v; the jackpot of %d goes to %v",
				p.Calls[len(p.Calls)-1], jn, j, checked, s.Int("jackpot_cents"), s)
		}
	}
}

// 9.4.2: what fraud took from a claim is played for again, once, and what was paid is not asked of the prize.
func TestFraudLate9_4_2(t *testing.T) {
	t.Parallel()
	r, p := hallWhere(t, twoGames(), func(p *Play) bool { return len(p.fresh(house15)) > 0 })
	h := r.H
	c := p.win(t, p.fresh(house15)[0], "bingo")
	p.finish(t)
	r.must(t, h.Dealer, p.at("/claims/%d/payment", c), Obj{"prize": cash(10000)})
	q := r.play(t, 2, everybody()...)
	q.call(t)
	r.must(t, h.Casino, p.at("/invalidation"), Obj{"claims": []int{c}, "reason": "forged"})
	if z := r.get(t, "", r.at("")).List("prizes")[0].Int("cents"); z != 20000 {
		t.Errorf("a game that was announced with 20000 shows %d", z)
	}
	q.until(t, func() bool { return len(q.fresh(house15)) > 0 })
	q.win(t, q.fresh(house15)[0], "bingo")
	q.finish(t)
	r.refused(t, "paid again", h.Dealer, p.at("/claims/%d/payment", c), Obj{"prize": cash(10000)})
	r.must(t, h.Dealer, r.at("/close"), nil)
	plan := oneGame(1000)
	plan.Max = 1
	r.set(t, plan)
	if z := r.get(t, "", r.at("")).List("prizes")[0].Int("cents"); z != 20000 {
		t.Errorf("the next session has bingo for 10000 and 10000 that rolled on, and shows %d", z)
	}
}

// 9.10, 9.11: a dispute is decided by a supervisor, reviewed once by a casino supervisor, paid by somebody else, once.
func TestDispute9_10(t *testing.T) {
	t.Parallel()
	r, p := hallOf(t, twoGames())
	h := r.H
	p.until(t, func() bool { return len(p.fresh(house15)) > 0 })
	p.win(t, p.fresh(house15)[0], "bingo")
	p.finish(t)
	raise := func() string {
		a := r.must(t, h.Dealer, "/disputes", Obj{"subject": "my call was not heard", "session": r.S, "game": 1,
			"member": "1"})
		return fmt.Sprintf("/disputes/%d", a.Body.Int("record", "dispute"))
	}
	d := raise()
	r.refused(t, "a dealer decides", h.Dealer, d+"/steps", Obj{"step": "decided", "text": "yes", "award_cents": 500})
	r.refused(t, "a negative award", h.Senior, d+"/steps", Obj{"step": "decided", "text": "yes", "award_cents": -500})
	r.refused(t, "more than was played for", h.Senior, d+"/steps",
		Obj{"step": "decided", "text": "yes", "award_cents": 1000000})
	r.must(t, h.Senior, d+"/steps", Obj{"step": "decided", "text": "yes", "award_cents": 500})
	r.refused(t, "decided twice", h.Senior2, d+"/steps", Obj{"step": "decided", "text": "yes", "award_cents": 900})
	r.refused(t, "who awarded pays", h.Senior, d+"/payment", Obj{"parts": cash(500)})
	r.refused(t, "more", h.Dealer, d+"/payment", Obj{"parts": cash(501)})
	r.must(t, h.Dealer, d+"/payment", Obj{"parts": cash(500)})
	r.refused(t, "twice", h.Dealer, d+"/payment", Obj{"parts": cash(500)})
	r.refused(t, "a review nobody asked for", h.Casino, d+"/steps",
		Obj{"step": "reviewed", "text": "more", "award_cents": 900})
	r.must(t, h.Dealer, d+"/steps", Obj{"step": "review"})
	r.refused(t, "a supervisor reviews", h.Senior2, d+"/steps",
		Obj{"step": "reviewed", "text": "more", "award_cents": 900})
	r.must(t, h.Casino, d+"/steps", Obj{"step": "reviewed", "text": "more", "award_cents": 900})
	r.refused(t, "all of it again", h.Dealer, d+"/payment", Obj{"parts": cash(900)})
	r.must(t, h.Dealer, d+"/payment", Obj{"parts": cash(400)})
	r.refused(t, "twice", h.Dealer, d+"/payment", Obj{"parts": cash(400)})
	r.must(t, h.Dealer, d+"/steps", Obj{"step": "advised"})
	// Who decided as a casino supervisor does not review it.
	e := raise()
	r.must(t, h.Casino, e+"/steps", Obj{"step": "decided", "text": "no"})
	r.must(t, h.Dealer, e+"/steps", Obj{"step": "review"})
	r.refused(t, "the same person reviews", h.Casino, e+"/steps", Obj{"step": "reviewed", "text": "no"})
	r.must(t, h.Casino2, e+"/steps", Obj{"step": "reviewed", "text": "no"})
}

// 9.10: what one member was awarded for one game is bounded by what the game had to give, in however many disputes.
func TestDisputesOfOneGame9_10(t *testing.T) {
	t.Parallel()
	r, p := hallOf(t, twoGames())
	h := r.H
	p.until(t, func() bool { return len(p.fresh(house15)) > 0 })
	p.win(t, p.fresh(house15)[0], "bingo")
	p.finish(t)
	paid := 0
	for range 3 {
		a := r.must(t, h.Dealer, "/disputes", Obj{"subject": "my call was not heard", "session": r.S, "game": 1,
			"member": "1"})
		d := fmt.Sprintf("/disputes/%d", a.Body.Int("record", "dispute"))
		if r.do(t, h.Senior, d+"/steps", Obj{"step": "decided", "text": "yes", "award_cents": 11000}).OK() &&
			r.do(t, h.Dealer, d+"/payment", Obj{"parts": cash(11000)}).OK() {
			paid += 11000
		}
	}
	if paid > 11000 {
		t.Errorf("member 1 was paid %d for a game with prizes of 11000", paid)
	}
}

// 9.10: a dispute about a game is that of somebody who played in it, and is worth nothing to others.
func TestDisputeOfStranger9_10(t *testing.T) {
	t.Parallel()
	r, _ := hallOf(t, twoGames())
	h := r.H
	a := r.do(t, h.Dealer, "/disputes", Obj{"subject": "my call was not heard", "session": r.S, "game": 1,
		"member": "999999"})
	if !a.OK() {
		return
	}
	d := fmt.Sprintf("/disputes/%d", a.Body.Int("record", "dispute"))
	if x := r.do(t, h.Senior, d+"/steps", Obj{"step": "decided", "text": "yes", "award_cents": 11000}); x.OK() {
		t.Errorf("who is no member and has not played is awarded the prizes of a game that nobody has won yet: %v", x)
	}
}
