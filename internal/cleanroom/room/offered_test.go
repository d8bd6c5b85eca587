package room

import (
	"slices"
	"testing"
)

// 8.3, 6.5.2: a jackpot number that completed a box was announced wrongly, and one more number was called.
// Once it is announced rightly it is the final number called.
func TestCorrectedNumberWinsJackpot8_3(t *testing.T) {
	t.Parallel()
	var jn []int
	var box Box
	r, p := hallWhere(t, jackpotGame(0), func(p *Play) bool {
		if len(p.Calls) == 1 {
			jn = p.R.get(t, "", p.R.at("")).Ints("jackpot_numbers")
		}
		if l := p.fresh(house15); slices.Contains(jn, p.Calls[len(p.Calls)-1]) && len(l) > 0 {
			box = l[0]
			return true
		}
		return false
	})
	number := p.Calls[len(p.Calls)-1]
	p.call(t)
	wrong := 1
	for slices.Contains(p.Calls, wrong) {
		wrong++
	}
	r.must(t, r.H.Dealer, p.at("/corrections"), Obj{"number": number, "wrong": wrong, "draw": "calls"})
	c := p.claim(t, box, "bingo")
	if a := p.check(t, c); !a.Body.Bool("record", "accepted") || a.Body.Int("record", "level") == 0 {
		t.Errorf("%d, one of the jackpot numbers %v, was announced last and completed the box: %v", number, jn, a)
	}
	p.finish(t)
	// 6.3: nothing of the jackpot is offered when the last game is over.
	for _, l := range r.get(t, "", r.at("")).List("jackpot") {
		if l.Int("pays_cents") != 0 {
			t.Errorf("the game is over, and the display offers %v", l)
		}
	}
}
