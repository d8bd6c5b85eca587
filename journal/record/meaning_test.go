package record

import (
	"reflect"
	"testing"
)

// TestEveryFieldIsDescribed finds a field of a record of which neither its comment nor its name says what it holds.
func TestEveryFieldIsDescribed(t *testing.T) {
	seen, fields, used := map[reflect.Type]bool{}, 0, map[string]bool{}
	var walk func(of reflect.Type)
	walk = func(of reflect.Type) {
		for of.Kind() == reflect.Slice || of.Kind() == reflect.Array {
			of = of.Elem()
		}
		if of.Kind() != reflect.Struct || seen[of] || of.PkgPath() != reflect.TypeFor[Record]().PkgPath() {
			return
		}
		seen[of] = true
		for i := range of.NumField() {
			f := of.Field(i)
			if f.Name == "_" {
				continue
			}
			inner := f.Type
			for inner.Kind() == reflect.Slice {
				inner = inner.Elem()
			}
			fields++
			said := Meaning(of, f.Name)
			if _, ok := fieldComments[of.Name()+"."+f.Name]; !ok {
				used[f.Name] = true
			}
			if said == "" && (inner.Kind() != reflect.Struct || f.Type.Kind() == reflect.Slice) {
				t.Errorf("%s.%s says nowhere what it holds: give it a comment, and run go test . -run Doc -rewrite", of.Name(), f.Name)
			}
			walk(f.Type)
		}
	}
	for _, row := range rows {
		walk(row.body)
	}
	t.Logf("%d fields of %d types are described", fields, len(seen))
	for name := range meanings {
		if !used[name] {
			t.Errorf("no field needs what is said of the name %s", name)
		}
	}
	if fields < 500 {
		t.Errorf("only %d fields", fields)
	}
}

// TestWords finds the words of numbers and of texts, and none for what is no word.
func TestWords(t *testing.T) {
	if words := Words(reflect.TypeFor[TenderKind]()); len(words) != 9 || words[0] != (Word{1, "cash", words[0].About}) ||
		words[3].Text != "card" || words[3].Number != 4 {
		t.Errorf("tenders are %v", words)
	}
	if words := Words(reflect.TypeFor[BankMove]()); len(words) != 3 || words[2].Text != string(BankDrop) {
		t.Errorf("moves of a bank are %v", words)
	}
	if words := Words(reflect.TypeFor[Exact]()); words != nil {
		t.Errorf("amounts are words: %v", words)
	}
}
