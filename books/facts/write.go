package facts

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"sync"

	"drawhouse/books"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/decide/state"
	"drawhouse/games/keno"
	"drawhouse/games/settle"
	"drawhouse/journal/record"
)

// Sink is where tables are written to.
type Sink interface {
	// Create begins a file. It is whole once it was closed without an error.
	Create(name string) (io.WriteCloser, error)
}

// Source answers what is beside the records.
type Source interface {
	// Winners returns the winners file of a settlement of a game.
	Winners(series uint8, ordinal uint32, revision uint8) ([]byte, error)
	// Back returns the stakes that go back for a void game, by ticket, as of the record that voids it.
	Back(series uint8, ordinal uint32) ([]settle.Back, error)
	// Desk returns the desk that sold a ticket from a game on, as of its sale; nil where nobody knows, and then the
	// ticket has no bets.
	Desk(series uint8, ordinal uint32) (*keno.Desk, error)
}

// DeskOf returns the desk that sells tickets from a game on, as a state has it.
func DeskOf(s *state.State, series uint8, ordinal uint32) (*keno.Desk, error) {
	of, ok := s.Series(series)
	if !ok {
		return nil, fmt.Errorf("facts: there is no series %d", series)
	}
	return s.DeskFor(of, ordinal), nil
}

// BackOf returns the stakes that go back for a void game, by ticket, as a state has them.
func BackOf(s *state.State, series uint8, ordinal uint32) ([]settle.Back, error) {
	of, ok := s.Series(series)
	if !ok {
		return nil, fmt.Errorf("facts: there is no series %d", series)
	}
	var list []settle.Back
	for _, b := range of.Back(ordinal) {
		list = append(list, settle.Back{Ticket: b.Ticket, Cents: b.Cents})
	}
	return list, nil
}

// Format is how tables are written.
type Format string

// The formats.
const (
	CSV     Format = "csv"
	Parquet Format = "parquet"
)

// planned are the tables of a journal, by what is written into them.
type planned struct {
	kinds   map[reflect.Type]*table
	tables  []*table // all of them, by name
	all     *table   // of all records
	moves   *table   // of all postings
	prizes  *table   // of all prizes, by ticket
	refunds *table   // of all stakes that go back, by ticket
	bets    *table   // of all bets of tickets
}

// Writer writes records as tables. It belongs to one goroutine.
type Writer struct {
	*planned
	sink   Sink
	source Source
	format Format
	files  map[*table]*file
	opened map[record.Game]uint32 // by their names their numbers in the series
	belong *books.Belongs
	count  uint64
}

// row is a row of the table of all records.
type row struct {
	Time   record.Time `doc:"When it was recorded."`
	Kind   string      `doc:"Kind of the record: the name of its table, with spaces."`
	Series uint8       `doc:"Number of the series of games to whose days and books the record belongs; none for the house itself."`
}

// move is a row of the table of all postings.
type move struct {
	Account string       `doc:"Name of the account."`
	Unit    uint32       `doc:"For which venue, pool, promotion, terminal or kind of paper the account is kept; 0 where it has one balance."`
	For     string       `doc:"The same in words; empty where the account has one balance."`
	Cents   money.Amount `doc:"What the record moves on the account: debits positive, credits negative."`
}

// prize is a row of the table of all prizes.
type prize struct {
	Series   uint8        `doc:"Number of the series of games."`
	Ordinal  uint32       `doc:"The game, by its number in the series."`
	Revision uint8        `doc:"Number of the settlement. Further ones have what is owed in addition."`
	Ticket   record.Place `doc:"The ticket that won."`
	Cents    money.Amount `doc:"What the ticket has won in the game and is payable: with its shares of jackpots and promotions, and without prizes that run on. Of a void game what had run on into it and is due."`
}

// refund is a row of the table of all stakes that go back.
type refund struct {
	Series  uint8        `doc:"Number of the series of games."`
	Ordinal uint32       `doc:"The void game, by its number in the series."`
	Ticket  record.Place `doc:"The ticket whose stake goes back."`
	Cents   money.Amount `doc:"What goes back to the holder of the ticket."`
}

// NewWriter returns a writer of tables.
func NewWriter(sink Sink, source Source, format Format) (*Writer, error) {
	if format != CSV && format != Parquet {
		return nil, fmt.Errorf("facts: there is no format %q: csv or parquet", format)
	}
	planned, err := plans()
	if err != nil {
		return nil, err
	}
	return &Writer{planned: planned, sink: sink, source: source, format: format, files: map[*table]*file{},
		opened: map[record.Game]uint32{}, belong: books.NewBelongs()}, nil
}

// plans plans all tables, once: they are the same for every journal.
var plans = sync.OnceValues(func() (*planned, error) {
	p := &planned{kinds: map[reflect.Type]*table{}}
	var err error
	add := func(name, about string, t reflect.Type, parent *table) *table {
		made, failed := plan(name, about, t, parent)
		err = errors.Join(err, failed)
		p.tables = append(p.tables, made)
		return made
	}
	p.all = add("records", "all records", reflect.TypeFor[row](), nil)
	p.moves = add("postings", "all records: what each moves on which account", reflect.TypeFor[move](), p.all)
	p.prizes = add("prizes", "what tickets have won, by settlement and ticket", reflect.TypeFor[prize](), p.all)
	p.bets = add("bets", "bets of tickets, by ticket and bet", reflect.TypeFor[bet](), p.all)
	p.refunds = add("refunds", "stakes that go back for void games, by ticket", reflect.TypeFor[refund](), p.all)
	for _, kind := range record.Kinds() {
		body := reflect.TypeOf(record.Empty(kind)).Elem()
		p.kinds[body] = add(tableName(kind), fmt.Sprintf("records of kind %d, %v", kind, kind), body, nil)
	}
	if err != nil {
		return nil, err
	}
	for i := 0; i < len(p.tables); i++ {
		for _, l := range p.tables[i].lists {
			p.tables = append(p.tables, l.table)
		}
	}
	slices.SortFunc(p.tables, func(a, b *table) int { return strings.Compare(a.name, b.name) })
	return p, p.checkNames()
})

