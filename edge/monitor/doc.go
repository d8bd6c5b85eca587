// Package monitor tells those who run a house, a witness or a device how it does: which of its checks hold,
// by what they are for (Readiness), what it counts (Metrics), whether a terminal could sell (Canary), and all
// of it over an address of their own (Handler), beside the profiles of the process.
//
// Checks and metrics are named once, here: paths, gauges and docs/METRICS.md are made of these lists.
//
// It reads and decides nothing. What it says goes to the person who operates the machine; the
// public is told in one word whether the house is well.
//
// TestMetricsFormat has the metrics read by Prometheus's own strict reader and held
// against its rules for names, TestServed holds what is served against the list, TestReady
// makes every check fail by itself, TestRules has Prometheus play the alarms of packaging,
// and the tests of cmd/drawhouse ask processes that run.
package monitor
