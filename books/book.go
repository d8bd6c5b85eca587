package books

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	"github.com/fxamacker/cbor/v2"

	"drawhouse/day"
	"drawhouse/ledger"
	"drawhouse/money"
	"drawhouse/record"
)

// Book is what a trading day of a series came to.
type Book struct {
	_      struct{} `cbor:",toarray"`
	Series uint8
	Day    day.Day
	// First and End are the places of the first record of the day and of the one after
	// its last.
	First, End record.Place
	Accounts   []Balance  // by account and unit, those that moved or have a balance
	Venues     []Venue    // by number
	Terminals  []Terminal // by number
	Games      []Game     // by ordinal
	Events     []Event    // what a controller wants to look at, in the order of the records
}

// Balance is an account over a day: debits are positive.
type Balance struct {
	_       struct{} `cbor:",toarray"`
	Account ledger.Account
	Unit    uint32
	Opening money.Amount
	Debits  money.Amount
	Credits money.Amount // as a positive amount
}

// Closing returns what the account has at the end of the day.
func (b Balance) Closing() money.Amount { return b.Opening + b.Debits - b.Credits }

// Tally counts what was done somewhere.
type Tally struct {
	_         struct{} `cbor:",toarray"`
	Sales     uint64
	Sold      money.Amount // cost of the tickets
	Payments  uint64
	Paid      money.Amount // prizes and refunds
	Cancelled uint64
	GivenBack money.Amount
	Bonuses   money.Amount
	Cash      money.Amount // into the tills, less what went out
}

// Venue is what happened at a venue.
type Venue struct {
	_     struct{} `cbor:",toarray"`
	Venue uint32
	Tally Tally
}

// Terminal is what happened at a terminal.
type Terminal struct {
	_        struct{} `cbor:",toarray"`
	Terminal uint32
	Venue    uint32
	Tally    Tally
}

// Game is what a game came to.
type Game struct {
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
	Jackpots  money.Amount // shares of winners here
	Reduced   bool         // a limit on major prizes was met
	Revisions uint8
	Pools     []Pool // as the game left them
}

// Pool is a jackpot after a game.
type Pool struct {
	_       struct{} `cbor:",toarray"`
	Spots   uint8
	Primary record.Exact
	Won     money.Amount // in the game
}

// Event is something out of the ordinary.
type Event struct {
	_     struct{} `cbor:",toarray"`
	Place record.Place
	Time  record.Time
	Kind  record.Kind
	About string // the subject, in words
	Cents money.Amount
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
func (b *Book) Encode() ([]byte, error) { return encoding.Marshal(b) }

// Decode reads a book, and refuses bytes that Encode would not have written.
func Decode(data []byte) (*Book, error) {
	b := new(Book)
	if err := decoding.Unmarshal(data, b); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrForm, err)
	}
	again, err := b.Encode()
	if err != nil || !slices.Equal(again, data) {
		return nil, ErrForm
	}
	return b, nil
}

// Hash returns the hash of an encoded book.
func Hash(data []byte) record.Hash { return sha256.Sum256(data) }

// Account returns the balance of an account over all its units.
func (b *Book) Account(a ledger.Account) Balance {
	sum := Balance{Account: a}
	for _, balance := range b.Accounts {
		if balance.Account == a {
			sum.Opening += balance.Opening
			sum.Debits += balance.Debits
			sum.Credits += balance.Credits
		}
	}
	return sum
}

// Total returns what was done everywhere.
func (b *Book) Total() (sum Tally) {
	for i := range b.Venues {
		sum.add(&b.Venues[i].Tally)
	}
	return sum
}

func (t *Tally) add(u *Tally) {
	t.Sales += u.Sales
	t.Sold += u.Sold
	t.Payments += u.Payments
	t.Paid += u.Paid
	t.Cancelled += u.Cancelled
	t.GivenBack += u.GivenBack
	t.Bonuses += u.Bonuses
	t.Cash += u.Cash
}

func compareBalances(a, b Balance) int {
	return cmp.Or(cmp.Compare(a.Account, b.Account), cmp.Compare(a.Unit, b.Unit))
}
