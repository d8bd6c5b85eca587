package keno

import (
	"slices"
	"strings"

	"drawhouse/core/money"
	"drawhouse/rulebook"
)

// checkLimits refuses a ticket that a limit of the rulebook does not allow. The
// limits are checked in the order of the rulebook's file. Limits on the money
// of all tickets together are not a ticket's own; see [Desk.Exposures].
//
//rule:vic-keno-2015 11(c) 11(d) 11(d)(i) 11(d)(ii) 11(d)(iii) 11(e) 11(f) 11(g) 11(h)
//rule:casino-keno-div2 4.2(a) 4.2(b) 4.2(c) 5.4(a) 5.4(b)
//rule:tas-keno-2023 12.2(a) 12.2(b) 12.2(c) 12.2(d) 17.6(b) 21.2(b) 21.3(g) 21.3(h)
func (s *sale) checkLimits(p *Price) *Refusal {
	s.findChanges()
	for i := range s.limits {
		l := &s.limits[i]
		if !s.inForce(l) {
			continue
		}
		var r *Refusal
		switch l.Measure {
		case rulebook.MeasureStake, rulebook.MeasureBetGame:
			r = s.checkBetLimit(l, p)
		case rulebook.MeasureGame:
			r = s.checkGameLimit(l, p)
		case rulebook.MeasureEntry:
			r = s.checkEntryLimit(l, p)
		}
		if r != nil {
			return r
		}
	}
	return nil
}

// inForce reports whether l is a limit for such a terminal and game.
func (s *sale) inForce(l *rulebook.Limit) bool {
	return (l.Channels == nil || slices.Contains(l.Channels, s.env.Channel)) &&
		(l.Pool == nil || *l.Pool == s.env.PoolGame)
}

// counts reports whether l is a limit for such a bet.
func (b *part) counts(l *rulebook.Limit, p *BetPrice) bool {
	return (l.Bets == nil || slices.Contains(l.Bets, b.Bet.Bet)) && l.Ways.Has(int(b.ways)) &&
		(l.Jackpot == nil || *l.Jackpot == p.Jackpot || b.couldPlay(*l.Jackpot))
}

// couldPlay reports whether a bet whose size was picked could have come out with a
// jackpot, or without one. Such a bet keeps the limits of both: chance must not
// decide whether a ticket is sold.
func (b *part) couldPlay(jackpot bool) bool {
	if b.Picked != PickedMystery || b.Shape() != ShapeSpots {
		return false
	}
	sizes := b.offer.picks.MysterySizes.Set()
	if jackpot {
		return !sizes.Disjoint(b.offer.jackpots)
	}
	return !b.offer.jackpots.Contains(sizes)
}

// checkBetLimit checks each bet by itself, on one way or over its ways.
func (s *sale) checkBetLimit(l *rulebook.Limit, p *Price) *Refusal {
	for i := range s.parts {
		b := &s.parts[i]
		if !b.counts(l, &p.Bets[i]) {
			continue
		}
		ways, unit := int64(1), units[b.Shape()]
		if l.Measure == rulebook.MeasureBetGame {
			ways, unit = b.ways, "a game"
		}
		for _, game := range s.changes {
			amount := s.stakeIn(b, partOf(l), game) * money.Amount(ways)
			if r := s.bound(l, amount, s.subject(l, b), unit); r != nil {
				return r.Below("bets" + index(i) + pathOf(l))
			}
		}
	}
	return nil
}

// checkGameLimit checks what the ticket stakes in one game.
func (s *sale) checkGameLimit(l *rulebook.Limit, p *Price) *Refusal {
	for _, game := range s.changes {
		total := money.Amount(0)
		for i := range s.parts {
			if b := &s.parts[i]; b.counts(l, &p.Bets[i]) {
				total += s.stakeIn(b, partOf(l), game) * money.Amount(b.ways)
			}
		}
		if r := s.bound(l, total, s.subject(l, nil), "a game"); r != nil {
			return r
		}
	}
	return nil
}

