package state

import (
	"drawhouse/money"
	"drawhouse/record"
)

// applyClaim applies what is about prizes that nobody fetched in time. It reports
// whether the record was of that kind.
func (s *State) applyClaim(r record.Record) (bool, error) {
	switch b := r.Body.(type) {
	case *record.PrizesSwept:
		return true, s.sweepPrizes(b)
	}
	return false, nil
}

// fate is what became of the prizes of a game.
type fate struct {
	paid  money.Amount // of its prizes or refunds
	swept string       // where the rest went, as the rulebook names it; empty before
}

// fateOf returns what became of the prizes of a game that there is.
func (s *Series) fateOf(ordinal uint32) *fate {
	if missing := int(ordinal) - len(s.fates); missing > 0 {
		s.fates = append(s.fates, make([]fate, missing)...)
	}
	return &s.fates[ordinal-1]
}

// fetch notes that a prize of a game was paid.
func (s *Series) fetch(ordinal uint32, cents money.Amount) (err error) {
	f := s.fateOf(ordinal)
	f.paid, err = f.paid.Add(cents)
	return err
}

// Swept returns where the prizes of a game went that nobody had fetched in time, as the
// rulebook names it, or nothing before.
func (s *Series) Swept(ordinal uint32) string {
	if ordinal == 0 || int(ordinal) > len(s.fates) {
		return ""
	}
	return s.fates[ordinal-1].swept
}

// Unclaimed returns what of the prizes of a settled game nobody has fetched.
func (s *Series) Unclaimed(g *Game) money.Amount {
	if g.Phase != PhaseSettled {
		return 0
	}
	if int(g.Ordinal) > len(s.fates) {
		return g.Settled.PrizesCents
	}
	return g.Settled.PrizesCents - s.fates[g.Ordinal-1].paid
}

func (s *State) sweepPrizes(b *record.PrizesSwept) error {
	series, err := s.openSeries(b.Series, b.Day)
	if err != nil {
		return err
	}
	for _, line := range b.List {
		game, ok := series.Game(line.Ordinal)
		if !ok || series.Swept(line.Ordinal) != b.From || series.Unclaimed(game) != line.Cents {
			return cannot("%v of game %d go from %q to %s, and that is not where or what they are", line.Cents, line.Ordinal, b.From, b.To)
		}
		series.fateOf(line.Ordinal).swept = b.To
		s.tills.sum.add(hashOf("swept", func(h digest) {
			h.numbers(uint64(series.ID), uint64(line.Ordinal), uint64(line.Cents))
			h.text(b.From)
			h.text(b.To)
		}))
	}
	return nil
}
