package verify

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// What becomes of the entries of a game without a result, as a rulebook names it.
const (
	fateCarry  = "carry"  // they are played along with the next game
	fateRefund = "refund" // their stakes go back
)

// A closing is what the close of a game did with its stakes, so that it can be
// undone.
type closing struct {
	fund          money.Amount // the part of the prize fund
	contributions []record.Contribution
	bonus         record.Exact // to the bonus prize pool
}

// A refund is what goes back to the holder of a ticket for a void game.
type refund struct {
	seq   uint64
	claim record.Hash
	cents money.Amount
	by    uint64 // as in winner
}

// gameVoided checks the end of a game without a result: that the rulebook's fate was
// met by its entries, and what they get back. Whether there was cause for it is for
// people to say, who have given a reason and an approval (casino-keno-div2 11.6;
// vic-keno-2015 and tas-keno-2023, reading unfinished-game).
func (c *checker) gameVoided(b *record.GameVoided) (postings, error) {
	s, g, err := c.voiding(b)
	if err != nil {
		return nil, err
	}
	deferred, err := s.fateOf(g)
	if err != nil {
		return nil, err
	}
	if chosen := c.people.endsDay() && c.level >= record.LevelGuarded; chosen {
		if !slices.Contains(g.terms.rules.unfinished, fateCarry) {
			return nil, fault(CheckGames, "two persons chose that stakes go back, and the rulebook has no choice")
		}
		if deferred {
			s.ends, s.endedBy = true, *b
		}
		deferred = false
	}
	if b.Deferred != deferred {
		return nil, fault(CheckGames, "it says that its plays are played along with the next game: %v, and %v is right",
			b.Deferred, deferred)
	}
	out := &outcome{}
	if deferred {
		err = s.putOff(g)
	} else {
		out, err = s.sendBack(g, c.level >= record.LevelGuarded)
	}
	if err != nil {
		return nil, fault(CheckGames, "%v", err)
	}
	if err := c.checkCarried(g, out); err != nil {
		return nil, err
	}
	if err := c.checkVoided(b, s, g, out); err != nil {
		return nil, err
	}
	var due postings
	if !deferred {
		if due, err = s.undo(b, g); err != nil {
			return nil, err
		}
	}
	g.setWinners(out.winners)
	g.stage, g.endedAt = stageVoid, c.ended()
	g.figures = bookFigures{Void: true, Prizes: b.PrizesCents, Carried: b.CarriedCents,
		Back: b.RefundCents + b.PrizesCents + b.CarriedCents}
	s.carryOn(g, out.carried)
	s.forget(g.ordinal)
	s.tickets.dropSettled(g.ordinal)
	c.report.GamesVoided++
	c.report.PrizesCents += b.PrizesCents
	c.report.CarriedCents += b.CarriedCents
	return due, nil
}

// voiding returns a game that may be made void: it has closed, and does not have all
// its numbers, with which its result would stand (casino-keno-div2 11.7).
func (c *checker) voiding(b *record.GameVoided) (*series, *game, error) {
	s := c.series[b.Game.Series]
	if s == nil || s.byName[b.Game] == nil {
		return nil, nil, fault(CheckGames, "game %v was never opened", b.Game)
	}
	g := s.byName[b.Game]
	switch {
	case g.stage != stageClosed && g.stage != stageSealed:
		return nil, nil, fault(CheckGames, "game %v is made void, and is %v", g.name, g.stage)
	case len(g.numbers) == g.terms.rules.draw:
		return nil, nil, fault(CheckGames, "game %v is made void, and has its %d numbers", g.name, len(g.numbers))
	case b.Draw != g.draw():
		return nil, nil, fault(CheckGames,
			"it says that draw %d of game %v would have counted, and it was %d", b.Draw, g.name, g.draw())
	case g.ordinal > 1 && !s.games[g.ordinal-2].stage.over():
		return nil, nil, fault(CheckGames, "game %v is made void before game %v, which is %v", g.name,
			s.games[g.ordinal-2].name, s.games[g.ordinal-2].stage)
	}
	if err := s.cage.checkVoid(g, true); err != nil {
		return nil, nil, err
	}
	if err := c.checkStandsByLinks(g, b.Clause, true); err != nil {
		return nil, nil, err
	}
	return s, g, nil
}

