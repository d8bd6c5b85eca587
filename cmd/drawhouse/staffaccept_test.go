package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPasswordFileOfAccept sets a password from the file that the environment names.
func TestPasswordFileOfAccept(t *testing.T) {
	var asked string
	house := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked = string(body)
		_, _ = io.WriteString(w, "{}")
	}))
	defer house.Close()
	file := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(file, []byte("correct horse battery\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("DRAWHOUSE_PASSWORD_FILE", file)
	if status, _, errs := runLine(t, "staff", "accept", "token", "--house="+house.URL); status != 0 {
		t.Fatal(errs)
	}
	if !strings.Contains(asked, `"correct horse battery"`) {
		t.Errorf("the house was asked %s", asked)
	}
}

// TestNoHouse says how to name the house where none answers.
func TestNoHouse(t *testing.T) {
	house := httptest.NewServer(http.NotFoundHandler())
	house.Close()
	status, _, errs := runLine(t, "do", "board", "--house="+house.URL)
	if status == 0 || !strings.Contains(errs, "--house or DRAWHOUSE_HOUSE names") {
		t.Errorf("%d: %s", status, errs)
	}
}
