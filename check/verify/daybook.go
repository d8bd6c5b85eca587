package verify

import (
	"bytes"
	"crypto/sha256"
	"errors"
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
// the way. What is taken up here are the accounts, what was done at terminals and venues
// and in bingo rooms, and what the games came to; events, in words, are for people.
//
// From record.LevelSeries on each line names its series, or 0 for the house. The lowest
// series that has not had its last day closes the house: its book has the lines of all
// series over the day of the house, and the book of another series its own lines over its
// own day. Before that level the book of the first series has the accounts of all, and
// lines name no series: its form is that of daybookone.go.

// houseSeries is the series in whose books the accounts stand before record.LevelSeries,
// and what belongs to no series.
const houseSeries = 1

type dayBook struct {
	_          struct{} `cbor:",toarray"`
	Form       uint8
	Series     uint8
	Day        day.Day
	First, End record.Place
	House      record.Place
	Accounts   []bookAccount
	Venues     []bookVenue
	Terminals  []bookTerminal
	Own        bookLines
	Shifts     []bookShift
	Rooms      []bookRoom
	Games      []bookGame
	Events     cbor.RawMessage
}

// bookLines are those lines of a book that its series has alone.
type bookLines struct {
	_         struct{} `cbor:",toarray"`
	Accounts  []bookAccount
	Venues    []bookVenue
	Terminals []bookTerminal
}

type bookAccount struct {
	_                        struct{} `cbor:",toarray"`
	Series                   uint8
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
// before the last close, and what customers did not pay; papers that were issued for money,
// and what came in otherwise than as cash.
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
	Issued    uint64
	Papers    money.Amount
	InPlace   money.Amount
	Other     money.Amount
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
	t.Issued += u.Issued
	t.Papers += u.Papers
	t.InPlace += u.InPlace
	t.Other += u.Other
}

type bookVenue struct {
	_      struct{} `cbor:",toarray"`
	Series uint8
	Venue  uint32
	Name   string
	Tally  dayTally
}

type bookTerminal struct {
	_        struct{} `cbor:",toarray"`
	Series   uint8
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
	Back      money.Amount    // for the game, if it is void
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
func (c *checker) tallyRecord(id uint32, term *terminal, r record.Record) {
	tally := rowFor(r.Body).tally
	if tally == nil {
		return
	}
	if b, ok := r.Body.(*record.InstrumentIssued); ok &&
		(c.level < record.LevelSeries || b.Reason == record.IssuedByOperator) {
		return // Papers were not counted, and those of the operator are no sale.
	}
	series, done := tally(c, r.Body)
	for _, p := range r.Postings {
		if p.Account == ledger.Cash {
			done.Cash += p.Cents
		}
	}
	term.tallyOf(series).add(done)
	c.tallyApart(id, term, r, done)
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
	if c.level < record.LevelSeries {
		err = c.checkBookOne(s, b, data)
	} else {
		err = c.checkBookOfSeries(s, b, data)
	}
	if err != nil {
		return fmt.Errorf("%s%w", name, err)
	}
	c.closeBook(s)
	return nil
}

// readBook reads a book that must be in its one form.
func readBook(data []byte, book any) error {
	if err := bookDecoding.Unmarshal(data, book); err != nil {
		return fmt.Errorf(" cannot be read: %w", err)
	}
	if again, err := bookEncoding.Marshal(book); err != nil || !bytes.Equal(again, data) {
		return errors.New(" is not in its one form")
	}
	return nil
}

// checkSpan checks of which series, day and records a book is.
func (c *checker) checkSpan(s *series, b *record.DayClosed, book *dayBook) error {
	here := placeOf(c.here())
	first := s.bookFrom
	if first == (record.Place{}) {
		first = book.First // The first day of a further series begins with whatever speaks of it.
	}
	if book.Series != b.Series || book.Day != b.Day || book.First != first || book.End != here {
		return fmt.Errorf(": it is of series %d on %v, records %v to %v, and this is series %d on %v, %v to %v",
			book.Series, book.Day, book.First, book.End, b.Series, b.Day, first, here)
	}
	return nil
}

// sameLines finds the first line that differs.
func sameLines(stated, due *bookLines) error {
	if err := sameList("account", plainAccounts(stated.Accounts), plainAccounts(due.Accounts)); err != nil {
		return err
	}
	if err := sameList("flow", plainFlows(stated.Accounts), plainFlows(due.Accounts)); err != nil {
		return err
	}
	if err := sameList("venue", stated.Venues, due.Venues); err != nil {
		return err
	}
	return sameList("terminal", stated.Terminals, due.Terminals)
}

// accountLine is an account without what moved it, and flowLine one movement with its
// account: both can be compared.
type accountLine struct {
	Series                   uint8
	Account                  ledger.Account
	Unit                     uint32
	Opening, Debits, Credits money.Amount
}

type flowLine struct {
	Series          uint8
	Account         ledger.Account
	Unit            uint32
	Kind            record.Kind
	Debits, Credits money.Amount
}

func plainAccounts(list []bookAccount) []accountLine {
	out := make([]accountLine, len(list))
	for i, a := range list {
		out[i] = accountLine{a.Series, a.Account, a.Unit, a.Opening, a.Debits, a.Credits}
	}
	return out
}

func plainFlows(list []bookAccount) []flowLine {
	var out []flowLine
	for _, a := range list {
		for _, f := range a.Flows {
			out = append(out, flowLine{a.Series, a.Account, a.Unit, f.Kind, f.Debits, f.Credits})
		}
	}
	return out
}

// plainGames leaves out what is not compared, for it is of no comparable type.
func plainGames(list []bookGame) []bookFigures {
	out := make([]bookFigures, len(list))
	for i, g := range list {
		out[i] = bookFigures{g.Number, g.Ordinal, g.Void, g.Plays, g.Ways, g.Stakes, g.Winners, g.Prizes, g.Carried,
			g.Breakage, g.Jackpots, g.Reduced, g.Revisions, g.Back}
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
	Back                                money.Amount
}

// sameList compares two lists line by line.
func sameList[T comparable](what string, stated, due []T) error {
	for i := range max(len(stated), len(due)) {
		switch {
		case i >= len(stated):
			return sentence(": it leaves out the %s %v", what, due[i])
		case i >= len(due):
			return sentence(": it has the %s %v, of which no record tells", what, stated[i])
		case stated[i] != due[i]:
			return differs(what, stated[i], due[i],
				": it has the %s %v, and %v is right", what, stated[i], due[i])
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
func (s *series) bookGames(form uint8) []bookFigures {
	games := s.games[len(s.games)-int(s.dayGames):]
	list := make([]bookFigures, len(games))
	for i, g := range games {
		list[i] = g.figures
		if form != bookForm {
			list[i].Back = 0 // Books had no such figure.
		}
		list[i].Number, list[i].Ordinal, list[i].Plays, list[i].Ways, list[i].Stakes = g.name.Number, g.ordinal, g.plays,
			g.ways, g.stakes.total()
	}
	return list
}

// closeBook begins the next day.
func (c *checker) closeBook(s *series) {
	c.apart.closeSeries(s.id)
	if s.id == c.closer() {
		c.books.nextDay()
		c.nextShifts()
		c.apart.closeHouse()
		c.houseFrom = placeOf(c.here())
	}
	s.booked = len(s.games)
	for _, term := range c.terminals {
		delete(term.tallies, s.id)
	}
	s.bookFrom = placeOf(c.here()) // A day's book reaches up to its close, and the next begins with it.
}
