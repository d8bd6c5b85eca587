//go:build !soak

package engine_test

// A year is sampled: trading every few days shows the same things.
const (
	yearDays = 430
	dayStep  = 8
)
