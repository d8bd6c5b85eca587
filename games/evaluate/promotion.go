package evaluate

import (
	"fmt"
	"slices"

	"drawhouse/core/figure"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/games/keno"
	"drawhouse/games/settle"
)

// promotionFields are the fields of a promotion.
var promotionFields = []string{"id", "cents", "bet", "spots", "matched", "least_cents"}

// promotion reads a promotion.
func (s *scanner) promotion() (settle.Offer, *refusal.Refusal) {
	o := settle.Offer{Matched: -1}
	r := s.object(promotionFields, func(i int) (r *refusal.Refusal) {
		var text []byte
		var n int
		switch promotionFields[i] {
		case "id":
			text, r = s.text()
			o.Name = string(text)
		case "bet":
			text, r = s.text()
			o.Bet = string(text)
		case "spots":
			o.Spots, r = s.number(1, maxPromotionSpots)
		case "matched":
			o.Matched, r = s.number(0, maxSpots)
		case "cents":
			n, r = s.number(1, maxCents)
			o.Amount = money.Amount(n)
		case "least_cents":
			n, r = s.number(0, maxCents)
			o.Least = money.Amount(n)
		}
		return r
	})
	if r != nil {
		return settle.Offer{}, r
	}
	for i, missing := range []bool{o.Name == "", o.Amount == 0, o.Bet == "", o.Spots == 0, o.Matched < 0} {
		if missing {
			return settle.Offer{}, refuse(keno.FieldMissing, "", promotionFields[i], "The promotion does not say this.")
		}
	}
	return o, nil
}

// maxPromotionSpots bounds the spots of a promotion; the rulebook's sizes do so too.
const maxPromotionSpots = 80

// promotion offers a promotion from the next game on, until it is won.
func (r *Run) promotion(o settle.Offer) *refusal.Refusal {
	policy, ok := r.book.Promotions()
	bet, known := r.book.Bet(o.Bet)
	switch {
	case !ok || !policy.Earliest || !policy.SharedByStake:
		return refuse(PromotionUnknown, "", "promotion",
			"%s has no promotional prizes that the earliest draw shares.", r.book.ID())
	case slices.ContainsFunc(r.promotions, func(p settle.Offer) bool { return p.Name == o.Name }):
		return refuse(IDRepeated, "", "promotion.id", "A promotion that is still offered has this id.")
	case r.waiting.count > 0:
		return refuse(PoolOrder, "", "promotion", "The promotions of a game stand before its tickets.")
	case !known:
		return refuse(keno.BetNotSold, "", "promotion.bet", "There is no such bet.")
	case !bet.Sizes().IsValid() || !bet.Sizes().Has(o.Spots):
		return refuse(keno.FieldValue, bet.Clause(), "promotion.spots",
			"%s is not sold with %d spots.", bet.Name(), o.Spots)
	case o.Matched > o.Spots:
		return refuse(keno.FieldValue, "", "promotion.matched", "Of %d spots %d cannot be matched.", o.Spots, o.Matched)
	}
	o.Number, o.Clause = uint32(r.lines), policy.Clause
	r.promotions = append(r.promotions, o)
	return nil
}

// grant awards the promotions of the game that was settled last, and offers those
// again that nobody won.
func (r *Run) grant(d draw) error {
	if err := r.outcome.Grant(r.open, r.drawn, d.numbers.Set(), r.terms, r.promotions); err != nil {
		return err
	}
	r.promotions = slices.DeleteFunc(r.promotions, func(p settle.Offer) bool {
		return slices.ContainsFunc(r.outcome.Offers, func(won settle.OfferWon) bool { return won.Name == p.Name })
	})
	return nil
}

// appendPromotions appends the promotions that were won.
func (g *Game) appendPromotions(b []byte) []byte {
	between := byte('[')
	b = append(b, `,"promotions":`...)
	for _, won := range g.Outcome.Offers {
		b = append(append(append(b, between), `{"id":"`...), won.Name...)
		b = appendNumber(b, `","ways":`, won.Ways)
		b = appendNumber(b, `,"stakes_cents":`, won.Stakes.Cents())
		b = append(appendNumber(b, `,"paid_cents":`, won.Paid.Cents()), '}')
		between = ','
	}
	return append(b, ']')
}

// appendPromotionWords says who won promotions.
func (g *Game) appendPromotionWords(b []byte) []byte {
	for _, won := range g.Outcome.Offers {
		b = fmt.Appendf(b, "  The promotion %s of %v was won by %s with stakes of %v, and %v of it are paid.\n",
			won.Name, won.Amount, figure.Count(won.Ways, "way"), won.Stakes, won.Paid)
	}
	return b
}
