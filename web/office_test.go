package web

import (
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"drawhouse/person"
	"drawhouse/record"
	"drawhouse/staff"
	"drawhouse/state"
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
	bodies, err := s.house.Staff(s.t.Context(), staff.AddPerson{Details: details.Hash(), Secret: secret.Hash(), Grants: []state.Grant{grant}})
	s.must(err)
	return staff.NumberOf(bodies)
}

// signsOn has a person sign on at the office, in place of whoever was there, and opens the
// first view.
func signsOn(t *testing.T, ctx context.Context, id uint32) {
	t.Helper()
	call[chromedp.Void](t, ctx, `() => { const leave = document.getElementById("leave"); if (!leave.hidden) leave.click(); }`)
	awaitPage(t, ctx, "the gate", `() => document.documentElement.dataset.state === "ready" && !document.getElementById("gate").hidden`)
	call[chromedp.Void](t, ctx, `() => { location.hash = ""; }`)
	fill(t, ctx, "sign", map[string]string{"person": fmt.Sprint(id), "password": officePassword})
	shows(t, ctx, "who", fmt.Sprintf("Person %d:", id))
	awaitPage(t, ctx, "the first view", `() => !document.getElementById("desk").hidden && document.documentElement.dataset.view === "today"`)
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
	ctx := browser(t)
	said, asked := complaints(ctx), requests(t, ctx)
	s := openShop(t, "vic-keno-2015")
	size(t, ctx, 1280, 720)
	inspector, first, second := s.hire(record.RoleInspector), s.hire(record.RoleSupervisor), s.hire(record.RoleAdministrator)
	s.must(chromedp.Do(ctx, chromedp.Navigate(s.url("/office"))))
	awaitPage(t, ctx, "the gate", `() => document.documentElement.dataset.state === "ready"`)
	fill(t, ctx, "sign", map[string]string{"person": fmt.Sprint(first), "password": "not that one at all"})
	awaitPage(t, ctx, "a refusal", `() => document.getElementById("fault").textContent !== "" && document.getElementById("desk").hidden`)

	signsOn(t, ctx, first)
	shows(t, ctx, "approvals", "Nobody has asked for anything.")
	turnTo(t, ctx, "ask/close_day")
	fill(t, ctx, "ask", map[string]string{"day": "2001-02-03"})
	shows(t, ctx, "ask-day-fault", "The last Keno Day that opened is")
	awaitPage(t, ctx, "the field marked", `() => document.getElementById("ask-day").getAttribute("aria-invalid") === "true"`)
	judge(t, ctx, "office-refused")
	turnTo(t, ctx, "ask/adopt_rulebook")
	fill(t, ctx, "ask", map[string]string{"id": "tas-keno-2023"})
	shows(t, ctx, "asked", "waits for administrator or supervisor or operative or inspector")
	judge(t, ctx, "office-ask")
	turnTo(t, ctx, "today")
	shows(t, ctx, "approvals", "Rulebook: tas-keno-2023")
	offered(t, ctx, "")
	refusedAs(t, ctx, "/v1/approvals/1/use", "", "approval_not_given")

	signsOn(t, ctx, inspector)
	awaitPage(t, ctx, "a desk without acts", `() => document.getElementById("pause").hidden && !document.querySelector("#views a[href='#ask']")`)
	offered(t, ctx, "refuse consent")
	refusedAs(t, ctx, "/v1/operator/pause", `{"reason":"a storm"}`, "role_missing")

	signsOn(t, ctx, second)
	offered(t, ctx, "refuse consent")
	judge(t, ctx, "office")
	touch(t, ctx, "[data-do=consent]")
	shows(t, ctx, "approvals", fmt.Sprintf("consented to by person %d", second))
	offered(t, ctx, "")

	signsOn(t, ctx, first)
	offered(t, ctx, "use")
	touch(t, ctx, "[data-do=use]")
	shows(t, ctx, "approvals", "done.")
	shows(t, ctx, "course", "tas-keno-2023")

	fill(t, ctx, "pause", map[string]string{"reason": "a storm"})
	shows(t, ctx, "course", "Sale and draws Stopped")
	touch(t, ctx, "#resume")
	shows(t, ctx, "course", "Sale and draws Running")
	quiet(t, s, said(), asked())
}

// offered waits until the buttons of the approvals are those, and no others.
func offered(t *testing.T, ctx context.Context, names string) {
	t.Helper()
	awaitPage(t, ctx, fmt.Sprintf("the buttons %q", names), `(names) => [...document.querySelectorAll("#approvals [data-do]")].map((b) => b.dataset.do).join(" ") === names`, names)
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
