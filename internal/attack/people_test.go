package attack

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"drawhouse/internal/outside"
)

// peopleAttacks want to be somebody else, or to keep others out.
var peopleAttacks = []attack{
	{"a writer reads the bank of another venue", readOtherBank},
	{"a senior uses up the requests of another venue", refuseOther},
	{"a writer decides as the senior of another venue", decideAsWriter},
	{"a senior reads all requests", readRequests},
	{"a venue sells under a senior who is locked", sellUnderLocked},
	{"a person who is locked sells on", sellLocked},
	{"a consent outlives the lock of the person who gave it", consentOfLocked},
	{"an administrator is both persons", bothPersons},
}

// guessing comes after the others: it keeps people out.
var guessing = []attack{
	{"five wrong passwords end a session", endSession},
	{"the last administrator is locked", lockLast},
}

// readOtherBank: a writer of one venue asks what is in a drawer of another.
func readOtherBank(_ *testing.T, a *arena) string {
	return granted("the bank", a.writer().Ask(http.MethodGet, fmt.Sprintf("/v1/banks/%d", a.Away.ID), nil))
}

func askBank(t *testing.T, a *arena) (number int, content string) {
	t.Helper()
	asked := need(t, "request", a.writerAway().Ask(http.MethodPost, "/v1/banks/moves",
		outside.M{"terminal": a.Away.ID, "move": "fill", "cents": 5000}))
	return asked.Int("number"), asked.Text("content")
}

// refuseOther: a senior of one venue refuses the bank requests of another.
func refuseOther(t *testing.T, a *arena) string {
	number, content := askBank(t, a)
	return granted("refused", a.senior().Ask(http.MethodPost, fmt.Sprintf("/v1/approvals/%d/decision", number),
		outside.M{"content": content, "granted": false}))
}

// decideAsWriter: a senior of one venue who writes at another consents to what takes a senior
// there.
func decideAsWriter(t *testing.T, a *arena) string {
	number, content := askBank(t, a)
	both := a.AddPersonBy(a.Partner, outside.M{"role": "senior", "venue": 1},
		outside.M{"role": "writer", "venue": a.Venue})
	return granted("consent", both.Ask(http.MethodPost, fmt.Sprintf("/v1/approvals/%d/decision", number),
		outside.M{"content": content, "granted": true}))
}

// sellUnderLocked: the senior who is in control of a venue is locked, and it sells on.
func sellUnderLocked(t *testing.T, a *arena) string {
	keeper := a.AddPersonBy(a.Partner, outside.M{"role": "senior", "venue": a.Venue})
	need(t, "duty", keeper.Ask(http.MethodPost, "/v1/duty", outside.M{"role": "senior", "venue": a.Venue}))
	if _, answer := a.Away.Sell("form", outside.Ticket(100, 7)); !answer.OK() {
		t.Fatalf("a venue with its senior does not sell: %v", answer)
	}
	need(t, "lock", a.supervisor().Ask(http.MethodPut, fmt.Sprintf("/v1/people/%d/lock", keeper.Number),
		outside.M{"locked": true, "reason": "suspected"}))
	_, answer := a.Away.Sell("form", outside.Ticket(100, 7))
	return granted("a ticket", answer)
}

// readRequests: a senior reads the requests of other venues and of the central site.
func readRequests(t *testing.T, a *arena) string {
	number, _ := askBank(t, a)
	central := need(t, "request", a.supervisor().Ask(http.MethodPost, "/v1/operator/papers",
		outside.M{"kind": "gift_voucher", "cents": 500, "terminal": 1})).Int("number")
	got := ""
	approvals, _ := need(t, "approvals", a.senior().Ask(http.MethodGet, "/v1/approvals", nil)).Get("approvals").([]any)
	for _, one := range approvals {
		fields, _ := one.(map[string]any)
		if n, _ := fields["number"].(float64); int(n) == number || int(n) == central {
			got += fmt.Sprintf("request %v (%v); ", n, fields["action"])
		}
	}
	return got
}

// sellLocked: a writer with an open shift is locked, and the terminal sells on.
func sellLocked(t *testing.T, a *arena) string {
	writer := a.AddPerson(outside.M{"role": "writer", "venue": a.Venue})
	need(t, "duty", a.seniorAway().Ask(http.MethodPost, "/v1/duty", outside.M{"role": "senior", "venue": a.Venue}))
	need(t, "shift", a.Away.Ask(http.MethodPost, fmt.Sprintf("/v1/terminals/%d/shift", a.Away.ID),
		outside.M{"person": writer.Number, "password": writer.Password}))
	if _, answer := a.Away.Sell("form", outside.Ticket(100, 7)); !answer.OK() {
		t.Fatalf("a writer on shift does not sell: %v", answer)
	}
	need(t, "lock", a.supervisor().Ask(http.MethodPut, fmt.Sprintf("/v1/people/%d/lock", writer.Number),
		outside.M{"locked": true, "reason": "suspected"}))
	_, answer := a.Away.Sell("form", outside.Ticket(100, 7))
	a.Away.Ask(http.MethodDelete, fmt.Sprintf("/v1/terminals/%d/shift", a.Away.ID), nil)
	return granted("a ticket", answer)
}

