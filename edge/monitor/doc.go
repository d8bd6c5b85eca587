// Package monitor tells those who run a house how it does: whether it is ready
// (Readiness), what it counts (Metrics), whether a terminal could sell (Canary), and all of it over
// an address of their own (Handler),
// beside the profiles of the process.
//
// It reads and decides nothing. What it says goes to the person who operates the machine; the
// public is told in one word whether the house is well.
//
// TestMetricsFormat has the metrics read by Prometheus's own strict reader and held
// against its rules for names, TestReady makes every check fail by itself, and the
// tests of cmd/drawhouse ask a house that runs.
package monitor
