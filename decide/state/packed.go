package state

import (
	"cmp"
	"encoding/binary"
	"iter"
	"maps"
	"slices"
	"strings"

	"drawhouse/core/digest"
	"drawhouse/journal/record"
)

// packed is a map for notes on tickets of which a house makes millions and drops none. Fresh notes are
// in a Go map, at about 100 bytes each. Pack moves them into lists, one for each group, at about 3 bytes
// each. A list is searched as it lies there. A later note on the same ticket replaces the earlier one.
//
// The groups are for pack, which writes anew every list that has fresh notes, and no other.
type packed struct {
	fresh map[noteKey]note
	lists map[uint64]string // by group; see listWriter
	count int
	sum   digest.Sum // of all notes
}

// noteKey names a note: one ticket in one group.
type noteKey struct {
	group  uint64
	ticket record.Place
}

func (k noteKey) compare(with noteKey) int {
	if k.group != with.group {
		return cmp.Compare(k.group, with.group)
	}
	return comparePlaces(k.ticket, with.ticket)
}

// note is what was noted. Value takes least room if it is a small number of hundreds, such as an
// amount in whole dollars, and mark if it is usualMark.
type note struct {
	value int64
	mark  uint8
}

// usualMark is the mark that takes no room in a list.
const usualMark = 1

// get returns the note on a ticket.
func (p *packed) get(key noteKey) (note, bool) {
	if n, ok := p.fresh[key]; ok {
		return n, true
	}
	return findNote(p.lists[key.group], key.ticket)
}

// put makes a note.
func (p *packed) put(key noteKey, n note) {
	if before, ok := p.get(key); ok {
		p.sum.Sub(digest.Entry(key, &before))
	} else {
		p.count++
	}
	p.sum.Add(digest.Entry(key, &n))
	if p.fresh == nil {
		p.fresh = map[noteKey]note{}
	}
	p.fresh[key] = n
}

// len returns on how many tickets there are notes, in all groups together.
func (p *packed) len() int { return p.count }

// pack moves the fresh notes into the lists.
func (p *packed) pack() {
	if len(p.fresh) == 0 {
		return
	}
	if p.lists == nil {
		p.lists = map[uint64]string{}
	}
	keys := slices.SortedFunc(maps.Keys(p.fresh), noteKey.compare)
	for len(keys) > 0 {
		group := keys[0].group
		n := 1
		for n < len(keys) && keys[n].group == group {
			n++
		}
		p.lists[group] = p.merge(p.lists[group], keys[:n])
		keys = keys[n:]
	}
	p.fresh = nil // A map that is only cleared keeps its memory.
}

// merge returns a list with the fresh notes of some keys added, which are of one group and ascend.
func (p *packed) merge(list string, keys []noteKey) string {
	var w listWriter
	for ticket, n := range notes(list) {
		for len(keys) > 0 && comparePlaces(keys[0].ticket, ticket) < 0 {
			w.add(keys[0].ticket, p.fresh[keys[0]])
			keys = keys[1:]
		}
		if len(keys) > 0 && keys[0].ticket == ticket {
			continue // The fresh note replaces it.
		}
		w.add(ticket, n)
	}
	for _, key := range keys {
		w.add(key.ticket, p.fresh[key])
	}
	return w.list()
}

// A list is written in blocks of up to blockNotes notes on tickets of one volume. In front stand the
// number of blocks and their heads: where the block's first ticket is sold and where its bytes begin.
// A note is the distance to the ticket before it, but for the first of a block, and then a number whose
// two lowest bits say how to read it:
//
//	0  the value is that many hundreds, and the mark is usualMark
//	1  likewise, and a byte follows that is added to the value
//	2  the value follows as a number with a sign, and then the mark as a byte
const (
	blockNotes = 64
	headSize   = 2 + 8 + 4

	inHundreds = 0
	andRest    = 1
	inFull     = 2
	formBits   = 2
)

// listWriter writes a list.
type listWriter struct {
	heads, data []byte
	notes       int // in the last block
	last        record.Place
}

