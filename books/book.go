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
	Shifts     []Shift    // at terminals, in the order in which they began
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
	Late      uint64       // payments with a prize of a game of an earlier trading day
	LatePaid  money.Amount // those prizes
	Unpaid    money.Amount // left unpaid by customers: bets on credit, which the venue bears
}

// Venue is what happened at a venue.
type Venue struct {
	_     struct{} `cbor:",toarray"`
	Venue uint32
	Name  string
	Tally Tally
}

// Terminal is what happened at a terminal.
type Terminal struct {
	_        struct{} `cbor:",toarray"`
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

func compareBalances(a, b Balance) int {
	return cmp.Or(cmp.Compare(a.Account, b.Account), cmp.Compare(a.Unit, b.Unit))
}
