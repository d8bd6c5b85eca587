package facts_test

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"drawhouse/books/facts"
	"drawhouse/internal/cases"
)

// TestParquet writes the tables of houses of keno and bingo in both formats. The cells of the one are those of the
// other, and a house that is written twice has equal bytes.
func TestParquet(t *testing.T) {
	keno, _ := trade(t)
	cells := 0
	for _, core := range []*cases.Core{keno, bingoHouse(t)} {
		lines, made, again := export(t, core, facts.CSV), export(t, core, facts.Parquet), export(t, core, facts.Parquet)
		p := packOf(t, made)
		if len(p.Resources) != len(made)-1 || len(made) != len(lines) {
			t.Fatalf("%d tables in %d files, and %d of CSV", len(p.Resources), len(made), len(lines))
		}
		for name := range made {
			if !bytes.Equal(made[name].Bytes(), again[name].Bytes()) {
				t.Errorf("%s is another one when it is written again", name)
			}
		}
		for _, r := range p.Resources {
			text, err := csv.NewReader(lines["data/"+r.Name+".csv"]).ReadAll()
			must(t, err)
			data := made[r.Path].Bytes()
			cells += sameCells(t, r.Name, r.Schema.Fields, data, text)
			checkFooter(t, r.Name, r.Schema.Fields, data, r.Rows)
		}
	}
	t.Logf("%d cells are the same in both formats", cells)
	if cells < 4000 {
		t.Error("that are too few")
	}
}

// bingoHouse returns the house of the longest case of a bingo room.
func bingoHouse(t *testing.T) (longest *cases.Core) {
	t.Helper()
	files, err := cases.ReadAll("../../rulebook/rules")
	must(t, err)
	for _, file := range files {
		for _, s := range file.Halls {
			if longest != nil && len(s) < 30 {
				continue
			}
			core, err := file.PlayHall(s)
			must(t, err)
			if longest == nil || len(core.Records) > len(longest.Records) {
				longest = core
			}
		}
	}
	return longest
}

// sameCells holds the rows of a Parquet file against the lines of CSV, and returns how many cells there are.
func sameCells(t *testing.T, table string, fields []facts.Field, data []byte, lines [][]string) (cells int) {
	t.Helper()
	r := parquet.NewReader(bytes.NewReader(data))
	defer func() { must(t, r.Close()) }()
	rows := make([]parquet.Row, 1)
	for n := 1; ; n++ {
		read, err := r.ReadRows(rows)
		if read == 0 {
			if n != len(lines) || !errors.Is(err, io.EOF) {
				t.Errorf("%s has %d rows and not %d: %v", table, n-1, len(lines)-1, err)
			}
			return cells
		}
		for i, v := range rows[0] {
			if got := textOf(fields[v.Column()], v); n >= len(lines) || got != lines[n][i] {
				t.Fatalf("%s, row %d, %s: %q", table, n, fields[i].Name, got)
			}
			cells++
		}
	}
}

// textOf returns a value as the table of CSV has it.
func textOf(f facts.Field, v parquet.Value) string {
	switch {
	case v.IsNull():
		return ""
	case f.Type == "datetime":
		return time.UnixMicro(v.Int64()).UTC().Format("2006-01-02T15:04:05.000Z")
	case f.Type == "date":
		return time.Unix(int64(v.Int32())*24*60*60, 0).UTC().Format(time.DateOnly)
	case f.Type == "boolean":
		return strconv.FormatBool(v.Boolean())
	case f.Type == "integer":
		return strconv.FormatInt(v.Int64(), 10)
	}
	return string(v.ByteArray())
}

// checkFooter reads the end of a Parquet file by the format alone: its marks, how many rows it has, and of each column
// the name, the type and what the type means.
func checkFooter(t *testing.T, table string, fields []facts.Field, data []byte, rows int) {
	t.Helper()
	const mark = "PAR1"
	end := len(data) - len(mark)
	if string(data[:len(mark)]) != mark || string(data[end:]) != mark {
		t.Fatalf("%s is no Parquet file", table)
	}
	length := int(binary.LittleEndian.Uint32(data[end-4 : end]))
	c := compact{data: data[end-4-length : end-4]}
	footer := c.structure()
	if c.failed || len(c.data) > 0 {
		t.Fatalf("%s: the footer cannot be read", table)
	}
	// Field 2 is the schema, of which the first element is the row, and field 3 the number of rows.
	elements, ok := footer[2].([]any)
	if !ok || len(elements) != len(fields)+1 || footer[3] != int64(rows) {
		t.Fatalf("%s: %d columns and %v rows, and not %d and %d", table, len(elements)-1, footer[3], len(fields), rows)
	}
	physical := map[string]int64{"boolean": 0, "date": 1, "integer": 2, "datetime": 2, "string": 6}
	logical := map[string]int64{"date": 6, "integer": 18, "datetime": 10, "string": 0}
	for i, f := range fields {
		e, _ := elements[i+1].(map[int64]any)
		name, _ := e[4].([]byte)
		means, converted := e[6].(int64)
		want, has := logical[f.Type]
		if string(name) != f.Name || e[1] != physical[f.Type] || converted != has || has && means != want {
			t.Errorf("%s: column %d is %q of type %v that means %v, and not %s %s", table, i+1, name, e[1], e[6], f.Name, f.Type)
		}
	}
}

// compact reads the compact protocol of Thrift, in which a footer is.
type compact struct {
	data   []byte
	failed bool
}

func (c *compact) next() byte {
	if len(c.data) == 0 {
		c.failed = true
		return 0
	}
	b := c.data[0]
	c.data = c.data[1:]
	return b
}

func (c *compact) varint() uint64 {
	n, size := binary.Uvarint(c.data)
	if size <= 0 {
		c.failed, c.data = true, nil
		return 0
	}
	c.data = c.data[size:]
	return n
}

func (c *compact) zigzag() int64 {
	n := c.varint()
	return int64(n>>1) ^ -int64(n&1)
}

// structure returns the fields of a structure by their numbers.
func (c *compact) structure() map[int64]any {
	fields, id := map[int64]any{}, int64(0)
	for !c.failed {
		head := c.next()
		if head == 0 {
			break
		}
		if delta := int64(head >> 4); delta != 0 {
			id += delta
		} else {
			id = c.zigzag()
		}
		fields[id] = c.value(head & 15)
	}
	return fields
}

// value returns a value of a type.
func (c *compact) value(of byte) any {
	switch of {
	case 1, 2:
		return of == 1
	case 3:
		return c.next()
	case 4, 5, 6:
		return c.zigzag()
	case 8:
		n := min(c.varint(), uint64(len(c.data)))
		text := c.data[:n]
		c.data = c.data[n:]
		return text
	case 9:
		head := c.next()
		n := uint64(head >> 4)
		if n == 15 {
			n = c.varint()
		}
		var list []any
		for range n {
			if c.failed {
				break
			}
			list = append(list, c.value(head&15))
		}
		return list
	case 12:
		return c.structure()
	}
	c.failed = true
	return fmt.Sprintf("type %d", of)
}
