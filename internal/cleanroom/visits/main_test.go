package visits

import (
	"flag"
	"testing"

	"drawhouse/internal/outside"
)

// houses is how many houses run at once: most of a test is waiting for games.
const houses = "4"

func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", houses); err != nil {
		panic(err)
	}
	outside.Main(m)
}
