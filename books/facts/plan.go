package facts

import (
	"encoding/hex"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode"

	"github.com/fxamacker/cbor/v2"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/games/keno"
	"drawhouse/journal/record"
)

// Field describes a column, in the words of the Table Schema of Frictionless Data.
type Field struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Format      string `json:"format,omitempty"`
	Description string `json:"description,omitempty"`
}

// The columns that name a row: the place of its record and, in a list, the line.
const keyVolume, keySeq, keyLine = "record_volume", "record_seq", "line"

// leaf is a value of a row, which has one column or some.
type leaf struct {
	index  []int // of the value below the row's
	fields []Field
	write  func(v reflect.Value, cells []string) ([]string, error)
}

// table is how the values of a type become rows.
type table struct {
	name   string
	about  string
	parent *table // whose rows the lines of this one belong to; nil for none
	depth  int    // of lists
	leaves []leaf
	lists  []list
}

// list is a list in a value, whose lines are rows of a table of their own.
type list struct {
	index []int
	table *table
}

// fields returns the columns of the table.
func (t *table) fields() []Field {
	all := t.keys()
	for _, l := range t.leaves {
		all = append(all, l.fields...)
	}
	return all
}

// keys returns the columns that name a row.
func (t *table) keys() []Field {
	all := []Field{
		{Name: keyVolume, Type: "integer", Description: "Volume of the record."},
		{Name: keySeq, Type: "integer", Description: "Place of the record in the volume, from 0."},
	}
	for n := 1; n <= t.depth; n++ {
		all = append(all, Field{Name: lineName(n), Type: "integer", Description: "Line of the list, from 1."})
	}
	return all
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
	if err := p.add("", t, nil); err != nil {
		return nil, fmt.Errorf("facts: table %s: %w", name, err)
	}
	return p, nil
}

// The types that have a form of their own.
var (
	amountType = reflect.TypeFor[money.Amount]()
	timeType   = reflect.TypeFor[record.Time]()
	dayType    = reflect.TypeFor[day.Day]()
	exactType  = reflect.TypeFor[record.Exact]()
	placeType  = reflect.TypeFor[record.Place]()
	ticketType = reflect.TypeFor[cbor.RawMessage]()
)

// add adds a value of a type. The empty name is that of the row itself.
func (t *table) add(name string, of reflect.Type, index []int) error {
	switch of {
	case placeType:
		t.place(name, index)
		return nil
	case amountType, exactType, timeType, dayType, ticketType:
		t.leaf(index, named(name), special(of))
		return nil
	}
	switch of.Kind() {
	case reflect.Struct:
		return t.structure(name, of, index)
	case reflect.Slice, reflect.Array:
		if of.Elem().Kind() == reflect.Uint8 {
			t.leaf(index, named(name), scalar{Field{Type: "string", Description: "Bytes, in hexadecimal."},
				hexadecimal})
			return nil
		}
		return t.list(name, of.Elem(), index)
	}
	basic, ok := basics[of.Kind()]
	if !ok {
		return fmt.Errorf("%s is a %v, which has no form here", name, of)
	}
	t.leaf(index, named(name), basic)
	return nil
}

// named returns the name of a column: a list of plain values has one called value.
func named(name string) string {
	if name == "" {
		return "value"
	}
	return name
}

// structure adds the fields of a struct, with its name before theirs.
func (t *table) structure(name string, of reflect.Type, index []int) error {
	for i := range of.NumField() {
		f := of.Field(i)
		if f.Name == "_" {
			continue
		}
		full := snake(f.Name)
		if name != "" {
			full = name + "_" + full
		}
		if err := t.add(full, f.Type, append(index[:len(index):len(index)], i)); err != nil {
			return err
		}
	}
	return nil
}

// list adds a table of the lines of a list.
func (t *table) list(name string, of reflect.Type, index []int) error {
	lines, err := plan(t.name+"_"+named(name),
		fmt.Sprintf("The %s of %s.", strings.ReplaceAll(named(name), "_", " "), t.about), of, t)
	if err != nil {
		return err
	}
	t.lists = append(t.lists, list{index, lines})
	return nil
}

