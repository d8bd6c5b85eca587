package record

import (
	"errors"
	"fmt"

	"drawhouse/journal"
)

// VolumeReason says why a volume begins.
type VolumeReason string

// The reasons.
const (
	ReasonFound   VolumeReason = "found"   // the house is new
	ReasonYear    VolumeReason = "year"    // the volume before has had its year
	ReasonKeys    VolumeReason = "keys"    // a key is another one from here on
	ReasonRestore VolumeReason = "restore" // the journal was restored from a copy, which may lack its end
)

// VolumeBegun is the first record of a volume: who writes it, with which keys,
// and what it follows.
//
// A volume that follows another (Reason is not found) states where that one
// ended. Previous is its last checkpoint, signed with its house key, over all
// records that it has; State is the hash of the state that they add up to, in the
// form StateForm of package state, and so what the volume opens with. Abandoned
// are signed checkpoints that somebody else still holds of records beyond that
// end: of the volume before, and of volumes that were begun after it and are
// lost. Their places are never used again, which is why Volume may be more than
// one above the volume before. From LevelGuarded on every number between the two is
// named there, with an empty checkpoint where nobody holds one. Handover is the note of journal.VolumeBody with
// all of this, signed with the house key of this volume and, unless that one is
// lost, of the volume before.
type VolumeBegun struct {
	_      struct{} `cbor:",toarray"`
	House  string   `is:"house"`  // name of the house
	Volume uint16   `is:"volume"` // number of the volume
	Level  uint8    // level of the journal: which rules of form it keeps
	Build  string   // version of the program that decided the records
	// Note verifier key of checkpoints and seals.
	HouseKey  string `is:"house key"`
	DeviceKey string `is:"device key"` // note verifier key of draws
	// Commitment to the key of this volume's serials, which does not tell it.
	SerialKey Hash
	Reason    VolumeReason // why the volume begins
	// Last checkpoint of the volume before, over all records that it has; none for the first.
	Previous  []byte
	StateForm uint8  // form in which the state is hashed
	State     []byte // hash of the state that the volume opens with; none for the first
	// Signed checkpoints that somebody else still holds of records beyond the end of the volume before, and of volumes
	// that are lost.
	Abandoned [][]byte
	// Signed note with all of this, by the house key of this volume and, unless that one is lost, of the volume
	// before; none for the first.
	Handover []byte
}

func (v *VolumeBegun) check() error {
	if err := CheckLevel(v.Level); err != nil {
		return err
	}
	switch v.Reason {
	case ReasonFound, ReasonYear, ReasonKeys, ReasonRestore:
	default:
		return fmt.Errorf("a volume begins for the reason %q", v.Reason)
	}
	if n := len(v.State); n != 0 && n != len(Hash{}) {
		return fmt.Errorf("the hash of a state has %d bytes", n)
	}
	return nil
}

// Origin returns the name of the volume in checkpoints.
func (v *VolumeBegun) Origin() string { return journal.VolumeOrigin(v.House, v.Volume) }

// Founds reports whether the volume is the first of its house, or else an error if
// it is neither that nor one that follows another.
func (v *VolumeBegun) Founds() (bool, error) {
	follows := len(v.Previous) > 0 && len(v.State) > 0 && len(v.Handover) > 0
	nothing := len(v.Previous) == 0 && len(v.State) == 0 && len(v.Handover) == 0 && len(v.Abandoned) == 0
	switch founds := v.Reason == ReasonFound; {
	case founds && !(nothing && v.Volume == 1):
		return false, fmt.Errorf("volume %d is founded and follows another one", v.Volume)
	case !founds && !follows:
		return false, fmt.Errorf("volume %d, begun for the reason %s, does not say what it follows", v.Volume, v.Reason)
	default:
		return founds, nil
	}
}

// Statement returns what the house signs when the volume begins after another. It
// verifies what others signed: Previous, and what was abandoned.
func (v *VolumeBegun) Statement(before *VolumeBegun) (journal.VolumeBody, error) {
	ended, err := openBy(v.Previous, before.HouseKey)
	if err != nil {
		return journal.VolumeBody{}, fmt.Errorf("the end of volume %d: %w", before.Volume, err)
	}
	if ended.Origin != before.Origin() {
		return journal.VolumeBody{}, fmt.Errorf("the end of volume %d is of %s", before.Volume, ended.Origin)
	}
	if len(v.State) != len(Hash{}) {
		return journal.VolumeBody{}, errors.New("there is no state to open with")
	}
	body := journal.VolumeBody{
		Origin: v.Origin(), Reason: string(v.Reason), HouseKey: v.HouseKey, DeviceKey: v.DeviceKey,
		SerialKey: journal.Hash(v.SerialKey), State: journal.Hash(v.State), Previous: ended,
		PreviousKey: before.HouseKey,
	}
	for i, signed := range v.Abandoned {
		// A volume that is lost altogether had one of these keys, or one that only
		// the lost records named.
		lost, err := openBy(signed, before.HouseKey, v.HouseKey)
		if err != nil {
			return journal.VolumeBody{}, fmt.Errorf("abandoned range %d: %w", i, err)
		}
		body.Abandoned = append(body.Abandoned, lost)
	}
	return body, body.Check()
}

// Unnamed returns the first number between an earlier volume and this one that is not
// named as abandoned, or 0. A volume that is left out and not named may be one that
// somebody hides.
func (v *VolumeBegun) Unnamed(before uint16) (uint16, error) {
	named := map[string]bool{}
	for _, signed := range v.Abandoned {
		c, err := journal.UnverifiedCheckpoint(signed)
		if err != nil {
			return 0, err
		}
		named[c.Origin] = true
	}
	for number := before + 1; number < v.Volume; number++ {
		if !named[journal.VolumeOrigin(v.House, number)] {
			return number, nil
		}
	}
	return 0, nil
}

// openBy opens a checkpoint that one of some keys signed.
func openBy(signed []byte, keys ...string) (c journal.Checkpoint, err error) {
	for _, key := range keys {
		verifier, parseErr := journal.ParseVerifier(key)
		if parseErr != nil {
			return journal.Checkpoint{}, parseErr
		}
		if c, _, err = journal.OpenCheckpoint(signed, verifier); err == nil {
			return c, nil
		}
	}
	return journal.Checkpoint{}, err
}

// Follows verifies a volume that begins after another and returns where that one
// ended, for anybody who has its records, and whether its key has signed for that. A
// new key that the old one did not sign for must be known from elsewhere.
func (v *VolumeBegun) Follows(before *VolumeBegun) (ended journal.Checkpoint, handed bool, err error) {
	founds, err := v.Founds()
	switch {
	case err != nil:
		return journal.Checkpoint{}, false, err
	case founds:
		return journal.Checkpoint{}, false, errors.New("a house is founded twice")
	case v.House != before.House || v.Volume <= before.Volume || v.Level < before.Level:
		return journal.Checkpoint{}, false,
			fmt.Errorf("volume %d of %s, level %d, cannot follow volume %d of %s, level %d",
				v.Volume, v.House, v.Level, before.Volume, before.House, before.Level)
	}
	body, err := v.Statement(before)
	if err != nil {
		return journal.Checkpoint{}, false, err
	}
	h, err := journal.OpenVolume(v.Handover, v.HouseKey)
	if err != nil {
		return journal.Checkpoint{}, false, err
	}
	if h.Body.Marshal() != body.Marshal() {
		return journal.Checkpoint{}, false, fmt.Errorf(
			"what was signed for the beginning of volume %d is not what its record says", v.Volume)
	}
	return body.Previous, h.ByPrevious, nil
}
