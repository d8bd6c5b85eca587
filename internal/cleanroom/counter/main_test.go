package counter

import (
	"flag"
	"testing"

	"drawhouse/internal/outside"
)

// visits is how many customers come at once: most of a test is waiting for games.
const visits = "8"

func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", visits); err != nil {
		panic(err)
	}
	outside.Main(m)
}
