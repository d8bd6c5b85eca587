package web

import (
	"context"
	"drawhouse/decide/command"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"drawhouse/journal/record"
)

// atOffice opens the office with an administrator signed on.
func (s *shop) atOffice(ctx context.Context) (administrator uint32) {
	s.t.Helper()
	size(s.t, ctx, 1280, 720)
	administrator = s.hire(record.RoleAdministrator)
	s.must(chromedp.Do(ctx, chromedp.Navigate(s.url("/office"))))
	awaitPage(s.t, ctx, "the page", `() => document.documentElement.dataset.state === "ready"`)
	signsOn(s.t, ctx, administrator)
	return administrator
}

// TestOfficeTerminal registers a terminal in the office. The device brings its key by the
// code, and sells; then the key is taken away, and it sells no more.
func TestOfficeTerminal(t *testing.T) {
	t.Parallel()
	office, counter := browser(t), browser(t)
	said, asked := complaints(t, office), requests(t, office)
	s := openShop(t, "vic-keno-2015")
	s.atOffice(office)

	turnTo(t, office, "terminals")
	fill(t, office, "add-terminal", map[string]string{"venue": "1", "channel": "writer", "area": "9"})
	shows(t, office, "add-terminal-area-fault", "Venue 1 has no area 9")
	fill(t, office, "add-terminal", map[string]string{"venue": "1", "channel": "writer", "area": "1"})
	shows(t, office, "code", "Code for terminal 4")
	link := call[string](t, office, `() => document.getElementById("code-link").href`)
	shows(t, office, "view", "None yet")
	judge(t, office, "office-terminals")

	size(t, counter, 1280, 720)
	s.must(chromedp.Do(counter, chromedp.Navigate(link)))
	awaitPage(t, counter, "the desk",
		`() => !document.getElementById("desk").hidden && document.documentElement.dataset.state === "live" && document.activeElement.id === "entry"`)
	line(t, counter, "7 s2")
	shows(t, counter, "price", "$2.00")
	sells(t, counter)
	paperOnScreen(t, counter, "Ticket")
	keys(t, counter, kb.F9)
	shows(t, counter, "settle-sums", "To pay $2.00")
	keys(t, counter, "2"+kb.Enter)
	shows(t, counter, "said", "Customer finished")

	turnTo(t, office, "sales")
	shows(t, office, "sales-totals", "Sold $2.00")
	shows(t, office, "view", "Terminal 4")
	turnTo(t, office, "terminals")
	touch(t, office, `[data-do="revoke-4"]`)
	fill(t, office, "revoke", map[string]string{"reason": "stolen"})
	shows(t, office, "said", "Terminal 4 has no key any more")
	shows(t, office, "view", "Taken away")
	keys(t, counter, kb.Escape)
	line(t, counter, "8 s2")
	awaitPage(t, counter, "a refusal", `() => document.body.innerText.includes("key of terminal 4 was taken away")`)
	keys(t, counter, kb.F8)
	head, err := s.store.Head(t.Context())
	s.must(err)
	sold := 0
	s.must(s.store.Records(t.Context(), head.Volume, 0, head.Size, func(_ uint64, data []byte) error {
		if kind, ok := record.KindOf(data); ok && kind == record.KindTicketSold {
			sold++
		}
		return nil
	}))
	if sold != 1 {
		t.Errorf("%d tickets are sold, want 1", sold)
	}
	quiet(t, s, said(), asked())
}

