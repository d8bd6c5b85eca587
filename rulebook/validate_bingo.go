package rulebook

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"drawhouse/core/ball"
)

// bingoLines is how many lines cells and counts name: top, middle and bottom.
const bingoLines = 3

func (c *checker) checkBingo(b *BingoFile) {
	if of := b.Numbers.Of; of != int(ball.Bingo) && of != int(ball.BingoUS) {
		c.add("bingo.numbers.of", "is %d; bingo calls %d or %d numbers", of, uint8(ball.BingoUS), uint8(ball.Bingo))
	}
	if b.Numbers.Draw != b.Calls.Least {
		c.add("bingo.numbers.draw", "is %d, and bingo.calls.least is %d", b.Numbers.Draw, b.Calls.Least)
	}
	if b.Calls.Least < 1 || b.Calls.Least > b.Numbers.Of {
		c.add("bingo.calls.least", "is %d; a game calls 1 to %d numbers", b.Calls.Least, b.Numbers.Of)
	}
	if n := b.Jackpot.NumbersMax; n < 0 || n > b.Numbers.Of {
		c.add("bingo.jackpot.numbers_max", "is %d; it must be 0 to %d", n, b.Numbers.Of)
	}
	if len(b.Jackpot.PaidBy) == 0 {
		c.add("bingo.jackpot.paid_by", "names no way to pay the jackpot")
	}
	if len(b.Prizes.Media) == 0 {
		c.add("bingo.prizes.media", "names no way to pay a prize")
	}
	c.checkConcordance(b.Concordance)
	c.checkCard(&b.Card, b.Numbers)
	c.checkColumns(&b.Card, b.Numbers)
	c.checkFree(&b.Card)
	c.checkPatterns(b)
}

func (c *checker) checkConcordance(list []ClauseFor) {
	seen := map[string]bool{}
	for i, entry := range list {
		path := item("bingo.concordance", i) + ".for"
		if len(entry.For) == 0 {
			c.add(path, "names no clause")
		}
		for _, clause := range entry.For {
			if seen[clause] {
				c.add(path, "%s has a clause already", clause)
			}
			seen[clause] = true
		}
	}
}

// checkCard checks the arithmetic of a strip: its boxes hold every number once, or it is one
// box with a number in every cell.
func (c *checker) checkCard(card *Card, n Numbers) {
	const path = "bingo.card"
	perBox := card.Numbers()
	if card.Lines < 1 || card.Lines > MaxCardLines {
		c.add(path+".lines", "is %d; a box has 1 to %d lines", card.Lines, MaxCardLines)
	}
	if card.Columns < 1 || card.Columns > MaxCardColumns {
		c.add(path+".columns", "is %d; a box has 1 to %d columns", card.Columns, MaxCardColumns)
	}
	if card.PerLine > card.Columns || card.PerLine < 1 {
		c.add(path+".per_line", "is %d, and there are %d columns", card.PerLine, card.Columns)
	}
	if card.Lines*card.PerLine > MaxCardPlaces {
		c.add(path+".per_line", "%d lines of %d are more than the %d squares of a box", card.Lines, card.PerLine,
			MaxCardPlaces)
	}
	if card.BoxesPerStrip != 1 || !card.isFull() {
		c.checkStrip(card, n)
	} else if perBox < 1 || perBox > n.Of {
		c.add(path+".lines", "a box has %d numbers of %d", perBox, n.Of)
	}
	if card.ColumnMax < 1 || card.ColumnMax > card.Lines {
		c.add(path+".column_max", "is %d; a column of %d lines holds 1 to %d numbers", card.ColumnMax, card.Lines,
			card.Lines)
	}
	if len(card.Pages) == 0 {
		c.add(path+".pages", "names no page that is sold")
	}
	for i, boxes := range card.Pages {
		switch {
		case boxes < 1 || boxes > MaxPageBoxes || card.BoxesPerStrip > 0 && boxes%card.BoxesPerStrip != 0:
			c.add(item(path+".pages", i), "%d boxes are not whole strips of %d", boxes, card.BoxesPerStrip)
		case slices.Index(card.Pages, boxes) < i:
			c.add(item(path+".pages", i), "%d is written twice", boxes)
		}
	}
}

