// Package digest hashes values by a plan that is worked out from their type, so that no field is forgotten.
//
// A [Plan] goes through every field of a type, exported or not, and through all that is reached from there by pointers,
// lists and maps. A number takes eight bytes. A text or a list has its length in front, a pointer says
// whether it points at something, and a map is the count and the [Sum] of its entries. So no two different
// values look the same, and nothing depends on the order in which a map was filled. A list that is nil and an
// empty one are equal.
//
// A field that does not count has the tag `unhashed:"reason"`. A type whose memory is not its content says
// itself what it holds, as [Content]: a cache, a map of which the sum is kept as it changes. A type that
// cannot be hashed, such as a channel or an interface, makes [For] panic.
package digest

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/bits"
	"reflect"
	"sync"
)

// Hash is a SHA-256.
type Hash = [sha256.Size]byte

// Content is implemented by types that say themselves what they hold.
type Content interface{ Digest(w *Writer) }

// Writer collects what is hashed.
type Writer struct {
	data []byte
	anew bool // sums that are kept are worked out again
}

// Number writes a number.
func (w *Writer) Number(n uint64) { w.data = binary.BigEndian.AppendUint64(w.data, n) }

// Text writes a text with its length.
func (w *Writer) Text(s string) {
	w.Number(uint64(len(s)))
	w.data = append(w.data, s...)
}

// Bytes writes bytes without their length.
func (w *Writer) Bytes(b []byte) { w.data = append(w.data, b...) }

// Flag writes whether something is so.
func (w *Writer) Flag(set bool) {
	if set {
		w.Number(1)
	} else {
		w.Number(0)
	}
}

// Sum writes a sum.
func (w *Writer) Sum(s Sum) {
	for _, word := range s {
		w.Number(word)
	}
}

// Kept writes the sum of a set that is kept as the set changes. HashAnew takes the sum of what items adds instead.
func (w *Writer) Kept(sum Sum, items func(add func(Hash))) {
	if w.anew {
		sum = Sum{}
		items(sum.Add)
	}
	w.Sum(sum)
}

// Sum adds up hashes modulo 2^256, the lowest word first. Equal sets have equal sums in whatever order their
// items came, so that a set can be hashed as it changes. It is there to find mistakes; that nobody changes a
// record is what the journal's root is for.
type Sum [4]uint64

// Add puts an item into the set.
func (s *Sum) Add(h Hash) {
	var carry uint64
	for i := range s {
		s[i], carry = bits.Add64(s[i], binary.LittleEndian.Uint64(h[8*i:]), carry)
	}
}

// Sub takes an item out of the set.
func (s *Sum) Sub(h Hash) {
	var borrow uint64
	for i := range s {
		s[i], borrow = bits.Sub64(s[i], binary.LittleEndian.Uint64(h[8*i:]), borrow)
	}
}

// Plan is how values of type T are hashed. Several goroutines may use it.
type Plan[T any] struct{ plan *plan }

// For returns the plan of a type. It panics if a part of the type cannot be hashed.
func For[T any]() Plan[T] {
	t := reflect.TypeFor[T]()
	if p, ok := plans.Load(t); ok {
		return Plan[T]{p.(*plan)} //nolint:errcheck // The map has nothing else.
	}
	p, _ := plans.LoadOrStore(t, compiler{}.plan(t, t.String()))
	return Plan[T]{p.(*plan)} //nolint:errcheck // The map has nothing else.
}

// plans are those that were asked for, by type.
var plans sync.Map

// Write writes a value.
func (p Plan[T]) Write(w *Writer, v *T) { p.plan.write(w, reflect.ValueOf(v).Elem()) }

// Hash returns the hash of a value.
func (p Plan[T]) Hash(v *T) Hash { return hash(false, func(w *Writer) { p.Write(w, v) }) }

// HashAnew returns the same, but for sums that are not those of their sets.
func (p Plan[T]) HashAnew(v *T) Hash { return hash(true, func(w *Writer) { p.Write(w, v) }) }

func hash(anew bool, write func(*Writer)) Hash {
	w := writers.Get().(*Writer) //nolint:errcheck // The pool holds nothing else.
	defer writers.Put(w)
	w.data, w.anew = w.data[:0], anew
	write(w)
	return sha256.Sum256(w.data)
}

// writers are kept for their room.
var writers = sync.Pool{New: func() any { return new(Writer) }}

