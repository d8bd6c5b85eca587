package counter

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"syscall"
	"testing"
	"time"

	"drawhouse/core/serial"
	"drawhouse/edge/terminal"
	"drawhouse/internal/outside"
)

const password = "correct horse battery 77"

// answer is a decoded answer of the house.
type answer map[string]any

// code is the code of a refusal, or empty.
func (a answer) code() string {
	e, ok := a["error"].(map[string]any)
	if !ok {
		return ""
	}
	s, _ := e["code"].(string)
	return s
}

func (a answer) cents(name string) int64 {
	f, _ := a[name].(float64)
	return int64(f)
}

func (a answer) text(name string) string {
	s, _ := a[name].(string)
	return s
}

func (a answer) list(name string) []answer {
	l, _ := a[name].([]any)
	var all []answer
	for _, x := range l {
		if m, ok := x.(map[string]any); ok {
			all = append(all, m)
		}
	}
	return all
}

// tender is what an end of a session moved by one means: to the house when positive.
func (a answer) tender(kind string) int64 {
	var sum int64
	for _, t := range a.list("tenders") {
		if t.text("kind") == kind {
			sum += t.cents("cents")
		}
	}
	return sum
}

// house is a running house with its first people.
type house struct {
	bin, dir, base, rulebook string
	client                   *http.Client
	mu                       sync.Mutex
	tokens                   map[int]string
	area                     bool // terminals stand in areas with displays
	displays                 map[int]*counter
	// The people: two administrators, who brought in the others; who supervises; who signs claims.
	sup, signer, inspector int
	seniors                map[int]int // by venue
}

// counter is a terminal with its key and the numbers of its requests.
type counter struct {
	h        *house
	n, venue int
	client   *terminal.Client
	mu       sync.Mutex
	last     int
	one      sync.Mutex // a terminal says one thing at a time
	writer   int
	method   string
}

// paper is something with a serial and a claim code: a ticket, voucher or receipt.
type paper struct {
	serial, claim string
	cents         int64
	lastDay       string
}

func program(t testing.TB) string {
	t.Helper()
	return outside.Program(t)
}

func (h *house) command(args ...string) (string, string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, h.bin, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	return out.String(), errs.String(), err
}

var (
	openAt = regexp.MustCompile(`is open at (http://\S+)`)
	setup  = regexp.MustCompile(`setup\.html#(\w+)`)
)

// begin founds a house, starts it with the flags, makes its people and ends it with the test; its journal
// must verify then.
func begin(t *testing.T, rulebook string, flags ...string) *house {
	t.Helper()
	h := &house{bin: program(t), dir: t.TempDir(), rulebook: rulebook, client: &http.Client{Timeout: 30 * time.Second},
		tokens: map[int]string{}, displays: map[int]*counter{}, seniors: map[int]int{}}
	data := filepath.Join(h.dir, "data")
	edition := filepath.Join(h.dir, "edition.yaml")
	for _, line := range [][]string{
		{"rulebook", "new", "--base", rulebook, edition},
		{"found", "cleanroom.example", "--rulebook", edition, "--reference", "decision 1", "--data", data},
	} {
		if out, errs, err := h.command(line...); err != nil {
			t.Fatalf("%v: %v %s %s", line, err, out, errs)
		}
	}
	cmd := exec.Command(h.bin, append([]string{"serve", "--data", data, "--addr", "127.0.0.1:0", "--admin-addr", "off"},
		flags...)...)
	pipe, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = w, w
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	lines := make(chan string, 1000)
	go func() {
		s := bufio.NewScanner(pipe)
		for s.Scan() {
			select {
			case lines <- s.Text():
			default:
			}
		}
		close(lines)
	}()
	t.Cleanup(func() {
		if err := errors.Join(cmd.Process.Signal(syscall.SIGTERM), cmd.Wait()); err != nil {
			t.Errorf("the house ended with %v", err)
		}
		pipe.Close()
		copied := filepath.Join(h.dir, "export")
		if out, errs, err := h.command("journal", "export", copied, "--data", data); err != nil {
			t.Errorf("export: %v %s %s", err, out, errs)
		} else if out, errs, err := h.command("verify", "export", copied); err != nil {
			t.Errorf("the journal does not verify: %v %s %s", err, out, errs)
		}
	})
	late := time.After(time.Minute)
	var links []string
	for h.base == "" || len(links) < 2 {
		select {
		case line, ok := <-lines:
			if !ok {
				t.Fatal("the house ended at its start")
			}
			if m := openAt.FindStringSubmatch(line); m != nil {
				h.base = m[1]
			}
			if m := setup.FindStringSubmatch(line); m != nil {
				links = append(links, m[1])
			}
		case <-late:
			t.Fatal("the house did not open within a minute")
		}
	}
	for i, link := range links {
		must(t, h.ask("POST", "/v1/setup", "",
			answer{"name": fmt.Sprintf("Administrator %d", i+1), "password": password, "token": link}))
	}
	h.signOn(t, 1)
	h.signOn(t, 2)
	return h
}

