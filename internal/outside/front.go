package outside

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync/atomic"
	"testing"
)

// A Front is an address that is known before the house behind it listens: custodians are told where they will read the
// public log of a house that is to be told where they listen.
type Front struct {
	URL string
	to  atomic.Pointer[url.URL]
}

// NewFront returns a front with nothing behind it.
func NewFront(t testing.TB) *Front {
	t.Helper()
	f := &Front{}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(f.to.Load()) }}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if f.to.Load() == nil {
			http.Error(w, "nothing is behind this", http.StatusServiceUnavailable)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	f.URL = server.URL
	return f
}

// Lead puts a house behind the front.
func (f *Front) Lead(t testing.TB, address string) {
	t.Helper()
	to, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	f.to.Store(to)
}
