// Package replay is a witness that does not take a house's word: it keeps a copy of the
// records, grades every one of them with package verify, and agrees to a checkpoint
// only if everything under it holds.
//
// A [Follower] reads the journal of a running house ([Remote], [Handler]), up to a
// checkpoint that the house signed. Before the first number of a game it has graded
// what was sold, its price, the seal with its plays, stakes and bitmap; behind the
// settlement the numbers, the winners play by play, prizes, pools, postings and
// balances. What it agrees to it makes durable in a store of its own, together with
// the objects, and never anything else: so its copy is one that a house that has lost
// its newest records can be restored from. Before it signs it also reads again what
// it has read before, and compares: a row that somebody changed in the house's
// database is found before the next draw and named by record and field.
//
// With the first difference a Follower is done. It signs nothing more until somebody
// has looked, and its process was started again.
//
// TestReplayed and TestReplayedLies of package house prove it with a house in the same
// process, TestReplayingWitness of cmd/drawhouse with two processes over a hundred
// games, a row that is changed and a house that is restored, and FuzzSplitRecords and
// FuzzCheckAsk the parsers.
package replay
