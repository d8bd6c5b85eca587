package web

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"drawhouse/journal/record"
	"drawhouse/rulebook/rules"
)

// TestOfficeOpensRoom opens a bingo room in a house that has none and brings its cards in, all
// in the office; then the issue desk of the venue can set a session. What cannot be is refused
// beside its field.
func TestOfficeOpensRoom(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	said, asked := complaints(t, ctx), requests(t, ctx)
	s := openShop(t, "vic-keno-2015")
	administrator := s.hire(record.RoleAdministrator)
	r := &bingoRoom{shop: s, dealer: s.hire(record.RoleWriter)}
	size(t, ctx, 1280, 720)
	s.must(chromedp.Do(ctx, chromedp.Navigate(s.url("/office"))))
	awaitPage(t, ctx, "the page", `() => document.documentElement.dataset.state === "ready"`)
	signsOn(t, ctx, administrator)
	turnTo(t, ctx, "rooms")
	shows(t, ctx, "rooms", "There is no bingo room yet.")
	const levels = "major 45 70 2500; minor any 30 400"
	fill(t, ctx, "open-room", map[string]string{"name": "bingo", "levels": "major 45 70 2500; minor any 20 400"})
	shows(t, ctx, "open-room-levels-fault", "the levels share 90.00% of what fees bring")
	fill(t, ctx, "open-room", map[string]string{"name": "bingo", "levels": "major many 70"})
	shows(t, ctx, "open-room-levels-fault", "The value must be a whole number from 0 to 255.")
	fill(t, ctx, "open-room", map[string]string{"name": "keno", "levels": levels})
	shows(t, ctx, "open-room-name-fault", `Other games are called "keno".`)
	fill(t, ctx, "open-room", map[string]string{"name": "bingo", "levels": levels})
	shows(t, ctx, "rooms", "Corner Hotel (1)")
	shows(t, ctx, "said", "The room is open.")
	judge(t, ctx, "office-rooms")

	book, err := rules.Book("nsw-bingo-2019")
	s.must(err)
	file := filepath.Join(t.TempDir(), "K7.table")
	s.must(os.WriteFile(file, s.cardTable(book, "K7", 101, 30), 0o600))
	bring := func() {
		t.Helper()
		s.must(chromedp.Do(ctx, chromedp.SetUploadFiles("#cards-table", []string{file})))
		fill(t, ctx, "cards", map[string]string{"hall": "1"})
	}
	bring()
	shows(t, ctx, "said", "Series K7 is in the room: 30 books from 101 on.")
	bring()
	shows(t, ctx, "cards-fault", "There is a series K7.")
	quiet(t, s, said(), asked())

	station := machine(t)
	r.station(station, "/desk")
	awaitPage(t, station, "the plan of a session",
		`() => !document.getElementById("plan-panel").hidden && document.getElementById("plan-series").value === "K7"`)
	planSession(t, station)
	shows(t, station, "said", "Session 1 is announced.")
	if report := s.graded(); !report.OK() {
		t.Errorf("the journal does not hold: %+v", report)
	}
}
