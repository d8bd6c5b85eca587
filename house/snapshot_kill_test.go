package house

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// replacing has the test's own program write a file for ever, until it is killed.
const replacing = "DRAWHOUSE_TEST_REPLACING"

// TestSnapshotKilled kills a process, again and again, that writes one file after the other
// in the place of the last: there is always a whole one.
func TestSnapshotKilled(t *testing.T) {
	contents := [][]byte{bytes.Repeat([]byte("old"), 1<<18), bytes.Repeat([]byte("newer"), 1<<18)}
	if name := os.Getenv(replacing); name != "" {
		for i := 0; ; i++ {
			must(t, replaceFile(name, contents[i%2][:1000], contents[i%2][1000:]))
		}
	}
	name := filepath.Join(t.TempDir(), "snapshot")
	must(t, replaceFile(name, contents[0]))
	for i := range 10 {
		ctx, kill := context.WithCancel(t.Context())
		writer := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestSnapshotKilled$")
		writer.Env = append(os.Environ(), replacing+"="+name)
		must(t, writer.Start())
		waitChanged(t, name)
		time.Sleep(time.Duration(3*i) * time.Millisecond)
		kill()
		if writer.Wait() == nil {
			t.Fatal("the process has ended by itself")
		}
		data, err := os.ReadFile(name)
		must(t, err)
		if !bytes.Equal(data, contents[0]) && !bytes.Equal(data, contents[1]) {
			t.Fatalf("after kill %d the file has %d bytes of none", i+1, len(data))
		}
	}
}

// waitChanged waits until a file was replaced.
func waitChanged(t *testing.T, name string) {
	t.Helper()
	before, err := os.Stat(name)
	must(t, err)
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		now, err := os.Stat(name)
		must(t, err)
		if !os.SameFile(before, now) {
			return
		}
	}
	t.Fatal("nothing was written")
}
