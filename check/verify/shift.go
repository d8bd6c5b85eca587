package verify

import (
	"slices"

	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// A bookShift is what a person did at a terminal, as far as it falls into the day.
type bookShift struct {
	_        struct{} `cbor:",toarray"`
	Person   uint32
	Role     record.Role
	Terminal uint32
	Venue    uint32
	From, To record.Time
	Tally    dayTally
	Brought  money.Amount
	Dropped  money.Amount
	Counts   uint32
	Over     money.Amount
}

// A workShift is a shift of the day. What was done on it is the difference of what was
// ever done at its terminal between two moments: when it began, or the day did, and when
// it ended, or now.
type workShift struct {
	figures bookShift
	begin   dayTally
}

// minus returns what was done since an earlier moment.
func (t dayTally) minus(u dayTally) dayTally {
	return dayTally{
		Sales: t.Sales - u.Sales, Sold: t.Sold - u.Sold, Payments: t.Payments - u.Payments, Paid: t.Paid - u.Paid,
		Cancelled: t.Cancelled - u.Cancelled, GivenBack: t.GivenBack - u.GivenBack, Bonuses: t.Bonuses - u.Bonuses,
		Cash: t.Cash - u.Cash,
		Late: t.Late - u.Late, LatePaid: t.LatePaid - u.LatePaid, Unpaid: t.Unpaid - u.Unpaid,
		Issued: t.Issued - u.Issued, Papers: t.Papers - u.Papers, InPlace: t.InPlace - u.InPlace,
		Other: t.Other - u.Other,
	}
}

// shiftRecord follows the shifts at terminals, for the books.
func (c *checker) shiftRecord(r record.Record) {
	if follow := rowFor(r.Body).shift; follow != nil {
		follow(c, r.Body)
	}
}

func (c *checker) beginShift(b *record.ShiftBegun) {
	if term := c.terminals[b.Terminal]; term != nil {
		c.shifts = append(c.shifts, &workShift{
			figures: bookShift{Person: b.Person, Role: b.Role, Terminal: b.Terminal, Venue: b.Venue, From: c.now},
			begin:   term.total,
		})
	}
}

func (c *checker) endShift(b *record.ShiftEnded) {
	for _, w := range c.shifts {
		if w.figures.Person == b.Person && w.figures.To == 0 {
			w.figures.Tally, w.figures.To = c.terminals[w.figures.Terminal].total.minus(w.begin), c.now
		}
	}
}

func (c *checker) shiftMoved(b *record.BankMoved) {
	if w := c.shiftOf(b.Terminal); w != nil && b.Move == record.BankDrop {
		w.figures.Dropped += b.Cents
	} else if w != nil {
		w.figures.Brought += b.Cents
	}
}

func (c *checker) shiftCounted(b *record.BankCounted) {
	if w := c.shiftOf(b.Terminal); w != nil {
		w.figures.Counts++
		w.figures.Over += b.CountedCents - b.ExpectCents
	}
}

// shiftOf returns the shift that goes on at a terminal, or nil.
func (c *checker) shiftOf(terminal uint32) *workShift {
	for _, w := range c.shifts {
		if w.figures.Terminal == terminal && w.figures.To == 0 {
			return w
		}
	}
	return nil
}

// dayShifts returns the shifts of the day, in the order in which they began.
func (c *checker) dayShifts() []bookShift {
	var list []bookShift
	for _, w := range c.shifts {
		f := w.figures
		if f.To == 0 {
			f.Tally = c.terminals[f.Terminal].total.minus(w.begin)
		}
		list = append(list, f)
	}
	return list
}

// nextShifts begins the next day with the shifts that go on.
func (c *checker) nextShifts() {
	c.shifts = slices.DeleteFunc(c.shifts, func(w *workShift) bool { return w.figures.To != 0 })
	for _, w := range c.shifts {
		f := w.figures
		w.figures = bookShift{Person: f.Person, Role: f.Role, Terminal: f.Terminal, Venue: f.Venue, From: f.From}
		w.begin = c.terminals[f.Terminal].total
	}
}
