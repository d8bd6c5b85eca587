package serial

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestClaimCodeVector(t *testing.T) {
	c, err := NewClaimCode(strings.NewReader("\x00\x44\x32\x14\xc7\x42\x54\xb6\x35\xcf and more"))
	if err != nil {
		t.Fatal(err)
	}
	// The ten bytes are the symbols 0 to 15, five bits each.
	if c.String() != "0123-4567-89AB-CDEF" {
		t.Errorf("code %s", c)
	}
	opening := sha256.Sum256([]byte("drawhouse/claim-code/v2\n" +
		"\x00\x00\x00\x07" + "\x00\x00\x00\x00\x00\x00\x01\x02" +
		"\x00\x44\x32\x14\xc7\x42\x54\xb6\x35\xcf"))
	if got := c.Opening(7, 258); got != opening {
		t.Errorf("opening %x, want %x", got, opening)
	}
	want := sha256.Sum256(opening[:])
	if got := c.Hash(7, 258); got != want {
		t.Errorf("hash %x, want %x", got, want)
	}
}

func TestClaimCodesReadBack(t *testing.T) {
	sloppy := strings.NewReplacer("0", "o", "1", "l", "-", " ")
	rapid.Check(t, func(rt *rapid.T) {
		c := ClaimCode(rapid.SliceOfN(rapid.Byte(), 10, 10).Draw(rt, "code"))
		for _, text := range []string{
			c.String(), strings.ToLower(c.String()), strings.ReplaceAll(c.String(), "-", ""), sloppy.Replace(c.String()),
			strings.ReplaceAll(strings.ReplaceAll(c.String(), "0", "O"), "1", "I"),
		} {
			got, err := ParseClaimCode(text)
			if err != nil || got != c {
				rt.Fatalf("%q reads as %v, want %v: %v", text, got, c, err)
			}
		}
		terminal, request := rapid.Uint32().Draw(rt, "terminal"), rapid.Uint64().Draw(rt, "request")
		h := c.Hash(terminal, request)
		if !h.Matches(c, terminal, request) {
			rt.Fatal("the code does not match its own hash")
		}
		if h.Matches(c, terminal+1, request) || h.Matches(c, terminal, request+1) {
			rt.Fatal("the code matches in another sale")
		}
		other := c
		other[rapid.IntRange(0, 9).Draw(rt, "byte")] ^= 1 << rapid.IntRange(0, 7).Draw(rt, "bit")
		if h.Matches(other, terminal, request) {
			rt.Fatal("another code matches")
		}
	})
}

func TestClaimCodeRefuses(t *testing.T) {
	for text, want := range map[string]error{
		"":                     ErrLength,
		"0123-4567-89AB-CDE":   ErrLength,
		"0123-4567-89AB-CDEFG": ErrLength,
		"0123-4567-89AB-CDEU":  ErrCharacter,
		"0123_4567_89AB_CDEF":  ErrCharacter,
		"0123-4567-89AB-CDÉF":  ErrCharacter,
	} {
		if c, err := ParseClaimCode(text); !errors.Is(err, want) {
			t.Errorf("%q reads as %v: %v, want %v", text, c, err, want)
		}
	}
	if _, err := NewClaimCode(bytes.NewReader(make([]byte, 9))); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a code from nine bytes: %v", err)
	}
}

func FuzzParseClaimCode(f *testing.F) {
	f.Add("0123-4567-89AB-CDEF")
	f.Add("oOiIlL zz zz zzzzzz")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseClaimCode(text)
		if err != nil {
			return
		}
		if again, err := ParseClaimCode(c.String()); err != nil || again != c {
			t.Errorf("%q: %v reads back as %v: %v", text, c, again, err)
		}
	})
}
