package journal

import (
	"crypto/ed25519"
	"crypto/rand"
	"testing"
)

// TestProve: a key proves that it signs, also one that something else holds; another key does not prove it.
func TestProve(t *testing.T) {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer, vkey, err := NewSigner("held.example", private)
	if err != nil {
		t.Fatal(err)
	}
	if err := Prove(signer, vkey); err != nil || HolderOf(signer) == nil {
		t.Errorf("%v, held by %v", err, HolderOf(signer))
	}
	if name, found, err := PublicKey(vkey); err != nil || name != "held.example" || !found.Equal(public) {
		t.Errorf("%s %x: %v", name, found, err)
	}
	skey, other, err := GenerateKey(rand.Reader, "held.example")
	if err != nil {
		t.Fatal(err)
	}
	if err := Prove(signer, other); err == nil {
		t.Error("a key proved another one")
	}
	if inMemory, err := ParseSigner(skey); err != nil || HolderOf(inMemory) != nil || Prove(inMemory, other) != nil {
		t.Errorf("a key in memory: %v", err)
	}
	if _, _, err := PublicKey("held.example+00000000+AA=="); err == nil {
		t.Error("no key was read as one")
	}
}
