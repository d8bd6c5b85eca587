package journal

import (
	"fmt"
	"math"
	"strings"
)

// volumeForm is the first line of a volume's body.
const volumeForm = "drawhouse/volume/v1"

// MaxAbandoned bounds the checkpoints of a volume's body; there is one for each
// volume that a restore has lost a part of.
const MaxAbandoned = 16

// A VolumeBody states how a volume of the journal begins and where the one
// before it ended. The house signs it with the key of the volume that begins
// and, unless that was lost, with the key of the one that ended. So anybody who
// knows either key learns the other, and what the old key signs for the old
// volume beyond the end that is stated here is worth nothing.
type VolumeBody struct {
	Origin              string // of the volume that begins
	Reason              string // a word
	HouseKey, DeviceKey string // verifier keys of the volume
	SerialKey           Hash   // commits to the key of its serials
	State               Hash   // of the state that the volume opens with
	// Previous is where the volume before ended, and PreviousKey the key that
	// signed it.
	Previous    Checkpoint
	PreviousKey string
	// Abandoned are checkpoints that others hold of what was lost: each goes
	// beyond Previous, ascending by volume.
	Abandoned []Checkpoint
}

// Check reports what is wrong with the body, if anything.
func (b VolumeBody) Check() error {
	house, volume, err := ParseOrigin(b.Origin)
	if err != nil {
		return err
	}
	last, err := b.checkPrevious(house)
	if err != nil {
		return err
	}
	if volume <= last {
		return fmt.Errorf("journal: %s does not follow %s", b.Origin, b.Previous.Origin)
	}
	if b.Reason == "" || strings.ContainsFunc(b.Reason, notInSeries) {
		return fmt.Errorf("journal: %s: reason %q is not a word", b.Origin, b.Reason)
	}
	for _, key := range []string{b.HouseKey, b.DeviceKey, b.PreviousKey} {
		if _, err := ParseVerifier(key); err != nil {
			return fmt.Errorf("journal: %s: %w", b.Origin, err)
		}
	}
	return b.checkAbandoned(house, volume)
}

func (b VolumeBody) checkPrevious(house string) (volume uint16, err error) {
	if err := b.Previous.Check(); err != nil {
		return 0, err
	}
	name, volume, err := ParseOrigin(b.Previous.Origin)
	switch {
	case err != nil:
		return 0, err
	case name != house:
		return 0, fmt.Errorf("journal: %s follows a volume of %s", b.Origin, name)
	case b.Previous.Size == 0:
		return 0, fmt.Errorf("journal: %s follows a volume without records", b.Origin)
	}
	return volume, nil
}

func (b VolumeBody) checkAbandoned(house string, volume uint16) error {
	if len(b.Abandoned) > MaxAbandoned {
		return fmt.Errorf("journal: %s abandons %d ranges, at most %d can be stated", b.Origin, len(b.Abandoned),
			MaxAbandoned)
	}
	_, last, err := ParseOrigin(b.Previous.Origin)
	if err != nil {
		return err
	}
	least := b.Previous.Size + 1
	for _, c := range b.Abandoned {
		if err := c.Check(); err != nil {
			return err
		}
		name, v, err := ParseOrigin(c.Origin)
		switch {
		case err != nil:
			return err
		case name != house || v >= volume:
			return fmt.Errorf("journal: %s cannot abandon a part of %s", b.Origin, c.Origin)
		case v < last || v == last && c.Size < least:
			return fmt.Errorf("journal: %s abandons %s up to %d, which is no further than what came before", b.Origin,
				c.Origin, c.Size)
		}
		last, least = v, math.MaxUint64 // A volume is named once.
	}
	return nil
}

// Marshal returns the body's text.
func (b VolumeBody) Marshal() string {
	w := NewBody(volumeForm).
		Text("origin", b.Origin).
		Text("reason", b.Reason).
		Text("house-key", b.HouseKey).
		Text("device-key", b.DeviceKey).
		Hash("serial-key", b.SerialKey).
		Hash("state", b.State).
		Text("previous", checkpointLine(b.Previous)).
		Text("previous-key", b.PreviousKey)
	for _, c := range b.Abandoned {
		w.Text("abandoned", checkpointLine(c))
	}
	return w.String()
}

