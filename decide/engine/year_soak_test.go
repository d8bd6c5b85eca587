//go:build soak

package engine_test

// The soak trades on every day of a year and the months in which its papers expire.
const (
	yearDays = 760
	dayStep  = 1
)
