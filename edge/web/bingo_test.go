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
	"drawhouse/edge/api"
)

// onBoard is what the board of a room shows.
type onBoard struct {
	Connection, State, Said, Game, Last, Count, Notice string
	Called                                             []int
}

const lookAtBoard = `() => {
	const text = (id) => document.getElementById(id).textContent;
	const called = [...document.querySelectorAll("[data-called]")].sort((a, b) => a.dataset.called - b.dataset.called);
	return { Connection: document.documentElement.dataset.connection, State: document.documentElement.dataset.state ?? "", Said: text("state"), Game: text("game"),
		Last: text("last"), Count: text("count"), Notice: text("notice"), Called: called.map((e) => Number(e.dataset.number)) };
}`

// awaitBoard looks until the board shows what is wanted.
func awaitBoard(t *testing.T, ctx context.Context, what string, ok func(onBoard) bool) (b onBoard) {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(30 * time.Millisecond) {
		if b = call[onBoard](t, ctx, lookAtBoard); ok(b) {
			return b
		}
	}
	t.Fatalf("the board does not show %s: %+v", what, b)
	return b
}

// TestBingoEvening plays a game from the issue of cards to the payment of a claim, each
// step at the screen where it belongs, with an electronic card that is replaced in the
// middle. In the end the journal is graded a second time.
func TestBingoEvening(t *testing.T) {
	t.Parallel()
	r := openRoom(t)
	spare := r.addDevice()
	station := machine(t)
	said, asked := complaints(t, station), requests(t, station)
	r.station(station, "/desk")
	planSession(t, station)
	shows(t, station, "said", "Session 1 is announced.")

	// A stranger is no member, and becomes one; then somebody takes an electronic card.
	awaitPage(t, station, "the first book", `() => document.getElementById("first").value === "101"`)
	submit(t, station, "sell", map[string]any{"member": "909", "books": "2"})
	shows(t, station, "said", `"909" is no member of the loyalty programme.`)
	shows(t, station, "said-clause", "Rule 3.1")
	touch(t, station, "#take-in")
	shows(t, station, "said", "Player 1, member 909: $10 taken.")
	awaitPage(t, station, "the next book", `() => document.getElementById("first").value === "103"`)
	submit(t, station, "sell", map[string]any{"member": "200", "books": "2", "medium": "device", "device": "2"})
	shows(t, station, "said", "Player 2, member 200: $10 taken.")
	shows(t, station, "players", "K7 103 to 104")
	shows(t, station, "ranges", "K7: 101 to 104")
	touch(t, station, "#issue")
	shows(t, station, "said", "The issue is closed: 2 players.")

	wall, first := machine(t), machine(t)
	r.open(wall, "/hall/1", 1920, 1080)
	awaitBoard(t, wall, "that game 1 is next",
		func(b onBoard) bool { return b.State == "between" && b.Said == "Game 1 is next" })
	r.card(first, 2)

	r.must(chromedp.Do(station, chromedp.Navigate(r.url("/caller"))))
	ready(t, station, "Announce game 1")
	shows(t, station, "announcement", "Game 1 is played on pink paper.")
	keys(t, station, kb.Enter)
	shows(t, station, "next", "Call number 1")
	awaitBoard(t, wall, "the seal", func(b onBoard) bool { return b.State == "sealed" })
	for n := 1; n <= 3; n++ {
		ready(t, station, fmt.Sprintf("Call number %d", n))
		keys(t, station, " ")
		awaitBoard(t, wall, fmt.Sprintf("number %d", n),
			func(b onBoard) bool { return len(b.Called) == n && b.Last == fmt.Sprint(b.Called[n-1]) })
	}
	second := machine(t)
	marks := r.replaceCard(station, first, second, spare)
	if len(marks) == 0 {
		t.Error("nothing is marked on the card that took the place of the other")
	}
	r.claimBingo(station, second, wall)
	r.payPrize(station)
	quiet(t, r.shop, said(), asked())
	if report := r.graded(); !report.OK() {
		t.Errorf("the journal does not hold: %+v", report)
	}
}

// planSession announces a session of one game at the desk.
func planSession(t *testing.T, ctx context.Context) {
	t.Helper()
	awaitPage(t, ctx, "the plan",
		`() => !document.getElementById("plan-panel").hidden && document.querySelectorAll("#games fieldset").length === 3`)
	touch(t, ctx, "#drop-game")
	touch(t, ctx, "#drop-game")
	call[chromedp.Void](t, ctx, `() => { document.querySelector("[name=minor]").value = "top-line"; }`)
	submit(t, ctx, "plan", map[string]any{"fee-dollars": "10", "books-max": "2"})
}

