// Package draw holds the devices that draw the numbers of a game:
//
//   - [Device], the generator (vic-keno-2015 18(a), casino-keno-div2 2.1(a)(ii),
//     tas-keno-2023 9.3): a source of random bytes, given by the caller, and a
//     selection without replacement that favours no number;
//   - [Witnessed], whose numbers are made of the seal and of secrets that two or
//     more custodians give out after it;
//   - [Cage], a ball machine whose balls two people key (casino-keno-div2 2.1(a)(i),
//     7.7), with the irregularities of part 11, see package cage.
//
// # Selection
//
// [IndexFromBytes] and [NumberFromBytes] say exactly how recorded bytes become a
// number, so that an inspector can map them with a few lines of any language.
// TestEveryNumberIsEquallyLikely enumerates all bytes for all set sizes.
//
// # The device
//
// A [Device] has a key of its own. It starts a [Draw] only with the verified seal
// of that game, yields a number only when asked for it, yields the same number
// when asked again, and takes up an interrupted draw behind the numbers that
// were drawn. After the last number it signs the game, the seal's hash and the
// numbers as a note ([Result]).
//
// This shows that the machine was honest about what it drew and that the sales
// were fixed before. It does not show that the owner of the machine gave it an
// honest source: anybody who holds the source and the key can choose numbers.
//
// # Witnessed draws
//
// Before the day each custodian commits to one random link a game ([Links],
// [Commitment]), and deals every link to three holders of whom any two can rebuild
// it ([Commitment.RebuildLink]). After the seal of a game each gives out the link of
// that game, by the rule of package witness. The numbers are SHAKE256 of the draw, the
// seal and the links, mapped by the selection above ([WitnessedNumbers]). So the
// operator cannot choose: the sales were fixed before the other links were known.
// The house and all custodians together can still choose tickets, which is why
// custodians must not be of one house. Custodians of before committed to the tip of a
// hash chain ([Chain]); their links are still checked. A custodian who deals bad shares and then withholds a link
// can delay a game for ever and is named by it (ErrDealer); nobody can change its
// numbers. testdata/witnessed.txt holds vectors that a second program wrote.
//
// # Tripwires
//
// A [Source] watches the bytes that pass through it, in the spirit of the health
// tests of NIST SP 800-90B. These are tripwires for a source that is stuck or
// repeats itself, not a validation of it. Every byte is taken to have eight bits
// of entropy, and each test has the false alarm rate stated beside it. Together,
// at 400 games a day and 30 bytes a game, they raise a false alarm within ten
// years with a probability below one in ten thousand. Numbers that contradict what
// the device drew before stop the device as well. A device that has stopped stays
// stopped; people decide. A result that equals a recent one stops no device: the
// house does not take it before two persons have confirmed it (game.GuardRepeat).
//
// The package sees no clock, environment, network or random source but the one
// it is given; TestImports holds it to that.
package draw
