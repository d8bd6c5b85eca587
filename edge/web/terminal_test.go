package web

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"drawhouse/decide/command"
	"drawhouse/house"
	"drawhouse/journal/record"
)

// paperOnScreen waits for a paper on the screen, reads serial and claim code off it and
// puts it away.
func paperOnScreen(t *testing.T, ctx context.Context, title string) (serial, code string) {
	t.Helper()
	awaitPage(t, ctx, "the paper",
		`(title) => document.getElementById("paper").open && document.getElementById("paper-title").textContent === title && document.querySelector("#roll svg") !== null`, title)
	serial, code = readPaper(t, ctx)
	keys(t, ctx, kb.Escape)
	awaitPage(t, ctx, "the paper put away", `() => !document.getElementById("paper").open`)
	return serial, code
}

// readPaper reads serial and claim code off the paper on the screen.
func readPaper(t *testing.T, ctx context.Context) (serial, code string) {
	t.Helper()
	text := call[string](t, ctx,
		`() => [...document.querySelectorAll("#roll svg text")].map((e) => e.textContent.trim()).join("\n").replaceAll("\u00a0", " ")`)
	serials := regexp.MustCompile(`\b\d{4} \d{4} \d{4} \d{4}\b`).FindString(text)
	codes := regexp.MustCompile(`\b[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}\b`).FindString(text)
	if serials == "" {
		t.Fatalf("the paper has no serial:\n%s", text)
	}
	return strings.ReplaceAll(serials, " ", ""), codes
}

// TestCustomerSession is a whole visit at the counter, with the keyboard alone: two old
// tickets are paid, one more is bought, a change receipt that an earlier visit left is
// used, and the rest is cash. The till comes out right.
func TestCustomerSession(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	said, asked := complaints(t, ctx), requests(t, ctx)
	s := openShop(t, "vic-keno-2015")
	size(t, ctx, 1280, 720)
	s.enrolled(ctx)

	// An earlier customer buys eighty numbers one by one, so that twenty win $3.00 each,
	// in two tickets, and pays $80.00 cash with $100.00.
	var old [2][2]string
	for i := range old {
		var spots []string
		for n := 40*i + 1; n <= 40*i+8; n++ {
			spots = append(spots, fmt.Sprint(n))
		}
		line(t, ctx, strings.Join(spots, " / ")+" s5")
		click(t, ctx, `#groups .join`)
		shows(t, ctx, "price", "$40.00")
		shows(t, ctx, "breakdown", "8 ways, 1 game")
		sells(t, ctx)
		old[i][0], old[i][1] = paperOnScreen(t, ctx, "Ticket")
		shows(t, ctx, "owed", fmt.Sprintf("$%d.00", 40*(i+1)))
	}
	keys(t, ctx, kb.F9)
	shows(t, ctx, "settle-sums", "To pay $80.00")
	keys(t, ctx, "70")
	shows(t, ctx, "change", "$10.00 is missing")
	keys(t, ctx, kb.Enter)
	shows(t, ctx, "settle-fault", "The cash does not cover")
	keys(t, ctx, kb.Backspace+kb.Backspace+"100")
	shows(t, ctx, "change", "Change $20.00")
	keys(t, ctx, kb.Enter)
	shows(t, ctx, "said", "Customer finished: Cash $80.00 in. Change $20.00.")
	shows(t, ctx, "visit-title", "Next customer")

	game := s.turn()
	s.draw(game, 20)
	s.finish(game)
	won := winnings(s.house.First().Games(2)[1])
	if won[0] == 0 || won[1] == 0 {
		t.Fatalf("the draw of this seed has no winners: %v", won)
	}

	// The second visit: what the first ticket won is paid as a change receipt.
	payOld(t, ctx, old[0], won[0])
	keys(t, ctx, kb.F9)
	shows(t, ctx, "settle-sums", "To the customer "+dollars(won[0]))
	click(t, ctx, `#means [value=change_receipt]`)
	keys(t, ctx, kb.Enter)
	serial, code := paperOnScreen(t, ctx, "Paper")
	shows(t, ctx, "said", "Change receipt "+dollars(won[0])+" out")

	// The third: the other ticket, the change receipt, a ticket for heads or tails.
	payOld(t, ctx, old[1], won[1])
	keys(t, ctx, kb.F2)
	line(t, ctx, "h s10 g2")
	shows(t, ctx, "price", "$20.00")
	keys(t, ctx, kb.Enter)
	paperOnScreen(t, ctx, "Ticket")
	line(t, ctx, serial)
	shows(t, ctx, "presented-headline", dollars(won[0]))
	line(t, ctx, code)
	shows(t, ctx, "lines", "Change Receipt")
	owed := 2000 - won[0] - won[1]
	shows(t, ctx, "owed", dollars(max(owed, -owed)))
	keys(t, ctx, kb.F9)
	awaitPage(t, ctx, "the end of the visit", `() => document.getElementById("settle").open`)
	keys(t, ctx, kb.Enter)
	shows(t, ctx, "said", "Customer finished")
	shows(t, ctx, "owed", "$0.00")

	counter, err := s.house.Counter(t.Context(), 1)
	s.must(err)
	if want := int64(8000 + owed); counter.Drawer.Cents() != want {
		t.Errorf("the drawer should have %v, and the house says %v", want, counter.Drawer)
	}
	s.verified()
	quiet(t, s, said(), asked())
}

