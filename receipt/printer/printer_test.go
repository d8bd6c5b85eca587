package printer

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"slices"
	"sync"
	"testing"
	"time"
)

// fake is a printer. Its answers are by question; a question without one is not
// answered.
type fake struct {
	answers map[string]byte
	hangUp  int // bytes after which it hangs up; 0: never

	mu  sync.Mutex
	got []byte // what is not a question
}

func (f *fake) start(t *testing.T) Address {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			f.serve(conn)
		}
	}()
	address, err := ParseAddress("tcp://" + listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return address
}

func (f *fake) serve(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	questions := []string{askState, askOffline, askError, askPaper, askThrough}
	var line []byte
	b := make([]byte, 1)
	for seen := 1; ; seen++ {
		if _, err := conn.Read(b); err != nil || seen == f.hangUp {
			return
		}
		line = append(line, b[0])
		question := ""
		for _, q := range questions {
			if rest, ok := bytes.CutSuffix(line, []byte(q)); ok {
				line, question = rest, q
			}
		}
		f.mu.Lock()
		f.got = slices.Clone(line)
		f.mu.Unlock()
		if answer, ok := f.answers[question]; ok {
			if _, err := conn.Write([]byte{answer}); err != nil {
				return
			}
		}
	}
}

func (f *fake) printed() []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.got
}

// well is a printer without a care.
func well() map[string]byte {
	return map[string]byte{askState: 0x16, askOffline: 0x12, askError: 0x12, askPaper: 0x12, askThrough: 0x00}
}

func with(changes map[string]byte, without ...string) map[string]byte {
	all := well()
	for q, a := range changes {
		all[q] = a
	}
	for _, q := range without {
		delete(all, q)
	}
	return all
}

func send(t *testing.T, to Address, data []byte, within time.Duration) (Result, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	return Send(ctx, to, data)
}

func TestPrinted(t *testing.T) {
	paper := bytes.Repeat([]byte("a receipt\n"), 2000)
	for name, c := range map[string]struct {
		answers map[string]byte
		want    Result
	}{
		"well":           {well(), Result{Confirmed: true}},
		"little paper":   {with(map[string]byte{askPaper: 0x1e}), Result{Confirmed: true, LowPaper: true}},
		"little at last": {with(map[string]byte{askThrough: 0x03}), Result{Confirmed: true, LowPaper: true}},
		"says nothing":   {nil, Result{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &fake{answers: c.answers}
			got, err := send(t, f.start(t), paper, 10*time.Second)
			if err != nil || got != c.want {
				t.Fatalf("%+v, %v", got, err)
			}
			for deadline := time.Now().Add(time.Minute); len(f.printed()) < len(paper) &&
				time.Now().Before(deadline); time.Sleep(time.Millisecond) {
				continue // A printer that says nothing may still be reading.
			}
			if !bytes.Equal(f.printed(), paper) {
				t.Errorf("%d bytes of %d were printed", len(f.printed()), len(paper))
			}
		})
	}
}

func TestFailures(t *testing.T) {
	for name, c := range map[string]struct {
		answers map[string]byte
		hangUp  int
		state   State
		printed bool
	}{
		"no paper":         {with(map[string]byte{askPaper: 0x72}), 0, NoPaper, false},
		"open":             {with(map[string]byte{askState: 0x1a, askOffline: 0x16}), 0, CoverOpen, false},
		"offline, paper":   {with(map[string]byte{askState: 0x1a, askOffline: 0x32}), 0, NoPaper, false},
		"knife":            {with(map[string]byte{askState: 0x1a, askOffline: 0x52, askError: 0x1a}), 0, KnifeStuck, false},
		"fault":            {with(map[string]byte{askState: 0x1a, askOffline: 0x52}), 0, Faulty, false},
		"offline":          {with(map[string]byte{askState: 0x1a}), 0, Offline, false},
		"offline, no word": {with(map[string]byte{askState: 0x1a}, askOffline), 0, Offline, false},
		"hangs up":         {well(), 2, Lost, false},
		"hangs up later":   {well(), 100, Lost, true},
		"paper ends":       {with(map[string]byte{askThrough: 0x0f}), 0, NoPaper, true},
		"never through":    {with(nil, askThrough), 0, Unfinished, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &fake{answers: c.answers, hangUp: c.hangUp}
			_, err := send(t, f.start(t), bytes.Repeat([]byte("x"), 5000), 4*time.Second)
			failure, ok := errors.AsType[*Failure](err)
			if !ok || failure.State != c.state || failure.MayHavePrinted() != c.printed {
				t.Fatalf("%v", err)
			}
			if sentences[failure.State] == "" || failure.Error() == "" {
				t.Errorf("%s has no sentence", failure.State)
			}
			if !c.printed && bytes.Contains(f.printed(), []byte("x")) {
				t.Error("something was printed")
			}
		})
	}
}

// TestUnreachable: nobody listens, or somebody who never takes anything.
func TestUnreachable(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := Address{listener.Addr().String()}
	released := make(chan struct{})
	stuck := func() {
		conn, err := listener.Accept()
		if err == nil {
			defer func() { _ = conn.Close() }()
			_, _ = io.ReadFull(conn, make([]byte, 10))
			<-released
		}
	}
	go stuck()
	_, err = send(t, address, make([]byte, 64<<20), 2*time.Second) // It would wait for ever.
	close(released)
	if failure, ok := errors.AsType[*Failure](err); !ok || failure.State != Lost || !failure.MayHavePrinted() {
		t.Errorf("a printer that takes nothing: %v", err)
	}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = send(t, address, []byte("x"), 2*time.Second)
	if failure, ok := errors.AsType[*Failure](err); !ok || failure.State != Unreachable || failure.MayHavePrinted() {
		t.Errorf("nobody listens: %v", err)
	}
	if _, err := Send(context.Background(), address, nil); err == nil {
		t.Error("printed without a deadline")
	}
}

func TestParseAddress(t *testing.T) {
	for text, want := range map[string]string{
		"tcp://printer": "tcp://printer:9100", "tcp://10.0.0.7:9101": "tcp://10.0.0.7:9101",
		"tcp://[::1]": "tcp://[::1]:9100",
		"printer":     "", "http://printer": "", "tcp://": "", "tcp://a/b": "", "tcp://a:b": "", "": "", "tcp://u@a": "",
	} {
		got, err := ParseAddress(text)
		if (err == nil) != (want != "") || err == nil && got.String() != want {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
}
