package verify

import (
	"bytes"
	"crypto/sha256"
	"math/rand/v2"
	"testing"

	"drawhouse/core/ball"
	"drawhouse/games/bingo"
	"drawhouse/rulebook"
	rulebooks "drawhouse/rulebook/rules"
)

// madeTable returns a master table as the generator writes it.
func madeTable(tb testing.TB, up int) (*bingo.Table, []byte, *rulebook.BingoFile) {
	tb.Helper()
	book, err := rulebooks.Book("nsw-bingo-2019")
	if err != nil {
		tb.Fatal(err)
	}
	form, err := bingo.NewForm(book)
	if err != nil {
		tb.Fatal(err)
	}
	colours, err := bingo.Palette(3)
	if err != nil {
		tb.Fatal(err)
	}
	table, err := form.MakeTable(bingo.Series{ID: "K7", Up: up, FirstBook: 41, Colours: colours}, 7, rand.NewChaCha8([32]byte{byte(up)}))
	if err != nil {
		tb.Fatal(err)
	}
	file, err := table.MarshalBinary()
	if err != nil {
		tb.Fatal(err)
	}
	file = bytes.Clone(file)
	return table, file, book.File().Bingo
}

// TestTablesAgree reads master tables with the two readers, which share no code, and
// compares every box and what every pattern makes of it.
func TestTablesAgree(t *testing.T) {
	book, err := rulebooks.Book("nsw-bingo-2019")
	if err != nil {
		t.Fatal(err)
	}
	patterns, err := bingo.NewPatterns(book.Patterns())
	if err != nil {
		t.Fatal(err)
	}
	chance := rand.New(rand.NewPCG(1, 2))
	for _, up := range []int{6, 12} {
		table, file, policies := madeTable(t, up)
		read, err := readTable(file, policies)
		if err != nil {
			t.Fatal(err)
		}
		for b := uint32(41); b < 48; b++ {
			for game := uint8(1); game <= 3; game++ {
				want, err := table.Card(bingo.Serial{Series: "K7", Book: int(b), Game: int(game)})
				if err != nil {
					t.Fatal(err)
				}
				got := read.card(b, game)
				for i := range want {
					compareBox(t, patterns, want[i], &got[i], policies, chance)
				}
			}
		}
	}
}

// compareBox compares a box of both readers, and all patterns on random calls.
func compareBox(t *testing.T, patterns *bingo.Patterns, want bingo.Box, got *box, policies *rulebook.BingoFile, chance *rand.Rand) {
	t.Helper()
	for place, n := range got {
		if want.Number(place) != int(n) {
			t.Fatalf("number %d of a box is %d and %d", place+1, want.Number(place), n)
		}
	}
	room := hallRoom{rules: policies}
	var called drawnNumbers
	set := ball.Empty(ball.Bingo)
	for n := 1; n <= 90; n++ {
		if chance.IntN(100) < 75 {
			called[n], set = true, set.With(n)
		}
	}
	for i := range patterns.Len() {
		id := patterns.At(i).ID
		if a, b := patterns.Completed(want.Mask(set)).Has(i), got.completes(room.pattern(id), &called); a != b {
			t.Errorf("%s on %v with %v called: %v and %v", id, want, set, a, b)
		}
	}
}

// FuzzReadTable looks for files of master tables that the generator's reader takes and
// the second one does not. The sum at the end is made right: behind it the faults are.
// The other way round there are some: names of colours are of no concern to grading.
func FuzzReadTable(f *testing.F) {
	_, file, policies := madeTable(f, 6)
	f.Add(file[:len(file)-sha256.Size])
	f.Add(file[:60])
	book, err := rulebooks.Book("nsw-bingo-2019")
	if err != nil {
		f.Fatal(err)
	}
	form, err := bingo.NewForm(book)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		sum := sha256.Sum256(data)
		data = append(bytes.Clone(data), sum[:]...)
		_, one := readTable(data, policies)
		_, other := form.ReadTable(data)
		if one != nil && other == nil {
			t.Errorf("the second reader refuses a sound table: %v", one)
		}
	})
}