// TestOfficePeople brings somebody in, who sets a password by the invitation and signs
// on; then the person is locked, and signs on no more.
func TestOfficePeople(t *testing.T) {
	t.Parallel()
	office, other := browser(t), browser(t)
	said, asked := complaints(t, office), requests(t, office)
	s := openShop(t, "vic-keno-2015")
	administrator := s.atOffice(office)
	s.hire(record.RoleSupervisor) // The last of a role is not locked.

	turnTo(t, office, "people")
	fill(t, office, "add-person", map[string]string{"name": "Grace Hall", "role": "writer"})
	awaitPage(t, office, "that a writer is of a venue",
		`() => [...document.querySelectorAll("#add-person .fault")].some((f) => f.textContent !== "")`)
	fill(t, office, "add-person", map[string]string{"name": "Grace Hall", "contact": "grace@example.com",
		"role": "supervisor", "venue": ""})
	awaitPage(t, office, "the person", `() => document.documentElement.dataset.view.startsWith("person/")`)
	shows(t, office, "view", "Grace Hall, person")
	shows(t, office, "view", "No password yet")
	touch(t, office, "[data-do=invite]")
	awaitPage(t, office, "the invitation", `() => document.querySelector("#invitation a") !== null`)
	judge(t, office, "office-person")
	link := call[string](t, office, `() => document.querySelector("#invitation a").href`)
	id := call[string](t, office, `() => document.documentElement.dataset.view.slice("person/".length)`)

	s.must(chromedp.Do(other, chromedp.Navigate(link)))
	awaitPage(t, other, "the form",
		`() => document.getElementById("form") !== null && document.title === "Set your password"`)
	call[chromedp.Void](t, other,
		`(password) => { const f = document.getElementById("form"); f.elements.password.value = password; f.requestSubmit(); }`, officePassword)
	shows(t, other, "answer", "Your password is set")
	judge(t, other, "invitation")

	turnTo(t, office, "people")
	turnTo(t, office, "person/"+id)
	shows(t, office, "view", "Password Set")
	fill(t, office, "lock", map[string]string{"reason": "on leave"})
	shows(t, office, "view", "Unlock this person")
	click(t, office, "#leave")
	awaitPage(t, office, "the gate", `() => !document.getElementById("gate").hidden`)
	fill(t, office, "sign", map[string]string{"person": id, "password": officePassword})
	shows(t, office, "fault", "You are locked")
	signsOn(t, office, administrator)
	turnTo(t, office, "person/"+id)
	fill(t, office, "lock", map[string]string{"reason": "back"})
	shows(t, office, "view", "Lock this person")
	quiet(t, s, said(), asked())
}

// TestOfficeInspector: an inspector has buttons to lock the own number and to give the role
// up, and none for others; an administrator has none for an inspector, and asks another
// person instead.
func TestOfficeInspector(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	said, asked := complaints(t, ctx), requests(t, ctx)
	s := openShop(t, "vic-keno-2015")
	size(t, ctx, 1280, 720)
	inspector, second, administrator := s.hire(record.RoleInspector), s.hire(record.RoleSupervisor),
		s.hire(record.RoleAdministrator)
	s.must(chromedp.Do(ctx, chromedp.Navigate(s.url("/office"))))
	awaitPage(t, ctx, "the gate", `() => document.documentElement.dataset.state === "ready"`)
	buttons := func(of uint32, want string) {
		t.Helper()
		turnTo(t, ctx, fmt.Sprint("person/", of))
		awaitPage(t, ctx, fmt.Sprintf("%q for person %d", want, of), fmt.Sprintf(`() => [document.getElementById("lock") ? "lock" : "",
			[...document.querySelectorAll("#view button")].some((b) => b.textContent === "Withdraw") ? "withdraw" : ""].join(" ").trim() === %q`, want))
	}
	signsOn(t, ctx, inspector)
	buttons(inspector, "lock withdraw")
	buttons(administrator, "")
	signsOn(t, ctx, administrator)
	buttons(second, "lock withdraw")
	buttons(inspector, "")
	shows(t, ctx, "view", "An inspector is dismissed, locked or let back in by two persons")
	judge(t, ctx, "office-inspector")
	turnTo(t, ctx, "ask/lock_inspector")
	fill(t, ctx, "ask", map[string]string{"person": fmt.Sprint(inspector), "locked": "true", "reason": "on leave"})
	shows(t, ctx, "asked", "waits for administrator or supervisor or operative or inspector")
	signsOn(t, ctx, second)
	shows(t, ctx, "approvals", "Keep inspector")
	touch(t, ctx, "[data-do=consent]")
	shows(t, ctx, "approvals", fmt.Sprintf("(person %d)", second))
	signsOn(t, ctx, administrator)
	touch(t, ctx, "[data-do=use]")
	shows(t, ctx, "approvals", "done.")
	buttons(inspector, "")
	shows(t, ctx, "view", "Condition Locked")
	quiet(t, s, said(), asked())
}

