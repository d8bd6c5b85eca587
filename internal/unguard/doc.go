// Package unguard switches the guards of the house off, one by one, and has the tests say
// so: a guard that nobody misses is no guard. It has a test and nothing else.
//
//	DRAWHOUSE_UNGUARD=all go test -timeout 3h ./internal/unguard
//
// Instead of all, the name of a file such as decide/counter/exit.go switches off what is in that one.
package unguard
