package bingo

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"drawhouse/core/ball"
	"drawhouse/games/draw"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// seeded is a reproducible source for tests.
func seeded(name string) io.Reader { return rand.NewChaCha8(sha256.Sum256([]byte(name))) }

func nsw(t testing.TB) *rulebook.Book {
	t.Helper()
	book, err := rules.Book("nsw-bingo-2019")
	if err != nil {
		t.Fatal(err)
	}
	return book
}

func nswForm(t testing.TB) *Form {
	t.Helper()
	form, err := NewForm(nsw(t))
	if err != nil {
		t.Fatal(err)
	}
	return form
}

func maker(t testing.TB, seed string) *Maker {
	t.Helper()
	m, err := nswForm(t).NewMaker(seeded(seed))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func strips(t testing.TB, seed string, count int) []Strip {
	t.Helper()
	m := maker(t, seed)
	made := make([]Strip, count)
	for i := range made {
		var err error
		if made[i], err = m.Strip(); err != nil {
			t.Fatal(err)
		}
	}
	return made
}

// TestStripsAreSound reads strips back as a stranger's: by the checks that imported
// cards go through, and by the text of the rule.
func TestStripsAreSound(t *testing.T) {
	form := nswForm(t)
	for i, strip := range strips(t, "sound", 2000) {
		var grids [StripBoxes]Grid
		all := ball.Empty(ball.Bingo)
		for b := range strip {
			grids[b] = strip[b].Grid()
			if !all.Disjoint(strip[b].Set()) {
				t.Fatalf("strip %d, box %d has a number of another", i, b)
			}
			all = all.Union(strip[b].Set())
		}
		again, err := form.Strip(grids[:])
		if err != nil || !slices.Equal(again, strip) || all != ball.Full(ball.Bingo) {
			t.Fatalf("strip %d: %v", i, err)
		}
	}
}

// TestSpreadIsABijection compares every rank of small matrices with all matrices
// that a search without any memory finds.
func TestSpreadIsABijection(t *testing.T) {
	for _, c := range []struct {
		rows, perRow int
		perColumn    []int
	}{
		{3, 2, []int{1, 2, 2, 1}},
		{4, 3, []int{2, 2, 3, 1, 4}},
		{4, 2, []int{1, 2, 2, 2, 1}},
		{6, 2, []int{3, 4, 5}},
		{6, 3, []int{3, 4, 4, 4, 3}},
	} {
		found := map[string]bool{}
		search(c.rows, c.perRow, c.perColumn, nil, found)
		s := newSpread(c.rows, c.perRow, c.perColumn)
		if int(s.total) != len(found) {
			t.Errorf("%v: %d matrices, the search finds %d", c, s.total, len(found))
		}
		for rank := range s.total {
			key := fmt.Sprint(s.matrix(rank, nil))
			if !found[key] {
				t.Errorf("%v: rank %d is %s, which is wrong or came before", c, rank, key)
			}
			delete(found, key)
		}
	}
}

func search(rows, perRow int, perColumn []int, columns []uint, found map[string]bool) {
	if len(columns) < len(perColumn) {
		for set := range uint(1) << rows {
			if bits.OnesCount(set) == perColumn[len(columns)] {
				search(rows, perRow, perColumn, append(slices.Clone(columns), set), found)
			}
		}
		return
	}
	for row := range rows {
		sum := 0
		for _, set := range columns {
			sum += int(set >> row & 1)
		}
		if sum != perRow {
			return
		}
	}
	found[fmt.Sprint(columns)] = true
}

// TestCounts holds the sizes that the package comment names against counts made
// another way: the matrices as a coefficient of a product of elementary symmetric
// polynomials, the layouts by multinomials.
func TestCounts(t *testing.T) {
	if got, want := nswForm(t).spread().total, coefficient(t); got != want || got != 51_672_600 {
		t.Errorf("%d matrices, want %d", got, want)
	}
	want := 0
	for a := range singles + 1 { // columns of one in the top, middle and bottom line
		for b := range singles + 1 - a {
			c := singles - a - b
			want += multinomial(a, b, c) * multinomial(a+1, b+1, c+1) // columns of two without that line
		}
	}
	if got := len(nswForm(t).layouts()); got != want || got != 1710 {
		t.Errorf("%d layouts, want %d", got, want)
	}
}

func multinomial(parts ...int) int {
	sum, below := 0, 1
	for _, p := range parts {
		sum += p
		below *= int(factorial(p))
	}
	return int(factorial(sum)) / below
}

// coefficient multiplies out the columns: a polynomial in six variables, exponents
// at most six, as a map from exponents to coefficients.
func coefficient(t *testing.T) uint32 {
	poly := map[[StripBoxes]int]uint32{{}: 1}
	for column := range Columns {
		first, last := nswForm(t).bounds(column)
		next := map[[StripBoxes]int]uint32{}
		for exponents, coefficient := range poly {
			for set := range uint(1 << StripBoxes) {
				if bits.OnesCount(set) != last-first+1-StripBoxes {
					continue
				}
				e := exponents
				for row := range e {
					e[row] += int(set >> row & 1)
				}
				if slices.Max(e[:]) <= doubles {
					next[e] += coefficient
				}
			}
		}
		poly = next
	}
	return poly[[StripBoxes]int{doubles, doubles, doubles, doubles, doubles, doubles}]
}

func TestPermuteIsABijection(t *testing.T) {
	seen := map[string]bool{}
	for rank := range factorial(6) {
		numbers := make([]uint8, 6)
		permute(numbers, 40, rank)
		key := string(numbers)
		slices.Sort(numbers)
		if seen[key] || !bytes.Equal(numbers, []uint8{40, 41, 42, 43, 44, 45}) {
			t.Fatalf("rank %d: %v", rank, []byte(key))
		}
		seen[key] = true
	}
}

// chiSquare fails if counts differ from what is expected more than chance allows
// once in a million.
func chiSquare(t *testing.T, what string, observed, expected []float64) {
	t.Helper()
	sum := 0.0
	for i := range observed {
		d := observed[i] - expected[i]
		sum += d * d / expected[i]
	}
	p := distuv.ChiSquared{K: float64(len(observed) - 1)}.Survival(sum)
	if p < 1e-6 || p > 1-1e-6 {
		t.Errorf("%s: chi-square %.1f over %d cells has p = %.3g", what, sum, len(observed), p)
	}
}

// uniform is so many equal expectations.
func uniform(cells int, total float64) []float64 {
	return slices.Repeat([]float64{total / float64(cells)}, cells)
}

// TestMakerIsUniform compares what strips are made with the exact counts of what
// there is: layouts of a box, boxes and pairs of a number, and how the columns of
// two of neighbouring columns overlap, for which all matrices are counted.
func TestMakerIsUniform(t *testing.T) {
	count := 60_000
	if testing.Short() {
		count = 20_000
	}
	made := strips(t, "uniform", count)
	t.Run("layouts", func(t *testing.T) { layoutsAreUniform(t, made) })
	t.Run("dealings", func(t *testing.T) { dealingsAreUniform(t, made) })
	t.Run("matrices", func(t *testing.T) { matricesAreUniform(t, made) })
}

func layoutsAreUniform(t *testing.T, made []Strip) {
	rank := map[layout]int{}
	for i, l := range nswForm(t).layouts() {
		rank[l] = i
	}
	observed := make([]float64, len(rank))
	for _, strip := range made {
		for _, box := range strip {
			observed[rank[layoutOf(box)]]++
		}
	}
	chiSquare(t, "layouts", observed, uniform(len(observed), float64(len(made)*StripBoxes)))
}

// layoutOf reads the layout off a box.
func layoutOf(box Box) (l layout) {
	grid := box.Grid()
	single, double := 0, singles
	for column := range Columns {
		set := uint8(0)
		for line := range grid {
			if grid[line][column] != 0 {
				set |= 1 << line
			}
		}
		if bits.OnesCount8(set) == 1 {
			l[single] = set
			single++
		} else {
			l[double] = set
			double++
		}
	}
	return l
}

// dealingsAreUniform counts in which box each number is, and for pairs of a column
// how often they share a box: of the 45 pairs of ten numbers four share one.
func dealingsAreUniform(t *testing.T, made []Strip) {
	boxes := make([][]float64, Numbers+1)
	for n := range boxes {
		boxes[n] = make([]float64, StripBoxes)
	}
	var shared []float64
	for range 45 {
		shared = append(shared, 0)
	}
	for _, strip := range made {
		for i, box := range strip {
			for _, n := range box.numbers {
				boxes[n][i]++
			}
			pair := 0
			for a := 50; a < 60; a++ {
				for b := a + 1; b < 60; b++ {
					_, hasA := box.Place(a)
					_, hasB := box.Place(b)
					if hasA && hasB {
						shared[pair]++
					}
					pair++
				}
			}
		}
	}
	for n := 1; n <= Numbers; n++ {
		chiSquare(t, fmt.Sprintf("boxes of %d", n), boxes[n], uniform(StripBoxes, float64(len(made))))
	}
	chiSquare(t, "pairs", shared, uniform(len(shared), 4*float64(len(made))))
}

// matricesAreUniform compares the pairs of neighbouring columns. For two columns with
// sets A and B of boxes with two numbers, the number of matrices that contain both is
// the number of ways to fill the other seven columns.
func matricesAreUniform(t *testing.T, made []Strip) {
	for _, column := range []int{0, 3, 7} {
		index := map[[2]uint]int{}
		var expected []float64
		for _, a := range nswForm(t).spread().choices[column] {
			for _, b := range nswForm(t).spread().choices[column+1] {
				if ways := waysAround(t, column, a, b); ways > 0 {
					index[[2]uint{a, b}] = len(expected)
					expected = append(expected, float64(ways)*float64(len(made))/float64(nswForm(t).spread().total))
				}
			}
		}
		observed := make([]float64, len(expected))
		for _, strip := range made {
			observed[index[[2]uint{doublesOf(strip, column), doublesOf(strip, column+1)}]]++
		}
		chiSquare(t, fmt.Sprintf("columns %d and %d", column, column+1), observed, expected)
	}
}

// waysAround counts the matrices in which two neighbouring columns are a and b.
func waysAround(t *testing.T, column int, a, b uint) uint32 {
	s := nswForm(t).spread()
	left, ok := s.take(s.start, a)
	if ok {
		left, ok = s.take(left, b)
	}
	if !ok {
		return 0
	}
	rest := slices.Delete(slices.Clone(s.perColumn), column, column+2)
	return newSpread(s.rows, 0, rest).count(0, left)
}

func doublesOf(strip Strip, column int) (set uint) {
	for i := range strip {
		grid := strip[i].Grid()
		count := 0
		for line := range grid {
			if grid[line][column] != 0 {
				count++
			}
		}
		if count == 2 {
			set |= 1 << i
		}
	}
	return set
}

// TestStripsThereAre says how many strips there are, which nobody will exhaust.
func TestStripsThereAre(t *testing.T) {
	all := big.NewInt(int64(nswForm(t).spread().total))
	for column := range Columns {
		first, last := nswForm(t).bounds(column)
		all.Mul(all, big.NewInt(int64(factorial(last-first+1))))
	}
	all.Rsh(all, StripBoxes*doubles) // two numbers of a box and column can be dealt in two orders
	for range StripBoxes {
		all.Mul(all, big.NewInt(int64(len(nswForm(t).layouts()))))
	}
	if got := len(all.String()); got != 76 {
		t.Errorf("%v strips, %d digits", all, got)
	}
}

func TestMakerNeedsEntropy(t *testing.T) {
	form := nswForm(t)
	if _, err := form.NewMaker(nil); err == nil {
		t.Error("a maker without entropy is made")
	}
	for length := range 30 {
		m, err := form.NewMaker(io.LimitReader(seeded("short"), int64(length)))
		if err != nil {
			t.Fatal(err)
		}
		if strip, err := m.Strip(); err == nil || strip != nil {
			t.Errorf("a strip of %d bytes: %v, %v", length, strip, err)
		}
	}
	m, err := form.NewMaker(stuck{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Strip(); !errors.Is(err, draw.ErrStuck) {
		t.Errorf("a source that repeats one byte: %v", err)
	}
	wide := *form
	wide.columnMax = 3
	if _, err := wide.NewMaker(seeded("")); err == nil {
		t.Error("a maker of columns of three is made")
	}
}

// stuck gives the byte that is rejected for ever.
type stuck struct{}

func (stuck) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 0xff
	}
	return len(p), nil
}

func TestNotBingo(t *testing.T) {
	book, err := rules.Book("vic-keno-2015")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewForm(book); !errors.Is(err, ErrNotBingo) {
		t.Errorf("a form of keno: %v", err)
	}
}

// BenchmarkStrips makes 10,000 strips in each round, as the command does.
func BenchmarkStrips(b *testing.B) {
	m := maker(b, "benchmark")
	for b.Loop() {
		for range 10_000 {
			if _, err := m.Strip(); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/10_000, "ns/strip")
}
