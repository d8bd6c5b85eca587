package books

import (
	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// The first form of books, which journals below record.LevelSeries have. Its lines name no series: the books of the
// first series have the accounts of the house.

// oneBegins is the first byte of a book of the first form: an array of ten. Later forms have more elements.
const oneBegins = 0x8a

type bookOne struct {
	_          struct{} `cbor:",toarray"`
	Series     uint8
	Day        day.Day
	First, End record.Place
	Accounts   []balanceOne
	Venues     []venueOne
	Terminals  []terminalOne
	Shifts     []shiftOne
	Games      []gameOne
	Events     []Event
}

type gameOne struct {
	_         struct{} `cbor:",toarray"`
	Number    uint16
	Ordinal   uint32
	Void      bool
	Plays     uint64
	Ways      uint64
	Stakes    money.Amount
	Winners   uint64
	Prizes    money.Amount
	Carried   money.Amount
	Breakage  money.Amount
	Jackpots  money.Amount
	Reduced   bool
	Revisions uint8
	Pools     []Pool
}

type balanceOne struct {
	_                        struct{} `cbor:",toarray"`
	Account                  ledger.Account
	Unit                     uint32
	Opening, Debits, Credits money.Amount
	Flows                    []Flow
}

type tallyOne struct {
	_         struct{} `cbor:",toarray"`
	Sales     uint64
	Sold      money.Amount
	Payments  uint64
	Paid      money.Amount
	Cancelled uint64
	GivenBack money.Amount
	Bonuses   money.Amount
	Cash      money.Amount
	Late      uint64
	LatePaid  money.Amount
	Unpaid    money.Amount
}

type venueOne struct {
	_     struct{} `cbor:",toarray"`
	Venue uint32
	Name  string
	Tally tallyOne
}

type terminalOne struct {
	_        struct{} `cbor:",toarray"`
	Terminal uint32
	Venue    uint32
	Tally    tallyOne
}

type shiftOne struct {
	_        struct{} `cbor:",toarray"`
	Person   uint32
	Role     record.Role
	Terminal uint32
	Venue    uint32
	From, To record.Time
	Tally    tallyOne
	Brought  money.Amount
	Dropped  money.Amount
	Counts   uint32
	Over     money.Amount
}

func (t *Tally) one() tallyOne {
	return tallyOne{Sales: t.Sales, Sold: t.Sold, Payments: t.Payments, Paid: t.Paid, Cancelled: t.Cancelled,
		GivenBack: t.GivenBack, Bonuses: t.Bonuses, Cash: t.Cash, Late: t.Late, LatePaid: t.LatePaid, Unpaid: t.Unpaid}
}

func (t *tallyOne) tally() Tally {
	return Tally{Sales: t.Sales, Sold: t.Sold, Payments: t.Payments, Paid: t.Paid, Cancelled: t.Cancelled,
		GivenBack: t.GivenBack, Bonuses: t.Bonuses, Cash: t.Cash, Late: t.Late, LatePaid: t.LatePaid, Unpaid: t.Unpaid}
}

func (g *Game) one() gameOne {
	return gameOne{Number: g.Number, Ordinal: g.Ordinal, Void: g.Void, Plays: g.Plays, Ways: g.Ways, Stakes: g.Stakes,
		Winners: g.Winners, Prizes: g.Prizes, Carried: g.Carried, Breakage: g.Breakage, Jackpots: g.Jackpots,
		Reduced: g.Reduced, Revisions: g.Revisions, Pools: g.Pools}
}

// game returns the game as books have it today. What went back for a void game is not known, and mostly its stakes.
func (g *gameOne) game() Game {
	game := Game{Number: g.Number, Ordinal: g.Ordinal, Void: g.Void, Plays: g.Plays, Ways: g.Ways, Stakes: g.Stakes,
		Winners: g.Winners, Prizes: g.Prizes, Carried: g.Carried, Breakage: g.Breakage, Jackpots: g.Jackpots,
		Reduced: g.Reduced, Revisions: g.Revisions, Pools: g.Pools}
	if g.Void {
		game.Back = g.Stakes
	}
	return game
}

// each converts a list. No list stays none.
func each[A, B any](list []A, convert func(*A) B) []B {
	if list == nil {
		return nil
	}
	out := make([]B, len(list))
	for i := range list {
		out[i] = convert(&list[i])
	}
	return out
}

// toOne returns the book in the first form.
func (b *Book) toOne() *bookOne {
	return &bookOne{
		Series: b.Series, Day: b.Day, First: b.First, End: b.End, Events: b.Events,
		Games: each(b.Games, (*Game).one),
		Accounts: each(b.Accounts, func(l *Balance) balanceOne {
			return balanceOne{Account: l.Account, Unit: l.Unit, Opening: l.Opening, Debits: l.Debits, Credits: l.Credits,
				Flows: l.Flows}
		}),
		Venues: each(b.Venues, func(l *Venue) venueOne {
			return venueOne{Venue: l.Venue, Name: l.Name, Tally: l.Tally.one()}
		}),
		Terminals: each(b.Terminals, func(l *Terminal) terminalOne {
			return terminalOne{Terminal: l.Terminal, Venue: l.Venue, Tally: l.Tally.one()}
		}),
		Shifts: each(b.Shifts, func(l *Shift) shiftOne {
			return shiftOne{Person: l.Person, Role: l.Role, Terminal: l.Terminal, Venue: l.Venue, From: l.From, To: l.To,
				Tally: l.Tally.one(), Brought: l.Brought, Dropped: l.Dropped, Counts: l.Counts, Over: l.Over}
		}),
	}
}

// book returns a book of the first form as programs of today read books.
func (o *bookOne) book() *Book {
	return &Book{
		Form: formOne, Series: o.Series, Day: o.Day, First: o.First, End: o.End, Events: o.Events,
		Games: each(o.Games, (*gameOne).game),
		Accounts: each(o.Accounts, func(l *balanceOne) Balance {
			return Balance{Account: l.Account, Unit: l.Unit, Opening: l.Opening, Debits: l.Debits, Credits: l.Credits,
				Flows: l.Flows}
		}),
		Venues: each(o.Venues, func(l *venueOne) Venue {
			return Venue{Venue: l.Venue, Name: l.Name, Tally: l.Tally.tally()}
		}),
		Terminals: each(o.Terminals, func(l *terminalOne) Terminal {
			return Terminal{Terminal: l.Terminal, Venue: l.Venue, Tally: l.Tally.tally()}
		}),
		Shifts: each(o.Shifts, func(l *shiftOne) Shift {
			return Shift{Person: l.Person, Role: l.Role, Terminal: l.Terminal, Venue: l.Venue, From: l.From, To: l.To,
				Tally: l.Tally.tally(), Brought: l.Brought, Dropped: l.Dropped, Counts: l.Counts, Over: l.Over}
		}),
	}
}
