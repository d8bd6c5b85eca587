package state

import (
	"slices"

	"drawhouse/core/money"
	"drawhouse/games/jackpot"
	"drawhouse/games/settle"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// Promotion is a prize beyond the schedules, as it stands.
type Promotion struct {
	record.PromotionBegun
	Paused bool
	// Over says that it was won or ended. Left are the prizes that are still there, of
	// a promotion on ready tickets.
	Over bool
	Left []uint32
	// Rests are the games in which a transition to another system pauses it, ascending.
	Rests []Rest
}

// Rest is a run of games in which a promotion is not played for: from the ordinal From on, and before Until where
// that is known.
type Rest struct{ From, Until uint32 }

// On reports whether the promotion can be won in a game.
func (p *Promotion) On(ordinal uint32) bool { return p.onAny(ordinal, ordinal) }

// onAny reports whether the promotion can be won in one of some games.
func (p *Promotion) onAny(first, last uint32) bool {
	if p.Over || p.Paused || p.From > last || p.Last != 0 && first > p.Last {
		return false
	}
	first = max(first, p.From)
	if p.Last != 0 {
		last = min(last, p.Last)
	}
	for _, rest := range p.Rests {
		if first > last || first < rest.From {
			break
		}
		if rest.Until == 0 {
			return false
		}
		first = max(first, rest.Until)
	}
	return first <= last
}

// Resting reports whether a transition pauses the promotion in the games that open now.
func (p *Promotion) Resting() bool { return len(p.Rests) > 0 && p.Rests[len(p.Rests)-1].Until == 0 }

// InTransition reports whether a successor system has begun beside the one before it, by series whose rulebooks
// pause the bonus prize pool meanwhile: the one before it ends with the last day of its series.
//
//rule:tas-keno-2023 17.4(a)
func (s *State) InTransition() bool {
	var old, successor bool
	for series := range s.AllSeries() {
		if pausedIn(series) {
			if series.Book.System().Plays == rulebook.PlaysSuccessor {
				successor = true
			} else if !series.IsOver() {
				old = true
			}
		}
	}
	return old && successor
}

// pausedIn reports whether the rulebook of a series pauses its bonus prize pool in a transition.
func pausedIn(series *Series) bool {
	policy, ok := series.Book.Promotions()
	return ok && policy.TransitionPauses
}

// restPromotions lets promotions from the bonus prize pool rest from the next game to open on, where a transition has
// begun, and go on where it is over.
//
//rule:tas-keno-2023 17.4(a)
func (s *State) restPromotions() {
	moving := s.InTransition()
	for series := range s.AllSeries() {
		next, rests := uint32(series.Games())+1, moving && pausedIn(series)
		for i := range series.promotions {
			p := &series.promotions[i]
			if p.Over || !p.Pool || p.Resting() == rests {
				continue
			}
			p.Rests = slices.Clone(p.Rests) // Readers have the list before.
			if rests {
				p.Rests = append(p.Rests, Rest{From: next})
			} else {
				p.Rests[len(p.Rests)-1].Until = next
			}
		}
	}
}

// FromPool reports whether one of some games plays for this prize, and it is one from the bonus
// prize pool.
func (p *Promotion) FromPool(first, last uint32) bool {
	return p.Pool && p.Item == "" && p.onAny(first, last)
}

// Remaining returns what of its money is still set aside.
func (p *Promotion) Remaining() money.Amount {
	if p.Item == "" {
		if p.Over {
			return 0
		}
		return p.AmountCents
	}
	var sum money.Amount
	for i, left := range p.Left {
		sum += p.Prizes[i].Cents * money.Amount(left)
	}
	return sum
}

// Promotions returns the promotions of the series, in the order of their numbers.
// The caller must not change them.
func (s *Series) Promotions() []Promotion { return s.promotions }

// Promotion returns one of them.
func (s *Series) Promotion(number uint32) (*Promotion, bool) {
	if number == 0 || uint64(number) > uint64(len(s.promotions)) {
		return nil, false
	}
	return &s.promotions[number-1], true
}

// BonusPool returns what has been put aside for bonus prizes and not offered.
func (s *Series) BonusPool() jackpot.Exact { return s.bonusPool }

// IsPoolGame reports whether a game plays for a prize from the bonus prize pool.
func (s *Series) IsPoolGame(ordinal uint32) bool {
	return slices.ContainsFunc(s.promotions, func(p Promotion) bool { return p.FromPool(ordinal, ordinal) })
}

func (s *State) beginPromotion(b *record.PromotionBegun) error {
	series, ok := s.series[b.Series]
	if !ok || uint64(b.Number) != uint64(len(series.promotions))+1 {
		return cannot("promotion %d of series %d", b.Number, b.Series)
	}
	p := Promotion{PromotionBegun: *b}
	for _, prize := range b.Prizes {
		p.Left = append(p.Left, prize.Count)
	}
	series.promotions = append(series.promotions, p)
	if b.Pool {
		s.restPromotions()
		return series.takeBonus(b.AmountCents)
	}
	return nil
}

// takeBonus takes an amount from the bonus prize pool, or gives it back.
func (s *Series) takeBonus(amount money.Amount) error {
	if s.bonusPool -= jackpot.Exact(amount) * exactPerCent; s.bonusPool < 0 {
		return cannot("%v is taken from the bonus prize pool, which had less", amount)
	}
	return nil
}

// exactPerCent is how many parts of a cent an exact amount counts.
const exactPerCent = 10_000

func (s *State) changePromotion(b *record.PromotionChanged) error {
	series, ok := s.series[b.Series]
	if !ok {
		return cannot("series %d does not exist", b.Series)
	}
	p, ok := series.Promotion(b.Number)
	if !ok || p.Over {
		return cannot("promotion %d of series %d is over", b.Number, b.Series)
	}
	if b.Ended && p.Pool {
		if err := series.takeBonus(-p.Remaining()); err != nil {
			return err
		}
	}
	p.Paused, p.Over = b.Paused, b.Ended
	return nil
}

// moveBonus empties the bonus prize pool of a series that ends into that of another one.
func (s *State) moveBonus(b *record.BonusMoved) error {
	from, into := s.series[b.From], s.series[b.Series]
	if from == nil || into == nil || from.bonusPool != jackpot.Exact(b.Amount) {
		return cannot("the bonus prize pool of series %d, %d parts of a cent, goes to series %d", b.From, b.Amount,
			b.Series)
	}
	from.bonusPool = 0
	into.bonusPool += jackpot.Exact(b.Amount)
	return nil
}

// winPromotions ends the promotions that a settlement says were won.
func (s *Series) winPromotions(won []record.PromotionWon) error {
	for _, w := range won {
		p, ok := s.Promotion(w.Number)
		if !ok || p.Over || p.AmountCents != w.AmountCents {
			return cannot("promotion %d is won for %v", w.Number, w.AmountCents)
		}
		if p.Pool {
			if err := s.takeBonus(-(w.AmountCents - w.PaidCents)); err != nil {
				return err
			}
		}
		p.Over = true
	}
	return nil
}

func (s *State) allocateBonus(b *record.BonusAllocated) error {
	series, ok := s.series[b.Series]
	if !ok {
		return cannot("series %d does not exist", b.Series)
	}
	p, ok := series.Promotion(b.Number)
	if !ok || p.Over || p.Item == "" {
		return cannot("a bonus of promotion %d", b.Number)
	}
	if s.Allocated(b.Number, b.Ticket) {
		return cannot("ticket %v takes part in promotion %d twice", b.Ticket, b.Number)
	}
	s.payments.allocate(b)
	if terminal := s.terminals[b.Terminal]; b.Cents > 0 && len(b.Tenders) == 0 {
		if terminal == nil || terminal.Open == nil {
			return cannot("a bonus of %v without a tender and without a session", b.Cents)
		}
		in := InSession{Place: b.Ticket, Cents: b.Cents, Lots: prize(b.Ticket, b.Cents)}
		in.Machine = s.payAt(terminal, series, b.Ticket, b.Cents)
		terminal.in(paidIn, in)
		s.noted.terminal(b.Terminal)
	}
	if b.Cents == 0 {
		return nil
	}
	for i, prize := range p.Prizes {
		if prize.Cents == b.Cents && p.Left[i] > 0 {
			p.Left = slices.Clone(p.Left) // Readers have the list before.
			p.Left[i]--
			return nil
		}
	}
	return cannot("promotion %d has no prize of %v left", b.Number, b.Cents)
}

// offersOf returns the promotions of a settlement in the form in which prizes are
// found in it again. Begun gives what a promotion began as.
func offersOf(settled *record.GameSettled, clause string,
	begun func(number uint32) (*record.PromotionBegun, bool)) []settle.OfferWon {
	var offers []settle.OfferWon
	for _, w := range settled.Promotions {
		if b, ok := begun(w.Number); ok {
			offers = append(offers, settle.OfferWon{Offer: OfferOf(b, clause), Ways: w.Ways, Stakes: w.StakesCents,
				Paid: w.PaidCents})
		}
	}
	return offers
}

// OfferOf returns a promotion on draws in the form in which it is won.
func OfferOf(b *record.PromotionBegun, clause string) settle.Offer {
	return settle.Offer{
		Number: b.Number, Name: b.Name, Bet: b.Bet, Spots: int(b.Spots), Matched: int(b.Matched),
		Least: b.LeastCents, Amount: b.AmountCents, Clause: clause,
	}
}
