package room

import (
	"slices"
	"testing"
	"time"
)

func twoGames() Plan {
	return Plan{Fee: 1000, Games: []GamePlan{game(Prize{"bingo", 10000}, Prize{"top-line", 1000}),
		game(Prize{"bingo", 20000})}}
}

// 8.3: a number that was announced by mistake is shown as such and counts for nobody; the one drawn counts,
// and there is time to call on it.
func TestCorrection8_3(t *testing.T) {
	t.Parallel()
	r, p := hallWhere(t, twoGames(), func(p *Play) bool { return len(p.fresh(topLine)) > 0 })
	h := r.H
	cor := p.at("/corrections")
	b := p.fresh(topLine)[0]
	n := p.Calls[len(p.Calls)-1]
	wrong := 1
	for slices.Contains(p.Calls, wrong) {
		wrong++
	}
	p.call(t)
	p.call(t)
	for slices.Contains(p.Calls, wrong) {
		wrong++
	}
	r.refused(t, "a number that was not drawn", h.Dealer, cor, Obj{"number": wrong, "wrong": n})
	r.refused(t, "a number that is none", h.Dealer, cor, Obj{"number": n, "wrong": 91})
	r.refused(t, "the number itself", h.Dealer, cor, Obj{"number": n, "wrong": n})
	r.must(t, h.Dealer, cor, Obj{"number": n, "wrong": wrong})
	d := r.get(t, "", r.at(""))
	if w := d.Ints("wrong"); !slices.Equal(w, []int{wrong}) {
		t.Errorf("the display shows %v as announced by mistake, and it was %d", w, wrong)
	}
	if c := d.Ints("calls"); len(c) != len(p.Calls) || !slices.Contains(c, n) || slices.Contains(c, wrong) {
		t.Errorf("the display shows %v; drawn were %v", c, p.Calls)
	}
	for _, x := range p.Boxes {
		if slices.Contains(x.Numbers[:5], wrong) {
			if v := verdict(p.check(t, p.claim(t, x, "top-line"))); v == "accepted" {
				t.Errorf("a line with the wrong number is won")
			}
			break
		}
	}
	c := p.win(t, b, "top-line")
	// A number that was announced by mistake counts when it is drawn after all.
	if !slices.Contains(p.Calls, wrong) {
		p.until(t, func() bool { return slices.Contains(p.Calls, wrong) })
		d = r.get(t, "", r.at(""))
		if !slices.Contains(d.Ints("calls"), wrong) || len(d.Ints("wrong")) != 0 {
			t.Errorf("%d was drawn; the display shows %v, and as wrong %v", wrong, d.Ints("calls"), d.Ints("wrong"))
		}
	}
	if x := p.state(t, c).Int("cents"); x != 1000 {
		t.Errorf("the line brings %d", x)
	}
}

// 8.3, 5.4: a correction does not let a minor game be won again that was won and shared.
func TestCorrectionAfterWin8_3(t *testing.T) {
	t.Parallel()
	r, p := hallWhere(t, twoGames(), func(p *Play) bool { return len(p.fresh(topLine)) > 0 })
	b := p.fresh(topLine)[0]
	n := p.Calls[len(p.Calls)-1]
	c := p.win(t, b, "top-line")
	p.call(t)
	wrong := 1
	for slices.Contains(p.Calls, wrong) {
		wrong++
	}
	if x := p.state(t, c).Int("cents"); x != 1000 {
		t.Errorf("the line brings %d", x)
	}
	r.must(t, r.H.Dealer, p.at("/corrections"), Obj{"number": n, "wrong": wrong})
	if a := r.do(t, r.H.Dealer, p.at("/claims"), Obj{"pattern": "top-line", "serial": b.Serial, "box": b.Box}); a.OK() {
		if v := p.check(t, a.Body.Int("record", "claim")); verdict(v) == "accepted" {
			t.Errorf("a line that was paid is won once more: %v", v)
		}
	}
	if o := r.owed(t); o != 1000 {
		t.Errorf("the room owes %d", o)
	}
}