// replaceCard has an electronic card fail at the desk and another take its place, which
// must show the same to the mark. It returns what is marked.
func (r *bingoRoom) replaceCard(station, first, second context.Context, spare uint32) []int {
	r.t.Helper()
	const onCard = `() => [...document.querySelectorAll("#boxes [data-marked]")].map((e) => Number(e.dataset.n)).sort((a, b) => a - b)`
	r.calls(1, 4, 20)
	awaitPage(r.t, first, "20 calls",
		`() => document.getElementById("count").textContent === "Call 20" && document.querySelectorAll("#boxes .box").length === 12`)
	before := call[[]int](r.t, first, onCard)
	r.must(chromedp.Do(station, chromedp.Navigate(r.url("/desk"))))
	touch(r.t, station, "[data-do=fail]")
	shows(r.t, station, "said", "Electronic card 2 has failed.")
	shows(r.t, first, "said", "This card has failed.")
	if _, err := r.house.CallBingo(r.t.Context(), gameOf(1), 21); err == nil {
		r.t.Error("a number was called while an electronic card was being replaced")
	}
	touch(r.t, station, "[data-do=replace]")
	call[chromedp.Void](r.t, station,
		`(n) => { document.querySelector("#act-fields input").value = n; document.getElementById("act-form").requestSubmit(); }`, spare)
	shows(r.t, station, "said", fmt.Sprintf("Electronic card %d is in the place of 2", spare))
	r.card(second, spare)
	awaitPage(r.t, second, "the boxes",
		`() => document.querySelectorAll("#boxes .box").length === 12 && document.getElementById("count").textContent === "Call 20"`)
	shows(r.t, first, "said", "This card is issued to nobody.")
	after := call[[]int](r.t, second, onCard)
	if !slices.Equal(before, after) {
		r.t.Errorf("marked were %v, and on the card in its place %v", before, after)
	}
	return after
}

// claimBingo plays on until the electronic card has a bingo, has a wrong claim refused and
// the right one checked by a supervisor, and ends the game.
func (r *bingoRoom) claimBingo(station, card, wall context.Context) {
	r.t.Helper()
	calls, serial, box := r.untilBingo(1, 21, 2)
	shows(r.t, card, "near", "Bingo: call out")
	r.must(chromedp.Do(station, chromedp.Navigate(r.url("/caller"))))
	shows(r.t, station, "next", fmt.Sprintf("Call number %d", calls+1))

	scanCard(r.t, station, "K7-000101-01-00")
	shows(r.t, station, "claim-fault", "a character is wrong")
	touch(r.t, station, "#claim-back")
	scanCard(r.t, station, serial)
	shows(r.t, station, "verdict", "Bingo: complete with this call")
	pressed := call[int](r.t, station,
		`() => 1 + [...document.querySelectorAll("#boxes .choice")].findIndex((b) => b.ariaPressed === "true")`)
	if pressed != box {
		r.t.Errorf("box %d is chosen, and box %d is full", pressed, box)
	}
	keys(r.t, station, kb.Enter)
	awaitPage(r.t, station, "the check",
		`() => document.getElementById("check").open && document.getElementById("check-box").children.length === 1`)
	awaitBoard(r.t, wall, "that a card is checked", func(b onBoard) bool { return b.State == "checking" })

	submit(r.t, station, "check-form", map[string]any{"in-hand": true, "is-marked": true})
	awaitPage(r.t, station, "the supervisor", `() => !document.getElementById("supervisor").hidden`)
	submit(r.t, station, "check-form", map[string]any{"supervisor-number": fmt.Sprint(r.senior),
		"supervisor-password": "not that one at all"})
	awaitPage(r.t, station, "a refusal", `() => document.getElementById("check-fault").textContent !== ""`)
	submit(r.t, station, "check-form", map[string]any{"supervisor-number": fmt.Sprint(r.senior),
		"supervisor-password": officePassword})
	shows(r.t, station, "said", "Bingo is good.")
	awaitBoard(r.t, wall, "the bingo", func(b onBoard) bool { return b.State == "won" })
	shows(r.t, station, "next", "End the game")
	keys(r.t, station, " ") // The key that calls ends nothing.
	time.Sleep(200 * time.Millisecond)
	ready(r.t, station, "End the game")
	keys(r.t, station, kb.Enter)
	shows(r.t, station, "ending-won", serial)
	touch(r.t, station, "#ending-end")
	shows(r.t, station, "next", "All games are played")
	awaitBoard(r.t, wall, "the end", func(b onBoard) bool { return b.State == "ended" })
	shows(r.t, wall, "winners", "Bingo: 1 winner, $100")
}

