package proof

import (
	"errors"
	"slices"

	"drawhouse/journal"
	"drawhouse/journal/record"
)

// volumes follows the house's key from the one that the player knows through the
// volumes between the ticket and the seal, forwards or backwards. Each volume begins
// with a note that its own key signed and, unless it was lost, that of the volume
// before; so a key that is known makes the other one known.
func (c *checker) volumes() {
	begun := c.proof.Volumes
	if len(begun) == 0 {
		return
	}
	known := []string{c.evidence.HouseKey}
	for range begun { // Each round makes at least one more known, or none is left.
		for i, v := range begun {
			if err := c.contradicts(i, v); err != nil {
				c.fail("The beginning of a volume contradicts itself.", err)
				return
			}
			known = handOver(known, v)
		}
	}
	sealed := begun[len(begun)-1].HouseKey
	if !slices.Contains(known, sealed) {
		c.fail("The key that you gave did not sign for the one of the seal.",
			errors.New("the key of the seal is "+sealed))
		return
	}
	for _, key := range known {
		verifier, err := journal.ParseVerifier(key)
		if err != nil {
			c.fail("The beginning of a volume contradicts itself.", err)
			return
		}
		c.houses = append(c.houses, verifier)
		if key == sealed {
			c.house = verifier
		}
	}
	if sealed != c.evidence.HouseKey {
		c.prove("The key that you gave has handed the house over, and the key of the seal is %s.", sealed)
	}
}

// contradicts reports whether the note of a volume says something else than its record.
func (c *checker) contradicts(i int, v *record.VolumeBegun) error {
	h, err := journal.OpenVolume(v.Handover, v.HouseKey)
	if err != nil {
		return err
	}
	if h.Body.Origin != v.Origin() || h.Body.Previous != c.proof.Play.Volumes[i].Previous {
		return errors.New("the note is of another volume")
	}
	return nil
}

// handOver adds the keys that a known one makes known.
func handOver(known []string, v *record.VolumeBegun) []string {
	for _, key := range known {
		h, err := journal.OpenVolume(v.Handover, key)
		if err != nil {
			continue
		}
		for _, other := range []string{h.Body.PreviousKey, h.Body.HouseKey} {
			if !slices.Contains(known, other) {
				known = append(known, other)
			}
		}
	}
	return known
}
