package postgres

import (
	"testing"

	"drawhouse/internal/pgtest"
)

// TestExamine: the tests' own server is sound, and every setting is found out by
// itself.
func TestExamine(t *testing.T) {
	found, err := Examine(t.Context(), pgtest.Schema(t))
	if err != nil || len(found) != 3 {
		t.Fatal(found, err)
	}
	for name, c := range map[string]struct {
		settings settings
		pages    string
	}{
		"":                   {settings{"on", "on", ""}, "on"},
		"fsync":              {settings{"off", "on", ""}, "on"},
		"synchronous_commit": {settings{"on", "local", "standby"}, "on"},
		"full_page_writes":   {settings{"on", "on", ""}, "off"},
	} {
		for _, f := range c.settings.findings(c.pages) {
			if (f.Err != nil) != (f.Name == name) {
				t.Errorf("%s: %s is %s: %v", name, f.Name, f.Value, f.Err)
			}
		}
	}
}
