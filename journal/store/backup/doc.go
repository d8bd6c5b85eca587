// Package backup copies whole journals: from one store to another of whatever kind
// (Copy), and into one file (Write), which Read reads again.
//
// Nothing is taken on trust. While records are copied they are hashed, and what they
// come to must be the root that the source's head names; then the copy is read back
// and must come to the same. Objects are compared byte by byte, or by the hash of the
// file. A source may go on selling meanwhile: what is copied is its contents at one
// moment.
//
// A copy that is broken off is no house: the signed checkpoint, without which none
// opens, comes with the last batch. Copying again goes on where it ended. A journal
// that has other records than the source in the same places is refused and left as it
// is.
//
// # The file
//
// A backup begins with the line "drawhouse backup 1" and goes on in frames. A frame is
// a letter, the length of what follows as an unsigned varint, and that many bytes;
// numbers in it are unsigned varints, too.
//
//	V  volume                            a volume begins
//	R  about volume, about seq, data     its next record; 0, 0 is about none
//	H  size, root, checkpoint            it ends: 32 bytes of root, and the signed rest
//	O  length of name, name, data        an object
//	E  SHA-256                           of every byte before this frame; nothing follows
//
// Volumes come in ascending order, each with its records from the first on, and then
// the objects in ascending order of their names. Secret keys are in no backup.
//
// TestCopy, TestFile and TestDamagedFile prove it, and FuzzRead reads whatever comes.
package backup
