package engine_test

import (
	"slices"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/decide/state"
	"drawhouse/games/jackpot"
	"drawhouse/games/settle"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
)

// counted is what a house has at a moment: the balances of its accounts, what is owed
// to somebody as a positive number, and the jackpots to the last part of a cent.
type counted struct {
	accounts map[ledger.Account]money.Amount
	pools    []jackpot.Pool
}

// count counts.
func (d *randomDays) count() counted {
	c := counted{accounts: map[ledger.Account]money.Amount{}, pools: slices.Clone(d.series().Pools())}
	for _, a := range ledger.Accounts() {
		c.accounts[a] = -d.core.Engine.State().Balances().Of(a)
	}
	return c
}

// since returns by how much an account has grown.
func (c counted) since(before counted, a ledger.Account) money.Amount {
	return c.accounts[a] - before.accounts[a]
}

// isIn reports whether a ticket plays a game.
func (t *bought) isIn(ordinal uint32) bool { return t.play.First <= ordinal && ordinal <= t.last }

// sides returns what the features of a way cost in a game of its ticket, counted
// from 0.
func sides(w *settle.Way, at uint32) (sum money.Amount) {
	for _, side := range []settle.Side{w.Multiplier, w.LuckyLast} {
		if at < uint32(side.Games) {
			sum += side.Stake
		}
	}
	return sum
}

// stakesIn returns what a ticket stakes in a game: what it paid, or what it has won
// and let run.
func (d *randomDays) stakesIn(t *bought, ordinal uint32) (sum money.Amount) {
	runs := false
	for i := range t.play.Ways {
		w := &t.play.Ways[i]
		if !w.Run || ordinal == t.play.First {
			sum += w.Stake + sides(w, ordinal-t.play.First)
		}
		runs = runs || w.Run
	}
	if runs && ordinal > t.play.First {
		sum += d.prizeIn(&t.play, ordinal-1).Carried
	}
	return sum
}

// costAfter returns what a ticket has paid for the games after one, and what it has
// running into them.
func (d *randomDays) costAfter(t *bought, kept uint32) (refund, carried money.Amount) {
	for i := range t.play.Ways {
		w := &t.play.Ways[i]
		for ordinal := kept + 1; ordinal <= t.last; ordinal++ {
			if !w.Run || ordinal == t.play.First {
				refund += w.Stake + sides(w, ordinal-t.play.First)
			}
		}
		if w.Run && kept >= t.play.First {
			alone := t.play
			alone.Ways = t.play.Ways[i : i+1]
			carried += d.prizeIn(&alone, kept).Carried
		}
	}
	return refund, carried
}

// checkClose holds a closed game against the tickets that were sold: its stakes are
// theirs, and the jackpots get their percentages of those that enter them.
func (d *randomDays) checkClose(ordinal uint32, before counted) {
	d.t.Helper()
	g, _ := d.series().Game(ordinal)
	terms, err := d.core.Engine.State().TermsOf(g)
	d.must(err)
	var stakes, carried money.Amount
	var plays uint64
	entered := map[uint8]money.Amount{}
	for _, t := range d.running {
		if !t.isIn(ordinal) {
			continue
		}
		in := d.stakesIn(t, ordinal)
		stakes += in
		if in > 0 {
			plays++
		}
		for i := range t.play.Ways {
			if w := &t.play.Ways[i]; w.Spots.IsValid() && terms.Jackpots().Enters(w.Bet, w.Spots.Len()) {
				entered[uint8(w.Spots.Len())] += w.Stake
			}
		}
	}
	if g.Closed.StakesCents != stakes || g.Closed.Plays != plays {
		d.t.Fatalf("game %d closes with %d plays of %v; the tickets have %d of %v", ordinal, g.Closed.Plays,
			g.Closed.StakesCents, plays, stakes)
	}
	after := d.count()
	if got := before.accounts[ledger.Unplayed] - after.accounts[ledger.Unplayed]; got != stakes-carried {
		d.t.Errorf("game %d takes %v of what is unplayed, and has stakes of %v", ordinal, got, stakes)
	}
	least, err := money.MulDiv(stakes, int64(d.book.PrizeFund().Least), 100_00, money.Ceil)
	d.must(err)
	if got := after.since(before, ledger.Retained); got != stakes-least {
		d.t.Errorf("of %v the operator retains %v, and the players get less than their part", stakes, got)
	}
	for i, pool := range before.pools {
		rate := g.Rates[i]
		whole := jackpot.Exact(entered[pool.Spots]) * jackpot.Exact(rate.Primary+rate.Secondary+rate.Seed)
		grown := after.pools[i].Primary - pool.Primary + after.pools[i].Secondary - pool.Secondary +
			pool.Owed - after.pools[i].Owed
		if grown != whole {
			d.t.Errorf("game %d: stakes of %v bring the jackpot of %d spots %v, want %v", ordinal, entered[pool.Spots],
				pool.Spots, grown, whole)
		}
		d.seeded[pool.Spots] = after.pools[i].Owed > 0
	}
}

