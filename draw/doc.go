// Package draw holds the devices that draw the numbers of a game. This is the
// generator device (vic-keno-2015 18(a), casino-keno-div2 2.1(a)(ii),
// tas-keno-2023 9.3): an approved source of random bytes, given by the caller,
// and a selection without replacement that favours no number.
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
// honest source: whoever holds the source and the key can choose numbers.
//
// # Tripwires
//
// A [Source] watches the bytes that pass through it, in the spirit of the health
// tests of NIST SP 800-90B. These are tripwires for a source that is stuck or
// repeats itself, not a validation of it. Every byte is taken to have eight bits
// of entropy, and each test has the false alarm rate stated beside it. Together,
// at 400 games a day and 30 bytes a game, they raise a false alarm within ten
// years with a probability below one in ten thousand. A result that equals a
// recent one, and numbers that contradict what the device drew before, stop the
// device as well. A device that has stopped stays stopped; people decide.
//
// The package sees no clock, environment, network or random source but the one
// it is given; TestImports holds it to that.
package draw
