package witness

import (
	"bytes"
	"encoding/hex"
	"os"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"drawhouse/journal"
)

// TestCosignatureVectors holds the cosignatures against those that a program in
// another language wrote, see testdata/cosignature.py.
func TestCosignatureVectors(t *testing.T) {
	data, err := os.ReadFile("testdata/cosignature.txt")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(strings.TrimSpace(string(data)), "\n\n")[1:]
	if len(blocks) < 3 {
		t.Fatalf("%d vectors", len(blocks))
	}
	for _, block := range blocks {
		v := map[string]string{}
		for line := range strings.Lines(block) {
			key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			v[key] = value
		}
		checkVector(t, v)
	}
}

func checkVector(t *testing.T, v map[string]string) {
	t.Helper()
	seed, err1 := hex.DecodeString(v["seed"])
	skey, vkey, err2 := journal.GenerateKey(bytes.NewReader(seed), v["name"])
	signer, err3 := journal.ParseSigner(skey)
	seconds, err4 := strconv.ParseInt(v["time"], 10, 64)
	size, err5 := strconv.ParseUint(v["size"], 10, 64)
	root, err6 := tlog.ParseHash(v["root"])
	cosigner, err7 := NewCosigner(signer, vkey)
	for _, err := range []error{err1, err2, err3, err4, err5, err6, err7} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if cosigner.String() != v["key"] {
		t.Errorf("key %s, want %s", cosigner, v["key"])
	}
	checkpoint := journal.Checkpoint{Origin: v["origin"], Size: size, Root: root}
	line, err := cosigner.Cosign(checkpoint, seconds)
	if err != nil || string(line) != v["line"]+"\n" {
		t.Errorf("line %s, want %s: %v", line, v["line"], err)
	}
	verifier, err := ParseVerifier(v["key"])
	if err != nil {
		t.Fatal(err)
	}
	msg := append([]byte(checkpoint.Marshal()+"\n"), line...)
	found, err := Cosignatures(msg, verifier)
	if err != nil || len(found) != 1 || found[0].Name != v["name"] || found[0].Time != seconds ||
		!bytes.Equal(found[0].Line, line) {
		t.Errorf("found %+v: %v", found, err)
	}
}

// TestPublishedNote opens a checkpoint that the Go project's checksum database
// signed and everybody can look up, with its published key. It is here for the form
// of notes; its origin has spaces, which no log of ours has.
func TestPublishedNote(t *testing.T) {
	const key = "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8"
	const text = "go.sum database tree\n35225469\nvt5T6GaLCXvyHFl9VUvvItR43XZxfLgftEcTyO3eJCQ=\n"
	const msg = text +
		"\n— sum.golang.org Az3grpukl5AXaVfYkLiDGORx/DN2nlcS5kZHR5uYOBV2KA2HgXpD+gu9HHONebHLAyaKbbTM75QTtPydhKCExixSfwQ=\n"
	verifier, err := journal.ParseVerifier(key)
	if err != nil {
		t.Fatal(err)
	}
	got, signers, err := journal.OpenNote([]byte(msg), verifier)
	if err != nil || got != text || strings.Join(signers, " ") != "sum.golang.org" {
		t.Errorf("%q by %q: %v", got, signers, err)
	}
	if _, _, err := journal.OpenNote([]byte(strings.Replace(msg, "35225469", "35225468", 1)), verifier); err == nil {
		t.Error("another size was accepted")
	}
}

// TestExampleOfTheSpecification reads the cosignature that C2SP tlog-cosignature
// shows. Its key is not published; its time is.
func TestExampleOfTheSpecification(t *testing.T) {
	const msg = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n" +
		"— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==\n"
	stamp := &stamped{}
	if _, err := note.Open([]byte(msg), note.VerifierList(stamp)); err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(stamp.sig, []byte{0, 0, 0, 0, 0x64, 0x18, 0x50, 0xcb}) || len(stamp.sig) != 72 {
		t.Errorf("signature %x, want the time 1679315147 and 64 bytes", stamp.sig)
	}
}

// stamped accepts every signature of the example's key and keeps it.
type stamped struct{ sig []byte }

func (*stamped) Name() string    { return "witness.example.com/w1" }
func (*stamped) KeyHash() uint32 { return 0x8d66cf3f }
func (s *stamped) Verify(_, sig []byte) bool {
	s.sig = sig
	return true
}

