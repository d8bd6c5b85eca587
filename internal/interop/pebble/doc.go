// Package pebble pins the ACME authority of others that `make interop` builds and asks: pebble of Let's Encrypt, with
// its server of names.
//
// It is a module of its own and has no code: the program and its tests need nothing of that authority. TestPebble in
// cmd/drawhouse runs both as processes beside a house that gets its certificate from them.
package pebble
