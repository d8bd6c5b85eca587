package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"drawhouse/keno"
	"drawhouse/refusal"
)

// The greatest bodies. A sale has its own, smaller one: a ticket is bounded by
// its form, and terminals are many.
const (
	maxBody     = 1 << 20
	maxSaleBody = 128 << 10
)

// readBody reads the body of a request up to a limit.
func readBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	if read, ok := r.Body.(held); ok && int64(len(read.data)) <= limit {
		return read.data, nil
	}
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
		return nil, &refusal.Refusal{Code: BodyTooLarge, Sentence: fmt.Sprintf("The body is longer than %d bytes.", limit)}
	}
	if err != nil {
		return nil, &refusal.Refusal{Code: keno.FormSyntax, Sentence: "The body could not be read."}
	}
	return data, nil
}

// field is a field of a form: how its value is read, and whether it must be there.
type field struct {
	name     string
	required bool
	read     func(json.RawMessage) error // an error says what the value should be
}

// readForm reads a JSON object with these fields and no others, each once and
// spelt exactly so. The first fault ends it. It finds where each value ends and
// leaves it to the field's reader to say whether the value is one.
func readForm(data []byte, fields ...field) error {
	c := cursor{data: data}
	if !c.take('{') {
		return syntax("The body is not a JSON object.")
	}
	seen := make([]bool, len(fields))
	for first := true; !c.take('}'); first = false {
		if !first && !c.take(',') {
			return syntax("The body ends in the middle of its object, or a comma is missing.")
		}
		if err := readField(&c, fields, seen); err != nil {
			return err
		}
	}
	if c.space(); c.at < len(data) {
		return syntax("Something follows the object.")
	}
	for i, f := range fields {
		if f.required && !seen[i] {
			return &refusal.Refusal{Code: keno.FieldMissing, Path: f.name, Sentence: "The field is missing."}
		}
	}
	return nil
}

func readField(c *cursor, fields []field, seen []bool) error {
	c.space()
	quoted := c.text()
	if quoted == nil || !c.take(':') {
		return syntax("A field has no name.")
	}
	value := c.value()
	if value == nil {
		return syntax("A field has no value.")
	}
	name := string(quoted[1 : len(quoted)-1])
	i := slices.IndexFunc(fields, func(f field) bool { return f.name == name })
	switch {
	case i < 0:
		return &refusal.Refusal{Code: keno.FieldUnknown, Path: printable(name), Sentence: "There is no such field."}
	case seen[i]:
		return &refusal.Refusal{Code: keno.FieldRepeated, Path: name, Sentence: "The field is there twice."}
	}
	seen[i] = true
	return readValue(fields[i], value)
}

// cursor goes through a JSON text. It is nothing like a parser: it only tells
// where a value ends if it is one.
type cursor struct {
	data []byte
	at   int
}

func (c *cursor) space() {
	for c.at < len(c.data) && strings.IndexByte(" \t\r\n", c.data[c.at]) >= 0 {
		c.at++
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
	for i := c.at + 1; i < len(c.data); i++ {
		switch c.data[i] {
		case '\\':
			i++
		case '"':
			text := c.data[c.at : i+1]
			c.at = i + 1
			return text
		}
	}
	return nil
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
func readValue(f field, value json.RawMessage) error {
	err := f.read(value)
	var refused *refusal.Refusal
	if err == nil || errors.As(err, &refused) {
		return err
	}
	return &refusal.Refusal{Code: keno.FieldValue, Path: f.name, Sentence: fmt.Sprintf("The value must be %v.", err)}
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

// text reads a string that is not empty.
func text(to *string) func(json.RawMessage) error {
	return func(value json.RawMessage) error {
		if json.Unmarshal(value, to) != nil || *to == "" || value[0] != '"' {
			return errors.New("a text")
		}
		return nil
	}
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
func whole[T ~int64 | ~uint32 | ~uint64](to *T, least T) func(json.RawMessage) error {
	return func(value json.RawMessage) error {
		if json.Unmarshal(value, to) != nil || value[0] == 'n' || *to < least {
			return fmt.Errorf("a whole number from %d on", least)
		}
		return nil
	}
}
