package house

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"drawhouse/check/verify"
	"drawhouse/check/verify/export"
	"drawhouse/journal"
	"drawhouse/journal/store"
	"drawhouse/journal/store/sqlite"
)

// edits is how often TestRandomEdits edits the database.
const edits = 200

// TestRandomEdits lets somebody with the whole database in hand, but without the keys of the
// house, change one thing at a time: bytes, rows and their order, of records, of objects
// and of the head, and set everything back to an earlier, truly signed moment. The
// signature at the end, an export graded by the second opinion and a checkpoint that a
// witness holds find each of them.
func TestRandomEdits(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var earlier store.Head
	b.run(func(until time.Time) error {
		if until.Sub(start) > 10*time.Minute {
			return errEnough
		}
		if earlier.Size == 0 && until.Sub(start) > 5*time.Minute {
			earlier = b.head()
		}
		b.sell(1, 1)
		return nil
	})
	if b.payAll() == 0 {
		t.Fatal("nobody has won")
	}
	held := b.head()
	about := b.house.Hub().Board().House
	house := verify.House{House: about.Name, Volume: held.Volume, HouseKey: about.HouseKey, DeviceKey: about.DeviceKey}
	must(t, b.house.Close(t.Context()))
	must(t, b.store.Close())

	e := editor{t: t, random: rand.New(rand.NewPCG(20, 26)), dir: b.dir, house: house, held: held, earlier: earlier}
	if found := e.find(b.dir); found != "" {
		t.Fatalf("the database is found to be edited before it was: %s", found)
	}
	kinds, detected := map[string]int{}, 0
	for range edits {
		kind, found := e.edit()
		if found == "" {
			t.Errorf("%s was not found", kind)
		} else {
			detected++
		}
		kinds[kind]++
	}
	t.Logf("%d of %d edits found: %v", detected, edits, kinds)
}

func (b *bench) head() store.Head {
	b.t.Helper()
	head, err := b.store.Head(b.t.Context())
	must(b.t, err)
	return head
}

// editor edits copies of a database and has them examined.
type editor struct {
	t       *testing.T
	random  *rand.Rand
	dir     string // of the database
	house   verify.House
	held    store.Head // as a witness holds it
	earlier store.Head
}

// edit makes a copy, changes it in one way, and returns which way that was and what was
// found.
func (e *editor) edit() (kind, found string) {
	dir := e.t.TempDir()
	must(e.t, os.CopyFS(dir, os.DirFS(e.dir)))
	db, err := sql.Open("sqlite", filepath.Join(dir, sqlite.FileName))
	must(e.t, err)
	defer db.Close()
	one, other := e.random.Int64N(int64(e.held.Size)), e.random.Int64N(int64(e.held.Size)-1)
	if other >= one {
		other++
	}
	ways := []struct {
		kind       string
		statements []string
	}{
		{"a byte of a record changed", []string{flip("record", fmt.Sprintf("seq = %d", one))}},
		{"a record deleted", []string{fmt.Sprintf("DELETE FROM record WHERE seq = %d", one)}},
		{"a record put in the place of another",
			[]string{fmt.Sprintf("UPDATE record SET data = (SELECT data FROM record WHERE seq = %d) WHERE seq = %d", other,
				one)}},
		{"two records in each other's place", []string{
			fmt.Sprintf("UPDATE record SET seq = 1000000 WHERE seq = %d", one),
			fmt.Sprintf("UPDATE record SET seq = %d WHERE seq = %d", one, other),
			fmt.Sprintf("UPDATE record SET seq = %d WHERE seq = 1000000", other)}},
		{"a byte of an object changed", []string{flip("object",
			"name = (SELECT name FROM object ORDER BY random() LIMIT 1)")}},
		{"an object deleted",
			[]string{"DELETE FROM object WHERE name = (SELECT name FROM object ORDER BY random() LIMIT 1)"}},
		{"the head cut by one", []string{"UPDATE lane SET size = size - 1"}},
		{"the root changed", []string{"UPDATE lane SET root = zeroblob(32)"}},
		{"everything set back", []string{
			fmt.Sprintf("DELETE FROM record WHERE seq >= %d", e.earlier.Size),
			fmt.Sprintf("UPDATE lane SET size = %d, root = x'%x', checkpoint = x'%x'", e.earlier.Size, e.earlier.Root[:],
				e.earlier.Checkpoint)}},
	}
	way := ways[e.random.IntN(len(ways))]
	for _, statement := range way.statements {
		result, err := db.Exec(statement)
		must(e.t, err)
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			e.t.Fatalf("%s: %d rows, %v", statement, n, err)
		}
	}
	must(e.t, db.Close())
	return way.kind, e.find(dir)
}

// flip changes the last byte of a row's data to another.
func flip(table, where string) string {
	return fmt.Sprintf("UPDATE %s SET data = CAST(substr(data, 1, length(data) - 1) || CASE WHEN substr(data, -1) = x'2a' THEN x'2b' ELSE x'2a' END AS BLOB) WHERE %s", table, where)
}

// find examines a database with nothing but what an inspector has, and says what is wrong
// with it.
func (e *editor) find(dir string) string {
	st, err := sqlite.Open(e.t.Context(), dir, store.FirstLane)
	if err != nil {
		return err.Error()
	}
	defer st.Close()
	head, err := st.Head(e.t.Context())
	if err != nil {
		return err.Error()
	}
	// The head is not exported; doctor and every start of a house hold it against the
	// signature.
	verifier, err := journal.ParseVerifier(e.house.HouseKey)
	must(e.t, err)
	if signed, _, err := journal.OpenCheckpoint(head.Checkpoint, verifier); err != nil || signed.Size != head.Size ||
		signed.Root != head.Root {
		return fmt.Sprintf("the head is not what the house signed: %v", err)
	}
	name := filepath.Join(e.t.TempDir(), "export")
	out, err := export.CreateDir(name)
	must(e.t, err)
	if err := export.Write(e.t.Context(), out, e.house, head.Checkpoint, st); err != nil {
		return err.Error()
	}
	must(e.t, out.Close())
	in, err := export.OpenDir(name)
	must(e.t, err)
	defer in.Close()
	report := verify.Run(in, verify.Options{HouseKey: e.house.HouseKey, DeviceKey: e.house.DeviceKey,
		Checkpoints: [][]byte{e.held.Checkpoint}})
	if report.OK() {
		return ""
	}
	return report.Failure.Reason
}
