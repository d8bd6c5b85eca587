package rules

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"drawhouse/core/money"
	"drawhouse/rulebook"
)

// TestTables compares every table of a book with a second transcription of the
// document, typed by other hands: testdata/retyped. Tables that the document
// leaves to approval, which a book marks as examples, have none.
func TestTables(t *testing.T) {
	everyBook(t, func(t *testing.T, book *rulebook.Book) { compareTables(t, book) })
}

// CompareTables is TestTables for one book, which may have the id of a built-in book and other values.
var CompareTables = compareTables

func compareTables(t testing.TB, book *rulebook.Book) {
	left := retyped(t, book.ID())
	file := book.File()
	if file.Keno != nil {
		for i := range file.Keno.Tables {
			table := &file.Keno.Tables[i]
			if table.Example {
				continue
			}
			if sum := sumName(left, table.ID); sum != "" {
				compareSum(t, file.Keno, table, sum, take(t, left, sum))
				continue
			}
			compareTable(t, file.Keno, table, take(t, left, table.ID))
		}
		if file.Keno.Multiplier != nil {
			compareMultiplier(t, book, take(t, left, "multiplier"))
		}
	}
	if file.Bingo != nil {
		comparePatterns(t, file.Bingo, take(t, left, "patterns"))
		if _, shown := left["boxes"]; shown { // Not every document shows boxes.
			compareBoxes(t, file.Bingo, take(t, left, "boxes"))
		}
	}
	for name := range left {
		t.Errorf("nothing is compared with %s.txt", name)
	}
}

// sumName returns the name of a transcription that is the sum of another table and this one, which a document
// prints in the place of the other: "kino+kino-bonus". Empty is none.
func sumName(left map[string][]string, table string) string {
	for name := range left {
		if strings.HasSuffix(name, "+"+table) {
			return name
		}
	}
	return ""
}

// compareSum compares a table of extra prizes with a transcription that has them added to those of another table.
func compareSum(t testing.TB, keno *rulebook.KenoFile, table *rulebook.TableFile, name string, lines []string) {
	base, _, _ := strings.Cut(name, "+")
	i := slices.IndexFunc(keno.Tables, func(other rulebook.TableFile) bool { return other.ID == base })
	if i < 0 {
		t.Fatalf("%s is the sum of a table that is not there", name)
	}
	got := map[string]money.Amount{}
	for spots, row := range table.Catch {
		for matched, extra := range row {
			got[cell(spots, matched)] = extra.Amount() + keno.Tables[i].Catch[spots][matched].Amount()
		}
	}
	if want := readGrid(t, keno, table, lines); len(want) == 0 || !maps.Equal(got, want) {
		t.Errorf("%s differs from its transcription:\n got %v\nwant %v", name, got, want)
	}
}

// retyped returns the lines of every transcription of a rulebook, without comments
// and empty lines, by the name of the file.
func retyped(t testing.TB, id string) map[string][]string {
	paths, err := filepath.Glob(filepath.Join(id, "testdata", "retyped", "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]string{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for line := range strings.Lines(string(data)) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				lines = append(lines, line)
			}
		}
		files[strings.TrimSuffix(filepath.Base(path), ".txt")] = lines
	}
	return files
}

// take removes a transcription from those that are left to compare.
func take(t testing.TB, left map[string][]string, name string) []string {
	t.Helper()
	lines, ok := left[name]
	if !ok {
		t.Errorf("there is no transcription %s.txt", name)
	}
	delete(left, name)
	return lines
}