// checkSettled holds a settled game against its tickets, the ledger and the pools.
func (d *randomDays) checkSettled(ordinal uint32, before counted) {
	d.t.Helper()
	current := d.series()
	g, _ := current.Game(ordinal)
	settled, err := d.core.Engine.State().SettledIn(current, g)
	d.must(err)
	d.settled[ordinal] = settled
	prizes, carried := d.checkPrizes(ordinal)
	after := d.count()
	stakes := g.Closed.StakesCents
	if got := after.since(before, ledger.Prizes); got != prizes || g.Settled.PrizesCents != prizes {
		d.t.Errorf("game %d owes %v more and says %v; its tickets have won %v", ordinal, got, g.Settled.PrizesCents, prizes)
	}
	if got := after.since(before, ledger.Unplayed); got != carried-stakes {
		d.t.Errorf("game %d changes what is unplayed by %v; stakes of %v, %v runs on", ordinal, got, stakes, carried)
	}
	// What the players staked is what they won, what the jackpots, the prize fund and
	// the bonus pool grew by, what rounding kept, and what the operator retains, less
	// what the operator puts into the jackpots.
	sum := carried
	for _, a := range ledger.Accounts() {
		if a != ledger.Unplayed && a != ledger.Cash {
			sum += after.since(before, a)
		}
	}
	if sum != stakes {
		d.t.Errorf("game %d takes %v in and accounts for %v", ordinal, stakes, sum)
	}
	if got := after.since(before, ledger.Breakage); got < 0 || got != g.Settled.BreakageCents {
		d.t.Errorf("game %d: rounding kept %v, and the record says %v", ordinal, got, g.Settled.BreakageCents)
	}
	d.must(cases.CheckBooks(d.core.Engine.State()))
	d.checkPools(g, before, after, g.Settled.Awards)
	d.note(g)
}

// checkPrizes computes every prize of a game anew and holds the winners files against
// them.
func (d *randomDays) checkPrizes(ordinal uint32) (prizes, carried money.Amount) {
	d.t.Helper()
	listed := d.winners(ordinal)
	for _, t := range d.tickets {
		if !t.isIn(ordinal) {
			continue
		}
		prize := d.prizeIn(&t.play, ordinal)
		if listed[t.Place] != prize.Payable {
			d.t.Errorf("game %d: ticket %v (%s) is listed with %v and wins %v", ordinal, t.Place, t.kind, listed[t.Place],
				prize.Payable)
		}
		delete(listed, t.Place)
		prizes += prize.Payable
		carried += prize.Carried
	}
	for place, cents := range listed {
		d.t.Errorf("game %d: ticket %v is listed with %v and does not play", ordinal, place, cents)
	}
	return prizes, carried
}

