package books

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"drawhouse/ledger"
	"drawhouse/money"
	"drawhouse/record"
)

// Fold adds records up into books. It belongs to one goroutine.
type Fold struct {
	next      record.Place
	terminals map[uint32]uint32 // venue of each
	balances  map[unit]money.Amount
	series    map[uint8]*open
	lately    lately
}

// unit names a balance.
type unit struct {
	account ledger.Account
	unit    uint32
}

// open is a day that is under way.
type open struct {
	first     record.Place
	moved     map[unit]*Balance
	venues    map[uint32]*Tally
	terminals map[uint32]*Tally
	games     map[uint32]*Game
	ordinals  map[record.Game]uint32
	pools     map[uint8]record.Exact
	events    []Event
}

// NewFold returns the books of a journal without records.
func NewFold() *Fold {
	return &Fold{
		next: record.Place{Volume: 1}, terminals: map[uint32]uint32{},
		balances: map[unit]money.Amount{}, series: map[uint8]*open{},
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
			first: f.next, moved: map[unit]*Balance{}, venues: map[uint32]*Tally{}, terminals: map[uint32]*Tally{},
			games: map[uint32]*Game{}, ordinals: map[record.Game]uint32{}, pools: map[uint8]record.Exact{},
		}
		f.series[series] = d
	}
	return d
}

// Add adds the next record. The close of a Keno Day ends a day after itself: its
// book is what Close returns.
func (f *Fold) Add(place record.Place, r record.Record) error {
	f.next = place
	d, house := f.day(seriesOf(r.Body)), f.day(anywhere)
	for _, p := range r.Postings {
		if err := f.post(house, p); err != nil {
			return fmt.Errorf("books: record %v: %w", place, err)
		}
	}
	if added, ok := r.Body.(*record.TerminalAdded); ok {
		f.terminals[added.Terminal] = added.Venue
	}
	f.count(d, r)
	d.play(r.Body)
	if event, ok := eventOf(place, r); ok {
		d.events = append(d.events, event)
	}
	f.next.Seq++
	return nil
}

// post moves one account.
func (f *Fold) post(d *open, p ledger.Posting) error {
	u := unit{p.Account, p.Unit}
	b, ok := d.moved[u]
	if !ok {
		b = &Balance{Account: p.Account, Unit: p.Unit, Opening: f.balances[u]}
		d.moved[u] = b
	}
	var err error
	if p.Cents > 0 {
		b.Debits, err = b.Debits.Add(p.Cents)
	} else {
		b.Credits, err = b.Credits.Sub(p.Cents)
	}
	if err != nil {
		return err
	}
	f.balances[u], err = f.balances[u].Add(p.Cents)
	return err
}

// seriesOf returns the series that a record belongs to.
func seriesOf(body record.Body) uint8 {
	switch b := body.(type) {
	case *record.DayOpened:
		return b.Series
	case *record.DayClosed:
		return b.Series
	case *record.GameOpened:
		return b.Game.Series
	case *record.TicketSold:
		return b.Series
	case *record.TicketPaid:
		return b.Series
	case *record.TicketCancelled:
		return b.Series
	case *record.BonusAllocated:
		return b.Series
	case *record.GameClosed:
		return b.Game.Series
	case *record.GameSettled:
		return b.Game.Series
	case *record.GameVoided:
		return b.Game.Series
	case *record.PoolOpened:
		return b.Series
	case *record.PoolMoved:
		return b.Series
	}
	return anywhere
}

// count counts what was done at terminals and venues.
func (f *Fold) count(d *open, r record.Record) {
	var terminal uint32
	var done Tally
	switch b := r.Body.(type) {
	case *record.TicketSold:
		terminal, done.Sales, done.Sold = b.Request.Terminal, 1, b.CostCents
	case *record.TicketPaid:
		terminal, done.Payments, done.Paid = b.Request.Terminal, 1, b.Amount()
	case *record.TicketCancelled:
		terminal, done.Cancelled, done.GivenBack = b.Request.Terminal, 1, b.RefundCents+b.CarriedCents
	case *record.BonusAllocated:
		terminal, done.Bonuses = b.Terminal, b.Cents
	case *record.SessionEnded:
		terminal = b.Request.Terminal
	default:
		return
	}
	for _, p := range r.Postings {
		if p.Account == ledger.Cash {
			done.Cash += p.Cents
		}
	}
	tallyOf(d.terminals, terminal).add(&done)
	tallyOf(d.venues, f.terminals[terminal]).add(&done)
	f.lately.add(r.Time, f.terminals[terminal], &done)
}

func tallyOf(tallies map[uint32]*Tally, id uint32) *Tally {
	t, ok := tallies[id]
	if !ok {
		t = new(Tally)
		tallies[id] = t
	}
	return t
}

