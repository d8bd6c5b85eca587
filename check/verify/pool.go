package verify

import (
	"fmt"
	"slices"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// exactCent is a cent in the unit of jackpots. A percentage is stated in hundredths
// of a percent, so that of whole cents it is always a whole number of units.
const exactCent record.Exact = 10_000

func exactOf(cents money.Amount) (record.Exact, error) {
	product, err := cents.Mul(int64(exactCent))
	return record.Exact(product), err
}

// down and up are the whole cents just below and above a balance, which is never
// negative.
func down(x record.Exact) money.Amount { return money.Amount(x / exactCent) }
func up(x record.Exact) money.Amount   { return money.Amount((x + exactCent - 1) / exactCent) }

// A pool is the jackpot of one size of a series.
type pool struct {
	record.Pool
	// later are sums that came into the primary and count from a game on: the
	// contributions of games that are closed, and moves between games. A draw is for
	// the primary without what counts only for later ones.
	later []counted
	// came is what came in of the money of other systems since the jackpot was last won.
	came record.Exact
}

type counted struct {
	from uint32 // ordinal of the first game whose draw is for it
	sum  record.Exact
}

// at returns the primary that the draw of a game is for.
func (p *pool) at(ordinal uint32) record.Exact {
	sum := p.Primary
	for _, l := range p.later {
		if l.from > ordinal {
			sum -= l.sum
		}
	}
	return sum
}

// put adds to the primary what counts from a game on.
func (p *pool) put(from uint32, sum record.Exact) {
	p.Primary += sum
	if sum != 0 {
		p.later = append(p.later, counted{from, sum})
	}
}

// forget drops what counts for a game and all after it: no earlier draw is waiting.
func (p *pool) forget(ordinal uint32) {
	p.later = slices.DeleteFunc(p.later, func(l counted) bool { return l.from <= ordinal })
}

// moved returns what takes the books of a pool from one state to another. A balance
// is in the books rounded down, what the operator is owed rounded up, and the rest
// of a cent stays in the prize fund, which is the caller's to balance.
func moved(series uint8, was, is record.Pool) postings {
	unit := ledger.Pool(series, is.Spots)
	return postings{
		ledger.Credit(ledger.JackpotPrimary, unit, down(is.Primary)-down(was.Primary)),
		ledger.Credit(ledger.JackpotSecondary, unit, down(is.Secondary)-down(was.Secondary)),
		ledger.Credit(ledger.JackpotWaiting, unit, down(is.Waiting)-down(was.Waiting)),
		ledger.Credit(ledger.JackpotAside, unit, down(is.Aside)-down(was.Aside)),
	}
}

// balanced returns postings with one more, on an account that takes the rest.
func balanced(list postings, account ledger.Account) postings {
	var rest money.Amount
	for _, p := range list {
		rest += p.Cents
	}
	return append(list, ledger.Credit(account, 0, rest))
}

// poolOpened checks that a jackpot is one of the rulebook and begins once. What it
// holds is the operator's, who guarantees at least the reset value
// (casino-keno-div2 5.6).
func (c *checker) poolOpened(b *record.PoolOpened) (postings, error) {
	s := c.series[b.Series]
	if s == nil {
		return nil, fault(CheckJackpots, "series %d has not begun", b.Series)
	}
	file := s.termsAt(uint32(len(s.games)) + 1).rules.pool(b.Pool.Spots)
	switch {
	case file == nil:
		return nil, fault(CheckJackpots, "the rulebook has no jackpot of %d spots", b.Pool.Spots)
	case s.pools[b.Pool.Spots] != nil:
		return nil, fault(CheckJackpots, "the jackpot of %d spots has begun already", b.Pool.Spots)
	case b.Pool.Seeded > b.Pool.Owed || b.Pool.Seeded > b.Pool.Primary:
		return nil, fault(CheckJackpots, "more of a loan is in the primary than was lent or than it holds")
	case file.Reset != nil && down(b.Pool.Primary) < file.Reset.Amount():
		return nil, fault(CheckJackpots, "the jackpot begins with %v, and %v is guaranteed (%s)", down(b.Pool.Primary),
			file.Reset.Amount(), file.Clause)
	}
	p := &pool{Pool: b.Pool}
	if err := p.bounded(); err != nil {
		return nil, fault(CheckJackpots, "%v", err)
	}
	s.pools[b.Pool.Spots] = p
	s.sizes = append(s.sizes, b.Pool.Spots)
	slices.Sort(s.sizes)
	c.report.Pools++
	return balanced(moved(b.Series, record.Pool{Spots: b.Pool.Spots}, b.Pool), ledger.Operator), nil
}

// poolMoved checks a move that somebody outside has approved. It comes between
// games, so that no draw's prize changes after its seal (tas-keno-2023 7.4(i), 7.5,
// 7.6, 7.7, reading approved-moves).
func (c *checker) poolMoved(b *record.PoolMoved) (postings, error) {
	s := c.series[b.Series]
	if s == nil {
		return nil, fault(CheckJackpots, "series %d has not begun", b.Series)
	}
	if g := s.unsettled(); g != nil {
		return nil, fault(CheckJackpots,
			"it comes while game %v is %v, and jackpots are moved between games", g.name, g.stage)
	}
	if b.Move == "migrate" {
		return c.poolsMigrated(s, b)
	}
	if b.ClosedSeries != 0 {
		return nil, fault(CheckJackpots, "it closes pools of another series and migrates none")
	}
	if len(b.Pools) != 1 || s.pools[b.Pools[0].Spots] == nil {
		return nil, fault(CheckJackpots, "it states %d pools, and one that was opened is moved", len(b.Pools))
	}
	p := s.pools[b.Pools[0].Spots]
	was := p.Pool
	if err := p.move(b.Move, b.AmountCents, s.termsAt(uint32(len(s.games))+1).rules, s.closed()+1); err != nil {
		return nil, fault(CheckJackpots, "%v", err)
	}
	if err := p.bounded(); err != nil {
		return nil, fault(CheckJackpots, "%v", err)
	}
	if p.Pool != b.Pools[0] {
		return nil, fault(CheckJackpots, "it leaves %s, and %s is right", describe(b.Pools[0]), describe(p.Pool))
	}
	return balanced(moved(b.Series, was, p.Pool), ledger.Operator), nil
}

// move applies an approved move of so many cents.
func (p *pool) move(kind string, cents money.Amount, r *rules, from uint32) error {
	amount, err := exactOf(cents)
	if err != nil {
		return err
	}
	switch {
	case kind == rulebook.MoveLend && r.moves(kind):
		p.put(from, amount)
		p.Owed += amount
		p.Seeded += amount
	case kind == rulebook.MoveReallocate && r.moves(kind) && amount <= p.Secondary:
		p.Secondary -= amount
		p.put(from, amount)
	case kind == rulebook.MoveSetAside && r.moves(kind) && amount <= p.Secondary:
		p.Secondary -= amount
		p.Aside += amount
	default:
		return fmt.Errorf("the rulebook does not allow to %s %v in the jackpot of %d spots as it stands", kind, cents,
			p.Spots)
	}
	return nil
}

// poolsMigrated checks that the players' money in the jackpots of a series that ends,
// primary, secondary and what waits, without what is still the operator's, goes to its
// successor: a lot into the primary of one size and the rest into waiting. The operator
// has the seed back that is still there; what else is owed, somebody has won (tas-keno-2023
// 7.7, reading players-money-moved).
func (c *checker) poolsMigrated(s *series, b *record.PoolMoved) (postings, error) {
	old := c.series[b.ClosedSeries]
	if old == nil || old.unsettled() != nil {
		return nil, fault(CheckJackpots, "the pools of series %d cannot be closed", b.ClosedSeries)
	}
	if err := c.guard(movedTo(CheckJackpots, old, s)); err != nil {
		return nil, err
	}
	m := s.termsAt(uint32(len(s.games)) + 1).rules.migration
	if m == nil || s.pools[uint8(m.Into)] == nil {
		return nil, fault(CheckJackpots,
			"the rulebook of series %d takes no jackpots of series %d", b.Series, b.ClosedSeries)
	}
	var players record.Exact
	var due postings
	var closed []record.Pool
	for _, spots := range old.sizes {
		p := old.pools[spots]
		was := p.Pool
		players += p.Primary - p.Seeded + p.Secondary + p.Waiting
		p.Primary, p.Secondary, p.Waiting, p.Owed, p.Seeded, p.later, p.came = 0, 0, 0, p.Owed-p.Seeded, 0, nil, 0
		due = append(due, ledger.Credit(ledger.Operator, 0, up(was.Owed)-up(p.Owed)))
		closed = append(closed, p.Pool)
		due = append(due, moved(old.id, was, p.Pool)...)
	}
	into := s.pools[uint8(m.Into)]
	was := into.Pool
	if err := c.bringIn(into, players, m, s.closed()+1); err != nil {
		return nil, err
	}
	if !slices.Equal(b.Closed, closed) || len(b.Pools) != 1 || b.Pools[0] != into.Pool ||
		b.AmountCents != down(players) {
		return nil, fault(CheckJackpots, "it moves %v and leaves %v and %v, and %v, %v and %v are right", b.AmountCents,
			b.Closed, b.Pools, down(players), closed, into.Pool)
	}
	return balanced(append(due, moved(s.id, was, into.Pool)...), ledger.PrizeFund), nil
}

// movedTo objects to a move of pools that is not from a system which was closed, with the last day of its series, to
// its successor (tas-keno-2023 7.7, 17.4(c)).
func movedTo(check Check, old, s *series) error {
	if old.rulesNow().book.System().Plays == rulebook.PlaysSuccessor {
		return fault(check, "series %s is of the successor, and pools move from the system before it", old.name)
	}
	if err := s.succeeds(check); err != nil {
		return err
	}
	if !old.isOver() {
		return fault(check, "pools of series %s move, which has not had its last day", old.name)
	}
	return nil
}

// succeeds objects to pools of another system that come into a series which is not of the successor.
func (s *series) succeeds(check Check) error {
	if s.rulesNow().book.System().Plays != rulebook.PlaysSuccessor {
		return fault(check, "series %s takes in pools of another system, and is not of the successor", s.name)
	}
	return nil
}

// poolsTakenIn checks what comes from the pools of a system outside: jackpot money into waiting and a lot of
// it into the primary of one size, and money for bonus prizes. All of it is paid in, so that the prize fund
// has only what fractions of a cent make (tas-keno-2023 7.7, 17.4(c)).
func (c *checker) poolsTakenIn(b *record.PoolsTakenIn) (postings, error) {
	s := c.series[b.Series]
	if s == nil {
		return nil, fault(CheckJackpots, "series %d has not begun", b.Series)
	}
	if g := s.unsettled(); g != nil {
		return nil, fault(CheckJackpots, "it comes while game %v is %v, and money comes in between games", g.name, g.stage)
	}
	if b.Approval == "" || b.System == "" || b.JackpotCents < 0 || b.BonusCents < 0 {
		return nil, fault(CheckJackpots, "it names no decision or no system, or money goes out")
	}
	if err := c.guard(s.succeeds(CheckJackpots)); err != nil {
		return nil, err
	}
	r := s.termsAt(uint32(len(s.games)) + 1).rules
	if b.BonusCents > 0 && (r.promotions == nil || !r.promotions.Moves) {
		return nil, fault(CheckJackpots, "the rulebook takes no bonus prize pool of another system")
	}
	bonus, err := exactOf(b.BonusCents)
	if err != nil {
		return nil, fault(CheckJackpots, "%v", err)
	}
	s.bonusPool += bonus
	due := postings{ledger.Debit(ledger.Bank, 0, b.JackpotCents+b.BonusCents),
		ledger.Credit(ledger.BonusPool, 0, b.BonusCents)}
	if b.JackpotCents == 0 {
		return due, nil
	}
	if r.migration == nil || s.pools[uint8(r.migration.Into)] == nil {
		return nil, fault(CheckJackpots, "no jackpot of the series takes money of another system")
	}
	jackpot, err := exactOf(b.JackpotCents)
	if err != nil {
		return nil, fault(CheckJackpots, "%v", err)
	}
	into := s.pools[uint8(r.migration.Into)]
	was := into.Pool
	if err := c.bringIn(into, jackpot, r.migration, s.closed()+1); err != nil {
		return nil, err
	}
	if err := into.bounded(); err != nil {
		return nil, fault(CheckJackpots, "%v", err)
	}
	if len(b.Pools) != 1 || b.Pools[0] != into.Pool {
		return nil, fault(CheckJackpots, "it leaves %v, and %s is right", b.Pools, describe(into.Pool))
	}
	return balanced(append(due, moved(s.id, was, into.Pool)...), ledger.PrizeFund), nil
}

// bringIn adds money of another system to what waits, and to the primary what is left of a lot since the jackpot was
// last won. While something waits, nothing is added to the primary. Before the level of guards each sum that came in
// brought a whole lot.
func (c *checker) bringIn(p *pool, sum record.Exact, m *rulebook.Migration, from uint32) error {
	lot, err := exactOf(m.Lot.Amount())
	if err != nil {
		return fault(CheckJackpots, "%v", err)
	}
	left := max(0, lot-p.came)
	if p.Waiting > 0 {
		left = 0
	}
	p.Waiting += sum
	if c.level < record.LevelGuarded {
		if down(min(left, p.Waiting)) != down(min(lot, p.Waiting)) {
			c.find(fault(CheckJackpots, "a further lot comes into a jackpot that nobody has won since the last (%s)", m.Clause))
		}
		left = lot
	}
	p.takeLot(left, from)
	return nil
}

// takeLot brings at most a lot of what waits into the primary (tas-keno-2023 7.7(c), (d)). A fraction of a cent that is
// left over comes along.
func (p *pool) takeLot(lot record.Exact, from uint32) {
	if down(p.Waiting) <= down(lot) {
		lot = p.Waiting
	}
	p.Waiting -= lot
	p.came += lot
	p.put(from, lot)
}

// describe tells what a pool holds.
func describe(p record.Pool) string {
	return fmt.Sprintf("the pool of %d spots at primary %d, secondary %d, owed %d, seeded %d, waiting %d, aside %d",
		p.Spots, p.Primary, p.Secondary, p.Owed, p.Seeded, p.Waiting, p.Aside)
}

// rates returns how the next game fills the jackpots, as they stand now: while a
// loan is outstanding by its balance (tas-keno-2023 7.6), otherwise by the primary
// (7.4, casino-keno-div2 5.7, vic-keno-2015 15(a)).
func (s *series) rates(r *rules) []record.PoolRate {
	var list []record.PoolRate
	for _, spots := range s.sizes {
		file, p := r.pool(spots), s.pools[spots]
		if file == nil {
			continue
		}
		rate := record.PoolRate{Spots: spots}
		if seed := r.jackpots.Seed; seed != nil && p.Owed > 0 {
			for i := range seed.Steps {
				if step := &seed.Steps[i]; within(p.Owed, step.From, step.Below) {
					rate.Primary, rate.Seed = uint16(step.Primary), uint16(step.Seed)
				}
			}
		} else {
			for i := range file.Contributions {
				if band := &file.Contributions[i]; within(p.Primary, band.From, band.Below) {
					rate.Primary, rate.Secondary = uint16(band.Primary), uint16(band.Secondary)
				}
			}
		}
		list = append(list, rate)
	}
	return list
}

// within reports whether a balance is at least an amount and below another.
func within(x record.Exact, from, below *rulebook.Dollars) bool {
	return (from == nil || x/exactCent >= record.Exact(*from)) && (below == nil || x/exactCent < record.Exact(*below))
}

// contribute books what the main stakes of a game on a size do to its pool, by the
// rate with which the game opened. The last instalment of a loan is cut to what is
// owed, and the rest of it is the primary's (reading last-instalment).
func (p *pool) contribute(ordinal uint32, rate record.PoolRate, stakes money.Amount) (record.Contribution, error) {
	c := record.Contribution{Spots: rate.Spots, StakesCents: stakes}
	for _, part := range []struct {
		to   *record.Exact
		rate uint16
	}{{&c.Primary, rate.Primary}, {&c.Secondary, rate.Secondary}, {&c.Repaid, rate.Seed}} {
		product, err := stakes.Mul(int64(part.rate))
		if err != nil {
			return c, err
		}
		*part.to = record.Exact(product)
	}
	if rest := c.Repaid - p.Owed; rest > 0 {
		c.Repaid -= rest
		c.Primary += rest
	}
	p.put(ordinal, c.Primary)
	p.Secondary += c.Secondary
	p.Owed -= c.Repaid
	// What is paid back is no longer the operator's, wherever it is.
	seeded := min(p.Seeded, p.Owed)
	c.Unseeded = p.Seeded - seeded
	p.Seeded = seeded
	return c, p.bounded()
}

// maxExact is more than any jackpot holds, and so little that two of them can be
// added.
const maxExact = 1 << 61

// bounded reports a balance that is out of all bounds.
func (p *pool) bounded() error {
	for _, balance := range []record.Exact{p.Primary, p.Secondary, p.Owed, p.Seeded, p.Waiting, p.Aside} {
		if balance < 0 || balance > maxExact {
			return fmt.Errorf("no jackpot can hold %d parts of a cent", balance)
		}
	}
	return nil
}

// correctLots follows what a corrected result does to what came in lots. If less waits now, the difference came after
// the new win. Otherwise a new win has taken everything that came before it.
func (p *pool) correctLots(before record.Pool, was, is []record.Award) {
	won := func(a record.Award) bool { return a.Spots == p.Spots && a.Part == record.PartPool }
	switch {
	case p.Waiting < before.Waiting:
		p.came = before.Waiting - p.Waiting
	case slices.ContainsFunc(is, won) && !slices.ContainsFunc(was, won):
		p.came = 0
	}
}
