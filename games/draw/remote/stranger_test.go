package remote

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"drawhouse/core/ball"
	"drawhouse/games/draw"
	"drawhouse/journal"
)

// TestStranger has a process beside house and device that knows everything but their keys:
// it reads no number, stops nothing, and cannot answer in the device's place.
func TestStranger(t *testing.T) {
	m := newMachine(t)
	server := httptest.NewServer(m.device.Handler())
	defer server.Close()
	address := strings.TrimPrefix(server.URL, "http://")
	house, _, _ := testKey(t, "house")
	client, err := Dial(t.Context(), address, house)
	if err != nil {
		t.Fatal(err)
	}
	r, err := client.Start(draw.KenoPlan(testGame, 1), testSeal(t, testGame, 1, "house"), ball.Sequence{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	next(t, r)

	stranger, _, _ := testKey(t, "stranger")
	forged := startJSON{
		drawJSON: r.name(), Of: uint8(r.plan.Universe), Least: r.plan.Least, Most: r.plan.Most,
		Seal: string(r.seal.Signed()), Drawn: []int{missing(r.numbers)}, Recent: [][]int{},
	}
	for path, request := range map[string]any{
		"/v1/device": nil, "/v1/next": nextJSON{r.name(), 1}, "/v1/start": forged, "/v1/sign": r.name(),
	} {
		for name, sign := range map[string]func(*http.Request, []byte){
			"unsigned":  func(*http.Request, []byte) {},
			"other key": func(h *http.Request, body []byte) { mustSign(t, h, body, stranger, time.Now()) },
			"old":       func(h *http.Request, body []byte) { mustSign(t, h, body, house, time.Now().Add(-2*freshness)) },
			"other body": func(h *http.Request, body []byte) {
				mustSign(t, h, append(bytes.Clone(body), ' '), house, time.Now())
			},
			"garbage": func(h *http.Request, _ []byte) { h.Header.Set(houseHeader, "1 2 3") },
		} {
			status, text := ask(t, server.URL+path, request, sign)
			if status != http.StatusForbidden || text != "The request is not signed by the house.\n" {
				t.Errorf("%s, %s: %d %s", path, name, status, text)
			}
		}
	}
	if _, err := Dial(t.Context(), address, stranger); !errors.Is(err, ErrStranger) {
		t.Errorf("a stranger reaches the device: %v", err)
	}
	if err := m.device.Err(); err != nil {
		t.Fatalf("a stranger has stopped the device: %v", err)
	}
	next(t, r)
}

// TestStrangerAnswers has something else at the device's address: the house takes none of
// its answers, not even one that the device gave to another request.
func TestStrangerAnswers(t *testing.T) {
	m := newMachine(t)
	var recorded *http.Response
	var body []byte
	honest := m.device.Handler()
	stand := func(w http.ResponseWriter, r *http.Request) {
		if recorded == nil {
			answer := httptest.NewRecorder()
			honest.ServeHTTP(answer, r)
			recorded, body = answer.Result(), answer.Body.Bytes()
		}
		w.Header().Set(deviceHeader, recorded.Header.Get(deviceHeader))
		_, _ = w.Write(body)
	}
	server := httptest.NewServer(http.HandlerFunc(stand))
	defer server.Close()
	house, _, _ := testKey(t, "house")
	client, err := Dial(t.Context(), strings.TrimPrefix(server.URL, "http://"), house)
	if err != nil {
		t.Fatal(err)
	}
	if err := client.Ping(t.Context()); !errors.Is(err, ErrDevice) {
		t.Errorf("an answer to another request is taken: %v", err)
	}
	recorded.Header.Del(deviceHeader)
	if err := client.Ping(t.Context()); !errors.Is(err, ErrDevice) {
		t.Errorf("an answer without a signature is taken: %v", err)
	}
}

// TestNextHouseKey shows that a device which is started with the keys before and after a
// change answers both.
func TestNextHouseKey(t *testing.T) {
	m := newMachine(t)
	m.kill()
	_, _, later := testKey(t, "later")
	c := m.config()
	c.Keys.Others = []journal.Verifier{later}
	device, err := Open(c)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = device.Close() }()
	server := httptest.NewServer(device.Handler())
	defer server.Close()
	for name, ok := range map[string]bool{"house": true, "later": true, "stranger": false} {
		key, _, _ := testKey(t, name)
		if _, err := Dial(t.Context(), strings.TrimPrefix(server.URL, "http://"), key); (err == nil) != ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func mustSign(t *testing.T, r *http.Request, body []byte, key journal.Signer, at time.Time) {
	t.Helper()
	if _, err := signRequest(r, body, key, at); err != nil {
		t.Fatal(err)
	}
}

// ask sends a request as somebody signs it.
func ask(t *testing.T, url string, request any, sign func(*http.Request, []byte)) (int, string) {
	t.Helper()
	method, body := http.MethodGet, []byte(nil)
	if request != nil {
		var err error
		method = http.MethodPost
		if body, err = json.Marshal(request); err != nil {
			t.Fatal(err)
		}
	}
	r, err := http.NewRequestWithContext(t.Context(), method, url, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	sign(r, body)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}
