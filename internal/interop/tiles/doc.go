// Command tiles reads the public log of a house with the client of transparency-dev/tessera: every entry, its hash, its
// place under the signed checkpoint by a proof made of tiles, and then that the log only grew.
//
// It is a module of its own: the program and its tests need nothing of it, and the reader shares no code with the
// writer. `make interop` has it read a house that runs (TestTilesOfOthers in cmd/drawhouse).
package main
