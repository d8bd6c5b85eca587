package config

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	f, err := Parse("house.yaml",
		[]byte("# of the house\naddr: 0.0.0.0:443\n\nbehind-tls: true\nrate: 007\nwitness:\n  - a,b\n  - 'c'\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []Setting{
		{Key: "addr", Values: []string{"0.0.0.0:443"}, Line: 2},
		{Key: "behind-tls", Values: []string{"true"}, Line: 4},
		{Key: "rate", Values: []string{"007"}, Line: 5},
		{Key: "witness", Values: []string{"a,b", "c"}, List: true, Line: 6},
	}
	if diff := cmp.Diff(want, f.Settings()); diff != "" {
		t.Error(diff)
	}
	if err := f.Check([]string{"addr", "behind-tls", "rate", "witness"}); err != nil {
		t.Error(err)
	}
	for _, text := range []string{"", "# nothing\n", "\n\n"} {
		if f, err := Parse("empty", []byte(text)); err != nil || len(f.Settings()) > 0 {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestFaults shows that everything that is not plain is refused by its line.
func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"addr: a\nport: 1\naddresse: b\n": `x:3: there is no setting "addresse"`,
		"addr: a\naddr: b\n":              `x:2: `,
		"addr: a\nport:\n":                "x:2: port has no value",
		"addr: a\nport:\n  x: 1\n":        "x:3: port is no plain value",
		"addr: &a b\n":                    "x:1: addr is no plain value",
		"addr: {a: b}\n":                  "x:1: addr is no plain value",
		"port: [a, [b]]\n":                "x:1: port is no plain value",
		"- addr\n":                        "x:1: a file consists of settings",
		"addr\n":                          "x:1: a file consists of settings",
		"addr: a\n---\nport: 1\n":         "x:3: a file is one document",
		"addr: a\n\tport: 1\n":            "x:2: this is no YAML",
		"addr: 'a\n":                      "x:1: this is no YAML",
		"1: a\n":                          "x:1: 1 is no name of a setting",
	} {
		f, err := Parse("x", []byte(text))
		if err == nil {
			err = f.Check([]string{"addr", "port"})
		}
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v; want %s", text, err, want)
		}
	}
	if _, err := Parse("x", make([]byte, MaxBytes+1)); err == nil {
		t.Error("a file without end is read")
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"addr: a\n", "w:\n  - a\n  - b\n", "a: |\n  b\n", "a: *b\n", "{", "a: !!int x\n",
		"? a\n: b\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Parse("f", data)
		if err != nil {
			fault := new(Fault)
			if !errors.As(err, &fault) || fault.Line < 1 || fault.Line > strings.Count(string(data), "\n")+
				strings.Count(string(data), "\r")+2 {
				t.Fatalf("%q: %v", data, err)
			}
			return
		}
		seen := map[string]bool{}
		for _, s := range file.Settings() {
			if s.Line < 1 || !s.List && len(s.Values) != 1 || seen[s.Key] {
				t.Fatalf("%q: %+v", data, s)
			}
			seen[s.Key] = true
		}
	})
}
