package state

import (
	"go/parser"
	"go/token"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestGrowthIsSaid holds the table of the package's comment against the fields of the state: every map, shelf and
// list that a State reaches through types of this package has a line that says what bounds it, and no line is left
// over.
func TestGrowthIsSaid(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "doc.go", nil, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]bool{}
	row := regexp.MustCompile(`(?m)^\t([A-Za-z]+\.[A-Za-z, ]+?)  +\S`)
	for _, line := range row.FindAllStringSubmatch(file.Doc.Text(), -1) {
		owner, fields, _ := strings.Cut(line[1], ".")
		for _, field := range strings.Split(fields, ", ") {
			said[owner+"."+field] = true
		}
	}
	found := map[string]bool{}
	growing(reflect.TypeFor[State](), found, map[reflect.Type]bool{})
	if len(found) < 40 {
		t.Errorf("only %d fields are found that grow", len(found))
	}
	for _, field := range slices.Sorted(maps.Keys(found)) {
		if !said[field] {
			t.Errorf("doc.go does not say what bounds %s", field)
		}
	}
	for _, field := range slices.Sorted(maps.Keys(said)) {
		if !found[field] {
			t.Errorf("doc.go has a line for %s, which is no field that grows", field)
		}
	}
}

// growing finds the fields of a type of this package that are maps, shelves or lists, and those of the types within
// it.
func growing(typ reflect.Type, found map[string]bool, seen map[reflect.Type]bool) {
	if seen[typ] {
		return
	}
	seen[typ] = true
	switch typ.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		growing(typ.Elem(), found, seen)
	case reflect.Map:
		growing(typ.Key(), found, seen)
		growing(typ.Elem(), found, seen)
	case reflect.Struct:
		if typ.PkgPath() != reflect.TypeFor[State]().PkgPath() {
			return
		}
		generic := func(name string, names ...string) bool {
			return slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(name, n+"[") })
		}
		shelf := generic(typ.Name(), "shelf", "page", "summed")
		for i := range typ.NumField() {
			f := typ.Field(i)
			kind := f.Type.Kind()
			grows := kind == reflect.Map || kind == reflect.Slice || generic(f.Type.Name(), "shelf", "summed")
			if grows && !shelf && f.Tag.Get("snapshot") != "-" {
				name, _, _ := strings.Cut(typ.Name(), "[")
				found[name+"."+f.Name] = true
			}
			if f.Tag.Get("snapshot") != "-" {
				growing(f.Type, found, seen)
			}
		}
	}
}
