package postgres

import (
	"testing"

	"drawhouse/internal/pgtest"
)

// TestExamine: the tests' own server is sound, and every setting is found out by
// itself.
func TestExamine(t *testing.T) {
	found, err := Examine(t.Context(), pgtest.Schema(t))
	if err != nil || len(found) != 4 {
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

// TestExamineVersion: a server that is too old is found, and the oldest that will do is not.
func TestExamineVersion(t *testing.T) {
	for number, sound := range map[int]bool{11_00_22: false, oldestVersion - 1: false, oldestVersion: true,
		17_00_02: true} {
		if f := versionFinding("of the test", number); (f.Err == nil) != sound || !sound && f.Remedy == "" {
			t.Errorf("%d: %+v", number, f)
		}
	}
}
