package main

import (
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestRotateWithDevice changes the house key under a house that runs with its device in a
// process of its own. The command names the device in what is left to do. The house lives, goes
// on with the new volume, and says what the device needs; once the device was started with
// both keys the games go on, and the journal verifies.
func TestRotateWithDevice(t *testing.T) {
	t.Parallel()
	name := inRealTime(t)
	dir := t.TempDir()
	address := "unix:" + filepath.Join(dir, "s")
	s := &served{t: t, name: name, dir: filepath.Join(dir, "data"), extra: []string{"--device=" + address}}
	s.endWithTest()
	before := keyForDevice(t, name, s.arguments()...)
	device := launch(t, 2, "device", "--listen="+address, "--key="+filepath.Join(dir, "d.key"),
		"--name=drawhouse.example/machine",
		"--book="+filepath.Join(dir, "d.book"), "--house-key="+before)
	s.start()
	s.waitForResult(1)

	told := runs(t, "keys", "rotate", "house", "--data="+s.dir)
	again := regexp.MustCompile(`drawhouse device --house-key=(\S+) --house-key=(\S+) `).FindStringSubmatch(told)
	if again == nil || again[1] == before || again[2] != before {
		t.Fatalf("what is left to do does not name the device: %s", told)
	}
	s.waitForRole("writer")
	s.waitForAlarm("does not accept the seal")
	if _, text := s.admin("/readyz/alarms"); !strings.Contains(text, "--house-key="+again[1]) {
		t.Errorf("the alarm does not name the key: %s", text)
	}
	// Games wait, and terminals sell on.
	if status, text := s.admin("/readyz/draw"); status != http.StatusServiceUnavailable ||
		!strings.Contains(text, `{"name":"device","ok":false,`) {
		t.Errorf("the house may draw: %d %s", status, text)
	}
	if status, text := s.admin("/readyz"); status != http.StatusOK {
		t.Errorf("the house may not sell: %d %s", status, text)
	}
	device.kill()
	device.args = append(device.args, "--house-key="+again[1])
	device.start()
	_, board, err := s.ask(http.MethodGet, "/v1/games?limit=1", nil)
	if err != nil {
		t.Fatal(err)
	}
	newest, _ := board["games"].([]any)[0].(map[string]any)["ordinal"].(float64)
	s.waitForResult(int(newest))
	if _, text := s.admin("/readyz/alarms"); strings.Contains(text, "does not accept the seal") {
		t.Errorf("the alarm stands: %s", text)
	}
	if status, text := s.admin("/readyz/draw"); status != http.StatusOK {
		t.Errorf("the house may not draw again: %d %s", status, text)
	}
	s.stop()
	s.verify()
}

// waitForResult waits until a game of at least an ordinal is settled.
func (s *served) waitForResult(ordinal int) {
	s.t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		_, answer, err := s.ask(http.MethodGet, "/v1/games?limit=20", nil)
		games, _ := answer["games"].([]any)
		for _, g := range games {
			game, _ := g.(map[string]any)
			if number, _ := game["ordinal"].(float64); err == nil && int(number) >= ordinal && game["phase"] == "settled" {
				return
			}
		}
	}
	s.t.Fatalf("game %d was not settled:\n%s", ordinal, &s.log)
}

// waitForAlarm waits until the operator is told something.
func (s *served) waitForAlarm(words string) {
	s.t.Helper()
	text := ""
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if _, text = s.admin("/readyz/alarms"); strings.Contains(text, words) {
			return
		}
	}
	s.t.Fatalf("the operator is not told %q: %s", words, fmt.Sprint(text, "\n", &s.log))
}
