package web

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/games/bingo"
	"drawhouse/journal/record"
)

// TestStationScreens goes through what the dealer terminal and the issue desk show of an
// evening, with what the house refuses, and holds each to what screens are held to.
func TestStationScreens(t *testing.T) {
	t.Parallel()
	r := openRoom(t)
	station := machine(t)
	said, asked := complaints(t, station), requests(t, station)
	r.station(station, "/desk")
	awaitPage(t, station, "the plan", `() => document.querySelectorAll("#games fieldset").length === 3`)
	judge(t, station, "desk-plan")
	submit(t, station, "plan", map[string]any{"fee-dollars": "0", "books-max": "4"})
	awaitPage(t, station, "that there is no fee",
		`() => document.getElementById("fee-dollars").validationMessage.startsWith("Write an amount")`)
	r.set(4)
	r.enter("100", 101, 104, 0)
	r.enter("200", 105, 108, 2)
	for i, member := range []string{"300", "400", "500", "600"} {
		r.enter(member, uint32(109+3*i), uint32(111+3*i), 0)
	}
	awaitPage(t, station, "the next book", `() => document.getElementById("first").value === "121"`)
	submit(t, station, "sell", map[string]any{"member": "700", "books": "9", "first": "121"})
	shows(t, station, "said", "The fee is for 1 to 4 books, and not for 9.")
	shows(t, station, "said-clause", "Rule 3.3")
	judge(t, station, "desk")
	touch(t, station, "#issue")
	shows(t, station, "said", "The issue is closed: 6 players.")

	r.must(chromedp.Do(station, chromedp.Navigate(r.url("/caller"))))
	ready(t, station, "Announce game 1")
	judge(t, station, "caller-announce")
	keys(t, station, kb.Enter)
	shows(t, station, "next", "Call number 1")
	calls, serial, _ := r.untilBingo(1, 1, 1)
	shows(t, station, "next", fmt.Sprintf("Call number %d", calls+1))
	r.wrongClaims(station)
	judge(t, station, "caller")

	scanCard(t, station, serial)
	shows(t, station, "verdict", "complete with this call")
	judge(t, station, "caller-claim")
	keys(t, station, kb.Enter)
	awaitPage(t, station, "the check", `() => document.getElementById("check-box").children.length === 1`)
	submit(t, station, "check-form", map[string]any{"in-hand": true, "is-marked": true})
	awaitPage(t, station, "the supervisor", `() => !document.getElementById("supervisor").hidden`)
	submit(t, station, "check-form", map[string]any{"supervisor-number": fmt.Sprint(r.senior),
		"supervisor-password": "not that one at all"})
	awaitPage(t, station, "a refusal", `() => document.getElementById("check-fault").textContent !== ""`)
	judge(t, station, "caller-check")
	submit(t, station, "check-form", map[string]any{"supervisor-number": fmt.Sprint(r.senior),
		"supervisor-password": officePassword})
	shows(t, station, "said", "Bingo is good.")
	judge(t, station, "caller-won")
	quiet(t, r.shop, said(), asked())
}