// add adds a note on a ticket behind the one before.
func (w *listWriter) add(ticket record.Place, n note) {
	if w.notes == 0 || w.notes == blockNotes || ticket.Volume != w.last.Volume {
		w.heads = binary.BigEndian.AppendUint16(w.heads, ticket.Volume)
		w.heads = binary.BigEndian.AppendUint64(w.heads, ticket.Seq)
		w.heads = binary.BigEndian.AppendUint32(w.heads, uint32(len(w.data)))
		w.notes = 0
	} else {
		w.data = binary.AppendUvarint(w.data, ticket.Seq-w.last.Seq)
	}
	w.notes++
	w.last = ticket
	switch hundreds, rest := uint64(n.value)/100, byte(n.value%100); {
	case n.mark != usualMark || n.value < 0:
		w.data = append(w.data, inFull)
		w.data = binary.AppendVarint(w.data, n.value)
		w.data = append(w.data, n.mark)
	case rest != 0:
		w.data = binary.AppendUvarint(w.data, hundreds<<formBits|andRest)
		w.data = append(w.data, rest)
	default:
		w.data = binary.AppendUvarint(w.data, hundreds<<formBits|inHundreds)
	}
}

// list returns what was written.
func (w *listWriter) list() string {
	var b strings.Builder
	count := binary.AppendUvarint(nil, uint64(len(w.heads)/headSize))
	b.Grow(len(count) + len(w.heads) + len(w.data))
	b.Write(count)
	b.Write(w.heads)
	b.Write(w.data)
	return b.String()
}

// listReader reads a list without a copy of it.
type listReader struct {
	heads, data string
}

func readList(list string) listReader {
	if list == "" {
		return listReader{}
	}
	blocks, list := uvarint(list)
	return listReader{list[:blocks*headSize], list[blocks*headSize:]}
}

// blocks returns how many blocks the list has.
func (r listReader) blocks() int { return len(r.heads) / headSize }

// first returns the first ticket of a block.
func (r listReader) first(block int) record.Place {
	head := r.heads[block*headSize:]
	return record.Place{Volume: uint16(number(head[:2])), Seq: number(head[2:10])}
}

// block goes through the notes of a block.
func (r listReader) block(block int) iter.Seq2[record.Place, note] {
	return func(yield func(record.Place, note) bool) {
		rest, ticket := r.data[r.start(block):r.start(block+1)], r.first(block)
		for {
			var n note
			if n, rest = readNote(rest); !yield(ticket, n) || rest == "" {
				return
			}
			var distance uint64
			distance, rest = uvarint(rest)
			ticket.Seq += distance
		}
	}
}

// start returns where the bytes of a block begin.
func (r listReader) start(block int) uint64 {
	if block == r.blocks() {
		return uint64(len(r.data))
	}
	return number(r.heads[block*headSize:][10:headSize])
}

// notes goes through the notes of a list, in the order of the tickets.
func notes(list string) iter.Seq2[record.Place, note] {
	return func(yield func(record.Place, note) bool) {
		r := readList(list)
		for block := range r.blocks() {
			for ticket, n := range r.block(block) {
				if !yield(ticket, n) {
					return
				}
			}
		}
	}
}

// findNote returns the note on a ticket in a list. It reads one block.
func findNote(list string, ticket record.Place) (note, bool) {
	r := readList(list)
	low, high := 0, r.blocks() // The block is the last one that begins at or before the ticket.
	for low < high {
		if middle := (low + high) / 2; comparePlaces(r.first(middle), ticket) <= 0 {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low == 0 {
		return note{}, false
	}
	for at, n := range r.block(low - 1) {
		switch comparePlaces(at, ticket) {
		case 0:
			return n, true
		case 1:
			return note{}, false
		}
	}
	return note{}, false
}

func readNote(rest string) (note, string) {
	v, rest := uvarint(rest)
	hundreds := int64(v>>formBits) * 100
	switch v & (1<<formBits - 1) {
	case inHundreds:
		return note{hundreds, usualMark}, rest
	case andRest:
		return note{hundreds + int64(rest[0]), usualMark}, rest[1:]
	}
	v, rest = uvarint(rest)
	value := int64(v >> 1)
	if v&1 != 0 {
		value = ^value
	}
	return note{value, rest[0]}, rest[1:]
}

// uvarint reads a number that binary.AppendUvarint wrote.
func uvarint(s string) (v uint64, rest string) {
	for i := range len(s) {
		v |= uint64(s[i]&0x7f) << (7 * i)
		if s[i] < 0x80 {
			return v, s[i+1:]
		}
	}
	return v, ""
}

// number reads a number of fixed length, the highest byte first.
func number(s string) (v uint64) {
	for i := range len(s) {
		v = v<<8 | uint64(s[i])
	}
	return v
}
