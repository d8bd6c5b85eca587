package api

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"drawhouse/core/refusal"
	"drawhouse/games/keno"
)

// readStrict reads the body of a request into a struct. The names are those of its JSON
// tags, and what has no omitempty must be there.
func readStrict(w http.ResponseWriter, r *http.Request, to any) error {
	data, err := readBody(w, r, maxBody)
	if err != nil {
		return err
	}
	fields := fieldsOf(reflect.ValueOf(to).Elem())
	if len(data) == 0 && !slices.ContainsFunc(fields, func(f field) bool { return f.required }) {
		return nil // A body that need not say anything need not be there.
	}
	return readForm(data, fields...)
}

// withBody serves a request whose body is a struct, as [readStrict] reads it.
func withBody[B any](serve func(w http.ResponseWriter, r *http.Request,
	body B) error) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		var body B
		if err := readStrict(w, r, &body); err != nil {
			return err
		}
		return serve(w, r, body)
	}
}

// fieldsOf returns the fields of a struct that a body has, of which each reads its own.
func fieldsOf(v reflect.Value) (fields []field) {
	for _, f := range reflect.VisibleFields(v.Type()) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || name == "-" {
			continue
		}
		fields = append(fields, field{name: name, required: !strings.Contains(options, "omit"),
			read: into(name, v.FieldByIndex(f.Index).Addr().Interface())})
	}
	return fields
}

// into reads a value of any type, with no other fields than the type has.
func into(name string, to any) func(json.RawMessage) error {
	return func(value json.RawMessage) error {
		if string(value) == "null" {
			return errors.New("there, or the field left out")
		}
		decoder := json.NewDecoder(bytes.NewReader(value))
		decoder.DisallowUnknownFields()
		err := decoder.Decode(to)
		if decoder.More() {
			return errors.New("one value")
		}
		var wrong *json.UnmarshalTypeError
		switch {
		case err == nil:
			return checkBounds(name, reflect.ValueOf(to).Elem())
		case errors.As(err, &wrong):
			return &refusal.Refusal{Code: keno.FieldValue, Path: strings.TrimSuffix(name+"."+wrong.Field, "."),
				Sentence: fmt.Sprintf("The value must be %s.", kindOf(wrong.Type))}
		case strings.HasPrefix(err.Error(), unknownField):
			inner := strings.Trim(strings.TrimPrefix(err.Error(), unknownField), `"`)
			return &refusal.Refusal{Code: keno.FieldUnknown, Path: name + "." + printable(inner),
				Sentence: "There is no such field."}
		}
		if _, ok := to.(*time.Time); ok {
			return errors.New("a time with its zone, such as 2026-11-15T12:00:00Z")
		}
		if _, ok := to.(encoding.TextUnmarshaler); ok {
			return err // Its type says what a text must be.
		}
		return errors.New("JSON of the kind that the description says")
	}
}

// unknownField begins the error of the standard library for a field that a type does
// not have; it has no type of its own.
const unknownField = "json: unknown field "

// kindOf names a kind of value for people.
func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Struct, reflect.Map, reflect.Interface:
		return "an object"
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return fmt.Sprintf("a whole number from 0 to %d", uint64(1)<<(t.Bits()-1)*2-1)
	}
	return "a whole number"
}
