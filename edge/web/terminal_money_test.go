package web

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"drawhouse/decide/command"
	"drawhouse/house/person"
	"drawhouse/journal/record"
)

// press presses a key several times.
func press(t *testing.T, ctx context.Context, key string, times int) {
	t.Helper()
	for range times {
		keys(t, ctx, key)
	}
}

// sells asks for the ticket that the slip is, once the house has said its price: until then
// the key does nothing.
func sells(t *testing.T, ctx context.Context) {
	t.Helper()
	awaitPage(t, ctx, "a price", `() => !document.getElementById("sell").disabled`)
	keys(t, ctx, kb.F8)
}

// sold marks a slip and sells it.
func sold(t *testing.T, ctx context.Context, slip, price string) (serial, code string) {
	t.Helper()
	line(t, ctx, slip)
	shows(t, ctx, "price", price)
	sells(t, ctx)
	return paperOnScreen(t, ctx, "Ticket")
}

// finished ends the visit with what was typed into its window.
func finished(t *testing.T, ctx context.Context, said string) {
	t.Helper()
	keys(t, ctx, kb.Enter)
	shows(t, ctx, "said", said)
	shows(t, ctx, "visit-title", "Next customer")
}

// TestTerminalTakesChips pays in chips where the rulebook takes them, and the rest in cash.
func TestTerminalTakesChips(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := openShop(t, "casino-keno-div2")
	size(t, ctx, 1280, 720)
	s.enrolled(ctx)
	sold(t, ctx, "3 17 42 s20", "$20.00")
	keys(t, ctx, kb.F9)
	shows(t, ctx, "settle-sums", "To pay $20.00")
	keys(t, ctx, "10"+kb.Tab+"25")
	keys(t, ctx, kb.Enter)
	shows(t, ctx, "settle-fault", "The customer owes $20.00, and $25.00 in chips are tendered.")
	call[chromedp.Void](t, ctx,
		`() => { const f = document.getElementById("chips"); f.value = "15"; f.dispatchEvent(new Event("input", { bubbles: true })); f.focus(); }`)
	shows(t, ctx, "change", "$5.00 in cash. Change $5.00")
	finished(t, ctx, "Chips $15.00 in, Cash $5.00 in")
	s.verified()
}

// TestTerminalSellsVouchers sells a gift voucher with the keyboard alone, and takes it for a
// ticket afterwards.
func TestTerminalSellsVouchers(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := openShop(t, "vic-keno-2015")
	s.begins()
	size(t, ctx, 1280, 720)
	s.enrolled(ctx)
	keys(t, ctx, kb.F5)
	awaitPage(t, ctx, "the window", `() => document.activeElement.id === "voucher-amount"`)
	keys(t, ctx, "nothing"+kb.Enter)
	shows(t, ctx, "voucher-amount-fault", "An amount is dollars and cents")
	press(t, ctx, kb.Backspace, len("nothing"))
	call[chromedp.Void](t, ctx,
		`() => { const kind = document.getElementById("voucher-kind"); kind.value = "gift_voucher"; kind.dispatchEvent(new Event("input")); }`)
	keys(t, ctx, "25"+kb.Tab+"9999"+kb.Enter)
	shows(t, ctx, "voucher-days-fault", "Rule 12(c)")
	press(t, ctx, kb.Backspace, 4)
	keys(t, ctx, "90")
	judge(t, ctx, "terminal-voucher")
	keys(t, ctx, kb.Enter)
	serial, code := paperOnScreen(t, ctx, "Paper")
	shows(t, ctx, "owed", "$25.00")
	shows(t, ctx, "lines", "Paper issued")
	keys(t, ctx, kb.F9)
	finished(t, ctx, "Customer finished: Cash $25.00 in.")

	sold(t, ctx, "1 2 3 s25", "$25.00")
	line(t, ctx, serial)
	shows(t, ctx, "presented-headline", "$25.00")
	line(t, ctx, code)
	keys(t, ctx, kb.F9)
	shows(t, ctx, "settle-sums", "Gift Voucher")
	finished(t, ctx, "Paper $25.00 in")
	s.verified()
}

// TestTerminalPlaysAgain sells an old ticket once more, as it was and for other games.
func TestTerminalPlaysAgain(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := openShop(t, "vic-keno-2015")
	size(t, ctx, 1280, 720)
	s.enrolled(ctx)
	serial, _ := sold(t, ctx, "3 17 42 s2 g2", "$4.00")
	present(t, ctx, serial)
	keys(t, ctx, kb.F3)
	shows(t, ctx, "summary", "once more")
	shows(t, ctx, "price", "$4.00")
	line(t, ctx, "g5")
	shows(t, ctx, "price", "$10.00")
	shows(t, ctx, "breakdown", "1 way, 5 games")
	sells(t, ctx)
	paperOnScreen(t, ctx, "Ticket")
	shows(t, ctx, "owed", "$14.00")
	// A mark begins another slip.
	present(t, ctx, serial)
	keys(t, ctx, kb.F3)
	shows(t, ctx, "summary", "once more")
	line(t, ctx, "7 s1")
	shows(t, ctx, "summary", "1 spot: 7")
	shows(t, ctx, "price", "$1.00")
	s.verified()
}

