// Package unguard switches the guards of the house off, one by one, and has the tests say
// so: a guard that nobody misses is no guard. It has a test and nothing else.
//
//	DRAWHOUSE_UNGUARD=all go test -timeout 3h ./internal/unguard
//
// Instead of all, names of files such as decide/counter/exit.go, with a comma between two, switch off what is in
// those, and decide/counter/exit.go:200 what is there from line 200 on.
package unguard