// checkPools: a jackpot is what it was, with its contributions, less what was paid
// from it, to the last part of a cent. What sharing leaves of a fill stays in it, and
// where a pool that was won begins anew with the operator's money, that is added to
// what sharing has left.
func (d *randomDays) checkPools(g *state.Game, before, after counted, awards []record.Award) {
	d.t.Helper()
	policy, _ := d.book.Jackpots()
	for i, pool := range before.pools {
		paid, left := d.paidFrom(g, pool.Spots, awards)
		want := pool.Primary + pool.Secondary - paid + left
		for _, c := range g.Closed.Contributions {
			if c.Spots == pool.Spots {
				want += jackpot.Exact(c.Primary + c.Secondary)
			}
		}
		if reset := policy.Pools[i].Reset; reset != nil && paid > 0 {
			exact, err := jackpot.ExactOf(reset.Amount())
			d.must(err)
			want += exact
		}
		if got := after.pools[i].Primary + after.pools[i].Secondary; got != want {
			d.t.Errorf("game %d: the jackpot of %d spots is %v after it, want %v", g.Ordinal, pool.Spots, got, want)
		}
	}
}

// checkOthers holds what others have put into the jackpots, or taken from them,
// against what the ledger has of them. The ledger has whole cents, so that a part of
// one may be between them for each pool.
func (d *randomDays) checkOthers(g *state.Game, put jackpot.Exact, owed money.Amount) {
	d.t.Helper()
	pools := money.Amount(len(d.series().Pools()))
	if diff := put.Cents() + owed; diff < -pools || diff > pools {
		d.t.Errorf("game %d: others have put %v into the jackpots, and the ledger has %v of them", g.Ordinal, put, -owed)
	}
}

// paidFrom returns what the winners here were paid from a pool, and what is left of
// a fill that they shared.
func (d *randomDays) paidFrom(g *state.Game, spots uint8, awards []record.Award) (paid, left jackpot.Exact) {
	d.t.Helper()
	exact := func(a money.Amount) jackpot.Exact {
		e, err := jackpot.ExactOf(a)
		d.must(err)
		return e
	}
	for _, a := range awards {
		if a.Spots != spots || a.Part != record.PartPool && a.Part != record.PartFill {
			continue
		}
		var shares jackpot.Exact
		for _, w := range g.Settled.JackpotWins {
			if w.Spots == spots {
				share, err := money.MulDiv(a.AmountCents, w.StakeCents.Cents(), a.StakesCents.Cents(), money.Floor)
				d.must(err)
				shares += exact(share)
			}
		}
		if a.Part == record.PartPool {
			paid += shares
		} else {
			left += exact(a.AmountCents) - shares
		}
	}
	return paid, left
}

// checkShared holds a game whose pooled jackpots were shared against its tickets.
func (d *randomDays) checkShared(ordinal uint32, before counted) {
	d.t.Helper()
	current := d.series()
	g, _ := current.Game(ordinal)
	settled, err := d.core.Engine.State().SettledIn(current, g)
	d.must(err)
	d.settled[ordinal] = settled
	prizes, _ := d.checkPrizes(ordinal)
	if g.Settled.PrizesCents != prizes {
		d.t.Errorf("game %d comes to %v after it was shared; its tickets have won %v", ordinal, g.Settled.PrizesCents, prizes)
	}
	after := d.count()
	var sum money.Amount
	for _, a := range ledger.Accounts() {
		sum += after.since(before, a)
	}
	if sum != 0 {
		d.t.Errorf("sharing the jackpots of game %d makes %v out of nothing", ordinal, sum)
	}
	var others jackpot.Exact
	for i, pool := range before.pools {
		paid, _ := d.paidFrom(g, pool.Spots, g.Settled.Awards)
		others += after.pools[i].Primary - pool.Primary + paid
	}
	d.checkOthers(g, others, after.since(before, ledger.Jurisdictions))
	d.must(cases.CheckBooks(d.core.Engine.State()))
}

