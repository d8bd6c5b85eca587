package web

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"drawhouse/core/day"
	"drawhouse/decide/command"
	"drawhouse/journal/record"
)

// TestOfficeMoneyForms fills in the form of every act about the money of venues and of the State, and that of an early
// close, in a browser. What can be done waits for a second person; what cannot is refused beside the field that it is
// about. The account of a venue names a direct debit that collects what was paid otherwise.
func TestOfficeMoneyForms(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	said := complaints(t, ctx)
	s := openShop(t, "vic-keno-2015")
	size(t, ctx, 1280, 720)
	first, second := s.hire(record.RoleSupervisor), s.hire(record.RoleAdministrator)
	zone, err := time.LoadLocation(s.house.First().Book().Zone())
	s.must(err)
	now := time.Now().In(zone)
	today := day.MustParse(now.Format(time.DateOnly))
	agreed := command.AgreeVenue{Venue: 1, FromDay: (today + 1).String(), SalesRate: 700, WeekEnds: 0, DaysToPay: 3,
		Mandate: "M-1", Account: "DE89370400440532013000", Signed: today.String()}
	s.agree(first, second, agreed)
	s.agree(first, second, command.NameCreditor{Name: "Keno Pty Ltd", Account: "DE02120300000000202051",
		Creditor: "DE98ZZZ09999999999"})
	s.must(chromedp.Do(ctx, chromedp.Navigate(s.url("/office"))))
	awaitPage(t, ctx, "the gate", `() => document.documentElement.dataset.state === "ready"`)
	signsOn(t, ctx, first)
	local := func(at time.Time) string { return at.Local().Format("2006-01-02T15:04") }
	for _, form := range []struct {
		act    string
		values map[string]string
		where  string // empty for a request that waits
		says   string
	}{
		{"agree_venue", map[string]string{"venue": "1", "from_day": (today + 1).String(), "sales_rate": "700", "prizes_rate": "50",
			"fees_rate": "", "least_cents": "20.00", "tax_rate": "1000", "tax_rounding": "half-up", "floor_cents": "10.00",
			"week_ends": "0", "days_to_pay": "3", "stops": "true", "mandate": "M-1", "account": "DE89370400440532013000",
			"signed": today.String()}, "", "waits for"},
		{"agree_venue", map[string]string{"venue": "1", "from_day": today.String(), "sales_rate": "700", "prizes_rate": "50",
			"least_cents": "20.00", "week_ends": "0", "days_to_pay": "3", "stops": "false"}, "from_day", "begins after the newest Keno Day"},
		{"carry_cash", map[string]string{"venue": "1", "move": "brought", "cents": "100.00", "reference": "slip 1"}, "", "waits for"},
		{"carry_cash", map[string]string{"venue": "1", "move": "banked", "cents": "1.00", "reference": "slip 2"}, "cents", "The safe has"},
		{"receive_remittance", map[string]string{"venue": "1", "cents": "12.30", "reference": "transfer 1"}, "", "waits for"},
		{"receive_remittance", map[string]string{"venue": "1", "cents": "0", "reference": "transfer 1"}, "cents", "Nothing moves"},
		{"pay_venue", map[string]string{"venue": "1", "cents": "1.00", "reference": "out 1"}, "cents", "$1.00 are paid"},
		{"reverse_venue_payment", map[string]string{"venue": "1", "reference": "transfer 9", "reason": "of another venue"},
			"reference", "none has the reference"},
		{"name_creditor", map[string]string{"name": "Keno Pty Ltd", "account": "DE02120300000000202051",
			"creditor": "DE98ZZZ09999999999", "scheme": "CORE"}, "", "waits for"},
		{"name_creditor", map[string]string{"name": "Keno Pty Ltd", "account": "DE02120300000000202052",
			"creditor": "DE98ZZZ09999999999"}, "account", "check digits"},
		{"order_debits", map[string]string{"collect": (today + 1).String()}, "-", "No statement of a venue with a mandate"},
		{"order_debits", map[string]string{"collect": (today + 15).String()}, "collect", "The bank collects from"},
		{"withdraw_debits", map[string]string{"file": "1", "reason": "wrong day"}, "file", "There is no file 1"},
		{"make_remittance", map[string]string{"account": "tax", "month": "2026-10", "cents": "1.00", "paid": today.String(),
			"reference": "000418"}, "month", "No tax of this month is owed"},
		{"make_remittance", map[string]string{"account": "treasurer", "month": "", "cents": "1.00", "paid": (today + 9).String(),
			"reference": "000418"}, "paid", "Record a payment once it is made"},
		{"reverse_remittance", map[string]string{"account": "treasurer", "month": "", "reference": "000418", "reason": "twice"},
			"reference", "none out of treasurer"},
		{"announce_closure", map[string]string{"at": local(now.Add(-time.Hour))}, "at", "cannot end in the past"},
		{"announce_closure", map[string]string{"at": local(now.Add(time.Hour))}, "", "waits for"},
	} {
		turnTo(t, ctx, "today")
		turnTo(t, ctx, "ask/"+form.act)
		awaitPage(t, ctx, "the form of "+form.act,
			`(action) => document.querySelector("[aria-current=page][href='#ask/" + action + "']") !== null`, form.act)
		if missing := call[[]string](t, ctx, `(names) => names.filter((name) => !document.getElementById("ask").elements[name])`,
			slices.Sorted(maps.Keys(form.values))); len(missing) > 0 {
			t.Fatalf("the form of %s has no %q", form.act, missing)
		}
		fill(t, ctx, "ask", form.values)
		switch form.where {
		case "":
			shows(t, ctx, "asked", form.says)
		case "-":
			shows(t, ctx, "ask-fault", form.says)
		default:
			shows(t, ctx, "ask-"+form.where+"-fault", form.says)
		}
	}
	turnTo(t, ctx, "today")
	turnTo(t, ctx, "ask/take_in_answer")
	call[chromedp.Void](t, ctx, `() => {
		const f = document.getElementById("ask"), brought = new DataTransfer();
		brought.items.add(new File(["<a/>"], "answer.xml"));
		f.elements.text.files = brought.files;
		f.requestSubmit();
	}`)
	shows(t, ctx, "ask-text-fault", "The answer of the bank:")
	turnTo(t, ctx, "venue/1")
	shows(t, ctx, "desk", "No statement is unpaid.")
	shows(t, ctx, "desk", "7 % of sales")
	turnTo(t, ctx, "today")
	call[chromedp.Void](t, ctx, `() => {
		const asks = window.fetch;
		window.fetch = async (url, ...rest) => {
			const answer = await asks(url, ...rest);
			if (!String(url).endsWith("/account")) return answer;
			const account = await answer.json();
			return new Response(JSON.stringify({ ...account, at_bank: [{ statement: 4, file: 2, cents: 1790, over_cents: 500 }] }), answer);
		};
	}`)
	turnTo(t, ctx, "venue/1")
	shows(t, ctx, "desk", "File 2 collects $17.90 for statement 4, and $5.00 of it are not owed any more.")
	quiet(t, s, said(), nil)
}
