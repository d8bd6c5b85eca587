package web

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"drawhouse/core/money"
	"drawhouse/core/serial"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/decide/staff"
	"drawhouse/edge/api"
	"drawhouse/games/keno"
	"drawhouse/house"
	"drawhouse/journal/record"
	"drawhouse/receipt/printer"
)

// atKiosk opens the kiosk in a browser, as the office lets it in.
func (s *shop) atKiosk(ctx context.Context) {
	s.t.Helper()
	s.must(chromedp.Do(ctx, chromedp.Navigate(s.url("/kiosk")+"#"+s.api.AllowEnrolment(3, time.Minute))))
	screen(s.t, ctx, "attract")
}

// sellReceipt has the writer's terminal sell a change receipt for cash, and returns its
// serial and its claim code.
func (s *shop) sellReceipt(cents money.Amount) [2]string {
	s.t.Helper()
	s.begins()
	code, err := serial.NewClaimCode(s.random)
	s.must(err)
	s.receipts++
	paper, err := s.house.IssuePaper(s.t.Context(), counter.PaperOrder{
		Request: record.Request{Terminal: 1, Number: s.receipts}, ID: "change_receipt", Cents: cents,
		Claim: record.Hash(code.Hash(1, s.receipts)), Reason: record.IssuedForMoney,
	})
	s.must(err)
	number, err := s.house.Serial(paper.Place)
	s.must(err)
	return [2]string{number.String(), code.String()}
}

// sellTicket has the writer's terminal sell a ticket for cash, and returns its serial and
// its claim code.
func (s *shop) sellTicket(form string) [2]string {
	s.t.Helper()
	request, err := keno.ParseRequest([]byte(form))
	s.must(err)
	code, err := serial.NewClaimCode(s.random)
	s.must(err)
	s.receipts++
	sold, err := s.house.Sell(s.t.Context(), record.Request{Terminal: 1, Number: s.receipts},
		house.Order{Terminal: 1, Method: "form", Ticket: request}, code.Hash(1, s.receipts), 0)
	s.must(err)
	number, err := s.house.Serial(sold.Place)
	s.must(err)
	return [2]string{number.String(), code.String()}
}

// screen waits for a screen of the kiosk, and until it has done what it was asked for.
func screen(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	awaitPage(t, ctx, "the screen "+name,
		`(name) => document.documentElement.dataset.screen === name && !document.documentElement.dataset.busy`, name)
}

// touch presses something on the screen.
func touch(t *testing.T, ctx context.Context, selector string) {
	t.Helper()
	awaitPage(t, ctx, "something to touch: "+selector,
		`(selector) => { const e = document.querySelector(selector); return Boolean(e) && !e.disabled && e.checkVisibility(); }`, selector)
	click(t, ctx, selector)
}

// scan has the kiosk's scanner read something.
func scan(t *testing.T, ctx context.Context, text string) {
	t.Helper()
	keys(t, ctx, text+kb.Enter)
}

// handedOut takes a paper that the kiosk shows, in place of a printer.
func handedOut(t *testing.T, ctx context.Context, title string) (number, code string) {
	t.Helper()
	awaitPage(t, ctx, "the paper "+title,
		`(title) => document.getElementById("paper").open && document.getElementById("paper-title").textContent === title && document.querySelector("#roll svg") !== null`, title)
	number, code = readPaper(t, ctx)
	touch(t, ctx, "#paper-acts .main")
	return number, code
}

// putIn brings a receipt that the counter has sold for cash.
func putIn(t *testing.T, ctx context.Context, paper [2]string) {
	t.Helper()
	scan(t, ctx, paper[0])
	screen(t, ctx, "presented")
	scan(t, ctx, paper[1])
}

