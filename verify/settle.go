package verify

import (
	"crypto/sha256"
	"fmt"
	"math/big"

	"drawhouse/ledger"
	"drawhouse/money"
	"drawhouse/record"
)

// gameSettled grades every play of the game and compares: the totals that the
// record states, and the winners file play by play.
func (c *checker) gameSettled(b *record.GameSettled) (postings, error) {
	s, g, err := c.at(CheckSettlement, b.Game, stageDrawn)
	if err != nil {
		return nil, err
	}
	if b.Revision != 1 {
		return nil, fault(CheckSettlement, "it is revision %d, and no record gave up the first settlement", b.Revision)
	}
	// Otherwise a game could be left without its result for ever.
	if g.ordinal > 1 && s.games[g.ordinal-2].stage != stageSettled {
		return nil, fault(CheckSettlement, "game %v is settled before game %v, which is %v", g.name, s.games[g.ordinal-2].name, s.games[g.ordinal-2].stage)
	}
	w, err := newGrader(s, g, &c.counter)
	if err != nil {
		return nil, fault(CheckSettlement, "%v", err)
	}
	out, err := w.grade()
	if err != nil {
		return nil, fault(CheckSettlement, "%v", err)
	}
	if err := checkTotals(b, g, out, w.factor); err != nil {
		return nil, fault(CheckSettlement, "%v", err)
	}
	if err := w.checkReductions(b.Reductions); err != nil {
		return nil, fault(CheckSettlement, "%v", err)
	}
	if err := c.checkWinnersFile(b, s, g, out); err != nil {
		return nil, fault(CheckSettlement, "%v", err)
	}
	g.stage, g.winners = stageSettled, out.winners
	s.dropSettled(g.ordinal)
	c.countSettlement(b, out)
	return postings{
		ledger.Debit(ledger.PrizeFund, 0, b.PrizesCents+b.BreakageCents),
		ledger.Credit(ledger.Prizes, 0, b.PrizesCents),
		ledger.Credit(ledger.Breakage, 0, b.BreakageCents),
	}, nil
}

// checkTotals compares what the record states with what the game came to.
func checkTotals(b *record.GameSettled, g *game, out *outcome, factor int64) error {
	breakage, err := wholeCents(out.kept)
	if err != nil {
		return err
	}
	majors, err := wholeCents(out.majors)
	if err != nil {
		return err
	}
	majorsLeft, err := wholeCents(out.majorsLeft)
	if err != nil {
		return err
	}
	for _, figure := range []struct {
		name        string
		stated, due any
	}{
		{"plays", b.Plays, g.plays},
		{"ways", b.Ways, g.ways},
		{"stakes", b.StakesCents, g.stakes},
		{"winning plays", b.Winners, uint64(len(out.winners))},
		{"winning ways", b.WinningWays, out.winningWays},
		{"prizes", b.PrizesCents, out.prizes},
		{"kept by rounding", b.BreakageCents, breakage},
		{"major prizes as won", b.MajorsCents, majors},
		{"major prizes as reduced", b.MajorsPaidCents, majorsLeft},
		{"times multiplied", int64(b.Multiplier), factor},
	} {
		if figure.stated != figure.due {
			return fmt.Errorf("it states %v %s, and the game came to %v", figure.stated, figure.name, figure.due)
		}
	}
	return nil
}

// checkReductions compares the factors that the record states with those that
// were found: one for each limit that was exceeded, in the rulebook's order.
func (w *grader) checkReductions(stated []record.Reduction) error {
	for limit, r := range w.reductions {
		if r == nil {
			continue
		}
		if len(stated) == 0 || int(stated[0].Limit) != limit || r.factor.Cmp(factorOf(stated[0])) != 0 {
			return fmt.Errorf("the major prizes are to be multiplied by %v under limit %d of the rulebook, and it states %v", r.factor, limit, stated)
		}
		stated = stated[1:]
	}
	if len(stated) > 0 {
		return fmt.Errorf("it reduces prizes by %d/%d under limit %d of the rulebook, which was not exceeded", stated[0].Num, stated[0].Den, stated[0].Limit)
	}
	return nil
}

// factorOf returns the factor of a reduction, whose divisor is not zero: it is
// greater than the dividend.
func factorOf(r record.Reduction) *big.Rat {
	return new(big.Rat).Quo(countRat(r.Num), countRat(r.Den))
}

// wholeCents rounds an exact sum down to a cent.
func wholeCents(x *big.Rat) (money.Amount, error) {
	whole := new(big.Int).Quo(x.Num(), x.Denom())
	if !whole.IsInt64() {
		return 0, fmt.Errorf("a sum of %v cents is more than can be stated", whole)
	}
	return money.Amount(whole.Int64()), nil
}

// checkWinnersFile compares the file of winners with those that were graded: the
// hash that the record pins, and then play by play, to say which one differs.
func (c *checker) checkWinnersFile(b *record.GameSettled, s *series, g *game, out *outcome) error {
	name := WinnersFile(s.id, g.ordinal, b.Revision)
	data, err := readWhole(c.src, name, maxWinnersFile)
	if err != nil {
		return err
	}
	if sha256.Sum256(data) != b.WinnersHash {
		return fmt.Errorf("%s does not have the hash that the record states", name)
	}
	if err := out.compare(data, c.house.Volume, g, b); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// dropSettled forgets the tickets whose last game this was.
func (s *series) dropSettled(ordinal uint32) {
	kept := s.tickets[:0]
	for _, t := range s.tickets {
		if t.last != ordinal {
			kept = append(kept, t)
		}
	}
	clear(s.tickets[len(kept):])
	s.tickets = kept
}

func (c *checker) countSettlement(b *record.GameSettled, out *outcome) {
	c.report.Settled++
	c.report.Winners += uint64(len(out.winners))
	c.report.PrizesCents += b.PrizesCents
	c.report.BreakageCents += b.BreakageCents
	if len(b.Reductions) > 0 {
		c.report.Reduced++
	}
}