// TestTwoBingosAtOnce has two players call on one number. The card of the second is scanned
// while the first is checked, into the field of the supervisor's number, and once more when
// the game is about to be ended: each time it is a call, and no Enter ends the game.
func TestTwoBingosAtOnce(t *testing.T) {
	t.Parallel()
	r := openRoom(t)
	r.set(4)
	r.enter("100", 101, 104, 0)
	r.enter("200", 105, 108, 0)
	r.closeIssue(101, 108)
	r.announce(1)
	calls, serial, _ := r.untilBingo(1, 1, 1)
	other := bingo.Serial{Series: "K7", Book: 106, Game: 1}.String()
	station := machine(t)
	said := complaints(t, station)
	r.station(station, "/caller")
	ready(t, station, fmt.Sprintf("Call number %d", calls+1))
	awaitPage(t, station, "nothing that is asked for",
		`() => document.querySelector("dialog[open]") === null && document.activeElement === document.body`)

	// A scan where nothing is asked for is a call, too.
	scanAway(t, station, serial)
	shows(t, station, "verdict", "complete with this call")
	keys(t, station, kb.Enter)
	awaitPage(t, station, "the check",
		`() => document.getElementById("check").open && document.getElementById("check-box").children.length === 1`)
	submit(t, station, "check-form", map[string]any{"in-hand": true, "is-marked": true})
	awaitPage(t, station, "the field of the supervisor",
		`() => !document.getElementById("supervisor").hidden && document.activeElement.id === "supervisor-number"`)
	scanAway(t, station, other)
	awaitPage(t, station, "the second card", `(serial) => document.getElementById("claim").open && !document.getElementById("check").open && document.getElementById("serial").value === serial
		&& document.getElementById("supervisor-number").value === "" && !document.getElementById("claim-take").hidden`, other)
	keys(t, station, kb.Enter)
	awaitPage(t, station, "two claims", `() => document.querySelectorAll("#claims [data-verdict=open]").length === 2`)
	for open := 2; open > 0; open-- {
		awaitPage(t, station, "a check", `(open) => {
			if (document.querySelectorAll("#claims [data-verdict=open]").length !== open) return false;
			if (!document.getElementById("check").open && !document.getElementById("next").disabled) document.getElementById("next").click();
			return document.getElementById("check").open && document.getElementById("check-box").children.length === 1;
		}`, open)
		submit(t, station, "check-form", map[string]any{"in-hand": true, "is-marked": true,
			"supervisor-number": fmt.Sprint(r.senior), "supervisor-password": officePassword})
		awaitPage(t, station, "its end", `() => !document.getElementById("check").open`)
	}
	ready(t, station, "End the game")

	// Enter alone ends nothing, and neither does the Enter behind a card.
	keys(t, station, kb.Enter)
	shows(t, station, "ending-won", serial)
	judge(t, station, "caller-ending")
	scanAway(t, station, other)
	awaitPage(t, station, "one more call",
		`(serial) => document.getElementById("claim").open && !document.getElementById("ending").open && document.getElementById("serial").value === serial`, other)
	keys(t, station, kb.Escape)
	ready(t, station, "End the game")
	keys(t, station, kb.Enter)
	awaitPage(t, station, "the question", `() => document.getElementById("ending").open`)
	keys(t, station, kb.Enter)
	keys(t, station, kb.Enter)
	if room := r.view(); room.Game == nil || room.Game.Game != 1 || room.Game.Phase != "calling" {
		t.Errorf("the game has ended: %+v", room.Game)
	}
	touch(t, station, "#ending-end")
	shows(t, station, "said", "Game 1 is over.")
	quiet(t, r.shop, said(), nil)
}

// wrongClaims has somebody call for a box that lacks numbers, and for a card that nobody
// was issued.
func (r *bingoRoom) wrongClaims(station context.Context) {
	r.t.Helper()
	for i, book := range []int{106, 125} {
		serial := bingo.Serial{Series: "K7", Book: book, Game: 1}.String()
		r.do(command.OpenClaim{InGame: command.At(gameOf(1)), Pattern: "top-line", Serial: serial, Box: 1})
		r.check(uint16(i + 1))
	}
	awaitPage(r.t, station, "two claims that do not hold",
		`() => document.querySelectorAll("#claims [data-verdict=bad]").length === 2`)
}

// TestMending corrects a call, pauses, and declares a game void at the dealer terminal.
func TestMending(t *testing.T) {
	t.Parallel()
	r := openRoom(t)
	r.set(4)
	r.enter("100", 101, 104, 0)
	r.closeIssue(101, 104)
	r.announce(1)
	last := r.calls(1, 1, 5)
	station := machine(t)
	said, asked := complaints(t, station), requests(t, station)
	r.station(station, "/caller")
	shows(t, station, "next", "Call number 6")

	keys(t, station, "c")
	submit(t, station, "correct-form", map[string]any{"wrong-number": fmt.Sprint(last)})
	shows(t, station, "correct-fault", fmt.Sprintf("%d was not announced instead of %d.", last, last))
	submit(t, station, "correct-form", map[string]any{"wrong-number": fmt.Sprint(91 - last)})
	shows(t, station, "said", fmt.Sprintf("%d is not valid; the number is %d.", 91-last, last))

	keys(t, station, "p")
	shows(t, station, "step-hint", "Paused.")
	keys(t, station, " ")
	keys(t, station, "p")
	shows(t, station, "next", "Call number 6")
	if room := r.view(); len(room.Game.Calls) != 5 {
		t.Errorf("%d numbers are called; the terminal was paused after 5", len(room.Game.Calls))
	}

	keys(t, station, "v")
	submit(t, station, "void-form", map[string]any{"cause": "disruption", "void-reason": "a fire"})
	shows(t, station, "void-clause", "Rule 9.4.1")
	submit(t, station, "void-form", map[string]any{"void-number": fmt.Sprint(r.senior), "void-password": officePassword})
	shows(t, station, "said", "Game 1 is void.")
	ready(t, station, "Begin the jackpot numbers of game 2")
	keys(t, station, kb.Enter)
	for k := 1; k <= 3; k++ {
		ready(t, station, fmt.Sprintf("Draw jackpot number %d", k))
		keys(t, station, " ")
	}
	ready(t, station, "Sign the jackpot numbers")
	keys(t, station, kb.Enter)
	shows(t, station, "next", "Announce game 2")
	shows(t, station, "announcement", "for a bingo whose last number is")
	quiet(t, r.shop, said(), asked())
}

