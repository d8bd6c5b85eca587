package settle

import (
	"fmt"
	"math"
	"math/bits"

	"drawhouse/journal/record"
)

const (
	maxSeq = 1<<48 - 1
	// pageTickets is how many tickets a page holds. A page and what the pass keeps
	// of it fit the processor's cache.
	pageTickets = 4096
)

// page holds tickets that follow each other, and their ways in columns of one row
// each, which is what lets a catch be looked for in 64 ways at once. Within a page
// the pass jumps between tickets; pages and columns it reads in order.
type page struct {
	n      int
	base   uint64              // place of the first ticket, see placeKey
	offset [pageTickets]uint32 // of the others, from it
	first  [pageTickets]uint32 // game
	more   [pageTickets]uint16 // games after the first
	// spans[k] are the games that all of the 64 tickets from 64k on play.
	spans   [pageTickets / 64]span
	columns []filled
	codes   []filledCodes
	// filling says by the index of the row which column, or column of codes, is
	// not full, counted from 1; 0 if there is none.
	filling []int
}

// span is games from one to another, both included.
type span struct{ first, last uint32 }

// filled is a column with ways.
type filled struct {
	*column
	side      *side // nil: none of the ways has features
	numbering *numbering
	row, n    int32
}

// filledCodes is a column of codes with ways.
type filledCodes struct {
	*codes
	side   *side // nil: none of the ways has features
	row, n int32
}

// upTo returns the first n ways of a column.
func upTo(n int) lanes { return ^lanes(0) >> (64 - n) }

// entry is a way as a page takes it.
type entry struct {
	spots         // of a bet on numbers
	code   code   // of others
	stake  uint32 // cents
	ticket uint16 // index in the page
	way    uint32 // index on the ticket, where that may be asked for
	with   extras // features
}

// placeKey returns a place as one number of the same order.
func placeKey(p record.Place) (uint64, error) {
	if p.Volume == 0 || p.Seq > maxSeq {
		return 0, fmt.Errorf("settle: place %v is none of a ticket", p)
	}
	return uint64(p.Volume)<<48 | p.Seq, nil
}

// placeOf is the inverse of placeKey.
func placeOf(key uint64) record.Place {
	return record.Place{Volume: uint16(key >> 48), Seq: key & maxSeq}
}

// place returns the key of the place of a ticket.
func (p *page) place(ticket int) uint64 { return p.base + uint64(p.offset[ticket]) }

// last returns the last game of a ticket.
func (p *page) last(ticket int) uint32 { return p.first[ticket] + uint32(p.more[ticket]) }

// hasRoom reports whether so many tickets fit, the last of them at a place.
func (p *page) hasRoom(tickets int, last uint64) bool {
	return p.n == 0 || p.n+tickets <= pageTickets && last-p.base <= math.MaxUint32
}

// addTicket appends a ticket to a page that has room for it and returns its
// index.
func (p *page) addTicket(place uint64, first uint32, more uint16) uint16 {
	i := p.n
	if i == 0 {
		p.base = place
	}
	p.offset[i], p.first[i], p.more[i] = uint32(place-p.base), first, more
	all, last := &p.spans[i/64], first+uint32(more)
	if i%64 == 0 {
		*all = span{first, last}
	}
	*all = span{max(all.first, first), min(all.last, last)}
	p.n++
	return uint16(i)
}

// addWay appends a way of a ticket.
func (p *page) addWay(row int, e *entry, spare *columns) {
	for len(p.filling) <= row {
		p.filling = append(p.filling, 0)
	}
	if p.filling[row] == 0 {
		p.columns = append(p.columns, filled{column: spare.takeColumn(), row: int32(row)})
		p.filling[row] = len(p.columns)
	}
	c := &p.columns[p.filling[row]-1]
	c.put(int(c.n), e.spots, e.stake, e.ticket)
	c.side = c.side.put(int(c.n), e.with)
	c.numbering = c.numbering.put(int(c.n), e.way)
	if c.n++; c.n == 64 {
		p.filling[row] = 0
	}
}

