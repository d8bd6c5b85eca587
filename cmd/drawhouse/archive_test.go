package main

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"drawhouse/core/serial"
	"drawhouse/decide/counter"
)

// TestArchivedVolume moves the volume in which tickets were sold from the database into
// a file. The house starts on what is left, finds and pays the tickets, a follower with
// the archive does, too, and the journal verifies.
func TestArchivedVolume(t *testing.T) {
	t.Parallel()
	for name, locate := range stores {
		t.Run(name, func(t *testing.T) { testArchivedVolume(t, serveOn(t, locate(t))) })
	}
}

func testArchivedVolume(t *testing.T, s *served) {
	terminals := []*terminal{{id: 1}, {id: 2}}
	sellSome(s, terminals, 30)
	s.stop()
	storage := []string{"--data=" + s.dir, "--database=" + s.database}
	command := func(args ...string) []string { return append(args, storage...) }
	contains(t, refused(t, command("volume", "archive", "1")...), "volume 1 has not ended")
	contains(t, succeed(t, command("volume", "begin")...), "volume 2")
	contains(t, refused(t, command("volume", "prune", "1")...), "archive it first")
	contains(t, succeed(t, command("volume", "archive", "1")...), "read back with root")
	contains(t, succeed(t, command("volume", "prune", "1")...), "is gone from the database")

	s.start()
	checkSold(t, s, terminals)
	paid := s.claimAll(terminals)
	if paid == 0 {
		t.Error("nobody won anything, so that nothing was paid")
	}
	follower := followerOf(t, s, "--archive="+filepath.Join(s.dir, "archive"), "--takeover=10s")
	checkSold(t, follower, terminals)
	follower.stop()
	s.stop()
	s.verify()
	s.extra = []string{"--archive=" + t.TempDir()}
	contains(t, refused(t, append(command("serve", "--addr=127.0.0.1:0"), s.extra...)...), "missing")
	t.Logf("%d of 60 tickets of an archived volume were paid", paid)
}

// succeed runs a command line that must not be refused, and returns what it says.
func succeed(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr strings.Builder
	if status := run(args, &stdout, &stderr); status != 0 {
		t.Fatalf("drawhouse %s: %s", strings.Join(args, " "), &stderr)
	}
	return stdout.String()
}

// claimAll claims all tickets, those that are not drawn yet again and again, and returns
// how many were paid.
func (s *served) claimAll(terminals []*terminal) (paid int) {
	s.t.Helper()
	deadline := time.Now().Add(time.Minute)
	for _, term := range terminals {
		for i, number := range term.sold {
			first := uint64(i + 1) // Each was the answer to one request.
			code := serial.ClaimCode{byte(term.id), byte(first >> 8), byte(first)}
			for !s.claim(term, number, code, &paid) {
				if time.Now().After(deadline) {
					s.t.Fatalf("ticket %s was not drawn within a minute", number)
				}
				time.Sleep(50 * time.Millisecond)
			}
		}
	}
	return paid
}

// claim claims a ticket and reports whether that was decided.
func (s *served) claim(term *terminal, number string, code serial.ClaimCode, paid *int) bool {
	s.t.Helper()
	term.number++
	status, answer, err := s.askAs(term.id, http.MethodPut,
		fmt.Sprintf("/v1/terminals/%d/requests/%d/payment", term.id, term.number),
		map[string]any{"serial": number, "claim_code": code.String()})
	if err != nil || status >= http.StatusInternalServerError {
		s.t.Fatalf("claiming %s: %d %v %v", number, status, answer, err)
	}
	if status < http.StatusMultipleChoices {
		*paid++
		return true
	}
	fault, _ := answer["error"].(map[string]any)
	return fault["code"] != string(counter.NotDrawn)
}
