package state

import (
	"cmp"
	"slices"

	"drawhouse/core/money"
	"drawhouse/games/jackpot"
	"drawhouse/journal/record"
)

// Pools returns the jackpots of the series, ascending by spots. The caller must
// not change them.
func (s *Series) Pools() []jackpot.Pool { return s.pools }

// Pool returns the jackpot of one number of spots.
func (s *Series) Pool(spots uint8) (jackpot.Pool, bool) {
	i, ok := s.findPool(spots)
	if !ok {
		return jackpot.Pool{}, false
	}
	return s.pools[i], true
}

func (s *Series) findPool(spots uint8) (int, bool) {
	return slices.BinarySearchFunc(s.pools, spots,
		func(p jackpot.Pool, spots uint8) int { return cmp.Compare(p.Spots, spots) })
}

func (s *State) openPool(b *record.PoolOpened) error {
	series, ok := s.series[b.Series]
	if !ok {
		return cannot("series %d does not exist", b.Series)
	}
	i, ok := series.findPool(b.Pool.Spots)
	if ok {
		return cannot("a jackpot of %d spots begins twice", b.Pool.Spots)
	}
	series.pools = slices.Insert(series.pools, i, poolOf(b.Series, b.Pool))
	return series.pools[i].Check()
}

func (s *State) movePool(b *record.PoolMoved) error {
	series, ok := s.series[b.Series]
	if !ok {
		return cannot("series %d does not exist", b.Series)
	}
	if closed, ok := s.series[b.ClosedSeries]; ok {
		if err := closed.setPools(b.Closed); err != nil {
			return err
		}
		closed.lots = lots{}
	} else if b.ClosedSeries != 0 {
		return cannot("series %d does not exist", b.ClosedSeries)
	}
	if b.ClosedSeries != 0 {
		return series.takeLots(b.Pools)
	}
	return series.setPools(b.Pools)
}

// lots is what came into a jackpot of the money of other systems since the jackpot was last won.
type lots struct {
	Spots uint8 // of the jackpot; 0 if nothing came
	Came  jackpot.Exact
}

// CameInLots returns how much of the money of other systems came into the primary of a size since it was last won.
func (s *Series) CameInLots(spots uint8) jackpot.Exact {
	if s.lots.Spots != spots {
		return 0
	}
	return s.lots.Came
}

// takeLots takes over a pool into which money of another system comes.
func (s *Series) takeLots(pools []record.Pool) error {
	for _, p := range pools {
		before, _ := s.Pool(p.Spots)
		s.lots = lots{p.Spots, s.CameInLots(p.Spots) + jackpot.Exact(p.Primary) - before.Primary}
	}
	return s.setPools(pools)
}

// winLots follows what a settlement does to the jackpot that takes money of other systems. If less waits now, the
// difference came after the win. Otherwise a new win has taken everything that came before it. The awards of the
// settlement before are in was, the new ones in is, and the pools after it in pools.
func (s *Series) winLots(was, is []record.Award, pools []record.Pool) {
	before, ok := s.Pool(s.lots.Spots)
	if !ok {
		return
	}
	won := func(a record.Award) bool { return a.Spots == s.lots.Spots && a.Part == record.PartPool }
	for _, p := range pools {
		if waits := jackpot.Exact(p.Waiting); p.Spots == s.lots.Spots && waits < before.Waiting {
			s.lots.Came = before.Waiting - waits
			return
		}
	}
	if slices.ContainsFunc(is, won) && !slices.ContainsFunc(was, won) {
		s.lots.Came = 0
	}
}

// takeInPools adds what the pools of a system outside held.
func (s *State) takeInPools(b *record.PoolsTakenIn) error {
	series, ok := s.series[b.Series]
	if !ok {
		return cannot("series %d does not exist", b.Series)
	}
	if err := series.takeBonus(-b.BonusCents); err != nil {
		return err
	}
	return series.takeLots(b.Pools)
}

// setPools takes over pools as a record states them.
func (s *Series) setPools(pools []record.Pool) error {
	for _, p := range pools {
		i, ok := s.findPool(p.Spots)
		if !ok {
			return cannot("there is no jackpot of %d spots", p.Spots)
		}
		s.pools[i] = poolOf(s.ID, p)
		if err := s.pools[i].Check(); err != nil {
			return err
		}
	}
	return nil
}

// contribute adds what the stakes of a game did to the jackpots.
func (s *Series) contribute(list []record.Contribution) error {
	for _, c := range list {
		i, ok := s.findPool(c.Spots)
		if !ok {
			return cannot("there is no jackpot of %d spots", c.Spots)
		}
		p := &s.pools[i]
		p.Primary += jackpot.Exact(c.Primary)
		p.Secondary += jackpot.Exact(c.Secondary)
		p.Owed -= jackpot.Exact(c.Repaid)
		p.Seeded -= jackpot.Exact(c.Unseeded)
		if err := p.Check(); err != nil {
			return err
		}
	}
	return nil
}

// poolOf returns a pool as a record states it.
func poolOf(series uint8, p record.Pool) jackpot.Pool {
	return jackpot.Pool{
		Series: series, Spots: p.Spots, Primary: jackpot.Exact(p.Primary), Secondary: jackpot.Exact(p.Secondary),
		Owed: jackpot.Exact(p.Owed), Seeded: jackpot.Exact(p.Seeded), Waiting: jackpot.Exact(p.Waiting),
		Aside: jackpot.Exact(p.Aside),
	}
}

// Awards returns the awards of a settlement in the form in which a prize is
// computed from them.
func Awards(settled *record.GameSettled) []jackpot.Award {
	awards := make([]jackpot.Award, len(settled.Awards))
	for i, a := range settled.Awards {
		awards[i] = jackpot.Award{Spots: a.Spots, Part: jackpot.Part(a.Part), Amount: a.AmountCents,
			Stakes: a.StakesCents}
	}
	return awards
}

