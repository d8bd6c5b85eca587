package books

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// Fold adds records up into books. It belongs to one goroutine.
//
// Each series of games has days of its own, and the house has days as well: the money of a house is closed with the
// days of one series, of Closer. Every line is kept by the series of the records that moved it; records of no series
// are of the house, which is series 0.
type Fold struct {
	next      record.Place
	level     uint8             // of the journal
	mixed     bool              // it has reached record.LevelSeries on the day of the house
	venues    map[uint32]string // name of each
	terminals map[uint32]uint32 // venue of each
	halls     map[uint8]uint32  // venue of each bingo room
	duties    map[uint32]duty   // who is at each terminal
	belongs   *Belongs
	requests  map[uint32]request
	courses   map[uint8]*course
	newest    day.Day // that any series has opened
	accounts  map[unit]*account
	series    map[uint8]*open
	lately    lately
}

// unit names a balance.
type unit struct {
	series  uint8
	account ledger.Account
	unit    uint32
}

// account is a balance, and what moved it on the day of the house and on the day of its series.
type account struct {
	balance    money.Amount
	house, own movement
}

// movement is what moved an account since a close.
type movement struct {
	opening money.Amount
	flows   []Flow // by kind
}

// spot is a terminal and the series for which something was done there, in one number: a map finds a number in half
// of the time, and every record of a counter asks twice. Spots are in the order of their terminals.
type spot uint64

func spotOf(terminal uint32, series uint8) spot { return spot(terminal)<<8 | spot(series) }

func (s spot) terminal() uint32 { return uint32(s >> 8) }
func (s spot) series() uint8    { return uint8(s) }

// open is a day that is under way, of a series or of the house.
type open struct {
	first     record.Place
	terminals map[spot]*Tally
	shifts    map[record.Place]*Shift
	rooms     map[record.HallSession]*Room
	games     map[uint32]*Game
	ordinals  map[record.Game]uint32
	pools     map[uint8]Pool
	events    []Event
}

// NewFold returns the books of a journal without records.
func NewFold() *Fold {
	return &Fold{
		next: record.Place{Volume: 1}, venues: map[uint32]string{}, terminals: map[uint32]uint32{},
		halls: map[uint8]uint32{}, duties: map[uint32]duty{}, belongs: NewBelongs(), requests: map[uint32]request{},
		courses: map[uint8]*course{}, accounts: map[unit]*account{}, series: map[uint8]*open{},
	}
}

// The first series begins with the journal, and so does the house. In books of the first form the days of the first
// series have what belongs to no series.
const (
	theHouse = 0
	anywhere = 1
)

// day returns the day of a series that is under way, or that of the house.
func (f *Fold) day(series uint8) *open {
	d, ok := f.series[series]
	if !ok {
		d = &open{
			first: f.next, terminals: map[spot]*Tally{}, shifts: map[record.Place]*Shift{},
			rooms: map[record.HallSession]*Room{},
			games: map[uint32]*Game{}, ordinals: map[record.Game]uint32{}, pools: map[uint8]Pool{},
		}
		f.series[series] = d
	}
	return d
}

// Add adds the next record. The close of a Keno Day ends a day after itself: its
// book is what Close returns.
func (f *Fold) Add(place record.Place, r record.Record) error {
	f.next = place
	f.follow(r.Body)
	of := f.belongs.Add(r)
	for _, p := range r.Postings {
		if err := f.post(of, r.Kind(), p); err != nil {
			return fmt.Errorf("books: record %v: %w", place, err)
		}
	}
	if f.level < record.LevelSeries {
		of = dayOne(r)
	}
	d := f.day(of)
	f.day(theHouse)
	f.day(anywhere)
	f.attend(r)
	f.count(of, d, r)
	f.enter(r)
	d.play(r.Body)
	if event, ok := f.eventOf(place, r); ok {
		d.events = append(d.events, event)
	}
	f.next.Seq++
	return nil
}

// owner returns the series of which a posting is: of a jackpot its own, and otherwise that of the record.
func owner(of uint8, p ledger.Posting) uint8 {
	if slices.Contains(pools, p.Account) {
		return uint8(p.Unit >> 8)
	}
	return of
}

// post moves one account.
func (f *Fold) post(of uint8, kind record.Kind, p ledger.Posting) error {
	u := unit{owner(of, p), p.Account, p.Unit}
	a, ok := f.accounts[u]
	if !ok {
		a = new(account)
		f.accounts[u] = a
	}
	balance, err := a.balance.Add(p.Cents)
	if err != nil {
		return err
	}
	if err := a.house.add(kind, p.Cents); err != nil {
		return err
	}
	if u.series != theHouse {
		err = a.own.add(kind, p.Cents)
	}
	a.balance = balance
	return err
}

