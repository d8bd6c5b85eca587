package storetest

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"drawhouse/journal/store"
)

// writerLocation is the environment variable that makes a test binary a writer.
const writerLocation = "STORETEST_WRITER_LOCATION"

// Main runs the tests of a driver. A driver's TestMain is a call of it, because
// the suite starts the test binary again as a writer that can be killed.
func Main(m *testing.M, d Driver) {
	location := os.Getenv(writerLocation)
	if location == "" {
		os.Exit(m.Run())
	}
	fmt.Fprintln(os.Stderr, write(d, location))
	os.Exit(1)
}

// write appends batches until it fails and tells on standard output how many
// records are stored, each time before it goes on.
func write(d Driver, location string) error {
	ctx := context.Background()
	st, err := d.Open(location)
	if err != nil {
		return err
	}
	head, err := st.TakeOver(ctx)
	if err != nil {
		return err
	}
	j, err := Resume(ctx, head, st)
	if err != nil {
		return err
	}
	for n := 1; ; n = n%300 + 7 {
		if err := st.Append(ctx, j.Batch(j.Some(n),
			store.Object{Name: j.Next().String(), Data: []byte("x")})); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(os.Stdout, j.Next().Seq); err != nil {
			return err
		}
	}
}

// Writer is the test binary as a process of its own that writes to a store.
type Writer struct {
	cmd    *exec.Cmd
	out    *bufio.Scanner
	errors bytes.Buffer
	stored uint64
	spoke  func() // called once, after the first word; may be nil
}

// StartWriter starts a writer at a location. The words of a command to run it
// by, such as a tracer's, may stand before it.
func StartWriter(location string, by ...string) (*Writer, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	words := append(append([]string{}, by...), self)
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Env = append(os.Environ(), writerLocation+"="+location)
	w := &Writer{cmd: cmd}
	cmd.Stderr = &w.errors
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	w.out = bufio.NewScanner(out)
	return w, nil
}

// Follow reads what the writer tells until it ends, and returns how many records
// it was told are stored.
func (w *Writer) Follow() (uint64, error) {
	for w.out.Scan() {
		stored, err := strconv.ParseUint(strings.TrimSpace(w.out.Text()), 10, 64)
		if err != nil {
			return w.stored, fmt.Errorf("storetest: the writer says %q", w.out.Text())
		}
		w.stored = stored
		if w.spoke != nil {
			w.spoke()
			w.spoke = nil
		}
	}
	return w.stored, w.out.Err()
}

// Kill ends the writer without warning, as kill -9 does.
func (w *Writer) Kill() error { return w.cmd.Process.Kill() }

// Wait waits for the writer's end and returns why it ended.
func (w *Writer) Wait() error {
	if err := w.cmd.Wait(); err != nil {
		return fmt.Errorf("%w: %s", err, w.errors.String())
	}
	return nil
}

// testKilled kills writers at random moments, one after the other on the same
// store. What each was told is stored must be there, and all of it must verify.
func testKilled(t *testing.T, d Driver) {
	if d.Volatile {
		t.Skip("this driver's store ends with the process")
	}
	location := d.Locate(t)
	rounds, told := 12, uint64(0)
	if testing.Short() {
		rounds = 4
	}
	for round := range rounds {
		told = max(told, killOne(t, location, round%4 > 0))
		st := open(t, d, location)
		head, err := st.Head(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if head.Size < told {
			t.Fatalf("%d records are stored, the writer was told %d", head.Size, told)
		}
		checkAll(t, st)
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	}
	if told == 0 {
		t.Error("no writer came as far as to store anything")
	}
	t.Logf("%d writers killed, %d records acknowledged, none lost", rounds, told)
}

// killOne starts a writer, kills it a while after its start or after its first word, and returns
// what it was told. A writer that never says a word is killed, too.
func killOne(t *testing.T, location string, spoken bool) uint64 {
	t.Helper()
	w, err := StartWriter(location)
	if err != nil {
		t.Fatal(err)
	}
	wait := 2 * time.Minute
	if !spoken {
		wait = rand.N(120 * time.Millisecond)
	}
	timer := time.AfterFunc(wait, func() { _ = w.Kill() })
	defer timer.Stop()
	if spoken {
		w.spoke = func() { timer.Reset(rand.N(60 * time.Millisecond)) }
	}
	told, err := w.Follow()
	if err != nil {
		t.Error(err)
	}
	if err := w.Wait(); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Errorf("the writer was not killed but ended: %v", err)
	}
	return told
}
