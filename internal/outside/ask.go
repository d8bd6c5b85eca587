package outside

import (
	"bytes"
	"cmp"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"drawhouse/edge/terminal"
)

// Answer is what came of a request.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
	Err    error // there is no answer
}

// OK reports that the request was accepted.
func (a Answer) OK() bool { return a.Err == nil && a.Status == http.StatusOK }

// Code returns the code of a refusal, or "".
func (a Answer) Code() string {
	code, _ := a.Get("error", "code").(string)
	return code
}

// String says what came, in a line.
func (a Answer) String() string {
	if a.Err != nil {
		return a.Err.Error()
	}
	const most = 300
	return fmt.Sprintf("%d %.*s", a.Status, most, a.Body)
}

// Get returns a value of the answer by the names on the way to it, or nil.
func (a Answer) Get(names ...string) any {
	var at any
	if json.Unmarshal(a.Body, &at) != nil {
		return nil
	}
	for _, name := range names {
		fields, _ := at.(map[string]any)
		at = fields[name]
	}
	return at
}

// Int returns a number of the answer, or 0.
func (a Answer) Int(names ...string) int {
	number, _ := a.Get(names...).(float64)
	return int(number)
}

// Text returns a text of the answer, or "".
func (a Answer) Text(names ...string) string {
	text, _ := a.Get(names...).(string)
	return text
}

// M is a body in JSON.
type M = map[string]any

// answerWithin bounds the wait for one answer.
const answerWithin = 40 * time.Second

// web is the client of everybody. Every terminal and person of a test may hold a connection.
var web = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 512}}

// Ask sends a request with headers and returns the answer. A body of bytes is sent as it
// is, anything else as JSON.
func (h *House) Ask(method, path string, body any, headers ...string) Answer {
	ctx, cancel := context.WithTimeout(context.Background(), answerWithin)
	defer cancel()
	return h.AskIn(ctx, method, path, body, headers...)
}

// AskIn is Ask within a context.
func (h *House) AskIn(ctx context.Context, method, path string, body any, headers ...string) Answer {
	data, err := encode(body)
	if err != nil {
		return Answer{Err: err}
	}
	request, err := http.NewRequestWithContext(ctx, method, h.URL+path, bytes.NewReader(data))
	if err != nil {
		return Answer{Err: err}
	}
	request.Header.Set("Content-Type", "application/json")
	if raw, ok := body.([]byte); ok && !bytes.HasPrefix(raw, []byte("{")) && !bytes.HasPrefix(raw, []byte("[")) {
		request.Header.Set("Content-Type", "application/octet-stream")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := cmp.Or(h.web, web).Do(request)
	if err != nil {
		return Answer{Err: err}
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	return Answer{Status: response.StatusCode, Header: response.Header, Body: answer, Err: err}
}

func encode(body any) ([]byte, error) {
	switch body := body.(type) {
	case nil:
		return nil, nil
	case []byte:
		return body, nil
	default:
		return json.Marshal(body)
	}
}

// Person is somebody of the house who has signed on.
type Person struct {
	house    *House
	Number   int
	Password string

	mu    sync.Mutex
	token string
}

// Ask sends a request as the person.
func (p *Person) Ask(method, path string, body any) Answer {
	p.mu.Lock()
	token := p.token
	p.mu.Unlock()
	return p.house.Ask(method, path, body, "Authorization", "Bearer "+token)
}

// SignOn signs the person on and reports whether the house took it.
func (p *Person) SignOn() Answer {
	answer := p.house.Ask(http.MethodPost, "/v1/session", M{"person": p.Number, "password": p.Password, "bearer": true})
	if answer.OK() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.token = answer.Text("token")
	}
	return answer
}

// Terminal is a terminal with its key. It has one request under way at a time.
type Terminal struct {
	house *House
	ID    int

	mu     sync.Mutex
	client *terminal.Client
	number int // of its last request
}

func (h *House) newTerminal(id int, key ed25519.PrivateKey) *Terminal {
	return &Terminal{house: h, ID: id, client: terminal.NewClient(h.URL, uint32(id), key, web)} //nolint:gosec // Numbers of terminals are small.
}

// Ask sends a request that the terminal signs.
func (t *Terminal) Ask(method, path string, body any) Answer {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ask(method, path, body)
}

func (t *Terminal) ask(method, path string, body any) Answer {
	data, err := encode(body)
	if err != nil {
		return Answer{Err: err}
	}
	ctx, cancel := context.WithTimeout(context.Background(), answerWithin)
	defer cancel()
	status, answer, err := t.client.Do(ctx, method, path, data)
	return Answer{Status: status, Body: answer, Err: err}
}

// Request sends the terminal's next numbered request, such as "sale", and returns its
// number with the answer.
func (t *Terminal) Request(what string, body func(number int) any) (int, Answer) {
	return t.Numbered(http.MethodPut, what, body)
}

// Numbered is Request with a method. After a refusal the terminal asks the house for the
// number of its last request.
func (t *Terminal) Numbered(method, what string, body func(number int) any) (int, Answer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.number == 0 {
		t.number = t.ask(http.MethodGet, fmt.Sprintf("/v1/terminals/%d", t.ID), nil).Int("last_request")
	}
	t.number++
	number := t.number
	answer := t.ask(method, fmt.Sprintf("/v1/terminals/%d/requests/%d/%s", t.ID, number, what), body(number))
	if !answer.OK() {
		t.number = 0
	}
	return number, answer
}

// Signed returns the next sale of the terminal as the terminal signs it for a carrier, in a
// session of its own.
func (t *Terminal) Signed(body func(number int) any) (M, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), answerWithin)
	defer cancel()
	number := t.ask(http.MethodGet, fmt.Sprintf("/v1/terminals/%d", t.ID), nil).Int("last_request") + 1
	sale, err := json.Marshal(body(number))
	if err != nil {
		return nil, err
	}
	session, err := t.client.Hello(ctx)
	if err != nil {
		return nil, err
	}
	t.number = 0
	signature := session.Sign(http.MethodPut, fmt.Sprintf("/v1/terminals/%d/requests/%d/sale", t.ID, number), sale)
	return M{"terminal": t.ID, "number": number, "signature": signature, "sale": json.RawMessage(sale)}, nil
}
