package verify

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"drawhouse/journal"
	"drawhouse/journal/record"
)

// witnessing is who cosigns the seals, and what they agree to.
type witnessing struct {
	named   []*witness
	results results
	asked   []*witness // who must have, by the inspector's own word
	naming  *record.WitnessesNamed
}

// keys returns the keys of the witnesses that the house names, with what they sign.
func (w *witnessing) keys() map[string]string {
	keys := map[string]string{}
	if w.naming != nil {
		for _, named := range w.naming.Witnesses {
			keys[named.Key] = "the cosignatures of " + named.Name
		}
	}
	return keys
}

// A witness is somebody outside the house who cosigns that its journal only grows.
// The cosignature is that of C2SP tlog-cosignature, Ed25519 with a time, over the
// checkpoint that a seal has; it stands under the seal. It is written here from that
// specification and shares nothing with the witness's own program.
type witness struct {
	name     string
	required bool // without its signature no game is drawn
	id       uint32
	key      ed25519.PublicKey
	// agreed is behind which record the witness has agreed to everything.
	agreed uint64
}

const (
	// cosignatureKind is the byte by which C2SP tells keys of cosignatures.
	cosignatureKind = 4
	// timeBytes is the length of the time that stands before a signature.
	timeBytes = 8
)

// Name, KeyHash and Verify make the witness a verifier of notes of seals.
func (w *witness) Name() string    { return w.name }
func (w *witness) KeyHash() uint32 { return w.id }

func (w *witness) Verify(seal, signature []byte) bool {
	body, err := journal.ParseSeal(string(seal))
	return err == nil && w.cosigned(body.Checkpoint.Marshal(), signature)
}

// ofCheckpoints is the same witness as a verifier of notes of checkpoints.
type ofCheckpoints struct{ *witness }

func (w ofCheckpoints) Verify(checkpoint, signature []byte) bool {
	return w.cosigned(string(checkpoint), signature)
}

// cosigned verifies the cosignature of a checkpoint.
func (w *witness) cosigned(checkpoint string, signature []byte) bool {
	if len(signature) != timeBytes+ed25519.SignatureSize {
		return false
	}
	at := binary.BigEndian.Uint64(signature)
	signed := fmt.Sprintf("cosignature/v1\ntime %d\n%s", at, checkpoint)
	return at <= math.MaxInt64 && ed25519.Verify(w.key, []byte(signed), signature[timeBytes:])
}

// readWitness reads a witness whose key is NAME+ID+KEY, where KEY is base64 of the kind
// and an Ed25519 key, and ID the start of the hash of name, newline and those.
func readWitness(b record.Witness) (*witness, error) {
	parts := strings.SplitN(b.Key, "+", 3)
	if len(parts) != 3 || parts[0] != b.Name {
		return nil, fmt.Errorf("the key of witness %s is %q", b.Name, b.Key)
	}
	typed, err := base64.StdEncoding.Strict().DecodeString(parts[2])
	if err != nil || len(typed) != 1+ed25519.PublicKeySize || typed[0] != cosignatureKind {
		return nil, fmt.Errorf("the key of witness %s is not one of cosignatures", b.Name)
	}
	sum := sha256.Sum256(slices.Concat([]byte(b.Name), []byte{'\n'}, typed))
	if parts[1] != fmt.Sprintf("%x", sum[:4]) {
		return nil, fmt.Errorf("the key of witness %s is mistyped", b.Name)
	}
	return &witness{name: b.Name, required: b.Required, id: binary.BigEndian.Uint32(sum[:]), key: typed[1:]}, nil
}

// witnessesNamed takes in who cosigns from now on.
func (c *checker) witnessesNamed(b *record.WitnessesNamed) error {
	if c.public.repeated() {
		return nil
	}
	c.witnessing.naming = b
	before := c.witnessing.named
	c.witnessing.named, c.report.Witnesses = nil, nil
	for _, named := range b.Witnesses {
		w, err := readWitness(named)
		if err != nil {
			return fault(CheckSeal, "%v", err)
		}
		if w.name == c.volume().house.Name() {
			return fault(CheckSeal, "%s would be its own witness", w.name)
		}
		stays := false
		for _, was := range before {
			if was.name == w.name && was.id == w.id {
				w.agreed, stays = was.agreed, true
			}
		}
		if other := c.commitsWith(named.Key); other != "" && !stays {
			objection := fault(CheckSeal, "%s cosigns with the key by which %s commits to links", w.name, other)
			if err := c.newer(objection); err != nil {
				return err
			}
		}
		given, err := c.isGiven(w)
		if err != nil {
			return err
		}
		c.witnessing.named = append(c.witnessing.named, w)
		c.report.Witnesses = append(c.report.Witnesses, Witness{named.Name, named.Key, named.Required, given})
	}
	return nil
}