func must(t testing.TB, a answer) answer {
	t.Helper()
	if a.code() != "" {
		t.Fatalf("refused: %v", a["error"])
	}
	return a
}

// refused fails unless the answer is a refusal, by one of the codes if some are given.
func refused(t testing.TB, what string, a answer, codes ...string) {
	t.Helper()
	if a.code() == "" {
		t.Errorf("%s was not refused: %v", what, brief(a))
		return
	}
	if len(codes) == 0 {
		return
	}
	for _, c := range codes {
		if a.code() == c {
			return
		}
	}
	t.Errorf("%s was refused by %q, not by one of %q: %v", what, a.code(), codes, a["error"])
}

func brief(a answer) string {
	b, _ := json.Marshal(a)
	return string(b[:min(len(b), 600)])
}

func decode(b []byte) answer {
	var a answer
	if err := json.Unmarshal(b, &a); err != nil {
		return answer{"error": map[string]any{"code": "not_json", "sentence": string(b)}}
	}
	return a
}

// ask sends one request, of a person if a token is given.
func (h *house) ask(method, path, token string, body answer) answer {
	var r io.Reader
	if body != nil {
		b, _ := json.Marshal(body)
		r = bytes.NewReader(b)
	}
	req, err := http.NewRequest(method, h.base+path, r)
	if err != nil {
		return answer{"error": map[string]any{"code": "no_request", "sentence": err.Error()}}
	}
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := h.client.Do(req)
	if err != nil {
		return answer{"error": map[string]any{"code": "no_answer", "sentence": err.Error()}}
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return answer{"error": map[string]any{"code": "no_answer", "sentence": err.Error()}}
	}
	return decode(b)
}

func (h *house) signOn(t testing.TB, person int) {
	t.Helper()
	a := must(t, h.ask("POST", "/v1/session", "", answer{"person": person, "password": password, "bearer": true}))
	h.mu.Lock()
	h.tokens[person] = a.text("token")
	h.mu.Unlock()
}

// as sends a request of a person.
func (h *house) as(person int, method, path string, body answer) answer {
	h.mu.Lock()
	token := h.tokens[person]
	h.mu.Unlock()
	return h.ask(method, path, token, body)
}

// consent asks as one person and consents as another; the answer is the request that was granted.
func (h *house) consent(t testing.TB, asks, consents int, path string, body answer) answer {
	t.Helper()
	a := must(t, h.as(asks, "POST", path, body))
	return must(t, h.as(consents, "POST", fmt.Sprintf("/v1/approvals/%d/decision", a.cents("number")),
		answer{"content": a.text("content"), "granted": true}))
}

// both has the two administrators do something that takes two persons.
func (h *house) both(t testing.TB, path string, body answer) answer {
	t.Helper()
	a := h.consent(t, 1, 2, path, body)
	return must(t, h.as(1, "POST", fmt.Sprintf("/v1/approvals/%d/use", a.cents("number")), nil))
}

// person brings somebody in, with a password, and signs them on.
func (h *house) person(t testing.TB, by int, name string, grants ...answer) int {
	t.Helper()
	body := answer{"name": name}
	if len(grants) > 0 {
		body["grants"] = grants
	}
	n := int(must(t, h.as(by, "POST", "/v1/people", body)).cents("number"))
	token := must(t, h.as(by, "POST", fmt.Sprintf("/v1/people/%d/invitation", n), nil)).text("token")
	must(t, h.ask("POST", "/v1/invitations", "", answer{"password": password, "token": token}))
	h.signOn(t, n)
	return n
}

