package pkcs11

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"io"
	"time"
)

// Ed25519 as the parameters of a key name it: by its number, 1.3.101.112, or by its name, as older modules have it.
var (
	curveOID  = []byte{0x06, 0x03, 0x2b, 0x65, 0x70}
	curveName = append([]byte{0x13, 12}, "edwards25519"...)
)

// publicOf reads the point of a public key: as it is, in an octet string, or in a bit string. It returns nil if it is
// none of these.
func publicOf(point []byte) ed25519.PublicKey {
	for _, before := range [][]byte{nil, {0x04, 0x20}, {0x03, 0x21, 0x00}} {
		if rest, ok := bytes.CutPrefix(point, before); ok && len(rest) == ed25519.PublicKeySize {
			return ed25519.PublicKey(bytes.Clone(rest))
		}
	}
	return nil
}

func newNumber(v uint64) []byte { return binary.BigEndian.AppendUint64(nil, v) }

// A Key is an Ed25519 key in a token, of which the public half is known. It is a crypto.Signer whose methods may be
// called by any number of goroutines.
type Key struct {
	uri    URI
	public ed25519.PublicKey
	token  *token
}

// New returns a key by its name and its public half. The token is not touched before the key signs, so that a program
// starts without it.
func New(uri URI, public ed25519.PublicKey) *Key {
	return &Key{uri: uri, public: public, token: sharedToken(uri)}
}

// URI returns the name of the key.
func (k *Key) URI() URI { return k.uri }

// Public returns the ed25519.PublicKey.
func (k *Key) Public() crypto.PublicKey { return k.public }

// Sign signs a message, not a hash of it, within SignWithin. The caller verifies the signature.
func (k *Key) Sign(_ io.Reader, message []byte, options crypto.SignerOpts) (signature []byte, err error) {
	if options.HashFunc() != crypto.Hash(0) {
		return nil, fmt.Errorf("pkcs11: Ed25519 signs messages and no %v", options.HashFunc())
	}
	err = k.token.use(func(deadline time.Time) error {
		signature, err = k.sign(message, deadline)
		return err
	})
	return signature, err
}

func (k *Key) sign(message []byte, deadline time.Time) ([]byte, error) {
	t := k.token
	handle, ok := t.handles[k.uri]
	if !ok {
		found, info, err := t.key(k.uri, deadline)
		if err != nil {
			return nil, err
		}
		if info.Public != nil && !info.Public.Equal(k.public) {
			return nil, fmt.Errorf("%w %q has another key %s than the one that was taken into use; its public key is %x and not %x",
				ErrKey, t.info.label, k.uri.keyName(), []byte(info.Public), []byte(k.public))
		}
		handle, t.handles[k.uri] = found, found
	}
	p := t.process
	if _, err := p.do(callSignInit, newRequest(callSignInit).number(t.session).mechanism(mechanismEdDSA, p.short).
		number(handle), deadline); err != nil {
		return nil, err
	}
	a, err := p.do(callSign, newRequest(callSign).number(t.session).array(message).uint32(ed25519.SignatureSize), deadline)
	if err != nil {
		return nil, err
	}
	signature := bytes.Clone(a.array())
	return signature, a.done()
}

// Info is what a token says of a private key.
type Info struct {
	Token  string
	Label  string
	ID     []byte
	Public ed25519.PublicKey // nil if the token does not tell it
	Kept   bool              // the key leaves the token neither open nor wrapped
	Born   bool              // it never did, since it was made
}

// Look finds a key and returns what the token says of it.
func Look(uri URI) (info Info, err error) {
	err = sharedToken(uri).use(func(deadline time.Time) error {
		_, info, err = sharedToken(uri).key(uri, deadline)
		return err
	})
	return info, err
}

// Make makes a key in the token that never leaves it, and returns what the token says of it. A name that a key bears
// already is refused.
func Make(uri URI) (info Info, err error) {
	if uri.Object == "" {
		return Info{}, fmt.Errorf("pkcs11: a new key needs a label; add object=LABEL to %v", uri)
	}
	id := []byte(uri.ID)
	if len(id) == 0 {
		id = make([]byte, 8)
		if _, err := rand.Read(id); err != nil {
			return Info{}, err
		}
	}
	t := newToken(uri, true)
	defer t.close()
	err = t.use(func(deadline time.Time) error {
		for _, class := range []uint64{classPrivate, classPublic} {
			found, err := t.objects(URI{Object: uri.Object}, class, deadline)
			if err != nil {
				return err
			}
			if len(found) > 0 {
				return fmt.Errorf("%w %q has a key with the label %q already; keys are not written over", ErrKey,
					t.info.label, uri.Object)
			}
		}
		err := t.generate(uri.Object, id, curveOID, deadline)
		if answers(err, 0x13, 0xd1, 0x130, 0x140) { // A module from before the number was agreed on.
			err = t.generate(uri.Object, id, curveName, deadline)
		}
		if err != nil {
			return err
		}
		_, info, err = t.key(uri, deadline)
		return err
	})
	return info, err
}

func (t *token) generate(label string, id, curve []byte, deadline time.Time) error {
	of := func(more ...attribute) []attribute {
		return append([]attribute{{attrToken, true}, {attrKeyType, keyTypeEdwards}, {attrLabel, []byte(label)},
			{attrID, id}}, more...)
	}
	_, err := t.process.do(callGenerateKeyPair, newRequest(callGenerateKeyPair).number(t.session).
		mechanism(mechanismEdwardsKeyPairGen, t.process.short).
		attributes(of(attribute{attrPrivate, false}, attribute{attrVerify, true}, attribute{attrECParams, curve})...).
		attributes(of(attribute{attrPrivate, true}, attribute{attrSensitive, true}, attribute{attrExtractable, false},
			attribute{attrSign, true})...), deadline)
	return err
}
