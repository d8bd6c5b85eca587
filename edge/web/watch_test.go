package web

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"drawhouse/check/watch"
	"drawhouse/check/watch/page"
	"drawhouse/journal"
	"drawhouse/journal/public"
)

// TestWatchPage opens the page of somebody who follows a log, of an honest one and of one with a lie, at the size of a
// phone and of a desk, in the light and in the dark.
func TestWatchPage(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	said := complaints(t, ctx)
	p := page.New("https://keno.example/v1/log", "keno.example/log+5a3b0c1d+"+strings.Repeat("A", 44), nil, time.Now)
	for i := range 40 {
		e, err := public.Parse(fmt.Appendf(nil, "drawhouse/log/v1\nkind game-opened\ntime %d\nrecord 1:%d\nseries vic-keno\n"+
			"day 2026-11-15\ngame %d\nid %d\ncloses 5000\nrulebook %v\nschedule 1\n", 1_794_711_840_000+i, i, i, i, journal.LeafHash(nil)))
		if err != nil {
			t.Fatal(err)
		}
		p.Told(uint64(i), e)
	}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	look := watch.Look{Checkpoint: journal.Checkpoint{Origin: "keno.example/log", Size: 40, Root: journal.LeafHash(nil)},
		By: []string{"inspector.example", "university.example"}}
	p.Looked(look, nil)
	open := func(wait string) string {
		t.Helper()
		if err := chromedp.Do(ctx, chromedp.Navigate(server.URL+"/")); err != nil {
			t.Fatal(err)
		}
		return awaitText(t, ctx, wait)
	}
	text := open("Nothing was found that an honest house does not write, in 40 entries.")
	for _, want := range []string{"Game 39 of vic-keno on 2026-11-15 is on sale.", "inspector.example, university.example",
		journal.LeafHash(nil).String()} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q but\n%s", want, text)
		}
	}
	looks(t, ctx)
	p.Looked(watch.Look{Checkpoint: look.Checkpoint, Findings: []*public.Finding{{Entry: 7, Code: public.SecondSeal,
		Says: "vic-keno 2026-11-15 417 has two seals"}}}, nil)
	open("This is not the log of an honest house.")
	if text := awaitText(t, ctx, "second-seal"); !strings.Contains(text, "has two seals") {
		t.Errorf("the page says\n%s", text)
	}
	looks(t, ctx)
	if said := said(); len(said) != 0 {
		t.Errorf("the console says %q", said)
	}
	if colour := call[string](t, ctx, `() => getComputedStyle(document.querySelector(".bad")).borderLeftWidth`); colour != "8px" {
		t.Errorf("the style of the page does not count: %s", colour)
	}
}