// payOld presents an old ticket by scanner and pays what it has won.
func payOld(t *testing.T, ctx context.Context, paper [2]string, won int) {
	t.Helper()
	line(t, ctx, paper[0])
	awaitPage(t, ctx, "the ticket", `() => !document.getElementById("presented").hidden`)
	shows(t, ctx, "presented-headline", dollars(won)+" won")
	line(t, ctx, "AAAA-AAAA-AAAA-AAAA")
	keys(t, ctx, kb.F10)
	awaitPage(t, ctx, "a refusal", `() => document.getElementById("presented-fault").textContent !== ""`)
	line(t, ctx, paper[1])
	shows(t, ctx, "pay", "Pay "+dollars(won))
	keys(t, ctx, kb.Enter)
	shows(t, ctx, "said", dollars(won)+" is on the customer's account.")
}

func dollars(cents int) string { return fmt.Sprintf("$%d.%02d", cents/100, cents%100) }

// winnings counts what the tickets of eight single numbers at $5.00 have won: $15.00
// for each that was drawn.
func winnings(g house.Game) (won [2]int) {
	for _, n := range g.Numbers.Numbers() {
		for i := range won {
			if n > 40*i && n <= 40*i+8 {
				won[i] += 1500
			}
		}
	}
	return won
}

// quiet holds a page to silence on the console and to its own origin. A browser says
// itself that an answer was a refusal, or that none came.
func quiet(t *testing.T, s *shop, said, asked []string) {
	t.Helper()
	said = slices.DeleteFunc(said, func(m string) bool { return strings.Contains(m, "Failed to load resource") })
	if len(said) != 0 {
		t.Errorf("the console says %q", said)
	}
	for _, address := range asked {
		if strings.HasPrefix(address, "data:") {
			continue // Such as the picture of a calendar in a field for a date: it is the browser's own.
		}
		if !strings.HasPrefix(address, s.url("/")) && !strings.HasPrefix(address, "blob:"+s.url("/")) {
			t.Errorf("the page asked for %s", address)
		}
	}
}

// TestTerminalAsksOnce loses the answer of a sale: the terminal asks again under the same
// number, also after it was loaded anew, and one ticket is sold.
func TestTerminalAsksOnce(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := openShop(t, "vic-keno-2015")
	size(t, ctx, 1280, 720)
	s.enrolled(ctx)
	line(t, ctx, "3 17 42 s1")
	shows(t, ctx, "price", "$1.00")
	s.lose.Store(true)
	keys(t, ctx, kb.F8)
	shows(t, ctx, "notice", "The house has not answered the sale")
	picture(t, ctx, "terminal-pending")
	s.lose.Store(false)
	paperOnScreen(t, ctx, "Ticket")
	shows(t, ctx, "owed", "$1.00")

	line(t, ctx, "5 s2")
	shows(t, ctx, "price", "$2.00")
	s.down.Store(true)
	keys(t, ctx, kb.F8)
	shows(t, ctx, "notice", "Hand out nothing")
	s.must(chromedp.Do(ctx, chromedp.Reload()))
	s.shut()
	s.open()
	s.down.Store(false)
	paperOnScreen(t, ctx, "Ticket")
	shows(t, ctx, "owed", "$3.00")
	if counter, err := s.house.Counter(t.Context(), 1); err != nil || counter.Last != 2 {
		t.Errorf("%+v, %v", counter, err)
	}
}

