package journal

import (
	"bytes"
	"crypto/ed25519"
	"testing"
)

// fuzzKeys returns the two halves of a key.
func fuzzKeys(tb testing.TB) (signer Signer, verifier Verifier, vkey string) {
	tb.Helper()
	signer, vkey, err := NewSigner("fuzz.example", ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)))
	if err != nil {
		tb.Fatal(err)
	}
	if verifier, err = ParseVerifier(vkey); err != nil {
		tb.Fatal(err)
	}
	return signer, verifier, vkey
}

// FuzzParseKeys reads any text as a key that verifies and as one that signs.
func FuzzParseKeys(f *testing.F) {
	_, _, vkey := fuzzKeys(f)
	f.Add(vkey)
	f.Add("PRIVATE+KEY+fuzz.example+00000000+AQ==")
	f.Add("a+b+c")
	f.Fuzz(func(t *testing.T, text string) {
		if v, err := ParseVerifier(text); err == nil && (v.Name() == "" || v.Verify([]byte("x"), []byte("y"))) {
			t.Errorf("%q is the key of %q, and verifies nonsense", text, v.Name())
		}
		if s, err := ParseSigner(text); err == nil {
			if _, err := s.Sign([]byte("x")); err != nil || s.Name() == "" {
				t.Errorf("%q signs for %q: %v", text, s.Name(), err)
			}
		}
	})
}

// FuzzOpenLog opens any bytes as the beginning of a public log. Without the keys nobody can make one but the one
// that was signed.
func FuzzOpenLog(f *testing.F) {
	body, signers := logBody(f)
	signed, err := SignLog(body, signers[1], signers[0])
	if err != nil {
		f.Fatal(err)
	}
	f.Add(signed)
	f.Add(bytes.ToUpper(signed))
	f.Add([]byte("drawhouse/public-log/v1\n\n"))
	f.Fuzz(func(t *testing.T, msg []byte) {
		if got, err := OpenLog(msg, body.HouseKey); err == nil && got.Marshal() != body.Marshal() {
			t.Errorf("%q begins a log", msg)
		}
	})
}

// FuzzParseLogOrigin reads any text as the name of a public log, which has one spelling.
func FuzzParseLogOrigin(f *testing.F) {
	for _, text := range []string{"keno.example/log", "keno.example/vic/log2", "a/log1", "/log", "a/log02", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		house, number, err := ParseLogOrigin(text)
		if err == nil && LogOrigin(house, number) != text {
			t.Errorf("%q is log %d of %q", text, number, house)
		}
	})
}

// FuzzOpenNote opens any bytes as a signed note. Without the key nobody can make one but
// the one that was signed.
func FuzzOpenNote(f *testing.F) {
	signer, verifier, _ := fuzzKeys(f)
	signed, err := SignNote("fuzz\n", signer)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(signed)
	f.Add(bytes.ToUpper(signed))
	f.Add([]byte("fuzz\n\n"))
	f.Fuzz(func(t *testing.T, msg []byte) {
		if text, signers, err := OpenNote(msg, verifier); err == nil && (text != "fuzz\n" || len(signers) != 1) {
			t.Errorf("%q was signed by %v", text, signers)
		}
	})
}

// FuzzParseOrigin reads any text as the name of a volume, which has one spelling.
func FuzzParseOrigin(f *testing.F) {
	for _, text := range []string{"keno.example/vic/v3", "keno.example/v0", "/v1", "a/v01", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		house, volume, err := ParseOrigin(text)
		if err == nil && VolumeOrigin(house, volume) != text {
			t.Errorf("%q is volume %d of %q", text, volume, house)
		}
	})
}

// FuzzParseBitmap reads any bytes as a bitmap, which has them as its own again.
func FuzzParseBitmap(f *testing.F) {
	f.Add(uint64(5), uint64(9), []byte{255, 1})
	f.Add(uint64(0), uint64(0), []byte{})
	f.Fuzz(func(t *testing.T, first, length uint64, data []byte) {
		if length > 1<<16 {
			return // A bitmap of the whole journal is allocated at once.
		}
		b, err := ParseBitmap(first, length, bytes.Clone(data))
		if err == nil && !bytes.Equal(b.Bytes(), data) {
			t.Errorf("%x became %x", data, b.Bytes())
		}
	})
}
