package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// sealForm is the first line of a seal's body.
const sealForm = "drawhouse/seal/v1"

// A SealBody states what was sold in a game when it closed. It fixes every
// play before the first number is drawn.
type SealBody struct {
	// Checkpoint is the journal at the close. Its origin names the volume.
	Checkpoint Checkpoint
	Game       Game
	// Plays is the number of plays in the game and StakesCents their stakes.
	Plays       uint64
	StakesCents int64
	// Open has, for every volume with a ticket in the game, the bitmap of those
	// tickets, ascending by volume. There is one, of the checkpoint's volume,
	// except after a change of volume while older tickets still run.
	Open []Span
}

// A Span is the commitment to a Bitmap over the sequence numbers from First to
// before First+Length of a volume.
type Span struct {
	Volume        uint16
	First, Length uint64
	Root          Hash
}

// Volume returns the volume of the checkpoint, which a checked body has.
func (b SealBody) Volume() uint16 {
	_, volume, _ := ParseOrigin(b.Checkpoint.Origin)
	return volume
}

// Span returns the span of a volume.
func (b SealBody) Span(volume uint16) (Span, bool) {
	for _, s := range b.Open {
		if s.Volume == volume {
			return s, true
		}
	}
	return Span{}, false
}

// Check reports what is wrong with the body, if anything.
func (b SealBody) Check() error {
	if err := b.Checkpoint.Check(); err != nil {
		return err
	}
	if _, _, err := ParseOrigin(b.Checkpoint.Origin); err != nil {
		return err
	}
	if err := b.Game.Check(); err != nil {
		return err
	}
	switch {
	case b.StakesCents < 0:
		return fmt.Errorf("journal: seal of %v: stakes of %d cents are negative", b.Game, b.StakesCents)
	case b.Plays == 0 && b.StakesCents > 0:
		return fmt.Errorf("journal: seal of %v: stakes of %d cents without a play", b.Game, b.StakesCents)
	case b.Plays > 0 && len(b.Open) == 0:
		return fmt.Errorf("journal: seal of %v: %d plays without a bitmap", b.Game, b.Plays)
	}
	return b.checkOpen()
}

func (b SealBody) checkOpen() error {
	volume := b.Volume()
	for i, s := range b.Open {
		switch {
		case s.Length == 0:
			return fmt.Errorf("journal: seal of %v: the bitmap of volume %d is empty", b.Game, s.Volume)
		case s.First > MaxSize || s.Length > MaxSize-s.First:
			return fmt.Errorf("journal: seal of %v: the bitmap of volume %d ends beyond any log", b.Game, s.Volume)
		case i > 0 && s.Volume <= b.Open[i-1].Volume:
			return fmt.Errorf("journal: seal of %v: volume %d follows %d", b.Game, s.Volume, b.Open[i-1].Volume)
		case s.Volume > volume:
			return fmt.Errorf("journal: seal of %v: volume %d is later than the checkpoint's, %d", b.Game, s.Volume,
				volume)
		case s.Volume == volume && s.First+s.Length > b.Checkpoint.Size:
			return fmt.Errorf("journal: seal of %v: the bitmap ends at %d, after the log of %d records", b.Game,
				s.First+s.Length, b.Checkpoint.Size)
		}
	}
	return nil
}

// Marshal returns the body's text.
func (b SealBody) Marshal() string {
	w := NewBody(sealForm).
		Text("origin", b.Checkpoint.Origin).
		Text("series", b.Game.Series).
		Text("day", b.Game.Day).
		Uint("game", uint64(b.Game.Number)).
		Uint("size", b.Checkpoint.Size).
		Hash("root", b.Checkpoint.Root).
		Uint("plays", b.Plays).
		Uint("stakes-cents", uint64(b.StakesCents)).
		Uint("chunk-bits", ChunkBits)
	for _, s := range b.Open {
		w.Text("open", fmt.Sprintf("%d %d %d %v", s.Volume, s.First, s.Length, s.Root))
	}
	return w.String()
}

