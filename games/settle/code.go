package settle

import (
	"math/bits"

	"drawhouse/games/keno"
)

// code is a way on calls or on a race, as bits: what it calls in each game, or
// the row that it names for each place.
type code uint32

const (
	codeBits = 32
	// A call takes two bits. The call for a game stands at the game's ordinal
	// modulo callSlots, so that ways of tickets which began in different games
	// have their calls for one game in the same place. A series has at most so
	// many games, and a single call stands in every slot.
	callBits  = 2
	callSlots = codeBits / callBits
	// A row takes four bits, and place n is the n-th row.
	rowBits = codeBits / keno.MaxPlaces
	maxRow  = 1<<rowBits - 1
)

// slot returns where the call for a game stands.
func slot(ordinal uint32) int { return callBits * int(ordinal%callSlots) }

// callCode returns the code of calls, one for every game from the first on or one
// for each.
func callCode(calls []keno.Call, first uint32) (c code) {
	for k := range callSlots {
		switch {
		case len(calls) == 1:
			c |= code(calls[0]) << (callBits * k)
		case k < len(calls):
			c |= code(calls[k]) << slot(first+uint32(k))
		}
	}
	return c
}

// call returns the call for a game.
func (c code) call(ordinal uint32) keno.Call {
	return keno.Call(c >> slot(ordinal) & (1<<callBits - 1))
}

// rowCode returns the code of the rows of a combination.
func rowCode(rows [keno.MaxPlaces]keno.Row) (c code) {
	for i, row := range rows {
		c |= code(row) << (rowBits * i)
	}
	return c
}

// codes is a column of ways on calls or on a race: plane n has bit n of each
// way's code. It takes 640 bytes, 10 a way.
type codes struct {
	planes [codeBits]lanes
	stake  [64]uint32 // cents
	ticket [64]uint16 // index in the page
}

// put writes way i, whose bits must be clear.
func (c *codes) put(i int, way code, stake uint32, ticket uint16) {
	for rest := uint32(way); rest != 0; rest &= rest - 1 {
		c.planes[bits.TrailingZeros32(rest)] |= 1 << i
	}
	c.stake[i], c.ticket[i] = stake, ticket
}

// take returns the codes of the ways in keep and clears the column.
func (c *codes) take(keep lanes) (ways [64]code) {
	for i, plane := range c.planes {
		for rest := plane & keep; rest != 0; rest &= rest - 1 {
			ways[bits.TrailingZeros64(rest)] |= 1 << i
		}
	}
	clear(c.planes[:])
	return ways
}

// calling returns the ways that make a call for a game.
func (c *codes) calling(call keno.Call, ordinal uint32) lanes {
	at := slot(ordinal)
	return same(c.planes[at], int(call)) & same(c.planes[at+1], int(call)>>1)
}

// naming returns the ways that name one of some rows for place i, counted from 0.
func (c *codes) naming(i int, rows rowSet) (named lanes) {
	planes := c.planes[rowBits*i:][:rowBits]
	for ; rows != 0; rows &= rows - 1 {
		row := bits.TrailingZeros16(uint16(rows))
		named |= same(planes[0], row) & same(planes[1], row>>1) & same(planes[2], row>>2) & same(planes[3], row>>3)
	}
	return named
}
