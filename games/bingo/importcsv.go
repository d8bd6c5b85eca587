package bingo

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// csvHead is the first line of a series as CSV. Every further line is one line of
// one box, in the order of book, game, box and line; a blank is empty or 0.
func (f *Form) csvHead() []string {
	head := []string{"book", "game", "colour", "box", "line"}
	for column := range f.columns {
		head = append(head, fmt.Sprintf("c%d", column+1))
	}
	return head
}

const (
	csvBook = iota
	csvGame
	csvColour
	csvBox
	csvLine
	csvCells
)

// AppendCSV appends the series as [Form.ReadCSV] reads it.
func (t *Table) AppendCSV(out []byte) []byte {
	out = append(append(out, strings.Join(t.form.csvHead(), ",")...), '\n')
	for i := range t.boxes {
		spot := t.spot(i)
		for line, cells := range t.boxes[i].Lines() {
			out = strconv.AppendInt(out, int64(spot.Serial.Book), 10)
			out = strconv.AppendInt(append(out, ','), int64(spot.Serial.Game), 10)
			out = append(append(out, ','), t.series.Colours[spot.Serial.Game-1].String()...)
			out = strconv.AppendInt(append(out, ','), int64(spot.Box), 10)
			out = strconv.AppendInt(append(out, ','), int64(line+1), 10)
			for _, n := range cells {
				out = append(out, ',')
				if n != 0 {
					out = strconv.AppendUint(out, uint64(n), 10)
				}
			}
			out = append(out, '\n')
		}
	}
	return out
}

// ReadCSV reads a series that somebody printed. Its name and the boxes to a page are
// given; books, games and colours are in the file. The error is [Faults]: what is
// wrong with cards is listed for all of them, while a line out of order ends the
// list, since nothing after it can be assigned.
//
//rule:nsw-bingo-2019 2.3.1 2.3.2 2.3.3
func (f *Form) ReadCSV(id string, up int, file io.Reader) (*Table, error) {
	r := csvSeries{form: f, head: f.csvHead(), grids: make([]Grid, f.boxes), series: Series{ID: id, Up: up},
		rows: csv.NewReader(file)}
	// Without a page to fill no line has a place.
	if faults := f.check(&Series{ID: id, Up: up, FirstBook: 1, Colours: palette[:1]}, 1); len(faults) > 0 {
		return nil, faults
	}
	r.rows.FieldsPerRecord = len(r.head)
	r.rows.ReuseRecord = true
	r.read()
	if len(r.faults) > 0 {
		return nil, r.faults
	}
	return f.tableOf(r.series, r.strips, r.lines)
}

// csvSeries is a series while it is read. Its next row has to be line, box, game and
// book; the number of games is known when the first book ends.
type csvSeries struct {
	form   *Form
	head   []string
	rows   *csv.Reader
	series Series
	faults Faults

	book, game, box, line int
	grids                 []Grid
	gridLines             [maxStripBoxes][MaxLines]int // in the file

	strips []Strip
	lines  []int // in the file, of the first line of each strip
}

// read reads rows until the file ends or no more can be said.
func (r *csvSeries) read() {
	for first := true; ; first = false {
		row, err := r.rows.Read()
		if errors.Is(err, io.EOF) {
			r.end(first)
			return
		}
		if bad := new(csv.ParseError); errors.As(err, &bad) {
			r.faults.add(Fault{FileLine: bad.Line,
				Message: fmt.Sprintf("is not a line of %d fields: %v", len(r.head), bad.Err)})
			return
		}
		if err != nil {
			r.faults.add(Fault{Message: err.Error()})
			return
		}
		line, _ := r.rows.FieldPos(0)
		if first {
			if head := strings.Join(row, ","); head != strings.Join(r.head, ",") {
				r.faults.add(Fault{FileLine: line,
					Message: fmt.Sprintf("the first line is %q, want %q", head, strings.Join(r.head, ","))})
				return
			}
			continue
		}
		if !r.row(line, row) {
			return
		}
	}
}

// row takes the next row and reports whether another can be taken.
func (r *csvSeries) row(fileLine int, row []string) bool {
	numbers, ok := r.fields(fileLine, row)
	if !ok || !r.turn(fileLine, numbers, row[csvColour]) {
		return false
	}
	at := (r.box - 1) % r.form.boxes
	r.gridLines[at][r.line-1] = fileLine
	for column, cell := range row[csvCells:] {
		n, err := r.form.parseCell(cell)
		if err != nil {
			r.faults.add(Fault{FileLine: fileLine, Where: r.where(r.box), Field: r.head[csvCells+column],
				Clause: r.form.cite("2.4"), Message: err.Error()})
		}
		r.grids[at][r.line-1][column] = n
	}
	if r.line == r.form.lines && r.box%r.form.boxes == 0 {
		r.strip()
	}
	return len(r.faults) < mostFaults
}

