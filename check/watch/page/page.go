package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"drawhouse/check/policy"
	"drawhouse/check/watch"
	"drawhouse/journal/public"
)

// What a page keeps at most.
const (
	mostEntries     = 500
	mostCheckpoints = 50
	mostFindings    = 1000
)

// State is what a page shows, and what it gives as JSON.
type State struct {
	Log     string   `json:"log"`               // address
	Key     string   `json:"key"`               // that the reader trusts
	Asked   []string `json:"witnesses"`         // whose cosignatures are looked for
	Started string   `json:"started,omitempty"` // when the reader began, RFC 3339
	Looked  string   `json:"looked,omitempty"`  // when the log was read last
	Trouble string   `json:"trouble,omitempty"` // why the log could not be read since
	Entries uint64   `json:"entries"`           // read so far
	// Kinds counts the entries, Findings are the first and Found counts all of them.
	Kinds       map[public.Kind]uint64 `json:"kinds"`
	Found       uint64                 `json:"found"`
	Findings    []Finding              `json:"findings"`
	Checkpoints []Checkpoint           `json:"checkpoints"` // newest first
	Newest      []Entry                `json:"newest"`      // newest first
}

// Finding is something that cannot be in the log of an honest house.
type Finding struct {
	Entry uint64      `json:"entry"`
	Code  public.Code `json:"code"`
	Says  string      `json:"says"`
	Seen  string      `json:"seen"`
}

// Checkpoint is a checkpoint of the log that held.
type Checkpoint struct {
	Origin string   `json:"origin"`
	Size   uint64   `json:"size"`
	Root   string   `json:"root"`
	By     []string `json:"cosigned_by"`
	Seen   string   `json:"seen"`
}

// Entry is an entry of the log.
type Entry struct {
	Index uint64      `json:"index"`
	Time  string      `json:"time"`
	Kind  public.Kind `json:"kind"`
	Words string      `json:"words"`
}

// A Page is what is shown of one log.
type Page struct {
	now    func() time.Time
	mu     sync.Mutex // guards all below
	state  State
	looked time.Time
}

// New returns the page of a log that nobody has read yet. The policy is the reader's; nil asks for no witness.
func New(log, key string, asks *policy.Policy, now func() time.Time) *Page {
	p := &Page{now: now, state: State{Log: log, Key: key, Asked: []string{},
		Kinds: map[public.Kind]uint64{}, Findings: []Finding{}, Checkpoints: []Checkpoint{}, Newest: []Entry{}}}
	if asks != nil {
		for _, w := range asks.Witnesses {
			p.state.Asked = append(p.state.Asked, w.Key.Name())
		}
	}
	p.state.Started = written(now())
	return p
}

func written(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// Told takes in an entry that was read.
func (p *Page) Told(index uint64, e *public.Entry) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state.Entries = index + 1
	p.state.Kinds[e.Kind]++
	at := written(time.UnixMilli(int64(e.Millis))) //nolint:gosec // Read as such.
	p.state.Newest = first(mostEntries, Entry{index, at, e.Kind, watch.Words(e)}, p.state.Newest)
}

// first puts one before a list, which is kept short. The list that others may be reading stays as it is.
func first[T any](most int, one T, list []T) []T {
	return slices.Concat([]T{one}, list[:min(len(list), most-1)])
}

// Looked takes in what came of looking at the log. A page that is nil takes nothing in.
func (p *Page) Looked(look watch.Look, err error) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	for _, f := range look.Findings {
		p.state.Found++
		if len(p.state.Findings) < mostFindings {
			p.state.Findings = append(slices.Clip(p.state.Findings), Finding{f.Entry, f.Code, f.Says, written(now)})
		}
	}
	if err != nil {
		p.state.Trouble = err.Error()
		return
	}
	p.looked, p.state.Looked, p.state.Trouble = now, written(now), ""
	c := look.Checkpoint
	next := Checkpoint{c.Origin, c.Size, c.Root.String(), append([]string{}, look.By...), written(now)}
	if len(look.Findings) > 0 || c.Size == 0 {
		return
	}
	if held := p.state.Checkpoints; len(held) > 0 && held[0].Size == c.Size {
		next.Seen = held[0].Seen
		p.state.Checkpoints = slices.Concat([]Checkpoint{next}, held[1:]) // Others may have cosigned it since.
		return
	}
	p.state.Checkpoints = first(mostCheckpoints, next, p.state.Checkpoints)
}

// State returns what the page shows now.
func (p *Page) State() State {
	p.mu.Lock()
	defer p.mu.Unlock()
	state := p.state
	state.Kinds = make(map[public.Kind]uint64, len(p.state.Kinds))
	for kind, n := range p.state.Kinds {
		state.Kinds[kind] = n
	}
	return state
}

// ServeHTTP serves the page at /, the same as JSON at /state.json and metrics at /metrics.
func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "This page is only read.", http.StatusMethodNotAllowed)
		return
	}
	var b bytes.Buffer
	media, err := "", error(nil)
	switch state := p.State(); r.URL.Path {
	case "/":
		media, err = "text/html; charset=utf-8", shown.Execute(&b, state)
	case "/state.json":
		media, err = "application/json", json.NewEncoder(&b).Encode(state)
	case "/metrics":
		media = "text/plain; version=0.0.4; charset=utf-8"
		p.metrics(&b, state)
	default:
		http.NotFound(w, r)
		return
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", media)
	h.Set("Content-Security-Policy", guard)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(b.Bytes()) // An error means that the reader is gone.
}

// metrics writes what a program watches that calls people.
func (p *Page) metrics(b *bytes.Buffer, state State) {
	gauge := func(name, help string, value any) {
		fmt.Fprintf(b, "# HELP drawhouse_watch_%[1]s %[2]s\n# TYPE drawhouse_watch_%[1]s gauge\ndrawhouse_watch_%[1]s %[3]v\n", name,
			help, value)
	}
	cosigned, size := 0, uint64(0)
	if len(state.Checkpoints) > 0 {
		cosigned, size = len(state.Checkpoints[0].By), state.Checkpoints[0].Size
	}
	p.mu.Lock()
	looked := int64(0)
	if !p.looked.IsZero() {
		looked = p.looked.Unix()
	}
	p.mu.Unlock()
	readable := 1
	if state.Trouble != "" || looked == 0 {
		readable = 0
	}
	gauge("findings", "Lies that were found in the log.", state.Found)
	gauge("entries", "Entries that were read.", state.Entries)
	gauge("checkpoint_entries", "Entries below the newest checkpoint that held.", size)
	gauge("checkpoint_cosigners", "Witnesses of the reader that have cosigned it.", cosigned)
	gauge("readable", "1 if the log could be read when it was looked at last.", readable)
	gauge("looked_seconds", "When the log was read last, in seconds since 1970.", looked)
}
