// Package ball holds the numbers of a draw: sets of them, and the order in which
// they were drawn.
//
// A [Set] is a comparable value of two machine words; a number is one bit, so
// that the question settlement asks of every way in play, how many of its
// numbers were drawn ([Set.Overlap]), is two AND and two population counts.
// A [Sequence] keeps the order, which a set forgets and some games need.
//
// Both know their [Universe], keno's 80 numbers or bingo's 90 or 75, and their zero
// values are invalid, so that a forgotten field is not mistaken for an empty
// set. Numbers from outside enter through constructors that refuse a repeated
// or unknown number by name.
//
// Keno draws 20 of the numbers 1 to 80 and bingo calls the numbers 1 to 90, or 1 to 75; all
// else about either game is in other packages. TestSetAgreesWithMap compares
// every operation with a twin made of maps.
package ball
