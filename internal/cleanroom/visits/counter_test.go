package visits

import (
	"fmt"
	"testing"
	"time"
)

// Counter is a house with a venue that sells: two writers' terminals with a writer each,
// and where the rules have it a self-service terminal.
type Counter struct {
	*House
	rulebook   string
	one, other *Terminal
	sst        *Terminal
	sup, sup2  string // tokens of the central site, brought in by different people
	senior     string
}

// quick has games follow each other fast.
var quick = []string{"--interval", "2s", "--lead", "1ms", "--ball", "1ms"}

// slow has one game stay open for the whole test.
var slow = []string{"--interval", "2h", "--lead", "1ms", "--ball", "1ms"}

func counter(t *testing.T, rulebook, kind string, flags ...string) *Counter {
	t.Helper()
	// The Keno Day begins half a day away from now, so that none ends within a test.
	return counterAt(t, rulebook, kind, fmt.Sprintf("%dh", (time.Now().UTC().Hour()+10+12)%24), flags...)
}

// counterAt is counter with a time at which Keno Days begin.
func counterAt(t *testing.T, rulebook, kind, start string, flags ...string) *Counter {
	t.Helper()
	h := open(t, rulebook, append(append([]string{}, flags...), "--day-start", start)...)
	c := &Counter{House: h, rulebook: rulebook}
	h.venue = h.must(h.ada, "POST", "/v1/venues", object{"name": "Corner", "kind": kind}).Int("number")
	role := "supervisor"
	if rulebook == "tas-keno-2023" {
		role = "operative"
	}
	c.sup = h.person(h.ada, "Sue", role, 0)
	c.sup2 = h.person(h.bob, "Sam", role, 0)
	c.senior = h.person(h.bob, "Sid", "senior", h.venue)
	h.person(h.ada, "Wim", "writer", h.venue)
	h.person(h.bob, "Wanda", "writer", h.venue)
	c.one, c.other = h.terminal(h.venue, "writer"), h.terminal(h.venue, "writer")
	if rulebook != "casino-keno-div2" {
		c.sst = h.terminal(h.venue, "sst")
	}
	if rulebook == "tas-keno-2023" {
		c.displays(h.venue, c.one, c.other, c.sst)
	}
	h.duty(c.senior, "senior", h.venue)
	h.duty(c.sup, role, 0)
	c.one.shift(h.numbers["Wim"])
	c.other.shift(h.numbers["Wanda"])
	h.until("a game is open", func() bool { return c.onSale() != 0 })
	return c
}

// displays puts terminals into an area of a venue whose displays work.
func (c *Counter) displays(venue int, terminals ...*Terminal) {
	c.t.Helper()
	at := fmt.Sprintf("/v1/venues/%d/areas", venue)
	c.must(c.ada, "POST", at, object{"name": "Bar", "number": 1})
	for _, m := range terminals {
		c.must(c.ada, "PUT", fmt.Sprintf("/v1/terminals/%d/area", m.number), object{"area": 1})
	}
	for _, screen := range []string{"draw", "race"} {
		c.must(c.ada, "PUT", at+"/1/display", object{"screen": screen, "working": true})
	}
}

// onSale is the ordinal of the game that is on sale, or 0.
func (c *Counter) onSale() int {
	for _, g := range c.must("", "GET", "/v1/games", nil).List("games") {
		if g.Text("phase") == "open" {
			return g.Int("ordinal")
		}
	}
	return 0
}

// call is a ticket that calls heads, tails or evens.
func (c *Counter) call(call string, cents, games int) object {
	calls := []string{call}
	return object{"v": 1, "rulebook": c.rulebook, "first": "open", "games": games,
		"bets": []object{{"bet": "heads_or_tails", "calls": calls, "stake_cents": cents}}}
}

// spots is a ticket of marked numbers.
func (c *Counter) spots(cents, games int, numbers ...int) object {
	bet := "classic"
	if c.rulebook != "vic-keno-2015" {
		bet = "standard"
	}
	return object{"v": 1, "rulebook": c.rulebook, "first": "open", "games": games,
		"bets": []object{{"bet": bet, "spots": numbers, "stake_cents": cents}}}
}

// Paper is a ticket or a paper that stands for money, as its holder has it.
type Paper struct{ Serial, Code string }

func (p Paper) presented() object { return object{"serial": p.Serial, "claim_code": p.Code} }

// sell sells a ticket, in a session or for cash at once.
func (m *Terminal) sell(ticket object, inSession bool) Paper {
	m.h.t.Helper()
	p := Paper{Code: code()}
	p.Serial = m.must("sale", object{"method": m.method(), "claim_hash": p.Code, "ticket": ticket,
		"in_session": inSession}).Text("serial")
	return p
}

func (m *Terminal) method() string {
	if m.channel == "sst" {
		return "screen"
	}
	return "form"
}

