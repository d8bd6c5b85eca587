package facts_test

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"drawhouse/books"
	"drawhouse/books/facts"
	"drawhouse/core/day"
	"drawhouse/decide/engine"
	"drawhouse/decide/game"
	"drawhouse/games/keno"
	"drawhouse/games/settle"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
	"drawhouse/rulebook/rules"
)

// memory keeps files by their names.
type memory map[string]*bytes.Buffer

type held struct{ *bytes.Buffer }

// Close implements io.Closer.
func (held) Close() error { return nil }

// Create implements facts.Sink.
func (m memory) Create(name string) (io.WriteCloser, error) {
	if m[name] != nil {
		return nil, fmt.Errorf("%s is written twice", name)
	}
	m[name] = new(bytes.Buffer)
	return held{m[name]}, nil
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// goldens returns a record of every kind.
func goldens(t testing.TB) []record.Record {
	t.Helper()
	paths, err := filepath.Glob("../../journal/record/testdata/goldens/*.hex")
	must(t, err)
	var all []record.Record
	for _, path := range paths {
		text, err := os.ReadFile(path)
		must(t, err)
		data, err := hex.DecodeString(strings.TrimSpace(string(text)))
		must(t, err)
		r, err := record.Decode(data)
		must(t, err)
		all = append(all, r)
	}
	return all
}

// TestEveryKindHasTables writes a record of every kind, and finds a table of each in the
// schema, with a name of its own for every column.
func TestEveryKindHasTables(t *testing.T) {
	out := memory{}
	w, err := facts.NewWriter(out, besides{}, facts.CSV)
	must(t, err)
	all := goldens(t)
	if len(all) < 100 {
		t.Fatalf("only %d kinds", len(all))
	}
	for i, r := range all {
		err := w.Add(record.Place{Volume: 1, Seq: uint64(i)}, r)
		switch r.Kind() {
		case record.KindTicketSold, record.KindGameSettled, record.KindGameVoided:
			continue // They take a ticket that can be read, and winners files.
		}
		if err != nil {
			t.Errorf("%v: %v", r.Kind(), err)
		}
	}
	records, tables, err := w.Close("house.example")
	must(t, err)
	var pack struct {
		Resources []struct {
			Name   string
			Schema struct{ Fields []facts.Field }
		}
	}
	must(t, json.Unmarshal(out["datapackage.json"].Bytes(), &pack))
	if records != uint64(len(all)) || tables != len(pack.Resources) || tables != len(out)-1 {
		t.Errorf("%d records, %d tables, %d described, %d files", records, tables, len(pack.Resources), len(out))
	}
	described := map[string]bool{}
	for _, r := range pack.Resources {
		described[r.Name] = true
		seen := map[string]bool{}
		for _, f := range r.Schema.Fields {
			if seen[f.Name] {
				t.Errorf("%s has two columns %s", r.Name, f.Name)
			}
			seen[f.Name] = true
		}
	}
	for _, r := range all {
		if name := strings.ReplaceAll(r.Kind().String(), " ", "_"); !described[name] {
			t.Errorf("there is no table %s", name)
		}
	}
}

// TestIndependentReader exports a day of trade, and has a program that is not ours read it
// back by nothing but its schema.
func TestIndependentReader(t *testing.T) {
	const python = "/usr/bin/python3"
	if err := exec.Command(python, "-c", "import csv, json, hashlib").Run(); err != nil {
		t.Skipf("NO INDEPENDENT READER: the tables are not read back, because there is no %s: %v", python, err)
	}
	core, book := trade(t)
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, "data"), 0o700))
	made := export(t, core, facts.CSV)
	for name, data := range made {
		must(t, os.WriteFile(filepath.Join(dir, name), data.Bytes(), 0o600))
	}
	tables := len(made) - 1
	out, err := exec.Command(python, "testdata/read.py", dir).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	total := book.Total()
	want := fmt.Sprintf("tables %d\nrecords %d\nsold %d\ncancelled %d\npaid %d\n", tables, len(core.Records), total.Sold,
		total.GivenBack, total.Paid)
	slices.SortFunc(book.Accounts, func(a, b books.Balance) int {
		return cmp.Or(cmp.Compare(a.Account.String(), b.Account.String()), cmp.Compare(a.Unit, b.Unit))
	})
	for _, account := range book.Accounts {
		if closing := account.Closing(); closing != 0 {
			want += fmt.Sprintf("%v %d %d\n", account.Account, account.Unit, closing.Cents())
		}
	}
	if string(out) != want {
		t.Errorf("read back\n%s\nwant\n%s", out, want)
	}
}

// besides answers from a house in memory. A house without an engine has no stakes that go back.
type besides struct {
	objects map[string][]byte
	engine  *engine.Engine
}

// Winners implements facts.Source.
func (b besides) Winners(series uint8, ordinal uint32, revision uint8) ([]byte, error) {
	data, ok := b.objects[game.WinnersName(series, ordinal, revision)]
	if !ok {
		return nil, fmt.Errorf("there is no winners file of game %d", ordinal)
	}
	return data, nil
}

// Desk implements facts.Source.
func (b besides) Desk(series uint8, ordinal uint32) (*keno.Desk, error) {
	if b.engine == nil {
		return nil, nil
	}
	return facts.DeskOf(b.engine.State(), series, ordinal)
}

// Back implements facts.Source.
func (b besides) Back(series uint8, ordinal uint32) ([]settle.Back, error) {
	if b.engine == nil {
		return nil, nil
	}
	return facts.BackOf(b.engine.State(), series, ordinal)
}

// export writes the tables of a house in memory.
func export(t testing.TB, core *cases.Core, format facts.Format) memory {
	t.Helper()
	out, e := memory{}, engine.New(nil)
	w, err := facts.NewWriter(out, besides{core.Objects, e}, format)
	must(t, err)
	for seq, data := range core.Records {
		r, err := record.Decode(data)
		must(t, err)
		must(t, e.Replay(data))
		must(t, w.Add(record.Place{Volume: 1, Seq: uint64(seq)}, r))
	}
	_, _, err = w.Close("case.example")
	must(t, err)
	return out
}

// trade plays a day in a house, and returns it with the day's book.
func trade(t *testing.T) (*cases.Core, *books.Book) {
	t.Helper()
	book, err := rules.Book("vic-keno-2015")
	must(t, err)
	today := day.MustParse("2026-11-15")
	core, err := cases.NewCore(cases.Founding{Book: book, Schedule: book.Schedules()[0].ID(), Begin: cases.Noon(today),
		Seed: "facts"})
	must(t, err)
	must(t, core.OpenDay(today))
	must(t, core.OpenGame())
	for n := range 12 {
		form := fmt.Sprintf(`{"v":1,"rulebook":"vic-keno-2015","first":"open","games":2,"bets":[{"bet":"classic","spots":[%d],"stake_cents":%d}]}`, n+1, 100*(n+1))
		ticket, err := core.Sell(cases.Order{Terminal: uint32(1 + 2*(n%2)), Method: "form", Form: []byte(form)})
		must(t, err)
		if n == 5 {
			_, _, err = core.Cancel(uint32(1+2*(n%2)), ticket)
			must(t, err)
		}
		if n == 0 {
			must(t, core.TurnGame())
			must(t, core.Draw(1, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}))
			_, err = core.Pay(1, ticket)
			must(t, err)
		}
	}
	must(t, core.CloseGame())
	must(t, core.Draw(2, nil))
	must(t, core.CloseDay())
	must(t, core.Take())
	closed, err := books.Decode(core.Objects[game.BookName(1, today)])
	must(t, err)
	return core, closed
}
