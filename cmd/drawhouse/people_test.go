package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"drawhouse/house/person"
	"drawhouse/internal/pgtest"
)

// runLine runs one line of the program in this process.
func runLine(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = run(args, &out, &errs)
	return status, out.String(), errs.String()
}

// TestStaff begins with the link that a house prints: an administrator is made, brings
// in a writer, who sets a password, is given a role, locked and listed. The journal
// verifies, and no name is in it or in its backup.
func TestStaff(t *testing.T) {
	t.Parallel()
	s := serve(t)
	link := regexp.MustCompile(`make its administrator, once: (\S+)/web/setup.html#(\S+)`).FindStringSubmatch(s.said)
	if link == nil {
		t.Fatalf("the house says %q", s.said)
	}
	page, err := http.Get(link[1] + "/web/setup.html")
	if err != nil {
		t.Fatal(err)
	}
	defer page.Body.Close()
	if body, _ := io.ReadAll(page.Body); page.StatusCode != http.StatusOK || !bytes.Contains(body, []byte("setup.js")) {
		t.Fatalf("the page of the link: %d", page.StatusCode)
	}
	const password = "correct horse battery"
	status, answer, err := s.ask(http.MethodPost, "/v1/setup",
		map[string]any{"token": link[2], "name": "Ada Unmistakable", "password": password})
	if err != nil || status != http.StatusOK {
		t.Fatalf("%d %v %v", status, answer, err)
	}
	file := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(file, []byte(password+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	admin := func(args ...string) (int, string, string) {
		return runLine(t, append(append([]string{"staff"}, args...), "--house="+s.url, "--as="+fmt.Sprint(answer["number"]),
			"--password-file="+file)...)
	}
	status, out, errs := admin("add", "Ben Unmistakable", "--role=writer@1")
	added := regexp.MustCompile(`^person (\d+)\ntoken (\S+) `).FindStringSubmatch(out)
	if status != 0 || added == nil {
		t.Fatalf("%d %q %q", status, out, errs)
	}
	if status, _, errs := runLine(t, "staff", "accept", added[2], "--house="+s.url, "--password-file="+file); status != 0 {
		t.Fatal(errs)
	}
	for _, args := range [][]string{{"grant", added[1], "senior@1"}, {"withdraw", added[1], "writer@1"},
		{"lock", added[1], "on leave"}} {
		if status, _, errs := admin(args...); status != 0 {
			t.Fatalf("%v: %s", args, errs)
		}
	}
	if _, out, _ := admin("list"); !regexp.MustCompile(`Ben Unmistakable +senior at venue 1 +locked\n`).MatchString(out) ||
		!strings.Contains(out, "Demonstration supervisor") {
		t.Errorf("listed are\n%s", out)
	}
	if status, _, errs := admin("unlock", added[1], "back"); status != 0 {
		t.Error(errs)
	}
	if status, _, errs := admin("grant", "9999", "senior@1"); status != statusRefused ||
		!strings.Contains(errs, "person_unknown") {
		t.Errorf("%d %s", status, errs)
	}
	s.stop()
	s.verify()
	journal, err := os.ReadFile(filepath.Join(s.dir, "drawhouse.db"))
	if err != nil || bytes.Contains(journal, []byte("Unmistakable")) {
		t.Errorf("the journal has a name in it, or cannot be read: %v", err)
	}
	checkBackupFiles(t, s.dir, "Unmistakable", password)
	s.start()
	if strings.Contains(s.said, "setup.html") {
		t.Error("a house with an administrator makes another")
	}
	s.stop()
}

// checkBackupFiles backs a house up: neither the journal's file nor the register's has a name or a password in the
// clear, and both are readable by their owner and nobody else.
func checkBackupFiles(t *testing.T, data, name, password string) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "monday")
	programme(t, "backup", "--data="+data, out)
	for _, file := range []string{out, out + peopleSuffix} {
		held, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{name, password, "$argon2id$"} {
			if bytes.Contains(held, []byte(secret)) {
				t.Errorf("%s has %s in it", filepath.Base(file), secret)
			}
		}
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", filepath.Base(file), info.Mode(), err)
		}
	}
}

// TestTerminalCommand sells by hand as the README does, with the key of a
// demonstration and with one that was made for the terminal.
func TestTerminalCommand(t *testing.T) {
	t.Parallel()
	s := serve(t)
	defer s.stop()
	body := `{"method":"form","claim_hash":"` + strings.Repeat("0", 64) +
		`","ticket":{"v":1,"rulebook":"vic-keno-2015","first":"open","bets":[{"bet":"classic","spots":[7],"stake_cents":100}]}}`
	status, out, errs := runLine(t, "terminal", "send", "--house="+s.url, "PUT", "/v1/terminals/1/requests/1/sale", body)
	var sold struct{ Serial string }
	if err := json.Unmarshal([]byte(out), &sold); status != 0 || err != nil || len(sold.Serial) != 16 {
		t.Errorf("%d %s %s", status, out, errs)
	}
	key := filepath.Join(t.TempDir(), "terminal.pem")
	status, out, errs = runLine(t, "terminal", "key", key)
	if status != 0 || !strings.HasPrefix(out, "key ") {
		t.Fatalf("%d %s %s", status, out, errs)
	}
	if status, _, errs := runLine(t, "terminal", "send", "--house="+s.url, "--key="+key, "PUT",
		"/v1/terminals/1/requests/2/sale", body); status != statusRefused || !strings.Contains(errs, "hello_wrong") {
		t.Errorf("another key: %d %s", status, errs)
	}
	if status, _, _ := runLine(t, "terminal", "key", key); status != statusUsage {
		t.Error("a key was overwritten")
	}
	if status, _, errs := runLine(t, "terminal", "send", "--house=https://keno.example", "PUT",
		"/v1/terminals/1/requests/1/sale", body); status != statusUsage || !strings.Contains(errs, "needs its key") {
		t.Errorf("a key that everybody knows, elsewhere: %d %s", status, errs)
	}
}

// TestDemonstrationStaysHere: a house whose keys everybody knows is not reached from
// elsewhere, with or without a certificate.
func TestDemonstrationStaysHere(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{}, {"--behind-tls"}} {
		status, _, errs := runLine(t, append([]string{"serve", "--demo", "--addr=0.0.0.0:0", "--data=" + t.TempDir()},
			args...)...)
		if status != statusUsage || !strings.Contains(errs, "keys that everybody knows") {
			t.Errorf("%v: %d %s", args, status, errs)
		}
	}
	c := serveCmd{}
	if err := c.checkReach(nil, &net.TCPAddr{IP: net.IPv6loopback}); err != nil {
		t.Error(err)
	}
}

// TestRegisterBesideTheJournal: the register is where the journal is.
func TestRegisterBesideTheJournal(t *testing.T) {
	t.Parallel()
	for name, flags := range map[string]storageFlags{"file": {Data: t.TempDir()},
		"database": {Data: t.TempDir(), Database: pgtest.Schema(t)}} {
		r, err := flags.openRegister(t.Context())
		if err != nil {
			t.Fatal(name, err)
		}
		if err := r.Close(); err != nil {
			t.Error(name, err)
		}
		_, err = os.Stat(filepath.Join(flags.Data, person.FileName))
		if (err == nil) != (name == "file") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
