package facts

import (
	"crypto/sha256"
	"encoding/csv"
	"errors"
	"hash"
	"io"
)

// rows is where the rows of a table go.
type rows interface {
	write(columns []column, cells []cell) error
	// close writes what is left.
	close() error
}

// file is a table that is being written.
type file struct {
	table  *table
	path   string
	to     io.WriteCloser
	rowsOf rows
	rows   uint64
	size   counter
	hash   hash.Hash
	cells  []cell
}

// counter counts the bytes that are written to it.
type counter uint64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// fileOf returns the file of a table, and begins it when it is asked for first.
func (w *Writer) fileOf(t *table) (*file, error) {
	if f, ok := w.files[t]; ok {
		return f, nil
	}
	f := &file{table: t, path: "data/" + t.name + "." + string(w.format), hash: sha256.New()}
	var err error
	if f.to, err = w.sink.Create(f.path); err != nil {
		return nil, err
	}
	w.files[t] = f
	to := io.MultiWriter(f.to, &f.size, f.hash)
	if w.format == Parquet {
		f.rowsOf = newParquet(t, to)
		return f, nil
	}
	lines := csv.NewWriter(to)
	f.rowsOf = &csvRows{to: lines}
	var head []string
	for _, c := range t.columns {
		head = append(head, c.name)
	}
	return f, lines.Write(head)
}

func (f *file) close() error { return errors.Join(f.rowsOf.close(), f.to.Close()) }

// csvRows writes rows as lines of CSV.
type csvRows struct {
	to    *csv.Writer
	texts []string
}

func (c *csvRows) write(columns []column, cells []cell) error {
	c.texts = c.texts[:0]
	for i, value := range cells {
		c.texts = append(c.texts, value.csv(columns[i].holds))
	}
	return c.to.Write(c.texts)
}

func (c *csvRows) close() error {
	c.to.Flush()
	return c.to.Error()
}
