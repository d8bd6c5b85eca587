// Package money counts whole cents and never loses one.
//
// An [Amount] is an integer number of cents. Sums and products report
// [ErrOverflow] instead of wrapping. Everything that can leave a fraction of a
// cent takes a named [Rounding], which the rulebooks state for each
// calculation, and is computed exactly through 128 bits and rounded once.
//
// The package follows no clause of its own: a rulebook says which rounding and
// which step apply. TestMulDivToAgreesWithRationals and its neighbours compare
// every rounded function with a twin written on math/big rationals.
package money
