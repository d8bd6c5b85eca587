package draw

import (
	"errors"
	"fmt"
	"io"

	"drawhouse/journal"
)

// A secret of 32 bytes is shared among escrowHolders so that any two of them can
// rebuild it and one alone knows nothing: Shamir's scheme with a line over
// GF(2^8), byte by byte. The field is that of AES, modulo x^8+x^4+x^3+x+1, and the
// scheme that of draft-mcgrew-tss-03, whose vector TestPublishedShares has.
const escrowHolders = 3

// fieldMul returns the product of two elements of GF(2^8). Its time depends on
// them, which does no harm: shares are dealt where nobody measures, and joined when
// the secret is to become known.
func fieldMul(a, b byte) (product byte) {
	for ; b != 0; b >>= 1 {
		if b&1 != 0 {
			product ^= a
		}
		carry := a & 0x80
		a <<= 1
		if carry != 0 {
			a ^= 0x1b
		}
	}
	return product
}

// fieldInverse returns the element whose product with a is 1: a^254. Zero has
// none, and gives zero.
func fieldInverse(a byte) byte {
	inverse := byte(1)
	for range 254 {
		inverse = fieldMul(inverse, a)
	}
	return inverse
}

// linePoint returns the value at x of the line that has the given slope and the
// secret at 0.
func linePoint(secret, slope, x byte) byte { return secret ^ fieldMul(slope, x) }

// lineAtZero returns the value at 0 of the line through two points, by Lagrange's
// formula. Their places must differ, and neither may be 0.
func lineAtZero(x1, y1, x2, y2 byte) byte {
	scale := fieldInverse(x1 ^ x2)
	return fieldMul(y1, fieldMul(x2, scale)) ^ fieldMul(y2, fieldMul(x1, scale))
}

// splitSecret returns the values at 1, 2 and 3 of random lines that have the
// bytes of the secret at 0. Entropy gives the slopes, of which each must be as
// likely as any other, zero included, or a share would tell something.
func splitSecret(entropy io.Reader, secret journal.Hash) (values [escrowHolders]journal.Hash, err error) {
	var slopes journal.Hash
	if _, err := io.ReadFull(entropy, slopes[:]); err != nil {
		return values, fmt.Errorf("draw: reading entropy: %w", err)
	}
	for holder := range values {
		for i := range secret {
			values[holder][i] = linePoint(secret[i], slopes[i], byte(holder+1))
		}
	}
	return values, nil
}

// joinShares returns the secret of two shares by the numbers of their holders,
// counted from 1.
func joinShares(holder1 int, value1 journal.Hash, holder2 int, value2 journal.Hash) (secret journal.Hash, err error) {
	for _, holder := range []int{holder1, holder2} {
		if holder < 1 || holder > escrowHolders {
			return secret, fmt.Errorf("draw: there is no holder %d of a share", holder)
		}
	}
	if holder1 == holder2 {
		return secret, errors.New("draw: a secret takes the shares of two holders, and both are of one")
	}
	for i := range secret {
		secret[i] = lineAtZero(byte(holder1), value1[i], byte(holder2), value2[i])
	}
	return secret, nil
}
