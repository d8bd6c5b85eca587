package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"drawhouse/internal/outside"
	"drawhouse/internal/pgtest"
)

// TestDatabaseLost ends all of a house's connections to its database while the house sells.
// The house does not know what became of the commit under way, rests, and goes on under a new
// epoch where the journal ends; every terminal gets one answer for one request.
func TestDatabaseLost(t *testing.T) { // Alone: it ends what every house has at the server.
	s := serveOn(t, pgtest.Schema(t))
	row := newRow(s)
	for range 3 {
		row.waitForSale(t, time.Now())
		terminate(t, s.database)
		row.waitForSale(t, time.Now())
	}
	row.end()
	checkOutage(t, s, row)
}

// TestDatabaseRestarts starts the database again under a house that sells, and then under one
// that sells nothing. The process lives, and sale resumes.
func TestDatabaseRestarts(t *testing.T) {
	t.Parallel()
	server := pgtest.Own(t)
	s := serveOn(t, server.URL())
	row := newRow(s)
	row.waitForSale(t, time.Now())
	server.Stop(t)
	server.Restart(t)
	row.waitForSale(t, time.Now())
	row.end()

	server.Stop(t)
	s.waitForRole("resting") // Found without a command.
	server.Restart(t)
	s.waitForRole("writer")
	checkOutage(t, s, row)
}

// TestDatabaseGone stops the database for a while. The house lives meanwhile, shows what it
// showed, refuses to sell with a sentence, and says why it is not ready; then it goes on.
func TestDatabaseGone(t *testing.T) {
	t.Parallel()
	server := pgtest.Own(t)
	s := serveOn(t, server.URL())
	row := newRow(s)
	row.waitForSale(t, time.Now())
	server.Stop(t)
	s.waitForRole("resting")
	for path, want := range map[string]int{"/v1/board": http.StatusOK, "/v1/games": http.StatusOK,
		"/readyz": http.StatusServiceUnavailable} {
		if status, answer, err := s.ask(http.MethodGet, path, nil); err != nil || status != want {
			t.Errorf("%s of a house at rest: %d %v %v", path, status, answer, err)
		}
	}
	if status, text := s.admin("/readyz"); status != http.StatusServiceUnavailable ||
		!strings.Contains(text, "cannot write its journal") {
		t.Errorf("/readyz for the operator: %d %s", status, text)
	}
	if status, text := s.admin("/healthz"); status != http.StatusOK {
		t.Errorf("/healthz for the operator: %d %s", status, text)
	}
	late := &terminal{id: 1, number: 1_000_000}
	late.order()
	status, answer, err := s.askAs(1, http.MethodPut, late.path(), late.body)
	for err == nil && strings.Contains(fmt.Sprint(answer), "request_replayed") {
		// Terminal 1 has asked for something else meanwhile, and that came first.
		status, answer, err = s.askAs(1, http.MethodPut, late.path(), late.body)
	}
	if err != nil || status != http.StatusServiceUnavailable ||
		!strings.Contains(fmt.Sprint(answer), "cannot write its journal now") {
		t.Errorf("a sale while the house rests: %d %v %v", status, answer, err)
	}
	server.Restart(t)
	s.waitForRole("writer")
	row.waitForSale(t, time.Now())
	row.end()
	checkOutage(t, s, row)
}

// checkOutage has every terminal ask for its last request again, and checks that the process
// is the one that was started, that nothing is lost, and that the journal verifies.
func checkOutage(t *testing.T, s *served, row *sellingRow) {
	t.Helper()
	s.waitForRole("writer")
	for _, term := range row.terminals {
		if term.number > 0 && !term.ask(s) {
			t.Fatalf("terminal %d got no answer after the outage: %s", term.id, &s.log)
		}
		if want := term.number; uint64(len(unique(term.sold))) != want {
			t.Errorf("terminal %d made %d requests and has %d tickets", term.id, want, len(unique(term.sold)))
		}
	}
	total := checkSold(t, s, row.terminals)
	s.stop() // The process is still there, and ends in good order.
	if !strings.Contains(s.log.String(), "this house writes its journal again") {
		t.Errorf("the house did not open its journal again:\n%s", &s.log)
	}
	s.verify()
	t.Logf("%d tickets, none lost, 0 exits", total)
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
	_, err = conn.Exec(t.Context(),
		"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'drawhouse'")
	if err != nil {
		t.Fatal(err)
	}
}

// TestBenchOnPostgreSQL measures for a second, and leaves nothing in the database.
func TestBenchOnPostgreSQL(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	name := outside.Program(t)
	out, err := exec.Command(name, "bench", "sell", "--terminals=4", "--seconds=0.2", "--rounds=1", "--scale=1",
		"--dir="+t.TempDir(),
		"--database="+server.URL()).CombinedOutput()
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
	if err := conn.QueryRow(t.Context(),
		"SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'drawhouse_bench%'").Scan(&left); err != nil || left != 0 {
		t.Errorf("%d schemas are left, %v", left, err)
	}
}

// TestDatabaseFlags asks for houses that are not there, and for a database whose
// commits may be lost.
func TestDatabaseFlags(t *testing.T) {
	t.Parallel()
	empty := pgtest.Schema(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"serve", "--addr=127.0.0.1:0", "--data=" + t.TempDir(), "--database=" + empty},
			"holds no house; drawhouse found makes one"},
		{[]string{"journal", "export", "--database=" + empty, t.TempDir() + "/out"}, "holds no house"},
		{[]string{"serve", "--addr=127.0.0.1:0", "--demo", "--data=" + t.TempDir(), "--database=" + empty +
			"%20-csynchronous_commit%3Doff"}, "synchronous_commit is off"},
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