// TestOfficeVenue adds a venue, its hours and an area, and reports a display.
func TestOfficeVenue(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	said, asked := complaints(t, ctx), requests(t, ctx)
	s := openShop(t, "vic-keno-2015")
	s.atOffice(ctx)
	turnTo(t, ctx, "venues")
	fill(t, ctx, "add-venue", map[string]string{"name": "Harbour Club", "kind": "club"})
	awaitPage(t, ctx, "the venue", `() => document.documentElement.dataset.view === "venue/2"`)
	clickNamed(t, ctx, "#hours button", "Add hours")
	call[chromedp.Void](t, ctx, `() => {
		const [day, from, to] = document.querySelectorAll("#hours tbody select, #hours tbody input");
		Object.assign(day, { value: "5" }); Object.assign(from, { value: "18:00" }); Object.assign(to, { value: "02:00" });
		document.getElementById("hours").requestSubmit();
	}`)
	shows(t, ctx, "said", "The hours are set.")
	fill(t, ctx, "add-area", map[string]string{"number": "1", "name": "Bar"})
	shows(t, ctx, "said", "The area is added.")
	shows(t, ctx, "view", "Bar")
	fill(t, ctx, "rename-venue", map[string]string{"name": "Harbour House"})
	shows(t, ctx, "said", "The venue is renamed.")
	shows(t, ctx, "view", "Harbour House")
	judge(t, ctx, "office-venue")
	turnTo(t, ctx, "venues")
	shows(t, ctx, "view", "1 days a week, 18:00 to 02:00")
	quiet(t, s, said(), asked())
}

// TestOfficeDispute notes a dispute between a runner and a player. The senior person of the venue has it on the first
// page, with names, chooses it from the list at the venue and decides it.
func TestOfficeDispute(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	said, asked := complaints(t, ctx), requests(t, ctx)
	s := openShop(t, "vic-keno-2015")
	runner, senior := s.hire(record.RoleRunner), s.hire(record.RoleSenior)
	size(t, ctx, 1280, 720)
	s.must(chromedp.Do(ctx, chromedp.Navigate(s.url("/office"))))
	awaitPage(t, ctx, "the gate", `() => document.documentElement.dataset.state === "ready"`)
	signsOn(t, ctx, senior)
	turnTo(t, ctx, "venue/1")
	shows(t, ctx, "view", "No dispute waits at this venue.")
	fill(t, ctx, "dispute-runner", map[string]string{"runner": fmt.Sprint(runner), "text": "The change was a dollar short."})
	shows(t, ctx, "decide-runner", "The change was a dollar short.")
	turnTo(t, ctx, "today")
	shows(t, ctx, "disputes", "Dispute 1 with A runner")
	shows(t, ctx, "disputes", "The change was a dollar short.")
	turnTo(t, ctx, "venue/1")
	fill(t, ctx, "decide-runner", map[string]string{"dispute": "1", "text": "The dollar was found."})
	shows(t, ctx, "view", "No dispute waits at this venue.")
	judge(t, ctx, "office-dispute")
	turnTo(t, ctx, "today")
	awaitPage(t, ctx, "no dispute", `() => document.getElementById("disputes").children.length === 0`)
	quiet(t, s, said(), asked())
}

// TestOfficeNotice tells players something: the wall and the counter say it, and no longer
// once it is taken down.
func TestOfficeNotice(t *testing.T) {
	t.Parallel()
	ctx, wall, counter := browser(t), browser(t), browser(t)
	said, asked := complaints(t, ctx), requests(t, ctx)
	s := openShop(t, "vic-keno-2015")
	s.atOffice(ctx)
	s.must(chromedp.Do(wall, chromedp.Navigate(s.url("/"))))
	size(t, counter, 1280, 720)
	s.enrolled(counter)
	turnTo(t, ctx, "notices")
	shows(t, ctx, "told", "Sale and draws Running")
	touch(t, ctx, "[data-do=take-down]")
	shows(t, ctx, "fault", "No notice is shown.")
	fill(t, ctx, "notice", map[string]string{"text": "The bistro closes at nine tonight"})
	shows(t, ctx, "told", "The bistro closes at nine tonight")
	shows(t, wall, "notice", "The bistro closes at nine tonight")
	shows(t, counter, "notice", "The bistro closes at nine tonight")
	judge(t, counter, "terminal-notice")
	judge(t, ctx, "office-notices")
	touch(t, ctx, "[data-do=take-down]")
	shows(t, ctx, "told", "Notice None")
	awaitPage(t, wall, "a wall without a notice", `() => document.getElementById("notice").hidden`)
	quiet(t, s, said(), asked())
}

