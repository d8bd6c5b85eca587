package receipt

import (
	"slices"
	"strings"

	"drawhouse/core/money"
)

// A Slip is what stands on a piece of paper, line by line, before it is set for a
// width. The functions that make one are named for the paper.
type Slip struct {
	name     string      // what the paper is, for the title of a document
	money    money.Style // how it writes amounts
	lines    []line
	replaced []rune
}

// line is one line of a slip. Of text, items and symbol one is there; a line with
// none of them is a rule across the paper or, if it is a gap, some room.
type line struct {
	left, right string   // text; what is right stands at the right edge
	items       []string // numbers after the label left, each in a place of its own
	bars, qr    string   // text of a symbol
	style       style
	centred     bool
	gap         bool
}

// style is how letters look.
type style uint8

const (
	plain style = iota
	bold
	tall  // twice as high
	large // twice as high and wide
)

// wide and high return how many times as wide and high letters are.
func (s style) wide() int {
	if s == large {
		return 2
	}
	return 1
}

func (s style) high() int {
	if s >= tall {
		return 2
	}
	return 1
}

// heavy reports whether letters are bold; the large ones are, to be seen as such.
func (s style) heavy() bool { return s != plain }

// Name returns what the paper is.
func (s *Slip) Name() string { return s.name }

// Replaced returns the characters that the paper does not have and that were written
// otherwise, each once.
func (s *Slip) Replaced() string {
	all := slices.Clone(s.replaced)
	slices.Sort(all)
	return string(slices.Compact(all))
}

// plainly writes a text in the characters of paper.
func (s *Slip) plainly(text string) string {
	written, replaced := Spell(s.money.On(printable).In(text), printable)
	s.replaced = append(s.replaced, replaced...)
	return written
}

func (s *Slip) add(l line) {
	l.left, l.right = s.plainly(l.left), s.plainly(l.right)
	s.lines = append(s.lines, l)
}

// say adds a paragraph; an empty one adds nothing.
func (s *Slip) say(style style, text string) {
	if text != "" {
		s.add(line{left: text, style: style})
	}
}

// centre adds a centred paragraph; an empty one adds nothing.
func (s *Slip) centre(style style, text string) {
	if text != "" {
		s.add(line{left: text, style: style, centred: true})
	}
}

// pair adds a line with two ends.
func (s *Slip) pair(style style, left, right string) {
	s.add(line{left: left, right: right, style: style})
}

// fact adds a line with two ends if there is something to say at the right.
func (s *Slip) fact(left, right string) {
	if right != "" {
		s.pair(plain, left, right)
	}
}

// numbers adds numbers behind a label.
func (s *Slip) numbers(label string, items []string) {
	s.add(line{left: label, items: items, style: tall})
}

func (s *Slip) rule() { s.lines = append(s.lines, line{}) }
func (s *Slip) gap()  { s.lines = append(s.lines, line{gap: true}) }

func (s *Slip) bars(text string) { s.lines = append(s.lines, line{bars: text}) }
func (s *Slip) qr(text string)   { s.lines = append(s.lines, line{qr: text}) }

// grouped cuts a text into pieces of four characters.
func grouped(text string) string {
	var b strings.Builder
	for i, c := range []byte(text) {
		if i > 0 && i%4 == 0 {
			b.WriteByte(' ')
		}
		b.WriteByte(c)
	}
	return b.String()
}