// TestSaleWithoutAnswer has a sale without an answer while the events of the house come on:
// nothing that they bring says that it was not sold, and when it is sold in the next game
// the writer is told so.
func TestSaleWithoutAnswer(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	said := complaints(t, ctx)
	s := openShop(t, "vic-keno-2015")
	size(t, ctx, 1280, 720)
	s.enrolled(ctx)
	line(t, ctx, "3 17 42 s1")
	shows(t, ctx, "price", "$1.00")
	call[chromedp.Void](t, ctx, `() => {
		window.seen = [];
		const look = () => { if (document.documentElement.dataset.state === "pending") seen.push(document.getElementById("price").textContent + " | " + document.getElementById("notice").textContent); };
		new MutationObserver(look).observe(document.documentElement, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ["data-state"] });
	}`)
	s.down.Store(true)
	keys(t, ctx, kb.F8)
	shows(t, ctx, "notice", "Hand out nothing")
	game := s.turn()
	shows(t, ctx, "sale-game", "Game 1")
	boss := s.hire(record.RoleSupervisor)
	s.must(command.Outcome(s.house.Do(t.Context(), command.Pause{Reason: "a storm"}, record.By{Person: boss})))
	s.must(command.Outcome(s.house.Do(t.Context(), command.Resume{}, record.By{Person: boss})))
	shows(t, ctx, "price", "No answer yet")
	shows(t, ctx, "breakdown", "Nobody knows yet whether the house has done the sale.")
	shows(t, ctx, "notice", "Hand out nothing")
	keys(t, ctx, kb.F8)
	keys(t, ctx, kb.Enter)
	judge(t, ctx, "terminal-awaited")
	s.down.Store(false)
	paperOnScreen(t, ctx, "Ticket")
	shows(t, ctx, "said", "Tell the customer: it begins with game 1. Game 0, which was on the screen, had closed.")
	shows(t, ctx, "owed", "$1.00")
	shows(t, ctx, "notice", "")
	for _, seen := range call[[]string](t, ctx, `() => window.seen`) {
		if strings.Contains(seen, "Not sold") || !strings.Contains(seen, "Hand out nothing") {
			t.Errorf("while the sale has no answer the page shows %q", seen)
		}
	}
	if counter, err := s.house.Counter(t.Context(), 1); err != nil || counter.Last != 1 {
		t.Errorf("%+v, %v", counter, err)
	}

	// A sale that was made is not spoken of either: what is marked gets its price again
	// when the answer has come.
	line(t, ctx, "5 s2")
	shows(t, ctx, "price", "$2.00")
	s.lose.Store(true)
	keys(t, ctx, kb.F8)
	shows(t, ctx, "price", "No answer yet")
	s.draw(game, 20)
	s.finish(game)
	s.turn()
	shows(t, ctx, "sale-game", "Game 2")
	shows(t, ctx, "price", "No answer yet")
	s.lose.Store(false)
	paperOnScreen(t, ctx, "Ticket")
	shows(t, ctx, "price", "Mark a bet")
	shows(t, ctx, "owed", "$3.00")
	if spoken := call[string](t, ctx, `() => document.getElementById("said").textContent`); strings.Contains(spoken,
		"Tell the customer") {
		t.Errorf("the ticket is for the game that was on the screen, and the page says %q", spoken)
	}
	quiet(t, s, said(), nil)
}

// TestNothingStaysForTheNext: neither stake nor marks of a ticket stay for the next one, for
// the next customer, or for the next writer.
func TestNothingStaysForTheNext(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := openShop(t, "vic-keno-2015")
	s.begins()
	size(t, ctx, 1280, 720)
	s.enrolled(ctx)
	empty := func(after string) {
		t.Helper()
		awaitPage(t, ctx, "an empty slip "+after, `() => document.getElementById("stake").value === "1.00" && document.getElementById("games").value === "1" && document.getElementById("price").textContent === "Mark a bet"
			&& document.querySelectorAll("#field [aria-pressed=true]").length === 0 && document.getElementById("entry").value === ""`)
	}
	mark := func() {
		t.Helper()
		line(t, ctx, "3 17 42 s25 g4")
		shows(t, ctx, "price", "$100.00")
	}
	mark()
	// The stake is in the writer's hand, so to say: the focus is in its field.
	call[chromedp.Void](t, ctx, `() => { document.getElementById("stake").focus(); }`)
	keys(t, ctx, kb.F8)
	paperOnScreen(t, ctx, "Ticket")
	empty("after a sale")
	call[chromedp.Void](t, ctx, `() => { document.getElementById("entry").focus(); }`)

	mark()
	keys(t, ctx, kb.F9)
	shows(t, ctx, "settle-sums", "To pay $100.00")
	keys(t, ctx, "100"+kb.Enter)
	shows(t, ctx, "said", "Customer finished: Cash $100.00 in.")
	empty("after a visit")

	keys(t, ctx, kb.F2)
	line(t, ctx, "h s50")
	shows(t, ctx, "price", "$50.00")
	keys(t, ctx, "3 17")
	keys(t, ctx, kb.F12)
	shows(t, ctx, "said", "Signed off.")
	empty("after a writer")
	awaitPage(t, ctx, "the first kind of bet",
		`() => document.querySelector("#bets button").getAttribute("aria-pressed") === "true"`)
	s.verified()
}

