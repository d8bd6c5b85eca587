package attack

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"drawhouse/internal/outside"
)

// smallAttacks want less, or prepare others.
var smallAttacks = []attack{
	{"a request makes the house panic", panics},
	{"a venue has a name of control characters", strangeVenue},
	{"a venue has the name of another", sameVenue},
	{"a person has a name of control characters", strangePerson},
	{"a password is one letter", weakPassword},
	{"a password of another keyboard does not fit", composedPassword},
	{"the profiler shows the flags", commandLine},
	{"a cache keeps a ticket", cachedTicket},
	{"a page elsewhere asks by another name of the machine", otherHost},
}

// panics sends what was decoded before its length was looked at.
func panics(t *testing.T, a *arena) string {
	got := ""
	note := func(what string, answer outside.Answer) {
		if answer.Err != nil || answer.Status >= http.StatusInternalServerError {
			got += fmt.Sprintf("%s: %v; ", what, answer)
		}
	}
	long := strings.Repeat("ab", 100)
	note("payee", a.supervisor().Ask(http.MethodGet, "/v1/payees/"+long, nil))
	note("limit", a.supervisor().Ask(http.MethodPut, "/v1/venues/1/limit", outside.M{"cents": 0}))
	inspector := a.AddPerson()
	second := a.Partner
	if second == a.Admin {
		second = a.supervisor()
	}
	need(t, "inspector", both(t, a.Admin, second, "/v1/operator/inspectors", outside.M{"person": inspector.Number}))
	need(t, "sign-on", inspector.SignOn())
	note("object", inspector.Ask(http.MethodGet, "/v1/journal/object?name=%00", nil))
	at := a.DemoTerminal(1)
	_, sold := at.Request("sale", func(number int) any {
		return outside.M{"method": "form", "in_session": true,
			"claim_hash": outside.HashOf(outside.CodeOf(at.ID, number), at.ID, number), "ticket": outside.Ticket(100, 7)}
	})
	need(t, "sale", sold)
	_, ended := at.Request("session-end", func(int) any { return outside.M{"cash_cents": 100, "claims": []string{long}} })
	note("session end", ended)
	_, ended = at.Request("session-end", func(int) any { return outside.M{"cash_cents": 100} })
	need(t, "session end", ended)
	return got
}

// strange are names that look like others or like none.
var strange = map[string]string{"NUL": "Corner\x00Hotel", "a new line": "Corner\nHotel",
	"an override": "Corner\u202eletoH", "5,000 letters": strings.Repeat("x", 5000)}

func strangeVenue(_ *testing.T, a *arena) string {
	got := ""
	for what, name := range strange {
		got += granted(what, a.Admin.Ask(http.MethodPost, "/v1/venues", outside.M{"kind": "hotel", "name": name}))
	}
	return got + granted("a kind that no rulebook knows",
		a.Admin.Ask(http.MethodPost, "/v1/venues", outside.M{"kind": "castle", "name": "Castle"}))
}

// sameVenue: what is sold at one venue looks on paper as if it were sold at another.
func sameVenue(_ *testing.T, a *arena) string {
	return granted("another River Hotel", a.Admin.Ask(http.MethodPost, "/v1/venues",
		outside.M{"kind": "hotel", "name": "RIVER hotel"}))
}

func strangePerson(_ *testing.T, a *arena) string {
	got := ""
	for what, name := range strange {
		got += granted(what, a.Admin.Ask(http.MethodPost, "/v1/people", outside.M{"name": name}))
	}
	return got
}

func weakPassword(t *testing.T, a *arena) string {
	p := a.AddPerson()
	got := ""
	for _, weak := range []string{"aaaaaaaaaaaa", "abababababab"} {
		answer := p.Ask(http.MethodPut, "/v1/session/password", outside.M{"old": p.Password, "new": weak})
		if answer.Err != nil {
			t.Fatal(answer)
		}
		if answer.OK() {
			p.Password = weak
			p.SignOn()
		}
		got += granted(weak, answer)
	}
	return got
}

// composedPassword: a letter with an accent is one sign on one keyboard and two on another.
func composedPassword(t *testing.T, a *arena) string {
	p := a.AddPerson()
	need(t, "password", p.Ask(http.MethodPut, "/v1/session/password",
		outside.M{"old": p.Password, "new": "caf\u00e9 lantern quartz 9"}))
	p.Password = "cafe\u0301 lantern quartz 9"
	if answer := p.SignOn(); !answer.OK() {
		return fmt.Sprintf("the person is kept out: %v", answer)
	}
	return ""
}

var adminAddress = regexp.MustCompile(`metrics and checks.*? at=(http://\S+)`)

// commandLine reads the flags of the house, which may hold a secret, from the profiler.
func commandLine(t *testing.T, a *arena) string {
	found := adminAddress.FindStringSubmatch(a.Log.String())
	if found == nil {
		t.Fatalf("the log names no address of metrics: %s", a.Log)
	}
	admin := &outside.House{Process: a.Process, URL: found[1]}
	need(t, "metrics", admin.Ask(http.MethodGet, "/metrics", nil))
	if answer := admin.Ask(http.MethodGet, "/debug/pprof/cmdline", nil); answer.OK() &&
		strings.Contains(string(answer.Body), "--data") {
		return "the flags are shown"
	}
	return ""
}

func cachedTicket(t *testing.T, a *arena) string {
	sold, answer := a.DemoTerminal(2).Sell("form", outside.Ticket(100, 7))
	need(t, "sale", answer)
	got := ""
	for _, path := range []string{"", "/proof"} {
		answer := a.Ask(http.MethodGet, "/v1/tickets/"+sold.Serial+path, nil)
		if answer.Err != nil {
			t.Fatal(answer)
		}
		if !strings.Contains(answer.Header.Get("Cache-Control"), "no-store") {
			got += fmt.Sprintf("/v1/tickets/N%s has Cache-Control %q; ", path, answer.Header.Get("Cache-Control"))
		}
	}
	return got
}

// otherHost: a name that an attacker's name server gives the machine reaches the house.
func otherHost(t *testing.T, a *arena) string {
	request, err := http.NewRequest(http.MethodGet, a.URL+"/v1/board", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Host = "attacker.example"
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode == http.StatusOK {
		return "the house answers to attacker.example"
	}
	return ""
}
