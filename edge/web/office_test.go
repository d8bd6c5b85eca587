package web

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/house/person"
	"drawhouse/journal/record"
)

const officePassword = "correct horse battery"

// hire brings somebody into the house who can sign on.
func (s *shop) hire(role record.Role) uint32 {
	s.t.Helper()
	details, err := person.NewDetails("A "+string(role), "", s.random)
	s.must(err)
	s.must(s.register.Put(s.t.Context(), details))
	secret, err := person.NewSecret(officePassword, person.LeastCost, s.random)
	s.must(err)
	s.must(s.register.PutSecret(s.t.Context(), secret))
	grant := state.Grant{Role: role}
	if role.AtVenue() {
		grant.Venue = 1
	}
	made, err := s.house.Do(s.t.Context(), command.Change{Command: staff.AddPerson{Details: details.Hash(),
		Secret: secret.Hash(), Grants: []state.Grant{grant}}}, record.By{})
	s.must(err)
	return staff.NumberOf(made)
}

// signsOn has a person sign on at the office, in place of the person who was there, and opens the
// first view.
func signsOn(t *testing.T, ctx context.Context, id uint32) {
	t.Helper()
	call[chromedp.Void](t, ctx,
		`() => { const leave = document.getElementById("leave"); if (!leave.hidden) leave.click(); }`)
	awaitPage(t, ctx, "the gate",
		`() => document.documentElement.dataset.state === "ready" && !document.getElementById("gate").hidden`)
	call[chromedp.Void](t, ctx, `() => { location.hash = ""; }`)
	fill(t, ctx, "sign", map[string]string{"person": fmt.Sprint(id), "password": officePassword})
	shows(t, ctx, "who", fmt.Sprintf("Person %d:", id))
	awaitPage(t, ctx, "the first view",
		`() => !document.getElementById("desk").hidden && document.documentElement.dataset.view === "today"`)
}

// turnTo opens a view of the office.
func turnTo(t *testing.T, ctx context.Context, view string) {
	t.Helper()
	call[chromedp.Void](t, ctx, `(view) => { location.hash = "#" + view; }`, view)
	awaitPage(t, ctx, view, `(view) => document.documentElement.dataset.view === view`, view)
}

// fill fills in fields, by id or name, and sends their form.
func fill(t *testing.T, ctx context.Context, form string, values map[string]string) {
	t.Helper()
	call[chromedp.Void](t, ctx, `(form, values) => {
		const f = document.getElementById(form);
		for (const [name, value] of Object.entries(values)) f.elements[name].value = value;
		f.requestSubmit();
	}`, form, values)
}

// TestOfficeTwoPeople has one person ask, who cannot consent, another one consent, who
// cannot have it done, and an inspector, who may consent and run nothing: what somebody may
// not do has no button, and is refused.
func TestOfficeTwoPeople(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	said, asked := complaints(t, ctx), requests(t, ctx)
	s := openShop(t, "vic-keno-2015")
	size(t, ctx, 1280, 720)
	inspector, first, second := s.hire(record.RoleInspector), s.hire(record.RoleSupervisor),
		s.hire(record.RoleAdministrator)
	s.must(chromedp.Do(ctx, chromedp.Navigate(s.url("/office"))))
	awaitPage(t, ctx, "the gate", `() => document.documentElement.dataset.state === "ready"`)
	fill(t, ctx, "sign", map[string]string{"person": fmt.Sprint(first), "password": "not that one at all"})
	awaitPage(t, ctx, "a refusal",
		`() => document.getElementById("fault").textContent !== "" && document.getElementById("desk").hidden`)

	signsOn(t, ctx, first)
	shows(t, ctx, "approvals", "Nobody has asked for anything.")
	turnTo(t, ctx, "ask/close_day")
	fill(t, ctx, "ask", map[string]string{"day": "2001-02-03"})
	shows(t, ctx, "ask-day-fault", "The last Keno Day that opened is")
	awaitPage(t, ctx, "the field marked",
		`() => document.getElementById("ask-day").getAttribute("aria-invalid") === "true"`)
	judge(t, ctx, "office-refused")
	turnTo(t, ctx, "ask/adopt_rulebook")
	fill(t, ctx, "ask", map[string]string{"id": "tas-keno-2023"})
	shows(t, ctx, "asked", "waits for administrator or supervisor or operative or inspector")
	judge(t, ctx, "office-ask")
	turnTo(t, ctx, "today")
	shows(t, ctx, "approvals", "Adopt the rulebook tas-keno-2023")
	offered(t, ctx, "withdraw")
	refusedAs(t, ctx, "/v1/approvals/1/use", "", "approval_not_given")

	signsOn(t, ctx, inspector)
	awaitPage(t, ctx, "a desk without acts",
		`() => document.getElementById("pause").hidden && !document.querySelector("#views a[href='#ask']")`)
	offered(t, ctx, "refuse consent")
	refusedAs(t, ctx, "/v1/operator/pause", `{"reason":"a storm"}`, "role_missing")

	signsOn(t, ctx, second)
	offered(t, ctx, "refuse consent")
	judge(t, ctx, "office")
	touch(t, ctx, "[data-do=consent]")
	shows(t, ctx, "approvals", fmt.Sprintf("consented to by A administrator (person %d)", second))
	offered(t, ctx, "")

	signsOn(t, ctx, first)
	offered(t, ctx, "withdraw use")
	touch(t, ctx, "[data-do=use]")
	shows(t, ctx, "approvals", "done.")
	shows(t, ctx, "course", "tas-keno-2023")

	fill(t, ctx, "pause", map[string]string{"reason": "a storm"})
	shows(t, ctx, "course", "Sale and draws Stopped")
	touch(t, ctx, "#resume")
	shows(t, ctx, "course", "Sale and draws Running")
	quiet(t, s, said(), asked())
}