// venue adds a venue with its senior on duty and, where displays are asked for, an area with a display.
func (h *house) venue(t testing.TB, name, kind string) int {
	t.Helper()
	n := int(must(t, h.as(1, "POST", "/v1/venues", answer{"name": name, "kind": kind})).cents("number"))
	senior := h.person(t, 1, "Senior of "+name, answer{"role": "senior", "venue": n})
	must(t, h.as(senior, "POST", "/v1/duty", answer{"role": "senior", "venue": n}))
	h.seniors[n] = senior
	if h.area {
		must(t, h.as(1, "POST", fmt.Sprintf("/v1/venues/%d/areas", n), answer{"number": 1, "name": "bar"}))
		h.displays[n] = h.device(t, n, "display")
	}
	return n
}

// staff brings in who supervises (an operative where the rulebook says so), a second one by the other
// administrator, and an inspector.
func (h *house) staff(t testing.TB, role string) {
	t.Helper()
	h.sup = h.person(t, 1, "First "+role, answer{"role": role})
	h.signer = h.person(t, 2, "Second "+role, answer{"role": role})
	h.inspector = h.person(t, 1, "Inspector")
	h.both(t, "/v1/operator/inspectors", answer{"person": h.inspector})
	h.signOn(t, h.inspector)
	must(t, h.as(h.sup, "POST", "/v1/duty", answer{"role": role}))
}

// onSale waits until the house sells.
func (h *house) onSale(t testing.TB) {
	t.Helper()
	outside.Wait(t, "a game on sale", func() bool {
		for _, series := range h.ask("GET", "/v1/board", "", nil).list("series") {
			if series["open"] != nil {
				return true
			}
		}
		return false
	})
}

// device registers a terminal with a key of its own, in a house that sells.
func (h *house) device(t testing.TB, venue int, channel string) *counter {
	t.Helper()
	h.onSale(t)
	public, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	body := answer{"venue": venue, "channel": channel, "key": base64.StdEncoding.EncodeToString(public)}
	if h.area {
		body["area"] = 1
	}
	n := int(must(t, h.as(1, "POST", "/v1/terminals", body)).cents("number"))
	method := "form"
	if channel == "sst" {
		method = "screen"
	}
	return &counter{h: h, n: n, venue: venue, client: terminal.NewClient(h.base, uint32(n), key, h.client), method: method}
}

// counter registers a writer's terminal with a writer signed on.
func (h *house) counter(t testing.TB, venue int) *counter {
	t.Helper()
	c := h.device(t, venue, "writer")
	c.writer = h.person(t, 2, fmt.Sprintf("Writer at terminal %d", c.n), answer{"role": "writer", "venue": venue})
	must(t, c.send("POST", fmt.Sprintf("/v1/terminals/%d/shift", c.n), answer{"person": c.writer, "password": password}))
	return c
}

// send signs and sends one request of the terminal.
func (c *counter) send(method, path string, body answer) answer {
	var data []byte
	if body != nil {
		data, _ = json.Marshal(body)
	}
	c.one.Lock()
	defer c.one.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	_, said, err := c.client.Do(ctx, method, path, data)
	if err != nil {
		return answer{"error": map[string]any{"code": "no_answer", "sentence": err.Error()}}
	}
	return decode(said)
}

// request sends the next numbered request; codes are as many claim codes as its body needs, put in by with.
func (c *counter) request(t testing.TB, act string, codes int, with func(hashes []string) answer) (answer, []string) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	var claims, hashes []string
	for range codes {
		code, err := serial.NewClaimCode(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		hash := code.Hash(uint32(c.n), uint64(c.last))
		claims, hashes = append(claims, code.String()), append(hashes, hex.EncodeToString(hash[:]))
	}
	return c.send("PUT", fmt.Sprintf("/v1/terminals/%d/requests/%d/%s", c.n, c.last, act), with(hashes)), claims
}

