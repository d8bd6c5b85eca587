package web

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/edge/terminal"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// TestGivenPaper has the operator give a paper away: one person asks in the office, another
// consents, and the counter that was named issues that paper, once. The customer pays
// nothing for it, it pays for a ticket, and the books have it as the operator's expense.
func TestGivenPaper(t *testing.T) {
	t.Parallel()
	office, counter := browser(t), browser(t)
	said, asked := complaints(t, office), requests(t, office)
	s := openShop(t, "vic-keno-2015")
	_, err := s.house.Do(t.Context(), command.Change{Command: staff.AddTerminal{Venue: 1, Channel: rulebook.ChannelWriter,
		Area: 1, Key: terminal.DemoPublic(4)}}, record.By{})
	s.must(err)
	first, second := s.hire(record.RoleSupervisor), s.hire(record.RoleAdministrator)
	size(t, office, 1280, 720)
	size(t, counter, 1280, 720)
	s.enrolled(counter)
	s.must(chromedp.Do(office, chromedp.Navigate(s.url("/office"))))
	awaitPage(t, office, "the page", `() => document.documentElement.dataset.state === "ready"`)

	signsOn(t, office, first)
	asksForPaper(t, office)
	asksToGive(t, counter, "prepaid_voucher", "20", "1")
	shows(t, counter, "voucher-approval-fault", "Nobody has consented to request 1.")

	signsOn(t, office, second)
	for _, request := range []string{"1", "2"} {
		touch(t, office, "[data-approval='"+request+"'] [data-do=consent]")
		awaitPage(t, office, "the consent",
			`(request) => document.querySelector("[data-approval='" + request + "']").textContent.includes("consented to")`,
			request)
	}
	signsOn(t, office, first)
	shows(t, office, "approvals", "Terminal 1 issues it: Voucher (F5), with the approval number 1")
	awaitPage(t, office, "no button to have it done",
		`() => document.querySelector("#approvals [data-do=use]") === null && document.querySelector("#approvals [data-do=withdraw]") !== null`)
	refusedAs(t, office, "/v1/approvals/1/use", "", "issued_at_terminal")
	judge(t, office, "office-given")

	serial, code := s.issuesGiven(counter)
	asksToGive(t, counter, "prepaid_voucher", "20", "1")
	shows(t, counter, "voucher-approval-fault", "Approval 1 was used or has run out.")
	keys(t, counter, kb.Escape)
	sold(t, counter, "1 2 3 s20", "$20.00")
	asksToGive(t, counter, "gift_voucher", "15", "2")
	shows(t, counter, "voucher-fault", "A customer session is open at terminal 1. End it first.")
	keys(t, counter, kb.Escape)
	shows(t, counter, "owed", "$20.00")
	line(t, counter, serial)
	shows(t, counter, "presented-headline", "$20.00")
	shows(t, counter, "presented-detail", ", for Keno Classic")
	line(t, counter, code)
	keys(t, counter, kb.F9)
	shows(t, counter, "settle-sums", "Prepaid Voucher")
	finished(t, counter, "Paper $20.00 in")

	turnTo(t, office, "today")
	shows(t, office, "approvals", "done.")
	turnTo(t, office, "reports/statement")
	call[chromedp.Void](t, office, `() => document.getElementById("report-choice").requestSubmit()`)
	awaitPage(t, office, "the report", `() => document.querySelector("#report table") !== null`)
	rows := call[[]string](t, office,
		`() => [...document.querySelectorAll("#report tbody tr")].map((r) => [...r.cells].map((c) => c.textContent.trim()).join("|"))`)
	if row := "operator||instrument issued|$20.00|$0.00|$20.00"; !strings.Contains(strings.Join(rows, "\n"), row) {
		t.Errorf("the statement has no row %s:\n%s", row, strings.Join(rows, "\n"))
	}
	call[chromedp.Void](t, office,
		`() => [...document.querySelectorAll("#report tbody tr")].find((r) => r.textContent.includes("operator")).querySelector("td button").click()`)
	awaitPage(t, office, "the records behind the figure",
		`() => document.querySelector("#report h2")?.textContent === "Records behind Debits of statement"`)
	behind := call[string](t, office,
		`() => [...document.querySelector("#report tbody tr").cells].map((c) => c.textContent.trim()).slice(2).join("|")`)
	if !strings.HasPrefix(behind, "instrument issued|1|1:") || !strings.HasSuffix(behind, "|$20.00") {
		t.Errorf("the record behind the figure is %s", behind)
	}
	call[chromedp.Void](t, office, `() => document.querySelector("#report > .acts button").click()`)
	awaitPage(t, office, "the report again", `() => document.querySelector("#report h2")?.textContent === "Statement of accounts"`)
	turnTo(t, office, "reports/accounts")
	call[chromedp.Void](t, office, `() => document.getElementById("report-choice").requestSubmit()`)
	awaitPage(t, office, "the report", `() => document.querySelector("#report table") !== null`)
	links := call[[]string](t, office,
		`() => [...document.querySelectorAll("#report .acts a")].slice(-2).map((a) => a.text + " " + a.getAttribute("href") + " " + a.download)`)
	if want := []string{"Journal entries (CSV) /v1/ledger/csv? entries.csv",
		"Journal entries (hledger) /v1/ledger/ledger? entries.journal"}; !slices.Equal(links, want) {
		t.Errorf("the trial balance has the links %q, want %q", links, want)
	}
	turnTo(t, office, "reports/bets")
	call[chromedp.Void](t, office, `() => document.getElementById("report-choice").requestSubmit()`)
	awaitPage(t, office, "the bets", `() => document.querySelector("#report tfoot button")?.textContent === "1"`)
	call[chromedp.Void](t, office, `() => document.querySelectorAll("#report tfoot button")[1].click()`)
	awaitPage(t, office, "the tickets behind a total",
		`() => document.querySelector("#report h2")?.textContent === "Records behind Sold of bets"`)
	turnTo(t, office, "reports/outstanding")
	if fields := call[int](t, office, `() => document.querySelectorAll("#report-choice input").length`); fields != 0 {
		t.Errorf("the list of papers, which is of no days, asks for %d things", fields)
	}
	call[chromedp.Void](t, office, `() => document.getElementById("report-choice").requestSubmit()`)
	awaitPage(t, office, "the papers", `() => document.querySelector("#report table") !== null`)
	if presses := call[int](t, office, `() => document.querySelectorAll("#report td button").length`); presses != 0 {
		t.Errorf("%d figures of a list offer records", presses)
	}
	till, err := s.house.Counter(t.Context(), 1)
	s.must(err)
	if till.Drawer != 0 {
		t.Errorf("the drawer has %v for a ticket that the operator gave", till.Drawer)
	}
	s.verified()
	quiet(t, s, said(), asked())
}

