// Package beacontest is a public beacon for tests: it has a key of its own, signs real rounds, and answers as a relay
// does.
package beacontest

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"sync/atomic"

	"github.com/cloudflare/circl/ecc/bls12381"
	"github.com/cloudflare/circl/sign/bls"

	"drawhouse/games/beacon"
	"drawhouse/journal/record"
)

// A Beacon signs rounds.
type Beacon struct {
	beacon.Chain
	key *bls.PrivateKey[bls.KeyG2SigG1]
	// Away says that the relay has no round, and Asked counts how often it was asked.
	Away  atomic.Bool
	Asked atomic.Uint64
}

// New returns a beacon of which round 1 was at a time in seconds since 1970 UTC.
func New(genesis int64, period uint32) *Beacon {
	key, err := bls.KeyGen[bls.KeyG2SigG1]([]byte("a beacon for tests that signs rounds"), nil, nil)
	if err != nil {
		panic(err)
	}
	public, err := key.PublicKey().MarshalBinary()
	if err != nil {
		panic(err)
	}
	b := &Beacon{Chain: beacon.Chain{Hash: [32]byte{0xbe, 0xac}, Genesis: genesis, Period: period}, key: key}
	copy(b.Key[:], public)
	return b
}

// Sign returns the signature of a round.
func (b *Beacon) Sign(round uint64) []byte { return bls.Sign(b.key, beacon.Message(round)) }

// Long returns the other form of a signature, of 96 bytes, which says the same point.
func Long(signature []byte) []byte {
	var point bls12381.G1
	if err := point.SetBytes(signature); err != nil {
		panic(err)
	}
	return point.Bytes()
}

// Chosen returns the record that chooses the beacon for a series; the caller adds the first day.
func (b *Beacon) Chosen(series uint8) record.BeaconChosen {
	return record.BeaconChosen{Series: series, Chain: b.Hash, Key: b.Key[:], Genesis: record.Time(b.Genesis * 1000),
		Period: b.Period}
}

// ServeHTTP answers as a relay.
func (b *Beacon) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.Asked.Add(1)
	var round uint64
	if _, err := fmt.Sscanf(r.URL.Path, "/"+b.Name()+"/public/%d", &round); err != nil || round == 0 || b.Away.Load() {
		http.NotFound(w, r)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"round": round, "signature": hex.EncodeToString(b.Sign(round))})
}
