package verify

import (
	"crypto/sha256"
	"math/bits"
)

// merkle computes the root of RFC 6962, section 2.1, over leaves that come one
// at a time. It is written from that section and shares nothing with the tree
// that the house appends to; TestMerkleAgreesWithTlog compares it with tlog.
type merkle struct {
	size uint64
	// peaks are the roots of the complete subtrees that the leaves so far fall
	// into, the largest first: one for each bit of size.
	peaks []hash
	leaf  []byte // the leaf with its prefix, reused
	last  hash   // of the newest leaf
}

type hash = [sha256.Size]byte

// add appends a leaf. A subtree that becomes as large as its left neighbour is
// joined to it; the ones at the end of size in binary say how often.
func (m *merkle) add(leaf []byte) {
	m.leaf = append(append(m.leaf[:0], 0), leaf...)
	h := sha256.Sum256(m.leaf)
	m.last = h
	for range bits.TrailingZeros64(^m.size) {
		last := len(m.peaks) - 1
		h = join(m.peaks[last], h)
		m.peaks = m.peaks[:last]
	}
	m.peaks = append(m.peaks, h)
	m.size++
}

// root returns the root over all leaves: the complete subtrees joined from the
// smallest up.
func (m *merkle) root() hash {
	if m.size == 0 {
		return sha256.Sum256(nil)
	}
	h := m.peaks[len(m.peaks)-1]
	for i := len(m.peaks) - 2; i >= 0; i-- {
		h = join(m.peaks[i], h)
	}
	return h
}

func join(left, right hash) hash {
	var node [1 + 2*sha256.Size]byte
	node[0] = 1
	copy(node[1:], left[:])
	copy(node[1+sha256.Size:], right[:])
	return sha256.Sum256(node[:])
}
