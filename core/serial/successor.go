package serial

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"fmt"
)

const (
	successorPrefix  = "TO"
	successorPlace   = 10 // symbols of the 15 digits, 50 bits
	successorCode    = 14 // symbols of the authentication code, 70 bits
	successorSymbols = successorPlace + successorCode + 1
)

// A Successor is the serial of a ticket in the form of the successor system: 27
// characters that begin with TO. The 25 others are of Crockford's base 32. It is
// comparable; the zero Successor is none.
type Successor struct {
	symbols [successorSymbols]byte
	valid   bool
}

// Successor returns the serial of a place in the successor's form.
//
//rule:tas-keno-2023 1.61
func (k *Keyring) Successor(p Place) (Successor, error) {
	n, err := k.cover(p)
	if err != nil {
		return Successor{}, err
	}
	s := Successor{valid: true}
	putSymbols(s.symbols[:successorPlace], n)
	code := k.volumes[p.Volume].code(p)
	copy(s.symbols[successorPlace:], code[:])
	s.symbols[successorSymbols-1] = checkSymbol(s.symbols[:successorSymbols-1])
	return s, nil
}

// code returns the authentication code of a place as symbols: HMAC-SHA-256 under
// the volume's key, the first five bits of as many bytes.
func (v volume) code(p Place) (code [successorCode]byte) {
	mac := hmac.New(sha256.New, v.mac[:])
	var message [10]byte
	binary.BigEndian.PutUint16(message[:2], p.Volume)
	binary.BigEndian.PutUint64(message[2:], p.Seq)
	mac.Write(message[:])
	sum := mac.Sum(nil)
	for i := range code {
		code[i] = sum[i] >> 3
	}
	return code
}

// FindSuccessor returns the place of a serial. It refuses one that the house did
// not make, but cannot know whether the ticket was sold.
func (k *Keyring) FindSuccessor(s Successor) (Place, error) {
	if !s.valid {
		return Place{}, fmt.Errorf("serial: there is no serial: %w", ErrLength)
	}
	n := getSymbols(s.symbols[:successorPlace])
	if n >= serialCount {
		return Place{}, fmt.Errorf("serial: %s: %w", s, ErrForged)
	}
	p, err := k.uncover(n)
	if err != nil {
		return Place{}, err
	}
	code := k.volumes[p.Volume].code(p)
	if subtle.ConstantTimeCompare(code[:], s.symbols[successorPlace:successorSymbols-1]) != 1 {
		return Place{}, fmt.Errorf("serial: %s: %w", s, ErrForged)
	}
	return p, nil
}

// ParseSuccessor reads a serial in the successor's form. Case does not matter,
// and after TO the letter O counts as 0 and I and L as 1; spaces and hyphens are
// passed over.
//
//rule:tas-keno-2023 3.2(b)
func ParseSuccessor(text string) (Successor, error) {
	if !OfSuccessor(text) {
		return Successor{}, fmt.Errorf("serial: %q does not begin with %s: %w", text, successorPrefix, ErrCharacter)
	}
	symbols, err := parseSymbols(text[len(successorPrefix):], successorSymbols, len(successorPrefix))
	if err != nil {
		return Successor{}, fmt.Errorf("serial: %w", err)
	}
	s := Successor{symbols: [successorSymbols]byte(symbols), valid: true}
	if checkSymbol(symbols[:successorSymbols-1]) != symbols[successorSymbols-1] {
		return Successor{}, fmt.Errorf("serial: %s: %w", s, ErrCheck)
	}
	return s, nil
}

// IsZero reports whether there is no serial.
func (s Successor) IsZero() bool { return !s.valid }

// String returns the 27 characters, or nothing for the zero Successor.
func (s Successor) String() string {
	if !s.valid {
		return ""
	}
	return successorPrefix + spell(s.symbols[:])
}

// MarshalText returns the 27 characters.
func (s Successor) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText wrote. An empty text is the zero value.
func (s *Successor) UnmarshalText(text []byte) (err error) {
	if len(text) == 0 {
		*s = Successor{}
		return nil
	}
	*s, err = ParseSuccessor(string(text))
	return err
}

// checkSymbol returns the symbol that makes the row, taken as the coefficients of
// a polynomial over the field of 32 elements, zero at a, a root of x^5+x^2+1.
// As the powers of a differ up to the 31st, it shows every wrong symbol and
// every two that changed places, neighbours or not.
func checkSymbol(symbols []byte) byte {
	var check byte
	for _, s := range symbols {
		check = timesRoot(check ^ s)
	}
	return check
}

// timesRoot multiplies by a in the field of 32 elements.
func timesRoot(s byte) byte {
	s <<= 1
	if s&0b100000 != 0 {
		s ^= 0b100101
	}
	return s
}
