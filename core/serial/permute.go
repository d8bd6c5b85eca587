package serial

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"math/bits"
	"sync"
)

// rounds is the number of Feistel rounds. Ten is what NIST's FF1 takes for
// domains of this size.
const rounds = 10

// A permutation is a keyed permutation of the numbers below a domain: a
// balanced Feistel network on the next even number of bits, walked until the
// result is in the domain. As the domains used here fill nine tenths of their
// bits, one step nearly always does.
type permutation struct {
	block  cipher.Block
	domain uint64
	half   uint   // bits of one half
	mask   uint64 // of one half
}

func newPermutation(key [32]byte, domain uint64) (permutation, error) {
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return permutation{}, err
	}
	half := uint(bits.Len64(domain-1)+1) / 2
	return permutation{block: block, domain: domain, half: half, mask: 1<<half - 1}, nil
}

// forward maps a number of the domain.
func (p *permutation) forward(x uint64) uint64 {
	w := workspaces.Get().(*workspace) //nolint:errcheck // The pool holds nothing else.
	defer workspaces.Put(w)
	for {
		left, right := x>>p.half, x&p.mask
		for round := range rounds {
			left, right = right, left^p.mix(w, round, right)
		}
		if x = left<<p.half | right; x < p.domain {
			return x
		}
	}
}

// backward is the inverse of forward.
func (p *permutation) backward(x uint64) uint64 {
	w := workspaces.Get().(*workspace) //nolint:errcheck // The pool holds nothing else.
	defer workspaces.Put(w)
	for {
		left, right := x>>p.half, x&p.mask
		for round := rounds - 1; round >= 0; round-- {
			left, right = right^p.mix(w, round, left), left
		}
		if x = left<<p.half | right; x < p.domain {
			return x
		}
	}
}

// mix is the round function: the round and a half, encrypted and cut to a half.
func (p *permutation) mix(w *workspace, round int, half uint64) uint64 {
	binary.BigEndian.PutUint64(w.in[:8], uint64(round))
	binary.BigEndian.PutUint64(w.in[8:], half)
	p.block.Encrypt(w.out[:], w.in[:])
	return binary.BigEndian.Uint64(w.out[:8]) & p.mask
}

// A workspace holds a block before and after encryption. What is passed to a
// cipher.Block lives on the heap; workspaces are used again, so that a serial
// costs no allocation.
type workspace struct{ in, out [aes.BlockSize]byte }

var workspaces = sync.Pool{New: func() any { return new(workspace) }}
