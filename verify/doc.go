// Package verify is the second opinion: it reads a copy of the journal and checks
// every cent and every ball of it, with grading of its own.
//
// It was written from the rules and from the published layouts, and not from the
// code that runs the house. It shares with that code the forms of records, notes
// and rulebooks, and nothing that decides: pricing (vic-keno-2015 11), matching
// (20(a), the schedules), Keno Bonus, pro-rating (24(a)-(c)), rounding (21(i)) and
// the mapping of random bytes to numbers stand here a second time. Where the
// house lists the ways of a bet, this counts them. What it cannot grade it does
// not accept: Let it Run, Lucky Last, racing and jackpots make it fail and say
// so.
//
// # What is checked
//
// In this order, and the first thing that does not hold is named with its record:
//
//   - log: every record is in its one form, times never fall, and the RFC 6962
//     root of the records is that of the signed checkpoint;
//   - house: the volume's keys, rulebooks by their hashes, series, venues and
//     terminals;
//   - requests: numbers of each terminal rise, sessions do not go on after their
//     end, every ticket obeys the rulebook's limits, costs what its bets cost and
//     was paid for;
//   - games: days and games follow each other, no ticket is sold after the close
//     by sequence number, and the close counts what was sold;
//   - seal: it is signed, is of the log just after the close, and covers exactly
//     the tickets in the game;
//   - draw: every number follows from its bytes, the device signed them all under
//     the seal, and no game has the numbers of another;
//   - settlement: totals, pro-rating, and the winners file play by play;
//   - payments: a prize that was won, in full, once, in time, after the result;
//   - ledger: each record posts what its rule says, and debits equal credits.
//
// A record that breaks a rule in a log whose root is wrong is told as a wrong log:
// there the altering comes first.
//
// Not checked: the hash of the house's state at a day's end, which depends on
// how the house keeps its state; the hash of a claim code, which only the paper
// can answer; whether the source of random bytes was honest, which no record can
// show.
//
// # The export
//
// An export is a directory with one volume of the journal:
//
//	house.json              format version, house, volume, house_key, device_key
//	checkpoint              the newest checkpoint, signed by the house
//	records-00000000.cbor   the first 65,536 records, then records-00000001.cbor ...
//	objects/winners/S/O/R   winners file of series S, ordinal O, revision R
//	objects/bitmap/S/O/V    bitmap of the seal of series S, ordinal O, volume V
//
// house.json is JSON with those five fields in that order, indented by two spaces,
// with a newline at its end; format is 1. In a record file each record stands
// behind its length, an unsigned varint in its shortest form. The record files
// hold exactly as many records as the checkpoint says, and every file but the last
// is full. There is a winners file for every settlement and a bitmap for every
// seal of a game with plays. Package verify/export writes it.
//
// The keys in an export are the exporter's word. An inspector who knows the keys
// from elsewhere gives them in Options, and only then does a signature show who
// signed. In the same way an inspector who brings earlier checkpoints of the log
// finds a house that wrote its history anew, and one who knows the rulebook's hash
// a house that graded by another one of the same name: an export by itself agrees
// with itself, whatever its past and its rules.
//
// # Tests
//
// TestStoryHolds verifies a small journal written by hand, whose prices and
// prizes were worked out on paper. TestLyingHouse changes one thing at a time in
// it and signs the rest anew, TestAlteredExport changes the files behind the
// house's back, and FuzzOneByte changes any byte of an export: none may be
// accepted.
package verify