// checkEnds checks that nothing more is sold, opened or drawn on a Keno Day of which two
// persons have said that no further game is possible: stakes went back because of that
// (casino-keno-div2 11.6, reading no-further-game).
func (s *series) checkEnds(check Check) error {
	if s != nil && s.ends {
		return fault(check, "no further game of day %v is possible, as two persons have said", s.day)
	}
	return nil
}

// endsLast reports whether a void is that of the game which was on sale when two persons said
// that no further game of the Keno Day is possible. They have agreed to that with the same
// words, and nobody agrees to it again.
func (s *series) endsLast(b *record.GameVoided) bool {
	said := &s.endedBy
	return s.ends && b.Game != said.Game && b.Approval == said.Approval && b.Reason == said.Reason &&
		b.Clause == said.Clause
}

// fateOf returns whether the plays of a void game are played along with the next:
// the first fate of the rulebook that can be. The next game must be of the same Keno
// Day, and on sale (casino-keno-div2 11.6).
func (s *series) fateOf(g *game) (deferred bool, err error) {
	for _, fate := range g.terms.rules.unfinished {
		switch fate {
		case fateRefund:
			return false, nil
		case fateCarry:
			if last := s.last(); last.ordinal == g.ordinal+1 && last.stage == stageOpen && last.name.Day == g.name.Day {
				return true, nil
			}
		}
	}
	return false, fault(CheckGames, "the rulebook does not say what becomes of the entries of game %v", g.name)
}

// putOff keeps the plays of a void game for the next one.
func (s *series) putOff(g *game) error {
	for t := range s.tickets.all() {
		if !t.plays(g.ordinal) {
			continue
		}
		if t.runs() {
			return fmt.Errorf("a prize of ticket %v may run on, and no rule says how it is played along",
				placeOf(t.seq))
		}
		g.waits = append(g.waits, *t)
	}
	s.deferred = append(slices.Clone(g.along), g)
	return nil
}

// sendBack works out what the tickets of a void game, and of those that were played
// along with it, get back. A call that runs is neither right nor wrong in a void game:
// its amount goes on to the next one, or is due (vic-keno-2015, reading
// let-it-run-void-game). What ran through void games alone is a stake still.
func (s *series) sendBack(g *game, guarded bool) (*outcome, error) {
	out := &outcome{}
	err := s.eachPlay(g, func(t *ticket, as *game) error {
		return g.sendBackTicket(t, as, guarded && s.unwon(t, as.ordinal), out)
	})
	if err != nil {
		return nil, err
	}
	// What was played along went back with this game, and so it is one sum.
	slices.SortStableFunc(g.refunds, func(a, b refund) int { return cmp.Compare(a.seq, b.seq) })
	joined := g.refunds[:0]
	for _, r := range g.refunds {
		if n := len(joined); n > 0 && joined[n-1].seq == r.seq {
			joined[n-1].cents += r.cents
			continue
		}
		joined = append(joined, r)
	}
	g.refunds = joined
	return out, nil
}

// unwon reports whether all games of a ticket before an ordinal are void, so that nothing of
// it has won.
func (s *series) unwon(t *ticket, ordinal uint32) bool {
	for _, before := range s.games[t.first-1 : ordinal-1] {
		if before.stage != stageVoid {
			return false
		}
	}
	return true
}

