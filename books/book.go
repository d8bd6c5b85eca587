package books

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	"github.com/fxamacker/cbor/v2"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// FormSeries is the form of books that keep the accounts of each series of games apart. Books of journals below
// record.LevelSeries have formOne.
const (
	formOne    = 1
	FormSeries = 2
)

// Book is what a trading day of a series came to.
//
// The day of one series closes the day of the house as well (see Fold): its book has the lines of all series and of
// the house itself, over the day of the house. The book of another series has the lines of its own records, over its
// own day.
type Book struct {
	_      struct{} `cbor:",toarray"`
	Form   uint8
	Series uint8
	Day    day.Day
	// First and End are the places of the first record of the day and of the one after
	// its last.
	First, End record.Place
	// House is the place of the first record of the day of the house, where the book closes it. In a book of the
	// first form, and where another series closes the house, it is no place.
	House     record.Place
	Accounts  []Balance  // by account, unit and series, those that moved or have a balance
	Venues    []Venue    // by number and series
	Terminals []Terminal // by number and series
	// Own are the lines of the series alone, over its own day, where that began elsewhere than the day of the house:
	// on the first day that the series closes the house.
	Own    Lines
	Shifts []Shift // at terminals, in the order in which they began
	Rooms  []Room  // bingo rooms, by room and session
	Games  []Game  // by ordinal
	Events []Event // what a controller wants to look at, in the order of the records
}

// Lines are the accounts, and what was done at venues and terminals.
type Lines struct {
	_         struct{} `cbor:",toarray"`
	Accounts  []Balance
	Venues    []Venue
	Terminals []Terminal
}

// Closes reports whether the book closes a day of the house.
func (b *Book) Closes() bool {
	if b.Form == formOne {
		return b.Series == anywhere
	}
	return b.House != record.Place{}
}

// Alone returns the book with the lines of its own series alone, over the day of the series, and without what is of all
// series: shifts, bingo rooms, events of the house. A book of the first form is returned as it is: its lines name no
// series.
func (b *Book) Alone() *Book {
	if b.Form == formOne || !b.Closes() {
		return b
	}
	alone := *b
	alone.House, alone.Own, alone.Shifts, alone.Rooms = record.Place{}, Lines{}, nil, nil
	alone.Events = only(b.Events, func(e *Event) bool { return b.SeriesOf(e) == b.Series })
	if b.House != b.First {
		alone.Accounts, alone.Venues, alone.Terminals = b.Own.Accounts, b.Own.Venues, b.Own.Terminals
		return &alone
	}
	alone.Accounts = only(b.Accounts, func(l *Balance) bool { return l.Series == b.Series })
	alone.Venues = only(b.Venues, func(l *Venue) bool { return l.Series == b.Series })
	alone.Terminals = only(b.Terminals, func(l *Terminal) bool { return l.Series == b.Series })
	return &alone
}

// OfHouse returns a book that closes the house with the accounts and events of the house itself, and with nothing else.
func (b *Book) OfHouse() *Book {
	return &Book{Form: b.Form, Series: theHouse, Day: b.Day, First: b.House, End: b.End, House: b.House,
		Accounts: only(b.Accounts, func(l *Balance) bool { return l.Series == theHouse }),
		Events:   only(b.Events, func(e *Event) bool { return b.SeriesOf(e) == theHouse })}
}

func only[T any](list []T, wanted func(*T) bool) (found []T) {
	for i := range list {
		if wanted(&list[i]) {
			found = append(found, list[i])
		}
	}
	return found
}

// Balance is an account over a day: debits are positive. The balances of a series are what its records moved, and
// those of its jackpots what the jackpots have; series 0 is the house itself.
type Balance struct {
	_       struct{} `cbor:",toarray"`
	Series  uint8
	Account ledger.Account
	Unit    uint32
	Opening money.Amount
	Debits  money.Amount
	Credits money.Amount // as a positive amount
	Flows   []Flow       // what moved it, by kind of record
}

// Flow is what records of one kind did to an account over a day: why its balance is
// another one at the end.
type Flow struct {
	_       struct{} `cbor:",toarray"`
	Kind    record.Kind
	Debits  money.Amount
	Credits money.Amount // as a positive amount
}

// Net returns by how much the account rose, as a debit.
func (f Flow) Net() money.Amount { return f.Debits - f.Credits }

// Closing returns what the account has at the end of the day.
func (b Balance) Closing() money.Amount { return b.Opening + b.Debits - b.Credits }

// Tally counts what was done somewhere. What was sold, for tickets and papers, less what was paid, given back and
// allocated, is what came in as cash and otherwise, or is on the account of a customer who is being served.
type Tally struct {
	_         struct{} `cbor:",toarray"`
	Sales     uint64
	Sold      money.Amount // cost of the tickets
	Payments  uint64
	Paid      money.Amount // prizes and refunds
	Cancelled uint64
	GivenBack money.Amount
	Bonuses   money.Amount
	Cash      money.Amount // into the tills, less what went out, moves to the safe and counts apart
	Late      uint64       // payments with a prize of a game of an earlier trading day
	LatePaid  money.Amount // those prizes
	Unpaid    money.Amount // left unpaid by customers: bets on credit, which the venue bears
	Issued    uint64       // papers and cards that customers had for their money or their prizes
	Papers    money.Amount // for which they stand
	InPlace   money.Amount // those of them that customers had in place of prizes in cash
	Other     money.Amount // came in otherwise than as cash, less what went out so
}

