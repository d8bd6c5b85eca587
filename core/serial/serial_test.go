package serial

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func testKeyByte(b byte) (k Key) {
	for i := range k {
		k[i] = b + byte(i)
	}
	return k
}

// testRing has the volumes 1, 2, 3 and 999.
func testRing(t testing.TB) *Keyring {
	t.Helper()
	ring, err := NewKeyring(testKeyByte(7),
		map[uint16]Key{1: testKeyByte(1), 2: testKeyByte(2), 3: testKeyByte(3), MaxVolume: testKeyByte(9)})
	if err != nil {
		t.Fatal(err)
	}
	return ring
}

var places = rapid.Custom(func(t *rapid.T) Place {
	return Place{
		Volume: rapid.SampledFrom([]uint16{1, 2, 3, MaxVolume}).Draw(t, "volume"),
		Seq: rapid.OneOf(rapid.Uint64Range(0, MaxSeq), rapid.SampledFrom([]uint64{0, 1, MaxSeq - 1, MaxSeq})).Draw(t,
			"seq"),
	}
})

func TestSerialsFindTheirPlace(t *testing.T) {
	ring := testRing(t)
	rapid.Check(t, func(rt *rapid.T) {
		p := places.Draw(rt, "place")
		s, err := ring.Serial(p)
		if err != nil {
			rt.Fatal(err)
		}
		long, err := ring.Successor(p)
		if err != nil {
			rt.Fatal(err)
		}
		if len(s.String()) != 16 || len(long.String()) != 27 || !strings.HasPrefix(long.String(), "TO") {
			rt.Fatalf("%v is %s and %s", p, s, long)
		}
		for _, text := range []string{s.String(), s.Grouped(), strings.ReplaceAll(s.Grouped(), " ", "-"), long.String(),
			strings.ToLower(long.String())} {
			if got, err := ring.Read(text); err != nil || got != p {
				rt.Fatalf("%s of %v reads as %v: %v", text, p, got, err)
			}
		}
	})
}

// The digits are fixed for ever: a ticket printed today is read in years.
func TestSerialVectors(t *testing.T) {
	ring := testRing(t)
	for _, v := range []struct {
		place             Place
		serial, successor string
	}{
		{Place{1, 0}, "3443651829072048", "TO9S6B26CWT4K3MYF11YXPRZNJD"},
		{Place{1, 1}, "0827298966151873", "TO2B7R71K78KYB43XNRZW1W80X5"},
		{Place{2, 1}, "7980683304842904", "TOPNTV1NGMJ27C9QSJW0T3BCQKM"},
		{Place{MaxVolume, MaxSeq}, "8194189278231903", "TOQ987B1TYAPG1CBR89JMZZP4BE"},
	} {
		s, err1 := ring.Serial(v.place)
		long, err2 := ring.Successor(v.place)
		if err1 != nil || err2 != nil || s.String() != v.serial || long.String() != v.successor {
			t.Errorf("%v: %s %s (%v, %v), want %s %s", v.place, s, long, err1, err2, v.serial, v.successor)
		}
	}
}

// TestPermutation walks whole small domains: a permutation meets every number
// once and backward undoes forward.
func TestPermutation(t *testing.T) {
	for _, domain := range []uint64{2, 3, 10, 255, 256, 257, 1000, 5000} {
		p, err := newPermutation(testKeyByte(5), domain)
		if err != nil {
			t.Fatal(err)
		}
		seen := make([]bool, domain)
		fixed := 0
		for x := range domain {
			y := p.forward(x)
			if y >= domain || seen[y] {
				t.Fatalf("domain %d: %d maps to %d, which is outside or taken", domain, x, y)
			}
			seen[y] = true
			if p.backward(y) != x {
				t.Fatalf("domain %d: backward of %d is not %d", domain, y, x)
			}
			if x == y {
				fixed++
			}
		}
		if domain >= 255 && fixed > 10 {
			t.Errorf("domain %d: %d numbers stay where they are", domain, fixed)
		}
	}
}

