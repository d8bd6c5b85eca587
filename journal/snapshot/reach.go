package snapshot

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"time"
	"unsafe"

	"drawhouse/core/item"
)

// A pointer is written as null, as the number of what it points to where that was written
// before, or as an array of one, the value itself, which takes the next number.
func (c *compiler) pointerPlan(t reflect.Type, path string) plan {
	value := c.plan(t.Elem(), path)
	return plan{
		write: func(w *writer, p unsafe.Pointer) {
			at := *(*unsafe.Pointer)(p)
			if at == nil {
				w.b = append(w.b, null)
				return
			}
			to := pointee{at, t}
			if number, ok := w.seen[to]; ok {
				w.b = item.AppendHead(w.b, item.Uint, number)
				return
			}
			w.seen[to] = uint64(len(w.seen))
			w.b = item.AppendHead(w.b, item.Array, 1)
			if w.depth++; w.depth > maxDepth {
				w.fail(fmt.Errorf("snapshot: %s is behind more than %d pointers", path, maxDepth))
				return
			}
			value.write(w, at)
			w.depth--
		},
		read: func(r *reader, p unsafe.Pointer) {
			v := reflect.NewAt(t, p).Elem()
			switch {
			case r.null():
				v.SetZero()
			case !r.Bad && len(r.Rest) > 0 && r.Rest[0]>>5 == item.Uint:
				number := r.Uint(uint64(len(r.pointees)))
				if r.Bad = r.Bad || number == uint64(len(r.pointees)) || r.pointees[number].typ != t; !r.Bad {
					*(*unsafe.Pointer)(p) = r.pointees[number].at
				}
			default:
				r.Array(1)
				r.depth++
				if r.Bad = r.Bad || r.depth > maxDepth; r.Bad {
					return
				}
				if v.IsNil() {
					v.Set(reflect.New(t.Elem()).Convert(t))
				}
				r.pointees = append(r.pointees, pointee{v.UnsafePointer(), t})
				value.read(r, v.UnsafePointer())
				r.depth--
			}
		},
		least: 1,
	}
}

// A map is written in the order of its keys' bytes, so that there is one way to write it.
func (c *compiler) mapPlan(t reflect.Type, path string) plan {
	if reaches(t.Key()) {
		c.fail("%s has keys that point to something, which have no order of their own", path)
	}
	key, value := c.plan(t.Key(), path+"[key]"), c.plan(t.Elem(), path+"[]")
	return plan{
		write: func(w *writer, p unsafe.Pointer) { writeMap(w, reflect.NewAt(t, p).Elem(), key, value) },
		read:  func(r *reader, p unsafe.Pointer) { readMap(r, reflect.NewAt(t, p).Elem(), key, value) },
		least: 1,
	}
}

// reaches reports whether values of a type are more than their own memory and texts.
func reaches(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Interface, reflect.Chan, reflect.Func,
		reflect.UnsafePointer:
		return true
	case reflect.Array:
		return reaches(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if reaches(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}

// mapped is an entry of a map: where its key is in the bytes of all keys, and which value
// of the list of values it has.
type mapped struct{ from, to, value int }

func writeMap(w *writer, m reflect.Value, key, value *plan) {
	if m.IsNil() {
		w.b = append(w.b, null)
		return
	}
	keys := &writer{seen: w.seen}
	k := reflect.New(m.Type().Key())
	values := reflect.MakeSlice(reflect.SliceOf(m.Type().Elem()), m.Len(), m.Len())
	entries := make([]mapped, 0, m.Len())
	for all := m.MapRange(); all.Next(); {
		k.Elem().SetIterKey(all)
		values.Index(len(entries)).SetIterValue(all)
		from := len(keys.b)
		key.write(keys, k.UnsafePointer())
		entries = append(entries, mapped{from, len(keys.b), len(entries)})
	}
	slices.SortFunc(entries, func(a, b mapped) int { return bytes.Compare(keys.b[a.from:a.to], keys.b[b.from:b.to]) })
	w.b = item.AppendHead(w.b, item.Map, uint64(len(entries)))
	for _, e := range entries {
		w.b = append(w.b, keys.b[e.from:e.to]...)
		value.write(w, values.Index(e.value).Addr().UnsafePointer())
	}
	if keys.err != nil {
		w.fail(keys.err)
	}
}

func readMap(r *reader, m reflect.Value, key, value *plan) {
	n, none := r.length(item.Map, key.least+value.least)
	if none || r.Bad {
		m.SetZero()
		return
	}
	made := reflect.MakeMapWithSize(m.Type(), n)
	k, v := reflect.New(m.Type().Key()), reflect.New(m.Type().Elem())
	var before []byte
	for range n {
		k.Elem().SetZero()
		v.Elem().SetZero()
		begin := r.Rest
		key.read(r, k.UnsafePointer())
		written := begin[:len(begin)-len(r.Rest)]
		if r.Bad = r.Bad || before != nil && bytes.Compare(before, written) >= 0; r.Bad {
			return
		}
		before = written
		if value.read(r, v.UnsafePointer()); r.Bad {
			return
		}
		made.SetMapIndex(k.Elem(), v.Elem())
	}
	m.Set(made)
}

// A time zone is null, true for UTC, or what its clocks add to UTC in seconds. One that
// has a name and rules is not of a snapshot: the machine may have other rules tomorrow.
var zonePlan = plan{
	write: func(w *writer, p unsafe.Pointer) {
		switch zone := *(**time.Location)(p); {
		case zone == nil:
			w.b = append(w.b, null)
		case zone == time.UTC:
			w.b = item.AppendBool(w.b, true)
		case zone.String() != "":
			w.fail(fmt.Errorf("snapshot: the time zone %v has a name", zone))
		default:
			_, offset := time.Unix(0, 0).In(zone).Zone()
			w.b = item.AppendInt(w.b, int64(offset))
		}
	},
	read: func(r *reader, p unsafe.Pointer) {
		zone := (**time.Location)(p)
		switch {
		case r.null():
			*zone = nil
		case !r.Bad && len(r.Rest) > 0 && r.Rest[0]>>5 == item.Plain:
			r.Bad = !r.Bool() || r.Bad
			*zone = time.UTC
		default:
			*zone = time.FixedZone("", int(r.offset()))
		}
	},
	least: 1,
}

// offset reads what clocks add to UTC, which is less than a day.
func (r *reader) offset() int64 {
	const dayOf = 24 * 60 * 60
	offset := r.Int()
	r.Bad = r.Bad || offset <= -dayOf || offset >= dayOf
	return offset
}

// A time is its seconds, its nanoseconds and its zone. A reading of a clock that only
// runs is not in it.
var timePlan = plan{
	write: func(w *writer, p unsafe.Pointer) {
		t := *(*time.Time)(p)
		w.b = item.AppendHead(w.b, item.Array, 3)
		w.b = item.AppendInt(w.b, t.Unix())
		w.b = item.AppendInt(w.b, int64(t.Nanosecond()))
		zone := t.Location()
		zonePlan.write(w, unsafe.Pointer(&zone))
	},
	read: func(r *reader, p unsafe.Pointer) {
		r.Array(3)
		seconds, nanos := r.Int(), r.Uint(uint64(time.Second-1))
		zone := time.UTC
		zonePlan.read(r, unsafe.Pointer(&zone))
		if r.Bad = r.Bad || zone == nil; !r.Bad {
			*(*time.Time)(p) = time.Unix(seconds, int64(nanos)).In(zone)
		}
	},
	least: 4,
}
