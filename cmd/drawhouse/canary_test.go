package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestCanaryAlarm runs a house that tells less of a ticket than its canary knows it to have
// won: the canary says so in its log and in the metrics, with its next try, though everything
// else is well.
func TestCanaryAlarm(t *testing.T) {
	t.Parallel()
	s := serveWith(t)
	seller := &terminal{id: 1}
	if !seller.sell(s) {
		t.Fatal("nothing was sold")
	}
	s.stop()
	watched := &served{t: t, name: s.name, dir: s.dir,
		extra: []string{"--canary=1s", "--canary-terminal=2", "--canary-winner=" + seller.sold[0] + "=99999999"}}
	watched.endWithTest()
	watched.start()
	began := time.Now()
	for deadline := began.Add(2 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		_, metrics := watched.admin("/metrics")
		if strings.Contains(metrics, "\ndrawhouse_canary_up 0\n") &&
			strings.Contains(watched.log.String(), "has won 99999999 cents, and the house says ") {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("nobody raises an alarm: %s\n%s", &watched.log, metrics)
		}
	}
	t.Logf("the alarm was raised %v after the start", time.Since(began).Round(10*time.Millisecond))
	watched.stop()
}

// TestCanary runs a house with a canary: it finds that the house could sell, nothing is
// sold, and the journal grades.
func TestCanary(t *testing.T) {
	t.Parallel()
	s := serveWith(t, "--canary=1s", "--canary-terminal=2")
	var metrics string
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(100 * time.Millisecond) {
		_, metrics = s.admin("/metrics")
		if strings.Contains(metrics, "\ndrawhouse_canary_up 1\n") && !strings.Contains(metrics, "drawhouse_canary_refused") &&
			strings.Contains(metrics, `drawhouse_refusals_total{code="cost_other"}`) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the canary is not well: %s\n%s", &s.log, metrics)
		}
	}
	if !strings.Contains(metrics, `drawhouse_records_total{kind="request_burned"}`) {
		t.Error("the canary left no durable record")
	}
	if strings.Contains(metrics, `drawhouse_records_total{kind="ticket_sold"}`) {
		t.Error("the canary has sold a ticket")
	}
	s.stop()
	s.verify()
}

// TestCanaryRefused: a terminal that the house does not know is a fault of the canary,
// and it is told.
func TestCanaryRefused(t *testing.T) {
	t.Parallel()
	s := serveWith(t, "--canary=1s", "--canary-terminal=99")
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(100 * time.Millisecond) {
		if _, metrics := s.admin("/metrics"); strings.Contains(metrics, "\ndrawhouse_canary_up 0\n") {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("a canary that cannot sell is well")
		}
	}
	s.stop()
	if !strings.Contains(s.log.String(), "the canary could not sell") {
		t.Errorf("the log says %s", &s.log)
	}
}

// TestCanaryFlags refuses what cannot be meant.
func TestCanaryFlags(t *testing.T) {
	for want, args := range map[string][]string{
		"--canary: 1ms":          {"--canary=1ms", "--canary-terminal=1"},
		"--canary-terminal: a ":  {"--canary=1m"},
		"--canary-ticket: it":    {"--canary=1m", "--canary-terminal=1", "--canary-ticket={"},
		"--canary-winner: \"x\"": {"--canary=1m", "--canary-terminal=1", "--canary-winner=x"},
	} {
		args = append([]string{"serve", "--demo", "--addr=127.0.0.1:0", "--data=" + filepath.Join(t.TempDir(), "data")},
			args...)
		if status, _, errs := runLine(t, args...); status != statusUsage || !strings.Contains(errs, want) {
			t.Errorf("%v: %d %s", args, status, errs)
		}
	}
}
