//go:build !soak

package sim

import "testing"

// soaking says that there is time for everything.
const soaking = false

// statePlanted is for the long run, which tries all planted bugs.
func statePlanted(*testing.T, string) {}