// 8.4.1, 8.4.2: a game that the terminal cannot finish has no result; what it had to give is in the next
// game, also what that game has no pattern of its own for.
func TestVoidRollsOn8_4_2(t *testing.T) {
	t.Parallel()
	r, p := hallOf(t, twoGames())
	h := r.H
	p.call(t)
	void := Obj{"cause": "terminal", "reason": "no power"}
	r.refused(t, "a dealer", h.Dealer, p.at("/void"), void)
	r.must(t, h.Senior, p.at("/void"), void)
	r.refused(t, "void twice", h.Senior, p.at("/void"), void)
	r.refused(t, "a number of a void game", h.Dealer, p.at("/calls"), Obj{"place": 2})
	total := 0
	for _, z := range r.get(t, "", r.at("")).List("prizes") {
		total += z.Int("cents")
	}
	if total != 31000 {
		t.Errorf("the next game plays for %d, with what rolled on it is 31000", total)
	}
	if o := r.owed(t); o != 0 {
		t.Errorf("nothing goes back where a game follows, and %d is owed", o)
	}
	q := r.play(t, 2, everybody()...)
	if !q.until(t, func() bool { return len(q.fresh(house15)) > 0 }) {
		t.Fatal("no bingo")
	}
	c := q.win(t, q.fresh(house15)[0], "bingo")
	q.finish(t)
	if x := q.state(t, c).Int("cents"); x != 30000 {
		t.Errorf("bingo brings %d and has 30000", x)
	}
}

// 8.4.3: if no game can follow, prizes go to the next session and every fee goes back once, whole, and no more.
func TestVoidNoneFollows8_4_3(t *testing.T) {
	t.Parallel()
	h := bingoHouse(t)
	r := h.open(t, 3*8, 3, 6)
	r.set(t, threeGames(1000))
	r.enter(t, 1000, 1, "1", "2", "3", "4")
	r.issue(t)
	p := r.play(t, 1, 1)
	// Game 1 is disrupted, and its wager goes back; one of four fetches it.
	r.must(t, h.Senior, p.at("/void"), Obj{"cause": "disruption", "reason": "fire", "refund": true})
	first := r.must(t, h.Dealer, r.at("/players/1/refund"), nil).Body.Int("record", "cents")
	if first != 333 {
		t.Errorf("of a fee of 1000 for three games %d goes back for one", first)
	}
	r.refused(t, "twice", h.Dealer, r.at("/players/1/refund"), nil)
	// One is shut out, and the fee is void; another is shut out and keeps no fee void.
	r.must(t, h.Senior, r.at("/players/3/bar"), Obj{"reason": "device", "fee_void": true})
	r.refused(t, "barred twice", h.Senior, r.at("/players/3/bar"), Obj{"reason": "device", "fee_void": true})
	third := r.must(t, h.Dealer, r.at("/players/3/refund"), nil).Body.Int("record", "cents")
	if third != 1000 {
		t.Errorf("a fee that is void brings %d back", third)
	}
	p = r.play(t, 2, 1)
	p.call(t)
	r.must(t, h.Senior, p.at("/void"), Obj{"cause": "terminal", "reason": "no power", "none_follows": true})
	if x := r.must(t, h.Dealer, r.at("/players/1/refund"), nil).Body.Int("record", "cents"); x+first != 1000 {
		t.Errorf("player 1 paid 1000 and gets %d and %d", first, x)
	}
	if x := r.must(t, h.Dealer, r.at("/players/2/refund"), nil).Body.Int("record", "cents"); x != 1000 {
		t.Errorf("player 2 paid 1000 and gets %d", x)
	}
	r.refused(t, "the third again", h.Dealer, r.at("/players/3/refund"), nil)
	r.must(t, h.Dealer, r.at("/players/4/refund"), nil)
	if o := r.owed(t); o != 0 {
		t.Errorf("%d is still owed", o)
	}
	if j := r.jackpot(t); j[0] != 0 {
		t.Errorf("all fees went back, and the jackpot has %d", j[0])
	}
	r.must(t, h.Dealer, r.at("/close"), nil)
	// The prizes of all three games are in the next session.
	r.set(t, oneGame(1000))
	r.enter(t, 1000, 1, "1")
	r.issue(t)
	total := 0
	for _, z := range r.get(t, "", r.at("")).List("prizes") {
		total += z.Int("cents")
	}
	if total != 10000+1000+20000+30000+500+10000+1000 {
		t.Errorf("the next session plays for %d, with all prizes of the last it is 72500", total)
	}
}

