package settle

import (
	"cmp"
	"fmt"
	"iter"
	"math/bits"
	"slices"

	"drawhouse/core/ball"
	"drawhouse/core/money"
)

// Offer is a prize beyond the schedules that ways on numbers win by what they
// match.
type Offer struct {
	Number         uint32
	Name           string
	Bet            string
	Spots, Matched int
	Least          money.Amount // stake on a way, without features
	Amount         money.Amount
	Clause         string
}

// OfferWon is an offer that was won: by so many ways, with these stakes together,
// and what they are paid of it.
type OfferWon struct {
	Offer
	Ways         uint64
	Stakes, Paid money.Amount
}

// meets reports whether a way meets the conditions in a game. What it has staked on
// features beside the main game is not asked for: those are entries of their own, which
// neither win an offer nor keep the main one from it (reading bonus-prize-beside-features).
func (o *Offer) meets(w *Way, numbers ball.Set) bool {
	return w.Bet == o.Bet && w.form() == formNumbers && w.Spots.Len() == o.Spots &&
		w.Spots.Overlap(numbers) == o.Matched && w.Stake >= o.Least
}

// share returns what a way gets of an offer that was won: in the proportion of its
// stake, and rounded down as every prize is. It is a prize of its own, so that
// neither the cap on a way nor pro-rating has a part in it.
//
//rule:vic-keno-2015 16(c) 24(h) 21(i)
func (o *OfferWon) share(stake money.Amount, t *Terms) (money.Amount, error) {
	if stake <= 0 || stake > o.Stakes {
		return 0, fmt.Errorf("settle: a stake of %v has no share among stakes of %v", stake, o.Stakes)
	}
	share, err := money.MulDiv(o.Amount, stake.Cents(), o.Stakes.Cents(), money.Floor)
	return share - share%money.Amount(t.step), err
}

// Grant awards the offers of a game whose conditions some way meets, and adds their
// prizes to the outcome. It goes through the ways once for each of them; they are
// rare.
//
//rule:vic-keno-2015 16(b) 16(c) 24(h)
//rule:tas-keno-2023 17.2
func (o *Outcome) Grant(open *Open, ordinal uint32, numbers ball.Set, terms *Terms, offers []Offer) error {
	if !numbers.IsValid() || numbers.Len() != drawn {
		return fmt.Errorf("settle: not %d numbers drawn: %v", drawn, numbers)
	}
	for i := range offers {
		won, ways, err := open.grant(ordinal, numbers, terms, &offers[i])
		if err != nil {
			return err
		}
		if won.Ways > 0 {
			o.winners.merge(ways)
			o.Prizes += won.Paid
			o.Offers = append(o.Offers, won)
		}
	}
	return nil
}

// grant finds the ways that meet the conditions of an offer, and their shares.
func (o *Open) grant(ordinal uint32, numbers ball.Set, terms *Terms,
	offer *Offer) (won OfferWon, ways []winner, err error) {
	won.Offer = *offer
	for place, stake := range o.meeting(ordinal, numbers, offer) {
		won.Ways++
		won.Stakes += stake
		ways = append(ways, winner{place, uint64(stake)})
	}
	for i := range ways {
		share, err := won.share(money.Amount(ways[i].cents), terms)
		if err != nil {
			return OfferWon{}, nil, err
		}
		ways[i].cents = uint64(share)
		won.Paid += share
	}
	slices.SortStableFunc(ways, func(a, b winner) int { return cmp.Compare(a.place, b.place) })
	return won, slices.DeleteFunc(ways, func(w winner) bool { return w.cents == 0 }), nil
}

// meeting yields the ways in a game that meet the conditions of an offer: the place
// of the ticket, and the stake.
func (o *Open) meeting(ordinal uint32, numbers ball.Set, offer *Offer) iter.Seq2[uint64, money.Amount] {
	return func(yield func(uint64, money.Amount) bool) {
		var planes [drawn]uint8
		for i, n := range numbers.Numbers() {
			planes[i] = uint8(n - 1)
		}
		for _, game := range append([]uint32{ordinal}, o.deferred...) {
			for _, page := range o.pages {
				if !page.meeting(o.rows, page.playing(game), &planes, offer, yield) {
					return
				}
			}
		}
	}
}

// meeting yields the ways of a page that meet the conditions of an offer, and
// reports whether more are wanted.
func (p *page) meeting(rows []row, in members, planes *[drawn]uint8, offer *Offer,
	yield func(uint64, money.Amount) bool) bool {
	for i := range p.columns {
		c := &p.columns[i]
		r := &rows[c.row]
		if r.form != formNumbers || r.bet != offer.Bet || r.size != offer.Spots {
			continue
		}
		matched := c.count(planes)
		for hits := matched.equal(offer.Matched) & upTo(int(c.n)); hits != 0; hits &= hits - 1 {
			lane := bits.TrailingZeros64(hits)
			stake, ticket := money.Amount(c.stake[lane]), c.ticket[lane]
			if in.has(ticket) && stake >= offer.Least && !yield(p.place(int(ticket)), stake) {
				return false
			}
		}
	}
	return true
}
