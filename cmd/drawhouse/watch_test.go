package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

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
	s.stop()
	if out, err := follows(mirror, key, ""); err != nil {
		t.Errorf("the mirror alone: %v\n%s", err, out)
	}
	change(t, mirror)
	if out, err := follows(mirror, key, ""); err == nil || !strings.Contains(out, "FOUND") {
		t.Errorf("a mirror that was changed: %v\n%s", err, out)
	}
}

// proves has the seal of a settled game proven by a file of the house, to inspector.py, which then reads the mirror, too.
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
