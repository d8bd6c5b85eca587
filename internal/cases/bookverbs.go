package cases

import (
	"context"
	"errors"
	"fmt"
	"regexp"

	"drawhouse/books"
	"drawhouse/core/ledger"
)

// Accounts is a house that keeps books.
type Accounts interface {
	// Book returns the book of the trading day as it stands.
	Book() (*books.Book, error)
}

// Book implements Accounts.
func (c *Core) Book() (*books.Book, error) { return c.Engine.BookSoFar(series, c.series().Day), nil }

// Book implements Accounts.
func (s *Served) Book() (*books.Book, error) {
	days, err := s.house.First().DayBooks(context.Background(), 1)
	if err != nil {
		return nil, fmt.Errorf("cases: the book of the day: %w", err)
	}
	if len(days) == 0 {
		return nil, errors.New("cases: there is no book of the day")
	}
	return days[len(days)-1], nil
}

var booksPattern = regexp.MustCompile(`^(?:(fund)|(credit) venue (\d+)|(pool) (\d+))$`)

// books says what the book of the trading day has: of the prize fund, of what a venue's
// customers did not pay, or of the primary of a jackpot.
func (r *run) books(text string) (string, error) {
	words, err := phrase(booksPattern, text, "fund, credit venue N or pool SPOTS")
	if err != nil {
		return "", err
	}
	book, err := r.house.Book()
	if err != nil {
		return "", err
	}
	switch {
	case words[0] != "":
		f := book.Fund()
		return fmt.Sprintf("stakes %v share %v paid by venues %v top-up %v", f.Stakes, f.Share, f.Paid, f.TopUp), nil
	case words[1] != "":
		for _, v := range book.Venues {
			if v.Venue == uint32(number(words[2])) {
				return v.Tally.Unpaid.String(), nil
			}
		}
		return "none", nil
	}
	for _, p := range books.Reconcile([]*books.Book{book}) {
		if p.Account == ledger.JackpotPrimary && p.Unit == ledger.Pool(series, uint8(number(words[4]))) {
			return fmt.Sprintf("opening %v stakes %v won %v moved %v closing %v", p.Opening, p.Stakes, p.Won, p.Moved,
				p.Closing), nil
		}
	}
	return "none", nil
}
