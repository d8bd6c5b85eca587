package drawhouse_test

import (
	"testing"

	"drawhouse"
	"drawhouse/internal/directives"
)

// TestCarriedSources holds the sources that the program carries against those of the module: a pack for a laboratory
// says of every clause which functions name the clause.
func TestCarriedSources(t *testing.T) {
	carried := map[directives.Directive]bool{}
	for _, code := range drawhouse.Sources() {
		found, err := directives.ReadFrom(code)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range found {
			carried[d] = true
		}
	}
	for _, d := range readDirectives(t) {
		if !carried[d] {
			t.Errorf("%s names %s, and carried.go does not embed its package %s", d.Function, d.Clause, d.Package)
		}
	}
}
