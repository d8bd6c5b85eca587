// Package proof tells a player in words what the proof of a ticket shows and what it
// does not.
//
// A proof is what the house gives for a ticket and a game: the ticket's record, its
// path to the journal under the seal, and its bit. It is checked against public
// keys that the player knows from elsewhere, and against whatever else the player
// has: a receipt, a seal or its fingerprint off the wall, a checkpoint that
// witnesses cosigned, the device's statement of the numbers.
//
// Each sentence stands for one check. The first check that fails ends them: then
// nothing is proved. What would take something that was not brought is told as not
// proved, and how to have it. The page edge/web/assets/proof.html says the same
// sentences by code of its own; a test in package web holds the two against each
// other, for sound proofs and for damaged ones.
package proof
