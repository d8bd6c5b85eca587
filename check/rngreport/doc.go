// Package rngreport judges the numbers of a draw device by statistics: it takes
// up millions of keno draws, 20 of 80 in the order drawn, and compares them with
// what chance alone would give.
//
// A [Tally] counts; [Tally.Report] tests. The numbers of one draw exclude each
// other, so textbook chi-squares of their counts would be too small; every test
// here is scaled by the exact covariance of a draw without replacement, and is
// a chi-square with the degrees of freedom it states. Beside each stands how.
// TestStatisticsAreScaled holds the means and variances of all of them against a
// sound generator, and TestFaultsAreFound shows which fault each of them finds.
//
// Statistics find a bad generator; they cannot show that a good one is honest.
// Nothing is decided from these figures, so floating point is in place here.
package rngreport
