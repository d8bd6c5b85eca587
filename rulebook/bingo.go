package rulebook

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"drawhouse/core/ball"
)

// What cards of bingo may be at most: masks, grids and files of cards have room for that.
const (
	MaxCardLines   = 5
	MaxCardColumns = 9
	MaxCardPlaces  = 25
	MaxStripBoxes  = 6
	MaxPageBoxes   = 36
)

// FullCardID is the id of the pattern that needs every number of a box.
const FullCardID = "bingo"

// ShapeNeeds is the sign in a shape for a number that is needed, and shapeRest for another.
const (
	ShapeNeeds = '#'
	shapeRest  = '.'
)

// CallName returns a number as it is called: B 7, or 7 where columns have no letters.
func CallName(letter string, n int) string {
	if letter == "" {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s %d", letter, n)
}

// ColumnsFrom returns the lowest number of each column.
func (c *Card) ColumnsFrom() []int {
	if len(c.ColumnFirst) > 0 {
		return slices.Clone(c.ColumnFirst)
	}
	first := make([]int, c.Columns)
	for i := range first {
		first[i] = max(10*i, 1)
	}
	return first
}

// Numbers returns how many numbers a box has.
func (c *Card) Numbers() int { return c.Lines*c.PerLine - len(c.Free) }

// isFull reports whether every cell of a box has a number or is free.
func (c *Card) isFull() bool { return c.PerLine == c.Columns }

// ShapeFaults goes through what is wrong with the shapes of a pattern, by their index.
func ShapeFaults(p *PatternFile, lines, perLine int) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for i, shape := range p.Shapes {
			message := shapeFault(shape, lines, perLine)
			if message == "" && slices.Index(p.Shapes, shape) < i {
				message = "is drawn twice"
			}
			if message != "" && !yield(i, message) {
				return
			}
		}
	}
}

func shapeFault(shape string, lines, perLine int) string {
	drawn := strings.Split(shape, " ")
	if len(drawn) != lines {
		return fmt.Sprintf("has %d lines; a box has %d", len(drawn), lines)
	}
	for i, line := range drawn {
		if len(line) != perLine || strings.Trim(line, string([]rune{ShapeNeeds, shapeRest})) != "" {
			return fmt.Sprintf("line %d, %q, is not %d signs: %c for a number that is needed, %c for another", i+1, line,
				perLine, ShapeNeeds, shapeRest)
		}
	}
	if !strings.ContainsRune(shape, ShapeNeeds) {
		return "asks for no number"
	}
	return ""
}

// Bingo is what a rulebook says of bingo. It is immutable: each part is handed out as a copy of
// that part alone, because a room asks for one with every call.
type Bingo struct{ file *BingoFile }

// Bingo returns the policies of a bingo rulebook.
func (b *Book) Bingo() (*Bingo, bool) { return b.bingo, b.bingo != nil }

// Numbers returns out of how many numbers a game is drawn.
func (b *Bingo) Numbers() Numbers { return clone(b.file.Numbers) }

// Universe returns the numbers that are called from.
func (b *Bingo) Universe() ball.Universe { return ball.Universe(b.file.Numbers.Of) }

// Cites returns the document's clause for one of nsw-bingo-2019, none where it has none.
func (b *Bingo) Cites(clause string) string { return b.file.Cites(clause) }

// Cites returns the document's clause for one of nsw-bingo-2019, none where it has none.
func (b *BingoFile) Cites(clause string) string {
	if len(b.Concordance) == 0 {
		return clause
	}
	for _, c := range b.Concordance {
		if c.Clause == clause || slices.Contains(c.For, clause) {
			return c.Clause
		}
	}
	return ""
}

// Card returns the form of a scorecard.
func (b *Bingo) Card() Card { return clone(b.file.Card) }

// Session returns what it takes to play.
func (b *Bingo) Session() BingoSession { return b.file.Session }

// Calls returns how a game is won.
func (b *Bingo) Calls() BingoCalls { return b.file.Calls }

// Pattern returns the minor game of that name.
func (b *Bingo) Pattern(id string) (PatternFile, bool) {
	for i := range b.file.Patterns {
		if b.file.Patterns[i].ID == id {
			return clone(b.file.Patterns[i]), true
		}
	}
	return PatternFile{}, false
}

// Jackpot returns the jackpot numbers game.
func (b *Bingo) Jackpot() BingoJackpot { return clone(b.file.Jackpot) }

// Prizes returns how prizes are shared and paid.
func (b *Bingo) Prizes() BingoPrizes { return clone(b.file.Prizes) }

// Promotion returns what bounds promotional prizes.
func (b *Bingo) Promotion() BingoPromotion { return clone(b.file.Promotion) }
