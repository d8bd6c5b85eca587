package state

import (
	"iter"
	"maps"
	"slices"

	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// Offer is a promotion as it stands.
type Offer struct {
	Number     uint32
	Terms      record.OfferTerms
	Version    uint16
	NotifiedAt record.Time // of the terms in force
	Started    bool
	Entries    []OfferEntry // by number - 1
	Prizes     []OfferAward // by number - 1
	Postponed  bool
	Cancelled  bool
	// Kept are the persons of the register whose claims were denied.
	Kept []DeniedClaim
}

// DeniedClaim is who claimed a prize that was denied, and what the prize is worth.
type DeniedClaim struct {
	Details record.Hash
	Cents   money.Amount
}

// OfferEntry is an entry in a promotion.
type OfferEntry struct {
	Member string
	Place  record.Place
	Prize  uint8 // that it won; 0 for none
}

// OfferAward is what has become of a prize.
type OfferAward struct {
	Seal      []byte
	SealPlace record.Place
	Draws     uint16
	Entry     uint32 // that won
	DrawnAt   record.Time
	Told      []record.OfferTold
	Granted   bool
	Denied    uint32
}

// Left returns the entries that have won nothing yet, by number - 1.
func (o *Offer) Left() []int {
	var left []int
	for i := range o.Entries {
		if o.Entries[i].Prize == 0 {
			left = append(left, i)
		}
	}
	return left
}

// Award returns a prize by its number.
func (o *Offer) Award(number uint8) (*OfferAward, bool) {
	if number == 0 || int(number) > len(o.Prizes) {
		return nil, false
	}
	return &o.Prizes[number-1], true
}

// offerFolds are about promotions of a bingo room.
var offerFolds = []folding{
	at(func(s *State, b *record.OfferNotified, now record.Time) error {
		s.noted.offer(b.Offer)
		return s.inHall(b.Offer.Hall, func(h *Hall) error { return h.notify(b, now) })
	}),
	on(func(s *State, b *record.OfferStarted) error {
		return s.inOffer(b.Offer, func(o *Offer) error { o.Started = true; return nil })
	}),
	on(func(s *State, b *record.OfferEntered) error {
		return s.inOffer(b.Offer, func(o *Offer) error { return o.enter(b, s.next) })
	}),
	on(func(s *State, b *record.OfferSealed) error {
		return s.inAward(b.Offer, b.Prize, func(_ *Offer, a *OfferAward) error {
			a.Seal, a.SealPlace = b.Seal, s.next
			return nil
		})
	}),
	at(func(s *State, b *record.OfferDrawn, now record.Time) error {
		return s.inAward(b.Offer, b.Prize, func(o *Offer, a *OfferAward) error { return o.draw(a, b, now) })
	}),
	on(func(s *State, b *record.OfferTold) error {
		return s.inAward(b.Offer, b.Prize, func(_ *Offer, a *OfferAward) error { a.Told = append(a.Told, *b); return nil })
	}),
	on(func(s *State, b *record.OfferClaimed) error {
		return s.inAward(b.Offer, b.Prize, func(o *Offer, a *OfferAward) error {
			if !b.Granted && len(b.Details) == len(record.Hash{}) {
				o.Kept = append(o.Kept, DeniedClaim{record.Hash(b.Details), o.Terms.Prizes[b.Prize-1].ValueCents})
			}
			return a.claim(b)
		})
	}),
	on(func(s *State, b *record.OfferStopped) error {
		return s.inOffer(b.Offer, func(o *Offer) error {
			o.Postponed = b.Act == record.OfferPostponed
			o.Cancelled = b.Act == record.OfferCancelled
			return nil
		})
	}),
}

// DeniedTo goes through the claims of a person to promotional prizes that were denied, with the hall of each.
func (s *State) DeniedTo(who record.Hash) iter.Seq2[*Hall, DeniedClaim] {
	return func(yield func(*Hall, DeniedClaim) bool) {
		for _, id := range slices.Sorted(maps.Keys(s.halls)) {
			hall := s.halls[id]
			for _, offer := range hall.Offers {
				for _, denied := range offer.Kept {
					if denied.Details == who && !yield(hall, denied) {
						return
					}
				}
			}
		}
	}
}

func (s *State) inOffer(ref record.Offer, change func(*Offer) error) error {
	s.noted.offer(ref)
	return s.inHall(ref.Hall, func(h *Hall) error {
		offer, ok := h.Offer(ref.Offer)
		if !ok {
			return cannot("promotion %d does not exist", ref.Offer)
		}
		return change(offer)
	})
}

func (s *State) inAward(ref record.Offer, prize uint8, change func(*Offer, *OfferAward) error) error {
	return s.inOffer(ref, func(o *Offer) error {
		award, ok := o.Award(prize)
		if !ok {
			return cannot("promotion %d has no prize %d", ref.Offer, prize)
		}
		return change(o, award)
	})
}

func (h *Hall) notify(b *record.OfferNotified, at record.Time) error {
	if int(b.Offer.Offer) == len(h.Offers)+1 {
		h.Offers = append(h.Offers, &Offer{Number: b.Offer.Offer})
	}
	offer, ok := h.Offer(b.Offer.Offer)
	if !ok || b.Version != offer.Version+1 {
		return cannot("version %d of promotion %d", b.Version, b.Offer.Offer)
	}
	for i := range offer.Prizes {
		if offer.Prizes[i].SealPlace.Volume != 0 {
			return cannot("promotion %d changes after prize %d was sealed", b.Offer.Offer, i+1)
		}
	}
	offer.Version, offer.Terms, offer.NotifiedAt = b.Version, b.Terms, at
	offer.Prizes = make([]OfferAward, len(b.Terms.Prizes))
	return nil
}

func (o *Offer) enter(b *record.OfferEntered, place record.Place) error {
	if int(b.Entry) != len(o.Entries)+1 {
		return cannot("entry %d after %d", b.Entry, len(o.Entries))
	}
	o.Entries = append(o.Entries, OfferEntry{Member: b.Member, Place: place})
	return nil
}

func (o *Offer) draw(a *OfferAward, b *record.OfferDrawn, at record.Time) error {
	if a.SealPlace.Volume == 0 || a.Entry != 0 || b.Draw != a.Draws+1 || int(b.Entry) > len(o.Entries) {
		return cannot("draw %d of prize %d after %d, entry %d", b.Draw, b.Prize, a.Draws, b.Entry)
	}
	a.Draws = b.Draw
	if b.Entry != 0 {
		entry := &o.Entries[b.Entry-1]
		if entry.Prize != 0 {
			return cannot("entry %d wins twice", b.Entry)
		}
		entry.Prize, a.Entry, a.DrawnAt = b.Prize, b.Entry, at
	}
	return nil
}

func (a *OfferAward) claim(b *record.OfferClaimed) error {
	switch {
	case !b.Granted:
		a.Denied++
	case a.Granted || a.Entry == 0:
		return cannot("prize %d is granted twice, or was not won", b.Prize)
	default:
		a.Granted = true
	}
	return nil
}
