package main

import (
	"bytes"
	"database/sql"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"drawhouse/house/person"
	"drawhouse/journal/store/sqlite"
)

// examine runs the doctor and returns what it says and its status.
func examine(s *served, args ...string) (int, string) {
	var stdout, stderr bytes.Buffer
	status := run(append([]string{"doctor", "--disk-reserve=1", "--data=" + s.dir, "--database=" + s.database}, args...),
		&stdout, &stderr)
	return status, stdout.String() + stderr.String()
}

// TestDoctor examines a house that is well, and then breaks one thing after the other:
// each is found, by its name.
func TestDoctor(t *testing.T) {
	t.Parallel()
	s := serveWith(t)
	if !(&terminal{id: 1}).sell(s) {
		t.Fatal("nothing was sold")
	}
	safe := t.TempDir()
	status, said := examine(s, "--house="+s.url)
	if status != 0 || !strings.Contains(said, "is ready") || strings.Contains(said, "FAIL") {
		t.Errorf("a house that runs: %d\n%s", status, said)
	}
	s.stop()
	programme(t, "backup", "--data="+s.dir, filepath.Join(safe, "monday"))
	status, said = examine(s, "--backups="+safe)
	if status != 0 || strings.Contains(said, "FAIL") {
		t.Errorf("a house that is well: %d\n%s", status, said)
	}
	for _, about := range []string{"files", "disk", "journal", "root", "keys", "people", "clock", "backups"} {
		if !strings.Contains(said, "OK    "+about) {
			t.Errorf("nothing is said of %s:\n%s", about, said)
		}
	}
	follower := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/readyz" {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer follower.Close()
	if status, said := examine(s, "--follow", "--house="+follower.URL); status != 0 ||
		!strings.Contains(said, "OK    running") {
		t.Errorf("a house that follows: %d\n%s", status, said)
	}
	expired := tlsFlags{TLSCert: filepath.Join(safe, "cert.pem"), TLSKey: filepath.Join(safe, "key.pem")}
	writeCertificateUntil(t, expired, 1, time.Now().Add(-time.Minute))
	sick := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter,
		_ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer sick.Close()
	key := filepath.Join(s.dir, "keys", "house.key")
	for about, c := range map[string]struct {
		spoil, mend func() error
		args        []string
	}{
		"files": {spoil: func() error { return os.Chmod(key, 0o644) },
			mend: func() error { return os.Chmod(key, 0o600) }},
		"disk":          {args: []string{"--disk-reserve=1000000000"}},
		"certificate":   {args: []string{"--tls-cert=" + expired.TLSCert, "--tls-key=" + expired.TLSKey}},
		"configuration": {args: []string{"--witness=nonsense"}},
		"running":       {args: []string{"--house=" + sick.URL}},
		"keys": {spoil: func() error { return os.Rename(key, key+".away") },
			mend: func() error { return os.Rename(key+".away", key) }},
		"people": {spoil: renames(s.dir, person.FileName, "away"), mend: renames(s.dir, "away", person.FileName)},
		"backups": {spoil: renames(safe, "monday.people", "away"), mend: renames(safe, "away", "monday.people"),
			args: []string{"--backups=" + safe}},
		"root": {spoil: damage(s, 1), mend: damage(s, 1)},
	} {
		if c.spoil != nil {
			if err := c.spoil(); err != nil {
				t.Fatal(about, err)
			}
		}
		status, said := examine(s, c.args...)
		if status != statusRefused || !strings.Contains(said, "FAIL  "+about) {
			t.Errorf("%s: status %d\n%s", about, status, said)
		}
		if c.mend != nil {
			if err := c.mend(); err != nil {
				t.Fatal(about, err)
			}
		}
	}
	if status, said := examine(s); status != 0 {
		t.Errorf("after everything is mended: %d\n%s", status, said)
	}
}

func renames(dir, from, to string) func() error {
	return func() error { return os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)) }
}

// damage changes the last bit of a record in the database; done twice it changes
// nothing.
func damage(s *served, seq int) func() error {
	return func() error {
		db, err := sql.Open("sqlite", filepath.Join(s.dir, sqlite.FileName)+"?_busy_timeout=10000")
		if err != nil {
			return err
		}
		defer db.Close()
		var data []byte
		if err := db.QueryRow("SELECT data FROM record WHERE seq = ?", seq).Scan(&data); err != nil {
			return err
		}
		data[len(data)-1] ^= 1
		_, err = db.Exec("UPDATE record SET data = ? WHERE seq = ?", data, seq)
		return err
	}
}

// TestDoctorOnPostgreSQL looks at the server's settings, too.
func TestDoctorOnPostgreSQL(t *testing.T) {
	t.Parallel()
	s := serveOn(t, stores["PostgreSQL"](t))
	s.stop()
	_, said := examine(s)
	for _, setting := range []string{"fsync", "synchronous_commit", "full_page_writes"} {
		if !strings.Contains(said, setting+" is ") {
			t.Errorf("nothing is said of %s:\n%s", setting, said)
		}
	}
}