// 9.5: the wagers of games of which none has an outcome come to the fee and not to a cent more.
func TestRefundsToTheFee9_5(t *testing.T) {
	t.Parallel()
	h := bingoHouse(t)
	r := h.open(t, 3*8, 3, 6)
	r.set(t, threeGames(1000))
	r.enter(t, 1000, 1, "1", "2")
	r.issue(t)
	sum := 0
	for g := 1; g <= 3; g++ {
		p := r.play(t, g, 1)
		p.call(t)
		r.refused(t, "a dealer", h.Dealer, p.at("/void"), Obj{"cause": "disruption", "reason": "fire", "refund": true})
		r.must(t, h.Senior, p.at("/void"), Obj{"cause": "disruption", "reason": "fire", "refund": true})
		sum += r.must(t, h.Dealer, r.at("/players/1/refund"), nil).Body.Int("record", "cents")
	}
	if sum > 1000 || sum < 999 {
		t.Errorf("three wagers of a fee of 1000 come to %d", sum)
	}
	if r.do(t, h.Senior, r.at("/players/1/bar"), Obj{"reason": "device", "fee_void": true}).OK() {
		if a := r.do(t, h.Dealer, r.at("/players/1/refund"), nil); a.OK() && sum+a.Body.Int("record", "cents") > 1000 {
			t.Errorf("player 1 paid 1000, got %d and gets %v", sum, a)
		}
	}
	if o := r.owed(t); o != sum {
		t.Errorf("player 2 is owed %d, player 1 had %d", o, sum)
	}
	r.must(t, h.Dealer, r.at("/close"), nil)
	if x := r.must(t, h.Dealer, r.at("/players/2/refund"), nil).Body.Int("record", "cents"); x != sum {
		t.Errorf("player 2 gets %d after the close, player 1 had %d", x, sum)
	}
}

// 9.3: who is shut out wins nothing any more; with the fee void the fee goes back once and leaves the jackpot.
func TestBarred9_3(t *testing.T) {
	t.Parallel()
	r, p := hallWhere(t, twoGames(), func(p *Play) bool { return len(p.fresh(topLine)) > 0 })
	h := r.H
	b := p.fresh(topLine)[0]
	r.refused(t, "a dealer", h.Dealer, r.at("/players/%d/bar", b.Player), Obj{"reason": "device"})
	before := r.jackpot(t)[0]
	c := p.claim(t, b, "top-line")
	r.must(t, h.Senior, r.at("/players/%d/bar", b.Player), Obj{"reason": "device", "fee_void": true})
	if v := verdict(p.check(t, c)); v != "player_barred" {
		t.Errorf("a barred player's line: %s", v)
	}
	if j := r.jackpot(t)[0]; j != before-800 {
		t.Errorf("the jackpot was %d and is %d after a fee of 1000 was void", before, j)
	}
	r.refused(t, "a claim of a barred player that is accepted", h.Senior, p.at("/claims/%d/check", c),
		Obj{"card_in_hand": true, "marked": true})
	if x := r.must(t, h.Dealer, r.at("/players/%d/refund", b.Player), nil).Body.Int("record", "cents"); x != 1000 {
		t.Errorf("%d goes back", x)
	}
	r.refused(t, "twice", h.Dealer, r.at("/players/%d/refund", b.Player), nil)
	r.must(t, h.Senior, p.at("/void"), Obj{"cause": "disruption", "reason": "fire", "refund": true})
	r.refused(t, "the wager too", h.Dealer, r.at("/players/%d/refund", b.Player), nil)
}

