package journal

import (
	"errors"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// testSeal is a seal over the first 5,000 test records, of which every third
// from 1,000 on plays.
func testSeal(t testing.TB) SealBody {
	return SealBody{
		Checkpoint: Checkpoint{Origin: VolumeOrigin("keno.example/vic", 3), Size: 5000,
			Root: longReference(t).root(t, 5000)},
		Game:        Game{Series: "vic-keno", Day: "2026-11-15", Number: 417},
		Plays:       1334,
		StakesCents: 266_800,
		Open:        []Span{testBitmap(t).Span(3)},
	}
}

func testBitmap(t testing.TB) *Bitmap {
	var set []uint64
	for seq := uint64(1000); seq < 5000; seq += 3 {
		set = append(set, seq)
	}
	return mustBitmap(t, 1000, 4000, set...)
}

func TestSealGolden(t *testing.T) {
	signer, verifier := testKey(t, "keno.example/vic/v3")
	body := testSeal(t)
	msg, err := SignSeal(body, signer)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "seal.txt", msg)
	golden(t, "seal-fingerprint.txt", []byte(body.Fingerprint()+"\n"))
	seal, err := OpenSeal(msg, verifier)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(seal.Body(), body) || seal.IsZero() || string(seal.Signed()) != string(msg) {
		t.Errorf("opened %+v", seal.Body())
	}
	if !regexp.MustCompile(`^[0-9a-f]{4}(-[0-9a-f]{4}){7}$`).MatchString(body.Fingerprint()) {
		t.Errorf("fingerprint %q", body.Fingerprint())
	}
	// What a holder does with the body does not reach the seal.
	seal.Body().Open[0].First = 7
	if seal.Body().Open[0].First != 1000 {
		t.Error("the seal can be changed through its body")
	}
}

func TestSealAfterChangeOfVolume(t *testing.T) {
	body := testSeal(t)
	old := Span{Volume: 2, First: 1_000_000_000, Length: 10, Root: Hash{1}}
	body.Open = []Span{old, body.Open[0]}
	back, err := ParseSeal(body.Marshal())
	if err != nil || !reflect.DeepEqual(back, body) {
		t.Fatalf("%+v: %v", back, err)
	}
	if got, ok := back.Span(2); !ok || got != old {
		t.Errorf("span of volume 2: %+v", got)
	}
	if _, ok := back.Span(1); ok {
		t.Error("a span of volume 1")
	}
}

func TestSealOfAGameWithoutPlays(t *testing.T) {
	body := testSeal(t)
	body.Plays, body.StakesCents, body.Open = 0, 0, nil
	if back, err := ParseSeal(body.Marshal()); err != nil || !reflect.DeepEqual(back, body) {
		t.Errorf("%+v: %v", back, err)
	}
}

func TestSealRefuses(t *testing.T) {
	for what, change := range map[string]func(*SealBody){
		"origin":                   func(b *SealBody) { b.Checkpoint.Origin = "" },
		"origin without volume":    func(b *SealBody) { b.Checkpoint.Origin = "keno.example/vic" },
		"no series":                func(b *SealBody) { b.Game.Series = "" },
		"series with a space":      func(b *SealBody) { b.Game.Series = "vic keno" },
		"series with a newline":    func(b *SealBody) { b.Game.Series = "vic\nplays 1" },
		"day":                      func(b *SealBody) { b.Game.Day = "2026-02-29" },
		"negative stakes":          func(b *SealBody) { b.StakesCents = -1 },
		"stakes without plays":     func(b *SealBody) { b.Plays = 0 },
		"plays without bitmap":     func(b *SealBody) { b.Open = nil },
		"empty bitmap":             func(b *SealBody) { b.Open[0].Length = 0 },
		"bitmap after the log":     func(b *SealBody) { b.Open[0].Length++ },
		"bitmap beyond any log":    func(b *SealBody) { b.Open[0].Volume = 1; b.Open[0].First = MaxSize },
		"bitmap of a later volume": func(b *SealBody) { b.Open[0].Volume = 4 },
		"volumes out of order":     func(b *SealBody) { b.Open = []Span{b.Open[0], {Volume: 2, Length: 1}} },
		"volume twice":             func(b *SealBody) { b.Open = []Span{b.Open[0], b.Open[0]} },
		"empty log with a root":    func(b *SealBody) { b.Checkpoint.Size = 0 },
	} {
		signer, _ := testKey(t, "house")
		body := testSeal(t)
		change(&body)
		if _, err := SignSeal(body, signer); err == nil {
			t.Errorf("%s: signed", what)
		}
		if _, err := ParseSeal(body.Marshal()); err == nil {
			t.Errorf("%s: read", what)
		}
	}
}

