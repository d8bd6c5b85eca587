package record

import (
	"errors"
	"fmt"

	"drawhouse/core/day"
)

// BeaconChosen says of which public beacon a round is part of every witnessed draw from a Keno Day on that had not
// opened, alone or beside the links of custodians. Without a key there is no beacon from that day on.
type BeaconChosen struct {
	_       struct{} `cbor:",toarray"`
	Series  uint8    `is:"series"`
	From    day.Day  `is:"day"`   // first Keno Day on which the beacon is part of draws
	Chain   Hash     `is:"chain"` // hash by which relays know the chain of the beacon
	Key     []byte   `most:"96"`  // public key of the beacon, a compressed point of G2
	Genesis Time     // time of round 1
	Period  uint32   `most:"300"` // seconds from a round to the next
}

func (b *BeaconChosen) check() error {
	if b.From == day.None {
		return errors.New("a beacon without a first day")
	}
	if len(b.Key) == 0 {
		if b.Chain != (Hash{}) || b.Genesis != 0 || b.Period != 0 {
			return errors.New("a beacon without a key")
		}
		return nil
	}
	if b.Chain == (Hash{}) || len(b.Key) != beaconKey || b.Genesis <= 0 || b.Genesis%second != 0 || b.Period == 0 {
		return fmt.Errorf("a beacon with a key of %d bytes, round 1 at %d and rounds every %d seconds", len(b.Key), b.Genesis,
			b.Period)
	}
	return nil
}

// The sizes of a beacon, and the milliseconds of a second.
const (
	beaconKey       = 96
	beaconSignature = 48
	second          = 1000
)

// RoundGiven is the round of the beacon for a game, after its seal was cosigned in time. A round proves itself, so that
// anybody may bring it. Checkpoint shows that the cosignatures of the public log above the seal are of a time when
// nobody could know the round.
type RoundGiven struct {
	_          struct{} `cbor:",toarray"`
	Game       Game
	Round      uint64 // number of the round, which the opening of the game states
	Signature  []byte `most:"48"`       // signature of the round, a compressed point of G1
	Checkpoint []byte `is:"checkpoint"` // checkpoint of the public log that was cosigned in time
}

func (r *RoundGiven) check() error {
	if r.Round == 0 || len(r.Signature) != beaconSignature {
		return fmt.Errorf("round %d with a signature of %d bytes", r.Round, len(r.Signature))
	}
	return nil
}
