package api

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"drawhouse/core/day"
	"drawhouse/core/refusal"
	"drawhouse/core/serial"
	"drawhouse/decide/engine"
	"drawhouse/decide/staff"
	"drawhouse/edge/terminal"
	"drawhouse/house"
	"drawhouse/house/person"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/journal/store/sqlite"
	"drawhouse/rulebook/rules"
)

// rig is a whole house on real storage behind the interface, with a clock that
// the test moves.
type rig struct {
	t       testing.TB
	house   *house.House
	handler http.Handler
	clock   *clock
	random  io.Reader
	log     *bytes.Buffer // what the interface told its log
	number  uint64        // last request of terminal 1

	commands [3]atomic.Int64 // that the lane decided, by queue
	asked    int64           // ordinary commands of settled

	store       store.Store
	keys        house.Keys
	register    *person.Register
	registerDir string
	mu          sync.Mutex // guards sessions
	sessions    map[uint32]*terminal.Session
}

// lockedReader is a random source that requests may share.
type lockedReader struct {
	mu     sync.Mutex // guards random
	random io.Reader
}

func (r *lockedReader) Read(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.random.Read(p)
}

// clock is a clock that stands until it is moved.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// advance moves the clock.
func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func (c *clock) WaitUntil(context.Context, time.Time) error { return nil }

func newRig(t testing.TB) *rig {
	t.Helper()
	return newRigUnder(t, "vic-keno-2015", "hotel", "")
}

// newRigUnder is a rig under a rulebook, with a kind of venue and a device.
func newRigUnder(t testing.TB, id, venue string, draws record.Device) *rig {
	t.Helper()
	return newRigOf(t, id, venue, draws, benchTerminals)
}

// newRigOf is a rig with so many terminals.
func newRigOf(t testing.TB, id, venue string, draws record.Device, terminals int) *rig {
	t.Helper()
	return newRigOn(t, id, venue, draws, terminals, func(st store.Store) store.Store { return st })
}

// newRigOn is a rig whose house writes to what is made of a store.
func newRigOn(t testing.TB, id, venue string, draws record.Device, terminals int,
	on func(store.Store) store.Store) *rig {
	t.Helper()
	return newRigWith(t, id, venue, draws, terminals, func(_ *rig, c *house.Config) { c.Store = on(c.Store) })
}

// newRigWith is a rig whose house is made of something else than others are.
func newRigWith(t testing.TB, id, venue string, draws record.Device, terminals int,
	change func(*rig, *house.Config)) *rig {
	t.Helper()
	ctx, dir := context.Background(), t.TempDir()
	r := &rig{
		t: t, clock: &clock{now: time.Date(2026, 11, 15, 1, 0, 0, 0, time.UTC)},
		random: &lockedReader{random: rand.NewChaCha8(sha256.Sum256([]byte(t.Name())))}, log: new(bytes.Buffer),
		sessions: map[uint32]*terminal.Session{},
	}
	st, err := sqlite.Open(ctx, dir, 1)
	must(t, err)
	t.Cleanup(func() { must(t, st.Close()) })
	keys, err := house.OpenKeys(filepath.Join(dir, "keys"), "rig.example", r.random)
	must(t, err)
	r.store, r.keys = st, keys
	book, err := rules.Book(id)
	must(t, err)
	venues := []record.VenueAdded{{Venue: 1, Kind: venue, Name: "Corner Hotel"}}
	config := house.Config{
		Store: st, Keys: keys, Clock: r.clock, Entropy: r.random, Draws: draws, OnGroup: r.count,
		Founding: engine.Founding{
			House: "rig.example", Build: "test", HouseKey: keys.HouseVerifier, DeviceKey: keys.DeviceVerifier,
			SerialKey: keys.SerialKey,
			Book:      book, Series: "vic-keno", Schedule: book.Schedules()[0].ID(),
			Venues: venues, Terminals: posts(terminals),
			People: append(staff.Crew(book, venues, posts(terminals), staff.Unnamed), terminalKeys(terminals)...),
		},
	}
	change(r, &config)
	r.house, err = house.Open(ctx, config)
	must(t, err)
	t.Cleanup(func() {
		must(t, r.house.CheckView(ctx))
		must(t, r.house.Close(ctx))
	})
	r.registerDir = dir
	r.register, err = person.Open(ctx, dir, filepath.Join(dir, "keys"))
	must(t, err)
	t.Cleanup(func() { must(t, r.register.Close()) })
	r.handler, err = New(r.house, Options{
		Version: "test", Log: logTo(r.log), Register: r.register, Cost: person.LeastCost, Now: r.clock.Now,
		Setup: []string{"the one-time token", "the other one-time token"},
	})
	must(t, err)
	return r
}

