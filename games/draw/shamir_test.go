package draw

import (
	"bytes"
	"encoding/hex"
	"io"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/journal"
)

// slowMul multiplies polynomials over GF(2) as on paper, and then divides by
// x^8+x^4+x^3+x+1.
func slowMul(a, b byte) byte {
	product := 0
	for i := range 8 {
		if b>>i&1 == 1 {
			product ^= int(a) << i
		}
	}
	for i := 14; i >= 8; i-- {
		if product>>i&1 == 1 {
			product ^= 0x11b << (i - 8)
		}
	}
	return byte(product)
}

// TestField is exhaustive: all products against the slow twin, and that the
// elements are a field.
func TestField(t *testing.T) {
	for a := range 256 {
		inverses := 0
		for b := range 256 {
			p := fieldMul(byte(a), byte(b))
			if p != slowMul(byte(a), byte(b)) || p != fieldMul(byte(b), byte(a)) {
				t.Fatalf("%#02x times %#02x is %#02x", a, b, p)
			}
			if p == 1 {
				inverses++
				if fieldInverse(byte(a)) != byte(b) {
					t.Errorf("the inverse of %#02x is not %#02x", a, b)
				}
			}
		}
		if want := min(a, 1); inverses != want {
			t.Errorf("%#02x has %d inverses", a, inverses)
		}
	}
	for a := range 256 {
		for b := range 256 {
			// Linear in the third factor: all sums are of powers of x.
			for c := 1; c < 256; c <<= 1 {
				if fieldMul(byte(a), fieldMul(byte(b), byte(c))) != fieldMul(fieldMul(byte(a), byte(b)), byte(c)) {
					t.Fatalf("%#02x, %#02x, %#02x do not associate", a, b, c)
				}
				if fieldMul(byte(a), byte(b)^byte(c)) != fieldMul(byte(a), byte(b))^fieldMul(byte(a), byte(c)) {
					t.Fatalf("%#02x, %#02x, %#02x do not distribute", a, b, c)
				}
			}
		}
	}
}

// TestPublishedProducts has the products of FIPS 197, 4.2.
func TestPublishedProducts(t *testing.T) {
	for _, v := range [][3]byte{
		{0x57, 0x83, 0xc1}, {0x57, 0x13, 0xfe}, {0x57, 0x02, 0xae}, {0x57, 0x04, 0x47}, {0x57, 0x08, 0x8e},
		{0x57, 0x10, 0x07},
	} {
		if p := fieldMul(v[0], v[1]); p != v[2] {
			t.Errorf("%#02x times %#02x is %#02x, want %#02x", v[0], v[1], p, v[2])
		}
	}
}

// TestPublishedInverses rebuilds the S-box of AES, FIPS 197 table 4, whose
// entries are the inverses in this field under a fixed affine map.
func TestPublishedInverses(t *testing.T) {
	sbox, err := hex.DecodeString("" +
		"637c777bf26b6fc53001672bfed7ab76ca82c97dfa5947f0add4a2af9ca472c0" +
		"b7fd9326363ff7cc34a5e5f171d8311504c723c31896059a071280e2eb27b275" +
		"09832c1a1b6e5aa0523bd6b329e32f8453d100ed20fcb15b6acbbe394a4c58cf" +
		"d0efaafb434d338545f9027f503c9fa851a3408f929d38f5bcb6da2110fff3d2" +
		"cd0c13ec5f974417c4a77e3d645d197360814fdc222a908846eeb814de5e0bdb" +
		"e0323a0a4906245cc2d3ac629195e479e7c8376d8dd54ea96c56f4ea657aae08" +
		"ba78252e1ca6b4c6e8dd741f4bbd8b8a703eb5664803f60e613557b986c11d9e" +
		"e1f8981169d98e949b1e87e9ce5528df8ca1890dbfe6426841992d0fb054bb16")
	if err != nil || len(sbox) != 256 {
		t.Fatal(len(sbox), err)
	}
	for a := range 256 {
		b := fieldInverse(byte(a))
		rotated := func(n int) byte { return b<<n | b>>(8-n) }
		if got := b ^ rotated(1) ^ rotated(2) ^ rotated(3) ^ rotated(4) ^ 0x63; got != sbox[a] {
			t.Errorf("S-box of %#02x is %#02x, want %#02x", a, got, sbox[a])
		}
	}
}