// TestKioskSaleAndPayout is a whole visit at a kiosk: a receipt from the counter pays for
// a ticket on tails; what is left, and what the ticket wins afterwards, come back as
// receipts, which the next purchase uses.
func TestKioskSaleAndPayout(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	said, asked := complaints(t, ctx), requests(t, ctx)
	s := openShop(t, "vic-keno-2015")
	size(t, ctx, 1280, 720)
	receipt := s.sellReceipt(50_00)
	s.atKiosk(ctx)

	touch(t, ctx, "#play")
	touch(t, ctx, "[data-bet=heads_or_tails]")
	touch(t, ctx, "[data-call=tails]")
	touch(t, ctx, "#next")
	touch(t, ctx, "[data-stake='2000']")
	shows(t, ctx, "price", "$20.00")
	touch(t, ctx, "#next")
	shows(t, ctx, "answers", "Still to put in $20.00")
	putIn(t, ctx, receipt)
	screen(t, ctx, "pay")
	shows(t, ctx, "answers", "Left after it $30.00")
	shows(t, ctx, "credit", "$50.00")
	touch(t, ctx, "#buy")
	ticket, code := handedOut(t, ctx, "Ticket")
	screen(t, ctx, "bought")
	shows(t, ctx, "spent", "$20.00")
	shows(t, ctx, "credit", "$30.00")
	touch(t, ctx, "#done")
	rest, restCode := handedOut(t, ctx, "Receipt")
	screen(t, ctx, "attract")
	if kept := call[string](t, ctx, `() => localStorage.getItem("drawhouse-kiosk")`); strings.Contains(kept, restCode) ||
		strings.Contains(kept, code) {
		t.Errorf("the kiosk keeps claim codes of a visit that is over: %s", kept)
	}

	game := s.turn()
	s.draw(game, 20)
	s.finish(game)
	tails := 0
	for _, n := range s.house.First().Games(2)[1].Numbers.Numbers() {
		if n > 40 {
			tails++
		}
	}
	scan(t, ctx, ticket)
	screen(t, ctx, "presented")
	if tails <= 10 {
		t.Fatalf("the draw of this seed has %d tails and no prize to collect", tails)
	}
	const won = 40_00
	shows(t, ctx, "answers", "$40.00 won")
	touch(t, ctx, "#collect")
	screen(t, ctx, "claim")
	scan(t, ctx, "AAAA-AAAA-AAAA-AAAA")
	awaitPage(t, ctx, "a refusal", `() => document.getElementById("fault").textContent !== ""`)
	scan(t, ctx, code)
	screen(t, ctx, "collected")
	shows(t, ctx, "question", "$40.00 is yours")
	// Both receipts are put in and come out of the next purchase as one.
	putIn(t, ctx, [2]string{rest, restCode})
	screen(t, ctx, "bets")
	shows(t, ctx, "credit", dollars(30_00+won))
	touch(t, ctx, "[data-bet=classic]")
	touch(t, ctx, "[data-pick='8']")
	touch(t, ctx, "#next")
	touch(t, ctx, "[data-stake='500']")
	shows(t, ctx, "price", "$5.00")
	touch(t, ctx, "#next")
	touch(t, ctx, "#buy")
	handedOut(t, ctx, "Ticket")
	screen(t, ctx, "bought")
	shows(t, ctx, "credit", dollars(25_00+won))
	s.verified()
	quiet(t, s, said(), asked())
}

