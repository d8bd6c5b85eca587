package books

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// Fold adds records up into books. It belongs to one goroutine.
type Fold struct {
	next      record.Place
	venues    map[uint32]string // name of each
	terminals map[uint32]uint32 // venue of each
	duties    map[uint32]duty   // who is at each terminal
	accounts  map[unit]*account
	series    map[uint8]*open
	lately    lately
}

// unit names a balance.
type unit struct {
	account ledger.Account
	unit    uint32
}

// account is a balance, and what moved it since the last close.
type account struct {
	opening, balance money.Amount
	flows            []Flow // by kind
}

// open is a day that is under way.
type open struct {
	first     record.Place
	venues    map[uint32]*Tally
	terminals map[uint32]*Tally
	shifts    map[record.Place]*Shift
	games     map[uint32]*Game
	ordinals  map[record.Game]uint32
	pools     map[uint8]Pool
	events    []Event
}

// NewFold returns the books of a journal without records.
func NewFold() *Fold {
	return &Fold{
		next: record.Place{Volume: 1}, venues: map[uint32]string{}, terminals: map[uint32]uint32{},
		duties:   map[uint32]duty{},
		accounts: map[unit]*account{}, series: map[uint8]*open{},
	}
}

// anywhere is the series whose days have what belongs to no series, and the accounts:
// money is the house's, and one trading day is enough to close it by.
const anywhere = 1

// day returns the day of a series that is under way.
func (f *Fold) day(series uint8) *open {
	d, ok := f.series[series]
	if !ok {
		d = &open{
			first: f.next, venues: map[uint32]*Tally{}, terminals: map[uint32]*Tally{},
			shifts: map[record.Place]*Shift{},
			games:  map[uint32]*Game{}, ordinals: map[record.Game]uint32{}, pools: map[uint8]Pool{},
		}
		f.series[series] = d
	}
	return d
}

// Add adds the next record. The close of a Keno Day ends a day after itself: its
// book is what Close returns.
func (f *Fold) Add(place record.Place, r record.Record) error {
	f.next = place
	d := f.day(seriesOf(r))
	f.day(anywhere) // It begins with whatever comes first.
	for _, p := range r.Postings {
		if err := f.post(r.Kind(), p); err != nil {
			return fmt.Errorf("books: record %v: %w", place, err)
		}
	}
	switch b := r.Body.(type) {
	case *record.VenueAdded:
		f.venues[b.Venue] = b.Name
	case *record.TerminalAdded:
		f.terminals[b.Terminal] = b.Venue
	}
	f.attend(r)
	f.count(d, r)
	d.play(r.Body)
	if event, ok := f.eventOf(place, r); ok {
		d.events = append(d.events, event)
	}
	f.next.Seq++
	return nil
}

// post moves one account.
func (f *Fold) post(kind record.Kind, p ledger.Posting) error {
	u := unit{p.Account, p.Unit}
	a, ok := f.accounts[u]
	if !ok {
		a = new(account)
		f.accounts[u] = a
	}
	balance, err := a.balance.Add(p.Cents)
	if err != nil {
		return err
	}
	flow := a.flow(kind)
	if p.Cents > 0 {
		flow.Debits, err = flow.Debits.Add(p.Cents)
	} else {
		flow.Credits, err = flow.Credits.Sub(p.Cents)
	}
	a.balance = balance
	return err
}

// CheckRoom returns an error if Add could not add up the postings of a record.
func (f *Fold) CheckRoom(kind record.Kind, postings []ledger.Posting) error {
	for _, p := range postings {
		a, ok := f.accounts[unit{p.Account, p.Unit}]
		if !ok {
			continue
		}
		for _, flow := range a.flows {
			if flow.Kind != kind {
				continue
			}
			// Several postings of one record on one account come to less than a total each.
			side := max(flow.Debits, flow.Credits)
			if _, err := side.Add(money.MaxTotal * maxSides); err != nil {
				return fmt.Errorf("books: %v of %v: %w", p.Account, kind, err)
			}
		}
		if _, err := a.balance.Add(p.Cents); err != nil {
			return fmt.Errorf("books: balance of %v: %w", p.Account, err)
		}
	}
	return nil
}

// maxSides bounds how often a record moves one account the same way.
const maxSides = 100

// flow returns what records of a kind did to the account. Few kinds move one account,
// so that looking through them is quicker than any index.
func (a *account) flow(kind record.Kind) *Flow {
	i, ok := slices.BinarySearchFunc(a.flows, kind, func(f Flow, k record.Kind) int { return cmp.Compare(f.Kind, k) })
	if !ok {
		a.flows = slices.Insert(a.flows, i, Flow{Kind: kind})
	}
	return &a.flows[i]
}

// seriesOf returns the series to whose day a record belongs.
func seriesOf(r record.Record) uint8 {
	switch r.Kind() {
	case record.KindTicketSold, record.KindTicketPaid, record.KindTicketCancelled, record.KindBonusAllocated,
		record.KindDayOpened, record.KindDayClosed, record.KindGameOpened, record.KindGameClosed,
		record.KindGameSettled, record.KindGameVoided, record.KindPoolOpened, record.KindPoolMoved,
		record.KindPoolsTakenIn:
		series, _ := r.Series()
		return series
	}
	return anywhere
}

// Peek returns the book of the day as it stands.
func (f *Fold) Peek(series uint8, closed *record.DayClosed) *Book {
	d := f.day(series)
	b := &Book{Series: series, Day: closed.Day, First: d.first, End: f.next, Events: slices.Clone(d.events)}
	if series == anywhere {
		b.Accounts, b.Shifts = f.balances(), d.sortedShifts()
	}
	for _, id := range slices.Sorted(maps.Keys(d.venues)) {
		b.Venues = append(b.Venues, Venue{Venue: id, Name: f.venues[id], Tally: *d.venues[id]})
	}
	for _, id := range slices.Sorted(maps.Keys(d.terminals)) {
		b.Terminals = append(b.Terminals, Terminal{Terminal: id, Venue: f.terminals[id], Tally: *d.terminals[id]})
	}
	for _, ordinal := range slices.Sorted(maps.Keys(d.games)) {
		b.Games = append(b.Games, *d.games[ordinal])
	}
	return b
}

// balances returns the accounts that moved or have a balance.
func (f *Fold) balances() []Balance {
	list := make([]Balance, 0, len(f.accounts))
	for u, a := range f.accounts {
		if len(a.flows) == 0 && a.balance == 0 {
			continue
		}
		b := Balance{Account: u.account, Unit: u.unit, Opening: a.opening, Flows: slices.Clone(a.flows)}
		for _, flow := range a.flows {
			b.Debits += flow.Debits
			b.Credits += flow.Credits
		}
		list = append(list, b)
	}
	slices.SortFunc(list, compareBalances)
	return list
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
	if series != anywhere {
		return
	}
	for _, a := range f.accounts {
		a.opening, a.flows = a.balance, nil
	}
	for terminal := range f.duties {
		f.shiftAt(terminal) // The person who is there on the next day is in its book.
	}
}
