package room

import "testing"

// 8.4, 4.5: a house that was killed in the middle of a game goes on with the same numbers, claims and money.
func TestKilled8_4(t *testing.T) {
	t.Parallel()
	h := found(t, "casino-keno-div2")
	t.Cleanup(func() {
		if err := h.end(); err != nil {
			t.Error(err)
		}
	})
	r := h.open(t, 16, 1, 6)
	r.set(t, oneGame(1000))
	r.enter(t, 1000, 2, "1", "2")
	r.issue(t)
	p := r.play(t, 1, 1, 2)
	for range 20 {
		p.call(t)
	}
	c := p.claim(t, p.Boxes[0], "bingo")
	if err := h.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-h.done
	h.start(t, 0, "--demo", "--bingo", "--rulebook", "casino-keno-div2")
	h.signOnAgain(t)
	if n := r.must(t, h.Dealer, p.at("/calls"), Obj{"place": 20}).Body.Int("record", "number"); n != p.Calls[19] {
		t.Errorf("place 20 was %d and is %d", p.Calls[19], n)
	}
	r.refused(t, "a number while a claim waits", h.Dealer, p.at("/calls"), Obj{"place": 21})
	if v := verdict(p.check(t, c)); v == "accepted" {
		t.Errorf("a bingo after 20 numbers holds")
	}
	if !p.until(t, func() bool { return len(p.fresh(house15)) > 0 }) {
		t.Fatal("no bingo")
	}
	w := p.win(t, p.fresh(house15)[0], "bingo")
	p.finish(t)
	r.must(t, h.Dealer, p.at("/claims/%d/payment", w), Obj{"prize": cash(10000)})
	r.must(t, h.Dealer, r.at("/close"), nil)
	if o := r.owed(t); o != 0 {
		t.Errorf("the room owes %d", o)
	}
}