// payPrize pays what was won, takes the electronic card back and closes the session.
func (r *bingoRoom) payPrize(station context.Context) {
	r.t.Helper()
	r.must(chromedp.Do(station, chromedp.Navigate(r.url("/desk"))))
	shows(r.t, station, "prizes", "Game 1, Bingo")
	touch(r.t, station, "#close")
	shows(r.t, station, "said-clause", "Rule 3.2.2") // The electronic card is still out.
	touch(r.t, station, "#prizes [data-do=pay]")
	shows(r.t, station, "said", "$100 paid.")
	shows(r.t, station, "prizes", "Everything that was won is paid.")
	touch(r.t, station, "[data-do=back]")
	shows(r.t, station, "said", "is back.")
	touch(r.t, station, "#close")
	shows(r.t, station, "said", "The session is closed.")
	awaitPage(r.t, station, "the next plan", `() => !document.getElementById("plan-panel").hidden`)
}

// TestBoardIsNotEarly holds the journal back: a number that was drawn and is not durable
// is on no screen. A second press of the key calls no second number, neither meanwhile nor
// right afterwards.
func TestBoardIsNotEarly(t *testing.T) {
	t.Parallel()
	r := openRoom(t)
	r.set(2)
	r.enter("100", 101, 102, 0)
	r.closeIssue(101, 102)
	r.announce(1)
	r.calls(1, 1, 3)
	station, wall := machine(t), machine(t)
	r.station(station, "/caller")
	r.open(wall, "/hall/1", 1920, 1080)
	awaitBoard(t, wall, "three numbers", func(b onBoard) bool { return b.Connection == "live" && len(b.Called) == 3 })
	ready(t, station, "Call number 4")

	r.gate.mu.Lock()
	keys(t, station, "   ")
	time.Sleep(1500 * time.Millisecond)
	held := call[onBoard](t, wall, lookAtBoard)
	caller := call[string](t, station, `() => document.getElementById("count").textContent`)
	// The page itself presses the key right after the number is there: a test comes too late on a slow machine.
	call[chromedp.Void](t, station, `() => new MutationObserver((_, watch) => {
		if (document.getElementById("count").textContent !== "4 numbers called") return;
		watch.disconnect();
		for (let i = 0; i < 2; i++) document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: " ", code: "Space", bubbles: true, cancelable: true }));
		window.pressedTwice = true;
	}).observe(document.body, { subtree: true, childList: true, characterData: true })`)
	r.gate.mu.Unlock()
	if len(held.Called) != 3 || caller != "3 numbers called" {
		t.Errorf("a number that is not in the journal is on screens: %+v, %s", held, caller)
	}
	b := awaitBoard(t, wall, "the fourth number", func(b onBoard) bool { return len(b.Called) == 4 })
	awaitPage(t, station, "two presses", "() => window.pressedTwice === true")
	time.Sleep(500 * time.Millisecond)
	if room := r.view(); !slices.Equal(room.Game.Calls, b.Called) {
		t.Errorf("pressed several times, the key called %v", room.Game.Calls)
	}
}

// TestBoardComesBack cuts a board off while numbers are called: it says so, and shows all
// of them when the house answers again, by itself.
func TestBoardComesBack(t *testing.T) {
	t.Parallel()
	r := openRoom(t)
	r.set(2)
	r.enter("100", 101, 102, 0)
	r.closeIssue(101, 102)
	r.announce(1)
	r.calls(1, 1, 2)
	wall := machine(t)
	said, asked := complaints(t, wall), requests(t, wall)
	r.open(wall, "/hall/1", 1920, 1080)
	awaitBoard(t, wall, "two numbers", func(b onBoard) bool { return b.Connection == "live" && len(b.Called) == 2 })
	r.down.Store(true)
	r.house.Hub().Close() // Streams end, as with a house that is gone.
	awaitBoard(t, wall, "that it is cut off",
		func(b onBoard) bool { return b.Connection == "offline" && len(b.Called) == 2 })
	picture(t, wall, "hall-offline-1920x1080")
	r.calls(1, 3, 5)
	r.shut()
	r.down.Store(false)
	r.shop.open()
	back := awaitBoard(t, wall, "what it missed",
		func(b onBoard) bool { return b.Connection == "live" && len(b.Called) == 5 })
	if room := r.view(); !slices.Equal(back.Called, room.Game.Calls) {
		t.Errorf("the board shows %v of %v", back.Called, room.Game.Calls)
	}
	quiet(t, r.shop, said(), asked())
}

