package attack

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"drawhouse/internal/outside"
)

func TestMain(m *testing.M) { outside.Main(m) }

// attack is one way to do harm. It returns what the attacker got, or "" if nothing.
type attack struct {
	name string
	run  func(t *testing.T, h *arena) string
}

// arena is a demonstration house under attack, with two venues.
type arena struct {
	*outside.House
	Venue int // the second venue
	Away  *outside.Terminal

	people map[string]*outside.Person
}

func newArena(t *testing.T) *arena {
	t.Helper()
	a := &arena{House: outside.Demo(t, outside.Quick...), people: map[string]*outside.Person{}}
	a.Venue = a.AddVenue("River Hotel")
	a.Away = a.AddTerminal(a.Venue, "writer")
	return a
}

// person returns the person of a name, who comes into the house when asked for first: a
// password takes the house a while.
func (a *arena) person(name string, by *outside.Person, grant outside.M) *outside.Person {
	if a.people[name] == nil {
		a.people[name] = a.AddPersonBy(by, grant)
	}
	return a.people[name]
}

func (a *arena) supervisor() *outside.Person {
	return a.person("supervisor", a.Admin, outside.M{"role": "supervisor"})
}
func (a *arena) second() *outside.Person {
	return a.person("second", a.Partner, outside.M{"role": "supervisor"})
}
func (a *arena) senior() *outside.Person {
	return a.person("senior", a.Admin, outside.M{"role": "senior", "venue": 1})
}

func (a *arena) writer() *outside.Person {
	return a.person("writer", a.Admin, outside.M{"role": "writer", "venue": 1})
}

func (a *arena) seniorAway() *outside.Person {
	return a.person("senior away", a.Partner, outside.M{"role": "senior", "venue": a.Venue})
}

func (a *arena) writerAway() *outside.Person {
	return a.person("writer away", a.Admin, outside.M{"role": "writer", "venue": a.Venue})
}

// TestAttacks runs every attack. Those of an arena run one after the other in the same
// house, which must go on in the end and verify; what wants to end the house comes last.
func TestAttacks(t *testing.T) {
	for name, attacks := range map[string][]attack{"money": slices.Concat(moneyAttacks, deadlyAttacks),
		"people": slices.Concat(peopleAttacks, smallAttacks, guessing)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newArena(t)
			for _, a := range attacks {
				t.Run(a.name, func(t *testing.T) { h.suffer(t, a) })
			}
			h.survives(t)
		})
	}
	for _, a := range lonelyAttacks {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			report(t, a.run(t, nil))
		})
	}
}

func (a *arena) suffer(t *testing.T, by attack) {
	t.Helper()
	if !a.Alive() {
		t.Fatalf("the house has ended before: %s", a.Log.Tail(3))
	}
	part := *a
	part.House = a.With(t)
	report(t, by.run(t, &part))
}

// report fails the test if the attacker got something.
func report(t *testing.T, got string) {
	t.Helper()
	if got != "" {
		t.Errorf("THE ATTACK SUCCEEDED: %s", got)
	}
}

// survives expects that the house goes on, stops in good order, and verifies.
func (a *arena) survives(t *testing.T) {
	t.Helper()
	if trouble := a.Trouble(); trouble != "" {
		t.Errorf("the house does not go on: %s", trouble)
		return
	}
	a.Stop()
	if out, err := a.Export(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// granted says what an attacker got if the house accepted the request.
func granted(what string, answer outside.Answer) string {
	if answer.OK() {
		return fmt.Sprintf("%s: %v", what, answer)
	}
	return ""
}

// both has one person ask for something, a second consent, and the first carry it out.
func both(t *testing.T, first, second *outside.Person, path string, body any) outside.Answer {
	t.Helper()
	asked := first.Ask(http.MethodPost, path, body)
	if !asked.OK() {
		return asked
	}
	number := asked.Int("number")
	decided := second.Ask(http.MethodPost, fmt.Sprintf("/v1/approvals/%d/decision", number),
		outside.M{"content": asked.Text("content"), "granted": true})
	if decided.Code() == "one_hand" {
		t.Fatalf("the two persons do not count as two: %v", decided)
	}
	if !decided.OK() {
		return decided
	}
	return first.Ask(http.MethodPost, fmt.Sprintf("/v1/approvals/%d/use", number), nil)
}

// need ends a test whose preparation was refused.
func need(t *testing.T, what string, a outside.Answer) outside.Answer {
	t.Helper()
	if !a.OK() {
		t.Fatalf("%s: %v", what, a)
	}
	return a
}

// winner sells all three sides of heads or tails at a terminal and returns the ticket that
// won when the game is settled.
func (a *arena) winner(t *testing.T, at *outside.Terminal) outside.Sold {
	t.Helper()
	var sold []outside.Sold
	for _, side := range []string{"heads", "tails", "evens"} {
		ticket, answer := at.Sell("form", outside.M{"v": 1, "rulebook": "vic-keno-2015", "first": "open",
			"bets": []outside.M{{"bet": "heads_or_tails", "calls": []string{side}, "stake_cents": 1000}}})
		need(t, "sale", answer)
		sold = append(sold, ticket)
	}
	for _, s := range sold {
		a.Settled(s.Ordinal)
	}
	for _, s := range sold {
		if need(t, "ticket", a.Ask(http.MethodGet, "/v1/tickets/"+s.Serial, nil)).Int("won_cents") > 0 {
			return s
		}
	}
	t.Fatal("no side has won: the tickets were in different games")
	return outside.Sold{}
}
