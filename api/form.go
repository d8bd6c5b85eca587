package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

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
// spelt exactly so. The first fault ends it.
func readForm(data []byte, fields ...field) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return syntax("The body is not a JSON object.")
	}
	seen := make(map[string]bool, len(fields))
	for decoder.More() {
		if err := readField(decoder, fields, seen); err != nil {
			return err
		}
	}
	if _, err := decoder.Token(); err != nil {
		return syntax("The body ends in the middle of its object.")
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return syntax("Something follows the object.")
	}
	for _, f := range fields {
		if f.required && !seen[f.name] {
			return &refusal.Refusal{Code: keno.FieldMissing, Path: f.name, Sentence: "The field is missing."}
		}
	}
	return nil
}

func readField(decoder *json.Decoder, fields []field, seen map[string]bool) error {
	token, err := decoder.Token()
	name, ok := token.(string)
	if err != nil || !ok {
		return syntax("A field has no name.")
	}
	var value json.RawMessage
	if err := decoder.Decode(&value); err != nil {
		return syntax("The value of a field is not JSON.")
	}
	for _, f := range fields {
		switch {
		case f.name != name:
		case seen[name]:
			return &refusal.Refusal{Code: keno.FieldRepeated, Path: name, Sentence: "The field is there twice."}
		default:
			seen[name] = true
			return readValue(f, value)
		}
	}
	return &refusal.Refusal{Code: keno.FieldUnknown, Path: printable(name), Sentence: "There is no such field."}
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
