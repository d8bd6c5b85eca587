//go:build soak

package odds

import "testing"

// TestSoakSimulation makes ten million draws: every figure of the exact odds within
// five standard deviations. Another -seed makes other draws.
func TestSoakSimulation(t *testing.T) { simulate(t, 10_000_000) }