// checkpointLine writes a checkpoint on one line.
func checkpointLine(c Checkpoint) string { return fmt.Sprintf("%s %d %v", c.Origin, c.Size, c.Root) }

// checkpoint reads a line with the three values of a checkpoint.
func (r *BodyReader) checkpoint(key string) Checkpoint {
	value := r.Text(key)
	c, err := ParseCheckpoint(strings.ReplaceAll(value, " ", "\n") + "\n")
	if err != nil && r.err == nil {
		r.fail("line %q: %w", key, err)
	}
	return c
}

// ParseVolume reads the text of a volume's body.
func ParseVolume(text string) (VolumeBody, error) {
	r := ReadBody(text, volumeForm)
	b := VolumeBody{
		Origin: r.Text("origin"), Reason: r.Text("reason"),
		HouseKey: r.Text("house-key"), DeviceKey: r.Text("device-key"),
		SerialKey: r.Hash("serial-key"), State: r.Hash("state"),
		Previous: r.checkpoint("previous"), PreviousKey: r.Text("previous-key"),
	}
	for r.More("abandoned") {
		b.Abandoned = append(b.Abandoned, r.checkpoint("abandoned"))
	}
	if err := r.Close(); err != nil {
		return VolumeBody{}, err
	}
	if err := b.Check(); err != nil {
		return VolumeBody{}, err
	}
	if b.Marshal() != text {
		return VolumeBody{}, fmt.Errorf("journal: the beginning of %s is not in canonical form", b.Origin)
	}
	return b, nil
}

// SignVolume returns the beginning of a volume as a signed note: by the key of the
// volume, and by that of the one before if it is another and is at hand.
func SignVolume(b VolumeBody, house Signer, before Signer) ([]byte, error) {
	if err := b.Check(); err != nil {
		return nil, err
	}
	signers := []Signer{house}
	if before != nil && (before.Name() != house.Name() || before.KeyHash() != house.KeyHash()) {
		signers = append(signers, before)
	}
	return SignNote(b.Marshal(), signers...)
}

// A Handover is the beginning of a volume whose signature was verified.
type Handover struct {
	Body VolumeBody
	// ByHouse says that the key of the volume that begins signed it, ByPrevious
	// that the key of the one before did.
	ByHouse, ByPrevious bool
}

// OpenVolume verifies the beginning of a volume by one known key, which must be
// the one that it names for the volume or for the one before, and must have
// signed. The signature of the other is verified as well, if it is there.
func OpenVolume(msg []byte, known string) (Handover, error) {
	text, _, ok := strings.Cut(string(msg), "\n\n")
	if !ok {
		return Handover{}, fmt.Errorf("journal: the beginning of a volume is not signed")
	}
	b, err := ParseVolume(text + "\n")
	if err != nil {
		return Handover{}, err
	}
	if known != b.HouseKey && known != b.PreviousKey {
		return Handover{}, fmt.Errorf("journal: the beginning of %s names the keys %s and %s, not %s", b.Origin,
			b.HouseKey, b.PreviousKey, known)
	}
	h := Handover{Body: b, ByHouse: signedBy(msg, b.HouseKey), ByPrevious: signedBy(msg, b.PreviousKey)}
	if known == b.HouseKey && !h.ByHouse || known == b.PreviousKey && !h.ByPrevious {
		return Handover{}, fmt.Errorf("journal: the beginning of %s is not signed by %s", b.Origin, known)
	}
	return h, nil
}

// signedBy reports whether a key verifiably signed a note.
func signedBy(msg []byte, vkey string) bool {
	verifier, err := ParseVerifier(vkey)
	if err != nil {
		return false
	}
	_, _, err = OpenNote(msg, verifier)
	return err == nil
}
