package verify

import (
	"cmp"
	"fmt"
	"slices"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// participants are the other jurisdictions that share the jackpots from a game on.
type participants struct {
	from  uint32
	names []string
}

// sharedWith returns who shares the jackpots of a game.
func (s *series) sharedWith(ordinal uint32) []string {
	for i := len(s.shared) - 1; i >= 0; i-- {
		if s.shared[i].from <= ordinal {
			return s.shared[i].names
		}
	}
	return nil
}

// participantsNamed checks that jackpots are shared only where the rulebook lets
// them be pooled, and from a game on that has not closed (vic-keno-2015
// 2(a).pooled-jackpot).
func (c *checker) participantsNamed(b *record.ParticipantsNamed) error {
	s := c.series[b.Series]
	switch {
	case s == nil:
		return fault(CheckJackpots, "series %d has not begun", b.Series)
	case b.From <= s.closed():
		return fault(CheckJackpots, "it changes who shares the jackpots of game %d of the series, which has closed",
			b.From)
	}
	if jackpots := s.termsAt(b.From).rules.jackpots; jackpots == nil || len(b.Names) > 0 && !jackpots.Pooled {
		return fault(CheckJackpots, "the jackpots of the rulebook are not pooled with others")
	}
	s.shared = append(s.shared, participants{b.From, b.Names})
	return nil
}

// jurisdictionReported takes in what another jurisdiction says of a draw: one that
// takes part, once for each jackpot.
func (c *checker) jurisdictionReported(b *record.JurisdictionReported) error {
	s := c.series[b.Game.Series]
	if s == nil || s.byName[b.Game] == nil {
		return fault(CheckJackpots, "game %v was never opened", b.Game)
	}
	g := s.byName[b.Game]
	switch {
	case g.stage == stageOpen:
		return fault(CheckJackpots, "game %v has not closed", g.name)
	case !slices.Contains(s.sharedWith(g.ordinal), b.Jurisdiction):
		return fault(CheckJackpots, "%q does not share the jackpots of game %v", b.Jurisdiction, g.name)
	case !slices.ContainsFunc(g.rates, func(r record.PoolRate) bool { return r.Spots == b.Spots }):
		return fault(CheckJackpots, "game %v has no jackpot of %d spots", g.name, b.Spots)
	}
	if g.settled.reports == nil {
		g.settled.reports = make(map[uint8][]report)
	}
	list := g.settled.reports[b.Spots]
	if slices.ContainsFunc(list, func(r report) bool { return r.jurisdiction == b.Jurisdiction }) {
		return fault(CheckJackpots, "%q has reported the jackpot of %d spots of game %v before", b.Jurisdiction,
			b.Spots, g.name)
	}
	g.settled.reports[b.Spots] = append(list, report{b.Jurisdiction, b.GrowthCents, b.StakesCents})
	s.dropDecided()
	return nil
}

// decided reports whether nothing can be owed any more out of the jackpots of a game
// that waits: all have reported, nobody has won, here or elsewhere.
func (s *series) decided(g *game) bool {
	if len(g.settled.base.wins) > 0 {
		return false
	}
	for _, rate := range g.rates {
		reports := g.settled.reports[rate.Spots]
		if len(reports) < len(s.sharedWith(g.ordinal)) ||
			slices.ContainsFunc(reports, func(r report) bool { return r.stakes > 0 }) {
			return false
		}
	}
	return true
}

// dropDecided lets games wait no longer out of whose jackpots nothing can be owed, in
// their order.
func (s *series) dropDecided() {
	for len(s.waiting) > 0 && s.decided(s.waiting[0]) {
		s.waiting[0].settled.waits = false
		s.waiting = s.waiting[1:]
	}
}

// undecided returns the oldest game before an ordinal of which it is not known, or not
// yet booked, who has won its jackpots: what is in the pools may be theirs. It holds
// up the jackpots of every later game, also of one that is shared with nobody.
func (s *series) undecided(ordinal uint32) *game {
	if len(s.waiting) > 0 && s.waiting[0].ordinal < ordinal {
		return s.waiting[0]
	}
	return nil
}

// forget lets the pools drop what no settlement to come has to tell apart: not while
// an earlier draw waits for reports.
func (s *series) forget(ordinal uint32) {
	if len(s.waiting) > 0 {
		return
	}
	for _, p := range s.pools {
		p.forget(ordinal)
	}
}

// jackpotResult is what a settlement does to the jackpots.
type jackpotResult struct {
	awards   []record.Award
	jackpots money.Amount // the shares of the winners here together
	waits    bool         // for reports
	changed  map[uint8]bool
	due      postings
}

// shareJackpots finds who shares the jackpots of a game, and what that leaves of the
// pools. At a further revision what was paid by the first is not taken again.
func (w *grader) shareJackpots(s *series, g *game, give *record.Award) (*jackpotResult, error) {
	result := &jackpotResult{changed: make(map[uint8]bool), waits: s.undecided(g.ordinal) != nil}
	names := s.sharedWith(g.ordinal)
	for _, rate := range g.rates {
		if len(g.settled.reports[rate.Spots]) < len(names) {
			result.waits = true
		}
	}
	if give != nil {
		result.waits = g.settled.waits // Giving shares nothing else.
	}
	sizes, err := s.wonSizes(g, w.out.wins, give != nil)
	if err != nil {
		return nil, err
	}
	for _, size := range sizes {
		p := s.pools[size.spots]
		if err := w.award(size, g); err != nil {
			return nil, err
		}
		was := p.Pool
		if err := w.draw(p, size, g, give, result); err != nil {
			return nil, err
		}
		result.awards = append(result.awards, size.awards...)
		if p.Pool != was {
			result.changed[size.spots] = true
		}
		result.due = append(result.due, moved(s.id, was, p.Pool)...)
	}
	return result, nil
}

// draw takes what was won out of a pool.
func (w *grader) draw(p *pool, size *wonSize, g *game, give *record.Award, result *jackpotResult) error {
	first := g.settled.revision == 0
	for _, a := range size.awards {
		paid, err := paidOf(a, w.out.wins)
		if err != nil {
			return err
		}
		switch {
		case a.Part == record.PartPool && g.settled.shared[size.spots] != a:
			if err := w.drawPrimary(p, size, a, paid, g.ordinal, result); err != nil {
				return err
			}
			g.settled.share(a)
		case a.Part == record.PartFill && first:
			// The fill comes out of the prize fund, and what sharing leaves of it
			// stays in the pool (vic-keno-2015 2(a).jackpot).
			rest, err := exactOf(a.AmountCents - paid)
			if err != nil {
				return err
			}
			p.put(g.ordinal+1, rest)
		}
	}
	if give != nil && give.Spots == size.spots {
		paid, err := paidOf(*give, w.out.wins)
		if err != nil {
			return err
		}
		taken, err := exactOf(paid)
		if err != nil {
			return err
		}
		p.Aside -= taken
	}
	return p.bounded()
}

// givenBy returns the sum that a further settlement gives to winners out of what was
// set aside, if it gives one: among those here, no more than there is.
func (s *series) givenBy(g *game, stated []record.Award) (*record.Award, error) {
	list := slices.DeleteFunc(slices.Clone(stated), func(a record.Award) bool { return a.Part != record.PartAside })
	for _, before := range g.settled.given {
		i := slices.Index(list, before)
		if i < 0 {
			return nil, fmt.Errorf("it leaves out what was given to winners of %d spots before", before.Spots)
		}
		list = slices.Delete(list, i, i+1)
	}
	if len(list) == 0 {
		return nil, nil
	}
	give := list[0]
	p := s.pools[give.Spots]
	switch {
	case len(list) > 1:
		return nil, fmt.Errorf("it gives to winners %d times at once", len(list))
	case !g.terms.rules.moves(rulebook.MoveGive):
		return nil, fmt.Errorf("the rulebook does not let money be set aside and given")
	case p == nil || down(p.Aside) < give.AmountCents:
		return nil, fmt.Errorf("it gives %v to winners of %d spots, which was not set aside", give.AmountCents,
			give.Spots)
	}
	var stakes money.Amount
	for _, win := range g.settled.base.wins {
		if win.spots == give.Spots {
			stakes += win.stake
		}
	}
	if stakes != give.StakesCents {
		return nil, fmt.Errorf("it gives to stakes of %v, and the winners of %d spots staked %v", give.StakesCents,
			give.Spots, stakes)
	}
	g.settled.given = append(g.settled.given, give)
	return &give, nil
}

// drawPrimary takes the primary that was won out of its pool and makes the pool
// ready for the next game: what sharing leaves stays in it, the secondary opens it
// (tas-keno-2023 7.4(f), (g)), the operator brings it to its reset value
// (casino-keno-div2 5.6), and the next lot of a closed system comes in
// (tas-keno-2023 7.7(d)). A loan that the winners took is still owed (reading
// seed-survives-a-win).
func (w *grader) drawPrimary(p *pool, size *wonSize, a record.Award, paid money.Amount, ordinal uint32,
	result *jackpotResult) error {
	_, growth, err := size.elsewhereStakes()
	if err != nil {
		return err
	}
	// What belongs to the winners here is shared among them, and what that leaves
	// stays; all else is for the others, with whom what they bring is settled too.
	here, err := share(a, size.stakes)
	if err != nil {
		return err
	}
	result.due = append(result.due, ledger.Credit(ledger.Jurisdictions, 0, a.AmountCents-here-growth))
	taken, err := exactOf(down(size.primary) - (here - paid))
	if err != nil {
		return err
	}
	p.Primary -= taken
	p.Seeded, p.came = 0, 0
	r := w.terms.rules
	if r.jackpots.SecondaryOpensNext {
		opens := p.Secondary
		p.Secondary = 0
		p.put(ordinal+1, opens)
	}
	if file := r.pool(size.spots); file != nil && file.Reset != nil {
		reset, err := exactOf(file.Reset.Amount())
		if err != nil {
			return err
		}
		p.put(ordinal+1, reset)
		result.due = append(result.due, ledger.Debit(ledger.Operator, 0, file.Reset.Amount()))
	}
	if r.migration != nil && r.migration.Into == int(size.spots) {
		lot, err := exactOf(r.migration.Lot.Amount())
		if err != nil {
			return err
		}
		p.takeLot(lot, ordinal+1)
	}
	return nil
}

// check compares what the record says of jackpots with what they came to.
func (r *jackpotResult) check(s *series, b *record.GameSettled, wins []jackpotWin) error {
	if err := checkWins(b.JackpotWins, wins); err != nil {
		return err
	}
	if stated, due := inOrder(b.Awards), inOrder(r.awards); !slices.Equal(stated, due) {
		return sentence("its winners of jackpots share %v, and %v is right", stated, due)
	}
	stated := make(map[uint8]bool)
	for _, got := range b.Pools {
		p := s.pools[got.Spots]
		if p == nil {
			return fmt.Errorf("it states a pool of %d spots, which was never opened", got.Spots)
		}
		if p.Pool != got {
			return fmt.Errorf("it leaves %s, and %s is right", describe(got), describe(p.Pool))
		}
		stated[got.Spots] = true
	}
	for spots := range r.changed {
		if !stated[spots] {
			return fmt.Errorf("it does not state the pool of %d spots, which it changes", spots)
		}
	}
	return nil
}

// inOrder returns the awards by size and part, without those of nothing.
func inOrder(list []record.Award) []record.Award {
	sorted := slices.SortedFunc(slices.Values(list), func(a, b record.Award) int {
		return cmp.Or(cmp.Compare(a.Spots, b.Spots), cmp.Compare(a.Part, b.Part),
			cmp.Compare(a.AmountCents, b.AmountCents))
	})
	return slices.DeleteFunc(sorted, func(a record.Award) bool { return a.AmountCents == 0 })
}