// said returns the record that named who cosigns, or nil where nobody does.
func (w *witnessing) said() *record.WitnessesNamed {
	if len(w.named) == 0 {
		return nil
	}
	return w.naming
}

// musts returns the names of those without whose cosignatures of the public log no game of keno is drawn.
func (w *witnessing) musts() (names []string) {
	if w.naming != nil {
		names = slices.Clone(w.naming.Logs)
	}
	for _, named := range w.named {
		if named.required {
			names = append(names, named.name)
		}
	}
	return names
}

// ofCheckpoints returns who cosigns, as verifiers of notes of checkpoints.
func (w *witnessing) ofCheckpoints() []journal.Verifier {
	known := make([]journal.Verifier, len(w.named))
	for i, named := range w.named {
		known[i] = ofCheckpoints{named}
	}
	return known
}

// readAsked reads the witnesses whom the inspector brings.
func (c *checker) readAsked() error {
	for _, key := range c.opts.Witnesses {
		name, _, _ := strings.Cut(key, "+")
		w, err := readWitness(record.Witness{Name: name, Key: key})
		if err != nil {
			return fault(CheckSeal, "what was given apart from the export: %v", err)
		}
		c.witnessing.asked = append(c.witnessing.asked, w)
	}
	return nil
}

// isGiven reports whether a witness whom the house names is one that the inspector
// brought. One of that name with another key is somebody else, who could sign for the
// house what the true one has not seen.
func (c *checker) isGiven(named *witness) (bool, error) {
	known := false
	for _, w := range c.witnessing.asked {
		if w.name == named.name && w.key.Equal(named.key) {
			return true, nil
		}
		known = known || w.name == named.name
	}
	if known {
		return false, fault(CheckSeal,
			"witness %s is named with another key than was given apart from the export", named.name)
	}
	return false, nil
}

// gameWitnessed checks that those who are said to have cosigned a seal have, and before
// the first number.
func (c *checker) gameWitnessed(b *record.GameWitnessed) error {
	_, g, err := c.at(CheckSeal, b.Game, stageSealed)
	if err != nil {
		return err
	}
	if len(g.numbers) > 0 || g.voided > 0 {
		return fault(CheckSeal, "game %v is witnessed after its first number", g.name)
	}
	if err := c.cosigned(b.Seal, g.closed.house, g.seal, b.By); err != nil {
		return fault(CheckSeal, "%v", err)
	}
	g.witnessed = append(g.witnessed, b.By...)
	// Who has cosigned the log up to the close has agreed to the games before it.
	c.agree(flat(record.Place{Volume: g.closed.number, Seq: g.size}), b.By)
	if g.device.kind == record.DeviceWitnessed {
		c.ended() // Custodians cosign the journal with the seal in it before they give links.
	}
	c.report.Witnessed++
	return nil
}

// cosigned checks a seal with cosignatures under it: it is the seal of the game, and
// exactly these witnesses have signed.
func (c *checker) cosigned(signed []byte, house journal.Verifier, seal hash, by []string) error {
	known := make([]journal.Verifier, len(c.witnessing.named))
	for i, w := range c.witnessing.named {
		known[i] = w
	}
	opened, err := journal.OpenSeal(signed, house, known...)
	if err != nil {
		return fmt.Errorf("what was cosigned does not hold: %w", err)
	}
	if hash(opened.Body().Hash()) != seal {
		return fmt.Errorf("what was cosigned is not the seal of the game")
	}
	names := slices.DeleteFunc(opened.Signers(), func(name string) bool { return name == house.Name() })
	slices.Sort(names)
	if !slices.Equal(names, by) {
		return fmt.Errorf("it is cosigned by %s, and it says by %s", spoken([]any{names, by})...)
	}
	return nil
}

// missing returns a witness without whose signature nothing is drawn and who is not
// among those who have signed, or nil: one whom the house requires, or the first whom the
// inspector brought if too few of those have.
func (c *checker) missing(signed []string) *witness {
	for _, w := range c.witnessing.named {
		if w.required && !slices.Contains(signed, w.name) {
			return w
		}
	}
	var first *witness
	have := map[string]bool{} // A witness may have had several keys.
	for _, w := range c.witnessing.asked {
		if slices.Contains(signed, w.name) {
			have[w.name] = true
		} else if first == nil {
			first = w
		}
	}
	if first == nil || c.opts.Cosignatures > 0 && len(have) >= c.opts.Cosignatures {
		return nil
	}
	return first
}