// TestPublishedShares has the test case of draft-mcgrew-tss-03, section 9.
func TestPublishedShares(t *testing.T) {
	var got []byte
	for i, y1 := range []byte{0xb9, 0xfa, 0x07, 0xe1, 0x85} {
		y2 := []byte{0xf5, 0x40, 0x9b, 0x45, 0x11}[i]
		got = append(got, lineAtZero(1, y1, 2, y2))
	}
	if want := []byte("test\x00"); !bytes.Equal(got, want) {
		t.Errorf("the secret is %x, want %x", got, want)
	}
}

// TestEveryLine is exhaustive: for every secret and slope any two holders find the
// secret, and over all slopes a holder's share is every byte once, whatever the
// secret: alone it tells nothing.
func TestEveryLine(t *testing.T) {
	for secret := range 256 {
		var seen [escrowHolders + 1][256]bool
		for slope := range 256 {
			var y [escrowHolders + 1]byte
			for x := byte(1); x <= escrowHolders; x++ {
				y[x] = linePoint(byte(secret), byte(slope), x)
				seen[x][y[x]] = true
			}
			for x1 := byte(1); x1 <= escrowHolders; x1++ {
				for x2 := byte(1); x2 <= escrowHolders; x2++ {
					if x1 != x2 && lineAtZero(x1, y[x1], x2, y[x2]) != byte(secret) {
						t.Fatalf("secret %#02x, slope %#02x: holders %d and %d find another", secret, slope, x1, x2)
					}
				}
			}
		}
		for x := 1; x <= escrowHolders; x++ {
			for y, ok := range seen[x] {
				if !ok {
					t.Fatalf("secret %#02x: holder %d never has %#02x", secret, x, y)
				}
			}
		}
	}
}

func TestShares(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		secret, err := NewSeed(stream(rapid.String().Draw(rt, "secret")))
		if err != nil {
			rt.Fatal(err)
		}
		values, err := splitSecret(stream(rapid.String().Draw(rt, "slopes")), secret)
		if err != nil {
			rt.Fatal(err)
		}
		a := rapid.IntRange(1, escrowHolders).Draw(rt, "a")
		b := rapid.IntRange(1, escrowHolders).Filter(func(b int) bool { return b != a }).Draw(rt, "b")
		if got, err := joinShares(a, values[a-1], b, values[b-1]); err != nil || got != secret {
			rt.Fatalf("holders %d and %d find %v: %v", a, b, got, err)
		}
	})
	for _, holders := range [][2]int{{1, 1}, {0, 1}, {1, 4}, {-1, 2}} {
		if _, err := joinShares(holders[0], journal.Hash{}, holders[1], journal.Hash{}); err == nil {
			t.Errorf("shares of holders %v were joined", holders)
		}
	}
	if _, err := splitSecret(io.LimitReader(stream("short"), 31), journal.Hash{}); err == nil {
		t.Error("split with too little entropy")
	}
}

// A share comes from its holder, and is read in one form or refused.
func FuzzParseShare(f *testing.F) {
	name := ChainName{Custodian: "inspector.example", Series: "vic-keno", Day: "2026-11-15", Games: 3}
	f.Add(Share{Chain: name, Holder: 2, Value: journal.EmptyRoot()}.Marshal())
	f.Add("drawhouse/escrow/v1\n")
	f.Fuzz(func(t *testing.T, text string) {
		if share, err := ParseShare(text); err == nil && share.Marshal() != text {
			t.Errorf("%q is read and written as %q", text, share.Marshal())
		}
	})
}
