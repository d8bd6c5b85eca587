package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestCanary runs a house with a canary: it finds that the house could sell, nothing is
// sold, and the journal grades.
func TestCanary(t *testing.T) {
	s := serveWith(t, "--canary=1s", "--canary-terminal=2")
	var metrics string
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(100 * time.Millisecond) {
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
	s := serveWith(t, "--canary=1s", "--canary-terminal=99")
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(100 * time.Millisecond) {
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
		args = append([]string{"serve", "--demo", "--addr=127.0.0.1:0", "--data=" + filepath.Join(t.TempDir(), "data")}, args...)
		if status, _, errs := runLine(t, args...); status != statusUsage || !strings.Contains(errs, want) {
			t.Errorf("%v: %d %s", args, status, errs)
		}
	}
}
