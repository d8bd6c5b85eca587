package hall

import (
	"crypto/sha256"
	"fmt"
	"sync"

	"drawhouse/decide/state"
	"drawhouse/games/bingo"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// Kit is what claims are checked with: the patterns of a rulebook, and master tables
// by the hash of their files. It is safe for concurrent use.
type Kit struct {
	form     *bingo.Form
	patterns *bingo.Patterns

	mu     sync.Mutex // guards tables
	tables map[record.Hash]*bingo.Table
}

// NewKit returns the kit of a rulebook, without tables.
func NewKit(book *rulebook.Book) (*Kit, error) {
	form, err := bingo.NewForm(book)
	if err != nil {
		return nil, err
	}
	patterns, err := bingo.NewPatterns(form, book.Patterns())
	if err != nil {
		return nil, err
	}
	return &Kit{form: form, patterns: patterns, tables: map[record.Hash]*bingo.Table{}}, nil
}

// Load reads the file of a master table and checks its cards.
func (k *Kit) Load(file []byte) (record.Hash, error) {
	table, err := k.form.ReadTable(file)
	if err != nil {
		return record.Hash{}, err
	}
	hash := record.Hash(sha256.Sum256(file))
	k.mu.Lock()
	defer k.mu.Unlock()
	k.tables[hash] = table
	return hash, nil
}

// Drop forgets a table, which is read again where a room has it.
func (k *Kit) Drop(hash record.Hash) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.tables, hash)
}

// Has reports whether a table is there.
func (k *Kit) Has(hash record.Hash) bool {
	_, ok := k.table(hash)
	return ok
}

func (k *Kit) table(hash record.Hash) (*bingo.Table, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	table, ok := k.tables[hash]
	return table, ok
}

// Form returns the form of the cards.
func (k *Kit) Form() *bingo.Form { return k.form }

// of returns the pattern that a prize of a game is for.
func (k *Kit) of(game *state.BingoGame, prize string) (i int, ok bool) {
	return k.patterns.Index(game.Announced.Of(prize))
}

// Patterns returns the patterns that can be played.
func (k *Kit) Patterns() *bingo.Patterns { return k.patterns }

// card returns the boxes of a card of a hall.
func (k *Kit) card(h *state.Hall, series string, book uint32, game uint8) ([]bingo.Box, error) {
	added, ok := h.Table(series)
	if !ok {
		return nil, fmt.Errorf("hall: there is no series %s", series)
	}
	table, ok := k.table(added.Added.Hash)
	if !ok {
		return nil, fmt.Errorf("hall: the master table of series %s was not read", series)
	}
	return table.Card(bingo.Serial{Series: series, Book: int(book), Game: int(game)})
}

// TableName returns the name of the object that holds a master table.
func TableName(hall uint8, series string) string { return fmt.Sprintf("table/%d/%s", hall, series) }