// TestTerminalMarksWays marks ways one by one, with the keys and on the screen.
func TestTerminalMarksWays(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := openShop(t, "casino-keno-div2")
	size(t, ctx, 1280, 720)
	s.enrolled(ctx)
	line(t, ctx, "1 2 / 11 12 13 / 40 wa wbc wac s1")
	shows(t, ctx, "breakdown", "3 ways, 1 game")
	pressed := func() string {
		return call[string](t, ctx,
			`() => [...document.querySelectorAll("[data-way][aria-pressed=true]")].map((b) => b.textContent).join(" ")`)
	}
	if got := pressed(); got != "A AC BC" {
		t.Errorf("marked are %s", got)
	}
	line(t, ctx, "wac")
	shows(t, ctx, "breakdown", "2 ways, 1 game")
	click(t, ctx, `[data-way='1-2-3']`)
	shows(t, ctx, "breakdown", "3 ways, 1 game")
	line(t, ctx, "wad")
	shows(t, ctx, "said", "is not understood")
	sells(t, ctx)
	paperOnScreen(t, ctx, "Ticket")
	shows(t, ctx, "owed", "$3.00")
	s.verified()
}

// TestTerminalTabOrder goes through the counter and its windows with the tab key: it comes
// to everything that can be worked, once, from left to right and from top to bottom within
// each part, and round to where it began.
func TestTerminalTabOrder(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := openShop(t, "vic-keno-2015")
	size(t, ctx, 1280, 720)
	s.enrolled(ctx)
	line(t, ctx, "1 2 3 / 14 25 s1")
	awaitPage(t, ctx, "a price", `() => !document.getElementById("sell").disabled`)
	tabThrough(t, ctx, "the counter", "header, .slip, .terms, .visit, .line")
	sells(t, ctx)
	paperOnScreen(t, ctx, "Ticket")
	keys(t, ctx, kb.F9)
	tabThrough(t, ctx, "the end of a visit", "#settle")
	keys(t, ctx, kb.Escape)
	awaitPage(t, ctx, "the line", `() => document.activeElement.id === "entry"`)
	keys(t, ctx, kb.F5)
	tabThrough(t, ctx, "the sale of vouchers", "#voucher")
	keys(t, ctx, kb.Escape)
	awaitPage(t, ctx, "no window", `() => document.querySelector("dialog[open]") === null`)
}

// stops are all places that the tab key comes to, in the order of the page.
const stops = `(parts) => [...document.querySelectorAll(parts)].flatMap((part) => [...part.querySelectorAll("button, input, select, [tabindex='0']")]
	.filter((e) => e.checkVisibility() && !e.disabled && e.tabIndex >= 0 && !e.closest("[hidden]"))
	.filter((e) => e.type !== "radio" || e.checked))
	.map((e, i) => { e.dataset.stop = i; return e.id || e.dataset.bet || e.textContent || e.type; })`

// tabThrough presses tab once for each place and back to the first.
func tabThrough(t *testing.T, ctx context.Context, what, parts string) {
	t.Helper()
	want := call[[]string](t, ctx, stops, parts)
	if len(want) < 4 {
		t.Fatalf("%s has only %q", what, want)
	}
	type stop struct {
		Stop, Part string
		X, Y       float64
	}
	const look = `() => { const e = document.activeElement, b = e.getBoundingClientRect(); return { Stop: e.dataset.stop ?? "", Part: e.closest("header, section, form")?.className ?? "", X: b.left, Y: b.bottom }; }`
	call[chromedp.Void](t, ctx, `() => document.querySelector("[data-stop='0']").focus()`)
	last := call[stop](t, ctx, look)
	for i := range want {
		if last.Stop != fmt.Sprint(i) {
			t.Fatalf("%s: stop %d is %+v, and should be %q", what, i, last, want[i])
		}
		keys(t, ctx, kb.Tab)
		next := call[stop](t, ctx, look)
		for range 2 { // The browser's own frame is a stop between the last and the first.
			if next.Stop == "" {
				keys(t, ctx, kb.Tab)
				next = call[stop](t, ctx, look)
			}
		}
		if next.Part == last.Part && i < len(want)-1 && next.Y < last.Y-4 && next.X <= last.X {
			t.Errorf("%s: after %q the focus goes up and back to %q", what, want[i], next.Stop)
		}
		last = next
	}
	if last.Stop != "0" {
		t.Errorf("%s: behind the last stop is %+v and not the first", what, last)
	}
	call[chromedp.Void](t, ctx,
		`() => { for (const e of document.querySelectorAll("[data-stop]")) delete e.dataset.stop; }`)
}

