package verify

import (
	"iter"
	"sort"
)

// openTickets are the tickets of a series with a game to come or to be settled, by
// place. There can be millions, and they are gone through several times a game, so
// they lie in slabs: none is copied to make room for another, and all slabs but the
// last are full.
type openTickets struct {
	slabs [][]ticket
}

// slabTickets is how many tickets a slab holds. The first slab of all grows up to it,
// for a small journal has few.
const slabTickets = 1 << 12

// add appends a ticket, whose place is behind that of all others.
func (o *openTickets) add(t ticket) {
	last := len(o.slabs) - 1
	if last < 0 || len(o.slabs[last]) == slabTickets {
		var slab []ticket
		if last >= 0 {
			slab = make([]ticket, 0, slabTickets)
		}
		o.slabs = append(o.slabs, slab)
		last++
	}
	o.slabs[last] = append(o.slabs[last], t)
}

// all goes through the tickets in their order. They may be changed, and stay where
// they are until one is added or some are dropped.
func (o *openTickets) all() iter.Seq[*ticket] {
	return func(yield func(*ticket) bool) {
		for _, slab := range o.slabs {
			for i := range slab {
				if !yield(&slab[i]) {
					return
				}
			}
		}
	}
}

// at returns the ticket of that place, or nil.
func (o *openTickets) at(seq uint64) *ticket {
	n := sort.Search(len(o.slabs), func(i int) bool { return o.slabs[i][len(o.slabs[i])-1].seq >= seq })
	if n == len(o.slabs) {
		return nil
	}
	slab := o.slabs[n]
	i := sort.Search(len(slab), func(i int) bool { return slab[i].seq >= seq })
	if slab[i].seq != seq {
		return nil
	}
	return &slab[i]
}

// dropSettled forgets the tickets without a game after the one of that ordinal. The
// others move up. What they leave behind is cleared, so that it keeps no bets alive.
func (o *openTickets) dropSettled(ordinal uint32) {
	to, at, moved := 0, 0, false // where the next ticket that stays goes
	for _, slab := range o.slabs {
		for i := range slab {
			if slab[i].last <= ordinal {
				moved = true
				continue
			}
			if moved {
				o.slabs[to][at] = slab[i]
			}
			if at++; at == slabTickets {
				to, at = to+1, 0
			}
		}
	}
	if !moved {
		return
	}
	kept := to
	if at > 0 {
		clear(o.slabs[to][at:])
		o.slabs[to] = o.slabs[to][:at]
		kept++
	}
	clear(o.slabs[kept:])
	o.slabs = o.slabs[:kept]
}
