package main

import (
	"net/http"
	"strings"
	"testing"

	"drawhouse/edge/web"
)

// TestPageHeaders asks for every page of a house behind TLS: each says that browsers are to
// stay with TLS, that nobody may frame it, and that it loads nothing from elsewhere.
func TestPageHeaders(t *testing.T) {
	t.Parallel()
	s := serveWith(t, "--behind-tls")
	for _, address := range web.Addresses() {
		if strings.HasSuffix(address, "/") && address != "/" || strings.Contains(address, "{") {
			continue // a folder of files
		}
		response, err := http.Get(s.url + strings.TrimSuffix(address, "{$}"))
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		for name, want := range map[string]string{
			"Strict-Transport-Security": "max-age=", "X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff",
			"Referrer-Policy":              "no-referrer",
			"Cross-Origin-Resource-Policy": "same-origin", "Content-Security-Policy": "frame-ancestors 'none'",
		} {
			if got := response.Header.Get(name); response.StatusCode != http.StatusOK || !strings.Contains(got, want) {
				t.Errorf("%s: %d, %s is %q", address, response.StatusCode, name, got)
			}
		}
		if policy := response.Header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'self'") {
			t.Errorf("%s: the policy is %q", address, policy)
		}
	}
	s.stop()
}
