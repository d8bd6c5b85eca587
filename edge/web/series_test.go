package web

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/journal/record"
)

// agree has two persons do something.
func (s *shop) agree(asks, consents uint32, act command.Act) {
	s.t.Helper()
	ctx := s.t.Context()
	number, err := s.house.First().Ask(ctx, asks, act)
	s.must(err)
	_, err = s.house.Do(ctx, command.Change{Command: staff.Consent{By: consents, Approval: number,
		Content: command.Content(1, act), Granted: true}}, record.By{})
	s.must(err)
	_, err = s.house.Operate(ctx, asks, number)
	s.must(err)
}

// TestSeveralSeries sells the games of a second series at the same terminal: a link on the screen leads there, game and
// catalogue are those of that series, and so is the ticket. Board and office follow the address.
func TestSeveralSeries(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	said, asked := complaints(t, ctx), requests(t, ctx)
	s := openShop(t, "vic-keno-2015")
	size(t, ctx, 1280, 720)
	first, second := s.hire(record.RoleSupervisor), s.hire(record.RoleAdministrator)
	book := s.house.First().Book()
	s.agree(first, second, command.BeginSeries{Name: "evening-keno", Rulebook: book.Hash().String(),
		Schedule: book.Schedules()[0].ID(), Interval: 300, Reference: "letter 9"})
	line2, err := s.house.Line(2)
	s.must(err)
	s.openDay(line2, 0)
	s.must(line2.OpenGame(t.Context(), time.Now().Add(10*time.Minute)))
	s.enrolled(ctx)
	if call[bool](t, ctx, `() => !document.getElementById("series").hidden`) {
		t.Error("a terminal that sells one series offers a choice")
	}
	s.agree(first, second, command.LicenseVenue{Venue: 1, Series: 2, Sells: true, Reference: "letter 10"})
	s.must(chromedp.Do(ctx, chromedp.Reload()))
	awaitPage(t, ctx, "the series",
		`() => document.querySelectorAll("#series a").length === 2 && document.querySelector("#series [aria-current]").textContent === "keno"`)
	judge(t, ctx, "terminal-series")
	link := call[string](t, ctx,
		`() => [...document.querySelectorAll("#series a")].find((a) => a.textContent === "evening-keno").href`)
	s.must(chromedp.Do(ctx, chromedp.Navigate(link)))
	awaitPage(t, ctx, "the second series",
		`() => document.getElementById("desk")?.hidden === false && document.documentElement.dataset.state === "live" && document.querySelector("#series [aria-current]")?.textContent === "evening-keno"`)
	shows(t, ctx, "sale-game", "Game 0")
	line(t, ctx, "1 2 3 s2")
	shows(t, ctx, "price", "$2.00")
	sells(t, ctx)
	serial, _ := paperOnScreen(t, ctx, "Ticket")
	place, err := s.house.Find(serial)
	s.must(err)
	if of, err := s.house.LineOf(t.Context(), place); err != nil || of.ID() != 2 {
		t.Errorf("the ticket is of %v: %v", of, err)
	}
	keys(t, ctx, kb.F9)
	awaitPage(t, ctx, "the end of the visit", `() => document.getElementById("settle").open`)
	keys(t, ctx, kb.Enter)
	shows(t, ctx, "said", "Customer finished")
	s.agree(first, second, command.LicenseVenue{Venue: 1, Series: 1, Reference: "letter 11"})
	s.must(chromedp.Do(ctx, chromedp.Navigate(strings.TrimSuffix(link, "?series=2"))))
	awaitPage(t, ctx, "the series that the venue sells",
		`() => location.search === "?series=2" && document.getElementById("desk")?.hidden === false && document.documentElement.dataset.state === "live"`)
	shows(t, ctx, "sale-game", "Game 0")
	s.verified()
	quiet(t, s, said(), asked())
	reportsOfSeries(t, ctx, s, second) // Of a page that nobody has signed on at the browser says that it is refused.
}

// reportsOfSeries has the office show a report of all series, with a total of each, and of one that is chosen.
func reportsOfSeries(t *testing.T, ctx context.Context, s *shop, by uint32) {
	t.Helper()
	s.must(chromedp.Do(ctx, chromedp.Navigate(s.url("/office"))))
	awaitPage(t, ctx, "the office", `() => document.documentElement.dataset.state === "ready"`)
	signsOn(t, ctx, by)
	turnTo(t, ctx, "reports/days")
	for chosen, want := range map[string]string{
		"":  "1 keno|2 evening-keno|Total of series 1|Total of series 2|Total",
		"2": "row|Total",
	} {
		call[chromedp.Void](t, ctx, `(chosen) => {
			document.getElementById("report").replaceChildren();
			document.querySelector("#report-choice [name=series]").value = chosen;
			document.getElementById("report-choice").requestSubmit();
		}`, chosen)
		awaitPage(t, ctx, "the report", `() => document.querySelector("#report table") !== null`)
		got := call[string](t, ctx, `() => {
			const named = [...document.querySelectorAll("#report thead th")].some((head) => head.textContent === "Series name");
			return [...document.querySelectorAll("#report tbody tr, #report tfoot tr")].map((row) =>
				row.parentElement.tagName === "TFOOT" ? row.cells[0].textContent
					: named ? row.cells[1].textContent + " " + row.cells[2].textContent : "row").join("|");
		}`)
		if got != want {
			t.Errorf("the days of series %q are %s, want %s", chosen, got, want)
		}
	}
}
