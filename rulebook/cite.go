package rulebook

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

var citeType = reflect.TypeFor[Cite]()

// cite gives every block of the file the nearest clause at or above it, and
// reports the blocks that state a value and have none: a value without a clause
// could not be quoted to the player who asks why.
func (r *report) cite(f *File) {
	r.citeValue(reflect.ValueOf(f).Elem(), "", "")
}

// citeValue walks v, which stands at path under a block of the given clause.
func (r *report) citeValue(v reflect.Value, path, clause string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			r.citeValue(v.Elem(), path, clause)
		}
	case reflect.Slice:
		for i := range v.Len() {
			r.citeValue(v.Index(i), fmt.Sprintf("%s[%d]", path, i), clause)
		}
	case reflect.Struct:
		if !isWord(v.Type()) {
			r.citeStruct(v, path, clause)
		}
	}
}

func (r *report) citeStruct(v reflect.Value, path, clause string) {
	if embedded := v.FieldByName("Cite"); embedded.IsValid() && embedded.Type() == citeType {
		// A block that the file leaves out stays out, and needs no clause.
		if v.IsZero() {
			return
		}
		own := embedded.Addr().Interface().(*Cite)
		if own.Clause == "" {
			own.Clause = clause
		}
		if own.Clause == "" && hasOwnValue(v) {
			r.add(path, "has no clause")
		}
		clause = own.Clause
		r.citeFields(v, path, clause)
	}
	for _, f := range fieldsOf(v.Type()) {
		r.citeValue(v.FieldByIndex(f.index), join(path, f.name), clause)
	}
}

// citeFields handles values that have their clause in a field of its own beside
// them: last_game and last_game_clause.
func (r *report) citeFields(v reflect.Value, path, clause string) {
	fields := fieldsOf(v.Type())
	for _, f := range fields {
		name, ok := strings.CutSuffix(f.name, "_clause")
		if !ok {
			continue
		}
		own := v.FieldByIndex(f.index)
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == name })
		switch absent := v.FieldByIndex(fields[i].index).IsZero(); {
		case absent && own.String() != "":
			r.add(join(path, f.name), "is the clause of %s, which is not there", name)
		case !absent && own.String() == "":
			own.SetString(clause)
		}
	}
}

// hasOwnValue reports whether a block states a value itself, not only through the
// blocks within it.
func hasOwnValue(v reflect.Value) bool {
	for _, f := range fieldsOf(v.Type()) {
		value := v.FieldByIndex(f.index)
		if !value.IsZero() && !holdsCites(value.Type()) {
			return true
		}
	}
	return false
}

// holdsCites reports whether a field is a block, or a list of blocks, that cites
// for itself.
func holdsCites(t reflect.Type) bool {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return false
	}
	f, ok := t.FieldByName("Cite")
	return ok && f.Type == citeType
}
