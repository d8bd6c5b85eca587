package odds

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// grid is a table of texts with a heading, columns as wide as they need. Columns
// are set flush right, as figures are, unless said otherwise.
type grid struct {
	rows  [][]string // the first is the heading
	flush []bool     // left
}

func newGrid(heading ...string) *grid {
	return &grid{rows: [][]string{heading}, flush: make([]bool, len(heading))}
}

func (g *grid) add(row ...string) { g.rows = append(g.rows, row) }

// left sets columns flush left.
func (g *grid) left(columns ...int) {
	for _, c := range columns {
		g.flush[c] = true
	}
}

// dropEmpty removes the columns that have nothing under the heading.
func (g *grid) dropEmpty() {
	for c := len(g.flush) - 1; c >= 0; c-- {
		if slices.ContainsFunc(g.rows[1:], func(row []string) bool { return row[c] != "" }) {
			continue
		}
		for i, row := range g.rows {
			g.rows[i] = slices.Delete(row, c, c+1)
		}
		g.flush = slices.Delete(g.flush, c, c+1)
	}
}

// appendTo appends the lines, indented by two spaces.
func (g *grid) appendTo(b []byte) []byte {
	widths := make([]int, len(g.flush))
	for _, row := range g.rows {
		for c, text := range row {
			widths[c] = max(widths[c], utf8.RuneCountInString(text))
		}
	}
	for _, row := range g.rows {
		var line strings.Builder
		for c, text := range row {
			pad := strings.Repeat(" ", widths[c]-utf8.RuneCountInString(text))
			line.WriteString("  ")
			if g.flush[c] {
				line.WriteString(text + pad)
			} else {
				line.WriteString(pad + text)
			}
		}
		b = append(b, strings.TrimRight(line.String(), " ")...)
		b = append(b, '\n')
	}
	return b
}
