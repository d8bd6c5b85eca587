package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"

	keyed "drawhouse/edge/terminal"
)

// TestPythonTerminal has the terminal of clients/python sell, follow and pay tickets of a running house, over a way on
// which a third of the requests and of the answers get lost: nothing is sold or paid twice. The vectors of the page
// for developers are made again beside it.
func TestPythonTerminal(t *testing.T) {
	const python, tickets = "/usr/bin/python3", 3
	if out, err := exec.Command(python, "-c", "import cryptography").CombinedOutput(); err != nil {
		t.Skipf("SKIPPED, AND NOTHING IS KNOWN ABOUT THE TERMINAL IN PYTHON: python3-cryptography is not installed: %s", out)
	}
	made := exec.Command(python, "vectors.py")
	made.Dir = "../../edge/terminal/testdata"
	vectors, err := made.Output()
	if err != nil {
		t.Fatal(err)
	}
	if want, err := os.ReadFile("../../edge/terminal/testdata/vectors.json"); err != nil || !bytes.Equal(vectors, want) {
		t.Errorf("vectors.py writes %s", vectors)
	}
	s := serve(t)
	house, err := url.Parse(s.url)
	if err != nil {
		t.Fatal(err)
	}
	way := &lossy{to: httputil.NewSingleHostReverseProxy(house), random: rand.New(rand.NewPCG(1, 19)), lossInPercent: 30}
	proxy := httptest.NewServer(way)
	defer proxy.Close()
	cmd := exec.Command(python, "../../clients/python/terminal.py", proxy.URL, "--tickets", fmt.Sprint(tickets), "--folder", t.TempDir())
	cmd.Env = append(cmd.Environ(), "PYTHONDONTWRITEBYTECODE=1", "NO_PROXY=*")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s %s", err, &stdout, &stderr)
	}
	orders, serials := tickets, map[string]bool{}
	for line := range strings.Lines(stdout.String()) {
		var done struct {
			Serial    string
			CostCents int64 `json:"cost_cents"`
			WonCents  int64 `json:"won_cents"`
			PaidCents int64 `json:"paid_cents"`
		}
		if err := json.Unmarshal([]byte(line), &done); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if serials[done.Serial] = true; done.CostCents != 1000 || done.PaidCents != done.WonCents {
			t.Errorf("a ticket came to %s", line)
		}
		if done.WonCents > 0 {
			orders++
		}
	}
	var counter struct {
		Last     int `json:"last_request"`
		Sessions int
	}
	client := keyed.NewClient(s.url, 1, keyed.DemoKey(1), http.DefaultClient)
	if _, answer, err := client.Do(t.Context(), http.MethodGet, "/v1/terminals/1", nil); err != nil {
		t.Fatal(err)
	} else if err := json.Unmarshal(answer, &counter); err != nil {
		t.Fatalf("%v: %s", err, answer)
	}
	// Each order takes one number, and each of them is a visit by itself.
	if len(serials) != tickets || counter.Last != orders || counter.Sessions != orders || way.answers.Load() == 0 {
		t.Errorf("%d tickets by %d orders: the house has %+v, and %d answers were lost", len(serials), orders, counter, way.answers.Load())
	}
}