// parseCell reads a number or a blank.
func (f *Form) parseCell(cell string) (uint8, error) {
	cell = strings.TrimSpace(cell)
	if cell == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(cell, 10, 8)
	if err != nil || n > uint64(f.numbers()) {
		return 0, fmt.Errorf("%q is not a number from 1 to %d or a blank", cell, f.numbers())
	}
	return uint8(n), nil
}

// csvPlace is where a row says that it stands.
type csvPlace struct{ book, game, box, line int }

// fields reads the numbers before the cells.
func (r *csvSeries) fields(fileLine int, row []string) (p csvPlace, ok bool) {
	ok = true
	for _, number := range []struct {
		field int
		into  *int
	}{{csvBook, &p.book}, {csvGame, &p.game}, {csvBox, &p.box}, {csvLine, &p.line}} {
		field := number.field
		n, err := strconv.ParseUint(strings.TrimSpace(row[field]), 10, 31)
		if err != nil || n == 0 {
			r.faults.add(Fault{FileLine: fileLine, Field: r.head[field],
				Message: fmt.Sprintf("%q is not a number from 1 on", row[field])})
			ok = false
		}
		*number.into = int(n)
	}
	return p, ok
}

// turn moves to the row's place, which must be the one that follows.
func (r *csvSeries) turn(fileLine int, p csvPlace, colour string) bool {
	if r.book == 0 { // The first row.
		r.series.FirstBook = p.book
		r.book, r.game, r.box, r.line = p.book, 0, r.series.Up, r.form.lines
	}
	next := csvPlace{r.book, r.game, r.box, r.line + 1}
	if r.line == r.form.lines {
		next = csvPlace{r.book, r.game, r.box + 1, 1}
		if r.box == r.series.Up {
			next = r.nextCard(p)
		}
	}
	for _, field := range []struct {
		name      string
		got, want int
		clause    string
	}{
		{"book", p.book, next.book, "2.3.1"}, {"game", p.game, next.game, "2.3.2"},
		{"box", p.box, next.box, "1.1.scorecard"}, {"line", p.line, next.line, "2.4"},
	} {
		if field.got != field.want {
			r.faults.add(Fault{FileLine: fileLine, Where: r.where(r.box), Field: field.name, Clause: r.form.cite(field.clause),
				Message: fmt.Sprintf("the line that follows is %d where %d is next; the rest is not read", field.got,
					field.want)})
			return false
		}
	}
	r.book, r.game, r.box, r.line = p.book, p.game, p.box, p.line
	return r.colour(fileLine, colour)
}

// nextCard returns where the card after this one begins. In the first book a further
// game may follow; later books have as many games as the first.
func (r *csvSeries) nextCard(p csvPlace) csvPlace {
	inFirst := r.book == r.series.FirstBook
	if inFirst && p.book == r.book || !inFirst && r.game < len(r.series.Colours) {
		return csvPlace{r.book, r.game + 1, 1, 1}
	}
	return csvPlace{r.book + 1, 1, 1, 1}
}

// colour holds a game's cards to one colour.
func (r *csvSeries) colour(fileLine int, text string) bool {
	c, err := ParseColour(text)
	if err != nil {
		r.faults.add(Fault{FileLine: fileLine, Where: r.where(r.box), Field: "colour", Clause: r.form.cite("2.3.2"),
			Message: err.Error()})
		return false
	}
	if r.game > len(r.series.Colours) {
		r.series.Colours = append(r.series.Colours, c)
	}
	if have := r.series.Colours[r.game-1]; have != c {
		r.faults.add(Fault{FileLine: fileLine, Where: r.where(r.box), Field: "colour", Clause: r.form.cite("2.3.2"),
			Message: fmt.Sprintf("is %v, and game %d is %v", c, r.game, have)})
	}
	return len(r.faults) < mostFaults
}

// strip checks the strip that is complete. Its faults get the lines of the file.
func (r *csvSeries) strip() {
	strip, err := r.form.Strip(r.grids)
	if bad, ok := errors.AsType[Faults](err); ok {
		first := r.box - r.form.boxes
		for i := range bad {
			lines := r.gridLines[max(bad[i].box, 1)-1]
			bad[i].FileLine = lines[max(bad[i].line, 1)-1]
			bad[i].Where = r.where(first + bad[i].box)
		}
		r.faults.add(bad...)
	}
	r.strips = append(r.strips, strip)
	r.lines = append(r.lines, r.gridLines[0][0])
	clear(r.grids)
}

func (r *csvSeries) where(box int) string {
	return fmt.Sprintf("book %d, game %d, box %d", r.book, r.game, box)
}

// end says what is missing at the end of the file.
func (r *csvSeries) end(empty bool) {
	switch {
	case empty || r.book == 0:
		r.faults.add(Fault{Message: "the file has no box"})
	case r.line != r.form.lines || r.box != r.series.Up || r.game != len(r.series.Colours):
		line, _ := r.rows.FieldPos(0)
		r.faults.add(Fault{FileLine: line, Where: r.where(r.box), Clause: r.form.cite("2.3.1"),
			Message: fmt.Sprintf("the file ends within a book, after line %d of the box", r.line)})
	}
}