// place adds the two columns of a place; both are empty where there is none.
func (t *table) place(name string, index []int) {
	t.leaves = append(t.leaves, leaf{index, []Field{
		{Name: named(name) + "_volume", Type: "integer",
			Description: "Volume of a record that this is about; empty for none."},
		{Name: named(name) + "_seq", Type: "integer", Description: "Place of that record in its volume."},
	}, func(v reflect.Value, cells []string) ([]string, error) {
		at, ok := v.Interface().(record.Place)
		if !ok || at == (record.Place{}) {
			return append(cells, "", ""), nil
		}
		return append(cells, strconv.Itoa(int(at.Volume)), strconv.FormatUint(at.Seq, 10)), nil
	}})
}

// scalar is a value of one column.
type scalar struct {
	field Field
	text  func(reflect.Value) (string, error)
}

func (t *table) leaf(index []int, name string, s scalar) {
	s.field.Name = name
	t.leaves = append(t.leaves, leaf{index, []Field{s.field}, func(v reflect.Value, cells []string) ([]string, error) {
		text, err := s.text(v)
		return append(cells, text), err
	}})
}

// basics are the forms of the plain kinds.
var basics = map[reflect.Kind]scalar{
	reflect.String: {Field{Type: "string"}, func(v reflect.Value) (string, error) { return v.String(), nil }},
	reflect.Bool: {Field{Type: "boolean"},
		func(v reflect.Value) (string, error) { return strconv.FormatBool(v.Bool()), nil }},
	reflect.Uint8: unsigned, reflect.Uint16: unsigned, reflect.Uint32: unsigned, reflect.Uint64: unsigned,
	reflect.Int32: signed, reflect.Int64: signed,
}

var (
	unsigned = scalar{Field{Type: "integer"},
		func(v reflect.Value) (string, error) { return strconv.FormatUint(v.Uint(), 10), nil }}
	signed = scalar{Field{Type: "integer"},
		func(v reflect.Value) (string, error) { return strconv.FormatInt(v.Int(), 10), nil }}
)

// special returns the form of a type that has one of its own.
func special(t reflect.Type) scalar {
	switch t {
	case amountType:
		return scalar{Field{Type: "integer", Description: "Whole cents."}, signed.text}
	case exactType:
		return scalar{Field{Type: "integer", Description: "Ten-thousandths of a cent."}, signed.text}
	case timeType:
		return scalar{Field{Type: "datetime", Format: "%Y-%m-%dT%H:%M:%S.%fZ", Description: "UTC; empty for none."},
			instant}
	case dayType:
		return scalar{Field{Type: "date", Description: "Empty for none."}, date}
	}
	return scalar{Field{Type: "string", Format: "json", Description: "The ticket, as the interface takes it."}, ticket}
}

// timeForm is how an instant is written, to the millisecond.
const timeForm = "2006-01-02T15:04:05.000Z"

func instant(v reflect.Value) (string, error) {
	at := record.Time(v.Int())
	if at == 0 {
		return "", nil
	}
	return at.Time().Format(timeForm), nil
}

func date(v reflect.Value) (string, error) {
	d, ok := v.Interface().(day.Day)
	if !ok || d == day.None {
		return "", nil
	}
	return d.String(), nil
}

func ticket(v reflect.Value) (string, error) {
	t, err := keno.DecodeTicket(v.Bytes())
	if err != nil {
		return "", err
	}
	return string(t.AppendJSON(nil)), nil
}

func hexadecimal(v reflect.Value) (string, error) {
	if v.Kind() == reflect.Array {
		data := make([]byte, v.Len())
		reflect.Copy(reflect.ValueOf(data), v)
		return hex.EncodeToString(data), nil
	}
	return hex.EncodeToString(v.Bytes()), nil
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
