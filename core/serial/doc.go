// Package serial makes and reads ticket serials and claim codes.
//
// # Serials
//
// A serial is a ticket's place in the journal, volume and sequence number, in a
// form that tells nobody how many tickets were sold. Who holds the keys reads
// the place from it, so a ticket is found by its serial alone and there is no
// index. It finds a ticket; it does not pay it.
//
// The 16 digits ([Serial], tas-keno-2023 3.2(a)) are 15 digits and a Damm check
// digit. The 15 digits come about in two steps:
//
//	inner = P(volume key)(sequence)           over 10^12
//	outer = P(house key)(volume*10^12 + inner) over 10^15
//
// P is a Feistel network of ten rounds of AES-256 with cycle walking. Each volume
// has a key of its own, so that a key that leaks gives away one volume. The outer
// step hides the volume and makes reading exact: every serial has one place, the
// volume is read first, and its key is the only one tried. (Trying every
// volume's key on a single permutation of 10^15 would not do: another volume's
// key yields its own volume by accident for one serial in a thousand, and those
// tickets could not be told apart.) The house key never changes while a ticket
// of the house can be claimed.
//
// The 27 characters of the successor system ([Successor], tas-keno-2023 3.2(b))
// are TO, the 15 digits as ten characters of base 32, a message authentication
// code of 70 bits as fourteen, and a check character.
//
// # How likely a guess is
//
// Let n be the number of tickets that can be claimed. The permutation spreads
// them over 10^15 serials with a good check digit, so a guess that minds the
// check digit names one with probability
//
//	n / 10^15
//
// and g guesses name one with probability at most g*n/10^15: with 100 million
// tickets and a million guesses, a tenth. Such a guess still lacks the claim
// code. A guessed successor serial names a ticket with probability n / 2^120.
// TestGuessing draws guesses and compares.
//
// # Claim codes
//
// A [ClaimCode] is 80 random bits made by the terminal and printed on the ticket
// beside its serial. The journal holds its hash only, so nobody inside the house
// can print a winner, and a serial alone is worth nothing. See there for what
// the 80 bits stand up to.
package serial
