package clientgen

import (
	"bytes"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"drawhouse/internal/cases"
	"drawhouse/rules"
)

var rewrite = flag.Bool("rewrite", false, "write package client anew")

// description returns that of a house.
func description(t *testing.T) []byte {
	t.Helper()
	book, err := rules.Book("vic-keno-2015")
	if err != nil {
		t.Fatal(err)
	}
	house, err := cases.NewServed(cases.Founding{Book: book, Schedule: book.Schedules()[0].ID(), Begin: cases.Noon(book.From()), Seed: "client"}, filepath.Join(t.TempDir(), "keys"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := house.Close(); err != nil {
			t.Error(err)
		}
	}()
	w := httptest.NewRecorder()
	house.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/openapi.json", nil))
	return w.Body.Bytes()
}

// TestClientIsCurrent: package client is what the description gives.
func TestClientIsCurrent(t *testing.T) {
	source, err := Generate(description(t))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join("..", "..", "client", "operations.go")
	if *rewrite {
		if err := os.WriteFile(name, source, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	written, err := os.ReadFile(name)
	if err != nil || !bytes.Equal(written, source) {
		t.Errorf("client/operations.go is not what the description gives (%v); write it with: go generate ./client", err)
	}
}

// TestUnknownTypes: what the generator does not know it refuses, and does not guess.
func TestUnknownTypes(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON":           `{`,
		"a type of schema":  `{"components":{"schemas":{"X":{"properties":{"a":{"type":"number"}}}}}}`,
		"a union":           `{"components":{"schemas":{"X":{"properties":{"a":{"type":["string","integer"]}}}}}}`,
		"a list of numbers": `{"components":{"schemas":{"X":{"properties":{"a":{"type":"array","items":{"type":"number"}}}}}}}`,
		"a parameter":       `{"paths":{"/x":{"get":{"operationId":"x","summary":"X","parameters":[{"name":"a","in":"path","schema":{"type":"number"}}]}}}}`,
	} {
		if _, err := Generate([]byte(text)); err == nil || !strings.Contains(err.Error(), "clientgen") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
