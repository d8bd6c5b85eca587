package main

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"drawhouse/check/witness"
	"drawhouse/journal"
)

// ofOthers returns a program of others that `make interop` has built, and skips the test without one.
func ofOthers(t *testing.T, variable string) string {
	t.Helper()
	program := os.Getenv(variable)
	if program == "" {
		t.Skip("make interop runs it, with " + variable)
	}
	return program
}

// TestTilesOfOthers has the client of another project read the public log of a house that runs: every entry with its
// proof, and that the log only grew.
func TestTilesOfOthers(t *testing.T) {
	program := ofOthers(t, "DRAWHOUSE_TILES")
	s := serveWith(t)
	s.waitForResult(60) // So that a tile is full.
	key := verifierIn(t, filepath.Join(s.dir, "keys", "log-1.key"))
	out, err := exec.Command(program, s.url+"/v1/log", key).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	first := 0
	if _, counts, _ := strings.Cut(string(out), ": "); len(out) > 0 {
		_, _ = fmt.Sscan(counts, &first)
	}
	if first < 256 {
		t.Errorf("%d entries fill no tile", first)
	}
	t.Logf("%s", out)
}

// omniwitness is the witness of another project as a process of its own, which watches one log.
type omniwitness struct {
	t    *testing.T
	args []string
	at   string
	key  string // of its cosignatures
	cmd  *exec.Cmd
	said bytes.Buffer
}

// newOmniwitness starts the witness for a log of one key, on an address that stays.
func newOmniwitness(t *testing.T, program, log string) *omniwitness {
	t.Helper()
	dir := t.TempDir()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &omniwitness{t: t, at: listener.Addr().String()}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	secret, public, err := journal.GenerateKey(rand.Reader, "omniwitness.example")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := journal.ParseSigner(secret)
	if err != nil {
		t.Fatal(err)
	}
	cosigner, err := witness.NewCosigner(signer, public)
	if err != nil {
		t.Fatal(err)
	}
	w.key = cosigner.String()
	origin, _, _ := strings.Cut(log, "+")
	for name, text := range map[string]string{"key": secret,
		"logs": "Logs:\n  - Origin: " + origin + "\n    URL: http://127.0.0.1:9/\n    PublicKey: " + log + "\n    Feeder: none\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w.args = []string{program, "-listen=" + w.at, "-metrics_listen=", "-db_file=" + filepath.Join(dir, "db"),
		"-private_key_path=" + filepath.Join(dir, "key"), "-additional_logs=" + filepath.Join(dir, "logs")}
	t.Cleanup(w.kill)
	w.start()
	return w
}

func (w *omniwitness) start() {
	w.t.Helper()
	w.cmd = exec.Command(w.args[0], w.args[1:]...)
	w.cmd.Stderr = &w.said
	if err := w.cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	waitFor(w.t, "omniwitness listens", func() bool {
		conn, err := net.Dial("tcp", w.at)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	})
}

// kill ends the witness as a power failure would.
func (w *omniwitness) kill() {
	if w.cmd != nil {
		_ = w.cmd.Process.Kill()
		_ = w.cmd.Wait() // It was killed, and says so.
		w.cmd = nil
	}
}

// newestSettled returns the ordinal of the newest game with a result.
func (s *served) newestSettled() int {
	s.t.Helper()
	_, answer, err := s.ask(http.MethodGet, "/v1/games?limit=20", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	newest := 0
	games, _ := answer["games"].([]any)
	for _, g := range games {
		game, _ := g.(map[string]any)
		if ordinal, _ := game["ordinal"].(float64); game["phase"] == "settled" {
			newest = max(newest, int(ordinal))
		}
	}
	return newest
}

// TestOmniwitness requires the witness of another project, which knows the public log and nothing else: through an
// outage, another volume, another key of the house and a restore. Every draw is behind its cosignature, no game waits
// for much longer than the outage, and an older copy of the data does not sell.
func TestOmniwitness(t *testing.T) {
	program := ofOthers(t, "DRAWHOUSE_OMNIWITNESS")
	s := serveWith(t)
	s.stop()
	log := verifierIn(t, filepath.Join(s.dir, "keys", "log-1.key"))
	w := newOmniwitness(t, program, log)
	s.extra = []string{"--witness=http://" + w.at + "," + w.key + ",log"}
	s.start()
	plays := func() {
		t.Helper()
		s.waitForResult(s.newestSettled() + 3)
	}
	plays()

	w.kill()
	const outage = 6 * time.Second
	time.Sleep(outage / 3) // What was drawn when it went away is over.
	before := s.newestSettled()
	time.Sleep(2 * outage / 3)
	if now := s.newestSettled(); now != before {
		t.Errorf("game %d was drawn without its witness, after game %d", now, before)
	}
	w.start()
	began := time.Now()
	s.waitForResult(before + 1)
	if took := time.Since(began); took > outage {
		t.Errorf("a game waited for %v after an outage of %v", took, outage)
	}
	plays()
	s.stop()

	old := filepath.Join(t.TempDir(), "old")
	copyFolder(t, old, s.dir)
	programme(t, "volume", "begin", "--data="+s.dir)
	s.start()
	plays()
	s.stop()
	programme(t, "keys", "rotate", "house", "device", "serials", "--data="+s.dir)
	s.start()
	plays()
	s.stop()

	file := filepath.Join(t.TempDir(), "backup")
	programme(t, "backup", "--data="+s.dir, file)
	restored := filepath.Join(t.TempDir(), "restored")
	copyFolder(t, filepath.Join(restored, "keys"), filepath.Join(s.dir, "keys"))
	contains(t, programme(t, "restore", file, "--data="+restored), "volume 4 of drawhouse.example has begun")
	s.dir = restored
	s.start()
	plays()

	policy := filepath.Join(t.TempDir(), "policy")
	if err := os.WriteFile(policy, []byte("log "+log+"\nwitness omniwitness "+w.key+"\nquorum omniwitness\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	contains(t, succeed(t, "watch", s.url+"/v1/log", "--quiet", "--policy="+policy), "cosigned by omniwitness.example")
	s.stop()
	s.verify()

	// The copy goes on where the house was before all this.
	s.dir = old
	out, err := s.command(s.arguments()...).CombinedOutput()
	if err == nil {
		t.Errorf("an older copy sells: %s", out)
	}
	contains(t, string(out), "the witness has seen a longer log", "Nothing is sold", "--next-log=2")
}
