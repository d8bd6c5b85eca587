package main

import (
	"strings"
	"testing"
	"time"
)

// TestSecondHouse starts a house twice on one journal. The first stops when it
// would write, says why, and writes nothing more.
func TestSecondHouse(t *testing.T) {
	for name, locate := range stores {
		t.Run(name, func(t *testing.T) { testSecondHouse(t, serveOn(t, locate(t))) })
	}
}

func testSecondHouse(t *testing.T, first *served) {
	second := &served{t: t, name: first.name, dir: first.dir, database: first.database}
	second.endWithTest()
	second.start()
	ended := make(chan error, 1)
	go func() { ended <- first.cmd.Wait() }()
	select {
	case err := <-ended:
		if err == nil || !strings.Contains(first.log.String(), "do not start this one again") {
			t.Errorf("the first house ended with %v:\n%s", err, &first.log)
		}
	case <-time.After(2 * time.Minute):
		t.Fatal("the first house goes on")
	}
	second.waitForSale()
}
