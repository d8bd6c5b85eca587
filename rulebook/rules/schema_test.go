package rules_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// TestBooksBySchema has a validator that is not ours hold every built-in book, editions and books with faults
// against the JSON Schema that editors are given.
func TestBooksBySchema(t *testing.T) {
	raw, err := jsonschema.UnmarshalJSON(bytes.NewReader(rules.JSONSchema))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("rulebook.json", raw); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("rulebook.json")
	if err != nil {
		t.Fatal(err)
	}
	judge := func(text string) error {
		t.Helper()
		var value any
		if err := yaml.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(err)
		}
		// What a YAML reader makes of a file goes through JSON, as in an editor.
		written, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		read, err := jsonschema.UnmarshalJSON(bytes.NewReader(written))
		if err != nil {
			t.Fatal(err)
		}
		return schema.Validate(read)
	}
	for _, id := range rules.IDs() {
		data, err := os.ReadFile(id + "/book.yaml")
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		if err := judge(text); err != nil {
			t.Errorf("%s: %v", id, err)
		}
		book, err := rules.Book(id)
		if err != nil {
			t.Fatal(err)
		}
		if err := judge(rulebook.EditionOf(book)); err != nil {
			t.Errorf("an edition of %s: %v", id, err)
		}
		for was, is := range map[string]string{
			"\nedition: 1\n":   "\neditoin: 1\n",
			"\nedition: 1":     "\nedition: one",
			"\nkind: ":         "\nkind: x",
			"\nzone: ":         "\nzone: [x]\nz: ",
			"\n    of: ":       "\n    of: -",
			"\n  from: ":       "\n  from: at once, ",
			"\n    clause: \"": "\n    clauses: \"",
		} {
			if changed := strings.Replace(text, was, is, 1); changed == text || judge(changed) == nil {
				t.Errorf("%s with %q is taken", id, is)
			}
		}
	}
}
