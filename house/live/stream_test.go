package live

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"drawhouse/internal/livetest"
	"drawhouse/journal/record"
)

// The tests of streams run in a bubble of package synctest: its clock is the
// bubble's, and a goroutine that outlives the test fails it.

// serve runs a server of a hub's events on pipes, which hold no byte that was
// not read, and returns how to connect to it.
func serve(t *testing.T, hub *Hub) (connect func(after ID) *bufio.Reader, stop func()) {
	t.Helper()
	l := &pipes{conns: make(chan net.Conn), closed: make(chan struct{})}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		after, err := ParseID(r.URL.Query().Get("after"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if err := hub.Stream(w, r, after); err != nil {
			t.Error(err)
		}
	}), ReadTimeout: 15 * time.Second, WriteTimeout: 15 * time.Second}
	done := make(chan error)
	go func() { done <- server.Serve(l) }()
	var clients []net.Conn
	connect = func(after ID) *bufio.Reader {
		client, other := net.Pipe()
		clients = append(clients, client)
		l.conns <- other
		if _, err := fmt.Fprintf(client, "GET /?after=%v HTTP/1.0\r\n\r\n", after); err != nil {
			t.Fatal(err)
		}
		return bufio.NewReader(client)
	}
	stop = func() {
		for _, c := range clients {
			c.Close()
		}
		server.Close()
		if err := <-done; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	}
	return connect, stop
}

// pipes is a listener whose connections are made by the test.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipes"} }

// readHeader reads a response's header and returns its fields.
func readHeader(t *testing.T, r *bufio.Reader) string {
	t.Helper()
	var header strings.Builder
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if line == "\r\n" {
			return header.String()
		}
		header.WriteString(line)
	}
}

// readFrame reads one event and returns its name and its text.
func readFrame(r *bufio.Reader) (name, frame string, err error) {
	var b strings.Builder
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return "", "", err
		}
		b.WriteString(line)
		if rest, ok := strings.CutPrefix(line, "event: "); ok {
			name = strings.TrimSpace(rest)
		}
		if line == "\n" {
			return name, b.String(), nil
		}
	}
}

// readEvents reads events that are not ticks.
func readEvents(t *testing.T, r *bufio.Reader, count int) string {
	t.Helper()
	var b strings.Builder
	for count > 0 {
		name, frame, err := readFrame(r)
		if err != nil {
			t.Fatal(err)
		}
		if name != TickName {
			b.WriteString(frame)
			count--
		}
	}
	return b.String()
}

func TestStreamTellsWhatWasAndWhatComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := livetest.New(t)
		hub := follow(t, h, Options{Source: h}, small)
		someGames(h)
		connect, stop := serve(t, hub)
		defer stop()
		after := ID{Volume: 1, Seq: 40}
		was := eventsAfter(t, hub, after)
		r := connect(after)
		header := readHeader(t, r)
		if !strings.Contains(header, "Content-Type: text/event-stream") ||
			!strings.Contains(header, "Cache-Control: no-store") {
			t.Errorf("header %s", header)
		}
		if got, want := readEvents(t, r, len(was)), frames(was); got != want {
			t.Errorf("told\n%s\nwant\n%s", got, want)
		}
		for _, number := range []int{44, 45, 46} {
			newest := hub.Newest()
			h.Draw(number)
			if got, want := readEvents(t, r, 1), frames(eventsAfter(t, hub, newest)); got != want {
				t.Errorf("told\n%s\nwant\n%s", got, want)
			}
		}
	})
}

func TestTicks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hub := NewHub(Options{Tick: 7 * time.Second})
		connect, stop := serve(t, hub)
		defer stop()
		begin := time.Now()
		r := connect(ID{})
		readHeader(t, r)
		for i := range 4 {
			name, frame, err := readFrame(r)
			if want := time.Duration(i) * 7 * time.Second; err != nil || name != TickName || time.Since(begin) != want {
				t.Errorf("%s after %v, %v; want a tick after %v", frame, time.Since(begin), err, want)
			}
			if !strings.Contains(frame, begin.Add(time.Since(begin)).Format(time.RFC3339)[:19]) {
				t.Errorf("the tick does not tell the time: %s", frame)
			}
		}
	})
}

func TestResetWhenItCannotBeTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := livetest.New(t)
		hub := follow(t, h, Options{Source: h}, limits{chunkEvents: 7, encoded: 1, chunks: 2})
		someGames(h)
		connect, stop := serve(t, hub)
		defer stop()
		for _, after := range []ID{{Volume: 1, Seq: 5}, {Volume: 9, Seq: 0}} {
			r := connect(after)
			readHeader(t, r)
			newest := hub.Newest()
			want := fmt.Sprintf("id: %v\nevent: reset\ndata: {\"id\":\"%v\"}\n\n", newest, newest)
			if got := readEvents(t, r, 1); got != want {
				t.Errorf("after %v: %s", after, got)
			}
			h.Draw(60 + int(after.Volume))
			if got, want := readEvents(t, r, 1), frames(eventsAfter(t, hub, newest)); got != want {
				t.Errorf("the stream does not go on: %s", got)
			}
		}
	})
}

