package bingo

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "draw the patterns of the documentation anew; look at them before you commit")

const (
	patternsDoc = "../../docs/PATTERNS.md"
	picturesDir = "../../docs/pictures/patterns"
)

// TestPatternPictures holds the page of patterns and its pictures against the data
// they are made from: the rulebook's patterns, drawn on the boxes that the rules show.
func TestPatternPictures(t *testing.T) {
	patterns := nswPatterns(t)
	boxes := illustratedBoxes(t)
	page := new(strings.Builder)
	page.WriteString(`# The minor games of nsw-bingo-2019

Made from [the rulebook](../rulebook/rules/nsw-bingo-2019/book.yaml) by ` + "`go test ./games/bingo -run Pictures -rewrite`" + `, on the boxes that Appendix A
shows. A disc is a number that is needed. A ring stands for any number of its line, and what stands beside the line says
how many; more never do harm. First, last and third count the five numbers of a line from the left, wherever the blanks
are. The readings behind this are in [READINGS.md](READINGS.md#nsw-bingo-2019).

The last column is the number of calls after which one given box has the pattern with a chance of at least one half. Bingo
itself, all 15 numbers, has it after ` + fmt.Sprint(median(patterns, Bingo)) + `.

| pattern | picture | numbers at least | one half by call |
|---|---|---:|---:|
`)
	for _, b := range boxes {
		i, ok := patterns.Index(b.pattern)
		if !ok {
			t.Fatalf("no pattern %s", b.pattern)
		}
		p := patterns.At(i)
		colour, err := ParseColour(b.colour)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(page, "| **%s**<br>`%s`, rule %s | ![%s](pictures/patterns/%s.svg) | %d | %d |\n",
			p.Name, p.ID, p.Clause, p.Name, p.ID, patterns.ToGo(i, 0), median(patterns, i))
		checkDrawn(t, filepath.Join(picturesDir, p.ID+".svg"), p.SVG(b.box, colour))
	}
	checkDrawn(t, patternsDoc, []byte(page.String()))
	if files, err := filepath.Glob(picturesDir + "/*"); err != nil || len(files) != len(boxes) {
		t.Errorf("%d pictures of %d patterns, %v", len(files), len(boxes), err)
	}
}

// median returns the first call by which one box has the pattern with a chance of at
// least one half.
func median(patterns *Patterns, i int) int {
	calls := 0
	for patterns.Chance(i, calls).Cmp(big.NewRat(1, 2)) < 0 {
		calls++
	}
	return calls
}

// checkDrawn compares a file with what the data gives. Pictures must be sound XML.
func checkDrawn(t *testing.T, file string, want []byte) {
	t.Helper()
	if *rewrite {
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, want, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not what the data gives (%v); draw it with: go test ./games/bingo -run Pictures -rewrite", file, err)
	}
	if strings.HasSuffix(file, ".svg") {
		for dec := xml.NewDecoder(bytes.NewReader(want)); ; {
			if _, err := dec.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
		}
	}
}

// TestExampleCompletes: the places that a picture marks complete the pattern, and
// every one of them is needed.
func TestExampleCompletes(t *testing.T) {
	patterns := nswPatterns(t)
	for i := range patterns.Len() {
		p := patterns.At(i)
		if p.Sentence() == "" || !p.Complete(p.Example()) {
			t.Errorf("%s: the picture does not show it", p.ID)
		}
		for place := range BoxNumbers {
			if one := Mask(1 << place); p.Example()&one != 0 && p.Complete(p.Example()&^one) {
				t.Errorf("%s: the picture shows more than is needed", p.ID)
			}
		}
	}
}