// compareTable compares one table of prizes, as text by key.
func compareTable(t testing.TB, keno *rulebook.KenoFile, table *rulebook.TableFile, lines []string) {
	got, want := map[string]money.Amount{}, map[string]money.Amount{}
	for spots, row := range table.Catch {
		for matched, prize := range row {
			got[cell(spots, matched)] = prize.Amount()
		}
	}
	for outcome, prize := range table.Outcome {
		got[strings.ReplaceAll(outcome, "_", "-")] = prize.Amount()
	}
	for spots, prize := range table.Size {
		got[strconv.Itoa(spots)] = prize.Amount()
	}
	if table.Catch != nil {
		want = readGrid(t, keno, table, lines)
	} else {
		for _, line := range lines {
			key, prize, _ := strings.Cut(line, " ")
			want[key] = amount(t, prize)
		}
	}
	if len(want) == 0 || !maps.Equal(got, want) {
		t.Errorf("table %s differs from its transcription:\n got %v\nwant %v", table.ID, got, want)
	}
	if table.Per.Amount() != 100 {
		t.Errorf("table %s is for a stake of %v; the documents print prizes for $1", table.ID, table.Per)
	}
}

func cell(spots, matched int) string {
	return strconv.Itoa(matched) + " of " + strconv.Itoa(spots)
}

// readGrid reads a table with the spots across and the matches down. Below it may
// stand the Jackpot Fill and the sizes that have a jackpot.
func readGrid(t testing.TB, keno *rulebook.KenoFile, table *rulebook.TableFile,
	lines []string) map[string]money.Amount {
	cells := map[string]money.Amount{}
	var spots []int
	for _, line := range lines {
		words := strings.Fields(line)
		switch words[0] {
		case "spots":
			spots = numbers(t, words[1:])
			if !slices.Equal(spots, slices.Sorted(maps.Keys(table.Catch))) {
				t.Errorf("table %s has the sizes %v, want %v", table.ID, slices.Sorted(maps.Keys(table.Catch)), spots)
			}
		case "fill":
			compareFill(t, keno, table, numbers(t, words[1:2])[0], amount(t, words[2]))
		case "jackpot":
			comparePools(t, keno, numbers(t, words[1:]))
		default:
			matched := numbers(t, words[:1])[0]
			if len(words) != len(spots)+1 {
				t.Fatalf("table %s: %q has not a cell for each size", table.ID, line)
			}
			for i, word := range words[1:] {
				if word != "-" {
					cells[cell(spots[i], matched)] = amount(t, word)
				}
			}
		}
	}
	return cells
}

func compareFill(t testing.TB, keno *rulebook.KenoFile, table *rulebook.TableFile, spots int, want money.Amount) {
	compared := false
	for _, s := range keno.Schedules {
		if slices.Contains(slices.Collect(maps.Values(s.Uses)), table.ID) {
			compared = true
			if len(s.Fills) != 1 || s.Fills[spots].Amount() != want {
				t.Errorf("schedule %s has the fills %v, want %v for %d spots", s.ID, s.Fills, want, spots)
			}
		}
	}
	if !compared {
		t.Errorf("no schedule uses table %s", table.ID)
	}
}

func comparePools(t testing.TB, keno *rulebook.KenoFile, want []int) {
	var got []int
	for _, pool := range keno.Jackpots.Pools {
		got = append(got, pool.Spots)
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("there are jackpots for %v spots, want %v", got, want)
	}
}

func compareMultiplier(t testing.TB, book *rulebook.Book, lines []string) {
	if wheel := book.File().Keno.Multiplier.Wheel; wheel != nil {
		want := map[int]int{}
		for _, line := range lines {
			pair := numbers(t, strings.Fields(line))
			want[pair[0]] = pair[1]
		}
		if !maps.Equal(wheel, want) {
			t.Errorf("the wheel has the slots %v, want %v", wheel, want)
		}
		return
	}
	least, most := book.MultiplierBounds()
	if len(lines) != most-least+1 {
		t.Errorf("there are factors for %d sums, want %d", most-least+1, len(lines))
	}
	for _, line := range lines {
		pair := numbers(t, strings.Fields(line))
		if got := book.Multiplier(pair[0]); got != pair[1] {
			t.Errorf("the factor of %d is %d, want %d", pair[0], got, pair[1])
		}
	}
}

