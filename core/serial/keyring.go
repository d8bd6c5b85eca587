package serial

import (
	"crypto/hkdf"
	"crypto/sha256"
	"fmt"
	"strings"
)

// A Key is a secret from which the keys of one purpose are derived. It must be
// made of 32 random bytes.
type Key [32]byte

// A Keyring turns places into serials and back. It never changes, so any number
// of goroutines may use it; a new volume takes a new Keyring.
type Keyring struct {
	outer   permutation
	volumes map[uint16]volume
}

// A volume is what is kept for a volume's serials.
type volume struct {
	inner permutation
	mac   [32]byte
}

// NewKeyring returns the keyring of a house with the keys of its volumes. Keys
// of volumes that have ended stay in it as long as their tickets can be claimed.
func NewKeyring(house Key, volumes map[uint16]Key) (*Keyring, error) {
	outer, err := derivePermutation(house, "house", serialCount)
	if err != nil {
		return nil, err
	}
	k := &Keyring{outer: outer, volumes: make(map[uint16]volume, len(volumes))}
	for number, key := range volumes {
		if err := (Place{Volume: number}).Check(); err != nil {
			return nil, err
		}
		var v volume
		if v.inner, err = derivePermutation(key, fmt.Sprintf("volume %d", number), volumeSpan); err != nil {
			return nil, err
		}
		if v.mac, err = derive(key, fmt.Sprintf("successor %d", number)); err != nil {
			return nil, err
		}
		k.volumes[number] = v
	}
	return k, nil
}

// derive returns the key of one purpose, so that none serves for two.
func derive(key Key, purpose string) (derived [32]byte, err error) {
	b, err := hkdf.Key(sha256.New, key[:], nil, "drawhouse/serial/v1 "+purpose, len(derived))
	if err != nil {
		return derived, fmt.Errorf("serial: deriving the key of %s: %w", purpose, err)
	}
	return [32]byte(b), nil
}

func derivePermutation(key Key, purpose string, domain uint64) (permutation, error) {
	derived, err := derive(key, purpose)
	if err != nil {
		return permutation{}, err
	}
	return newPermutation(derived, domain)
}

// cover returns the 15 digits of a place as a number.
func (k *Keyring) cover(p Place) (uint64, error) {
	if err := p.Check(); err != nil {
		return 0, err
	}
	v, ok := k.volumes[p.Volume]
	if !ok {
		return 0, unknownVolume(p.Volume)
	}
	return k.outer.forward(uint64(p.Volume)*volumeSpan + v.inner.forward(p.Seq)), nil
}

// uncover returns the place of a number of 15 digits.
func (k *Keyring) uncover(n uint64) (Place, error) {
	n = k.outer.backward(n)
	number := uint16(n / volumeSpan)
	v, ok := k.volumes[number]
	if !ok {
		return Place{}, unknownVolume(number)
	}
	return Place{Volume: number, Seq: v.inner.backward(n % volumeSpan)}, nil
}

func unknownVolume(number uint16) error {
	return fmt.Errorf("serial: no key of volume %d: %w", number, ErrVolume)
}

// Serial returns the serial of 16 digits of a place.
//
//rule:tas-keno-2023 1.61
func (k *Keyring) Serial(p Place) (Serial, error) {
	n, err := k.cover(p)
	if err != nil {
		return Serial{}, err
	}
	return makeSerial(n), nil
}

// Find returns the place of a serial. That there is a ticket is not said: of a
// guessed serial it is as a rule a place that no record has.
func (k *Keyring) Find(s Serial) (Place, error) {
	if s.IsZero() {
		return Place{}, fmt.Errorf("serial: there is no serial: %w", ErrLength)
	}
	return k.uncover(s.number())
}

// A Code is the serial of a ticket as its paper has it, in either form. It is comparable; the zero Code is none.
type Code struct{ text string }

// String returns the characters of the code.
func (c Code) String() string { return c.text }

// Code returns the serial of a place, in the successor's form or in that of 16 digits.
func (k *Keyring) Code(p Place, successor bool) (Code, error) {
	if successor {
		s, err := k.Successor(p)
		return Code{s.String()}, err
	}
	s, err := k.Serial(p)
	return Code{s.String()}, err
}

// ParseCode reads a serial of either form.
func ParseCode(text string) (Code, error) {
	if OfSuccessor(text) {
		s, err := ParseSuccessor(text)
		return Code{s.String()}, err
	}
	s, err := Parse(text)
	return Code{s.String()}, err
}

// OfSuccessor reports whether a text begins as a serial of the successor's form does.
func OfSuccessor(text string) bool {
	return len(text) >= len(successorPrefix) && strings.EqualFold(text[:len(successorPrefix)], successorPrefix)
}

// Read finds the place of a serial of either form from its text, as it comes
// from a bar code or a keyboard.
//
//rule:tas-keno-2023 3.2
func (k *Keyring) Read(text string) (Place, error) {
	if OfSuccessor(text) {
		s, err := ParseSuccessor(text)
		if err != nil {
			return Place{}, err
		}
		return k.FindSuccessor(s)
	}
	s, err := Parse(text)
	if err != nil {
		return Place{}, err
	}
	return k.Find(s)
}