// Venue is what happened at a venue, for a series.
type Venue struct {
	_      struct{} `cbor:",toarray"`
	Series uint8
	Venue  uint32
	Name   string
	Tally  Tally
}

// Terminal is what happened at a terminal, for a series.
type Terminal struct {
	_        struct{} `cbor:",toarray"`
	Series   uint8
	Terminal uint32
	Venue    uint32
	Tally    Tally
}

var (
	encoding = must(cbor.CoreDetEncOptions().EncMode())
	decoding = must(cbor.DecOptions{
		DupMapKey: cbor.DupMapKeyEnforcedAPF, IndefLength: cbor.IndefLengthForbidden, TagsMd: cbor.TagsForbidden,
		MaxArrayElements: 1 << 24, MaxNestedLevels: 8,
	}.DecMode())
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// ErrForm reports bytes that are not the canonical form of a book.
var ErrForm = errors.New("books: not the canonical form of a book")

// Encode returns the one form of a book.
func (b *Book) Encode() ([]byte, error) {
	if b.Form == formOne {
		return encoding.Marshal(b.toOne())
	}
	return encoding.Marshal(b)
}

// Decode reads a book, and refuses bytes that Encode would not have written.
func Decode(data []byte) (*Book, error) {
	b := new(Book)
	if len(data) > 0 && data[0] == oneBegins {
		var one bookOne
		if err := decoding.Unmarshal(data, &one); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrForm, err)
		}
		b = one.book()
	} else if err := decoding.Unmarshal(data, b); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrForm, err)
	}
	again, err := b.Encode()
	if err != nil || !slices.Equal(again, data) || b.Form != formOne && b.Form != FormSeries {
		return nil, ErrForm
	}
	return b, nil
}

// Hash returns the hash of an encoded book.
func Hash(data []byte) record.Hash { return sha256.Sum256(data) }

// Account returns the balance of an account over all its units, with what moved it by
// unit and kind.
func (b *Book) Account(a ledger.Account) Balance {
	return b.sum(func(balance *Balance) bool { return balance.Account == a })
}

// Unit returns the balance of an account for one venue, pool or the like.
func (b *Book) Unit(a ledger.Account, unit uint32) Balance {
	return b.sum(func(balance *Balance) bool { return balance.Account == a && balance.Unit == unit })
}

func (b *Book) sum(belongs func(*Balance) bool) (sum Balance) {
	for i := range b.Accounts {
		balance := &b.Accounts[i]
		if !belongs(balance) {
			continue
		}
		sum.Account = balance.Account
		sum.Opening += balance.Opening
		sum.Debits += balance.Debits
		sum.Credits += balance.Credits
		sum.Flows = append(sum.Flows, balance.Flows...)
	}
	return sum
}

// ByTerminal returns what was done at each terminal, for all series together.
func (b *Book) ByTerminal() (list []Terminal) {
	for _, t := range b.Terminals {
		if last := len(list) - 1; last >= 0 && list[last].Terminal == t.Terminal {
			list[last].Tally.Add(&t.Tally)
			continue
		}
		t.Series = theHouse
		list = append(list, t)
	}
	return list
}

// ByVenue returns what was done at each venue, for all series together.
func (b *Book) ByVenue() (list []Venue) {
	for _, v := range b.Venues {
		if last := len(list) - 1; last >= 0 && list[last].Venue == v.Venue {
			list[last].Tally.Add(&v.Tally)
			continue
		}
		v.Series = theHouse
		list = append(list, v)
	}
	return list
}

// Opened returns how many games the book has.
func (b *Book) Opened() (n int) {
	for i := range b.Games {
		if !b.Games[i].Part {
			n++
		}
	}
	return n
}

// Sort puts books in the order in which their days ended.
func Sort(list []*Book) {
	slices.SortStableFunc(list, func(a, b *Book) int { return comparePlaces(a.End, b.End) })
}

// Merged returns the accounts over all series, by account and unit.
func (b *Book) Merged() []Balance {
	var list []Balance
	for i := range b.Accounts {
		line := &b.Accounts[i]
		if last := len(list) - 1; last >= 0 && list[last].Account == line.Account && list[last].Unit == line.Unit {
			list[last].add(line)
			continue
		}
		merged := *line
		merged.Series, merged.Flows = 0, slices.Clone(line.Flows)
		list = append(list, merged)
	}
	return list
}

// add adds the same account of another series.
func (b *Balance) add(line *Balance) {
	b.Opening += line.Opening
	b.Debits += line.Debits
	b.Credits += line.Credits
	for _, f := range line.Flows {
		flow := flowIn(&b.Flows, f.Kind)
		flow.Debits += f.Debits
		flow.Credits += f.Credits
	}
}

func compareBalances(a, b Balance) int {
	return cmp.Or(cmp.Compare(a.Account, b.Account), cmp.Compare(a.Unit, b.Unit), cmp.Compare(a.Series, b.Series))
}