// TestLastPaperEndsWithTheVisit: a terminal without a printer shows a paper with its claim
// code again while its customer is there, and to nobody after that, nor does the page keep it.
func TestLastPaperEndsWithTheVisit(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := openShop(t, "vic-keno-2015")
	s.begins()
	size(t, ctx, 1280, 720)
	s.enrolled(ctx)
	hidden := func(when, code string) {
		t.Helper()
		// The words of the end of a visit are there before its paper is gone.
		awaitPage(t, ctx, "that nothing keeps the claim code "+when, `(code) => document.getElementById("last-paper").disabled &&
			!document.documentElement.outerHTML.replaceAll("\u00a0", " ").includes(code)`, code)
		keys(t, ctx, kb.F4)
		if call[bool](t, ctx, `() => document.getElementById("paper").open`) {
			t.Errorf("%s the page shows the last paper", when)
		}
	}
	sell := func() string {
		t.Helper()
		line(t, ctx, "3 17 42 s1")
		shows(t, ctx, "price", "$1.00")
		sells(t, ctx)
		_, code := paperOnScreen(t, ctx, "Ticket")
		if code == "" {
			t.Fatal("the paper has no claim code")
		}
		return code
	}
	code := sell()
	keys(t, ctx, kb.F4)
	awaitPage(t, ctx, "the last paper",
		`() => document.getElementById("paper").open && document.querySelector("#roll svg") !== null`)
	if _, again := readPaper(t, ctx); again != code {
		t.Errorf("the last paper has the code %q, want %q", again, code)
	}
	keys(t, ctx, kb.Escape)
	keys(t, ctx, kb.F9)
	shows(t, ctx, "settle-sums", "To pay $1.00")
	keys(t, ctx, kb.Enter)
	shows(t, ctx, "said", "Customer finished")
	hidden("after the visit", code)
}

// TestTerminalSaysWhy marks slips that the rules refuse, and has a house that is slow.
func TestTerminalSaysWhy(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	said := complaints(t, ctx)
	s := openShop(t, "vic-keno-2015")
	size(t, ctx, 1280, 720)
	s.enrolled(ctx)
	line(t, ctx, "1 2 3 s0.50")
	shows(t, ctx, "fault-clause", "Rule 11(c)")
	awaitPage(t, ctx, "the field at fault",
		`() => document.getElementById("stake").getAttribute("aria-invalid") === "true" && document.getElementById("sell").disabled`)
	picture(t, ctx, "terminal-refused")
	line(t, ctx, "s1 g1001")
	awaitPage(t, ctx, "the games at fault",
		`() => document.getElementById("games").getAttribute("aria-invalid") === "true"`)
	line(t, ctx, "what")
	shows(t, ctx, "said", "is not understood")
	stake := func(typed string) {
		t.Helper()
		call[chromedp.Void](t, ctx,
			`(typed) => { const field = document.getElementById("stake"); field.value = typed; field.dispatchEvent(new Event("change")); }`, typed)
	}
	line(t, ctx, "g1")
	stake("1,5")
	shows(t, ctx, "fault", "An amount is dollars and cents")
	awaitPage(t, ctx, "no sale of it",
		`() => document.getElementById("sell").disabled && document.getElementById("stake").value === "1,5" && document.getElementById("stake").getAttribute("aria-invalid") === "true"`)
	stake("1,000")
	shows(t, ctx, "price", "$1,000.00")
	awaitPage(t, ctx, "the stake", `() => document.getElementById("stake").value === "1000.00"`)
	stake("$12.50")
	awaitPage(t, ctx, "the stake", `() => document.getElementById("stake").value === "12.50"`)
	// The price of a changed slip is not known yet: Enter sells nothing.
	s.slow.Store(int64(2 * time.Second))
	line(t, ctx, "s1")
	keys(t, ctx, kb.Enter)
	shows(t, ctx, "said", "There is nothing to sell yet.")
	s.slow.Store(0)
	keys(t, ctx, kb.Escape)
	line(t, ctx, "1234567890123456")
	awaitPage(t, ctx, "a refusal", `() => document.getElementById("said").classList.contains("fault")`)
	line(t, ctx, "AAAA-BBBB-CCCC-DDDD")
	shows(t, ctx, "said", "Scan the serial first")

	s.slow.Store(int64(900 * time.Millisecond))
	line(t, ctx, "7 8 s1 g1")
	shows(t, ctx, "price", "Asking")
	shows(t, ctx, "price", "$1.00")
	s.slow.Store(0)
	// A game that closes while the slip is marked is no sale for it: the price is asked anew.
	s.turn()
	shows(t, ctx, "breakdown", "from game 1")
	if said := slices.DeleteFunc(said(), func(m string) bool {
		return strings.Contains(m,
			"Failed to load")
	}); len(said) != 0 {
		t.Errorf("the console says %q", said)
	}
}