// TestTerminalPaysByCheque pays more than may go out in cash. The rules ask for a payee:
// the window asks, keeps what was typed, and the particulars of the cheque are printed with
// the words that cross it; then another prize goes out in parts, one of them by transfer.
func TestTerminalPaysByCheque(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := openShop(t, "vic-keno-2015")
	size(t, ctx, 1280, 720)
	s.enrolled(ctx)
	keys(t, ctx, kb.F2)
	var calls [6][2]string // each call twice: one of them wins twice
	for i := range calls {
		calls[i][0], calls[i][1] = sold(t, ctx, string("hte"[i%3])+" s7000", "$7,000.00")
	}
	keys(t, ctx, kb.F9)
	finished(t, ctx, "Cash $42,000.00 in")
	game := s.turn()
	s.draw(game, 20)
	s.finish(game)
	heads := 0
	for _, n := range s.house.First().Games(2)[1].Numbers.Numbers() {
		if n <= 40 {
			heads++
		}
	}
	if heads == 10 {
		t.Fatal("the draw of this seed is even")
	}
	won := 1
	if heads > 10 {
		won = 0
	}
	payBig(t, ctx, calls[won])
	keys(t, ctx, kb.F9)
	shows(t, ctx, "settle-sums", "To the customer $14,000.00")
	keys(t, ctx, kb.Enter)
	shows(t, ctx, "settle-fault", "needs the details of the payee")
	shows(t, ctx, "settle-clause", "Rule 21(b)")
	awaitPage(t, ctx, "the payee", `() => document.activeElement.id === "payee-name"`)
	keys(t, ctx, "Ada Lovelace"+kb.Tab+"1 Engine Street")
	judge(t, ctx, "terminal-payee")
	keys(t, ctx, kb.Enter)
	awaitPage(t, ctx, "the cheque",
		`() => document.getElementById("paper").open && document.querySelector("#roll svg") !== null`)
	text := call[string](t, ctx, `() => document.getElementById("roll").textContent.replaceAll("\u00a0", " ")`)
	for _, want := range []string{"Ada Lovelace", "$4,000.00", "Not Negotiable", "Account Payee Only"} {
		if !strings.Contains(text, want) {
			t.Errorf("the particulars of the cheque lack %q: %s", want, text)
		}
	}
	keys(t, ctx, kb.Escape)
	shows(t, ctx, "said", "Cash $10,000.00 out, Cheque $4,000.00 out")

	payBig(t, ctx, calls[won+3])
	keys(t, ctx, kb.F9)
	shows(t, ctx, "settle-sums", "To the customer $14,000.00")
	click(t, ctx, "#means [value=transfer]")
	call[chromedp.Void](t, ctx, `() => { const part = document.querySelector("[data-means=cash]"); part.focus(); }`)
	keys(t, ctx, "500")
	awaitPage(t, ctx, "the payee", `() => !document.getElementById("payee").hidden`)
	call[chromedp.Void](t, ctx, `() => document.getElementById("payee-name").focus()`)
	keys(t, ctx, "Ada Lovelace"+kb.Tab+kb.Tab+kb.Tab+"063-000 1234 5678")
	finished(t, ctx, "Cash $500.00 out, Transfer $13,500.00 out")
	s.verified()
}

// present scans a ticket and waits for what the house says of it.
func present(t *testing.T, ctx context.Context, serial string) {
	t.Helper()
	line(t, ctx, serial)
	awaitPage(t, ctx, "the ticket",
		`(serial) => !document.getElementById("presented").hidden && document.getElementById("presented-title").textContent.replaceAll(" ", "").endsWith(serial)`, serial)
}

// payBig presents a ticket and pays what it has won.
func payBig(t *testing.T, ctx context.Context, paper [2]string) {
	t.Helper()
	present(t, ctx, paper[0])
	shows(t, ctx, "presented-headline", "$14,000.00 won")
	line(t, ctx, paper[1])
	shows(t, ctx, "pay", "Pay $14,000.00")
	keys(t, ctx, kb.Enter)
	shows(t, ctx, "said", "$14,000.00 is on the customer's account.")
}

