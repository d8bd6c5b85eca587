// Package settle says what the plays of a game win.
//
// [Open] holds the plays of tickets that still run, in memory, at 28 bytes for a
// ticket of one way and 16 for each further way. [Pass] goes through them once
// when a game is drawn and returns the [Outcome]; [Outcome.Encode] makes the
// winners file, whose hash the journal pins. [PrizeOf] finds the prize of a
// ticket again on its own, and [Explain] says in words how it came about.
//
// The pass looks at 64 ways at once. Ways are kept bit by bit, see column: for
// each number one word says which of 64 ways have it, so that a few dozen logic
// instructions on the 20 words of the drawn numbers count the matches of all 64.
// Only ways that win are looked at one by one.
//
// All arithmetic is exact: a prize is a whole number of units, which are as small
// a part of a cent as the tables need ([Terms]), a reduction is a fraction of two
// whole numbers ([Reduction]), and a way's prize in a game is rounded once, at the
// end. A stake or a table for which a sum might not fit 63 bits is refused before
// the pass begins.
//
// The order of things is: the prize of the schedule for a way's catch, the cap on
// a way, the limit on the major prizes of the game, rounding. The package follows
// the clauses vic-keno-2015 20(a), 21(i) and 24(a) to (c), tas-keno-2023 11.1 and
// 18.1 to 18.3, and casino-keno-div2 8.1 and 8.6 to 8.10A, for bets on numbers.
// TestPassAgreesWithTheRules compares everything with a twin that is written
// straight from the rules, with rational numbers, one way at a time;
// TestProrating has worked examples with the figures of all three rulebooks.
package settle
