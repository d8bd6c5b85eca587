package journal

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/mod/sumdb/note"
)

// A Signer signs notes with one key. It is all that is asked of a key holder,
// so a key may stay in a hardware module; see [NewSigner].
type Signer = note.Signer

// A Verifier verifies the signatures of one key.
type Verifier = note.Verifier

// noteEd25519 is the algorithm byte that precedes a key in its note encoding.
const noteEd25519 = 1

// GenerateKey makes a new Ed25519 key pair for name from 32 bytes of entropy
// and returns it in the encodings of notes. The signer key is secret.
func GenerateKey(entropy io.Reader, name string) (skey, vkey string, err error) {
	seed := make([]byte, ed25519.SeedSize)
	if _, err := io.ReadFull(entropy, seed); err != nil {
		return "", "", fmt.Errorf("journal: reading entropy for a key: %w", err)
	}
	public := ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey) //nolint:errcheck // The method is documented to return this type.
	vkey, err = VerifierKey(name, public)
	if err != nil {
		return "", "", err
	}
	hash, _, _ := strings.Cut(strings.TrimPrefix(vkey, name+"+"), "+")
	secret := base64.StdEncoding.EncodeToString(append([]byte{noteEd25519}, seed...))
	return "PRIVATE+KEY+" + name + "+" + hash + "+" + secret, vkey, nil
}

// VerifierKey returns the note encoding of an Ed25519 public key under a name.
func VerifierKey(name string, public ed25519.PublicKey) (string, error) {
	if err := checkName("key name", name); err != nil {
		return "", err
	}
	vkey, err := note.NewEd25519VerifierKey(name, public)
	if err != nil {
		return "", fmt.Errorf("journal: encoding the key of %s: %w", name, err)
	}
	return vkey, nil
}

// ParseSigner reads a signer key. The error does not repeat the key.
func ParseSigner(skey string) (Signer, error) {
	signer, err := note.NewSigner(skey)
	if err != nil {
		return nil, fmt.Errorf("journal: signer key: %w", err)
	}
	return signer, nil
}

// ParseVerifier reads a verifier key.
func ParseVerifier(vkey string) (Verifier, error) {
	verifier, err := note.NewVerifier(vkey)
	if err != nil {
		return nil, fmt.Errorf("journal: verifier key %q: %w", vkey, err)
	}
	return verifier, nil
}

// SameKey reports whether two verifier keys have one public key, whatever their names, and whatever they sign. A key
// signs one kind of thing: logs and notes, or cosignatures.
func SameKey(one, other string) bool {
	_, a := keyOf(one)
	_, b := keyOf(other)
	return len(a) > 0 && bytes.Equal(a, b)
}

// keyOf returns what a verifier key signs with, and the bytes of its public key; nil for a text that is none.
func keyOf(vkey string) (algorithm byte, public []byte) {
	_, rest, _ := strings.Cut(vkey, "+") // A name has no plus, and base64 may.
	_, encoded, _ := strings.Cut(rest, "+")
	data, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || len(data) == 0 {
		return 0, nil
	}
	return data[0], data[1:]
}

// PublicKey returns the name and the public key of an Ed25519 verifier key, for a key that something else holds.
func PublicKey(vkey string) (name string, public ed25519.PublicKey, err error) {
	verifier, err := ParseVerifier(vkey)
	if err != nil {
		return "", nil, err
	}
	algorithm, data := keyOf(vkey)
	if algorithm != noteEd25519 || len(data) != ed25519.PublicKeySize {
		return "", nil, fmt.Errorf("journal: the verifier key %q is not of Ed25519", vkey)
	}
	return verifier.Name(), data, nil
}

// proof is what a key signs to prove that it signs. It is no note, no request and no answer of anything.
const proof = "drawhouse/this-key-signs/v1\n"

// Prove has a key sign a text that says nothing else, and holds the signature against its verifier key.
func Prove(signer Signer, vkey string) error {
	verifier, err := ParseVerifier(vkey)
	if err != nil {
		return err
	}
	signature, err := signer.Sign([]byte(proof))
	if err != nil {
		return err
	}
	if !verifier.Verify([]byte(proof), signature) {
		return fmt.Errorf("journal: what %s signs is not of the key %s", signer.Name(), vkey)
	}
	return nil
}

