package record

import (
	"fmt"
	"reflect"
)

// Table is what a package does with the records of each kind, found by the kind. It stands in
// the place of a switch over the types of bodies: a test can ask which kinds it has.
type Table[F any] struct {
	rows [256]F
	has  [256]bool
}

// Entry is what a table has for a kind.
type Entry[F any] struct {
	Kind Kind
	Do   F
}

// NewTable returns a table of entries. It panics where a kind has two.
func NewTable[F any](entries ...Entry[F]) *Table[F] {
	t := new(Table[F])
	for _, e := range entries {
		if t.has[e.Kind] {
			panic(fmt.Sprintf("record: a table has %v twice", e.Kind))
		}
		t.rows[e.Kind], t.has[e.Kind] = e.Do, true
	}
	return t
}

// Of returns what the table has for a kind, and whether it has the kind.
func (t *Table[F]) Of(kind Kind) (F, bool) { return t.rows[kind], t.has[kind] }

// Has reports whether the table has a kind.
func (t *Table[F]) Has(kind Kind) bool { return t.has[kind] }

// Kinds returns the kinds that the table has, ascending.
func (t *Table[F]) Kinds() (kinds []Kind) {
	for _, kind := range Kinds() {
		if t.has[kind] {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// KindFor returns the kind whose bodies have the type B, a pointer. It panics where B is not
// the type of a body.
func KindFor[B Body]() Kind {
	kind, ok := kinds[reflect.TypeFor[B]()]
	if !ok {
		panic(fmt.Sprintf("record: %v is not the type of a body", reflect.TypeFor[B]()))
	}
	return kind
}