// addCode appends a way of a ticket that is a code.
func (p *page) addCode(row int, e *entry, spare *columns) {
	for len(p.filling) <= row {
		p.filling = append(p.filling, 0)
	}
	if p.filling[row] == 0 {
		p.codes = append(p.codes, filledCodes{codes: spare.takeCodes(), row: int32(row)})
		p.filling[row] = len(p.codes)
	}
	c := &p.codes[p.filling[row]-1]
	c.put(int(c.n), e.code, e.stake, e.ticket)
	c.side = c.side.put(int(c.n), e.with)
	if c.n++; c.n == 64 {
		p.filling[row] = 0
	}
}

// members is a set of the tickets of a page. Bits of tickets that the page does
// not have mean nothing.
type members [pageTickets / 64]uint64

// playing returns the tickets that are in a game.
func (p *page) playing(ordinal uint32) (in members) {
	for k := range (p.n + 63) / 64 {
		if all := p.spans[k]; all.first <= ordinal && ordinal <= all.last {
			in[k] = ^uint64(0)
			continue
		}
		first, more := (*[64]uint32)(p.first[k*64:]), (*[64]uint16)(p.more[k*64:])
		// As in plays, but without a branch: who plays on is not for the processor
		// to guess. The difference borrows, and has its highest bit set, if the
		// game is none of the ticket's.
		var out uint64
		for i := range 64 {
			borrow := uint64(more[i]) - uint64(ordinal-first[i])
			out = out>>1 | borrow&(1<<63)
		}
		in[k] = ^out
	}
	return in
}

// plays reports whether ticket i is in a game. The difference wraps around for
// games before the first, and is then large.
func (p *page) plays(i int, ordinal uint32) bool {
	return ordinal-p.first[i] <= uint32(p.more[i])
}

func (m *members) has(i uint16) bool { return m[i/64]>>(i%64)&1 != 0 }

func (m *members) add(i uint16) { m[i/64] |= 1 << (i % 64) }

// live returns how many tickets of the page play after a game.
func (p *page) live(dropped uint32) int {
	n := 0
	for i := range p.n {
		if p.last(i) > dropped {
			n++
		}
	}
	return n
}

// moveTo appends the tickets that play after a game to another page, which has
// room for them, and leaves nothing behind. It returns how many ways are gone.
func (p *page) moveTo(to *page, dropped uint32, spare *columns) (gone uint64) {
	var moved [pageTickets]uint16
	for i := range p.n {
		if p.last(i) > dropped {
			moved[i] = to.addTicket(p.place(i), p.first[i], p.more[i])
		}
	}
	for i := range p.columns {
		c := &p.columns[i]
		keep := p.keep(c.ticket[:c.n], dropped)
		ways := c.take(keep)
		for lanes := keep; lanes != 0; lanes &= lanes - 1 {
			k := bits.TrailingZeros64(lanes)
			to.addWay(int(c.row), &entry{
				spots: ways[k], stake: c.stake[k], ticket: moved[c.ticket[k]], with: c.side.take(k),
				way: uint32(c.numbering.of(k)),
			}, spare)
		}
		gone += uint64(int(c.n) - bits.OnesCount64(keep))
		spare.columns = append(spare.columns, c.column)
	}
	for i := range p.codes {
		c := &p.codes[i]
		keep := p.keep(c.ticket[:c.n], dropped)
		ways := c.take(keep)
		for lanes := keep; lanes != 0; lanes &= lanes - 1 {
			k := bits.TrailingZeros64(lanes)
			to.addCode(int(c.row), &entry{code: ways[k], stake: c.stake[k], ticket: moved[c.ticket[k]],
				with: c.side.take(k)}, spare)
		}
		gone += uint64(int(c.n) - bits.OnesCount64(keep))
		spare.codes = append(spare.codes, c.codes)
	}
	return gone
}

// keep returns the ways of a column whose tickets play after a game.
func (p *page) keep(tickets []uint16, dropped uint32) (keep lanes) {
	for i, ticket := range tickets {
		if p.last(int(ticket)) > dropped {
			keep |= 1 << i
		}
	}
	return keep
}

// columns are columns without ways, kept for use.
type columns struct {
	columns []*column
	codes   []*codes
}

func (cs *columns) takeColumn() *column {
	last := len(cs.columns) - 1
	if last < 0 {
		return new(column)
	}
	c := cs.columns[last]
	cs.columns = cs.columns[:last]
	return c
}

func (cs *columns) takeCodes() *codes {
	last := len(cs.codes) - 1
	if last < 0 {
		return new(codes)
	}
	c := cs.codes[last]
	cs.codes = cs.codes[:last]
	return c
}
