package bingo

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// AppendStripsJSON appends strips as JSON: an array of strips, each of boxes of lines of
// cells, 0 where no number stands. A strip is a line.
func AppendStripsJSON(out []byte, strips []Strip) []byte {
	out = append(out, '[')
	for i := range strips {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, '\n')
		out = strips[i].appendJSON(out)
	}
	return append(out, "\n]\n"...)
}

func (s Strip) appendJSON(out []byte) []byte {
	for b := range s {
		for line, cells := range s[b].Lines() {
			switch {
			case line > 0:
				out = append(out, "],["...)
			case b > 0:
				out = append(out, "]],[["...)
			default:
				out = append(out, "[[["...)
			}
			for column, n := range cells {
				if column > 0 {
					out = append(out, ',')
				}
				out = strconv.AppendUint(out, uint64(n), 10)
			}
		}
	}
	return append(out, "]]]"...)
}

// AppendJSON appends the series as [Form.ReadJSON] reads it: an object with series,
// up, first_book, colours and strips.
func (t *Table) AppendJSON(out []byte) []byte {
	out = fmt.Appendf(out, `{"series":%q,"up":%d,"first_book":%d,"colours":[`, t.series.ID, t.series.Up,
		t.series.FirstBook)
	for i, c := range t.series.Colours {
		if i > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendQuote(out, c.String())
	}
	out = AppendStripsJSON(append(out, `],"strips":`...), t.Strips())
	return append(bytes.TrimSuffix(out, []byte("\n")), "}\n"...)
}

// ReadJSON reads a series that somebody printed: the object that [Table.AppendJSON]
// writes, or its array of strips alone. What the object does not say is as in
// series. The error is [Faults]; the line of a fault is that on which its strip
// begins.
//
//rule:nsw-bingo-2019 2.3.1 2.3.2 2.3.3
func (f *Form) ReadJSON(series Series, data []byte) (*Table, error) {
	r := jsonSeries{form: f, series: series, data: data, line: 1, dec: json.NewDecoder(bytes.NewReader(data))}
	r.dec.UseNumber()
	if err := r.read(); err != nil {
		r.faults.add(Fault{FileLine: r.here(), Message: err.Error()})
	}
	if len(r.faults) > 0 {
		return nil, r.faults
	}
	return f.tableOf(r.series, r.strips, r.lines)
}

// jsonSeries is a series while it is read.
type jsonSeries struct {
	form   *Form
	series Series
	faults Faults

	data     []byte
	dec      *json.Decoder
	line, at int // the line of the file at an offset

	strips []Strip
	lines  []int // in the file, on which each strip begins
}

// here returns the line up to which the file was read.
func (r *jsonSeries) here() int {
	offset := min(int(r.dec.InputOffset()), len(r.data))
	r.line += bytes.Count(r.data[r.at:max(offset, r.at)], []byte("\n"))
	r.at = max(offset, r.at)
	return r.line
}

func (r *jsonSeries) read() error {
	token, err := r.dec.Token()
	if err != nil {
		return err
	}
	switch token {
	case json.Delim('['):
		err = r.readStrips()
	case json.Delim('{'):
		err = r.readObject()
	default:
		err = errors.New("a series is an object, or an array of strips")
	}
	if err != nil || len(r.faults) > 0 {
		return err
	}
	if r.dec.More() {
		return errors.New("something follows the series")
	}
	return nil
}

func (r *jsonSeries) readObject() error {
	seen := map[string]bool{}
	for r.dec.More() {
		token, err := r.dec.Token()
		if err != nil {
			return err
		}
		key, _ := token.(string)
		if seen[key] {
			return fmt.Errorf("%s: is given twice", key)
		}
		seen[key] = true
		if err := r.readField(key); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		if len(r.faults) >= mostFaults {
			return nil
		}
	}
	if _, err := r.dec.Token(); err != nil {
		return err
	}
	if !seen["strips"] {
		return errors.New("strips: is missing")
	}
	return nil
}

func (r *jsonSeries) readField(key string) error {
	switch key {
	case "series":
		return r.dec.Decode(&r.series.ID)
	case "up":
		return r.dec.Decode(&r.series.Up)
	case "first_book":
		return r.dec.Decode(&r.series.FirstBook)
	case "colours":
		var names []string
		if err := r.dec.Decode(&names); err != nil {
			return err
		}
		r.series.Colours = nil
		for i, name := range names {
			c, err := ParseColour(name)
			if err != nil {
				return fmt.Errorf("game %d: %w (rule 2.3.2)", i+1, err)
			}
			r.series.Colours = append(r.series.Colours, c)
		}
		return nil
	case "strips":
		if token, err := r.dec.Token(); err != nil || token != json.Delim('[') {
			return errors.Join(err, errors.New("is not an array"))
		}
		return r.readStrips()
	}
	return errors.New("is not a field here; the fields are series, up, first_book, colours, strips")
}

// readStrips reads strips up to the end of their array.
func (r *jsonSeries) readStrips() error {
	for r.dec.More() {
		line := r.lineOfNext()
		var cells [][][]json.Number
		if err := r.dec.Decode(&cells); err != nil {
			return fmt.Errorf("strip %d: %w", len(r.strips)+1, err)
		}
		where := fmt.Sprintf("strip %d", len(r.strips)+1)
		grids, faults := r.form.gridsOf(cells)
		var strip Strip
		if len(faults) == 0 {
			var err error
			strip, err = r.form.Strip(grids)
			faults, _ = errors.AsType[Faults](err)
		}
		if len(faults) > 0 && !r.faults.add(faults.at(line, where)...) {
			return nil
		}
		r.strips, r.lines = append(r.strips, strip), append(r.lines, line)
	}
	_, err := r.dec.Token()
	return err
}

// lineOfNext returns the line of the next value, which follows a comma and blanks.
func (r *jsonSeries) lineOfNext() int {
	line := r.here()
	for _, c := range r.data[r.at:] {
		switch c {
		case '\n':
			line++
		case ' ', '\t', '\r', ',':
		default:
			return line
		}
	}
	return line
}

// gridsOf holds cells to the form of a strip.
func (f *Form) gridsOf(cells [][][]json.Number) (grids []Grid, faults Faults) {
	grids = make([]Grid, f.boxes)
	if len(cells) != f.boxes {
		faults.add(Fault{Clause: f.cite("2.2.1"), Message: fmt.Sprintf("has %d boxes; a strip has %d", len(cells), f.boxes)})
		return grids, faults
	}
	for b, box := range cells {
		where := fmt.Sprintf("box %d", b+1)
		if len(box) != f.lines {
			faults.add(Fault{Where: where, Clause: f.cite("2.4"),
				Message: fmt.Sprintf("has %d lines; a box has %d", len(box), f.lines)})
			continue
		}
		for l, line := range box {
			if len(line) != f.columns {
				faults.add(Fault{Where: where, Field: fmt.Sprintf("line %d", l+1), Clause: f.cite("2.4"),
					Message: fmt.Sprintf("has %d cells; a line has %d, 0 for a blank", len(line), f.columns)})
				continue
			}
			for c, cell := range line {
				n, err := f.parseCell(cell.String())
				if err != nil || cell == "" {
					faults.add(Fault{Where: where, Field: fmt.Sprintf("line %d, column %d", l+1, c+1), Clause: f.cite("2.4"),
						Message: fmt.Sprintf("%q is not a number from 1 to %d, or 0 for a blank", cell, f.numbers())})
				}
				grids[b][l][c] = n
			}
		}
	}
	return grids, faults
}
