package house

import (
	"os"
	"path/filepath"
	"strings"
)

// keepVariable names a folder in which tests lay down journals for package kept, see make candidate.
const keepVariable = "DRAWHOUSE_KEEP"

// keep lays down the journal of the house, with the keys that go on with it, if there is a folder for it. Package kept
// keeps those whose records only a running house writes.
func (b *bench) keep(name string) {
	b.t.Helper()
	folder := os.Getenv(keepVariable)
	if folder == "" {
		return
	}
	to := filepath.Join(folder, name)
	must(b.t, os.CopyFS(to, os.DirFS(b.export())))
	keys, err := ReadKeyDir(filepath.Join(b.dir, "keys"))
	must(b.t, err)
	for _, file := range keys.Files() {
		if file.Kind != "house" && file.Kind != "device" {
			continue
		}
		key, err := os.ReadFile(filepath.Join(b.dir, "keys", file.File))
		must(b.t, err)
		private, _, _ := strings.Cut(string(key), "\n")
		must(b.t, os.WriteFile(filepath.Join(to, file.Kind+".skey"), []byte(private), 0o600))
	}
}
