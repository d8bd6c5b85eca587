package main

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"drawhouse/check/witness"
	"drawhouse/internal/outside"
	"drawhouse/journal"
	"drawhouse/journal/public"
)

// TestWatch follows the public log of a running house, keeps a mirror, and finds in the mirror what is changed there.
func TestWatch(t *testing.T) {
	t.Parallel()
	s := serveWith(t)
	key := verifierIn(t, filepath.Join(s.dir, "keys", "log-1.key"))
	mirror := filepath.Join(t.TempDir(), "mirror")
	var out string
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(200 * time.Millisecond) {
		var err error
		if out, err = follows(s.url+"/v1/log", key, mirror); err == nil && strings.Contains(out, "settled") {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("no game is settled in the log: %v\n%s\n%s", err, out, &s.log)
		}
	}
	for _, kind := range []string{"log-begun", "game-opened", "game-sealed", "result", "settled"} {
		if !strings.Contains(out, kind) {
			t.Errorf("the log has no entry %s:\n%s", kind, out)
		}
	}
	proves(t, s, key, mirror)
	again, err := follows(s.url+"/v1/log", key, mirror)
	if err != nil || !strings.Contains(again, "entries") {
		t.Errorf("from the mirror on: %v\n%s", err, again)
	}
	followsWithPage(t, s, key)
	s.stop()
	if out, err := follows(mirror, key, ""); err != nil {
		t.Errorf("the mirror alone: %v\n%s", err, out)
	}
	change(t, mirror)
	if out, err := follows(mirror, key, ""); err == nil || !strings.Contains(out, "FOUND") {
		t.Errorf("a mirror that was changed: %v\n%s", err, out)
	}
}

// followsWithPage follows the log by a process that shows a page of it.
func followsWithPage(t *testing.T, s *served, key string) {
	t.Helper()
	watcher := exec.Command(outside.Program(t), "watch", s.url+"/v1/log", "--key", key, "--listen", "127.0.0.1:0",
		"--every", "1s", "--quiet")
	said, err := watcher.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := watcher.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = watcher.Process.Signal(os.Interrupt)
		if err := watcher.Wait(); err != nil {
			t.Errorf("a watcher that found nothing ends with %v", err)
		}
	}()
	line, err := bufio.NewReader(said).ReadString('\n')
	address, ok := strings.CutPrefix(strings.TrimSpace(line), "The page is at ")
	if err != nil || !ok {
		t.Fatalf("it says %q: %v", line, err)
	}
	read := func(path string) string {
		answer, err := http.Get(address + path)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = answer.Body.Close() }()
		data, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s %v", path, answer.Status, err)
		}
		return string(data)
	}
	// The page shows entries while the first pass still reads, and a verdict after it.
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		state, text := read("state.json"), read("")
		if strings.Contains(state, `"kind":"settled"`) && strings.Contains(text, "Nothing was found") &&
			strings.Contains(text, " is sealed, fingerprint ") {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("no game is settled on the page: %s\n%s", state, text)
		}
	}
	if text := read("metrics"); !strings.Contains(text, "\ndrawhouse_watch_findings 0\n") {
		t.Errorf("the metrics are\n%s", text)
	}
}

// proves has inspector.py check the seal of a settled game by a file of the house, and then the mirror.
func proves(t *testing.T, s *served, key, mirror string) {
	t.Helper()
	var list struct {
		Games []struct {
			Day   string
			Game  int
			Phase string
		}
	}
	if err := json.Unmarshal(s.fetch(http.MethodGet, "/v1/games?limit=20", "", ""), &list); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(list.Games, func(g struct {
		Day   string
		Game  int
		Phase string
	}) bool {
		return g.Phase == "settled"
	})
	if i < 0 {
		t.Fatalf("no game is settled: %+v", list)
	}
	game := fmt.Sprintf("%s/%d", list.Games[i].Day, list.Games[i].Game)
	file := filepath.Join(t.TempDir(), "seal"+public.ProofSuffix)
	data := s.fetch(http.MethodGet, "/v1/games/"+game+"/seal"+public.ProofSuffix, "", "")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := python(t, "entry", file, key); err != nil || !strings.Contains(out, "of game "+game+", fingerprint ") {
		t.Errorf("%v: %s", err, out)
	}
	if out, err := python(t, "log", mirror, key); err != nil || !strings.Contains(out, " game-sealed\n") {
		t.Errorf("%v: %s", err, out)
	}
}

