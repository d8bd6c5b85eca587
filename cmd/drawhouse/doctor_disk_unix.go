//go:build unix

package main

import (
	"os"
	"syscall"
)

// onOneDisk reports whether two files or folders are on one file system.
func onOneDisk(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	if err != nil {
		return false
	}
	x, known := one.Sys().(*syscall.Stat_t)
	y, knownToo := other.Sys().(*syscall.Stat_t)
	return known && knownToo && x.Dev == y.Dev
}
