package rulebook

import (
	"maps"
	"slices"

	"drawhouse/core/ball"
	"drawhouse/core/day"
	"drawhouse/core/money"
)

// Schedule is one complete set of prizes of a compiled rulebook.
type Schedule struct {
	file     ScheduleFile
	catches  map[string]*CatchTable
	outcomes map[string]*OutcomeTable
	sizes    map[string]*SizeTable
	fills    [ball.Keno + 1]money.Amount
}

func compileSchedules(k *KenoFile) []*Schedule {
	schedules := make([]*Schedule, len(k.Schedules))
	for i, f := range k.Schedules {
		s := &Schedule{
			file:     f,
			catches:  map[string]*CatchTable{},
			outcomes: map[string]*OutcomeTable{},
			sizes:    map[string]*SizeTable{},
		}
		for spots, fill := range f.Fills {
			s.fills[spots] = fill.Amount()
		}
		for use, id := range f.Uses {
			s.use(use, k.table(id), k.Numbers.Draw)
		}
		schedules[i] = s
	}
	return schedules
}

// use compiles the table of one bet or feature.
func (s *Schedule) use(use string, t *TableFile, drawn int) {
	head := tableHead{id: t.ID, clause: t.Clause, per: t.Per.Amount()}
	switch {
	case t.Catch != nil:
		s.catches[use] = newCatchTable(head, t.Catch, drawn)
	case t.Outcome != nil:
		s.outcomes[use] = &OutcomeTable{tableHead: head, prizes: maps.Clone(t.Outcome)}
	default:
		s.sizes[use] = newSizeTable(head, t.Size)
	}
}

// table returns the table of that name, or nil.
func (k *KenoFile) table(id string) *TableFile {
	for i := range k.Tables {
		if k.Tables[i].ID == id {
			return &k.Tables[i]
		}
	}
	return nil
}

// Schedules returns the schedules in the order of the file.
func (b *Book) Schedules() []*Schedule { return slices.Clone(b.schedules) }

// Schedule returns the schedule of that name.
func (b *Book) Schedule(id string) (*Schedule, bool) {
	for _, s := range b.schedules {
		if s.ID() == id {
			return s, true
		}
	}
	return nil, false
}

// ID returns the name that events know the schedule by.
func (s *Schedule) ID() string { return s.file.ID }

// Clause returns where the schedule comes from.
func (s *Schedule) Clause() string { return s.file.Clause }

// CurrentFrom returns the day on which the schedule becomes current by the file,
// or day.None where only an event makes it so.
func (s *Schedule) CurrentFrom() day.Day { return s.file.CurrentFrom.Day() }

// Catch returns the table of a bet on numbers.
func (s *Schedule) Catch(use string) (*CatchTable, bool) {
	t, ok := s.catches[use]
	return t, ok
}

// Outcome returns the table of a bet on calls or on a race.
func (s *Schedule) Outcome(use string) (*OutcomeTable, bool) {
	t, ok := s.outcomes[use]
	return t, ok
}

// Size returns the table of what pays by the number of spots alone: a feature such
// as lucky_last, or [UseBonusJackpot].
func (s *Schedule) Size(use string) (*SizeTable, bool) {
	t, ok := s.sizes[use]
	return t, ok
}

// Fill returns the Jackpot Fill of a size, or nothing.
func (s *Schedule) Fill(spots int) money.Amount {
	if spots < 0 || spots >= len(s.fills) {
		return 0
	}
	return s.fills[spots]
}

// WayCap returns the most that one way can win, jackpot prizes apart, if the
// schedule has such a cap.
func (s *Schedule) WayCap() (money.Amount, bool) {
	if s.file.WayCap == nil {
		return 0, false
	}
	return s.file.WayCap.Amount(), true
}

// WayCapClause returns where that cap comes from.
func (s *Schedule) WayCapClause() string { return s.file.WayCapClause }

// JackpotMinimum returns the least reset value that the schedule promises for the
// jackpot of a size, if it promises one.
func (s *Schedule) JackpotMinimum(spots int) (money.Amount, bool) {
	least, ok := s.file.Minimums[spots]
	return least.Amount(), ok
}

// tableHead is what all tables of prizes have.
type tableHead struct {
	id, clause string
	per        money.Amount
}

// ID returns the table's name.
func (h tableHead) ID() string { return h.id }

// Clause returns where the table comes from.
func (h tableHead) Clause() string { return h.clause }

// Per returns the stake for which the prizes are stated.
func (h tableHead) Per() money.Amount { return h.per }

// CatchTable is a table of prizes by spots chosen and spots matched.
type CatchTable struct {
	tableHead
	spots ball.Set
	// prizes has a row of width amounts for each number of spots from 0, so that
	// settlement finds a prize with one multiplication and no map.
	prizes []money.Amount
	width  int
}

func newCatchTable(head tableHead, rows map[int]map[int]Dollars, drawn int) *CatchTable {
	spots := ball.MustOf(ball.Keno, slices.Collect(maps.Keys(rows))...)
	t := &CatchTable{tableHead: head, spots: spots, width: drawn + 1}
	t.prizes = make([]money.Amount, (spots.Max()+1)*t.width)
	for n, row := range rows {
		for matched, prize := range row {
			t.prizes[n*t.width+matched] = prize.Amount()
		}
	}
	return t
}

// Spots returns the sizes that the table has a row for.
func (t *CatchTable) Spots() ball.Set { return t.spots }

// Prize returns what a stake of Per wins, or 0.
func (t *CatchTable) Prize(spots, matched int) money.Amount {
	if uint(matched) >= uint(t.width) {
		return 0
	}
	if i := uint(spots)*uint(t.width) + uint(matched); spots >= 0 && i < uint(len(t.prizes)) {
		return t.prizes[i]
	}
	return 0
}

// OutcomeTable is a table of prizes by outcome: a call, or a type of race bet.
type OutcomeTable struct {
	tableHead
	prizes map[string]Dollars
}

// Outcomes returns the outcomes, sorted.
func (t *OutcomeTable) Outcomes() []string { return slices.Sorted(maps.Keys(t.prizes)) }

// Prize returns what a stake of Per wins, if the table has the outcome.
func (t *OutcomeTable) Prize(outcome string) (money.Amount, bool) {
	prize, ok := t.prizes[outcome]
	return prize.Amount(), ok
}

// SizeTable is a table of prizes by the number of spots alone.
type SizeTable struct {
	tableHead
	spots  ball.Set
	prizes [ball.Keno + 1]money.Amount
}

func newSizeTable(head tableHead, rows map[int]Dollars) *SizeTable {
	t := &SizeTable{tableHead: head, spots: ball.MustOf(ball.Keno, slices.Collect(maps.Keys(rows))...)}
	for spots, prize := range rows {
		t.prizes[spots] = prize.Amount()
	}
	return t
}

// Spots returns the sizes that the table has a prize for.
func (t *SizeTable) Spots() ball.Set { return t.spots }

// Prize returns what a stake of Per wins, if the table has the size.
func (t *SizeTable) Prize(spots int) (money.Amount, bool) {
	if !t.spots.Has(spots) {
		return 0, false
	}
	return t.prizes[spots], true
}