// sell asks for a ticket, in the customer session if session.
func (c *counter) sell(t testing.TB, session bool, games int, bet answer) (paper, answer) {
	t.Helper()
	if d := c.h.displays[c.venue]; d != nil {
		must(t, d.send("POST", fmt.Sprintf("/v1/terminals/%d/signs", d.n), answer{"screens": []string{"draw", "race"}}))
	}
	a, claims := c.request(t, "sale", 1, func(hashes []string) answer {
		return answer{"method": c.method, "claim_hash": hashes[0], "in_session": session,
			"ticket": answer{"v": 1, "rulebook": c.h.rulebook, "first": "open", "games": games, "bets": []answer{bet}}}
	})
	return paper{a.text("serial"), claims[0], a.cents("cost_cents"), ""}, a
}

// sold sells a ticket on heads, tails or evens that must be sold. A game may be just closing: it asks again,
// a bounded number of times.
func (c *counter) sold(t testing.TB, session bool, games int, call string, stake int64) paper {
	t.Helper()
	var last answer
	for range 200 {
		p, a := c.sell(t, session, games, calls(call, stake))
		if a.code() == "" {
			return p
		}
		if a.code() != "not_on_sale" && a.code() != "game_not_open" {
			t.Fatalf("no sale: %v", a["error"])
		}
		last = a
		c.h.onSale(t)
	}
	t.Fatalf("no sale: %v", last["error"])
	return paper{}
}

func calls(call string, stake int64) answer {
	return answer{"bet": "heads_or_tails", "calls": []string{call}, "stake_cents": stake}
}

// issue asks for a paper that stands for money; more is added to the request.
func (c *counter) issue(t testing.TB, kind string, cents int64, more answer) (paper, answer) {
	t.Helper()
	a, claims := c.request(t, "paper", 1, func(hashes []string) answer {
		b := answer{"kind": kind, "cents": cents, "claim_hash": hashes[0]}
		for k, v := range more {
			b[k] = v
		}
		return b
	})
	return paper{a.text("serial"), claims[0], a.cents("cents"), a.text("last_day")}, a
}

func (c *counter) issued(t testing.TB, kind string, cents int64, more answer) paper {
	t.Helper()
	p, a := c.issue(t, kind, cents, more)
	must(t, a)
	return p
}

// given has a paper issued at the operator's expense, as two persons want it, for a type of game or the usual one.
func (c *counter) given(t testing.TB, kind string, cents int64, game ...string) paper {
	t.Helper()
	asked, printed := answer{"kind": kind, "cents": cents, "terminal": c.n}, answer{}
	if len(game) > 0 {
		asked["game_type"], printed["game_type"] = game[0], game[0]
	}
	printed["approval"] = c.h.consent(t, 1, 2, "/v1/operator/papers", asked).cents("number")
	return c.issued(t, kind, cents, printed)
}

// present asks for a payment or cancellation of a ticket.
func (c *counter) present(t testing.TB, act string, session bool, p paper) answer {
	t.Helper()
	a, _ := c.request(t, act, 0, func([]string) answer {
		b := answer{"serial": p.serial, "claim_code": p.claim}
		if session {
			b["in_session"] = true
		}
		return b
	})
	return a
}

// end ends the session; papers that it issues come back with their claim codes.
func (c *counter) end(t testing.TB, more answer) (answer, []paper) {
	t.Helper()
	a, claims := c.request(t, "session-end", 3, func(hashes []string) answer {
		b := answer{"claims": hashes}
		for k, v := range more {
			b[k] = v
		}
		return b
	})
	var out []paper
	for i, p := range a.list("papers") {
		out = append(out, paper{p.text("serial"), claims[i], p.cents("cents"), p.text("last_day")})
	}
	return a, out
}

// tendered is how an end of a session names papers.
func tendered(refund bool, ps ...paper) []answer {
	var all []answer
	for _, p := range ps {
		a := answer{"serial": p.serial, "claim_code": p.claim}
		if refund {
			a["refund"] = true
		}
		all = append(all, a)
	}
	return all
}

func (c *counter) payee(t testing.TB, details answer) string {
	t.Helper()
	return must(t, c.send("POST", fmt.Sprintf("/v1/terminals/%d/payees", c.n), details)).text("hash")
}

func (h *house) ticket(t testing.TB, p paper) answer {
	t.Helper()
	return must(t, h.ask("GET", "/v1/tickets/"+p.serial, "", nil))
}