// TestTerminalCards takes cash for a player card, pays a ticket from it, brings the prize
// back to it, and shows its statement, which only a writer on shift sees.
func TestTerminalCards(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := openShop(t, "vic-keno-2015")
	holder, err := person.NewCustomer(command.Customer{Name: "Ada Lovelace", Address: "1 Engine Street"}, rand.Reader)
	s.must(err)
	s.must(s.register.PutCustomer(t.Context(), holder))
	s.must(command.Outcome(s.house.Do(t.Context(),
		command.RegisterCard{Holder: command.Customer{Born: "1980-12-10"}, Details: holder.Hash()}, record.By{})))
	const card = "1"
	writer := s.newWriter("correct horse battery")
	size(t, ctx, 1280, 720)
	s.enrolled(ctx)
	keys(t, ctx, kb.F11)
	awaitPage(t, ctx, "the window", `() => document.activeElement.id === "cards-number"`)
	keys(t, ctx, card+kb.Enter)
	shows(t, ctx, "cards-fault", "Nobody has signed on at terminal 1.")
	keys(t, ctx, kb.Escape)
	keys(t, ctx, kb.F12)
	awaitPage(t, ctx, "the sign-on", `() => document.activeElement.id === "person"`)
	keys(t, ctx, fmt.Sprint(writer)+kb.Tab+"correct horse battery"+kb.Enter)
	shows(t, ctx, "shift", "Writer")
	keys(t, ctx, kb.F11)
	awaitPage(t, ctx, "the window", `() => document.activeElement.id === "cards-number"`)
	keys(t, ctx, card+kb.Tab+"50"+kb.Enter)
	shows(t, ctx, "cards-funds", "$50.00, Ada Lovelace")
	if strings.Contains(call[string](t, ctx, `() => document.body.innerText`), "Engine Street") {
		t.Error("the counter shows where the holder lives")
	}
	judge(t, ctx, "terminal-card")
	keys(t, ctx, kb.Escape)

	keys(t, ctx, kb.F2)
	var calls [3][2]string
	for i := range calls {
		calls[i][0], calls[i][1] = sold(t, ctx, string("hte"[i])+" s10", "$10.00")
	}
	keys(t, ctx, kb.F9)
	shows(t, ctx, "settle-sums", "To pay $30.00")
	call[chromedp.Void](t, ctx, `() => document.getElementById("card").focus()`)
	keys(t, ctx, card)
	shows(t, ctx, "change", "$0.00 in cash.")
	finished(t, ctx, "Player card $30.00 in")
	game := s.turn()
	s.draw(game, 20)
	s.finish(game)
	for _, ticket := range calls {
		present(t, ctx, ticket[0])
		if call[bool](t, ctx,
			`() => document.getElementById("presented-headline").textContent.includes("won") && !document.getElementById("presented-headline").textContent.startsWith("Nothing")`) {
			line(t, ctx, ticket[1])
			awaitPage(t, ctx, "something to pay", `() => !document.getElementById("pay").disabled`)
			keys(t, ctx, kb.Enter)
			shows(t, ctx, "said", "is on the customer's account.")
			break
		}
		keys(t, ctx, kb.Escape)
	}
	keys(t, ctx, kb.F9)
	awaitPage(t, ctx, "the end", `() => document.getElementById("settle").open`)
	click(t, ctx, `#means [value=player_card]`)
	finished(t, ctx, "out")
	keys(t, ctx, kb.F11)
	keys(t, ctx, card+kb.Enter)
	awaitPage(t, ctx, "three lines", `() => document.querySelectorAll("#cards-moves .amount").length === 3`)
	shows(t, ctx, "cards-moves", "paid for tickets")
	s.verified()
}

// TestTerminalNamesRunner sells an entry that a runner brought, and says at the end of the visit who it was.
func TestTerminalNamesRunner(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := openShop(t, "tas-keno-2023")
	size(t, ctx, 1280, 720)
	s.enrolled(ctx)
	line(t, ctx, "3 17 42 s2")
	clickNamed(t, ctx, "#options button", "Brought by a runner")
	awaitPage(t, ctx, "a marked runner",
		`() => [...document.querySelectorAll("#options button")].some((b) => b.textContent === "Brought by a runner" && b.getAttribute("aria-pressed") === "true")`)
	sells(t, ctx)
	paperOnScreen(t, ctx, "Ticket")
	keys(t, ctx, kb.F9)
	awaitPage(t, ctx, "the end",
		`() => document.getElementById("settle").open && !document.getElementById("runner-label").hidden`)
	fill := func(number string) {
		call[chromedp.Void](t, ctx,
			`(number) => { const f = document.getElementById("runner"); f.value = number; f.focus(); }`, number)
		keys(t, ctx, kb.Enter)
	}
	fill("Ann")
	shows(t, ctx, "settle-fault", "The number of a runner has digits only.")
	fill("999")
	shows(t, ctx, "settle-fault", "Person 999 is no runner of venue 1.")
	judge(t, ctx, "terminal-runner")
	fill(fmt.Sprint(s.newWriter(passphrase)))
	shows(t, ctx, "visit-title", "Next customer")
	s.verified()
}