// TestTamperingWithCosignatures changes every bit of the line and every byte of the
// checkpoint.
func TestTamperingWithCosignatures(t *testing.T) {
	cosigner, l := testCosigner(t, "inspector.example"), newLog(t).grow(5, "record")
	line, err := cosigner.Cosign(l.checkpoint(), 1_794_711_600)
	if err != nil {
		t.Fatal(err)
	}
	msg := append([]byte(l.checkpoint().Marshal()+"\n"), line...)
	if found, err := Cosignatures(msg, cosigner.Verifier); err != nil || len(found) != 1 {
		t.Fatalf("%v: %v", found, err)
	}
	for i := range msg {
		for bit := range 8 {
			changed := bytes.Clone(msg)
			changed[i] ^= 1 << bit
			if found, err := Cosignatures(changed, cosigner.Verifier); err == nil && len(found) > 0 {
				t.Fatalf("bit %d of byte %d changed, and still cosigned by %v", bit, i, found)
			}
		}
	}
}

// TestCosignedSeal puts the cosignature of a checkpoint under the seal that has it,
// and under one that has not.
func TestCosignedSeal(t *testing.T) {
	cosigner, l := testCosigner(t, "inspector.example"), newLog(t).grow(5, "record")
	line, err := cosigner.Cosign(l.checkpoint(), 1_794_711_600)
	if err != nil {
		t.Fatal(err)
	}
	_, _, house := testKey(t, testHouse)
	seal, err := journal.OpenSeal(append(testSeal(t, l, 417, 0), line...), house, cosigner.OfSeals())
	if err != nil || strings.Join(seal.Signers(), " ") != "keno.example inspector.example" {
		t.Errorf("signed by %q: %v", seal.Signers(), err)
	}
	other := testSeal(t, l.grow(1, "record"), 417, 0)
	if seal, err := journal.OpenSeal(append(other, line...), house, cosigner.OfSeals()); err == nil {
		t.Errorf("a cosignature of another checkpoint is under the seal: %q", seal.Signers())
	}
}

func TestKeysRefuse(t *testing.T) {
	cosigner := testCosigner(t, "inspector.example")
	signer, vkey, _ := testKey(t, "inspector.example")
	_, otherKey, _ := testKey(t, "other.example")
	for name, key := range map[string]string{
		"empty":            "",
		"a note's key":     vkey,
		"another name":     strings.Replace(cosigner.String(), "inspector", "inspektor", 1),
		"another id":       strings.Replace(cosigner.String(), "+", "+0", 1),
		"cut":              cosigner.String()[:len(cosigner.String())-4],
		"a space in it":    strings.Replace(cosigner.String(), ".", " ", 1),
		"without its name": strings.TrimPrefix(cosigner.String(), "inspector.example"),
	} {
		if _, err := ParseVerifier(key); err == nil {
			t.Errorf("%s: %q was read", name, key)
		}
	}
	for name, key := range map[string]string{"another's key": otherKey, "a witness's key": cosigner.String(), "none": ""} {
		if _, err := NewCosigner(signer, key); err == nil {
			t.Errorf("%s: a cosigner was made", name)
		}
	}
	if _, err := cosigner.Cosign(newLog(t).checkpoint(), -1); err == nil {
		t.Error("a time before 1970 was signed")
	}
	if _, err := cosigner.Cosign(journal.Checkpoint{}, 1); err == nil {
		t.Error("no checkpoint was signed")
	}
}

// testSeal is the house's seal of a game over the log as it is. The plays make two
// seals of one game differ.
func testSeal(t testing.TB, l *log, number uint32, plays uint64) []byte {
	t.Helper()
	house, _, _ := testKey(t, testHouse)
	body := journal.SealBody{Checkpoint: l.checkpoint(),
		Game: journal.Game{Series: "vic-keno", Day: "2026-11-15", Number: number}}
	if plays > 0 {
		bits, err := journal.NewBitmapBuilder(0, 1)
		if err != nil {
			t.Fatal(err)
		}
		body.Plays, body.Open = plays, []journal.Span{bits.Build().Span(1)}
	}
	msg, err := journal.SignSeal(body, house)
	if err != nil {
		t.Fatal(err)
	}
	return msg
}