// CheckRoom returns an error if Add could not add up the postings of a record.
func (f *Fold) CheckRoom(r record.Record) error {
	of, kind := f.belongs.seriesOf(r), r.Kind()
	for _, p := range r.Postings {
		a, ok := f.accounts[unit{owner(of, p), p.Account, p.Unit}]
		if !ok {
			continue
		}
		for _, flows := range [2][]Flow{a.house.flows, a.own.flows} {
			if err := roomIn(flows, kind); err != nil {
				return fmt.Errorf("books: %v of %v: %w", p.Account, kind, err)
			}
		}
		if _, err := a.balance.Add(p.Cents); err != nil {
			return fmt.Errorf("books: balance of %v: %w", p.Account, err)
		}
	}
	return nil
}

// roomIn returns an error if another record of a kind could be too much for its flow.
func roomIn(flows []Flow, kind record.Kind) error {
	for _, flow := range flows {
		if flow.Kind != kind {
			continue
		}
		// Several postings of one record on one account come to less than a total each.
		side := max(flow.Debits, flow.Credits)
		if _, err := side.Add(money.MaxTotal * maxSides); err != nil {
			return err
		}
	}
	return nil
}

// maxSides bounds how often a record moves one account the same way.
const maxSides = 100

// add adds what a record of a kind moves.
func (m *movement) add(kind record.Kind, cents money.Amount) (err error) {
	flow := flowIn(&m.flows, kind)
	if cents > 0 {
		flow.Debits, err = flow.Debits.Add(cents)
	} else {
		flow.Credits, err = flow.Credits.Sub(cents)
	}
	return err
}

// flowIn returns what records of a kind did to an account. Few kinds move one account,
// so that looking through them is quicker than any index.
func flowIn(flows *[]Flow, kind record.Kind) *Flow {
	i, ok := slices.BinarySearchFunc(*flows, kind, func(f Flow, k record.Kind) int { return cmp.Compare(f.Kind, k) })
	if !ok {
		*flows = slices.Insert(*flows, i, Flow{Kind: kind})
	}
	return &(*flows)[i]
}

// Belongs says to which series of games records belong. It is asked of every record of a journal in their order.
type Belongs struct {
	claims map[uint32]uint8 // series of each claim
}

// NewBelongs returns what is known of a journal without records.
func NewBelongs() *Belongs { return &Belongs{map[uint32]uint8{}} }

// follow takes up of which series a claim is.
func (f *Belongs) follow(body record.Body) {
	if b, ok := body.(*record.ClaimLodged); ok {
		f.claims[b.Claim] = b.Series
	}
}

// Add takes the next record, and returns the series to which it belongs, or 0 for the house itself.
func (f *Belongs) Add(r record.Record) uint8 {
	f.follow(r.Body)
	return f.seriesOf(r)
}

// seriesOf returns the series to which a record belongs, or theHouse.
func (f *Belongs) seriesOf(r record.Record) uint8 {
	switch b := r.Body.(type) {
	case *record.SessionEnded:
		return cmp.Or(b.Series, anywhere) // Of the first series it is not said.
	case *record.ClaimPaid:
		return f.claims[b.Claim]
	}
	series, _ := r.Series()
	return series
}

// dayOne returns the day to which a record belongs in books of the first form.
func dayOne(r record.Record) uint8 {
	if inDayOne(r.Kind()) {
		series, _ := r.Series()
		return series
	}
	return theHouse
}

// inDayOne reports whether a record of a kind belongs to the day of a series in books of the first form.
func inDayOne(kind record.Kind) bool {
	switch kind {
	case record.KindTicketSold, record.KindTicketPaid, record.KindTicketCancelled, record.KindBonusAllocated,
		record.KindDayOpened, record.KindDayClosed, record.KindGameOpened, record.KindGameClosed,
		record.KindGameSettled, record.KindGameVoided, record.KindPoolOpened, record.KindPoolMoved,
		record.KindPoolsTakenIn:
		return true
	}
	return false
}