// TestKioskInTasmania is a visit where the counter sells no receipts: a ticket of the counter
// has won, the kiosk pays it into an SST receipt, that pays for a race and for heads or tails
// in whole dollars, and what is left comes out as a receipt. A prize of more than $1,000 is
// sent to the counter.
func TestKioskInTasmania(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	said, asked := complaints(t, ctx), requests(t, ctx)
	s := openShop(t, "tas-keno-2023")
	size(t, ctx, 1280, 720)
	// One of the calls wins, whatever falls.
	var calls [3][2]string
	for i, call := range []string{"heads", "tails", "evens"} {
		calls[i] = s.sellTicket(fmt.Sprintf(`{"v":1,"rulebook":"tas-keno-2023","first":"open","bets":[{"bet":"heads_or_tails","calls":[%q],"stake_cents":%d}]}`, call, 100_00))
	}
	// Twenty of eighty single numbers win $60.00 each.
	var bets [2]string
	for i := range bets {
		var groups []string
		for n := 40*i + 1; n <= 40*i+40; n++ {
			groups = append(groups, fmt.Sprintf("[%d]", n))
		}
		bets[i] = `{"bet":"standard","groups":[` + strings.Join(groups, ",") + `],"play":{"spots":[1]},"stake_cents":2000}`
	}
	large := s.sellTicket(`{"v":1,"rulebook":"tas-keno-2023","first":"open","bets":[` + bets[0] + "," + bets[1] + `]}`)
	game := s.turn()
	s.draw(game, 20)
	s.finish(game)
	heads := 0
	for _, n := range s.house.First().Games(2)[1].Numbers.Numbers() {
		if n <= 40 {
			heads++
		}
	}
	won, prize := 2, "$400.00"
	if heads != 10 {
		won, prize = 0, "$200.00"
		if heads < 10 {
			won = 1
		}
	}

	s.atKiosk(ctx)
	shows(t, ctx, "answers", "Only for persons of 18 and over")
	shows(t, ctx, "care", "Help is at 13 00 00.")
	scan(t, ctx, large[0])
	screen(t, ctx, "presented")
	shows(t, ctx, "answers", "This kiosk pays up to $1,000.00. Please take the ticket to the counter.")
	scan(t, ctx, calls[won][0])
	shows(t, ctx, "answers", prize+" won")
	touch(t, ctx, "#collect")
	screen(t, ctx, "claim")
	scan(t, ctx, calls[won][1])
	screen(t, ctx, "collected")
	shows(t, ctx, "credit", prize)

	touch(t, ctx, "#again")
	touch(t, ctx, "[data-bet=racing]")
	touch(t, ctx, "[data-number='3']")
	judge(t, ctx, "kiosk-race")
	touch(t, ctx, "#next")
	touch(t, ctx, "[data-stake='500']")
	shows(t, ctx, "price", "$5.00")
	touch(t, ctx, "#next")
	touch(t, ctx, "#buy")
	race, _ := handedOut(t, ctx, "Ticket")
	screen(t, ctx, "bought")
	shows(t, ctx, "spent", "$5.00")
	touch(t, ctx, "#again")
	touch(t, ctx, "[data-item=way-bet-1]")
	shows(t, ctx, "price", "$6.00")
	shows(t, ctx, "answers", "Stake for each way and game $1.00")
	touch(t, ctx, "#back")
	touch(t, ctx, "[data-item=set-bet-1]")
	shows(t, ctx, "price", "$5.00")
	shows(t, ctx, "answers", "Stake for each game $1.00")
	shows(t, ctx, "answers", "Games 5")
	touch(t, ctx, "#next")
	touch(t, ctx, "#buy")
	ready, _ := handedOut(t, ctx, "Ticket")
	screen(t, ctx, "bought")
	shows(t, ctx, "spent", "$10.00")
	touch(t, ctx, "#again")
	touch(t, ctx, "[data-bet=heads_or_tails]")
	touch(t, ctx, "[data-call=evens]")
	touch(t, ctx, "#next")
	touch(t, ctx, "[data-stake='1000']")
	touch(t, ctx, "[data-games='5']")
	shows(t, ctx, "price", "$50.00")
	touch(t, ctx, ".limits summary")
	shows(t, ctx, "answers", "in steps of $1.00")
	touch(t, ctx, "#next")
	touch(t, ctx, "#buy")
	call, _ := handedOut(t, ctx, "Ticket")
	screen(t, ctx, "bought")
	shows(t, ctx, "spent", "$60.00")
	touch(t, ctx, "#done")
	rest, code := handedOut(t, ctx, "Receipt")
	screen(t, ctx, "attract")
	if race == call || ready == "" || rest == "" || code == "" {
		t.Errorf("handed out %q, %q, %q and %q", race, ready, call, rest)
	}
	shows(t, ctx, "spent", "$0.00")
	s.verified()
	quiet(t, s, said(), asked())
}

// TestKioskPrinterFails buys a ticket at a kiosk whose printer is off: the ticket stays on
// the screen without its code until it is printed, as a duplicate, and nobody is sent away.
func TestKioskPrinterFails(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := openShop(t, "vic-keno-2015")
	machine, address := startPrinter(t)
	s.shut()
	s.papers = api.Papers{Printers: map[uint32]printer.Address{3: address}}
	s.open()
	size(t, ctx, 1280, 720)
	receipt := s.sellReceipt(5_00)
	s.atKiosk(ctx)
	toPay(t, ctx)
	putIn(t, ctx, receipt)
	screen(t, ctx, "pay")
	machine.off.Store(true)
	touch(t, ctx, "#buy")
	<-machine.hungUp
	shows(t, ctx, "paper-state", "The printer did not print. Please call the staff.")
	if call[bool](t, ctx,
		`() => /[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/.test(document.getElementById("roll").textContent)`) {
		t.Error("the screen shows the claim code of a ticket that is to be printed")
	}
	keys(t, ctx, kb.Escape)
	judge(t, ctx, "kiosk-printer")
	touch(t, ctx, "#paper-acts .main")
	<-machine.hungUp // What the page said of the first try is no news of the second.
	machine.off.Store(false)
	touch(t, ctx, "#paper-acts .main")
	if data := <-machine.printed; !bytes.Contains(data, []byte("DUPLICATE")) ||
		!bytes.Contains(data, []byte("Claim code")) {
		t.Error("the paper is no duplicate with a claim code")
	}
	screen(t, ctx, "bought")
	s.verified()
}

