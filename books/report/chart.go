package report

import (
	"cmp"
	"slices"

	"drawhouse/core/money"
)

// The measures of a chart, in millimetres.
const (
	chartHeight = 62.0
	chartAxis   = 24.0 // left of it, for amounts
	chartNames  = 38.0 // right of it, for the names of lines
	mostBars    = 16   // rows that have bars
)

// plot is where a chart is on the page, and what its axis goes up to.
type plot struct {
	left, top, width, bottom float64
	low, high                int64
}

// y returns the height of an amount.
func (p plot) y(cents int64) float64 {
	return p.bottom - (p.bottom-p.top)*float64(cents-p.low)/float64(p.high-p.low)
}

// step returns a round number of cents, of which at most five make the span.
func step(span int64) int64 {
	for unit := int64(1); ; unit *= 10 {
		for _, n := range []int64{1, 2, 5} {
			if n*unit*5 >= span {
				return n * unit
			}
		}
	}
}

// chart draws the columns over the rows, with round amounts along the axis.
func (s *sheet) chart() {
	c := s.table.Chart
	rows := s.table.Rows
	if c.Bars {
		rows = rows[:min(len(rows), mostBars)]
	}
	p := plot{left: margin + chartAxis, top: s.GetY() + 1, width: room - chartAxis - chartNames}
	p.bottom = p.top + chartHeight - 8
	s.axis(&p, rows)
	s.labels(p, rows)
	if c.Bars {
		s.bars(p, rows)
	} else {
		s.lines(p, rows)
	}
	s.SetDashPattern(nil, 0)
	s.SetXY(margin, p.bottom+9)
}

// axis chooses the span and draws the lines of round amounts.
func (s *sheet) axis(p *plot, rows [][]Cell) {
	for _, row := range rows {
		for _, column := range s.table.Chart.Columns {
			p.low, p.high = min(p.low, row[column].Number), max(p.high, row[column].Number)
		}
	}
	by := step(max(100, p.high-p.low))
	p.low, p.high = floorTo(p.low, by), -floorTo(-max(p.high, 1), by)
	s.write(7, "", faint)
	for at := p.low; at <= p.high; at += by {
		s.draw(rule, 0.2)
		if at == 0 {
			s.draw(faint, 0.3)
		}
		s.Line(p.left, p.y(at), p.left+p.width, p.y(at))
		s.SetXY(margin, p.y(at)-2)
		s.CellFormat(chartAxis-2, 4, s.ascii(s.table.Money.Short(money.Amount(at), by%100 == 0)), "", 0, "R", false, 0, "")
	}
}

func floorTo(n, by int64) int64 {
	r := n % by
	if r < 0 {
		r += by
	}
	return n - r
}

// labels names the rows below the chart, as many of them as there is room for. Rows with
// the same name, such as the games of a day, have it once.
func (s *sheet) labels(p plot, rows [][]Cell) {
	s.write(7, "", faint)
	each, free := p.slot(len(rows)), p.left-1
	last := ""
	for i, row := range rows {
		name := s.ascii(row[s.table.Chart.Label].Text)
		width := s.GetStringWidth(name) + 3
		at := p.x(i, len(rows), s.table.Chart.Bars)
		if s.table.Chart.Bars && width > each {
			name = s.fit(name, each)
			width = each
		}
		if name == last || at-width/2 < free && i > 0 || at+width/2 > p.left+p.width+chartNames {
			continue
		}
		s.SetXY(at-width/2, p.bottom+1.5)
		s.CellFormat(width, 4, name, "", 0, "C", false, 0, "")
		free, last = at+width/2, name
	}
}

// slot returns how wide the place of a row is.
func (p plot) slot(rows int) float64 { return p.width / float64(max(1, rows)) }

// x returns where a row is: bars stand in the middle of their places, lines go from edge
// to edge.
func (p plot) x(i, rows int, bars bool) float64 {
	if bars {
		return p.left + p.slot(rows)*(float64(i)+0.5)
	}
	return p.left + p.width*float64(i)/float64(max(1, rows-1))
}

// lines draws a line for each column and names it at its end.
func (s *sheet) lines(p plot, rows [][]Cell) {
	type ending struct {
		column int
		y      float64
	}
	var ends []ending
	for n, column := range s.table.Chart.Columns {
		s.draw(colours[n%len(colours)], 0.55)
		s.SetDashPattern(dashes[n%len(dashes)], 0)
		for i := 1; i < len(rows); i++ {
			s.Line(p.x(i-1, len(rows), false), p.y(rows[i-1][column].Number), p.x(i, len(rows), false),
				p.y(rows[i][column].Number))
		}
		ends = append(ends, ending{n, p.y(rows[len(rows)-1][column].Number)})
	}
	slices.SortStableFunc(ends, func(a, b ending) int { return cmp.Compare(a.y, b.y) })
	below := p.top - 4
	for _, end := range ends {
		y := max(end.y-2, below) // Names do not stand on each other.
		s.name(p.left+p.width+2, y, end.column)
		below = y + 4
	}
}

// bars draws a bar for each column side by side, and names them beside the chart.
func (s *sheet) bars(p plot, rows [][]Cell) {
	columns := s.table.Chart.Columns
	width := min(p.slot(len(rows))*0.7/float64(len(columns)), 12)
	for n, column := range columns {
		c := colours[n%len(colours)]
		s.SetFillColor(c[0], c[1], c[2])
		for i, row := range rows {
			left := p.x(i, len(rows), true) + width*(float64(n)-float64(len(columns))/2)
			from, to := p.y(max(0, p.low)), p.y(row[column].Number)
			s.Rect(left, min(from, to), width-0.4, max(from, to)-min(from, to), "F")
		}
		s.name(p.left+p.width+2, p.top+5*float64(n), n)
	}
	if len(s.table.Rows) > len(rows) {
		s.SetXY(p.left+p.width+2, p.bottom-6)
		s.write(7, "", faint)
		s.CellFormat(chartNames-2, 4, s.ascii("and "+countText(int64(len(s.table.Rows)-len(rows)))+" more below"), "",
			0, "L", false, 0, "")
	}
}

// name writes the name of a column in its colour, with a mark of it.
func (s *sheet) name(x, y float64, n int) {
	c := colours[n%len(colours)]
	s.SetFillColor(c[0], c[1], c[2])
	s.Rect(x, y+1.2, 2.4, 1.6, "F")
	s.SetXY(x+3, y)
	s.write(7.5, "B", c)
	s.CellFormat(chartNames-5, 4, s.ascii(s.table.Columns[s.table.Chart.Columns[n]].Name), "", 0, "L", false, 0, "")
}
