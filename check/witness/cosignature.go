package witness

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"drawhouse/journal"
)

const (
	// noteKey and cosignatureKey are the bytes by which C2SP tells what a key
	// signs: notes, or cosignatures of checkpoints. They go into the key's id.
	noteKey        = 0x01
	cosignatureKey = 0x04

	// stampBytes is the length of the time before a signature.
	stampBytes = 8
)

// A Verifier verifies the cosignatures of one witness under checkpoints.
type Verifier struct {
	name string
	id   uint32
	key  ed25519.PublicKey
}

// newVerifier returns the verifier of a witness's public key.
func newVerifier(name string, key ed25519.PublicKey) *Verifier {
	sum := sha256.Sum256(append([]byte(name+"\n"), typed(cosignatureKey, key)...))
	return &Verifier{name: name, id: binary.BigEndian.Uint32(sum[:]), key: key}
}

func typed(kind byte, key ed25519.PublicKey) []byte { return append([]byte{kind}, key...) }

// ParseVerifier reads the key of a witness, NAME+ID+KEY with a key for
// cosignatures.
func ParseVerifier(vkey string) (*Verifier, error) {
	name, key, err := splitKey(vkey, cosignatureKey)
	if err != nil {
		return nil, err
	}
	v := newVerifier(name, key)
	if v.String() != vkey {
		return nil, fmt.Errorf("witness: key %q: the id is not that of name and key, %08x", vkey, v.id)
	}
	return v, nil
}

// splitKey reads name and public key of a verifier key of one kind.
func splitKey(vkey string, kind byte) (name string, key ed25519.PublicKey, err error) {
	name, rest, ok := strings.Cut(vkey, "+")
	_, encoded, ok2 := strings.Cut(rest, "+")
	data, err := base64.StdEncoding.Strict().DecodeString(encoded)
	if !ok || !ok2 || err != nil || len(data) != 1+ed25519.PublicKeySize {
		return "", nil, fmt.Errorf("witness: key %q is not NAME+ID+KEY with an Ed25519 key", vkey)
	}
	if data[0] != kind {
		return "", nil, fmt.Errorf("witness: key %q is of kind %d, want %d", vkey, data[0], kind)
	}
	if _, err := journal.VerifierKey(name, data[1:]); err != nil {
		return "", nil, fmt.Errorf("witness: key %q: %w", vkey, err)
	}
	return name, data[1:], nil
}

// String returns the key in the form that ParseVerifier reads.
func (v *Verifier) String() string {
	return fmt.Sprintf("%s+%08x+%s", v.name, v.id, base64.StdEncoding.EncodeToString(typed(cosignatureKey, v.key)))
}

// OfNotes returns the key in the form in which it verifies notes: a witness that replays the journal and is no
// custodian signs its questions to the house with it. Nothing else is signed so, and commitments never are.
func (v *Verifier) OfNotes() (string, error) { return journal.VerifierKey(v.name, v.key) }

// Name returns the name of the witness.
func (v *Verifier) Name() string { return v.name }

// KeyHash returns the id of the key.
func (v *Verifier) KeyHash() uint32 { return v.id }

// Verify reports whether sig is the witness's cosignature of the checkpoint whose
// text is given. It makes the Verifier a [journal.Verifier].
func (v *Verifier) Verify(text, sig []byte) bool {
	if len(sig) != stampBytes+ed25519.SignatureSize {
		return false
	}
	seconds := binary.BigEndian.Uint64(sig)
	if _, err := ParseCheckpoint(string(text)); err != nil || seconds > math.MaxInt64 {
		return false
	}
	return ed25519.Verify(v.key, cosigned(int64(seconds), text), sig[stampBytes:])
}

// cosigned is what a witness signs: a header, the time, and the checkpoint.
func cosigned(seconds int64, text []byte) []byte {
	return append([]byte("cosignature/v1\ntime "+strconv.FormatInt(seconds, 10)+"\n"), text...)
}

// OfSeals returns a verifier of the same witness for the notes of seals: it holds if
// the witness cosigned the checkpoint that the seal has. It does not say that
// the witness saw the rest of the seal. That follows from the records under the
// checkpoint, and anybody who replays them finds a seal that does not.
func (v *Verifier) OfSeals() journal.Verifier { return ofSeals{v} }

