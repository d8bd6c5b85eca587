package bingo

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/core/ball"
	"drawhouse/rulebook"
)

func nswPatterns(t testing.TB) *Patterns {
	t.Helper()
	patterns, err := NewPatterns(nswForm(t), nsw(t).Patterns())
	if err != nil {
		t.Fatal(err)
	}
	return patterns
}

// illustrated is a box that the rules show, with the pattern it illustrates and the
// colour of its strip.
type illustrated struct {
	pattern, colour string
	box             Box
}

// illustratedBoxes reads the boxes that were typed off the rules.
func illustratedBoxes(t testing.TB) (all []illustrated) {
	t.Helper()
	data, err := os.ReadFile("../../rulebook/rules/nsw-bingo-2019/testdata/retyped/boxes.txt")
	if err != nil {
		t.Fatal(err)
	}
	form := nswForm(t)
	var lines []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			lines = append(lines, line)
		}
	}
	for chunk := range slices.Chunk(lines, 1+Lines) {
		name, colour, _ := strings.Cut(chunk[0], " ")
		box, err := form.Box(parseGrid(t, chunk[1:]))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all = append(all, illustrated{name, strings.TrimSuffix(colour, "?"), box})
	}
	return all
}

// parseGrid reads lines of nine cells, a dot for a blank.
func parseGrid(t testing.TB, lines []string) (grid Grid) {
	t.Helper()
	for i, line := range lines {
		for column, word := range strings.Fields(line) {
			if word == "." {
				continue
			}
			n, err := strconv.ParseUint(word, 10, 8)
			if err != nil {
				t.Fatal(err)
			}
			grid[i][column] = uint8(n)
		}
	}
	return grid
}

// TestIllustratedBoxes reads the 28 boxes of the rules: whole strips of three
// colours, and for each pattern the very numbers of its box that its definition
// names, found here by eye and by column.
func TestIllustratedBoxes(t *testing.T) {
	boxes := illustratedBoxes(t)
	if len(boxes) != 28 {
		t.Fatalf("%d boxes", len(boxes))
	}
	colours := map[string][]Box{}
	for _, b := range boxes {
		colours[b.colour] = append(colours[b.colour], b.box)
	}
	form := nswForm(t)
	for _, colour := range []string{"pink", "blue", "yellow"} {
		var grids [StripBoxes]Grid
		for i, box := range colours[colour] {
			grids[i] = box.Grid()
		}
		if _, err := form.Strip(grids[:]); err != nil {
			t.Errorf("%s: %v", colour, err)
		}
	}
	for _, colour := range []string{"green", "orange"} {
		all := ball.Empty(ball.Bingo)
		for _, box := range colours[colour] {
			all = all.Union(box.Set())
		}
		if all.Len() != 5*BoxNumbers {
			t.Errorf("%s: %d numbers in five boxes", colour, all.Len())
		}
	}
}

// illustratedNumbers are, for the patterns of fixed cells, the numbers of the
// illustrated box that the definition asks for.
var illustratedNumbers = map[string]string{
	"back-steps":           "80 63 83 38 53 69",
	"book-ends":            "15 64 9 76 17 85",
	"bottom-line":          "36 48 68 79 90",
	"cops-and-robbers":     "1 12 67 74",
	"double-decker-bus":    "6 42 52 67 85 19 22 59 77 89 8 78",
	"four-corners":         "10 61 18 80",
	"front-steps":          "14 5 20 9 15 25",
	"letter-h":             "7 70 12 26 35 51 86 38 87",
	"letter-l":             "33 6 8 28 38 68 86",
	"letter-t":             "17 27 46 60 84 55 59",
	"lucky-7":              "4 24 30 42 80 72 88",
	"mark-the-spot":        "2 71 53 26 90",
	"middle-line":          "4 27 36 43 69",
	"postage-stamp":        "72 80 46 73",
	"postcode":             "16 28 54 66",
	"race-track":           "14 25 42 71 81 1 82 17 27 49 57 68",
	"table-top":            "3 16 43 65 70 19 84 7 90",
	"top-and-bottom-lines": "20 32 47 60 78 4 12 59 66 85",
	"top-line":             "5 11 26 50 62",
}

