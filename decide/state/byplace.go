package state

import (
	"encoding/binary"
	"iter"
	"maps"
	"slices"

	"github.com/fxamacker/cbor/v2"

	"drawhouse/core/digest"
	"drawhouse/journal/record"
)

// byPlace is a map by ticket or paper for what a house keeps of many of them and seldom asks for. Fresh entries are
// in a Go map. Pack moves them into lists, as CBOR and one behind the other: some 15 bytes where the Go map takes
// 100. A list is for tickets that were sold one after the other, and pack writes anew those that have fresh entries.
//
// V is made of exported fields. A caller must not change what get has returned.
type byPlace[V any] struct {
	fresh map[record.Place]entry[V]
	lists map[uint64]string // by placeGroup
	sum   digest.Sum        // of all values
}

// entry is a value, or says that the value in the lists is gone.
type entry[V any] struct {
	value V
	gone  bool
}

// placeGroup returns the list in which a place is. A list is for 1,024 records.
func placeGroup(p record.Place) uint64 { return uint64(p.Volume)<<48 | p.Seq>>10 }

// get returns the value at a place, and whether there is one.
func (m *byPlace[V]) get(at record.Place) (value V, ok bool) {
	if e, ok := m.fresh[at]; ok {
		return e.value, !e.gone
	}
	for place, data := range values(m.lists[placeGroup(at)], at.Volume) {
		if place == at {
			return unpack[V](data), true
		}
	}
	return value, false
}

// of returns the value at a place, the zero value if there is none.
func (m *byPlace[V]) of(at record.Place) V {
	value, _ := m.get(at)
	return value
}

// put sets the value at a place.
func (m *byPlace[V]) put(at record.Place, value V) {
	m.drop(at)
	m.set(at, entry[V]{value: value})
	m.sum.Add(digest.Entry(at, &value))
}

// drop takes away the value at a place.
func (m *byPlace[V]) drop(at record.Place) {
	if value, ok := m.get(at); ok {
		m.sum.Sub(digest.Entry(at, &value))
		m.set(at, entry[V]{gone: true})
	}
}

func (m *byPlace[V]) set(at record.Place, e entry[V]) {
	if m.fresh == nil {
		m.fresh = map[record.Place]entry[V]{}
	}
	m.fresh[at] = e
}

// pack moves the fresh entries into the lists.
func (m *byPlace[V]) pack() {
	if len(m.fresh) == 0 {
		return
	}
	if m.lists == nil {
		m.lists = map[uint64]string{}
	}
	places := slices.SortedFunc(maps.Keys(m.fresh), comparePlaces)
	for len(places) > 0 {
		group := placeGroup(places[0])
		n := 1
		for n < len(places) && placeGroup(places[n]) == group {
			n++
		}
		if list := m.merge(m.lists[group], places[:n]); list != "" {
			m.lists[group] = list
		} else {
			delete(m.lists, group)
		}
		places = places[n:]
	}
	m.fresh = nil // A map that is only cleared keeps its memory.
}

// merge returns a list with the fresh entries at some places, which ascend.
func (m *byPlace[V]) merge(list string, places []record.Place) string {
	var b []byte
	var last uint64
	add := func(at record.Place, data string) {
		b = binary.AppendUvarint(b, at.Seq-last)
		b = binary.AppendUvarint(b, uint64(len(data)))
		b = append(b, data...)
		last = at.Seq
	}
	addFresh := func(at record.Place) {
		if e := m.fresh[at]; !e.gone {
			add(at, string(must(packing.Marshal(e.value))))
		}
	}
	for at, data := range values(list, places[0].Volume) {
		for len(places) > 0 && comparePlaces(places[0], at) < 0 {
			addFresh(places[0])
			places = places[1:]
		}
		if len(places) > 0 && places[0] == at {
			continue // The fresh entry replaces it.
		}
		add(at, data)
	}
	for _, at := range places {
		addFresh(at)
	}
	return string(b)
}

// values goes through the values of a list in their order: each is the distance to the one before, a length, and
// as many bytes.
func values(list string, volume uint16) iter.Seq2[record.Place, string] {
	return func(yield func(record.Place, string) bool) {
		at := record.Place{Volume: volume}
		for list != "" {
			var distance, length uint64
			distance, list = uvarint(list)
			length, list = uvarint(list)
			at.Seq += distance
			if !yield(at, list[:length]) {
				return
			}
			list = list[length:]
		}
	}
}

func unpack[V any](data string) (value V) {
	if err := cbor.Unmarshal([]byte(data), &value); err != nil {
		panic(err) // The state wrote it.
	}
	return value
}