// comparePatterns compares the minor games, in their order, in the notation of the
// transcription.
func comparePatterns(t testing.TB, bingo *rulebook.BingoFile, lines []string) {
	var got []string
	for _, p := range bingo.Patterns {
		got = append(got, p.ID+": "+patternText(p, bingo.Card.Letters))
	}
	if !slices.Equal(got, lines) {
		t.Errorf("the patterns are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(lines, "\n"))
	}
}

func patternText(p rulebook.PatternFile, letters []string) string {
	switch {
	case p.Cells != nil:
		return "top " + placesText(p.Cells.Top) + "; middle " + placesText(p.Cells.Middle) + "; bottom " +
			placesText(p.Cells.Bottom)
	case p.Counts != nil:
		at := strconv.Itoa
		return "top >=" + at(p.Counts.Top) + "; middle >=" + at(p.Counts.Middle) + "; bottom >=" + at(p.Counts.Bottom)
	}
	if len(p.Shapes) > 0 {
		return squaresText(p, letters)
	}
	return "any lines " + strconv.Itoa(p.AnyLines)
}

// squaresText names the squares of shapes by the letter of their column and their line.
func squaresText(p rulebook.PatternFile, letters []string) string {
	var shapes []string
	for _, shape := range p.Shapes {
		var squares []string
		for line, signs := range strings.Fields(shape) {
			for column, sign := range signs {
				if sign == rulebook.ShapeNeeds {
					squares = append(squares, letters[column]+strconv.Itoa(line+1))
				}
			}
		}
		shapes = append(shapes, strings.Join(squares, " "))
	}
	text := strings.Join(shapes, " | ")
	if p.ShapesLeast > 0 {
		text = strconv.Itoa(p.ShapesLeast) + " of " + text
	}
	return text
}

func placesText(places []int) string {
	switch len(places) {
	case 0:
		return "-"
	case 5:
		return "full"
	}
	words := make([]string, len(places))
	for i, p := range places {
		words[i] = strconv.Itoa(p)
	}
	return strings.Join(words, " ")
}

// compareBoxes holds the form of the card to the boxes that the document shows:
// one for each pattern, each of four lines here.
func compareBoxes(t testing.TB, bingo *rulebook.BingoFile, lines []string) {
	card := bingo.Card
	height := 1 + card.Lines
	if len(lines) != height*len(bingo.Patterns) {
		t.Fatalf("there are %d lines for %d boxes", len(lines), len(bingo.Patterns))
	}
	fullest := 0
	for box := range slices.Chunk(lines, height) {
		name, _, _ := strings.Cut(box[0], " ")
		perColumn := make([]int, card.Columns)
		for _, line := range box[1:] {
			words := strings.Fields(line)
			if len(words) != card.Columns || len(words)-countOf(words, ".") != card.PerLine {
				t.Errorf("box %s: a line has not %d numbers in %d columns: %s", name, card.PerLine, card.Columns, line)
				continue
			}
			for column, word := range words {
				if word != "." {
					perColumn[column]++
				}
			}
		}
		if slices.Contains(perColumn, 0) {
			t.Errorf("box %s has an empty column", name)
		}
		fullest = max(fullest, slices.Max(perColumn))
	}
	if fullest != card.ColumnMax {
		t.Errorf("the fullest column shown has %d numbers, and the card allows %d", fullest, card.ColumnMax)
	}
}

func countOf(words []string, word string) int {
	return len(slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w != word }))
}

func numbers(t testing.TB, words []string) []int {
	t.Helper()
	nums := make([]int, len(words))
	for i, word := range words {
		n, err := strconv.Atoi(word)
		if err != nil {
			t.Fatal(err)
		}
		nums[i] = n
	}
	return nums
}

func amount(t testing.TB, text string) money.Amount {
	t.Helper()
	a, err := money.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return a
}
