package verify_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"drawhouse/check/verify"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// A cosigner cosigns seals as C2SP tlog-cosignature says, written out here.
type cosigner struct {
	name string
	key  ed25519.PrivateKey
}

func newCosigner(name string, seed byte) cosigner {
	return cosigner{name, ed25519.NewKeyFromSeed(bytes.Repeat([]byte{seed}, 32))}
}

// typed is the public key behind the byte that tells its kind.
func (c cosigner) typed() []byte {
	return append([]byte{4}, c.key.Public().(ed25519.PublicKey)...)
}

func (c cosigner) id() []byte {
	sum := sha256.Sum256(append([]byte(c.name+"\n"), c.typed()...))
	return sum[:4]
}

func (c cosigner) named(required bool) record.Witness {
	return record.Witness{Name: c.name, Key: fmt.Sprintf("%s+%x+%s", c.name, c.id(),
		base64.StdEncoding.EncodeToString(c.typed())), Required: required}
}

// line returns the line of a signature over a checkpoint.
func (c cosigner) line(over journal.Checkpoint, seconds uint64) string {
	signature := ed25519.Sign(c.key, fmt.Appendf(nil, "cosignature/v1\ntime %d\n%s", seconds, over.Marshal()))
	signed := append(binary.BigEndian.AppendUint64(c.id(), seconds), signature...)
	return fmt.Sprintf("— %s %s\n", c.name, base64.StdEncoding.EncodeToString(signed))
}

var (
	alice = newCosigner("alice.example", 41)
	bob   = newCosigner("bob.example", 42)
)

// sealNote returns the seal that stands in the journal, and the checkpoint in it.
func (h *house) sealNote(ordinal uint32) ([]byte, journal.Checkpoint) {
	h.t.Helper()
	r, err := record.Decode(h.data[h.places[fmt.Sprintf("seal %d", ordinal)]])
	require(h.t, err)
	seal := r.Body.(*record.GameSealed).Seal
	text, _, _ := bytes.Cut(seal, []byte("\n\n"))
	body, err := journal.ParseSeal(string(text) + "\n")
	require(h.t, err)
	return seal, body.Checkpoint
}

// witnessed records that some have cosigned the seal of a game.
func (h *house) witnessed(label string, ordinal uint32, by ...cosigner) {
	h.t.Helper()
	seal, over := h.sealNote(ordinal)
	b := &record.GameWitnessed{Game: gameName(ordinal), Seal: bytes.Clone(seal)}
	for _, c := range by {
		b.Seal = append(b.Seal, c.line(over, 1_794_682_900)...)
		b.By = append(b.By, c.name)
	}
	h.add(label, b)
}

// tellWitnesses tells of two games under witnesses, of whom one is required.
func (h *house) tellWitnesses() *house {
	h.t.Helper()
	h.found()
	h.add("named", &record.WitnessesNamed{Witnesses: []record.Witness{alice.named(true), bob.named(false)}})
	h.open(1)
	h.sell("both", 1, 1, 2, 1, 200, classic(100, 80))
	h.closeAndSeal(1, totals{plays: 1, ways: 1, stakes: 100, fund: 75, tickets: []string{"both"}})
	h.witnessed("witnessed 1", 1, alice, bob)
	h.draw(1, firstNumbers)
	h.settle(1, record.GameSettled{Multiplier: 2, Plays: 1, Ways: 1, StakesCents: 100}, nil)
	h.open(2)
	h.closeAndSeal(2, totals{plays: 1, ways: 1, stakes: 100, fund: 75, tickets: []string{"both"}})
	h.witnessed("witnessed 2", 2, alice)
	h.draw(2, secondNumbers)
	return h
}

