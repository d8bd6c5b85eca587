package staff_test

import (
	"bytes"
	"testing"

	"drawhouse/decide/staff"
)

// FuzzPublicKey: a text is a key of 32 bytes or refused, and what the key is written as is read as
// the same key.
func FuzzPublicKey(f *testing.F) {
	for _, text := range []string{"", "AAAA", "MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI=",
		"MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI", "-_" + "MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkw" + "I"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var key, again staff.PublicKey
		if key.UnmarshalText(text) != nil {
			return
		}
		written, err := key.MarshalText()
		if err != nil || again.UnmarshalText(written) != nil || !bytes.Equal(key[:], again[:]) {
			t.Errorf("%q is read as %x and written as %q", text, key, written)
		}
	})
}