// TestBoardStates goes through what a board shows of an evening, each at the sizes of a
// wall and a phone.
func TestBoardStates(t *testing.T) {
	t.Parallel()
	r := openRoom(t)
	wall := machine(t)
	said, asked := complaints(t, wall), requests(t, wall)
	r.open(wall, "/hall/9", 1920, 1080)
	shows(t, wall, "state", "There is no bingo room 9.")
	r.open(wall, "/hall/1", 1920, 1080)
	r.judged(wall, "hall-empty", func(b onBoard) bool { return b.Said == "No session is announced" })
	r.set(4)
	r.judged(wall, "hall-entering", func(b onBoard) bool { return b.State == "entering" })
	r.enter("100", 101, 104, 0)
	r.enter("200", 105, 108, 0)
	r.closeIssue(101, 108)
	r.announce(1)
	calls, serial, box := r.untilBingo(1, 1, 1)
	r.judged(wall, "hall-calling", func(b onBoard) bool { return len(b.Called) == calls && b.State == "calling" })
	r.rulesInWords(wall)

	last := r.view().Game.Calls[calls-1]
	mistaken := 1 // the number that was announced by mistake, which was not called before
	for slices.Contains(r.view().Game.Calls, mistaken) {
		mistaken++
	}
	r.do(r.correct(last, mistaken))
	r.judged(wall, "hall-corrected", func(b onBoard) bool {
		return b.Notice == fmt.Sprintf("Not valid: %d was announced by mistake.", mistaken)
	})
	r.do(r.claim(serial, box))
	r.judged(wall, "hall-checking", func(b onBoard) bool { return b.State == "checking" })
	r.check(1)
	r.judged(wall, "hall-won", func(b onBoard) bool { return b.State == "won" && b.Said == "Bingo" })
	_, err := r.house.FinishBingo(t.Context(), gameOf(1))
	r.must(err)
	r.judged(wall, "hall-between", func(b onBoard) bool { return b.State == "between" && b.Game == "Game 2 of 3" })
	r.jackpotNumbers(2)
	r.announce(2)
	r.calls(2, 1, 12)
	r.judged(wall, "hall", func(b onBoard) bool { return len(b.Called) == 12 })
	awaitPage(t, wall, "the jackpot numbers and the games that pay it",
		`() => /^\u2605 Wins on .+\. Paid out in game [\d, ]+$/.test(document.getElementById("stars").textContent)`)
	quiet(t, r.shop, said(), asked())
}

// judged waits for a state of the board and holds it to what screens are held to.
func (r *bingoRoom) judged(wall context.Context, name string, ok func(onBoard) bool) {
	r.t.Helper()
	awaitBoard(r.t, wall, name, ok)
	judge(r.t, wall, name)
}

// rulesInWords asks the board for the rules.
func (r *bingoRoom) rulesInWords(wall context.Context) {
	r.t.Helper()
	touch(r.t, wall, "#ask")
	shows(r.t, wall, "clauses", "A copy of the rules can be inspected on request.")
	judge(r.t, wall, "hall-rules")
	call[chromedp.Void](r.t, wall,
		`() => { const find = document.getElementById("find"); find.value = "at least 15"; find.dispatchEvent(new Event("input")); }`)
	awaitPage(r.t, wall, "one clause", `() => document.querySelectorAll("#clauses dt").length === 1`)
	touch(r.t, wall, "#rules-close")
}

// TestBoardOverfull stages a game that forty cards have won, with prizes and a jackpot of
// as many digits as there may be: nothing is cut off.
func TestBoardOverfull(t *testing.T) {
	t.Parallel()
	r := openRoom(t)
	r.set(4)
	r.enter("100", 101, 104, 0)
	r.closeIssue(101, 104)
	r.announce(1)
	calls, serial, box := r.untilBingo(1, 1, 1)
	r.do(r.claim(serial, box))
	r.check(1)
	room := r.view()
	for i := range 39 {
		claim := room.Game.Claims[0]
		claim.Claim = uint16(i + 2)
		room.Game.Claims = append(room.Game.Claims, claim)
	}
	for i := range room.Session.Prizes {
		room.Session.Prizes[i].Cents = 1_234_567_00
	}
	room.Session.JackpotNumbers = []int{3, 17, 42, 66, 90}
	r.stage("/v1/hall/1", room)
	wall := machine(t)
	r.open(wall, "/hall/1", 1920, 1080)
	r.judged(wall, "hall-overfull", func(b onBoard) bool {
		return b.Said == "Bingo on 40 cards" &&
			len(b.Called) == calls
	})
	if cut := call[[]string](t, wall, "() => "+overflowing); len(cut) > 0 {
		t.Errorf("cut off: %q", cut)
	}
	r.overfullDesk(room)
}

