package journal

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false,
	"write the golden files anew; read the difference before you keep it, for these texts are signed")

// golden compares a text with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *rewrite {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is\n%s\nwant\n%s", name, got, want)
	}
}

// testKey makes the same key for the same name every time.
func testKey(t testing.TB, name string) (Signer, Verifier) {
	t.Helper()
	skey, vkey, err := GenerateKey(strings.NewReader(strings.Repeat(name, 32)), name)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ParseSigner(skey)
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := ParseVerifier(vkey)
	if err != nil {
		t.Fatal(err)
	}
	return signer, verifier
}

func TestKeys(t *testing.T) {
	skey, vkey, err := GenerateKey(rand.Reader, "keno.example/vic")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ParseSigner(skey)
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := ParseVerifier(vkey)
	if err != nil {
		t.Fatal(err)
	}
	sig, err := signer.Sign([]byte("text"))
	if err != nil || !verifier.Verify([]byte("text"), sig) || verifier.Verify([]byte("other"), sig) {
		t.Errorf("key pair does not work: %v", err)
	}
	if signer.Name() != verifier.Name() || signer.KeyHash() != verifier.KeyHash() {
		t.Error("the halves of the key pair have different names")
	}
}

func TestKeysRefuse(t *testing.T) {
	if _, _, err := GenerateKey(strings.NewReader("short"), "name"); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("short entropy: %v", err)
	}
	for _, name := range []string{"", "a b", "a+b", "a\nb", "\xff", "a\x7f", strings.Repeat("n", 256)} {
		if _, _, err := GenerateKey(rand.Reader, name); err == nil {
			t.Errorf("a key for the name %q", name)
		}
	}
	for _, key := range []string{"", "x", "PRIVATE+KEY+a+00000000+AQ=="} {
		if _, err := ParseSigner(key); err == nil {
			t.Errorf("signer key %q", key)
		}
		if _, err := ParseVerifier(key); err == nil {
			t.Errorf("verifier key %q", key)
		}
	}
	if _, err := VerifierKey("name", ed25519.PublicKey{1}); err == nil {
		t.Error("a verifier key of one byte")
	}
}

// module stands for the driver of a hardware module.
type module struct {
	crypto.Signer
	sign func(sig []byte) ([]byte, error)
}

func (m module) Sign(r io.Reader, msg []byte, opts crypto.SignerOpts) ([]byte, error) {
	sig, err := m.Signer.Sign(r, msg, opts)
	if err != nil {
		return nil, err
	}
	return m.sign(sig)
}

func TestSignerHeldElsewhere(t *testing.T) {
	key := ed25519.NewKeyFromSeed(make([]byte, 32))
	good := module{key, func(sig []byte) ([]byte, error) { return sig, nil }}
	signer, vkey, err := NewSigner("house", good)
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := ParseVerifier(vkey)
	if err != nil {
		t.Fatal(err)
	}
	msg, err := SignNote("text\n", signer)
	if err != nil {
		t.Fatal(err)
	}
	if text, _, err := OpenNote(msg, verifier); err != nil || text != "text\n" {
		t.Errorf("opened %q: %v", text, err)
	}
	for what, sign := range map[string]func([]byte) ([]byte, error){
		"wrong signature": func(sig []byte) ([]byte, error) { sig[0] ^= 1; return sig, nil },
		"failure":         func([]byte) ([]byte, error) { return nil, errors.New("out of order") },
	} {
		signer, _, err := NewSigner("house", module{key, sign})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := SignNote("text\n", signer); err == nil {
			t.Errorf("%s: signed", what)
		}
	}
	other, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := NewSigner("house", other); err == nil {
		t.Error("a key that is not Ed25519")
	}
	if _, _, err := NewSigner("bad name", key); err == nil {
		t.Error("a name with a space")
	}
}

func TestOpenNoteNeedsTheAuthor(t *testing.T) {
	house, houseV := testKey(t, "house")
	witness, witnessV := testKey(t, "witness")
	_, strangerV := testKey(t, "stranger")
	both, err := SignNote("text\n", house, witness)
	if err != nil {
		t.Fatal(err)
	}
	alone, err := SignNote("text\n", witness)
	if err != nil {
		t.Fatal(err)
	}
	if _, signers, err := OpenNote(both, houseV, witnessV, strangerV); err != nil ||
		strings.Join(signers, " ") != "house witness" {
		t.Errorf("signers %v: %v", signers, err)
	}
	if _, signers, err := OpenNote(both, houseV); err != nil || strings.Join(signers, " ") != "house" {
		t.Errorf("an unknown key is listed: %v, %v", signers, err)
	}
	if _, _, err := OpenNote(alone, houseV, witnessV); err == nil {
		t.Error("a note without its author's signature was opened")
	}
	if _, err := SignNote("text\n"); err == nil {
		t.Error("a note without a signer")
	}
	if _, err := SignNote("text", house); err == nil {
		t.Error("a note without a newline at its end")
	}
}

func TestTamperingWithNotes(t *testing.T) {
	signer, verifier := testKey(t, "house")
	seal, err := SignSeal(testSeal(t), signer)
	if err != nil {
		t.Fatal(err)
	}
	checkpoint, err := SignCheckpoint(testSeal(t).Checkpoint, signer)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 8 * len(seal) {
		bent := bytes.Clone(seal)
		bent[i/8] ^= 1 << (i % 8)
		if s, err := OpenSeal(bent, verifier); err == nil || !s.IsZero() {
			t.Errorf("bit %d of the seal changed: opened", i)
		}
	}
	for i := range 8 * len(checkpoint) {
		bent := bytes.Clone(checkpoint)
		bent[i/8] ^= 1 << (i % 8)
		if _, _, err := OpenCheckpoint(bent, verifier); err == nil {
			t.Errorf("bit %d of the checkpoint changed: opened", i)
		}
	}
	// A signature over one thing does not serve for the other.
	if _, err := OpenSeal(checkpoint, verifier); err == nil {
		t.Error("a checkpoint was opened as a seal")
	}
	if _, _, err := OpenCheckpoint(seal, verifier); err == nil {
		t.Error("a seal was opened as a checkpoint")
	}
}
