package snapshot

import (
	"encoding/binary"
	"fmt"
	"hash"
	"math"
	"reflect"
	"time"
	"unsafe"

	"drawhouse/core/item"
)

// compiler works out the plans of a type and of all types within it.
type compiler struct {
	plans  map[reflect.Type]*plan
	layout hash.Hash
	err    error
}

// plan returns the plan of a type, which is found at a path from the root. A type may be
// within itself, so that its plan is known before it is filled in.
func (c *compiler) plan(t reflect.Type, path string) *plan {
	c.layout.Write(fmt.Appendf(nil, "%s.%s %v %v %d\n", t.PkgPath(), t.Name(), t, t.Kind(), t.Size()))
	if p, ok := c.plans[t]; ok {
		return p
	}
	p := &plan{least: 1}
	c.plans[t] = p
	switch t {
	case reflect.TypeFor[time.Time]():
		*p = timePlan
		return p
	case reflect.TypeFor[*time.Location]():
		*p = zonePlan
		return p
	}
	switch t.Kind() {
	case reflect.Bool:
		*p = boolPlan
	case reflect.String:
		*p = stringPlan
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		*p = intPlan(int(t.Size()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		*p = uintPlan(int(t.Size()))
	case reflect.Struct:
		*p = c.structPlan(t, path)
	case reflect.Array:
		*p = c.arrayPlan(t, path)
	case reflect.Slice:
		*p = c.slicePlan(t, path)
	case reflect.Map:
		*p = c.mapPlan(t, path)
	case reflect.Pointer:
		*p = c.pointerPlan(t, path)
	default:
		c.fail("%s is a %v, of which there is no snapshot", path, t)
	}
	return p
}

func (c *compiler) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("snapshot: "+format, args...)
	}
}

var boolPlan = plan{
	write: func(w *writer, p unsafe.Pointer) { w.b = item.AppendBool(w.b, *(*bool)(p)) },
	read:  func(r *reader, p unsafe.Pointer) { *(*bool)(p) = r.Bool() },
	least: 1,
}

// stringPlan writes strings as bytes, since a Go string need not be a text.
var stringPlan = plan{
	write: func(w *writer, p unsafe.Pointer) {
		s := *(*string)(p)
		w.b = append(item.AppendHead(w.b, item.Bytes, uint64(len(s))), s...)
	},
	read:  func(r *reader, p unsafe.Pointer) { *(*string)(p) = string(r.String(item.Bytes)) },
	least: 1,
}

func intPlan(size int) plan {
	return plan{
		write: func(w *writer, p unsafe.Pointer) { w.b = item.AppendInt(w.b, signed(load(p, size), size)) },
		read: func(r *reader, p unsafe.Pointer) {
			v := r.Int()
			store(p, size, uint64(v))
			r.Bad = r.Bad || signed(load(p, size), size) != v
		},
		least: 1,
	}
}

func uintPlan(size int) plan {
	most := uint64(math.MaxUint64) >> (64 - 8*size)
	return plan{
		write: func(w *writer, p unsafe.Pointer) { w.b = item.AppendHead(w.b, item.Uint, load(p, size)) },
		read:  func(r *reader, p unsafe.Pointer) { store(p, size, r.Uint(most)) },
		least: 1,
	}
}

// load reads a whole number of so many bytes, and store writes one.
func load(p unsafe.Pointer, size int) uint64 {
	switch size {
	case 1:
		return uint64(*(*uint8)(p))
	case 2:
		return uint64(*(*uint16)(p))
	case 4:
		return uint64(*(*uint32)(p))
	}
	return *(*uint64)(p)
}

func store(p unsafe.Pointer, size int, v uint64) {
	switch size {
	case 1:
		*(*uint8)(p) = uint8(v)
	case 2:
		*(*uint16)(p) = uint16(v)
	case 4:
		*(*uint32)(p) = uint32(v)
	default:
		*(*uint64)(p) = v
	}
}

// signed returns the number that so many low bytes of v are in two's complement.
func signed(v uint64, size int) int64 { return int64(v<<(64-8*size)) >> (64 - 8*size) }

// field is a field of a struct that is in the snapshot.
type field struct {
	*plan
	offset uintptr
}

func (c *compiler) structPlan(t reflect.Type, path string) plan {
	var fields []field
	least := 1
	for i := range t.NumField() {
		f := t.Field(i)
		skip := f.Tag.Get("snapshot") == skipTag || isLock(f.Type)
		c.layout.Write(fmt.Appendf(nil, "field %s %v\n", f.Name, skip))
		if !skip {
			p := c.plan(f.Type, path+"."+f.Name)
			fields = append(fields, field{p, f.Offset})
			least += p.least
		}
	}
	return plan{
		write: func(w *writer, p unsafe.Pointer) {
			w.b = item.AppendHead(w.b, item.Array, uint64(len(fields)))
			for _, f := range fields {
				f.write(w, unsafe.Add(p, f.offset))
			}
		},
		read: func(r *reader, p unsafe.Pointer) {
			r.Array(uint64(len(fields)))
			for i := 0; i < len(fields) && !r.Bad; i++ {
				fields[i].read(r, unsafe.Add(p, fields[i].offset))
			}
		},
		least: least,
	}
}

