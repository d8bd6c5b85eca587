package lab

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha512"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"

	"golang.org/x/crypto/ssh"
)

// Namespace is what the signature of a pack is for, so that it counts for nothing else.
const Namespace = "drawhouse-lab-pack"

// signature is the form of a signature of ssh-keygen -Y sign, PROTOCOL.sshsig of OpenSSH, behind its first six bytes.
type signature struct {
	Version   uint32
	PublicKey []byte
	Namespace string
	Reserved  string
	Hash      string
	Signature []byte
}

// signed is what is signed, behind the same six bytes.
type signed struct{ Namespace, Reserved, Hash, Sum string }

const (
	sigMagic = "SSHSIG"
	sigType  = "SSH SIGNATURE"
	sigHash  = "sha512"
)

func bytesToSign(data []byte) []byte {
	sum := sha512.Sum512(data)
	return append([]byte(sigMagic), ssh.Marshal(signed{Namespace: Namespace, Hash: sigHash, Sum: string(sum[:])})...)
}

// ParseKey reads an Ed25519 private key, of ssh-keygen or PKCS #8 in PEM, that has no password.
func ParseKey(data []byte) (ed25519.PrivateKey, error) {
	raw, err := ssh.ParseRawPrivateKey(data)
	if missing := new(ssh.PassphraseMissingError); errors.As(err, &missing) {
		return nil, errors.New("the key has a password; sign the file SHA256SUMS of an unsigned pack with ssh-keygen instead")
	}
	if err != nil {
		return nil, fmt.Errorf("this is no private key of ssh-keygen and none in PKCS #8: %w", err)
	}
	switch key := raw.(type) {
	case *ed25519.PrivateKey:
		return *key, nil
	case ed25519.PrivateKey:
		return key, nil
	}
	return nil, errors.New("the key is not one of Ed25519; ssh-keygen -t ed25519 makes one")
}

// ParsePublic reads a public key as ssh-keygen writes it: ssh-ed25519 AAAA...
func ParsePublic(data []byte) (ssh.PublicKey, error) {
	key, _, _, _, err := ssh.ParseAuthorizedKey(data)
	if err != nil {
		return nil, errors.New("this is no public key as ssh-keygen writes it: ssh-ed25519 AAAA...")
	}
	if key.Type() != ssh.KeyAlgoED25519 {
		return nil, fmt.Errorf("the key is one of %s, and packs are signed by ssh-ed25519", key.Type())
	}
	return key, nil
}

// sign returns the signature of ssh-keygen -Y sign over data. It is the same each time.
func sign(key ed25519.PrivateKey, data []byte) ([]byte, error) {
	signer, err := ssh.NewSignerFromKey(key)
	if err != nil {
		return nil, err
	}
	made, err := signer.Sign(rand.Reader, bytesToSign(data)) // Ed25519 reads no randomness.
	if err != nil {
		return nil, err
	}
	blob := append([]byte(sigMagic), ssh.Marshal(signature{Version: 1, PublicKey: signer.PublicKey().Marshal(),
		Namespace: Namespace, Hash: sigHash, Signature: ssh.Marshal(made)})...)
	return armour(blob), nil
}

// publicOf returns the public half of a key as ssh-keygen writes it.
func publicOf(key ed25519.PrivateKey) (string, error) {
	signer, err := ssh.NewSignerFromKey(key)
	if err != nil {
		return "", err
	}
	return string(bytes.TrimSpace(ssh.MarshalAuthorizedKey(signer.PublicKey()))), nil
}

// armour writes a signature as ssh-keygen does, with lines of 70 letters, which is not the length of PEM.
func armour(blob []byte) []byte {
	text := base64.StdEncoding.EncodeToString(blob)
	var b bytes.Buffer
	b.WriteString("-----BEGIN " + sigType + "-----\n")
	for len(text) > 0 {
		n := min(70, len(text))
		b.WriteString(text[:n] + "\n")
		text = text[n:]
	}
	b.WriteString("-----END " + sigType + "-----\n")
	return b.Bytes()
}

// checkSignature returns why a signature is not one over data by a key.
func checkSignature(key ssh.PublicKey, data, sig []byte) error {
	block, _ := pem.Decode(sig)
	if block == nil || block.Type != sigType {
		return errors.New("it is no signature of ssh-keygen -Y sign")
	}
	blob, ok := bytes.CutPrefix(block.Bytes, []byte(sigMagic))
	var s signature
	if err := ssh.Unmarshal(blob, &s); !ok || err != nil || s.Version != 1 {
		return errors.New("it is no signature of ssh-keygen -Y sign in version 1")
	}
	if s.Namespace != Namespace || s.Hash != sigHash {
		return fmt.Errorf("it is a signature for %q with %s, and not for %q with %s", s.Namespace, s.Hash, Namespace, sigHash)
	}
	if !bytes.Equal(s.PublicKey, key.Marshal()) {
		return errors.New("it was made by another key than the one you gave")
	}
	var made ssh.Signature
	if err := ssh.Unmarshal(s.Signature, &made); err != nil {
		return errors.New("it is damaged")
	}
	if err := key.Verify(bytesToSign(data), &made); err != nil {
		return errors.New("it is of other bytes")
	}
	return nil
}
