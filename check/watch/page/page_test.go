package page_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"drawhouse/check/watch"
	"drawhouse/check/watch/page"
	"drawhouse/journal"
	"drawhouse/journal/public"
)

const known = "keno.example/log+00000000+AQ"

// told returns a page that was told of entries of a day.
func told(t *testing.T, now func() time.Time) *page.Page {
	t.Helper()
	p := page.New("https://keno.example/v1/log", known, nil, now)
	for i := range 600 {
		e, err := public.Parse(fmt.Appendf(nil, "drawhouse/log/v1\nkind game-opened\ntime %d\nrecord 1:%d\nseries vic-keno\nday 2026-11-15\n"+
			"game %d\nid %d\ncloses 5000\nrulebook %v\nschedule 1\n", 1_794_711_840_000+i, i, i, i, journal.LeafHash(nil)))
		if err != nil {
			t.Fatal(err)
		}
		p.Told(uint64(i), e)
	}
	return p
}

func get(t *testing.T, p *page.Page, method, path string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	p.ServeHTTP(w, httptest.NewRequest(method, path, nil))
	return w
}

func state(t *testing.T, p *page.Page) (s page.State) {
	t.Helper()
	if err := json.Unmarshal(get(t, p, http.MethodGet, "/state.json").Body.Bytes(), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestPage tells a page of entries, checkpoints, trouble and lies, and reads it in its three forms.
func TestPage(t *testing.T) {
	at := time.Date(2026, 11, 15, 3, 0, 0, 0, time.UTC)
	p := told(t, func() time.Time { return at })
	says := func(path, want string) {
		t.Helper()
		if text := get(t, p, http.MethodGet, path).Body.String(); !strings.Contains(text, want) {
			t.Errorf("%s does not say %q but\n%.2000s", path, want, text)
		}
	}
	says("/", "The log was not read yet.")
	says("/", "Your browser checks nothing on this page")
	says("/metrics", "drawhouse_watch_readable 0\n")
	look := watch.Look{Checkpoint: journal.Checkpoint{Origin: "keno.example/log", Size: 600, Root: journal.LeafHash(nil)},
		By: []string{"inspector.example"}, Read: 600}
	p.Looked(look, nil)
	says("/", "Nothing was found that an honest house does not write, in 600 entries.")
	says("/", "Game 599 of vic-keno on 2026-11-15 is on sale.")
	says("/metrics", "drawhouse_watch_readable 1\n")
	says("/metrics", "drawhouse_watch_checkpoint_cosigners 1\n")
	says("/metrics", fmt.Sprintf("drawhouse_watch_looked_seconds %d\n", at.Unix()))
	if s := state(t, p); len(s.Newest) != 500 || s.Newest[0].Index != 599 || s.Kinds[public.Opened] != 600 ||
		len(s.Checkpoints) != 1 {
		t.Errorf("%d entries, %d checkpoints, %+v", len(s.Newest), len(s.Checkpoints), s.Kinds)
	}
	at = at.Add(time.Minute)
	look.By = append(look.By, "university.example")
	p.Looked(look, nil) // The same checkpoint, which another one has cosigned since.
	if s := state(t, p); len(s.Checkpoints) != 1 || len(s.Checkpoints[0].By) != 2 ||
		s.Checkpoints[0].Seen != "2026-11-15T03:00:00Z" {
		t.Errorf("%+v", s.Checkpoints)
	}
	p.Looked(watch.Look{}, errors.New("the house <is> away"))
	says("/", "The log cannot be read now: the house &lt;is&gt; away")
	says("/metrics", "drawhouse_watch_readable 0\n")
	lie := &public.Finding{Entry: 7, Code: public.SecondSeal, Says: "a lie"}
	p.Looked(watch.Look{Checkpoint: look.Checkpoint, Findings: []*public.Finding{lie}}, nil)
	says("/", "This is not the log of an honest house.")
	says("/", "second-seal")
	says("/metrics", "drawhouse_watch_findings 1\n")
	if w := get(t, p, http.MethodPost, "/"); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", w.Code)
	}
	if w := get(t, p, http.MethodGet, "/else"); w.Code != http.StatusNotFound {
		t.Errorf("elsewhere: %d", w.Code)
	}
}

// TestFindingsAreBounded counts every finding and keeps the first.
func TestFindingsAreBounded(t *testing.T) {
	p := page.New("log", known, nil, time.Now)
	for range 1001 {
		p.Looked(watch.Look{Findings: []*public.Finding{{Code: public.SecondSeal}}}, nil)
	}
	if s := state(t, p); s.Found != 1001 || len(s.Findings) != 1000 {
		t.Errorf("%d found, %d kept", s.Found, len(s.Findings))
	}
}
