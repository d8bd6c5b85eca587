package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"drawhouse/internal/pgtest"
	"drawhouse/journal/store/backup"
)

// programme runs a command line that must end well, and returns what it wrote.
func programme(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if status := run(args, &stdout, &stderr); status != 0 {
		t.Fatalf("drawhouse %s: status %d\n%s%s", strings.Join(args, " "), status, &stdout, &stderr)
	}
	return stdout.String()
}

// TestMoveHouse moves a house from SQLite to PostgreSQL and back while it sells in
// between. No ticket is lost, and no record is another than it was.
func TestMoveHouse(t *testing.T) {
	t.Parallel()
	s := serve(t)
	terminals := []*terminal{{id: 1}, {id: 2}, {id: 3}}
	sell := func() {
		for range 50 {
			for _, term := range terminals {
				if !term.sell(s) {
					t.Fatalf("terminal %d is not answered: %s", term.id, &s.log)
				}
			}
		}
	}
	sell()
	database := pgtest.Schema(t)
	programme(t, "copy", s.dir, database) // beside the running house
	sell()
	s.stop()
	if out := programme(t, "copy", s.dir, database); !strings.Contains(out, "has the same root") {
		t.Errorf("it says %s", out)
	}
	s.database = database
	s.start()
	sell()
	s.stop()

	// Back into a new directory, with the keys.
	back := filepath.Join(t.TempDir(), "back")
	programme(t, "copy", database, back)
	copyFolder(t, filepath.Join(back, "keys"), filepath.Join(s.dir, "keys"))
	checkBackups(t, storageFlags{Data: back}, storageFlags{Data: s.dir, Database: database})
	s.dir, s.database = back, ""
	s.start()
	checkSold(t, s, terminals)
	sell()
	s.stop()

	// The house has gone on in the directory, so the database is no copy to go back to.
	var stdout, stderr bytes.Buffer
	if status := run([]string{"copy", database, back}, &stdout, &stderr); status == 0 ||
		!strings.Contains(stderr.String(), backup.ErrOther.Error()) {
		t.Errorf("an older copy over the house: status %d, %s", status, &stderr)
	}
	s.verify()
}

// checkBackups backs two storages of one house up and expects the same bytes.
func checkBackups(t *testing.T, storages ...storageFlags) {
	t.Helper()
	var first []byte
	for i, storage := range storages {
		name := filepath.Join(t.TempDir(), "backup")
		out := programme(t, "backup", "--data="+storage.Data, "--database="+storage.Database, name)
		if !strings.Contains(out, "it was read back and holds") {
			t.Errorf("it says %s", out)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := backup.Read(bytes.NewReader(data), backup.Visitor{}); err != nil {
			t.Error(err)
		}
		if i == 0 {
			first = data
		} else if !bytes.Equal(data, first) {
			t.Errorf("backups of one journal have %d and %d bytes, or differ", len(first), len(data))
		}
		if files, err := os.ReadDir(filepath.Dir(name)); err != nil || len(files) != 2 {
			t.Errorf("%d files are left, and not the backup and its register: %v", len(files), err)
		}
	}
}

// TestCopyFaults asks for copies and backups that cannot be meant.
func TestCopyFaults(t *testing.T) {
	t.Parallel()
	dir, empty := t.TempDir(), emptyStore(t)
	for want, args := range map[string][]string{
		"FROM: --data":                  {"copy", dir + "/none", dir + "/b"},
		"TO: it is the journal":         {"copy", dir, dir},
		"OUT: " + dir:                   {"backup", "--data=" + dir, dir},
		"--data: " + dir + "/none hold": {"backup", "--data=" + dir + "/none", dir + "/out"},
		"--data: " + empty + " hold":    {"backup", "--data=" + empty, dir + "/out"},
	} {
		var stdout, stderr bytes.Buffer
		if status := run(args, &stdout, &stderr); status == 0 || !strings.Contains(stderr.String(), want) {
			t.Errorf("%v: status %d, %q, which does not name %q", args, status, &stderr, want)
		}
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
		t.Errorf("%d files are left, %v", len(files), err)
	}
}

// emptyStore makes a journal without records.
func emptyStore(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	st, err := storageFlags{Data: dir}.create(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}