// ParseSeal reads the text of a seal's body.
func ParseSeal(text string) (SealBody, error) {
	r := ReadBody(text, sealForm)
	var b SealBody
	b.Checkpoint.Origin = r.Text("origin")
	b.Game.Series = r.Text("series")
	b.Game.Day = r.Text("day")
	b.Game.Number = uint32(r.Uint("game", math.MaxUint32))
	b.Checkpoint.Size = r.Uint("size", MaxSize)
	b.Checkpoint.Root = r.Hash("root")
	b.Plays = r.Uint("plays", math.MaxUint64)
	b.StakesCents = int64(r.Uint("stakes-cents", math.MaxInt64))
	if bits := r.Uint("chunk-bits", math.MaxUint64); bits != ChunkBits {
		r.fail("chunks of %d bits, this form has %d", bits, ChunkBits)
	}
	for r.More("open") {
		b.Open = append(b.Open, r.span("open"))
	}
	if err := r.Close(); err != nil {
		return SealBody{}, err
	}
	if err := b.Check(); err != nil {
		return SealBody{}, err
	}
	if b.Marshal() != text {
		return SealBody{}, fmt.Errorf("journal: the seal of %v is not in canonical form", b.Game)
	}
	return b, nil
}

// span reads a line with the four values of a span.
func (r *BodyReader) span(key string) Span {
	value := r.Text(key)
	f := strings.Split(value, " ")
	if len(f) != 4 {
		r.fail("line %q has not the four values of a bitmap: %q", key, value)
		return Span{}
	}
	volume, err1 := parseUint("bitmap volume", f[0], math.MaxUint16)
	first, err2 := parseUint("bitmap first", f[1], MaxSize)
	length, err3 := parseUint("bitmap length", f[2], MaxSize)
	root, err4 := parseHash("bitmap root", f[3])
	for _, err := range []error{err1, err2, err3, err4} {
		if err != nil {
			r.fail("%w", err)
			return Span{}
		}
	}
	return Span{Volume: uint16(volume), First: first, Length: length, Root: root}
}

// Hash returns the SHA-256 of the body's text, by which a draw names its seal.
func (b SealBody) Hash() Hash { return sha256.Sum256([]byte(b.Marshal())) }

// Fingerprint returns the first 32 hexadecimal digits of the hash in groups, such as
// 9f3c-22e1-04b7-d85a-63f0-19ce-7a42-b8d1: 128 bits, so that nobody can make a second
// seal with the same digits. It is for screens and receipts; a program compares the hash.
func (b SealBody) Fingerprint() string {
	const groups = 8
	h, parts := b.Hash(), make([]string, groups)
	for i := range parts {
		parts[i] = hex.EncodeToString(h[2*i : 2*i+2])
	}
	return strings.Join(parts, "-")
}

// FingerprintOf returns the fingerprint of a signed seal. It does not verify the
// signature: that is for anybody who gets the whole note.
func FingerprintOf(note []byte) (string, error) {
	end := bytes.Index(note, []byte("\n\n"))
	if end < 0 {
		return "", errors.New("journal: the seal is not a signed note")
	}
	body, err := ParseSeal(string(note[:end+1]))
	if err != nil {
		return "", err
	}
	return body.Fingerprint(), nil
}

// SignSeal returns the seal as a signed note.
func SignSeal(b SealBody, signers ...Signer) ([]byte, error) {
	if err := b.Check(); err != nil {
		return nil, err
	}
	return SignNote(b.Marshal(), signers...)
}

// A Seal is a seal whose signature was verified. Only OpenSeal makes one that
// is not zero, so who holds a Seal need not ask again.
type Seal struct {
	body    SealBody
	signers []string
	signed  []byte
}

