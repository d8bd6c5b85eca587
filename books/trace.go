package books

import (
	"maps"
	"reflect"
	"slices"

	"drawhouse/core/day"
	"drawhouse/journal/record"
)

// Trace follows a journal record by record, and says of each what it alone puts into a book: the books of the records
// of a day, added up, are the book of the day. It belongs to one goroutine.
type Trace struct {
	fold *Fold
}

// NewTrace returns the trace of a journal without records.
func NewTrace() *Trace { return &Trace{NewFold()} }

// Add adds the next record and returns the books that it alone makes, for each of some series as if that closed the
// house, of a day. What the record leaves as it was is not in them; of an account the opening is nothing, so that its
// closing is what the record moved.
func (t *Trace) Add(place record.Place, r record.Record, d day.Day, series ...uint8) (map[uint8]*Book, error) {
	f := t.fold
	if closed, ok := r.Body.(*record.DayClosed); ok {
		f.End(closed.Series)
		for _, a := range f.accounts {
			a.house, a.own = movement{}, movement{}
		}
	}
	for _, one := range series {
		f.day(one)
	}
	for _, open := range f.series {
		clear(open.terminals)
		clear(open.shifts)
		clear(open.rooms)
		open.events = nil
	}
	before := map[uint8]map[uint32]Game{}
	for _, one := range series {
		before[one] = f.gamesOf(one)
	}
	if err := f.Add(place, r); err != nil {
		return nil, err
	}
	made := map[uint8]*Book{}
	for _, one := range series {
		made[one] = f.alone(r, one, place, d)
		made[one].Games = f.changed(one, before[one])
	}
	for u := range f.unitsOf(r) {
		f.accounts[u].house, f.accounts[u].own = movement{}, movement{}
	}
	return made, nil
}

// unitsOf returns the balances that a record moves.
func (f *Fold) unitsOf(r record.Record) map[unit]bool {
	units := map[unit]bool{}
	for _, p := range r.Postings {
		units[unit{owner(f.belongs.seriesOf(r), p), p.Account, p.Unit}] = true
	}
	return units
}

// alone returns the book of the record that was added last.
func (f *Fold) alone(r record.Record, series uint8, place record.Place, d day.Day) *Book {
	own, house := f.day(series), f.day(theHouse)
	b := &Book{Form: FormSeries, Series: series, Day: d, First: place, End: f.next, House: place}
	for u := range f.unitsOf(r) {
		line := Balance{Series: u.series, Account: u.account, Unit: u.unit, Flows: f.accounts[u].house.flows}
		for _, flow := range line.Flows {
			line.Debits += flow.Debits
			line.Credits += flow.Credits
		}
		b.Accounts = append(b.Accounts, line)
	}
	slices.SortFunc(b.Accounts, compareBalances)
	b.Events = slices.Concat(own.events, house.events)
	b.Shifts = house.sortedShifts()
	if f.level < record.LevelSeries {
		b.Form, b.House = formOne, record.Place{}
		b.Accounts = b.Merged()
		b.Venues, b.Terminals = f.places(withHouse(own, house))
		return b
	}
	b.Venues, b.Terminals = f.places(house.terminals)
	b.Rooms = house.sortedRooms()
	return b
}

// gamesOf returns the games of the day of a series as they are.
func (f *Fold) gamesOf(series uint8) map[uint32]Game {
	games := map[uint32]Game{}
	if d, ok := f.series[series]; ok {
		for ordinal, g := range d.games {
			games[ordinal] = *g
		}
	}
	return games
}

// changed returns by how much the games of a series are others than before.
func (f *Fold) changed(series uint8, before map[uint32]Game) (list []Game) {
	games := f.day(series).games
	for _, ordinal := range slices.Sorted(maps.Keys(games)) {
		g, was := *games[ordinal], before[ordinal]
		_, known := before[ordinal]
		if known && reflect.DeepEqual(g, was) {
			continue
		}
		part := g
		part.Plays, part.Ways, part.Stakes = g.Plays-was.Plays, g.Ways-was.Ways, g.Stakes-was.Stakes
		part.Winners, part.Breakage, part.Jackpots = g.Winners-was.Winners, g.Breakage-was.Breakage, g.Jackpots-was.Jackpots
		part.Back = g.Back - was.Back
		payable, carried := g.Won()
		paid, on := was.Won()
		part.Void, part.Prizes, part.Carried = false, payable-paid, carried-on
		part.Part = known
		part.Pools = slices.Clone(g.Pools)
		for i := range part.Pools {
			for _, p := range was.Pools {
				if p.Spots == part.Pools[i].Spots {
					part.Pools[i].Won -= p.Won
				}
			}
		}
		list = append(list, part)
	}
	return list
}

// Part returns what of the book of one record belongs to a book of a day, or nil if nothing does. The day of a series
// and that of the house may begin with other records.
func (b *Book) Part(one *Book) *Book {
	place := one.First
	within := func(first record.Place) bool {
		return comparePlaces(first, place) <= 0 && comparePlaces(place, b.End) < 0
	}
	part, other := *one, record.Place{Volume: place.Volume, Seq: place.Seq + 1}
	ofSeries := within(b.First)
	switch {
	case b.Form != one.Form:
		return nil // The journal has changed its form within the day.
	case b.Form == formOne, !b.Closes():
		if !ofSeries {
			return nil
		}
		return part.likewise(b)
	case !within(b.House) && !ofSeries:
		return nil
	case !ofSeries:
		part.First, part.Games = other, nil
	case !within(b.House):
		own := one.Alone()
		part.Own = Lines{Accounts: own.Accounts, Venues: own.Venues, Terminals: own.Terminals}
		part.Accounts, part.Venues, part.Terminals, part.Shifts, part.Rooms = nil, nil, nil, nil, nil
		part.First = other
		part.Events = only(part.Events, func(e *Event) bool { return part.SeriesOf(e) == part.Series })
	}
	return &part
}

// likewise returns the book of a series alone where another is of a series alone.
func (b *Book) likewise(other *Book) *Book {
	if !other.Closes() {
		return b.Alone()
	}
	return b
}

// Begins returns the place of the first record of which the book has anything.
func (b *Book) Begins() record.Place {
	if b.Closes() && b.Form != formOne {
		return b.House
	}
	return b.First
}

// Like returns the book of one record as that of a day is: of the house, or of a series alone.
func (b *Book) Like(one *Book) *Book { return one.likewise(b) }
