package bingo

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/core/ball"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

func sc(t testing.TB) *rulebook.Book {
	t.Helper()
	book, err := rules.Book("sc-bingo-1996")
	if err != nil {
		t.Fatal(err)
	}
	return book
}

func scForm(t testing.TB) *Form {
	t.Helper()
	form, err := NewForm(sc(t))
	if err != nil {
		t.Fatal(err)
	}
	return form
}

func scPatterns(t testing.TB) *Patterns {
	t.Helper()
	patterns, err := NewPatterns(scForm(t), sc(t).Patterns())
	if err != nil {
		t.Fatal(err)
	}
	return patterns
}

func scBoxes(t testing.TB, seed string, count int) []Box {
	t.Helper()
	m, err := scForm(t).NewMaker(seeded(seed))
	if err != nil {
		t.Fatal(err)
	}
	boxes := make([]Box, count)
	for i := range boxes {
		strip, err := m.Strip()
		if err != nil || len(strip) != 1 {
			t.Fatal(strip, err)
		}
		boxes[i] = strip[0]
	}
	return boxes
}

// soundCard says what a card is from the words of sc-bingo-1996 3920.3 alone.
func soundCard(lines [][]uint8) error {
	seen := map[uint8]bool{}
	if len(lines) != 5 {
		return fmt.Errorf("%d rows", len(lines))
	}
	for row, cells := range lines {
		if len(cells) != 5 {
			return fmt.Errorf("%d squares in row %d", len(cells), row)
		}
		for column, n := range cells {
			if row == 2 && column == 2 {
				if n != 0 {
					return fmt.Errorf("the centre has %d", n)
				}
				continue
			}
			if int(n) <= 15*column || int(n) > 15*column+15 || seen[n] {
				return fmt.Errorf("%d is in column %c, or twice", n, "BINGO"[column])
			}
			seen[n] = true
		}
	}
	return nil
}

// drawnComplete is the slow twin of the patterns: it looks at the printed card, at the
// numbers called, and at the shapes as they are drawn.
func drawnComplete(file *rulebook.PatternFile, lines [][]uint8, called ball.Set) bool {
	marked := func(row, column int) bool {
		return row == 2 && column == 2 || called.Has(int(lines[row][column]))
	}
	if file.ID == rulebook.FullCardID {
		for row := range lines {
			for column := range lines[row] {
				if !marked(row, column) {
					return false
				}
			}
		}
		return true
	}
	have := 0
	for _, shape := range file.Shapes {
		whole := true
		for row, signs := range strings.Split(shape, " ") {
			for column, sign := range signs {
				whole = whole && (sign != '#' || marked(row, column))
			}
		}
		if whole {
			have++
		}
	}
	return have >= max(file.ShapesLeast, 1)
}