// isLock reports whether a type only orders goroutines. Nobody holds a lock of what was
// just read.
func isLock(t reflect.Type) bool { return t.PkgPath() == "sync" && t.Kind() == reflect.Struct }

func (c *compiler) arrayPlan(t reflect.Type, path string) plan {
	n, element := t.Len(), c.list(t.Elem(), path)
	return plan{
		write: func(w *writer, p unsafe.Pointer) { element.write(w, p, n) },
		read: func(r *reader, p unsafe.Pointer) {
			length, none := r.length(element.major(), element.least())
			if r.Bad = r.Bad || none || length != n*element.unit(); !r.Bad {
				element.read(r, p, n)
			}
		},
		least: 1 + n*element.least()*element.unit(),
	}
}

func (c *compiler) slicePlan(t reflect.Type, path string) plan {
	element := c.list(t.Elem(), path)
	return plan{
		write: func(w *writer, p unsafe.Pointer) {
			v := reflect.NewAt(t, p).Elem()
			if v.IsNil() {
				w.b = append(w.b, null)
				return
			}
			element.write(w, v.UnsafePointer(), v.Len())
		},
		read: func(r *reader, p unsafe.Pointer) {
			length, none := r.length(element.major(), element.least())
			r.Bad = r.Bad || length%element.unit() != 0
			v := reflect.NewAt(t, p).Elem()
			if r.Bad || none {
				v.SetZero()
				return
			}
			n := length / element.unit()
			v.Set(reflect.MakeSlice(t, n, n))
			element.read(r, v.UnsafePointer(), n)
		},
		least: 1,
	}
}

// list is how values that lie one behind the other are written: whole numbers as a string
// of their bytes, the lowest first, and all else as an array. Most of what a house has
// in memory is columns of numbers.
type list struct {
	*plan
	size  uintptr // of a value in memory
	width int     // of a number in bytes; 0 for values of another kind
}

func (c *compiler) list(t reflect.Type, path string) list {
	l := list{c.plan(t, path+"[]"), t.Size(), 0}
	switch t.Kind() {
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Int,
		reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uint:
		l.width = int(t.Size())
	}
	return l
}

func (l list) major() byte {
	if l.width > 0 {
		return item.Bytes
	}
	return item.Array
}

// unit is how much a value adds to the length of the list's item.
func (l list) unit() int { return max(l.width, 1) }

// least is how many bytes there are for each one of the length.
func (l list) least() int {
	if l.width > 0 {
		return 1
	}
	return l.plan.least
}

func (l list) write(w *writer, p unsafe.Pointer, n int) {
	w.b = item.AppendHead(w.b, l.major(), uint64(n*l.unit()))
	switch l.width {
	case 0:
		for i := range n {
			l.plan.write(w, unsafe.Add(p, uintptr(i)*l.size))
		}
	case 1:
		w.b = append(w.b, unsafe.Slice((*byte)(p), n)...)
	default:
		for i := range n {
			w.b = appendLow(w.b, load(unsafe.Add(p, i*l.width), l.width), l.width)
		}
	}
}

// read reads what follows the head of the list.
func (l list) read(r *reader, p unsafe.Pointer, n int) {
	switch l.width {
	case 0:
		for i := 0; i < n && !r.Bad; i++ {
			l.plan.read(r, unsafe.Add(p, uintptr(i)*l.size))
		}
	case 1:
		copy(unsafe.Slice((*byte)(p), n), r.take(n))
	default:
		data := r.take(n * l.width)
		for i := 0; i < n && !r.Bad; i++ {
			store(unsafe.Add(p, i*l.width), l.width, low(data[i*l.width:], l.width))
		}
	}
}

// take returns the next n bytes as they are.
func (r *reader) take(n int) []byte {
	if r.Bad = r.Bad || n > len(r.Rest); r.Bad {
		return nil
	}
	data := r.Rest[:n]
	r.Rest = r.Rest[n:]
	return data
}

// appendLow appends a number of so many bytes, the lowest first, and low reads one.
func appendLow(b []byte, v uint64, width int) []byte {
	switch width {
	case 2:
		return binary.LittleEndian.AppendUint16(b, uint16(v))
	case 4:
		return binary.LittleEndian.AppendUint32(b, uint32(v))
	}
	return binary.LittleEndian.AppendUint64(b, v)
}

func low(b []byte, width int) uint64 {
	switch width {
	case 2:
		return uint64(binary.LittleEndian.Uint16(b))
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	}
	return binary.LittleEndian.Uint64(b)
}
