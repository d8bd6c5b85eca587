package books

import (
	"maps"
	"slices"

	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// Shift is what a person did at a terminal between signing on and signing off, as far
// as it falls into the day. A shift over the close of a day stands in the books of both,
// each with its own part. As a till takes the money of all series, shifts stand in the books
// that close the house.
type Shift struct {
	_        struct{} `cbor:",toarray"`
	Person   uint32
	Role     record.Role
	Terminal uint32
	Venue    uint32
	From     record.Time // when it began, also if that was the day before
	To       record.Time // when it ended; 0 if it goes on
	Tally    Tally
	Brought  money.Amount // cash from the safe
	Dropped  money.Amount // cash into the safe
	Counts   uint32       // of the bank
	Over     money.Amount // what counts found too much, negative if too little
}

// duty is a shift that goes on. Its place names it.
type duty struct {
	begun record.ShiftBegun
	place record.Place
	from  record.Time
}

// attend follows who is at which terminal.
func (f *Fold) attend(r record.Record) {
	switch b := r.Body.(type) {
	case *record.ShiftBegun:
		if b.Terminal == 0 {
			return // Duty away from a terminal has no till.
		}
		f.duties[b.Terminal] = duty{*b, f.next, r.Time}
		f.shiftAt(b.Terminal)
	case *record.ShiftEnded:
		for terminal, on := range f.duties {
			if on.begun.Person == b.Person {
				f.shiftAt(terminal).To = r.Time
				delete(f.duties, terminal)
			}
		}
	case *record.BankMoved:
		if shift := f.shiftAt(b.Terminal); shift != nil {
			if b.Move == record.BankDrop {
				shift.Dropped += b.Cents
			} else {
				shift.Brought += b.Cents
			}
		}
	case *record.BankCounted:
		if shift := f.shiftAt(b.Terminal); shift != nil {
			shift.Counts++
			shift.Over += b.CountedCents - b.ExpectCents
		}
	}
}

// shiftAt returns the shift at a terminal in the day's book, or nil if nobody has
// signed on there.
func (f *Fold) shiftAt(terminal uint32) *Shift {
	on, ok := f.duties[terminal]
	if !ok {
		return nil
	}
	d := f.day(theHouse)
	shift, ok := d.shifts[on.place]
	if !ok {
		shift = &Shift{Person: on.begun.Person, Role: on.begun.Role, Terminal: terminal, Venue: on.begun.Venue,
			From: on.from}
		d.shifts[on.place] = shift
	}
	return shift
}

// sortedShifts returns the shifts of the day in the order in which they began.
func (d *open) sortedShifts() []Shift {
	places := slices.SortedFunc(maps.Keys(d.shifts), comparePlaces)
	var list []Shift
	for _, place := range places {
		list = append(list, *d.shifts[place])
	}
	return list
}
