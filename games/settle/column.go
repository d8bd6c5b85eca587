package settle

import (
	"math/bits"

	"drawhouse/core/ball"
)

// lanes is a set of the 64 ways of a column.
type lanes = uint64

// column holds up to 64 ways of one row, turned on their side: plane n-1 has one
// bit a way, set if the way has number n. To count how many of the 20 drawn
// numbers each way has, the pass adds up the planes of those numbers for all 64
// ways at once, see count; that is a few instructions a way.
//
// A column takes 1,024 bytes, 16 a way, and has no pointers, so that the garbage
// collector does not look into it.
type column struct {
	planes [ball.Keno]lanes
	stake  [64]uint32 // cents
	ticket [64]uint16 // index in the page
}

// spots are the numbers of one way, as ball.Set.Bits gives them.
type spots struct{ lo, hi uint64 }

// put writes way i, whose bits must be clear.
func (c *column) put(i int, s spots, stake uint32, ticket uint16) {
	for rest := s.lo; rest != 0; rest &= rest - 1 {
		c.planes[bits.TrailingZeros64(rest)-1] |= 1 << i
	}
	for rest := s.hi; rest != 0; rest &= rest - 1 {
		c.planes[bits.TrailingZeros64(rest)+63] |= 1 << i
	}
	c.stake[i], c.ticket[i] = stake, ticket
}

// take returns the spots of the ways in keep and clears the column.
func (c *column) take(keep lanes) (ways [64]spots) {
	for i, plane := range c.planes {
		n := uint(i + 1)
		number := spots{1 << n, 1 << (n - 64)} // one of the two is zero
		for rest := plane & keep; rest != 0; rest &= rest - 1 {
			way := &ways[bits.TrailingZeros64(rest)]
			way.lo |= number.lo
			way.hi |= number.hi
		}
	}
	clear(c.planes[:])
	return ways
}

// drawn is how many numbers a game draws.
const drawn = 20

// tally holds a number below 32 for each of 64 ways: word k has bit k of each.
type tally [5]uint64

// equal returns the ways whose number is n.
func (t *tally) equal(n int) lanes {
	return same(t[0], n) & same(t[1], n>>1) & same(t[2], n>>2) & same(t[3], n>>3) & same(t[4], n>>4)
}

// same returns the ways whose bit in word is the lowest bit of n.
func same(word uint64, n int) lanes { return word ^ (uint64(n&1) - 1) }

// add3 adds three bits for each of 64 ways: their sum is s + 2c.
func add3(x, y, z lanes) (s, c lanes) {
	u := x ^ y
	return u ^ z, x&y | u&z
}

// add2 adds two bits for each of 64 ways: their sum is s + 2c.
func add2(x, y lanes) (s, c lanes) { return x ^ y, x & y }

// count returns how many of the drawn numbers each way has; d are the planes of
// those numbers. It is a tree of adders: ones add up to ones and twos, twos to
// twos and fours, and so on, and every adder works on all 64 ways.
func (c *column) count(d *[drawn]uint8) tally {
	p := &c.planes
	// Twenty ones leave one, and ten twos.
	a0, t0 := add3(p[d[0]], p[d[1]], p[d[2]])
	a1, t1 := add3(p[d[3]], p[d[4]], p[d[5]])
	a2, t2 := add3(p[d[6]], p[d[7]], p[d[8]])
	a3, t3 := add3(p[d[9]], p[d[10]], p[d[11]])
	a4, t4 := add3(p[d[12]], p[d[13]], p[d[14]])
	a5, t5 := add3(p[d[15]], p[d[16]], p[d[17]])
	a0, t6 := add3(a0, a1, a2)
	a3, t7 := add3(a3, a4, a5)
	a0, t8 := add3(a0, a3, p[d[18]])
	ones, t9 := add2(a0, p[d[19]])
	// Ten twos leave one, and five fours.
	b0, f0 := add3(t0, t1, t2)
	b1, f1 := add3(t3, t4, t5)
	b2, f2 := add3(t6, t7, t8)
	b0, f3 := add3(b0, b1, b2)
	twos, f4 := add2(b0, t9)
	// Five fours leave one, and two eights.
	c0, e0 := add3(f0, f1, f2)
	fours, e1 := add3(c0, f3, f4)
	eights, sixteens := add2(e0, e1)
	return tally{ones, twos, fours, eights, sixteens}
}