// asksForPaper asks in the office for a paper at the first counter and for one at another,
// among the choices that the house has.
func asksForPaper(t *testing.T, ctx context.Context) {
	t.Helper()
	turnTo(t, ctx, "ask/give_paper")
	choices := call[string](t, ctx,
		`() => ["terminal", "kind"].map((name) => [...document.getElementById("ask").elements[name].options].map((o) => o.text).join("; ")).join(" | ")`)
	if want := "Terminal 1, Corner Hotel; Terminal 4, Corner Hotel | Change Receipt; Gift Voucher; Prepaid Voucher"; choices != want {
		t.Errorf("to choose from are %s, and should be %s", choices, want)
	}
	fill(t, ctx, "ask", map[string]string{"terminal": "1", "kind": "prepaid_voucher", "cents": "20", "days": "99"})
	shows(t, ctx, "ask-days-fault", "A Prepaid Voucher cannot be good for 99 days.")
	judge(t, ctx, "office-give")
	fill(t, ctx, "ask", map[string]string{"terminal": "1", "kind": "prepaid_voucher", "cents": "20", "days": ""})
	shows(t, ctx, "asked", "terminal 1 issues the paper with the approval number 1")
	fill(t, ctx, "ask", map[string]string{"terminal": "4", "kind": "gift_voucher", "cents": "15", "days": ""})
	shows(t, ctx, "asked", "terminal 4 issues the paper with the approval number 2")
	turnTo(t, ctx, "today")
	shows(t, ctx, "approvals", "Have terminal 1 issue a paper (prepaid_voucher) of $20.00 at the operator's expense")
}

