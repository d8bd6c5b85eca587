package api_test

import (
	"bufio"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"drawhouse/edge/api"
)

// TestToTLS: pages of the house are sent on, by its own names and to nowhere else, whatever the request says.
func TestToTLS(t *testing.T) {
	names := []string{"0.0.0.0:443", "House.example", "*.venue.example", "192.0.2.1", "localhost"}
	for request, want := range map[string]string{
		"GET / HTTP/1.1\r\nHost: house.example":                      "308 https://house.example/",
		"HEAD /office?a=b&c=%2f HTTP/1.1\r\nHost: HOUSE.example.:80": "308 https://house.example/office?a=b&c=%2f",
		"GET /a%20b HTTP/1.1\r\nHost: bar.venue.example":             "308 https://bar.venue.example/a%20b",
		"GET //evil.example/ HTTP/1.1\r\nHost: house.example":        "308 https://house.example//evil.example/",
		"GET /\\evil.example HTTP/1.1\r\nHost: house.example":        "308 https://house.example/%5Cevil.example",
		"GET /x HTTP/1.1\r\nHost: evil.example":                      "421",
		"GET /x HTTP/1.1\r\nHost: house.example@evil.example":        "421",
		"GET /x HTTP/1.1\r\nHost: house.example.evil.example":        "421",
		"GET /x HTTP/1.1\r\nHost: a.b.venue.example":                 "421",
		"GET /x HTTP/1.1\r\nHost: *.venue.example":                   "421",
		"GET /x HTTP/1.1\r\nHost: 192.0.2.1":                         "421",
		"GET /x HTTP/1.1\r\nHost: [2001:db8::1]:80":                  "421",
		"GET http://evil.example/x HTTP/1.1\r\nHost: house.example":  "421",
		"GET http://house.example/x HTTP/1.1\r\nHost: evil.example":  "308 https://house.example/x",
		"GET http:.evil.example HTTP/1.1\r\nHost: house.example":     "400",
		"GET /x HTTP/1.0": "421",
		"POST /v1/sign-on HTTP/1.1\r\nHost: house.example\r\nContent-Length: 0": "405",
		"OPTIONS * HTTP/1.1\r\nHost: house.example":                             "405",
		"PUT /v1/x HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 0":         "421",
		"CONNECT evil.example:443 HTTP/1.1\r\nHost: house.example":              "421",
	} {
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(request + "\r\n\r\n")))
		if err != nil {
			t.Errorf("%q: %v", request, err)
			continue
		}
		w := httptest.NewRecorder()
		api.ToTLS(names, "443").ServeHTTP(w, r)
		if w.Header().Get("Strict-Transport-Security") != "" || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%q: %d %v", request, w.Code, w.Header())
		}
		status, place, _ := strings.Cut(want, " ")
		if told := w.Result().Status[:3]; told != status || w.Header().Get("Location") != place {
			t.Errorf("%q: %s to %q, want %s", request, told, w.Header().Get("Location"), want)
		}
	}
	w := httptest.NewRecorder()
	api.ToTLS(names, "8443").ServeHTTP(w, httptest.NewRequest(http.MethodPost, "http://house.example/v1/x", http.NoBody))
	if said := w.Body.String(); !strings.Contains(said, "https://house.example:8443") || w.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("who sends a form is told %q", said)
	}
}
