//go:build soak

package postgres_test

import "flag"

// histories are how many random histories the soak plays on a server. Each makes a
// schema, and waits for the disk at every step: five thousand, as elsewhere, take half an
// hour in which nothing else is left to do.
const histories = "1000"

func init() {
	cutStep, terminations = 1, 200
	if err := flag.Set("rapid.checks", histories); err != nil {
		panic(err)
	}
}
