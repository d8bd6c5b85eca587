package room

import (
	"fmt"
	"slices"
	"testing"
)

func jackpotGame(share int) Plan {
	return Plan{Fee: 1001, Games: []GamePlan{{Numbers: 5, Share: share, Prizes: []Prize{{"bingo", 500}}}}}
}

func (r *Room) jackpot(t testing.TB) []int {
	t.Helper()
	var l []int
	for _, j := range r.get(t, "", r.at("")).List("jackpot") {
		l = append(l, j.Int("cents"))
	}
	return l
}

// 6.3, 6.5.1: before the calls up to five numbers are drawn, each once; the display has them, the amount, the
// games, date and time.
func TestJackpotNumbers6_5_1(t *testing.T) {
	t.Parallel()
	h := bingoHouse(t)
	r := h.open(t, 4, 1, 6)
	r.set(t, Plan{Fee: 1000, Max: 2, Games: []GamePlan{{Numbers: 3, Prizes: []Prize{{"bingo", 500}}}}})
	r.enter(t, 1000, 2, "1")
	r.issue(t)
	r.refused(t, "announced before the jackpot numbers", h.Dealer, r.at("/games/1/announcement"), nil)
	r.must(t, h.Dealer, r.at("/games/1/jackpot"), nil)
	r.refused(t, "sealed twice", h.Dealer, r.at("/games/1/jackpot"), nil)
	r.refused(t, "announced without numbers", h.Dealer, r.at("/games/1/announcement"), nil)
	r.refused(t, "signed without numbers", h.Dealer, r.at("/games/1/finish"), nil)
	var drawn []int
	for i := 1; i <= 3; i++ {
		drawn = append(drawn, r.must(t, h.Dealer, r.at("/games/1/calls"), Obj{"place": i}).Body.Int("record", "number"))
	}
	r.refused(t, "a fourth number", h.Dealer, r.at("/games/1/calls"), Obj{"place": 4})
	r.must(t, h.Dealer, r.at("/games/1/finish"), nil)
	r.refused(t, "drawn anew", h.Dealer, r.at("/games/1/jackpot"), nil)
	r.must(t, h.Dealer, r.at("/games/1/announcement"), nil)
	d := r.get(t, "", r.at(""))
	if fmt.Sprint(d.Ints("jackpot_numbers")) != fmt.Sprint(drawn) || d.Str("day") == "" || d.Str("begins") == "" ||
		fmt.Sprint(d.Ints("jackpot_games")) != "[1]" || d.List("jackpot")[0].Int("cents") != 800 {
		t.Errorf("the display shows %v; drawn were %v", d, drawn)
	}
}

// 6.5.2, 7.6: bingo on a jackpot number wins the jackpot, paid in cash or by cheque and once; nothing of it is left.
func TestJackpotWon6_5_2(t *testing.T) {
	t.Parallel()
	numbers := func(p *Play) []int { return p.R.get(t, "", p.R.at("")).Ints("jackpot_numbers") }
	var jn []int
	r, p := hallWhere(t, jackpotGame(0), func(p *Play) bool {
		if len(p.Calls) == 1 {
			jn = numbers(p)
		}
		return slices.Contains(jn, p.Calls[len(p.Calls)-1]) && len(p.fresh(house15)) > 0
	})
	h := r.H
	pool := 1001 * crowd * 80 / 100
	if j := r.jackpot(t); j[0] != pool {
		t.Errorf("the jackpot is %d, fees give %d", j[0], pool)
	}
	w := winners(p.fresh(house15))
	var claims []int
	for _, b := range w {
		claims = append(claims, p.win(t, b, "bingo"))
	}
	p.finish(t)
	for _, c := range claims {
		s := p.state(t, c)
		if s.Int("jackpot_cents") != pool/len(w) || s.Int("cents") != 500/len(w) {
			t.Errorf("one of %d winners gets %d and of the jackpot %d", len(w), s.Int("cents"), s.Int("jackpot_cents"))
		}
		pay := p.at("/claims/%d/payment", c)
		prize := cash(500 / len(w))
		for _, m := range []string{"casino_dollars", "slot_dollars", "transfer"} {
			r.refused(t, m, h.Dealer, pay, Obj{"prize": prize, "jackpot": []Obj{{"cents": pool / len(w), "medium": m}}})
		}
		r.refused(t, "more", h.Dealer, pay, Obj{"prize": prize, "jackpot": cash(pool/len(w) + 1)})
		r.must(t, h.Dealer, pay, Obj{"prize": prize,
			"jackpot": []Obj{{"cents": 1, "medium": "cash"}, {"cents": pool/len(w) - 1, "medium": "cheque"}}})
		r.refused(t, "twice", h.Dealer, pay, Obj{"jackpot": cash(pool / len(w))})
	}
	if j := r.jackpot(t); j[0] != pool%len(w) {
		t.Errorf("%d is left in the jackpot", j[0])
	}
}

