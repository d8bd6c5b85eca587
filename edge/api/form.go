package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"

	"drawhouse/core/refusal"
	"drawhouse/games/keno"
)

// The greatest bodies. A sale has its own, smaller one: a ticket is bounded by
// its form, and terminals are many.
const (
	maxBody     = 1 << 20
	maxSaleBody = 128 << 10
)

// readBody reads the body of a request up to a limit: JSON, of which every text is Unicode.
func readBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	data, err := readBytes(w, r, limit)
	if err == nil {
		err = checkUnicode(data)
	}
	return data, err
}

// readBytes reads the body of a request up to a limit, whatever it is.
func readBytes(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	if read, ok := r.Body.(held); ok && int64(len(read.data)) <= limit {
		return read.data, nil // It was checked before.
	}
	data, err := readAll(http.MaxBytesReader(w, r.Body, limit), min(r.ContentLength, limit))
	if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
		return nil, &refusal.Refusal{Code: BodyTooLarge,
			Sentence: fmt.Sprintf("The body is longer than %d bytes.", limit)}
	}
	if err != nil {
		return nil, &refusal.Refusal{Code: keno.FormSyntax, Sentence: "The body could not be read."}
	}
	return data, exchangeOf(r.Context()).asked.read(data)
}

// readAll reads everything, into one piece of memory if its length is as announced.
func readAll(r io.Reader, length int64) ([]byte, error) {
	if length <= 0 {
		return io.ReadAll(r)
	}
	data := bytes.NewBuffer(make([]byte, 0, length+bytes.MinRead))
	_, err := data.ReadFrom(r)
	return data.Bytes(), err
}

// field is a field of a form: how its value is read, and whether it must be there.
type field struct {
	name     string
	required bool
	read     func(json.RawMessage) error // an error says what the value should be
	// follow reads the value where it stands instead, for one that is most of the body:
	// to find its end first would be to read it twice.
	follow func(*cursor) error
}

// readForm reads a JSON object with these fields and no others, each once and
// spelt exactly so. The first fault ends it. It finds where each value ends and
// leaves it to the field's reader to say whether the value is one.
func readForm(data []byte, fields ...field) error {
	c := cursor{data: data}
	if err := c.object(fields); err != nil {
		return err
	}
	if c.space(); c.at < len(data) {
		return syntax("Something follows the object.")
	}
	return nil
}

// object reads an object with these fields, of which there are at most 64.
func (c *cursor) object(fields []field) error {
	if !c.take('{') {
		return syntax("The body is not a JSON object.")
	}
	var seen uint64
	for first := true; !c.take('}'); first = false {
		if !first && !c.take(',') {
			return syntax("The body ends in the middle of its object, or a comma is missing.")
		}
		i, err := c.name(fields, seen)
		if err != nil {
			return err
		}
		seen |= 1 << i
		if err := c.fieldValue(&fields[i]); err != nil {
			return err
		}
	}
	for i, f := range fields {
		if f.required && seen>>i&1 == 0 {
			return &refusal.Refusal{Code: keno.FieldMissing, Path: f.name, Sentence: "The field is missing."}
		}
	}
	return nil
}

// name reads the name of a field that was not seen yet, and goes past its colon.
func (c *cursor) name(fields []field, seen uint64) (int, error) {
	c.space()
	quoted := c.text()
	if quoted == nil || !c.take(':') {
		return 0, syntax("A field has no name.")
	}
	name := quoted[1 : len(quoted)-1]
	i := slices.IndexFunc(fields, func(f field) bool { return f.name == string(name) })
	switch {
	case i < 0:
		return 0, &refusal.Refusal{Code: keno.FieldUnknown, Path: printable(string(name)),
			Sentence: "There is no such field."}
	case seen>>i&1 == 1:
		return 0, &refusal.Refusal{Code: keno.FieldRepeated, Path: fields[i].name,
			Sentence: "The field is there twice."}
	}
	return i, nil
}

// fieldValue reads the value of a field.
func (c *cursor) fieldValue(f *field) error {
	if f.follow != nil {
		return f.follow(c)
	}
	value := c.value()
	if value == nil {
		return syntax("A field has no value.")
	}
	return readValue(f, value)
}

// cursor goes through a JSON text. It is nothing like a parser: it only tells
// where a value ends if it is one.
type cursor struct {
	data []byte
	at   int
}

func (c *cursor) space() {
	for c.at < len(c.data) {
		switch c.data[c.at] {
		case ' ', '\t', '\r', '\n':
			c.at++
		default:
			return
		}
	}
}

// take goes past a byte and the space before it, if it is the next.
func (c *cursor) take(b byte) bool {
	if c.space(); c.at == len(c.data) || c.data[c.at] != b {
		return false
	}
	c.at++
	return true
}