// TestWitnesses verifies games that were witnessed, and lies about them.
func TestWitnesses(t *testing.T) {
	report := runBothWays(t, newHouse(t, lies{}).tellWitnesses().files(), verify.Options{})
	if !report.OK() || report.Witnessed != 2 {
		t.Fatalf("%d seals were witnessed: %v", report.Witnessed, report.Failure)
	}
	signedOver := func(change func(*journal.Checkpoint)) lies {
		return lies{before: map[string]func(*house){"witnessed 1": func(h *house) {
			seal, over := h.sealNote(1)
			change(&over)
			note := append(bytes.Clone(seal), alice.line(over, 1)...)
			h.add("wrong", &record.GameWitnessed{Game: gameName(1), Seal: note, By: []string{alice.name}})
		}}}
	}
	witnessed := func(label string, to func(*record.GameWitnessed)) lies { return change(label, to) }
	named := func(to func(*record.WitnessesNamed)) lies { return change("named", to) }
	for _, d := range []damage{
		{"drawn without the one required", skip("witnessed 2"), verify.CheckDraw, "number 1 of 2",
			"alice.example has not cosigned"},
		{"the other alone", lies{skip: map[string]bool{"witnessed 2": true},
			before: map[string]func(*house){"number 1 of 2": func(h *house) { h.witnessed("bob", 2, bob) }}}, verify.CheckDraw,
			"number 1 of 2", "alice.example has not cosigned"},
		{"too late", before("number 2 of 1", func(h *house) { h.witnessed("late", 1, alice) }), verify.CheckSeal, "late",
			"after its first number"},
		{"said of somebody who did not", witnessed("witnessed 2",
			func(b *record.GameWitnessed) { b.By = append(b.By, bob.name) }), verify.CheckSeal, "witnessed 2", "and it says by"},
		{"not said of somebody who did", witnessed("witnessed 1", func(b *record.GameWitnessed) { b.By = b.By[:1] }),
			verify.CheckSeal, "witnessed 1", "and it says by"},
		{"by a stranger", before("witnessed 1", func(h *house) { h.witnessed("wrong", 1, newCosigner("carol.example", 43)) }),
			verify.CheckSeal, "wrong", "and it says by"},
		{"by a stranger under a name", before("witnessed 1",
			func(h *house) { h.witnessed("wrong", 1, newCosigner(alice.name, 43)) }), verify.CheckSeal, "wrong",
			"and it says by"},
		{"another size cosigned", signedOver(func(c *journal.Checkpoint) { c.Size-- }), verify.CheckSeal, "wrong",
			"does not hold"},
		{"another root cosigned", signedOver(func(c *journal.Checkpoint) { c.Root[0]++ }), verify.CheckSeal, "wrong",
			"does not hold"},
		{"the seal of another game", before("witnessed 2", func(h *house) {
			seal, over := h.sealNote(1)
			h.add("wrong", &record.GameWitnessed{Game: gameName(2), Seal: append(bytes.Clone(seal), alice.line(over, 1)...),
				By: []string{alice.name}})
		}), verify.CheckSeal, "wrong", "is not the seal of the game"},
		{"a key mistyped", named(func(b *record.WitnessesNamed) {
			b.Witnesses[0].Key = "alice.example+00000000" + b.Witnesses[0].Key[len("alice.example+00000000"):]
		}), verify.CheckSeal, "named", "mistyped"},
		{"a key of notes", named(func(b *record.WitnessesNamed) {
			_, vkey := key(t, alice.name, 41)
			b.Witnesses[0].Key = vkey
		}), verify.CheckSeal, "named", "not one of cosignatures"},
		{"a key of another name", named(func(b *record.WitnessesNamed) { b.Witnesses[0].Key = bob.named(true).Key }),
			verify.CheckSeal, "named", "the key of witness alice.example"},
		{"the house as its own witness",
			named(func(b *record.WitnessesNamed) { b.Witnesses = []record.Witness{newCosigner(origin, 1).named(true)} }),
			verify.CheckSeal, "named", "its own witness"},
	} {
		t.Run(d.name, func(t *testing.T) {
			h := newHouse(t, d.lies).tellWitnesses()
			expectFailure(t, runBothWays(t, h.files(), verify.Options{}), d.check, h.places, d.record, d.reason)
		})
	}
}

// agreed records that some have cosigned the journal as it is.
func (h *house) agreed(label string, by ...cosigner) {
	h.t.Helper()
	b := &record.JournalWitnessed{Checkpoint: h.signed()}
	for _, c := range by {
		b.Checkpoint = append(b.Checkpoint, c.line(h.checkpoint(), 1_794_682_950)...)
		b.By = append(b.By, c.name)
	}
	h.add(label, b)
}

// tellAgreed tells of a prize that is paid when the witness who must has agreed to the
// result.
func (h *house) tellAgreed() *house {
	h.t.Helper()
	h.found()
	h.add("named", &record.WitnessesNamed{Witnesses: []record.Witness{alice.named(true), bob.named(false)}})
	h.open(1)
	h.sell("five spots", 1, 1, 1, 1, 100, classic(100, 1, 2, 3, 4, 5))
	h.closeAndSeal(1, totals{plays: 1, ways: 1, stakes: 100, fund: 75, tickets: []string{"five spots"}})
	h.witnessed("witnessed 1", 1, alice)
	h.draw(1, firstNumbers)
	h.settle(1, record.GameSettled{Multiplier: 2, Plays: 1, Ways: 1, StakesCents: 100, Winners: 1, WinningWays: 1,
		PrizesCents: 64000},
		[]prize{{"five spots", 64000, 1}})
	h.agreed("agreed", alice, bob)
	h.pay("paid", 2, "five spots", 1, 64000)
	return h
}

