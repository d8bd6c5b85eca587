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
// The hash is bound to the request that bought the ticket, so anybody who reads the
// journal must search 2^80 codes for each ticket anew and cannot try one code
// against all unpaid winners at once. A guess at a terminal is answered, and after
// a few wrong ones nothing is for a while (package api).
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
const claimDomain = "drawhouse/claim-code/v2\n"

// A ClaimOpening is what a payment shows of the claim code: the journal then proves
// that the code was presented, and does not tell it.
type ClaimOpening [sha256.Size]byte

// Opening returns the opening of the code in a sale. Terminal and request name
// the sale, see package record: the terminal knows both before the ticket has a
// place.
func (c ClaimCode) Opening(terminal uint32, request uint64) ClaimOpening {
	text := make([]byte, 0, len(claimDomain)+12+len(c))
	text = append(text, claimDomain...)
	text = binary.BigEndian.AppendUint32(text, terminal)
	text = binary.BigEndian.AppendUint64(text, request)
	return sha256.Sum256(append(text, c[:]...))
}

// Hash returns the hash by which the record of a ticket knows the code: that of its
// opening.
func (c ClaimCode) Hash(terminal uint32, request uint64) ClaimHash {
	opening := c.Opening(terminal, request)
	return sha256.Sum256(opening[:])
}

// Matches reports whether the code has this hash in the given sale, in time that
// does not depend on how much of it fits.
func (h ClaimHash) Matches(c ClaimCode, terminal uint32, request uint64) bool {
	got := c.Hash(terminal, request)
	return subtle.ConstantTimeCompare(got[:], h[:]) == 1
}