// Neighbours in the journal have serials without likeness: over the first
// digits of consecutive serials every digit is about equally frequent.
func TestNeighboursLookUnrelated(t *testing.T) {
	ring := testRing(t)
	const n = 20_000
	var counts [15][10]int
	for seq := range uint64(n) {
		s, err := ring.Serial(Place{3, seq})
		if err != nil {
			t.Fatal(err)
		}
		for i := range counts {
			counts[i][s.digits[i]-'0']++
		}
	}
	for i, row := range counts {
		chi2 := 0.0
		for _, c := range row {
			d := float64(c) - n/10
			chi2 += d * d / (n / 10)
		}
		if chi2 > 40 { // nine degrees of freedom: one in 100,000
			t.Errorf("digit %d of consecutive serials: chi-square %.1f, counts %v", i, chi2, row)
		}
	}
}

func TestEveryWrongDigitAndExchangeIsSeen(t *testing.T) {
	ring := testRing(t)
	rapid.Check(t, func(rt *rapid.T) {
		s, err := ring.Serial(places.Draw(rt, "place"))
		if err != nil {
			rt.Fatal(err)
		}
		text := []byte(s.String())
		for i := range text {
			for c := byte('0'); c <= '9'; c++ {
				bent := []byte(s.String())
				bent[i] = c
				if _, err := Parse(string(bent)); c != text[i] && !errors.Is(err, ErrCheck) {
					rt.Fatalf("%s for %s: %v", bent, text, err)
				}
			}
			bent := []byte(s.String())
			if i > 0 && bent[i] != bent[i-1] {
				bent[i], bent[i-1] = bent[i-1], bent[i]
				if _, err := Parse(string(bent)); !errors.Is(err, ErrCheck) {
					rt.Fatalf("%s for %s: %v", bent, text, err)
				}
			}
		}
	})
}

func TestEveryWrongSymbolAndExchangeIsSeen(t *testing.T) {
	long, err := testRing(t).Successor(Place{2, 123_456_789})
	if err != nil {
		t.Fatal(err)
	}
	text := long.String()
	for i := 2; i < len(text); i++ {
		for _, c := range []byte(alphabet) {
			bent := []byte(text)
			bent[i] = c
			if _, err := ParseSuccessor(string(bent)); c != text[i] && !errors.Is(err, ErrCheck) {
				t.Fatalf("%s for %s: %v", bent, text, err)
			}
		}
		for j := 2; j < i; j++ {
			bent := []byte(text)
			bent[i], bent[j] = bent[j], bent[i]
			if _, err := ParseSuccessor(string(bent)); text[i] != text[j] && !errors.Is(err, ErrCheck) {
				t.Fatalf("%s for %s: %v", bent, text, err)
			}
		}
	}
}

func TestParseErrorsSayWhatIsWrong(t *testing.T) {
	ring := testRing(t)
	for _, c := range []struct {
		text string
		is   error
		says string
	}{
		{"", ErrLength, "0 digits, a serial has 16"},
		{"123456789012345", ErrLength, "15 digits"},
		{"12345678901234567", ErrLength, "17 digits"},
		{"1234 5678 9O12 3456", ErrCharacter, `'O' at position 12 is not a digit`},
		{"123456789012345\u0663", ErrCharacter, "position 16"},
		{"TO", ErrLength, "2 characters, want 27"},
		{"TO" + strings.Repeat("0", 24), ErrLength, "26 characters, want 27"},
		{"TO" + strings.Repeat("0", 26), ErrLength, "more than 27"},
		{"TO0U" + strings.Repeat("0", 23), ErrCharacter, `'U' at position 4`},
		{"TO" + strings.Repeat("0", 24) + "1", ErrCheck, ""},
		{"TOZZZZZZZZZZ" + strings.Repeat("0", 14) +
			spell([]byte{checkSymbol(append([]byte{31, 31, 31, 31, 31, 31, 31, 31, 31, 31}, make([]byte, 14)...))}), ErrForged,
			""},
	} {
		_, err := ring.Read(c.text)
		if !errors.Is(err, c.is) || !strings.Contains(fmt.Sprint(err), c.says) {
			t.Errorf("%q: %v, want %v with %q", c.text, err, c.is, c.says)
		}
	}
	if _, err := ParseSuccessor("1234"); !errors.Is(err, ErrCharacter) {
		t.Errorf("a successor serial without TO: %v", err)
	}
	if _, err := ring.Find(Serial{}); err == nil {
		t.Error("the zero serial has a place")
	}
	if _, err := ring.FindSuccessor(Successor{}); err == nil {
		t.Error("the zero successor serial has a place")
	}
}

