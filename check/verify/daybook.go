package verify

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"

	"github.com/fxamacker/cbor/v2"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// The book of a trading day adds up every record from the close of one Keno Day of a
// series to the close of the next. It is CBOR in the deterministic form, arrays all
// the way. Money is the house's and not a series', so that the accounts stand in the
// book of the first series. What is taken up here are the accounts, what was done at
// terminals and venues, and what the games came to; events, in words, are for people.

// houseSeries is the series in whose books the accounts stand, and what belongs to no
// series.
const houseSeries = 1

type dayBook struct {
	_          struct{} `cbor:",toarray"`
	Series     uint8
	Day        day.Day
	First, End record.Place
	Accounts   []bookAccount
	Venues     []bookVenue
	Terminals  []bookTerminal
	Shifts     []bookShift
	Games      []bookGame
	Events     cbor.RawMessage
}

type bookAccount struct {
	_                        struct{} `cbor:",toarray"`
	Account                  ledger.Account
	Unit                     uint32
	Opening, Debits, Credits money.Amount
	Flows                    []bookFlow
}

// A bookFlow is what records of a kind did to an account.
type bookFlow struct {
	_               struct{} `cbor:",toarray"`
	Kind            record.Kind
	Debits, Credits money.Amount
}

// A dayTally counts what was done somewhere: tickets sold, paid and cancelled, with their
// money, bonuses, and the cash that stayed; payments with prizes of games that were opened
// before the last close, and what customers did not pay.
type dayTally struct {
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

func (t *dayTally) add(u dayTally) {
	t.Sales += u.Sales
	t.Sold += u.Sold
	t.Payments += u.Payments
	t.Paid += u.Paid
	t.Cancelled += u.Cancelled
	t.GivenBack += u.GivenBack
	t.Bonuses += u.Bonuses
	t.Cash += u.Cash
	t.Late += u.Late
	t.LatePaid += u.LatePaid
	t.Unpaid += u.Unpaid
}

type bookVenue struct {
	_     struct{} `cbor:",toarray"`
	Venue uint32
	Name  string
	Tally dayTally
}

type bookTerminal struct {
	_        struct{} `cbor:",toarray"`
	Terminal uint32
	Venue    uint32
	Tally    dayTally
}

type bookGame struct {
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
	Pools     cbor.RawMessage // The records of the games were held against them.
}

// maxBookFile bounds the book of a day.
const maxBookFile = 1 << 28

var (
	bookEncoding = mustMode(cbor.CoreDetEncOptions().EncMode())
	bookDecoding = mustMode(cbor.DecOptions{
		DupMapKey: cbor.DupMapKeyEnforcedAPF, IndefLength: cbor.IndefLengthForbidden, TagsMd: cbor.TagsForbidden,
		MaxArrayElements: 1 << 24, MaxNestedLevels: 8,
	}.DecMode())
)

func mustMode[T any](mode T, err error) T {
	if err != nil {
		panic(err) // The options are constant.
	}
	return mode
}

// tallyOf returns what was done at the terminal for a series on its day.
func (t *terminal) tallyOf(series uint8) *dayTally {
	if t.tallies == nil {
		t.tallies = make(map[uint8]*dayTally)
	}
	done := t.tallies[series]
	if done == nil {
		done = new(dayTally)
		t.tallies[series] = done
	}
	return done
}

// tallyRecord counts what a record does at a terminal.
func (c *checker) tallyRecord(term *terminal, r record.Record) {
	tally := rowFor(r.Body).tally
	if tally == nil {
		return
	}
	series, done := tally(c, r.Body)
	for _, p := range r.Postings {
		if p.Account == ledger.Cash {
			done.Cash += p.Cents
		}
	}
	term.tallyOf(series).add(done)
	term.total.add(done)
}

func (c *checker) tallyPaid(b *record.TicketPaid) (uint8, dayTally) {
	done := dayTally{Payments: 1, Paid: b.Amount() - b.Withheld()} // That was counted when it was withheld.
	for _, part := range b.Parts {
		if s := c.series[b.Series]; part.Ordinal != 0 && s != nil && uint64(part.Ordinal) <= uint64(s.booked) {
			done.Late, done.LatePaid = 1, done.LatePaid+part.Cents
		}
	}
	return b.Series, done
}

func tallyEnded(_ *checker, b *record.SessionEnded) (uint8, dayTally) {
	var done dayTally
	for _, t := range b.Tenders {
		if t.Kind == record.TenderUnpaid {
			done.Unpaid += t.Cents
		}
	}
	return houseSeries, done
}

// checkBook compares the book of a day with what the records of the day come to.
func (c *checker) checkBook(s *series, b *record.DayClosed) error {
	name := BookFile(b.Series, b.Day)
	data, err := readWhole(c.src, name, maxBookFile)
	if err != nil {
		return err
	}
	if sha256.Sum256(data) != b.Books {
		return fmt.Errorf("%s does not have the hash that the record states", name)
	}
	var book dayBook
	if err := bookDecoding.Unmarshal(data, &book); err != nil {
		return fmt.Errorf("%s cannot be read: %w", name, err)
	}
	if again, err := bookEncoding.Marshal(&book); err != nil || !bytes.Equal(again, data) {
		return fmt.Errorf("%s is not in its one form", name)
	}
	if err := c.compareBook(s, b, &book); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	c.closeBook(s)
	return nil
}

// compareBook finds the first figure that differs.
func (c *checker) compareBook(s *series, b *record.DayClosed, book *dayBook) error {
	here := placeOf(c.here())
	first := s.bookFrom
	if first == (record.Place{}) {
		first = book.First // The first day of a further series begins with whatever speaks of it.
	}
	if book.Series != b.Series || book.Day != b.Day || book.First != first || book.End != here {
		return fmt.Errorf("it is of series %d on %v, records %v to %v, and this is series %d on %v, %v to %v",
			book.Series, book.Day, book.First, book.End, b.Series, b.Day, first, here)
	}
	var accounts []bookAccount
	var shifts []bookShift
	if b.Series == houseSeries {
		accounts, shifts = c.books.day(), c.dayShifts()
	}
	venues, terminals := c.tallies(b.Series)
	if err := sameList("account", plainAccounts(book.Accounts), plainAccounts(accounts)); err != nil {
		return err
	}
	if err := sameList("flow", plainFlows(book.Accounts), plainFlows(accounts)); err != nil {
		return err
	}
	if err := sameList("shift", book.Shifts, shifts); err != nil {
		return err
	}
	if err := sameList("venue", book.Venues, venues); err != nil {
		return err
	}
	if err := sameList("terminal", book.Terminals, terminals); err != nil {
		return err
	}
	return sameList("game", plainGames(book.Games), s.bookGames())
}

// accountLine is an account without what moved it, and flowLine one movement with its
// account: both can be compared.
type accountLine struct {
	Account                  ledger.Account
	Unit                     uint32
	Opening, Debits, Credits money.Amount
}

type flowLine struct {
	Account         ledger.Account
	Unit            uint32
	Kind            record.Kind
	Debits, Credits money.Amount
}

func plainAccounts(list []bookAccount) []accountLine {
	out := make([]accountLine, len(list))
	for i, a := range list {
		out[i] = accountLine{a.Account, a.Unit, a.Opening, a.Debits, a.Credits}
	}
	return out
}

func plainFlows(list []bookAccount) []flowLine {
	var out []flowLine
	for _, a := range list {
		for _, f := range a.Flows {
			out = append(out, flowLine{a.Account, a.Unit, f.Kind, f.Debits, f.Credits})
		}
	}
	return out
}

// plainGames leaves out what is not compared, for it is of no comparable type.
func plainGames(list []bookGame) []bookFigures {
	out := make([]bookFigures, len(list))
	for i, g := range list {
		out[i] = bookFigures{g.Number, g.Ordinal, g.Void, g.Plays, g.Ways, g.Stakes, g.Winners, g.Prizes, g.Carried,
			g.Breakage, g.Jackpots, g.Reduced, g.Revisions}
	}
	return out
}

// bookFigures are the figures of a game.
type bookFigures struct {
	Number                              uint16
	Ordinal                             uint32
	Void                                bool
	Plays, Ways                         uint64
	Stakes                              money.Amount
	Winners                             uint64
	Prizes, Carried, Breakage, Jackpots money.Amount
	Reduced                             bool
	Revisions                           uint8
}

// sameList compares two lists line by line.
func sameList[T comparable](what string, stated, due []T) error {
	for i := range max(len(stated), len(due)) {
		switch {
		case i >= len(stated):
			return fmt.Errorf("it leaves out the %s %+v", what, due[i])
		case i >= len(due):
			return fmt.Errorf("it has the %s %+v, of which no record tells", what, stated[i])
		case stated[i] != due[i]:
			return differs(what, fmt.Sprintf("%+v", stated[i]), fmt.Sprintf("%+v", due[i]),
				"it has the %s %+v, and %+v is right", what, stated[i], due[i])
		}
	}
	return nil
}

// tallies returns what was done at venues and terminals for a series, by number.
func (c *checker) tallies(series uint8) (venues []bookVenue, terminals []bookTerminal) {
	byVenue := make(map[uint32]*dayTally)
	for _, id := range slices.Sorted(maps.Keys(c.terminals)) {
		term := c.terminals[id]
		done := term.tallies[series]
		if done == nil {
			continue
		}
		terminals = append(terminals, bookTerminal{Terminal: id, Venue: term.venue, Tally: *done})
		if byVenue[term.venue] == nil {
			byVenue[term.venue] = new(dayTally)
		}
		byVenue[term.venue].add(*done)
	}
	for _, id := range slices.Sorted(maps.Keys(byVenue)) {
		venues = append(venues, bookVenue{Venue: id, Name: c.venues[id].name, Tally: *byVenue[id]})
	}
	return venues, terminals
}

// bookGames returns the figures of the games that opened on the day.
func (s *series) bookGames() []bookFigures {
	games := s.games[len(s.games)-int(s.dayGames):]
	list := make([]bookFigures, len(games))
	for i, g := range games {
		list[i] = g.figures
		list[i].Number, list[i].Ordinal, list[i].Plays, list[i].Ways, list[i].Stakes = g.name.Number, g.ordinal, g.plays,
			g.ways, g.stakes.total()
	}
	return list
}

// closeBook begins the next day.
func (c *checker) closeBook(s *series) {
	if s.id == houseSeries {
		c.books.nextDay()
		c.nextShifts()
	}
	s.booked = len(s.games)
	for _, term := range c.terminals {
		delete(term.tallies, s.id)
	}
	s.bookFrom = placeOf(c.here()) // A day's book reaches up to its close, and the next begins with it.
}
