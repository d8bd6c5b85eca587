package postgres_test

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"drawhouse/internal/pgtest"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/journal/store/postgres"
)

// edit changes the database behind the store's back.
func edit(t *testing.T, location string, statements ...string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), location)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	for _, text := range statements {
		if _, err := conn.Exec(t.Context(), text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
}

// with returns a URL with one more option of the session.
func with(t *testing.T, location, option string) string {
	t.Helper()
	u, err := url.Parse(location)
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	query.Set("options", query.Get("options")+" -c"+option)
	// In the URLs of PostgreSQL a plus sign is one.
	u.RawQuery = strings.ReplaceAll(query.Encode(), "+", "%20")
	return u.String()
}

// TestNotDurable takes over on servers that may lose commits.
func TestNotDurable(t *testing.T) {
	location := pgtest.Schema(t)
	refused := func(location, why string) {
		t.Helper()
		st, err := postgres.Open(t.Context(), location, store.FirstLane)
		if err != nil {
			t.Fatal(err)
		}
		defer st.Close()
		if _, err := st.TakeOver(t.Context()); !errors.Is(err, postgres.ErrNotDurable) ||
			!strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v, want ErrNotDurable", why, err)
		}
		if head, err := st.Head(t.Context()); err != nil || head.Epoch != 0 {
			t.Errorf("a journal that may not be written cannot be read, or was written: %+v, %v", head, err)
		}
	}
	refused(with(t, location, "synchronous_commit=off"), "synchronous_commit is off")

	server := pgtest.Start(t)
	server.Exec(t, "ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()")
	eventually(t, "SELECT current_setting('fsync') = 'off'")
	refused(location, "fsync is off")
	server.Exec(t, "ALTER SYSTEM RESET fsync", "ALTER SYSTEM SET synchronous_standby_names = 'nobody'",
		"SELECT pg_reload_conf()")
	eventually(t, "SELECT current_setting('fsync') = 'on' AND current_setting('synchronous_standby_names') = 'nobody'")
	refused(with(t, location, "synchronous_commit=local"), "synchronous_commit is local")
	server.Exec(t, "SET synchronous_commit = local", "ALTER SYSTEM RESET synchronous_standby_names",
		"SELECT pg_reload_conf()")
	eventually(t, "SELECT current_setting('synchronous_standby_names') = ''")

	// Without a standby to wait for, local is all there is.
	begin(t, with(t, location, "synchronous_commit=local"), store.FirstLane)
}

// TestHeldToDurability turns synchronous commits off for everybody while a writer is
// connected. It keeps to what it found.
func TestHeldToDurability(t *testing.T) {
	location, server := pgtest.Schema(t), pgtest.Start(t)
	st, j := begin(t, location, store.FirstLane)
	server.Exec(t, "ALTER SYSTEM SET synchronous_commit = off", "SELECT pg_reload_conf()")
	defer server.Exec(t, "ALTER SYSTEM RESET synchronous_commit", "SELECT pg_reload_conf()")
	eventually(t, "SELECT current_setting('synchronous_commit') = 'off'")
	if err := st.Append(t.Context(), j.Batch(j.Some(1))); err != nil {
		t.Fatal(err)
	}
	if got, err := postgres.WriterSetting(st, "synchronous_commit"); err != nil || got != "on" {
		t.Errorf("the writer has synchronous_commit = %s, %v; want on", got, err)
	}
}

func TestLanesAreApart(t *testing.T) {
	location := pgtest.Schema(t)
	one, first := begin(t, location, 1)
	two, second := begin(t, location, 0xffff)
	if err := one.Append(t.Context(), first.Batch(first.Some(300),
		store.Object{Name: "o", Data: []byte("1")})); err != nil {
		t.Fatal(err)
	}
	if err := two.Append(t.Context(), second.Batch(second.Some(5),
		store.Object{Name: "o", Data: []byte("2")})); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		st     *postgres.Store
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
	if _, err := postgres.Open(t.Context(), location, 0); err == nil {
		t.Error("lane 0 was opened")
	}
}

// TestDamage spoils what is stored and expects it to be named as damage.
func TestDamage(t *testing.T) {
	for name, text := range map[string]string{
		"a hole":          "DELETE FROM record WHERE seq = 150",
		"the end is gone": "DELETE FROM record WHERE seq >= 250",
		"no record left":  "DELETE FROM record",
		"a short root":    "ALTER TABLE lane DROP CONSTRAINT lane_root_check; UPDATE lane SET root = ''",
		"a size below 0":  "UPDATE lane SET size = -1",
	} {
		location := pgtest.Schema(t)
		st, j := begin(t, location, store.FirstLane)
		if err := st.Append(t.Context(), j.Batch(j.Some(300))); err != nil {
			t.Fatal(err)
		}
		edit(t, location, text)
		head, err := st.Head(t.Context())
		if err == nil {
			err = st.Records(t.Context(), 1, 0, head.Size, func(uint64, []byte) error { return nil })
		}
		if !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("%s: %v, want ErrCorrupt", name, err)
		}
	}
}