// TestMendingJackpot corrects jackpot numbers at the dealer terminal: while they are drawn, where the dialog takes the
// number for one of them, and while numbers are called, where the dealer ticks that it is one (nsw-bingo-2019 8.3).
func TestMendingJackpot(t *testing.T) {
	t.Parallel()
	r := openRoom(t)
	r.setGames(4, command.BingoPlan{Prizes: []command.PatternPrize{{Pattern: "bingo", Cents: 10_000}}, JackpotNumbers: 3})
	r.enter("100", 101, 104, 0)
	r.closeIssue(101, 104)
	station := machine(t)
	said, asked := complaints(t, station), requests(t, station)
	r.station(station, "/caller")
	opened := func(number int, jackpot bool) {
		t.Helper()
		keys(t, station, "c")
		awaitPage(t, station, "the dialog", `(number, jackpot) => document.getElementById("correct").open
			&& !document.getElementById("correct-jackpot-row").hidden
			&& document.getElementById("correct-jackpot").checked === jackpot
			&& document.getElementById("right-number").value === String(number)`, number, jackpot)
	}
	ready(t, station, "Begin the jackpot numbers of game 1")
	keys(t, station, kb.Enter)
	for k := 1; k <= 2; k++ {
		ready(t, station, fmt.Sprintf("Draw jackpot number %d", k))
		keys(t, station, " ")
	}
	ready(t, station, "Draw jackpot number 3")
	drawn := r.view().Session.JackpotNumbers
	first, second := drawn[0], drawn[1]
	none := 1
	for slices.Contains(drawn, none) {
		none++
	}

	opened(second, true)
	judge(t, station, "caller-correct-jackpot")
	submit(t, station, "correct-form", map[string]any{"wrong-number": fmt.Sprint(second)})
	shows(t, station, "correct-fault", fmt.Sprintf("%d was not announced instead of %d.", second, second))
	submit(t, station, "correct-form", map[string]any{"wrong-number": fmt.Sprint(none)})
	shows(t, station, "said", fmt.Sprintf("Announce: %d is no jackpot number; the jackpot number is %d.", none, second))
	opened(second, true)
	submit(t, station, "correct-form", map[string]any{"wrong-number": fmt.Sprint(first)})
	shows(t, station, "said",
		fmt.Sprintf("%d was announced by mistake this time and is a jackpot number itself; the jackpot number is %d.", first,
			second))

	keys(t, station, " ")
	ready(t, station, "Sign the jackpot numbers")
	keys(t, station, kb.Enter)
	ready(t, station, "Announce game 1")
	keys(t, station, kb.Enter)
	ready(t, station, "Call number 1")
	last := r.calls(1, 1, 1)
	ready(t, station, "Call number 2")
	other := 90
	for other == last || slices.Contains(drawn, other) {
		other--
	}
	opened(last, false)
	submit(t, station, "correct-form", map[string]any{"right-number": fmt.Sprint(first), "wrong-number": fmt.Sprint(other),
		"correct-jackpot": true})
	shows(t, station, "said", fmt.Sprintf("Announce: %d is no jackpot number; the jackpot number is %d.", other, first))
	if room := r.view(); !slices.Equal(room.Session.JackpotNumbers[:2], drawn) ||
		!slices.Equal(room.Game.Calls, []int{last}) {
		t.Errorf("the jackpot numbers are %v and the calls %v; %v and %d were drawn", room.Session.JackpotNumbers,
			room.Game.Calls, drawn, last)
	}
	if report := r.graded(); !report.OK() {
		t.Errorf("the journal does not hold: %+v", report)
	}
	quiet(t, r.shop, said(), asked())
}

// TestStationShutOut: a station whose key was taken away asks for a code of the office, and
// with one it is a station again without being loaded anew.
func TestStationShutOut(t *testing.T) {
	t.Parallel()
	r := openRoom(t)
	station := machine(t)
	r.station(station, "/desk")
	_, err := r.house.Do(t.Context(), command.Change{Command: staff.RevokeTerminal{By: r.hire(record.RoleAdministrator),
		Terminal: 1, Reason: "stolen"}}, record.By{})
	r.must(err)
	r.must(chromedp.Do(station, chromedp.Navigate(r.url("/caller"))))
	shows(t, station, "gate-said", "Ask the office for a code.")
	call[chromedp.Void](t, station, `(code) => { location.hash = code; }`, r.api.AllowEnrolment(1, time.Minute))
	awaitPage(t, station, "the station",
		`() => document.getElementById("gate").hidden && !document.getElementById("work").hidden`)
}
