package odds

import (
	"fmt"
	"math/big"
	"slices"

	"drawhouse/core/ball"
	"drawhouse/core/money"
	"drawhouse/rulebook"
)

// Sold is what was sold of one bet in one game: tickets of one way each, all with
// the same stake.
type Sold struct {
	Tickets    int
	Stake      money.Amount
	Multiplied bool // every ticket has the side stake of the multiplier
}

// Tail is the risk that the major prizes of a game pass the cap above which they
// are reduced.
type Tail struct {
	Bet        string       `json:"bet"`
	Spots      int          `json:"spots,omitempty"`
	Pick       string       `json:"pick,omitempty"`
	Type       string       `json:"type,omitempty"`
	Schedule   string       `json:"schedule"`
	Tickets    int          `json:"tickets"`
	StakeCents money.Amount `json:"stake_cents"`
	Multiplied bool         `json:"multiplied,omitempty"`
	CapCents   money.Amount `json:"cap_cents"`
	Clause     string       `json:"clause"`
	Majors     []Major      `json:"majors"`
	// MeanCents is the mean of the major prizes of the game, and MostCents what
	// they are if every ticket wins the greatest.
	MeanCents Ratio        `json:"mean_cents"`
	MostCents money.Amount `json:"most_cents"`
	// Same is the probability that the majors pass the cap if all tickets have
	// the same numbers, call or forecast. With the multiplier it depends on
	// which numbers they are: it is of those that the bet was reported for, and
	// otherwise the mean over picks, as in [BasisMean].
	Same Ratio `json:"same"`
	// Independent is that probability if each ticket has numbers of its own,
	// picked at random; nil for bets without numbers.
	Independent *Bounds `json:"independent,omitempty"`
}

// Major is one major prize of the tickets sold.
type Major struct {
	Matched     int          `json:"matched"`
	Factor      int          `json:"factor"` // of the multiplier; 1 without it
	PrizeCents  money.Amount `json:"prize_cents"`
	Probability Ratio        `json:"probability"` // of the count matched with the factor
}

// Bounds hold an exact number between two that are close together.
type Bounds struct{ AtLeast, AtMost Ratio }

// MarshalJSON writes the bounds as decimals of twelve digits, rounded outwards so
// that they remain bounds.
func (b Bounds) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, `{"at_least":%q,"at_most":%q}`,
		scientific(b.AtLeast.Rat, 12, false), scientific(b.AtMost.Rat, 12, true)), nil
}

// Liability returns the tail of a bet's major prizes against the rulebook's cap.
// The bet is one of a report of the same rulebook.
func Liability(book *rulebook.Book, b *Bet, sold Sold) (*Tail, error) {
	switch {
	case sold.Tickets < 1:
		return nil, fmt.Errorf("odds: %d tickets: the liability needs at least one", sold.Tickets)
	case sold.Stake < 1:
		return nil, fmt.Errorf("odds: a stake of %v is no stake", sold.Stake)
	case sold.Multiplied && b.Multiplied == nil:
		return nil, fmt.Errorf("odds: the multiplier does not go with %s", b.label())
	}
	rule, ok := proratingOf(book, b.Bet)
	if !ok {
		return nil, fmt.Errorf("odds: %s sets no cap on the major prizes of %s", book.ID(), b.Bet)
	}
	a, err := newAnalysis(book, Options{Spots: givenSpots(b)})
	if err != nil {
		return nil, err
	}
	majors, err := a.majors(b, sold, rule, a.factorsOfTiers(b, sold))
	if err != nil {
		return nil, err
	}
	t := &Tail{
		Bet: b.Bet, Spots: b.Spots, Pick: b.Pick, Type: b.Type, Schedule: b.Schedule,
		Tickets: sold.Tickets, StakeCents: sold.Stake, Multiplied: sold.Multiplied,
		CapCents: rule.Cap.Amount(), Clause: rule.Clause, Majors: majors,
	}
	if err := t.sum(); err != nil {
		return nil, err
	}
	if b.Spots > 0 {
		t.Independent, err = a.independent(t, b, sold, rule)
	}
	return t, err
}