// asksToGive fills in the window for papers at a counter, with an approval, and sends it.
func asksToGive(t *testing.T, ctx context.Context, kind, amount, approval string) {
	t.Helper()
	if !call[bool](t, ctx, `() => document.getElementById("voucher").open`) {
		keys(t, ctx, kb.F5)
		awaitPage(t, ctx, "the window", `() => document.activeElement.id === "voucher-amount"`)
	}
	call[chromedp.Void](t, ctx, `(kind, amount, approval) => {
		for (const [id, value] of Object.entries({ kind, amount, approval })) {
			const field = document.getElementById("voucher-" + id);
			field.value = value;
			field.dispatchEvent(new Event("input", { bubbles: true }));
		}
		document.querySelector("#voucher form").requestSubmit();
	}`, kind, amount, approval)
}

// issuesGiven issues the paper of the first approval at the counter, after every particular
// that differs from what was agreed on, and returns what opens it.
func (s *shop) issuesGiven(ctx context.Context) (serial, code string) {
	t := s.t
	t.Helper()
	asksToGive(t, ctx, "prepaid_voucher", "20", "")
	shows(t, ctx, "voucher-approval-fault", "A Prepaid Voucher is not sold.")
	shows(t, ctx, "voucher-sell", "Sell")
	asksToGive(t, ctx, "prepaid_voucher", "20", "first")
	shows(t, ctx, "voucher-approval-fault", "An approval has a number.")
	asksToGive(t, ctx, "prepaid_voucher", "20", "77")
	shows(t, ctx, "voucher-approval-fault", "There is no approval 77.")
	asksToGive(t, ctx, "gift_voucher", "15", "2")
	shows(t, ctx, "voucher-approval-fault", "Approval 2 is for terminal 4.")
	asksToGive(t, ctx, "gift_voucher", "20", "1")
	shows(t, ctx, "voucher-kind-fault", "Approval 1 is of another paper: Prepaid Voucher.")
	asksToGive(t, ctx, "prepaid_voucher", "30", "1")
	shows(t, ctx, "voucher-amount-fault", "Approval 1 is of $20.00.")
	shows(t, ctx, "voucher-expense", "At the operator's expense")
	// The voucher is for one game, and who asked has left it at the usual one.
	call[chromedp.Void](t, ctx,
		`() => { document.getElementById("voucher-game").value = "heads_or_tails"; document.querySelector("#voucher form").requestSubmit(); }`)
	shows(t, ctx, "voucher-amount-fault", "Approval 1 is of $20.00.")
	call[chromedp.Void](t, ctx,
		`() => { document.getElementById("voucher-amount").value = "20"; document.querySelector("#voucher form").requestSubmit(); }`)
	shows(t, ctx, "voucher-game-fault", "Approval 1 is for another type of game.")
	asksToGive(t, ctx, "prepaid_voucher", "30", "1")
	shows(t, ctx, "voucher-amount-fault", "Approval 1 is of $20.00.")
	awaitPage(t, ctx, "the field marked",
		`() => document.activeElement.id === "voucher-amount" && document.activeElement.ariaInvalid === "true"`)
	judge(t, ctx, "terminal-given")
	press(t, ctx, kb.Backspace, 2)
	keys(t, ctx, "20"+kb.Enter)
	serial, code = paperOnScreen(t, ctx, "Paper")
	shows(t, ctx, "said", "Issued over $20.00 at the operator's expense.")
	shows(t, ctx, "visit-title", "Next customer")
	shows(t, ctx, "owed", "$0.00")
	return serial, code
}
