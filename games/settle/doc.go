// Package settle says what the plays of a game win.
//
// [Open] holds the plays of tickets that still run, in memory. [Pass] goes through
// them once when a game is drawn and returns the [Outcome]; [Outcome.Encode] makes
// the winners file, whose hash the journal pins. [PrizeIn] finds the prize of a
// ticket again on its own, and [ExplainIn] says in words how it came about.
//
// # What is played
//
// A [Way] is on numbers, on a call of heads, tails or evens, or on the order of a
// race, as the form of its bet says; which prizes there are, what makes a call
// true, how rows are placed and which combination wins is all the rulebook's. In
// the first games of its ticket a way may have features: a multiplier, which
// raises its prize by the factor of the sum of the numbers drawn or of the wheel that
// their order turns, and a stake on the last number, which wins a prize of its own.
//
// The prize of a way that runs becomes its stake in the next game, until a call
// is wrong or the games are over; with a multiplier half of what is carried is
// staked on that. Each step is a prize of its game, reduced and rounded like any
// other. A prize that is carried is not payable: it is not in the winners file, but
// in [Outcome.CarriedOn] and, one by one, in [Outcome.Carries]. These are facts to
// be recorded; [Open.Carry] takes them into the next game, which cannot close
// before. So a game goes through
//
//	Close, Pass, Carry, Drop
//
// where Carry does nothing if nothing runs. [Void] is in the place of Pass if
// the game has no result: what runs goes through it unchanged. [Open.Cancel] takes
// a ticket out of games that are not closed.
//
// # Jackpots
//
// The arithmetic of pools is in package jackpot. What joins them with the games is
// here: [Open.JackpotStakes] is what their stakes contribute at the close, [Pots] is
// what the pools hold at the draw, and a total catch of a way that plays for one is
// set aside until all who share it are known. The prize of such a way is the
// schedule's part, which is capped, reduced and counted like any other, or nothing
// if the jackpot is paid instead; and its shares, which are outside of caps and
// limits; all of it rounded once. [Outcome.Won] says what becomes of the pools. A
// part that others share and have not reported yet is left out and awarded later:
// [Terms.Raise] finds what is owed in addition.
//
// # How it is fast
//
// The pass looks at 64 ways at once. Ways are kept bit by bit, see column: for
// each number one word says which of 64 ways have it, so that a few dozen logic
// instructions on the 20 words of the drawn numbers count the matches of all 64.
// Calls and rows of a race are codes that are kept the same way. Only ways that win
// are looked at one by one, and only then is it asked whether they have features.
//
// A ticket takes 10 bytes, and each way on numbers 16 more, on calls or rows 10;
// the multiplier takes 2 and the last number 4. Where tickets have several ways on
// numbers, each takes 2 more for its place on the ticket. A way that runs takes 32,
// with its ticket if that has nothing else. So plays take less than 32 bytes a way,
// but for columns that are not full.
//
// # How it is exact
//
// A prize is a whole number of units, which are as small a part of a cent as the
// tables need ([Terms]), a reduction is a fraction of two whole numbers
// ([Reduction]), and a way's prize in a game is rounded once, at the end. A stake or
// a table for which a sum might not fit 63 bits is refused before the pass begins.
//
// The order of things is: the prize of the schedule, the multiplier, the cap on a
// way, the limit on the major prizes of the game, the shares of a jackpot, rounding.
// The package follows the clauses vic-keno-2015 2(a) on Keno Bonus, Heads or Tails?,
// Prepick and Let it Run, 11(i), 15(c), 20(a), 21(a), 21(i) and 24, tas-keno-2023
// 7.3, 11.1, 17.6, 18 and 21.1 to 21.4, and casino-keno-div2 5.8 to 5.12, 8.1 and 8.6
// to 8.10A.
// TestPassAgreesWithTheRules compares everything with a twin that is written
// straight from the rules, with rational numbers, one way at a time;
// TestCancelIsAsIfNeverSold compares cancelled tickets with tickets that never had
// the games; TestReturnWithJackpotsAgreesWithOdds settles many games against the
// exact odds; TestProrating, TestLetItRun, TestRaceTies and TestSharedLater have
// worked examples.
package settle
