package facts

import (
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"drawhouse/core/ledger"
	"drawhouse/journal/record"
)

// Sink is where tables are written to.
type Sink interface {
	// Create begins a file. It is whole once it was closed without an error.
	Create(name string) (io.WriteCloser, error)
}

// Writer writes records as tables. It belongs to one goroutine.
type Writer struct {
	sink  Sink
	plans map[reflect.Type]*table
	files map[*table]*file
	all   *table // of all records
	moves *table // of all postings
	count uint64
}

// file is a table that is being written.
type file struct {
	table *table
	path  string
	to    io.WriteCloser
	csv   *csv.Writer
	rows  uint64
	size  counter
	hash  hash.Hash
	cells []string
}

// counter counts the bytes that are written to it.
type counter uint64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// row is a row of the table of all records.
type row struct {
	Time record.Time
	Kind string
}

// move is a row of the table of all postings.
type move struct {
	Account string
	Unit    uint32
	For     string
	Cents   int64
}

// NewWriter returns a writer of tables.
func NewWriter(sink Sink) (*Writer, error) {
	w := &Writer{sink: sink, plans: map[reflect.Type]*table{}, files: map[*table]*file{}}
	var err error
	if w.all, err = plan("records", "all records", reflect.TypeFor[row](), nil); err != nil {
		return nil, err
	}
	if w.moves, err = plan("postings",
		"all records: what each moves on which account, debits positive", reflect.TypeFor[move](), w.all); err != nil {
		return nil, err
	}
	return w, nil
}

// Add writes a record.
func (w *Writer) Add(place record.Place, r record.Record) error {
	w.count++
	key := []string{strconv.Itoa(int(place.Volume)), strconv.FormatUint(place.Seq, 10)}
	if err := w.write(w.all, key, reflect.ValueOf(row{r.Time, r.Kind().String()})); err != nil {
		return err
	}
	for i, p := range r.Postings {
		line := append(key[:2:2], strconv.Itoa(i+1))
		if err := w.write(w.moves, line, reflect.ValueOf(moveOf(p))); err != nil {
			return err
		}
	}
	body := reflect.ValueOf(r.Body).Elem()
	t, ok := w.plans[body.Type()]
	if !ok {
		var err error
		if t, err = planOf(r.Kind(), body.Type()); err != nil {
			return err
		}
		w.plans[body.Type()] = t
	}
	return w.write(t, key, body)
}

func moveOf(p ledger.Posting) move {
	return move{Account: p.Account.String(), Unit: p.Unit, For: p.Account.UnitName(p.Unit), Cents: p.Cents.Cents()}
}

// planOf returns the table of a kind of record.
func planOf(kind record.Kind, body reflect.Type) (*table, error) {
	return plan(strings.ReplaceAll(kind.String(), " ", "_"), fmt.Sprintf("records of kind %d, %v", kind, kind), body,
		nil)
}

