// Package jackpot is the arithmetic of jackpots: what the stakes of a game add to
// a pool, what its winners take out of it, and what is left for the next one.
//
// A rulebook says by its jackpots policy how its pools work, and [Terms] hold what
// a game needs of it; no jurisdiction is known here. Three models come out of the
// same code:
//
//   - a pool beside the schedule's prize that grows by a percentage, with a fill
//     from the schedule for some sizes, and possibly joined with the pools of other
//     jurisdictions (vic-keno-2015 15, 21, 24);
//   - a primary prize beside the schedule's prize, with a secondary prize that
//     opens the next one, and with seeds that the operator lends
//     (tas-keno-2023 7, 18.4);
//   - a pool in place of the schedule's prize that returns to a reset value
//     (casino-keno-div2 5).
//
// The life of a [Pool] is: [Terms.Open] makes it. When a game opens, [Terms.Rate]
// says how its stakes will be divided. When it closes, [Contribute] divides them.
// When it is drawn, [Terms.Win] says what the winning ways share; in a pooled
// jackpot [Terms.Fixed] does so at once for what is ours alone, and [Terms.Growth]
// when the other jurisdictions have reported ([Terms.Gather]). [Terms.Next] gets
// the pool ready for the game after it. Between games [Terms.Lend],
// [Terms.Reallocate], [Terms.SetAside], [Terms.Give] and [Terms.Migrate] move
// money as the rules allow with approval, and [TakeBack] undoes the contribution
// of a game that is not played.
//
// Nothing is lost: a balance is [Exact], percentages of stakes leave no smaller
// fraction, and shares are rounded down to the cent with the residue left in the
// pool. What an operation does to the books in whole cents is its [Movement],
// which adds up to zero. TestTwin and FuzzTwin compare all of it over random games
// with a twin that is written straight from the rules with rational numbers;
// TestWorkedExamples has each model with two and three winners.
package jackpot
