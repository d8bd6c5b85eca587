package verify

import (
	"math/bits"

	"drawhouse/journal"
)

// growth is a log that proves how it grew since a mark. It is written from RFC 6962, section 2.1.2, and keeps
// the log in pieces: complete subtrees of which none holds records from both sides of the mark, joined as far
// as that lets them be. So there are a few for each bit of the size. TestGrowthAgreesWithTlog compares it with tlog.
type growth struct {
	size, mark uint64
	pieces     []piece
}

// A piece is the root of the records from one to before another.
type piece struct {
	from, to uint64
	root     hash
}

// growthOf begins with a log as it stands, and with no mark.
func growthOf(log *merkle) growth {
	g := growth{size: log.size}
	from := uint64(0)
	for i, left := 0, log.size; left > 0; i++ {
		width := uint64(1) << (bits.Len64(left) - 1)
		g.pieces = append(g.pieces, piece{from, from + width, log.peaks[i]})
		from, left = from+width, left-width
	}
	return g
}

// add appends a leaf and joins what may be joined: two neighbours of one width that begin where a subtree of twice the
// width does.
func (g *growth) add(leaf hash) {
	g.pieces = append(g.pieces, piece{g.size, g.size + 1, leaf})
	g.size++
	g.settle()
}

// settle joins pieces at the end of the log.
func (g *growth) settle() {
	for n := len(g.pieces); n > 1; n = len(g.pieces) {
		a, b := g.pieces[n-2], g.pieces[n-1]
		width := b.to - b.from
		if a.to-a.from != width || a.from%(2*width) != 0 || a.from < g.mark && g.mark < b.to {
			return
		}
		g.pieces = append(g.pieces[:n-2], piece{a.from, b.to, join(a.root, b.root)})
	}
}

// setMark makes the present size the one from which the log proves its growth.
func (g *growth) setMark() {
	all := g.pieces
	g.mark, g.pieces = g.size, nil
	for from, left := uint64(0), g.size; left > 0; {
		width := uint64(1) << (bits.Len64(left) - 1)
		g.pieces = append(g.pieces, piece{from, from + width, rangeRoot(all, from, from+width)})
		from, left = from+width, left-width
	}
}

// root returns the root of the log.
func (g *growth) root() hash {
	if g.size == 0 {
		return new(merkle).root()
	}
	return rangeRoot(g.pieces, 0, g.size)
}

// proof proves that the log begins with what it was at the mark. Of nothing, and of all, the proof is empty.
func (g *growth) proof() []journal.Hash {
	if g.mark == 0 {
		return nil
	}
	return g.prove(0, g.size, true)
}

// prove is SUBPROOF of RFC 6962 for the records from one to before another, which hold the mark; whole says that what
// stands left of the mark there is all that stood at the mark, so that its root is known.
func (g *growth) prove(from, to uint64, whole bool) []journal.Hash {
	if g.mark == to {
		if whole {
			return nil
		}
		return []journal.Hash{journal.Hash(rangeRoot(g.pieces, from, to))}
	}
	middle := from + half(to-from)
	if g.mark <= middle {
		return append(g.prove(from, middle, whole), journal.Hash(rangeRoot(g.pieces, middle, to)))
	}
	return append(g.prove(middle, to, false), journal.Hash(rangeRoot(g.pieces, from, middle)))
}

// half returns the greatest power of two below a number, which is 2 at least.
func half(n uint64) uint64 { return 1 << (bits.Len64(n-1) - 1) }

// rangeRoot returns the root of records that pieces cover: the one piece, or the two parts joined.
func rangeRoot(pieces []piece, from, to uint64) hash {
	for _, p := range pieces {
		if p.from == from && p.to == to {
			return p.root
		}
	}
	middle := from + half(to-from)
	return join(rangeRoot(pieces, from, middle), rangeRoot(pieces, middle, to))
}
