package settle

import (
	"fmt"
	"iter"
	"math"
	"math/bits"

	"drawhouse/core/ball"
	"drawhouse/core/money"
	"drawhouse/games/jackpot"
	"drawhouse/games/keno"
	"drawhouse/rulebook"
)

const (
	// maxUnits bounds the units of a cent, see Terms.
	maxUnits = 1 << 20
	// maxPrize bounds a prize of a table, for a stake of one cent, in units and
	// multiplied by the highest multiplier, so that a stake times a prize fits 63
	// bits.
	maxPrize = math.MaxInt32
	// beyond is more units than any sum of prizes comes to.
	beyond = 1 << 63
)

// Terms are what a game settles under: one schedule of a rulebook, the multiplier,
// the caps on a way and on the major prizes of a game, the jackpots, and the
// rounding. They are immutable and safe for concurrent use.
//
// Tables state prizes for a stake, and a part of that stake can win a part of a
// cent. Until a prize is rounded, once, it is therefore counted in units: the
// largest fractions of a cent in which every prize of the schedule is a whole
// number, also for half a cent where half of a prize can be staked. With prizes
// stated for one dollar a unit is a hundredth of a cent, or half of that.
type Terms struct {
	schedule string
	units    uint64 // of a cent
	tables   map[string]*table
	calls    map[string]*callTable
	races    map[string]*raceTable
	last     *lastTable // nil: the last number wins nothing
	multiply *multiplier
	highest  uint64 // prize for a stake of one cent, in units
	wayCap   uint64 // in units
	capCite  string
	limits   []limit
	jackpots *jackpot.Terms // nil: the rulebook has none
	step     uint64         // cents
	stepCite string
}

// rate is what the prizes of one table have in common.
type rate struct {
	per     money.Amount // the stake that the table states prizes for
	cite    string
	highest money.Amount // prize
	scale   uint64       // stake in cents x prize in cents x scale is the prize in units
	limit   int          // which limit its major prizes fall under, or none
	major   uint64       // the least major prize in units
}

// none is no limit.
const none = -1

// units returns what a stake of one cent wins, in units.
func (r *rate) units(prize money.Amount) uint64 { return uint64(prize) * r.scale }

// table is the prizes of a bet on numbers.
type table struct {
	rate
	*rulebook.CatchTable
}

// callTable is the prizes of a bet on calls, and what decides it.
type callTable struct {
	rate
	*rulebook.OutcomeTable
	rulebook.Calls
}

// raceTable is the prizes of a bet on a race, and the race.
type raceTable struct {
	rate
	*rulebook.OutcomeTable
	race *rulebook.Race
}

// lastTable is the prizes of the last number: by the number of spots alone, or by the
// spots matched.
type lastTable struct {
	rate
	sizes *rulebook.SizeTable
	table *rulebook.CatchTable // nil where sizes is not
	*rulebook.Feature
}

// prize returns what the last number among some spots wins with so many of them
// matched; ok reports whether the table is for that number of spots.
func (t *lastTable) prize(spots, matched int) (prize money.Amount, ok bool) {
	if t.table != nil {
		return t.table.Prize(spots, matched), t.table.Spots().Has(spots)
	}
	return t.sizes.Prize(spots)
}

// anyMatch is the matched of a catch that asks for no number of matches.
const anyMatch = -1

// catches returns what wins with so many spots, the last number among them; ok is as
// in prize.
func (t *lastTable) catches(spots int) (won []catch, ok bool) {
	if t.table != nil {
		return (&table{t.rate, t.table}).catches(spots), t.table.Spots().Has(spots)
	}
	prize, ok := t.sizes.Prize(spots)
	return []catch{{anyMatch, t.units(prize)}}, ok
}

// multiplier is by how much prizes are multiplied. It is nil where none is.
type multiplier struct {
	*rulebook.Feature
	book  *rulebook.Book
	wheel []int // the factor of each slot; nil: the sum of the numbers decides
	most  int
	cite  string
}

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
		schedule: schedule, units: 1,
		tables: map[string]*table{}, calls: map[string]*callTable{}, races: map[string]*raceTable{},
		multiply: newMultiplier(book), wayCap: beyond, capCite: s.WayCapClause(),
		step: uint64(step), stepCite: clause,
	}
	if err := t.addTables(book, s); err != nil {
		return nil, err
	}
	if way, ok := s.WayCap(); ok {
		t.wayCap = t.inUnits(way)
	}
	t.addLimits(book)
	if err := t.scale(); err != nil {
		return nil, err
	}
	if _, ok := book.Jackpots(); ok {
		var err error
		if t.jackpots, err = jackpot.NewTerms(book, schedule); err != nil {
			return nil, fmt.Errorf("settle: %w", err)
		}
	}
	return t, nil
}

// Jackpots returns what the jackpots are played under, or nil if the rulebook has
// none.
func (t *Terms) Jackpots() *jackpot.Terms { return t.jackpots }

// newMultiplier returns the multiplier of a book.
func newMultiplier(book *rulebook.Book) *multiplier {
	feature, ok := book.Feature(rulebook.FeatureMultiplier)
	if !ok {
		return nil
	}
	m := &multiplier{Feature: feature, book: book, wheel: book.Wheel(), most: 1,
		cite: book.MultiplierClause() + " " + feature.Clause()}
	for _, factor := range m.wheel {
		m.most = max(m.most, factor)
	}
	least, most := book.MultiplierBounds()
	for sum := least; sum <= most; sum++ {
		m.most = max(m.most, book.Multiplier(sum))
	}
	return m
}

