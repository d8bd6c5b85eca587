package api

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// FuzzBodies sends bodies that no terminal would send. Whatever they are, the
// house is not at fault, and an error has the form of an error.
func FuzzBodies(f *testing.F) {
	r := newRig(f)
	r.openDay()
	good, _ := r.saleBody(1, 1, oneSpot)
	for _, body := range []string{
		good, "", "{}", "[]", "null", `{"method":null}`, `{"ticket":{}}`, `{"serial":"1","claim_code":"7ZQ0M4KC1XWDE8TB"}`,
		`{"terminal":1,"method":"verbal","ticket":` + oneSpot + `}`, strings.Repeat("[", 20_000),
		`{"method":"verbal","method":"form"}`,
		strings.Replace(good, "200", "99999999999999999999", 1), strings.Replace(good, "[7]", `{"pick":5}`, 1),
		strings.Replace(good, "[7]", "[0]", 1), "\xff\xfe", `{"` + strings.Repeat("x", 300) + `":1}`,
	} {
		f.Add(body, uint8(0))
		f.Add(body, uint8(1))
		f.Add(body, uint8(2))
	}
	for _, body := range []string{
		"{}", `{"card":1,"card_cents":-9223372036854775808}`, `{"card":1,"card_cents":9223372036854775807}`,
		`{"chips_cents":-1}`,
		`{"papers":[{"serial":"1","claim_code":"7ZQ0M4KC1XWDE8TB"}]}`, `{"pay":[{"means":"cash","cents":-5}]}`,
		`{"claims":["00"]}`,
		`{"expect_cents":null}`, `{"unpaid":true,"cash_cents":-1}`,
		`{"kind":"gift_voucher","cents":9223372036854775807,"claim_hash":"` + strings.Repeat("ab", 32) + `"}`,
		`{"kind":"change_receipt","cents":100,"in_session":true,"claim_hash":"` + strings.Repeat("ab", 32) + `"}`,
	} {
		f.Add(body, uint8(3))
		f.Add(body, uint8(4))
	}
	r.session(1)
	r.session(2)
	var number atomic.Uint64
	f.Fuzz(func(t *testing.T, body string, kind uint8) {
		method, path := http.MethodPost, "/v1/quote"
		switch kind % 5 {
		case 1:
			method, path = http.MethodPut, salePath(1, number.Add(1))
		case 2:
			method, path = http.MethodPut, strings.TrimSuffix(salePath(2, number.Add(1)), "sale")+"payment"
		case 3:
			method, path = http.MethodPut, strings.TrimSuffix(salePath(1, number.Add(1)), "sale")+"session-end"
		case 4:
			method, path = http.MethodPut, strings.TrimSuffix(salePath(1, number.Add(1)), "sale")+"paper"
		}
		w := httptest.NewRecorder()
		r.handler.ServeHTTP(w, r.signed(method, path, body))
		if w.Code >= 500 {
			t.Fatalf("%s %s with %q: %d %s", method, path, body, w.Code, w.Body)
		}
		if w.Code >= 400 {
			var e Error
			if err := json.Unmarshal(w.Body.Bytes(), &e); err != nil || e.Fault.Code == "" || e.Fault.Sentence == "" {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
		}
	})
}

// FuzzPaths sends parameters that no client would send.
func FuzzPaths(f *testing.F) {
	r := newRig(f)
	r.openDay()
	sold, _ := r.sell(oneSpot)
	for _, path := range []string{
		"/v1/tickets/" + sold.Serial, "/v1/tickets/TO", "/v1/tickets//proof?game=", "/v1/games/2026-11-15/1",
		"/v1/games/9999-99-99/65536",
		"/v1/games?limit=9999999999999999999999", "/v1/rulebooks/%00", "/v1/terminals/-1/requests/1/abandon",
		"/v1/games?limit=%zz",
	} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		request, err := http.NewRequest(http.MethodGet, "/"+strings.TrimLeft(path, "/"), nil)
		if err != nil || strings.HasSuffix(request.URL.Path, "/events") {
			return
		}
		w := httptest.NewRecorder()
		r.handler.ServeHTTP(w, request)
		if w.Code >= 500 {
			t.Fatalf("%q: %d %s", path, w.Code, w.Body)
		}
	})
}

// FuzzForm compares the reader of forms with the standard library's: where every
// value is JSON, both take the same texts and find the same values.
func FuzzForm(f *testing.F) {
	for _, text := range []string{
		`{}`, `{"a":1}`, ` { "a" : [1,{"b":"}"}] , "b":"\"," } `, `{"a":1,"a":2}`, `{"a":1,}`, `{"a"}`, `{"a":}`, `{,}`,
		`{"a":1 2}`, `{"a":"x`,
		`{"a":{"b":1]}`, `{"c":1}`, `{"a":tru"b"}`, `[]`, `{"a":1}{`, "{\"a\":1\x00}", `{"\u0061":1}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		found := map[string]json.RawMessage{}
		take := func(name string) field {
			return field{name: name, read: func(value json.RawMessage) error {
				found[name] = value
				return nil
			}}
		}
		err := readForm([]byte(text), take("a"), take("b"))
		for _, value := range found {
			if !json.Valid(value) {
				return // Its own reader would have refused it.
			}
		}
		var want map[string]json.RawMessage
		valid := json.Unmarshal([]byte(text), &want) == nil && want != nil
		if err == nil && !valid {
			t.Fatalf("%q was read as %s", text, found)
		}
		if err != nil {
			return
		}
		for name, value := range want {
			if string(found[name]) != string(value) {
				t.Fatalf("%q: %s is %q, want %q", text, name, found[name], value)
			}
		}
	})
}