// count counts what the lane has decided.
func (r *rig) count(g lane.Group) {
	for queue, commands := range g.By {
		r.commands[queue].Add(int64(commands))
	}
}

// session returns the session of a terminal, which it begins if there is none.
func (r *rig) session(id uint32) *terminal.Session {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s, ok := r.sessions[id]; ok {
		return s
	}
	s, answer := r.hello(id, terminal.DemoKey(id), r.clock.Now())
	if answer.status != http.StatusOK {
		r.t.Fatalf("hello of terminal %d: %d %s", id, answer.status, answer.body)
	}
	r.sessions[id] = s
	return s
}

// hello says hello for a terminal.
func (r *rig) hello(id uint32, key ed25519.PrivateKey, now time.Time) (*terminal.Session, reply) {
	hello, secret, err := terminal.Begin(key, id, now, r.random)
	must(r.t, err)
	body, err := json.Marshal(hello)
	must(r.t, err)
	answer := r.send(http.MethodPost, fmt.Sprintf("/v1/terminals/%d/hello", id), string(body))
	if answer.status != http.StatusOK {
		return nil, answer
	}
	var welcome terminal.Welcome
	must(r.t, json.Unmarshal(answer.body, &welcome))
	s, err := terminal.Finish(secret, id, hello, welcome)
	must(r.t, err)
	return s, answer
}

// signer returns the terminal that signs a request: that of the path, or terminal 1
// where the path names one that the house does not have.
func signer(path string) uint32 {
	var id uint32
	if _, err := fmt.Sscanf(path, "/v1/terminals/%d/requests/", &id); err != nil || id == 0 || id > benchTerminals {
		return 1
	}
	return id
}

// fromTerminal reports whether a request is a terminal's.
func fromTerminal(path string) bool {
	return strings.HasPrefix(path, "/v1/terminals/") && strings.Contains(path, "/requests/") || path == "/v1/quote"
}

// signed returns a request of a terminal as it sends it.
func (r *rig) signed(method, path, body string) *http.Request {
	request := httptest.NewRequest(method, path, strings.NewReader(body))
	request.Header.Set(terminal.Header, r.session(signer(path)).Sign(method, request.RequestURI, []byte(body)))
	return request
}

// benchTerminals is how many terminals sell at once in a benchmark.
const benchTerminals = 512

func posts(count int) []record.TerminalAdded {
	all := make([]record.TerminalAdded, count)
	for i := range all {
		all[i] = record.TerminalAdded{Terminal: uint32(i) + 1, Venue: 1, Channel: "writer"}
	}
	return all
}

// terminalKeys gives every terminal its key.
func terminalKeys(count int) []record.Body {
	var all []record.Body
	for _, t := range posts(count) {
		all = append(all, &record.TerminalKeyed{Terminal: t.Terminal, Key: publicKey(t.Terminal)})
	}
	return all
}

var publicKeys sync.Map // of demonstration terminals, by their numbers