// OpenSeal verifies a signed seal. The house's key must have signed it; known
// cosigners that signed too are listed by Signers.
func OpenSeal(msg []byte, house Verifier, cosigners ...Verifier) (Seal, error) {
	text, signers, err := OpenNote(msg, house, cosigners...)
	if err != nil {
		return Seal{}, fmt.Errorf("seal: %w", err)
	}
	body, err := ParseSeal(text)
	if err != nil {
		return Seal{}, err
	}
	return Seal{body: body, signers: signers, signed: slices.Clone(msg)}, nil
}

// IsZero reports whether the seal is the zero value, which seals nothing.
func (s Seal) IsZero() bool { return s.signed == nil }

// Body returns what the seal states.
func (s Seal) Body() SealBody {
	b := s.body
	b.Open = slices.Clone(b.Open)
	return b
}

// Signers returns the names of those who verifiably signed, the house included.
func (s Seal) Signers() []string { return slices.Clone(s.signers) }

// Signed returns the signed note as it was opened.
func (s Seal) Signed() []byte { return slices.Clone(s.signed) }

// A PlayProof proves that a record was in the journal at a seal and that its
// ticket was in the sealed game.
type PlayProof struct {
	Seq    uint64
	Leaf   Hash
	Record RecordProof
	Bit    BitProof
	// Volumes lead from the ticket's volume to the seal's, one for each volume that
	// began between, in their order. There are none if the two are one.
	Volumes []VolumeProof
}

// A VolumeProof proves where a volume ended by the first record of the next one.
type VolumeProof struct {
	// Previous is the end of the volume before. A person who fills it in has read it from
	// the record with this leaf.
	Previous Checkpoint
	Leaf     Hash
	Record   RecordProof // in the volume that the record begins, as the seal knows it
}

// CheckPlay reports whether the proof holds for this seal.
func (b SealBody) CheckPlay(p PlayProof) error {
	at, err := b.JournalOf(p.Volumes)
	if err != nil {
		return err
	}
	if err := CheckRecord(p.Record, at.Size, at.Root, p.Seq, p.Leaf); err != nil {
		return err
	}
	set, err := b.CheckPlays(at, p)
	if err != nil {
		return err
	}
	if !set {
		return fmt.Errorf("journal: record %d of %s is shown not to play in %v: %w", p.Seq, at.Origin, b.Game, ErrProof)
	}
	return nil
}

// JournalOf returns the journal in which the ticket stands: the seal's, or the end
// of an earlier volume to which the volumes lead back from it.
func (b SealBody) JournalOf(volumes []VolumeProof) (Checkpoint, error) {
	at := b.Checkpoint
	for i := len(volumes) - 1; i >= 0; i-- {
		v := volumes[i]
		if err := CheckRecord(v.Record, at.Size, at.Root, 0, v.Leaf); err != nil {
			return Checkpoint{}, fmt.Errorf("journal: the record that begins %s: %w", at.Origin, err)
		}
		if err := precedes(v.Previous, at); err != nil {
			return Checkpoint{}, err
		}
		at = v.Previous
	}
	return at, nil
}

// precedes reports whether a volume is an earlier one of the same house.
func precedes(earlier, later Checkpoint) error {
	house1, volume1, err1 := ParseOrigin(earlier.Origin)
	house2, volume2, err2 := ParseOrigin(later.Origin)
	if err1 != nil || err2 != nil || house1 != house2 || volume1 >= volume2 {
		return fmt.Errorf("journal: %s does not come before %s: %w", earlier.Origin, later.Origin, ErrProof)
	}
	return nil
}

// CheckPlays returns the bit of a ticket that stands in a journal that JournalOf
// has returned.
func (b SealBody) CheckPlays(at Checkpoint, p PlayProof) (bool, error) {
	_, volume, err := ParseOrigin(at.Origin)
	if err != nil {
		return false, err
	}
	span, ok := b.Span(volume)
	if !ok {
		return false, fmt.Errorf("journal: the seal of %v has no bitmap of volume %d: %w", b.Game, volume, ErrProof)
	}
	return CheckBit(span, p.Bit, p.Seq)
}
