package visits

import (
	"bytes"
	"crypto/ecdh"
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"drawhouse/internal/outside"
)

const password = "correct horse battery staple"

// House is a real house in a process of its own, with people who have signed on.
type House struct {
	t       *testing.T
	data    string
	url     string
	process *outside.Process

	ada, bob string // tokens of the two administrators
	venue    int    // where the counter is
	numbers  map[string]int
	tokens   map[string]string
}

// Answer is what the house said: a status and the fields of its JSON.
type Answer struct {
	Status int
	Body   map[string]any
}

// OK says whether the house did what it was asked for.
func (a Answer) OK() bool { return a.Status >= 200 && a.Status < 300 }

// Code is the code of a refusal.
func (a Answer) Code() string {
	e, _ := a.Body["error"].(map[string]any)
	code, _ := e["code"].(string)
	return code
}

func (a Answer) String() string {
	text, _ := json.Marshal(a.Body)
	return fmt.Sprintf("%d %s", a.Status, text)
}

// Int is a number of the answer, by its name.
func (a Answer) Int(name string) int {
	f, _ := a.Body[name].(float64)
	return int(f)
}

// Text is a text of the answer, by its name.
func (a Answer) Text(name string) string {
	s, _ := a.Body[name].(string)
	return s
}

// List is a list of objects in the answer.
func (a Answer) List(name string) []Answer { return listOf(a.Body[name]) }

func listOf(v any) []Answer {
	items, _ := v.([]any)
	var out []Answer
	for _, item := range items {
		m, _ := item.(map[string]any)
		out = append(out, Answer{Status: 200, Body: m})
	}
	return out
}

// Sub is an object in the answer.
func (a Answer) Sub(name string) Answer {
	m, _ := a.Body[name].(map[string]any)
	return Answer{Status: a.Status, Body: m}
}

type object = map[string]any

// open founds a house by a rulebook, starts it, and brings in who and what a counter needs.
func open(t *testing.T, rulebook string, flags ...string) *House {
	t.Helper()
	h := &House{t: t, data: filepath.Join(t.TempDir(), "data"), numbers: map[string]int{}, tokens: map[string]string{}}
	outside.Must(t, append([]string{"found", "keno.example", "--data", h.data}, outside.Rulebook(t, rulebook)...)...)
	first, second := h.start(flags...)
	h.must("", "POST", "/v1/setup", object{"name": "Ada", "password": password, "token": first})
	h.must("", "POST", "/v1/setup", object{"name": "Bob", "password": password, "token": second})
	h.ada, h.bob = h.signOn(1), h.signOn(2)
	return h
}

// setupLink finds the tokens of the first two administrators in what a house prints.
var setupLink = regexp.MustCompile(`setup\.html#(\S+)`)

// start runs the house and returns the tokens of its first two administrators, if it has any to give.
func (h *House) start(flags ...string) (first, second string) {
	h.t.Helper()
	h.process = outside.Start(h.t, append([]string{"serve", "--addr", "127.0.0.1:0", "--admin-addr", "off", "--data",
		h.data}, flags...)...)
	h.t.Cleanup(h.stop)
	line, _, _ := strings.Cut(h.process.Said, "\n")
	_, at, found := strings.Cut(line, "drawhouse is open at ")
	if !found {
		h.t.Fatalf("the house does not say where it is open: %s", h.process.Said)
	}
	h.url = strings.TrimSpace(at)
	links := setupLink.FindAllStringSubmatch(h.process.Said, -1)
	if len(links) < 2 {
		return "", ""
	}
	return links[0][1], links[1][1]
}

// stop ends the house in good order. A second call does nothing.
func (h *House) stop() {
	if h.process == nil {
		return
	}
	process := h.process
	h.process, h.url = nil, ""
	process.Stop()
}

// verify ends the house and has its journal checked, every cent and every ball.
func (h *House) verify() {
	h.t.Helper()
	h.stop()
	if ok, wrong := h.holds(); !ok {
		h.t.Errorf("the journal that the house accepted does not verify: %s", wrong)
	}
}

