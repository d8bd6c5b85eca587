package hall

import (
	"cmp"
	"slices"

	"drawhouse/core/day"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// methods are the ways in which a winner is told, with their clauses.
var methods = map[string]string{"face-to-face": "10.8.1", "mail": "10.8.2", "telephone": "10.8.3", "email": "10.8.4"}

// Tell notes an attempt to tell a winner.
//
//rule:nsw-bingo-2019 10.8 10.8.1 10.8.2 10.8.3 10.8.4
func Tell(s *state.State, t record.OfferTold) (*record.OfferTold, error) {
	_, _, award, err := awardOf(s, t.Offer, t.Prize)
	if err != nil {
		return nil, err
	}
	if award.Entry == 0 {
		return nil, refuse(OfferPhase, "10.8", "prize", "Prize %d is not drawn.", t.Prize)
	}
	if _, ok := methods[t.Method]; !ok {
		return nil, refuse(MethodOther, "10.8", "method",
			"A winner is told face-to-face or by mail, telephone or email, and not by %q.", t.Method)
	}
	return &t, nil
}

// Untold is a winner who is to be told of a promotional prize and was not reached yet.
type Untold struct {
	Offer  uint32
	Prize  uint8
	Member string
	Until  day.Day // the last day on which the winner is told in time
	Late   bool    // that day is over
}

// ToTell returns the winners of a room's promotions who need not be present and were not
// reached, those who are to be told first before the others: by the end of the second day
// after that of the draw. Which date a time has is for local clocks to say.
//
//rule:nsw-bingo-2019 10.8
func ToTell(s Reading, id uint8, now record.Time, dateOf func(record.Time) day.Day) ([]Untold, error) {
	r, err := roomOf(s, id)
	if err != nil {
		return nil, err
	}
	var all []Untold
	for _, offer := range r.Offers {
		if offer.Terms.Present || offer.Cancelled {
			continue
		}
		for i := range offer.Prizes {
			a := &offer.Prizes[i]
			if a.Entry == 0 || a.Granted || slices.ContainsFunc(a.Told, func(t record.OfferTold) bool { return t.Reached }) {
				continue
			}
			until, err := dateOf(a.DrawnAt).AddDays(r.rules.Promotion().NotifyDays)
			if err != nil {
				return nil, err
			}
			all = append(all, Untold{Offer: offer.Number, Prize: uint8(i + 1), Member: offer.Entries[a.Entry-1].Member,
				Until: until, Late: dateOf(now) > until})
		}
	}
	slices.SortStableFunc(all, func(a, b Untold) int { return cmp.Compare(a.Until, b.Until) })
	return all, nil
}
