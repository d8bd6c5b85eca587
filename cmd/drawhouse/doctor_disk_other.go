//go:build !unix

package main

// onOneDisk is not known here.
func onOneDisk(_, _ string) bool { return false }