func send(url, method, path string, header http.Header, body []byte) (Answer, error) {
	request, err := http.NewRequest(method, url+path, bytes.NewReader(body))
	if err != nil {
		return Answer{}, err
	}
	for key, values := range header {
		request.Header[key] = values
	}
	if len(body) > 0 {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return Answer{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return Answer{}, err
	}
	answer := Answer{Status: response.StatusCode}
	if json.Unmarshal(text, &answer.Body) != nil {
		answer.Body = object{"text": string(text)}
	}
	return answer, nil
}

// ask sends a request of a person, or of nobody where the token is empty.
func (h *House) ask(token, method, path string, body any) Answer {
	h.t.Helper()
	var text []byte
	if body != nil {
		text, _ = json.Marshal(body)
	}
	header := http.Header{}
	if token != "" {
		header.Set("Authorization", "Bearer "+token)
	}
	answer, err := send(h.url, method, path, header, text)
	if err != nil {
		h.t.Fatalf("%s %s: %v", method, path, err)
	}
	return answer
}

// must is ask for what has to be done.
func (h *House) must(token, method, path string, body any) Answer {
	h.t.Helper()
	answer := h.ask(token, method, path, body)
	if !answer.OK() {
		h.t.Fatalf("%s %s %v: %s", method, path, body, answer)
	}
	return answer
}

func (h *House) signOn(person int) string {
	h.t.Helper()
	return h.must("", "POST", "/v1/session", object{"person": person, "password": password, "bearer": true}).Text("token")
}

// person brings somebody in by one of the administrators and returns a token of theirs.
func (h *House) person(by, name, role string, venue int) string {
	h.t.Helper()
	grant := object{"role": role}
	if venue != 0 {
		grant["venue"] = venue
	}
	body := object{"name": name}
	if role != "" {
		body["grants"] = []object{grant}
	}
	added := h.must(by, "POST", "/v1/people", body)
	number := added.Int("number")
	token := h.must(by, "POST", fmt.Sprintf("/v1/people/%d/invitation", number), nil).Text("token")
	h.must("", "POST", "/v1/invitations", object{"password": password, "token": token})
	h.numbers[name] = number
	h.tokens[name] = h.signOn(number)
	return h.tokens[name]
}

// duty has somebody go on duty.
func (h *House) duty(token, role string, venue int) {
	h.t.Helper()
	grant := object{"role": role}
	if venue != 0 {
		grant["venue"] = venue
	}
	h.must(token, "POST", "/v1/duty", grant)
}

// two has one person ask for something, another consent, and the first have it done.
func (h *House) two(one, other, path string, body any) Answer {
	h.t.Helper()
	asked := h.ask(one, "POST", path, body)
	if !asked.OK() {
		return asked
	}
	return h.consent(one, other, asked)
}

func (h *House) consent(one, other string, asked Answer) Answer {
	h.t.Helper()
	n := asked.Int("number")
	decided := h.ask(other, "POST", fmt.Sprintf("/v1/approvals/%d/decision", n),
		object{"content": asked.Text("content"), "granted": true})
	if !decided.OK() {
		return decided
	}
	return h.ask(one, "POST", fmt.Sprintf("/v1/approvals/%d/use", n), nil)
}

// until waits for something, with a bound.
func (h *House) until(what string, done func() bool) {
	h.t.Helper()
	outside.Wait(h.t, what, done)
}

// ticket is what the public may know of a ticket.
func (h *House) ticket(serial string) Answer {
	h.t.Helper()
	return h.must("", "GET", "/v1/tickets/"+serial, nil)
}

// Terminal is a terminal with a key of its own.
type Terminal struct {
	h       *House
	number  int
	channel string
	key     ed25519.PrivateKey

	mu      sync.Mutex
	session string
	mac     []byte
	counter int
	request int
}

// terminal adds a terminal to a venue.
func (h *House) terminal(venue int, channel string) *Terminal {
	h.t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		h.t.Fatal(err)
	}
	added := h.must(h.ada, "POST", "/v1/terminals",
		object{"venue": venue, "channel": channel, "key": base64.StdEncoding.EncodeToString(public)})
	return &Terminal{h: h, number: added.Int("number"), channel: channel, key: private}
}

func (m *Terminal) hello() {
	m.h.t.Helper()
	mine, err := ecdh.X25519().GenerateKey(rand.Reader)
	if err != nil {
		m.h.t.Fatal(err)
	}
	at := time.Now().UTC().Format("2006-01-02T15:04:05.000Z")
	share := base64.RawURLEncoding.EncodeToString(mine.PublicKey().Bytes())
	message := fmt.Sprintf("drawhouse/terminal-hello/v2\n%d\n%s\n%s\n", m.number, at, share)
	signature := base64.RawURLEncoding.EncodeToString(ed25519.Sign(m.key, []byte(message)))
	welcome := m.h.must("", "POST", fmt.Sprintf("/v1/terminals/%d/hello", m.number),
		object{"time": at, "share": share, "signature": signature})
	raw, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(welcome.Text("share"), "="))
	if err != nil {
		m.h.t.Fatal(err)
	}
	theirs, err := ecdh.X25519().NewPublicKey(raw)
	if err != nil {
		m.h.t.Fatal(err)
	}
	agreed, err := mine.ECDH(theirs)
	if err != nil {
		m.h.t.Fatal(err)
	}
	salt := sha256.Sum256([]byte(message + welcome.Text("session") + "\n" + welcome.Text("share") + "\n"))
	m.mac, err = hkdf.Key(sha256.New, agreed, salt[:], "drawhouse/terminal-session/v1", 32)
	if err != nil {
		m.h.t.Fatal(err)
	}
	m.session, m.counter = welcome.Text("session"), 0
}