// checkStrip checks a strip whose boxes hold every number once.
func (c *checker) checkStrip(card *Card, n Numbers) {
	const path = "bingo.card"
	perBox := card.Numbers()
	if card.BoxesPerStrip < 1 || card.BoxesPerStrip > MaxStripBoxes || card.BoxesPerStrip*perBox != n.Of {
		c.add(path+".boxes_per_strip", "%d boxes of %d lines of %d have %d numbers, not %d",
			card.BoxesPerStrip, card.Lines, card.PerLine, card.BoxesPerStrip*perBox, n.Of)
	}
	if perBox > card.Columns*card.ColumnMax || perBox < card.Columns {
		c.add(path+".columns", "%d columns of 1 to %d numbers do not hold the %d of a box", card.Columns,
			card.ColumnMax, perBox)
	}
	if len(card.Free) > 0 {
		c.add(path+".free", "a box with blanks has no free squares")
	}
	if card.Unordered {
		c.add(path+".unordered", "the columns of a strip that holds every number ascend")
	}
}

// checkColumns checks the numbers and the letters of the columns.
func (c *checker) checkColumns(card *Card, n Numbers) {
	const path = "bingo.card"
	if got := len(card.ColumnFirst); got != 0 && got != card.Columns {
		c.add(path+".column_first", "has %d numbers, and there are %d columns", got, card.Columns)
		return
	}
	whole := card.BoxesPerStrip*card.Numbers() == n.Of
	if card.Columns < max(card.PerLine, 1) || card.Columns > MaxCardColumns || !whole && !card.isFull() {
		return // The measures are wrong.
	}
	from := append(card.ColumnsFrom(), n.Of+1)
	for i := range card.Columns {
		need := 1
		if card.isFull() {
			need = card.Lines
			for _, square := range card.Free {
				if square.Column == i+1 {
					need--
				}
			}
		}
		switch count := from[i+1] - from[i]; {
		case i == 0 && from[0] != 1:
			c.add(path+".column_first", "the first column begins with %d, and not with 1", from[0])
		case count < need:
			c.add(path+".column_first", "column %d has %d numbers, and a box has %d of them", i+1, max(count, 0), need)
		case whole && !card.isFull() && (count < card.BoxesPerStrip || count > 2*card.BoxesPerStrip):
			c.add(path+".column_first", "column %d has %d numbers, and %d boxes take %d to %d", i+1, count,
				card.BoxesPerStrip, card.BoxesPerStrip, 2*card.BoxesPerStrip)
		}
	}
	if got := len(card.Letters); got != 0 && got != card.Columns {
		c.add(path+".letters", "has %d letters, and there are %d columns", got, card.Columns)
	}
	for i, letter := range card.Letters {
		if len(letter) != 1 || !strings.Contains(upperLetters, letter) || slices.Index(card.Letters, letter) < i {
			c.add(item(path+".letters", i), "%q is not a capital letter, or is written twice", letter)
		}
	}
}

// checkFree checks that free squares are squares of the box.
func (c *checker) checkFree(card *Card) {
	for i, square := range card.Free {
		path := item("bingo.card.free", i)
		switch {
		case square.Line < 1 || square.Line > card.Lines || square.Column < 1 || square.Column > card.Columns:
			c.add(path, "line %d, column %d is not a square of the box", square.Line, square.Column)
		case slices.Index(card.Free, square) < i:
			c.add(path, "is written twice")
		}
	}
}

func (c *checker) checkPatterns(b *BingoFile) {
	const list = "bingo.patterns"
	if len(b.Patterns) == 0 {
		c.add(list, "names no minor game")
	}
	c.checkUnique(list, "id", len(b.Patterns), func(i int) string { return b.Patterns[i].ID })
	first := map[string]int{}
	for i := range b.Patterns {
		p, path := &b.Patterns[i], item(list, i)
		c.checkID(path+".id", p.ID)
		c.checkPattern(path, p, &b.Card)
		if p.ID == FullCardID && (i > 0 || p.AnyLines != b.Card.Lines) {
			c.add(path+".id", "%q is the full card: the first pattern, of %d lines", FullCardID, b.Card.Lines)
		}
		if j, seen := first[p.shape()]; seen {
			c.add(path, "asks for the same numbers as %s, %q", item(list, j), b.Patterns[j].ID)
			continue
		}
		first[p.shape()] = i
	}
}

