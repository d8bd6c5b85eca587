package api_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"drawhouse/edge/api"
)

// TestHosts shows by which names a house is reached.
func TestHosts(t *testing.T) {
	handler := api.Hosted(http.HandlerFunc(func(w http.ResponseWriter,
		_ *http.Request) {
		w.WriteHeader(http.StatusNoContent)
	}),
		[]string{"keno.example", "Other.Example:8443", "*.halls.example"})
	for host, ok := range map[string]bool{
		"127.0.0.1:8080": true, "127.9.9.9": true, "[::1]:8080": true, "[::1]": true, "localhost": true, "localhost:80": true,
		"shop.localhost": true,
		"192.0.2.7:443":  true, "keno.example": true, "KENO.example:8080": true, "keno.example.": true, "other.example": true,
		"one.halls.example": true, "a.one.halls.example": false, "halls.example": false,
		"evil.example": false, "keno.example.evil.example": false, "127.0.0.1.evil.example": false, "evil-localhost": false,
		"": false, "a b": false,
		"xkeno.example": false, "keno.example:1:2": false,
	} {
		r := httptest.NewRequest(http.MethodGet, "/v1/board", nil)
		r.Host = host
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		want := http.StatusMisdirectedRequest
		if ok {
			want = http.StatusNoContent
		}
		if w.Code != want || !ok && !strings.Contains(w.Body.String(), `"host_unknown"`) {
			t.Errorf("host %q: %d %s", host, w.Code, w.Body)
		}
	}
	old := httptest.NewRequest(http.MethodGet, "/healthz", nil)
	old.Host, old.Proto, old.ProtoMajor, old.ProtoMinor = "", "HTTP/1.0", 1, 0
	w := httptest.NewRecorder()
	if handler.ServeHTTP(w, old); w.Code != http.StatusNoContent {
		t.Errorf("HTTP/1.0 without a host: %d", w.Code)
	}
}
