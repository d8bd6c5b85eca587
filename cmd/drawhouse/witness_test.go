package main

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

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

// witnessed is a witness that is a process, and a journal that it watches.
type witnessed struct {
	*process
	signer journal.Signer
}

// watchedBy starts a witness that keeps its files in a directory.
func watchedBy(t *testing.T, dir string, flags ...string) *witnessed {
	t.Helper()
	secret, public, err := journal.GenerateKey(strings.NewReader(strings.Repeat("k", 32)), "keno.example")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := journal.ParseSigner(secret)
	if err != nil {
		t.Fatal(err)
	}
	return &witnessed{signer: signer, process: launch(t, 2, append([]string{"witness", "--listen=127.0.0.1:0",
		"--key=" + filepath.Join(dir, "w.key"), "--name=inspector.example", "--state=" + filepath.Join(dir, "w.state"),
		"--log=" + public}, flags...)...)}
}

// cosigns asks the witness to cosign a journal.
func (w *witnessed) cosigns(tree *journal.Tree) error {
	w.t.Helper()
	_, url, _ := strings.Cut(w.lines[0], " at ")
	verifier, err := witness.ParseVerifier(strings.TrimPrefix(w.lines[1], "key "))
	if err != nil {
		w.t.Fatal(err)
	}
	client := &wire.Client{URL: url, Witness: verifier}
	c := journal.Checkpoint{Origin: "keno.example/v1", Size: tree.Size(), Root: tree.Root()}
	msg, err := journal.SignCheckpoint(c, w.signer)
	if err != nil {
		w.t.Fatal(err)
	}
	_, err = client.Cosign(w.t.Context(), msg, 0, func(old, size uint64) (journal.TreeProof, error) {
		return journal.ProveTree(old, size, journal.NewReader(tree, nil))
	})
	return err
}

// TestWitnessProcess kills a witness after it signed and starts it again: it signs
// for the journal that it knows, and for no other of the same house.
func TestWitnessProcess(t *testing.T) {
	t.Parallel()
	w := watchedBy(t, t.TempDir())
	one, other := journal.NewTree(), journal.NewTree()
	for round := range 3 {
		one.Append(fmt.Appendf(nil, "one %d", round))
		other.Append(fmt.Appendf(nil, "other %d", round))
		if err := w.cosigns(one); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		if err := w.cosigns(other); !errors.Is(err, wire.ErrRefused) {
			t.Errorf("round %d: the other journal: %v", round, err)
		}
		w.kill()
		w.start()
	}
}

// TestWitnessOnAFullDisk: a witness that cannot write its book signs nothing, and signs again by itself once there is
// room; what it signed then it knows after a start.
func TestWitnessOnAFullDisk(t *testing.T) {
	t.Parallel()
	disk, _ := smallDisk(t)
	w := watchedBy(t, disk)
	tree := journal.NewTree()
	tree.Append([]byte("one"))
	if err := w.cosigns(tree); err != nil {
		t.Fatal(err)
	}
	fill := filepath.Join(disk, "fill")
	for size := 256 << 20; size > 0; size /= 2 {
		file, err := os.OpenFile(fill, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = file.Write(make([]byte, size)) // As much as there is room for.
		_ = file.Close()
	}
	for i := range 40 { // What is left of the last block of its book takes some lines.
		tree.Append(fmt.Appendf(nil, "two %d", i))
		if err := w.cosigns(tree); err != nil {
			break
		}
	}
	for range 3 {
		if err := w.cosigns(tree); err == nil {
			t.Fatal("it signs and cannot keep what")
		}
	}
	if err := os.Remove(fill); err != nil {
		t.Fatal(err)
	}
	if err := w.cosigns(tree); err != nil {
		t.Errorf("with room again: %v", err)
	}
	w.kill()
	w.start()
	other := journal.NewTree()
	for i := range tree.Size() + 1 {
		other.Append(fmt.Appendf(nil, "other %d", i))
	}
	if err := w.cosigns(other); !errors.Is(err, wire.ErrRefused) {
		t.Errorf("another journal after the start: %v", err)
	}
}

// TestUnaskedWitness names at the start each witness of a custodian's policy that has no address and is no custodian:
// it is never asked how far it has cosigned.
func TestUnaskedWitness(t *testing.T) {
	key := func(name string) (vkey string, cosigner *witness.Cosigner) {
		secret, public, err := journal.GenerateKey(rand.Reader, name)
		if err != nil {
			t.Fatal(err)
		}
		signer, err := journal.ParseSigner(secret)
		if err != nil {
			t.Fatal(err)
		}
		if cosigner, err = witness.NewCosigner(signer, public); err != nil {
			t.Fatal(err)
		}
		return public, cosigner
	}
	log, _ := key("keno.example/log")
	links, _ := key("inspector.example")
	var lines []string
	for i, name := range []string{"inspector.example", "asked.example", "mute.example"} {
		_, cosigner := key(name)
		lines = append(lines, fmt.Sprintf("witness w%d %v", i, cosigner))
	}
	lines[1] += " https://w.example"
	custodian := strings.Fields(lines[0])[2] + "," + links
	policy := filepath.Join(t.TempDir(), "policy")
	text := "log " + log + "\n" + strings.Join(lines, "\n") + "\ngroup all all w0 w1 w2\nquorum all\n"
	if err := os.WriteFile(policy, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	rule := ruleFlags{Policy: policy, Custodians: []string{custodian}}
	rule.warnOfBlindness(slog.New(slog.NewTextHandler(&said, nil)))
	if strings.Count(said.String(), "has no address") != 1 || !strings.Contains(said.String(), "witness=mute.example") {
		t.Errorf("it says: %s", &said)
	}
}
