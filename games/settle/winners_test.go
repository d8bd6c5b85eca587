package settle

import (
	"bytes"
	"encoding/hex"
	"errors"
	"flag"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/core/money"
	"drawhouse/journal/record"
)

var rewrite = flag.Bool("rewrite", false, "write the goldens anew; read the difference before you commit it")

// fileOf returns the winners file of some winners.
func fileOf(s Settlement, rs []Reduction, all []winner) []byte {
	var total uint64
	for _, w := range all {
		total += w.cents
	}
	return encodeWinners(s, rs, uint64(len(all)), money.Amount(total), slices.Values(all))
}

func key(volume uint16, seq uint64) uint64 { return uint64(volume)<<48 | seq }

// TestWinnersGolden keeps the form: files of old games must stay readable for ever.
func TestWinnersGolden(t *testing.T) {
	const name = "testdata/winners.hex"
	data := fileOf(Settlement{1, 70_001, 2}, []Reduction{{0, 3, 4}, {2, 0, 1}}, []winner{
		{key(1, 5), 300}, {key(1, 6), 10}, {key(1, 70_000), 75_000_000}, {key(2, 0), 1}, {key(2, maxSeq), 99},
	})
	if *rewrite {
		if err := os.WriteFile(name, []byte(hex.EncodeToString(data)+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	golden, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got := hex.EncodeToString(data); got != strings.TrimSpace(string(golden)) {
		t.Fatalf("the form of the winners file changed:\n%s\n%s", got, golden)
	}
	f, err := DecodeWinners(data)
	if err != nil {
		t.Fatal(err)
	}
	if f.Settlement != (Settlement{1, 70_001, 2}) || f.Winners() != 5 || f.Prizes() != 75_000_410 ||
		!slices.Equal(f.Reductions, []Reduction{{0, 3, 4}, {2, 0, 1}}) || f.Hash() != HashWinners(data) {
		t.Errorf("%+v", f)
	}
	for place, want := range map[record.Place]money.Amount{
		at(4): 0, at(5): 300, at(6): 10, at(7): 0, at(70_000): 75_000_000, at(70_001): 0,
		{Volume: 2}: 1, {Volume: 2, Seq: 1}: 0, {Volume: 2, Seq: maxSeq}: 99, {Volume: 3}: 0, {}: 0,
	} {
		if got, won := f.Lookup(place); got != want || won != (want > 0) {
			t.Errorf("%v: %v, %v; want %v", place, got, won, want)
		}
	}
}

func TestDecodeWinnersRefuses(t *testing.T) {
	good := []winner{{key(1, 5), 300}, {key(1, 6), 10}}
	settlement := Settlement{1, 7, 1}
	encode := func(n uint64, total money.Amount, all ...winner) []byte {
		return encodeWinners(settlement, nil, n, total, slices.Values(all))
	}
	file := fileOf(settlement, nil, good)
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"nothing":                 {nil, "does not begin"},
		"another version":         {append([]byte("DHW\x02"), file[4:]...), "does not begin"},
		"only magic":              {file[:4], "series is cut off"},
		"cut in the winners":      {file[:len(file)-1], "cents is cut off"},
		"a byte more":             {append(slices.Clone(file), 0), "1 bytes after"},
		"no series":               {fileOf(Settlement{0, 7, 1}, nil, good), "series 0"},
		"no game":                 {fileOf(Settlement{1, 0, 1}, nil, good), "game 0"},
		"no revision":             {fileOf(Settlement{1, 7, 0}, nil, good), "revision 0"},
		"series of two bytes":     {slices.Concat(file[:4], []byte{0x80, 0x02}, file[5:]), "series is 256"},
		"a number not shortest":   {slices.Concat(file[:4], []byte{0x81, 0x00}, file[5:]), "one form"},
		"the same place twice":    {encode(2, 310, good[0], winner{good[0].place, 10}), "not after"},
		"a place of no volume":    {encode(1, 10, winner{6, 10}), "not after"},
		"no prize":                {encode(1, 0, winner{key(1, 1), 0}), "no prize"},
		"fewer than stated":       {encode(3, 310, good...), "place is cut off"},
		"more than stated":        {encode(1, 300, good...), "after the last"},
		"another total":           {encode(2, 311, good...), "come to $3.10"},
		"a factor of one":         {fileOf(settlement, []Reduction{{0, 1, 1}}, good), "reduction 1"},
		"a factor not reduced":    {fileOf(settlement, []Reduction{{0, 2, 4}}, good), "reduction 1"},
		"a limit twice":           {fileOf(settlement, []Reduction{{1, 1, 2}, {1, 1, 3}}, good), "reduction 2"},
		"an overflow of places":   {encode(2, 310, good[0], winner{good[0].place - 1, 10}), "place is"},
		"prizes beyond an amount": {encode(1, -1, winner{key(1, 1), 1 << 63}), "prizes is"},
	} {
		f, err := DecodeWinners(c.data)
		if f != nil || !errors.Is(err, ErrWinners) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// TestWinnersFileKeepsEveryone reads back long lists, with marks among them.
func TestWinnersFileKeepsEveryone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want, place := map[record.Place]money.Amount{}, key(1, 0)
		var all []winner
		for range rapid.IntRange(0, 3*markEvery).Draw(t, "winners") {
			place += rapid.SampledFrom([]uint64{1, 2, 300, 1 << 50}).Draw(t, "gap")
			w := winner{place, rapid.SampledFrom([]uint64{1, 100, 1 << 40}).Draw(t, "cents")}
			all = append(all, w)
			want[placeOf(place)] = money.Amount(w.cents)
		}
		f, err := DecodeWinners(fileOf(Settlement{1, 2, 3}, nil, all))
		if err != nil {
			t.Fatal(err)
		}
		i := 0
		for got, cents := range f.All() {
			if got != placeOf(all[i].place) || cents != money.Amount(all[i].cents) {
				t.Fatalf("winner %d is %v with %v", i, got, cents)
			}
			i++
		}
		for _, w := range all {
			for _, place := range []uint64{w.place - 1, w.place, w.place + 1} {
				if got, won := f.Lookup(placeOf(place)); got != want[placeOf(place)] || won != (got > 0) {
					t.Fatalf("%v: %v, %v", placeOf(place), got, won)
				}
			}
		}
	})
}

// FuzzDecodeWinners holds the decoder to its promise: what it takes has one form.
func FuzzDecodeWinners(f *testing.F) {
	f.Add(fileOf(Settlement{1, 7, 1}, []Reduction{{0, 3, 4}}, []winner{{key(1, 5), 300}, {key(1, 6), 10}}))
	f.Add(fileOf(Settlement{1, 7, 1}, nil, nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := DecodeWinners(data)
		if err != nil {
			return
		}
		var all []winner
		for place, cents := range file.All() {
			key, err := placeKey(place)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, winner{key, uint64(cents)})
			if got, won := file.Lookup(place); !won || got != cents {
				t.Fatalf("%v is listed with %v and found with %v", place, cents, got)
			}
		}
		if again := fileOf(file.Settlement, file.Reductions, all); !bytes.Equal(again, data) {
			t.Fatalf("%x is read and written as %x", data, again)
		}
	})
}

// stop stops a sequence after its first value.
func stop[K, V any](all iter.Seq2[K, V]) (n int) {
	for range all {
		n++
		break
	}
	return n
}

func TestLoopsMayStop(t *testing.T) {
	out := settleWays(t, newHouse(t, "vic-keno-2015", "schedule-1"),
		slices.Repeat([]Way{onSpots("classic", kenoSet(1, 1), 100)}, 3))
	f, err := DecodeWinners(out.Encode(Settlement{1, 1, 1}))
	if err != nil || stop(out.All()) != 1 || stop(f.All()) != 1 {
		t.Error(err)
	}
}