func (s *State) nameParticipants(b *record.ParticipantsNamed) error {
	series, ok := s.series[b.Series]
	if !ok || uint64(b.From) <= uint64(series.Games()) {
		return cannot("participants from game %d of series %d", b.From, b.Series)
	}
	series.participants = append(series.participants, *b)
	return nil
}

// participantsIn returns who shares the jackpots in a game.
func (s *Series) participantsIn(ordinal uint32) []string {
	for _, p := range slices.Backward(s.participants) {
		if p.From <= ordinal {
			return p.Names
		}
	}
	return nil
}

// Pending is a game whose pooled jackpots wait for what others report.
type Pending struct {
	Ordinal uint32
	Pools   []jackpot.Pool // as they were at the draw, less what earlier games took since
	Reports []record.JurisdictionReported
}

// Pending returns the games whose pooled jackpots wait, oldest first. The caller
// must not change them.
func (s *Series) Pending() []Pending { return s.pending }

// SharesLater reports whether the jackpots of a game are shared after its
// settlement: others must report first, or an earlier game still waits for them, and
// what is in the pools may be theirs.
func (s *Series) SharesLater(g *Game) bool {
	return len(s.pools) > 0 && (len(g.Participants) > 0 || len(s.pending) > 0)
}

// Reported returns what has been reported for one number of spots.
func (p *Pending) Reported(spots uint8) []jackpot.Report {
	var reports []jackpot.Report
	for i := range p.Reports {
		if r := &p.Reports[i]; r.Spots == spots {
			reports = append(reports, jackpot.Report{Jurisdiction: r.Jurisdiction, Growth: r.GrowthCents,
				Stakes: r.StakesCents})
		}
	}
	return reports
}

// complete reports whether everybody has reported every jackpot.
func (p *Pending) complete(participants []string) bool {
	return len(p.Reports) == len(participants)*len(p.Pools)
}

// won reports whether somebody elsewhere has won.
func (p *Pending) won() bool {
	return slices.ContainsFunc(p.Reports, func(r record.JurisdictionReported) bool { return r.StakesCents > 0 })
}

func (s *State) report(b *record.JurisdictionReported) error {
	series, ok := s.series[b.Game.Series]
	if !ok {
		return cannot("series %d does not exist", b.Game.Series)
	}
	for i := range series.pending {
		p := &series.pending[i]
		game, _ := series.Game(p.Ordinal)
		if game.Ref != b.Game {
			continue
		}
		if !slices.Contains(game.Participants, b.Jurisdiction) ||
			!slices.ContainsFunc(p.Pools, func(pool jackpot.Pool) bool { return pool.Spots == b.Spots }) {
			return cannot("%s reports %d spots of game %v", b.Jurisdiction, b.Spots, b.Game)
		}
		if slices.ContainsFunc(p.Reports, func(r record.JurisdictionReported) bool {
			return r.Jurisdiction == b.Jurisdiction && r.Spots == b.Spots
		}) {
			return cannot("%s reports %d spots of game %v twice", b.Jurisdiction, b.Spots, b.Game)
		}
		p.Reports = append(p.Reports, *b)
		series.dropPending()
		return nil
	}
	return cannot("game %v waits for no report", b.Game)
}

// dropPending forgets the oldest games of which everything is known and nothing
// was won: there is nothing to share.
func (s *Series) dropPending() {
	for len(s.pending) > 0 {
		p := &s.pending[0]
		game, _ := s.Game(p.Ordinal)
		if !p.complete(game.Participants) || p.won() || len(game.Settled.JackpotWins) > 0 {
			return
		}
		s.pending = s.pending[1:]
	}
}

// share takes over the pools after a part of a jackpot was shared later. If it was
// what others had to report for, then what left the pools has left what is kept of
// them for later draws too.
func (s *Series) share(ordinal uint32, pools []record.Pool) error {
	if len(s.pending) == 0 || s.pending[0].Ordinal > ordinal {
		return s.setPools(pools)
	}
	if s.pending[0].Ordinal != ordinal {
		return cannot("the jackpots of game %d are not the next to be shared", ordinal)
	}
	for _, after := range pools {
		before, ok := s.Pool(after.Spots)
		if !ok {
			return cannot("there is no jackpot of %d spots", after.Spots)
		}
		taken := before.Primary - jackpot.Exact(after.Primary)
		for i := range s.pending[1:] {
			for k := range s.pending[1+i].Pools {
				if later := &s.pending[1+i].Pools[k]; later.Spots == after.Spots {
					later.Primary -= taken
				}
			}
		}
	}
	if err := s.setPools(pools); err != nil {
		return err
	}
	s.pending = s.pending[1:]
	s.dropPending()
	return nil
}

// reserve notes the stake of a ticket on outcomes that are bounded over all
// tickets, or with a negative stake gives it back.
func (s *Series) reserve(outcome string, first, last uint32, stake money.Amount) error {
	for ordinal := first; ordinal <= last; ordinal++ {
		outcomes := s.exposed[ordinal]
		if outcomes == nil {
			outcomes = map[string]money.Amount{}
			s.exposed[ordinal] = outcomes
		}
		sum, err := outcomes[outcome].Add(stake)
		if err != nil || sum < 0 {
			return cannot("%v on %s in game %d", sum, outcome, ordinal)
		}
		outcomes[outcome] = sum
	}
	return nil
}

// Exposed returns what all tickets together have put on an outcome of a game.
func (s *Series) Exposed(ordinal uint32, outcome string) money.Amount {
	return s.exposed[ordinal][outcome]
}
