package rulebook

import (
	"bytes"
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write schema.json anew; read the difference before you commit it")

// schemaFile is what package rules carries.
const schemaFile = "rules/schema.json"

// TestJSONSchema keeps schema.json to the types and comments that it is made from.
func TestJSONSchema(t *testing.T) {
	made := newSchemaMaker(t).whole()
	if *rewrite {
		if err := os.WriteFile(schemaFile, made, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if kept, err := os.ReadFile(schemaFile); err != nil || !bytes.Equal(made, kept) {
		t.Error("schema.json is not that of the types: go test ./rulebook -run TestJSONSchema -rewrite")
	}
}

// schemaMaker makes a JSON Schema from the types of the schema, with their comments as descriptions.
type schemaMaker struct {
	comments map[string]string // of Type and of Type.Field
	defs     map[string]any
}

type object = map[string]any

func newSchemaMaker(t *testing.T) *schemaMaker {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	m := &schemaMaker{comments: map[string]string{}, defs: map[string]any{}}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if types, ok := d.(*ast.GenDecl); ok && types.Tok == token.TYPE {
				for _, spec := range types.Specs {
					m.comment(spec.(*ast.TypeSpec), types.Doc)
				}
			}
		}
	}
	return m
}

// comment takes the comments of a type and of its fields.
func (m *schemaMaker) comment(spec *ast.TypeSpec, doc *ast.CommentGroup) {
	m.comments[spec.Name.Name] = oneLine(doc.Text())
	structure, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range structure.Fields.List {
		for _, name := range f.Names {
			m.comments[spec.Name.Name+"."+name.Name] = oneLine(f.Doc.Text() + " " + f.Comment.Text())
		}
	}
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// whole returns the schema of a file: a whole book has every key that must be written, and an edition those in its
// lists alone.
func (m *schemaMaker) whole() []byte {
	file := reflect.TypeFor[File]()
	schema := object{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"title":   "drawhouse rulebook",
		"if":      object{"required": []string{"base"}},
		"then":    m.structure(file, true),
		"else":    m.structure(file, false),
		"$defs":   m.defs,
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(schema); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// structure refers to the schema of a struct, which is made once. Of an edition nothing is required.
func (m *schemaMaker) structure(t reflect.Type, edition bool) object {
	name := t.Name()
	if edition {
		name += ".edition"
	}
	ref := object{"$ref": "#/$defs/" + name}
	if m.defs[name] != nil {
		return ref
	}
	properties, required := object{}, []string{}
	def := object{"type": "object", "properties": properties, "additionalProperties": false}
	if text := m.comments[t.Name()]; text != "" {
		def["description"] = text
	}
	m.defs[name] = def
	for _, f := range fieldsOf(t) {
		owner, field := t, t.FieldByIndex(f.index)
		if len(f.index) > 1 {
			owner = t.Field(f.index[0]).Type
		}
		if f.retired != "" {
			continue
		}
		value := m.value(field.Type, f.words, edition)
		if text := m.comments[owner.Name()+"."+field.Name]; text != "" {
			value["description"] = text
		}
		properties[f.name] = value
		if f.required && !edition {
			required = append(required, f.name)
		}
	}
	if len(required) > 0 {
		def["required"] = required
	}
	return ref
}

// value returns the schema of a value. What a file writes as one word may be a number for YAML.
func (m *schemaMaker) value(t reflect.Type, words []string, edition bool) object {
	if typed, ok := reflect.Zero(t).Interface().(vocabulary); ok {
		return object{"enum": typed.words()}
	}
	switch t {
	case reflect.TypeFor[Dollars]():
		return object{"type": []string{"number", "string"}, "minimum": 0}
	case reflect.TypeFor[Percent]():
		return object{"type": []string{"number", "string"}, "minimum": 0, "maximum": 100}
	case reflect.TypeFor[Date]():
		return object{"type": "string", "pattern": `^[0-9]{4}-[0-9]{2}-[0-9]{2}$`}
	case reflect.TypeFor[Sizes](), reflect.TypeFor[Range]():
		return object{"type": []string{"integer", "string"}}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return m.value(t.Elem(), words, edition)
	case reflect.Struct:
		return m.structure(t, edition)
	case reflect.Slice:
		return object{"type": "array", "items": m.value(t.Elem(), words, false)}
	case reflect.Map:
		all := object{"type": "object"}
		if item := m.value(t.Elem(), nil, false); t.Key().Kind() == reflect.Int {
			all["patternProperties"], all["additionalProperties"] = object{"^[0-9]+$": item}, false
		} else {
			all["additionalProperties"] = item
		}
		return all
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return object{"type": "integer", "minimum": 0}
	}
	if words != nil {
		return object{"enum": slices.Clone(words)}
	}
	return object{"type": []string{"string", "number"}}
}
