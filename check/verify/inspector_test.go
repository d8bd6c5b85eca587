package verify_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestInspectorScript puts an export of several volumes to docs/inspector.py, which
// shares no code with this package.
func TestInspectorScript(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3 here")
	}
	_, oldKey := key(t, origin, 1)
	_, strangerKey := key(t, houseName, 33)
	newSigner, newKey := key(t, houseName, 11)
	h := newHouse(t, lies{}).tellVolumes(turning{seed: 11}, turning{abandoned: [][]byte{lost(t, 2, 900, newSigner)}})
	dir := t.TempDir()
	for name, data := range h.files() {
		name = filepath.Join(dir, filepath.FromSlash(name))
		require(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require(t, os.WriteFile(name, data, 0o644))
	}
	kept := filepath.Join(t.TempDir(), "kept")
	require(t, os.WriteFile(kept, h.at(1, 9), 0o644))
	silent := newHouse(t, lies{}).tellVolumes(turning{seed: 11, silent: true},
		turning{abandoned: [][]byte{lost(t, 2, 900, newSigner)}})
	alone := t.TempDir()
	for name, data := range silent.files() {
		name = filepath.Join(alone, filepath.FromSlash(name))
		require(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require(t, os.WriteFile(name, data, 0o644))
	}
	for _, c := range []struct {
		name string
		args []string
		want string // in what it says
		bad  bool
	}{
		{"a draw of the first volume", []string{"draw", dir, "2026-11-15/0", oldKey, h.deviceOf(1)}, "It holds.", false},
		{"by the key of a later one", []string{"draw", dir, "2026-11-15/0", newKey, h.deviceOf(1)}, "It holds.", false},
		{"a draw after the change of keys", []string{"draw", dir, "2026-11-15/1", oldKey, h.deviceOf(1)}, "It holds.", false},
		{"a draw by a stranger's key", []string{"draw", dir, "2026-11-15/1", strangerKey, h.deviceOf(1)},
			"did not sign for the one of the seal", true},
		{"a key for which nobody signed", []string{"draw", alone, "2026-11-15/1", oldKey, h.deviceOf(1)},
			"did not sign for the one of the seal", true},
		{"a device of the first volume by another key", []string{"draw", dir, "2026-11-15/0", oldKey, h.about.DeviceKey},
			"is not the device's", true},
		{"a checkpoint of an earlier volume", []string{"prefix", dir, kept, oldKey}, "the first 9 of", false},
		{"all records", []string{"list", dir}, "4:0 ", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := exec.Command(python, append([]string{"../../docs/inspector.py"}, c.args...)...).CombinedOutput()
			if (err != nil) != c.bad || !strings.Contains(string(out), c.want) {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}
