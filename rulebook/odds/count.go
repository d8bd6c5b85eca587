package odds

import (
	"math/big"
	"math/bits"
)

// count is a number of draws. No draw of at most [mostNumbers] numbers has more
// than C(90,45) outcomes, which is below 2^87, so that two words hold every
// count exactly and the tables of sums need no allocation for each entry.
type count struct{ hi, lo uint64 }

// plus returns c + d.
func (c count) plus(d count) count {
	lo, carry := bits.Add64(c.lo, d.lo, 0)
	hi, _ := bits.Add64(c.hi, d.hi, carry)
	return count{hi, lo}
}

// times returns c x d for factors whose product is itself a number of draws.
func (c count) times(d count) count {
	hi, lo := bits.Mul64(c.lo, d.lo)
	return count{hi + c.hi*d.lo + c.lo*d.hi, lo}
}

func (c count) isZero() bool { return c == count{} }

// big returns the count as an integer of the caller's own.
func (c count) big() *big.Int {
	n := new(big.Int).SetUint64(c.hi)
	n.Lsh(n, 64)
	return n.Or(n, new(big.Int).SetUint64(c.lo))
}
