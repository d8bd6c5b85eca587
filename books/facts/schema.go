package facts

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"drawhouse/journal/record"
)

// Field describes a column, in the words of the Table Schema of Frictionless Data. Unit and Words are of our own: what
// a number counts, and the words that a text can be, with what they mean.
type Field struct {
	Name        string       `json:"name"`
	Type        string       `json:"type"`
	Format      string       `json:"format,omitempty"`
	Description string       `json:"description"`
	Unit        string       `json:"unit,omitempty"`
	Constraints *Constraints `json:"constraints,omitempty"`
	Words       []Word       `json:"words,omitempty"`
}

// Constraints are what a value must be.
type Constraints struct {
	Required bool     `json:"required,omitempty"`
	Enum     []string `json:"enum,omitempty"`
}

// Word is a text that a column can have.
type Word struct {
	Word        string `json:"word"`
	Number      int    `json:"number,omitempty"` // by which the journal has it
	Description string `json:"description,omitempty"`
}

// field describes a column.
func (c column) field(key bool) Field {
	f := Field{Name: c.name, Type: typeNames[c.holds], Format: c.format, Description: c.about, Unit: c.unit}
	if key {
		f.Constraints = &Constraints{Required: true}
	}
	if len(c.words) > 0 {
		f.Constraints = &Constraints{}
		for _, w := range c.words {
			f.Constraints.Enum = append(f.Constraints.Enum, w.Text)
			f.Words = append(f.Words, Word{w.Text, w.Number, w.About})
		}
	}
	return f
}

// pack is a Tabular Data Package.
type pack struct {
	Profile     string     `json:"profile"`
	Name        string     `json:"name"`
	Title       string     `json:"title"`
	Description string     `json:"description"`
	Resources   []resource `json:"resources"`
}

type resource struct {
	Profile     string `json:"profile"`
	Name        string `json:"name"`
	Path        string `json:"path"`
	Description string `json:"description"`
	Format      string `json:"format"`
	MediaType   string `json:"mediatype"`
	Encoding    string `json:"encoding,omitempty"`
	Bytes       uint64 `json:"bytes"`
	Hash        string `json:"hash"`
	Rows        uint64 `json:"rows"`
	Schema      schema `json:"schema"`
}

type schema struct {
	Fields        []Field   `json:"fields"`
	PrimaryKey    []string  `json:"primaryKey"`
	ForeignKeys   []foreign `json:"foreignKeys,omitempty"`
	MissingValues []string  `json:"missingValues"`
}

type foreign struct {
	Fields    []string `json:"fields"`
	Reference target   `json:"reference"`
}

type target struct {
	Resource string   `json:"resource"`
	Fields   []string `json:"fields"`
}

// describe writes the schema of all tables.
func (w *Writer) describe(house string, files []*file) error {
	profile := "tabular-data-package"
	if w.format == Parquet {
		profile = "data-package" // Tables of that profile are CSV.
	}
	p := pack{
		Profile: profile, Name: "journal", Title: "The journal of " + house,
		Description: "Every record of a journal. Amounts are integers in cents. A row is named by the place of its record, " +
			keyVolume + " and " + keySeq + ", and in a list by its line. A number that names another row is empty where it names none. " +
			"Texts stand as they were recorded, also those that begin like a formula (with =, +, -, @, a tab or a carriage return): import them into a spreadsheet as text, and do not open the files with one.",
	}
	for _, f := range files {
		p.Resources = append(p.Resources, f.describe(w.all, w.format))
	}
	data, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	to, err := w.sink.Create("datapackage.json")
	if err != nil {
		return err
	}
	_, err = to.Write(append(data, '\n'))
	return errors.Join(err, to.Close())
}

// describe returns what a reader must know of a table.
func (f *file) describe(all *table, format Format) resource {
	t := f.table
	key := t.key()
	s := schema{PrimaryKey: key, MissingValues: []string{""}}
	for i, c := range t.columns {
		s.Fields = append(s.Fields, c.field(i < len(key)))
	}
	if t != all {
		above := cmp.Or(t.parent, all)
		to := above.key()
		s.ForeignKeys = []foreign{{key[:len(to)], target{above.name, to}}}
	}
	for _, r := range t.refs {
		s.ForeignKeys = append(s.ForeignKeys, foreign{r.columns, target{r.table, r.to}})
	}
	r := resource{
		Profile: "tabular-data-resource", Name: t.name, Path: f.path,
		Description: strings.ToUpper(t.about[:1]) + t.about[1:] + ".",
		Format:      string(CSV), MediaType: "text/csv", Encoding: "utf-8", Bytes: uint64(f.size),
		Hash: "sha256:" + hex.EncodeToString(f.hash.Sum(nil)), Rows: f.rows, Schema: s,
	}
	if format == Parquet {
		r.Profile, r.Format, r.MediaType, r.Encoding = "data-resource", string(Parquet), "application/vnd.apache.parquet", ""
	}
	return r
}

// checkNames reports two tables or columns of one name, and a reference to what is not there.
func (p *planned) checkNames() error {
	tables := map[string]*table{}
	for _, t := range p.tables {
		if tables[t.name] != nil {
			return fmt.Errorf("facts: there are two tables %s", t.name)
		}
		tables[t.name] = t
	}
	for _, t := range p.tables {
		seen := map[string]bool{}
		for _, c := range t.columns {
			if seen[c.name] || c.about == "" {
				return fmt.Errorf("facts: table %s: column %s is there twice, or nothing says what it holds", t.name, c.name)
			}
			seen[c.name] = true
		}
		for _, r := range t.refs {
			if tables[r.table] == nil {
				return fmt.Errorf("facts: table %s names %s, which is no table", t.name, r.table)
			}
			for _, to := range r.to {
				if !tables[r.table].has(to) {
					return fmt.Errorf("facts: table %s names %s of %s, which is no column", t.name, to, r.table)
				}
			}
		}
	}
	return nil
}

func (t *table) has(name string) bool {
	for _, c := range t.columns {
		if c.name == name {
			return true
		}
	}
	return false
}

// tableName returns the name of the table of a kind of record.
func tableName(kind record.Kind) string { return strings.ReplaceAll(kind.String(), " ", "_") }