// follows runs the command once.
func follows(log, key, mirror string) (string, error) {
	out := new(bytes.Buffer)
	err := (&watchCmd{Log: log, Key: key, Mirror: mirror}).Run(out)
	return out.String(), err
}

// change changes a letter of an entry in every bundle of a mirror.
func change(t *testing.T, mirror string) {
	t.Helper()
	changed := 0
	err := filepath.WalkDir(filepath.Join(mirror, "tile", "entries"), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		changed++
		return os.WriteFile(path, bytes.Replace(data, []byte("plays 0"), []byte("plays 1"), 1), 0o600)
	})
	if err != nil || changed == 0 {
		t.Fatalf("%d bundles were changed, %v", changed, err)
	}
}

// verifierIn returns the verifier key in the file of a signing key.
func verifierIn(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, public, _ := strings.Cut(strings.TrimSpace(string(data)), "\n")
	return public
}

// TestWatchByPolicy follows a log that nobody has cosigned under policies of the reader, and finds what it asks for.
func TestWatchByPolicy(t *testing.T) {
	t.Parallel()
	s := serveWith(t)
	s.waitForResult(1)
	mirror, dir := filepath.Join(t.TempDir(), "mirror"), t.TempDir()
	key := verifierIn(t, filepath.Join(s.dir, "keys", "log-1.key"))
	if _, err := follows(s.url+"/v1/log", key, mirror); err != nil {
		t.Fatal(err)
	}
	s.stop()
	vkeys := []string{}
	for _, name := range []string{"inspector.example", "north.example", "south.example"} {
		secret, public, err := journal.GenerateKey(rand.Reader, name)
		if err != nil {
			t.Fatal(err)
		}
		signer, err := journal.ParseSigner(secret)
		if err != nil {
			t.Fatal(err)
		}
		c, err := witness.NewCosigner(signer, public)
		if err != nil {
			t.Fatal(err)
		}
		vkeys = append(vkeys, c.String())
	}
	three := fmt.Sprintf("witness a %s\nwitness b %s\nwitness c %s\n", vkeys[0], vkeys[1], vkeys[2])
	other := "log " + "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8" + "\n"
	for i, c := range []struct{ key, policy, out, err string }{
		{"", "log " + key + "\nquorum none\n", "cosigned by", ""},
		{key, "quorum none\n", "cosigned by", ""},
		{"", "", "", "--key"},
		{"", "quorum none\n", "", "the policy has 0 logs"},
		{"", "log " + key + "\n" + other + "quorum none\n", "", "the policy has 2 logs"},
		{key, other + "quorum none\n", "FOUND", "honest house"},
		{"", "log " + key + "\n" + three + "group g 2 a b c\nquorum g\n", "of g 0 of 3 count, and 2 must", "honest house"},
		{"", "log " + key + "\n" + three + "group g any a b c\nquorum g\n", "", "met by 1 of 3"},
		{key, "quorum all\n", "", "line 1: all is not defined"},
	} {
		w := &watchCmd{Log: mirror, Key: c.key}
		if c.policy != "" {
			w.Policy = filepath.Join(dir, fmt.Sprint(i))
			if err := os.WriteFile(w.Policy, []byte(c.policy), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		out := new(bytes.Buffer)
		err := w.Run(out)
		if !strings.Contains(out.String(), c.out) || (err == nil) != (c.err == "") ||
			err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%q: %v, want %q\n%s, want %q", c.policy, err, c.err, out, c.out)
		}
	}
}