func (c *checker) checkPattern(path string, p *PatternFile, card *Card) {
	kinds := 0
	for _, present := range []bool{p.Cells != nil, p.Counts != nil, p.AnyLines > 0, len(p.Shapes) > 0} {
		if present {
			kinds++
		}
	}
	if kinds != 1 {
		c.add(path, "has %d of cells, counts, any_lines and shapes; a pattern has one of them", kinds)
	}
	if (p.Cells != nil || p.Counts != nil) && card.Lines != bingoLines {
		c.add(path, "names top, middle and bottom, and a box has %d lines; draw its shapes", card.Lines)
	}
	for i, message := range ShapeFaults(p, card.Lines, card.PerLine) {
		c.add(item(path+".shapes", i), "%s", message)
	}
	for i, shape := range p.Shapes {
		if onlyFree(shape, card) {
			c.add(item(path+".shapes", i), "asks for free squares alone")
		}
	}
	if p.ShapesLeast != 0 && (p.ShapesLeast < 2 || p.ShapesLeast > len(p.Shapes)) {
		c.add(path+".shapes_least", "is %d, and there are %d shapes; one is enough where it is absent", p.ShapesLeast,
			len(p.Shapes))
	}
	if p.AnyLines > card.Lines {
		c.add(path+".any_lines", "is %d, and a box has %d lines", p.AnyLines, card.Lines)
	}
	if p.Cells != nil {
		c.checkCells(path+".cells", p.Cells, card.PerLine)
	}
	if p.Counts != nil {
		c.checkCounts(path+".counts", p.Counts, card.PerLine)
	}
}

// onlyFree reports whether a shape needs no number that is called.
func onlyFree(shape string, card *Card) bool {
	free := 0
	for line, cells := range strings.Split(shape, " ") {
		for column, sign := range cells {
			if sign == ShapeNeeds && slices.Contains(card.Free, Square{line + 1, column + 1}) {
				free++
			}
		}
	}
	return free > 0 && strings.Count(shape, string(ShapeNeeds)) == free
}

func (c *checker) checkCells(path string, cells *PatternCells, perLine int) {
	any := false
	for _, line := range cells.lines() {
		for i, place := range line.places {
			any = true
			switch {
			case place < 1 || place > perLine:
				c.add(item(path+"."+line.name, i), "%d is not one of the %d numbers of a line", place, perLine)
			case i > 0 && place <= line.places[i-1]:
				c.add(item(path+"."+line.name, i),
					"%d must come after %d: places ascend and none is written twice", place, line.places[i-1])
			}
		}
	}
	if !any {
		c.add(path, "asks for no number")
	}
}

type cellLine struct {
	name   string
	places []int
}

func (p *PatternCells) lines() []cellLine {
	return []cellLine{{"top", p.Top}, {"middle", p.Middle}, {"bottom", p.Bottom}}
}

func (c *checker) checkCounts(path string, counts *PatternCounts, perLine int) {
	lines := []struct {
		name  string
		count int
	}{{"top", counts.Top}, {"middle", counts.Middle}, {"bottom", counts.Bottom}}
	for _, line := range lines {
		if line.count > perLine {
			c.add(path+"."+line.name, "is %d, and a line has %d numbers", line.count, perLine)
		}
	}
	if *counts == (PatternCounts{}) {
		c.add(path, "asks for no number")
	}
}

// shape returns what a pattern asks for, so that two names for one pattern are
// seen.
func (p *PatternFile) shape() string {
	switch {
	case p.Cells != nil:
		return fmt.Sprint("cells", p.Cells.lines())
	case p.Counts != nil:
		return fmt.Sprint("counts", *p.Counts)
	case len(p.Shapes) > 0:
		return fmt.Sprint("shapes", p.ShapesLeast, slices.Sorted(slices.Values(p.Shapes)))
	}
	return "lines" + strconv.Itoa(p.AnyLines)
}
