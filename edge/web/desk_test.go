package web

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"drawhouse/decide/command"
	"drawhouse/journal/record"
)

// TestDeskMendsASession changes a session that nobody has entered and cancels it, undoes an
// entry, and sets the session again. The times are those of the house, wherever the browser
// stands.
func TestDeskMendsASession(t *testing.T) {
	t.Parallel()
	r := openRoom(t)
	station := machine(t)
	if _, err := chromedp.Call(station, emulation.SetTimezoneOverride,
		emulation.SetTimezoneOverrideParams{TimezoneID: "America/New_York"}); err != nil {
		t.Fatal(err)
	}
	said, asked := complaints(t, station), requests(t, station)
	r.station(station, "/desk")
	planSession(t, station)
	shows(t, station, "said", "Session 1 is announced.")
	begins := func(want string) {
		t.Helper()
		if room := r.view(); room.Session == nil || room.Session.Begins.Format("15:04") != want {
			t.Errorf("the session is %+v, and should begin at %s", room.Session, want)
		}
	}
	begins("20:00")
	shows(t, station, "plan-title", "Change session 1, which nobody has entered")
	awaitPage(t, station, "the plan as it is", `() => document.getElementById("fee-dollars").value === "10" && document.getElementById("begins").value === "20:00" && document.querySelectorAll("#games fieldset").length === 1
		&& document.querySelector("[name=minor]").value === "top-line" && document.getElementById("plan-set").textContent === "Change the session"`)
	submit(t, station, "plan", map[string]any{"fee-dollars": "1,5", "begins": "19:15"})
	awaitPage(t, station, "no such fee", `() => document.getElementById("fee-dollars").validationMessage !== ""`)
	call[chromedp.Void](t, station, `() => document.getElementById("fee-dollars").dispatchEvent(new Event("input"))`)
	submit(t, station, "plan", map[string]any{"fee-dollars": "1,000"})
	shows(t, station, "said", "Session 1 is changed.")
	begins("19:15")
	if room := r.view(); room.Session.FeeCents != 100_000 {
		t.Errorf("the fee is %d cents", room.Session.FeeCents)
	}
	judge(t, station, "desk-change")
	touch(t, station, "#cancel-session")
	submit(t, station, "act-form", map[string]any{})
	call[chromedp.Void](t, station,
		`() => { document.querySelector("#act-fields [name=reason]").value = "a typing error"; document.getElementById("act-form").requestSubmit(); }`)
	shows(t, station, "said", "Session 1 is cancelled.")
	shows(t, station, "plan-title", "Set the next session")

	submit(t, station, "plan", map[string]any{"fee-dollars": "10", "books-max": "2"})
	shows(t, station, "said", "Session 2 is announced.")
	shows(t, station, "plan-title", "Change session 2")
	awaitPage(t, station, "the first book", `() => document.getElementById("first").value === "101"`)
	submit(t, station, "sell", map[string]any{"member": "100", "books": "2"})
	shows(t, station, "said", "Player 1, member 100: $10 taken.")
	awaitPage(t, station, "a session that binds", `() => document.getElementById("plan-panel").hidden`)
	touch(t, station, "[data-do=undo]")
	call[chromedp.Void](t, station, `(person, password) => { document.querySelector("#act-fields [name=reason]").value = "the wrong session"; document.getElementById("act-number").value = person;
		document.getElementById("act-password").value = password; document.getElementById("act-form").requestSubmit(); }`, fmt.Sprint(r.senior), officePassword)
	shows(t, station, "said", "The entry of player 1 is undone. Hand the fee back.")
	awaitPage(t, station, "a session that can be changed",
		`() => !document.getElementById("plan-panel").hidden && !document.getElementById("cancel-session").hidden`)
	quiet(t, r.shop, said(), asked())
	if report := r.graded(); !report.OK() {
		t.Errorf("the journal does not hold: %+v", report)
	}
}

// bingoOfOne plays the first game until its only player has a bingo, which is found good.
func (r *bingoRoom) bingoOfOne() {
	r.t.Helper()
	r.set(4)
	r.enter("100", 101, 104, 0)
	r.closeIssue(101, 104)
	r.announce(1)
	_, serial, box := r.untilBingo(1, 1, 1)
	r.do(r.claim(serial, box))
	r.check(1)
}

