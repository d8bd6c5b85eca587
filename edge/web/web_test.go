package web

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
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
	t.Parallel()
	h := handler(t)
	for path, contentType := range map[string]string{
		"/":                   "text/html; charset=utf-8",
		"/web/kit/tokens.css": "text/css; charset=utf-8",
		"/web/board/board.js": "text/javascript; charset=utf-8",
		"/web/kit/icon.svg":   "image/svg+xml",
		"/web/kit/atkinson-hyperlegible-next.woff2": "font/woff2",
		"/web/kit/OFL.txt":                          "text/plain; charset=utf-8",
	} {
		w := get(h, path)
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") != contentType {
			t.Errorf("%s: %d, %s", path, w.Code, w.Header().Get("Content-Type"))
		}
		if csp := w.Header().Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'self'") ||
			strings.Contains(csp, "unsafe") {
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
			if tag := packed.Header().Get("Etag"); tag == w.Header().Get("Etag") ||
				get(h, path, "Accept-Encoding", "gzip", "If-None-Match", tag).Code != http.StatusNotModified {
				t.Errorf("%s: packed and plain have the tags %s and %s", path, tag, w.Header().Get("Etag"))
			}
			if plain := get(h, path, "Accept-Encoding", "gzip;q=0"); plain.Header().Get("Content-Encoding") != "" {
				t.Errorf("%s: packed for a client that takes no gzip", path)
			}
		}
	}
	for _, path := range []string{"/nothing", "/web/", "/web/kit/", "/web/board/board.html", "/web/../web.go"} {
		if w := get(h, path); w.Code == http.StatusOK {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

var (
	loaded  = regexp.MustCompile(`(?:src|href)="(/[^"]+)"`)
	imports = regexp.MustCompile(`from "(\.[^"]+)"`)
	values  = regexp.MustCompile(`\{\w+\}`)
)

// addressOf returns an address that a pattern of pages stands for.
func addressOf(pattern string) string {
	return values.ReplaceAllString(strings.TrimSuffix(pattern, "{$}"), "1")
}

// TestFirstViewIsSmall adds up what a browser loads for the first view of each page.
func TestFirstViewIsSmall(t *testing.T) {
	t.Parallel()
	const most = 100_000
	h := handler(t)
	for pattern := range pages {
		address := addressOf(pattern)
		sum := get(h, address, "Accept-Encoding", "gzip").Body.Len()
		files := loaded.FindAllStringSubmatch(get(h, address).Body.String(), -1)
		if len(files) < 4 {
			t.Errorf("%s: found only %v", address, files)
		}
		for _, m := range files {
			w := get(h, m[1], "Accept-Encoding", "gzip")
			if w.Code != http.StatusOK {
				t.Errorf("%s: %s: %d", address, m[1], w.Code)
			}
			sum += w.Body.Len()
		}
		if sum > most {
			t.Errorf("the first view of %s is %d bytes, at most %d are allowed", address, sum, most)
		}
		t.Logf("first view of %s: %d bytes", address, sum)
	}
}

// TestModulesArePreloaded keeps the lists in the pages in step with the imports, so
// that a phone does not wait for one module after the other.
func TestModulesArePreloaded(t *testing.T) {
	t.Parallel()
	h := handler(t)
	for pattern := range pages {
		page := get(h, addressOf(pattern)).Body.String()
		seen := map[string]bool{}
		var visit func(file string)
		visit = func(file string) {
			if seen[file] {
				return
			}
			seen[file] = true
			for _, m := range imports.FindAllStringSubmatch(get(h, file).Body.String(), -1) {
				visit(path.Join(path.Dir(file), m[1]))
			}
		}
		for _, m := range loaded.FindAllStringSubmatch(page, -1) {
			if strings.HasSuffix(m[1], ".js") {
				visit(m[1])
			}
		}
		if len(seen) == 0 {
			t.Errorf("%s has no modules", pattern)
		}
		for file := range seen {
			if !strings.Contains(page, `"`+file+`"`) {
				t.Errorf("the page of %s does not name %s", pattern, file)
			}
		}
	}
}

// TestPagesAreNotFiles: a page has one address.
func TestPagesAreNotFiles(t *testing.T) {
	t.Parallel()
	h := handler(t)
	for _, address := range []string{"/t/", "/t/1/2", "/web/ticket/ticket.html", "/web/board/board.html"} {
		if w := get(h, address); w.Code == http.StatusOK {
			t.Errorf("%s: %d", address, w.Code)
		}
	}
}