// randomCards is how many cards the tests of random ones take: a thousand, or what the
// environment says.
func randomCards(t testing.TB) int {
	t.Helper()
	if text := os.Getenv("DRAWHOUSE_CARDS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	return 1000
}

// TestRandomCards makes cards, holds each to the words of the rule and calls random numbers:
// every pattern by the compiled ways and by the shapes as they are drawn.
func TestRandomCards(t *testing.T) {
	form, patterns := scForm(t), scPatterns(t)
	files := sc(t).Patterns()
	m, err := form.NewMaker(seeded("a million"))
	if err != nil {
		t.Fatal(err)
	}
	dice := rand.New(rand.NewPCG(75, 24))
	complete := make([]int, len(files))
	for card := range randomCards(t) {
		strip, err := m.Strip()
		if err != nil {
			t.Fatal(err)
		}
		box := strip[0]
		lines := box.Lines()
		if err := soundCard(lines); err != nil {
			t.Fatalf("card %d: %v", card, err)
		}
		called := ball.Empty(ball.BingoUS)
		for n := 1; n <= 75; n++ {
			if dice.IntN(100) < 40+card%60 {
				called = called.With(n)
			}
		}
		done := patterns.Completed(box.Mask(called))
		for i := range files {
			want := drawnComplete(&files[i], lines, called)
			if got := done.Has(i); got != want || got != (patterns.ToGo(i, box.Mask(called)) == 0) {
				t.Fatalf("card %d, %s on %v with %v: %v, want %v", card, files[i].ID, lines, called, got, want)
			}
			if want {
				complete[i]++
			}
		}
	}
	for i, n := range complete {
		if n == 0 && files[i].ID != rulebook.FullCardID {
			t.Errorf("%s was never complete", files[i].ID)
		}
	}
}

// TestShapesToGo holds what is lacking, and what is waited for, against a search.
func TestShapesToGo(t *testing.T) {
	patterns, boxes := scPatterns(t), scBoxes(t, "to go", 20)
	files := sc(t).Patterns()
	rapid.Check(t, func(t *rapid.T) {
		box := rapid.SampledFrom(boxes).Draw(t, "box")
		i := rapid.IntRange(0, patterns.Len()-1).Draw(t, "pattern")
		called := ball.Empty(ball.BingoUS)
		for _, n := range box.Set().Numbers() {
			if rapid.IntRange(0, 3).Draw(t, "called") > 0 {
				called = called.With(n)
			}
		}
		got := patterns.ToGo(i, box.Mask(called))
		if want := fewest(&files[i], box, called, got+1); want != got {
			t.Fatalf("%s: %d to go, want %d", files[i].ID, got, want)
		}
		waits := patterns.Waits(i, box.Mask(called))
		for place := range box.Places() {
			n := box.Number(place)
			want := n != 0 && got == 1 && !called.Has(n) && drawnComplete(&files[i], box.Lines(), called.With(n))
			if waits>>place&1 == 1 != want {
				t.Fatalf("%s waits for place %d: %v", files[i].ID, place, want)
			}
		}
	})
}

// fewest returns the fewest numbers that complete a pattern, or most if it takes as many: by
// trying the squares that a shape or a choice of shapes still needs.
func fewest(file *rulebook.PatternFile, box Box, called ball.Set, most int) int {
	shapes := file.Shapes
	if file.ID == rulebook.FullCardID {
		shapes = []string{"##### ##### ##### ##### #####"}
	}
	lines := box.Lines()
	var choose func(from, left int, need ball.Set) int
	choose = func(from, left int, need ball.Set) int {
		if left == 0 {
			return min(most, need.Minus(called).Len())
		}
		best := most
		for i := from; i < len(shapes); i++ {
			more := need
			for row, signs := range strings.Split(shapes[i], " ") {
				for column, sign := range signs {
					if n := int(lines[row][column]); sign == '#' && n != 0 {
						more = more.With(n)
					}
				}
			}
			best = min(best, choose(i+1, left-1, more))
		}
		return best
	}
	return choose(0, max(file.ShapesLeast, 1), ball.Empty(ball.BingoUS))
}

// TestPublishedChances compares with figures that were published: of the coverall, by the
// Wizard of Odds and many others one in 212,085 within 50 calls; of one line the density by
// the Wizard of Odds, and the sums by Durango Bill; of two lines and of packs the density by
// the Wizard of Odds.
func TestPublishedChances(t *testing.T) {
	patterns := scPatterns(t)
	if got := new(big.Rat).Inv(patterns.Chance(Bingo, 50)).FloatString(0); got != "212085" {
		t.Errorf("a coverall within 50 calls is one in %s", got)
	}
	for _, c := range []struct {
		pattern string
		calls   int
		exactly bool
		want    string
	}{
		{"any-line", 4, true, "0.00000329"}, {"any-line", 5, true, "0.00001363"}, {"any-line", 10, true, "0.00033478"},
		{"any-line", 15, true, "0.00165520"}, {"any-line", 18, true, "0.00330168"},
		{"any-line", 19, false, "0.017993"}, {"any-line", 20, false, "0.022874"}, {"any-line", 25, false, "0.063961"},
		{"two-lines", 9, true, "0.00000001"}, {"two-lines", 12, true, "0.00000062"}, {"two-lines", 15, true, "0.00000668"},
		{"two-lines", 18, true, "0.00003910"},
		{"six-pack", 5, true, "0.00000070"}, {"six-pack", 10, true, "0.00009342"}, {"six-pack", 18, true, "0.00177471"},
		{"nine-pack", 10, true, "0.00000002"}, {"nine-pack", 15, true, "0.00000183"}, {"nine-pack", 18, true, "0.00001033"},
	} {
		i, ok := patterns.Index(c.pattern)
		if !ok {
			t.Fatalf("no pattern %s", c.pattern)
		}
		p := patterns.Chance(i, c.calls)
		if c.exactly {
			p.Sub(p, patterns.Chance(i, c.calls-1))
		}
		if got := p.FloatString(len(c.want) - len("0.")); got != c.want {
			t.Errorf("%s, %d calls: %s, published are %s", c.pattern, c.calls, got, c.want)
		}
	}
}

// searched reports whether TestChancesBySearch looks at the sets of so many numbers: those that are few enough, and
// all 16,777,216 in a soak.
var searched = func(size int) bool { return size <= 7 || size >= 17 }

// TestChancesBySearch counts, for every pattern, the sets of the 24 numbers that complete it,
// one by one, and compares with the sums.
func TestChancesBySearch(t *testing.T) {
	patterns, form := scPatterns(t), scForm(t)
	counts := make([][25]int64, patterns.Len())
	for set := range Mask(1 << 24) {
		if !searched(set.Len()) {
			continue
		}
		mask := set&(1<<12-1) | form.free | set>>12<<13
		done := patterns.Completed(mask)
		for i := range counts {
			if done.Has(i) {
				counts[i][set.Len()]++
			}
		}
	}
	for i := range counts {
		for size, want := range patterns.At(i).sets() {
			if searched(size) && want.Cmp(big.NewInt(counts[i][size])) != 0 {
				t.Errorf("%s: %v sets of %d, the search finds %d", patterns.At(i).ID, want, size, counts[i][size])
			}
		}
	}
}

// TestSeventyFivePlay follows cards through whole games, call by call, beside the twin.
func TestSeventyFivePlay(t *testing.T) {
	patterns, boxes := scPatterns(t), scBoxes(t, "played", 60)
	files := sc(t).Patterns()
	strips := make([]Strip, len(boxes))
	for i := range boxes {
		strips[i] = Strip{boxes[i]}
	}
	play, err := NewPlay(patterns, strips)
	if err != nil {
		t.Fatal(err)
	}
	called, before := ball.Empty(ball.BingoUS), make([]Completed, len(boxes))
	for _, n := range rand.New(rand.NewPCG(1, 9)).Perm(75) {
		changes, err := play.Call(n+1, nil)
		if err != nil {
			t.Fatal(err)
		}
		called = called.With(n + 1)
		gained := map[int]Completed{}
		for _, c := range changes {
			gained[c.Box] = c.Patterns
		}
		for b, box := range boxes {
			now := Completed(0)
			for i := range files {
				if drawnComplete(&files[i], box.Lines(), called) {
					now |= 1 << i
				}
			}
			if gained[b] != now&^before[b] {
				t.Fatalf("call %d, box %d: gained %b, want %b", n+1, b, gained[b], now&^before[b])
			}
			before[b] = now
		}
	}
	if _, err := play.Call(76, nil); err == nil {
		t.Error("76 is called of 75 numbers")
	}
}

// TestSeventyFiveTable takes a table through its file, CSV and JSON, and refuses files with
// cards that are none.
func TestSeventyFiveTable(t *testing.T) {
	form := scForm(t)
	colours, err := Palette(2)
	if err != nil {
		t.Fatal(err)
	}
	table, err := form.MakeTable(Series{ID: "B75", Up: 3, FirstBook: 1, Colours: colours}, 20, seeded("75"))
	if err != nil {
		t.Fatal(err)
	}
	file, err := table.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	again, err := form.ReadTable(file)
	if err != nil {
		t.Fatal(err)
	}
	fromCSV, err := form.ReadCSV("B75", 3, strings.NewReader(string(table.AppendCSV(nil))))
	if err != nil {
		t.Fatal(err)
	}
	fromJSON, err := form.ReadJSON(Series{}, table.AppendJSON(nil))
	if err != nil {
		t.Fatal(err)
	}
	for i, box := range table.boxes {
		if again.boxes[i] != box || fromCSV.boxes[i] != box || fromJSON.boxes[i] != box {
			t.Fatalf("box %d is not what it was", i)
		}
		if spot, found, ok := table.Find(box.Set()); !ok || found != box || spot != table.spot(i) {
			t.Fatalf("box %d is found as %v", i, spot)
		}
	}
	if _, err := nswForm(t).ReadTable(file); err == nil {
		t.Error("a table of 75 numbers is read as one of 90")
	}
	first := len(file) - 32 - 20*2*3*25
	for what, change := range map[string]func([]byte){
		"a number of another column": func(b []byte) { b[0], b[1] = b[1], b[0] },
		"a number twice":             func(b []byte) { b[0] = b[5] },
		"a number on the centre":     func(b []byte) { b[12] = 44 },
		"a blank":                    func(b []byte) { b[3] = 0 },
		"76":                         func(b []byte) { b[4] = 76 },
		"a card twice":               func(b []byte) { copy(b[25:], b[:25]) },
	} {
		bad := append([]byte(nil), file[:len(file)-32]...)
		change(bad[first:])
		if _, err := form.ReadTable(summed(bad)); err == nil {
			t.Errorf("%s is read", what)
		}
	}
	binary.BigEndian.PutUint32(file[len(packedMagic)+1+3+1:], 0)
	if _, err := form.ReadTable(summed(file[:len(file)-32])); err == nil {
		t.Error("a series from book 0 on is read")
	}
}

// TestCallNames are numbers as they are called.
func TestCallNames(t *testing.T) {
	for n, want := range map[int]string{1: "B 1", 15: "B 15", 16: "I 16", 31: "N 31", 46: "G 46", 60: "G 60", 61: "O 61",
		75: "O 75"} {
		if got := scForm(t).CallName(n); got != want {
			t.Errorf("%d is called %q, want %q", n, got, want)
		}
	}
	if got := nswForm(t).CallName(7); got != "7" {
		t.Errorf("7 of 90 is called %q", got)
	}
}

// TestSeventyFiveMakerIsUniform counts on which square each number stands.
func TestSeventyFiveMakerIsUniform(t *testing.T) {
	const count = 30_000
	var at [76][25]float64
	for _, box := range scBoxes(t, "uniform 75", count) {
		for place := range box.Places() {
			at[box.Number(place)][place]++
		}
	}
	for n := 1; n <= 75; n++ {
		column := (n - 1) / 15
		var observed []float64
		rest := float64(count)
		for line := range 5 {
			if line == 2 && column == 2 {
				continue
			}
			observed = append(observed, at[n][line*5+column])
			rest -= at[n][line*5+column]
		}
		expected := make([]float64, len(observed), len(observed)+1)
		for i := range expected {
			expected[i] = count / 15.0
		}
		expected = append(expected, count*(1-float64(len(observed))/15))
		chiSquare(t, fmt.Sprintf("squares of %d", n), append(observed, rest), expected)
	}
}

// summed puts the sum behind the body of a file.
func summed(body []byte) []byte {
	sum := sha256.Sum256(body)
	return append(append([]byte(nil), body...), sum[:]...)
}
