package main

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"drawhouse/internal/outside"
)

// TestHouseWithDevice runs a house with its device in another process, kills the
// device in the middle of a game, then the house, and has the whole journal verified.
func TestHouseWithDevice(t *testing.T) {
	t.Parallel()
	name := inRealTime(t)
	dir := t.TempDir()
	address := "unix:" + filepath.Join(dir, "s")
	data := filepath.Join(dir, "data")
	args := append([]string{"serve", "--demo", "--addr=127.0.0.1:0", "--data=" + data, "--device=" + address}, quick...)

	// Without its device the house says which key the device needs.
	key := keyForDevice(t, name, args...)
	device := launch(t, 2, "device", "--listen="+address, "--key="+filepath.Join(dir, "d.key"),
		"--name=drawhouse.example/machine",
		"--book="+filepath.Join(dir, "d.book"), "--house-key="+key)
	if info, err := os.Stat(filepath.Join(dir, "s")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket: %v, %v", info.Mode(), err)
	}
	s := &served{t: t, name: name, dir: data}
	house := launch(t, 1, args...)
	_, s.url, _ = strings.Cut(house.lines[0], " at ")
	s.waitForSale()

	deviceKey := strings.TrimPrefix(device.lines[1], "key ")
	_, board, err := s.ask(http.MethodGet, "/v1/board", nil)
	if about, _ := board["house"].(map[string]any); err != nil || about["device_key"] != deviceKey {
		t.Errorf("the board has the device key %v, the device says %s, %v", about["device_key"], deviceKey, err)
	}
	// The device dies while numbers fall; the next one takes the draw up.
	waitForPhase(t, s, "drawing")
	device.kill()
	time.Sleep(300 * time.Millisecond)
	device.start()
	waitForPhase(t, s, "settled")
	// The house dies while numbers fall.
	waitForPhase(t, s, "drawing")
	house.kill()
	house.start()
	_, s.url, _ = strings.Cut(house.lines[0], " at ")
	s.waitForSale()
	waitForPhase(t, s, "settled")
	house.kill()

	// Who looks for the device's key among those of the house is told where it is.
	if out, err := exec.Command(name, "keys", "check", "--data="+data).CombinedOutput(); err == nil ||
		!strings.Contains(string(out), "say so (--device)") {
		t.Errorf("%v: %s", err, out)
	}
	runs(t, "keys", "check", "--data="+data, "--device="+address)
	runs(t, "doctor", "--quick", "--disk-reserve=1", "--data="+data, "--device="+address)

	export := filepath.Join(dir, "export")
	if out, err := exec.Command(name, "journal", "export", export, "--data="+data).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if out, err := exec.Command(name, "verify", export, "--device-key="+deviceKey).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// inRealTime passes over a test that plays games in real time, where tests are to be short,
// and returns the program otherwise.
func inRealTime(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("it plays games in real time")
	}
	name := outside.Program(t)
	return name
}

// keyForDevice starts a house whose device does not answer. The house ends and says by which
// key the device, and everybody else, knows it.
func keyForDevice(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	found := regexp.MustCompile(`--house-key=(\S+)`).FindSubmatch(out)
	if err == nil || found == nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(found[1])
}

// waitForPhase waits until the newest game that is not on sale has a phase.
func waitForPhase(t *testing.T, s *served, phase string) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		_, answer, err := s.ask(http.MethodGet, "/v1/games?limit=2", nil)
		if err != nil {
			t.Fatal(err)
		}
		games, _ := answer["games"].([]any)
		for _, g := range games {
			if g.(map[string]any)["phase"] == phase {
				return
			}
		}
	}
	t.Fatalf("no game was %s within twenty seconds", phase)
}
