// Package drawhouse is the root of the drawhouse module: the central system for
// draw games, keno (20 of 80 numbers) and bingo (90 numbers).
//
// The packages below it do the work, the command in cmd/drawhouse wires them
// together, and docs/ARCHITECTURE.md says which of them exist. The root itself has
// the hashes of the parts that a test laboratory looks at ([Parts]) and the version
// ([Version]). The tests beside this file keep the shape of the whole:
// TestImportGraph states which package may import which, TestPureImports and
// TestPureCode keep clocks, chance, input and output and floating point out of
// the pure packages, and TestTidy keeps leftovers out of every file.
package drawhouse
