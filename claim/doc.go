// Package claim decides what becomes of prizes that are not simply fetched.
//
// Sweep takes prizes that nobody has fetched in time to where the rulebook says: off
// the system, to the Treasurer, or lost to the players (vic-keno-2015 22(b),
// tas-keno-2023 14.1 to 14.3, casino-keno-div2 9.2). The rulebook's data decide when
// and where. The cases of these clauses show every end below, at and above it, and
// TestLyingAboutUnclaimedPrizes of package verify what a house cannot say.
package claim
