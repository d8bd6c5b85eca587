package odds

import (
	"fmt"
	"math/big"
	"strconv"

	"drawhouse/core/money"
	"drawhouse/rulebook"
)

// decimals is how many decimals the decimal forms of a report have.
const decimals = 10

// Of returns the odds of a keno rulebook. An option that names nothing is an error
// of type [*Unknown].
func Of(book *rulebook.Book, opts Options) (*Report, error) {
	a, err := newAnalysis(book, opts)
	if err != nil {
		return nil, err
	}
	schedules, err := selectSchedules(book, opts.Schedule)
	if err != nil {
		return nil, err
	}
	r := a.newReport(schedules)
	for _, s := range schedules {
		bets, err := a.schedule(s)
		if err != nil {
			return nil, err
		}
		for i := range bets {
			bets[i].money = r.money
		}
		r.Bets = append(r.Bets, bets...)
	}
	if a.err != nil {
		return nil, a.err
	}
	if note := roundingNote(book, r.Bets); note != "" {
		r.Notes = append(r.Notes, note)
	}
	if opts.Pick != "" {
		if err := r.keep("pick", opts.Pick, opts.Bet); err != nil {
			return nil, err
		}
	}
	if opts.Spots.IsValid() {
		if err := r.keep("spots", strconv.Itoa(opts.Spots.Len()), opts.Bet); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// analysis is what the bets of one rulebook share.
type analysis struct {
	book    *rulebook.Book
	opts    Options
	draw    Draw
	factors []Factor // of the multiplier, ascending; nil where the rulebook has none
	// givenFactors are those by count matched of the numbers that were given.
	givenFactors [][]Factor
	err          error // the first prize that is too large to be paid
}

// given reports whether the numbers of a bet of that size were given.
func (a *analysis) given(spots int) bool {
	return a.opts.Spots.IsValid() && a.opts.Spots.Len() == spots
}

func newAnalysis(book *rulebook.Book, opts Options) (*analysis, error) {
	if !book.Keno() {
		return nil, fmt.Errorf("odds: %s is a %s rulebook: only keno has schedules of prizes", book.ID(), book.Kind())
	}
	draw, err := NewDraw(book.Numbers())
	if err != nil {
		return nil, err
	}
	a := &analysis{book: book, opts: opts, draw: draw}
	if err := a.checkBet(); err != nil {
		return nil, err
	}
	if _, ok := book.Feature(rulebook.FeatureMultiplier); ok {
		if a.factors = wheelFactors(book.Wheel()); a.factors != nil {
			return a, nil // The wheel says nothing about the numbers, and they nothing about it.
		}
		if a.factors, err = a.factorsOf(draw.Sums().tally); err != nil {
			return nil, err
		}
		if opts.Spots.IsValid() {
			a.givenFactors = a.factorsByJoint(draw.Joint(opts.Spots.Numbers()))
		}
	}
	return a, nil
}

func (a *analysis) newReport(schedules []*rulebook.Schedule) *Report {
	r := &Report{
		Rulebook: a.book.ID(),
		Title:    a.book.Title(),
		Edition:  a.book.Edition(),
		Hash:     a.book.Hash().String(),
		Of:       a.draw.of,
		Drawn:    a.draw.take,
		Notes:    notes(a.book, schedules),
		money:    a.book.Money(),
	}
	if feature, ok := a.book.Feature(rulebook.FeatureMultiplier); ok {
		mean := meanFactor(a.factors)
		r.Multiplier = &Multiplier{
			Name:        feature.Name(),
			Clause:      a.book.MultiplierClause(),
			Mean:        mean,
			MeanDecimal: mean.Decimal(decimals),
			Factors:     a.factors,
		}
	}
	return r
}

// schedule returns the bets of a schedule in the order of the rulebook; what pays
// by size alone comes last.
func (a *analysis) schedule(s *rulebook.Schedule) ([]Bet, error) {
	var bets []Bet
	for _, bet := range a.book.Bets() {
		if a.opts.Bet != "" && bet.ID() != a.opts.Bet {
			continue
		}
		more, err := a.bet(s, bet)
		if err != nil {
			return nil, fmt.Errorf("%s of %s: %w", bet.ID(), s.ID(), err)
		}
		bets = append(bets, more...)
	}
	return append(bets, a.luckyLast(s)...), nil
}

func (a *analysis) bet(s *rulebook.Schedule, bet *rulebook.Bet) ([]Bet, error) {
	switch {
	case bet.Form() == rulebook.FormNumbers:
		return a.numbers(s, bet), nil
	case bet.Form() == rulebook.FormCalls:
		return a.calls(s, bet), nil
	default:
		return a.race(s, bet)
	}
}

// numbers returns the odds of each size of a bet on numbers.
func (a *analysis) numbers(s *rulebook.Schedule, bet *rulebook.Bet) []Bet {
	table, ok := s.Catch(bet.ID())
	if !ok {
		return nil
	}
	var bets []Bet
	for spots := range bet.Sizes().All() {
		tiers := make([]Tier, a.draw.MatchMax(spots)+1)
		for matched, p := range a.draw.Matches(spots) {
			tiers[matched] = a.tier(s, matched, p, table.Prize(spots, matched), table.Per())
		}
		b := newBet(table.Per(), tiers)
		b.Bet, b.Name, b.Schedule, b.Clause = bet.ID(), bet.Name(), s.ID(), table.Clause()
		b.Spots = spots
		if a.given(spots) {
			b.Numbers = a.opts.Spots.Numbers()
		}
		b.Jackpot = a.jackpot(s, &b)
		b.Multiplied = a.multiplied(s, &b)
		bets = append(bets, b)
	}
	return bets
}

// calls returns the odds of heads, tails and evens.
func (a *analysis) calls(s *rulebook.Schedule, bet *rulebook.Bet) []Bet {
	table, ok := s.Outcome(bet.ID())
	if !ok {
		return nil
	}
	calls, _ := bet.Calls()
	halves := Halves{calls.LowerHalf, calls.Majority}
	ps := a.draw.Calls(halves)
	multiplied := a.factorsByCall(bet.ID(), halves)
	var bets []Bet
	for _, call := range []string{Heads, Tails, Evens} {
		prize, ok := table.Prize(call)
		if !ok {
			continue
		}
		b := newBet(table.Per(), a.wonOrLost(s, ps[call], prize, table.Per()))
		b.Bet, b.Name, b.Schedule, b.Clause = bet.ID(), bet.Name(), s.ID(), table.Clause()
		b.Pick = call
		b.Multiplied = a.multipliedCall(s, &b, multiplied[call])
		if calls.Run {
			b.Runs = a.runs(s, &b, multiplied[call], calls.SeriesMax)
		}
		bets = append(bets, b)
	}
	return bets
}

// race returns the odds of each type of bet on the race.
func (a *analysis) race(s *rulebook.Schedule, bet *rulebook.Bet) ([]Bet, error) {
	table, ok := s.Outcome(bet.ID())
	if !ok {
		return nil, nil
	}
	race, _ := bet.Race()
	field := Field{race.Rows(), race.RowNumbers(), race.DeadHeatThird()}
	var bets []Bet
	for _, t := range race.Types() {
		prize, ok := table.Prize(t.ID)
		if !ok {
			continue
		}
		p, err := a.draw.Race(field, Forecast{t.Places, t.Ordered, t.Within})
		if err != nil {
			return nil, err
		}
		b := newBet(table.Per(), a.wonOrLost(s, p, prize, table.Per()))
		b.Bet, b.Name, b.Schedule, b.Clause = bet.ID(), bet.Name()+" "+t.Name, s.ID(), table.Clause()
		b.Type = t.ID
		bets = append(bets, b)
	}
	return bets, nil
}

// luckyLast returns the odds of the feature that is won by the last number drawn.
func (a *analysis) luckyLast(s *rulebook.Schedule) []Bet {
	feature, ok := a.book.Feature(rulebook.FeatureLuckyLast)
	if !ok || a.opts.Bet != "" && a.opts.Bet != string(feature.ID()) {
		return nil
	}
	var bets []Bet
	add := func(b Bet, spots int, clause string) {
		b.Bet, b.Name, b.Schedule, b.Clause = string(feature.ID()), feature.Name(), s.ID(), clause
		b.Spots = spots
		bets = append(bets, b)
	}
	if table, ok := s.Size(string(feature.ID())); ok {
		for spots := range table.Spots().All() {
			prize, _ := table.Prize(spots)
			add(newBet(table.Per(), a.wonOrLost(s, a.draw.Last(spots), prize, table.Per())), spots, table.Clause())
		}
	}
	if table, ok := s.Catch(string(feature.ID())); ok {
		for spots := range table.Spots().All() {
			add(newBet(table.Per(), a.lastTiers(s, spots, table)), spots, table.Clause())
		}
	}
	return bets
}

// lastTiers returns the tiers of the last number where it pays by matches. With m of the
// spots drawn, the last number is one of them with probability m / drawn, whichever they
// are. The tier of no match is that the last number is none of the spots, however many
// of them are drawn.
func (a *analysis) lastTiers(s *rulebook.Schedule, spots int, table *rulebook.CatchTable) []Tier {
	tiers := []Tier{{Probability: Ratio{new(big.Rat).Sub(big.NewRat(1, 1), a.draw.Last(spots))}}}
	for matched := 1; matched <= a.draw.MatchMax(spots); matched++ {
		p := a.draw.Match(spots, matched)
		p.Mul(p, big.NewRat(int64(matched), int64(a.draw.take)))
		tiers = append(tiers, a.tier(s, matched, p, table.Prize(spots, matched), table.Per()))
	}
	return tiers
}

// wonOrLost returns the tiers of a bet that is won with probability p.
func (a *analysis) wonOrLost(s *rulebook.Schedule, p *big.Rat, stated, per money.Amount) []Tier {
	lost := new(big.Rat).Sub(big.NewRat(1, 1), p)
	return []Tier{{Probability: Ratio{lost}}, a.tier(s, 1, p, stated, per)}
}

// tier returns a tier with the prize that a stake of per is paid.
func (a *analysis) tier(s *rulebook.Schedule, matched int, p *big.Rat, stated, per money.Amount) Tier {
	return Tier{Matched: matched, Probability: Ratio{p}, PrizeCents: a.paid(s, stated, per, per, 1), stated: stated}
}

// newBet returns a bet with the figures that follow from its tiers alone.
func newBet(per money.Amount, tiers []Tier) Bet {
	rtp, hit, square := new(big.Rat), new(big.Rat), new(big.Rat)
	for _, t := range tiers {
		if t.PrizeCents == 0 {
			continue
		}
		hit.Add(hit, t.Probability.Rat)
		x := units(t.PrizeCents, per)
		once := new(big.Rat).Mul(x, t.Probability.Rat)
		rtp.Add(rtp, once)
		square.Add(square, once.Mul(once, x))
	}
	variance := square.Sub(square, new(big.Rat).Mul(rtp, rtp))
	b := Bet{PerCents: per, Tiers: tiers, RTP: Ratio{rtp}, HitFrequency: Ratio{hit}, Variance: Ratio{variance}}
	b.RTPDecimal = b.RTP.Decimal(decimals)
	b.HitFrequencyDecimal = b.HitFrequency.Decimal(decimals)
	b.VarianceDecimal = b.Variance.Decimal(decimals)
	return b
}

// units returns an amount as a multiple of the stake per.
func units(amount, per money.Amount) *big.Rat { return big.NewRat(amount.Cents(), per.Cents()) }

// notes says what the figures of a rulebook cannot tell.
func notes(book *rulebook.Book, schedules []*rulebook.Schedule) []string {
	var all []string
	for _, s := range schedules {
		if most, capped := s.WayCap(); capped {
			all = append(all, fmt.Sprintf(
				"By %s a way wins at most %v (rule %s). No prize for the stake that its table is for passes that, and the returns are "+
					"those of such a stake; a larger one whose prize is cut returns less.",
				s.ID(), most, rulebook.Quoted(s.WayCapClause())))
		}
	}
	if fund := book.PrizeFund(); fund.Schedule != 0 {
		all = append(all, fmt.Sprintf(
			"Rule %s speaks of a return of about %s%% over the bets that it covers. That is the mean of their returns weighted by "+
				"how much is staked on each, which no rule says: it cannot be computed from the schedules.",
			rulebook.Quoted(fund.Clause), hundredths(fund.Schedule)))
	}
	return all
}

// percentRatio returns a percentage of a rulebook as a number.
func percentRatio(p rulebook.Percent) Ratio { return Ratio{big.NewRat(int64(p), 100_00)} }

// hundredths returns a percentage as it is written in a rulebook: 74.20.
func hundredths(p rulebook.Percent) string { return fmt.Sprintf("%d.%02d", p/100, p%100) }
