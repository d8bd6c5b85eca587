//go:build soak

package postgres_test

func init() { cutStep = 1 }
