package sqlite_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/journal/store/sqlite"
	"drawhouse/journal/store/storetest"
)

// write stores batches of a hundred records in a directory and closes it.
func write(t *testing.T, dir string, batches int) {
	t.Helper()
	st, j := begin(t, dir, store.FirstLane)
	for range batches {
		if err := st.Append(t.Context(), j.Batch(j.Some(100))); err != nil {
			t.Fatal(err)
		}
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
}

// begin opens a lane and takes it over.
func begin(t *testing.T, dir string, lane uint16) (*sqlite.Store, *storetest.Journal) {
	t.Helper()
	st, err := sqlite.Open(t.Context(), dir, lane)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return st, takeOver(t, st)
}

func takeOver(t *testing.T, st store.Store) *storetest.Journal {
	t.Helper()
	head, err := st.TakeOver(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	j, err := storetest.Resume(t.Context(), head, st)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// edit changes the database behind the store's back.
func edit(t *testing.T, dir, text string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, sqlite.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), text); err != nil {
		t.Fatal(err)
	}
}

func TestLanesAreApart(t *testing.T) {
	dir := t.TempDir()
	one, first := begin(t, dir, 1)
	two, second := begin(t, dir, 2)
	if err := one.Append(t.Context(), first.Batch(first.Some(300),
		store.Object{Name: "o", Data: []byte("1")})); err != nil {
		t.Fatal(err)
	}
	if err := two.Append(t.Context(), second.Batch(second.Some(5),
		store.Object{Name: "o", Data: []byte("2")})); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		st     *sqlite.Store
		size   uint64
		object string
	}{{one, 300, "1"}, {two, 5, "2"}} {
		head, err := c.st.Head(t.Context())
		if err != nil || head.Size != c.size || head.Epoch != 1 {
			t.Errorf("head %+v, %v; want size %d", head, err, c.size)
		}
		if data, err := c.st.Object(t.Context(), "o"); err != nil || string(data) != c.object {
			t.Errorf("object %q, %v; want %q", data, err, c.object)
		}
	}
	if _, err := two.Record(t.Context(), record.Place{Volume: 1, Seq: 100}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a record of another lane: %v, want ErrNotFound", err)
	}
	if _, err := sqlite.Open(t.Context(), dir, 0); err == nil {
		t.Error("lane 0 was opened")
	}
}

// TestDamage spoils what is stored and expects it to be named as damage.
func TestDamage(t *testing.T) {
	readAll := func(st *sqlite.Store) error {
		head, err := st.Head(t.Context())
		if err != nil {
			return err
		}
		return st.Records(t.Context(), 1, 0, head.Size, func(uint64, []byte) error { return nil })
	}
	for name, text := range map[string]string{
		"a hole":          "DELETE FROM record WHERE seq = 150",
		"the end is gone": "DELETE FROM record WHERE seq >= 250",
		"no record left":  "DELETE FROM record",
		"a short root":    "PRAGMA ignore_check_constraints = 1; UPDATE lane SET root = x'00'",
		"a size below 0":  "UPDATE lane SET size = -1",
	} {
		dir := t.TempDir()
		write(t, dir, 3)
		edit(t, dir, text)
		st, err := sqlite.Open(t.Context(), dir, store.FirstLane)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := readAll(st); !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("%s: %v, want ErrCorrupt", name, err)
		}
		st.Close()
	}
}

// TestNoDatabaseOfOurs opens files that are not, or not any more, what the
// program can read.
func TestNoDatabaseOfOurs(t *testing.T) {
	later := t.TempDir()
	write(t, later, 1)
	edit(t, later, "PRAGMA user_version = 1000")
	if _, err := sqlite.Open(t.Context(), later, 1); !errors.Is(err, sqlite.ErrVersion) {
		t.Errorf("a later version: %v, want ErrVersion", err)
	}

	foreign := t.TempDir()
	edit(t, foreign, "CREATE TABLE t (x); PRAGMA application_id = 7")
	if _, err := sqlite.Open(t.Context(), foreign, 1); err == nil ||
		!strings.Contains(err.Error(), "another application") {
		t.Errorf("the database of another application: %v", err)
	}

	garbage := t.TempDir()
	if err := os.WriteFile(filepath.Join(garbage, sqlite.FileName), []byte(strings.Repeat("no database ", 1000)),
		0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Open(t.Context(), garbage, 1); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("a file that is no database: %v, want ErrCorrupt", err)
	}

	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Open(t.Context(), file, 1); err == nil {
		t.Error("a file was opened as a data directory")
	}
}