// sendBackTicket adds what a ticket gets back as of a game. Unwon says that what runs has
// won nothing.
func (g *game) sendBackTicket(t *ticket, as *game, unwon bool, out *outcome) error {
	index := as.ordinal - t.first
	bets := t.all()
	var back, due money.Amount
	run := uint8(0)
	for k := range bets {
		b := &bets[k]
		_, staked := b.inGame(index)
		runs := b.has(fieldRun)
		switch amount := staked.total(); {
		case runs && amount > 0 && as.ordinal < t.last:
			out.carried = append(out.carried,
				carry{record.Carried{Ticket: placeOf(t.seq), Run: run, Cents: amount}, b, index + 1})
		case runs && index > 0 && !unwon:
			due += amount
		case runs && index > 0:
			back += amount
			out.unwon += amount
		default:
			back += amount
		}
		if runs {
			run++
		}
	}
	if back > 0 {
		g.refunds = append(g.refunds, refund{seq: t.seq, claim: t.claim, cents: back})
	}
	if due > 0 {
		return out.add(winner{seq: t.seq, claim: t.claim, cents: due, ways: 1})
	}
	return nil
}

// checkVoided compares what the record states with what its entries get.
func (c *checker) checkVoided(b *record.GameVoided, s *series, g *game, out *outcome) error {
	back := g.unrefunded()
	var carried money.Amount
	for _, on := range out.carried {
		carried += on.Cents
	}
	for _, figure := range []struct {
		name        string
		stated, due any
	}{
		{"to go back", b.RefundCents, back},
		{"of prizes that ran on and are due", b.PrizesCents, out.prizes},
		{"winning plays", b.Winners, uint64(len(out.winners))},
		{"of stakes that have run through void games alone", b.UnwonCents, out.unwon},
		{"carried", b.CarriedCents, carried},
		{"ways carried", b.CarriedWays, uint64(len(out.carried))},
	} {
		if figure.stated != figure.due {
			return fault(CheckGames, "%v",
				differs(figure.name, figure.stated, figure.due,
					"it states %v %s, and the game came to %v", figure.stated, figure.name, figure.due))
		}
	}
	name := WinnersFile(s.id, g.ordinal, 1)
	data, err := readWhole(c.src, name, maxWinnersFile)
	if err != nil {
		return fault(CheckGames, "%v", err)
	}
	if sha256.Sum256(data) != b.WinnersHash {
		return fault(CheckGames, "%s does not have the hash that the record states", name)
	}
	file := &record.GameSettled{Game: b.Game, Revision: 1}
	if err := compareWinners(data, g, file, out.winners); err != nil {
		return fault(CheckGames, "%s: %v", name, err)
	}
	return nil
}

// undo takes back what the closes of games did whose stakes go back: the operator's
// part, the jackpots' and the bonus prize pool's (casino-keno-div2, reading
// carried-wager-contribution; tas-keno-2023, reading unfinished-game). The rest comes
// out of the prize fund.
func (s *series) undo(b *record.GameVoided, g *game) (postings, error) {
	due := postings{ledger.Credit(ledger.Refunds, 0, b.RefundCents), ledger.Credit(ledger.Prizes, 0, b.PrizesCents),
		ledger.Credit(ledger.Unplayed, 0, b.CarriedCents)}
	was := map[uint8]record.Pool{}
	var bonus record.Exact
	for _, closed := range append(slices.Clone(g.along), g) {
		closed.waits = nil
		due = append(due, ledger.Debit(ledger.Retained, 0, closed.stakes.total()-closed.closing.fund))
		for _, c := range closed.closing.contributions {
			p := s.pools[c.Spots]
			if _, ok := was[c.Spots]; !ok {
				was[c.Spots] = p.Pool
			}
			if err := p.takeBack(closed.ordinal, c); err != nil {
				return nil, fault(CheckJackpots, "%v", err)
			}
		}
		bonus += closed.closing.bonus
	}
	for _, spots := range s.sizes {
		if before, ok := was[spots]; ok {
			now := s.pools[spots].Pool
			due = append(due, moved(s.id, before, now)...)
			due = append(due, ledger.Credit(ledger.Operator, 0, up(before.Owed)-up(now.Owed)))
		}
	}
	if err := s.checkPools(b.Pools, was); err != nil {
		return nil, fault(CheckJackpots, "%v", err)
	}
	if b.BonusPool != bonus || bonus > s.bonusPool {
		return nil, fault(CheckPromotions,
			"it takes %d parts of a cent back from the bonus prize pool, which holds %d, and %d is right", b.BonusPool,
			s.bonusPool, bonus)
	}
	due = append(due, ledger.Credit(ledger.BonusPool, 0, down(s.bonusPool-bonus)-down(s.bonusPool)))
	s.bonusPool -= bonus
	return balanced(due, ledger.PrizeFund), nil
}