// checkEntryLimit checks what the ticket stakes over all its games.
func (s *sale) checkEntryLimit(l *rulebook.Limit, p *Price) *Refusal {
	total := money.Amount(0)
	for i := range s.parts {
		if bet := &p.Bets[i]; s.parts[i].counts(l, bet) {
			total += bet.part(partOf(l))
		}
	}
	return s.bound(l, total, s.subject(l, nil), "in all")
}

// part returns one part of the price. That all parts together fit an amount was
// found when the ticket was priced.
func (p *BetPrice) part(of rulebook.Part) money.Amount {
	switch of {
	case rulebook.PartMultiplier:
		return p.Multiplier
	case rulebook.PartLuckyLast:
		return p.LuckyLast
	case rulebook.PartAll:
		return p.Main + p.Multiplier + p.LuckyLast
	}
	return p.Main
}

// findChanges finds the games in which the ticket stakes other amounts than in
// the game before: a limit that holds there holds in the games between.
func (s *sale) findChanges() {
	s.changes = append(s.changes, 0)
	for i := range s.parts {
		b := &s.parts[i]
		if b.Run && s.ticket.Games > 1 {
			s.changes = append(s.changes, 1)
		}
		for _, side := range b.With.sides() {
			if side.On && side.games(s.ticket.Games) < s.ticket.Games {
				s.changes = append(s.changes, side.Games)
			}
		}
	}
	slices.Sort(s.changes)
	s.changes = slices.Compact(s.changes)
}

// units are what a stake is for.
var units = [...]string{ShapeSpots: "a game", ShapeGroups: "a way", ShapeCalls: "a game", ShapeRace: "a combination"}

// bounds are the codes of a measure.
type bounds struct{ below, above, step Code }

var boundsOf = map[rulebook.Measure]bounds{
	rulebook.MeasureStake:   {StakeBelowMinimum, StakeAboveMaximum, StakeStep},
	rulebook.MeasureBetGame: {BetBelowMinimum, BetAboveMaximum, BetStep},
	rulebook.MeasureGame:    {GameBelowMinimum, GameAboveMaximum, GameStep},
	rulebook.MeasureEntry:   {TicketBelowMinimum, TicketAboveMaximum, TicketStep},
}

// bound refuses an amount that l does not allow. No amount at all is nothing
// that a limit could be about.
func (s *sale) bound(l *rulebook.Limit, amount money.Amount, subject, unit string) *Refusal {
	if amount == 0 {
		return nil
	}
	codes := boundsOf[l.Measure]
	switch {
	case l.Min != nil && amount < l.Min.Amount():
		return refuse(codes.below, l.Clause, "",
			"%s costs at least %v %s, not %v.", subject, l.Min.Amount(), unit, amount)
	case l.Max != nil && amount > l.Max.Amount():
		return refuse(codes.above, l.Clause, "",
			"%s costs at most %v %s, not %v.", subject, l.Max.Amount(), unit, amount)
	case l.Step != nil && amount%l.Step.Amount() != 0:
		return refuse(codes.step, l.StepClause, "",
			"%s goes in steps of %v %s, which %v is not.", subject, l.Step.Amount(), unit, amount)
	}
	return nil
}

// subject names what l is about: a feature, a bet, the bets that it counts, or
// the ticket.
func (s *sale) subject(l *rulebook.Limit, b *part) string {
	if f, ok := s.book.Feature(rulebook.FeatureID(partOf(l))); ok {
		return f.Name()
	}
	if b != nil {
		return b.offer.Name()
	}
	if l.Bets == nil {
		return "The ticket"
	}
	names := make([]string, len(l.Bets))
	for i, id := range l.Bets {
		names[i] = s.bets[id].Name()
	}
	return strings.Join(names, ", ")
}

// partOf returns the part of the money that l counts.
func partOf(l *rulebook.Limit) rulebook.Part {
	if l.Part == "" {
		return rulebook.PartMain
	}
	return l.Part
}

// pathOf returns the field below a bet that l is about.
func pathOf(l *rulebook.Limit) string {
	switch part := partOf(l); {
	case l.Measure != rulebook.MeasureStake || part == rulebook.PartAll:
		return ""
	case part == rulebook.PartMain:
		return ".stake_cents"
	default:
		return ".with." + string(part)
	}
}
