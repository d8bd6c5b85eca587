package bingo

// The form of ninety-number bingo, by which most tests of this package go.
const (
	Lines      = 3
	Columns    = 9
	PerLine    = 5
	BoxNumbers = Lines * PerLine
	StripBoxes = 6
	Numbers    = StripBoxes * BoxNumbers

	stripSize = 57
	doubles   = BoxNumbers - Columns
	singles   = Columns - doubles
	fullMask  = Mask(1<<BoxNumbers - 1)
	masks     = int(fullMask) + 1
)
