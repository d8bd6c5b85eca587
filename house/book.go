package house

import (
	"errors"
	"fmt"
	"sync"

	"drawhouse/keno"
	"drawhouse/record"
	"drawhouse/rulebook"
	"drawhouse/settle"
)

// book is an adopted rulebook with what readers do by it.
type book struct {
	*rulebook.Book
	desk *keno.Desk // nil for one that is not of keno

	mu    sync.Mutex // guards terms
	terms map[string]*settle.Terms
}

func newBook(b *record.RulebookAdopted) (*book, error) {
	read, err := rulebook.FromCanonical(b.Book)
	if err != nil {
		return nil, fmt.Errorf("house: rulebook %s: %w", b.ID, err)
	}
	desk, err := keno.NewDesk(read)
	if err != nil && !errors.Is(err, keno.ErrNotKeno) {
		return nil, fmt.Errorf("house: rulebook %s: %w", b.ID, err)
	}
	return &book{Book: read, desk: desk, terms: map[string]*settle.Terms{}}, nil
}

// settlesUnder returns what games settle under with a schedule.
func (b *book) settlesUnder(schedule string) (*settle.Terms, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if terms, ok := b.terms[schedule]; ok {
		return terms, nil
	}
	terms, err := settle.NewTerms(b.Book, schedule)
	if err != nil {
		return nil, err
	}
	b.terms[schedule] = terms
	return terms, nil
}
