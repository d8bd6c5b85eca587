package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"drawhouse/internal/pgtest"
)

// TestDatabaseLost ends all of a house's connections to its database while it
// sells. The house does not know what became of the commit under way, stops and says
// so; the next start goes on where the journal ends, and every terminal gets one
// answer for one request.
func TestDatabaseLost(t *testing.T) {
	s := serveOn(t, pgtest.Schema(t))
	terminals := []*terminal{{id: 1}, {id: 2}, {id: 3}}
	for range 3 {
		var group sync.WaitGroup
		for _, term := range terminals {
			group.Go(func() {
				for term.sell(s) {
				}
			})
		}
		time.Sleep(300 * time.Millisecond)
		terminate(t, s.database)
		ended := make(chan error, 1)
		go func() { ended <- s.cmd.Wait() }()
		select {
		case err := <-ended:
			if err == nil || !strings.Contains(s.log.String(), "start again") {
				t.Fatalf("the house ended with %v:\n%s", err, &s.log)
			}
		case <-time.After(2 * time.Minute):
			t.Fatalf("the house goes on without its database:\n%s", &s.log)
		}
		group.Wait()
		s.start()
		for _, term := range terminals {
			if term.number > 0 && !term.ask(s) {
				t.Fatalf("terminal %d got no answer after the restart: %s", term.id, &s.log)
			}
		}
	}
	total := checkSold(t, s, terminals)
	for _, term := range terminals {
		if want := term.number; uint64(len(unique(term.sold))) != want {
			t.Errorf("terminal %d made %d requests and has %d tickets", term.id, want, len(unique(term.sold)))
		}
	}
	s.stop()
	s.verify()
	t.Logf("%d tickets over 3 losses of the database", total)
}

func unique(serials []string) map[string]bool {
	seen := map[string]bool{}
	for _, serial := range serials {
		seen[serial] = true
	}
	return seen
}

// terminate ends the server's processes of a house, as a fail-over does.
func terminate(t *testing.T, database string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	_, err = conn.Exec(t.Context(), "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'drawhouse'")
	if err != nil {
		t.Fatal(err)
	}
}

// TestBenchOnPostgreSQL measures for a second, and leaves nothing in the database.
func TestBenchOnPostgreSQL(t *testing.T) {
	server := pgtest.Start(t)
	name, err := program()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(name, "bench", "sell", "--terminals=4", "--seconds=1", "--rounds=1", "--dir="+t.TempDir(), "--database="+server.URL()).CombinedOutput()
	if bytes.Contains(out, []byte("pgbench is not installed")) {
		t.Skipf("%s", out)
	}
	for _, part := range []string{"pgbench transactions", "times pgbench -N -M prepared -c 32 -j 2", "everything holds"} {
		if err != nil || !bytes.Contains(out, []byte(part)) {
			t.Fatalf("%v, and no %q:\n%s", err, part, out)
		}
	}
	conn, err := pgx.Connect(t.Context(), server.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	var left int
	if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'drawhouse_bench%'").Scan(&left); err != nil || left != 0 {
		t.Errorf("%d schemas are left, %v", left, err)
	}
}

// TestDatabaseFlags asks for houses that are not there, and for a database whose
// commits may be lost.
func TestDatabaseFlags(t *testing.T) {
	empty := pgtest.Schema(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"serve", "--addr=127.0.0.1:0", "--data=" + t.TempDir(), "--database=" + empty}, "holds no house; drawhouse found makes one"},
		{[]string{"journal", "export", "--database=" + empty, t.TempDir() + "/out"}, "holds no house"},
		{[]string{"serve", "--addr=127.0.0.1:0", "--demo", "--data=" + t.TempDir(), "--database=" + empty + "%20-csynchronous_commit%3Doff"}, "synchronous_commit is off"},
	} {
		var stdout, stderr bytes.Buffer
		if status := run(c.args, &stdout, &stderr); status == 0 || !strings.Contains(stderr.String(), c.want) {
			t.Errorf("%v: status %d, %s", c.args, status, &stderr)
		}
	}
	if os.Getenv(databaseVariable) != "" {
		t.Errorf("%s is set for the tests", databaseVariable)
	}
}
