package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: parquet DIRECTORY-OF-CSV DIRECTORY-OF-PARQUET")
		os.Exit(2)
	}
	sum, err := compare(os.Args[1], os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("%d tables with %d rows and %d cells are the same as CSV and as Parquet\n", sum.tables, sum.rows, sum.cells)
}

// counts are what was compared.
type counts struct{ tables, rows, cells int }

// field is what the description of an export says of a column.
type field struct{ Name, Type string }

// resource is a table of an export.
type resource struct {
	Name, Path string
	Rows       int
	Schema     struct{ Fields []field }
}

// resources reads the description of an export.
func resources(folder string) (list []resource, err error) {
	data, err := os.ReadFile(filepath.Join(folder, "datapackage.json"))
	if err != nil {
		return nil, err
	}
	var p struct{ Resources []resource }
	err = json.Unmarshal(data, &p)
	return p.Resources, err
}

// compare holds every table of one export against that of another.
func compare(plain, columns string) (sum counts, err error) {
	texts, err := resources(plain)
	if err != nil {
		return sum, err
	}
	tables, err := resources(columns)
	if err != nil {
		return sum, err
	}
	if len(texts) != len(tables) || len(texts) == 0 {
		return sum, fmt.Errorf("%d tables as CSV and %d as Parquet", len(texts), len(tables))
	}
	for i, r := range tables {
		if r.Name != texts[i].Name {
			return sum, fmt.Errorf("table %d is %s as CSV and %s as Parquet", i+1, texts[i].Name, r.Name)
		}
		want, err := readCSV(filepath.Join(plain, filepath.FromSlash(texts[i].Path)))
		if err != nil {
			return sum, fmt.Errorf("%s: %w", r.Name, err)
		}
		got, err := readParquet(filepath.Join(columns, filepath.FromSlash(r.Path)), r.Schema.Fields)
		if err != nil {
			return sum, fmt.Errorf("%s: %w", r.Name, err)
		}
		cells, err := same(r, got, want)
		if err != nil {
			return sum, fmt.Errorf("%s: %w", r.Name, err)
		}
		sum = counts{sum.tables + 1, sum.rows + r.Rows, sum.cells + cells}
	}
	return sum, nil
}

// same compares the rows of a table, the first of which are the names of its columns.
func same(r resource, got, want [][]string) (cells int, err error) {
	if len(got) != len(want) || len(got) != r.Rows+1 {
		return 0, fmt.Errorf("%d rows as Parquet, %d as CSV, and %d are described", len(got)-1, len(want)-1, r.Rows)
	}
	for i := range want {
		if len(got[i]) != len(want[i]) {
			return 0, fmt.Errorf("row %d has %d cells as Parquet and %d as CSV", i, len(got[i]), len(want[i]))
		}
		for k := range want[i] {
			if got[i][k] != want[i][k] {
				return 0, fmt.Errorf("row %d, column %s: %q as Parquet and %q as CSV", i, want[0][k], got[i][k], want[i][k])
			}
			cells++
		}
	}
	return cells, nil
}

func readCSV(path string) ([][]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	rows, err := csv.NewReader(f).ReadAll()
	return rows, err
}

// readParquet reads a table with the reader of Arrow, and writes its cells as the schema says that CSV has them.
func readParquet(path string, fields []field) ([][]string, error) {
	reader, err := file.OpenParquetFile(path, false)
	if err != nil {
		return nil, err
	}
	defer func() { _ = reader.Close() }()
	arrows, err := pqarrow.NewFileReader(reader, pqarrow.ArrowReadProperties{BatchSize: 1 << 14}, memory.DefaultAllocator)
	if err != nil {
		return nil, err
	}
	schema, err := arrows.Schema()
	if err != nil {
		return nil, err
	}
	if schema.NumFields() != len(fields) {
		return nil, fmt.Errorf("%d columns, and %d are described", schema.NumFields(), len(fields))
	}
	names := make([]string, len(fields))
	for i, f := range fields {
		if names[i] = schema.Field(i).Name; names[i] != f.Name {
			return nil, fmt.Errorf("column %d is %s, and %s is described", i+1, names[i], f.Name)
		}
	}
	rows := [][]string{names}
	records, err := arrows.GetRecordReader(context.Background(), nil, nil)
	if err != nil {
		return nil, err
	}
	defer records.Release()
	for {
		batch, err := records.Read()
		if errors.Is(err, io.EOF) || err == nil && batch == nil {
			return rows, nil
		}
		if err != nil {
			return nil, err
		}
		for i := range int(batch.NumRows()) {
			row := make([]string, len(fields))
			for k, f := range fields {
				if row[k], err = textOf(batch.Column(k), i, f.Type); err != nil {
					return nil, fmt.Errorf("row %d, column %s: %w", len(rows), f.Name, err)
				}
			}
			rows = append(rows, row)
		}
	}
}

// textOf writes a cell as CSV has it. The type of the column must be the one that the schema names.
func textOf(column arrow.Array, i int, described string) (string, error) {
	if column.IsNull(i) {
		return "", nil
	}
	switch c := column.(type) {
	case *array.String:
		if described == "string" {
			return c.Value(i), nil
		}
	case *array.Int64:
		if described == "integer" {
			return strconv.FormatInt(c.Value(i), 10), nil
		}
	case *array.Boolean:
		if described == "boolean" {
			return strconv.FormatBool(c.Value(i)), nil
		}
	case *array.Date32:
		if described == "date" {
			return c.Value(i).ToTime().Format(time.DateOnly), nil
		}
	case *array.Timestamp:
		if of, ok := c.DataType().(*arrow.TimestampType); ok && described == "datetime" && of.TimeZone == "UTC" {
			return c.Value(i).ToTime(of.Unit).UTC().Format("2006-01-02T15:04:05.000Z"), nil
		}
	}
	return "", fmt.Errorf("it is of the type %v, and %s is described", column.DataType(), described)
}
