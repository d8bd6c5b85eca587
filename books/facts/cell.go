package facts

import (
	"encoding/hex"
	"reflect"
	"strconv"

	"github.com/fxamacker/cbor/v2"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/games/keno"
	"drawhouse/journal/record"
)

// holds says what the cells of a column hold.
type holds uint8

const (
	texts holds = iota
	integers
	truths
	instants // milliseconds since 1970 UTC
	dates
)

// cell is a value of a row: nothing, a number or a text.
type cell struct {
	none   bool
	number int64 // of integers, truths (0 or 1), instants and dates (days since 1970)
	text   string
}

// The types of columns, as the schema names them.
var typeNames = map[holds]string{
	texts: "string", integers: "integer", truths: "boolean", instants: "datetime", dates: "date",
}

// instantForm is how the schema says that an instant is written.
const instantForm = "%Y-%m-%dT%H:%M:%S.%fZ"

// timeForm is how an instant is written, to the millisecond.
const timeForm = "2006-01-02T15:04:05.000Z"

// csv returns a cell as a text; nothing is the empty text.
func (c cell) csv(as holds) string {
	if c.none {
		return ""
	}
	switch as {
	case integers:
		return strconv.FormatInt(c.number, 10)
	case truths:
		return strconv.FormatBool(c.number != 0)
	case instants:
		return record.Time(c.number).Time().Format(timeForm)
	case dates:
		return day.Day(c.number).String()
	}
	return c.text
}

// scalar is how the values of a type become cells of one column.
type scalar struct {
	holds  holds
	format string
	unit   string // of numbers
	words  []record.Word
	// zero says that the number 0 is none, as in a reference.
	zero bool
	cell func(reflect.Value) (cell, error)
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

// scalarOf returns how the values of a type become cells, and whether they do: structs and lists do not.
func scalarOf(t reflect.Type) (scalar, bool) {
	switch t {
	case amountType:
		return scalar{holds: integers, unit: "cents", cell: signed}, true
	case exactType:
		return scalar{holds: integers, unit: "ten-thousandths of a cent", cell: signed}, true
	case timeType:
		return scalar{holds: instants, format: instantForm, unit: "UTC", zero: true, cell: signed}, true
	case dayType:
		return scalar{holds: dates, zero: true, cell: signed}, true
	case ticketType:
		return scalar{holds: texts, format: "json", cell: ticket}, true
	}
	if words := record.Words(t); words != nil {
		return scalar{holds: texts, words: words, cell: worded(words)}, true
	}
	switch t.Kind() {
	case reflect.String:
		return scalar{holds: texts, cell: func(v reflect.Value) (cell, error) { return cell{text: v.String()}, nil }}, true
	case reflect.Bool:
		return scalar{holds: truths, cell: truth}, true
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return scalar{holds: integers, cell: unsigned}, true
	case reflect.Int32, reflect.Int64:
		return scalar{holds: integers, cell: signed}, true
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			return scalar{holds: texts, unit: "hexadecimal", cell: hexadecimal}, true
		}
	}
	return scalar{}, false
}

func signed(v reflect.Value) (cell, error)   { return cell{number: v.Int()}, nil }
func unsigned(v reflect.Value) (cell, error) { return cell{number: int64(v.Uint())}, nil }

func truth(v reflect.Value) (cell, error) {
	if v.Bool() {
		return cell{number: 1}, nil
	}
	return cell{}, nil
}

// worded returns how values that have words become cells. A number without a word stays a number.
func worded(words []record.Word) func(reflect.Value) (cell, error) {
	return func(v reflect.Value) (cell, error) {
		if v.Kind() == reflect.String {
			return cell{text: v.String(), none: v.String() == ""}, nil
		}
		n := v.Uint()
		for _, w := range words {
			if uint64(w.Number) == n {
				return cell{text: w.Text}, nil
			}
		}
		return cell{text: strconv.FormatUint(n, 10), none: n == 0}, nil
	}
}

func ticket(v reflect.Value) (cell, error) {
	t, err := keno.DecodeTicket(v.Bytes())
	if err != nil {
		return cell{}, err
	}
	return cell{text: string(t.AppendJSON(nil))}, nil
}

func hexadecimal(v reflect.Value) (cell, error) {
	if v.Kind() == reflect.Array {
		data := make([]byte, v.Len())
		reflect.Copy(reflect.ValueOf(data), v)
		return cell{text: hex.EncodeToString(data)}, nil
	}
	return cell{text: hex.EncodeToString(v.Bytes())}, nil
}
