package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestBoardElsewhere: a page of another origin shows the results and the jackpots of a house by one line, under a
// strict policy of its own, and follows them through a restart of the house.
func TestBoardElsewhere(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	said := complaints(t, ctx)
	s := openShop(t, "vic-keno-2015")
	first := s.turn()
	s.draw(first, 20)
	s.finish(first)
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Security-Policy", fmt.Sprintf("default-src 'none'; img-src data:; script-src %[1]s; connect-src %[1]s", s.url("")))
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprintf(w, `<!doctype html><html lang="en-AU"><link rel="icon" href="data:,"><title>A club</title><p id="before">Tonight</p>
<script src="%s/board.js" data-results="2" async></script>
<p id="after">Welcome</p></html>`, s.url(""))
	}))
	t.Cleanup(page.Close)
	const shown = `(() => {
		const root = document.querySelector("#before + script + drawhouse-board")?.shadowRoot;
		const texts = (name) => [...root?.querySelectorAll(name) ?? []].map((e) => e.textContent);
		return { games: texts("h3"), numbers: texts("li:first-child span"), jackpots: texts("dd"), status: texts("p[role=status]").join() };
	})()`
	type board struct {
		Games, Numbers, Jackpots []string
		Status                   string
	}
	look := func() board { return call[board](t, ctx, "() => "+shown) }
	newest := func() (title, numbers string) {
		g := s.house.First().Games(2)[1]
		sorted := slices.Sorted(slices.Values(g.Numbers.Numbers()))
		return fmt.Sprintf("Game %d · %v", g.Ref.Number, g.Ref.Day), strings.Trim(fmt.Sprint(sorted), "[]")
	}
	check := func() {
		t.Helper()
		got := look()
		if title, numbers := newest(); got.Games[0] != title || strings.Join(got.Numbers, " ") != numbers {
			t.Errorf("%+v; want %s: %s", got, title, numbers)
		}
	}
	s.must(chromedp.Do(ctx, chromedp.Navigate(page.URL)))
	awaitPage(t, ctx, "the first result", `() => `+shown+`.games.length === 1`)
	check()
	if got := look(); len(got.Jackpots) == 0 || !strings.HasPrefix(got.Jackpots[0], "$") {
		t.Errorf("jackpots %v", got.Jackpots)
	}
	second := s.turn()
	s.draw(second, 20)
	s.finish(second)
	awaitPage(t, ctx, "the second result", `() => `+shown+`.games.length === 2`)
	check()
	if said := said(); len(said) > 0 {
		t.Errorf("the page complains: %q", said)
	}
	s.shut()
	awaitPage(t, ctx, "that the house is away", `() => `+shown+`.status !== ""`)
	s.open()
	third := s.turn()
	s.draw(third, 20)
	s.finish(third)
	awaitPage(t, ctx, "the third result", `() => `+shown+`.games[0]?.startsWith("Game 2 ") && `+shown+`.games.length === 2`)
}