// consentOfLocked: a supervisor consents and is locked; the request is carried out.
func consentOfLocked(t *testing.T, a *arena) string {
	ally := a.AddPersonBy(a.Partner, outside.M{"role": "supervisor"})
	asked := need(t, "request", a.supervisor().Ask(http.MethodPost, "/v1/operator/papers",
		outside.M{"kind": "gift_voucher", "cents": 500, "terminal": 1}))
	path := fmt.Sprintf("/v1/approvals/%d/", asked.Int("number"))
	need(t, "consent", ally.Ask(http.MethodPost, path+"decision",
		outside.M{"content": asked.Text("content"), "granted": true}))
	need(t, "lock", a.second().Ask(http.MethodPut, fmt.Sprintf("/v1/people/%d/lock", ally.Number),
		outside.M{"locked": true, "reason": "suspected"}))
	return useOf(t, a.DemoTerminal(1), asked.Int("number"), 500)
}

// useOf issues the paper that two persons gave and says if the house did so.
func useOf(t *testing.T, at *outside.Terminal, approval, cents int) string {
	t.Helper()
	_, answer := at.Request("paper", func(number int) any {
		return outside.M{"kind": "gift_voucher", "cents": cents, "approval": approval,
			"claim_hash": outside.HashOf(outside.CodeOf(at.ID, number), at.ID, number)}
	})
	if answer.Err != nil {
		t.Fatal(answer)
	}
	return granted("a paper at the operator's expense", answer)
}

// bothPersons: an administrator asks for something, renews the password of a supervisor,
// and consents as the supervisor.
func bothPersons(t *testing.T, a *arena) string {
	victim := a.AddPerson(outside.M{"role": "supervisor"})
	asked := need(t, "request", a.Admin.Ask(http.MethodPost, "/v1/operator/papers",
		outside.M{"kind": "gift_voucher", "cents": 600, "terminal": 1}))
	stolen := a.As(victim.Number, "quince ladder orbit 77")
	a.Invite(a.Admin, stolen)
	if answer := stolen.SignOn(); !answer.OK() {
		return ""
	}
	consent := stolen.Ask(http.MethodPost, fmt.Sprintf("/v1/approvals/%d/decision", asked.Int("number")),
		outside.M{"content": asked.Text("content"), "granted": true})
	if !consent.OK() {
		return ""
	}
	return granted("consent", consent) + useOf(t, a.DemoTerminal(1), asked.Int("number"), 600)
}

// endSession: somebody who knows a number tries five passwords.
func endSession(t *testing.T, a *arena) string {
	victim := a.AddPerson(outside.M{"role": "supervisor"})
	need(t, "session", victim.Ask(http.MethodGet, "/v1/session", nil))
	for i := range 6 {
		a.Ask(http.MethodPost, "/v1/session", outside.M{"person": victim.Number,
			"password": fmt.Sprintf("wrong wrong wrong %d", i), "bearer": true})
	}
	if answer := victim.Ask(http.MethodGet, "/v1/session", nil); !answer.OK() {
		return fmt.Sprintf("the session has ended: %v", answer)
	}
	return ""
}

// strangers is how many sign-ons with unknown numbers are under way at once.
const strangers = 150

// starveSignOn: many strangers try unknown numbers at once. A person of the house signs on
// meanwhile, and must not have to wait until the house has worked for all of them. Passwords
// cost what they should.
func starveSignOn(t *testing.T, _ *arena) string {
	a := &arena{House: outside.RealDemo(t, outside.Quick...), people: map[string]*outside.Person{}}
	a.writer()              // The person is there before the strangers come.
	var worked atomic.Int64 // strangers for whom the house has checked a password
	var all sync.WaitGroup
	before := make(chan struct{}, strangers)
	for i := range strangers {
		all.Go(func() {
			before <- struct{}{}
			answer := a.Ask(http.MethodPost, "/v1/session",
				outside.M{"person": 9000 + i, "password": "wrong wrong wrong", "bearer": true})
			if answer.Err == nil && answer.Status != http.StatusServiceUnavailable &&
				answer.Status != http.StatusTooManyRequests {
				worked.Add(1)
			}
		})
	}
	for range strangers {
		<-before
	}
	in := make(chan struct{})
	go func() { all.Wait(); close(in) }()
	person, served := a.writer(), false
	for done := false; !done && !served; {
		select {
		case <-in:
			done = true
		default:
		}
		served = person.SignOn().OK()
	}
	ahead := worked.Load()
	all.Wait()
	if !served {
		return "a person of the house could not sign on before all strangers were answered"
	}
	if ahead > strangers/2 {
		return fmt.Sprintf("the house worked for %d of %d strangers before a person of the house could sign on", ahead,
			strangers)
	}
	a.survives(t)
	return ""
}

// lockLast: a supervisor locks every administrator, and nobody can undo it.
func lockLast(_ *testing.T, a *arena) string {
	first := a.supervisor().Ask(http.MethodPut, fmt.Sprintf("/v1/people/%d/lock", a.Partner.Number),
		outside.M{"locked": true, "reason": "a trick"})
	if a.Partner == a.Admin || !first.OK() {
		return granted("the administrator is locked", first)
	}
	return granted("all administrators are locked",
		a.supervisor().Ask(http.MethodPut, fmt.Sprintf("/v1/people/%d/lock", a.Admin.Number),
			outside.M{"locked": true, "reason": "a trick"}))
}
