package pkcs11_test

import (
	"bytes"
	"encoding/hex"
	"testing"

	"drawhouse/journal/pkcs11"
)

// FuzzParseURI: what is read is written in one form, which is read as the same.
func FuzzParseURI(f *testing.F) {
	for _, text := range append(goodURIs, badURIs...) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		uri, err := pkcs11.ParseURI(text)
		if err != nil {
			return
		}
		again, err := pkcs11.ParseURI(uri.String())
		if err != nil || again != uri {
			t.Errorf("%q is %+v, and %v is %+v: %v", text, uri, uri, again, err)
		}
	})
}

// FuzzAnswer: no answer of a module makes the program panic or take much memory.
func FuzzAnswer(f *testing.F) {
	for _, text := range []string{
		"00000000000000017500000000000000b3",                                   // an error
		"0000002b000000026179010000000401020304",                               // a signature
		"00000004000000026175010000000200000000000000010000000000000002",       // two slots
		"00000018000000036141750000000100000181010000002200000002042000000000", // an attribute
		"0000001b000000026175ff7fffffff",
	} {
		data, err := hex.DecodeString(text)
		if err != nil {
			f.Fatal(err)
		}
		for i := range 8 {
			f.Add(i, data)
		}
	}
	f.Fuzz(func(_ *testing.T, index int, data []byte) {
		if index >= 0 {
			pkcs11.ReadAnswerOf(index, data)
		}
		_, _ = pkcs11.ReadFrame(bytes.NewReader(data), 1)
	})
}