// write writes a value as a row of a table, and the lists in it to theirs.
func (w *Writer) write(t *table, key []string, v reflect.Value) error {
	f, err := w.fileOf(t)
	if err != nil {
		return err
	}
	f.cells = append(f.cells[:0], key...)
	for _, l := range t.leaves {
		if f.cells, err = l.write(below(v, l.index), f.cells); err != nil {
			return fmt.Errorf("facts: table %s, record %s: %w", t.name, strings.Join(key, ":"), err)
		}
	}
	f.rows++
	if err := f.csv.Write(f.cells); err != nil {
		return err
	}
	for _, l := range t.lists {
		lines := below(v, l.index)
		for i := range lines.Len() {
			if err := w.write(l.table, append(key[:len(key):len(key)], strconv.Itoa(i+1)), lines.Index(i)); err != nil {
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

// fileOf returns the file of a table, and begins it with the first row.
func (w *Writer) fileOf(t *table) (*file, error) {
	if f, ok := w.files[t]; ok {
		return f, nil
	}
	f := &file{table: t, path: "data/" + t.name + ".csv", hash: sha256.New()}
	var err error
	if f.to, err = w.sink.Create(f.path); err != nil {
		return nil, err
	}
	w.files[t] = f
	f.csv = csv.NewWriter(io.MultiWriter(f.to, &f.size, f.hash))
	var head []string
	for _, field := range t.fields() {
		head = append(head, field.Name)
	}
	return f, f.csv.Write(head)
}

// Close ends the tables and writes what describes them. It returns how many records and
// tables there are.
func (w *Writer) Close(house string) (records uint64, tables int, err error) {
	files := make([]*file, 0, len(w.files))
	for _, f := range w.files {
		f.csv.Flush()
		err = errors.Join(err, f.csv.Error(), f.to.Close())
		files = append(files, f)
	}
	if err != nil {
		return 0, 0, err
	}
	slices.SortFunc(files, func(a, b *file) int { return strings.Compare(a.path, b.path) })
	return w.count, len(files), w.describe(house, files)
}

// pack is a Tabular Data Package.
type pack struct {
	Profile     string     `json:"profile"`
	Name        string     `json:"name"`
	Title       string     `json:"title"`
	Description string     `json:"description"`
	Resources   []resource `json:"resources"`
}

type resource struct {
	Profile     string `json:"profile"`
	Name        string `json:"name"`
	Path        string `json:"path"`
	Description string `json:"description"`
	Format      string `json:"format"`
	MediaType   string `json:"mediatype"`
	Encoding    string `json:"encoding"`
	Bytes       uint64 `json:"bytes"`
	Hash        string `json:"hash"`
	Rows        uint64 `json:"rows"`
	Schema      schema `json:"schema"`
}

type schema struct {
	Fields        []Field   `json:"fields"`
	PrimaryKey    []string  `json:"primaryKey"`
	ForeignKeys   []foreign `json:"foreignKeys,omitempty"`
	MissingValues []string  `json:"missingValues"`
}

type foreign struct {
	Fields    []string  `json:"fields"`
	Reference reference `json:"reference"`
}

type reference struct {
	Resource string   `json:"resource"`
	Fields   []string `json:"fields"`
}

// describe writes the schema of all tables.
func (w *Writer) describe(house string, files []*file) error {
	p := pack{
		Profile: "tabular-data-package", Name: "journal", Title: "The journal of " + house,
		Description: "Every record of a journal. Amounts are integers in cents. A row is named by the place of its record, " +
			keyVolume + " and " + keySeq + ", and in a list by its line. " +
			"Texts stand as they were recorded, also those that begin like a formula (with =, +, -, @, a tab or a carriage return): import them into a spreadsheet as text, and do not open the files with one.",
	}
	for _, f := range files {
		p.Resources = append(p.Resources, f.describe(w.all))
	}
	data, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	to, err := w.sink.Create("datapackage.json")
	if err != nil {
		return err
	}
	_, err = to.Write(append(data, '\n'))
	return errors.Join(err, to.Close())
}

// describe returns what a reader must know of a table.
func (f *file) describe(all *table) resource {
	t := f.table
	key := names(t.keys())
	s := schema{Fields: t.fields(), PrimaryKey: key, MissingValues: []string{""}}
	if above := t.parent; t != all {
		if above == nil {
			above = all
		}
		to := names(above.keys())
		s.ForeignKeys = []foreign{{Fields: key[:len(to)], Reference: reference{Resource: above.name, Fields: to}}}
	}
	return resource{
		Profile: "tabular-data-resource", Name: t.name, Path: f.path,
		Description: strings.ToUpper(t.about[:1]) + t.about[1:],
		Format:      "csv", MediaType: "text/csv", Encoding: "utf-8", Bytes: uint64(f.size),
		Hash: "sha256:" + hex.EncodeToString(f.hash.Sum(nil)), Rows: f.rows, Schema: s,
	}
}

func names(fields []Field) []string {
	list := make([]string, len(fields))
	for i, f := range fields {
		list[i] = f.Name
	}
	return list
}
