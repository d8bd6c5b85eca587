// Package verify is the second opinion: it reads a copy of the journal and checks
// every cent and every ball of it, with grading of its own.
//
// It was written from the rules and from the published layouts, and not from the
// code that runs the house. It shares with that code the forms of records, notes
// and rulebooks, and nothing that decides: pricing and limits (vic-keno-2015 11,
// tas-keno-2023 12.2, casino-keno-div2 4, 5.4), matching (20(a), 11.1, 8.1), races
// (tas-keno-2023 21.3), last numbers (21.1), prizes that run on (vic-keno-2015
// 2(a).let-it-run, 11(i)), jackpots (15, 24(d)-(g); tas-keno-2023 7, 18.4;
// casino-keno-div2 5), promotions (16, 24(h); 5.11, 17), pro-rating (24(a)-(c), 18,
// 8.6-8.10), rounding (21(i)), cancellation (17, 8, 6), games without a result
// (casino-keno-div2 11.6, 11.7) and the mapping of random bytes stand here a second
// time. Where the house lists the ways of a bet, this counts them; where it keeps
// running totals, this adds up. What it cannot grade it does not accept.
//
// # What is checked
//
// In this order, and the first thing that does not hold is named with its record:
//
//   - log: every record is in its one form, times never fall, and the RFC 6962
//     root of the records is that of the signed checkpoint;
//   - house: the keys of each volume and where the one before it ended, rulebooks by
//     their hashes, series, venues and
//     terminals, and under which terms games are played;
//   - people: each person and thing that a record speaks of is there, and a game opens only
//     with somebody on duty who watches over it;
//   - requests: numbers of each terminal rise, sessions do not go on after their
//     end, every ticket obeys the rulebook's limits, those over all tickets too,
//     costs what its bets cost and was paid for, and was sold where the rules let one be
//     sold: with a senior on duty, displays that work, within hours;
//   - games: days and games follow each other, no ticket is sold after the close
//     by sequence number, and the close counts what was sold; of a void game, whether
//     it is played along with the next one or refunded, and that to the last part of a
//     cent its stakes go where they came from;
//   - seal: it is signed, is of the log just after the close, and covers exactly
//     the tickets in the game; witnesses who are said to have cosigned it have, and
//     those who are required before the first number;
//   - draw: every number follows from its bytes, the device signed them all under
//     the seal, and no game has the numbers of another;
//   - settlement: totals, pro-rating, who won and shares which jackpot, what runs on,
//     and the winners file play by play; of a further settlement what it adds;
//   - jackpots: how each game fills them, what they hold to the ten-thousandth of a
//     cent, and that they are moved only as the rulebook lets them;
//   - promotions: the bonus prize pool, what is offered, and on whom it falls;
//   - payments: a prize that was won, in full, once, in time, after the result, to
//     who opens the ticket's claim; what a cancellation gives back, and that a second
//     person agreed to voiding a ticket that was not handed over; how a session is
//     settled, and that papers expire on the day on which their time is over;
//   - public log: every entry of it is made again from its record, with proofs that the journal only grew, and
//     compared with the files of the log; it begins between two days, with the past as it was and what its readers
//     must know; what witnesses are said to have cosigned is the log, and they have;
//   - ledger: each record posts what its rule says, debits equal credits, and the book of
//     each trading day is what its records come to, by account, venue, terminal and game.
//
// A record that breaks a rule in a log whose root is wrong is told as a wrong log:
// there the altering comes first.
//
// Not checked: the hash of the house's state at a day's end, which depends on
// how the house keeps its state; whether the source of random bytes was honest, which
// no record can show; whether the player of a sale was one of the staff, whom a record
// does not name.
//
// # Parts
//
// Every kind of record has one row (kinds.go): what judges it, who may do it and where, what two
// persons must have agreed on, and which guards hold. What a row needs of earlier records is kept by a
// part: people, the counter (tills), bingo rooms (halls) and the books. The files of a part alone touch its
// fields, which a test holds; everybody else asks its methods.
//
// # The export
//
// An export is a directory with all volumes of the journal:
//
//	house.json              format version, house, volume, house_key, device_key, earlier
//	checkpoint              the newest checkpoint, signed by the house
//	records-00000000.cbor   the first 65,536 records, then records-00000001.cbor ...
//	volumes/V/records-...   the same of an earlier volume V
//	objects/winners/S/O/R   winners file of series S, ordinal O, revision R
//	objects/bitmap/S/O/V    bitmap of the seal of series S, ordinal O, volume V
//	objects/books/S/D       book of series S on the Keno Day D
//	public/N/checkpoint     newest checkpoint of the public log N that was cosigned
//	public/N/tile/...       tiles and bundles of the public log N, as C2SP tlog-tiles names them
//
// house.json is JSON with those fields in that order, indented by two spaces, with a
// newline at its end; format is 1, volume and keys are those of the newest volume, and
// earlier lists the others, if there are any. Where one of those ended is said by the
// checkpoint in the first record of the next. In a record file each record stands
// behind its length, an unsigned varint in its shortest form. The record files
// of a volume hold exactly as many records as its checkpoint says, and every file but
// the last is full. There is a winners file for every settlement and every void game,
// and a bitmap for every seal of a game with plays and every volume with a ticket in it. Package
// check/verify/export writes it.
//
// A journal with a public log has a folder for it, and one for each log before. Full tiles and bundles are those that
// the house has stored. The partial ones are those of the log as the records end it, or as the next log begins; where
// the newest cosigned checkpoint has fewer entries its partial ones stand beside them, unless the full ones do. A log
// that nobody has cosigned has no checkpoint there. A journal without a log has no such folder.
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
// TestStoryHolds, TestStories and TestVoidGames verify small journals written by hand, whose prices
// and prizes were worked out on paper. TestLyingHouse and TestLyingAboutJackpots
// change one thing at a time in them and sign the rest anew, TestAlteredExport
// changes the files behind the house's back, and FuzzOneByte changes any byte of an
// export: none may be accepted. TestAgreement lets the house's own engine run random
// days of everything that three rulebooks sell and grades every record, and
// TestEveryLie changes each part of such records by the least there is: every lie
// must be found where it stands. TestVolumes, TestLyingAboutVolumes and
// TestDamagedVolumes do the same with journals of several volumes, TestLyingAboutTheLog and TestAlteredLog with a
// public log.
//
// All of these are verified twice, the second time without what makes sales quick: the
// reader that uses its room again, kinds of tickets that are judged once, and lines. The
// two reports must be the same. FuzzSold holds the reader against record.Decode, and
// TestUnattendedLater asks whether a sale is checked in full though one like it was.
package verify
