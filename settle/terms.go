package settle

import (
	"fmt"
	"math"
	"math/bits"

	"drawhouse/ball"
	"drawhouse/money"
	"drawhouse/rulebook"
)

const (
	// maxUnits bounds the units of a cent, see Terms.
	maxUnits = 1 << 20
	// maxPrize bounds a prize of a table, for a stake of one cent and in units, so
	// that a stake times a prize fits 63 bits.
	maxPrize = math.MaxInt32
	// beyond is more units than any sum of prizes comes to.
	beyond = 1 << 63
)

// Terms are what a game settles under: one schedule of a rulebook, the caps on a
// way and on the major prizes of a game, and the rounding. They are immutable and
// safe for concurrent use.
//
// Tables state prizes for a stake, and a part of that stake can win a part of a
// cent. Until a prize is rounded, once, it is therefore counted in units: the
// largest fractions of a cent in which every prize of the schedule is a whole
// number. With prizes stated for one dollar a unit is a hundredth of a cent.
type Terms struct {
	schedule string
	units    uint64 // of a cent
	tables   map[string]*table
	highest  uint64 // prize for a stake of one cent, in units
	wayCap   uint64 // in units
	capCite  string
	limits   []limit
	step     uint64 // cents
	stepCite string
}

// table is the prizes of one bet.
type table struct {
	*rulebook.CatchTable
	scale uint64 // stake in cents x prize in cents x scale is the prize in units
	limit int    // which limit its major prizes fall under, or none
	major uint64 // the least major prize in units
}

// none is no limit.
const none = -1

// NewTerms returns the terms of a schedule. A book whose figures are beyond exact
// settlement is refused, and so is one that rounds other than down: what rounding
// keeps back must not be negative.
func NewTerms(book *rulebook.Book, schedule string) (*Terms, error) {
	s, ok := book.Schedule(schedule)
	if !ok {
		return nil, fmt.Errorf("settle: %s has no schedule %q", book.ID(), schedule)
	}
	if of, draw := book.Numbers(); of != int(ball.Keno) || draw != drawn {
		return nil, fmt.Errorf("settle: %s draws %d of %d numbers, not %d of %d", book.ID(), draw, of, drawn, ball.Keno)
	}
	step, mode, clause := book.Rounding()
	if mode != money.Floor || step <= 0 {
		return nil, fmt.Errorf("settle: %s rounds %v to %v; prizes are rounded down", book.ID(), mode, step)
	}
	t := &Terms{
		schedule: schedule, units: 1, tables: map[string]*table{},
		wayCap: beyond, capCite: s.WayCapClause(),
		step: uint64(step), stepCite: clause,
	}
	for _, bet := range book.Bets() {
		if catch, ok := s.Catch(bet.ID()); ok {
			t.tables[bet.ID()] = &table{CatchTable: catch, limit: none, major: beyond}
			if t.units = leastCommonMultiple(t.units, uint64(catch.Per())); t.units > maxUnits {
				return nil, fmt.Errorf("settle: %s states prizes for stakes without a common measure", schedule)
			}
		}
	}
	if way, ok := s.WayCap(); ok {
		t.wayCap = t.inUnits(way)
	}
	t.addLimits(book)
	if err := t.scaleTables(); err != nil {
		return nil, err
	}
	return t, nil
}

// addLimits finds the limit of each bet. A rulebook that puts a bet under two is
// refused by its validation.
func (t *Terms) addLimits(book *rulebook.Book) {
	for _, p := range book.Prorating() {
		t.limits = append(t.limits, t.newLimit(p))
		if p.Cap == nil {
			continue
		}
		bets := p.Bets
		if bets == nil {
			bets = book.BetIDs()
		}
		for _, bet := range bets {
			if table, ok := t.tables[bet]; ok {
				table.limit, table.major = len(t.limits)-1, t.limits[len(t.limits)-1].major
			}
		}
	}
}

// scaleTables fixes the scale of each table and refuses prizes that are too large.
func (t *Terms) scaleTables() error {
	for bet, table := range t.tables {
		table.scale = t.units / uint64(table.Per())
		for size := range table.Spots().All() {
			for matched := range drawn + 1 {
				prize := table.Prize(size, matched)
				if uint64(prize) > maxPrize/table.scale {
					return fmt.Errorf("settle: %w: %s pays %v for %d of %d, more than can be settled exactly",
						money.ErrOverflow, bet, prize, matched, size)
				}
				t.highest = max(t.highest, table.prize(size, matched))
			}
		}
	}
	return nil
}

// inUnits returns an amount in units. What is more than any sum of prizes is
// beyond.
func (t *Terms) inUnits(a money.Amount) uint64 {
	if hi, lo := bits.Mul64(uint64(a), t.units); hi == 0 && lo < beyond {
		return lo
	}
	return beyond
}

// round returns a prize in cents.
//
//rule:vic-keno-2015 21(i)
func (t *Terms) round(units uint64) uint64 { return units / (t.units * t.step) * t.step }

// prize returns what a stake of one cent wins, in units.
func (t *table) prize(size, matched int) uint64 {
	return uint64(t.Prize(size, matched)) * t.scale
}

// catch is a number of spots matched that wins, and the prize for a stake of one
// cent in units.
type catch struct {
	matched int
	prize   uint64
}

// catches returns what wins with so many spots. No match at all is a catch like
// another, if the table has a prize for it.
//
//rule:vic-keno-2015 20(a)
//rule:casino-keno-div2 1.0.match 8.1 8.1(a) 8.1(b)
//rule:tas-keno-2023 11.1 17.6(c)
func (t *table) catches(size int) []catch {
	var won []catch
	for matched := range drawn + 1 {
		if prize := t.prize(size, matched); prize > 0 {
			won = append(won, catch{matched, prize})
		}
	}
	return won
}

func leastCommonMultiple(a, b uint64) uint64 {
	return a / greatestCommonDivisor(a, b) * b
}

func greatestCommonDivisor(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
