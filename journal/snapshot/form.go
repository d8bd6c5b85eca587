package snapshot

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"reflect"
	"unsafe"

	"drawhouse/core/item"
)

// skipTag says of a field that it is not in a snapshot. Reading leaves it as it is.
const skipTag = "-"

// ErrForm means that bytes are not a snapshot of the form.
var ErrForm = errors.New("snapshot: not of this form")

// Form is how values of type T are written. It may be used by several goroutines.
type Form[T any] struct {
	plan   *plan
	layout [sha256.Size]byte
}

// plan is how the values of one type are written and read.
type plan struct {
	write func(w *writer, p unsafe.Pointer)
	read  func(r *reader, p unsafe.Pointer)
	// least is how many bytes a value takes at least, by which a reader knows a length
	// that cannot be before it makes room for it.
	least int
}

// For returns the form of a type, or says which part of it cannot be in a snapshot.
func For[T any]() (*Form[T], error) {
	c := &compiler{plans: map[reflect.Type]*plan{}, layout: sha256.New()}
	root := c.plan(reflect.TypeFor[T](), reflect.TypeFor[T]().String())
	if c.err != nil {
		return nil, c.err
	}
	return &Form[T]{root, [sha256.Size]byte(c.layout.Sum(nil))}, nil
}

// Layout returns a hash of all that decides how a value is written: the types, their
// fields, and the order of these.
func (f *Form[T]) Layout() [sha256.Size]byte { return f.layout }

// Append appends a value. Nobody may change the value meanwhile.
func (f *Form[T]) Append(b []byte, v *T) ([]byte, error) {
	w := &writer{b: b, seen: map[pointee]uint64{}}
	f.plan.write(w, unsafe.Pointer(v))
	return w.b, w.err
}

// Read reads a value that Append has written. A pointer that is not nil stays, and what it
// points to is read into: that is how fields which are not in the snapshot keep what they
// have. After an error the value is not to be used.
func (f *Form[T]) Read(data []byte, into *T) error {
	r := &reader{Reader: item.Reader{Rest: data}}
	f.plan.read(r, unsafe.Pointer(into))
	if r.Bad || len(r.Rest) > 0 {
		return fmt.Errorf("%w: at byte %d of %d", ErrForm, len(data)-len(r.Rest), len(data))
	}
	return nil
}

// writer appends the items of a value.
type writer struct {
	b []byte
	// seen numbers what pointers pointed to, in the order of being written.
	seen  map[pointee]uint64
	depth int
	err   error
}

// pointee is what a pointer of a type points to. A struct and its first field are at one
// address.
type pointee struct {
	at  unsafe.Pointer
	typ reflect.Type
}

func (w *writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// reader reads the items of a value.
type reader struct {
	item.Reader
	pointees []pointee // by number
	depth    int
}

// maxDepth is how many pointers may be behind one another. A list that is linked by them
// is not what a snapshot is for.
const maxDepth = 1000

// length reads the length of a list whose items take so many bytes at least. None stands
// for a list that is nil.
func (r *reader) length(major byte, least int) (n int, none bool) {
	if r.null() {
		return 0, true
	}
	return int(r.Head(major, uint64(len(r.Rest)/max(least, 1)))), false
}

// null passes over an item that stands for nothing, if that is what comes.
func (r *reader) null() bool {
	if r.Bad || len(r.Rest) == 0 || r.Rest[0] != null {
		return false
	}
	r.Rest = r.Rest[1:]
	return true
}

// null is the CBOR item that stands for nothing.
const null = item.Plain<<5 | 22