// givenSpots returns the numbers that the bet's report was made for, if any.
func givenSpots(b *Bet) ball.Set {
	if len(b.Numbers) == 0 {
		return ball.Set{}
	}
	return ball.MustOf(ball.Keno, b.Numbers...) // They came from such a set.
}

// proratingOf returns the first rule that caps the major prizes of a bet.
func proratingOf(book *rulebook.Book, bet string) (rulebook.Prorating, bool) {
	for _, p := range book.Prorating() {
		if p.Cap != nil && (len(p.Bets) == 0 || slices.Contains(p.Bets, bet)) {
			return p, true
		}
	}
	return rulebook.Prorating{}, false
}

// factorsOfTiers returns, for each tier of the bet, the probability of the tier
// together with each factor of the multiplier: of the call, or of the numbers if
// they were given, and otherwise as the mean over picks.
func (a *analysis) factorsOfTiers(b *Bet, sold Sold) [][]Factor {
	if !sold.Multiplied {
		return unmultiplied(b)
	}
	if bet, ok := a.book.Bet(b.Bet); ok {
		if calls, ok := bet.Calls(); ok {
			byCall := a.factorsByCall(b.Bet, Halves{calls.LowerHalf, calls.Majority})
			return [][]Factor{nil, byCall[b.Pick]}
		}
	}
	return a.factorsByMatch(b.Spots)
}

// unmultiplied returns the probability of each tier with the factor one.
func unmultiplied(b *Bet) [][]Factor {
	byTier := make([][]Factor, len(b.Tiers))
	for i, tier := range b.Tiers {
		byTier[i] = []Factor{{1, tier.Probability}}
	}
	return byTier
}

// majors returns the prizes of the tickets that the rule counts as major.
func (a *analysis) majors(b *Bet, sold Sold, rule rulebook.Prorating, byTier [][]Factor) ([]Major, error) {
	s, ok := a.book.Schedule(b.Schedule)
	if !ok {
		return nil, fmt.Errorf("odds: %s has no schedule %s", a.book.ID(), b.Schedule)
	}
	var majors []Major
	for i, tier := range b.Tiers {
		if tier.stated == 0 || b.outside(tier, rule) {
			continue
		}
		for _, f := range byTier[i] {
			if prize := a.paid(s, tier.stated, sold.Stake, b.PerCents, f.Factor); isMajor(prize, rule) {
				majors = append(majors, Major{tier.Matched, f.Factor, prize, f.Probability})
			}
		}
	}
	return majors, a.err
}

// outside reports whether a tier is a jackpot win that the rule does not count: one
// that is paid instead of the schedule prize. Where the pool comes in addition,
// the schedule prize beside it counts.
func (b *Bet) outside(tier Tier, rule rulebook.Prorating) bool {
	return b.Jackpot != nil && b.Jackpot.Pays == string(rulebook.PaysSubstitution) &&
		tier.Matched == b.Spots && slices.Contains(rule.Outside, "jackpot")
}

func isMajor(prize money.Amount, rule rulebook.Prorating) bool {
	if rule.MajorFrom != nil {
		return prize >= rule.MajorFrom.Amount()
	}
	return rule.MajorOver != nil && prize > rule.MajorOver.Amount()
}

// sum computes the mean, the most, and the tail of tickets that win together.
func (t *Tail) sum() error {
	mean, same := new(big.Rat), new(big.Rat)
	for _, m := range t.Majors {
		all, err := m.PrizeCents.Mul(int64(t.Tickets))
		if err != nil {
			return fmt.Errorf("odds: the prizes of %d tickets: %w", t.Tickets, err)
		}
		t.MostCents = max(t.MostCents, all)
		if all > t.CapCents {
			same.Add(same, m.Probability.Rat)
		}
		x := big.NewRat(all.Cents(), 1)
		mean.Add(mean, x.Mul(x, m.Probability.Rat))
	}
	t.MeanCents, t.Same = Ratio{mean}, Ratio{same}
	return nil
}