// 6.4, 6.5.2: bingo on another number wins no jackpot, and the whole of it is in the next jackpot game.
func TestJackpotStays6_4(t *testing.T) {
	t.Parallel()
	var jn []int
	r, p := hallWhere(t, jackpotGame(0), func(p *Play) bool {
		if len(p.Calls) == 1 {
			jn = p.R.get(t, "", p.R.at("")).Ints("jackpot_numbers")
		}
		return !slices.Contains(jn, p.Calls[len(p.Calls)-1]) && len(p.fresh(house15)) > 0
	})
	pool := 1001 * crowd * 80 / 100
	c := p.win(t, p.fresh(house15)[0], "bingo")
	p.finish(t)
	if s := p.state(t, c); s.Int("jackpot_cents") != 0 || s.Int("cents") != 500 {
		t.Errorf("bingo on another number gets %v", s)
	}
	r.must(t, r.H.Dealer, p.at("/claims/%d/payment", c), Obj{"prize": cash(500)})
	r.must(t, r.H.Dealer, r.at("/close"), nil)
	r.set(t, jackpotGameMax1())
	if j := r.jackpot(t); j[0] != pool {
		t.Errorf("the next session begins with a jackpot of %d and not %d", j[0], pool)
	}
}

func jackpotGameMax1() Plan {
	p := jackpotGame(0)
	p.Max = 1
	return p
}

// 7.3: a card gets the highest level that it qualifies for and no other; the other level stays.
func TestJackpotLevels7_3(t *testing.T) {
	t.Parallel()
	for _, within := range []int{88, 14} {
		var jn []int
		_, p := hallWhere(t, jackpotGame(0), func(p *Play) bool {
			if len(p.Calls) == 1 {
				jn = p.R.get(t, "", p.R.at("")).Ints("jackpot_numbers")
			}
			return slices.Contains(jn, p.Calls[len(p.Calls)-1]) && len(p.fresh(house15)) > 0
		}, Level{"high", 100000, 5000, within + 1}, Level{"low", 7000, 5000, 0})
		half := 1001 * crowd * 40 / 100
		w := winners(p.fresh(house15))
		var claims []int
		for _, b := range w {
			claims = append(claims, p.win(t, b, "bingo"))
		}
		p.finish(t)
		won, left := 100000+half, []int{0, 7000 + half}
		if within == 14 {
			won, left = 7000+half, []int{100000 + half, 0}
		}
		for _, c := range claims {
			if s := p.state(t, c); s.Int("jackpot_cents") != won/len(w) {
				t.Errorf("within %d, after %d calls: %d winners get %d each", within+1, len(p.Calls), len(w),
					s.Int("jackpot_cents"))
			}
		}
		j := p.R.jackpot(t)
		for i, l := range left {
			if l == 0 {
				l = won % len(w)
			}
			if j[i] != l {
				t.Errorf("level %d has %d and not %d", i, j[i], l)
			}
		}
	}
}

