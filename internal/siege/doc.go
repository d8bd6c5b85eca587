// Package siege lays siege to a running house: random commands of every kind that the
// house's own description names, by everybody, at random moments, with floods and extreme
// values among them.
//
// TestSiege starts a real process, and at the end expects that the process never ended,
// opens again after it was killed, and verifies. What the test judges depends on no clock.
// Half a minute of it runs in make test, and ten minutes in make soak, which sets
// DRAWHOUSE_SIEGE=10m. In a soak every kind of command must have been accepted but those
// that are listed with the reason why none can be, and the draws are held against a bare
// timer that ran beside them.
// DRAWHOUSE_SIEGE_SEED repeats the choices of a run.
package siege
