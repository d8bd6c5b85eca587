package room

import (
	"crypto/ed25519"
	"encoding/base64"
	"testing"
)

// display adds a device that can be an electronic card.
func (h *House) display(t testing.TB) int {
	t.Helper()
	pub, _, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	a := h.ask(t, h.Admin, "POST", "/v1/terminals",
		Obj{"channel": "display", "venue": 1, "key": base64.StdEncoding.EncodeToString(pub)})
	if !a.OK() {
		t.Fatal(a)
	}
	return a.Body.Int("number")
}

// electronic is the entry of a player with an electronic card and one book.
func (r *Room) electronic(member string, fee, book, device int) Obj {
	o := r.entry(member, fee, book, book)
	o["device"] = device
	return o
}

// 3.2.2: an electronic card is out with one player at a time, and only a device for players is one.
func TestOneCardOnePlayer3_2_2(t *testing.T) {
	t.Parallel()
	h := bingoHouse(t)
	r, s := h.open(t, 8, 1, 6), h.open(t, 8, 1, 6)
	d := h.display(t)
	for _, x := range []*Room{r, s} {
		x.set(t, oneGame(1000))
		x.must(t, h.Dealer, "/members", Obj{"member": "1"})
		x.must(t, h.Dealer, "/members", Obj{"member": "2"})
	}
	r.must(t, h.Dealer, r.at("/players"), r.electronic("1", 1000, 1, d))
	r.refused(t, "a card that is out", h.Dealer, r.at("/players"), r.electronic("2", 1000, 2, d))
	s.refused(t, "a card that is out in another room", h.Dealer, s.at("/players"), s.electronic("1", 1000, 1, d))
	r.refused(t, "a card that there is not", h.Dealer, r.at("/players"), r.electronic("2", 1000, 2, 9999))
	s.refused(t, "a writer's terminal", h.Dealer, s.at("/players"), s.electronic("2", 1000, 2, 1))
}

// 8.5, 3.2.2: play stands still until a card that failed is replaced, the new one has all marked, and no
// session ends with a card out.
func TestCardFails8_5(t *testing.T) {
	t.Parallel()
	h := bingoHouse(t)
	r := h.open(t, 2*8, 2, 6)
	r.set(t, Plan{Fee: 1000, Max: 4, Games: []GamePlan{game(Prize{"bingo", 10000}), game(Prize{"bingo", 20000})}})
	r.must(t, h.Dealer, "/members", Obj{"member": "1"})
	r.must(t, h.Dealer, "/members", Obj{"member": "2"})
	d, e, f := h.display(t), h.display(t), h.display(t)
	r.must(t, h.Dealer, r.at("/players"), r.electronic("1", 1000, 1, d))
	r.must(t, h.Dealer, r.at("/players"), r.electronic("2", 1000, 2, f))
	r.issue(t)
	p := r.play(t, 1, 1, 2)
	for range 20 {
		p.call(t)
	}
	r.must(t, h.Dealer, r.at("/devices/%d/failure", d), nil)
	if !r.get(t, "", r.at("")).Bool("halted") {
		t.Errorf("the display does not say that play stands still")
	}
	r.refused(t, "a number meanwhile", h.Dealer, p.at("/calls"), Obj{"place": 21})
	r.refused(t, "the card of somebody else", h.Dealer, r.at("/devices/%d/replacement", d), Obj{"with": f})
	r.refused(t, "the same card", h.Dealer, r.at("/devices/%d/replacement", d), Obj{"with": d})
	r.must(t, h.Dealer, r.at("/devices/%d/replacement", d), Obj{"with": e})
	marked := r.get(t, h.Senior, p.at("/scorecard?player=1&auto=true")).Ints("marked")
	on := map[int]bool{}
	for _, b := range p.Boxes {
		if b.Player == 1 {
			for _, n := range b.Numbers {
				on[n] = true
			}
		}
	}
	want := 0
	for _, n := range p.Calls {
		if on[n] {
			want++
		}
	}
	if len(marked) != want {
		t.Errorf("the new card has %d marked, called were %d of its numbers", len(marked), want)
	}
	p.until(t, func() bool { return len(p.fresh(house15)) > 0 })
	p.win(t, p.fresh(house15)[0], "bingo")
	p.finish(t)
	q := r.play(t, 2, 1, 2)
	q.until(t, func() bool { return len(q.fresh(house15)) > 0 })
	q.win(t, q.fresh(house15)[0], "bingo")
	q.finish(t)
	r.refused(t, "a close with cards out", h.Dealer, r.at("/close"), nil)
	r.must(t, h.Dealer, r.at("/devices/%d/return", e), Obj{})
	r.refused(t, "missing by the word of a dealer", h.Dealer, r.at("/devices/%d/return", f), Obj{"missing": true})
	r.must(t, h.Senior, r.at("/devices/%d/return", f), Obj{"missing": true})
	r.must(t, h.Dealer, r.at("/close"), nil)
}