// TestOfficeAdoptsFile has a rulebook of the operator's adopted from its file. A fault of the file is said beside the
// file, the second person sees what changes and what that does to odds, and the rulebook is called the operator's.
func TestOfficeAdoptsFile(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	said := complaints(t, ctx)
	s := openShop(t, "vic-keno-2015")
	size(t, ctx, 1280, 720)
	first, second := s.hire(record.RoleSupervisor), s.hire(record.RoleAdministrator)
	data, err := os.ReadFile("../../rulebook/rules/vic-keno-2015/book.yaml")
	s.must(err)
	text := strings.Replace(string(data), "rulebook: vic-keno-2015", "rulebook: river-keno-1", 1)
	send := func(text string) {
		t.Helper()
		call[chromedp.Void](t, ctx, `(text) => {
			const f = document.getElementById("ask"), brought = new DataTransfer();
			brought.items.add(new File([text], "book.yaml"));
			f.elements.text.files = brought.files;
			f.elements.reference.value = "letter 7";
			f.requestSubmit();
		}`, text)
	}
	s.must(chromedp.Do(ctx, chromedp.Navigate(s.url("/office"))))
	awaitPage(t, ctx, "the gate", `() => document.documentElement.dataset.state === "ready"`)
	signsOn(t, ctx, first)
	turnTo(t, ctx, "ask/adopt_rulebook_file")
	send(strings.Replace(text, "1: {1: 3}", "1: {2: 3}", 1))
	shows(t, ctx, "ask-text-fault", "keno.tables[0].catch.1.2")
	judge(t, ctx, "office-file")
	good := strings.Replace(text, "1: {1: 3}", "1: {1: 4}", 1)
	for _, spoilt := range []struct{ how, says string }{
		{`Object.defineProperty(File.prototype, "text", { configurable: true,
			value: () => Promise.reject(new DOMException("it has changed", "NotReadableError")) })`, "This file cannot be read."},
		{`window.fetch = () => Promise.reject(new TypeError("no route"))`, "No answer from the central system."},
	} {
		call[chromedp.Void](t, ctx, `() => { window.kept ??= { text: Blob.prototype.text, fetch: window.fetch }; `+spoilt.how+`; }`)
		send(good)
		shows(t, ctx, "ask-fault", spoilt.says)
		call[chromedp.Void](t, ctx, `() => { delete File.prototype.text; window.fetch = kept.fetch; }`)
	}
	send(good)
	shows(t, ctx, "asked", "waits for administrator")
	signsOn(t, ctx, second)
	turnTo(t, ctx, "today")
	shows(t, ctx, "approvals", "Adopt the operator's rulebook river-keno-1")
	shows(t, ctx, "approvals", "tables classic-1, 1 spots, 1 matched: $4.00 instead of $3.00")
	shows(t, ctx, "approvals", "schedule-1, classic 1: returns 100.0000% instead of 75.0000%")
	touch(t, ctx, "#approvals details.file summary")
	shows(t, ctx, "approvals", "rulebook: river-keno-1")
	touch(t, ctx, "[data-do=consent]")
	shows(t, ctx, "approvals", "consented to by")
	signsOn(t, ctx, first)
	touch(t, ctx, "[data-do=use]")
	shows(t, ctx, "course", "river-keno-1 (the operator's, ")
	turnTo(t, ctx, "rules")
	shows(t, ctx, "desk", "The operator's own, approved as letter 7")
	quiet(t, s, said(), nil)
}