// HolderOf returns what holds the key of a Signer that NewSigner made, and nil for one whose key is in memory.
func HolderOf(s Signer) crypto.Signer {
	if held, ok := s.(*heldSigner); ok {
		return held.key
	}
	return nil
}

// NewSigner returns a Signer for an Ed25519 key that something else holds, such
// as the driver of a hardware module, together with its verifier key.
func NewSigner(name string, key crypto.Signer) (signer Signer, vkey string, err error) {
	public, ok := key.Public().(ed25519.PublicKey)
	if !ok {
		return nil, "", fmt.Errorf("journal: the key of %s is a %T, want Ed25519", name, key.Public())
	}
	vkey, err = VerifierKey(name, public)
	if err != nil {
		return nil, "", err
	}
	verifier, err := ParseVerifier(vkey)
	if err != nil {
		return nil, "", err
	}
	return &heldSigner{verifier, key}, vkey, nil
}

// ErrUnsigned means that what holds a key did not sign with it now: a token may be away, and be there again later.
var ErrUnsigned = errors.New("the key does not sign now")

// A heldSigner signs through a crypto.Signer. It verifies what comes back: a
// module that answers with a wrong signature must not put it on a seal.
type heldSigner struct {
	verifier Verifier
	key      crypto.Signer
}

func (s *heldSigner) Name() string    { return s.verifier.Name() }
func (s *heldSigner) KeyHash() uint32 { return s.verifier.KeyHash() }

func (s *heldSigner) Sign(msg []byte) ([]byte, error) {
	sig, err := s.key.Sign(nil, msg, crypto.Hash(0))
	if err != nil {
		return nil, fmt.Errorf("journal: %w: the key of %s: %w", ErrUnsigned, s.Name(), err)
	}
	if !s.verifier.Verify(msg, sig) {
		return nil, fmt.Errorf("journal: %w: the key of %s gave a signature that does not verify", ErrUnsigned, s.Name())
	}
	return sig, nil
}

// SignNote signs a text, which must end with a newline, by at least one key.
func SignNote(text string, signers ...Signer) ([]byte, error) {
	if len(signers) == 0 {
		return nil, errors.New("journal: a note needs a signer")
	}
	msg, err := note.Sign(&note.Note{Text: text}, signers...)
	if err != nil {
		return nil, fmt.Errorf("journal: signing a note: %w", err)
	}
	return msg, nil
}

// OpenNote verifies a signed note and returns its text and the names of the
// keys that verifiably signed it. The author must be among them: a note that
// only known cosigners signed is refused. Signatures by unknown keys are
// ignored, a wrong signature by a known key is an error.
func OpenNote(msg []byte, author Verifier, cosigners ...Verifier) (text string, signers []string, err error) {
	n, err := note.Open(msg, note.VerifierList(append([]Verifier{author}, cosigners...)...))
	if err != nil {
		return "", nil, fmt.Errorf("journal: opening a note: %w", err)
	}
	signed := false
	for _, sig := range n.Sigs {
		// The note package passes over unused bits at the end of the base64. We
		// do not, so that a signed text has one spelling.
		if _, err := base64.StdEncoding.Strict().DecodeString(sig.Base64); err != nil {
			return "", nil, fmt.Errorf("journal: the signature of %s: %w", sig.Name, err)
		}
		signed = signed || sig.Name == author.Name() && sig.Hash == author.KeyHash()
		if !slices.Contains(signers, sig.Name) {
			signers = append(signers, sig.Name)
		}
	}
	if !signed {
		return "", nil, fmt.Errorf("journal: the note is not signed by %s", author.Name())
	}
	return n.Text, signers, nil
}

// maxNameBytes bounds origins and key names; C2SP cosignatures count them in
// one byte.
const maxNameBytes = 255

// checkName checks a key name or origin: what a note's signature line can carry.
func checkName(what, name string) error {
	switch {
	case name == "":
		return fmt.Errorf("journal: %s is empty", what)
	case len(name) > maxNameBytes:
		return fmt.Errorf("journal: %s is %d bytes long, at most %d are allowed", what, len(name), maxNameBytes)
	case !utf8.ValidString(name):
		return fmt.Errorf("journal: %s is not valid UTF-8", what)
	case strings.ContainsFunc(name, func(r rune) bool { return r == '+' || unicode.IsSpace(r) || unicode.IsControl(r) }):
		return fmt.Errorf("journal: %s %q holds a space, a plus or a control character", what, name)
	}
	return nil
}
