package facts_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"drawhouse/books/facts"
)

// TestExportsForInterop writes the tables of some houses as CSV and as Parquet into the folder that DRAWHOUSE_INTEROP
// names: scripts/interop.sh has a program of others read them.
func TestExportsForInterop(t *testing.T) {
	folder := os.Getenv("DRAWHOUSE_INTEROP")
	if folder == "" {
		t.Skip("scripts/interop.sh names the folder")
	}
	houses := quarters(t)
	houses["bingo"] = bingoHouse(t)
	for name, core := range houses {
		for _, format := range []facts.Format{facts.CSV, facts.Parquet} {
			made := export(t, core, format)
			if len(made) < 100 {
				t.Errorf("%s has %d files", name, len(made))
			}
			for file, data := range made {
				path := filepath.Join(folder, strings.ReplaceAll(name, "/", "-"), string(format), file)
				must(t, os.MkdirAll(filepath.Dir(path), 0o700))
				must(t, os.WriteFile(path, data.Bytes(), 0o600))
			}
		}
	}
}
