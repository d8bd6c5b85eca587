package verify_test

import (
	"fmt"
	"testing"

	"drawhouse/books"
	"drawhouse/check/verify"
	"drawhouse/journal/record"
)

// rebook returns the lie that writes another book of the day and pins its hash.
func rebook(t testing.TB, edit func(*books.Book)) lies {
	return lies{object: map[string]func([]byte) []byte{fmt.Sprintf("books/%d/%v", series,
		today): func(data []byte) []byte {
		book, err := books.Decode(data)
		require(t, err)
		edit(book)
		data, err = book.Encode()
		require(t, err)
		return data
	}}}
}

// TestLyingBooks lets the house keep books that its records do not come to.
func TestLyingBooks(t *testing.T) {
	for _, d := range []damage{
		{"another book than the record pins", change("day closed", func(b *record.DayClosed) { b.Books[0]++ }),
			verify.CheckLedger, "day closed", "does not have the hash"},
		{"bytes that are no book", lies{object: map[string]func([]byte) []byte{fmt.Sprintf("books/%d/%v", series,
			today): func(b []byte) []byte { return append(b, 0) }}}, verify.CheckLedger, "day closed", "cannot be read"},
		{"a book of another day", rebook(t, func(b *books.Book) { b.Day++ }), verify.CheckLedger, "day closed",
			"it is of series 1 on 2026-11-16"},
		{"records left out", rebook(t, func(b *books.Book) { b.First.Seq++ }), verify.CheckLedger, "day closed",
			"records 1:1 to"},
		{"an account a cent too high", rebook(t, func(b *books.Book) { b.Accounts[0].Debits++ }), verify.CheckLedger,
			"day closed", "has the account"},
		{"an opening balance", rebook(t, func(b *books.Book) { b.Accounts[1].Opening++ }), verify.CheckLedger, "day closed",
			"has the account"},
		{"an account left out", rebook(t, func(b *books.Book) { b.Accounts = b.Accounts[:len(b.Accounts)-1] }),
			verify.CheckLedger, "day closed", "leaves out the account"},
		{"an account too many", rebook(t, func(b *books.Book) {
			b.Accounts = append(b.Accounts,
				books.Balance{Account: 32, Unit: 7})
		}), verify.CheckLedger, "day closed", "of which no record tells"},
		{"another reason for a movement", rebook(t, func(b *books.Book) { b.Accounts[0].Flows[0].Kind++ }),
			verify.CheckLedger, "day closed", "has the flow"},
		{"a movement that is not told of", rebook(t, func(b *books.Book) { b.Accounts[0].Flows = nil }), verify.CheckLedger,
			"day closed", "has the flow"},
		{"a shift that nobody worked", rebook(t,
			func(b *books.Book) { b.Shifts = append(b.Shifts, books.Shift{Person: 1, Terminal: 70, Venue: 7}) }),
			verify.CheckLedger, "day closed", "has the shift"},
		{"another name of a venue", rebook(t, func(b *books.Book) { b.Venues[0].Name = "Elsewhere" }), verify.CheckLedger,
			"day closed", "has the venue"},
		{"a late payment", rebook(t, func(b *books.Book) { b.Terminals[0].Tally.Late++ }), verify.CheckLedger, "day closed",
			"has the terminal"},
		{"a loss that was paid", rebook(t, func(b *books.Book) { b.Venues[0].Tally.Unpaid++ }), verify.CheckLedger,
			"day closed", "has the venue"},
		{"a sale too few at a venue", rebook(t, func(b *books.Book) { b.Venues[0].Tally.Sales-- }), verify.CheckLedger,
			"day closed", "has the venue"},
		{"sold for a cent less", rebook(t, func(b *books.Book) { b.Terminals[0].Tally.Sold-- }), verify.CheckLedger,
			"day closed", "has the terminal"},
		{"paid a cent more", rebook(t, func(b *books.Book) { b.Terminals[0].Tally.Paid++ }), verify.CheckLedger, "day closed",
			"has the terminal"},
		{"cash that went elsewhere", rebook(t, func(b *books.Book) { b.Terminals[0].Tally.Cash-- }), verify.CheckLedger,
			"day closed", "has the terminal"},
		{"a game's stakes", rebook(t, func(b *books.Book) { b.Games[1].Stakes++ }), verify.CheckLedger, "day closed",
			"has the game"},
		{"a game's prizes", rebook(t, func(b *books.Book) { b.Games[0].Prizes-- }), verify.CheckLedger, "day closed",
			"has the game"},
	} {
		t.Run(d.name, func(t *testing.T) {
			h := newHouse(t, d.lies).tell()
			expectFailure(t, runBothWays(t, h.files(), verify.Options{}), d.check, h.places, d.record, d.reason)
		})
	}
}