// Add writes the next record.
func (w *Writer) Add(place record.Place, r record.Record) error {
	w.count++
	key := []cell{{number: int64(place.Volume)}, {number: int64(place.Seq)}}
	if err := w.write(w.all, key, nil, reflect.ValueOf(row{r.Time, r.Kind().String(), w.belong.Add(r)})); err != nil {
		return err
	}
	for i, p := range r.Postings {
		if err := w.write(w.moves, under(key, i), w.files[w.all].cells, reflect.ValueOf(moveOf(p))); err != nil {
			return err
		}
	}
	body := reflect.ValueOf(r.Body).Elem()
	if err := w.write(w.kinds[body.Type()], key, nil, body); err != nil {
		return err
	}
	return w.results(key, r.Body)
}

// under returns the key of a line of a list, counted from 0.
func under(key []cell, line int) []cell {
	return append(key[:len(key):len(key)], cell{number: int64(line + 1)})
}

func moveOf(p ledger.Posting) move {
	return move{Account: p.Account.String(), Unit: p.Unit, For: p.Account.UnitName(p.Unit), Cents: p.Cents}
}

// results writes the bets of a ticket, what a record pins of the prizes of tickets, and what goes back to them.
func (w *Writer) results(key []cell, body record.Body) error {
	switch b := body.(type) {
	case *record.GameOpened:
		w.opened[b.Game] = b.Ordinal
	case *record.TicketSold:
		return w.sold(key, b)
	case *record.GameSettled:
		return w.winners(key, b.Game, b.Revision, b.WinnersHash)
	case *record.GameVoided:
		if b.WinnersHash != (record.Hash{}) {
			if err := w.winners(key, b.Game, 1, b.WinnersHash); err != nil {
				return err
			}
		}
		if !b.Deferred && b.RefundCents != 0 {
			return w.back(key, b.Game)
		}
	}
	return nil
}

// winners writes the prizes of a winners file that a record pins.
func (w *Writer) winners(key []cell, game record.Game, revision uint8, hash record.Hash) error {
	ordinal := w.opened[game]
	data, err := w.source.Winners(game.Series, ordinal, revision)
	if err != nil {
		return fmt.Errorf("facts: winners of %v: %w", game, err)
	}
	if settle.HashWinners(data) != hash {
		return fmt.Errorf("facts: winners of %v: the file is not the one that the journal names", game)
	}
	file, err := settle.DecodeWinners(data)
	if err != nil {
		return fmt.Errorf("facts: winners of %v: %w", game, err)
	}
	line := 0
	for ticket, cents := range file.All() {
		if err := w.write(w.prizes, under(key, line), nil,
			reflect.ValueOf(prize{game.Series, ordinal, revision, ticket, cents})); err != nil {
			return err
		}
		line++
	}
	return nil
}

// back writes the stakes that go back for a void game.
func (w *Writer) back(key []cell, game record.Game) error {
	ordinal := w.opened[game]
	list, err := w.source.Back(game.Series, ordinal)
	if err != nil {
		return fmt.Errorf("facts: stakes of %v: %w", game, err)
	}
	for line, b := range list {
		if err := w.write(w.refunds, under(key, line), nil,
			reflect.ValueOf(refund{game.Series, ordinal, b.Ticket, b.Cents})); err != nil {
			return err
		}
	}
	return nil
}

// write writes a value as a row of a table, and the lists in it to theirs. The row above is that of the table of
// which it is a line; nil for none.
func (w *Writer) write(t *table, key, above []cell, v reflect.Value) error {
	f, err := w.fileOf(t)
	if err != nil {
		return err
	}
	cells := append(f.cells[:0], key...)
	for _, i := range t.handed {
		if above == nil {
			break
		}
		cells = append(cells, above[i])
	}
	for _, l := range t.leaves {
		if cells, err = l.write(below(v, l.index), cells); err != nil {
			return fmt.Errorf("facts: table %s: %w", t.name, err)
		}
	}
	f.cells, f.rows = cells, f.rows+1
	if err := f.rowsOf.write(t.columns, cells); err != nil {
		return err
	}
	for _, l := range t.lists {
		lines := below(v, l.index)
		for i := range lines.Len() {
			if err := w.write(l.table, under(key, i), cells, lines.Index(i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// below returns the value at an index below another one, which may be that one.
func below(v reflect.Value, index []int) reflect.Value {
	if len(index) == 0 {
		return v
	}
	return v.FieldByIndex(index)
}

// Close ends the tables and writes what describes them. It returns how many records and
// tables there are. A table of which nothing was recorded is there too, without rows.
func (w *Writer) Close(house string) (records uint64, tables int, err error) {
	files := make([]*file, 0, len(w.tables))
	for _, t := range w.tables {
		f, failed := w.fileOf(t)
		if failed == nil {
			failed = f.close()
		}
		err = errors.Join(err, failed)
		files = append(files, f)
	}
	if err != nil {
		return 0, 0, err
	}
	return w.count, len(files), w.describe(house, files)
}
