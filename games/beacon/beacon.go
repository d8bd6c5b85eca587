// Package beacon checks rounds of a public randomness beacon in the form of drand's quicknet: a group of independent
// parties signs the number of every round at a time that everybody knows before, and nobody can know or change a
// signature earlier (unchained; signatures on G1 with 48 bytes, the key on G2).
//
// [Chain] is what a house pins: the hash of the chain, its key, the time of round 1 and the seconds between two rounds.
// [Chain.RoundFor] says which round belongs to a game, and [Chain.CheckRound] whether a signature is that of a round.
// A draw of which a beacon is part is valid only if witnesses have cosigned its seal [Margin] before the round.
//
// The package sees no clock and no network. That fewer than a threshold of the parties work together, no code can show.
package beacon

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/cloudflare/circl/sign/bls"
)

// The sizes of a key and of a signature in bytes, compressed.
const (
	KeyBytes       = 96
	SignatureBytes = 48
)

const (
	second = 1000 // milliseconds

	// Delay is how long after the scheduled close of a game the time of its round is at least: the seal is made and
	// cosigned in between.
	Delay = 6 * second
	// Margin is how long before the time of the round the seal must be cosigned at the latest.
	Margin = 2 * second
	// Patience is how long a game waits for a round that does not exist before people may end it.
	Patience = 72 * 60 * 60 * second
	// LongestPeriod is the greatest number of seconds between two rounds: players wait for a round.
	LongestPeriod = 300
	// latest bounds times: the end of the year 9999, in seconds since 1970 UTC.
	latest = 253_402_300_799
)

// The errors of a round.
var (
	// ErrLength means that a signature has not the one form in which its hash counts.
	ErrLength = errors.New("a signature of a round has 48 bytes")
	// ErrSignature means that bytes are not the signature of a round.
	ErrSignature = errors.New("not the signature of this round")
)

// A Chain is the beacon that a house pins. The zero Chain is none.
type Chain struct {
	Hash    [sha256.Size]byte // by which relays know the chain
	Key     [KeyBytes]byte
	Genesis int64  // time of round 1, in seconds since 1970 UTC
	Period  uint32 // seconds from a round to the next
}

// Exists reports whether there is a beacon.
func (c Chain) Exists() bool { return c != Chain{} }

// Name returns the name of the chain: its hash in hexadecimal digits.
func (c Chain) Name() string { return hex.EncodeToString(c.Hash[:]) }

// String returns all that pins the chain, in one line: hash, key, genesis and period. By another genesis or period the
// same rounds would have other times.
func (c Chain) String() string {
	return fmt.Sprintf("%x,%x,%d,%d", c.Hash, c.Key, c.Genesis, c.Period)
}

// Parse reads a chain as String writes it.
func Parse(text string) (c Chain, err error) {
	parts := strings.Split(text, ",")
	if len(parts) != 4 {
		return Chain{}, fmt.Errorf("beacon: %q is not HASH,KEY,GENESIS,PERIOD", text)
	}
	for i, into := range [][]byte{c.Hash[:], c.Key[:]} {
		data, err := hex.DecodeString(parts[i])
		if err != nil || len(data) != len(into) {
			return Chain{}, fmt.Errorf("beacon: %q is not %d bytes in hexadecimal digits", parts[i], len(into))
		}
		copy(into, data)
	}
	period := uint64(0)
	if c.Genesis, err = strconv.ParseInt(parts[2], 10, 64); err == nil {
		period, err = strconv.ParseUint(parts[3], 10, 32)
	}
	if err != nil {
		return Chain{}, fmt.Errorf("beacon: genesis and period are seconds: %w", err)
	}
	c.Period = uint32(period)
	return c, c.Check()
}

// Check reports what is wrong with the chain, if anything.
func (c Chain) Check() error {
	switch {
	case c.Hash == [sha256.Size]byte{}:
		return errors.New("beacon: the chain has no hash")
	case c.Genesis < 1 || c.Genesis > latest:
		return fmt.Errorf("beacon: round 1 cannot have the time %d", c.Genesis)
	case c.Period < 1 || c.Period > LongestPeriod:
		return fmt.Errorf("beacon: rounds every %d seconds; 1 to %d are possible", c.Period, LongestPeriod)
	}
	_, err := c.key()
	return err
}

func (c Chain) key() (*bls.PublicKey[bls.KeyG2SigG1], error) {
	key := new(bls.PublicKey[bls.KeyG2SigG1])
	if err := key.UnmarshalBinary(c.Key[:]); err != nil || !key.Validate() {
		return nil, errors.New("beacon: the key is no point of G2 in its compressed form")
	}
	return key, nil
}

// RoundFor returns the round of a game that is meant to close at a time, in milliseconds since 1970 UTC: the first at
// or after [Delay] behind it.
func (c Chain) RoundFor(closes int64) (uint64, error) {
	if closes < 1 || closes > latest*second {
		return 0, fmt.Errorf("beacon: a game that closes at %d has no round", closes)
	}
	wait := closes + Delay - c.Genesis*second
	if wait < 0 {
		return 0, errors.New("beacon: the game closes before round 1")
	}
	period := int64(c.Period) * second
	return uint64((wait+period-1)/period) + 1, nil
}

// At returns the time of a round in milliseconds since 1970 UTC.
func (c Chain) At(round uint64) int64 {
	if round < 1 || round > math.MaxInt32 { // 68 years of rounds every second.
		return math.MaxInt64
	}
	return (c.Genesis + int64(round-1)*int64(c.Period)) * second
}

// Message returns what the parties sign for a round.
func Message(round uint64) []byte {
	digest := sha256.Sum256(binary.BigEndian.AppendUint64(nil, round))
	return digest[:]
}

// CheckRound reports why bytes are not the signature of a round, if they are not. A signature has another form of twice
// as many bytes, which is refused: another form is another hash.
func (c Chain) CheckRound(round uint64, signature []byte) error {
	if len(signature) != SignatureBytes {
		return fmt.Errorf("beacon: round %d: %d bytes: %w", round, len(signature), ErrLength)
	}
	key, err := c.key()
	if err != nil {
		return err
	}
	if round == 0 || !bls.Verify(key, Message(round), signature) {
		return fmt.Errorf("beacon: round %d of %s: %w", round, c.Name(), ErrSignature)
	}
	return nil
}

// Quicknet is the chain of the League of Entropy with a round every three seconds.
func Quicknet() Chain {
	c := Chain{Genesis: 1692803367, Period: 3}
	copy(c.Hash[:], unhex("52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"))
	copy(c.Key[:], unhex("83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c"+
		"8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb"+
		"5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"))
	return c
}

func unhex(text string) []byte {
	data, _ := hex.DecodeString(text)
	return data
}
