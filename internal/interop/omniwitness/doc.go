// Package omniwitness pins the witness of others that `make interop` builds and asks: omniwitness of transparency-dev.
//
// It is a module of its own and has no code: the program and its tests need nothing of that witness.
// TestOmniwitness in cmd/drawhouse runs it as a process beside a house that requires it.
package omniwitness
