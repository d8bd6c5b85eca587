package facts

import (
	"fmt"
	"reflect"
	"strings"
	"unicode"

	"drawhouse/journal/record"
)

// The columns that name a row: the place of its record and, in a list, the line.
const keyVolume, keySeq, keyLine = "record_volume", "record_seq", "line"

// column describes a column of a table.
type column struct {
	name  string
	about string
	scalar
}

// leaf is a value of a row, which has one column or some.
type leaf struct {
	index   []int // of the value below the row's
	columns []column
	write   func(v reflect.Value, cells []cell) ([]cell, error)
}

// table is how the values of a type become rows.
type table struct {
	name   string
	about  string
	parent *table // whose rows the lines of this one belong to; nil for none
	depth  int    // of lists
	leaves []leaf
	lists  []list
	// handed are the places, among the cells of the parent's rows, of those that the lines have again.
	handed  []int
	columns []column // all of them, in their order
	refs    []reference
}

// list is a list in a value, whose lines are rows of a table of their own.
type list struct {
	index []int
	table *table
}

// keys returns the columns that name a row.
func (t *table) keys() []column {
	number := scalar{holds: integers}
	all := []column{
		{keyVolume, "Volume of the record.", number},
		{keySeq, "Number of the record in its volume, from 0.", number},
	}
	for n := 1; n <= t.depth; n++ {
		all = append(all, column{lineName(n), "Line of the list, from 1.", number})
	}
	return all
}

// key returns the names of the columns that name a row.
func (t *table) key() []string {
	var names []string
	for _, c := range t.keys() {
		names = append(names, c.name)
	}
	return names
}

// lineName returns the column of the line in the list at some depth.
func lineName(depth int) string {
	if depth == 1 {
		return keyLine
	}
	return fmt.Sprintf("%s_%d", keyLine, depth)
}

// plan returns how values of a type become rows of a table, and lists in them rows of
// others.
func plan(name, about string, t reflect.Type, parent *table) (*table, error) {
	p := &table{name: name, about: about, parent: parent}
	if parent != nil {
		p.depth = parent.depth + 1
	}
	if err := p.add("", "", t, nil); err != nil {
		return nil, fmt.Errorf("facts: table %s: %w", name, err)
	}
	p.finish()
	return p, nil
}

// handsDown are the columns of a row that the lines of its lists have again: what they are about.
var handsDown = []string{
	"series", "game_series", "game_day", "game_number", "ticket_volume", "ticket_seq", "game_hall", "game_session",
	"game_game",
}

// finish puts the columns of a table together, once those of its parent are.
func (t *table) finish() {
	t.columns, t.handed = t.keys(), nil
	has := map[string]bool{}
	for _, l := range t.leaves {
		for _, c := range l.columns {
			has[c.name] = true
		}
	}
	if t.parent != nil {
		for i, c := range t.parent.columns {
			for _, name := range handsDown {
				if c.name == name && !has[name] && c.holds != texts {
					t.handed = append(t.handed, i)
					t.columns = append(t.columns, c)
				}
			}
		}
	}
	for _, l := range t.leaves {
		t.columns = append(t.columns, l.columns...)
	}
	t.refer()
	for _, l := range t.lists {
		l.table.finish()
	}
}

// add adds a value of a type. The empty name is that of the row itself.
func (t *table) add(name, said string, of reflect.Type, index []int) error {
	if of == placeType {
		t.place(name, said, index)
		return nil
	}
	if s, ok := scalarOf(of); ok {
		t.scalar(name, said, s, index)
		return nil
	}
	switch of.Kind() {
	case reflect.Struct:
		return t.structure(name, said, of, index)
	case reflect.Slice, reflect.Array:
		return t.list(name, said, of.Elem(), index)
	}
	return fmt.Errorf("%s is a %v, which has no form here", name, of)
}

// named returns the name of a column: a list of plain values has one called value.
func named(name string) string {
	if name == "" {
		return "value"
	}
	return name
}

// structure adds the fields of a struct, with its name before theirs.
func (t *table) structure(name, said string, of reflect.Type, index []int) error {
	for i := range of.NumField() {
		f := of.Field(i)
		if f.Name == "_" {
			continue
		}
		full := snake(f.Name)
		if name != "" {
			full = name + "_" + full
		}
		err := t.add(full, within(said, meaning(of, f)), f.Type, append(index[:len(index):len(index)], i))
		if err != nil {
			return err
		}
	}
	return nil
}

// meaning returns what a field holds.
func meaning(of reflect.Type, f reflect.StructField) string {
	if said := f.Tag.Get("doc"); said != "" {
		return said
	}
	return record.Meaning(of, f.Name)
}

// within puts what a part of a field holds behind what the field holds.
func within(outer, inner string) string {
	if outer == "" {
		return inner
	}
	if inner == "" {
		return outer
	}
	return strings.TrimSuffix(outer, ".") + ": " + strings.ToLower(inner[:1]) + inner[1:]
}

// list adds a table of the lines of a list.
func (t *table) list(name, said string, of reflect.Type, index []int) error {
	lines := &table{name: t.name + "_" + named(name), parent: t, depth: t.depth + 1,
		about: fmt.Sprintf("the %s of %s", strings.ReplaceAll(named(name), "_", " "), t.about)}
	if said != "" {
		lines.about += ": " + strings.ToLower(said[:1]) + strings.TrimSuffix(said[1:], ".")
	}
	if err := lines.add("", "", of, nil); err != nil {
		return err
	}
	t.lists = append(t.lists, list{index, lines})
	return nil
}

// place adds the two columns of a place; both are empty where there is none.
func (t *table) place(name, said string, index []int) {
	number := scalar{holds: integers, zero: true}
	t.leaves = append(t.leaves, leaf{index, []column{
		{named(name) + "_volume", within(said, "Volume of the record."), number},
		{named(name) + "_seq", within(said, "Number of the record in its volume."), scalar{holds: integers}},
	}, func(v reflect.Value, cells []cell) ([]cell, error) {
		at, ok := v.Interface().(record.Place)
		if !ok || at == (record.Place{}) {
			return append(cells, cell{none: true}, cell{none: true}), nil
		}
		return append(cells, cell{number: int64(at.Volume)}, cell{number: int64(at.Seq)}), nil
	}})
}

// scalar adds a value of one column.
func (t *table) scalar(name, said string, s scalar, index []int) {
	if name == "" && said == "" {
		said = "One of the list."
	}
	c := column{named(name), said, s}
	c.zero = c.zero || isReference(c.name, s)
	t.leaves = append(t.leaves, leaf{index, []column{c}, func(v reflect.Value, cells []cell) ([]cell, error) {
		value, err := c.cell(v)
		value.none = value.none || c.zero && value.number == 0 && c.holds != texts
		return append(cells, value), err
	}})
}

// snake returns a Go name as columns have it: RefundCents is refund_cents.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 && !unicode.IsUpper(rune(name[i-1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