// TestOfficeAsksForEverything: the office has words for every act that two persons must want, for
// each field of its form and for each value of which one is chosen, and knows how to offer what a
// value is one of.
func TestOfficeAsksForEverything(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := openShop(t, "vic-keno-2015")
	s.must(chromedp.Do(ctx, chromedp.Navigate(s.url("/office"))))
	type act struct {
		Action string          `json:"action"`
		Says   string          `json:"says"`
		Fields []command.Field `json:"fields"`
	}
	var acts []act
	for _, row := range command.Rows() {
		if row.Two != "" {
			acts = append(acts, act{row.Two, row.Says, row.Form()})
		}
	}
	text, err := json.Marshal(acts)
	s.must(err)
	unsaid := call[[]string](t, ctx, `async (text) => {
		const [{ fieldsOf, hintOf, titleOf }, { officeStrings }] = await Promise.all([import("/web/office/acts.js"), import("/web/kit/strings-office.js")]);
		const known = { course: { newest: 1, day: "2026-11-15", pools: [], promotions: [] }, rules: { carried: [], adopted: [] }, games: [], clauses: [],
			terminals: [], counters: [], series: [], venues: new Map(), papers: [], playTypes: [], people: [] };
		const missing = [];
		for (const act of JSON.parse(text)) {
			if (titleOf(act) === act.says || hintOf(act) === act.says) missing.push(act.action);
			for (const field of fieldsOf(act, known)) {
				const given = act.fields.find((f) => f.name === field.name);
				if (!field.label || field.label === given?.says || field.label === field.name) missing.push(act.action + "." + field.name);
				if (given?.of && !["ticket", "series", "pool", "promotion"].includes(given.of) && !field.options && !field.suggestions && !field.hint && field.kind !== "date") missing.push(act.action + "." + field.name + " of " + given.of);
				for (const [value, words] of given?.of ? [] : field.options ?? []) if (value === words) missing.push(act.action + "." + field.name + " = " + value);
			}
		}
		return missing;
	}`, string(text))
	if len(unsaid) > 0 {
		t.Errorf("the office has no words, or nothing to offer, for %s", strings.Join(unsaid, ", "))
	}
}

// TestOfficeDoesWhatOneDoes: a page of the office does what a person with a role does alone, by the address of the
// command or its name, or there is a reason why none does.
func TestOfficeDoesWhatOneDoes(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("assets/office/*.js")
	if err != nil || len(names) == 0 {
		t.Fatalf("the office has %d modules: %v", len(names), err)
	}
	var modules strings.Builder
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		module := string(text)
		if own := regexp.MustCompile("const own = `([^`]*)`").FindStringSubmatch(module); own != nil {
			module = strings.ReplaceAll(module, "${own}", own[1])
		}
		modules.WriteString(module)
	}
	element := regexp.MustCompile(`\\\{[^}]*\\\}`)
	for _, row := range command.Rows() {
		if row.Alone == "" {
			continue
		}
		address := element.ReplaceAllString(regexp.QuoteMeta(row.Path), `\$\{[^}]*\}`)
		asked := regexp.MustCompile(address + "[`\"?$]|\"" + row.Name + "\"").MatchString(modules.String())
		if reason := unasked[row.Name]; asked == (reason != "") {
			t.Errorf("%s: a page of the office does it: %t; why none does: %q", row.Name, asked, reason)
		}
	}
}

// unasked are the commands that no page of the office does, and why.
var unasked = map[string]string{
	"add-operator":   "a house has few, and drawhouse do adds them",
	"place-terminal": "a terminal is registered with its area, and drawhouse do moves it",
	"key-terminal":   "a terminal brings its key with the code that the office shows",
	"freeze-payment": "drawhouse do stops a payment",
	"set-anonymity":  "drawhouse do notes what the holder of a ticket wishes",
	"register-card":  "the office has no page of player cards; drawhouse do",
	"set-card":       "as register-card",
	"notify-card":    "as register-card",
	"erase-holder":   "as register-card",
	"erase-payee":    "drawhouse do forgets a payee",
}
