package negotiate

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestTakesGzip(t *testing.T) {
	for header, want := range map[string]bool{
		"":                          false,
		"gzip":                      true,
		"br, GZIP ;q=0.5":           true,
		"gzip;q=0":                  false,
		"gzip;q=0.000, *":           false,
		"*;q=0.1":                   true,
		"*;q=0":                     false,
		"*, gzip; q=0":              false,
		"identity":                  false,
		"gzip;q=much":               false,
		"gzip;q=2":                  false,
		"gzip;level=9":              false,
		"deflate, x-gzip, gzip;q=0": true,
		"notgzip":                   false,
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Accept-Encoding", header)
		if got := TakesGzip(r); got != want {
			t.Errorf("%q: %t", header, got)
		}
	}
}

func TestHas(t *testing.T) {
	for header, want := range map[string]bool{
		"": false, `"a"`: true, `"b", W/"a"`: true, "*": true, `"ab"`: false, `a`: false, `"b"`: false,
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("If-None-Match", header)
		if got := Has(r, `"a"`); got != want {
			t.Errorf("%q: %t", header, got)
		}
	}
}
