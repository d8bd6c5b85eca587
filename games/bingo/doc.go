// Package bingo is the paper and the arithmetic of bingo: boxes,
// strips and series of cards, the master table, patterns, and who completes what
// on which call. It knows no hall: who holds a card, who called and what is paid
// belongs to others.
//
// # Cards
//
// What a box is the rulebook says ([Form]): lines, columns with their numbers and letters, and
// free squares, which have no number and count as marked. In ninety-number bingo a [Box] has
// 15 numbers in three lines of five, and six boxes that hold 1 to 90 once are a [Strip]
// (nsw-bingo-2019 2.2.1, 2.4); in bingo with 75 numbers a box has a number on each of 25
// squares but for that in the middle, and is a strip by itself (sc-bingo-1996 3920.3). A
// [Maker] draws strips from the entropy it is given. Every strip of the form is equally
// likely. A box that is full has, in each column, an ordered choice of its numbers. A strip
// that holds every number once is made of three ranks, with these figures for ninety numbers:
//
//   - how many numbers each column of each box has is one of 51,672,600 matrices
//     of ones and twos, drawn by its rank;
//   - which numbers of a column go to which box is a permutation, drawn by its
//     rank;
//   - in which lines they stand is one of the 1,710 layouts that a box with six
//     columns of two and three of one can have, drawn by its rank.
//
// Whatever the matrix, as many permutations lead to each dealing of a column and
// as many layouts fit each box; so three uniform ranks make a uniform strip.
// TestMakerIsUniform compares counts with the exact enumeration.
//
// A [Table] is the master table of a series (2.3.3): it finds a box by the serial
// of its card, and by its 15 numbers. [Table.MarshalBinary] is its file, and
// [ReadCSV] and [ReadJSON] take over a series that somebody else printed.
//
// # Play
//
// [Patterns] are compiled from the rulebook into ways to complete them, each of which is
// some places of which so many are needed. Of boxes with at most 15 places every set of marks
// is looked up in one table of 32,768 entries that says which patterns it completes and how
// many numbers each still needs. [Play] follows all boxes in play: since no strip holds a
// number twice, a call touches at most one box of each strip. TestPlayAgreesWithTwin and FuzzPlay hold it
// against the definitions, BenchmarkCall measures a million boxes beside the naive scan.
//
// [Form.FullHouse], [Form.StripFullHouse] and [Patterns.Chance] are exact probabilities;
// TestSimulatedGames plays games against them, and TestPublishedChances compares with figures
// that others have published.
package bingo