// checkEnd holds what is owed at the end against the tickets.
func (d *randomDays) checkEnd() {
	d.t.Helper()
	var unplayed, unpaid money.Amount
	for _, t := range d.tickets {
		for ordinal := t.play.First; ordinal <= t.last; ordinal++ {
			if _, ok := d.settled[ordinal]; ok {
				unpaid += d.prizeIn(&t.play, ordinal).Payable
			}
		}
		unpaid -= t.paid
		refund, carried := d.costAfter(t, max(min(d.series().Open.Closed(), t.last), t.play.First-1))
		if t.last > d.series().Open.Closed() {
			unplayed += refund + carried
		}
	}
	now := d.count()
	if now.accounts[ledger.Unplayed] != unplayed || now.accounts[ledger.Prizes] != unpaid {
		d.t.Errorf("%v is unplayed and %v unpaid; the tickets have %v and %v", now.accounts[ledger.Unplayed],
			now.accounts[ledger.Prizes], unplayed, unpaid)
	}
}

// note counts for the coverage what the ways of a game were.
func (d *randomDays) note(g *state.Game) {
	d.t.Helper()
	terms := d.settled[g.Ordinal].Terms
	won := map[record.Place]map[uint32]record.JackpotWin{}
	count := map[uint8]int{}
	for _, w := range g.Settled.JackpotWins {
		if won[w.Ticket] == nil {
			won[w.Ticket] = map[uint32]record.JackpotWin{}
		}
		won[w.Ticket][w.Way] = w
		count[w.Spots]++
	}
	for _, t := range d.running {
		if !t.isIn(g.Ordinal) {
			continue
		}
		for i := range t.play.Ways {
			w := &t.play.Ways[i]
			is := [dimensions][]string{byBet: {t.kind}, byFeature: {featureIn(w, g.Ordinal-t.play.First)},
				byJackpot: {"outside"}}
			if w.Spots.IsValid() && terms.Jackpots().Enters(w.Bet, w.Spots.Len()) {
				is[byJackpot] = []string{"entered"}
			}
			if win, ok := won[t.Place][uint32(i)]; ok {
				is[byJackpot] = d.situation(g, win, count[win.Spots])
			}
			is[byProrating] = d.prorating(t, i, g)
			d.cover.add(is)
		}
	}
}

// featureIn returns the features that are in force in a game of a ticket, counted
// from 0.
func featureIn(w *settle.Way, at uint32) string {
	multiplied := w.Multiplier.Stake > 0 && at < uint32(w.Multiplier.Games)
	last := w.LuckyLast.Stake > 0 && at < uint32(w.LuckyLast.Games)
	switch {
	case multiplied && last:
		return "both"
	case multiplied:
		return "multiplier"
	case last:
		return "lucky_last"
	}
	return "none"
}

// situation returns how a jackpot was won.
func (d *randomDays) situation(g *state.Game, win record.JackpotWin, winners int) []string {
	is := []string{"sole"}
	if winners > 1 {
		is = []string{"shared"}
	}
	if len(g.Participants) > 0 {
		is = append(is, "pooled")
	}
	if win.Bonus && g.Settled.Multiplier >= 2 {
		is = append(is, "bonus")
	}
	if d.seeded[win.Spots] {
		is = append(is, "seeded")
	}
	return is
}

// prorating returns what pro-rating did to the prize of a way, nothing if there was
// none.
func (d *randomDays) prorating(t *bought, way int, g *state.Game) []string {
	d.t.Helper()
	alone := t.play
	alone.Ways = t.play.Ways[way : way+1]
	with := d.prizeIn(&alone, g.Ordinal)
	if with.Payable+with.Carried == 0 {
		return nil
	}
	game := d.settled[g.Ordinal]
	if len(game.Reductions) == 0 {
		return []string{"uncapped"}
	}
	whole := game
	whole.Reductions = nil
	d.settled[g.Ordinal] = whole
	without := d.prizeIn(&alone, g.Ordinal)
	d.settled[g.Ordinal] = game
	if with == without {
		return []string{"spared"}
	}
	return []string{"reduced"}
}