func TestParseSealIsStrict(t *testing.T) {
	text := testSeal(t).Marshal()
	lines := strings.SplitAfter(text, "\n")
	for i := range len(lines) - 2 { // all but the bitmap, without which a seal may be
		missing := strings.Join(append(append([]string(nil), lines[:i]...), lines[i+1:]...), "")
		if _, err := ParseSeal(missing); err == nil {
			t.Errorf("read without %q", lines[i])
		}
		twice := strings.Join(append(append([]string(nil), lines[:i+1]...), lines[i:]...), "")
		if _, err := ParseSeal(twice); err == nil {
			t.Errorf("read with %q twice", lines[i])
		}
	}
	for _, r := range [][2]string{
		{"seal/v1", "seal/v2"}, {"game 417", "game 0417"}, {"game 417", "game  417"}, {"game 417", "game 4294967296"},
		{"plays 1334", "plays 1334 "}, {"chunk-bits 4096", "chunk-bits 2048"}, {"open 3 1000", "open 3  1000"},
		{"open 3 1000", "open 3 01000"}, {"open 3 ", "open 65536 "}, {"=\n", "\n"}, {"\n", "\r\n"},
	} {
		bent := strings.Replace(text, r[0], r[1], 1)
		if bent == text {
			t.Fatalf("%q is not in the seal", r[0])
		}
		if _, err := ParseSeal(bent); err == nil {
			t.Errorf("read with %q for %q", r[1], r[0])
		}
	}
	for _, bent := range []string{"", "\n", text + "\n", text + "more 1\n", strings.TrimSuffix(text, "\n"), " " + text} {
		if _, err := ParseSeal(bent); err == nil {
			t.Errorf("read %q", bent)
		}
	}
}

func TestDates(t *testing.T) {
	for day, want := range map[string]bool{
		"2026-11-15": true, "2024-02-29": true, "2000-02-29": true, "1900-02-29": false, "2026-02-29": false,
		"2026-02-28": true, "2026-04-30": true, "2026-04-31": false, "2026-12-31": true, "2026-12-32": false,
		"2026-00-10": false, "2026-13-10": false, "2026-01-00": false, "2026-1-10": false, "2026/01/10": false, "": false,
		"20x6-01-01": false,
	} {
		if got := (Game{Series: "s", Day: day}).Check() == nil; got != want {
			t.Errorf("day %q accepted: %v", day, got)
		}
	}
}

// A holder proves that a ticket was sealed although the log has grown since.
func TestPlayProof(t *testing.T) {
	body, bitmap := testSeal(t), testBitmap(t)
	tree, tiles := NewTree(), memory{}
	grow(tree, tiles, 20_000)
	prove := func(seq uint64) PlayProof {
		record, err := ProveRecord(seq, body.Checkpoint.Size, NewReader(tree, tiles))
		if err != nil {
			t.Fatal(err)
		}
		bit, err := bitmap.Prove(seq)
		if err != nil {
			t.Fatal(err)
		}
		return PlayProof{Seq: seq, Leaf: LeafHash(testRecord(seq)), Record: record, Bit: bit}
	}
	if err := body.CheckPlay(prove(4000)); err != nil {
		t.Error(err)
	}
	if err := body.CheckPlay(prove(4001)); !errors.Is(err, ErrProof) {
		t.Errorf("a ticket that does not play: %v", err)
	}
	bent := prove(4000)
	bent.Leaf = LeafHash([]byte("another record"))
	if err := body.CheckPlay(bent); !errors.Is(err, ErrProof) {
		t.Errorf("another record: %v", err)
	}
	mixed := prove(4000)
	mixed.Seq, mixed.Record, mixed.Leaf = 4001, prove(4001).Record, prove(4001).Leaf
	if err := body.CheckPlay(mixed); !errors.Is(err, ErrProof) {
		t.Errorf("the bit of another record: %v", err)
	}
	body.Open[0].Volume = 2
	if err := body.CheckPlay(prove(4000)); !errors.Is(err, ErrProof) {
		t.Errorf("a seal without a bitmap of the volume: %v", err)
	}
}

func FuzzParseSeal(f *testing.F) {
	text := testSeal(f).Marshal()
	f.Add(text)
	f.Add(strings.Replace(text, "open 3", "open 2 7 9 "+EmptyRoot().String()+"\nopen 3", 1))
	signer, verifier := testKey(f, "house")
	f.Fuzz(func(t *testing.T, text string) {
		b, err := ParseSeal(text)
		if err != nil {
			return
		}
		if b.Marshal() != text {
			t.Errorf("%q marshals back as %q", text, b.Marshal())
		}
		msg, err := SignSeal(b, signer)
		if err != nil {
			t.Fatal(err)
		}
		seal, err := OpenSeal(msg, verifier)
		if err != nil || !reflect.DeepEqual(seal.Body(), b) {
			t.Errorf("%+v came back as %+v: %v", b, seal.Body(), err)
		}
	})
}

func BenchmarkSignSeal(b *testing.B) {
	signer, _ := testKey(b, "house")
	body := testSeal(b)
	for b.Loop() {
		if _, err := SignSeal(body, signer); err != nil {
			b.Fatal(err)
		}
	}
}
