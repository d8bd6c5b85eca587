package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"drawhouse/check/witness"
	"drawhouse/check/witness/wire"
	"drawhouse/internal/outside"
	"drawhouse/journal"
)

// A process is the command as a process of its own, which says on its first lines
// where it is.
type process struct {
	t     *testing.T
	args  []string
	cmd   *exec.Cmd
	lines []string
	log   bytes.Buffer
}

// launch starts a command and reads so many lines of its output.
func launch(t *testing.T, lines int, args ...string) *process {
	t.Helper()
	p := &process{t: t, args: args, lines: make([]string, lines)}
	t.Cleanup(p.kill)
	p.start()
	return p
}

func (p *process) start() {
	p.t.Helper()
	name := outside.Program(p.t)
	p.cmd = exec.Command(name, p.args...)
	p.cmd.Stderr = &p.log
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	reader := bufio.NewReader(stdout)
	for i := range p.lines {
		line, err := reader.ReadString('\n')
		if err != nil {
			_ = p.cmd.Wait()
			p.t.Fatalf("%v: %v: %s", p.args, err, &p.log)
		}
		p.lines[i] = strings.TrimSpace(line)
	}
	go func() { _, _ = io.Copy(io.Discard, reader) }()
}

// kill ends the process as a power failure would.
func (p *process) kill() {
	if p.cmd.ProcessState == nil {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait() // It was killed, and says so.
	}
}

// TestWitnessProcess kills a witness after it signed and starts it again: it signs
// for the journal that it knows, and for no other of the same house.
func TestWitnessProcess(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it builds the program")
	}
	dir := t.TempDir()
	secret, public, err := journal.GenerateKey(strings.NewReader(strings.Repeat("k", 32)), "keno.example")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := journal.ParseSigner(secret)
	if err != nil {
		t.Fatal(err)
	}
	p := launch(t, 2, "witness", "--listen=127.0.0.1:0", "--key="+filepath.Join(dir, "w.key"), "--name=inspector.example",
		"--state="+filepath.Join(dir, "w.state"), "--log="+public)
	one, other := journal.NewTree(), journal.NewTree()
	for round := range 3 {
		_, url, _ := strings.Cut(p.lines[0], " at ")
		verifier, err := witness.ParseVerifier(strings.TrimPrefix(p.lines[1], "key "))
		if err != nil {
			t.Fatal(err)
		}
		client := &wire.Client{URL: url, Witness: verifier}
		one.Append(fmt.Appendf(nil, "one %d", round))
		other.Append(fmt.Appendf(nil, "other %d", round))
		ask := func(tree *journal.Tree) error {
			c := journal.Checkpoint{Origin: "keno.example/v1", Size: tree.Size(), Root: tree.Root()}
			msg, err := journal.SignCheckpoint(c, signer)
			if err != nil {
				t.Fatal(err)
			}
			_, err = client.Cosign(t.Context(), msg, 0, func(old, size uint64) (journal.TreeProof, error) {
				return journal.ProveTree(old, size, journal.NewReader(tree, nil))
			})
			return err
		}
		if err := ask(one); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		if err := ask(other); !errors.Is(err, wire.ErrRefused) {
			t.Errorf("round %d: the other journal: %v", round, err)
		}
		p.kill()
		p.start()
	}
}

// TestAskAWitness has a witness cosign the journal of a house that runs, twice, and
// then shows it another house of the same key: a copy of the data that went its own
// way.
func TestAskAWitness(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it plays games in real time")
	}
	s := serve(t)
	dir := t.TempDir()
	_, board, err := s.ask("GET", "/v1/board", nil)
	if err != nil {
		t.Fatal(err)
	}
	about, _ := board["house"].(map[string]any)
	houseKey, _ := about["house_key"].(string)
	p := launch(t, 2, "witness", "--listen=127.0.0.1:0", "--key="+filepath.Join(dir, "w.key"), "--name=inspector.example",
		"--state="+filepath.Join(dir, "w.state"), "--log="+houseKey)
	_, url, _ := strings.Cut(p.lines[0], " at ")
	key := strings.TrimPrefix(p.lines[1], "key ")
	ask := func(data string) (string, error) {
		out, err := exec.Command(s.name, "witness", "ask", url, "--witness-key="+key, "--data="+data).CombinedOutput()
		return string(out), err
	}
	copied := filepath.Join(dir, "copy")
	s.stop()
	copyFolder(t, copied, s.dir)
	s.start()
	verifier, err := witness.ParseVerifier(key)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		waitForPhase(t, s, "settled")
		out, err := ask(s.dir)
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if found, err := witness.Cosignatures([]byte(out), verifier); err != nil || len(found) != 1 {
			t.Errorf("%s: %v", out, err)
		}
	}
	// The copy is shorter, and then it is another one.
	if out, err := ask(copied); err == nil || !strings.Contains(out, "the witness has seen a longer log") {
		t.Errorf("a shorter copy: %s", out)
	}
	s.stop()
	s.dir = copied
	s.start()
	for range 100 {
		if out, err := ask(copied); err == nil {
			t.Fatalf("the witness signed two histories: %s", out)
		} else if !strings.Contains(out, "longer log") {
			if !strings.Contains(out, "the witness refuses") {
				t.Errorf("another history: %s", out)
			}
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Error("the copy never became longer than what was signed")
}

// TestWitnessedLogs reads what a witness is told to watch: houses, and a log whose origin is not the name of its key.
func TestWitnessedLogs(t *testing.T) {
	t.Parallel()
	const sumdb = "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8"
	dir := t.TempDir()
	config := func(logs ...string) error {
		c := &witnessServeCmd{Key: filepath.Join(dir, "w.key"), Name: "inspector.example", State: filepath.Join(dir, "state"),
			Logs: logs}
		_, _, err := c.config()
		return err
	}
	if err := config(sumdb + ",go.sum database tree"); err != nil {
		t.Fatal(err)
	}
	own := verifierIn(t, filepath.Join(dir, "w.key"))
	key, err := journal.ParseVerifier(own)
	if err != nil {
		t.Fatal(err)
	}
	for says, logs := range map[string][]string{
		"two keys for go.sum database tree": {sumdb + ",go.sum database tree", sumdb + ",go.sum database tree"},
		"one key signs logs, cosignatures":  {sumdb, own},
		"invalid verifier hash":             {strings.Replace(sumdb, "033de0ae", "033de0af", 1)},
		"control character":                 {sumdb + ",a\tb"},
	} {
		if err := config(logs...); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", says, err)
		}
	}
	if vkey, origin := witness.CutKey(own + ",a+b, c"); vkey != own || origin != "a+b, c" {
		t.Errorf("%q and %q", vkey, origin)
	}
	renamed := "other.example" + strings.TrimPrefix(own, key.Name())
	if !journal.SameKey(own, renamed) || journal.SameKey(own, sumdb) || journal.SameKey("", "") {
		t.Error("keys are told apart by their names and not by what they are")
	}
}
