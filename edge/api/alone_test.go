package api

import (
	"net/http"
	"testing"
)

// TestWhatOnePersonDoes goes through every operation with which a person away from the counters
// changes something. Either it asks another person to consent, or its row or route says why one is
// enough: who adds an operation has to say which.
func TestWhatOnePersonDoes(t *testing.T) {
	server, _ := newRig(t).handler.(*Server)
	asked, alone := 0, 0
	for _, rt := range server.server.routes {
		byPersons := rt.method != http.MethodGet && len(rt.who.Roles) > 0 && !rt.who.Terminals
		_, asks := rt.out.(Approval)
		switch {
		case !byPersons && rt.alone != "":
			t.Errorf("%s says why one person is enough, and is not done by persons alone", rt.name)
		case !byPersons:
		case rt.alone != "":
			alone++
		case asks:
			asked++
		default:
			t.Errorf("%s is done by one person, and nothing says why that is enough", rt.name)
		}
	}
	if asked < 20 || alone < 20 {
		t.Errorf("only %d operations ask for another's consent, and %d are done by one", asked, alone)
	}
}