// play follows the games of the day.
func (d *open) play(body record.Body) {
	switch b := body.(type) {
	case *record.GameOpened:
		d.games[b.Ordinal] = &Game{Number: b.Game.Number, Ordinal: b.Ordinal}
		d.ordinals[b.Game] = b.Ordinal
	case *record.PoolOpened:
		d.pools[b.Pool.Spots] = b.Pool.Primary
	case *record.PoolMoved:
		d.setPools(b.Pools)
	case *record.GameClosed:
		for _, c := range b.Contributions {
			d.pools[c.Spots] += c.Primary
		}
		d.change(b.Game, func(g *Game) { g.Plays, g.Ways, g.Stakes = b.Plays, b.Ways, b.StakesCents })
	case *record.GameSettled:
		d.setPools(b.Pools)
		d.change(b.Game, func(g *Game) { d.settle(g, b) })
	case *record.GameVoided:
		d.setPools(b.Pools)
		d.change(b.Game, func(g *Game) { g.Void, g.Prizes, g.Carried = true, b.PrizesCents, b.CarriedCents })
	}
}

func (d *open) setPools(pools []record.Pool) {
	for _, p := range pools {
		d.pools[p.Spots] = p.Primary
	}
}

// change changes a game of the day. One of an earlier day that is settled once more
// is among the events, and its day's book stays as it was.
func (d *open) change(ref record.Game, do func(*Game)) {
	if ordinal, ok := d.ordinals[ref]; ok {
		do(d.games[ordinal])
	}
}

func (d *open) settle(g *Game, b *record.GameSettled) {
	g.Winners, g.Prizes, g.Carried, g.Breakage = b.Winners, b.PrizesCents, b.CarriedCents, b.BreakageCents
	g.Jackpots, g.Reduced, g.Revisions = b.JackpotCents, len(b.Reductions) > 0, b.Revision
	g.Pools = nil
	for _, spots := range slices.Sorted(maps.Keys(d.pools)) {
		pool := Pool{Spots: spots, Primary: d.pools[spots]}
		for _, a := range b.Awards {
			if a.Spots == spots {
				pool.Won += a.AmountCents
			}
		}
		g.Pools = append(g.Pools, pool)
	}
}

// Peek returns the book of the day as it stands.
func (f *Fold) Peek(series uint8, closed *record.DayClosed) *Book {
	d := f.day(series)
	b := &Book{Series: series, Day: closed.Day, First: d.first, End: f.next, Events: d.events}
	for u, cents := range f.balances {
		if _, ok := d.moved[u]; !ok && cents != 0 && series == anywhere {
			b.Accounts = append(b.Accounts, Balance{Account: u.account, Unit: u.unit, Opening: cents})
		}
	}
	for _, moved := range d.moved {
		b.Accounts = append(b.Accounts, *moved)
	}
	slices.SortFunc(b.Accounts, compareBalances)
	for _, id := range slices.Sorted(maps.Keys(d.venues)) {
		b.Venues = append(b.Venues, Venue{Venue: id, Tally: *d.venues[id]})
	}
	for _, id := range slices.Sorted(maps.Keys(d.terminals)) {
		b.Terminals = append(b.Terminals, Terminal{Terminal: id, Venue: f.terminals[id], Tally: *d.terminals[id]})
	}
	for _, ordinal := range slices.Sorted(maps.Keys(d.games)) {
		b.Games = append(b.Games, *d.games[ordinal])
	}
	return b
}

// Close ends the day of a series and returns its book. What follows is of the next
// day; the jackpots go on.
func (f *Fold) Close(series uint8, closed *record.DayClosed) *Book {
	b := f.Peek(series, closed)
	pools := f.series[series].pools
	delete(f.series, series)
	f.day(series).pools = pools
	return b
}

// eventOf returns what a controller wants to look at, and whether the record is one
// of those.
func eventOf(place record.Place, r record.Record) (Event, bool) {
	e := Event{Place: place, Time: r.Time, Kind: r.Kind()}
	switch b := r.Body.(type) {
	case *record.TicketCancelled:
		e.About, e.Cents = fmt.Sprintf("ticket %v at terminal %d", b.Ticket, b.Request.Terminal), b.RefundCents+b.CarriedCents
	case *record.DrawVoided:
		e.About = fmt.Sprintf("draw %d of game %v: %s", b.Draw, b.Game, b.Reason)
	case *record.GameVoided:
		e.About, e.Cents = fmt.Sprintf("game %v: %s", b.Game, b.Reason), b.RefundCents
	case *record.GameSettled:
		if b.Revision == 1 && len(b.Awards) == 0 && len(b.Reductions) == 0 {
			return Event{}, false
		}
		e.About, e.Cents = fmt.Sprintf("game %v, revision %d", b.Game, b.Revision), cmp.Or(b.JackpotCents, b.MajorsPaidCents)
	case *record.TermsChanged:
		e.About = fmt.Sprintf("schedule %s from game %d of the series", b.Schedule, b.From)
	case *record.PoolMoved:
		e.About, e.Cents = b.Move, b.AmountCents
	case *record.PromotionBegun:
		e.About, e.Cents = b.Name, b.AmountCents
	case *record.PromotionChanged:
		e.About = fmt.Sprintf("promotion %d", b.Number)
	case *record.PlayPaused:
		e.About = b.Reason
	case *record.ClosureAnnounced, *record.PlayResumed, *record.RequestBurned, *record.RulebookAdopted, *record.VolumeBegun, *record.LockSet, *record.TerminalRevoked:
	default:
		return Event{}, false
	}
	return e, true
}
