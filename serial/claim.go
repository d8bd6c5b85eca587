package serial

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"fmt"
	"io"
)

const claimSymbols = 16

// A ClaimCode is the secret printed on a ticket, without which its serial is
// worth nothing: 80 random bits. Only the terminal and the ticket have it; the
// journal has its hash. The zero ClaimCode is as improbable as any other and is
// no mark of absence.
//
// Whoever reads the journal can try codes against the hashes of all n unpaid
// winning tickets at once and needs about 2^80/n trials for the first hit: with
// ten thousand of them 2^67, hundreds of years of a fast graphics processor. A
// guess at a terminal is answered, counted and locked out.
type ClaimCode [10]byte

// A ClaimHash is the hash of a claim code as records hold it.
type ClaimHash [sha256.Size]byte

// NewClaimCode makes a claim code from ten bytes of entropy.
func NewClaimCode(entropy io.Reader) (ClaimCode, error) {
	var c ClaimCode
	if _, err := io.ReadFull(entropy, c[:]); err != nil {
		return ClaimCode{}, fmt.Errorf("serial: reading entropy for a claim code: %w", err)
	}
	return c, nil
}

// ParseClaimCode reads a claim code as people type it: case does not matter, O
// counts as 0, I and L count as 1, spaces and hyphens are passed over.
func ParseClaimCode(text string) (ClaimCode, error) {
	symbols, err := parseSymbols(text, claimSymbols, 0)
	if err != nil {
		return ClaimCode{}, fmt.Errorf("serial: claim code: %w", err)
	}
	var c ClaimCode
	var word [8]byte
	for half := range 2 {
		binary.BigEndian.PutUint64(word[:], getSymbols(symbols[8*half:8*half+8]))
		copy(c[5*half:5*half+5], word[3:])
	}
	return c, nil
}

// String returns the code in groups of four, such as 7ZQ0-M4KC-1XWD-E8TB. It is
// for the ticket; a log has no business with it.
func (c ClaimCode) String() string {
	var symbols [claimSymbols]byte
	var word [8]byte
	for half := range 2 {
		copy(word[3:], c[5*half:5*half+5])
		putSymbols(symbols[8*half:8*half+8], binary.BigEndian.Uint64(word[:]))
	}
	return group(spell(symbols[:]), "-")
}

// claimDomain keeps the hash of a claim code apart from every other hash.
const claimDomain = "drawhouse/claim-code/v1\n"

// Hash returns the hash by which records know the code.
func (c ClaimCode) Hash() ClaimHash {
	return sha256.Sum256(append([]byte(claimDomain), c[:]...))
}

// Matches reports whether the code has this hash, in time that does not depend
// on how much of it fits.
func (h ClaimHash) Matches(c ClaimCode) bool {
	got := c.Hash()
	return subtle.ConstantTimeCompare(got[:], h[:]) == 1
}

// Equal reports whether two hashes are equal, in constant time.
func (h ClaimHash) Equal(other ClaimHash) bool {
	return subtle.ConstantTimeCompare(h[:], other[:]) == 1
}
