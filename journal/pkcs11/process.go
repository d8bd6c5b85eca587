package pkcs11

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"drawhouse/core/contain"
)

// program is p11-kit, which loads the vendor's module.
const program = "p11-kit"

// withheld begins the names of variables that the module's process does not get: they may hold secrets of ours.
const withheld = "DRAWHOUSE_"

// A process is one that has loaded a module, and the pipes to it. One goroutine uses it at a time.
type process struct {
	cmd      *exec.Cmd
	to, from *os.File
	said     *tail
	ended    sync.Once
	gone     chan struct{} // closed when the process has ended
	serial   uint32
	short    bool // how mechanisms are written, see request.mechanism
}

// start starts p11-kit with a module, and has the module begin.
func start(module string, deadline time.Time) (*process, error) {
	if _, err := os.Stat(module); err != nil {
		return nil, fmt.Errorf("pkcs11: the module: %w", err)
	}
	p, err := spawn(module, deadline, false)
	if err != nil {
		return nil, err
	}
	// p11-kit ends when it cannot read a message, and has no other way to say which form of a mechanism it reads. The
	// session is none, so that the module refuses this in any case.
	_, err = p.do(callSignInit, newRequest(callSignInit).number(absent).mechanism(mechanismEdDSA, p.short).number(0),
		deadline)
	if e := new(Error); errors.As(err, &e) {
		return p, nil
	}
	p.end()
	if !errors.Is(err, io.EOF) {
		return nil, err
	}
	return spawn(module, deadline, true)
}

func spawn(module string, deadline time.Time, short bool) (_ *process, err error) {
	path, err := exec.LookPath(program)
	if err != nil {
		return nil, fmt.Errorf("pkcs11: %w; install the package p11-kit", err)
	}
	theirIn, to, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	from, theirOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, theirIn.Close(), to.Close())
	}
	p := &process{cmd: exec.Command(path, "remote", module), to: to, from: from, said: new(tail),
		gone: make(chan struct{}), short: short}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = theirIn, theirOut, p.said
	p.cmd.WaitDelay = time.Second
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, withheld) {
			p.cmd.Env = append(p.cmd.Env, variable)
		}
	}
	err = p.cmd.Start()
	if err := errors.Join(err, theirIn.Close(), theirOut.Close()); err != nil {
		return nil, errors.Join(err, to.Close(), from.Close())
	}
	if err := p.greet(deadline); err != nil {
		p.end()
		return nil, err
	}
	return p, nil
}

// greet agrees on the protocol and has the module begin.
func (p *process) greet(deadline time.Time) error {
	if err := p.until(deadline); err != nil {
		return err
	}
	if _, err := p.to.Write([]byte{0}); err != nil { // version 0 of the protocol
		return p.explain(err)
	}
	if _, err := io.ReadFull(p.from, make([]byte, 1)); err != nil {
		return p.explain(err)
	}
	_, err := p.do(callInitialize, newRequest(callInitialize).array([]byte(handshake)).byte(0).array([]byte{0}), deadline)
	return err
}

func (p *process) until(deadline time.Time) error {
	return errors.Join(p.to.SetDeadline(deadline), p.from.SetDeadline(deadline))
}

// do sends a message and returns the answer. After an error that is no *Error the process is of no use.
func (p *process) do(c call, r *request, deadline time.Time) (*answer, error) {
	if err := p.until(deadline); err != nil {
		return nil, err
	}
	p.serial++
	if _, err := p.to.Write(r.finish(p.serial)); err != nil {
		return nil, p.explain(err)
	}
	body, err := readFrame(p.from, p.serial)
	if err != nil {
		return nil, p.explain(err)
	}
	return readAnswer(body, c)
}

// errSilent means that the module did not answer in time.
var errSilent = errors.New("the token does not answer")

// explain says why there is no answer.
func (p *process) explain(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return fmt.Errorf("pkcs11: %w in time", errSilent)
	}
	p.end()
	select {
	case <-p.gone: // and has said why.
	case <-time.After(time.Second):
	}
	if said := p.said.String(); said != "" {
		return fmt.Errorf("pkcs11: %s: %w: %s", program, err, said)
	}
	return fmt.Errorf("pkcs11: %s ended: %w; does it load the module %s?", program, err, p.cmd.Args[len(p.cmd.Args)-1])
}

// end ends the process, whatever its module does.
func (p *process) end() {
	p.ended.Do(func() {
		_ = p.cmd.Process.Kill()
		_ = errors.Join(p.to.Close(), p.from.Close())
		contain.Go("waiting for "+program, p.cmd.Wait, func(error) { close(p.gone) })
	})
}

// tail keeps the end of what a process says, for a message.
type tail struct {
	mu   sync.Mutex // guards what follows
	last []byte
}

const mostSaid = 512

func (t *tail) Write(data []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = append(t.last, data...)
	t.last = bytes.Clone(t.last[max(0, len(t.last)-mostSaid):])
	return len(data), nil
}

// String returns it as one line.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Join(strings.Fields(strings.ToValidUTF8(string(t.last), "?")), " ")
}