// overfullDesk stages a desk with forty prizes to pay, one of which waits for a witness.
func (r *bingoRoom) overfullDesk(room api.HallRoom) {
	r.t.Helper()
	station := machine(r.t)
	desk := api.HallDesk{
		Hall: 1, Session: 1, Phase: "playing", FeeCents: 1000, BooksMax: 4, Plays: []string{"K7"},
		Stock: []api.HallStock{{Series: "K7", Up: 6, Games: []string{"pink"}, First: 101, Last: 130, Next: 105}},
		Media: api.HallMedia{Prize: []string{"cash", "casino_dollars", "slot_dollars"},
			Jackpot: []string{"cash", "cheque"}},
		Devices: []api.HallDevice{}, Issued: []api.HallIssued{}, Patterns: []api.HallPattern{}, Refunds: []api.HallRefund{},
		Awards: []api.HallAward{},
	}
	for i, claim := range room.Game.Claims {
		claim.Cents, claim.JackpotCents, claim.Settled = 250_00, 31_250_00, true
		prize := api.HallPrize{Game: 1, Name: "Bingo",
			HallCardClaim: api.HallCardClaim{HallClaim: claim, Serial: fmt.Sprintf("K7-%06d-01", 101+i), Book: uint32(101 + i),
				Series: "K7", Box: 1, Player: uint32(i + 1)}}
		if i == 0 {
			prize.Waits = "witness.example"
		}
		desk.Prizes = append(desk.Prizes, prize)
		desk.Players = append(desk.Players, api.HallPlayer{Player: uint32(i + 1), Member: fmt.Sprint(100_000 + i),
			Books: []command.Books{{Series: "K7", First: uint32(101 + 4*i), Last: uint32(104 + 4*i)}}})
	}
	r.stage("/v1/hall/1/desk", desk)
	r.station(station, "/desk")
	shows(r.t, station, "prizes-title", "Prizes to pay: 40")
	shows(r.t, station, "prizes", "Waits for the witness witness.example")
	awaitPage(r.t, station, "a prize that cannot be paid yet",
		`() => document.querySelector("#prizes [data-do=pay]").disabled`)
	judge(r.t, station, "desk-overfull")
}

// TestScorecard shows an electronic card with twenty-four boards: marked by itself, marked
// by hand, and cut off from the house.
func TestScorecard(t *testing.T) {
	t.Parallel()
	r := openRoom(t)
	card := machine(t)
	said, asked := complaints(t, card), requests(t, card)
	r.card(card, 2)
	shows(t, card, "said", "This card is issued to nobody.")
	judge(t, card, "card-empty")
	r.set(4)
	r.enter("100", 101, 104, 2)
	r.closeIssue(101, 104)
	r.announce(1)
	awaitPage(t, card, "24 boards", `() => document.querySelectorAll("#boxes .box").length === 24`)
	r.calls(1, 1, 30)
	awaitPage(t, card, "30 calls, each marked once", `() => document.getElementById("count").textContent === "Call 30"
		&& new Set([...document.querySelectorAll("#boxes [data-marked]")].map((e) => e.dataset.n)).size === 30`)
	touch(t, card, "#nearest")
	awaitPage(t, card, "the nearest box first",
		`() => { const all = [...document.querySelectorAll(".tag strong")].map((e) => e.textContent === "complete" ? 0 : parseInt(e.textContent)); return all.every((n, i) => i === 0 || all[i - 1] <= n); }`)
	judge(t, card, "card")

	// By hand: what was called until now stays marked, what comes is the holder's.
	touch(t, card, "#manual")
	awaitPage(t, card, "marks by hand", `() => document.querySelectorAll("#boxes button[data-marked]").length > 0`)
	r.calls(1, 31, 31)
	shows(t, card, "missed", "1 number called and not marked")
	last := r.view().Game.Calls[30]
	touch(t, card, fmt.Sprintf("#boxes [data-n=%q]", fmt.Sprint(last)))
	awaitPage(t, card, "the mark",
		`(n) => [...document.querySelectorAll("#boxes [data-n='" + n + "']")].every((e) => e.ariaPressed === "true")`, last)
	open := 1
	for slices.Contains(r.view().Game.Calls, open) {
		open++
	}
	touch(t, card, fmt.Sprintf("#boxes [data-n=%q]", fmt.Sprint(open)))
	shows(t, card, "said", fmt.Sprintf("%d was not called.", open))
	r.down.Store(true)
	r.house.Hub().Close()
	awaitPage(t, card, "that it is cut off", `() => document.documentElement.dataset.connection === "offline"`)
	quiet(t, r.shop, said(), asked())
}