// TestPatternsOnIllustratedBoxes completes each pattern on its own box, and not one
// number earlier.
func TestPatternsOnIllustratedBoxes(t *testing.T) {
	patterns := nswPatterns(t)
	for _, b := range illustratedBoxes(t) {
		i, ok := patterns.Index(b.pattern)
		if !ok {
			t.Fatalf("no pattern %s", b.pattern)
		}
		file := patterns.At(i).file
		if file.Cells == nil {
			countsOnBox(t, patterns, i, b.box)
			continue
		}
		numbers := ball.MustParse(ball.Bingo, illustratedNumbers[b.pattern])
		if mask := b.box.Mask(numbers); mask != cellsMask(PerLine, file.Cells) || mask.Len() != numbers.Len() ||
			!patterns.Completed(mask).Has(i) {
			t.Errorf("%s: %v are the places %015b, want %015b", b.pattern, numbers, mask, cellsMask(PerLine, file.Cells))
		}
		for n := range numbers.All() {
			if rest := b.box.Mask(numbers.Minus(ball.MustOf(ball.Bingo, n))); patterns.Completed(rest).Has(i) {
				t.Errorf("%s is complete without %d", b.pattern, n)
			}
		}
	}
}

// countsOnBox compares a pattern of counts or lines with its definition, for every
// set of marked numbers of the box.
func countsOnBox(t *testing.T, patterns *Patterns, i int, box Box) {
	t.Helper()
	for mask := range Mask(masks) {
		called := ball.Empty(ball.Bingo)
		for place := range BoxNumbers {
			if mask>>place&1 == 1 {
				called = called.With(box.Number(place))
			}
		}
		if got, want := patterns.Completed(mask).Has(i), slowComplete(patterns.At(i).file, box, called); got != want {
			t.Fatalf("%s with %v: %v, want %v", patterns.At(i).ID, called, got, want)
		}
	}
}

// slowComplete is the twin of the compiled patterns: it looks at the printed box and
// at the numbers called, and follows the words of the rulebook.
func slowComplete(file rulebook.PatternFile, box Box, called ball.Set) bool {
	marked := map[string][]bool{} // by line, from the left
	grid := box.Grid()
	for i, name := range []string{"top", "middle", "bottom"} {
		for _, n := range grid[i] {
			if n != 0 {
				marked[name] = append(marked[name], called.Has(int(n)))
			}
		}
	}
	count := func(line string) (n int) {
		for _, m := range marked[line] {
			if m {
				n++
			}
		}
		return n
	}
	switch {
	case file.Cells != nil:
		for line, places := range map[string][]int{"top": file.Cells.Top, "middle": file.Cells.Middle,
			"bottom": file.Cells.Bottom} {
			for _, place := range places {
				if !marked[line][place-1] {
					return false
				}
			}
		}
		return true
	case file.Counts != nil:
		return count("top") >= file.Counts.Top && count("middle") >= file.Counts.Middle &&
			count("bottom") >= file.Counts.Bottom
	}
	whole := 0
	for line := range marked {
		if count(line) == PerLine {
			whole++
		}
	}
	return whole >= file.AnyLines
}

// TestToGo holds what is lacking against a search: the fewest numbers to be added.
func TestToGo(t *testing.T) {
	patterns := nswPatterns(t)
	rapid.Check(t, func(t *rapid.T) {
		i := rapid.IntRange(0, patterns.Len()-1).Draw(t, "pattern")
		mask := Mask(rapid.Uint16Range(0, uint16(fullMask)).Draw(t, "mask"))
		want := BoxNumbers
		waits := Mask(0)
		for more := range Mask(masks) {
			if patterns.At(i).Complete(mask | more) {
				want = min(want, (more &^ mask).Len())
			}
		}
		for place := range BoxNumbers {
			if one := Mask(1 << place); want == 1 && mask&one == 0 && patterns.At(i).Complete(mask|one) {
				waits |= one
			}
		}
		if got := patterns.ToGo(i, mask); got != want {
			t.Errorf("%s at %015b: %d to go, want %d", patterns.At(i).ID, mask, got, want)
		}
		if got := patterns.Waits(i, mask); got != waits {
			t.Errorf("%s at %015b waits for %015b, want %015b", patterns.At(i).ID, mask, got, waits)
		}
	})
}