// TestFraudFoundLate: what waits to be fetched is said at the caller's page and in the office
// too, an award of a dispute is paid at the desk, and fraud that is found when the game is
// over takes away what was won by it.
func TestFraudFoundLate(t *testing.T) {
	t.Parallel()
	r := openRoom(t)
	r.bingoOfOne()
	_, err := r.house.FinishBingo(t.Context(), gameOf(1))
	r.must(err)
	r.do(command.RaiseDispute{InRoom: room, Session: 1, Game: 1, Member: "100", Subject: "the line was called"})
	award := int64(2000)
	r.do(command.MoveDispute{OfDispute: command.OfDispute{InRoom: room, Dispute: 1}, Step: "decided", Text: "it was",
		AwardCents: &award})
	boss := r.hire(record.RoleSupervisor)

	station := machine(t)
	said, asked := complaints(t, station), requests(t, station)
	r.station(station, "/caller")
	shows(t, station, "owed", "$120 to be fetched (2)")
	office := machine(t)
	size(t, office, 1280, 720)
	administrator := r.hire(record.RoleAdministrator)
	r.must(chromedp.Do(office, chromedp.Navigate(r.url("/office"))))
	awaitPage(t, office, "the page", `() => document.documentElement.dataset.state === "ready"`)
	signsOn(t, office, administrator)
	turnTo(t, office, "rooms")
	shows(t, office, "rooms", "$120.00 (2)")

	r.must(chromedp.Do(station, chromedp.Navigate(r.url("/desk"))))
	shows(t, station, "prizes", "Dispute 1: the line was called")
	touch(t, station, "[data-prize='award/1'] [data-do=pay]")
	shows(t, station, "said", "$20 paid.")
	shows(t, station, "won", "Game 1, Bingo, $100")
	judge(t, station, "desk-won")
	take := func(person uint32) {
		t.Helper()
		call[chromedp.Void](t, station, `(person, password) => { document.querySelector("#act-fields [name=reason]").value = "a forged card"; document.getElementById("act-number").value = person;
			document.getElementById("act-password").value = password; document.getElementById("act-form").requestSubmit(); }`, fmt.Sprint(person), officePassword)
	}
	touch(t, station, "#won [data-do=fraud]")
	take(r.senior)
	shows(t, station, "act-clause", "Rule 9.4.2")
	take(boss)
	shows(t, station, "said", "Claim 1 of game 1 wins nothing any more.")
	awaitPage(t, station, "nothing that is owed or won",
		`() => document.getElementById("won-panel").hidden && document.querySelectorAll("#prizes [data-do=pay]").length === 0`)
	quiet(t, r.shop, said(), asked())
	if report := r.graded(); !report.OK() {
		t.Errorf("the journal does not hold: %+v", report)
	}
}

// TestVoidShowsWhatWasWon: anybody who declares a game void sees what was found good in it, which
// stays won, but for what was won by fraud.
func TestVoidShowsWhatWasWon(t *testing.T) {
	t.Parallel()
	r := openRoom(t)
	r.bingoOfOne()
	boss := r.hire(record.RoleSupervisor)
	station := machine(t)
	said := complaints(t, station)
	r.station(station, "/caller")
	ready(t, station, "End the game")
	keys(t, station, "v")
	awaitPage(t, station, "the claim",
		`() => !document.getElementById("void-claims-set").hidden && document.querySelector("#void-claims input").disabled`)
	shows(t, station, "void-claims", "Claim 1, Bingo")
	call[chromedp.Void](t, station,
		`() => { const cause = document.getElementById("cause"); cause.value = "fraud"; cause.dispatchEvent(new Event("change")); document.querySelector("#void-claims input").click(); }`)
	judge(t, station, "caller-void")
	submit(t, station, "void-form", map[string]any{"void-reason": "a forged card", "void-number": fmt.Sprint(boss),
		"void-password": officePassword})
	shows(t, station, "said", "Game 1 is void.")
	if room := r.view(); room.Last == nil || room.Last.Phase != "void" || len(room.Last.Claims) != 1 ||
		room.Last.Claims[0].Cents != 0 {
		t.Errorf("the game is %+v", room.Last)
	}
	quiet(t, r.shop, said(), nil)
	if report := r.graded(); !report.OK() {
		t.Errorf("the journal does not hold: %+v", report)
	}
}
