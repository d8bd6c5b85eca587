package receipt

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A Paper is a roll in a thermal printer of 203 dpi, which is eight dots a
// millimetre. The zero Paper is none.
type Paper struct {
	millimetres int // width of the roll
	dots        int // width that the head prints
}

// The rolls that counters have.
var (
	Roll58 = Paper{58, 384}
	Roll80 = Paper{80, 576}
)

// PaperOf returns the roll of a width in millimetres.
func PaperOf(millimetres int) (Paper, error) {
	for _, p := range []Paper{Roll58, Roll80} {
		if p.millimetres == millimetres {
			return p, nil
		}
	}
	return Paper{}, fmt.Errorf("receipt: no roll is %d mm wide; there are 58 and 80", millimetres)
}

// The measures of a slip, in dots.
const (
	dotsPerMM  = 8
	cellWidth  = 12 // of a letter: the printer's font A is 12 by 24
	cellHeight = 24
	leading    = 6 // between rows
	gapHeight  = 15
	ruleHeight = 18
)

// Columns returns how many letters fit a row.
func (p Paper) Columns() int { return p.dots / cellWidth }

// margin returns the dots of paper left of what is printed.
func (p Paper) margin() int { return (p.millimetres*dotsPerMM - p.dots) / 2 }

// row is a row as it is printed: letters, a symbol, a rule or nothing.
type row struct {
	text   string // from the left edge on, at most as many letters as fit
	style  style
	mark   *mark
	rule   bool
	height int
}

// set sets a slip for a roll.
func (s *Slip) set(p Paper) ([]row, error) {
	var rows []row
	for _, l := range s.lines {
		switch {
		case l.bars != "" || l.qr != "":
			m, err := l.mark(p.dots)
			if err != nil {
				return nil, err
			}
			rows = append(rows, row{mark: m, height: m.height + 2*m.margin})
		case l.items != nil:
			rows = append(rows, l.setItems(p)...)
		case l.left != "" || l.right != "":
			rows = append(rows, l.setText(p)...)
		case l.gap:
			rows = append(rows, row{height: gapHeight})
		default:
			rows = append(rows, row{rule: true, height: ruleHeight})
		}
	}
	return rows, nil
}

// textRow returns a row of letters.
func textRow(text string, s style) row {
	return row{text: strings.TrimRight(text, " "), style: s, height: cellHeight*s.high() + leading}
}

// setText sets a paragraph, or two ends on one row if they fit and on rows of
// their own if they do not.
func (l *line) setText(p Paper) (rows []row) {
	columns := p.Columns() / l.style.wide()
	if room := columns - width(l.left) - width(l.right); l.right != "" && room > 0 {
		return []row{textRow(l.left+strings.Repeat(" ", room)+l.right, l.style)}
	}
	for _, text := range wrap(l.left, columns) {
		if l.centred {
			text = strings.Repeat(" ", (columns-width(text))/2) + text
		}
		rows = append(rows, textRow(text, l.style))
	}
	for _, text := range wrap(l.right, columns) {
		rows = append(rows, textRow(strings.Repeat(" ", columns-width(text))+text, l.style))
	}
	return rows
}

// setItems sets numbers in places of three letters, behind the label and below
// each other.
func (l *line) setItems(p Paper) (rows []row) {
	const place = 3
	indent := width(l.left)
	perRow := max((p.Columns()-indent)/place, 1)
	for first := 0; first < len(l.items); first += perRow {
		label := l.left
		if first > 0 {
			label = strings.Repeat(" ", indent)
		}
		for _, item := range l.items[first:min(first+perRow, len(l.items))] {
			label += strings.Repeat(" ", max(place-width(item), 0)) + item
		}
		rows = append(rows, textRow(label, l.style))
	}
	return rows
}

// width returns how many letters a text has; each character of paper is one.
func width(text string) int { return utf8.RuneCountInString(text) }

// wrap cuts a text into rows of at most so many letters, at spaces where it can.
func wrap(text string, columns int) (rows []string) {
	text = strings.TrimSpace(text)
	for width(text) > columns {
		letters := []rune(text)
		at := columns
		for at > 0 && letters[at] != ' ' {
			at--
		}
		if at == 0 {
			at = columns // A word that is longer than a row is cut.
		}
		rows = append(rows, strings.TrimRight(string(letters[:at]), " "))
		text = strings.TrimSpace(string(letters[at:]))
	}
	if text != "" {
		rows = append(rows, text)
	}
	return rows
}
