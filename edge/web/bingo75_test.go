package web

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"drawhouse/decide/command"
)

// called is a number as it is called in bingo with 75 numbers.
var called = regexp.MustCompile(`^[BINGO] [1-9][0-9]?$`)

// TestBingoOf75 plays a session of bingo with 75 numbers at its screens, from the sale to the
// payment: the caller announces with which pattern the game is won, board, caller and card
// show letters and free squares, and the checker takes the claim. In the end the journal is
// graded a second time.
func TestBingoOf75(t *testing.T) {
	t.Parallel()
	r := openRoomBy(t, "sc-bingo-1996", command.Level{Name: "jackpot", Share: 10000})
	r.setGames(2, command.BingoPlan{Prizes: []command.PatternPrize{{Pattern: "bingo", Cents: 5000}}})
	r.enter("100", 101, 102, 0)
	r.enter("200", 103, 104, 2)
	r.closeIssue(101, 104)
	station, wall, card := machine(t), machine(t), machine(t)
	said, asked := complaints(t, station), requests(t, station)
	r.open(wall, "/hall/1", 1920, 1080)
	awaitBoard(t, wall, "that game 1 is next", func(b onBoard) bool { return b.Said == "Game 1 is next" })
	r.card(card, 2)
	r.station(station, "/caller")
	ready(t, station, "Announce game 1")
	shows(t, station, "wins-row", "Won with")
	call[chromedp.Void](t, station,
		`() => { const wins = document.getElementById("wins"); wins.value = "any-line"; wins.dispatchEvent(new Event("change")); }`)
	shows(t, station, "announcement", "Any line: $50.")
	keys(t, station, kb.Enter)
	shows(t, station, "next", "Call number 1")
	shows(t, wall, "prizes", "Any line")
	if rows := call[[]string](t, wall,
		`() => [...document.querySelectorAll("#grid .row")].map((row) => row.textContent)`); len(rows) != 5 ||
		!strings.HasPrefix(rows[0], "B123") || !strings.HasPrefix(rows[4], "O6162") || !strings.HasSuffix(rows[4], "7475") {
		t.Errorf("the lines of the board are %q", rows)
	}
	for n := 1; n <= 3; n++ {
		ready(t, station, fmt.Sprintf("Call number %d", n))
		keys(t, station, " ")
		b := awaitBoard(t, wall, fmt.Sprintf("number %d", n),
			func(b onBoard) bool { return len(b.Called) == n && called.MatchString(b.Last) })
		if !strings.HasSuffix(b.Last, fmt.Sprintf(" %d", b.Called[n-1])) || b.Last[0] != "BINGO"[(b.Called[n-1]-1)/15] {
			t.Errorf("%d is called %s", b.Called[n-1], b.Last)
		}
		shows(t, station, "last", b.Last)
		shows(t, card, "last", b.Last)
	}
	if boxes := call[[]string](t, card,
		`() => [...document.querySelectorAll(".box")].map((box) => box.textContent)`); len(boxes) != 12 ||
		!strings.HasPrefix(boxes[0], "BINGO") || !strings.Contains(boxes[0], "FREE") {
		t.Errorf("the boxes of the card are %q", boxes)
	}
	judge(t, wall, "bingo75-board")
	judge(t, card, "bingo75-card")
	r.claim75(station, card, wall)
	r.must(chromedp.Do(station, chromedp.Navigate(r.url("/desk"))))
	shows(t, station, "prizes", "Game 1, Any line")
	touch(t, station, "#prizes [data-do=pay]")
	shows(t, station, "said", "$50 paid.")
	quiet(t, r.shop, said(), asked())
	if report := r.graded(); !report.OK() {
		t.Errorf("the journal does not hold: %+v", report)
	}
}

// TestBingoAlone: where no keno is played, board, terminal and kiosk say so, and the room is as in any house.
func TestBingoAlone(t *testing.T) {
	t.Parallel()
	r := openRoomIn(openShop(t, "sc-bingo-1996"), "sc-bingo-1996", command.Level{Name: "jackpot", Share: 10000})
	wall, station, kiosk := machine(t), machine(t), machine(t)
	said, asked := complaints(t, wall), requests(t, wall)
	r.open(wall, "/", 1280, 720)
	shows(t, wall, "sale-game", "No keno is played here")
	shows(t, wall, "closes-label", "The bingo rooms are at /hall")
	if seen := call[bool](t, wall, `() => document.querySelector(".shown").checkVisibility()`); seen {
		t.Error("the board shows numbers of keno")
	}
	judge(t, wall, "board-no-keno")
	r.open(station, "/terminal#"+r.api.AllowEnrolment(1, time.Minute), 1280, 720)
	shows(t, station, "gate", "No keno is played here.")
	judge(t, station, "terminal-no-keno")
	r.open(kiosk, "/kiosk#"+r.api.AllowEnrolment(2, time.Minute), 1280, 720)
	shows(t, kiosk, "gate", "No keno is played here")
	r.open(wall, "/hall/1", 1280, 720)
	awaitBoard(t, wall, "the room", func(b onBoard) bool { return b.Said == "No session is announced" })
	quiet(t, r.shop, said(), asked())
	if report := r.graded(); !report.OK() {
		t.Errorf("the journal does not hold: %+v", report)
	}
}

// claim75 plays on until the electronic card has a line, and has the claim checked.
func (r *bingoRoom) claim75(station, card, wall context.Context) {
	r.t.Helper()
	_, serial, _ := r.untilBingo(1, 4, 2)
	shows(r.t, card, "near", "Any line: call out")
	r.must(chromedp.Do(station, chromedp.Navigate(r.url("/caller"))))
	awaitPage(r.t, station, "the step", `() => document.getElementById("next").textContent.startsWith("Call number")`)
	scanCard(r.t, station, serial)
	shows(r.t, station, "verdict", "Any line: complete with this call")
	judge(r.t, station, "bingo75-checker")
	keys(r.t, station, kb.Enter)
	awaitPage(r.t, station, "the check",
		`() => document.getElementById("check").open && document.getElementById("check-box").children.length === 1`)
	submit(r.t, station, "check-form", map[string]any{"in-hand": true, "is-marked": true})
	awaitPage(r.t, station, "the supervisor", `() => !document.getElementById("supervisor").hidden`)
	submit(r.t, station, "check-form", map[string]any{"supervisor-number": fmt.Sprint(r.senior),
		"supervisor-password": officePassword})
	shows(r.t, station, "said", "Any line is good.")
	awaitBoard(r.t, wall, "the bingo", func(b onBoard) bool { return b.State == "won" })
	ready(r.t, station, "End the game")
	keys(r.t, station, kb.Enter)
	shows(r.t, station, "ending-won", serial)
	touch(r.t, station, "#ending-end")
	shows(r.t, station, "next", "All games are played")
	shows(r.t, wall, "winners", "Any line: 1 winner, $50")
}
