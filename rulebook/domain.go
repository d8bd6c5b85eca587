package rulebook

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// This file checks what a value may be by its type and tag alone, wherever the
// file came from: the words that the engine knows, amounts that are not negative,
// text that a receipt can print.

// vocabulary is a string type that has a closed list of words.
type vocabulary interface{ words() []string }

// checkDomains reports every value of the file that its field cannot have.
func (r *report) checkDomains(f *File) {
	r.checkStruct(reflect.ValueOf(f).Elem(), "")
}

func (r *report) checkStruct(v reflect.Value, path string) {
	for _, f := range fieldsOf(v.Type()) {
		value := v.FieldByIndex(f.index)
		if f.required || !value.IsZero() {
			r.checkValue(value, join(path, f.name), f.words)
		}
	}
}

// checkValue checks a value that is present. The words are those of the field's
// tag, if it has one; a list's tag holds for its items.
func (r *report) checkValue(v reflect.Value, path string, words []string) {
	switch v.Kind() {
	case reflect.Pointer:
		r.checkValue(v.Elem(), path, words)
	case reflect.Slice:
		for i := range v.Len() {
			r.checkValue(v.Index(i), fmt.Sprintf("%s[%d]", path, i), words)
		}
	case reflect.Map:
		for iter := v.MapRange(); iter.Next(); {
			sub := join(path, fmt.Sprint(iter.Key()))
			r.checkValue(iter.Key(), sub, nil)
			r.checkValue(iter.Value(), sub, nil)
		}
	case reflect.Struct:
		if !isWord(v.Type()) {
			r.checkStruct(v, path)
		}
	case reflect.String:
		r.checkString(v, path, words)
	default:
		r.checkNumber(v, path)
	}
}

// groupPath is the one value that may be a space: plain, one that does not break, or a narrow one.
const (
	groupPath   = "format.group"
	groupSpaces = " \u00a0\u202f"
)

func (r *report) checkString(v reflect.Value, path string, words []string) {
	if typed, ok := v.Interface().(vocabulary); ok {
		words = typed.words()
	}
	text := v.String()
	switch {
	case path == groupPath && strings.Contains(groupSpaces, text) && text != "":
	case strings.TrimSpace(text) == "":
		r.add(path, "is empty")
	case words != nil && !slices.Contains(words, text):
		r.add(path, "%q is not known here; the known words are %s", text, strings.Join(words, ", "))
	case strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsPrint(c) }):
		r.add(path, "%q has a character that cannot be printed", text)
	}
}

// checkNumber is for books from elsewhere than YAML, whose parser reads no such
// numbers.
func (r *report) checkNumber(v reflect.Value, path string) {
	switch n := v.Interface().(type) {
	case int:
		if n < 0 || n > maxCount {
			r.add(path, "%d is not 0 to %d", n, maxCount)
		}
	case int64:
		if n < 0 {
			r.add(path, "%d is less than nothing", n)
		}
	case Dollars:
		if n < 0 {
			r.add(path, "%v is less than nothing", n)
		}
	case Percent:
		if n < 0 || n > Whole {
			r.add(path, "%v is not 0 to 100 percent", n)
		}
	case Date:
		if !n.Day().IsValid() {
			r.add(path, "is not a date")
		}
	}
}

// isWord reports whether a struct of the schema is written as one word.
func isWord(t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[textParser]())
}
