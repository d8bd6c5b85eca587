// Package claim decides what becomes of prizes that are not simply fetched.
//
// Sweep takes prizes that nobody has fetched in time to where the rulebook says: off
// the system, to the Treasurer, or lost to the players (vic-keno-2015 22(b),
// tas-keno-2023 14.1 to 14.3, casino-keno-div2 9.2). Lodge, Note, Sign, Decide and Pay
// are the life of a claim form: for a ticket that is lost, cannot be read or has
// expired, that came by mail, or whose winner cannot act (vic-keno-2015 20(f) to 23,
// tas-keno-2023 14, 15, casino-keno-div2 8.12). What a form is worth is what the
// central record says, and its money stays where it is until the form is decided: no
// sweep takes it, and nobody else is paid. The rulebook's data say who signs from which
// amount on, how claims are paid, and when and where prizes go.
//
// EraseHolder and ErasePayee have the register forget the holder of a closed card and a payee,
// by a record that says who had it do so and never who it was (TestErase).
//
// FindUnfetched says of each prize that nobody has fetched where it is and where it goes
// next (casino-keno-div2 9.3).
//
// The cases of these clauses show every end below, at and above it. TestSweepTwin holds
// Sweep against a slow twin over years of payments, claims and refusals, in which no cent
// is lost; TestLyingAboutUnclaimedPrizes and TestLyingAboutClaims of package verify show
// what a house cannot say.
package claim