// TestRowInTheWay has a row where the next record belongs, and an object's name that
// the server cannot store. Neither leaves anything behind.
func TestRowInTheWay(t *testing.T) {
	location := pgtest.Schema(t)
	st, j := begin(t, location, store.FirstLane)
	if err := st.Append(t.Context(), j.Batch(j.Some(10))); err != nil {
		t.Fatal(err)
	}
	if err := st.Append(t.Context(), takeOver(t, st).Batch(j.Some(1), store.Object{Name: "a\x00b"})); !errors.Is(err,
		store.ErrBatch) {
		t.Errorf("a name that is no text: %v, want ErrBatch", err)
	}
	edit(t, location, "INSERT INTO record (lane, volume, seq, data) VALUES (1, 1, 12, 'x')")
	err := st.Append(t.Context(), takeOver(t, st).Batch(j.Some(5)))
	if err == nil || errors.Is(err, store.ErrBatch) || errors.Is(err, store.ErrFenced) {
		t.Errorf("a row in the way: %v, want an error of the server", err)
	}
	edit(t, location, "DELETE FROM record WHERE seq = 12")
	takeOver(t, st)
	if head := verifyAll(t, st); head.Size != 10 {
		t.Errorf("%d records, want 10", head.Size)
	}
}

func TestNoDatabaseOfOurs(t *testing.T) {
	later := pgtest.Schema(t)
	begin(t, later, store.FirstLane)
	edit(t, later, "UPDATE drawhouse_schema SET version = 1000")
	if _, err := postgres.Open(t.Context(), later, 1); !errors.Is(err, postgres.ErrVersion) {
		t.Errorf("a later version: %v, want ErrVersion", err)
	}

	foreign := pgtest.Schema(t)
	edit(t, foreign, "CREATE TABLE record (x integer)")
	if _, err := postgres.Open(t.Context(), foreign, 1); err == nil || !strings.Contains(err.Error(), "already exists") {
		t.Errorf("tables of somebody else: %v", err)
	}
	// A migration that failed has left nothing.
	edit(t, foreign, "DROP TABLE record")
	begin(t, foreign, store.FirstLane)

	for _, location := range []string{"postgres://nobody:secret@127.0.0.1:1/none", "postgres://%zz:secret@",
		"nonsense://secret"} {
		if _, err := postgres.Open(t.Context(), location, 1); err == nil || strings.Contains(err.Error(), "secret") &&
			!strings.HasPrefix(location, "nonsense") {
			t.Errorf("%s: %v", location, err)
		}
	}
}

// TestPlans keeps every query a search by key, as it is when the tables are large.
func TestPlans(t *testing.T) {
	location := pgtest.Schema(t)
	st, j := begin(t, location, store.FirstLane)
	for range 3 {
		if err := st.Append(t.Context(), j.Batch(sales(j, 2000, 7))); err != nil {
			t.Fatal(err)
		}
	}
	for text, want := range postgres.Queries {
		plan := explain(t, location, text)
		if !strings.Contains(plan, want) || strings.Contains(plan, "Seq Scan") {
			t.Errorf("%s\nis done by\n%s\nwant %s", text, plan, want)
		}
	}
}

func explain(t *testing.T, location, text string) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), location)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	for n, value := range map[string]string{"$1": "1", "$2": "1", "$3": "1", "$4": "1"} {
		text = strings.ReplaceAll(text, n, value)
	}
	if _, err := conn.Exec(t.Context(), "SET enable_seqscan = off"); err != nil {
		t.Fatal(err)
	}
	rows, err := conn.Query(t.Context(), "EXPLAIN "+text)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

// TestChanged follows a writer. Each batch is heard of, though the follower never looks by
// itself.
func TestChanged(t *testing.T) {
	postgres.Listening(t)
	location := pgtest.Schema(t)
	follower, err := postgres.Open(t.Context(), location, store.FirstLane)
	if err != nil {
		t.Fatal(err)
	}
	defer follower.Close()
	known, err := follower.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	st, j := begin(t, location, store.FirstLane)
	if known, err = follower.Changed(t.Context(), known); err != nil || known.Epoch != 1 {
		t.Fatalf("after the takeover: %+v, %v", known, err)
	}
	for range 5 {
		heard := make(chan store.Head, 1)
		go func() {
			within, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			head, err := follower.Changed(within, known)
			if err != nil {
				t.Error(err)
			}
			heard <- head
		}()
		time.Sleep(5 * time.Millisecond)
		if err := st.Append(t.Context(), j.Batch(j.Some(3))); err != nil {
			t.Fatal(err)
		}
		known = <-heard
		if known.Size != j.Next().Seq {
			t.Errorf("heard of %+v, want size %d", known, j.Next().Seq)
		}
	}
	ended, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := follower.Changed(ended, known); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("nothing changed: %v, want the context's error", err)
	}
	waiting := make(chan error, 1)
	go func() {
		_, err := follower.Changed(t.Context(), known)
		waiting <- err
	}()
	time.Sleep(20 * time.Millisecond)
	if err := follower.Close(); err != nil {
		t.Error(err)
	}
	if err := <-waiting; !errors.Is(err, store.ErrClosed) {
		t.Errorf("closed while waiting: %v, want ErrClosed", err)
	}
}