// Peek returns the book of the day as it stands.
func (f *Fold) Peek(series uint8, closed *record.DayClosed) *Book {
	d, house := f.day(series), f.day(theHouse)
	b := &Book{Form: FormSeries, Series: series, Day: closed.Day, First: d.first, End: f.next}
	own := f.lines(series, (*account).ofSeries, d)
	b.Accounts, b.Venues, b.Terminals = own.Accounts, own.Venues, own.Terminals
	b.Events = slices.Clone(d.events)
	for _, ordinal := range slices.Sorted(maps.Keys(d.games)) {
		b.Games = append(b.Games, *d.games[ordinal])
	}
	if f.level < record.LevelSeries {
		b.Form, b.Accounts = formOne, nil
	}
	if series != f.Closer() {
		return b
	}
	b.Events = append(b.Events, house.events...)
	slices.SortFunc(b.Events, func(a, b Event) int { return comparePlaces(a.Place, b.Place) })
	b.Shifts = house.sortedShifts()
	all := f.lines(theHouse, (*account).ofHouse, house)
	if b.Form == formOne {
		b.Accounts = []Balance{}
		for _, l := range (&Book{Accounts: all.Accounts}).Merged() {
			if len(l.Flows) > 0 || l.Opening != 0 {
				b.Accounts = append(b.Accounts, l)
			}
		}
		b.Venues, b.Terminals = f.places(withHouse(d, house))
		return b
	}
	b.Accounts, b.Venues, b.Terminals, b.House = all.Accounts, all.Venues, all.Terminals, house.first
	b.Rooms = house.sortedRooms()
	if house.first != d.first {
		b.Own = own
	}
	return b
}

// withHouse returns what was done at terminals for a series, with what was done for none: in books of the first form
// both are the first series'.
func withHouse(d, house *open) map[spot]*Tally {
	all := map[spot]*Tally{}
	for at, done := range d.terminals {
		tallyOf(all, spotOf(at.terminal(), theHouse)).Add(done)
	}
	for at, done := range house.terminals {
		if at.series() == theHouse {
			tallyOf(all, spotOf(at.terminal(), theHouse)).Add(done)
		}
	}
	return all
}

func (a *account) ofHouse() *movement  { return &a.house }
func (a *account) ofSeries() *movement { return &a.own }

// lines returns the accounts that moved or have a balance, and what was done at venues and terminals: of a series, or
// of all for theHouse.
func (f *Fold) lines(series uint8, over func(*account) *movement, d *open) (l Lines) {
	for u, a := range f.accounts {
		m := over(a)
		if series != theHouse && u.series != series || len(m.flows) == 0 && a.balance == 0 {
			continue
		}
		b := Balance{Series: u.series, Account: u.account, Unit: u.unit, Opening: m.opening, Flows: slices.Clone(m.flows)}
		for _, flow := range m.flows {
			b.Debits += flow.Debits
			b.Credits += flow.Credits
		}
		l.Accounts = append(l.Accounts, b)
	}
	slices.SortFunc(l.Accounts, compareBalances)
	l.Venues, l.Terminals = f.places(d.terminals)
	return l
}

// places returns what was done at terminals, and at their venues together.
func (f *Fold) places(done map[spot]*Tally) (venues []Venue, terminals []Terminal) {
	at := map[spot]*Tally{}
	for _, s := range slices.Sorted(maps.Keys(done)) {
		venue := f.terminals[s.terminal()]
		terminals = append(terminals,
			Terminal{Series: s.series(), Terminal: s.terminal(), Venue: venue, Tally: *done[s]})
		tallyOf(at, spotOf(venue, s.series())).Add(done[s])
	}
	for _, s := range slices.Sorted(maps.Keys(at)) {
		venues = append(venues,
			Venue{Series: s.series(), Venue: s.terminal(), Name: f.venues[s.terminal()], Tally: *at[s]})
	}
	return venues, terminals
}

func comparePlaces(a, b record.Place) int {
	return cmp.Or(cmp.Compare(a.Volume, b.Volume), cmp.Compare(a.Seq, b.Seq))
}

// Close ends the day of a series and returns its book. What follows is of the next
// day; the jackpots and shifts go on.
func (f *Fold) Close(series uint8, closed *record.DayClosed) *Book {
	b := f.Peek(series, closed)
	f.End(series)
	return b
}

// End ends the day of a series whose book nobody asks for.
func (f *Fold) End(series uint8) {
	pools := f.day(series).pools
	delete(f.series, series)
	f.day(series).pools = pools
	closes := series == f.Closer()
	for u, a := range f.accounts {
		if u.series == series {
			a.own = movement{opening: a.balance}
		}
		if closes {
			a.house = movement{opening: a.balance}
		}
	}
	if !closes {
		return
	}
	f.mixed = false
	delete(f.series, theHouse)
	f.day(theHouse)
	for terminal := range f.duties {
		f.shiftAt(terminal) // The person who is there on the next day is in its book.
	}
}