type ofSeals struct{ *Verifier }

func (v ofSeals) Verify(text, sig []byte) bool {
	body, err := journal.ParseSeal(string(text))
	return err == nil && v.Verifier.Verify([]byte(body.Checkpoint.Marshal()), sig)
}

// A Cosigner cosigns checkpoints with a witness's key.
type Cosigner struct {
	*Verifier
	signer journal.Signer
}

// NewCosigner returns the cosigner of a signer and its note verifier key. The
// signer is asked for a signature over a message and nothing else, so that the key
// may be in a hardware module. The verifier key is in the form of notes, as key files have it. What a custodian signs
// beside cosignatures it signs with a key of its own for that, see [Custodian].
func NewCosigner(signer journal.Signer, vkey string) (*Cosigner, error) {
	name, key, err := splitKey(vkey, noteKey)
	if err != nil {
		return nil, err
	}
	verifier, err := journal.ParseVerifier(vkey)
	if err != nil {
		return nil, err
	}
	if verifier.Name() != signer.Name() || verifier.KeyHash() != signer.KeyHash() {
		return nil, fmt.Errorf("witness: the verifier key %s is not that of the signer %s", vkey, signer.Name())
	}
	return &Cosigner{newVerifier(name, key), signer}, nil
}

// Cosign returns the line of a signature under a checkpoint, made at a time in
// seconds since 1970 UTC.
func (c *Cosigner) Cosign(checkpoint journal.Checkpoint, seconds int64) ([]byte, error) {
	if err := checkpoint.Check(); err != nil {
		return nil, err
	}
	return c.CosignText(checkpoint.Marshal(), seconds)
}

// CosignText is Cosign for the text of a checkpoint of any log, with its extension lines.
func (c *Cosigner) CosignText(checkpoint string, seconds int64) ([]byte, error) {
	if seconds < 0 {
		return nil, fmt.Errorf("witness: a cosignature cannot be of %d seconds before 1970", -seconds)
	}
	text := []byte(checkpoint)
	sig, err := c.signer.Sign(cosigned(seconds, text))
	if err != nil {
		return nil, fmt.Errorf("witness: cosigning: %w", err)
	}
	stamped := append(binary.BigEndian.AppendUint64(nil, uint64(seconds)), sig...)
	if !c.Verify(text, stamped) {
		return nil, errors.New("witness: the key gave a signature that does not verify")
	}
	signed := append(binary.BigEndian.AppendUint32(nil, c.id), stamped...)
	return fmt.Appendf(nil, "— %s %s\n", c.name, base64.StdEncoding.EncodeToString(signed)), nil
}

// A Cosignature says who cosigned a checkpoint, and when by their own clock.
type Cosignature struct {
	Name string
	Time int64 // seconds since 1970 UTC
	Line []byte
}

// Cosignatures returns the verified cosignatures of known witnesses in a note of a
// checkpoint. Those of unknown witnesses are passed over; a wrong one of a known
// witness is an error. The log's own signature is for others to check.
func Cosignatures(msg []byte, witnesses ...*Verifier) ([]Cosignature, error) {
	known := make([]journal.Verifier, len(witnesses))
	for i, v := range witnesses {
		known[i] = v
	}
	n, err := note.Open(msg, note.VerifierList(known...))
	unverified := new(note.UnverifiedNoteError)
	if errors.As(err, &unverified) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("witness: opening a checkpoint: %w", err)
	}
	var found []Cosignature
	for _, sig := range n.Sigs {
		data, err := base64.StdEncoding.Strict().DecodeString(sig.Base64)
		if err != nil {
			return nil, fmt.Errorf("witness: the cosignature of %s: %w", sig.Name, err)
		}
		found = append(found, Cosignature{
			Name: sig.Name, Time: int64(binary.BigEndian.Uint64(data[4:])),
			Line: fmt.Appendf(nil, "— %s %s\n", sig.Name, sig.Base64),
		})
	}
	return found, nil
}