// TestOfficeShowsWhatIsAgreed has a game ended without a result. The game on sale is not
// offered for it, the clause is chosen, the person who consents sees the game with its tickets and
// their money, who asks, and what would come of it, and who asked can withdraw the request
// before the consent and after it.
func TestOfficeShowsWhatIsAgreed(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	said := complaints(t, ctx)
	s := openShop(t, "vic-keno-2015")
	size(t, ctx, 1280, 720)
	s.enrolled(ctx)
	line(t, ctx, "3 17 42 s3")
	shows(t, ctx, "price", "$3.00")
	sells(t, ctx)
	paperOnScreen(t, ctx, "Ticket")
	ordinal := s.turn()
	first, second := s.hire(record.RoleSupervisor), s.hire(record.RoleAdministrator)
	s.must(chromedp.Do(ctx, chromedp.Navigate(s.url("/office"))))
	signsOn(t, ctx, first)
	turnTo(t, ctx, "games")
	awaitPage(t, ctx, "one game to void",
		`(ordinal) => { const found = [...document.querySelectorAll("a[href^='#ask/void_game/']")]; return found.length === 1 && found[0].getAttribute("href").endsWith("/" + ordinal); }`, ordinal)
	click(t, ctx, "a[href^='#ask/void_game/']")
	awaitPage(t, ctx, "the form", `() => document.getElementById("ask") !== null`)
	choices := call[[]string](t, ctx,
		`() => [...document.getElementById("ask-ordinal").options].map((o) => o.textContent)`)
	if len(choices) != 1 || !strings.Contains(choices[0], "sealed (1 ticket, $3.00)") ||
		!strings.HasPrefix(choices[0], "Game 0, ") {
		t.Errorf("the games that can be void are %q", choices)
	}
	if made := call[string](t, ctx, `() => document.getElementById("ask-clause").tagName`); made != "SELECT" {
		t.Errorf("the clause is a %s", made)
	}
	ask := func() {
		t.Helper()
		turnTo(t, ctx, "ask/void_game")
		fill(t, ctx, "ask", map[string]string{"ordinal": fmt.Sprint(ordinal), "reason": "the power failed",
			"clause": "10(b)"})
		shows(t, ctx, "asked", "waits for")
		turnTo(t, ctx, "today")
	}
	// Without a clause nothing is sent.
	fill(t, ctx, "ask", map[string]string{"reason": "the power failed"})
	ask()
	offered(t, ctx, "withdraw")
	shows(t, ctx, "approvals", "End game 1 of the series without a result under 10(b): the power failed.")

	signsOn(t, ctx, second)
	offered(t, ctx, "refuse consent")
	for _, text := range []string{"1. Void a game", "Game 0, ", "(1 ticket, $3.00)", "Stakes of $3.00 go back",
		fmt.Sprintf("Asked by A supervisor (person %d)", first)} {
		shows(t, ctx, "approvals", text)
	}
	judge(t, ctx, "office-agree")

	signsOn(t, ctx, first)
	touch(t, ctx, "[data-do=withdraw]")
	shows(t, ctx, "approvals", "and withdrawn.")
	offered(t, ctx, "")
	ask()
	signsOn(t, ctx, second)
	offered(t, ctx, "refuse consent")
	touch(t, ctx, "[data-do=consent]")
	shows(t, ctx, "approvals", fmt.Sprintf("consented to by A administrator (person %d)", second))
	signsOn(t, ctx, first)
	offered(t, ctx, "withdraw use")
	touch(t, ctx, "[data-do=withdraw]")
	offered(t, ctx, "")
	refusedAs(t, ctx, "/v1/approvals/2/use", "", "approval_not_given")
	ask()
	signsOn(t, ctx, second)
	touch(t, ctx, "[data-do=consent]")
	offered(t, ctx, "")
	signsOn(t, ctx, first)
	touch(t, ctx, "[data-do=use]")
	shows(t, ctx, "approvals", "done.")
	offered(t, ctx, "")
	s.verified()
	quiet(t, s, said(), nil)
}

// offered waits until the buttons of the approvals are those, and no others.
func offered(t *testing.T, ctx context.Context, names string) {
	t.Helper()
	awaitPage(t, ctx, fmt.Sprintf("the buttons %q", names),
		`(names) => [...document.querySelectorAll("#approvals [data-do]")].map((b) => b.dataset.do).join(" ") === names`,
		names)
}

// refusedAs sends what the page has no button for, as the person who has signed on.
func refusedAs(t *testing.T, ctx context.Context, path, body, code string) {
	t.Helper()
	got := call[string](t, ctx, `async (path, body) => {
		const { csrf } = await (await fetch("/v1/session")).json();
		const answer = await fetch(path, { method: "POST", headers: { "Drawhouse-CSRF": csrf, ...(body ? { "Content-Type": "application/json" } : {}) }, ...(body ? { body } : {}) });
		return (await answer.json()).error?.code ?? "it is done";
	}`, path, body)
	if got != code {
		t.Errorf("%s: %s, want %s", path, got, code)
	}
}