func TestKeyringRefuses(t *testing.T) {
	ring := testRing(t)
	for _, p := range []Place{{}, {0, 5}, {4, 0}, {MaxVolume + 1, 0}, {1, MaxSeq + 1}} {
		if s, err := ring.Serial(p); err == nil || !s.IsZero() {
			t.Errorf("%v has the serial %s", p, s)
		}
		if s, err := ring.Successor(p); err == nil || !s.IsZero() {
			t.Errorf("%v has the serial %s", p, s)
		}
	}
	for _, volume := range []uint16{0, MaxVolume + 1} {
		if _, err := NewKeyring(Key{}, map[uint16]Key{volume: {}}); !errors.Is(err, ErrVolume) {
			t.Errorf("a keyring with volume %d: %v", volume, err)
		}
	}
	// A serial of a volume whose key is missing is told as such.
	s, err := ring.Serial(Place{3, 77})
	if err != nil {
		t.Fatal(err)
	}
	part, err := NewKeyring(testKeyByte(7), map[uint16]Key{1: testKeyByte(1)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := part.Find(s); !errors.Is(err, ErrVolume) {
		t.Errorf("serial of volume 3 read without its key: %v", err)
	}
}

// Another volume's key, or none of its own, changes nothing for a serial: the
// reading of a ticket does not depend on what else is in the ring.
func TestReadingIsExactWithManyVolumes(t *testing.T) {
	keys := make(map[uint16]Key)
	for v := uint16(1); v <= 200; v++ {
		keys[v] = testKeyByte(byte(v))
	}
	ring, err := NewKeyring(testKeyByte(7), keys)
	if err != nil {
		t.Fatal(err)
	}
	for seq := range uint64(5000) {
		p := Place{Volume: uint16(1 + seq%200), Seq: seq}
		s, err := ring.Serial(p)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := ring.Find(s); err != nil || got != p {
			t.Fatalf("%v reads as %v: %v", p, got, err)
		}
	}
}

// TestGuessing compares the share of guesses that name a live ticket with the
// formula of the package comment. All sequence numbers of four volumes are live
// here, so that a test meets some: n = 4*10^12, and a guess hits with 0.4%.
func TestGuessing(t *testing.T) {
	ring := testRing(t)
	const guesses = 200_000
	const live = 4 * volumeSpan
	rng := rand.New(rand.NewPCG(1, 2))
	hits := 0
	for range guesses {
		guess := makeSerial(rng.Uint64N(serialCount))
		if _, err := ring.Find(guess); err == nil {
			hits++
		} else if !errors.Is(err, ErrVolume) {
			t.Fatal(err)
		}
	}
	p := float64(live) / serialCount
	mean, deviation := guesses*p, math.Sqrt(guesses*p*(1-p))
	t.Logf("%d of %d guesses name a live ticket, expected %.0f ± %.0f", hits, guesses, mean, deviation)
	if math.Abs(float64(hits)-mean) > 5*deviation {
		t.Errorf("%d hits, expected %.0f ± %.0f", hits, mean, deviation)
	}
}

// A million changed serials of 16 digits, check digit put right, in a house that has sold
// ten thousand tickets: none names one of them.
func TestForgedSerials(t *testing.T) {
	forgeries := 1_000_000
	if testing.Short() {
		forgeries = 10_000
	}
	const sold = 10_000
	ring := testRing(t)
	var known [100]Serial // that somebody has seen
	for i := range known {
		var err error
		if known[i], err = ring.Serial(Place{2, uint64(i * sold / len(known))}); err != nil {
			t.Fatal(err)
		}
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range forgeries {
		good := known[i%len(known)]
		s := good
		for range 1 + i%4 {
			s.digits[rng.IntN(serialDigits-1)] = byte('0' + rng.IntN(10))
		}
		if s = makeSerial(s.number()); s == good {
			continue
		}
		if p, err := ring.Find(s); err == nil && p.Volume == 2 && p.Seq < sold {
			t.Fatalf("forged %s names %v", s, p)
		}
	}
}

// A million changed or invented successor serials, check character put right:
// none is of this house.
func TestForgedSuccessors(t *testing.T) {
	forgeries := 1_000_000
	if testing.Short() {
		forgeries = 10_000
	}
	ring := testRing(t)
	good, err := ring.Successor(Place{2, 5_000_000})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range forgeries {
		s := good
		for range 1 + i%4 {
			s.symbols[rng.IntN(successorSymbols-1)] ^= byte(1 + rng.IntN(31))
		}
		if s.symbols[successorSymbols-1] = checkSymbol(s.symbols[:successorSymbols-1]); s == good {
			continue
		}
		if p, err := ring.FindSuccessor(s); err == nil {
			t.Fatalf("forged %s names %v", s, p)
		}
	}
}

func TestSerialJSON(t *testing.T) {
	ring := testRing(t)
	type ticket struct {
		Serial    Serial
		Successor Successor
	}
	var in, out ticket
	var err error
	if in.Serial, err = ring.Serial(Place{1, 5}); err != nil {
		t.Fatal(err)
	}
	if in.Successor, err = ring.Successor(Place{1, 5}); err != nil {
		t.Fatal(err)
	}
	for _, in := range []ticket{{}, in} {
		data, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &out); err != nil || out != in {
			t.Errorf("%s reads back as %+v: %v", data, out, err)
		}
	}
	if json.Unmarshal([]byte(`{"Serial":"12"}`), &out) == nil ||
		json.Unmarshal([]byte(`{"Successor":"12"}`), &out) == nil {
		t.Error("a wrong serial was read")
	}
}

func TestNoAllocations(t *testing.T) {
	ring := testRing(t)
	if n := testing.AllocsPerRun(1000, func() {
		s, _ := ring.Serial(Place{2, 99})
		if p, _ := ring.Find(s); p.Seq != 99 {
			t.Fatal("lost")
		}
	}); n != 0 {
		t.Errorf("%v allocations for a serial made and found", n)
	}
}

func FuzzRead(f *testing.F) {
	ring := testRing(f)
	for _, p := range []Place{{1, 0}, {2, 77}, {MaxVolume, MaxSeq}} {
		s, _ := ring.Serial(p)
		long, _ := ring.Successor(p)
		f.Add(s.String())
		f.Add(s.Grouped())
		f.Add(long.String())
	}
	f.Fuzz(func(t *testing.T, text string) {
		if c, err := ParseCode(text); err == nil {
			if again, err := ParseCode(c.String()); err != nil || again != c {
				t.Errorf("%q: %s reads back as %s: %v", text, c, again, err)
			}
		}
		if s, err := Parse(text); err == nil {
			if again, err := Parse(s.String()); err != nil || again != s || again.Grouped() != s.Grouped() {
				t.Errorf("%q: %s reads back as %s: %v", text, s, again, err)
			}
		}
		if s, err := ParseSuccessor(text); err == nil {
			if again, err := ParseSuccessor(s.String()); err != nil || again != s {
				t.Errorf("%q: %s reads back as %s: %v", text, s, again, err)
			}
		}
		p, err := ring.Read(text)
		if err != nil {
			return
		}
		s, err1 := ring.Serial(p)
		long, err2 := ring.Successor(p)
		if err1 != nil || err2 != nil {
			t.Fatalf("%q names %v: %v, %v", text, p, err1, err2)
		}
		short, shortErr := Parse(text)
		full, fullErr := ParseSuccessor(text)
		if (shortErr != nil || short != s) && (fullErr != nil || full != long) {
			t.Errorf("%q names %v, whose serials are %s and %s", text, p, s, long)
		}
	})
}

func BenchmarkSerial(b *testing.B) {
	ring := testRing(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ring.Serial(Place{2, 123_456}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFind(b *testing.B) {
	ring := testRing(b)
	s, err := ring.Serial(Place{2, 123_456})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ring.Find(s); err != nil {
			b.Fatal(err)
		}
	}
}