// ask sends a signed request of the terminal.
func (m *Terminal) ask(method, path string, body any) Answer {
	m.h.t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.signed(method, path, body)
}

func (m *Terminal) signed(method, path string, body any) Answer {
	m.h.t.Helper()
	if m.session == "" {
		m.hello()
	}
	var text []byte
	if body != nil {
		text, _ = json.Marshal(body)
	}
	m.counter++
	sum := hmac.New(sha256.New, m.mac)
	sum.Write(fmt.Appendf(nil, "%s\n%s\n%d\n%s", method, path, m.counter, text))
	header := http.Header{"Drawhouse-Terminal": {fmt.Sprintf("%s %d %x", m.session, m.counter, sum.Sum(nil))}}
	answer, err := send(m.h.url, method, path, header, text)
	if err != nil {
		m.h.t.Fatalf("%s %s: %v", method, path, err)
	}
	return answer
}

// path is an address of the terminal.
func (m *Terminal) path(rest string) string {
	return fmt.Sprintf("/v1/terminals/%d/%s", m.number, rest)
}

// do sends the next numbered request. Where the body names a claim hash or hashes, they
// are made of the code for this request.
func (m *Terminal) do(action string, body object) Answer {
	m.h.t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.request++
	for _, field := range []string{"claim_hash", "continuation_hash"} {
		if code, named := body[field].(string); named {
			body[field] = m.hash(code)
		}
	}
	if codes, named := body["claims"].([]string); named {
		var hashes []string
		for _, code := range codes {
			hashes = append(hashes, m.hash(code))
		}
		body["claims"] = hashes
	}
	return m.signed("PUT", m.path(fmt.Sprintf("requests/%d/%s", m.request, action)), body)
}

// must is do for what has to be done.
func (m *Terminal) must(action string, body object) Answer {
	m.h.t.Helper()
	answer := m.do(action, body)
	if !answer.OK() {
		m.h.t.Fatalf("%s %v: %s", action, body, answer)
	}
	return answer
}

// shift has a person sign on at the terminal.
func (m *Terminal) shift(person int) {
	m.h.t.Helper()
	if answer := m.ask("POST", m.path("shift"), object{"person": person, "password": password}); !answer.OK() {
		m.h.t.Fatalf("shift: %s", answer)
	}
}

// owed is what the customer at the terminal owes, negative where money is due to the customer.
func (m *Terminal) owed() int {
	m.h.t.Helper()
	return m.ask("GET", m.path("session"), nil).Int("owed_cents")
}

const symbols = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// code makes a claim code that no other paper has.
func code() string {
	var b strings.Builder
	random := make([]byte, 16)
	if _, err := rand.Read(random); err != nil {
		panic(err)
	}
	for i, r := range random {
		if i > 0 && i%4 == 0 {
			b.WriteByte('-')
		}
		b.WriteByte(symbols[r&31])
	}
	return b.String()
}

// hash is what the house is sent of a claim code, bound to the next request.
func (m *Terminal) hash(code string) string {
	var secret [10]byte
	bit := 0
	for _, c := range strings.ReplaceAll(code, "-", "") {
		v := strings.IndexRune(symbols, c)
		for i := 4; i >= 0; i-- {
			if v>>i&1 == 1 {
				secret[bit/8] |= 1 << (7 - bit%8)
			}
			bit++
		}
	}
	text := []byte("drawhouse/claim-code/v2\n")
	text = binary.BigEndian.AppendUint32(text, uint32(m.number))
	text = binary.BigEndian.AppendUint64(text, uint64(m.request))
	text = append(text, secret[:]...)
	once := sha256.Sum256(text)
	twice := sha256.Sum256(once[:])
	return hex.EncodeToString(twice[:])
}

// holds exports the journal of the house and says what verification finds wrong in it.
func (h *House) holds() (bool, string) {
	h.t.Helper()
	out := filepath.Join(h.t.TempDir(), "export")
	outside.Must(h.t, "journal", "export", out, "--data", h.data)
	text, err := outside.Run(h.t, "verify", "export", out)
	_, wrong, _ := strings.Cut(text, "DOES NOT HOLD")
	return err == nil, strings.TrimSpace(wrong)
}