// Entry returns the hash of an entry of a map. The sum of the hashes of all its entries is that of the map.
func Entry[K, V any](key K, value *V) Hash {
	return hash(false, func(w *Writer) {
		For[K]().Write(w, &key)
		For[V]().Write(w, value)
	})
}

// plan is how the values of one type are written.
type plan struct {
	write func(w *Writer, v reflect.Value)
}

// compiler has the plans of a type and of all types within it.
type compiler map[reflect.Type]*plan

// plan returns the plan of a type, which is found at a path from the root. A type may be within itself, so
// that its plan is known before it is filled in.
func (c compiler) plan(t reflect.Type, path string) *plan {
	if p, ok := c[t]; ok {
		return p
	}
	p := new(plan)
	c[t] = p
	if reflect.PointerTo(t).Implements(reflect.TypeFor[Content]()) {
		p.write = func(w *Writer, v reflect.Value) {
			// NewAt lets a method be called of a field that another package does not see.
			reflect.NewAt(t, v.Addr().UnsafePointer()).Interface().(Content).Digest(w) //nolint:errcheck // It implements Content.
		}
		return p
	}
	switch t.Kind() {
	case reflect.Bool:
		p.write = func(w *Writer, v reflect.Value) { w.Flag(v.Bool()) }
	case reflect.String:
		p.write = func(w *Writer, v reflect.Value) { w.Text(v.String()) }
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		p.write = func(w *Writer, v reflect.Value) { w.Number(uint64(v.Int())) }
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		p.write = func(w *Writer, v reflect.Value) { w.Number(v.Uint()) }
	case reflect.Struct:
		p.write = c.structPlan(t, path)
	case reflect.Array:
		p.write = c.listPlan(t, path)
	case reflect.Slice:
		list := c.listPlan(t, path)
		p.write = func(w *Writer, v reflect.Value) {
			w.Number(uint64(v.Len()))
			list(w, v)
		}
	case reflect.Map:
		p.write = c.mapPlan(t, path)
	case reflect.Pointer:
		value := c.plan(t.Elem(), path)
		p.write = func(w *Writer, v reflect.Value) {
			w.Flag(!v.IsNil())
			if !v.IsNil() {
				value.write(w, v.Elem())
			}
		}
	default:
		panic(fmt.Sprintf("digest: %s is a %v, which has no hash", path, t))
	}
	return p
}

func (c compiler) structPlan(t reflect.Type, path string) func(*Writer, reflect.Value) {
	type field struct {
		*plan
		index int
	}
	var fields []field
	for i := range t.NumField() {
		f := t.Field(i)
		if _, skip := f.Tag.Lookup("unhashed"); !skip && f.Name != "_" {
			fields = append(fields, field{c.plan(f.Type, path+"."+f.Name), i})
		}
	}
	return func(w *Writer, v reflect.Value) {
		for _, f := range fields {
			f.write(w, v.Field(f.index))
		}
	}
}

// listPlan writes the items of a list or an array, bytes as they are.
func (c compiler) listPlan(t reflect.Type, path string) func(*Writer, reflect.Value) {
	if t.Elem().Kind() == reflect.Uint8 {
		return func(w *Writer, v reflect.Value) {
			if v.Kind() == reflect.Slice || v.CanAddr() {
				w.Bytes(v.Bytes())
				return
			}
			for i := range v.Len() {
				w.data = append(w.data, byte(v.Index(i).Uint()))
			}
		}
	}
	item := c.plan(t.Elem(), path+"[]")
	return func(w *Writer, v reflect.Value) {
		for i := range v.Len() {
			item.write(w, v.Index(i))
		}
	}
}

// mapPlan writes the number of entries and the sum of their hashes. An entry is written behind what is there and
// taken away again.
func (c compiler) mapPlan(t reflect.Type, path string) func(*Writer, reflect.Value) {
	key, value := c.plan(t.Key(), path+"{key}"), c.plan(t.Elem(), path+"{}")
	return func(w *Writer, v reflect.Value) {
		var sum Sum
		before := len(w.data)
		for i := v.MapRange(); i.Next(); {
			key.write(w, i.Key())
			value.write(w, i.Value())
			sum.Add(sha256.Sum256(w.data[before:]))
			w.data = w.data[:before]
		}
		w.Number(uint64(v.Len()))
		w.Sum(sum)
	}
}