// publicKey is [terminal.DemoPublic], worked out once.
func publicKey(id uint32) [32]byte {
	key, ok := publicKeys.Load(id)
	if !ok {
		key, _ = publicKeys.LoadOrStore(id, terminal.DemoPublic(id))
	}
	return key.([32]byte)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// openDay opens the day and its first game.
func (r *rig) openDay() {
	r.t.Helper()
	must(r.t, r.house.First().OpenDay(context.Background(), day.MustParse("2026-11-15"), 39_600))
	must(r.t, r.house.First().OpenGame(context.Background(), r.clock.Now().Add(3*time.Minute)))
}

// play closes the open game, opens the next, and draws and settles the closed one.
func (r *rig) play() house.Game {
	r.t.Helper()
	ctx := context.Background()
	must(r.t, r.house.First().TurnGame(ctx, r.clock.Now().Add(3*time.Minute)))
	return r.draw(r.house.First().Games(2)[1].Ordinal)
}

// draw draws and settles the game before the open one.
func (r *rig) draw(ordinal uint32) house.Game {
	r.t.Helper()
	ctx := context.Background()
	for range 20 {
		must(r.t, r.house.First().DrawNumber(ctx, ordinal))
	}
	must(r.t, r.house.First().FinishDraw(ctx, ordinal))
	must(r.t, r.house.First().SettleGame(ctx, ordinal))
	return r.house.First().Games(2)[1]
}

// reply is an answer of the interface.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// send sends a request and looks at what every answer must have.
func (r *rig) send(method, path, body string, header ...string) reply {
	r.t.Helper()
	request := httptest.NewRequest(method, path, bytes.NewReader([]byte(body)))
	if fromTerminal(path) {
		request = r.signed(method, path, body)
	}
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	r.handler.ServeHTTP(w, request)
	answer := reply{w.Code, w.Header(), w.Body.Bytes()}
	if w.Code >= 400 {
		if fault := answer.fault(r.t); fault.Code == "" || fault.Sentence == "" ||
			(fault.Code == Internal) != (w.Code == 500) {
			r.t.Errorf("%s %s: %d %s", method, path, w.Code, w.Body)
		} else {
			r.wantDescribed(request.Pattern, fault.Code, w.Code)
		}
	}
	return answer
}

// wantDescribed looks for a refusal in the description of the operation that refused.
func (r *rig) wantDescribed(pattern string, code refusal.Code, status int) {
	r.t.Helper()
	method, path, _ := strings.Cut(pattern, " ")
	server, ok := r.handler.(*Server)
	if !ok {
		return // Another handler stands before the interface.
	}
	for _, rt := range server.server.routes {
		if rt.method == method && rt.path == path && !slices.Contains(refusalsOf(&rt), Refused{string(code), status}) {
			r.t.Errorf("%s is refused with %s and %d, which the description does not say", rt.name, code, status)
		}
	}
}

// fault reads an error, strictly.
func (a reply) fault(t testing.TB) Fault {
	t.Helper()
	var e Error
	decoder := json.NewDecoder(bytes.NewReader(a.body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&e); err != nil {
		t.Errorf("%d %s is not an error: %v", a.status, a.body, err)
	}
	return e.Fault
}

// into reads an answer that must be good.
func (a reply) into(t testing.TB, v any) {
	t.Helper()
	if a.status != http.StatusOK {
		t.Fatalf("%d %s", a.status, a.body)
	}
	must(t, json.Unmarshal(a.body, v))
}

const oneSpot = `{"v":1,"rulebook":"vic-keno-2015","first":"open","bets":[{"bet":"classic","spots":[7],"stake_cents":200}]}`

// saleBody makes the body of a sale and the claim code for it.
func (r *rig) saleBody(terminal uint32, number uint64, ticket string) (string, serial.ClaimCode) {
	r.t.Helper()
	code, err := serial.NewClaimCode(r.random)
	must(r.t, err)
	hash := code.Hash(terminal, number)
	return fmt.Sprintf(`{"method":"verbal","ticket":%s,"claim_hash":%q}`, ticket, hex.EncodeToString(hash[:])), code
}

func salePath(terminal uint32, number uint64) string {
	return fmt.Sprintf("/v1/terminals/%d/requests/%d/sale", terminal, number)
}

// sell sells a ticket at terminal 1, from a form.
func (r *rig) sell(ticket string) (Sale, serial.ClaimCode) {
	r.t.Helper()
	r.number++
	body, code := r.saleBody(1, r.number, ticket)
	body = strings.Replace(body, "verbal", "form", 1)
	var sold Sale
	r.send(http.MethodPut, salePath(1, r.number), body).into(r.t, &sold)
	return sold, code
}

// pay claims a ticket at terminal 1 and returns the answer and what was sent.
func (r *rig) pay(number string, code serial.ClaimCode) (answer reply, path, body string) {
	r.t.Helper()
	r.number++
	path = fmt.Sprintf("/v1/terminals/1/requests/%d/payment", r.number)
	body = fmt.Sprintf(`{"serial":%q,"claim_code":%q}`, number, code)
	return r.send(http.MethodPut, path, body), path, body
}

// wantFault looks for a refusal.
func wantFault(t testing.TB, a reply, status int, code string, field string) {
	t.Helper()
	fault := a.fault(t)
	if a.status != status || string(fault.Code) != code || fault.Field != field {
		t.Errorf("%d %s; want %d %s in %q", a.status, a.body, status, code, field)
	}
}

func logTo(w io.Writer) *slog.Logger { return slog.New(slog.NewTextHandler(w, nil)) }