// settled waits until no game up to the last of a ticket is to come.
func (c *Counter) settled(serial string) Answer {
	c.t.Helper()
	var ticket Answer
	c.until("the games of a ticket are settled", func() bool {
		ticket = c.ticket(serial)
		if ticket.Int("games_to_come") > 0 {
			return false
		}
		for _, g := range ticket.List("games") {
			if phase := g.Text("phase"); phase != "settled" && phase != "void" {
				return false
			}
		}
		return true
	})
	return ticket
}

// buy buys a paper for cash.
func (m *Terminal) buy(kind string, cents int, inSession bool) Paper {
	m.h.t.Helper()
	p := Paper{Code: code()}
	body := object{"kind": kind, "cents": cents, "claim_hash": p.Code, "in_session": inSession}
	if kind == "gift_voucher" { // The tickets of these tests call heads or tails.
		body["game_type"] = "heads_or_tails"
	}
	p.Serial = m.must("paper", body).Text("serial")
	return p
}

// codes are claim codes for papers that an end may issue.
func codes() []string { return []string{code(), code(), code(), code()} }

// end ends the session at the terminal, with fresh codes for papers that it issues.
func (m *Terminal) end(body object) (Answer, []Paper) {
	m.h.t.Helper()
	list := codes()
	if body == nil {
		body = object{}
	}
	body["claims"] = list
	answer := m.do("session-end", body)
	var papers []Paper
	for i, p := range answer.List("papers") {
		papers = append(papers, Paper{Serial: p.Text("serial"), Code: list[i]})
	}
	return answer, papers
}

// back cancels the open games of a ticket.
func (m *Terminal) back(p Paper, inSession bool) Answer {
	m.h.t.Helper()
	return m.do("cancellation", object{"serial": p.Serial, "claim_code": p.Code, "in_session": inSession})
}

// pay pays a ticket.
func (m *Terminal) pay(p Paper, inSession bool) Answer {
	m.h.t.Helper()
	return m.do("payment", object{"serial": p.Serial, "claim_code": p.Code, "in_session": inSession})
}

// win sells heads, tails and evens for the same stake until a call other than evens has
// won, and returns that ticket, which has won twice its stake.
func (c *Counter) win(m *Terminal, cents int) Paper {
	c.t.Helper()
	for range 10 {
		heads, tails := m.sell(c.call("heads", cents, 1), false), m.sell(c.call("tails", cents, 1), false)
		for _, p := range []Paper{heads, tails} {
			if c.settled(p.Serial).Int("unpaid_cents") > 0 {
				return p
			}
		}
	}
	c.t.Fatal("ten games in a row came out even")
	return Paper{}
}

// race is a ticket on rows that may come first, each for the same stake.
func (c *Counter) race(cents, games int, rows ...int) object {
	return object{"v": 1, "rulebook": c.rulebook, "first": "open", "games": games,
		"bets": []object{{"bet": "racing", "type": "win", "places": [][]int{rows}, "stake_cents": cents}}}
}

// given has two persons give a paper away at the operator's expense.
func (c *Counter) given(m *Terminal, kind string, cents int) Paper {
	c.t.Helper()
	asks := object{"kind": kind, "cents": cents, "terminal": m.number}
	if kind == "prepaid_voucher" {
		asks["game_type"] = "heads_or_tails"
	}
	asked := c.must(c.ada, "POST", "/v1/operator/papers", asks)
	c.must(c.bob, "POST", fmt.Sprintf("/v1/approvals/%d/decision", asked.Int("number")),
		object{"content": asked.Text("content"), "granted": true})
	p := Paper{Code: code()}
	body := object{"kind": kind, "cents": cents, "claim_hash": p.Code, "approval": asked.Int("number")}
	if asks["game_type"] != nil {
		body["game_type"] = asks["game_type"]
	}
	p.Serial = m.must("paper", body).Text("serial")
	return p
}

// finish ends the session where that has to succeed.
func (m *Terminal) finish(body object) (Answer, []Paper) {
	m.h.t.Helper()
	answer, papers := m.end(body)
	if !answer.OK() {
		m.h.t.Fatalf("session-end %v: %s", body, answer)
	}
	return answer, papers
}

// payee has the house keep who a cheque is for.
func (m *Terminal) payee() string {
	m.h.t.Helper()
	return m.ask("POST", m.path("payees"), object{"name": "Payee", "address": "1 Street",
		"account": "000-000 1"}).Text("hash")
}

// cashOf is what an end handed out in cash.
func cashOf(end Answer) int {
	cash := 0
	for _, tender := range end.List("tenders") {
		if tender.Text("kind") == "cash" && tender.Int("cents") < 0 {
			cash -= tender.Int("cents")
		}
	}
	return cash
}
