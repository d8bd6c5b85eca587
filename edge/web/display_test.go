package web

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/journal/record"
)

// TestDisplayWatchesADraw watches a game of a real house to its end. Before each of
// some numbers the store is held: the house has drawn the number and it is not durable,
// and the wall must not have it.
func TestDisplayWatchesADraw(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	said, asked := complaints(t, ctx), requests(t, ctx)
	s := openShop(t, "vic-keno-2015")
	size(t, ctx, 1280, 720)
	s.must(chromedp.Do(ctx, chromedp.Navigate(s.url("/display"))))
	awaitText(t, ctx, "Corner Hotel")
	judge(t, ctx, "display-choose")
	s.must(chromedp.Do(ctx, chromedp.Click("#venues a")))
	awaitPage(t, ctx, "the display",
		`() => location.pathname === "/display/1" && document.getElementById("connection") !== null`)
	await(t, ctx, "game 0 on sale", func(p seen) bool { return isLive(p) && p.Sale == "Game 0" && len(p.Drawn) == 0 })
	shows(t, ctx, "venue", "Corner Hotel")

	game := s.turn()
	await(t, ctx, "the seal", func(p seen) bool {
		return p.Phase == "sealed" && p.Fingerprint != "" &&
			p.Sale == "Game 1"
	})
	for k := 1; k <= 20; k++ {
		if k > 3 {
			s.draw(game, 1)
			continue
		}
		s.gate.mu.Lock()
		drawn := make(chan error, 1)
		go func() { drawn <- s.house.First().DrawNumber(t.Context(), game) }()
		for range 10 {
			time.Sleep(30 * time.Millisecond)
			if p := see(t, ctx); len(p.Drawn) >= k || len(p.Order) >= k {
				t.Errorf("number %d is on the wall before the journal has it: %+v", k, p)
			}
		}
		s.gate.mu.Unlock()
		s.must(<-drawn)
		await(t, ctx, fmt.Sprintf("number %d", k), func(p seen) bool { return len(p.Drawn) == k })
	}
	numbers := s.house.First().Games(2)[1].Numbers.Numbers()
	await(t, ctx, "twenty numbers", func(p seen) bool {
		return slices.Equal(p.Order, numbers) &&
			slices.Equal(p.Drawn, numbers)
	})
	s.finish(game)
	done := await(t, ctx, "the result", func(p seen) bool { return p.Phase == "settled" })
	done.Sum, _, _ = strings.Cut(done.Sum, " ") // The multiplier stands behind it.
	checkTallies(t, done, numbers)
	for _, at := range screens[:2] {
		size(t, ctx, at.width, at.height)
		if out := call[[]string](t, ctx, "() => "+overflowing); len(out) > 0 {
			t.Errorf("%dx%d: %q", at.width, at.height, out)
		}
	}
	quiet(t, s, said(), asked())
}

// TestDisplaySurvivesARestart shuts the house in the middle of a draw. The wall says
// that it is cut off, and goes on by itself where the journal does.
func TestDisplaySurvivesARestart(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := openShop(t, "vic-keno-2015")
	s.must(chromedp.Do(ctx, chromedp.Navigate(s.url("/display/1"))))
	game := s.turn()
	s.draw(game, 7)
	await(t, ctx, "seven numbers", func(p seen) bool { return isLive(p) && len(p.Drawn) == 7 })
	s.shut()
	cut := await(t, ctx, "that it is cut off", func(p seen) bool { return p.Connection == "offline" })
	if len(cut.Drawn) != 7 || !strings.Contains(cut.Status, "No connection") {
		t.Errorf("cut off: %+v", cut)
	}
	s.open()
	s.draw(game, 5)
	await(t, ctx, "twelve numbers", func(p seen) bool { return isLive(p) && len(p.Drawn) == 12 })
	s.draw(game, 8)
	s.finish(game)
	numbers := s.house.First().Games(2)[1].Numbers.Numbers()
	await(t, ctx, "the result", func(p seen) bool { return p.Phase == "settled" && slices.Equal(p.Drawn, numbers) })
}

// TestDisplayGivesSigns: where the rules want a display, nothing is sold in its area
// until it says that it works; it says so because it shows.
func TestDisplayGivesSigns(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := openShop(t, "tas-keno-2023")
	if _, err := s.house.Do(t.Context(), command.Change{Command: staff.ReportDisplay{Venue: 1, Area: 1, Screen: "draw",
		Reason: "silent"}}, record.By{}); err != nil {
		t.Fatal(err)
	}
	works := func() (works bool) {
		area, _ := s.house.People().Area(1, 1)
		works = area.Draw
		return works
	}
	s.enrolled(ctx)
	line(t, ctx, "3 17 42")
	shows(t, ctx, "fault", "The draw display where terminal 1 stands does not work.")
	shows(t, ctx, "fault-clause", "Rule 9.6")
	keys(t, ctx, kb.F8)
	awaitPage(t, ctx, "nothing sold",
		`() => document.getElementById("sell").disabled && document.getElementById("owed").textContent === "$0.00"`)
	if works() {
		t.Fatal("the display works before anybody has seen it")
	}
	s.must(chromedp.Do(ctx, chromedp.Navigate(s.url("/display/1")+"#"+s.api.AllowEnrolment(2, time.Minute))))
	shows(t, ctx, "signs", "In service")
	if !works() {
		t.Error("the house does not know that the display works")
	}
	s.must(chromedp.Do(ctx, chromedp.Navigate(s.url("/terminal"))))
	awaitPage(t, ctx, "the desk", `() => !document.getElementById("desk").hidden && document.activeElement.id === "entry"`)
	line(t, ctx, "3 17 42")
	awaitPage(t, ctx, "a price", `() => !document.getElementById("sell").disabled`)
	sells(t, ctx)
	paperOnScreen(t, ctx, "Ticket")
}

// TestTerminalIsOverfull has a visit of many tickets and a ticket of many bets: what is
// to pay and what is next stay where they are.
func TestTerminalIsOverfull(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := openShop(t, "vic-keno-2015")
	size(t, ctx, 1280, 720)
	s.enrolled(ctx)
	for i := range 14 {
		line(t, ctx, fmt.Sprintf("%d %d s9 g100", i+1, i+30))
		awaitPage(t, ctx, "a price", `() => !document.getElementById("sell").disabled`)
		sells(t, ctx)
		paperOnScreen(t, ctx, "Ticket")
	}
	for i := range 12 {
		line(t, ctx, fmt.Sprintf("%d %d %d s1", i+1, i+20, i+40))
		keys(t, ctx, kb.F6)
	}
	shows(t, ctx, "owed", "$12,600.00")
	awaitPage(t, ctx, "everything in view", `() => ["owed", "finish", "sell", "price", "entry"].every((id) => {
		const box = document.getElementById(id).getBoundingClientRect();
		return box.top >= 0 && box.bottom <= innerHeight && box.width > 0;
	})`)
	judge(t, ctx, "terminal-full")
}