// text returns the string at the cursor with its quotes, or nil if there is none.
func (c *cursor) text() []byte {
	if c.at == len(c.data) || c.data[c.at] != '"' {
		return nil
	}
	for end := c.at + 1; ; end++ {
		n := bytes.IndexByte(c.data[end:], '"')
		if n < 0 {
			return nil
		}
		if end += n; !escaped(c.data[c.at+1 : end]) {
			text := c.data[c.at : end+1]
			c.at = end + 1
			return text
		}
	}
}

// escaped reports whether what follows a text is escaped by it: it ends with an odd
// number of backslashes.
func escaped(text []byte) bool {
	n := len(text)
	for n > 0 && text[n-1] == '\\' {
		n--
	}
	return (len(text)-n)%2 == 1
}

// value returns the value at the cursor, or nil if it is cut off or empty.
func (c *cursor) value() []byte {
	c.space()
	begin, depth := c.at, 0
	for c.at < len(c.data) {
		switch c.data[c.at] {
		case '"':
			if c.text() == nil {
				return nil
			}
		case '{', '[':
			depth++
			c.at++
		case '}', ']':
			if depth > 0 {
				depth--
				c.at++
			}
		case ',', ' ', '\t', '\r', '\n':
			if depth > 0 {
				c.at++
			}
		default:
			c.at++
			continue // A number or a word goes on until something else comes.
		}
		if depth == 0 {
			break
		}
	}
	if depth > 0 || c.at == begin {
		return nil
	}
	return c.data[begin:c.at:c.at]
}

// readValue reads the value of a field. A refusal of the value's own reader is
// passed on as it is.
func readValue(f *field, value json.RawMessage) error {
	err := f.read(value)
	var refused *refusal.Refusal
	if err == nil || errors.As(err, &refused) {
		return err
	}
	sentence := fmt.Sprintf("The value must be %v.", err)
	if rule, ok := errors.AsType[broken](err); ok {
		sentence = fmt.Sprintf("The value %s.", rule)
	}
	return &refusal.Refusal{Code: keno.FieldValue, Path: f.name, Sentence: sentence}
}

func syntax(sentence string) error {
	return &refusal.Refusal{Code: keno.FormSyntax, Sentence: sentence}
}

// printable cuts a name from outside to what a sentence can hold.
func printable(name string) string {
	const most = 40
	cut := []rune(name)
	if len(cut) > most {
		cut = append(cut[:most], '…')
	}
	return string(cut)
}

// text reads a string that is not empty. One of plain characters needs no decoder.
func text(to *string) func(json.RawMessage) error {
	return func(value json.RawMessage) error {
		if isPlain(value) && len(value) <= maxText {
			*to = string(value[1 : len(value)-1])
			return nil
		}
		if err := anyText(to)(value); err != nil {
			return err
		}
		if *to == "" {
			return errors.New("a text that is not empty")
		}
		return nil
	}
}

// anyText reads a string that may be empty: what is said of nothing.
func anyText(to *string) func(json.RawMessage) error {
	return func(value json.RawMessage) error {
		if json.Unmarshal(value, to) != nil || value[0] != '"' {
			return errors.New("a text")
		}
		return checkBounds("", reflect.ValueOf(*to))
	}
}

// isPlain reports whether a value is a string of printable ASCII without escapes, and
// not empty.
func isPlain(value []byte) bool {
	last := len(value) - 1
	if last < 2 || value[0] != '"' || value[last] != '"' {
		return false
	}
	for _, b := range value[1:last] {
		if b < ' ' || b > '~' || b == '\\' || b == '"' {
			return false
		}
	}
	return true
}

// flag reads true or false.
func flag(to *bool) func(json.RawMessage) error {
	return func(value json.RawMessage) error {
		if json.Unmarshal(value, to) != nil || value[0] == 'n' {
			return errors.New("true or false")
		}
		return nil
	}
}

// whole reads a whole number from least on.
func whole[T ~int64 | ~uint8 | ~uint32 | ~uint64](to *T, least T) func(json.RawMessage) error {
	return func(value json.RawMessage) error {
		if n, ok := digits(value); ok && T(n) >= least && uint64(T(n)) == n {
			*to = T(n)
			return nil
		}
		if json.Unmarshal(value, to) != nil || value[0] == 'n' || *to < least {
			return fmt.Errorf("a whole number from %d on", least)
		}
		return nil
	}
}

// digits reads a number of so few digits that it fits everywhere but perhaps its own
// type, or reports that a decoder has to look at the value.
func digits(value []byte) (n uint64, ok bool) {
	if len(value) == 0 || len(value) > 18 || value[0] == '0' && len(value) > 1 {
		return 0, false
	}
	for _, b := range value {
		if b < '0' || b > '9' {
			return 0, false
		}
		n = n*10 + uint64(b-'0')
	}
	return n, true
}
