package verify

import (
	"github.com/fxamacker/cbor/v2"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// The books of journals below record.LevelSeries: arrays whose lines name no series.

type oldBook struct {
	_          struct{} `cbor:",toarray"`
	Series     uint8
	Day        day.Day
	First, End record.Place
	Accounts   []oldAccount
	Venues     []oldVenue
	Terminals  []oldTerminal
	Shifts     []oldShift
	Games      []oldGame
	Events     cbor.RawMessage
}

type oldAccount struct {
	_                        struct{} `cbor:",toarray"`
	Account                  ledger.Account
	Unit                     uint32
	Opening, Debits, Credits money.Amount
	Flows                    []bookFlow
}

type oldTally struct {
	_                        struct{} `cbor:",toarray"`
	Sales                    uint64
	Sold                     money.Amount
	Payments                 uint64
	Paid                     money.Amount
	Cancelled                uint64
	GivenBack, Bonuses, Cash money.Amount
	Late                     uint64
	LatePaid, Unpaid         money.Amount
}

func (t oldTally) now() dayTally {
	return dayTally{Sales: t.Sales, Sold: t.Sold, Payments: t.Payments, Paid: t.Paid, Cancelled: t.Cancelled,
		GivenBack: t.GivenBack, Bonuses: t.Bonuses, Cash: t.Cash, Late: t.Late, LatePaid: t.LatePaid, Unpaid: t.Unpaid}
}

type oldVenue struct {
	_     struct{} `cbor:",toarray"`
	Venue uint32
	Name  string
	Tally oldTally
}

type oldTerminal struct {
	_               struct{} `cbor:",toarray"`
	Terminal, Venue uint32
	Tally           oldTally
}

type oldGame struct {
	_                                   struct{} `cbor:",toarray"`
	Number                              uint16
	Ordinal                             uint32
	Void                                bool
	Plays, Ways                         uint64
	Stakes                              money.Amount
	Winners                             uint64
	Prizes, Carried, Breakage, Jackpots money.Amount
	Reduced                             bool
	Revisions                           uint8
	Pools                               cbor.RawMessage
}

type oldShift struct {
	_                struct{} `cbor:",toarray"`
	Person           uint32
	Role             record.Role
	Terminal, Venue  uint32
	From, To         record.Time
	Tally            oldTally
	Brought, Dropped money.Amount
	Counts           uint32
	Over             money.Amount
}

// checkBookOne checks a book of the first form: that of the first series has all accounts and shifts.
func (c *checker) checkBookOne(s *series, b *record.DayClosed, data []byte) error {
	var old oldBook
	if err := readBook(data, &old); err != nil {
		return err
	}
	book := dayBook{Series: old.Series, Day: old.Day, First: old.First, End: old.End}
	if err := c.checkSpan(s, b, &book); err != nil {
		return err
	}
	var stated, due bookLines
	for _, a := range old.Accounts {
		stated.Accounts = append(stated.Accounts, bookAccount{Account: a.Account, Unit: a.Unit, Opening: a.Opening,
			Debits: a.Debits, Credits: a.Credits, Flows: a.Flows})
	}
	for _, v := range old.Venues {
		stated.Venues = append(stated.Venues, bookVenue{Venue: v.Venue, Name: v.Name, Tally: v.Tally.now()})
	}
	for _, t := range old.Terminals {
		stated.Terminals = append(stated.Terminals, bookTerminal{Terminal: t.Terminal, Venue: t.Venue,
			Tally: t.Tally.now()})
	}
	var shifts, worked []bookShift
	for _, w := range old.Shifts {
		shifts = append(shifts, bookShift{Person: w.Person, Role: w.Role, Terminal: w.Terminal, Venue: w.Venue,
			From: w.From, To: w.To, Tally: w.Tally.now(), Brought: w.Brought, Dropped: w.Dropped, Counts: w.Counts,
			Over: w.Over})
	}
	if b.Series == houseSeries {
		due.Accounts, worked = c.books.day(), c.dayShifts()
	}
	due.Venues, due.Terminals = c.tallies(b.Series)
	if err := sameLines(&stated, &due); err != nil {
		return err
	}
	if err := sameList("shift", shifts, worked); err != nil {
		return err
	}
	var games []bookFigures
	for _, g := range old.Games {
		games = append(games, bookFigures{g.Number, g.Ordinal, g.Void, g.Plays, g.Ways, g.Stakes, g.Winners, g.Prizes,
			g.Carried, g.Breakage, g.Jackpots, g.Reduced, g.Revisions, 0})
	}
	return sameList("game", games, s.bookGames(0))
}
