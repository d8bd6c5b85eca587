package verify

import (
	"fmt"
	"reflect"
	"strings"
)

// spoken returns the values of a sentence as people read them: a list with commas, and of a structure each field with
// its name. What can name itself does.
func spoken(values []any) []any {
	said := make([]any, len(values))
	for i, v := range values {
		said[i] = v
		if text, ok := inWords(v); ok {
			said[i] = text
		}
	}
	return said
}

// sentence is an error that people read.
func sentence(format string, args ...any) error { return fmt.Errorf(format, spoken(args)...) }

// inWords returns a structure or a list in words; it reports false for what is written well as it is.
func inWords(v any) (string, bool) {
	switch v.(type) {
	case nil, error, fmt.Stringer, fmt.Formatter:
		return "", false
	}
	r := reflect.ValueOf(v)
	switch {
	case r.Kind() == reflect.Pointer && !r.IsNil() && r.Elem().Kind() == reflect.Struct:
		return wordsOf(r.Elem()), true
	case r.Kind() == reflect.Struct:
		return wordsOf(r), true
	case r.Kind() == reflect.Slice &&
		(r.Type().Elem().Kind() == reflect.Struct || r.Type().Elem().Kind() == reflect.String):
		return wordsOf(r), true
	}
	return "", false
}

// wordsOf writes a value: fields by their names, and elements with commas or semicolons between.
func wordsOf(r reflect.Value) string {
	if r.CanInterface() {
		switch v := r.Interface().(type) {
		case error, fmt.Stringer, fmt.Formatter:
			return fmt.Sprint(v)
		}
	}
	var parts []string
	switch r.Kind() {
	case reflect.Slice:
		between := ", "
		for i := range r.Len() {
			parts = append(parts, wordsOf(r.Index(i)))
			if r.Type().Elem().Kind() == reflect.Struct {
				between = "; "
			}
		}
		if len(parts) == 0 {
			return "none"
		}
		return strings.Join(parts, between)
	case reflect.Struct:
		for i := range r.NumField() {
			if f := r.Type().Field(i); f.Name != "_" {
				parts = append(parts, fieldName(f.Name)+" "+wordsOf(r.Field(i)))
			}
		}
		return strings.Join(parts, ", ")
	default:
		return fmt.Sprint(r)
	}
}

// fieldName writes the name of a field in small letters, with blanks between its words.
func fieldName(name string) string {
	var b strings.Builder
	for i, c := range name {
		if i > 0 && 'A' <= c && c <= 'Z' {
			b.WriteByte(' ')
		}
		b.WriteString(strings.ToLower(string(c)))
	}
	return b.String()
}
