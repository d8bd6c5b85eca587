package facts

import (
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/snappy"

	"drawhouse/core/day"
)

// parquetRows writes rows as a file of Parquet. Amounts and numbers are 64-bit integers, times microseconds since 1970
// UTC, days days since 1970, and texts strings. Every column but those of the key may be empty.
type parquetRows struct {
	to  *parquet.GenericWriter[any]
	key int // how many columns name a row
	row parquet.Row
}

// ordered is a group of columns in the order of the table. A plain group has them by their names.
type ordered struct {
	parquet.Group
	names []string
}

// Fields returns the columns in their order.
func (o ordered) Fields() []parquet.Field {
	byName := map[string]parquet.Field{}
	for _, f := range o.Group.Fields() {
		byName[f.Name()] = f
	}
	fields := make([]parquet.Field, len(o.names))
	for i, name := range o.names {
		fields[i] = byName[name]
	}
	return fields
}

// most rows of a table are written together, so that a table of any length is written in the same memory.
const rowsTogether = 1 << 17

func newParquet(t *table, to io.Writer) *parquetRows {
	group := ordered{Group: parquet.Group{}}
	p := &parquetRows{key: len(t.keys())}
	for i, c := range t.columns {
		node := nodeOf(c.holds)
		if i >= p.key {
			node = parquet.Optional(node)
		}
		group.Group[c.name] = node
		group.names = append(group.names, c.name)
	}
	p.to = parquet.NewGenericWriter[any](to, parquet.NewSchema(t.name, group), parquet.Compression(&snappy.Codec{}),
		parquet.CreatedBy("drawhouse", "1", "facts"), parquet.MaxRowsPerRowGroup(rowsTogether),
		parquet.PageBufferSize(1<<14))
	return p
}

// nodeOf returns the type of a column.
func nodeOf(h holds) parquet.Node {
	switch h {
	case integers:
		return parquet.Int(64)
	case truths:
		return parquet.Leaf(parquet.BooleanType)
	case instants:
		return parquet.Timestamp(parquet.Microsecond)
	case dates:
		return parquet.Date()
	}
	return parquet.String()
}

// epoch is the first of January 1970.
var epoch = int32(day.MustParse("1970-01-01"))

// microseconds is how many microseconds a millisecond has.
const microseconds = 1000

func (p *parquetRows) write(columns []column, cells []cell) error {
	p.row = p.row[:0]
	for i, c := range cells {
		defined := 1
		if i < p.key {
			defined = 0 // It is always there.
		}
		if c.none {
			p.row = append(p.row, parquet.NullValue().Level(0, 0, i))
			continue
		}
		p.row = append(p.row, parquetValue(columns[i].holds, c).Level(0, defined, i))
	}
	_, err := p.to.WriteRows([]parquet.Row{p.row})
	return err
}

func parquetValue(h holds, c cell) parquet.Value {
	switch h {
	case integers:
		return parquet.Int64Value(c.number)
	case truths:
		return parquet.BooleanValue(c.number != 0)
	case instants:
		return parquet.Int64Value(c.number * microseconds)
	case dates:
		return parquet.Int32Value(int32(c.number) - epoch)
	}
	return parquet.ByteArrayValue([]byte(c.text))
}

func (p *parquetRows) close() error { return p.to.Close() }