// TestSlowClientIsCutOff has a client that reads nothing. The house goes on at
// once, the other client is told everything, and the slow one is cut off when
// the hub's patience ends.
func TestSlowClientIsCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := livetest.New(t)
		hub := follow(t, h, Options{Patience: 5 * time.Second, Tick: time.Hour}, defaultLimits)
		connect, stop := serve(t, hub)
		defer stop()
		slow, quick := connect(ID{}), connect(ID{})
		for _, r := range []*bufio.Reader{slow, quick} {
			readHeader(t, r)
			if name, _, err := readFrame(r); name != TickName || err != nil {
				t.Fatalf("%s, %v", name, err)
			}
		}
		begin := time.Now()
		someGames(h)
		if waited := time.Since(begin); waited != 0 {
			t.Errorf("the house waited %v", waited)
		}
		all := eventsAfter(t, hub, ID{})
		if got := readEvents(t, quick, len(all)); got != frames(all) {
			t.Error("the quick client was not told everything")
		}
		time.Sleep(6 * time.Second)
		rest, err := io.ReadAll(slow)
		if err != nil {
			t.Fatal(err)
		}
		if len(rest) >= len(frames(all)) {
			t.Errorf("the slow client was not cut off: %d bytes", len(rest))
		}
	})
}

func TestStreamsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := livetest.New(t)
		hub := follow(t, h, Options{}, small)
		connect, stop := serve(t, hub)
		defer stop()
		r := connect(ID{})
		readHeader(t, r)
		if _, _, err := readFrame(r); err != nil {
			t.Fatal(err)
		}
		hub.Close()
		hub.Close()
		var again int
		rest, err := io.ReadAll(r)
		if _, scanned := fmt.Sscanf(string(rest), "retry: %d\n\n", &again); err != nil || scanned != nil || again < 1000 ||
			again > 5000 {
			t.Errorf("after the close: %q, %v", rest, err)
		}
		if hub.Board().House.Name == "" {
			t.Error("no board after the close")
		}
	})
}

// TestManyFollowers has readers that follow while the house goes on; all are
// told the same. It is for the race detector.
func TestManyFollowers(t *testing.T) {
	h := livetest.New(t)
	hub := follow(t, h, Options{Source: h}, small)
	done := make(chan struct{})
	told := make([]string, 16)
	var group sync.WaitGroup
	for i := range told {
		group.Go(func() { told[i] = followUntil(t.Context(), t, hub, done) })
	}
	for _, d := range []string{"2026-11-15", "2026-11-16"} {
		h.OpenDay(d)
		h.Play(3)
		h.CloseDay()
	}
	close(done)
	group.Wait()
	want := frames(eventsAfter(t, hub, ID{}))
	for i, got := range told {
		if got != want {
			t.Errorf("reader %d was told\n%s\nwant\n%s", i, got, want)
		}
	}
}

// followUntil reads all events until done is closed and there are no more.
func followUntil(ctx context.Context, t *testing.T, hub *Hub, done <-chan struct{}) string {
	var b strings.Builder
	var id ID
	for {
		ended := false
		select {
		case <-done:
			ended = true
		default:
		}
		if _, err := hub.AppendBoard(nil); err != nil {
			t.Error(err)
		}
		events, changed, err := hub.After(ctx, id)
		if err != nil {
			t.Error(err)
			return ""
		}
		for _, e := range events {
			b.Write(e.frame)
			id = e.ID
		}
		if len(events) > 0 {
			continue
		}
		if ended {
			return b.String()
		}
		select {
		case <-changed:
		case <-done:
		}
	}
}

// sink is a client that takes everything at once and counts it.
type sink struct {
	header http.Header
	events *sync.WaitGroup
}

func (s *sink) Header() http.Header { return s.header }
func (s *sink) WriteHeader(int)     {}
func (s *sink) Flush()              {}
func (s *sink) Write(b []byte) (int, error) {
	if strings.HasPrefix(string(b), "id: ") {
		s.events.Done()
	}
	return len(b), nil
}

// BenchmarkFanOut measures from the commit of a number until ten thousand clients
// have taken it. Sockets come on top.
func BenchmarkFanOut(b *testing.B) {
	const clients = 10_000
	h := livetest.New(b)
	h.OpenDay("2026-11-15")
	h.Open(time.Minute)
	h.Close()
	hub := NewHub(Options{})
	if err := hub.Committed(record.Place{Volume: 1}, h.Records()); err != nil {
		b.Fatal(err)
	}
	h.Commit = hub.Committed
	var told, streams sync.WaitGroup
	request, err := http.NewRequest(http.MethodGet, "/", nil)
	if err != nil {
		b.Fatal(err)
	}
	newest := hub.Newest()
	for range clients {
		streams.Go(func() {
			if err := hub.Stream(&sink{http.Header{}, &told}, request, newest); err != nil {
				b.Error(err)
			}
		})
	}
	for b.Loop() {
		told.Add(clients)
		h.Draw(42)
		told.Wait()
	}
	hub.Close()
	streams.Wait()
}

// TestStreamOutlivesTimeouts follows a quiet house for an hour on a server that
// gives every request fifteen seconds.
func TestStreamOutlivesTimeouts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hub := NewHub(Options{})
		connect, stop := serve(t, hub)
		r := connect(ID{})
		readHeader(t, r)
		for begin := time.Now(); time.Since(begin) < time.Hour; {
			if name, _, err := readFrame(r); err != nil || name != TickName {
				t.Fatalf("after %v: %q, %v", time.Since(begin), name, err)
			}
		}
		stop()
		synctest.Wait()
	})
}