// TestFsyncFails runs a writer whose n'th fsync fails, for several n, and one whose syncs
// of the database itself fail, into which SQLite's log is moved when it is long. It must
// stop at once, never try again, and everything it acknowledged must be there.
func TestFsyncFails(t *testing.T) {
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("strace is not installed")
	}
	for _, n := range []int{6, 7, 11, 30} {
		t.Run(fmt.Sprint(n), func(t *testing.T) { failSync(t, t.TempDir(), n) })
	}
	t.Run("the log is moved", func(t *testing.T) {
		dir := t.TempDir()
		if told := failSync(t, dir, 2, "-P", filepath.Join(dir, sqlite.FileName)); told == 0 {
			t.Error("it failed before anything was moved")
		}
	})
}

// failedSyncs counts in a trace the syncs of the database's files that failed. A call
// during which another thread did something stands in two lines: its file in the first,
// its result in the second.
func failedSyncs(trace string) int {
	failed := 0
	begun := map[string]string{} // what each thread has begun
	for line := range strings.Lines(trace) {
		thread, said, _ := strings.Cut(line, " ")
		switch {
		case strings.Contains(said, "<unfinished ...>"):
			begun[thread] = said
			continue
		case strings.Contains(said, " resumed>"):
			said = begun[thread] + said
		}
		if strings.Contains(said, sqlite.FileName) && strings.Contains(said, "EIO") {
			failed++
		}
	}
	return failed
}

// TestFailedSyncs reads traces in which threads come in between.
func TestFailedSyncs(t *testing.T) {
	for _, c := range []struct {
		trace string
		want  int
	}{
		{"7 fsync(5</d/drawhouse.db>) = 0\n", 0},
		{"7 fsync(5</d/drawhouse.db>) = -1 EIO (Input/output error) (INJECTED)\n", 1},
		{"7 fsync(5</d/drawhouse.db> <unfinished ...>\n8 --- SIGURG {si_signo=SIGURG} ---\n7 <... fsync resumed>) = -1 EIO (Input/output error) (INJECTED)\n", 1},
		{"7 fsync(5</d/drawhouse.db> <unfinished ...>\n8 fsync(4</d>) = -1 EIO (INJECTED)\n7 <... fsync resumed>) = 0\n", 0},
	} {
		if got := failedSyncs(c.trace); got != c.want {
			t.Errorf("%d syncs failed, want %d, in\n%s", got, c.want, c.trace)
		}
	}
}

// failSync runs a writer whose n'th sync fails, of those that strace is told of, and
// returns how many records it has acknowledged.
func failSync(t *testing.T, dir string, n int, which ...string) uint64 {
	t.Helper()
	traced := filepath.Join(t.TempDir(), "trace")
	command := append([]string{"strace", "-f", "-y", "-o", traced, "-e", "trace=fsync,fdatasync", "-e", "signal=none",
		"-e", fmt.Sprintf("inject=fsync,fdatasync:error=EIO:when=%d+", n)}, which...)
	w, err := storetest.StartWriter(dir, command...)
	if err != nil {
		t.Skipf("strace does not start: %v", err)
	}
	told, err := w.Follow()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Wait(); err == nil || told > 0 && !strings.Contains(err.Error(), "unknown") {
		t.Errorf("the writer ended with %v", err)
	}
	trace, err := os.ReadFile(traced)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(trace), "EIO") {
		t.Skipf("strace could not inject a fault: %s", trace)
	}
	// That a directory is not synced SQLite takes lightly; it does so before anything is
	// acknowledged.
	if failed := failedSyncs(string(trace)); failed != 1 {
		t.Errorf("%d syncs failed: after the first nothing may be synced again\n%s", failed, trace)
	}
	st, err := sqlite.Open(t.Context(), dir, store.FirstLane)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	head, err := st.Head(t.Context())
	if err != nil || head.Size < told {
		t.Errorf("%d records are stored, %d were acknowledged, %v", head.Size, told, err)
	}
	takeOver(t, st)
	t.Logf("%d records acknowledged, %d stored", told, head.Size)
	return told
}
