package rulebook

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Remedy returns a line that can be written at the place of a fault: the key with a value of its form, such as
// "step: 1.00", or, for a key that is not one, the key that was likely meant. What only the writer knows has an
// example; where there are a few words to choose from, a remark has the others. It is empty where there is nothing to
// write, such as a key too many.
func (f Fault) Remedy() string {
	keys := splitPath(f.Path)
	t := reflect.TypeFor[File]()
	var words []string // that the field names
	for i, key := range keys {
		last := i == len(keys)-1
		switch {
		case t.Kind() == reflect.Slice:
			if t = pointed(t.Elem()); last {
				return "- " + form(t, words) + others(t, words)
			}
		case t.Kind() == reflect.Map:
			if t = pointed(t.Elem()); last {
				return key + ": " + form(t, nil) + others(t, nil)
			}
		case t.Kind() != reflect.Struct || isWord(t):
			return ""
		default:
			found, ok := fieldNamed(t, key)
			switch {
			case !ok && !last, ok && found.retired != "":
				return ""
			case !ok:
				if found, ok = nearestField(t, key); !ok {
					return ""
				}
				fallthrough
			case last:
				t = pointed(t.FieldByIndex(found.index).Type)
				return found.name + ": " + form(t, found.words) + others(t, found.words)
			}
			t, words = pointed(t.FieldByIndex(found.index).Type), found.words
		}
	}
	return ""
}

// splitPath returns the keys of a path. What is in brackets is one key, whatever it has in it.
func splitPath(path string) (keys []string) {
	for path != "" {
		var key string
		switch path[0] {
		case '[':
			key, path, _ = strings.Cut(path[1:], "]")
		default:
			end := strings.IndexAny(path, ".[")
			if end < 0 {
				end = len(path)
			}
			key, path = path[:end], path[end:]
		}
		path = strings.TrimPrefix(path, ".")
		keys = append(keys, key)
	}
	return keys
}

func pointed(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

func fieldNamed(t reflect.Type, name string) (field, bool) {
	fields := fieldsOf(t)
	i := slices.IndexFunc(fields, func(f field) bool { return f.name == name })
	if i < 0 {
		return field{}, false
	}
	return fields[i], true
}

// nearestField returns the key of a struct that is spelled most like another word, if one is.
func nearestField(t reflect.Type, word string) (field, bool) {
	best, at := 3, -1 // Two letters may be wrong.
	fields := fieldsOf(t)
	for i, f := range fields {
		if d := spelled(f.name, word); d < best && f.retired == "" {
			best, at = d, i
		}
	}
	if at < 0 {
		return field{}, false
	}
	return fields[at], true
}

// spelled returns how many letters must be added, left out or changed to make one word of another.
func spelled(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := before
			if a[i] != b[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// wordsOf returns the words that a value of a type may be: those of the type, or those that its field names.
func wordsOf(t reflect.Type, words []string) []string {
	if typed, ok := reflect.Zero(t).Interface().(vocabulary); ok {
		return typed.words()
	}
	return words
}

// others returns a remark with the words that a value, or the parts of a list, may be beside the first.
func others(t reflect.Type, words []string) string {
	if t.Kind() == reflect.Slice {
		t = pointed(t.Elem())
	}
	if words = wordsOf(t, words); t.Kind() != reflect.String || len(words) < 2 {
		return ""
	}
	return "  # or " + strings.Join(words[1:], ", ")
}

// form returns a value of a type as a file has it.
func form(t reflect.Type, words []string) string {
	t = pointed(t)
	words = wordsOf(t, words)
	switch t {
	case reflect.TypeFor[Dollars]():
		return "1.00"
	case reflect.TypeFor[Percent]():
		return "10"
	case reflect.TypeFor[Date]():
		return "2027-01-01"
	case reflect.TypeFor[Sizes](), reflect.TypeFor[Range]():
		return "1-10"
	}
	switch t.Kind() {
	case reflect.Slice:
		return "[" + form(t.Elem(), words) + "]"
	case reflect.Map:
		return fmt.Sprintf("{%s: %s}", form(t.Key(), nil), form(t.Elem(), nil))
	case reflect.Struct:
		return structForm(t)
	case reflect.Bool:
		return "true"
	case reflect.Int, reflect.Int64:
		return "1"
	}
	if len(words) > 0 {
		return words[0]
	}
	return `"your own"`
}

// structForm returns a block with its clause and the keys that it must have.
func structForm(t reflect.Type) string {
	var parts []string
	if holdsCites(t) {
		parts = append(parts, `clause: "1"`)
	}
	for _, f := range fieldsOf(t) {
		if f.required {
			parts = append(parts, f.name+": "+form(t.FieldByIndex(f.index).Type, f.words))
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
