package settle

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/core/ball"
	"drawhouse/core/money"
)

// grantTo settles a game of one ticket in which 1 to 20 are drawn, and grants an
// offer in it.
func grantTo(t *testing.T, terms *Terms, offer Offer, ways []Way) *Outcome {
	t.Helper()
	open := NewOpen(0)
	if err := open.Add(Play{at(1), 1, 1, ways}); err != nil {
		t.Fatal(err)
	}
	if _, err := open.Close(1); err != nil {
		t.Fatal(err)
	}
	out, err := Pass(open, 1, kenoSet(1, drawn), terms, newPots(terms))
	if err != nil {
		t.Fatal(err)
	}
	if err := out.Grant(open, 1, kenoSet(1, drawn), terms, []Offer{offer}); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestOffers has promotions worked out by hand.
func TestOffers(t *testing.T) {
	h := newHouse(t, "vic-keno-2015", "schedule-1")
	five := Offer{Number: 1, Name: "Cash Game", Bet: "classic", Spots: 5, Matched: 5, Amount: 1_000_00, Clause: "24(h)"}
	bonus := onSpots("classic", kenoSet(1, 5), 200)
	bonus.Multiplier = Side{200, 1}
	none, least := five, five
	none.Spots, none.Matched = 4, 0
	least.Least = 2_00
	for _, c := range []struct {
		name  string
		offer Offer
		ways  []Way
		want  []OfferWon // without the offer itself
	}{
		{"nobody", five, []Way{onSpots("classic", kenoSet(1, 4), 100)}, nil},
		{"one, whatever the stake", five, []Way{onSpots("classic", kenoSet(1, 5), 500)},
			[]OfferWon{{Ways: 1, Stakes: 5_00, Paid: 1_000_00}}},
		// 666.66 and 333.33, each rounded on its own.
		{"two by their stakes, without Bonus", five,
			[]Way{bonus, onSpots("classic", kenoSet(16, 20), 100), onSpots("classic", kenoSet(17, 21), 100)},
			[]OfferWon{{Ways: 2, Stakes: 3_00, Paid: 666_60 + 333_30}}},
		{"no match at all", none, []Way{onSpots("classic", kenoSet(21, 24), 100), onSpots("classic", kenoSet(20, 23), 100)},
			[]OfferWon{{Ways: 1, Stakes: 1_00, Paid: 1_000_00}}},
		{"a stake too small", least, []Way{onSpots("classic", kenoSet(1, 5), 1_99)}, nil},
		{"a stake that will do", least, []Way{onSpots("classic", kenoSet(1, 5), 2_00),
			onSpots("classic", kenoSet(1, 5), 1_99)},
			[]OfferWon{{Ways: 1, Stakes: 2_00, Paid: 1_000_00}}},
	} {
		for i := range c.want {
			c.want[i].Offer = c.offer
		}
		if got := grantTo(t, h.terms, c.offer, c.ways).Offers; !slices.Equal(got, c.want) {
			t.Errorf("%s: %+v\nwant %+v", c.name, got, c.want)
		}
	}
}

// TestOffersAgreeWithTheRules compares offers over random games with plain counting
// and rational numbers, and every prize with the one that is found on its own.
func TestOffersAgreeWithTheRules(t *testing.T) {
	shared := 0
	for _, b := range houses {
		h := newHouse(t, b.book, b.schedule)
		rapid.Check(t, func(t *rapid.T) {
			if checkOffer(t, h) > 1 {
				shared++
			}
		})
	}
	if shared == 0 {
		t.Error("no offer was shared")
	}
}

func checkOffer(t *rapid.T, h *house) int {
	order := drawOrder(t)
	policy, _ := h.book.Jackpots()
	offer := Offer{
		Number: 7, Name: "offer", Clause: "offer", Bet: policy.Bets[0],
		Spots:  rapid.SampledFrom([]int{1, 5, 8}).Draw(t, "spots"),
		Amount: money.Amount(rapid.Int64Range(1, 1_000_000).Draw(t, "amount")),
		Least:  money.Amount(rapid.Int64Range(0, 100).Draw(t, "least")),
	}
	offer.Matched = rapid.IntRange(0, offer.Spots).Draw(t, "matched")
	open, plays := NewOpen(0), drawOfferPlays(t, h, order.Set(), offer.Spots)
	for _, p := range plays {
		check(t, open.Add(p))
	}
	_, err := open.Close(1)
	check(t, err)
	out, err := Pass(open, 1, order, h.terms, newPots(h.terms))
	check(t, err)
	before := out.Prizes
	check(t, out.Grant(open, 1, order.Set(), h.terms, []Offer{offer}))
	ways, stakes, paid := slowOffer(h, plays, order.Set(), offer)
	if len(out.Offers) != min(ways, 1) || out.Prizes-before != paid {
		t.Fatalf("%+v and %v, want %d ways and %v", out.Offers, out.Prizes-before, ways, paid)
	}
	if ways > 0 && out.Offers[0] != (OfferWon{offer, uint64(ways), stakes, paid}) {
		t.Fatalf("%+v, want %d ways with %v and %v", out.Offers[0], ways, stakes, paid)
	}
	game := Game{Ordinal: 1, Numbers: order, Terms: h.terms, Reductions: out.Reductions, Offers: out.Offers}
	for _, w := range out.Won {
		game.Awards = append(game.Awards, w.Awards...)
	}
	checkListed(t, plays, game, out)
	return ways
}

// drawOfferPlays draws tickets for the first game, and some for the next.
func drawOfferPlays(t *rapid.T, h *house, numbers ball.Set, spots int) (plays []Play) {
	policy, _ := h.book.Jackpots()
	for i := range rapid.IntRange(0, 20).Draw(t, "tickets") {
		p := Play{Ticket: at(uint64(i)), First: 1 + uint32(rapid.IntRange(0, 3).Draw(t, "delay"))/3}
		p.Last = p.First + uint32(rapid.IntRange(0, 1).Draw(t, "more"))
		for range rapid.IntRange(1, 3).Draw(t, "ways") {
			w := h.drawWay(t, numbers, p.games(), false)
			if rapid.Bool().Draw(t, "alike") {
				w = onSpots(policy.Bets[0], kenoSet(1, spots), money.Amount(rapid.Int64Range(1, 300).Draw(t, "stake")))
			}
			w.Run = false
			p.Ways = append(p.Ways, w)
		}
		plays = append(plays, p)
	}
	return plays
}

// slowOffer counts the ways that meet the conditions, and divides by their stakes.
func slowOffer(h *house, plays []Play, numbers ball.Set, offer Offer) (ways int, stakes, paid money.Amount) {
	var won []money.Amount
	for _, p := range plays {
		for _, w := range p.Ways {
			if p.First == 1 && w.Bet == offer.Bet && w.Spots.Len() == offer.Spots && w.Spots.Overlap(numbers) == offer.Matched &&
				w.Stake >= offer.Least {
				won = append(won, w.Stake)
				stakes += w.Stake
			}
		}
	}
	for _, stake := range won {
		share := new(big.Rat).Quo(rat(stake), rat(stakes))
		paid += slowFloor(share.Mul(share, rat(offer.Amount)), h.slow.step)
	}
	return len(won), stakes, paid
}

// checkListed holds what each play wins on its own, and in words, against the list.
func checkListed(t *rapid.T, plays []Play, game Game, out *Outcome) {
	file, err := DecodeWinners(out.Encode(Settlement{1, 1, 1}))
	check(t, err)
	for _, p := range plays {
		if p.First > 1 {
			continue
		}
		listed, _ := file.Lookup(p.Ticket)
		prize, err := PrizeIn(p, []Game{game})
		check(t, err)
		lines, err := ExplainIn(p, []Game{game})
		check(t, err)
		var told money.Amount
		for _, l := range lines {
			if l.Last {
				told += l.Amount
			}
		}
		if prize.Payable != listed || told != listed {
			t.Fatalf("ticket %v wins %v, is told of %v, and %v is listed", p.Ticket, prize.Payable, told, listed)
		}
	}
}