// 6.3.2: a game that pays a part of the jackpot pays that part, and the rest stays.
func TestJackpotPart6_3_2(t *testing.T) {
	t.Parallel()
	var jn []int
	r, p := hallWhere(t, jackpotGame(2500), func(p *Play) bool {
		if len(p.Calls) == 1 {
			jn = p.R.get(t, "", p.R.at("")).Ints("jackpot_numbers")
		}
		return slices.Contains(jn, p.Calls[len(p.Calls)-1]) && len(p.fresh(house15)) > 0
	})
	pool := 1001 * crowd * 80 / 100
	w := winners(p.fresh(house15))
	var claims []int
	for _, b := range w {
		claims = append(claims, p.win(t, b, "bingo"))
	}
	p.finish(t)
	paid := 0
	for _, c := range claims {
		paid += p.state(t, c).Int("jackpot_cents")
		if x := p.state(t, c).Int("jackpot_cents"); x != pool/4/len(w) {
			t.Errorf("of a quarter of %d one of %d gets %d", pool, len(w), x)
		}
	}
	if j := r.jackpot(t); j[0] != pool-paid {
		t.Errorf("%d paid of %d leaves %d", paid, pool, j[0])
	}
}

// 8.3, 6.5.1: a jackpot number that was announced wrongly can be put right, and the display says which number
// was wrong.
func TestJackpotNumberCorrected8_3(t *testing.T) {
	t.Parallel()
	h := bingoHouse(t)
	r := h.open(t, 4, 1, 6)
	r.set(t, Plan{Fee: 1000, Max: 2, Games: []GamePlan{{Numbers: 1, Prizes: []Prize{{"bingo", 500}}}}})
	r.enter(t, 1000, 2, "1")
	r.issue(t)
	r.must(t, h.Dealer, r.at("/games/1/jackpot"), nil)
	n := r.must(t, h.Dealer, r.at("/games/1/calls"), Obj{"place": 1}).Body.Int("record", "number")
	wrong := Obj{"number": n, "wrong": n%90 + 1}
	a := r.do(t, h.Dealer, r.at("/games/1/corrections"), wrong)
	r.must(t, h.Dealer, r.at("/games/1/finish"), nil)
	b := r.do(t, h.Dealer, r.at("/games/1/corrections"), wrong)
	if !a.OK() && !b.OK() {
		t.Errorf("jackpot number %d was announced as %d, and nothing can be said of it: %v; %v", n, n%90+1, a, b)
	}
}

// 4.6, 6.4: no bingo comes before the fifteenth number, so a level that must be won before it takes fees that
// nobody can ever win.
func TestLevelsCanBeWon4_6(t *testing.T) {
	t.Parallel()
	h := bingoHouse(t)
	for why, levels := range map[string][]Obj{
		"within 14": {{"name": "high", "share": 5000, "within": 14}, {"name": "low", "share": 5000}},
		"within 91": {{"name": "high", "share": 5000, "within": 91}, {"name": "low", "share": 5000}},
		// Every bingo comes within 90 (7.3).
		"within 90":                {{"name": "high", "share": 5000, "within": 90}, {"name": "low", "share": 5000}},
		"not all of the fees":      {{"name": "one", "share": 9000}},
		"more than the fees":       {{"name": "high", "share": 6000, "within": 40}, {"name": "low", "share": 5000}},
		"a last level with an end": {{"name": "one", "share": 10000, "within": 40}},
		"a seed below nothing":     {{"name": "one", "share": 10000, "seed_cents": -1}},
		"levels upside down": {{"name": "a", "share": 5000, "within": 60}, {"name": "b", "share": 2500, "within": 50},
			{"name": "c", "share": 2500}},
		"no level": {},
	} {
		n := h.rooms.Add(1)
		a := h.ask(t, h.Admin, "POST", fmt.Sprintf("/v1/hall/%d", n),
			Obj{"name": fmt.Sprintf("levels-%d", n), "rulebook": "nsw-bingo-2019", "venue": 1, "levels": levels})
		if a.OK() {
			t.Errorf("%s: %v", why, a)
		}
	}
}