// addTables takes over the tables of a schedule and finds the unit.
func (t *Terms) addTables(book *rulebook.Book, s *rulebook.Schedule) error {
	for _, bet := range book.Bets() {
		if catch, ok := s.Catch(bet.ID()); ok {
			t.tables[bet.ID()] = &table{t.newRate(catch, catchPrizes(catch)), catch}
			continue
		}
		outcome, ok := s.Outcome(bet.ID())
		if !ok {
			continue
		}
		if calls, ok := bet.Calls(); ok {
			if calls.SeriesMax > maxCalls {
				return fmt.Errorf("settle: %s calls %d games in a row; more than %d cannot be settled", bet.ID(),
					calls.SeriesMax, maxCalls)
			}
			t.calls[bet.ID()] = &callTable{t.newRate(outcome, outcomePrizes(outcome)), outcome, calls}
			if calls.Run {
				t.units = leastCommonMultiple(t.units, 2*uint64(outcome.Per()))
			}
		}
		if race, ok := bet.Race(); ok {
			if err := checkRace(bet.ID(), race); err != nil {
				return err
			}
			t.races[bet.ID()] = &raceTable{t.newRate(outcome, outcomePrizes(outcome)), outcome, race}
		}
	}
	feature, offered := book.Feature(rulebook.FeatureLuckyLast)
	if sizes, ok := s.Size(string(rulebook.FeatureLuckyLast)); ok && offered {
		t.last = &lastTable{rate: t.newRate(sizes, sizePrizes(sizes)), sizes: sizes, Feature: feature}
	}
	if catch, ok := s.Catch(string(rulebook.FeatureLuckyLast)); ok && offered {
		t.last = &lastTable{rate: t.newRate(catch, catchPrizes(catch)), table: catch, Feature: feature}
	}
	if t.units > maxUnits {
		return fmt.Errorf("settle: %s states prizes for stakes without a common measure", t.schedule)
	}
	return nil
}

// checkRace refuses a race that a code cannot hold.
func checkRace(bet string, race *rulebook.Race) error {
	if race.Rows() > maxRow {
		return fmt.Errorf("settle: %s races %d rows; more than %d cannot be settled", bet, race.Rows(), maxRow)
	}
	for _, t := range race.Types() {
		if t.Places > keno.MaxPlaces {
			return fmt.Errorf("settle: %s forecasts %d places; more than %d cannot be settled", t.ID, t.Places,
				keno.MaxPlaces)
		}
	}
	return nil
}

// newRate takes over what a table states.
func (t *Terms) newRate(head interface {
	Per() money.Amount
	Clause() string
}, prizes iter.Seq[money.Amount]) rate {
	r := rate{per: head.Per(), cite: head.Clause(), limit: none, major: beyond}
	for prize := range prizes {
		r.highest = max(r.highest, prize)
	}
	if t.units <= maxUnits {
		t.units = leastCommonMultiple(t.units, uint64(r.per))
	}
	return r
}

// catchPrizes yields the prizes of a table by matches.
func catchPrizes(table *rulebook.CatchTable) iter.Seq[money.Amount] {
	return func(yield func(money.Amount) bool) {
		for size := range table.Spots().All() {
			for matched := range drawn + 1 {
				if !yield(table.Prize(size, matched)) {
					return
				}
			}
		}
	}
}

// outcomePrizes yields the prizes of a table by outcome.
func outcomePrizes(table *rulebook.OutcomeTable) iter.Seq[money.Amount] {
	return func(yield func(money.Amount) bool) {
		for _, outcome := range table.Outcomes() {
			if prize, _ := table.Prize(outcome); !yield(prize) {
				return
			}
		}
	}
}

// sizePrizes yields the prizes of a table by size.
func sizePrizes(table *rulebook.SizeTable) iter.Seq[money.Amount] {
	return func(yield func(money.Amount) bool) {
		for size := range table.Spots().All() {
			if prize, _ := table.Prize(size); !yield(prize) {
				return
			}
		}
	}
}

// rates yields the rate of every table, with the bet that it is of; the last number
// is of none.
func (t *Terms) rates(yield func(bet string, r *rate) bool) {
	for bet, table := range t.tables {
		if !yield(bet, &table.rate) {
			return
		}
	}
	for bet, table := range t.calls {
		if !yield(bet, &table.rate) {
			return
		}
	}
	for bet, table := range t.races {
		if !yield(bet, &table.rate) {
			return
		}
	}
	if t.last != nil {
		yield("", &t.last.rate)
	}
}

// addLimits finds the limit of each bet. A rulebook that puts a bet under two is
// refused by its validation. What a feature wins for a stake of its own is no
// prize of the bet that it hangs on, and under no limit.
//
//rule:tas-keno-2023 1.51
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
		under := map[string]bool{}
		for _, bet := range bets {
			under[bet] = true
		}
		for bet, r := range t.rates {
			if under[bet] {
				r.limit, r.major = len(t.limits)-1, t.limits[len(t.limits)-1].major
			}
		}
	}
}

// scale fixes the scale of each table and refuses prizes that are too large.
func (t *Terms) scale() error {
	for bet, r := range t.rates {
		r.scale = t.units / uint64(r.per)
		times := uint64(1)
		if t.multiplies(bet) {
			times = uint64(t.multiply.most)
		}
		if uint64(r.highest) > maxPrize/r.scale/times {
			return fmt.Errorf("settle: %w: a prize of %v by %s, %d times, is more than can be settled exactly",
				money.ErrOverflow, r.highest, r.cite, times)
		}
		t.highest = max(t.highest, r.units(r.highest)*times)
	}
	return nil
}

// multiplies reports whether prizes of a bet may be multiplied.
func (t *Terms) multiplies(bet string) bool { return t.multiply != nil && t.multiply.Allows(bet) }

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
		if prize := t.units(t.Prize(size, matched)); prize > 0 {
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