// TestAgreed verifies that nothing is paid before those who must have agreed to the
// result, and lies about who has.
func TestAgreed(t *testing.T) {
	if report := runBothWays(t, newHouse(t, lies{}).tellAgreed().files(), verify.Options{}); !report.OK() {
		t.Fatal(report.Failure)
	}
	another := func(change func(*journal.Checkpoint)) lies {
		return lies{before: map[string]func(*house){"agreed": func(h *house) {
			over := h.checkpoint()
			change(&over)
			note, err := journal.SignCheckpoint(over, h.signer)
			require(t, err)
			h.add("wrong", &record.JournalWitnessed{Checkpoint: append(note, alice.line(over, 1)...), By: []string{alice.name}})
		}}}
	}
	for _, d := range []damage{
		{"paid before", skip("agreed"), verify.CheckPayments, "paid", "alice.example has not agreed"},
		{"the other alone", lies{skip: map[string]bool{"agreed": true},
			before: map[string]func(*house){"paid": func(h *house) { h.agreed("bob", bob) }}}, verify.CheckPayments, "paid",
			"alice.example has not agreed"},
		{"said of somebody who did not", change("agreed",
			func(b *record.JournalWitnessed) { b.By = []string{alice.name, bob.name, "carol.example"} }), verify.CheckSeal,
			"agreed", "and it says by"},
		{"not said of somebody who did", change("agreed", func(b *record.JournalWitnessed) { b.By = b.By[:1] }),
			verify.CheckSeal, "agreed", "and it says by"},
		{"another root", another(func(c *journal.Checkpoint) { c.Root[0]++ }), verify.CheckSeal, "wrong",
			"not the records up to there"},
		{"an earlier journal", another(func(c *journal.Checkpoint) { c.Size-- }), verify.CheckSeal, "wrong",
			"no game of late ended"},
		{"not signed by the house", change("agreed", func(b *record.JournalWitnessed) {
			b.Checkpoint = bytes.Replace(b.Checkpoint, []byte("— keno"), []byte("— reno"), 1)
		}), verify.CheckSeal, "agreed", "does not hold"},
		{"no checkpoint", change("agreed", func(b *record.JournalWitnessed) { b.Checkpoint = []byte("agreed") }),
			verify.CheckSeal, "agreed", "what was cosigned"},
	} {
		t.Run(d.name, func(t *testing.T) {
			h := newHouse(t, d.lies).tellAgreed()
			expectFailure(t, runBothWays(t, h.files(), verify.Options{}), d.check, h.places, d.record, d.reason)
		})
	}
}

// TestWitnessesOfTheInspector asks for cosignatures that the house does not ask for: it
// says itself whom it asks, and may ask nobody.
func TestWitnessesOfTheInspector(t *testing.T) {
	first, second := alice.named(false).Key, bob.named(false).Key
	stranger := newCosigner(alice.name, 43).named(false).Key
	for name, c := range map[string]struct {
		lies
		keys   []string
		least  int
		check  verify.Check // none if it holds
		record string
		reason string
	}{
		"one who signed all": {keys: []string{first}},
		"one of two":         {keys: []string{first, second}, least: 1},
		"both, and one did once": {keys: []string{first, second}, check: verify.CheckDraw, record: "number 1 of 2",
			reason: "bob.example has not cosigned"},
		"two of two": {keys: []string{first, second}, least: 2, check: verify.CheckDraw, record: "number 1 of 2",
			reason: "bob.example has not cosigned"},
		"an old key and the new": {keys: []string{stranger, first}},
		"another key of the name": {keys: []string{stranger}, check: verify.CheckSeal, record: "named",
			reason: "with another key than was given"},
		"a house that asks nobody": {lies: lies{skip: map[string]bool{"named": true, "witnessed 1": true,
			"witnessed 2": true}},
			keys: []string{first}, check: verify.CheckDraw, record: "number 1 of 1", reason: "alice.example has not cosigned"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, c.lies).tellWitnesses()
			report := runBothWays(t, h.files(), verify.Options{Witnesses: c.keys, Cosignatures: c.least})
			if c.check != "" {
				expectFailure(t, report, c.check, h.places, c.record, c.reason)
				return
			}
			if !report.OK() || !report.Witnesses[0].Given {
				t.Errorf("%v, %+v", report.Failure, report.Witnesses)
			}
		})
	}
	report := verify.Run(newHouse(t, lies{}).tellWitnesses().files(), verify.Options{Witnesses: []string{"alice.example"}})
	if f := report.Failure; f == nil || !strings.Contains(f.Reason, "what was given apart from the export") {
		t.Errorf("a key that is none: %v", f)
	}
}

// TestReadyTicketsOfAVenue sells a ready ticket of one venue there and elsewhere.
func TestReadyTicketsOfAVenue(t *testing.T) {
	for _, c := range []struct{ listed, want string }{
		{"harbour-club", ""}, {"", "for this venue"}, {"river-club", "for this venue"},
	} {
		h := newHouse(t, lies{})
		h.listed = c.listed
		h.found()
		h.open(1)
		// Totals of 3 are two of the groups, 5 two pairs of them, 6 one.
		h.sell("ready", 1, 1, 1, 5, 500, map[int]any{1: "classic", 2: 100, 4: [][]byte{{1, 11, 21}, {5, 15, 25}, {9, 19}},
			6: []byte{3, 5, 6}, 16: []any{"harbour-club-regulars", 1}})
		report := runBothWays(t, h.files(), verify.Options{})
		if c.want == "" {
			if !report.OK() {
				t.Error(report.Failure)
			}
			continue
		}
		expectFailure(t, report, verify.CheckRequests, h.places, "ready", c.want)
	}
}
