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
		own, _ := reflect.TypeAssert[*Cite](embedded.Addr())
		if own.Clause == "" {
			own.Clause = clause
		}
		if own.Clause == "" && hasOwnValue(v) {
			r.add(path, "has no clause")
		}
		clause = own.Clause
		r.citeFields(v, path)
	}
	for _, f := range fieldsOf(v.Type()) {
		r.citeValue(v.FieldByIndex(f.index), join(path, f.name), clause)
	}
}

// citeFields reports a clause of a single value that is not there, and leaves out
// one that says what its block says. So a book has one resolved form however it is
// written, and a clause field that the schema gains later changes the hash of no
// older book. [fillClauses] puts them back for those who ask a book.
func (r *report) citeFields(v reflect.Value, path string) {
	eachClauseField(v, func(name string, value, own reflect.Value, inherited string) {
		switch {
		case value.IsZero() && own.String() != "":
			r.add(join(path, name+clauseSuffix), "is the clause of %s, which is not there", name)
		case own.String() == inherited:
			own.SetString("")
		}
	})
}

// clauseSuffix ends the name of a field that holds the clause of the value beside
// it: last_game and last_game_clause.
const clauseSuffix = "_clause"

// eachClauseField calls do for every clause field of a block, with the value that
// it is of and the clause that the value has without it.
func eachClauseField(v reflect.Value, do func(name string, value, own reflect.Value, inherited string)) {
	inherited := v.FieldByName("Cite").FieldByName("Clause").String()
	fields := fieldsOf(v.Type())
	for _, f := range fields {
		name, ok := strings.CutSuffix(f.name, clauseSuffix)
		if !ok {
			continue
		}
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == name })
		do(name, v.FieldByIndex(fields[i].index), v.FieldByIndex(f.index), inherited)
	}
}

// fillClauses gives every single value of a resolved file its clause: its own, or
// that of its block.
func fillClauses(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			fillClauses(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			fillClauses(v.Index(i))
		}
	case reflect.Struct:
		if isWord(v.Type()) {
			return
		}
		if holdsCites(v.Type()) {
			eachClauseField(v, func(_ string, value, own reflect.Value, inherited string) {
				if !value.IsZero() && own.String() == "" {
					own.SetString(inherited)
				}
			})
		}
		for _, f := range fieldsOf(v.Type()) {
			fillClauses(v.FieldByIndex(f.index))
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
