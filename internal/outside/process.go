// Package outside runs drawhouse as a process and uses it as others do: over HTTP, by
// terminals with keys and by persons who sign on.
//
// Tests of packages attack and siege are made with it. They know of the house what the
// interface tells, so that the same test runs against the program of an earlier build:
// DRAWHOUSE_BINARY names its file. Without it the program is linked with passwords that cost
// little to guess, and little to check.
package outside

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// BinaryVariable names the file of the program that is run in place of this build's.
const BinaryVariable = "DRAWHOUSE_BINARY"

// Patience is how long a condition is waited for. The machine may be slow and busy.
const Patience = 2 * time.Minute

// The program as tests run it, and as people do: with passwords that cost what they should. Neither has what debuggers
// read: a house hashes its own program at every start.
var (
	program = sync.OnceValues(func() (string, error) { return build("-ldflags=-s -w -X drawhouse/house/person.cheap=yes") })
	asBuilt = sync.OnceValues(func() (string, error) { return build("-ldflags=-s -w") })
)

// build builds the program with flags and returns its file. Unlike go build, go run keeps what
// it has linked, so that the packages whose tests need the same program link it once and copy
// it.
func build(flags ...string) (string, error) {
	if name := os.Getenv(BinaryVariable); name != "" {
		return name, nil
	}
	dir, err := os.MkdirTemp("", "drawhouse-outside-")
	if err != nil {
		return "", err
	}
	built.Store(dir, nil)
	name := filepath.Join(dir, "drawhouse")
	args := append(append([]string{"run", "-exec=cp"}, flags...), "drawhouse/cmd/drawhouse", name)
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return name, dependOnSources()
}

// sources has go list print the files of this module that the program is made of.
const sources = `{{if .Module}}{{if .Module.Main}}{{$dir := .Dir}}` +
	`{{range .GoFiles}}{{$dir}}/{{.}}{{"\n"}}{{end}}{{range .EmbedFiles}}{{$dir}}/{{.}}{{"\n"}}{{end}}{{end}}{{end}}`

// dependOnSources looks at every file that the program is made of. Go keeps the result of a test as long as the files
// that the test has looked at stay as they are: a test that only runs the program would keep its result whatever
// becomes of the program.
func dependOnSources() error {
	list, err := exec.Command("go", "list", "-deps", "-f", sources, "drawhouse/cmd/drawhouse").Output()
	if err != nil {
		return fmt.Errorf("the files of the program: %w", err)
	}
	files := strings.Fields(string(list))
	const fewest = 500
	if len(files) < fewest {
		return fmt.Errorf("the program is made of %d files only", len(files))
	}
	for _, name := range files {
		if _, err := os.Stat(name); err != nil {
			return err
		}
	}
	return nil
}

// built has the folders of the programs that were built.
var built sync.Map

// Main runs the tests of a package and removes the program that was built for them. What the
// tests share is ended before that; where it does not end well, the package fails.
func Main(m *testing.M, end ...func() error) {
	status := m.Run()
	for _, f := range end {
		if err := f(); err != nil {
			fmt.Fprintln(os.Stderr, "FAIL:", err)
			status = 1
		}
	}
	Remove()
	os.Exit(status)
}

// Remove removes the programs that were built. Main does it, too.
func Remove() {
	built.Range(func(dir, _ any) bool {
		if dir, ok := dir.(string); ok {
			_ = os.RemoveAll(dir)
		}
		return true
	})
}

// Program returns the file of the program, which is built once for the tests of a package.
func Program(t testing.TB) string {
	t.Helper()
	name, err := program()
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// Process is a running program.
type Process struct {
	t     testing.TB
	cmd   *exec.Cmd
	ended chan struct{} // closed when the process has ended

	// Said is what the process printed when it was ready.
	Said string
	// Log is what it wrote to its standard error.
	Log *Log
}

// Log collects what a process writes.
type Log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// String returns what was written so far.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// Tail returns the last lines.
func (l *Log) Tail(lines int) string {
	all := strings.Split(strings.TrimRight(l.String(), "\n"), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}

// Run runs the program to its end and returns what it printed.
func Run(t testing.TB, args ...string) (out string, err error) {
	t.Helper()
	data, err := command(t, args...).CombinedOutput()
	return string(data), err
}

// Must is Run for what must succeed.
func Must(t testing.TB, args ...string) string {
	t.Helper()
	out, err := Run(t, args...)
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return out
}

func command(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	return commandOf(Program(t), args...)
}

func commandOf(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "DRAWHOUSE_DATABASE=")
	return cmd
}

// Start starts the program and waits until it has printed its first lines. It is killed
// with the test, if it still runs.
func Start(t testing.TB, args ...string) *Process {
	t.Helper()
	p, err := Launch(t, args...)
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return p
}

// Launch is Start for a program that may end at once.
func Launch(t testing.TB, args ...string) (*Process, error) {
	t.Helper()
	return launch(t, command(t, args...))
}

func launch(t testing.TB, cmd *exec.Cmd) (*Process, error) {
	t.Helper()
	p := &Process{t: t, cmd: cmd, ended: make(chan struct{}), Log: &Log{}}
	p.cmd.Stderr = p.Log
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	reader := bufio.NewReader(out)
	line, readErr := reader.ReadString('\n')
	rest, _ := reader.Peek(reader.Buffered()) // The program says everything at once.
	p.Said = line + string(rest)
	go func() {
		_, _ = io.Copy(io.Discard, reader)
		_ = p.cmd.Wait()
		close(p.ended)
	}()
	t.Cleanup(p.Kill)
	if readErr != nil {
		<-p.ended
		return nil, fmt.Errorf("it ends at once: %s", p.Log)
	}
	return p, nil
}

// Alive reports whether the process runs.
func (p *Process) Alive() bool {
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

// Ended is closed when the process has ended.
func (p *Process) Ended() <-chan struct{} { return p.ended }

// Kill ends the process as a loss of power would, as far as a process can tell.
func (p *Process) Kill() {
	_ = p.cmd.Process.Kill()
	<-p.ended
}

// Stop asks the process to end, and expects it to do so in good order.
func (p *Process) Stop() {
	p.t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		p.t.Fatalf("the process has ended: %s", p.Log.Tail(5))
	}
	<-p.ended
	if !p.cmd.ProcessState.Success() {
		p.t.Fatalf("%v: %s", p.cmd.ProcessState, p.Log.Tail(5))
	}
}

// Wait waits until a condition holds.
func Wait(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for deadline := newDeadline(); !holds(); deadline.pause() {
		if deadline.over() {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}
