package main

import (
	"net/http"
	"strings"
	"testing"
)

// TestSecondHouse starts a house twice on one journal. The second one refuses and says what
// to do, and the first goes on. With --take-over the second one takes the journal; the first
// lives and follows it, and takes the journal again when the second one has left.
func TestSecondHouse(t *testing.T) {
	t.Parallel()
	for name, locate := range stores {
		t.Run(name, func(t *testing.T) { testSecondHouse(t, serveOn(t, locate(t))) })
	}
}

func testSecondHouse(t *testing.T, first *served) {
	second := &served{t: t, name: first.name, dir: first.dir, database: first.database, asks: true}
	second.endWithTest()
	out, err := second.command(second.arguments()...).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "another house writes this journal now, at "+first.url) ||
		!strings.Contains(string(out), "--take-over") {
		t.Fatalf("the second house: %v, %s", err, out)
	}
	terminals := []*terminal{{id: 1}}
	if !terminals[0].sell(first) {
		t.Fatalf("the first house does not sell:\n%s", &first.log)
	}

	second.asks = false
	second.start()
	first.waitForRole("follower")
	if _, health, err := first.ask(http.MethodGet, "/healthz", nil); err != nil || health["role"] != "follower" {
		t.Errorf("the first house says %v, %v", health, err)
	}
	if !terminals[0].sell(second) {
		t.Fatalf("the second house does not sell:\n%s", &second.log)
	}
	second.stop()
	first.waitForRole("writer")
	if !terminals[0].sell(first) {
		t.Fatalf("the first house does not sell again:\n%s", &first.log)
	}
	checkSold(t, first, terminals)
	first.stop()
	first.verify()
}
