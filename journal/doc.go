// Package journal holds the bytes of the house's append-only log: the Merkle
// tree and its tiles, checkpoints, proofs, and the seals of games. It knows
// records only as byte strings; what a record means is for others to say.
//
// The tree is the one of RFC 6962, computed and checked with
// golang.org/x/mod/sumdb/tlog, and its hashes are stored in the tiles of C2SP
// tlog-tiles: height 8, 256 hashes wide, full tiles only. A [Tree] keeps the
// incomplete tile of each level and nothing else, so its memory does not grow
// with the log, and appending costs fewer than two hashes a record on average
// (TestHashesPerRecord counts them).
//
// A [Checkpoint] states the log's size and root in the form of C2SP
// tlog-checkpoint. A [SealBody] is what the house signs when a game closes and
// publishes before the first number is drawn: the game, the checkpoint, the
// number of plays and their stakes, and the root of a [Bitmap] over the open
// sequence numbers. Both are signed notes (golang.org/x/mod/sumdb/note). The
// texts are strict: a body that does not marshal back to the same bytes is
// refused, so one meaning has one hash.
//
// A player's proof that a ticket was sealed is a [PlayProof]: the record is in
// the log, and its bit is set. The log may have grown meanwhile; proofs can be
// made against any older size.
//
// Nothing here reads a clock, a file or a random source. Key generation takes
// its entropy from the caller, and a signer is a small interface, so that a key
// may live in a hardware module.
//
// The tests compare the tree with the certificate-transparency vectors
// (TestPublishedTree) and with tlog's own stored hashes for many sizes
// (TestTreeAgreesWithTlog), and change single bits of every signed or proven
// thing to see it refused (TestTampering...).
package journal