// 9.3.2, 3.3: who was shut out before the games does not come in again, and the fee that went back is not in
// the jackpot.
func TestBarredBeforeGames9_3_2(t *testing.T) {
	t.Parallel()
	h := bingoHouse(t)
	r := h.open(t, 8, 1, 6)
	r.set(t, oneGame(1000))
	r.enter(t, 1000, 1, "1", "2")
	r.must(t, h.Senior, r.at("/players/1/bar"), Obj{"reason": "device", "fee_void": true})
	if x := r.must(t, h.Dealer, r.at("/players/1/refund"), nil).Body.Int("record", "cents"); x != 1000 {
		t.Errorf("%d goes back", x)
	}
	r.refused(t, "a second entry", h.Dealer, r.at("/players"), r.entry("1", 1000, 5, 5))
	r.refused(t, "undone, with the fee again", h.Senior, r.at("/players/1/undo"), Obj{"reason": "wants out"})
	r.issue(t)
	if j := r.jackpot(t)[0]; j != 800 {
		t.Errorf("one fee of 1000 that was kept brings the jackpot %d", j)
	}
}

// 9.8: a session closes early by a supervisor, at a time that was on a sign for twenty minutes, and not before.
func TestSign9_8(t *testing.T) {
	t.Parallel()
	h := bingoHouse(t)
	r := h.open(t, 3*4, 3, 6)
	r.set(t, threeGames(1000))
	r.enter(t, 1000, 1, "1")
	r.issue(t)
	r.refused(t, "closed without a sign", h.Senior, r.at("/close"), nil)
	at := func(d time.Duration) Obj { return Obj{"at": time.Now().Add(d).Format(time.RFC3339)} }
	r.refused(t, "a dealer's sign", h.Dealer, r.at("/sign"), at(time.Hour))
	r.refused(t, "a sign too late", h.Senior, r.at("/sign"), at(10*time.Minute))
	r.refused(t, "a sign of the past", h.Senior, r.at("/sign"), at(-time.Hour))
	r.must(t, h.Senior, r.at("/sign"), at(time.Hour))
	if r.get(t, "", r.at("")).Str("closes") == "" {
		t.Errorf("the display does not show the time of closure")
	}
	r.refused(t, "closed before the time", h.Senior, r.at("/close"), nil)
}

// 7.4, 9.5: of many who ask at once for one prize or one refund, one gets it.
func TestOnceAtOnce7_4(t *testing.T) {
	t.Parallel()
	r, p := hallWhere(t, twoGames(), func(p *Play) bool { return len(p.fresh(house15)) > 0 })
	h := r.H
	once := func(path string, body any) {
		t.Helper()
		ch := make(chan bool, 8)
		for i := range 8 {
			who := []string{h.Dealer, h.Dealer2, h.Senior, h.Casino}[i%4]
			go func() {
				a, err := h.try(who, "POST", r.path+path, body)
				ch <- err == nil && a.OK()
			}()
		}
		n := 0
		for range 8 {
			if <-ch {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%s was done %d times", path, n)
		}
	}
	c := p.win(t, p.fresh(house15)[0], "bingo")
	p.finish(t)
	once(p.at("/claims/%d/payment", c), Obj{"prize": cash(10000)})
	q := r.play(t, 2, 1)
	r.must(t, h.Senior, q.at("/void"), Obj{"cause": "terminal", "reason": "no power", "none_follows": true})
	once(r.at("/players/1/refund"), nil)
}
