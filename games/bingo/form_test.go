package bingo

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// TestFormOfAnotherCard refuses a rulebook whose boxes cannot hold the numbers of their
// columns, and one that is not of bingo.
func TestFormOfAnotherCard(t *testing.T) {
	text, err := os.ReadFile("../../rulebook/rules/nsw-bingo-2019/book.yaml")
	if err != nil {
		t.Fatal(err)
	}
	_, err = rulebook.Load("book.yaml", []byte(strings.Replace(string(text), "columns: 9", "columns: 8", 1)))
	if err == nil || !strings.Contains(err.Error(), "column 8 has 21 numbers, and 6 boxes take 6 to 12") {
		t.Errorf("boxes of eight columns: %v", err)
	}
	keno, err := rules.Book("vic-keno-2015")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewForm(keno); !errors.Is(err, ErrNotBingo) {
		t.Errorf("a rulebook of keno: %v", err)
	}
}

// TestBoxFaults changes the box that the rules show with the four corners.
func TestBoxFaults(t *testing.T) {
	const sound = ". 10 27 . 40 54 61 . . / 2 . . 30 47 55 . 73 . / . 18 28 37 . . 62 . 80"
	form := nswForm(t)
	for _, c := range []struct{ name, old, with, want string }{
		{"sound", "10", "10", ""},
		{"above 90", "80", "91", "line 3, column 9: 91 is not a number from 1 to 90 (rule 2.4)"},
		{"far above 90", "80", "255", "line 3, column 9: 255 is not a number from 1 to 90 (rule 2.4)"},
		{"last number", "80", "90", ""},
		{"wrong column", "73", "69", "line 2, column 8: 69 is not of this column, which has 70 to 79 (rule 2.4)"},
		{"90 is with the eighties", "73", "90", "line 2, column 8: 90 is not of this column, which has 70 to 79 (rule 2.4)"},
		{"10 is not with the units", "2 . .", "10 . .", "line 2, column 1: 10 is in the box already (rule 2.4)"},
		{"twice", "62", "61", "line 3, column 7: 61 is in the box already (rule 2.4)"},
		{"not ascending", "62", "60", "line 3, column 7: 60 stands below 61; a column ascends (rule 2.4)"},
		{"four", "10", ".", "line 1: has 4 numbers; a line has 5 (rule 2.4)"},
		{"six", ". 10", "1 10", "line 1: has 6 numbers; a line has 5 (rule 2.4)"},
		{"column of three, and an empty one", "61 . . / 2 . . 30 47 55 . 73", "60 . . / 2 . . 30 47 55 61 .", ""},
		{"column of three that does not ascend", "61 . . / 2 . . 30 47 55 . 73", "61 . . / 2 . . 30 47 55 60 .",
			"line 2, column 7: 60 stands below 61; a column ascends (rule 2.4)"},
	} {
		_, err := form.Box(parseGrid(t, strings.Split(strings.Replace(sound, c.old, c.with, 1), "/")))
		if got := errorText(err); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// soundBox says what a box is from the words of the rule and our readings, one after
// the other: the twin of Form.Box.
func soundBox(grid Grid) bool {
	seen := map[uint8]bool{}
	for line := range Lines {
		inLine := 0
		for column, n := range grid[line] {
			if n == 0 {
				continue
			}
			inLine++
			tens := int(n) / 10
			if n == 90 {
				tens = 8
			}
			if n > 90 || seen[n] || tens != column {
				return false
			}
			seen[n] = true
		}
		if inLine != 5 {
			return false
		}
	}
	for column := range Columns {
		var down []uint8
		for line := range grid {
			if n := grid[line][column]; n != 0 {
				down = append(down, n)
			}
		}
		if !slices.IsSorted(down) {
			return false
		}
	}
	return true
}

// TestBoxAgreesWithTwin changes some cells of sound boxes.
func TestBoxAgreesWithTwin(t *testing.T) {
	form, made := nswForm(t), strips(t, "changed", 20)
	rapid.Check(t, func(t *rapid.T) {
		grid := rapid.SampledFrom(made).Draw(t, "strip")[rapid.IntRange(0, StripBoxes-1).Draw(t, "box")].Grid()
		for range rapid.IntRange(0, 3).Draw(t, "changes") {
			line, column := rapid.IntRange(0, Lines-1).Draw(t, "line"), rapid.IntRange(0, Columns-1).Draw(t, "column")
			switch rapid.IntRange(0, 2).Draw(t, "kind") {
			case 0:
				grid[line][column] = rapid.Uint8().Draw(t, "number")
			case 1:
				other := rapid.IntRange(0, Lines-1).Draw(t, "other")
				grid[line][column], grid[other][column] = grid[other][column], grid[line][column]
			default:
				first, last := form.bounds(column)
				grid[line][column] = uint8(rapid.IntRange(first, last).Draw(t, "number"))
			}
		}
		box, err := form.Box(grid)
		if sound := soundBox(grid); sound != (err == nil) || sound && box.Grid() != grid || sound != box.IsValid() {
			t.Fatalf("sound %v, %v", sound, err)
		}
	})
}