// TestTerminalEntry reads what can be typed, and gets nothing wrong by guessing.
func TestTerminalEntry(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := openShop(t, "vic-keno-2015")
	s.must(chromedp.Do(ctx, chromedp.Navigate(s.url("/web/kit/OFL.txt"))))
	for text, want := range map[string]string{
		"":                        `[]`,
		"3 17,42":                 `[{"mark":3},{"mark":17},{"mark":42}]`,
		"1 2/11":                  `[{"mark":1},{"mark":2},{"group":true},{"mark":11}]`,
		"p8 s2.50 g10 +1":         `[{"pick":8},{"stake":250},{"games":10},{"feature":1}]`,
		"P":                       `[{"pick":"mystery"}]`,
		"h":                       `[{"call":"heads"}]`,
		"11 12 13 14 15 16 17 18": `[{"mark":11},{"mark":12},{"mark":13},{"mark":14},{"mark":15},{"mark":16},{"mark":17},{"mark":18}]`,
		"4194 0916 0438 7280":     `[{"scan":{"serial":"4194091604387280"}}]`,
		"7zq0-m4kc-1xwd-e8tb":     `[{"scan":{"claim":"7ZQ0-M4KC-1XWD-E8TB"}}]`,
		// Only the house knows whether another system gave it.
		"ok4711-00000025": `[{"scan":{"serial":"OK471100000025"}}]`,
		"12345 6789x":     `null`,
		"100":             `null`,
		"s":               `null`,
		"x1":              `null`,
		"s1.234":          `null`,
		"3 s1,000 17":     `[{"mark":3},{"stake":100000},{"mark":17}]`,
		"s1,000.50":       `[{"stake":100050}]`,
		"s1,5":            `null`,
		"s1,00":           `null`,
		"s0":              `null`,
	} {
		got := call[string](t, ctx,
			`async (text) => { const { parseEntry } = await import("/web/terminal/entry.js"); return JSON.stringify(parseEntry(text)); }`, text)
		if got != want {
			t.Errorf("%q is read as %s, want %s", text, got, want)
		}
	}
}

// TestTerminalLooks takes pictures of the counter at work and holds it to what can be
// read, touched and heard, in the light and in the dark, on a desk and on a phone.
func TestTerminalLooks(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := openShop(t, "vic-keno-2015")
	size(t, ctx, 1280, 720)
	s.must(chromedp.Do(ctx, chromedp.Navigate(s.url("/terminal"))))
	awaitText(t, ctx, "This browser is not a terminal yet.")
	judge(t, ctx, "terminal-gate")
	s.enrolled(ctx)
	judge(t, ctx, "terminal-empty")
	for _, slip := range []string{"3 17 42 56 80 s2", "p8 s5 g10"} {
		line(t, ctx, slip)
		awaitPage(t, ctx, "a price", `() => !document.getElementById("sell").disabled`)
		sells(t, ctx)
		paperOnScreen(t, ctx, "Ticket")
	}
	line(t, ctx, "1 2 3 / 14 25 36 47 / 58 69 / 74 s1 g5 +1")
	call[chromedp.Void](t, ctx,
		`() => { for (const b of [...document.querySelectorAll("#groups .join")].slice(2, 5)) b.click(); document.getElementById("entry").focus(); }`)
	awaitPage(t, ctx, "a price", `() => !document.getElementById("sell").disabled`)
	judge(t, ctx, "terminal")
	keys(t, ctx, kb.F8)
	awaitPage(t, ctx, "the paper",
		`() => document.querySelector("#roll svg") !== null && document.getElementById("paper").open`)
	judge(t, ctx, "terminal-paper")
	keys(t, ctx, kb.Escape)
	keys(t, ctx, kb.F9)
	keys(t, ctx, "100")
	judge(t, ctx, "terminal-settle")
	keys(t, ctx, kb.Escape)
	keys(t, ctx, kb.F1)
	judge(t, ctx, "terminal-keys")
}
