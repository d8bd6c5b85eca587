//go:build soak

package bingo

func init() { searched = func(int) bool { return true } }
