package rulebook

import (
	"fmt"
	"slices"
	"strconv"

	"drawhouse/core/ball"
)

// bingoLines is how many lines a pattern names: top, middle and bottom.
const bingoLines = 3

func (c *checker) checkBingo(b *BingoFile) {
	if b.Numbers.Of != int(ball.Bingo) {
		c.add("bingo.numbers.of", "is %d; bingo calls %d numbers", b.Numbers.Of, ball.Bingo)
	}
	if b.Numbers.Draw != b.Calls.Least {
		c.add("bingo.numbers.draw", "is %d, and bingo.calls.least is %d", b.Numbers.Draw, b.Calls.Least)
	}
	if b.Calls.Least < 1 || b.Calls.Least > b.Numbers.Of {
		c.add("bingo.calls.least", "is %d; a game calls 1 to %d numbers", b.Calls.Least, b.Numbers.Of)
	}
	if n := b.Jackpot.NumbersMax; n < 1 || n > b.Numbers.Of {
		c.add("bingo.jackpot.numbers_max", "is %d; it must be 1 to %d", n, b.Numbers.Of)
	}
	if len(b.Jackpot.PaidBy) == 0 {
		c.add("bingo.jackpot.paid_by", "names no way to pay the jackpot")
	}
	if len(b.Prizes.Media) == 0 {
		c.add("bingo.prizes.media", "names no way to pay a prize")
	}
	c.checkCard(&b.Card, b.Numbers)
	c.checkPatterns(b)
}

// checkCard checks the arithmetic of a strip: its boxes hold every number once.
func (c *checker) checkCard(card *Card, n Numbers) {
	const path = "bingo.card"
	perBox := card.Lines * card.PerLine
	if card.BoxesPerStrip*perBox != n.Of {
		c.add(path+".boxes_per_strip", "%d boxes of %d lines of %d have %d numbers, not %d",
			card.BoxesPerStrip, card.Lines, card.PerLine, card.BoxesPerStrip*perBox, n.Of)
	}
	if card.Lines != bingoLines {
		c.add(path+".lines", "is %d; patterns name top, middle and bottom", card.Lines)
	}
	if card.PerLine > card.Columns {
		c.add(path+".per_line", "is %d, and there are %d columns", card.PerLine, card.Columns)
	}
	if card.ColumnMax < 1 || card.ColumnMax > card.Lines {
		c.add(path+".column_max", "is %d; a column of %d lines holds 1 to %d numbers", card.ColumnMax, card.Lines,
			card.Lines)
	}
	if perBox > card.Columns*card.ColumnMax || perBox < card.Columns {
		c.add(path+".columns", "%d columns of 1 to %d numbers do not hold the %d of a box", card.Columns,
			card.ColumnMax, perBox)
	}
	if len(card.Pages) == 0 {
		c.add(path+".pages", "names no page that is sold")
	}
	for i, boxes := range card.Pages {
		switch {
		case boxes < 1 || card.BoxesPerStrip > 0 && boxes%card.BoxesPerStrip != 0:
			c.add(item(path+".pages", i), "%d boxes are not whole strips of %d", boxes, card.BoxesPerStrip)
		case slices.Index(card.Pages, boxes) < i:
			c.add(item(path+".pages", i), "%d is written twice", boxes)
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
		if j, seen := first[p.shape()]; seen {
			c.add(path, "asks for the same numbers as %s, %q", item(list, j), b.Patterns[j].ID)
			continue
		}
		first[p.shape()] = i
	}
}

func (c *checker) checkPattern(path string, p *PatternFile, card *Card) {
	kinds := 0
	for _, present := range []bool{p.Cells != nil, p.Counts != nil, p.AnyLines > 0} {
		if present {
			kinds++
		}
	}
	if kinds != 1 {
		c.add(path, "has %d of cells, counts and any_lines; a pattern has one of them", kinds)
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
	}
	return "lines" + strconv.Itoa(p.AnyLines)
}