// TestKioskUndoesASale puts in a receipt under a wrong claim code. The house finds out when
// the ticket is to be paid: the ticket is taken back, handed to nobody, and no session
// stays open; with the right code it is sold.
func TestKioskUndoesASale(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := openShop(t, "vic-keno-2015")
	size(t, ctx, 1280, 720)
	receipt := s.sellReceipt(10_00)
	s.atKiosk(ctx)
	toPay(t, ctx)
	putIn(t, ctx, [2]string{receipt[0], "AAAA-AAAA-AAAA-AAAA"})
	screen(t, ctx, "pay")
	touch(t, ctx, "#buy")
	awaitPage(t, ctx, "a refusal",
		`() => document.getElementById("fault").textContent !== "" && !document.documentElement.dataset.busy`)
	if _, open, err := s.house.Session(t.Context(), 3); err != nil || open {
		t.Errorf("a session is open at the kiosk: %v, %v", open, err)
	}
	shows(t, ctx, "spent", "$0.00")
	touch(t, ctx, "#answers .sums button")
	shows(t, ctx, "answers", "Still to put in")
	putIn(t, ctx, receipt)
	screen(t, ctx, "pay")
	touch(t, ctx, "#buy")
	handedOut(t, ctx, "Ticket")
	screen(t, ctx, "bought")
	s.verified()
}

// toPay marks a ticket for five dollars and goes to where it is paid.
func toPay(t *testing.T, ctx context.Context) {
	t.Helper()
	touch(t, ctx, "#play")
	touch(t, ctx, "[data-bet=classic]")
	for _, n := range []int{3, 17, 42} {
		touch(t, ctx, fmt.Sprintf("[data-number='%d']", n))
	}
	touch(t, ctx, "#next")
	touch(t, ctx, "[data-stake='500']")
	shows(t, ctx, "price", "$5.00")
	touch(t, ctx, "#next")
}

// TestKioskGoesOn loses the answer of a sale and switches the kiosk off: when it is back,
// one ticket is sold, paid by the receipt and handed out, and the rest comes as a receipt.
func TestKioskGoesOn(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := openShop(t, "vic-keno-2015")
	size(t, ctx, 1280, 720)
	receipt := s.sellReceipt(20_00)
	s.atKiosk(ctx)
	toPay(t, ctx)
	putIn(t, ctx, receipt)
	screen(t, ctx, "pay")
	s.lose.Store(true)
	touch(t, ctx, "#buy")
	shows(t, ctx, "notice", "The house has not answered")
	picture(t, ctx, "kiosk-pending")
	s.must(chromedp.Do(ctx, chromedp.Reload()))
	s.lose.Store(false)
	ticket, _ := handedOut(t, ctx, "Ticket")
	rest, _ := handedOut(t, ctx, "Receipt")
	if ticket == "" || rest == "" || ticket == rest {
		t.Errorf("handed out %q and %q", ticket, rest)
	}
	screen(t, ctx, "attract")
	s.verified()
}

