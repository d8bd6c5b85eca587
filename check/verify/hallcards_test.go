package verify

import (
	"bytes"
	"crypto/sha256"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"drawhouse/core/ball"
	"drawhouse/games/bingo"
	"drawhouse/rulebook"
	rulebooks "drawhouse/rulebook/rules"
)

// madeTable returns a master table as the generator writes it.
func madeTable(tb testing.TB, id string, up int) (*bingo.Table, []byte, *rulebook.BingoFile) {
	tb.Helper()
	book, err := rulebooks.Book(id)
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
	table, err := form.MakeTable(bingo.Series{ID: "K7", Up: up, FirstBook: 41, Colours: colours}, 7,
		rand.NewChaCha8([32]byte{byte(up)}))
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
	for _, c := range []struct {
		id string
		up int
	}{{"nsw-bingo-2019", 6}, {"nsw-bingo-2019", 12}, {"sc-bingo-1996", 1}, {"sc-bingo-1996", 3}, {"sc-bingo-1996", 12}} {
		tablesAgree(t, c.id, c.up)
	}
}

func tablesAgree(t *testing.T, id string, up int) {
	t.Helper()
	book, err := rulebooks.Book(id)
	if err != nil {
		t.Fatal(err)
	}
	form, err := bingo.NewForm(book)
	if err != nil {
		t.Fatal(err)
	}
	patterns, err := bingo.NewPatterns(form, book.Patterns())
	if err != nil {
		t.Fatal(err)
	}
	chance := rand.New(rand.NewPCG(1, 2))
	table, file, policies := madeTable(t, id, up)
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
				compareBox(t, patterns, want[i], got[i], policies, chance)
			}
		}
	}
}

// TestRandomCards makes cards of 75 numbers, has the second reader read them, and compares
// what both make of every pattern on random calls. It takes a thousand cards, or as many as
// the environment says.
func TestRandomCards(t *testing.T) {
	cards := 1000
	if text := os.Getenv("DRAWHOUSE_CARDS"); text != "" {
		var err error
		if cards, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	book, err := rulebooks.Book("sc-bingo-1996")
	if err != nil {
		t.Fatal(err)
	}
	form, err := bingo.NewForm(book)
	if err != nil {
		t.Fatal(err)
	}
	patterns, err := bingo.NewPatterns(form, book.Patterns())
	if err != nil {
		t.Fatal(err)
	}
	const up = 9
	colours, err := bingo.Palette(1)
	if err != nil {
		t.Fatal(err)
	}
	series := bingo.Series{ID: "M75", Up: up, FirstBook: 1, Colours: colours}
	books := (cards + up - 1) / up
	table, err := form.MakeTable(series, books, rand.NewChaCha8([32]byte{75}))
	if err != nil {
		t.Fatal(err)
	}
	file, err := table.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	policies := book.File().Bingo
	read, err := readTable(file, policies)
	if err != nil {
		t.Fatal(err)
	}
	chance := rand.New(rand.NewPCG(7, 5))
	for b := 1; b <= books; b++ {
		want, err := table.Card(bingo.Serial{Series: "M75", Book: b, Game: 1})
		if err != nil {
			t.Fatal(err)
		}
		for i, got := range read.card(uint32(b), 1) {
			compareBox(t, patterns, want[i], got, policies, chance)
		}
	}
}

// compareBox compares a box of both readers, and all patterns on random calls.
func compareBox(t *testing.T, patterns *bingo.Patterns, want bingo.Box, got box, policies *rulebook.BingoFile,
	chance *rand.Rand) {
	t.Helper()
	for place, n := range got {
		if want.Number(place) != int(n) {
			t.Fatalf("number %d of a box is %d and %d", place+1, want.Number(place), n)
		}
	}
	room := hallRoom{rules: policies}
	var called drawnNumbers
	set := ball.Empty(patterns.Form().Universe())
	for n := 1; n <= policies.Numbers.Of; n++ {
		if chance.IntN(100) < 75 {
			called[n], set = true, set.With(n)
		}
	}
	for i := range patterns.Len() {
		id := patterns.At(i).ID
		if a, b := patterns.Completed(want.Mask(set)).Has(i),
			got.completes(policies.Card.PerLine, room.pattern(id), &called); a != b {
			t.Errorf("%s on %v with %v called: %v and %v", id, want, set, a, b)
		}
	}
}

// FuzzReadTable looks for files of master tables that the generator's reader takes and
// the second one does not. The sum at the end is made right: behind it the faults are.
// The other way round there are some: names of colours are of no concern to grading.
func FuzzReadTable(f *testing.F) {
	_, file, policies := madeTable(f, "nsw-bingo-2019", 6)
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
