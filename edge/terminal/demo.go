package terminal

import (
	"crypto/ed25519"
	"crypto/sha256"
	"fmt"
)

// DemoKey returns the key of a terminal of a demonstration. Everybody can work it
// out, so that it proves nothing: a house that has such keys listens on loopback and
// nowhere else.
func DemoKey(terminal uint32) ed25519.PrivateKey {
	seed := sha256.Sum256(fmt.Appendf(nil, "drawhouse demonstration terminal %d, known to everybody", terminal))
	return ed25519.NewKeyFromSeed(seed[:])
}

// DemoPublic returns the public half of DemoKey.
func DemoPublic(terminal uint32) [32]byte {
	public, _ := DemoKey(terminal).Public().(ed25519.PublicKey)
	return [32]byte(public)
}