func TestStanding(t *testing.T) {
	patterns := nswPatterns(t)
	boxes := illustratedBoxes(t)
	box := boxes[slices.IndexFunc(boxes, func(b illustrated) bool { return b.pattern == "four-corners" })].box
	corners, _ := patterns.Index("four-corners")
	standing := func(calls string) Standing {
		sequence, err := ball.ParseSequence(ball.Bingo, calls)
		if err != nil {
			t.Fatal(err)
		}
		return patterns.Standing(corners, box, sequence)
	}
	if s := standing("10 61 18 1 2"); s.Complete || s.ToGo != 1 || s.Waits.String() != "80" ||
		s.Open.Len() != BoxNumbers-4 {
		t.Errorf("one to go: %+v", s)
	}
	if s := standing("10 61 18 1 80 27"); !s.Complete || s.Place != 5 || s.Number != 80 || s.ToGo != 0 ||
		s.Waits.Len() != 0 {
		t.Errorf("complete with the fifth call: %+v", s)
	}
	if s := standing("10"); s.Complete || s.ToGo != 3 || s.Waits.Len() != 0 {
		t.Errorf("three to go: %+v", s)
	}
}

func TestOwnPatterns(t *testing.T) {
	cells := func(top ...int) rulebook.PatternFile {
		return rulebook.PatternFile{ID: "own", Name: "Own", Cells: &rulebook.PatternCells{Top: top}}
	}
	own := cells(2, 4)
	patterns, err := NewPatterns(nswForm(t), append(nsw(t).Patterns(), own))
	if err != nil {
		t.Fatal(err)
	}
	if i, ok := patterns.Index("own"); !ok || !patterns.Completed(0b01010).Has(i) || patterns.Completed(0b10101).Has(i) {
		t.Error("the operator's own pattern is not played")
	}
	many := make([]rulebook.PatternFile, MaxPatterns)
	for i := range many {
		many[i] = own
		many[i].ID = fmt.Sprint("own-", i)
	}
	if most, err := NewPatterns(nswForm(t), many[1:]); err != nil || !most.Completed(0b01010).Has(MaxPatterns-1) {
		t.Errorf("%d patterns: %v", MaxPatterns-1, err)
	}
	for want, bad := range map[string][]rulebook.PatternFile{
		"at most 63":                many,
		"is the id of another":      {own, own},
		"has an id and a name":      {{Name: "x", AnyLines: 1}},
		"asks for no number":        {cells()},
		"ascending places":          {cells(2, 2)},
		"places from 1 to 5":        {cells(0)},
		"[6] are not":               {cells(6)},
		"has 0 of cells":            {{ID: "own", Name: "Own"}},
		"has 2 of cells":            {{ID: "own", Name: "Own", AnyLines: 1, Counts: &rulebook.PatternCounts{Top: 1}}},
		"a box has 3 lines":         {{ID: "own", Name: "Own", AnyLines: 4}},
		"[0 0 0] are not counts":    {{ID: "own", Name: "Own", Counts: &rulebook.PatternCounts{}}},
		"[1 6 0] are not counts":    {{ID: "own", Name: "Own", Counts: &rulebook.PatternCounts{Top: 1, Middle: 6}}},
		"[-1 1 0] are not counts":   {{ID: "own", Name: "Own", Counts: &rulebook.PatternCounts{Top: -1, Middle: 1}}},
		`pattern 1, "bingo": id: b`: {{ID: "bingo", Name: "Bingo", AnyLines: 2}},
	} {
		if _, err := NewPatterns(nswForm(t), bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