// takeBack undoes a contribution, as if the game had made none.
func (p *pool) takeBack(ordinal uint32, c record.Contribution) error {
	p.put(ordinal, -c.Primary)
	p.Secondary -= c.Secondary
	p.Owed += c.Repaid
	p.Seeded += c.Unseeded
	return p.bounded()
}

// checkPools compares the pools that a record states with those that it changes. One
// that it leaves as it was may be stated as well.
func (s *series) checkPools(stated []record.Pool, was map[uint8]record.Pool) error {
	for _, got := range stated {
		p := s.pools[got.Spots]
		if p == nil {
			return fmt.Errorf("it states a pool of %d spots, which was never opened", got.Spots)
		}
		if p.Pool != got {
			return fmt.Errorf("it leaves %s, and %s is right", describe(got), describe(p.Pool))
		}
	}
	for spots, before := range was {
		if s.pools[spots].Pool != before && !slices.ContainsFunc(stated,
			func(p record.Pool) bool { return p.Spots == spots }) {
			return fmt.Errorf("it does not state the pool of %d spots, which it changes", spots)
		}
	}
	return nil
}

// playAlong checks which void games a close says are played along with its game: all
// that were put off.
func (s *series) playAlong(g *game, b *record.GameClosed) error {
	var ordinals []uint32
	var plays, ways uint64
	var stakes money.Amount
	for _, before := range s.deferred {
		ordinals = append(ordinals, before.ordinal)
		plays += before.plays
		ways += before.ways
		stakes += before.stakes.total()
	}
	if !slices.Equal(b.Deferred, ordinals) {
		return fmt.Errorf("it plays along the games %d of the series, and %d were put off", b.Deferred, ordinals)
	}
	if b.DeferredPlays != plays || b.DeferredWays != ways || b.DeferredStakesCents != stakes {
		return fmt.Errorf("it plays along %d plays of %d ways for %v, and put off were %d plays of %d ways for %v",
			b.DeferredPlays, b.DeferredWays, b.DeferredStakesCents, plays, ways, stakes)
	}
	g.along, s.deferred = s.deferred, nil
	return nil
}

// playsAlong counts what is played along with a game.
func (g *game) playsAlong() (plays, ways uint64, stakes money.Amount) {
	for _, before := range g.along {
		plays += before.plays
		ways += before.ways
		stakes += before.stakes.total()
	}
	return plays, ways, stakes
}

// eachPlay calls do for every ticket that plays in a game, and for those that are
// played along once more for each of their void games, with the game as of which they
// play.
func (s *series) eachPlay(g *game, do func(t *ticket, as *game) error) error {
	for t := range s.tickets.all() {
		if t.plays(g.ordinal) {
			if err := do(t, g); err != nil {
				return err
			}
		}
	}
	for _, before := range g.along {
		for i := range before.waits {
			if err := do(&before.waits[i], before); err != nil {
				return err
			}
		}
	}
	return nil
}

// refundOf returns what goes back to a ticket for a game, or nil.
func (g *game) refundOf(seq uint64) *refund {
	i, found := slices.BinarySearchFunc(g.refunds, seq, func(r refund, seq uint64) int { return cmp.Compare(r.seq, seq) })
	if !found {
		return nil
	}
	return &g.refunds[i]
}

// unrefunded adds up the stakes of the void game that were not paid back.
func (g *game) unrefunded() money.Amount {
	var sum money.Amount
	for _, r := range g.refunds {
		if r.by == 0 {
			sum += r.cents
		}
	}
	return sum
}
