package drawhouse_test

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"drawhouse/internal/cases"
	"drawhouse/internal/clientgen"
	"drawhouse/journal/store/storetest"
	"drawhouse/rulebook/rules"
)

// TestClientDocIsCurrent holds package client against the description of a house, which
// it is made from.
func TestClientDocIsCurrent(t *testing.T) {
	source, err := clientgen.Generate(described(t))
	if err != nil {
		t.Fatal(err)
	}
	checkGenerated(t, "edge/client/operations.go", string(source))
}

// described returns the description of the interface of a house.
func described(t *testing.T) []byte {
	t.Helper()
	book, err := rules.Book("vic-keno-2015")
	if err != nil {
		t.Fatal(err)
	}
	house, err := cases.NewServed(cases.Founding{Book: book, Schedule: book.Schedules()[0].ID(),
		Begin: cases.Noon(book.From()), Seed: "client"}, filepath.Join(t.TempDir(), "keys"),
		storetest.OpenMemory(storetest.NewDisk()))
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	house.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/openapi.json", nil))
	if err := house.Close(); err != nil || w.Code != http.StatusOK {
		t.Fatalf("%d %s: %v", w.Code, w.Body, err)
	}
	return w.Body.Bytes()
}