// closed returns how many games of a ticket had closed when it was given back.
func (h *house) closed(t testing.TB, p paper, back answer) int64 {
	t.Helper()
	first, _ := h.ticket(t, p)["first_game"].(map[string]any)["ordinal"].(float64)
	return back.cents("last_ordinal") - int64(first) + 1
}

// wait asks for the ticket until it is as it should be, for at most a minute.
func (h *house) wait(t testing.TB, p paper, ok func(answer) bool) answer {
	t.Helper()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	late := time.After(time.Minute)
	for {
		a := h.ticket(t, p)
		if ok(a) {
			return a
		}
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("the ticket did not come so far within a minute: %s", brief(a))
		}
	}
}

// settled waits until every game of the ticket has a result or is void.
func (h *house) settled(t testing.TB, p paper) answer {
	t.Helper()
	return h.wait(t, p, func(a answer) bool {
		if a.cents("games_to_come") > 0 {
			return false
		}
		for _, g := range a.list("games") {
			if s := g.text("phase"); s != "settled" && s != "void" {
				return false
			}
		}
		return true
	})
}

// winner sells the three calls until one of them has won, and gives it with its prize: twice or four times the stake.
func (c *counter) winner(t testing.TB, stake int64) (paper, int64) {
	t.Helper()
	for range 20 {
		var ps []paper
		for _, call := range []string{"heads", "tails", "evens"} {
			ps = append(ps, c.sold(t, false, 1, call, stake))
		}
		for _, p := range ps {
			if won := c.h.settled(t, p).cents("won_cents"); won > 0 {
				return p, won
			}
		}
	}
	t.Fatal("no ticket has won in twenty games")
	return paper{}, 0
}

// halves sells until a ticket has won exactly twice its stake.
func (c *counter) halves(t testing.TB, prize int64) paper {
	t.Helper()
	for range 20 {
		if p, won := c.winner(t, prize/2); won == prize {
			return p
		}
	}
	t.Fatal("no ticket has won twice its stake")
	return paper{}
}

// fresh waits until a game has just opened, so that what is sold next is sold for one game.
func (h *house) fresh(t testing.TB, c *counter) {
	t.Helper()
	p := c.sold(t, false, 1, "heads", 100)
	h.wait(t, p, func(a answer) bool { return a.list("games")[0].text("phase") != "open" })
}

// void sells nothing: it waits until the first game of the ticket is sealed, stops the draws and has the game
// ended without a result.
func (h *house) void(t testing.TB, p paper, clause string) {
	t.Helper()
	h.wait(t, p, func(a answer) bool { return a.list("games")[0].text("phase") != "open" })
	must(t, h.as(h.sup, "POST", "/v1/operator/pause", answer{"reason": "no draw"}))
	ordinal := h.ticket(t, p).list("games")[0].cents("ordinal")
	h.both(t, "/v1/operator/games/void", answer{"ordinal": ordinal, "reason": "no draw", "clause": clause})
	must(t, h.as(h.sup, "POST", "/v1/operator/resume", nil))
}

var claimant = answer{"name": "Lou Loser", "address": "1 Street", "born": "1970-01-01", "phone": "123"}

// lodge takes a claim form in at a venue.
func (c *counter) lodge(reason string, original bool, who answer, ps ...paper) answer {
	var serials []string
	for _, p := range ps {
		serials = append(serials, p.serial)
	}
	return c.h.as(c.writer, "POST", "/v1/claims",
		answer{"claimant": who, "reason": reason, "original": original, "serials": serials})
}

// allow has everybody sign who must, and the claim allowed.
func (h *house) allow(t testing.TB, claim int64) answer {
	t.Helper()
	path := fmt.Sprintf("/v1/claims/%d", claim)
	for _, m := range must(t, h.as(h.signer, "GET", path, nil))["missing"].([]any) {
		who := h.signer
		if m == "inspector" {
			who = h.inspector
		}
		must(t, h.as(who, "POST", path+"/signatures", answer{"satisfied": true}))
	}
	return h.as(h.sup, "POST", path+"/decision", answer{"outcome": "allowed", "reason": "it is so"})
}

func (h *house) payClaim(claim int64, means string) answer {
	return h.as(h.signer, "POST", fmt.Sprintf("/v1/claims/%d/payment", claim), answer{"means": means, "reference": "R1"})
}
