// Package keyfile opens signing keys by their names: files, and keys in PKCS#11 tokens. It is the one place where a
// name becomes a signer.
//
// A file has two lines. The second is the verifier key. The first is the secret key, or the name of a key in a token
// (package pkcs11), whose secret is nowhere else. A file of the second kind is no secret; it says which key is meant,
// so that a token with another key under the same label signs nothing.
package keyfile

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"drawhouse/journal"
	"drawhouse/journal/pkcs11"
)

// A Key signs.
type Key struct {
	Signer   journal.Signer
	Verifier string
	Token    string // the name of a key in a token; empty for one in a file
}

// Read reads the file of a key. A token that holds the key is not touched.
func Read(path string) (Key, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return Key{}, err
	}
	key, err := Parse(data)
	if err != nil {
		return Key{}, fmt.Errorf("%s: %w", path, err)
	}
	return key, nil
}

// Parse reads what stands in the file of a key.
func Parse(data []byte) (Key, error) {
	first, verifier, _ := strings.Cut(strings.TrimSpace(string(data)), "\n")
	if pkcs11.IsURI(first) {
		return inToken(first, verifier)
	}
	signer, err := journal.ParseSigner(first)
	if err != nil {
		return Key{}, err
	}
	known, err := journal.ParseVerifier(verifier)
	if err != nil {
		return Key{}, err
	}
	if known.Name() != signer.Name() || known.KeyHash() != signer.KeyHash() {
		return Key{}, fmt.Errorf("the two lines are not one key")
	}
	return Key{Signer: signer, Verifier: verifier}, nil
}

func inToken(name, verifier string) (Key, error) {
	uri, err := pkcs11.ParseURI(name)
	if err != nil {
		return Key{}, err
	}
	as, public, err := journal.PublicKey(verifier)
	if err != nil {
		return Key{}, err
	}
	signer, vkey, err := journal.NewSigner(as, pkcs11.New(uri, public))
	if err == nil && vkey != verifier {
		err = fmt.Errorf("the second line is not the verifier key %s", vkey)
	}
	return Key{Signer: signer, Verifier: verifier, Token: uri.String()}, err
}

// Text returns what stands in the file of a key in a token.
func (k Key) Text() string { return k.Token + "\n" + k.Verifier + "\n" }

// Generate makes a key of a name, and returns what stands in its file, which is secret.
func Generate(entropy io.Reader, as string) (text string, err error) {
	secret, public, err := journal.GenerateKey(entropy, as)
	return secret + "\n" + public + "\n", err
}

// Take takes a key in a token into use under a name. The token must say its public half, and the key must sign.
func Take(name, as string) (Key, pkcs11.Info, error) {
	uri, err := pkcs11.ParseURI(name)
	if err != nil {
		return Key{}, pkcs11.Info{}, err
	}
	info, err := pkcs11.Look(uri)
	if err != nil {
		return Key{}, info, err
	}
	if info.Public == nil {
		return Key{}, info, fmt.Errorf("the token does not tell the public half of the key; store it beside the private one, under the same label and id")
	}
	signer, verifier, err := journal.NewSigner(as, pkcs11.New(uri, info.Public))
	if err != nil {
		return Key{}, info, err
	}
	return Key{Signer: signer, Verifier: verifier, Token: uri.String()}, info, journal.Prove(signer, verifier)
}

// Prove has the key sign something that says nothing, and returns how long that took.
func (k Key) Prove() (took time.Duration, err error) {
	begun := time.Now()
	err = journal.Prove(k.Signer, k.Verifier)
	return time.Since(begun), err
}
