package api

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"drawhouse/core/limit"
	"drawhouse/core/refusal"
)

// RequestID is the header that names a request, in the answer always. A client or a
// proxy that names its requests itself is followed.
const RequestID = "X-Request-Id"

// Exchange is a request and what became of it, without anything that is somebody's
// secret: no body, no query, no value of the path, no header.
type Exchange struct {
	ID        string
	Operation string // method and pattern, such as GET /v1/tickets/{serial}
	From      string // the address
	Terminal  uint32 // that signed it, or 0
	Person    uint32 // who is signed on, or 0
	SignedOn  uint32 // who has signed on by this request, or 0
	Status    int
	Code      refusal.Code // of an answer that refuses
	Bytes     int64        // of the answer
	Streamed  bool         // the answer was a stream
	Took      time.Duration

	asked asked
}

type exchangeKey struct{}

// exchangeOf returns the exchange that a request belongs to, or one that nobody looks
// at.
func exchangeOf(ctx context.Context) *Exchange {
	if e, ok := ctx.Value(exchangeKey{}).(*Exchange); ok {
		return e
	}
	return &Exchange{}
}

// exchanges numbers the requests of a process.
type exchanges struct {
	log     *slog.Logger
	observe func(Exchange)
	process string
	last    atomic.Uint64
	pushed  pushed
}

// pushedEvery is how often the log is told of requests that were pushed back.
const pushedEvery = 10 * time.Second

// pushed counts requests that the house pushed back because too much was under way. A flood
// of them is told to the log once in a while and not line by line.
type pushed struct {
	mu    sync.Mutex // guards what follows
	count uint64
	told  time.Time
}

// add counts one, and returns how many there were since the log was told last, or 0 if it
// is too early to tell it again.
func (p *pushed) add(now time.Time) uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count++
	if now.Sub(p.told) < pushedEvery {
		return 0
	}
	count := p.count
	p.count, p.told = 0, now
	return count
}

// Observed returns a handler that names every request, tells the log of it and shows it
// to observe, which may be nil. Requests that went well are told at level debug:
// there are thousands a second.
func Observed(next http.Handler, log *slog.Logger, observe func(Exchange)) http.Handler {
	if log == nil {
		log = discard
	}
	if observe == nil {
		observe = func(Exchange) {}
	}
	x := &exchanges{log: log, observe: observe, process: strings.ToLower(rand.Text()[:8])}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { x.serve(w, r, next) })
}

func (x *exchanges) serve(w http.ResponseWriter, r *http.Request, next http.Handler) {
	begun := time.Now()
	e := &Exchange{ID: r.Header.Get(RequestID), From: limit.Address(r)}
	if !isRequestID(e.ID) {
		e.ID = fmt.Sprintf("%s-%d", x.process, x.last.Add(1))
	}
	w.Header()[RequestID] = []string{e.ID}
	r = r.WithContext(context.WithValue(r.Context(), exchangeKey{}, e))
	counting := &countingWriter{ResponseWriter: w, exchange: e}
	defer func() {
		e.Took = time.Since(begun)
		e.Operation = operationOf(r)
		if e.Status == 0 {
			e.Status = http.StatusOK
		}
		e.Streamed = strings.HasPrefix(w.Header().Get("Content-Type"), "text/event-stream")
		x.tell(r.Context(), e)
		x.observe(*e)
	}()
	next.ServeHTTP(counting, r)
}

// operationOf names what a request that was routed asks for. What somebody typed is not made a
// label.
func operationOf(r *http.Request) string {
	if r.Pattern == "" || r.Pattern == "/" {
		return "other"
	}
	return r.Pattern
}

// tell logs an exchange.
func (x *exchanges) tell(ctx context.Context, e *Exchange) {
	level := slog.LevelDebug
	if e.Code == Busy || e.Code == TooManyStreams {
		if n := x.pushed.add(time.Now()); n > 0 {
			x.log.WarnContext(ctx, "requests were pushed back", "count", n, "code", string(e.Code), "operation",
				e.Operation)
		}
	}
	// What a house lacks is told by who finds it out, and that it follows is no fault:
	// a balancer asks every second.
	if e.Status >= http.StatusInternalServerError && e.Code != NotReady && e.Code != Busy && e.Code != TooManyStreams {
		level = slog.LevelWarn
	}
	if !x.log.Enabled(ctx, level) {
		return
	}
	attrs := []slog.Attr{
		slog.String(requestIDKey, e.ID), slog.String("operation", e.Operation), slog.Int("status", e.Status),
		slog.String("from", e.From), slog.Duration("took", e.Took), slog.Int64("bytes", e.Bytes),
	}
	if e.Terminal != 0 {
		attrs = append(attrs, slog.Uint64("terminal", uint64(e.Terminal)))
	}
	if e.Person != 0 {
		attrs = append(attrs, slog.Uint64("person", uint64(e.Person)))
	}
	if e.Code != "" {
		attrs = append(attrs, slog.String("code", string(e.Code)))
	}
	x.log.LogAttrs(ctx, level, "request", attrs...)
}

// isRequestID reports whether a name that somebody gave can stand in a log.
func isRequestID(id string) bool {
	if id == "" || len(id) > 64 {
		return false
	}
	for _, c := range id {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_' && c != '.' {
			return false
		}
	}
	return true
}

// countingWriter notes what is answered.
type countingWriter struct {
	http.ResponseWriter
	exchange *Exchange
}

// Unwrap is for http.ResponseController.
func (w *countingWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *countingWriter) WriteHeader(status int) {
	if w.exchange.Status == 0 {
		w.exchange.Status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *countingWriter) Write(data []byte) (int, error) {
	if w.exchange.Status == 0 {
		w.exchange.Status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(data)
	w.exchange.Bytes += int64(n)
	return n, err
}