// TestKioskEndsAVisit has nobody there for a while: the kiosk asks, waits, and leaves.
func TestKioskEndsAVisit(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := openShop(t, "vic-keno-2015")
	s.must(chromedp.Do(ctx, chromedp.Navigate(s.url("/web/kit/OFL.txt"))))
	got := call[string](t, ctx, `async () => {
		const { Idle } = await import("/web/kiosk/idle.js");
		const said = [];
		const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
		const idle = new Idle({ quiet: 50, patience: 2000 }, { asks: (n) => said.push("asks " + n), stays: () => said.push("stays"), leaves: () => said.push("leaves") });
		idle.watch(true);
		while (said.length < 1) await pause(10);
		dispatchEvent(new Event("pointerdown"));
		while (said.at(-1) !== "leaves") await pause(10);
		return said.join(", ");
	}`)
	if want := "asks 2, stays, asks 2, asks 1, leaves"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestKioskLooks takes pictures of the screens on which a ticket is chosen, and holds them
// to what can be read, touched and heard.
func TestKioskLooks(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := openShop(t, "vic-keno-2015")
	size(t, ctx, 1280, 720)
	s.atKiosk(ctx)
	judge(t, ctx, "kiosk")
	touch(t, ctx, "#play")
	judge(t, ctx, "kiosk-games")
	touch(t, ctx, "[data-bet=classic]")
	for _, n := range []int{3, 17, 42, 56, 61, 80} {
		touch(t, ctx, fmt.Sprintf("[data-number='%d']", n))
	}
	judge(t, ctx, "kiosk-mark")
	touch(t, ctx, "#next")
	touch(t, ctx, "[data-games='10']")
	shows(t, ctx, "price", "$10.00")
	judge(t, ctx, "kiosk-terms")
}

// TestKioskPayLooks does the same for the screens on which a ticket is paid for.
func TestKioskPayLooks(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := openShop(t, "vic-keno-2015")
	size(t, ctx, 1280, 720)
	receipt := s.sellReceipt(100_00)
	s.atKiosk(ctx)
	toPay(t, ctx)
	judge(t, ctx, "kiosk-pay-empty")
	scan(t, ctx, receipt[0])
	screen(t, ctx, "presented")
	touch(t, ctx, "#use")
	scan(t, ctx, "AAAA")
	shows(t, ctx, "fault", "That is not a claim code.")
	judge(t, ctx, "kiosk-refused")
	scan(t, ctx, receipt[1])
	screen(t, ctx, "pay")
	judge(t, ctx, "kiosk-pay")
}

// TestKioskIsForKiosks lets no writer's terminal be a kiosk: it would sell by the limits of
// another kind. The casino's rules have no other terminals, so that there is no kiosk.
func TestKioskIsForKiosks(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"vic-keno-2015", "casino-keno-div2"} {
		ctx := browser(t)
		s := openShop(t, id)
		s.must(chromedp.Do(ctx, chromedp.Navigate(s.url("/kiosk")+"#"+s.api.AllowEnrolment(1, time.Minute))))
		shows(t, ctx, "gate-said", "Terminal 1 is not one that players work alone.")
		awaitPage(t, ctx, "a closed gate",
			`() => !document.getElementById("enrol").hidden && document.getElementById("screen").hidden && document.documentElement.dataset.screen === "gate"`)
		if id == "vic-keno-2015" { // With the right code it becomes one, without being loaded anew.
			call[chromedp.Void](t, ctx, `(code) => { location.hash = code; }`, s.api.AllowEnrolment(3, time.Minute))
			screen(t, ctx, "attract")
		}
	}
}

// TestKioskShutOut takes the key of a kiosk away in the middle of a visit. It asks for a
// code of the office, and with one it is a kiosk again, which hands out what it had
// printed for the customer and was not taken.
func TestKioskShutOut(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := openShop(t, "vic-keno-2015")
	size(t, ctx, 1280, 720)
	receipt := s.sellReceipt(20_00)
	s.atKiosk(ctx)
	toPay(t, ctx)
	putIn(t, ctx, receipt)
	screen(t, ctx, "pay")
	touch(t, ctx, "#buy")
	awaitPage(t, ctx, "the ticket", `() => document.getElementById("paper").open`)
	_, err := s.house.Do(t.Context(), command.Change{Command: staff.RevokeTerminal{By: s.hire(record.RoleAdministrator),
		Terminal: 3, Reason: "stolen"}}, record.By{})
	s.must(err)
	s.must(chromedp.Do(ctx, chromedp.Reload()))
	shows(t, ctx, "gate-said", "Ask the office for a code.")
	call[chromedp.Void](t, ctx, `(code) => { location.hash = code; }`, s.api.AllowEnrolment(3, time.Minute))
	ticket, _ := handedOut(t, ctx, "Ticket")
	rest, _ := handedOut(t, ctx, "Receipt")
	if ticket == "" || rest == "" || ticket == rest {
		t.Errorf("handed out %q and %q", ticket, rest)
	}
	screen(t, ctx, "attract")
	s.verified()
}
