package web

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

func handler(t *testing.T) http.Handler {
	t.Helper()
	h, err := Handler()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func get(h http.Handler, path string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestHeaders(t *testing.T) {
	h := handler(t)
	for path, contentType := range map[string]string{
		"/":                                     "text/html; charset=utf-8",
		"/web/style.css":                        "text/css; charset=utf-8",
		"/web/app.js":                           "text/javascript; charset=utf-8",
		"/web/icon.svg":                         "image/svg+xml",
		"/web/atkinson-hyperlegible-next.woff2": "font/woff2",
		"/web/OFL.txt":                          "text/plain; charset=utf-8",
	} {
		w := get(h, path)
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") != contentType {
			t.Errorf("%s: %d, %s", path, w.Code, w.Header().Get("Content-Type"))
		}
		if csp := w.Header().Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'self'") || strings.Contains(csp, "unsafe") {
			t.Errorf("%s: policy %q", path, csp)
		}
		again := get(h, path, "If-None-Match", w.Header().Get("Etag"))
		if again.Code != http.StatusNotModified || again.Body.Len() != 0 {
			t.Errorf("%s again: %d with %d bytes", path, again.Code, again.Body.Len())
		}
		packed := get(h, path, "Accept-Encoding", "gzip")
		if packed.Header().Get("Content-Encoding") == "gzip" {
			r, err := gzip.NewReader(packed.Body)
			if err != nil {
				t.Fatal(err)
			}
			data, err := io.ReadAll(r)
			if err != nil || string(data) != w.Body.String() {
				t.Errorf("%s: packed differs, %v", path, err)
			}
		}
	}
	for _, path := range []string{"/nothing", "/web/", "/web/index.html", "/web/../web.go"} {
		if w := get(h, path); w.Code == http.StatusOK {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

var loaded = regexp.MustCompile(`(?:src|href)="([^"]+)"`)

// TestFirstViewIsSmall adds up what a browser loads for the first view.
func TestFirstViewIsSmall(t *testing.T) {
	const most = 100_000
	h := handler(t)
	page := get(h, "/", "Accept-Encoding", "gzip")
	sum := page.Body.Len()
	paths := loaded.FindAllStringSubmatch(get(h, "/").Body.String(), -1)
	if len(paths) < 6 {
		t.Fatalf("found only %v", paths)
	}
	for _, m := range paths {
		w := get(h, m[1], "Accept-Encoding", "gzip")
		if w.Code != http.StatusOK {
			t.Errorf("%s: %d", m[1], w.Code)
		}
		sum += w.Body.Len()
	}
	if sum > most {
		t.Errorf("the first view is %d bytes, at most %d are allowed", sum, most)
	}
	t.Logf("first view: %d bytes", sum)
}

// TestModulesArePreloaded keeps the list in the page in step with the imports,
// so that a phone does not wait for one module after the other.
func TestModulesArePreloaded(t *testing.T) {
	h := handler(t)
	page := get(h, "/").Body.String()
	imports := regexp.MustCompile(`from "\./([^"]+)"`)
	seen := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		if seen[name] {
			return
		}
		seen[name] = true
		for _, m := range imports.FindAllStringSubmatch(get(h, "/web/"+name).Body.String(), -1) {
			visit(m[1])
		}
	}
	visit("app.js")
	if len(seen) < 4 {
		t.Errorf("found only %v", seen)
	}
	for name := range seen {
		if !strings.Contains(page, `"/web/`+name+`"`) {
			t.Errorf("the page does not name %s", name)
		}
	}
}
